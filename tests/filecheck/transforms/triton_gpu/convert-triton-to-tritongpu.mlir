// RUN: xtriton-opt %s --convert-triton-to-tritongpu="target=cuda:80 num-warps=2 threads-per-warp=32" | filecheck %s
// RUN: xtriton-opt %s --convert-triton-to-tritongpu="target=xpu num-warps=4 threads-per-warp=16 num-ctas=1" | filecheck %s --check-prefix=XPU

// Every tensor gets a layout that gives each thread one element, until there are more.
// CHECK-DAG: #[[B1:.*]] = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
// CHECK: module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32}
// XPU: module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32}

// CHECK-LABEL: @range(
// CHECK:         tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #[[B1]]>
// CHECK:         arith.addi %{{.*}}, %{{.*}} : tensor<64xi32, #[[B1]]>
tt.func @range(%p: tensor<64xi32>) -> tensor<64xi32> {
  %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %1 = arith.addi %p, %0 : tensor<64xi32>
  tt.return %1 : tensor<64xi32>
}

// What has one dimension less is a slice of the layout with it.
// CHECK-LABEL: @expand(
// CHECK:         %[[S:.*]] = ttg.convert_layout %arg0 : tensor<64xi32, #[[B1]]> -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #[[B2:.*]]}>>
// CHECK-NEXT:    tt.expand_dims %[[S]] {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #[[B2]]}>> -> tensor<1x64xi32, #[[B2]]>
tt.func @expand(%x: tensor<64xi32>) -> tensor<1x64xi32> {
  %0 = tt.expand_dims %x {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  tt.return %0 : tensor<1x64xi32>
}

// The operands of a dot have layouts of their own.
// CHECK-LABEL: @dot(
// CHECK:         %[[A:.*]] = ttg.convert_layout %{{.*}} -> tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #[[BD:.*]]}>>
// CHECK:         %[[B:.*]] = ttg.convert_layout %{{.*}} -> tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #[[BD]]}>>
// CHECK:         tt.dot %[[A]], %[[B]], %{{.*}} -> tensor<32x32xf32, #[[BD]]>
tt.func @dot(%a: tensor<32x32xf16>, %b: tensor<32x32xf16>, %c: tensor<32x32xf32>)
    -> tensor<32x32xf32> {
  %0 = tt.dot %a, %b, %c : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
  tt.return %0 : tensor<32x32xf32>
}

// Loops carry tensors with layouts.
// CHECK-LABEL: @loop(
// CHECK:         scf.for {{.*}} -> (tensor<64xf32, #[[B1]]>)
tt.func @loop(%x: tensor<64xf32>, %n: i32) -> tensor<64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %x) -> (tensor<64xf32>) : i32 {
    %1 = arith.addf %sum, %x : tensor<64xf32>
    scf.yield %1 : tensor<64xf32>
  }
  tt.return %0 : tensor<64xf32>
}
