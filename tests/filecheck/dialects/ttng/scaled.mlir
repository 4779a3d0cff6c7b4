// Products of microscaling floats in tensor memory.
// RUN: XTRITON_ROUNDTRIP

// CHECK: #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
// CHECK: #shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 8}>
// CHECK: #shared2 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
// CHECK: #smem = #ttg.shared_memory
// CHECK: #tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
// CHECK: #tmem_scales = #ttng.tensor_memory_scales_encoding<>
// CHECK: module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  // CHECK-LABEL: tt.func @scaled(%arg0: !ttg.memdesc<128x64xf8E5M2, #shared, #smem>, %arg1: !ttg.memdesc<64x128xf8E5M2, #shared1, #smem>, %arg2: !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, %arg3: !ttg.memdesc<128x2xi8, #tmem_scales, #ttng.tensor_memory, mutable>, %arg4: !ttg.memdesc<128x2xi8, #shared2, #smem>, %arg5: i1) {
    // CHECK: ttng.tmem_copy %arg4, %arg3 : !ttg.memdesc<128x2xi8, #shared2, #smem>, !ttg.memdesc<128x2xi8, #tmem_scales, #ttng.tensor_memory, mutable>
    // CHECK: ttng.tc_gen5_mma_scaled %arg0, %arg1, %arg2, %arg3, %arg3, %arg5, %arg5 lhs = e5m2 rhs = e5m2 : !ttg.memdesc<128x64xf8E5M2, #shared, #smem>, !ttg.memdesc<64x128xf8E5M2, #shared1, #smem>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<128x2xi8, #tmem_scales, #ttng.tensor_memory, mutable>, !ttg.memdesc<128x2xi8, #tmem_scales, #ttng.tensor_memory, mutable>
#scales = #ttng.tensor_memory_scales_encoding<>
#fp8 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
#fp8t = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 8}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @scaled(%a: !ttg.memdesc<128x64xf8E5M2, #fp8, #smem>, %b: !ttg.memdesc<64x128xf8E5M2, #fp8t, #smem>, %d: !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, %s: !ttg.memdesc<128x2xi8, #scales, #ttng.tensor_memory, mutable>, %from: !ttg.memdesc<128x2xi8, #plain, #smem>, %c: i1) {
    ttng.tmem_copy %from, %s : !ttg.memdesc<128x2xi8, #plain, #smem>, !ttg.memdesc<128x2xi8, #scales, #ttng.tensor_memory, mutable>
    ttng.tc_gen5_mma_scaled %a, %b, %d, %s, %s, %c, %c lhs = e5m2 rhs = e5m2 : !ttg.memdesc<128x64xf8E5M2, #fp8, #smem>, !ttg.memdesc<64x128xf8E5M2, #fp8t, #smem>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<128x2xi8, #scales, #ttng.tensor_memory, mutable>, !ttg.memdesc<128x2xi8, #scales, #ttng.tensor_memory, mutable>
    tt.return
  }
}
