// RUN: xtriton-opt %s --tritonintelgpu-pipeline='num-stages=2 use-barrier' | filecheck %s

// One iteration ahead, and nothing in the last.
// CHECK-LABEL: @loop(
// CHECK:         %[[P:.*]] = tt.advance %{{.*}}, [%c0_i32
// CHECK:         ttig.prefetch %[[P]], %{{.*}} {{{.*}}ttig.block_io = "row_major"}
// CHECK:         scf.for %[[I:.*]] = %c0_i32 to %arg2 step %c32_i32 iter_args(%{{.*}} = %arg4, %[[Q:.*]] = %[[P]])
// CHECK:           triton_gen.split_barrier_arrive
// CHECK:           %[[MORE:.*]] = arith.cmpi slt, %[[I]],
// CHECK:           %[[R:.*]] = tt.advance
// CHECK:           %[[MASK:.*]] = tt.splat %[[MORE]]
// CHECK:           ttig.prefetch %[[R]], %[[MASK]]
// CHECK:           %[[X:.*]] = tt.load %[[Q]]
// CHECK:           tt.dot %[[X]]
// CHECK:           triton_gen.split_barrier_wait
// CHECK:           scf.yield %{{.*}}, %[[R]]
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func @loop(%p: !tt.ptr<f16>, %m: i64, %n: i32, %y: tensor<32x64xf16, #b>, %c: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %one = arith.constant 1 : i64
    %q = tt.make_tensor_ptr %p, [%m, %m], [%m, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<64x32xf16, #a>>
    %r = scf.for %i = %c0 to %n step %c32 iter_args(%acc = %c) -> (tensor<64x64xf32, #mma>) : i32 {
      %s = tt.advance %q, [%c0, %i] : <tensor<64x32xf16, #a>>
      %x = tt.load %s {ttig.block_io = "row_major"} : !tt.ptr<tensor<64x32xf16, #a>>
      %d = tt.dot %x, %y, %acc : tensor<64x32xf16, #a> * tensor<32x64xf16, #b> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    }
    tt.return %r : tensor<64x64xf32, #mma>
  }
}
