// RUN: XTRITON_INVALID

tt.func @f(%x: f32, %p: !tt.ptr<f32>) {
  // expected-error @+1 {{Cannot bitcast data-type of size 32 to data-type of size 16}}
  %0 = tt.bitcast %x : f32 -> i16
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{Cannot bitcast pointer to non-pointer type}}
  %0 = tt.bitcast %p : !tt.ptr<f32> -> i64
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{Cannot bitcast pointer between different address spaces}}
  %0 = tt.bitcast %p : !tt.ptr<f32> -> !tt.ptr<i32, 3>
  tt.return
}

// -----

tt.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = tt.bitcast %x : tensor<8xf32> -> tensor<4xi32>
  tt.return
}

// -----

tt.func @f(%x: f32) {
  // expected-error @+1 {{Rounding mode is required for FP downcast}}
  %0 = tt.fp_to_fp %x : f32 -> f16
  tt.return
}

// -----

tt.func @f(%x: i32) {
  // expected-error @+1 {{must be 64-bit signless integer}}
  %0 = tt.int_to_ptr %x : i32 -> !tt.ptr<f32>
  tt.return
}

// -----

tt.func @f(%x: i32) {
  // expected-error @+1 {{must be floating-point or ranked tensor of floating-point values}}
  %0 = tt.precise_sqrt %x : i32
  tt.return
}

// -----

tt.func @f(%p: tensor<8x!tt.ptr<f32>>, %i: tensor<4xi32>) {
  // expected-error @+1 {{must have the same shape and base type}}
  %0 = tt.addptr %p, %i : tensor<8x!tt.ptr<f32>>, tensor<4xi32>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>, %i: f32) {
  // expected-error @+1 {{must be integer or ranked tensor of integer values}}
  %0 = tt.addptr %p, %i : !tt.ptr<f32>, f32
  tt.return
}

// -----

tt.func @f(%x: f32) {
  // expected-error @+1 {{expected a pointer or a tensor of pointers}}
  %0 = tt.load %x : f32
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>, %v: i32) {
  // expected-error @+1 {{value}}
  "tt.store"(%p, %v) : (!tt.ptr<f32>, i32) -> ()
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>, %m: i32) {
  // expected-error @+1 {{operand #1 must be}}
  %0 = "tt.load"(%p, %m) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (!tt.ptr<f32>, i32) -> f32
  tt.return
}

// -----

tt.func @f(%p: tensor<8x!tt.ptr<f32>>, %v: tensor<8xi32>) {
  // expected-error @+1 {{ptr}}
  %0 = tt.atomic_rmw add, acq_rel, gpu, %p, %v : (tensor<8x!tt.ptr<f32>>, tensor<8xi32>) -> tensor<8xi32>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<i32>, %v: i32) {
  // expected-error @+1 {{only supports acquire and relaxed semantics}}
  %0 = tt.atomic_poll release, gpu, %p, %v : !tt.ptr<i32>, i32 -> i1
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<i8>, %v: i8) {
  // expected-error @+1 {{only supports integer elements with width {16, 32, 64}}}
  %0 = tt.atomic_poll acquire, gpu, %p, %v : !tt.ptr<i8>, i8 -> i1
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<i32>) {
  // expected-error @+1 {{only supports acquire and relaxed semantics}}
  %0 = tt.atomic_load release, gpu, %p : (!tt.ptr<i32>) -> i32
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<i32>, %v: i32) {
  // expected-error @+1 {{only supports release and relaxed semantics}}
  tt.atomic_store acquire, gpu, %p, %v : !tt.ptr<i32>
  tt.return
}

// -----

tt.func @f(%x: f32) {
  // expected-error @+1 {{requires the same element type for all operands and results}}
  %0 = tt.splat %x : f32 -> tensor<8xf16>
  tt.return
}

// -----

tt.func @f(%x: f32) {
  // expected-error @+1 {{Number of elements must be power-of-two}}
  %0 = tt.splat %x : f32 -> tensor<12xf32>
  tt.return
}

// -----

tt.func @f(%x: f32) {
  // expected-error @+1 {{Maximum allowed number of elements is 1048576}}
  %0 = tt.splat %x : f32 -> tensor<2097152xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<2xf32>) {
  // expected-error @+1 {{source tensor must have exactly one element}}
  %0 = tt.unsplat %x : tensor<2xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{axis 2 is out of bounds for rank 1}}
  %0 = tt.expand_dims %x {axis = 2 : i32} : tensor<8xf32> -> tensor<8x1xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{are incompatible with return type(s)}}
  %0 = tt.expand_dims %x {axis = 0 : i32} : tensor<8xf32> -> tensor<8x1xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{number of src and dst elements of reshape must be the same}}
  %0 = tt.reshape %x : tensor<8xf32> -> tensor<4xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<8x1xf32>) {
  // expected-error @+1 {{rank of source must be same as rank of result}}
  %0 = tt.broadcast %x : tensor<8x1xf32> -> tensor<8xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<8x2xf32>) {
  // expected-error @+1 {{Different dimensions at index 1 between source and result}}
  %0 = tt.broadcast %x : tensor<8x2xf32> -> tensor<8x4xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{result shape must be (8, 2), but got 16}}
  %0 = tt.join %x, %x : tensor<8xf32> -> tensor<16xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{result element type must match the input element type}}
  %0 = tt.join %x, %x : tensor<8xf32> -> tensor<8x2xf16>
  tt.return
}

// -----

tt.func @f(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{last dimension of input tensor must be 2}}
  %0, %1 = tt.split %x : tensor<2x4xf32> -> tensor<2xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<4x2xf32>) {
  // expected-error @+1 {{are incompatible with return type(s)}}
  %0, %1 = tt.split %x : tensor<4x2xf32> -> tensor<8xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<4x2xf32>) {
  // expected-error @+1 {{order must have the same size as the source tensor}}
  %0 = tt.trans %x {order = array<i32: 0>} : tensor<4x2xf32> -> tensor<2x4xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<4x2xf32>) {
  // expected-error @+1 {{order must be a permutation of 0..n-1}}
  %0 = tt.trans %x {order = array<i32: 0, 0>} : tensor<4x2xf32> -> tensor<2x4xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<4x2xf32>) {
  // expected-error @+1 {{result shape must match the permutation of the source shape}}
  %0 = tt.trans %x {order = array<i32: 0, 1>} : tensor<4x2xf32> -> tensor<2x4xf32>
  tt.return
}

// -----

tt.func @f(%x: i32) {
  // expected-error @+1 {{3 is no value of ProgramIDDim}}
  "tt.get_program_id"() <{axis = 3 : i32}> : () -> i32
  tt.return
}

// -----

tt.func @f() {
  // expected-error @+1 {{start must be less than end}}
  %0 = tt.make_range {end = 8 : i32, start = 8 : i32} : tensor<8xi32>
  tt.return
}

// -----

tt.func @f() {
  // expected-error @+1 {{return type must be a 1D tensor}}
  %0 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<4x2xi32>
  tt.return
}

// -----

tt.func @f() {
  // expected-error @+1 {{number of elements in returned tensor, 4, must match size of range [0, 8), which has 8 elements}}
  %0 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<4xi32>
  tt.return
}

// -----

tt.func @f() {
  // expected-error @+1 {{returned tensor must have i32 elements}}
  %0 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi64>
  tt.return
}

// -----

tt.func @f(%a: tensor<16x32xf32>, %b: tensor<16x8xf32>, %c: tensor<16x8xf32>) {
  // expected-error @+1 {{expected the last dimension of the first operand to be equal to the second-to-last dimension of the second operand}}
  %0 = tt.dot %a, %b, %c : tensor<16x32xf32> * tensor<16x8xf32> -> tensor<16x8xf32>
  tt.return
}

// -----

tt.func @f(%a: tensor<16x32xf32>, %b: tensor<32x8xf32>, %c: tensor<8x8xf32>) {
  // expected-error @+1 {{expected the output shape to be the concatenation}}
  %0 = tt.dot %a, %b, %c : tensor<16x32xf32> * tensor<32x8xf32> -> tensor<8x8xf32>
  tt.return
}

// -----

tt.func @f(%a: tensor<2x16x32xf32>, %b: tensor<32x8xf32>, %c: tensor<16x8xf32>) {
  // expected-error @+1 {{expected all operands to have the same rank}}
  %0 = tt.dot %a, %b, %c : tensor<2x16x32xf32> * tensor<32x8xf32> -> tensor<16x8xf32>
  tt.return
}

// -----

tt.func @f(%a: tensor<2x16x32xf32>, %b: tensor<4x32x8xf32>, %c: tensor<2x16x8xf32>) {
  // expected-error @+1 {{expected the first dimension of the first operand}}
  %0 = tt.dot %a, %b, %c : tensor<2x16x32xf32> * tensor<4x32x8xf32> -> tensor<2x16x8xf32>
  tt.return
}

// -----

tt.func @f(%a: tensor<16xf32>) {
  // expected-error @+1 {{expected operands to be 2d or 3d}}
  %0 = tt.dot %a, %a, %a : tensor<16xf32> * tensor<16xf32> -> tensor<16xf32>
  tt.return
}

// -----

tt.func @f(%a: tensor<16x32xf16>, %b: tensor<32x8xf32>, %c: tensor<16x8xf32>) {
  // expected-error @+1 {{element types of operands A and B must have same bit width}}
  %0 = tt.dot %a, %b, %c : tensor<16x32xf16> * tensor<32x8xf32> -> tensor<16x8xf32>
  tt.return
}

// -----

tt.func @f(%a: tensor<16x64xf8E4M3FN>, %b: tensor<64x16xf8E4M3FN>, %c: tensor<16x16xf32>, %s: tensor<16x8xi8>) {
  // expected-error @+1 {{scale factor must be 16 or 32. Got 8}}
  %0 = tt.dot_scaled %a scale %s, %b, %c lhs = e4m3 rhs = e4m3 {fastMath = false} : tensor<16x64xf8E4M3FN>, tensor<16x8xi8> * tensor<64x16xf8E4M3FN> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @f(%a: tensor<16x64xf8E4M3FN>, %b: tensor<64x16xf8E4M3FN>, %c: tensor<16x16xf32>, %s: tensor<8x2xi8>) {
  // expected-error @+1 {{scales M dimension must match the operand M dimension}}
  %0 = tt.dot_scaled %a scale %s, %b, %c lhs = e4m3 rhs = e4m3 {fastMath = false} : tensor<16x64xf8E4M3FN>, tensor<8x2xi8> * tensor<64x16xf8E4M3FN> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @f(%a: tensor<16x64xf8E4M3FN>, %b: tensor<64x16xf8E4M3FN>, %c: tensor<16x16xf32>, %s: tensor<16x2xi8>, %u: tensor<16x4xi8>) {
  // expected-error @+1 {{Operands must have the same scale factor; (lhs: 32 vs rhs: 16)}}
  %0 = tt.dot_scaled %a scale %s, %b scale %u, %c lhs = e4m3 rhs = e4m3 {fastMath = false} : tensor<16x64xf8E4M3FN>, tensor<16x2xi8> * tensor<64x16xf8E4M3FN>, tensor<16x4xi8> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<8xi32>) {
  // expected-error @+1 {{number of input elements 8 must be a multiple of the op's packed_element attribute, 16}}
  %0 = tt.elementwise_inline_asm "x" {constraints = "=r,r", packed_element = 16 : i32, pure = true} %x : tensor<8xi32> -> tensor<8xi32>
  tt.return
}

// -----

tt.func @f(%x: tensor<16x4xf32>, %i: tensor<8x4xi32>) {
  // expected-error @+1 {{gather dimension must be less than the input rank}}
  %0 = tt.gather %x[%i] {axis = 2 : i32} : (tensor<16x4xf32>, tensor<8x4xi32>) -> tensor<8x4xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<16x4xf32>, %i: tensor<8x4xi32>) {
  // expected-error @+1 {{indices dimension 0 must match the corresponding input dimension}}
  %0 = tt.gather %x[%i] {axis = 1 : i32} : (tensor<16x4xf32>, tensor<8x4xi32>) -> tensor<8x4xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<16x4xf32>, %i: tensor<8x4xi32>) {
  // expected-error @+1 {{indices and output shapes must match}}
  %0 = tt.gather %x[%i] {axis = 0 : i32} : (tensor<16x4xf32>, tensor<8x4xi32>) -> tensor<4x4xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<16x4xf32>, %i: tensor<8x4xi32>) {
  // expected-error @+1 {{input and output element types must match}}
  %0 = tt.gather %x[%i] {axis = 0 : i32} : (tensor<16x4xf32>, tensor<8x4xi32>) -> tensor<8x4xf16>
  tt.return
}

// -----

tt.func @f(%x: tensor<16xf32>, %i: tensor<8x4xi32>) {
  // expected-error @+1 {{input and indices ranks must match}}
  %0 = tt.gather %x[%i] {axis = 0 : i32} : (tensor<16xf32>, tensor<8x4xi32>) -> tensor<8x4xf32>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f16>, %n: i32, %s: i64) {
  // expected-error @+1 {{as many values as the block has dimensions (2), but got 1}}
  %0 = tt.make_tensor_descriptor %p, [%n], [%s] : <f16>, <64x32xf16>
  tt.return
}

// -----

tt.func @f(%d: !tt.tensordesc<64x32xf16>, %n: i32) {
  // expected-error @+1 {{descriptor block and tensor element types must match}}
  %0 = tt.descriptor_load %d[%n, %n] : !tt.tensordesc<64x32xf16> -> tensor<64x32xf32>
  tt.return
}

// -----

tt.func @f(%d: !tt.tensordesc<64x32xf16>, %n: i32, %x: tensor<32x32xf16>) {
  // expected-error @+1 {{descriptor block and tensor must have the same number of elements}}
  tt.descriptor_store %d[%n, %n], %x : !tt.tensordesc<64x32xf16>, tensor<32x32xf16>
  tt.return
}

// -----

tt.func @f(%d: i32) {
  // expected-error @+1 {{must be tensor descriptor type, but got 'i32'}}
  %0 = tt.descriptor_load %d[%d, %d] : i32 -> tensor<64x32xf32>
  tt.return
}

// -----

tt.func @f(%d: !tt.tensordesc<2x128xbf16>, %n: i32, %x: tensor<32xi32>) {
  // expected-error @+1 {{descriptor block must have exactly 1 row}}
  %0 = tt.descriptor_gather %d[%x, %n] : (!tt.tensordesc<2x128xbf16>, tensor<32xi32>, i32) -> tensor<32x128xbf16>
  tt.return
}

// -----

tt.func @f(%d: !tt.tensordesc<1x128xbf16>, %n: i32, %x: tensor<4xi32>) {
  // expected-error @+1 {{must have at least 8 rows, but got 4}}
  %0 = tt.descriptor_gather %d[%x, %n] : (!tt.tensordesc<1x128xbf16>, tensor<4xi32>, i32) -> tensor<4x128xbf16>
  tt.return
}

// -----

tt.func @f(%d: !tt.tensordesc<1x8xbf16>, %n: i32, %x: tensor<8xi32>) {
  // expected-error @+1 {{must have at least 16 columns for 'bf16', but got 8}}
  %0 = tt.descriptor_gather %d[%x, %n] : (!tt.tensordesc<1x8xbf16>, tensor<8xi32>, i32) -> tensor<8x8xbf16>
  tt.return
}

// -----

tt.func @f(%d: !tt.tensordesc<1x128xbf16>, %n: i32, %x: tensor<8x1xi32>) {
  // expected-error @+1 {{x offsets must be a 1D tensor}}
  %0 = tt.descriptor_gather %d[%x, %n] : (!tt.tensordesc<1x128xbf16>, tensor<8x1xi32>, i32) -> tensor<8x128xbf16>
  tt.return
}

// -----

tt.func @f(%d: !tt.tensordesc<1x128xbf16>, %n: i32, %x: tensor<16xi32>, %v: tensor<8x128xbf16>) {
  // expected-error @+1 {{result tensor must have as many rows as indices (16)}}
  tt.descriptor_scatter %d[%x, %n], %v : !tt.tensordesc<1x128xbf16>, tensor<16xi32>, i32, tensor<8x128xbf16>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f16>, %n: i64, %i: i32) {
  // expected-error @+1 {{must each have as many values as the block has dimensions (2), but got 1}}
  %0 = tt.make_tensor_ptr %p, [%n], [%n], [%i] {order = array<i32: 0>} : <tensor<64x32xf16>>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<tensor<64x32xf16>>, %i: i32) {
  // expected-error @+1 {{must not have more values than the block has dimensions (2), but got 3}}
  %0 = tt.advance %p, [%i, %i, %i] : <tensor<64x32xf16>>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<i8>, %i: i32, %s: i64) {
  // expected-error @+1 {{Rank mismatch for global dim. Got 1 but expected 2}}
  tt.experimental_tensormap_create %p, %p, [%i, %i], [%i], [%s], [%i, %i] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<i8>, i32, i32, i32, i64, i32, i32) -> ()
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<i8>, %i: i32, %s: i64) {
  // expected-error @+1 {{'fill_mode' must be between 0 and 1}}
  tt.experimental_tensormap_create %p, %p, [%i, %i], [%i, %i], [%s], [%i, %i] {elem_type = 6 : i32, fill_mode = 2 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<i8>, i32, i32, i32, i32, i64, i32, i32) -> ()
  tt.return
}

// -----

tt.func @f(%x: f32) {
  // expected-error @+1 {{has 1 operands, but enclosing function (@f) returns 0}}
  tt.return %x : f32
}

// -----

tt.func @f(%x: f32) {
  // expected-error @+1 {{does not reference a valid function}}
  tt.call @nobody(%x) : (f32) -> ()
  tt.return
}

// -----

tt.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{axis out of bounds for operand rank 1}}
  %0 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %a : f32
  }) : (tensor<8xf32>) -> f32
  tt.return
}

// -----

tt.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{nested block must take 2 arguments, but given block with 1 arguments}}
  %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32):
    tt.reduce.return %a : f32
  }) : (tensor<8xf32>) -> f32
  tt.return
}

// -----

tt.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{Expected argument 1 to have type 'f32' but got 'f16'}}
  %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f16):
    tt.reduce.return %a : f32
  }) : (tensor<8xf32>) -> f32
  tt.return
}

// -----

tt.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{expected combine operation to return 1 values but got 2}}
  %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %a, %b : f32, f32
  }) : (tensor<8xf32>) -> f32
  tt.return
}

// -----

tt.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{must have the same number of inputs as outputs}}
  %0:2 = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    tt.scan.return %a : f32
  }) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  tt.return
}

// -----

tt.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{operand types and result types must agree}}
  %0 = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    tt.scan.return %a : f32
  }) : (tensor<8xf32>) -> tensor<8xf16>
  tt.return
}

// -----

tt.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{are incompatible with return type(s)}}
  %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %a : f32
  }) : (tensor<8xf32>) -> tensor<1xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{Pack must be a power of 2}}
  %0 = "tt.map_elementwise"(%x) <{pack = 3 : i32}> ({
  ^bb0(%a: f32):
    tt.map_elementwise.return %a : f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{region has wrong number of arguments}}
  %0 = "tt.map_elementwise"(%x) <{pack = 2 : i32}> ({
  ^bb0(%a: f32):
    tt.map_elementwise.return %a : f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{argument types did not match}}
  %0 = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
  ^bb0(%a: i32):
    tt.map_elementwise.return %a : i32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<8xf32>) {
  %0 = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
  ^bb0(%a: f32):
    // expected-error @+1 {{region return does not match map_elementwise result}}
    tt.map_elementwise.return
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

// expected-note @+1 {{prior use here}}
tt.func @f(%x: tensor<32xf32>, %y: tensor<33xf32>) {
  // expected-error @+1 {{use of value '%y' expects different type than prior uses}}
  %0 = tt.join %x, %y : tensor<32xf32> -> tensor<32x2xf32>
  tt.return
}
