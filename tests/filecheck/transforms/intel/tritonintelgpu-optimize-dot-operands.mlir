// RUN: xtriton-opt %s --tritonintelgpu-optimize-dot-operands | filecheck %s

// The transposition becomes one of the block pointer: sizes, strides, offsets and checks.
// CHECK-LABEL: @fuse(
// CHECK:         %[[P:.*]] = tt.make_tensor_ptr %arg0, [%arg2, %arg1], [%c1_i64, %arg2], [%c0_i32, %arg3] {{.*}} : <tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>>
// CHECK:         %[[Q:.*]] = tt.advance %[[P]], [%c0_i32, %arg3]
// CHECK:         %[[X:.*]] = tt.load %[[Q]] {boundaryCheck = array<i32: 1>, ttig.block_io = "column_major"}
// CHECK-NEXT:    tt.dot %{{.*}}, %[[X]]
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [32, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [0, 0]], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func @fuse(%p: !tt.ptr<f16>, %n: i64, %k: i64, %i: i32, %x: tensor<64x32xf16, #a>, %c: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %one = arith.constant 1 : i64
    %q = tt.make_tensor_ptr %p, [%n, %k], [%k, %one], [%i, %c0] {order = array<i32: 1, 0>} : <tensor<64x32xf16, #linear>>
    %r = tt.advance %q, [%i, %c0] : <tensor<64x32xf16, #linear>>
    %y = tt.load %r {boundaryCheck = array<i32: 0>, ttig.block_io = "row_major"} : !tt.ptr<tensor<64x32xf16, #linear>>
    %t = tt.trans %y {order = array<i32: 1, 0>} : tensor<64x32xf16, #linear> -> tensor<32x64xf16, #b>
    %d = tt.dot %x, %t, %c : tensor<64x32xf16, #a> * tensor<32x64xf16, #b> -> tensor<64x64xf32, #mma>
    tt.return %d : tensor<64x64xf32, #mma>
  }
}
