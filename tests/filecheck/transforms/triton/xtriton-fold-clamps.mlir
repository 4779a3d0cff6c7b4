// RUN: xtriton-opt %s --xtriton-fold-clamps | filecheck %s

// As Inductor writes a replicated border: a product for each side of a choice.

// CHECK-LABEL: tt.func @border
// CHECK-SAME:    %[[I:.*]]: tensor<64xi32>
// CHECK-DAG:     %[[LAST:.*]] = arith.constant dense<55>
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant dense<0>
// CHECK:         %[[LOW:.*]] = arith.maxsi %[[I]], %[[ZERO]]
// CHECK-NEXT:    %[[HIGH:.*]] = arith.minsi %[[LOW]], %[[LAST]]
// CHECK-NEXT:    tt.return %[[HIGH]]
tt.func @border(%i: tensor<64xi32>) -> tensor<64xi32> {
  %zero = arith.constant dense<0> : tensor<64xi32>
  %last = arith.constant dense<55> : tensor<64xi32>
  %above = arith.cmpi sgt, %i, %zero : tensor<64xi32>
  %factor = arith.extui %above : tensor<64xi1> to tensor<64xi32>
  %low = arith.muli %i, %factor : tensor<64xi32>
  %behind = arith.cmpi sge, %low, %last : tensor<64xi32>
  %of_last = arith.extui %behind : tensor<64xi1> to tensor<64xi32>
  %right = arith.muli %of_last, %last : tensor<64xi32>
  %within = arith.cmpi slt, %low, %last : tensor<64xi32>
  %of_it = arith.extui %within : tensor<64xi1> to tensor<64xi32>
  %left = arith.muli %low, %of_it : tensor<64xi32>
  %sum = arith.addi %right, %left : tensor<64xi32>
  tt.return %sum : tensor<64xi32>
}

// Bounds that are no constants, and a constant that is one less than what is compared.

// CHECK-LABEL: tt.func @scalars
// CHECK-SAME:    %[[I:.*]]: i32, %[[N:.*]]: i32
// CHECK:         %[[LESS:.*]] = arith.minsi %[[I]], %[[N]] : i32
// CHECK-NEXT:    %[[MORE:.*]] = arith.maxsi %[[LESS]], %{{.*}} : i32
// CHECK-NEXT:    tt.return %[[MORE]]
tt.func @scalars(%i: i32, %n: i32) -> i32 {
  %c6 = arith.constant 6 : i32
  %c7 = arith.constant 7 : i32
  %small = arith.cmpi sle, %i, %n : i32
  %less = arith.select %small, %i, %n : i32
  %below = arith.cmpi slt, %less, %c7 : i32
  %more = arith.select %below, %c6, %less : i32
  tt.return %more : i32
}

// A sum of two choices is none where both may be taken, a choice is no clamp where the other number is
// another one, and numbers without a sign compare in another way.

// CHECK-LABEL: tt.func @others
// CHECK-COUNT-2: arith.select
// CHECK-NEXT:    arith.addi
// CHECK-COUNT-2: arith.select
// CHECK:         tt.return
tt.func @others(%i: i32, %n: i32) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : i32
  %c5 = arith.constant 5 : i32
  %c7 = arith.constant 7 : i32
  %below = arith.cmpi slt, %i, %c7 : i32
  %above = arith.cmpi sge, %i, %c5 : i32
  %a = arith.select %below, %i, %c0 : i32
  %b = arith.select %above, %n, %c0 : i32
  %sum = arith.addi %a, %b : i32
  %x = arith.select %below, %c5, %i : i32
  %unsigned = arith.cmpi ult, %i, %n : i32
  %y = arith.select %unsigned, %i, %n : i32
  tt.return %sum, %x, %y : i32, i32, i32
}
