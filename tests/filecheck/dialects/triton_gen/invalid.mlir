// RUN: XTRITON_INVALID

llvm.func @f(%c: vector<8xf32>, %a: vector<8xi16>, %b: vector<8xi32>) {
  // expected-error @+1 {{expecting repeat count to be 1, 2, 4, or 8}}
  %0 = triton_gen.dpas %c, %a, %b {pa = f16, pb = f16, rc = 16} : (vector<8xf32>, vector<8xi16>, vector<8xi32>) -> vector<8xf32>
  llvm.return
}

// -----

llvm.func @f(%c: vector<8xi32>, %a: vector<8xi16>, %b: vector<8xi32>) {
  // expected-error @+1 {{expecting precision of matrix A and B to be the same}}
  %0 = triton_gen.dpas %c, %a, %b {pa = i8, pb = f16, rc = 8} : (vector<8xi32>, vector<8xi16>, vector<8xi32>) -> vector<8xi32>
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %i: i32) {
  // expected-error @+1 {{expecting tile shape to be power of two}}
  triton_gen.2Dblockprefetch %p, %i, %i, %i, %i, %i {elem_size_in_bits = 16, tile_width = 12, tile_height = 8, v_blocks = 1, cache_control = Default} : (!llvm.ptr, i32, i32, i32, i32, i32)
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %i: i32) {
  // expected-error @+1 {{transpose and vnni_transform are mutually exclusive}}
  %0 = triton_gen.2Dblockload %p, %i, %i, %i, %i, %i {elem_size_in_bits = 16, tile_width = 16, tile_height = 8, v_blocks = 1, transpose = true, vnni_transform = true, cache_control = Default} : (!llvm.ptr, i32, i32, i32, i32, i32) -> vector<4xi32>
  llvm.return
}

// -----

llvm.func @f(%v: vector<8xi16>) {
  // expected-error @+1 {{input and result must have the same total number of bits}}
  %0 = triton_gen.sub_group_bitcast_shuffle %v : vector<8xi16> -> vector<8xi32>
  llvm.return
}

// -----

// expected-error @+1 {{cannot specify more than one cache control decoration of the same nature for the same cache level}}
module attributes {triton_gen.x = #triton_gen.decoration_cache_control<#triton_gen.load_cache_control<0, Cached, 0>, #triton_gen.load_cache_control<0, Uncached, 0>>} {}
