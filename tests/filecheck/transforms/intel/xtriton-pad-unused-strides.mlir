// RUN: xtriton-opt %s --xtriton-pad-unused-strides --canonicalize --triton-version=3.7 | filecheck %s

// The row is as long as the tensor is wide, in whole lines of 64 bytes.
// CHECK-LABEL: @row(
// CHECK-DAG:     %[[C16:.*]] = arith.constant 16 : i64
// CHECK-DAG:     %[[C15:.*]] = arith.constant 15 : i64
// CHECK:         %[[A:.*]] = arith.addi %arg1, %[[C15]] : i64
// CHECK:         %[[B:.*]] = arith.divsi %[[A]], %[[C16]] : i64
// CHECK:         %[[C:.*]] = arith.muli %[[B]], %[[C16]] : i64
// CHECK:         tt.make_tensor_ptr %arg0, [%{{.*}}, %arg1], [%[[C]], %{{.*}}], [%{{.*}}, %arg2]
tt.func public @row(%p: !tt.ptr<f32>, %n: i64, %j: i32, %x: tensor<1x256xf32>) {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %q = tt.make_tensor_ptr %p, [%one, %n], [%zero, %one], [%c0, %j] {order = array<i32: 1, 0>} : <tensor<1x256xf32>>
  tt.store %q, %x {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<1x256xf32>>
  tt.return
}

// So is a column.
// CHECK-LABEL: @column(
// CHECK:         %[[C128:.*]] = arith.constant 128 : i64
// CHECK:         tt.make_tensor_ptr %arg0, [%{{.*}}, %{{.*}}], [%{{.*}}, %[[C128]]]
tt.func public @column(%p: !tt.ptr<f16>, %j: i32, %x: tensor<64x1xf16>) {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = arith.constant 100 : i64
  %q = tt.make_tensor_ptr %p, [%n, %one], [%one, %zero], [%j, %c0] {order = array<i32: 0, 1>} : <tensor<64x1xf16>>
  tt.store %q, %x {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<64x1xf16>>
  tt.return
}

// Here rows are all the same one, there another offset would make a difference.
// CHECK-LABEL: @used(
// CHECK:         %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK-COUNT-2: tt.make_tensor_ptr %arg0, [%{{.*}}, %arg1], [%[[ZERO]], %{{.*}}]
tt.func public @used(%p: !tt.ptr<f32>, %n: i64, %i: i32, %x: tensor<2x256xf32>, %y: tensor<1x256xf32>) {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %q = tt.make_tensor_ptr %p, [%one, %n], [%zero, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<2x256xf32>>
  tt.store %q, %x : !tt.ptr<tensor<2x256xf32>>
  %r = tt.make_tensor_ptr %p, [%one, %n], [%zero, %one], [%i, %c0] {order = array<i32: 1, 0>} : <tensor<1x256xf32>>
  tt.store %r, %y : !tt.ptr<tensor<1x256xf32>>
  tt.return
}
