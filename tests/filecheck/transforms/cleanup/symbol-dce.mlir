// RUN: xtriton-opt %s --symbol-dce | filecheck %s

// CHECK-NOT:   @unused
// CHECK-NOT:   @calls_itself
// CHECK:       func.func private @used_by_used
// CHECK:       func.func private @used
// CHECK:       func.func @main
// CHECK:       func.func @public
func.func private @unused() {
  call @calls_itself() : () -> ()
  return
}
func.func private @calls_itself() {
  call @calls_itself() : () -> ()
  return
}
func.func private @used_by_used() {
  return
}
func.func private @used() {
  call @used_by_used() : () -> ()
  return
}
func.func @main() {
  call @used() : () -> ()
  return
}
func.func @public() {
  return
}
