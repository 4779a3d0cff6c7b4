// RUN: xtriton-opt %s --triton-reorder-broadcast | filecheck %s

// What is done to each element of a splat is done once.
// CHECK-LABEL: @splat(
// CHECK:         %[[C:.*]] = arith.constant 1.000000e+00 : f32
// CHECK:         %[[S:.*]] = arith.addf %arg0, %[[C]] : f32
// CHECK:         tt.splat %[[S]] : f32 -> tensor<8x8xf32>
tt.func @splat(%x: f32) -> tensor<8x8xf32> {
  %c = arith.constant dense<1.0> : tensor<8x8xf32>
  %0 = tt.splat %x : f32 -> tensor<8x8xf32>
  %1 = arith.addf %0, %c : tensor<8x8xf32>
  tt.return %1 : tensor<8x8xf32>
}

// And what is done to broadcasts of one shape before the broadcast,
// CHECK-LABEL: @broadcast(
// CHECK:         %[[P:.*]] = arith.mulf %arg0, %arg0 : tensor<8x1xf32>
// CHECK-NEXT:    tt.broadcast %[[P]] : tensor<8x1xf32> -> tensor<8x8xf32>
tt.func @broadcast(%x: tensor<8x1xf32>) -> tensor<8x8xf32> {
  %0 = tt.broadcast %x : tensor<8x1xf32> -> tensor<8x8xf32>
  %1 = arith.mulf %0, %0 : tensor<8x8xf32>
  tt.return %1 : tensor<8x8xf32>
}

// but not of two.
// CHECK-LABEL: @shapes(
// CHECK:         arith.mulf %{{.*}}, %{{.*}} : tensor<8x8xf32>
tt.func @shapes(%x: tensor<8x1xf32>, %y: tensor<1x8xf32>) -> tensor<8x8xf32> {
  %0 = tt.broadcast %x : tensor<8x1xf32> -> tensor<8x8xf32>
  %1 = tt.broadcast %y : tensor<1x8xf32> -> tensor<8x8xf32>
  %2 = arith.mulf %0, %1 : tensor<8x8xf32>
  tt.return %2 : tensor<8x8xf32>
}
