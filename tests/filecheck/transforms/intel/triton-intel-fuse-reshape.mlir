// RUN: xtriton-opt %s --triton-intel-fuse-reshape | filecheck %s
// RUN: xtriton-opt %s --triton-intel-fuse-reshape=prove-divisibility | filecheck %s --check-prefix=PROVE

// Nobody knows how many rows there are: the matrix is put onto the base.
// CHECK-LABEL: @batch(
// CHECK-NOT:     arith.trunci
// CHECK:         %[[X:.*]] = arith.extsi %arg4 : i32 to i64
// CHECK-NEXT:    %[[O:.*]] = arith.muli %[[X]], %arg2 : i64
// CHECK-NEXT:    %[[B:.*]] = tt.addptr %arg0, %[[O]] : !tt.ptr<f16>, i64
// CHECK-NEXT:    %[[P:.*]] = tt.make_tensor_ptr %[[B]], [%arg1, %arg1], [%arg3, %c1_i64], [%arg5, %c0_i32] {order = array<i32: 1, 0>} : <tensor<32x16xf16>>
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

// A step along the batch would be one of nobody knows how many rows.
// CHECK-LABEL: @advanced(
// CHECK-NOT:     arith.trunci
// CHECK:         tt.reshape
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

// Sixteen matrices of 4096 rows: 32 bits hold the number of each row.
// CHECK-LABEL: @few(
// CHECK-DAG:     %[[S:.*]] = arith.muli %{{.*}}, %[[D:.*]] : i64
// CHECK-DAG:     %[[M:.*]] = arith.addi %[[S]], %{{.*}} : i64
// CHECK:         %[[T:.*]] = arith.trunci %[[D]] : i64 to i32
// CHECK:         %[[I:.*]] = arith.muli %{{.*}}, %[[T]] : i32
// CHECK:         %[[Y:.*]] = arith.addi %[[I]], %{{.*}} : i32
// CHECK:         tt.make_tensor_ptr %arg0, [%[[M]], %{{.*}}], [%{{.*}}, %c1_i64], [%[[Y]], %c0_i32]
tt.func @few(%p: !tt.ptr<f16>, %w: tensor<16x16xf16>, %zero: tensor<32x16xf32>) {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %n = arith.constant 16 : i64
  %m = arith.constant 4096 : i64
  %a = arith.constant 65536 : i64
  scf.for %x = %c0 to %c16 step %c1 : i32 {
    %q = tt.make_tensor_ptr %p, [%n, %m, %n], [%a, %n, %one], [%x, %c16, %c0] {order = array<i32: 2, 1, 0>} : <tensor<1x32x16xf16>>
    %v = tt.load %q {boundaryCheck = array<i32: 2>} : !tt.ptr<tensor<1x32x16xf16>>
    %r = tt.reshape %v : tensor<1x32x16xf16> -> tensor<32x16xf16>
    %d = tt.dot %r, %w, %zero : tensor<32x16xf16> * tensor<16x16xf16> -> tensor<32x16xf32>
  }
  tt.return
}
