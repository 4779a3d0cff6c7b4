// RUN: xtriton-opt %s --tritongpu-combine-tensor-select-and-if | filecheck %s

// A choice between tensors joins the branch on the same condition.
// CHECK-LABEL: @join(
// CHECK-NOT:     arith.select
// CHECK:         %[[R:.*]] = scf.if %arg3 -> (tensor<64xf32>) {
// CHECK:           tt.store
// CHECK:           scf.yield %arg0 : tensor<64xf32>
// CHECK:         } else {
// CHECK:           scf.yield %arg1 : tensor<64xf32>
// CHECK:         }
// CHECK:         tt.store %arg2, %[[R]]
tt.func @join(%x: tensor<64xf32>, %y: tensor<64xf32>, %p: tensor<64x!tt.ptr<f32>>, %c: i1) {
  %0 = arith.select %c, %x, %y : tensor<64xf32>
  scf.if %c {
    tt.store %p, %x : tensor<64x!tt.ptr<f32>>
  }
  tt.store %p, %0 : tensor<64x!tt.ptr<f32>>
  tt.return
}

// Not if the condition is another one.
// CHECK-LABEL: @apart(
// CHECK:         arith.select
// CHECK:         scf.if
tt.func @apart(%x: tensor<64xf32>, %y: tensor<64xf32>, %p: tensor<64x!tt.ptr<f32>>, %c: i1, %d: i1) {
  %0 = arith.select %c, %x, %y : tensor<64xf32>
  scf.if %d {
    tt.store %p, %x : tensor<64x!tt.ptr<f32>>
  }
  tt.store %p, %0 : tensor<64x!tt.ptr<f32>>
  tt.return
}
