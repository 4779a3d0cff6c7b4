// Up to Triton 3.7: block pointers, descriptors of wrapped tensors, cache hints as keywords.
// RUN: XTRITON_ROUNDTRIP

// CHECK-LABEL: @block_pointers
tt.func @block_pointers(%arg0: !tt.ptr<f16>, %arg1: i64, %arg2: i32) {
  // CHECK: %0 = tt.make_tensor_ptr %arg0, [%arg1, %arg1], [%arg1, %arg1], [%arg2, %arg2] {order = array<i32: 1, 0>} : <tensor<64x32xf16>>
  %0 = tt.make_tensor_ptr %arg0, [%arg1, %arg1], [%arg1, %arg1], [%arg2, %arg2] {order = array<i32: 1, 0>} : <tensor<64x32xf16>>
  // CHECK: %1 = tt.advance %0, [%arg2, %arg2] : <tensor<64x32xf16>>
  %1 = tt.advance %0, [%arg2, %arg2] : <tensor<64x32xf16>>
  // CHECK: %2 = tt.load %1 {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32} : !tt.ptr<tensor<64x32xf16>>
  %2 = tt.load %1 {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32} : !tt.ptr<tensor<64x32xf16>>
  // CHECK: tt.store %1, %2 {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<64x32xf16>>
  tt.store %1, %2 {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<64x32xf16>>
  // CHECK: tt.return
  tt.return
}
// -----

// CHECK-LABEL: @cache_hints
tt.func @cache_hints(%arg0: !tt.ptr<f32>, %arg1: i1, %arg2: f32, %arg3: !tt.tensordesc<tensor<64x32xf16>>, %arg4: i32) {
  // CHECK: %0 = tt.load %arg0, %arg1, %arg2 cacheModifier = ca evictionPolicy = evict_first {isVolatile = true} : !tt.ptr<f32>
  %0 = tt.load %arg0, %arg1, %arg2 cacheModifier = ca evictionPolicy = evict_first {isVolatile = true} : !tt.ptr<f32>
  // CHECK: %1 = tt.load %arg0 evictionPolicy = evict_last : !tt.ptr<f32>
  %1 = tt.load %arg0 evictionPolicy = evict_last : !tt.ptr<f32>
  // CHECK: tt.store %arg0, %0, %arg1 cacheModifier = wt : !tt.ptr<f32>
  tt.store %arg0, %0, %arg1 cacheModifier = wt : !tt.ptr<f32>
  // CHECK: %2 = tt.descriptor_load %arg3[%arg4, %arg4] cacheModifier = cg : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
  %2 = tt.descriptor_load %arg3[%arg4, %arg4] cacheModifier = cg : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
  // CHECK: tt.return
  tt.return
}
// -----

// CHECK-LABEL: @address_spaces
tt.func @address_spaces(%arg0: !tt.ptr<f32, 3>, %arg1: !tt.ptr<f32, 0>, %arg2: i64) {
  // CHECK: %0 = tt.addptr %arg0, %arg2 : !tt.ptr<f32, 3>, i64
  %0 = tt.addptr %arg0, %arg2 : !tt.ptr<f32, 3>, i64
  // CHECK: %1 = tt.addptr %arg1, %arg2 : !tt.ptr<f32, 0>, i64
  %1 = tt.addptr %arg1, %arg2 : !tt.ptr<f32, 0>, i64
  // CHECK: tt.return
  tt.return
}
