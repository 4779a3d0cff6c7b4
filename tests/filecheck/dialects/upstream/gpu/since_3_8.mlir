// What gpu has since Triton 3.8, and how ids are spaced there, in the text of Triton 3.8.0.
//
// RUN: xtriton-opt %s --triton-version=3.8 | filecheck %s --match-full-lines --strict-whitespace
// RUN: xtriton-opt %s --mlir-print-op-generic | xtriton-opt --triton-version=3.8 | filecheck %s --match-full-lines --strict-whitespace

func.func @since_3_8(%arg0: i32, %arg1: f32, %arg2: i1) {
  gpu.barrier scope <cluster>
  gpu.barrier scope <subgroup> memfence [#gpu.address_space<workgroup>]
  gpu.barrier memfence [#gpu.address_space<workgroup>, #gpu.address_space<global>]
  gpu.barrier memfence []
  gpu.barrier
  %thread_id_x = gpu.thread_id x
  %block_id_y = gpu.block_id y upper_bound 64
  %0 = gpu.ballot %arg2 : i32
  %shuffleResult, %valid = gpu.shuffle xor %arg1, %arg0, %arg0 : f32
  %1 = gpu.subgroup_reduce add %arg1 : (f32) -> f32
  %2 = gpu.subgroup_broadcast %arg1, specific_lane %arg0 : f32
  %3 = gpu.all_reduce add %arg1 uniform {
  } : (f32) -> f32
  %4 = gpu.all_reduce  %arg1 {
  ^bb0(%arg3: f32, %arg4: f32):
    gpu.yield %arg3 : f32
  } : (f32) -> f32
  return
}

// CHECK:  func.func @since_3_8(%arg0: i32, %arg1: f32, %arg2: i1) {
// CHECK-NEXT:    gpu.barrier scope <cluster>
// CHECK-NEXT:    gpu.barrier scope <subgroup> memfence [#gpu.address_space<workgroup>]
// CHECK-NEXT:    gpu.barrier memfence [#gpu.address_space<workgroup>, #gpu.address_space<global>]
// CHECK-NEXT:    gpu.barrier memfence []
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    %thread_id_x = gpu.thread_id x
// CHECK-NEXT:    %block_id_y = gpu.block_id y upper_bound 64
// CHECK-NEXT:    %0 = gpu.ballot %arg2 : i32
// CHECK-NEXT:    %shuffleResult, %valid = gpu.shuffle xor %arg1, %arg0, %arg0 : f32
// CHECK-NEXT:    %1 = gpu.subgroup_reduce add %arg1 : (f32) -> f32
// CHECK-NEXT:    %2 = gpu.subgroup_broadcast %arg1, specific_lane %arg0 : f32
// CHECK-NEXT:    %3 = gpu.all_reduce add %arg1 uniform {
// CHECK-NEXT:    } : (f32) -> f32
// CHECK-NEXT:    %4 = gpu.all_reduce  %arg1 {
// CHECK-NEXT:    ^bb0(%arg3: f32, %arg4: f32):
// CHECK-NEXT:      gpu.yield %arg3 : f32
// CHECK-NEXT:    } : (f32) -> f32
// CHECK-NEXT:    return
