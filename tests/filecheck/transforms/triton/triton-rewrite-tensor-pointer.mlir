// RUN: xtriton-opt %s --triton-rewrite-tensor-pointer --xtriton-check-semantics | filecheck %s

// The loop carries offsets of 64 bits; a check becomes a mask, padding the other value.
// CHECK-LABEL: @loop(
// CHECK:         scf.for {{.*}} iter_args(%[[I:.*]] = %{{.*}}, %[[J:.*]] = %{{.*}}, %{{.*}} = %cst) -> (i64, i64, tensor<16x32xf16>)
// CHECK:           tt.splat %[[I]] : i64 -> tensor<16xi64>
// CHECK:           %[[ROWS:.*]] = tt.expand_dims %{{.*}} {axis = 1 : i32}
// CHECK:           tt.splat %[[J]] : i64 -> tensor<32xi64>
// CHECK:           %[[PTR:.*]] = tt.addptr
// CHECK:           arith.cmpi sge, %[[ROWS]]
// CHECK:           arith.cmpi slt, %[[ROWS]]
// CHECK:           %[[MASK:.*]] = tt.broadcast %{{.*}} : tensor<16x1xi1> -> tensor<16x32xi1>
// CHECK:           tt.load %[[PTR]], %[[MASK]], %{{.*}} : tensor<16x32x!tt.ptr<f16>>
// CHECK:           scf.yield %{{.*}}, %{{.*}}, %{{.*}} : i64, i64, tensor<16x32xf16>
tt.func @loop(%p: !tt.ptr<f16>, %m: i64, %n: i32) -> tensor<16x32xf16> {
  %zero = arith.constant dense<0.0> : tensor<16x32xf16>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  %q = tt.make_tensor_ptr %p, [%m, %m], [%m, %one], [%n, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %q, %s = %zero) -> (!tt.ptr<tensor<16x32xf16>>, tensor<16x32xf16>) : i32 {
    %x = tt.load %a {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<16x32xf16>>
    %y = arith.addf %s, %x : tensor<16x32xf16>
    %b = tt.advance %a, [%c0, %c1] : <tensor<16x32xf16>>
    scf.yield %b, %y : !tt.ptr<tensor<16x32xf16>>, tensor<16x32xf16>
  }
  tt.return %r#1 : tensor<16x32xf16>
}

// What scf.while carries stays.
// CHECK-LABEL: @while(
// CHECK:         tt.make_tensor_ptr
tt.func @while(%p: !tt.ptr<f16>, %m: i64, %n: i32, %go: i1) -> tensor<16x32xf16> {
  %one = arith.constant 1 : i64
  %q = tt.make_tensor_ptr %p, [%m, %m], [%m, %one], [%n, %n] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
  %r = scf.while (%a = %q) : (!tt.ptr<tensor<16x32xf16>>) -> !tt.ptr<tensor<16x32xf16>> {
    scf.condition(%go) %a : !tt.ptr<tensor<16x32xf16>>
  } do {
  ^bb0(%a: !tt.ptr<tensor<16x32xf16>>):
    scf.yield %a : !tt.ptr<tensor<16x32xf16>>
  }
  %x = tt.load %r : !tt.ptr<tensor<16x32xf16>>
  tt.return %x : tensor<16x32xf16>
}

// Trailing dimensions without an offset do not move.
// CHECK-LABEL: @rows_only(
// CHECK:         %[[X:.*]] = arith.extsi %arg2 : i32 to i64
// CHECK:         %[[I:.*]] = arith.addi %{{.*}}, %[[X]] : i64
// CHECK-NOT:     arith.addi
// CHECK:         tt.splat %[[I]] : i64 -> tensor<4xi64>
tt.func @rows_only(%p: !tt.ptr<f32>, %n: i64, %x: i32) {
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %eight = arith.constant 8 : i64
  %cst = arith.constant dense<1.0> : tensor<4x8xf32>
  %q = tt.make_tensor_ptr %p, [%n, %n], [%eight, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<4x8xf32>>
  %r = tt.advance %q, [%x] : <tensor<4x8xf32>>
  tt.store %r, %cst : !tt.ptr<tensor<4x8xf32>>
  tt.return
}

// A pointer that begins as nothing stays one; what is stored to does not.
// CHECK-LABEL: @late(
// CHECK:         ub.poison
// CHECK:         %[[X:.*]] = tt.load %{{.*}} : !tt.ptr<tensor<8xi32>>
// CHECK:         tt.store %{{.*}}, %[[X]] : tensor<8x!tt.ptr<i32>>
tt.func @late(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  %eight = arith.constant 8 : i64
  %none = ub.poison : !tt.ptr<tensor<8xi32>>
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%r = %none) -> (!tt.ptr<tensor<8xi32>>) : i32 {
    %first = arith.cmpi eq, %i, %c0 : i32
    %s = scf.if %first -> (!tt.ptr<tensor<8xi32>>) {
      %m = tt.make_tensor_ptr %p, [%eight], [%one], [%c0] {order = array<i32: 0>} : <tensor<8xi32>>
      scf.yield %m : !tt.ptr<tensor<8xi32>>
    } else {
      scf.yield %r : !tt.ptr<tensor<8xi32>>
    }
    %x = tt.load %s : !tt.ptr<tensor<8xi32>>
    %o = tt.make_tensor_ptr %q, [%eight], [%one], [%c0] {order = array<i32: 0>} : <tensor<8xi32>>
    tt.store %o, %x : !tt.ptr<tensor<8xi32>>
    scf.yield %s : !tt.ptr<tensor<8xi32>>
  }
  tt.return
}
