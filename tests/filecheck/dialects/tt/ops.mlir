// RUN: XTRITON_ROUNDTRIP

// CHECK-LABEL: @program
tt.func public @program() {
  // CHECK: %0 = tt.get_program_id x : i32
  %0 = tt.get_program_id x : i32
  // CHECK: %1 = tt.get_program_id z : i32
  %1 = tt.get_program_id z : i32
  // CHECK: %2 = tt.get_num_programs y : i32
  %2 = tt.get_num_programs y : i32
  // CHECK: %3 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %3 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  // CHECK: tt.print " x: " {hex = false, isSigned = array<i32: 1, 0>} : %0, %3 : i32, tensor<128xi32>
  tt.print " x: " {hex = false, isSigned = array<i32: 1, 0>} : %0, %3 : i32, tensor<128xi32>
  // CHECK: tt.print " here" {hex = true, isSigned = array<i32>}
  tt.print " here" {hex = true, isSigned = array<i32>}
  // CHECK: %4 = arith.cmpi slt, %0, %1 : i32
  %4 = arith.cmpi slt, %0, %1 : i32
  // CHECK: tt.assert %4, "in \22bounds\22" : i1
  tt.assert %4, "in \22bounds\22" : i1
  // CHECK: tt.return
  tt.return
}
// -----

// CHECK-LABEL: @casts
tt.func @casts(%arg0: i64, %arg1: tensor<8x!tt.ptr<i1>>, %arg2: tensor<8xf32>, %arg3: f16) {
  // CHECK: %0 = tt.int_to_ptr %arg0 : i64 -> !tt.ptr<f32>
  %0 = tt.int_to_ptr %arg0 : i64 -> !tt.ptr<f32>
  // CHECK: %1 = tt.ptr_to_int %arg1 : tensor<8x!tt.ptr<i1>> -> tensor<8xi64>
  %1 = tt.ptr_to_int %arg1 : tensor<8x!tt.ptr<i1>> -> tensor<8xi64>
  // CHECK: %2 = tt.bitcast %arg1 : tensor<8x!tt.ptr<i1>> -> tensor<8x!tt.ptr<i8>>
  %2 = tt.bitcast %arg1 : tensor<8x!tt.ptr<i1>> -> tensor<8x!tt.ptr<i8>>
  // CHECK: %3 = tt.fp_to_fp %arg2, rounding = rtne : tensor<8xf32> -> tensor<8xf8E5M2>
  %3 = tt.fp_to_fp %arg2, rounding = rtne : tensor<8xf32> -> tensor<8xf8E5M2>
  // CHECK: %4 = tt.fp_to_fp %arg3 : f16 -> f32
  %4 = tt.fp_to_fp %arg3 : f16 -> f32
  // CHECK: tt.return
  tt.return
}
// -----

// CHECK-LABEL: @arithmetic
tt.func @arithmetic(%arg0: tensor<8xf32>, %arg1: i32) {
  // CHECK: %0 = tt.clampf %arg0, %arg0, %arg0, propagateNan = none : tensor<8xf32>
  %0 = tt.clampf %arg0, %arg0, %arg0, propagateNan = none : tensor<8xf32>
  // CHECK: %1 = tt.clampf %arg0, %arg0, %arg0, propagateNan = all : tensor<8xf32>
  %1 = tt.clampf %arg0, %arg0, %arg0, propagateNan = all : tensor<8xf32>
  // CHECK: %2 = tt.precise_sqrt %arg0 : tensor<8xf32>
  %2 = tt.precise_sqrt %arg0 : tensor<8xf32>
  // CHECK: %3 = tt.precise_divf %arg0, %arg0 : tensor<8xf32>
  %3 = tt.precise_divf %arg0, %arg0 : tensor<8xf32>
  // CHECK: %4 = tt.mulhiui %arg1, %arg1 : i32
  %4 = tt.mulhiui %arg1, %arg1 : i32
  // CHECK: tt.return
  tt.return
}
// -----

// CHECK-LABEL: @pointers
tt.func @pointers(%arg0: !tt.ptr<f32>, %arg1: tensor<8x!tt.ptr<f32>>, %arg2: i64, %arg3: tensor<8xi32>) {
  // CHECK: %0 = tt.addptr %arg0, %arg2 : !tt.ptr<f32>, i64
  %0 = tt.addptr %arg0, %arg2 : !tt.ptr<f32>, i64
  // CHECK: %1 = tt.addptr %arg1, %arg3 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %1 = tt.addptr %arg1, %arg3 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  // CHECK: tt.return
  tt.return
}
// -----

// CHECK-LABEL: @memory
tt.func @memory(%arg0: !tt.ptr<f32>, %arg1: tensor<8x!tt.ptr<f32>>, %arg2: tensor<8xi1>, %arg3: tensor<8xf32>) {
  // CHECK: %0 = tt.load %arg0 : !tt.ptr<f32>
  %0 = tt.load %arg0 : !tt.ptr<f32>
  // CHECK: %1 = tt.load %arg1, %arg2 : tensor<8x!tt.ptr<f32>>
  %1 = tt.load %arg1, %arg2 : tensor<8x!tt.ptr<f32>>
  // CHECK: %2 = tt.load %arg1, %arg2, %arg3 {isVolatile = true} : tensor<8x!tt.ptr<f32>>
  %2 = tt.load %arg1, %arg2, %arg3 {isVolatile = true} : tensor<8x!tt.ptr<f32>>
  // CHECK: tt.store %arg0, %0 : !tt.ptr<f32>
  tt.store %arg0, %0 : !tt.ptr<f32>
  // CHECK: tt.store %arg1, %arg3, %arg2 {ignore_cta} : tensor<8x!tt.ptr<f32>>
  tt.store %arg1, %arg3, %arg2 {ignore_cta} : tensor<8x!tt.ptr<f32>>
  // CHECK: tt.return
  tt.return
}
// -----

// CHECK-LABEL: @atomics
tt.func @atomics(%arg0: !tt.ptr<i32>, %arg1: i32, %arg2: i1, %arg3: tensor<8x!tt.ptr<f32>>, %arg4: tensor<8xf32>, %arg5: tensor<8xi1>) {
  // CHECK: %0 = tt.atomic_rmw add, relaxed, cta, %arg0, %arg1 : (!tt.ptr<i32>, i32) -> i32
  %0 = tt.atomic_rmw add, relaxed, cta, %arg0, %arg1 : (!tt.ptr<i32>, i32) -> i32
  // CHECK: %1 = tt.atomic_rmw fadd, acq_rel, gpu, %arg3, %arg4, %arg5 : (tensor<8x!tt.ptr<f32>>, tensor<8xf32>, tensor<8xi1>) -> tensor<8xf32>
  %1 = tt.atomic_rmw fadd, acq_rel, gpu, %arg3, %arg4, %arg5 : (tensor<8x!tt.ptr<f32>>, tensor<8xf32>, tensor<8xi1>) -> tensor<8xf32>
  // CHECK: %2 = tt.atomic_rmw and, acquire, sys, %arg0, %arg1, %arg2 : (!tt.ptr<i32>, i32, i1) -> i32
  %2 = tt.atomic_rmw and, acquire, sys, %arg0, %arg1, %arg2 : (!tt.ptr<i32>, i32, i1) -> i32
  // CHECK: %3 = tt.atomic_cas acq_rel, gpu, %arg0, %arg1, %0 : (!tt.ptr<i32>, i32, i32) -> i32
  %3 = tt.atomic_cas acq_rel, gpu, %arg0, %arg1, %0 : (!tt.ptr<i32>, i32, i32) -> i32
  // CHECK: tt.return
  tt.return
}
// -----

// CHECK-LABEL: @shapes
tt.func @shapes(%arg0: f32, %arg1: tensor<8x1xf32>, %arg2: tensor<1x1xi32>, %arg3: tensor<4x8x2xf32>) {
  // CHECK: %0 = tt.splat %arg0 : f32 -> tensor<8x4xf32>
  %0 = tt.splat %arg0 : f32 -> tensor<8x4xf32>
  // CHECK: %1 = tt.unsplat %arg2 : tensor<1x1xi32>
  %1 = tt.unsplat %arg2 : tensor<1x1xi32>
  // CHECK: %2 = tt.expand_dims %arg1 {axis = 1 : i32} : tensor<8x1xf32> -> tensor<8x1x1xf32>
  %2 = tt.expand_dims %arg1 {axis = 1 : i32} : tensor<8x1xf32> -> tensor<8x1x1xf32>
  // CHECK: %3 = tt.reshape %arg1 : tensor<8x1xf32> -> tensor<2x4xf32>
  %3 = tt.reshape %arg1 : tensor<8x1xf32> -> tensor<2x4xf32>
  // CHECK: %4 = tt.reshape %arg1 allow_reorder efficient_layout : tensor<8x1xf32> -> tensor<8xf32>
  %4 = tt.reshape %arg1 allow_reorder efficient_layout : tensor<8x1xf32> -> tensor<8xf32>
  // CHECK: %5 = tt.broadcast %arg1 : tensor<8x1xf32> -> tensor<8x4xf32>
  %5 = tt.broadcast %arg1 : tensor<8x1xf32> -> tensor<8x4xf32>
  // CHECK: %6 = tt.cat %arg1, %arg1 : tensor<8x1xf32> -> tensor<16x1xf32>
  %6 = tt.cat %arg1, %arg1 : tensor<8x1xf32> -> tensor<16x1xf32>
  // CHECK: %7 = tt.join %arg1, %arg1 : tensor<8x1xf32> -> tensor<8x1x2xf32>
  %7 = tt.join %arg1, %arg1 : tensor<8x1xf32> -> tensor<8x1x2xf32>
  // CHECK: %outLHS, %outRHS = tt.split %arg3 : tensor<4x8x2xf32> -> tensor<4x8xf32>
  %outLHS, %outRHS = tt.split %arg3 : tensor<4x8x2xf32> -> tensor<4x8xf32>
  // CHECK: %8 = tt.trans %arg3 {order = array<i32: 2, 0, 1>} : tensor<4x8x2xf32> -> tensor<2x4x8xf32>
  %8 = tt.trans %arg3 {order = array<i32: 2, 0, 1>} : tensor<4x8x2xf32> -> tensor<2x4x8xf32>
  // CHECK: tt.return
  tt.return
}
// -----

// CHECK-LABEL: @dot
tt.func @dot(%arg0: tensor<16x32xf32>, %arg1: tensor<32x8xf32>, %arg2: tensor<16x8xf32>) {
  // CHECK: %0 = tt.dot %arg0, %arg1, %arg2 : tensor<16x32xf32> * tensor<32x8xf32> -> tensor<16x8xf32>
  %0 = tt.dot %arg0, %arg1, %arg2 : tensor<16x32xf32> * tensor<32x8xf32> -> tensor<16x8xf32>
  // CHECK: %1 = tt.dot %arg0, %arg1, %arg2, inputPrecision = tf32 {maxNumImpreciseAcc = 32 : i32} : tensor<16x32xf32> * tensor<32x8xf32> -> tensor<16x8xf32>
  %1 = tt.dot %arg0, %arg1, %arg2, inputPrecision = tf32 {maxNumImpreciseAcc = 32 : i32} : tensor<16x32xf32> * tensor<32x8xf32> -> tensor<16x8xf32>
  // CHECK: tt.return
  tt.return
}
// -----

// CHECK-LABEL: @dot_scaled
tt.func @dot_scaled(%arg0: tensor<128x64xi8>, %arg1: tensor<128x128xf8E4M3FN>, %arg2: tensor<128x128xf32>, %arg3: tensor<128x4xi8>, %arg4: tensor<128x4xi8>, %arg5: tensor<128x128xf8E5M2>, %arg6: tensor<128x64xi8>) {
  // CHECK: %0 = tt.dot_scaled %arg0 scale %arg3, %arg1 scale %arg4, %arg2 lhs = e2m1 rhs = e4m3 {fastMath = false} : tensor<128x64xi8>, tensor<128x4xi8> * tensor<128x128xf8E4M3FN>, tensor<128x4xi8> -> tensor<128x128xf32>
  %0 = tt.dot_scaled %arg0 scale %arg3, %arg1 scale %arg4, %arg2 lhs = e2m1 rhs = e4m3 {fastMath = false} : tensor<128x64xi8>, tensor<128x4xi8> * tensor<128x128xf8E4M3FN>, tensor<128x4xi8> -> tensor<128x128xf32>
  // CHECK: %1 = tt.dot_scaled %arg5, %arg1 scale %arg4, %arg2 lhs = e5m2 rhs = e4m3 {fastMath = true} : tensor<128x128xf8E5M2> * tensor<128x128xf8E4M3FN>, tensor<128x4xi8> -> tensor<128x128xf32>
  %1 = tt.dot_scaled %arg5, %arg1 scale %arg4, %arg2 lhs = e5m2 rhs = e4m3 {fastMath = true} : tensor<128x128xf8E5M2> * tensor<128x128xf8E4M3FN>, tensor<128x4xi8> -> tensor<128x128xf32>
  // CHECK: %2 = tt.dot_scaled %arg5 scale %arg3, %arg6, %arg2 lhs = e5m2 rhs = e2m1 {fastMath = true, rhs_k_pack = false} : tensor<128x128xf8E5M2>, tensor<128x4xi8> * tensor<128x64xi8> -> tensor<128x128xf32>
  %2 = tt.dot_scaled %arg5 scale %arg3, %arg6, %arg2 lhs = e5m2 rhs = e2m1 {fastMath = true, rhs_k_pack = false} : tensor<128x128xf8E5M2>, tensor<128x4xi8> * tensor<128x64xi8> -> tensor<128x128xf32>
  // CHECK: tt.return
  tt.return
}
// -----

// CHECK-LABEL: @reductions
tt.func @reductions(%arg0: tensor<8x4xf32>, %arg1: tensor<8x4xi32>) {
  // CHECK: %0 = "tt.reduce"(%arg0) <{axis = 1 : i32}> ({
  %0 = "tt.reduce"(%arg0) <{axis = 1 : i32}> ({
  // CHECK: ^bb0(%arg2: f32, %arg3: f32):
  ^bb0(%arg2: f32, %arg3: f32):
    // CHECK: %4 = arith.addf %arg2, %arg3 : f32
    %4 = arith.addf %arg2, %arg3 : f32
    // CHECK: tt.reduce.return %4 : f32
    tt.reduce.return %4 : f32

  }) : (tensor<8x4xf32>) -> tensor<8xf32>
  // CHECK: %1:2 = "tt.reduce"(%arg0, %arg1) <{axis = 0 : i32}> ({
  %1:2 = "tt.reduce"(%arg0, %arg1) <{axis = 0 : i32}> ({
  // CHECK: ^bb0(%arg2: f32, %arg3: i32, %arg4: f32, %arg5: i32):
  ^bb0(%arg2: f32, %arg3: i32, %arg4: f32, %arg5: i32):
    // CHECK: tt.reduce.return %arg2, %arg5 : f32, i32
    tt.reduce.return %arg2, %arg5 : f32, i32

  }) : (tensor<8x4xf32>, tensor<8x4xi32>) -> (tensor<4xf32>, tensor<4xi32>)
  // CHECK: %2 = "tt.scan"(%arg0) <{axis = 0 : i32, reverse = true}> ({
  %2 = "tt.scan"(%arg0) <{axis = 0 : i32, reverse = true}> ({
  // CHECK: ^bb0(%arg2: f32, %arg3: f32):
  ^bb0(%arg2: f32, %arg3: f32):
    // CHECK: %4 = arith.mulf %arg2, %arg3 : f32
    %4 = arith.mulf %arg2, %arg3 : f32
    // CHECK: tt.scan.return %4 : f32
    tt.scan.return %4 : f32

  }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  // CHECK: %3 = "tt.map_elementwise"(%arg0) <{pack = 2 : i32}> ({
  %3 = "tt.map_elementwise"(%arg0) <{pack = 2 : i32}> ({
  // CHECK: ^bb0(%arg2: f32, %arg3: f32):
  ^bb0(%arg2: f32, %arg3: f32):
    // CHECK: tt.map_elementwise.return %arg3, %arg2 : f32, f32
    tt.map_elementwise.return %arg3, %arg2 : f32, f32

  }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  // CHECK: tt.return
  tt.return
}
// -----

// CHECK-LABEL: @elementwise
tt.func @elementwise(%arg0: tensor<8xf32>, %arg1: tensor<8xi32>, %arg2: tensor<8xi1>, %arg3: tensor<16x4xf32>, %arg4: tensor<8x4xi32>) {
  // CHECK: %0 = tt.extern_elementwise %arg0 {libname = "libdevice", libpath = "", pure = true, symbol = "__nv_tanhf"} : (tensor<8xf32>) -> tensor<8xf32>
  %0 = tt.extern_elementwise %arg0 {libname = "libdevice", libpath = "", pure = true, symbol = "__nv_tanhf"} : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK: %1 = tt.elementwise_inline_asm "mov.u32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %arg1 : tensor<8xi32> -> tensor<8xi32>
  %1 = tt.elementwise_inline_asm "mov.u32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %arg1 : tensor<8xi32> -> tensor<8xi32>
  // CHECK: %2 = tt.elementwise_inline_asm "mov.u32 $0, 1;" {constraints = "=r", packed_element = 4 : i32, pure = false} -> i32
  %2 = tt.elementwise_inline_asm "mov.u32 $0, 1;" {constraints = "=r", packed_element = 4 : i32, pure = false} -> i32
  // CHECK: %3 = tt.histogram %arg1 : tensor<8xi32> -> tensor<16xi32>
  %3 = tt.histogram %arg1 : tensor<8xi32> -> tensor<16xi32>
  // CHECK: %4 = tt.histogram %arg1, %arg2 : tensor<8xi32> -> tensor<16xi32>
  %4 = tt.histogram %arg1, %arg2 : tensor<8xi32> -> tensor<16xi32>
  // CHECK: %5 = tt.gather %arg3[%arg4] {axis = 0 : i32} : (tensor<16x4xf32>, tensor<8x4xi32>) -> tensor<8x4xf32>
  %5 = tt.gather %arg3[%arg4] {axis = 0 : i32} : (tensor<16x4xf32>, tensor<8x4xi32>) -> tensor<8x4xf32>
  // CHECK: %6 = tt.gather %arg3[%arg4] {axis = 0 : i32, efficient_layout} : (tensor<16x4xf32>, tensor<8x4xi32>) -> tensor<8x4xf32>
  %6 = tt.gather %arg3[%arg4] {axis = 0 : i32, efficient_layout} : (tensor<16x4xf32>, tensor<8x4xi32>) -> tensor<8x4xf32>
  // CHECK: tt.return
  tt.return
}
// -----

// CHECK-LABEL: @descriptors
tt.func @descriptors(%arg0: !tt.ptr<i8>, %arg1: i32, %arg2: i64, %arg3: tensor<64x32xi8>, %arg4: !tt.tensordesc<1x128xbf16>, %arg5: tensor<32xi32>, %arg6: tensor<32x128xbf16>) {
  // CHECK: %0 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %arg2] : <i8>, <64x32xsi8>
  %0 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %arg2] : <i8>, <64x32xsi8>
  // CHECK: %1 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %arg2] {padding = 2 : i32} : <i8>, <64x32xui8>
  %1 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %arg2] {padding = 2 : i32} : <i8>, <64x32xui8>
  // CHECK: %2 = tt.descriptor_load %0[%arg1, %arg1] : !tt.tensordesc<64x32xsi8> -> tensor<64x32xi8>
  %2 = tt.descriptor_load %0[%arg1, %arg1] : !tt.tensordesc<64x32xsi8> -> tensor<64x32xi8>
  // CHECK: tt.descriptor_store %0[%arg1, %arg1], %arg3 : !tt.tensordesc<64x32xsi8>, tensor<64x32xi8>
  tt.descriptor_store %0[%arg1, %arg1], %arg3 : !tt.tensordesc<64x32xsi8>, tensor<64x32xi8>
  // CHECK: tt.descriptor_reduce add, %0[%arg1, %arg1], %arg3 : !tt.tensordesc<64x32xsi8>, tensor<64x32xi8>
  tt.descriptor_reduce add, %0[%arg1, %arg1], %arg3 : !tt.tensordesc<64x32xsi8>, tensor<64x32xi8>
  // CHECK: tt.descriptor_reduce or, %0[%arg1, %arg1], %arg3 : !tt.tensordesc<64x32xsi8>, tensor<64x32xi8>
  tt.descriptor_reduce or, %0[%arg1, %arg1], %arg3 : !tt.tensordesc<64x32xsi8>, tensor<64x32xi8>
  // CHECK: %3 = tt.descriptor_gather %arg4[%arg5, %arg1] : (!tt.tensordesc<1x128xbf16>, tensor<32xi32>, i32) -> tensor<32x128xbf16>
  %3 = tt.descriptor_gather %arg4[%arg5, %arg1] : (!tt.tensordesc<1x128xbf16>, tensor<32xi32>, i32) -> tensor<32x128xbf16>
  // CHECK: tt.descriptor_scatter %arg4[%arg5, %arg1], %arg6 : !tt.tensordesc<1x128xbf16>, tensor<32xi32>, i32, tensor<32x128xbf16>
  tt.descriptor_scatter %arg4[%arg5, %arg1], %arg6 : !tt.tensordesc<1x128xbf16>, tensor<32xi32>, i32, tensor<32x128xbf16>
  // CHECK: tt.return
  tt.return
}
// -----

// CHECK-LABEL: @declared
tt.func private @declared(f32 {tt.constancy = 4 : i32}) -> f32
// CHECK-LABEL: @helper
tt.func @helper(%arg0: f32) -> (f32, i32) attributes {noinline = true} {
  // CHECK: %c1_i32 = arith.constant 1 : i32
  %c1_i32 = arith.constant 1 : i32
  // CHECK: tt.return %arg0, %c1_i32 : f32, i32
  tt.return %arg0, %c1_i32 : f32, i32
}
// CHECK-LABEL: @caller
tt.func public @caller(%arg0: f32 {tt.divisibility = 16 : i32}) -> (f32 {tt.contiguity = 2 : i32}) {
  // CHECK: %0 = tt.call @declared(%arg0) : (f32) -> f32
  %0 = tt.call @declared(%arg0) : (f32) -> f32
  // CHECK: %1:2 = tt.call @helper(%0) {noinline} : (f32) -> (f32, i32)
  %1:2 = tt.call @helper(%0) {noinline} : (f32) -> (f32, i32)
  // CHECK: tt.return %1#0 : f32
  tt.return %1#0 : f32
}
