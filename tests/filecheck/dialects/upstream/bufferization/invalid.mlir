// RUN: XTRITON_INVALID

func.func @f(%t: tensor<4xf32>, %m: memref<8xf32>) {
  // expected-error @+1 {{source tensor<4xf32> and dest memref<8xf32> do not agree}}
  bufferization.materialize_in_destination %t in writable %m : (tensor<4xf32>, memref<8xf32>) -> ()
  return
}

// -----

func.func @f(%t: tensor<4xf32>, %m: memref<4xf32>) {
  // expected-error @+1 {{writable must be said of a memref}}
  bufferization.materialize_in_destination %t in %m : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// -----

func.func @f(%m: memref<4xf32>) {
  // expected-error @+1 {{type of 'tensor' matches that of 'memref'}}
  %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xi32>
  return
}

// -----

func.func @f(%m: memref<4xf32>, %c: i1) {
  // expected-error @+1 {{memrefs and conditions differ in number}}
  bufferization.dealloc (%m : memref<4xf32>) if (%c, %c)
  return
}
