// RUN: xtriton-opt %s --triton-arith-to-linalg --split-input-file | filecheck %s
// RUN: xtriton-opt %s --triton-arith-to-linalg="pids-to-func-args=false tt-to-func-func=false transpose-reduce-to-rank0=false" --split-input-file | filecheck %s --check-prefix=KEPT

// CHECK-LABEL: func.func @kernel
// CHECK-SAME: %[[ID:[a-z0-9]+]]: i32) -> i32
// KEPT-LABEL: tt.func public @kernel
// KEPT: tt.get_program_id
tt.func public @kernel() -> i32 {
  %0 = tt.get_program_id z : i32
  // CHECK: return %[[ID]] : i32
  tt.return %0 : i32
}

// -----

// CHECK-LABEL: func.func @maximum
// CHECK: %[[T:.+]] = linalg.transpose ins(%{{.+}} : tensor<4x8xf32>) outs(%{{.+}} : tensor<8x4xf32>) permutation = [1, 0]
// CHECK: %[[START:.+]] = linalg.fill
// CHECK: linalg.reduce ins(%[[T]] : tensor<8x4xf32>) outs(%[[START]] : tensor<4xf32>) dimensions = [0]
// CHECK: arith.maximumf
// KEPT-LABEL: @maximum
// KEPT-NOT: linalg.transpose
// KEPT: linalg.reduce ins(%{{.+}} : tensor<4x8xf32>) outs(%{{.+}} : tensor<4xf32>) dimensions = [1]
tt.func @maximum(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %r = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %m = arith.maximumf %a, %b : f32
    tt.reduce.return %m : f32
  }) : (tensor<4x8xf32>) -> tensor<4xf32>
  tt.return %r : tensor<4xf32>
}

// -----

// The accumulator of a product is its `outs` operand, and no sum comes after.

// CHECK-LABEL: func.func @product
// CHECK-SAME: (%[[A:.+]]: tensor<4x8xf16>, %[[B:.+]]: tensor<8x4xf16>, %[[C:[a-z0-9]+]]: tensor<4x4xf32>
// CHECK: %[[D:.+]] = linalg.matmul ins(%[[A]], %[[B]] : tensor<4x8xf16>, tensor<8x4xf16>) outs(%[[C]] : tensor<4x4xf32>)
// CHECK-NEXT: return %[[D]]
tt.func @product(%a: tensor<4x8xf16>, %b: tensor<8x4xf16>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %d = tt.dot %a, %b, %c : tensor<4x8xf16> * tensor<8x4xf16> -> tensor<4x4xf32>
  tt.return %d : tensor<4x4xf32>
}

// -----

// Comparisons of integers that select one of the two are a minimum or maximum; those of
// floats are none where a NaN is.

// CHECK-LABEL: func.func @extremes
// CHECK-SAME: %[[A:.+]]: i32, %[[B:.+]]: i32, %[[X:.+]]: f32, %[[Y:.+]]: f32,
// CHECK-NEXT: %[[MIN:.+]] = arith.minsi %[[A]], %[[B]] : i32
// CHECK-NEXT: %[[MAX:.+]] = arith.maxui %[[A]], %[[B]] : i32
// CHECK-NEXT: arith.cmpf
// CHECK-NEXT: %[[Z:.+]] = arith.select
// CHECK-NEXT: return %[[MIN]], %[[MAX]], %[[Z]]
tt.func @extremes(%a: i32, %b: i32, %x: f32, %y: f32) -> (i32, i32, f32) {
  %0 = arith.cmpi slt, %a, %b : i32
  %1 = arith.select %0, %a, %b : i32
  %2 = arith.cmpi ule, %a, %b : i32
  %3 = arith.select %2, %b, %a : i32
  %4 = arith.cmpf olt, %x, %y : f32
  %5 = arith.select %4, %x, %y : f32
  tt.return %1, %3, %5 : i32, i32, f32
}
