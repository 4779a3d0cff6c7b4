// RUN: xtriton-opt %s --structured-to-memref=short-masks=true --canonicalize --cse | filecheck %s

// One op less than `max(min(start + 64, n), start) - start`.
// CHECK-LABEL: @prefix
// CHECK: %[[BELOW:.+]] = arith.subi %arg2, %arg1 : index
// CHECK: %[[LEAST:.+]] = arith.minsi %[[BELOW]], %c64 : index
// CHECK: %[[LIVE:.+]] = arith.maxsi %[[LEAST]], %c0 : index
// CHECK: memref.subview %{{.+}}[0] [%[[LIVE]]] [1]
// CHECK-NOT: arith.addi
func.func @prefix(%p: !tt.ptr<f32>, %start: index, %n: index, %zero: f32) -> tensor<64xf32> {
  %c64 = arith.constant 64 : index
  %end = arith.addi %start, %c64 : index
  %least = arith.minsi %end, %n : index
  %most = arith.maxsi %least, %start : index
  %live = arith.subi %most, %start : index
  %b = tts.make_tptr %p to sizes: [64], strides: [1], offsets: [%start], shape: [0], order: [] : <f32> to tensor<64x!tt.ptr<f32>>
  %x = "tts.load"(%b, %live, %zero) <{operandSegmentSizes = array<i32: 1, 1, 1>, static_mask_dims = array<i64: -9223372036854775808>}> : (tensor<64x!tt.ptr<f32>>, index, f32) -> tensor<64xf32>
  return %x : tensor<64xf32>
}

// A condition stays in the first dimension, and the minimum with the whole size goes.
// CHECK-LABEL: @guard
// CHECK: %[[ROWS:.+]] = arith.select %arg1, %c4, %c0 : index
// CHECK-NOT: arith.minsi
// CHECK: memref.subview %{{.+}}[0, 0] [%[[ROWS]], 8] [1, 1]
func.func @guard(%p: !tt.ptr<f32>, %on: i1, %v: tensor<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %rows = arith.select %on, %c4, %c0 : index
  %columns = arith.select %on, %c8, %c0 : index
  %b = tts.make_tptr %p to sizes: [4, 8], strides: [8, 1], offsets: [0, 0], shape: [0, 0], order: [] : <f32> to tensor<4x8x!tt.ptr<f32>>
  "tts.store"(%b, %v, %rows, %columns) <{static_mask_dims = array<i64: -9223372036854775808, -9223372036854775808>}> : (tensor<4x8x!tt.ptr<f32>>, tensor<4x8xf32>, index, index) -> ()
  return
}
