// Barriers, TMA and tensor memory, in the syntax of Triton 3.9.
// RUN: XTRITON_ROUNDTRIP

// CHECK: #blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [1, 0]}>
// CHECK: #blocked1 = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
// CHECK: #shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
// CHECK: #shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK: #smem = #ttg.shared_memory
// CHECK: #tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
// CHECK: module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  // CHECK-LABEL: tt.func @barriers
    // CHECK: ttng.init_barrier %arg0, 1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    // CHECK: ttng.barrier_expect %arg0, 128, %arg3 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    // CHECK: ttng.wait_barrier %arg0, %arg2 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    // CHECK: ttng.wait_barrier %arg0, %arg2, %arg3 deps %arg1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>, !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>
    // CHECK: ttng.arrive_barrier %arg0, 2, %arg3 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    // CHECK: ttng.async_copy_mbarrier_arrive %arg0 {noIncrement} : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    // CHECK: ttng.fence_async_shared {bCluster = false}
    // CHECK: ttng.inval_barrier %arg0 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    // CHECK: tt.return
  // CHECK-LABEL: tt.func @tma
    // CHECK: ttng.async_tma_copy_global_to_local %arg0[%arg4, %arg4] %arg2, %arg3, %arg6 : !tt.tensordesc<128x64xf16, #shared1>, !ttg.memdesc<1xi64, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>
    // CHECK: ttng.async_tma_copy_local_to_global %arg0[%arg4, %arg4] %arg2 : !tt.tensordesc<128x64xf16, #shared1>, !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>
    // CHECK: ttng.async_tma_reduce add, %arg0[%arg4, %arg4] %arg2 : !tt.tensordesc<128x64xf16, #shared1>, !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>
    // CHECK: ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    // CHECK: %0 = ttng.reinterpret_tensor_descriptor %arg7 : !tt.ptr<i8> to !tt.tensordesc<128x64xf16, #shared1>
    // CHECK: ttng.tensormap_create %arg7, %arg7, [%arg4, %arg4], [%arg4, %arg4], [%arg5], [%arg4, %arg4] {elem_type = 3 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 2 : i32} : (!tt.ptr<i8>, !tt.ptr<i8>, i32, i32, i32, i32, i64, i32, i32) -> ()
    // CHECK: ttng.tensormap_fenceproxy_acquire %arg7 : !tt.ptr<i8>
    // CHECK: tt.return
  // CHECK-LABEL: tt.func @mma
    // CHECK: ttng.tc_gen5_mma %arg0, %arg1, %arg2, %arg4, %arg5 : !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    // CHECK: %0 = ttng.tc_gen5_mma %arg0, %arg1, %arg2[], %arg4, %arg5, %arg3[%arg5] {is_async} : !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared, #smem, mutable>
    // CHECK: %1 = ttng.tc_gen5_mma %arg0, %arg1, %arg2[%0], %arg4, %arg5 : !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    // CHECK: ttng.tc_gen5_commit %arg3, %arg5 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    // CHECK: tt.return
  // CHECK-LABEL: tt.func @tmem
    // CHECK: %result, %token = ttng.tmem_alloc : () -> (!ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    // CHECK: %result_0 = ttng.tmem_alloc %arg0 : (tensor<128x64xf32, #blocked1>) -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    // CHECK: %0 = ttng.tmem_store %arg0, %result[%token], %arg1 : tensor<128x64xf32, #blocked1> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    // CHECK: ttng.tmem_store %arg0, %result, %arg1 : tensor<128x64xf32, #blocked1> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    // CHECK: %result_1, %token_2 = ttng.tmem_load %result[%0] : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #blocked1>
    // CHECK: %result_3, %red = ttng.tmem_load %result {abs = true, redOp = #ttng.redOp<min>} : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #blocked1>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    // CHECK: %1 = ttng.tmem_subslice %result {offset = 32 : i32} : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable, 128x64>
    // CHECK: ttng.tmem_wait load
    // CHECK: ttng.tmem_wait store
    // CHECK: tt.return
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @barriers(%arg0: !ttg.memdesc<1xi64, #shared, #smem, mutable>, %arg1: !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>, %arg2: i32, %arg3: i1) {
    ttng.init_barrier %arg0, 1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.barrier_expect %arg0, 128, %arg3 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.wait_barrier %arg0, %arg2 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.wait_barrier %arg0, %arg2, %arg3 deps %arg1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>, !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>
    ttng.arrive_barrier %arg0, 2, %arg3 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.async_copy_mbarrier_arrive %arg0 {noIncrement} : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.fence_async_shared {bCluster = false}
    ttng.inval_barrier %arg0 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    tt.return
  }
  tt.func @tma(%arg0: !tt.tensordesc<128x64xf16, #shared1>, %arg1: !tt.tensordesc<1x64xf16, #shared1>, %arg2: !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>, %arg3: !ttg.memdesc<1xi64, #shared, #smem, mutable>, %arg4: i32, %arg5: i64, %arg6: i1, %arg7: !tt.ptr<i8>, %arg8: tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>>) {
    ttng.async_tma_copy_global_to_local %arg0[%arg4, %arg4] %arg2, %arg3, %arg6 : !tt.tensordesc<128x64xf16, #shared1>, !ttg.memdesc<1xi64, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>
    ttng.async_tma_copy_local_to_global %arg0[%arg4, %arg4] %arg2 : !tt.tensordesc<128x64xf16, #shared1>, !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>
    ttng.async_tma_reduce add, %arg0[%arg4, %arg4] %arg2 : !tt.tensordesc<128x64xf16, #shared1>, !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>
    ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    %0 = ttng.reinterpret_tensor_descriptor %arg7 : !tt.ptr<i8> to !tt.tensordesc<128x64xf16, #shared1>
    ttng.tensormap_create %arg7, %arg7, [%arg4, %arg4], [%arg4, %arg4], [%arg5], [%arg4, %arg4] {elem_type = 3 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 2 : i32} : (!tt.ptr<i8>, !tt.ptr<i8>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_fenceproxy_acquire %arg7 : !tt.ptr<i8>
    tt.return
  }
  tt.func @mma(%arg0: !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>, %arg1: !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>, %arg2: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %arg3: !ttg.memdesc<1xi64, #shared, #smem, mutable>, %arg4: i1, %arg5: i1) {
    ttng.tc_gen5_mma %arg0, %arg1, %arg2, %arg4, %arg5 : !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    %0 = ttng.tc_gen5_mma %arg0, %arg1, %arg2[], %arg4, %arg5, %arg3[%arg5] {is_async} : !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared, #smem, mutable>
    %1 = ttng.tc_gen5_mma %arg0, %arg1, %arg2[%0], %arg4, %arg5 : !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    ttng.tc_gen5_commit %arg3, %arg5 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    tt.return
  }
  tt.func @tmem(%arg0: tensor<128x64xf32, #blocked1>, %arg1: i1) {
    %result, %token = ttng.tmem_alloc : () -> (!ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %result_0 = ttng.tmem_alloc %arg0 : (tensor<128x64xf32, #blocked1>) -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    %0 = ttng.tmem_store %arg0, %result[%token], %arg1 : tensor<128x64xf32, #blocked1> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    ttng.tmem_store %arg0, %result, %arg1 : tensor<128x64xf32, #blocked1> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    %result_1, %token_2 = ttng.tmem_load %result[%0] : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #blocked1>
    %result_3, %red = ttng.tmem_load %result {abs = true, redOp = #ttng.redOp<min>} : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #blocked1>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %1 = ttng.tmem_subslice %result {offset = 32 : i32} : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable, 128x64>
    ttng.tmem_wait load
    ttng.tmem_wait store
    tt.return
  }
}
