// RUN: xtriton-opt %s --triton-to-linalg-experimental | filecheck %s
// RUN: xtriton-opt %s --triton-to-linalg-experimental=ranked-arguments | filecheck %s --check-prefix=RANKED

// A kernel with a block, which is copied, and a gather, which goes element by element.
// CHECK-NOT: tt.
// CHECK-LABEL: func.func @look_up(%arg0: memref<*xi32>, %arg1: memref<*xf32>, %arg2: memref<*xf32>, %arg3: i32, %arg4: i32, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32) {
// RANKED-LABEL: func.func @look_up(%arg0: memref<?xi32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: i32,
// CHECK:         %[[START:.*]] = arith.muli %arg7, %{{.*}} : i32
// CHECK:         memref.reinterpret_cast %arg0 to offset: [%{{.*}}], sizes: [64], strides: [1]
// CHECK:         memref.copy
// CHECK:         %[[I:.*]] = bufferization.to_tensor %{{.*}} restrict writable : memref<64xi32> to tensor<64xi32>
// CHECK:         linalg.generic
// CHECK:           tensor.extract %[[I]]
// CHECK:           memref.load %{{.*}} : memref<?xf32>
// CHECK:         memref.reinterpret_cast %arg2 to offset: [%{{.*}}], sizes: [64], strides: [1]
// CHECK:         bufferization.materialize_in_destination
// CHECK-NOT:     !tt.ptr
// CHECK:         return
tt.func public @look_up(%index: !tt.ptr<i32>, %table: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0> : tensor<64xi32>
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c64 : i32
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %starts = tt.splat %start : i32 -> tensor<64xi32>
  %at = arith.addi %starts, %range : tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %m = arith.cmpi slt, %at, %ns : tensor<64xi32>
  %0 = tt.splat %index : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %1 = tt.addptr %0, %at : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  %i = tt.load %1, %m, %zero : tensor<64x!tt.ptr<i32>>
  %2 = tt.splat %table : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %3 = tt.addptr %2, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %x = tt.load %3, %m : tensor<64x!tt.ptr<f32>>
  %4 = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %5 = tt.addptr %4, %at : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %5, %x, %m : tensor<64x!tt.ptr<f32>>
  tt.return
}
