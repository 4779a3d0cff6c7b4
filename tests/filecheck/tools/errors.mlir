// Every error has its place, the line and a caret; parts without errors are written.
// RUN: not xtriton-opt %s --split-input-file 2>&1 | filecheck %s
// RUN: xtriton-opt %s --split-input-file --verify-diagnostics

// CHECK:      errors.mlir:[[# @LINE + 5]]:10: error: use of value '%0' expects different type than prior uses
// CHECK-NEXT: {{^}}  return %0 : i64
// CHECK-NEXT: {{^}}         ^
func.func @types(%a: i32) -> i64 {
  %0 = arith.addi %a, %a : i32
  return %0 : i64 // expected-error {{expects different type}}
}

// -----

// CHECK:      errors.mlir:[[# @LINE + 4]]:8: error: 'arith.addi' op expected 2 operands, but found 1
// CHECK-NEXT: {{^}}  %0 = "arith.addi"(%a) : (i32) -> i32
func.func @operands(%a: i32) -> i32 {
  // expected-error@+1 {{expected 2 operands}}
  %0 = "arith.addi"(%a) : (i32) -> i32
  return %0 : i32
}

// -----

// CHECK:      errors.mlir:[[# @LINE + 4]]:8: error: {{.*}}'arith.adi'
func.func @unknown(%a: i32) -> i32 {
  // CHECK-NEXT: {{^}}  %0 = arith.adi %a, %a : i32
  // expected-error@below {{'arith.adi'}}
  %0 = arith.adi %a, %a : i32
  return %0 : i32
}

// -----

// CHECK:      func.func @good
func.func @good(%a: i32) -> i32 {
  return %a : i32
}

// -----

func.func @half(%a: i32) -> i32 {
  // expected-error@below {{expected '}'}}
