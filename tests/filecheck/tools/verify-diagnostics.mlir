// A missing or an unexpected diagnostic is an error.
// RUN: not xtriton-opt %s --split-input-file --verify-diagnostics 2>&1 | filecheck %s

// CHECK: verify-diagnostics.mlir:[[# @LINE + 1]]:4: error: expected error "no such thing" was not produced
// expected-error@+1 {{no such thing}}
func.func private @f()

// -----

func.func @g(%a: i32) {
  // CHECK: verify-diagnostics.mlir:[[# @LINE + 1]]:3: error: unexpected error: 'func.return' op
  return %a : i32
}
