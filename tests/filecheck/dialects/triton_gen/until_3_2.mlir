// Names up to Triton 3.2.
// RUN: XTRITON_ROUNDTRIP

// CHECK: module attributes {spirv.target_env = "any", "triton_gpu.num-warps" = 4 : i32} {
  // CHECK-LABEL: tt.func @names(%arg0: !llvm.ptr<3>, %arg1: vector<8xi16>, %arg2: i32) {
    // CHECK: %0 = triton_gen.simdblockread %arg0 : (!llvm.ptr<3>) -> vector<8xi16>
    // CHECK: triton_gen.simdblockwrite %arg0, %arg1 : (!llvm.ptr<3>, vector<8xi16>)
    // CHECK: triton_gen.split_barrier_signal {mem_fence = None, mem_scope = WorkGroup}
    // CHECK: %1 = triton_gen.sub_group_reduce add %arg2 {size = 16} : i32
    // CHECK: %2 = triton_gen.sub_group_scan add %arg2 {kind = exclusive} : i32
    // CHECK: %3 = triton_gen.subgroup.id : i32
    // CHECK: %4 = triton_gen.subgroup.local.id : i32
module attributes {"triton_gpu.num-warps" = 4 : i32, spirv.target_env = "any"} {
  tt.func @names(%p: !llvm.ptr<3>, %v: vector<8xi16>, %x: i32) {
    %0 = triton_gen.simdblockread %p : (!llvm.ptr<3>) -> vector<8xi16>
    triton_gen.simdblockwrite %p, %v : (!llvm.ptr<3>, vector<8xi16>)
    triton_gen.split_barrier_signal {mem_fence = None, mem_scope = WorkGroup}
    %1 = triton_gen.sub_group_reduce add %x {size = 16} : i32
    %2 = triton_gen.sub_group_scan add %x {kind = exclusive} : i32
    %3 = triton_gen.subgroup.id : i32
    %4 = triton_gen.subgroup.local.id : i32
    tt.return
  }
}
