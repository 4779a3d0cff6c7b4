// RUN: xtriton-opt %s --sccp | filecheck %s

// A constant survives a loop of blocks.
// CHECK-LABEL: @blocks(
// CHECK-NEXT:    %[[C1:.*]] = arith.constant 1 : i32
// CHECK-NEXT:    cf.br ^bb1(%[[C1]] : i32)
// CHECK-NEXT:  ^bb1(%{{.*}}: i32):
// CHECK-NEXT:    cf.cond_br %arg0, ^bb1(%[[C1]] : i32), ^bb2
// CHECK:         return %[[C1]] : i32
func.func @blocks(%p: i1) -> i32 {
  %c1 = arith.constant 1 : i32
  cf.br ^loop(%c1 : i32)
^loop(%x: i32):
  %y = arith.muli %x, %x : i32
  cf.cond_br %p, ^loop(%y : i32), ^end
^end:
  return %x : i32
}

// A branch that cannot be taken says nothing about its target's arguments.
// CHECK-LABEL: @not_taken(
// CHECK-DAG:     %[[C7:.*]] = arith.constant 7 : i32
// CHECK:         return %[[C7]] : i32
func.func @not_taken(%a: i32) -> i32 {
  %true = arith.constant true
  %c7 = arith.constant 7 : i32
  cf.cond_br %true, ^end(%c7 : i32), ^other
^other:
  cf.br ^end(%a : i32)
^end(%x: i32):
  return %x : i32
}

// Through conditions and loops of scf; what changes in a loop is no constant.
// CHECK-LABEL: @structured(
// CHECK-DAG:     %[[C2:.*]] = arith.constant 2 : i32
// CHECK:         %[[FOR:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[C2]], %[[Y:.*]] = %[[C2]])
// CHECK-NEXT:      %[[U:.*]] = arith.addi %[[Y]], %[[C2]] : i32
// CHECK-NEXT:      scf.yield %[[C2]], %[[U]]
// CHECK:         return %[[C2]], %[[C2]], %[[FOR]]#1
func.func @structured(%a: i32, %n: index) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %t = arith.cmpi slt, %c2, %c3 : i32
  %0 = scf.if %t -> i32 {
    scf.yield %c2 : i32
  } else {
    scf.yield %a : i32
  }
  %1:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c2, %y = %c2) -> (i32, i32) {
    %s = arith.muli %x, %c3 : i32
    %d = arith.divsi %s, %c3 : i32
    %u = arith.addi %y, %d : i32
    scf.yield %d, %u : i32, i32
  }
  return %0, %1#0, %1#1 : i32, i32, i32
}

// A while loop that never runs its body.
// CHECK-LABEL: @never(
// CHECK:         %[[C5:.*]] = arith.constant 5 : i32
// CHECK:         return %[[C5]] : i32
func.func @never(%a: i32) -> i32 {
  %c5 = arith.constant 5 : i32
  %0 = scf.while (%x = %c5) : (i32) -> i32 {
    %no = arith.cmpi ne, %x, %x : i32
    scf.condition(%no) %x : i32
  } do {
  ^bb0(%x: i32):
    scf.yield %a : i32
  }
  return %0 : i32
}

// A reduction's region runs on anything.
// CHECK-LABEL: @region(
// CHECK:         arith.addf %{{.*}}, %{{.*}} : f32
tt.func @region(%p: !tt.ptr<f32>) {
  %c = arith.constant dense<1.0> : tensor<8xf32>
  %0 = "tt.reduce"(%c) <{axis = 0 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    tt.reduce.return %s : f32
  }) : (tensor<8xf32>) -> f32
  tt.store %p, %0 : !tt.ptr<f32>
  tt.return
}
