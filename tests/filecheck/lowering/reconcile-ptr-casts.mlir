// RUN: xtriton-opt %s --reconcile-ptr-casts | filecheck %s

// There and back again.
// CHECK-LABEL: func.func @undone(
// CHECK-NEXT:    return %arg0 : memref<*xf32>
func.func @undone(%m: memref<*xf32>) -> memref<*xf32> {
  %0 = builtin.unrealized_conversion_cast %m : memref<*xf32> to !tt.ptr<f32>
  %1 = builtin.unrealized_conversion_cast %0 : !tt.ptr<f32> to memref<*xf32>
  return %1 : memref<*xf32>
}

// Another rank takes a cast of memrefs.
// CHECK-LABEL: func.func @ranked(
// CHECK-NEXT:    %[[M:.*]] = memref.cast %arg0 : memref<*xf32> to memref<?xf32>
// CHECK-NEXT:    return %[[M]] : memref<?xf32>
func.func @ranked(%m: memref<*xf32>) -> memref<?xf32> {
  %0 = builtin.unrealized_conversion_cast %m : memref<*xf32> to !tt.ptr<f32>
  %1 = builtin.unrealized_conversion_cast %0 : !tt.ptr<f32> to memref<?xf32>
  return %1 : memref<?xf32>
}

// A cast that somebody needs stays.
// CHECK-LABEL: func.func @needed(
// CHECK-NEXT:    %[[P:.*]] = builtin.unrealized_conversion_cast %arg0 : memref<*xf32> to !tt.ptr<f32>
// CHECK-NEXT:    return %[[P]] : !tt.ptr<f32>
func.func @needed(%m: memref<*xf32>) -> !tt.ptr<f32> {
  %0 = builtin.unrealized_conversion_cast %m : memref<*xf32> to !tt.ptr<f32>
  return %0 : !tt.ptr<f32>
}
