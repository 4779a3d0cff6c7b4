// RUN: xtriton-opt %s --tritonintelgpu-pipeline='num-stages=2 use-barrier' | filecheck %s
// By the rules of August 2026.

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#rows = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.support_2d_block_io, ttig.support_prefetch_256b} {

// What is prefetched too far ahead needs no mask.
// CHECK-LABEL: @product(
// CHECK:         ttig.descriptor_prefetch %[[D:.*]][%{{.*}}, %{{.*}}] {ttig.block_io = "row_major"}
// CHECK:         scf.for %[[I:.*]] = %c0_i32
// CHECK:           %[[B:.*]] = triton_gen.split_barrier_arrive
// CHECK:           %[[NEXT:.*]] = arith.addi %[[I]], %{{.*}}
// CHECK:           ttig.descriptor_prefetch %[[D]][%c0_i32, %[[NEXT]]]
// CHECK:           %[[X:.*]] = tt.descriptor_load %[[D]][%c0_i32, %
// CHECK:           tt.dot %[[X]]
// CHECK:           triton_gen.split_barrier_wait %[[B]]
tt.func @product(%p: !tt.ptr<f16>, %m: i32, %s: i64, %y: tensor<32x64xf16, #b>, %c: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %one = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%m, %m], [%s, %one] : <f16>, <64x32xf16>
  %r = scf.for %i = %c0 to %m step %c32 iter_args(%acc = %c) -> (tensor<64x64xf32, #mma>) : i32 {
    %x = tt.descriptor_load %d[%c0, %i] {ttig.block_io = "row_major"} : !tt.tensordesc<64x32xf16> -> tensor<64x32xf16, #a>
    %z = tt.dot %x, %y, %acc : tensor<64x32xf16, #a> * tensor<32x64xf16, #b> -> tensor<64x64xf32, #mma>
    scf.yield %z : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}

// Loads for other ops come with them where the device prefetches 256 bytes, four of at most 16 KiB.
// CHECK-LABEL: @sums(
// CHECK:         scf.for
// CHECK-COUNT-4:   ttig.descriptor_prefetch
// CHECK-NOT:       ttig.descriptor_prefetch
tt.func @sums(%p: !tt.ptr<f32>, %m: i32, %s: i64, %c: tensor<32x32xf32, #rows>) -> tensor<32x32xf32, #rows> {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %one = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%m, %m], [%s, %one] : <f32>, <32x32xf32>
  %r = scf.for %i = %c0 to %m step %c32 iter_args(%acc = %c) -> (tensor<32x32xf32, #rows>) : i32 {
    %v0 = tt.descriptor_load %d[%c0, %i] {ttig.block_io = "row_major"} : !tt.tensordesc<32x32xf32> -> tensor<32x32xf32, #rows>
    %v1 = tt.descriptor_load %d[%i, %c0] {ttig.block_io = "row_major"} : !tt.tensordesc<32x32xf32> -> tensor<32x32xf32, #rows>
    %v2 = tt.descriptor_load %d[%i, %i] {ttig.block_io = "row_major"} : !tt.tensordesc<32x32xf32> -> tensor<32x32xf32, #rows>
    %v3 = tt.descriptor_load %d[%c32, %i] {ttig.block_io = "row_major"} : !tt.tensordesc<32x32xf32> -> tensor<32x32xf32, #rows>
    %v4 = tt.descriptor_load %d[%i, %c32] {ttig.block_io = "row_major"} : !tt.tensordesc<32x32xf32> -> tensor<32x32xf32, #rows>
    %s0 = arith.addf %acc, %v0 : tensor<32x32xf32, #rows>
    %s1 = arith.addf %s0, %v1 : tensor<32x32xf32, #rows>
    %s2 = arith.addf %s1, %v2 : tensor<32x32xf32, #rows>
    %s3 = arith.addf %s2, %v3 : tensor<32x32xf32, #rows>
    %s4 = arith.addf %s3, %v4 : tensor<32x32xf32, #rows>
    scf.yield %s4 : tensor<32x32xf32, #rows>
  }
  tt.return %r : tensor<32x32xf32, #rows>
}
}
