// RUN: xtriton-opt %s --inline | filecheck %s
// RUN: xtriton-opt %s --inline --mlir-print-debuginfo | filecheck %s --check-prefix=LOC

// A function of one block is inlined anywhere, one of several where blocks may be.
// CHECK-LABEL: tt.func private @early(
// CHECK-LABEL: tt.func private @keep(
// CHECK-LABEL: tt.func private @recursive(
// CHECK-LABEL: tt.func @main(
// CHECK-NOT:     tt.call @square
// CHECK:         arith.muli %arg0, %arg0 : i32
// CHECK:         cf.cond_br
// CHECK:         scf.for
// CHECK:           arith.muli
// CHECK:           tt.call @early
// CHECK:         tt.call @keep
// CHECK:         tt.call @recursive
tt.func private @square(%x: i32) -> i32 {
  %y = arith.muli %x, %x : i32 loc("lib.py":3:4)
  tt.return %y : i32
}
tt.func private @early(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %p = arith.cmpi slt, %x, %c0 : i32
  cf.cond_br %p, ^negative, ^positive
^negative:
  tt.return %c0 : i32
^positive:
  tt.return %x : i32
}
tt.func private @keep(%x: i32) -> i32 attributes {noinline = true} {
  tt.return %x : i32
}
tt.func private @recursive(%x: i32) -> i32 attributes {noinline = false} {
  %0 = tt.call @recursive(%x) : (i32) -> i32
  tt.return %0 : i32
}
// LOC: arith.muli {{.*}} loc([[CALL:#.*]])
// LOC-DAG: [[LIB:#.*]] = loc("lib.py":3:4)
// LOC-DAG: [[MAIN:#.*]] = loc("main.py":7:8)
// LOC-DAG: [[CALL]] = loc(callsite([[LIB]] at [[MAIN]]))
tt.func @main(%a: i32, %n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0 = tt.call @square(%a) : (i32) -> i32 loc("main.py":7:8)
  %1 = tt.call @early(%0) : (i32) -> i32
  %2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %1) -> (i32) : i32 {
    %3 = tt.call @square(%x) : (i32) -> i32
    %4 = tt.call @early(%3) : (i32) -> i32
    scf.yield %4 : i32
  }
  %5 = tt.call @keep(%2) : (i32) -> i32
  %6 = tt.call @recursive(%5) : (i32) -> i32
  tt.return %6 : i32
}
