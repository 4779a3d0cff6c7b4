// RUN: xtriton-opt %s --triton-combine | filecheck %s

// A sum after a dot is its accumulator.
// CHECK-LABEL: @dot(
// CHECK:         %[[D:.*]] = tt.dot %arg0, %arg1, %arg2
// CHECK-NEXT:    tt.return %[[D]]
tt.func @dot(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %c: tensor<16x16xf32>)
    -> tensor<16x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %0 = tt.dot %a, %b, %zero : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  %1 = arith.addf %0, %c : tensor<16x16xf32>
  tt.return %1 : tensor<16x16xf32>
}

// Two constant offsets are one.
// CHECK-LABEL: @offsets(
// CHECK:         %[[C:.*]] = arith.constant dense<7> : tensor<8xi32>
// CHECK-NEXT:    tt.addptr %arg0, %[[C]] : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
tt.func @offsets(%p: tensor<8x!tt.ptr<f32>>) -> tensor<8x!tt.ptr<f32>> {
  %c3 = arith.constant dense<3> : tensor<8xi32>
  %c4 = arith.constant dense<4> : tensor<8xi32>
  %0 = tt.addptr %p, %c3 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %1 = tt.addptr %0, %c4 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  tt.return %1 : tensor<8x!tt.ptr<f32>>
}

// Choosing between a masked load and a value is the load's other value.
// CHECK-LABEL: @masked_load(
// CHECK:         %[[M:.*]] = tt.splat %arg2 : i1 -> tensor<8xi1>
// CHECK-NEXT:    %[[X:.*]] = tt.load %arg0, %[[M]], %arg1
// CHECK-NEXT:    tt.return %[[X]]
tt.func @masked_load(%p: tensor<8x!tt.ptr<f32>>, %x: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
  %cst = arith.constant dense<0.0> : tensor<8xf32>
  %m = tt.splat %c : i1 -> tensor<8xi1>
  %0 = tt.load %p, %m, %cst : tensor<8x!tt.ptr<f32>>
  %1 = arith.select %c, %0, %x : tensor<8xf32>
  tt.return %1 : tensor<8xf32>
}
