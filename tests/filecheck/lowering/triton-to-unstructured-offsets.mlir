// RUN: xtriton-opt %s --triton-to-unstructured | filecheck %s
// RUN: xtriton-opt %s --triton-to-unstructured=offset-bit-width=64 | filecheck %s --check-prefix=WIDE

// One base and one offset; a default that is no splat is selected afterwards.
// CHECK-LABEL: @gather(
// CHECK-NEXT:    %[[X:.*]] = tts.gather %arg0[%arg1] mask = %arg2 : (<f32>, tensor<64xi32>) -> tensor<64xf32>
// CHECK-NEXT:    %[[Y:.*]] = arith.select %arg2, %[[X]], %arg3
// CHECK-NEXT:    tt.return %[[Y]]
tt.func @gather(%p: !tt.ptr<f32>, %i: tensor<64xi32>, %m: tensor<64xi1>, %other: tensor<64xf32>) -> tensor<64xf32> {
  %0 = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %1 = tt.addptr %0, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %2 = tt.load %1, %m, %other : tensor<64x!tt.ptr<f32>>
  tt.return %2 : tensor<64xf32>
}

// Two offsets of 32 bits are added in 64, which cannot overflow.
// CHECK-LABEL: @chain(
// CHECK:         %[[I:.*]] = arith.extsi %arg1 : tensor<64xi32> to tensor<64xi64>
// CHECK:         %[[J:.*]] = arith.extsi %arg2 : tensor<64xi32> to tensor<64xi64>
// CHECK:         %[[K:.*]] = arith.addi %[[I]], %[[J]] : tensor<64xi64>
// CHECK:         tts.scatter %arg3 into %arg0[%[[K]]] : tensor<64xf32> into (<f32>, tensor<64xi64>)
tt.func @chain(%p: !tt.ptr<f32>, %i: tensor<64xi32>, %j: tensor<64xi32>, %x: tensor<64xf32>) {
  %0 = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %1 = tt.addptr %0, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %2 = tt.addptr %1, %j : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %2, %x : tensor<64x!tt.ptr<f32>>
  tt.return
}

// A pointer that nothing was added to has an offset of the width asked for.
// CHECK-LABEL: @same(
// CHECK:         tts.gather %arg0[%{{.*}}] : (<f32>, tensor<64xi32>) -> tensor<64xf32>
// WIDE-LABEL:  @same(
// WIDE:          tts.gather %arg0[%{{.*}}] : (<f32>, tensor<64xi64>) -> tensor<64xf32>
tt.func @same(%p: !tt.ptr<f32>) -> tensor<64xf32> {
  %0 = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %1 = tt.load %0 : tensor<64x!tt.ptr<f32>>
  tt.return %1 : tensor<64xf32>
}

// Pointers from memory have no common base.
// CHECK-LABEL: @table(
// CHECK-NOT:     tts.gather
// CHECK:         tt.load %arg0 : tensor<64x!tt.ptr<f32>>
tt.func @table(%p: tensor<64x!tt.ptr<f32>>) -> tensor<64xf32> {
  %0 = tt.load %p : tensor<64x!tt.ptr<f32>>
  tt.return %0 : tensor<64xf32>
}
