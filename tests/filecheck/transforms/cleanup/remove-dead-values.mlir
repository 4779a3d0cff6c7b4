// RUN: xtriton-opt %s --remove-dead-values | filecheck %s

// What a loop carries only for itself goes; what a store or a live value needs stays.
// CHECK-LABEL: @loop(
// CHECK:         %[[R:.*]] = scf.for %{{.*}} iter_args(%[[X:.*]] = %arg1) -> (i32)
// CHECK-NEXT:      %[[S:.*]] = arith.addi %[[X]], %arg2 : i32
// CHECK-NEXT:      scf.yield %[[S]] : i32
// CHECK-NEXT:    } {tt.num_stages = 2 : i32}
// CHECK:         tt.store %arg0, %[[R]]
tt.func @loop(%p: !tt.ptr<i32>, %a: i32, %b: i32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %z = %a) -> (i32, i32, i32) : i32 {
    %1 = arith.addi %x, %b : i32
    %2 = arith.muli %y, %z : i32
    %3 = arith.muli %z, %i : i32
    scf.yield %1, %2, %3 : i32, i32, i32
  } {tt.num_stages = 2 : i32}
  %4 = arith.addi %0#1, %a : i32
  tt.store %p, %0#0 : !tt.ptr<i32>
  tt.return
}

// An argument is alive if the body stores it, whatever becomes of the result.
// CHECK-LABEL: @stored(
// CHECK:         scf.for %{{.*}} iter_args(%[[X:.*]] = %arg1) -> (i32)
// CHECK:           tt.store %arg0, %[[X]]
tt.func @stored(%p: !tt.ptr<i32>, %a: i32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (i32) : i32 {
    tt.store %p, %x : !tt.ptr<i32>
    %1 = arith.addi %x, %i : i32
    scf.yield %1 : i32
  }
  tt.return
}

// Nested: the inner result feeds only the outer loop's dead argument.
// CHECK-LABEL: @nested(
// CHECK-NOT:     scf.for
// CHECK:         tt.return
tt.func @nested(%a: i32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (i32) : i32 {
    %1 = scf.for %j = %c0 to %i step %c1 iter_args(%y = %x) -> (i32) : i32 {
      %2 = arith.addi %y, %j : i32
      scf.yield %2 : i32
    }
    scf.yield %1 : i32
  }
  tt.return
}

// CHECK-LABEL: @if(
// CHECK:         %[[R:.*]] = scf.if %arg1 -> (i32) {
// CHECK-NEXT:      scf.yield %arg2 : i32
// CHECK:         tt.store %arg0, %[[R]]
tt.func @if(%p: !tt.ptr<i32>, %c: i1, %a: i32, %b: i32) {
  %0:2 = scf.if %c -> (i32, i32) {
    %1 = arith.muli %a, %b : i32
    scf.yield %a, %1 : i32, i32
  } else {
    scf.yield %b, %b : i32, i32
  }
  tt.store %p, %0#0 : !tt.ptr<i32>
  tt.return
}

// Around a ring of blocks.
// CHECK-LABEL: @blocks(
// CHECK:         cf.br ^bb1(%arg0 : i32)
// CHECK-NEXT:  ^bb1(%[[X:.*]]: i32):
// CHECK-NOT:     arith.muli
// CHECK:         cf.cond_br %arg2, ^bb1(%[[X]] : i32), ^bb2
// CHECK:         return %[[X]]
func.func @blocks(%a: i32, %b: i32, %c: i1) -> i32 {
  cf.br ^one(%a, %b : i32, i32)
^one(%x: i32, %y: i32):
  %0 = arith.muli %y, %y : i32
  cf.cond_br %c, ^one(%x, %0 : i32, i32), ^two
^two:
  return %x : i32
}
