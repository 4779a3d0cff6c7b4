// Triton 3.3 and 3.4.
// RUN: XTRITON_ROUNDTRIP

// CHECK-LABEL: @reinterpret
tt.func @reinterpret(%arg0: !tt.ptr<i8>) {
  // CHECK: %0 = tt.reinterpret_tensor_descriptor %arg0 : !tt.ptr<i8> to !tt.tensordesc<tensor<64x32xf16>>
  %0 = tt.reinterpret_tensor_descriptor %arg0 : !tt.ptr<i8> to !tt.tensordesc<tensor<64x32xf16>>
  // CHECK: tt.return
  tt.return
}
