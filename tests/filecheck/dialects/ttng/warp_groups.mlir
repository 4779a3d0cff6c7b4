// Warp groups and clusters, in the syntax of Triton 3.9.
// RUN: XTRITON_ROUNDTRIP

// CHECK: #mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
// CHECK: #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK: #shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
// CHECK: #smem = #ttg.shared_memory
// CHECK: module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: tt.func @warp_group
    // CHECK: %0 = ttng.warp_group_dot %arg0, %arg1, %arg2, %arg3 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<128x64xf32, #mma>
    // CHECK: %1 = ttng.warp_group_dot %arg0, %arg1, %arg2 {maxNumImpreciseAcc = 32 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<128x64xf32, #mma>
    // CHECK: %2:2 = ttng.warp_group_dot_wait %0, %arg0 {pendings = 0 : i32} : tensor<128x64xf32, #mma>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    // CHECK: tt.return
  // CHECK-LABEL: tt.func @launch
    // CHECK: ttng.clc_try_cancel %arg0, %arg1 : !ttg.memdesc<2xi64, #shared1, #smem, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    // CHECK: %0 = ttng.clc_load_result %arg0 : !ttg.memdesc<2xi64, #shared1, #smem, mutable> -> i128
    // CHECK: %1 = ttng.clc_is_canceled %0 : i128 -> i1
    // CHECK: %2 = ttng.clc_get_program_id %0, x : i128 -> i32
    // CHECK: tt.return
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func @warp_group(%arg0: !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, %arg1: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %arg2: tensor<128x64xf32, #mma>, %arg3: i1) {
    %0 = ttng.warp_group_dot %arg0, %arg1, %arg2, %arg3 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<128x64xf32, #mma>
    %1 = ttng.warp_group_dot %arg0, %arg1, %arg2 {maxNumImpreciseAcc = 32 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<128x64xf32, #mma>
    %2:2 = ttng.warp_group_dot_wait %0, %arg0 {pendings = 0 : i32} : tensor<128x64xf32, #mma>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    tt.return
  }
  tt.func @launch(%arg0: !ttg.memdesc<2xi64, #shared1, #smem, mutable>, %arg1: !ttg.memdesc<1xi64, #shared1, #smem, mutable>) {
    ttng.clc_try_cancel %arg0, %arg1 : !ttg.memdesc<2xi64, #shared1, #smem, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %0 = ttng.clc_load_result %arg0 : !ttg.memdesc<2xi64, #shared1, #smem, mutable> -> i128
    %1 = ttng.clc_is_canceled %0 : i128 -> i1
    %2 = ttng.clc_get_program_id %0, x : i128 -> i32
    tt.return
  }
}

// -----

// CHECK: module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  // CHECK-LABEL: tt.func @clusters
    // CHECK: ttng.cluster_barrier {relaxed = true}
    // CHECK: ttng.fence_mbarrier_init_release_cluster
    // CHECK: tt.return
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @clusters() {
    ttng.cluster_barrier {relaxed = true}
    ttng.fence_mbarrier_init_release_cluster
    tt.return
  }
}

// -----

// CHECK: module attributes {ttg.x = #ttng.cache_policy<l1 = evict_last, l2_primary = evict_last, l2_secondary = evict_first, l2_fraction = 5.000000e-01 : f32>, ttg.y = #ttng.cache_policy<>} {
module attributes {ttg.x = #ttng.cache_policy<l1 = evict_last, l2_primary = evict_last, l2_secondary = evict_first, l2_fraction = 5.000000e-01 : f32>, ttg.y = #ttng.cache_policy<>} {
}
