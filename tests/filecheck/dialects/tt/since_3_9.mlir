// Triton 3.9: cache hints in one attribute, atomic loads and stores, grid dependencies.
// RUN: XTRITON_ROUNDTRIP

// CHECK-LABEL: @cache_policies
tt.func @cache_policies(%arg0: !tt.ptr<f32>, %arg1: !tt.tensordesc<64x32xf16>, %arg2: i32) {
  // CHECK: %0 = tt.load %arg0 {cachePolicy = #tt.cache_policy<cache_modifier = ca, eviction_policy = evict_first>} : !tt.ptr<f32>
  %0 = tt.load %arg0 {cachePolicy = #tt.cache_policy<cache_modifier = ca, eviction_policy = evict_first>} : !tt.ptr<f32>
  // CHECK: %1 = tt.load %arg0 {cachePolicy = #tt.cache_policy<cache_modifier = none, eviction_policy = evict_normal>} : !tt.ptr<f32>
  %1 = tt.load %arg0 {cachePolicy = #tt.cache_policy<cache_modifier = none, eviction_policy = evict_normal>} : !tt.ptr<f32>
  // CHECK: tt.store %arg0, %0 {cachePolicy = #tt.cache_policy<cache_modifier = cs, eviction_policy = evict_normal>} : !tt.ptr<f32>
  tt.store %arg0, %0 {cachePolicy = #tt.cache_policy<cache_modifier = cs, eviction_policy = evict_normal>} : !tt.ptr<f32>
  // CHECK: %2 = tt.descriptor_load %arg1[%arg2, %arg2] {cachePolicy = #tt.cache_policy<cache_modifier = none, eviction_policy = evict_last>} : !tt.tensordesc<64x32xf16> -> tensor<64x32xf16>
  %2 = tt.descriptor_load %arg1[%arg2, %arg2] {cachePolicy = #tt.cache_policy<cache_modifier = none, eviction_policy = evict_last>} : !tt.tensordesc<64x32xf16> -> tensor<64x32xf16>
  // CHECK: tt.return
  tt.return
}
// -----

// CHECK-LABEL: @new_ops
tt.func @new_ops(%arg0: !tt.ptr<i32>, %arg1: i32, %arg2: i64, %arg3: tensor<8x!tt.ptr<f32>>, %arg4: tensor<8xi1>, %arg5: tensor<8xf32>) {
  // CHECK: tt.grid_dependency_wait
  tt.grid_dependency_wait
  // CHECK: %0 = tt.atomic_poll acquire, sys, %arg0, %arg1 timeout %arg2 : !tt.ptr<i32>, i32 -> i1
  %0 = tt.atomic_poll acquire, sys, %arg0, %arg1 timeout %arg2 : !tt.ptr<i32>, i32 -> i1
  // CHECK: %1 = tt.atomic_poll relaxed, cta, %arg0, %arg1 : !tt.ptr<i32>, i32 -> i1
  %1 = tt.atomic_poll relaxed, cta, %arg0, %arg1 : !tt.ptr<i32>, i32 -> i1
  // CHECK: %2 = tt.atomic_load acquire, gpu, %arg0 : (!tt.ptr<i32>) -> i32
  %2 = tt.atomic_load acquire, gpu, %arg0 : (!tt.ptr<i32>) -> i32
  // CHECK: %3 = tt.atomic_load relaxed, gpu, %arg3, %arg4 : (tensor<8x!tt.ptr<f32>>, tensor<8xi1>) -> tensor<8xf32>
  %3 = tt.atomic_load relaxed, gpu, %arg3, %arg4 : (tensor<8x!tt.ptr<f32>>, tensor<8xi1>) -> tensor<8xf32>
  // CHECK: tt.atomic_store release, gpu, %arg0, %arg1 : !tt.ptr<i32>
  tt.atomic_store release, gpu, %arg0, %arg1 : !tt.ptr<i32>
  // CHECK: tt.atomic_store relaxed, sys, %arg3, %arg5, %arg4 : tensor<8x!tt.ptr<f32>>
  tt.atomic_store relaxed, sys, %arg3, %arg5, %arg4 : tensor<8x!tt.ptr<f32>>
  // CHECK: %4 = tt.approx_divf %arg5, %arg5 : tensor<8xf32>
  %4 = tt.approx_divf %arg5, %arg5 : tensor<8xf32>
  // CHECK: tt.grid_dependency_launch_dependents
  tt.grid_dependency_launch_dependents
  // CHECK: tt.return
  tt.return
}
// -----

// CHECK-LABEL: @address_spaces
tt.func @address_spaces(%arg0: !tt.ptr<f32, "constant">, %arg1: !tt.ptr<f32, "descriptor">, %arg2: i64) {
  // CHECK: %0 = tt.addptr %arg0, %arg2 : !tt.ptr<f32, "constant">, i64
  %0 = tt.addptr %arg0, %arg2 : !tt.ptr<f32, "constant">, i64
  // CHECK: %1 = tt.addptr %arg1, %arg2 : !tt.ptr<f32, "descriptor">, i64
  %1 = tt.addptr %arg1, %arg2 : !tt.ptr<f32, "descriptor">, i64
  // CHECK: tt.return
  tt.return
}
