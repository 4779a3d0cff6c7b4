// RUN: xtriton-opt %s --tritonintelgpu-materialize-block-pointer | filecheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  // The pitch of %r is not known to be a multiple of 16 bytes, the base of %s not of 4.
  // CHECK-LABEL: @pointers(
  // CHECK:         tt.load %{{.*}} {ttig.block_io = "row_major"}
  // CHECK:         tt.load %{{.*}} {ttig.block_io = "column_major"}
  // CHECK:         tt.load %{{[0-9]*}} :
  // CHECK:         tt.load %{{[0-9]*}} :
  // CHECK:         tt.store {{.*}} {ttig.block_io = "row_major"}
  tt.func @pointers(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %u: !tt.ptr<f16>, %m: i64, %w: i64 {tt.divisibility = 16 : i32}, %t: i64) {
    %c0 = arith.constant 0 : i32
    %one = arith.constant 1 : i64
    %a = tt.make_tensor_ptr %p, [%m, %w], [%w, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xf16, #blocked>>
    %x = tt.load %a : !tt.ptr<tensor<16x32xf16, #blocked>>
    %b = tt.make_tensor_ptr %p, [%w, %m], [%one, %w], [%c0, %c0] {order = array<i32: 0, 1>} : <tensor<16x32xf16, #blocked>>
    %y = tt.load %b : !tt.ptr<tensor<16x32xf16, #blocked>>
    %r = tt.make_tensor_ptr %p, [%m, %w], [%t, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xf16, #blocked>>
    %z = tt.load %r : !tt.ptr<tensor<16x32xf16, #blocked>>
    %s = tt.make_tensor_ptr %u, [%m, %w], [%w, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xf16, #blocked>>
    %v = tt.load %s : !tt.ptr<tensor<16x32xf16, #blocked>>
    %d = arith.addf %x, %y : tensor<16x32xf16, #blocked>
    %e = arith.addf %d, %z : tensor<16x32xf16, #blocked>
    %f = arith.addf %e, %v : tensor<16x32xf16, #blocked>
    tt.store %a, %f : !tt.ptr<tensor<16x32xf16, #blocked>>
    tt.return
  }

  // Rows of 32 elements, 64 elements apart; a load with a mask is none.
  // CHECK-LABEL: @tensors(
  // CHECK:         tt.load %{{[0-9]*}} {ttig.block_io = "row_major"}
  // CHECK:         tt.load %{{[0-9]*}}, %arg1 :
  tt.func @tensors(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %mask: tensor<16x32xi1, #blocked>) -> tensor<16x32xf16, #blocked> {
    %c64 = arith.constant dense<64> : tensor<16x1xi32, #blocked>
    %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %c = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %r2 = tt.expand_dims %r {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
    %c2 = tt.expand_dims %c {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %r3 = arith.muli %r2, %c64 : tensor<16x1xi32, #blocked>
    %r4 = tt.broadcast %r3 : tensor<16x1xi32, #blocked> -> tensor<16x32xi32, #blocked>
    %c4 = tt.broadcast %c2 : tensor<1x32xi32, #blocked> -> tensor<16x32xi32, #blocked>
    %o = arith.addi %r4, %c4 : tensor<16x32xi32, #blocked>
    %q = tt.splat %p : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>, #blocked>
    %a = tt.addptr %q, %o : tensor<16x32x!tt.ptr<f16>, #blocked>, tensor<16x32xi32, #blocked>
    %x = tt.load %a : tensor<16x32x!tt.ptr<f16>, #blocked>
    %y = tt.load %a, %mask : tensor<16x32x!tt.ptr<f16>, #blocked>
    %z = arith.addf %x, %y : tensor<16x32xf16, #blocked>
    tt.return %z : tensor<16x32xf16, #blocked>
  }
}
