// What a work item does in gpu: written and read as MLIR 22 does, byte for byte.
//
// RUN: xtriton-opt %s --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace
// RUN: xtriton-opt %s --triton-version=3.7 --mlir-print-op-generic | filecheck %s --match-full-lines --strict-whitespace --check-prefix=GENERIC
// RUN: xtriton-opt %s --mlir-print-op-generic | xtriton-opt --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace

module {
  func.func @f(%arg0: f32, %arg1: i32, %arg2: memref<?xf32>, %arg3: index, %arg4: memref<*xf32>, %arg5: memref<4xf32, #gpu.address_space<workgroup>>) {
    gpu.barrier {a}
    %thread_id_x = gpu.thread_id  x {a}
    %thread_id_y = gpu.thread_id  y upper_bound 64
    %block_id_z = gpu.block_id  z
    %block_dim_x = gpu.block_dim  x
    %grid_dim_x = gpu.grid_dim  x
    %global_id_x = gpu.global_id  x
    %cluster_id_x = gpu.cluster_id  x
    %cluster_dim_x = gpu.cluster_dim  x
    %cluster_dim_blocks_x = gpu.cluster_dim_blocks  x
    %cluster_block_id_x = gpu.cluster_block_id  x
    %0 = gpu.lane_id upper_bound 32
    %1 = gpu.subgroup_id : index
    %2 = gpu.num_subgroups upper_bound 8 : index
    %3 = gpu.subgroup_size {a} : index
    %shuffleResult, %valid = gpu.shuffle  xor %arg0, %arg1, %arg1 : f32
    %shuffleResult_0, %valid_1 = gpu.shuffle  down %arg0, %arg1, %arg1 {z} : f32
    gpu.printf "x %d", %arg1 : i32
    gpu.printf "x" {foo}
    %4 = gpu.subgroup_reduce  add %arg0 : (f32) -> f32
    %5 = gpu.subgroup_reduce  mul %arg0 uniform cluster(size = 4, stride = 2) {a} : (f32) -> f32
    %6 = gpu.subgroup_reduce  mul %arg0 cluster(size = 4) : (f32) -> f32
    %rotateResult, %valid_2 = gpu.rotate %arg0, 1, 16 : f32
    %7 = gpu.subgroup_broadcast %arg0,  first_active_lane : f32
    %8 = gpu.subgroup_broadcast %arg0,  specific_lane %arg1 : f32
    %9 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %10 = gpu.all_reduce  add %arg0 uniform {
    } : (f32) -> f32
    %11 = gpu.all_reduce  %arg0 {
    ^bb0(%arg6: f32, %arg7: f32):
      gpu.yield %arg6 : f32
    } {a} : (f32) -> f32
    gpu.host_register %arg4 : memref<*xf32>
    gpu.host_unregister %arg4 {b} : memref<*xf32>
    gpu.set_default_device %arg1
    return
  }
  gpu.module @mm attributes {gpu.x} {
  }
}

// CHECK:module {
// CHECK-NEXT:  func.func @f(%arg0: f32, %arg1: i32, %arg2: memref<?xf32>, %arg3: index, %arg4: memref<*xf32>, %arg5: memref<4xf32, #gpu.address_space<workgroup>>) {
// CHECK-NEXT:    gpu.barrier {a}
// CHECK-NEXT:    %thread_id_x = gpu.thread_id  x {a}
// CHECK-NEXT:    %thread_id_y = gpu.thread_id  y upper_bound 64
// CHECK-NEXT:    %block_id_z = gpu.block_id  z
// CHECK-NEXT:    %block_dim_x = gpu.block_dim  x
// CHECK-NEXT:    %grid_dim_x = gpu.grid_dim  x
// CHECK-NEXT:    %global_id_x = gpu.global_id  x
// CHECK-NEXT:    %cluster_id_x = gpu.cluster_id  x
// CHECK-NEXT:    %cluster_dim_x = gpu.cluster_dim  x
// CHECK-NEXT:    %cluster_dim_blocks_x = gpu.cluster_dim_blocks  x
// CHECK-NEXT:    %cluster_block_id_x = gpu.cluster_block_id  x
// CHECK-NEXT:    %0 = gpu.lane_id upper_bound 32
// CHECK-NEXT:    %1 = gpu.subgroup_id : index
// CHECK-NEXT:    %2 = gpu.num_subgroups upper_bound 8 : index
// CHECK-NEXT:    %3 = gpu.subgroup_size {a} : index
// CHECK-NEXT:    %shuffleResult, %valid = gpu.shuffle  xor %arg0, %arg1, %arg1 : f32
// CHECK-NEXT:    %shuffleResult_0, %valid_1 = gpu.shuffle  down %arg0, %arg1, %arg1 {z} : f32
// CHECK-NEXT:    gpu.printf "x %d", %arg1 : i32
// CHECK-NEXT:    gpu.printf "x" {foo}
// CHECK-NEXT:    %4 = gpu.subgroup_reduce  add %arg0 : (f32) -> f32
// CHECK-NEXT:    %5 = gpu.subgroup_reduce  mul %arg0 uniform cluster(size = 4, stride = 2) {a} : (f32) -> f32
// CHECK-NEXT:    %6 = gpu.subgroup_reduce  mul %arg0 cluster(size = 4) : (f32) -> f32
// CHECK-NEXT:    %rotateResult, %valid_2 = gpu.rotate %arg0, 1, 16 : f32
// CHECK-NEXT:    %7 = gpu.subgroup_broadcast %arg0,  first_active_lane : f32
// CHECK-NEXT:    %8 = gpu.subgroup_broadcast %arg0,  specific_lane %arg1 : f32
// CHECK-NEXT:    %9 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
// CHECK-NEXT:    %10 = gpu.all_reduce  add %arg0 uniform {
// CHECK-NEXT:    } : (f32) -> f32
// CHECK-NEXT:    %11 = gpu.all_reduce  %arg0 {
// CHECK-NEXT:    ^bb0(%arg6: f32, %arg7: f32):
// CHECK-NEXT:      gpu.yield %arg6 : f32
// CHECK-NEXT:    } {a} : (f32) -> f32
// CHECK-NEXT:    gpu.host_register %arg4 : memref<*xf32>
// CHECK-NEXT:    gpu.host_unregister %arg4 {b} : memref<*xf32>
// CHECK-NEXT:    gpu.set_default_device %arg1
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:  gpu.module @mm attributes {gpu.x} {
// CHECK-NEXT:  }
// CHECK-NEXT:}

// GENERIC:"builtin.module"() ({
// GENERIC-NEXT:  "func.func"() <{function_type = (f32, i32, memref<?xf32>, index, memref<*xf32>, memref<4xf32, #gpu.address_space<workgroup>>) -> (), sym_name = "f"}> ({
// GENERIC-NEXT:  ^bb0(%arg0: f32, %arg1: i32, %arg2: memref<?xf32>, %arg3: index, %arg4: memref<*xf32>, %arg5: memref<4xf32, #gpu.address_space<workgroup>>):
// GENERIC-NEXT:    "gpu.barrier"() {a} : () -> ()
// GENERIC-NEXT:    %0 = "gpu.thread_id"() <{dimension = #gpu<dim x>}> {a} : () -> index
// GENERIC-NEXT:    %1 = "gpu.thread_id"() <{dimension = #gpu<dim y>, upper_bound = 64 : index}> : () -> index
// GENERIC-NEXT:    %2 = "gpu.block_id"() <{dimension = #gpu<dim z>}> : () -> index
// GENERIC-NEXT:    %3 = "gpu.block_dim"() <{dimension = #gpu<dim x>}> : () -> index
// GENERIC-NEXT:    %4 = "gpu.grid_dim"() <{dimension = #gpu<dim x>}> : () -> index
// GENERIC-NEXT:    %5 = "gpu.global_id"() <{dimension = #gpu<dim x>}> : () -> index
// GENERIC-NEXT:    %6 = "gpu.cluster_id"() <{dimension = #gpu<dim x>}> : () -> index
// GENERIC-NEXT:    %7 = "gpu.cluster_dim"() <{dimension = #gpu<dim x>}> : () -> index
// GENERIC-NEXT:    %8 = "gpu.cluster_dim_blocks"() <{dimension = #gpu<dim x>}> : () -> index
// GENERIC-NEXT:    %9 = "gpu.cluster_block_id"() <{dimension = #gpu<dim x>}> : () -> index
// GENERIC-NEXT:    %10 = "gpu.lane_id"() <{upper_bound = 32 : index}> : () -> index
// GENERIC-NEXT:    %11 = "gpu.subgroup_id"() : () -> index
// GENERIC-NEXT:    %12 = "gpu.num_subgroups"() <{upper_bound = 8 : index}> : () -> index
// GENERIC-NEXT:    %13 = "gpu.subgroup_size"() {a} : () -> index
// GENERIC-NEXT:    %14:2 = "gpu.shuffle"(%arg0, %arg1, %arg1) <{mode = #gpu<shuffle_mode xor>}> : (f32, i32, i32) -> (f32, i1)
// GENERIC-NEXT:    %15:2 = "gpu.shuffle"(%arg0, %arg1, %arg1) <{mode = #gpu<shuffle_mode down>}> {z} : (f32, i32, i32) -> (f32, i1)
// GENERIC-NEXT:    "gpu.printf"(%arg1) <{format = "x %d"}> : (i32) -> ()
// GENERIC-NEXT:    "gpu.printf"() <{format = "x"}> {foo} : () -> ()
// GENERIC-NEXT:    %16 = "gpu.subgroup_reduce"(%arg0) <{cluster_stride = 1 : i32, op = #gpu<all_reduce_op add>}> : (f32) -> f32
// GENERIC-NEXT:    %17 = "gpu.subgroup_reduce"(%arg0) <{cluster_size = 4 : i32, cluster_stride = 2 : i32, op = #gpu<all_reduce_op mul>, uniform}> {a} : (f32) -> f32
// GENERIC-NEXT:    %18 = "gpu.subgroup_reduce"(%arg0) <{cluster_size = 4 : i32, cluster_stride = 1 : i32, op = #gpu<all_reduce_op mul>}> : (f32) -> f32
// GENERIC-NEXT:    %19:2 = "gpu.rotate"(%arg0) <{offset = 1 : i32, width = 16 : i32}> : (f32) -> (f32, i1)
// GENERIC-NEXT:    %20 = "gpu.subgroup_broadcast"(%arg0) <{broadcast_type = #gpu<broadcast first_active_lane>}> : (f32) -> f32
// GENERIC-NEXT:    %21 = "gpu.subgroup_broadcast"(%arg0, %arg1) <{broadcast_type = #gpu<broadcast specific_lane>}> : (f32, i32) -> f32
// GENERIC-NEXT:    %22 = "gpu.dynamic_shared_memory"() : () -> memref<?xi8, #gpu.address_space<workgroup>>
// GENERIC-NEXT:    %23 = "gpu.all_reduce"(%arg0) <{op = #gpu<all_reduce_op add>, uniform}> ({
// GENERIC-NEXT:    }) : (f32) -> f32
// GENERIC-NEXT:    %24 = "gpu.all_reduce"(%arg0) ({
// GENERIC-NEXT:    ^bb0(%arg6: f32, %arg7: f32):
// GENERIC-NEXT:      "gpu.yield"(%arg6) : (f32) -> ()
// GENERIC-NEXT:    }) {a} : (f32) -> f32
// GENERIC-NEXT:    "gpu.host_register"(%arg4) : (memref<*xf32>) -> ()
// GENERIC-NEXT:    "gpu.host_unregister"(%arg4) {b} : (memref<*xf32>) -> ()
// GENERIC-NEXT:    "gpu.set_default_device"(%arg1) : (i32) -> ()
// GENERIC-NEXT:    "func.return"() : () -> ()
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:  "gpu.module"() <{sym_name = "mm"}> ({
// GENERIC-NEXT:  ^bb0:
// GENERIC-NEXT:  }) {gpu.x} : () -> ()
// GENERIC-NEXT:}) : () -> ()
