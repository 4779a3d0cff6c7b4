// RUN: xtriton-opt %s --loop-invariant-code-motion | filecheck %s

// What is the same each time leaves both loops; what depends on a loop stays in it.
// CHECK-LABEL: @nested(
// CHECK:         %[[A:.*]] = arith.muli %arg0, %arg0 : i32
// CHECK:         scf.for %[[I:.*]] =
// CHECK-NEXT:      %[[B:.*]] = arith.muli %[[I]], %[[A]] : i32
// CHECK-NEXT:      scf.for %[[J:.*]] =
// CHECK-NEXT:        %[[C:.*]] = arith.addi %[[J]], %[[B]] : i32
// CHECK-NEXT:        tt.store %{{.*}}, %[[C]]
tt.func @nested(%a: i32, %n: i32, %p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %c0 to %n step %c1 : i32 {
      %0 = arith.muli %a, %a : i32
      %1 = arith.muli %i, %0 : i32
      %2 = arith.addi %j, %1 : i32
      tt.store %p, %2 : !tt.ptr<i32>
    }
  }
  tt.return
}

// A division may not run where the loop does not, unless it cannot go wrong; a load stays.
// CHECK-LABEL: @careful(
// CHECK:         %[[SAFE:.*]] = arith.divsi %arg0, %c3_i32 : i32
// CHECK:         scf.for
// CHECK-DAG:       arith.divsi %arg0, %arg1 : i32
// CHECK-DAG:       arith.divsi %arg0, %c-1_i32 : i32
// CHECK-DAG:       tt.load
tt.func @careful(%a: i32, %n: i32, %p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %cm1 = arith.constant -1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %0 = arith.divsi %a, %c3 : i32
    %1 = arith.divsi %a, %n : i32
    %2 = arith.divsi %a, %cm1 : i32
    %3 = tt.load %p : !tt.ptr<i32>
    %4 = arith.addi %0, %1 : i32
    %5 = arith.addi %4, %2 : i32
    %6 = arith.addi %5, %3 : i32
    tt.store %p, %6 : !tt.ptr<i32>
  }
  tt.return
}

// An op leaves with its regions.
// CHECK-LABEL: @region(
// CHECK:         scf.if
// CHECK:         scf.while
tt.func @region(%a: i32, %c: i1, %p: !tt.ptr<i32>) {
  scf.while : () -> () {
    %0 = tt.load %p : !tt.ptr<i32>
    %1 = arith.cmpi slt, %0, %a : i32
    scf.condition(%1)
  } do {
    %2 = scf.if %c -> i32 {
      %3 = arith.addi %a, %a : i32
      scf.yield %3 : i32
    } else {
      scf.yield %a : i32
    }
    tt.store %p, %2 : !tt.ptr<i32>
    scf.yield
  }
  tt.return
}

// Blocks divided by constants leave, as scalars do, alone or in a region; by what may be 0 they stay.
// CHECK-LABEL: @blocks(
// CHECK-DAG:     %[[QUOTIENT:.*]] = arith.divsi %arg0, %cst : tensor<4xi32>
// CHECK-DAG:     %[[CHOSEN:.*]] = scf.if
// CHECK:         scf.for
// CHECK-NEXT:      tt.load
// CHECK-NEXT:      %[[REST:.*]] = arith.remsi %arg0, %cst_0 : tensor<4xi32>
// CHECK-NEXT:      arith.addi %[[QUOTIENT]], %[[REST]]
tt.func @blocks(%t: tensor<4xi32>, %c: i1, %n: i32, %p: tensor<4x!tt.ptr<i32>>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %threes = arith.constant dense<3> : tensor<4xi32>
  %some = arith.constant dense<[1, 2, 0, 4]> : tensor<4xi32>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %0 = tt.load %p : tensor<4x!tt.ptr<i32>>
    %1 = arith.divsi %t, %threes : tensor<4xi32>
    %2 = scf.if %c -> tensor<4xi32> {
      %3 = arith.remui %t, %threes : tensor<4xi32>
      scf.yield %3 : tensor<4xi32>
    } else {
      scf.yield %t : tensor<4xi32>
    }
    %4 = arith.remsi %t, %some : tensor<4xi32>
    %5 = arith.addi %1, %4 : tensor<4xi32>
    %6 = arith.addi %5, %2 : tensor<4xi32>
    %7 = arith.addi %6, %0 : tensor<4xi32>
    tt.store %p, %7 : tensor<4x!tt.ptr<i32>>
  }
  tt.return
}
