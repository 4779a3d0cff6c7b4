// Remarks and failures of passes are at the op, by its location or where it stands here.
// RUN: xtriton-opt %s --split-input-file --load-pass-plugin=%S/Inputs/plugin.py --plugin-remark --verify-diagnostics
// RUN: not xtriton-opt %s --split-input-file --load-pass-plugin=%S/Inputs/plugin.py --cse --plugin-remark 2>&1 | filecheck %s

// CHECK: remarks.mlir:[[# @LINE + 3]]:8: remark: an addition
func.func @one(%a: i32) -> i32 {
  // expected-remark@+1 {{an addition}}
  %0 = arith.addi %a, %a : i32
  return %0 : i32
}

// -----

// CHECK:      remarks.mlir:[[# @LINE + 4]]:8: error: cannot multiply
// CHECK-NEXT: {{^}}  %0 = arith.muli %a, %a : i32
func.func @two(%a: i32) -> i32 {
  // expected-error@+1 {{cannot multiply}}
  %0 = arith.muli %a, %a : i32
  return %0 : i32
}
