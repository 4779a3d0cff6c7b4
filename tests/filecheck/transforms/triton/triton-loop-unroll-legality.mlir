// RUN: xtriton-opt %s --triton-loop-unroll | filecheck %s
// RUN: xtriton-opt %s --triton-loop-unroll --xtriton-check-semantics -o /dev/null

// Bounds without signs, and types without room.

// The lower bound is the greater one.
// CHECK-LABEL: @backwards_unsigned(
// CHECK-COUNT-1: scf.for
// CHECK-NOT:     scf.for
tt.func @backwards_unsigned(%p: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant -8 : i32
  %c3 = arith.constant 8 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant 0 : i32
  %r = scf.for unsigned %i = %c0 to %c3 step %c1 iter_args(%a = %z) -> (i32) : i32 {
    %b = arith.addi %a, %c1 : i32
    scf.yield %b : i32
  } {tt.loop_unroll_factor = 3 : i32}
  tt.store %p, %r : !tt.ptr<i32>
  tt.return
}

// The step would be 4000.
// CHECK-LABEL: @narrow(
// CHECK:         scf.for
// CHECK-NOT:     scf.for
tt.func @narrow(%p: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i8
  %c3 = arith.constant 40 : i8
  %c1 = arith.constant 20 : i8
  %z = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %z) -> (i32) : i8 {
    %e = arith.extsi %i : i8 to i32
    %b = arith.addi %a, %e : i32
    scf.yield %b : i32
  } {tt.loop_unroll_factor = 200 : i32}
  tt.store %p, %r : !tt.ptr<i32>
  tt.return
}
