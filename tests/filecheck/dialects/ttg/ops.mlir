// Every op, in the syntax of Triton 3.9.
// RUN: XTRITON_ROUNDTRIP

// CHECK: #blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK: #blocked1 = #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [4, 8], warpsPerCTA = [2, 2], order = [0, 1]}>
// CHECK: #shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
// CHECK: #shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>
// CHECK: #smem = #ttg.shared_memory
// CHECK: module attributes {"ttg.num-warps" = 4 : i32} {
  // CHECK-LABEL: tt.func @async_copy
    // CHECK: %0 = ttg.async_copy_global_to_local %arg0, %arg1 mask %arg2 other %arg3 {isVolatile = true} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    // CHECK: %1 = ttg.async_copy_global_to_local %arg0, %arg1 {cachePolicy = #tt.cache_policy<cache_modifier = ca, eviction_policy = evict_first>, contiguity = 4 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    // CHECK: %2 = ttg.async_commit_group
    // CHECK: %3 = ttg.async_commit_group tokens %0, %1
    // CHECK: %4 = ttg.async_wait {num = 2 : i32}
    // CHECK: %5 = ttg.async_wait %3 {num = 0 : i32}
    // CHECK: %6 = ttg.local_load %arg1 token %5 : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #blocked>
    // CHECK: tt.return
  // CHECK-LABEL: tt.func @memory
    // CHECK: %0 = ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
    // CHECK: %1 = ttg.local_alloc %arg0 {alignment = 16 : i32} : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    // CHECK: %2 = ttg.local_load %1 : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #blocked>
    // CHECK: ttg.local_store %arg1, %arg3 : tensor<64x64xi32, #blocked> -> !ttg.memdesc<64x64xi32, #shared, #smem, mutable>
    // CHECK: %3 = ttg.local_gather %arg3[%arg1] {axis = 0 : i32} : !ttg.memdesc<64x64xi32, #shared, #smem, mutable>, tensor<64x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    // CHECK: ttg.local_scatter %arg3[%arg1], %3 {axis = 1 : i32} : !ttg.memdesc<64x64xi32, #shared, #smem, mutable>, tensor<64x64xi32, #blocked>, tensor<64x64xi32, #blocked>
    // CHECK: %4 = ttg.local_atomic_scatter_rmw add, %arg3[%arg1], %3 {axis = 0 : i32} : (!ttg.memdesc<64x64xi32, #shared, #smem, mutable>, tensor<64x64xi32, #blocked>, tensor<64x64xi32, #blocked>) -> tensor<64x64xi32, #blocked>
    // CHECK: %5 = ttg.local_atomic_scatter_rmw max, %arg3[%arg1], %3, %arg2 {axis = 0 : i32} : (!ttg.memdesc<64x64xi32, #shared, #smem, mutable>, tensor<64x64xi32, #blocked>, tensor<64x64xi32, #blocked>, tensor<64x64xi1, #blocked>) -> tensor<64x64xi32, #blocked>
    // CHECK: ttg.local_dealloc %1 : !ttg.memdesc<64x64xf16, #shared, #smem>
    // CHECK: tt.return
  // CHECK-LABEL: tt.func @views
    // CHECK: %0 = ttg.memdesc_index %arg0[%arg1] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    // CHECK: %1 = ttg.memdesc_subslice %0[32, 0] : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable, 64x64>
    // CHECK: %2 = ttg.memdesc_trans %0 {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>
    // CHECK: %3 = ttg.memdesc_reshape %0 : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    // CHECK: %4 = ttg.memdesc_reinterpret %0 : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xi32, #shared, #smem, mutable>
    // CHECK: tt.return
  // CHECK-LABEL: tt.func @others
    // CHECK: %0 = ttg.convert_layout %arg0 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
    // CHECK: %1 = ttg.global_scratch_alloc {alignment = 16 : i32, nbytes = 128 : i32, third_party_allocation} : !tt.ptr<i8>
    // CHECK: %2 = ttg.warp_id {omitUniformHint}
    // CHECK: %3 = ttg.predicate_stage %arg2, %arg2, %arg2 maxStage 3 stage 1 : i32 -> i1
    // CHECK: %4 = "ttg.mask"(%arg1) ({
      // CHECK: ttg.mask.return %arg2 : i32
    // CHECK: }) : (i1) -> i32
    // CHECK: ttg.barrier local|global_read
    // CHECK: ttg.barrier none
    // CHECK: ttg.barrier all
    // CHECK: %5 = ttg.inline_asm "mov.u32 $0, $1;" {constraints = "=r,r", pure = true} %arg2 : (i32) -> i32
    // CHECK: tt.return
  // CHECK-LABEL: tt.func @warp_specialize
    // CHECK: %0 = ttg.warp_specialize(%arg0, %arg1) attributes {requestedRegisters = array<i32: 24, 32>, warpGroupStartIds = array<i32: 4, 8>}
      // CHECK: ttg.warp_yield %arg0 : i32
    // CHECK: partition0(%arg2: i32, %arg3: !tt.ptr<f32>) num_warps(4) {
      // CHECK: %1 = arith.addi %arg2, %arg2 : i32
      // CHECK: ttg.warp_return
    // CHECK: partition1(%arg2: i32, %arg3: !tt.ptr<f32>) num_warps(1) {
      // CHECK: ttg.warp_return
    // CHECK: } : (i32, !tt.ptr<f32>) -> i32
    // CHECK: tt.return %0 : i32
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [4, 8], warpsPerCTA = [2, 2], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @async_copy(%arg0: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg1: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %arg2: tensor<64x64xi1, #blocked>, %arg3: tensor<64x64xf16, #blocked>) {
    %0 = ttg.async_copy_global_to_local %arg0, %arg1 mask %arg2 other %arg3 {isVolatile = true} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    %1 = ttg.async_copy_global_to_local %arg0, %arg1 {cachePolicy = #tt.cache_policy<cache_modifier = ca, eviction_policy = evict_first>, contiguity = 4 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    %2 = ttg.async_commit_group
    %3 = ttg.async_commit_group tokens %0, %1
    %4 = ttg.async_wait {num = 2 : i32}
    %5 = ttg.async_wait %3 {num = 0 : i32}
    %6 = ttg.local_load %arg1 token %5 : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #blocked>
    tt.return
  }
  tt.func @memory(%arg0: tensor<64x64xf16, #blocked>, %arg1: tensor<64x64xi32, #blocked>, %arg2: tensor<64x64xi1, #blocked>, %arg3: !ttg.memdesc<64x64xi32, #shared, #smem, mutable>) {
    %0 = ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
    %1 = ttg.local_alloc %arg0 {alignment = 16 : i32} : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %2 = ttg.local_load %1 : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #blocked>
    ttg.local_store %arg1, %arg3 : tensor<64x64xi32, #blocked> -> !ttg.memdesc<64x64xi32, #shared, #smem, mutable>
    %3 = ttg.local_gather %arg3[%arg1] {axis = 0 : i32} : !ttg.memdesc<64x64xi32, #shared, #smem, mutable>, tensor<64x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    ttg.local_scatter %arg3[%arg1], %3 {axis = 1 : i32} : !ttg.memdesc<64x64xi32, #shared, #smem, mutable>, tensor<64x64xi32, #blocked>, tensor<64x64xi32, #blocked>
    %4 = ttg.local_atomic_scatter_rmw add, %arg3[%arg1], %3 {axis = 0 : i32} : (!ttg.memdesc<64x64xi32, #shared, #smem, mutable>, tensor<64x64xi32, #blocked>, tensor<64x64xi32, #blocked>) -> tensor<64x64xi32, #blocked>
    %5 = ttg.local_atomic_scatter_rmw max, %arg3[%arg1], %3, %arg2 {axis = 0 : i32} : (!ttg.memdesc<64x64xi32, #shared, #smem, mutable>, tensor<64x64xi32, #blocked>, tensor<64x64xi32, #blocked>, tensor<64x64xi1, #blocked>) -> tensor<64x64xi32, #blocked>
    ttg.local_dealloc %1 : !ttg.memdesc<64x64xf16, #shared, #smem>
    tt.return
  }
  tt.func @views(%arg0: !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, %arg1: i32) {
    %0 = ttg.memdesc_index %arg0[%arg1] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %1 = ttg.memdesc_subslice %0[32, 0] : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable, 64x64>
    %2 = ttg.memdesc_trans %0 {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>
    %3 = ttg.memdesc_reshape %0 : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %4 = ttg.memdesc_reinterpret %0 : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xi32, #shared, #smem, mutable>
    tt.return
  }
  tt.func @others(%arg0: tensor<64x64xf16, #blocked>, %arg1: i1, %arg2: i32) {
    %0 = ttg.convert_layout %arg0 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
    %1 = ttg.global_scratch_alloc {alignment = 16 : i32, nbytes = 128 : i32, third_party_allocation} : !tt.ptr<i8>
    %2 = ttg.warp_id {omitUniformHint}
    %3 = ttg.predicate_stage %arg2, %arg2, %arg2 maxStage 3 stage 1 : i32 -> i1
    %4 = "ttg.mask"(%arg1) ({
      ttg.mask.return %arg2 : i32
    }) : (i1) -> i32
    ttg.barrier local|global_read
    ttg.barrier none
    ttg.barrier all
    %5 = ttg.inline_asm "mov.u32 $0, $1;" {constraints = "=r,r", pure = true} %arg2 : (i32) -> i32
    tt.return
  }
  tt.func @warp_specialize(%arg0: i32, %arg1: !tt.ptr<f32>) -> i32 {
    %0 = ttg.warp_specialize(%arg0, %arg1) attributes {requestedRegisters = array<i32: 24, 32>, warpGroupStartIds = array<i32: 4, 8>}
    default {
      ttg.warp_yield %arg0 : i32
    }
    partition0(%arg2: i32, %arg3: !tt.ptr<f32>) num_warps(4) {
      %1 = arith.addi %arg2, %arg2 : i32
      ttg.warp_return
    }
    partition1(%arg2: i32, %arg3: !tt.ptr<f32>) num_warps(1) {
      ttg.warp_return
    } : (i32, !tt.ptr<f32>) -> i32
    tt.return %0 : i32
  }
}
