// RUN: xtriton-opt %s --unstructured-to-memref --cse --split-input-file | filecheck %s

// CHECK-LABEL: func.func @gather
// CHECK-SAME: (%[[P:.+]]: memref<*xf32>, %[[I:.+]]: tensor<8xi32>, %[[M:.+]]: tensor<8xi1>, %[[D:.+]]: f32)
// CHECK: %[[FLAT:.+]] = memref.cast %[[P]] : memref<*xf32> to memref<?xf32>
// CHECK: linalg.generic {{.*}} ins(%[[I]], %[[M]] : tensor<8xi32>, tensor<8xi1>)
// CHECK: scf.if
// CHECK: memref.load %[[FLAT]]
// CHECK: else
// CHECK: scf.yield %[[D]] : f32
func.func @gather(%p: !tt.ptr<f32>, %i: tensor<8xi32>, %m: tensor<8xi1>, %d: f32) -> tensor<8xf32> {
  %x = tts.gather %p[%i] mask = %m default = %d : (<f32>, tensor<8xi32>) -> tensor<8xf32>
  return %x : tensor<8xf32>
}

// -----

// A scalar access obeys its mask.

// CHECK-LABEL: func.func @scalar
// CHECK: scf.if %{{.+}} {
// CHECK: memref.reinterpret_cast %{{.+}} to offset: [%{{.+}}], sizes: [1], strides: [1]
// CHECK: affine.store
func.func @scalar(%p: !tt.ptr<f32>, %o: i32, %v: f32, %c: i1) {
  tts.scatter %v into %p[%o] mask = %c : f32 into (<f32>, i32)
  return
}

// -----

// CHECK-LABEL: func.func @atomic
// CHECK: memref.atomic_rmw addf %{{.+}}, %{{.+}}[%{{.+}}] {tt.scope = {{.+}}, tt.sem = {{.+}}} : (f32, memref<?xf32>) -> f32
func.func @atomic(%p: !tt.ptr<f32>, %o: i32, %v: f32) -> f32 {
  %x = tts.unstructured_atomic_rmw fadd, acq_rel, gpu, %p[%o], %v : (!tt.ptr<f32>, i32, f32) -> f32
  return %x : f32
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

// -----

// Volatile loads stay two, whatever else is merged.
// CHECK-LABEL: func.func @volatile
// CHECK: affine.load %{{.+}}[0] {tt.volatile} : memref<1xi32
// CHECK: affine.load %{{.+}}[0] {tt.volatile} : memref<1xi32
// CHECK: memref.load %{{.+}}[%{{.+}}] {tt.volatile} : memref<?xi32>
func.func @volatile(%p: !tt.ptr<i32>, %i: tensor<8xi32>) -> (i32, i32, tensor<8xi32>) {
  %c0 = arith.constant 0 : i32
  %x = tts.gather %p[%c0] {tt.volatile} : (<i32>, i32) -> i32
  %y = tts.gather %p[%c0] {tt.volatile} : (<i32>, i32) -> i32
  %z = tts.gather %p[%i] {tt.volatile} : (<i32>, tensor<8xi32>) -> tensor<8xi32>
  return %x, %y, %z : i32, i32, tensor<8xi32>
}
