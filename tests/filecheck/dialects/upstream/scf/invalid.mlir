// RUN: XTRITON_INVALID

func.func @f(%x: f32, %c: i1) {
  // expected-error @+1 {{successor operand type #0 'f32' should match successor input type #0 'i32'}}
  %0 = scf.while (%a = %x) : (f32) -> i32 {
    scf.condition(%c) %a : f32
  } do {
  ^bb0(%b: i32):
    scf.yield %x : f32
  }
  return
}

// -----

func.func @f(%x: f32, %c: i1) {
  // expected-error @+1 {{successor operand type #0 'i1' should match successor input type #0 'f32'}}
  %0 = scf.while (%a = %x) : (f32) -> f32 {
    scf.condition(%c) %a : f32
  } do {
  ^bb0(%b: f32):
    scf.yield %c : i1
  }
  return
}
