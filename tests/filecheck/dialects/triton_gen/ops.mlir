// Every op, in the syntax of Triton 3.9.
// RUN: XTRITON_ROUNDTRIP

// CHECK: module attributes {"ttg.threads-per-warp" = 16 : i32} {
  // CHECK-LABEL: llvm.func @matrix
    // CHECK: %0 = triton_gen.dpas %arg0, %arg1, %arg2 {pa = f16, pb = f16, rc = 8} : (vector<8xf32>, vector<8xi16>, vector<8xi32>) -> vector<8xf32>
    // CHECK: %1 = triton_gen.bdpas %arg0, %arg1, %arg2, %arg3, %arg3 {pa = bf8, pb = hf8, rc = 8} {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (vector<8xf32>, vector<8xi16>, vector<8xi32>, i8, i8) -> vector<8xf32>
    // CHECK: %2 = triton_gen.2Dblockload %arg4, %arg5, %arg5, %arg5, %arg5, %arg5 {elem_size_in_bits = 16, tile_width = 16, tile_height = 8, v_blocks = 1, transpose = false, vnni_transform = false, cache_control = Default} : (!llvm.ptr, i32, i32, i32, i32, i32) -> vector<8xi16>
    // CHECK: triton_gen.2Dblockstore %arg4, %arg5, %arg5, %arg5, %arg5, %arg5, %2 {elem_size_in_bits = 16, tile_width = 16, tile_height = 8, v_blocks = 1, cache_control = L1WB_L3WB} : (!llvm.ptr, i32, i32, i32, i32, i32, vector<8xi16>)
    // CHECK: triton_gen.2Dblockprefetch %arg4, %arg5, %arg5, %arg5, %arg5, %arg5 {elem_size_in_bits = 16, tile_width = 16, tile_height = 8, v_blocks = 1, cache_control = L1C_L3C} : (!llvm.ptr, i32, i32, i32, i32, i32)
    // CHECK: llvm.return
  // CHECK-LABEL: llvm.func @subgroup
    // CHECK: triton_gen.barrier {mem_fence = None}
    // CHECK: %0 = triton_gen.split_barrier_arrive
    // CHECK: triton_gen.split_barrier_wait %0
    // CHECK: %1 = triton_gen.sub_group_block_read %arg0 : !llvm.ptr<3> -> vector<8xi16>
    // CHECK: triton_gen.sub_group_block_write %arg0, %arg2 : !llvm.ptr<3>, vector<8xi16>
    // CHECK: %2 = triton_gen.predicated_load %arg1, %arg3, %arg5 {cache_control = L1S_L3C} : (!llvm.ptr<1>, i1, i32) -> i32
    // CHECK: triton_gen.predicated_store %arg1, %arg5, %arg3 {cache_control = Default} : (!llvm.ptr<1>, i32, i1) -> ()
    // CHECK: %3 = triton_gen.sub_group_gather_load %arg6, %arg7 : (vector<32xi64>, vector<32xi1>) -> vector<4xi32>
    // CHECK: %4 = triton_gen.sub_group_bitcast_shuffle %arg2 : vector<8xi16> -> vector<4xi32>
    // CHECK: %5 = triton_gen.f_to_tf32 %arg4 : f32
    // CHECK: %6 = llvm.load %arg0 {triton_gen.DecorationCacheControlINTEL = #triton_gen.decoration_cache_control<#triton_gen.load_cache_control<0, Cached, 0>, #triton_gen.load_cache_control<1, Uncached, 0>, #triton_gen.store_cache_control<0, WriteThrough, 0>>} : !llvm.ptr<3> -> i32
    // CHECK: llvm.return
module attributes {"ttg.threads-per-warp" = 16 : i32} {
  llvm.func @matrix(%arg0: vector<8xf32>, %arg1: vector<8xi16>, %arg2: vector<8xi32>, %arg3: i8, %arg4: !llvm.ptr, %arg5: i32) {
    %0 = triton_gen.dpas %arg0, %arg1, %arg2 {pa = f16, pb = f16, rc = 8} : (vector<8xf32>, vector<8xi16>, vector<8xi32>) -> vector<8xf32>
    %1 = triton_gen.bdpas %arg0, %arg1, %arg2, %arg3, %arg3 {pa = bf8, pb = hf8, rc = 8} {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (vector<8xf32>, vector<8xi16>, vector<8xi32>, i8, i8) -> vector<8xf32>
    %2 = triton_gen.2Dblockload %arg4, %arg5, %arg5, %arg5, %arg5, %arg5 {elem_size_in_bits = 16, tile_width = 16, tile_height = 8, v_blocks = 1, transpose = false, vnni_transform = false, cache_control = Default} : (!llvm.ptr, i32, i32, i32, i32, i32) -> vector<8xi16>
    triton_gen.2Dblockstore %arg4, %arg5, %arg5, %arg5, %arg5, %arg5, %2 {elem_size_in_bits = 16, tile_width = 16, tile_height = 8, v_blocks = 1, cache_control = L1WB_L3WB} : (!llvm.ptr, i32, i32, i32, i32, i32, vector<8xi16>)
    triton_gen.2Dblockprefetch %arg4, %arg5, %arg5, %arg5, %arg5, %arg5 {elem_size_in_bits = 16, tile_width = 16, tile_height = 8, v_blocks = 1, cache_control = L1C_L3C} : (!llvm.ptr, i32, i32, i32, i32, i32)
    llvm.return
  }
  llvm.func @subgroup(%arg0: !llvm.ptr<3>, %arg1: !llvm.ptr<1>, %arg2: vector<8xi16>, %arg3: i1, %arg4: f32, %arg5: i32, %arg6: vector<32xi64>, %arg7: vector<32xi1>) {
    triton_gen.barrier {mem_fence = None}
    %0 = triton_gen.split_barrier_arrive
    triton_gen.split_barrier_wait %0
    %1 = triton_gen.sub_group_block_read %arg0 : !llvm.ptr<3> -> vector<8xi16>
    triton_gen.sub_group_block_write %arg0, %arg2 : !llvm.ptr<3>, vector<8xi16>
    %2 = triton_gen.predicated_load %arg1, %arg3, %arg5 {cache_control = L1S_L3C} : (!llvm.ptr<1>, i1, i32) -> i32
    triton_gen.predicated_store %arg1, %arg5, %arg3 {cache_control = Default} : (!llvm.ptr<1>, i32, i1) -> ()
    %3 = triton_gen.sub_group_gather_load %arg6, %arg7 : (vector<32xi64>, vector<32xi1>) -> vector<4xi32>
    %4 = triton_gen.sub_group_bitcast_shuffle %arg2 : vector<8xi16> -> vector<4xi32>
    %5 = triton_gen.f_to_tf32 %arg4 : f32
    %6 = llvm.load %arg0 {triton_gen.DecorationCacheControlINTEL = #triton_gen.decoration_cache_control<#triton_gen.load_cache_control<0, Cached, 0>, #triton_gen.load_cache_control<1, Uncached, 0>, #triton_gen.store_cache_control<0, WriteThrough, 0>>} : !llvm.ptr<3> -> i32
    llvm.return
  }
}
