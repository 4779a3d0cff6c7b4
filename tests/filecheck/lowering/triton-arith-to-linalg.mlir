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
