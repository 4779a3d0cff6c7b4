// RUN: XTRITON_INVALID

func.func @f(%t: tensor<4x8xf32>, %i: tensor<8xf32>) {
  // expected-error @+1 {{init 0 of type tensor<8xf32> must have the dimensions that are left}}
  %0 = linalg.reduce { arith.addf } ins(%t : tensor<4x8xf32>) outs(%i : tensor<8xf32>) dimensions = [1]
  return
}

// -----

func.func @f(%t: tensor<4x8xf32>, %i: tensor<4xf32>) {
  // expected-error @+1 {{dimensions must be numbers of dimensions below 2}}
  %0 = linalg.reduce { arith.addf } ins(%t : tensor<4x8xf32>) outs(%i : tensor<4xf32>) dimensions = [2]
  return
}

// -----

func.func @f(%t: tensor<4x8xf32>, %i: tensor<4x8xf32>) {
  // expected-error @+1 {{init tensor<4x8xf32> is not input tensor<4x8xf32> permuted}}
  %0 = linalg.transpose ins(%t : tensor<4x8xf32>) outs(%i : tensor<4x8xf32>) permutation = [1, 0]
  return
}

// -----

func.func @f(%t: tensor<8xf32>, %i: tensor<4x8xf32>) {
  // expected-error @+1 {{init tensor<4x8xf32> is not input tensor<8xf32> with dimensions added}}
  %0 = linalg.broadcast ins(%t : tensor<8xf32>) outs(%i : tensor<4x8xf32>) dimensions = [1]
  return
}

// -----

func.func @f(%t: tensor<8xf32>, %i: tensor<8xf32>) {
  // expected-error @+1 {{input must be a scalar, got tensor<8xf32>}}
  %0 = linalg.fill ins(%t : tensor<8xf32>) outs(%i : tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %c: tensor<4x4xf32>) {
  // expected-error @+1 {{but found}}
  %0 = linalg.matmul ins(%a, %a : tensor<4x8xf32>, tensor<4x8xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}
