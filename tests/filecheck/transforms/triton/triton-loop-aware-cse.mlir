// RUN: xtriton-opt %s --triton-loop-aware-cse | filecheck %s

// Two values that start alike and change alike are one.
// CHECK-LABEL: @same(
// CHECK:         %[[R:.*]] = scf.for %{{.*}} iter_args(%[[A:.*]] = %c0_i32) -> (i32)
// CHECK-NEXT:      %[[B:.*]] = arith.xori %[[A]], %c1_i32 : i32
// CHECK-NEXT:      scf.yield %[[B]] : i32
// CHECK:         tt.return %[[R]], %[[R]] : i32, i32
tt.func @same(%n: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0, %b = %c0) -> (i32, i32) : i32 {
    %1 = arith.xori %a, %c1 : i32
    %2 = arith.xori %b, %c1 : i32
    scf.yield %1, %2 : i32, i32
  }
  tt.return %0#0, %0#1 : i32, i32
}

// They start alike, but change differently.
// CHECK-LABEL: @different(
// CHECK:         scf.for %{{.*}} iter_args(%[[A:.*]] = %c0_i32, %[[B:.*]] = %c0_i32) -> (i32, i32)
// CHECK:           arith.xori %[[A]], %c1_i32 : i32
// CHECK:           arith.addi %[[B]], %c1_i32 : i32
tt.func @different(%n: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0, %b = %c0) -> (i32, i32) : i32 {
    %1 = arith.xori %a, %c1 : i32
    %2 = arith.addi %b, %c1 : i32
    scf.yield %1, %2 : i32, i32
  }
  tt.return %0#0, %0#1 : i32, i32
}
