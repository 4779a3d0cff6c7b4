// RUN: xtriton-opt %s --tritongpu-fuse-nested-loops | filecheck %s
// RUN: xtriton-opt %s --tritongpu-fuse-nested-loops --xtriton-check-semantics -o /dev/null

// Loops whose iterations cannot be counted in front of them.

// The loop stores to where its bound is loaded from.
// CHECK-LABEL: @bound_changes(
// CHECK:         scf.for
// CHECK:           tt.load
// CHECK:           scf.for
tt.func @bound_changes(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c1 = arith.constant 1 : i32
  tt.store %p, %c1 : !tt.ptr<i32>
  scf.for %i = %c0 to %c3 step %c1 : i32 {
    %n = tt.load %p : !tt.ptr<i32>
    %r = scf.for %j = %c0 to %n step %c1 iter_args(%a = %i) -> (i32) : i32 {
      %b = arith.addi %a, %c1 : i32
      scf.yield %b : i32
    }
    %w = arith.addi %i, %c3 : i32
    tt.store %p, %w : !tt.ptr<i32>
    %qq = tt.addptr %q, %i : !tt.ptr<i32>, i32
    tt.store %qq, %r : !tt.ptr<i32>
  } {tt.flatten}
  tt.return
}

// If the outer loop does not run, nothing is loaded.
// CHECK-LABEL: @bound_not_loaded(
// CHECK-NOT:     tt.load
// CHECK:         scf.for
// CHECK:           tt.load
// CHECK:           scf.for
tt.func @bound_not_loaded(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c0) -> (i32) : i32 {
    %m = tt.load %p : !tt.ptr<i32>
    %m2 = arith.remsi %m, %c3 : i32
    %r = scf.for %j = %c0 to %m2 step %c1 iter_args(%a = %x) -> (i32) : i32 {
      %b = arith.addi %a, %c1 : i32
      scf.yield %b : i32
    }
    scf.yield %r : i32
  } {tt.flatten}
  tt.store %q, %r : !tt.ptr<i32>
  tt.return
}

// Bounds are compared without signs.
// CHECK-LABEL: @unsigned(
// CHECK:         scf.for
// CHECK:           scf.for unsigned
tt.func @unsigned(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c1 = arith.constant 1 : i32
  %lo = arith.constant 2147483646 : i32
  %hi = arith.constant -2147483646 : i32
  scf.for %i = %c0 to %c3 step %c1 : i32 {
    %r = scf.for unsigned %j = %lo to %hi step %c1 iter_args(%a = %i) -> (i32) : i32 {
      %b = arith.addi %a, %c1 : i32
      scf.yield %b : i32
    }
    %qq = tt.addptr %q, %i : !tt.ptr<i32>, i32
    tt.store %qq, %r : !tt.ptr<i32>
  } {tt.flatten}
  tt.return
}
