// RUN: xtriton-opt %s --triton-ptr-to-memref | filecheck %s
// RUN: xtriton-opt %s --triton-ptr-to-memref=ranked-arguments | filecheck %s --check-prefix=RANKED

// CHECK-LABEL: func.func private @inner(memref<*xf32>, i32)
// RANKED-LABEL: func.func private @inner(memref<?xf32>, i32)
func.func private @inner(!tt.ptr<f32>, i32)

// A call passes the memref on; for anything else a cast gives the pointer back.
// CHECK-LABEL: func.func @outer(%arg0: memref<*xf32>, %arg1: i32) -> f32
// CHECK:         %[[P:.*]] = builtin.unrealized_conversion_cast %arg0 : memref<*xf32> to !tt.ptr<f32>
// CHECK:         call @inner(%{{.*}}, %arg1) : (memref<*xf32>, i32) -> ()
// CHECK:         tt.load %[[P]] : !tt.ptr<f32>
// RANKED-LABEL: func.func @outer(%arg0: memref<?xf32>, %arg1: i32) -> f32
func.func @outer(%p: !tt.ptr<f32>, %n: i32) -> f32 {
  call @inner(%p, %n) : (!tt.ptr<f32>, i32) -> ()
  %0 = tt.load %p : !tt.ptr<f32>
  return %0 : f32
}
