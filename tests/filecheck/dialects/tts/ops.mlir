// RUN: XTRITON_ROUNDTRIP

// CHECK-LABEL: @pointers
tt.func @pointers(%arg0: !tt.ptr<bf16>, %arg1: index, %arg2: index, %arg3: index, %arg4: tensor<4xi32>, %arg5: tensor<4xi1>, %arg6: tensor<4xi64>) {
  // CHECK: %0 = tts.make_tptr %arg0 to sizes: [4, 256], strides: [1, %arg2], offsets: [%arg1, 0], shape: [0, 0], order: [] : <bf16> to tensor<4x256x!tt.ptr<bf16>>
  %0 = tts.make_tptr %arg0 to sizes: [4, 256], strides: [1, %arg2], offsets: [%arg1, 0], shape: [0, 0], order: [] : <bf16> to tensor<4x256x!tt.ptr<bf16>>
  // CHECK: %1 = tts.make_tptr %arg0 to sizes: [4, 256], strides: [%arg2, 1], offsets: [%arg1, %arg1], shape: [%arg3, 0], order: [] : <bf16> to tensor<4x256x!tt.ptr<bf16>>
  %1 = tts.make_tptr %arg0 to sizes: [4, 256], strides: [%arg2, 1], offsets: [%arg1, %arg1], shape: [%arg3, 0], order: [] : <bf16> to tensor<4x256x!tt.ptr<bf16>>
  // CHECK: %2 = tts.make_tptr %arg0 to sizes: [4, 256], strides: [256, -1], offsets: [0, 0], shape: [%arg3, 64], order: [1, 0] : <bf16> to !tt.ptr<tensor<4x256xbf16>>
  %2 = tts.make_tptr %arg0 to sizes: [4, 256], strides: [256, -1], offsets: [0, 0], shape: [%arg3, 64], order: [1, 0] : <bf16> to !tt.ptr<tensor<4x256xbf16>>
  // CHECK: %3 = tts.make_gather_scatter_tptr %arg0 to sizes: [4, 64] gather_scatter_dim: 0 gather_scatter_offset: %arg4, strides: [%arg2, 1], offsets: [0, %arg1] : tensor<4xi32>  <bf16> to !tt.ptr<tensor<4x64xbf16>>
  %3 = tts.make_gather_scatter_tptr %arg0 to sizes: [4, 64] gather_scatter_dim: 0 gather_scatter_offset: %arg4, strides: [%arg2, 1], offsets: [0, %arg1] : tensor<4xi32>  <bf16> to !tt.ptr<tensor<4x64xbf16>>
  // CHECK: %4 = tts.make_gather_scatter_tptr %arg0 to sizes: [4, 64] gather_scatter_dim: 0 gather_scatter_offset: %arg6 gather_scatter_mask: %arg5, strides: [%arg2, 1], offsets: [0, %arg1] : tensor<4xi64> tensor<4xi1> <bf16> to !tt.ptr<tensor<4x64xbf16>>
  %4 = tts.make_gather_scatter_tptr %arg0 to sizes: [4, 64] gather_scatter_dim: 0 gather_scatter_offset: %arg6 gather_scatter_mask: %arg5, strides: [%arg2, 1], offsets: [0, %arg1] : tensor<4xi64> tensor<4xi1> <bf16> to !tt.ptr<tensor<4x64xbf16>>
  // CHECK: tt.return
  tt.return
}
// -----

// CHECK-LABEL: @states
tt.func @states(%arg0: tensor<64x!tt.ptr<f32>>, %arg1: !tt.ptr<f32>, %arg2: tensor<4x8xi32>) {
  // CHECK: %structured, %offsets, %strides = "tts.get_structured_state"(%arg0) <{resultSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<64x!tt.ptr<f32>>) -> (tensor<64x!tt.ptr<f32>>, index, index)
  %structured, %offsets, %strides = "tts.get_structured_state"(%arg0) <{resultSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<64x!tt.ptr<f32>>) -> (tensor<64x!tt.ptr<f32>>, index, index)
  // CHECK: %structured_0, %offsets_1 = "tts.get_structured_state"(%arg1) <{resultSegmentSizes = array<i32: 1, 1, 0>}> : (!tt.ptr<f32>) -> (!tt.ptr<f32>, index)
  %structured_0, %offsets_1 = "tts.get_structured_state"(%arg1) <{resultSegmentSizes = array<i32: 1, 1, 0>}> : (!tt.ptr<f32>) -> (!tt.ptr<f32>, index)
  // CHECK: %structured_2, %offsets_3:2, %strides_4:2 = "tts.get_structured_state"(%arg2) <{resultSegmentSizes = array<i32: 1, 2, 2>}> : (tensor<4x8xi32>) -> (tensor<4x8xi32>, index, index, index, index)
  %structured_2, %offsets_3:2, %strides_4:2 = "tts.get_structured_state"(%arg2) <{resultSegmentSizes = array<i32: 1, 2, 2>}> : (tensor<4x8xi32>) -> (tensor<4x8xi32>, index, index, index, index)
  // CHECK: tt.return
  tt.return
}
// -----

// CHECK-LABEL: @memory
tt.func @memory(%arg0: tensor<4x64x!tt.ptr<f32>>, %arg1: !tt.ptr<tensor<8xf32>>, %arg2: index, %arg3: f32) {
  // CHECK: %0 = "tts.load"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_mask_dims = array<i64>}> : (tensor<4x64x!tt.ptr<f32>>) -> tensor<4x64xf32>
  %0 = "tts.load"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_mask_dims = array<i64>}> : (tensor<4x64x!tt.ptr<f32>>) -> tensor<4x64xf32>
  // CHECK: %1 = "tts.load"(%arg0, %arg2, %arg3) <{operandSegmentSizes = array<i32: 1, 1, 1>, static_mask_dims = array<i64: 4, -9223372036854775808>}> : (tensor<4x64x!tt.ptr<f32>>, index, f32) -> tensor<4x64xf32>
  %1 = "tts.load"(%arg0, %arg2, %arg3) <{operandSegmentSizes = array<i32: 1, 1, 1>, static_mask_dims = array<i64: 4, -9223372036854775808>}> : (tensor<4x64x!tt.ptr<f32>>, index, f32) -> tensor<4x64xf32>
  // CHECK: %2 = "tts.load"(%arg1) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_mask_dims = array<i64>}> : (!tt.ptr<tensor<8xf32>>) -> tensor<8xf32>
  %2 = "tts.load"(%arg1) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_mask_dims = array<i64>}> : (!tt.ptr<tensor<8xf32>>) -> tensor<8xf32>
  // CHECK: "tts.store"(%arg0, %0) <{static_mask_dims = array<i64>}> : (tensor<4x64x!tt.ptr<f32>>, tensor<4x64xf32>) -> ()
  "tts.store"(%arg0, %0) <{static_mask_dims = array<i64>}> : (tensor<4x64x!tt.ptr<f32>>, tensor<4x64xf32>) -> ()
  // CHECK: "tts.store"(%arg0, %1, %arg2) <{static_mask_dims = array<i64: -9223372036854775808, 7>}> : (tensor<4x64x!tt.ptr<f32>>, tensor<4x64xf32>, index) -> ()
  "tts.store"(%arg0, %1, %arg2) <{static_mask_dims = array<i64: -9223372036854775808, 7>}> : (tensor<4x64x!tt.ptr<f32>>, tensor<4x64xf32>, index) -> ()
  // CHECK: tt.return
  tt.return
}
// -----

// CHECK-LABEL: @gathers
tt.func @gathers(%arg0: !tt.ptr<f32>, %arg1: tensor<64xi32>, %arg2: i64, %arg3: tensor<64xi1>, %arg4: i1, %arg5: f32) {
  // CHECK: %0 = tts.gather %arg0[%arg1] : (<f32>, tensor<64xi32>) -> tensor<64xf32>
  %0 = tts.gather %arg0[%arg1] : (<f32>, tensor<64xi32>) -> tensor<64xf32>
  // CHECK: %1 = tts.gather %arg0[%arg1] mask = %arg3 default = %arg5 : (<f32>, tensor<64xi32>) -> tensor<64xf32>
  %1 = tts.gather %arg0[%arg1] mask = %arg3 default = %arg5 : (<f32>, tensor<64xi32>) -> tensor<64xf32>
  // CHECK: %2 = tts.gather %arg0[%arg2] mask = %arg4 : (<f32>, i64) -> f32
  %2 = tts.gather %arg0[%arg2] mask = %arg4 : (<f32>, i64) -> f32
  // CHECK: tts.scatter %0 into %arg0[%arg1] : tensor<64xf32> into (<f32>, tensor<64xi32>)
  tts.scatter %0 into %arg0[%arg1] : tensor<64xf32> into (<f32>, tensor<64xi32>)
  // CHECK: tts.scatter %0 into %arg0[%arg1] mask = %arg3 : tensor<64xf32> into (<f32>, tensor<64xi32>)
  tts.scatter %0 into %arg0[%arg1] mask = %arg3 : tensor<64xf32> into (<f32>, tensor<64xi32>)
  // CHECK: tts.scatter %arg5 into %arg0[%arg2] mask = %arg4 : f32 into (<f32>, i64)
  tts.scatter %arg5 into %arg0[%arg2] mask = %arg4 : f32 into (<f32>, i64)
  // CHECK: tt.return
  tt.return
}
// -----

// CHECK: #map = affine_map<(d0, d1)[s0, s1, s2] -> (((d0 + s0) mod s1) * s2 + d1)>
#map = affine_map<(d0, d1)[s0, s1, s2] -> (((d0 + s0) mod s1) * s2 + d1)>
// CHECK: #map1 = affine_map<(d0) -> (d0 floordiv 7)>
#map1 = affine_map<(d0) -> (d0 floordiv 7)>
// CHECK-LABEL: @affine
tt.func @affine(%arg0: !tt.ptr<f32>, %arg1: index, %arg2: index, %arg3: index, %arg4: tensor<16x64xi1>, %arg5: tensor<16x64xf32>) {
  // CHECK: %0 = tts.make_affine_tptr %arg0[%arg1, %arg2, %arg3] to sizes: [16, 64], map: #map : <f32> to tensor<16x64x!tt.ptr<f32>>
  %0 = tts.make_affine_tptr %arg0[%arg1, %arg2, %arg3] to sizes: [16, 64], map: #map : <f32> to tensor<16x64x!tt.ptr<f32>>
  // CHECK: %1 = tts.make_affine_tptr %arg0[] to sizes: [64], map: #map1 : <f32> to tensor<64x!tt.ptr<f32>>
  %1 = tts.make_affine_tptr %arg0[] to sizes: [64], map: #map1 : <f32> to tensor<64x!tt.ptr<f32>>
  // CHECK: %2 = tts.masked_load %0 from [] to [] : tensor<16x64x!tt.ptr<f32>> -> tensor<16x64xf32>
  %2 = tts.masked_load %0 from [] to [] : tensor<16x64x!tt.ptr<f32>> -> tensor<16x64xf32>
  // CHECK: %3 = tts.masked_load %0 from [0, %arg1] to [16, %arg2] mask = %arg4 default = %arg5 : tensor<16x64x!tt.ptr<f32>> -> tensor<16x64xf32>
  %3 = tts.masked_load %0 from [0, %arg1] to [16, %arg2] mask = %arg4 default = %arg5 : tensor<16x64x!tt.ptr<f32>> -> tensor<16x64xf32>
  // CHECK: %4 = tts.masked_load %0 from [0, %arg1] to [16, %arg2] nonempty default = %arg5 : tensor<16x64x!tt.ptr<f32>> -> tensor<16x64xf32>
  %4 = tts.masked_load %0 from [0, %arg1] to [16, %arg2] nonempty default = %arg5 : tensor<16x64x!tt.ptr<f32>> -> tensor<16x64xf32>
  // CHECK: tts.masked_store %0, %2 from [0, %arg1] to [%arg2, 64] nonempty mask = %arg4 : tensor<16x64x!tt.ptr<f32>>
  tts.masked_store %0, %2 from [0, %arg1] to [%arg2, 64] nonempty mask = %arg4 : tensor<16x64x!tt.ptr<f32>>
  // CHECK: tts.masked_store %0, %2 from [1, 0] to [%arg2, 64] : tensor<16x64x!tt.ptr<f32>>
  tts.masked_store %0, %2 from [1, 0] to [%arg2, 64] : tensor<16x64x!tt.ptr<f32>>
  // CHECK: tts.masked_store %0, %3 from [] to [] mask = %arg4 : tensor<16x64x!tt.ptr<f32>>
  tts.masked_store %0, %3 from [] to [] mask = %arg4 : tensor<16x64x!tt.ptr<f32>>
  // CHECK: tt.return
  tt.return
}
// -----

// CHECK-LABEL: @atomics
tt.func @atomics(%arg0: !tt.ptr<i32>, %arg1: tensor<64x!tt.ptr<i32>>, %arg2: tensor<64xi32>, %arg3: tensor<64xi32>, %arg4: tensor<64xi1>, %arg5: index, %arg6: i32) {
  // CHECK: %0 = tts.atomic_rmw add, acq_rel, gpu, %arg1, %arg2 from [] to [] : tensor<64x!tt.ptr<i32>> -> tensor<64xi32>
  %0 = tts.atomic_rmw add, acq_rel, gpu, %arg1, %arg2 from [] to [] : tensor<64x!tt.ptr<i32>> -> tensor<64xi32>
  // CHECK: %1 = tts.atomic_rmw umax, relaxed, cta, %arg1, %arg2 from [0] to [%arg5] mask = %arg4 : tensor<64x!tt.ptr<i32>> -> tensor<64xi32>
  %1 = tts.atomic_rmw umax, relaxed, cta, %arg1, %arg2 from [0] to [%arg5] mask = %arg4 : tensor<64x!tt.ptr<i32>> -> tensor<64xi32>
  // CHECK: %2 = tts.atomic_cas acquire, sys, %arg1, %arg2, %1 : tensor<64x!tt.ptr<i32>> -> tensor<64xi32>
  %2 = tts.atomic_cas acquire, sys, %arg1, %arg2, %1 : tensor<64x!tt.ptr<i32>> -> tensor<64xi32>
  // CHECK: %3 = tts.unstructured_atomic_rmw exch, acq_rel, gpu, %arg0[%arg3], %arg2 : (<i32>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
  %3 = tts.unstructured_atomic_rmw exch, acq_rel, gpu, %arg0[%arg3], %arg2 : (<i32>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
  // CHECK: %4 = tts.unstructured_atomic_rmw xor, acq_rel, gpu, %arg0[%arg3], %arg2(mask = %arg4) : (<i32>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
  %4 = tts.unstructured_atomic_rmw xor, acq_rel, gpu, %arg0[%arg3], %arg2(mask = %arg4) : (<i32>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
  // CHECK: %5 = tts.unstructured_atomic_cas acq_rel, gpu, %arg0[%arg6], %arg6, %arg6 : (<i32>, i32, i32) -> i32
  %5 = tts.unstructured_atomic_cas acq_rel, gpu, %arg0[%arg6], %arg6, %arg6 : (<i32>, i32, i32) -> i32
  // CHECK: tt.return
  tt.return
}
