// RUN: xtriton-opt %s --collapse-shape | filecheck %s
// RUN: xtriton-opt %s --collapse-shape --xtriton-check-semantics -o /dev/null

// CHECK-LABEL: func.func @fill
// CHECK: %[[FLAT:.+]] = tensor.collapse_shape %{{.+}} {{\[\[}}0, 1, 2]] : tensor<4x8x2xf32> into tensor<64xf32>
// CHECK: %[[FULL:.+]] = linalg.fill ins(%{{.+}} : f32) outs(%[[FLAT]] : tensor<64xf32>) -> tensor<64xf32>
// CHECK: tensor.expand_shape %[[FULL]] {{\[\[}}0, 1, 2]] output_shape [4, 8, 2]
func.func @fill(%c: f32) -> tensor<4x8x2xf32> {
  %0 = tensor.empty() : tensor<4x8x2xf32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<4x8x2xf32>) -> tensor<4x8x2xf32>
  return %1 : tensor<4x8x2xf32>
}

// Dimensions that move together are one; what is left of the permutation is of the groups.
// CHECK-LABEL: func.func @transpose
// CHECK: linalg.transpose ins(%{{.+}} : tensor<6x20xf32>) outs(%{{.+}} : tensor<20x6xf32>) permutation = [1, 0]
func.func @transpose(%x: tensor<2x3x4x5xf32>) -> tensor<4x5x2x3xf32> {
  %0 = tensor.empty() : tensor<4x5x2x3xf32>
  %1 = linalg.transpose ins(%x : tensor<2x3x4x5xf32>) outs(%0 : tensor<4x5x2x3xf32>) permutation = [2, 3, 0, 1]
  return %1 : tensor<4x5x2x3xf32>
}

// CHECK-LABEL: func.func @reduce
// CHECK: linalg.reduce ins(%{{.+}} : tensor<6x4x5xi32>) outs(%{{.+}} : tensor<6x5xi32>) dimensions = [1]
// CHECK: tensor.expand_shape %{{.+}} {{\[\[}}0, 1], [2]] output_shape [2, 3, 5]
func.func @reduce(%x: tensor<2x3x4x5xi32>, %s: tensor<2x3x5xi32>) -> tensor<2x3x5xi32> {
  %1 = linalg.reduce ins(%x : tensor<2x3x4x5xi32>) outs(%s : tensor<2x3x5xi32>) dimensions = [2]
    (%in: i32, %init: i32) {
      %2 = arith.xori %in, %init : i32
      linalg.yield %2 : i32
    }
  return %1 : tensor<2x3x5xi32>
}

// Two dimensions that are apart stay as they are.
// CHECK-LABEL: func.func @nothing_to_do
// CHECK-NOT: collapse_shape
func.func @nothing_to_do(%x: tensor<4x8xf32>) -> tensor<8x4xf32> {
  %0 = tensor.empty() : tensor<8x4xf32>
  %1 = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%0 : tensor<8x4xf32>) permutation = [1, 0]
  return %1 : tensor<8x4xf32>
}
