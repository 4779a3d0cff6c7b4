// RUN: XTRITON_INVALID

func.func @f(%t: tensor<8xf32>, %i: tensor<3x1xindex>) {
  // expected-error @+1 {{gather_dims must not be empty}}
  %0 = tensor.gather %t[%i] gather_dims([]) : (tensor<8xf32>, tensor<3x1xindex>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%t: tensor<8xf32>, %i: tensor<3x1xindex>) {
  // expected-error @+1 {{gather_dims must be increasing numbers of dimensions below 1}}
  %0 = tensor.gather %t[%i] gather_dims([1]) : (tensor<8xf32>, tensor<3x1xindex>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%s: tensor<3x1xf32>, %t: tensor<8xf32>, %i: tensor<3x1xindex>) {
  // expected-error @+1 {{scatter must be unique}}
  %0 = tensor.scatter %s into %t[%i] scatter_dims([0]) : (tensor<3x1xf32>, tensor<8xf32>, tensor<3x1xindex>) -> tensor<8xf32>
  return
}

// -----

func.func @f(%n: index, %x: f32) {
  // expected-error @+1 {{dynamic_extents are 1, but result tensor<4xf32> has 0 dynamic dimensions}}
  %0 = tensor.generate %n {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32>
  return
}
