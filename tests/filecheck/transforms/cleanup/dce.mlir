// RUN: xtriton-opt %s --dce | filecheck %s

// A chain of dead ops goes, whole; what writes stays.
// CHECK-LABEL: @chain(
// CHECK-NEXT:    tt.store
// CHECK-NEXT:    tt.return
tt.func @chain(%p: !tt.ptr<i32>, %a: i32) {
  %0 = arith.addi %a, %a : i32
  %1 = arith.muli %0, %0 : i32
  %2 = tt.load %p : !tt.ptr<i32>
  tt.store %p, %a : !tt.ptr<i32>
  tt.return
}

// A loop without effects whose results nobody uses is dead, one that stores is not.
// CHECK-LABEL: @loops(
// CHECK-NOT:     muli
// CHECK:         scf.for
// CHECK-NEXT:      tt.store
// CHECK-NOT:     scf.for
// CHECK:         tt.return
tt.func @loops(%p: !tt.ptr<i32>, %a: i32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (i32) : i32 {
    %1 = arith.muli %x, %a : i32
    scf.yield %1 : i32
  }
  scf.for %i = %c0 to %n step %c1 : i32 {
    tt.store %p, %a : !tt.ptr<i32>
  }
  tt.return
}

// Blocks that nothing reaches go, also those that reach one another.
// CHECK-LABEL: @unreachable(
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @unreachable(%a: i32) -> i32 {
  return %a : i32
^one(%x: i32):
  %0 = arith.addi %x, %a : i32
  cf.br ^two(%0 : i32)
^two(%y: i32):
  %1 = arith.addi %y, %y : i32
  cf.br ^one(%1 : i32)
}
