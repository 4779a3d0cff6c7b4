// RUN: xtriton-opt %s --tritonintelgpu-accelerate-matmul --split-input-file | filecheck %s

// Four warps share 64x128; a warp has 4x2 instructions side by side, fed by one 2D load each.
// CHECK:       #mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
// CHECK-LABEL: @f16(
// CHECK:         %[[C:.*]] = ttg.convert_layout %arg2 : tensor<64x128xf32, #blocked> -> tensor<64x128xf32, #mma>
// CHECK:         %[[A:.*]] = ttg.convert_layout %arg0 : {{.*}} -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
// CHECK:         %[[B:.*]] = ttg.convert_layout %arg1 : {{.*}} -> tensor<32x128xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
// CHECK:         %[[D:.*]] = tt.dot %[[A]], %[[B]], %[[C]]
// CHECK:         ttg.convert_layout %[[D]] : tensor<64x128xf32, #mma> -> tensor<64x128xf32, #blocked>
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func @f16(%a: tensor<64x32xf16, #a>, %b: tensor<32x128xf16, #b>, %c: tensor<64x128xf32, #blocked>) -> tensor<64x128xf32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<64x32xf16, #a> * tensor<32x128xf16, #b> -> tensor<64x128xf32, #blocked>
    tt.return %d : tensor<64x128xf32, #blocked>
  }
}

// -----

// Floats of 8 bits are converted to 16 bits first.
// CHECK:       opsPerChan = 2
// CHECK-LABEL: @f8(
// CHECK:         tt.fp_to_fp %{{.*}} : tensor<64x32xf8E5M2, {{.*}}> -> tensor<64x32xf16,
// CHECK:         tt.dot {{.*}} : tensor<64x32xf16,
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func @f8(%a: tensor<64x32xf8E5M2, #a>, %b: tensor<32x128xf8E5M2, #b>, %c: tensor<64x128xf32, #blocked>) -> tensor<64x128xf32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<64x32xf8E5M2, #a> * tensor<32x128xf8E5M2, #b> -> tensor<64x128xf32, #blocked>
    tt.return %d : tensor<64x128xf32, #blocked>
  }
}

// -----

// One product that DPAS does not compute keeps all of the function from it.
// CHECK-NOT:   #ttig.dpas
// CHECK-LABEL: @mixed(
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func @mixed(%a: tensor<64x32xf16, #a>, %b: tensor<32x128xf16, #b>, %c: tensor<64x128xf32, #blocked>, %e: tensor<64x32xf32, #a>, %f: tensor<32x128xf32, #b>) -> tensor<64x128xf32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<64x32xf16, #a> * tensor<32x128xf16, #b> -> tensor<64x128xf32, #blocked>
    %g = tt.dot %e, %f, %d, inputPrecision = ieee : tensor<64x32xf32, #a> * tensor<32x128xf32, #b> -> tensor<64x128xf32, #blocked>
    tt.return %g : tensor<64x128xf32, #blocked>
  }
}

// -----

// Of products that have to do with one another all right operands are marked, those in front of
// the loop of another as well.
// CHECK-LABEL: @three(
// CHECK:         tt.load %arg1 {ttig.one_matrix_per_load}
// CHECK:         scf.for
// CHECK-COUNT-2:   tt.load {{.*}} {ttig.one_matrix_per_load}
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func @three(%a: tensor<64x64xf16, #a>, %p: tensor<64x64x!tt.ptr<f16>, #blocked>, %c: tensor<64x64xf32, #blocked>, %n: i32) -> tensor<64x64xf32, #blocked> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %x = tt.load %p : tensor<64x64x!tt.ptr<f16>, #blocked>
    %bx = ttg.convert_layout %x : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #b>
    %0 = tt.dot %a, %bx, %c : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #blocked>
    %1 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %0) -> (tensor<64x64xf32, #blocked>) : i32 {
      %y = tt.load %p : tensor<64x64x!tt.ptr<f16>, #blocked>
      %by = ttg.convert_layout %y : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #b>
      %2 = tt.dot %a, %by, %acc : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #blocked>
      %z = tt.load %p : tensor<64x64x!tt.ptr<f16>, #blocked>
      %bz = ttg.convert_layout %z : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #b>
      %3 = tt.dot %a, %bz, %2 : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #blocked>
      scf.yield %3 : tensor<64x64xf32, #blocked>
    }
    tt.return %1 : tensor<64x64xf32, #blocked>
  }
}
