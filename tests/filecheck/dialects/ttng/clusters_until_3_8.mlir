// Clusters, in the syntax of Triton 3.8.
// RUN: XTRITON_ROUNDTRIP

// CHECK: #blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
// CHECK: #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>
// CHECK: #shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
// CHECK: #smem = #ttg.shared_memory
// CHECK: module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  // CHECK-LABEL: tt.func @cluster(%arg0: tensor<64x32xf16, #blocked>, %arg1: !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, %arg2: !ttg.memdesc<2xi64, #shared1, #smem, mutable>) {
    // CHECK: ttng.async_shared_store %arg0, %arg1, %arg2 : tensor<64x32xf16, #blocked> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, !ttg.memdesc<2xi64, #shared1, #smem, mutable>
    // CHECK: ttng.cluster_arrive {relaxed = true}
    // CHECK: ttng.cluster_wait
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @cluster(%x: tensor<64x32xf16, #blocked>, %m: !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, %bar: !ttg.memdesc<2xi64, #bar, #smem, mutable>) {
    ttng.async_shared_store %x, %m, %bar : tensor<64x32xf16, #blocked> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, !ttg.memdesc<2xi64, #bar, #smem, mutable>
    ttng.cluster_arrive {relaxed = true}
    ttng.cluster_wait
    tt.return
  }
}
