// RUN: xtriton-opt %s --tritongpu-optimize-dot-operands | filecheck %s

// Scales in blocks of 128 rows and 4 columns are fetched from shared memory as they are, if a
// block lies there side by side; others stay in tensor memory.

#near = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#operand = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8}>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
#blocks = #ttg.blocked<{sizePerThread = [1, 1, 1, 1, 4], threadsPerWarp = [1, 1, 8, 4, 1], warpsPerCTA = [1, 1, 4, 1, 1], order = [4, 3, 2, 1, 0]}>
#turned = #ttg.blocked<{sizePerThread = [1, 1, 1, 1, 4], threadsPerWarp = [1, 4, 8, 1, 1], warpsPerCTA = [1, 1, 4, 1, 1], order = [4, 1, 2, 3, 0]}>
#lanes = #ttg.blocked<{sizePerThread = [1, 1, 1, 1, 4], threadsPerWarp = [1, 1, 32, 1, 1], warpsPerCTA = [1, 1, 1, 1, 4], order = [4, 3, 2, 1, 0]}>
#flat = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [1, 0]}>
#sums = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#scales = #ttng.tensor_memory_scales_encoding<>
#smem = #ttg.shared_memory

// CHECK-LABEL: @scales(
// CHECK-DAG:     %[[B:.*]] = ttng.tmem_alloc
// CHECK-DAG:     %[[X:.*]] = ttg.memdesc_reshape %arg3 : !ttg.memdesc<1x512xi8, {{.*}}> -> !ttg.memdesc<1x1x32x4x4xi8,
// CHECK-DAG:     %[[Y:.*]] = ttg.memdesc_trans %[[X]] {order = array<i32: 0, 3, 2, 1, 4>}
// CHECK-DAG:     %[[A:.*]] = ttg.memdesc_reshape %[[Y]] : {{.*}} -> !ttg.memdesc<128x4xi8,
// CHECK:         ttng.tc_gen5_mma_scaled %arg0, %arg1, %arg2, %[[A]], %[[B]],
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @scales(%a: !ttg.memdesc<128x128xf8E5M2, #operand, #smem>, %b: !ttg.memdesc<128x128xf8E5M2, #operand, #smem>, %d: !ttg.memdesc<128x128xf32, #sums, #ttng.tensor_memory, mutable>, %p: !ttg.memdesc<1x512xi8, #near, #smem>) {
    %true = arith.constant true
    %cst = arith.constant dense<127> : tensor<128x4xi8, #flat>
    %0 = ttg.local_load %p : !ttg.memdesc<1x512xi8, #near, #smem> -> tensor<1x512xi8, #rows>
    %1 = tt.reshape %0 : tensor<1x512xi8, #rows> -> tensor<1x1x32x4x4xi8, #blocks>
    %2 = tt.trans %1 {order = array<i32: 0, 3, 2, 1, 4>} : tensor<1x1x32x4x4xi8, #blocks> -> tensor<1x4x32x1x4xi8, #turned>
    %c = ttg.convert_layout %2 : tensor<1x4x32x1x4xi8, #turned> -> tensor<1x4x32x1x4xi8, #lanes>
    %3 = tt.reshape %c : tensor<1x4x32x1x4xi8, #lanes> -> tensor<128x4xi8, #flat>
    %4 = ttng.tmem_alloc %3 : (tensor<128x4xi8, #flat>) -> !ttg.memdesc<128x4xi8, #scales, #ttng.tensor_memory>
    %9 = ttng.tmem_alloc %cst : (tensor<128x4xi8, #flat>) -> !ttg.memdesc<128x4xi8, #scales, #ttng.tensor_memory>
    ttng.tc_gen5_mma_scaled %a, %b, %d, %4, %9, %true, %true lhs = e5m2 rhs = e5m2 : !ttg.memdesc<128x128xf8E5M2, #operand, #smem>, !ttg.memdesc<128x128xf8E5M2, #operand, #smem>, !ttg.memdesc<128x128xf32, #sums, #ttng.tensor_memory, mutable>, !ttg.memdesc<128x4xi8, #scales, #ttng.tensor_memory>, !ttg.memdesc<128x4xi8, #scales, #ttng.tensor_memory>
    tt.return
  }
}
