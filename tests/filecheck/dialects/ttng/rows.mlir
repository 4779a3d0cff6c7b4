// Copies of rows that a tensor names.
// RUN: XTRITON_ROUNDTRIP

// CHECK: #blocked = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [0, 1]}>
// CHECK: #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK: #shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
// CHECK: #smem = #ttg.shared_memory
// CHECK: module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  // CHECK-LABEL: tt.func @rows(%arg0: !tt.tensordesc<1x128xbf16, #shared>, %arg1: tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, %arg2: i32, %arg3: !ttg.memdesc<1xi64, #shared1, #smem, mutable>, %arg4: !ttg.memdesc<32x128xbf16, #shared, #smem, mutable>, %arg5: i1) {
    // CHECK: ttng.async_tma_gather %arg0[%arg1, %arg2] %arg4, %arg3, %arg5 : !tt.tensordesc<1x128xbf16, #shared>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, i32, !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<32x128xbf16, #shared, #smem, mutable>, i1
    // CHECK: ttng.async_tma_scatter %arg0[%arg1, %arg2] %arg4 : !tt.tensordesc<1x128xbf16, #shared>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, i32, !ttg.memdesc<32x128xbf16, #shared, #smem, mutable>
#blocked = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [0, 1]}>
#rows = #ttg.slice<{dim = 1, parent = #blocked}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @rows(%desc: !tt.tensordesc<1x128xbf16, #shared>, %rows: tensor<32xi32, #rows>, %y: i32, %bar: !ttg.memdesc<1xi64, #bar, #smem, mutable>, %m: !ttg.memdesc<32x128xbf16, #shared, #smem, mutable>, %p: i1) {
    ttng.async_tma_gather %desc[%rows, %y] %m, %bar, %p : !tt.tensordesc<1x128xbf16, #shared>, tensor<32xi32, #rows>, i32, !ttg.memdesc<1xi64, #bar, #smem, mutable>, !ttg.memdesc<32x128xbf16, #shared, #smem, mutable>, i1
    ttng.async_tma_scatter %desc[%rows, %y] %m : !tt.tensordesc<1x128xbf16, #shared>, tensor<32xi32, #rows>, i32, !ttg.memdesc<32x128xbf16, #shared, #smem, mutable>
    tt.return
  }
}
