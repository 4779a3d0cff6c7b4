// Up to Triton 3.2: TMA descriptors behind plain pointers.
// RUN: XTRITON_ROUNDTRIP

// CHECK-LABEL: @tma
tt.func @tma(%arg0: !tt.ptr<i8>, %arg1: !tt.ptr<f16>, %arg2: i32, %arg3: i64) {
  // CHECK: %0 = tt.experimental_descriptor_load %arg0[%arg2, %arg2] cacheModifier = ca : !tt.ptr<i8> -> tensor<64x32xf16>
  %0 = tt.experimental_descriptor_load %arg0[%arg2, %arg2] cacheModifier = ca : !tt.ptr<i8> -> tensor<64x32xf16>
  // CHECK: tt.experimental_descriptor_store %arg0[%arg2, %arg2], %0 : !tt.ptr<i8>, tensor<64x32xf16>
  tt.experimental_descriptor_store %arg0[%arg2, %arg2], %0 : !tt.ptr<i8>, tensor<64x32xf16>
  // CHECK: tt.experimental_tensormap_create %arg0, %arg1, [%arg2, %arg2], [%arg2, %arg2], [%arg3], [%arg2, %arg2] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
  tt.experimental_tensormap_create %arg0, %arg1, [%arg2, %arg2], [%arg2, %arg2], [%arg3], [%arg2, %arg2] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
  // CHECK: tt.experimental_tensormap_fenceproxy_acquire %arg0 : !tt.ptr<i8>
  tt.experimental_tensormap_fenceproxy_acquire %arg0 : !tt.ptr<i8>
  // CHECK: tt.return
  tt.return
}
