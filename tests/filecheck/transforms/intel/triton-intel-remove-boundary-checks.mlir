// RUN: xtriton-opt %s --triton-intel-remove-boundary-checks | filecheck %s

// CHECK-LABEL: @inside(
// CHECK:         tt.load %{{.*}} {boundaryCheck = array<i32: 1>}
tt.func @inside(%p: !tt.ptr<f16>, %k: i64, %j: i32) -> tensor<16x32xf16> {
  %c48 = arith.constant 48 : i32
  %one = arith.constant 1 : i64
  %m = arith.constant 64 : i64
  %q = tt.make_tensor_ptr %p, [%m, %k], [%k, %one], [%c48, %j] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
  %x = tt.load %q {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x32xf16>>
  tt.return %x : tensor<16x32xf16>
}

// The last block begins at 48 and ends with the parent; one row more would not fit.
// CHECK-LABEL: @loop(
// CHECK:         tt.load %{{[^ ]*}} : !tt.ptr<tensor<16x32xf16>>
// CHECK:         tt.load %{{.*}} {boundaryCheck = array<i32: 0>}
tt.func @loop(%p: !tt.ptr<f16>, %o: !tt.ptr<tensor<16x32xf16>>, %k: i64) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %one = arith.constant 1 : i64
  %m = arith.constant 64 : i64
  %less = arith.constant 63 : i64
  scf.for %i = %c0 to %c64 step %c16 : i32 {
    %q = tt.make_tensor_ptr %p, [%m, %k], [%k, %one], [%i, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
    %x = tt.load %q {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<16x32xf16>>
    %r = tt.make_tensor_ptr %p, [%less, %k], [%k, %one], [%i, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
    %y = tt.load %r {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<16x32xf16>>
    tt.store %o, %x : !tt.ptr<tensor<16x32xf16>>
    tt.store %o, %y : !tt.ptr<tensor<16x32xf16>>
  }
  tt.return
}

// A negative offset leaves the parent at the other end; an advanced pointer is elsewhere.
// CHECK-LABEL: @outside(
// CHECK:         tt.load %{{.*}} {boundaryCheck = array<i32: 0>}
// CHECK:         tt.load %{{.*}} {boundaryCheck = array<i32: 0>}
tt.func @outside(%p: !tt.ptr<f16>, %o: !tt.ptr<tensor<16x32xf16>>, %k: i64, %n: i32) {
  %c0 = arith.constant 0 : i32
  %before = arith.constant -8 : i32
  %one = arith.constant 1 : i64
  %m = arith.constant 64 : i64
  %q = tt.make_tensor_ptr %p, [%m, %k], [%k, %one], [%before, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
  %x = tt.load %q {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<16x32xf16>>
  %r = tt.make_tensor_ptr %p, [%m, %k], [%k, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
  %s = tt.advance %r, [%n, %c0] : <tensor<16x32xf16>>
  %y = tt.load %s {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<16x32xf16>>
  tt.store %o, %x : !tt.ptr<tensor<16x32xf16>>
  tt.store %o, %y : !tt.ptr<tensor<16x32xf16>>
  tt.return
}
