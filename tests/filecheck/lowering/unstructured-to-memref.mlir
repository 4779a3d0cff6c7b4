// RUN: xtriton-opt %s --unstructured-to-memref --split-input-file | filecheck %s

// A gather reads element by element, and only where the mask holds.
// CHECK-LABEL: func.func @gather(%arg0: memref<*xf32>, %arg1: tensor<64xi32>, %arg2: tensor<64xi1>, %arg3: f32)
// CHECK:         %[[MEMORY:.*]] = memref.cast %arg0 : memref<*xf32> to memref<?xf32>
// CHECK:         linalg.generic {{.*}} ins(%arg1, %arg2 : tensor<64xi32>, tensor<64xi1>)
// CHECK-NEXT:    ^bb0(%[[I:.*]]: i32, %[[M:.*]]: i1, %{{.*}}: f32):
// CHECK-NEXT:      %[[X:.*]] = scf.if %[[M]] -> (f32) {
// CHECK-NEXT:        %[[AT:.*]] = arith.index_cast %[[I]] : i32 to index
// CHECK-NEXT:        %[[V:.*]] = memref.load %[[MEMORY]][%[[AT]]] : memref<?xf32>
// CHECK-NEXT:        scf.yield %[[V]] : f32
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %arg3 : f32
// CHECK-NEXT:      }
// CHECK-NEXT:      linalg.yield %[[X]] : f32
func.func @gather(%p: !tt.ptr<f32>, %i: tensor<64xi32>, %m: tensor<64xi1>, %other: f32) -> tensor<64xf32> {
  %0 = tts.gather %p[%i] mask = %m default = %other : (<f32>, tensor<64xi32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// A scatter has no result.
// CHECK-LABEL: func.func @scatter(%arg0: memref<*xf32>, %arg1: tensor<64xi32>, %arg2: tensor<64xf32>)
// CHECK:         linalg.generic {{.*}} ins(%arg1, %arg2 : tensor<64xi32>, tensor<64xf32>)
// CHECK-NEXT:    ^bb0(%[[I:.*]]: i32, %[[X:.*]]: f32):
// CHECK-NEXT:      %[[AT:.*]] = arith.index_cast %[[I]] : i32 to index
// CHECK-NEXT:      memref.store %[[X]], %{{.*}}[%[[AT]]] : memref<?xf32>
// CHECK-NEXT:      linalg.yield
func.func @scatter(%p: !tt.ptr<f32>, %i: tensor<64xi32>, %x: tensor<64xf32>) {
  tts.scatter %x into %p[%i] : tensor<64xf32> into (<f32>, tensor<64xi32>)
  return
}
