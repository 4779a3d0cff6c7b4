// RUN: xtriton-opt %s --unstructured-to-memref --split-input-file | filecheck %s

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
// CHECK: memref.store
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
