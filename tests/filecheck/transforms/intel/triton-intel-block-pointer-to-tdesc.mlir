// RUN: xtriton-opt %s --triton-intel-block-pointer-to-tdesc | filecheck %s

// The loop carries the offset that changes, and neither the pointer nor the other offset.
// CHECK-LABEL: @loop(
// CHECK:         %[[D:.*]] = tt.make_tensor_descriptor %arg0
// CHECK-NOT:     make_tensor_ptr
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %cst, %[[J:.*]] = %c0_i32) -> (tensor<16x32xf16>, i32)
// CHECK-NEXT:      %[[X:.*]] = tt.descriptor_load %[[D]][%arg3, %[[J]]]
// CHECK:           %[[NEXT:.*]] = arith.addi %[[J]], %c32_i32
// CHECK-NEXT:      scf.yield %{{.*}}, %[[NEXT]]
tt.func @loop(%p: !tt.ptr<f16>, %rows: i32, %columns: i32, %i: i32, %n: i32) -> tensor<16x32xf16> {
  %m = arith.extsi %rows : i32 to i64
  %k = arith.extsi %columns : i32 to i64
  %zero = arith.constant dense<0.0> : tensor<16x32xf16>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %one = arith.constant 1 : i64
  %q = tt.make_tensor_ptr %p, [%m, %k], [%k, %one], [%i, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
  %r:2 = scf.for %t = %c0 to %n step %c1 iter_args(%a = %q, %s = %zero) -> (!tt.ptr<tensor<16x32xf16>>, tensor<16x32xf16>) : i32 {
    %x = tt.load %a {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x32xf16>>
    %y = arith.addf %s, %x : tensor<16x32xf16>
    %b = tt.advance %a, [%c0, %c32] : <tensor<16x32xf16>>
    scf.yield %b, %y : !tt.ptr<tensor<16x32xf16>>, tensor<16x32xf16>
  }
  tt.return %r#1 : tensor<16x32xf16>
}

// A load that does not check all dimensions reads beyond the parent: it stays.
// CHECK-LABEL: @unchecked(
// CHECK:         tt.make_tensor_ptr
// CHECK-NEXT:    tt.load
tt.func @unchecked(%p: !tt.ptr<f16>, %m: i64, %i: i32) -> tensor<16x32xf16> {
  %one = arith.constant 1 : i64
  %q = tt.make_tensor_ptr %p, [%m, %m], [%m, %one], [%i, %i] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
  %x = tt.load %q {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<16x32xf16>>
  tt.return %x : tensor<16x32xf16>
}

// Sizes of a descriptor have 32 bits, which need not hold these.
// CHECK-LABEL: @large(
// CHECK-NOT:     arith.trunci
// CHECK:         tt.make_tensor_ptr
tt.func @large(%p: !tt.ptr<f16>, %m: i64, %k: i64, %i: i32) -> tensor<16x32xf16> {
  %one = arith.constant 1 : i64
  %q = tt.make_tensor_ptr %p, [%m, %k], [%k, %one], [%i, %i] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
  %x = tt.load %q {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x32xf16>>
  tt.return %x : tensor<16x32xf16>
}
