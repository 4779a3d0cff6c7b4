// RUN: xtriton-opt %s --triton-intel-fuse-reshape | filecheck %s
// RUN: xtriton-opt %s --triton-intel-fuse-reshape=prove-divisibility | filecheck %s --check-prefix=PROVE

// CHECK-LABEL: @batch(
// CHECK:         %[[D:.*]] = arith.divui %arg2, %arg3 : i64
// CHECK:         %[[S:.*]] = arith.muli %arg1, %[[D]] : i64
// CHECK:         %[[M:.*]] = arith.addi %[[S]], %arg1 : i64
// CHECK:         %[[T:.*]] = arith.trunci %[[D]] : i64 to i32
// CHECK:         %[[X:.*]] = arith.muli %arg4, %[[T]] : i32
// CHECK:         %[[I:.*]] = arith.addi %[[X]], %arg5 : i32
// CHECK:         %[[P:.*]] = tt.make_tensor_ptr %arg0, [%[[M]], %arg1], [%arg3, %c1_i64], [%[[I]], %c0_i32] {order = array<i32: 1, 0>} : <tensor<32x16xf16>>
// CHECK:         %[[A:.*]] = tt.load %[[P]] {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<32x16xf16>>
// CHECK-NEXT:    tt.dot %[[A]]
// PROVE-LABEL: @batch(
// PROVE:         tt.reshape
tt.func @batch(%p: !tt.ptr<f16>, %n: i64, %a: i64, %b: i64, %x: i32, %y: i32, %w: tensor<16x16xf16>) -> tensor<32x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %q = tt.make_tensor_ptr %p, [%n, %n, %n], [%a, %b, %one], [%x, %y, %c0] {order = array<i32: 2, 1, 0>} : <tensor<1x32x16xf16>>
  %v = tt.load %q {boundaryCheck = array<i32: 2>} : !tt.ptr<tensor<1x32x16xf16>>
  %m = tt.reshape %v : tensor<1x32x16xf16> -> tensor<32x16xf16>
  %d = tt.dot %m, %w, %zero : tensor<32x16xf16> * tensor<16x16xf16> -> tensor<32x16xf32>
  tt.return %d : tensor<32x16xf32>
}

// A check of the rows would be one of all rows of the batch.
// CHECK-LABEL: @rows(
// CHECK:         tt.reshape
// PROVE-LABEL: @rows(
tt.func @rows(%p: !tt.ptr<f16>, %n: i64, %a: i64, %b: i64, %x: i32, %y: i32, %w: tensor<16x16xf16>) -> tensor<32x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %q = tt.make_tensor_ptr %p, [%n, %n, %n], [%a, %b, %one], [%x, %y, %c0] {order = array<i32: 2, 1, 0>} : <tensor<1x32x16xf16>>
  %v = tt.load %q {boundaryCheck = array<i32: 1, 2>} : !tt.ptr<tensor<1x32x16xf16>>
  %m = tt.reshape %v : tensor<1x32x16xf16> -> tensor<32x16xf16>
  %d = tt.dot %m, %w, %zero : tensor<32x16xf16> * tensor<16x16xf16> -> tensor<32x16xf32>
  tt.return %d : tensor<32x16xf32>
}

// A step along the batch is one of so many rows.
// CHECK-LABEL: @advanced(
// CHECK:         %[[R:.*]] = arith.trunci %{{.*}} : i64 to i32
// CHECK:         %[[P:.*]] = tt.make_tensor_ptr
// CHECK:         %[[X:.*]] = arith.muli %arg4, %[[R]] : i32
// CHECK-NEXT:    %[[Y:.*]] = arith.addi %[[X]], %arg5 : i32
// CHECK-NEXT:    tt.advance %[[P]], [%[[Y]], %c0_i32] : <tensor<32x16xf16>>
tt.func @advanced(%p: !tt.ptr<f16>, %n: i64, %a: i64, %b: i64, %x: i32, %y: i32, %w: tensor<16x16xf16>) -> tensor<32x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %q = tt.make_tensor_ptr %p, [%n, %n, %n], [%a, %b, %one], [%c0, %c0, %c0] {order = array<i32: 2, 1, 0>} : <tensor<1x32x16xf16>>
  %r = tt.advance %q, [%x, %y, %c0] : <tensor<1x32x16xf16>>
  %v = tt.load %r : !tt.ptr<tensor<1x32x16xf16>>
  %m = tt.reshape %v : tensor<1x32x16xf16> -> tensor<32x16xf16>
  %d = tt.dot %m, %w, %zero : tensor<32x16xf16> * tensor<16x16xf16> -> tensor<32x16xf32>
  tt.return %d : tensor<32x16xf32>
}
