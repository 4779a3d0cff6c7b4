// Contractions with a vector (generic forms differ by MLIR's memoized maps): written and read as MLIR 22 does, byte for byte.
//
// RUN: xtriton-opt %s --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace

module {
  func.func @f(%arg0: tensor<4x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<f32>, %arg3: tensor<4x4xi32>, %arg4: tensor<4x4xi1>, %arg5: tensor<4x4xf16>, %arg6: memref<4x4xf32>, %arg7: tensor<4x4xi8>) {
    %0 = linalg.matvec ins(%arg0, %arg1 : tensor<4x4xf32>, tensor<4xf32>) outs(%arg1 : tensor<4xf32>) -> tensor<4xf32>
    %1 = linalg.vecmat ins(%arg1, %arg0 : tensor<4xf32>, tensor<4x4xf32>) outs(%arg1 : tensor<4xf32>) -> tensor<4xf32>
    %2 = linalg.dot ins(%arg1, %arg1 : tensor<4xf32>, tensor<4xf32>) outs(%arg2 : tensor<f32>) -> tensor<f32>
    return
  }
}

// CHECK:module {
// CHECK-NEXT:  func.func @f(%arg0: tensor<4x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<f32>, %arg3: tensor<4x4xi32>, %arg4: tensor<4x4xi1>, %arg5: tensor<4x4xf16>, %arg6: memref<4x4xf32>, %arg7: tensor<4x4xi8>) {
// CHECK-NEXT:    %0 = linalg.matvec ins(%arg0, %arg1 : tensor<4x4xf32>, tensor<4xf32>) outs(%arg1 : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %1 = linalg.vecmat ins(%arg1, %arg0 : tensor<4xf32>, tensor<4x4xf32>) outs(%arg1 : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %2 = linalg.dot ins(%arg1, %arg1 : tensor<4xf32>, tensor<4xf32>) outs(%arg2 : tensor<f32>) -> tensor<f32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:}
