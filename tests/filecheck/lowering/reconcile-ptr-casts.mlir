// RUN: xtriton-opt %s --reconcile-ptr-casts | filecheck %s

// CHECK-LABEL: func.func @there_and_back
// CHECK-SAME: (%[[M:.+]]: memref<*xf32>)
// CHECK-NEXT: return %[[M]] : memref<*xf32>
func.func @there_and_back(%m: memref<*xf32>) -> memref<*xf32> {
  %0 = builtin.unrealized_conversion_cast %m : memref<*xf32> to !tt.ptr<f32>
  %1 = builtin.unrealized_conversion_cast %0 : !tt.ptr<f32> to memref<*xf32>
  return %1 : memref<*xf32>
}

// CHECK-LABEL: func.func @another_rank
// CHECK: memref.cast %{{.+}} : memref<*xf32> to memref<?xf32>
func.func @another_rank(%m: memref<*xf32>) -> memref<?xf32> {
  %0 = builtin.unrealized_conversion_cast %m : memref<*xf32> to !tt.ptr<f32>
  %1 = builtin.unrealized_conversion_cast %0 : !tt.ptr<f32> to memref<?xf32>
  return %1 : memref<?xf32>
}

// What has no other end stays.
// CHECK-LABEL: func.func @stays
// CHECK: builtin.unrealized_conversion_cast
func.func @stays(%m: memref<*xf32>) -> !tt.ptr<f32> {
  %0 = builtin.unrealized_conversion_cast %m : memref<*xf32> to !tt.ptr<f32>
  return %0 : !tt.ptr<f32>
}
