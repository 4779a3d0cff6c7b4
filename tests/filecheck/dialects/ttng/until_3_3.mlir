// Queues, named barriers and registers of the first warp specialization (Triton 3.2, 3.3).
// RUN: XTRITON_ROUNDTRIP
#shared = #triton_gpu.shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], hasLeadingOffset = false}>

  // CHECK-LABEL: tt.func @queue(%arg0: i32, %arg1: !tt.memdesc<1xi64, #shared, #smem, mutable>, %arg2: i1) {
    // CHECK: %0 = triton_nvidia_gpu.create_token {num = 3 : i32} : tensor<3x!triton_nvidia_gpu.token>
    // CHECK: triton_nvidia_gpu.producer_acquire %0, %arg0 : tensor<3x!triton_nvidia_gpu.token>, i32
    // CHECK: triton_nvidia_gpu.producer_commit %0, %arg0 : tensor<3x!triton_nvidia_gpu.token>, i32
    // CHECK: triton_nvidia_gpu.consumer_wait %0, %arg0 : tensor<3x!triton_nvidia_gpu.token>, i32
    // CHECK: triton_nvidia_gpu.consumer_release %0, %arg0 : tensor<3x!triton_nvidia_gpu.token>, i32
    // CHECK: triton_nvidia_gpu.bar_arrive %arg0, %arg0 : i32, i32
    // CHECK: triton_nvidia_gpu.bar_wait %arg0, %arg0 : i32, i32
    // CHECK: triton_nvidia_gpu.mbarrier_arrive %arg1, %arg2 {operandSegmentSizes = array<i32: 1, 1, 0>, trackAsyncOp = false} : !tt.memdesc<1xi64, #shared, #smem, mutable>, i1
    // CHECK: triton_nvidia_gpu.mbarrier_arrive %arg1, %arg0 {operandSegmentSizes = array<i32: 1, 0, 1>, trackAsyncOp = true, txCount = 4 : i32} : !tt.memdesc<1xi64, #shared, #smem, mutable>, i32
    // CHECK: %1 = triton_nvidia_gpu.get_async_task_id : i32
    // CHECK: %2 = triton_nvidia_gpu.get_canonical_warp_id : i32
    // CHECK: triton_nvidia_gpu.reg_alloc 240
    // CHECK: triton_nvidia_gpu.reg_dealloc 40
tt.func @queue(%i: i32, %p: !tt.memdesc<1xi64, #shared, #triton_gpu.shared_memory, mutable>, %c: i1) {
  %t = triton_nvidia_gpu.create_token {num = 3 : i32} : tensor<3x!triton_nvidia_gpu.token>
  triton_nvidia_gpu.producer_acquire %t, %i : tensor<3x!triton_nvidia_gpu.token>, i32
  triton_nvidia_gpu.producer_commit %t, %i : tensor<3x!triton_nvidia_gpu.token>, i32
  triton_nvidia_gpu.consumer_wait %t, %i : tensor<3x!triton_nvidia_gpu.token>, i32
  triton_nvidia_gpu.consumer_release %t, %i : tensor<3x!triton_nvidia_gpu.token>, i32
  triton_nvidia_gpu.bar_arrive %i, %i : i32, i32
  triton_nvidia_gpu.bar_wait %i, %i : i32, i32
  triton_nvidia_gpu.mbarrier_arrive %p, %c {operandSegmentSizes = array<i32: 1, 1, 0>, trackAsyncOp = false} : !tt.memdesc<1xi64, #shared, #triton_gpu.shared_memory, mutable>, i1
  triton_nvidia_gpu.mbarrier_arrive %p, %i {operandSegmentSizes = array<i32: 1, 0, 1>, trackAsyncOp = true, txCount = 4 : i32} : !tt.memdesc<1xi64, #shared, #triton_gpu.shared_memory, mutable>, i32
  %0 = triton_nvidia_gpu.get_async_task_id : i32
  %1 = triton_nvidia_gpu.get_canonical_warp_id : i32
  triton_nvidia_gpu.reg_alloc 240
  triton_nvidia_gpu.reg_dealloc 40
  tt.return
}
