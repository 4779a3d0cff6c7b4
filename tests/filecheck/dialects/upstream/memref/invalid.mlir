// RUN: XTRITON_INVALID

func.func @f(%m: memref<4x4xf32>, %i: index) {
  // expected-error @+1 {{indices are 1, but memref has rank 2}}
  %0 = memref.load %m[%i] : memref<4x4xf32>
  return
}

// -----

func.func @f(%m: memref<4xf32>, %i: index, %v: i32) {
  // expected-error @+1 {{type}}
  "memref.store"(%v, %m, %i) : (i32, memref<4xf32>, index) -> ()
  return
}

// -----

func.func @f(%m: memref<4xf32>) {
  // expected-error @+1 {{differ in shape}}
  %0 = memref.cast %m : memref<4xf32> to memref<8xf32>
  return
}

// -----

func.func @f(%m: memref<4xf32>) {
  // expected-error @+1 {{differ in element type}}
  %0 = memref.cast %m : memref<4xf32> to memref<4xi32>
  return
}

// -----

func.func @f(%m: memref<4xf32>, %n: memref<8xf32>) {
  // expected-error @+1 {{differ in shape}}
  memref.copy %m, %n : memref<4xf32> to memref<8xf32>
  return
}

// -----

func.func @f(%m: memref<*xf32>) {
  // expected-error @+1 {{result memref<8xf32> has size 8 in dimension 0, sizes say 4}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1] : memref<*xf32> to memref<8xf32>
  return
}

// -----

func.func @f(%m: memref<*xf32>) {
  // expected-error @+1 {{but result memref<8xf32> has rank 1}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4, 2], strides: [2, 1] : memref<*xf32> to memref<8xf32>
  return
}

// -----

// expected-error @+1 {{initial_value does not fit type memref<4xf32>}}
"memref.global"() <{initial_value = dense<1.0> : tensor<2xf32>, sym_name = "g", type = memref<4xf32>}> : () -> ()

// -----

func.func @f(%m: memref<4xf32>, %i: index) {
  // expected-error @+1 {{the body must have one argument of type f32}}
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4xf32> {
  ^bb0(%v: i32):
    memref.atomic_yield %v : i32
  }
  return
}
