// RUN: xtriton-opt %s --tritongpu-optimize-dot-operands --canonicalize | filecheck %s

#blocked = #ttg.blocked<{sizePerThread = [16, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A transposed operand is put into shared memory as it is, and looked at the other way.
  // CHECK-DAG: #[[T:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
  // CHECK-LABEL: @transposed(
  // CHECK:         %[[B:.*]] = tt.load %arg0
  // CHECK:         %[[S:.*]] = ttg.local_alloc %[[B]] : (tensor<128x64xf16, #{{.*}}>) -> !ttg.memdesc<128x64xf16, #[[T]], #smem>
  // CHECK:         %[[V:.*]] = ttg.memdesc_trans %[[S]]
  // CHECK:         ttng.warp_group_dot %arg1, %[[V]]
  tt.func @transposed(%p: tensor<128x64x!tt.ptr<f16>, #blocked1>, %a: !ttg.memdesc<128x64xf16, #shared, #smem>,
                      %c: tensor<128x128xf32, #mma>) -> tensor<128x128xf32, #mma> {
    %0 = tt.load %p : tensor<128x64x!tt.ptr<f16>, #blocked1>
    %1 = tt.trans %0 {order = array<i32: 1, 0>} : tensor<128x64xf16, #blocked1> -> tensor<64x128xf16, #blocked>
    %2 = ttg.local_alloc %1 : (tensor<64x128xf16, #blocked>) -> !ttg.memdesc<64x128xf16, #shared, #smem>
    %3 = ttng.warp_group_dot %a, %2, %c : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared, #smem> -> tensor<128x128xf32, #mma>
    tt.return %3 : tensor<128x128xf32, #mma>
  }
}
