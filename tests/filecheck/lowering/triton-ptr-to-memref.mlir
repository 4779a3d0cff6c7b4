// RUN: xtriton-opt %s --triton-ptr-to-memref --reconcile-ptr-casts | filecheck %s
// RUN: xtriton-opt %s --triton-ptr-to-memref=ranked-arguments=true | filecheck %s --check-prefix=RANKED

// CHECK: func.func private @callee(memref<*xf32>) -> f32
// RANKED: func.func private @callee(memref<?xf32>) -> f32
func.func private @callee(!tt.ptr<f32>) -> f32

// CHECK: func.func @caller(%[[P:.+]]: memref<*xf32>) -> (f32, memref<4xf32>)
// CHECK: call @callee(%[[P]]) : (memref<*xf32>) -> f32
// CHECK-NOT: unrealized_conversion_cast
// CHECK: memref.reinterpret_cast %[[P]]
func.func @caller(%p: !tt.ptr<f32>) -> (f32, memref<4xf32>) {
  %x = call @callee(%p) : (!tt.ptr<f32>) -> f32
  %m = builtin.unrealized_conversion_cast %p : !tt.ptr<f32> to memref<*xf32>
  %v = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1] : memref<*xf32> to memref<4xf32>
  return %x, %v : f32, memref<4xf32>
}
