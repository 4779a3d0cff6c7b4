// Descriptors as pointers, in Triton 3.3.
// RUN: XTRITON_ROUNDTRIP

// CHECK: #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
  // CHECK-LABEL: tt.func @pointer(%arg0: !tt.tensordesc<tensor<64x32xf16, #shared>>) -> !tt.ptr<i8> {
    // CHECK: %0 = ttng.tensor_desc_to_tma_ptr %arg0 : !tt.tensordesc<tensor<64x32xf16, #shared>> to !tt.ptr<i8>
    // CHECK: tt.return %0 : !tt.ptr<i8>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
tt.func @pointer(%desc: !tt.tensordesc<tensor<64x32xf16, #shared>>) -> !tt.ptr<i8> {
  %0 = ttng.tensor_desc_to_tma_ptr %desc : !tt.tensordesc<tensor<64x32xf16, #shared>> to !tt.ptr<i8>
  tt.return %0 : !tt.ptr<i8>
}
