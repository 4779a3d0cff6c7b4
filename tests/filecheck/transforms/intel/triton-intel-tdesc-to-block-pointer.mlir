// RUN: xtriton-opt %s --triton-intel-tdesc-to-block-pointer --split-input-file | filecheck %s

// All dimensions are checked, the padding is the descriptor's; a size is extended once.
// CHECK-LABEL: @copy(
// CHECK:         %[[M:.*]] = arith.extsi %arg2 : i32 to i64
// CHECK-NOT:     arith.extsi
// CHECK:         %[[P:.*]] = tt.make_tensor_ptr %arg0, [%[[M]], %[[M]]], [%arg3, %c1_i64], [%c0_i32, %c0_i32] {order = array<i32: 1, 0>}
// CHECK:         %[[Q:.*]] = tt.make_tensor_ptr %arg1, [%[[M]], %[[M]]]
// CHECK:         %[[A:.*]] = tt.advance %[[P]], [%arg4, %c0_i32]
// CHECK:         %[[X:.*]] = tt.load %[[A]] {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32}
// CHECK:         %[[B:.*]] = tt.advance %[[Q]], [%arg4, %c0_i32]
// CHECK:         tt.store %[[B]], %[[X]] {boundaryCheck = array<i32: 0, 1>}
tt.func @copy(%p: !tt.ptr<f16>, %q: !tt.ptr<f16>, %m: i32, %s: i64, %i: i32) {
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%m, %m], [%s, %one] {padding = 2 : i32} : <f16>, <tensor<16x32xf16>>
  %e = tt.make_tensor_descriptor %q, [%m, %m], [%s, %one] : <f16>, <tensor<16x32xf16>>
  %x = tt.descriptor_load %d[%i, %c0] : !tt.tensordesc<tensor<16x32xf16>> -> tensor<16x32xf16>
  tt.descriptor_store %e[%i, %c0], %x : !tt.tensordesc<tensor<16x32xf16>>, tensor<16x32xf16>
  tt.return
}

// -----

// The padding of a descriptor from the host is not known.
// CHECK-LABEL: @host(
// CHECK:         tt.descriptor_load
tt.func @host(%d: !tt.tensordesc<tensor<16x32xf16>>, %i: i32) -> tensor<16x32xf16> {
  %x = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<16x32xf16>> -> tensor<16x32xf16>
  tt.return %x : tensor<16x32xf16>
}

// -----

// Two descriptors that a branch chooses from are two block pointers, if what is outside is read alike.
// CHECK-LABEL: @chosen(
// CHECK:         %[[P:.*]] = tt.make_tensor_ptr %arg0
// CHECK:         %[[Q:.*]] = tt.make_tensor_ptr %arg1
// CHECK:         %[[E:.*]] = arith.select %arg5, %[[P]], %[[Q]]
// CHECK:         %[[A:.*]] = tt.advance %[[E]]
// CHECK:         tt.load %[[A]] {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32}
tt.func @chosen(%p: !tt.ptr<f16>, %q: !tt.ptr<f16>, %m: i32, %s: i64, %i: i32, %c: i1) -> tensor<16x32xf16> {
  %one = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%m, %m], [%s, %one] : <f16>, <tensor<16x32xf16>>
  %e = tt.make_tensor_descriptor %q, [%m, %m], [%s, %one] : <f16>, <tensor<16x32xf16>>
  %f = arith.select %c, %d, %e : !tt.tensordesc<tensor<16x32xf16>>
  %x = tt.descriptor_load %f[%i, %i] : !tt.tensordesc<tensor<16x32xf16>> -> tensor<16x32xf16>
  tt.return %x : tensor<16x32xf16>
}

// -----

// CHECK-LABEL: @unlike(
// CHECK:         tt.descriptor_load
tt.func @unlike(%p: !tt.ptr<f16>, %q: !tt.ptr<f16>, %m: i32, %s: i64, %i: i32, %c: i1) -> tensor<16x32xf16> {
  %one = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%m, %m], [%s, %one] {padding = 2 : i32} : <f16>, <tensor<16x32xf16>>
  %e = tt.make_tensor_descriptor %q, [%m, %m], [%s, %one] : <f16>, <tensor<16x32xf16>>
  %f = arith.select %c, %d, %e : !tt.tensordesc<tensor<16x32xf16>>
  %x = tt.descriptor_load %f[%i, %i] : !tt.tensordesc<tensor<16x32xf16>> -> tensor<16x32xf16>
  tt.return %x : tensor<16x32xf16>
}
