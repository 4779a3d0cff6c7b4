// RUN: xtriton-opt %s --split-input-file --canonicalize | filecheck %s

// CHECK-LABEL: @shapes
tt.func @shapes(%x: tensor<8x4xf32>, %t: tensor<8xf32>) -> (tensor<8x4xf32>, tensor<8xf32>, tensor<8x4xf32>) {
  // CHECK-NEXT: tt.return %arg0, %arg1, %arg0
  %0 = tt.trans %x {order = array<i32: 1, 0>} : tensor<8x4xf32> -> tensor<4x8xf32>
  %1 = tt.trans %0 {order = array<i32: 1, 0>} : tensor<4x8xf32> -> tensor<8x4xf32>
  %2 = tt.expand_dims %t {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
  %3 = tt.reshape %2 : tensor<8x1xf32> -> tensor<8xf32>
  %4 = tt.broadcast %x : tensor<8x4xf32> -> tensor<8x4xf32>
  tt.return %1, %3, %4 : tensor<8x4xf32>, tensor<8xf32>, tensor<8x4xf32>
}

// -----

// CHECK-LABEL: @composed_transposes
tt.func @composed_transposes(%x: tensor<8x4x2xf32>) -> tensor<4x2x8xf32> {
  // CHECK-NEXT: %0 = tt.trans %arg0 {order = array<i32: 1, 2, 0>} : tensor<8x4x2xf32> -> tensor<4x2x8xf32>
  %0 = tt.trans %x {order = array<i32: 2, 0, 1>} : tensor<8x4x2xf32> -> tensor<2x8x4xf32>
  %1 = tt.trans %0 {order = array<i32: 2, 0, 1>} : tensor<2x8x4xf32> -> tensor<4x2x8xf32>
  tt.return %1 : tensor<4x2x8xf32>
}

// -----

// CHECK-LABEL: @reordering_reshapes
tt.func @reordering_reshapes(%x: tensor<8x4xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  // CHECK-NEXT: tt.reshape %arg0 allow_reorder : tensor<8x4xf32> -> tensor<4x8xf32>
  %0 = tt.reshape %x allow_reorder : tensor<8x4xf32> -> tensor<32xf32>
  %1 = tt.reshape %0 : tensor<32xf32> -> tensor<4x8xf32>
  // CHECK-NEXT: tt.reshape %arg0 allow_reorder efficient_layout
  // CHECK-NEXT: tt.reshape %{{.*}} : tensor<32xf32> -> tensor<4x8xf32>
  %2 = tt.reshape %x allow_reorder efficient_layout : tensor<8x4xf32> -> tensor<32xf32>
  %3 = tt.reshape %2 : tensor<32xf32> -> tensor<4x8xf32>
  tt.return %1, %3 : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// CHECK-LABEL: @pointers
tt.func @pointers(%p: !tt.ptr<f32>, %i: i64) -> (!tt.ptr<f32>, !tt.ptr<f32>, !tt.ptr<f32>, !tt.ptr<i32>) {
  // CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : i64
  // CHECK-DAG: %[[BASE:.*]] = tt.int_to_ptr %arg1 : i64 -> !tt.ptr<f32>
  // CHECK: %[[MOVED:.*]] = tt.addptr %[[BASE]], %[[TWO]] : !tt.ptr<f32>, i64
  %c8 = arith.constant 8 : i64
  %0 = arith.addi %i, %c8 : i64
  %1 = tt.int_to_ptr %0 : i64 -> !tt.ptr<f32>
  // CHECK: tt.int_to_ptr %{{.*}} : i64 -> !tt.ptr<f32>
  %c6 = arith.constant 6 : i64
  %2 = arith.addi %i, %c6 : i64
  %3 = tt.int_to_ptr %2 : i64 -> !tt.ptr<f32>
  %c0 = arith.constant 0 : i32
  %4 = tt.addptr %p, %c0 : !tt.ptr<f32>, i32
  // CHECK: tt.bitcast %arg0 : !tt.ptr<f32> -> !tt.ptr<i32>
  %5 = tt.ptr_to_int %p : !tt.ptr<f32> -> i64
  %6 = tt.int_to_ptr %5 : i64 -> !tt.ptr<i32>
  // CHECK: tt.return %[[MOVED]], %{{.*}}, %arg0, %{{.*}}
  tt.return %1, %3, %4, %6 : !tt.ptr<f32>, !tt.ptr<f32>, !tt.ptr<f32>, !tt.ptr<i32>
}

// -----

// CHECK-LABEL: @block_pointers
tt.func @block_pointers(%p: !tt.ptr<tensor<8x4xf32>>) -> !tt.ptr<tensor<8x4xf32>> {
  // CHECK-NEXT: tt.return %arg0
  %c0 = arith.constant 0 : i32
  %0 = tt.advance %p, [%c0, %c0] : <tensor<8x4xf32>>
  tt.return %0 : !tt.ptr<tensor<8x4xf32>>
}

// -----

// CHECK-LABEL: @constants
tt.func @constants() -> (tensor<1xi32>, tensor<8x4xf32>, tensor<8x1xf16>, tensor<4x2xi32>) {
  // CHECK-DAG: arith.constant dense<3> : tensor<1xi32>
  // CHECK-DAG: arith.constant dense<1.000000e+00> : tensor<8x4xf32>
  // CHECK-DAG: arith.constant dense<-0.000000e+00> : tensor<8x1xf16>
  // CHECK-DAG{LITERAL}: arith.constant dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi32>
  // CHECK-NOT: tt.splat
  %0 = tt.make_range {end = 4 : i32, start = 3 : i32} : tensor<1xi32>
  %one = arith.constant 1.0 : f32
  %1 = tt.splat %one : f32 -> tensor<8x1xf32>
  %2 = tt.broadcast %1 : tensor<8x1xf32> -> tensor<8x4xf32>
  %zero = arith.constant dense<-0.0> : tensor<8xf32>
  %3 = tt.fp_to_fp %zero, rounding = rtne : tensor<8xf32> -> tensor<8xf16>
  %4 = tt.expand_dims %3 {axis = 1 : i32} : tensor<8xf16> -> tensor<8x1xf16>
  %r = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : tensor<8xi32>
  %5 = tt.reshape %r : tensor<8xi32> -> tensor<4x2xi32>
  tt.return %0, %2, %4, %5 : tensor<1xi32>, tensor<8x4xf32>, tensor<8x1xf16>, tensor<4x2xi32>
}

// -----

// CHECK-LABEL: @masks
tt.func @masks(%p: tensor<8x!tt.ptr<f32>>, %o: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  // CHECK: tt.load %arg0 evictionPolicy = evict_last : tensor<8x!tt.ptr<f32>>
  // CHECK: tt.load %arg0, %{{.*}} : tensor<8x!tt.ptr<f32>>
  // CHECK-NEXT: tt.store %arg0, %arg1 : tensor<8x!tt.ptr<f32>>
  // CHECK-NEXT: tt.return %{{.*}}, %arg1, %{{.*}}
  %true = arith.constant dense<true> : tensor<8xi1>
  %false = arith.constant dense<false> : tensor<8xi1>
  %0 = tt.load %p, %true, %o evictionPolicy = evict_last : tensor<8x!tt.ptr<f32>>
  %1 = tt.load %p, %false, %o : tensor<8x!tt.ptr<f32>>
  %2 = tt.load %p, %false : tensor<8x!tt.ptr<f32>>
  tt.store %p, %o, %true : tensor<8x!tt.ptr<f32>>
  tt.store %p, %o, %false : tensor<8x!tt.ptr<f32>>
  tt.return %0, %1, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
