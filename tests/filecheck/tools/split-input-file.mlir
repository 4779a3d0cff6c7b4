// RUN: xtriton-opt %s --split-input-file | filecheck %s
// RUN: xtriton-opt %s --split-input-file --mlir-print-debuginfo | filecheck %s --check-prefix=LOC

// CHECK:      func.func private @a()
// CHECK:      {{^[/]}}/ -----{{$}}
// CHECK:      func.func private @b()
// LOC:        func.func private @b() loc(
func.func private @a()
// -----
func.func private @b() loc("here":1:2)
