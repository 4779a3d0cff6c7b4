// RUN: xtriton-opt %s --tritonintelgpu-coalesce | filecheck %s

// The block pointer gets the layout where it is made, and so does what the loop carries.
// CHECK-DAG:   #[[OLD:.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG:   #[[NEW:.*]] = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-LABEL: @loop(
// CHECK:         tt.make_tensor_ptr {{.*}} : <tensor<16x32xf16, #[[NEW]]>>
// CHECK:         scf.for {{.*}} -> (!tt.ptr<tensor<16x32xf16, #[[NEW]]>>, tensor<16x32xf16, #[[OLD]]>)
// CHECK:           %[[X:.*]] = tt.load %{{.*}} : !tt.ptr<tensor<16x32xf16, #[[NEW]]>>
// CHECK:           ttg.convert_layout %[[X]] : tensor<16x32xf16, #[[NEW]]> -> tensor<16x32xf16, #[[OLD]]>

// A load and a store through one block pointer have one layout, that of the store.
// CHECK-LABEL: @in_place(
// CHECK:         %[[P:.*]] = tt.make_tensor_ptr {{.*}} : <tensor<1024xf32, #[[LINE:.*]]>>
// CHECK:         tt.load %[[P]] : !tt.ptr<tensor<1024xf32, #[[LINE]]>>
// CHECK:         tt.store %[[P]], %{{.*}} : !tt.ptr<tensor<1024xf32, #[[LINE]]>>

// The mask of what is fetched ahead through a block pointer changes with it.
// CHECK-LABEL: @prefetch(
// CHECK:         %[[M:.*]] = tt.splat %{{.*}} : i1 -> tensor<16x32xi1, #[[OLD]]>
// CHECK:         %[[P:.*]] = tt.make_tensor_ptr {{.*}} : <tensor<16x32xf16, #[[NEW]]>>
// CHECK:         %[[C:.*]] = ttg.convert_layout %[[M]] : tensor<16x32xi1, #[[OLD]]> -> tensor<16x32xi1, #[[NEW]]>
// CHECK:         ttig.prefetch %[[P]], %[[C]]
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func @loop(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64, %w: i64 {tt.divisibility = 16 : i32}, %n: i32) -> tensor<16x32xf16, #blocked> {
    %zero = arith.constant dense<0.0> : tensor<16x32xf16, #blocked>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %one = arith.constant 1 : i64
    %a = tt.make_tensor_ptr %p, [%m, %w], [%w, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xf16, #blocked>>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%q = %a, %s = %zero) -> (!tt.ptr<tensor<16x32xf16, #blocked>>, tensor<16x32xf16, #blocked>) : i32 {
      %x = tt.load %q : !tt.ptr<tensor<16x32xf16, #blocked>>
      %y = arith.addf %s, %x : tensor<16x32xf16, #blocked>
      %b = tt.advance %q, [%c0, %c1] : <tensor<16x32xf16, #blocked>>
      scf.yield %b, %y : !tt.ptr<tensor<16x32xf16, #blocked>>, tensor<16x32xf16, #blocked>
    }
    tt.return %r#1 : tensor<16x32xf16, #blocked>
  }

  tt.func @in_place(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i64) {
    %c0 = arith.constant 0 : i32
    %one = arith.constant 1 : i64
    %a = tt.make_tensor_ptr %p, [%n], [%one], [%c0] {order = array<i32: 0>} : <tensor<1024xf32, #line>>
    %x = tt.load %a : !tt.ptr<tensor<1024xf32, #line>>
    %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #line>
    %s = tt.splat %q : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #line>
    %t = tt.addptr %s, %r : tensor<1024x!tt.ptr<f32>, #line>, tensor<1024xi32, #line>
    %y = tt.load %t : tensor<1024x!tt.ptr<f32>, #line>
    %z = arith.addf %x, %y : tensor<1024xf32, #line>
    tt.store %a, %z : !tt.ptr<tensor<1024xf32, #line>>
    tt.return
  }

  tt.func @prefetch(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64, %w: i64 {tt.divisibility = 16 : i32}, %b: i1) -> tensor<16x32xf16, #blocked> {
    %c0 = arith.constant 0 : i32
    %one = arith.constant 1 : i64
    %mask = tt.splat %b : i1 -> tensor<16x32xi1, #blocked>
    %a = tt.make_tensor_ptr %p, [%m, %w], [%w, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xf16, #blocked>>
    ttig.prefetch %a, %mask {boundaryCheck = array<i32>, cache = 1 : i32, evict = 1 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>} : !tt.ptr<tensor<16x32xf16, #blocked>>
    %x = tt.load %a : !tt.ptr<tensor<16x32xf16, #blocked>>
    tt.return %x : tensor<16x32xf16, #blocked>
  }
}
