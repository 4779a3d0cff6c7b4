// RUN: XTRITON_INVALID

// expected-error @+1 {{blockM must be 64 or 128 but got 96}}
module attributes {ttg.x = #ttng.tensor_memory_encoding<blockM = 96, blockN = 64, colStride = 1>} {}

// -----

// expected-error @+1 {{duplicate or unknown struct parameter name: foo}}
module attributes {ttg.x = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, foo = 1>} {}

// -----

// expected-error @+1 {{L2 policy requires l2_secondary and l2_fraction}}
module attributes {ttg.x = #ttng.cache_policy<l2_primary = evict_first>} {}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
tt.func @f(%b: !ttg.memdesc<1xi64, #shared, #smem, mutable>) {
  // expected-error @+1 {{count must be greater than or equal to 1}}
  ttng.init_barrier %b, 0 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
tt.func @f(%b: !ttg.memdesc<1xi32, #shared, #smem, mutable>) {
  // expected-error @+1 {{barrier allocation must be a descriptor of Nxi64 type with N <= number of CTAs, but operand 'alloc'}}
  ttng.inval_barrier %b : !ttg.memdesc<1xi32, #shared, #smem, mutable>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<i8>, %i: i32, %l: i64) {
  // expected-error @+1 {{Rank mismatch for global stride. Got 1 but expected 0}}
  ttng.tensormap_create %p, %p, [%i], [%i], [%l], [%i] {elem_type = 3 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 2 : i32} : (!tt.ptr<i8>, !tt.ptr<i8>, i32, i32, i64, i32) -> ()
  tt.return
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
tt.func @f() {
  // expected-error @+1 {{uninitialized alloc must have a mutable memdesc type}}
  %0 = ttng.tmem_alloc : () -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory>
  tt.return
}

// -----

tt.func @f(%x: tensor<128xf32>) {
  // expected-error @+1 {{fma expects 3 operands but got 2}}
  %0 = ttng.packed_arith fma %x, %x : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
  tt.return
}
