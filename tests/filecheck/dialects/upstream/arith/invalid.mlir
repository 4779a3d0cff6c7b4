// RUN: XTRITON_INVALID

func.func @comparison(%a: tensor<4xi32>, %b: tensor<4xi32>) {
  // expected-error @+1 {{type of 'result' matches that of 'lhs': expected 'tensor<4xi1>', but got 'i1'}}
  %0 = "arith.cmpi"(%a, %b) <{predicate = 0 : i64}> : (tensor<4xi32>, tensor<4xi32>) -> i1
  return
}

// -----

func.func @predicate(%a: i32) {
  // expected-error @+1 {{attribute 'predicate' failed to satisfy constraint}}
  %0 = "arith.cmpi"(%a, %a) <{predicate = 10 : i64}> : (i32, i32) -> i1
  return
}

// -----

func.func @float_operand(%a: f32) {
  // expected-error @+1 {{expected an integer, an index or a vector or tensor of these, got f32}}
  %0 = "arith.addi"(%a, %a) <{overflowFlags = #arith.overflow<none>}> : (f32, f32) -> f32
  return
}

// -----

func.func @condition(%c: tensor<8xi1>, %a: tensor<4xi32>) {
  // expected-error @+1 {{cond has type tensor<8xi1>}}
  %0 = arith.select %c, %a, %a : tensor<8xi1>, tensor<4xi32>
  return
}

// -----

func.func @widening(%a: tensor<4xi32>) {
  // expected-error @+1 {{result type tensor<4xi32> must be wider than input type tensor<4xi32>}}
  %0 = arith.extsi %a : tensor<4xi32> to tensor<4xi32>
  return
}

// -----

func.func @narrowing(%a: i32) {
  // expected-error @+1 {{result type i64 must be narrower than input type i32}}
  %0 = arith.trunci %a : i32 to i64
  return
}

// -----

func.func @shape(%a: tensor<4xi32>) {
  // expected-error @+1 {{input of type tensor<4xi32> and result of type tensor<8xi64> differ in shape}}
  %0 = arith.extsi %a : tensor<4xi32> to tensor<8xi64>
  return
}

// -----

func.func @encoding(%a: tensor<4xi32, "one">) {
  // expected-error @+1 {{differ in shape}}
  %0 = arith.sitofp %a : tensor<4xi32, "one"> to tensor<4xf32, "two">
  return
}

// -----

func.func @bits(%a: f32) {
  // expected-error @+1 {{input type f32 and result type i64 differ in bit width}}
  %0 = arith.bitcast %a : f32 to i64
  return
}

// -----

func.func @no_index(%a: i32) {
  // expected-error @+1 {{one of input type i32 and result type i64 must be index}}
  %0 = arith.index_cast %a : i32 to i64
  return
}
