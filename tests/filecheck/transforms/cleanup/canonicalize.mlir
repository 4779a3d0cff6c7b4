// RUN: xtriton-opt %s --canonicalize | filecheck %s

// CHECK-LABEL: @integers(
// CHECK-DAG:     %[[C7:.*]] = arith.constant 7 : i32
// CHECK-DAG:     %[[C12:.*]] = arith.constant 12 : i32
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : i32
// CHECK:         %[[SUM:.*]] = arith.addi %arg0, %[[C7]] : i32
// CHECK-NEXT:    return %[[SUM]], %[[C0]], %[[C12]], %arg0, %arg1
func.func @integers(%a: i32, %t: tensor<4xi32>) -> (i32, i32, i32, i32, tensor<4xi32>) {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %zeros = arith.constant dense<0> : tensor<4xi32>
  %0 = arith.addi %c0, %a : i32
  %1 = arith.addi %0, %c3 : i32
  %2 = arith.addi %1, %c4 : i32
  %3 = arith.subi %a, %a : i32
  %4 = arith.muli %c3, %c4 : i32
  %wide = arith.extsi %a : i32 to i64
  %5 = arith.trunci %wide : i64 to i32
  %6 = arith.ori %zeros, %t : tensor<4xi32>
  return %2, %3, %4, %5, %6 : i32, i32, i32, i32, tensor<4xi32>
}

// What may be undefined is not computed.
// CHECK-LABEL: @undefined(
// CHECK:         arith.divsi
// CHECK-NEXT:    arith.divsi
// CHECK-NEXT:    arith.shli
// CHECK-NEXT:    arith.fptosi
func.func @undefined() -> (i32, i32, i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %m1 = arith.constant -1 : i32
  %lowest = arith.constant -2147483648 : i32
  %big = arith.constant 1.0e+20 : f32
  %0 = arith.divsi %c1, %c0 : i32
  %1 = arith.divsi %lowest, %m1 : i32
  %2 = arith.shli %c1, %c32 : i32
  %3 = arith.fptosi %big : f32 to i32
  return %0, %1, %2, %3 : i32, i32, i32, i32
}

// x + 0.0 is not x where x is -0.0; x + -0.0 and x * 1.0 are.
// CHECK-LABEL: @floats(
// CHECK:         %[[S:.*]] = arith.addf %arg0, %{{.*}} : f32
// CHECK-NEXT:    return %[[S]], %arg0, %arg0
func.func @floats(%x: f32) -> (f32, f32, f32) {
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant -0.0 : f32
  %one = arith.constant 1.0 : f32
  %0 = arith.addf %x, %zero : f32
  %1 = arith.addf %x, %minus : f32
  %2 = arith.mulf %x, %one : f32
  return %0, %1, %2 : f32, f32, f32
}

// CHECK-LABEL: @comparisons(
// CHECK:         %[[GT:.*]] = arith.cmpi sgt, %arg0, %c3_i32 : i32
// CHECK-NEXT:    %[[GE:.*]] = arith.cmpi sge, %arg0, %arg1 : i32
// CHECK-NEXT:    return %[[GT]], %[[GE]], %true
func.func @comparisons(%a: i32, %b: i32) -> (i1, i1, i1) {
  %c3 = arith.constant 3 : i32
  %true = arith.constant true
  %0 = arith.cmpi slt, %c3, %a : i32
  %1 = arith.cmpi slt, %a, %b : i32
  %2 = arith.xori %1, %true : i1
  %3 = arith.cmpi ule, %a, %a : i32
  return %0, %2, %3 : i1, i1, i1
}

// CHECK-LABEL: @selects(
// CHECK:         %[[S:.*]] = arith.select %arg0, %arg2, %arg1 : i32
// CHECK-NEXT:    %[[T:.*]] = arith.select %arg0, %arg1, %arg2 : i32
// CHECK-NEXT:    return %[[S]], %[[T]], %arg1, %arg0
func.func @selects(%c: i1, %a: i32, %b: i32) -> (i32, i32, i32, i1) {
  %true = arith.constant true
  %false = arith.constant false
  %not = arith.xori %c, %true : i1
  %0 = arith.select %not, %a, %b : i32
  %inner = arith.select %c, %a, %b : i32
  %1 = arith.select %c, %inner, %b : i32
  %2 = arith.select %true, %a, %b : i32
  %3 = arith.select %c, %true, %false : i1
  return %0, %1, %2, %3 : i32, i32, i32, i1
}

// Branches that are known, results that nobody uses, loops that run once or never.
// CHECK-LABEL: @control_flow(
// CHECK:         %[[IF:.*]] = scf.if %arg0 -> (i32) {
// CHECK:         return %arg1, %[[IF]], %arg2, %arg1
func.func @control_flow(%c: i1, %a: i32, %b: i32) -> (i32, i32, i32, i32) {
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.if %true -> i32 {
    scf.yield %a : i32
  } else {
    scf.yield %b : i32
  }
  %1:2 = scf.if %c -> (i32, i32) {
    %x = arith.muli %a, %b : i32
    scf.yield %x, %a : i32, i32
  } else {
    scf.yield %a, %b : i32, i32
  }
  %2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%x = %a) -> (i32) {
    scf.yield %b : i32
  }
  %3 = scf.for %i = %c1 to %c0 step %c1 iter_args(%x = %a) -> (i32) {
    scf.yield %b : i32
  }
  return %0, %1#0, %2, %3 : i32, i32, i32, i32
}

// What a loop carries unchanged or unused is not carried; its attributes stay.
// CHECK-LABEL: @carried(
// CHECK:         scf.for %{{.*}} iter_args(%[[X:.*]] = %arg0) -> (i32)
// CHECK-NEXT:      %[[S:.*]] = arith.addi %[[X]], %arg1 : i32
// CHECK-NEXT:      scf.yield %[[S]] : i32
// CHECK-NEXT:    } {tt.num_stages = 3 : i32}
func.func @carried(%a: i32, %b: i32, %n: index) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %z = %a) -> (i32, i32, i32) {
    %1 = arith.addi %x, %y : i32
    scf.yield %1, %y, %a : i32, i32, i32
  } {tt.num_stages = 3 : i32}
  return %0#0, %0#1 : i32, i32
}

// What begins and goes on with the same values as another is that other one.
// CHECK-LABEL: @carried_twice(
// CHECK:         %[[F:.*]]:2 = scf.for %{{.*}} iter_args(%[[X:.*]] = %arg0, %[[Y:.*]] = %arg1) -> (i32, i32)
// CHECK-NEXT:      %[[S:.*]] = arith.addi %[[X]], %[[X]] : i32
// CHECK-NEXT:      %[[P:.*]] = arith.muli %[[Y]], %[[S]] : i32
// CHECK-NEXT:      scf.yield %[[S]], %[[P]] : i32, i32
// CHECK:         return %[[F]]#0, %[[F]]#1, %[[F]]#0
func.func @carried_twice(%a: i32, %b: i32, %n: index) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %z = %a) -> (i32, i32, i32) {
    %1 = arith.addi %x, %z : i32
    %2 = arith.muli %y, %1 : i32
    scf.yield %1, %2, %1 : i32, i32, i32
  }
  return %0#0, %0#1, %0#2 : i32, i32, i32
}

// CHECK-LABEL: @blocks(
// CHECK-NEXT:    %[[S:.*]] = arith.addi %arg0, %arg0 : i32
// CHECK-NEXT:    return %[[S]]
func.func @blocks(%a: i32, %c: i1) -> i32 {
  %false = arith.constant false
  cf.cond_br %false, ^one, ^two(%a : i32)
^one:
  cf.br ^two(%a : i32)
^two(%x: i32):
  %y = arith.addi %x, %x : i32
  cf.br ^three
^three:
  return %y : i32
}

// CHECK-LABEL: @masks(
// CHECK:         %[[L:.*]] = tt.load %arg0 : tensor<8x!tt.ptr<f32>>
// CHECK-NEXT:    tt.store %arg0, %[[L]] : tensor<8x!tt.ptr<f32>>
// CHECK-NEXT:    tt.store %arg0, %arg1, %arg2 : tensor<8x!tt.ptr<f32>>
// CHECK-NEXT:    tt.return
tt.func @masks(%p: tensor<8x!tt.ptr<f32>>, %v: tensor<8xf32>, %m: tensor<8xi1>) {
  %all = arith.constant dense<true> : tensor<8xi1>
  %none = arith.constant dense<false> : tensor<8xi1>
  %0 = tt.load %p, %all, %v : tensor<8x!tt.ptr<f32>>
  %1 = tt.load %p, %none, %v : tensor<8x!tt.ptr<f32>>
  tt.store %p, %0, %all : tensor<8x!tt.ptr<f32>>
  tt.store %p, %0, %none : tensor<8x!tt.ptr<f32>>
  tt.store %p, %1, %m : tensor<8x!tt.ptr<f32>>
  tt.return
}

// CHECK-LABEL: @shapes(
// CHECK-DAG:     %[[C:.*]] = arith.constant dense<3> : tensor<8x4xi32>
// CHECK-DAG:     %[[S:.*]] = tt.splat %arg0 : i32 -> tensor<8x4xi32>
// CHECK:         tt.return %[[C]], %[[S]], %arg1
tt.func @shapes(%x: i32, %t: tensor<8xi32>) -> (tensor<8x4xi32>, tensor<8x4xi32>, tensor<8xi32>) {
  %c3 = arith.constant 3 : i32
  %0 = tt.splat %c3 : i32 -> tensor<8xi32>
  %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
  %2 = tt.broadcast %1 : tensor<8x1xi32> -> tensor<8x4xi32>
  %3 = tt.splat %x : i32 -> tensor<8xi32>
  %4 = tt.expand_dims %3 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
  %5 = tt.broadcast %4 : tensor<8x1xi32> -> tensor<8x4xi32>
  %6 = tt.reshape %t : tensor<8xi32> -> tensor<2x4xi32>
  %7 = tt.reshape %6 : tensor<2x4xi32> -> tensor<8xi32>
  tt.return %2, %5, %7 : tensor<8x4xi32>, tensor<8x4xi32>, tensor<8xi32>
}

// Constants are combined across ops for scalars only, as in MLIR.
// CHECK-LABEL: @combined_constants(
// CHECK-DAG:     %[[C1000:.*]] = arith.constant 1000 : i32
// CHECK:         %[[A:.*]] = arith.addi %arg0, %{{.*}} : tensor<256xi32>
// CHECK:         %[[B:.*]] = arith.subi %{{.*}}, %[[A]] : tensor<256xi32>
// CHECK:         %[[C:.*]] = arith.addi %[[B]], %{{.*}} : tensor<256xi32>
// CHECK:         %[[D:.*]] = arith.subi %[[C1000]], %arg1 : i32
// CHECK:         return %[[C]], %[[D]]
func.func @combined_constants(%x: tensor<256xi32>, %s: i32) -> (tensor<256xi32>, i32) {
  %ones = arith.constant dense<-1> : tensor<256xi32>
  %nines = arith.constant dense<999> : tensor<256xi32>
  %one = arith.constant -1 : i32
  %nine = arith.constant 999 : i32
  %0 = arith.addi %x, %ones : tensor<256xi32>
  %1 = arith.subi %nines, %0 : tensor<256xi32>
  %2 = arith.addi %1, %ones : tensor<256xi32>
  %3 = arith.addi %s, %one : i32
  %4 = arith.subi %nine, %3 : i32
  return %2, %4 : tensor<256xi32>, i32
}

// Branches in a row on one condition, or its negation, are one; the later use what the
// earlier yield.
// CHECK-LABEL: @branches_in_a_row(
// CHECK:         %[[R:.*]]:2 = scf.if %arg0 -> (i32, i32) {
// CHECK-NEXT:      %[[S:.*]] = arith.muli %arg1, %arg1
// CHECK-NEXT:      func.call @use(%[[S]])
// CHECK-NEXT:      func.call @use(%arg1)
// CHECK-NEXT:      %[[T:.*]] = arith.addi %[[S]], %arg1
// CHECK-NEXT:      scf.yield %[[S]], %[[T]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      func.call @use(%arg1)
// CHECK-NEXT:      scf.yield %arg1, %arg1
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[R]]#0, %[[R]]#1
func.func private @use(i32)
func.func @branches_in_a_row(%c: i1, %x: i32) -> (i32, i32) {
  %true = arith.constant true
  %not = arith.xori %c, %true : i1
  %r = scf.if %c -> i32 {
    %s = arith.muli %x, %x : i32
    func.call @use(%s) : (i32) -> ()
    scf.yield %s : i32
  } else {
    scf.yield %x : i32
  }
  scf.if %not {
    func.call @use(%r) : (i32) -> ()
  } else {
    func.call @use(%x) : (i32) -> ()
  }
  %t = scf.if %c -> i32 {
    %u = arith.addi %r, %x : i32
    scf.yield %u : i32
  } else {
    scf.yield %x : i32
  }
  return %r, %t : i32, i32
}

// A constant that others fold to stays where it is, and those that are made come in front in
// the order in which MLIR gets to them.
// CHECK-LABEL: @order_of_constants(
// CHECK-NEXT:    arith.constant 2 : i32
// CHECK-NEXT:    arith.constant 6 : i32
// CHECK-NEXT:    arith.constant 15 : i32
// CHECK-NEXT:    arith.constant 0 : i32
// CHECK-NEXT:    return
func.func @order_of_constants() -> (i32, i32, i32, i32) {
  %c2 = arith.constant 2 : i32
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c5 = arith.constant 5 : i32
  %zero = arith.muli %c2, %c0 : i32
  %sum = arith.addi %c3, %c3 : i32
  %product = arith.muli %c5, %c3 : i32
  %still = arith.muli %zero, %c5 : i32
  return %sum, %product, %still, %c2 : i32, i32, i32, i32
}

// What is negated by a product and added is subtracted, on either side.
// CHECK-LABEL: @sum_with_negation(
// CHECK-NEXT:    %[[A:.*]] = arith.subi %arg0, %arg1 : i32
// CHECK-NEXT:    %[[B:.*]] = arith.subi %arg2, %arg3 : tensor<4xi32>
// CHECK-NEXT:    return %[[A]], %[[B]]
func.func @sum_with_negation(%a: i32, %b: i32, %t: tensor<4xi32>, %u: tensor<4xi32>) -> (i32, tensor<4xi32>) {
  %minus = arith.constant -1 : i32
  %minuses = arith.constant dense<-1> : tensor<4xi32>
  %0 = arith.muli %b, %minus : i32
  %1 = arith.addi %a, %0 : i32
  %2 = arith.muli %u, %minuses : tensor<4xi32>
  %3 = arith.addi %2, %t : tensor<4xi32>
  return %1, %3 : i32, tensor<4xi32>
}
