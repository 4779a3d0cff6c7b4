// RUN: xtriton-opt %s --cse | filecheck %s
// RUN: xtriton-opt %s --cse --mlir-print-debuginfo | filecheck %s --check-prefix=LOC

// Equal ops merge, the operands of a commutative one in any order; dead ops go.
// CHECK-LABEL: @simple(
// CHECK-NEXT:    %[[S:.*]] = arith.addi %arg0, %arg1 : i32
// CHECK-NEXT:    %[[M:.*]] = arith.muli %[[S]], %[[S]] : i32
// CHECK-NEXT:    return %[[M]]
func.func @simple(%a: i32, %b: i32) -> i32 {
  %dead = arith.subi %a, %b : i32
  %0 = arith.addi %a, %b : i32
  %1 = arith.addi %b, %a : i32
  %2 = arith.muli %0, %1 : i32
  return %2 : i32
}

// A subtraction does not commute; another type or attribute is another op.
// CHECK-LABEL: @different(
// CHECK-COUNT-2: arith.subi
// CHECK:         arith.cmpi slt
// CHECK-NEXT:    arith.cmpi sle
func.func @different(%a: i32, %b: i32) -> (i32, i32, i1, i1) {
  %0 = arith.subi %a, %b : i32
  %1 = arith.subi %b, %a : i32
  %2 = arith.cmpi slt, %a, %b : i32
  %3 = arith.cmpi sle, %a, %b : i32
  return %0, %1, %2, %3 : i32, i32, i1, i1
}

// What is known outside a region is known inside, not the other way round.
// CHECK-LABEL: @regions(
// CHECK-NEXT:    %[[S:.*]] = arith.addi %arg0, %arg1 : i32
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      %[[D:.*]] = arith.subi
// CHECK-NEXT:      tt.call @use(%[[S]], %[[D]])
// CHECK:         arith.subi
func.func @regions(%a: i32, %b: i32, %c: i1) -> i32 {
  %0 = arith.addi %a, %b : i32
  scf.if %c {
    %1 = arith.addi %a, %b : i32
    %2 = arith.subi %a, %b : i32
    tt.call @use(%1, %2) : (i32, i32) -> ()
  }
  %3 = arith.subi %a, %b : i32
  %4 = arith.addi %3, %0 : i32
  return %4 : i32
}

// Between blocks, dominance decides.
// CHECK-LABEL: @blocks(
// CHECK:         arith.addi
// CHECK:       ^bb1:
// CHECK-NEXT:    arith.subi
// CHECK-NOT:     arith.addi
// CHECK:       ^bb2:
// CHECK-NEXT:    arith.subi
// CHECK-NOT:     arith.addi
// CHECK:       ^bb3(%{{.*}}: i32):
// CHECK-NEXT:    arith.subi
func.func @blocks(%a: i32, %b: i32, %c: i1) -> i32 {
  %0 = arith.addi %a, %b : i32
  cf.cond_br %c, ^one, ^two
^one:
  %1 = arith.subi %a, %b : i32
  %2 = arith.addi %a, %b : i32
  %3 = arith.muli %1, %2 : i32
  cf.br ^three(%3 : i32)
^two:
  %4 = arith.subi %a, %b : i32
  cf.br ^three(%4 : i32)
^three(%x: i32):
  %5 = arith.subi %a, %b : i32
  %6 = arith.addi %5, %x : i32
  %7 = arith.addi %6, %0 : i32
  return %7 : i32
}

// Loads merge unless something is written in between.
// CHECK-LABEL: @memory(
// CHECK-COUNT-1: tt.load
// CHECK-NEXT:    arith.addf
// CHECK-NEXT:    tt.store
// CHECK-NEXT:    tt.load
// CHECK-NOT:     tt.load
// CHECK:         tt.return
tt.func @memory(%p: !tt.ptr<f32>) -> f32 {
  %0 = tt.load %p : !tt.ptr<f32>
  %1 = tt.load %p : !tt.ptr<f32>
  %2 = arith.addf %0, %1 : f32
  tt.store %p, %2 : !tt.ptr<f32>
  %3 = tt.load %p : !tt.ptr<f32>
  %4 = tt.load %p : !tt.ptr<f32>
  %5 = arith.mulf %3, %4 : f32
  tt.return %5 : f32
}

// Ops with equal regions are equal.
// CHECK-LABEL: @reduce(
// CHECK-COUNT-2: "tt.reduce"
// CHECK-NOT:     "tt.reduce"
// CHECK:         tt.return
tt.func @reduce(%t: tensor<16xf32>) -> (f32, f32, f32) {
  %0 = "tt.reduce"(%t) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tt.reduce.return %s : f32
  }) : (tensor<16xf32>) -> f32
  %1 = "tt.reduce"(%t) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tt.reduce.return %s : f32
  }) : (tensor<16xf32>) -> f32
  %2 = "tt.reduce"(%t) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.mulf %a, %b : f32
    tt.reduce.return %s : f32
  }) : (tensor<16xf32>) -> f32
  tt.return %0, %1, %2 : f32, f32, f32
}

// The op that stays keeps its location, or takes over the only one there is.
// LOC-LABEL: @locations(
// LOC:         arith.addi %{{.*}} loc([[ADD:#.*]])
// LOC-NEXT:    arith.muli %{{.*}} loc([[MUL:#.*]])
// LOC-DAG:   [[ADD]] = loc("a.py":1:1)
// LOC-DAG:   [[MUL]] = loc("a.py":4:1)
func.func @locations(%a: i32) -> (i32, i32, i32, i32) {
  %0 = arith.addi %a, %a : i32 loc("a.py":1:1)
  %1 = arith.addi %a, %a : i32 loc("a.py":2:1)
  %2 = arith.muli %a, %a : i32 loc(unknown)
  %3 = arith.muli %a, %a : i32 loc("a.py":4:1)
  return %0, %1, %2, %3 : i32, i32, i32, i32
}

tt.func private @use(i32, i32)

// Ops with the same operands differ by their attributes, and by the types of their results.
// CHECK-LABEL: func.func @same_operands(
// CHECK:         %[[LT:.*]] = arith.cmpi slt, %arg0, %arg1 : i32
// CHECK-NEXT:    %[[GT:.*]] = arith.cmpi sgt, %arg0, %arg1 : i32
// CHECK-NEXT:    %[[LE:.*]] = arith.cmpi sle, %arg0, %arg1 : i32
// CHECK-NEXT:    %[[W:.*]] = arith.extsi %arg0 : i32 to i64
// CHECK-NEXT:    %[[WW:.*]] = arith.extsi %arg0 : i32 to i128
// CHECK-NEXT:    call @three(%[[GT]], %[[LE]], %[[W]])
// CHECK-NEXT:    scf.if %[[LT]] {
// CHECK-NEXT:      %[[EQ:.*]] = arith.cmpi eq, %arg0, %arg1 : i32
// CHECK-NEXT:      func.call @four(%[[GT]], %[[LE]], %[[EQ]], %[[EQ]])
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[EQ2:.*]] = arith.cmpi eq, %arg0, %arg1 : i32
// CHECK-NEXT:    call @seven(%[[LT]], %[[GT]], %[[LE]], %[[EQ2]], %[[W]], %[[WW]], %[[WW]])
func.func @same_operands(%a: i32, %b: i32) {
  %0 = arith.cmpi slt, %a, %b : i32
  %1 = arith.cmpi sgt, %a, %b : i32
  %2 = arith.cmpi sle, %a, %b : i32
  %3 = arith.extsi %a : i32 to i64
  %4 = arith.extsi %a : i32 to i128
  func.call @three(%1, %2, %3) : (i1, i1, i64) -> ()
  scf.if %0 {
    %5 = arith.cmpi sgt, %a, %b : i32
    %6 = arith.cmpi sle, %a, %b : i32
    %7 = arith.cmpi eq, %a, %b : i32
    %8 = arith.cmpi eq, %a, %b : i32
    func.call @four(%5, %6, %7, %8) : (i1, i1, i1, i1) -> ()
  }
  %9 = arith.cmpi slt, %a, %b : i32
  %10 = arith.cmpi sgt, %a, %b : i32
  %11 = arith.cmpi sle, %a, %b : i32
  %12 = arith.cmpi eq, %a, %b : i32
  %13 = arith.extsi %a : i32 to i64
  %14 = arith.extsi %a : i32 to i128
  func.call @seven(%9, %10, %11, %12, %13, %14, %4) : (i1, i1, i1, i1, i64, i128, i128) -> ()
  return
}

func.func private @three(i1, i1, i64)
func.func private @four(i1, i1, i1, i1)
func.func private @seven(i1, i1, i1, i1, i64, i128, i128)
