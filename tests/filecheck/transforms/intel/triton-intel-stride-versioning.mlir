// RUN: xtriton-opt %s --triton-intel-stride-versioning | filecheck %s

// %arg2 is divisible by 16 and so not 1; %arg3 may be.
// CHECK-LABEL: @loop(
// CHECK:         %[[ONE:.*]] = arith.constant 1 : i64
// CHECK:         %[[P:.*]] = tt.make_tensor_ptr %arg0, [%arg1, %arg1], [%arg2, %[[ONE]]]
// CHECK:         %[[Q:.*]] = tt.make_tensor_ptr %arg0, [%arg1, %arg1], [%arg2, %arg3]
// CHECK:         %[[IS:.*]] = arith.cmpi eq, %arg3, %[[ONE]]
// CHECK:         scf.if %[[IS]]
// CHECK:           tt.advance %[[P]]
// CHECK:         } else {
// CHECK:           tt.advance %[[Q]]
tt.func @loop(%p: !tt.ptr<f16>, %m: i64, %s: i64 {tt.divisibility = 16 : i32}, %t: i64, %n: i32) -> tensor<16x32xf16> {
  %zero = arith.constant dense<0.0> : tensor<16x32xf16>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %q = tt.make_tensor_ptr %p, [%m, %m], [%s, %t], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x32xf16>) : i32 {
    %a = tt.advance %q, [%i, %c0] : <tensor<16x32xf16>>
    %x = tt.load %a {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x32xf16>>
    %y = arith.addf %acc, %x : tensor<16x32xf16>
    scf.yield %y : tensor<16x32xf16>
  }
  tt.return %r : tensor<16x32xf16>
}

// One stride is 1 already.
// CHECK-LABEL: @known(
// CHECK-NOT:     scf.if
tt.func @known(%p: !tt.ptr<f16>, %m: i64, %t: i64, %n: i32) -> tensor<16x32xf16> {
  %zero = arith.constant dense<0.0> : tensor<16x32xf16>
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %q = tt.make_tensor_ptr %p, [%m, %m], [%t, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x32xf16>) : i32 {
    %a = tt.advance %q, [%i, %c0] : <tensor<16x32xf16>>
    %x = tt.load %a : !tt.ptr<tensor<16x32xf16>>
    %y = arith.addf %acc, %x : tensor<16x32xf16>
    scf.yield %y : tensor<16x32xf16>
  }
  tt.return %r : tensor<16x32xf16>
}

// The fastest dimension's stride is divisible by 16 and so not 1: that of the other may be.
// CHECK-LABEL: @divisible(
// CHECK:         %[[ONE:.*]] = arith.constant 1 : i64
// CHECK:         tt.make_tensor_ptr %arg0, [%arg1, %arg1], [%arg2, %[[ONE]]]
// CHECK:         arith.cmpi eq, %arg3, %[[ONE]]
tt.func @divisible(%p: !tt.ptr<f16>, %m: i64, %s: i64 {tt.divisibility = 16 : i32}, %t: i64, %n: i32) -> tensor<16x32xf16> {
  %zero = arith.constant dense<0.0> : tensor<16x32xf16>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %q = tt.make_tensor_ptr %p, [%m, %m], [%s, %t], [%c0, %c0] {order = array<i32: 0, 1>} : <tensor<16x32xf16>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x32xf16>) : i32 {
    %x = tt.load %q : !tt.ptr<tensor<16x32xf16>>
    %y = arith.addf %acc, %x : tensor<16x32xf16>
    scf.yield %y : tensor<16x32xf16>
  }
  tt.return %r : tensor<16x32xf16>
}
