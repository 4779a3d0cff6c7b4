// RUN: xtriton-opt %s --split-input-file --triton-intel-fold-true-cmpi | filecheck %s

// A program's number is none below 0; what it is at most is not known.
// CHECK-LABEL: @number_of_a_program(
// CHECK:         %[[TRUE:.*]] = arith.constant true
// CHECK:         %[[OPEN:.*]] = arith.cmpi slt
// CHECK:         tt.store %arg0, %[[TRUE]]
// CHECK:         tt.store %arg0, %[[OPEN]]
tt.func @number_of_a_program(%p: !tt.ptr<i1>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %pid = tt.get_program_id x : i32
  %a = arith.cmpi sge, %pid, %c0 : i32
  %b = arith.cmpi slt, %pid, %n : i32
  tt.store %p, %a : !tt.ptr<i1>
  tt.store %p, %b : !tt.ptr<i1>
  tt.return
}

// -----

// Every lane is compared: 8 .. 23 is beyond 0 .. 7, but not beyond 0 .. 8.
// CHECK-LABEL: @lanes(
// CHECK:         arith.constant dense<true> : tensor<16xi1>
// CHECK:         arith.constant dense<false> : tensor<16xi1>
// CHECK:         arith.cmpi sgt
tt.func @lanes(%p: tensor<16x!tt.ptr<i1>>) {
  %high = tt.make_range {start = 8 : i32, end = 24 : i32} : tensor<16xi32>
  %low = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %seven = arith.constant dense<7> : tensor<16xi32>
  %eight = arith.constant dense<8> : tensor<16xi32>
  %a = arith.cmpi sgt, %high, %seven : tensor<16xi32>
  %b = arith.cmpi ult, %high, %eight : tensor<16xi32>
  %c = arith.cmpi sgt, %high, %low : tensor<16xi32>
  tt.store %p, %a : tensor<16x!tt.ptr<i1>>
  tt.store %p, %b : tensor<16x!tt.ptr<i1>>
  tt.store %p, %c : tensor<16x!tt.ptr<i1>>
  tt.return
}

// -----

// A sum that may leave the width may be anything; one that cannot is no less than its parts.
// CHECK-LABEL: @wraps(
// CHECK:         arith.cmpi sge
// CHECK:         arith.constant true
// CHECK-NOT:     arith.cmpi
tt.func @wraps(%p: !tt.ptr<i1>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c1023 = arith.constant 1023 : i32
  %pid = tt.get_program_id x : i32
  %next = arith.addi %pid, %c1 : i32
  %a = arith.cmpi sge, %next, %c0 : i32
  tt.store %p, %a : !tt.ptr<i1>
  %low = arith.andi %pid, %c1023 : i32
  %more = arith.addi %low, %c1 : i32
  %b = arith.cmpi sgt, %more, %c0 : i32
  tt.store %p, %b : !tt.ptr<i1>
  tt.return
}

// -----

// What a loop carries is what it begins with, and what becomes of that; the induction
// variable stays below the upper bound.
// CHECK-LABEL: @loop(
// CHECK:         scf.for
// CHECK:           %[[TRUE:.*]] = arith.constant true
// CHECK:           arith.cmpi eq
// CHECK:           arith.cmpi eq, %{{.*}}, %c8
// CHECK:           tt.store %arg0, %[[TRUE]]
tt.func @loop(%p: !tt.ptr<i1>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c9 = arith.constant 9 : i32
  scf.for %i = %c0 to %c9 step %c1 iter_args(%x = %c0) -> (i32) : i32 {
    %a = arith.cmpi slt, %i, %c9 : i32
    %b = arith.cmpi eq, %x, %c0 : i32
    %last = arith.cmpi eq, %i, %c8 : i32
    tt.store %p, %a : !tt.ptr<i1>
    tt.store %p, %b : !tt.ptr<i1>
    tt.store %p, %last : !tt.ptr<i1>
    %y = arith.addi %x, %c1 : i32
    scf.yield %y : i32
  }
  tt.return
}

// -----

// What is assumed in the block of a value holds wherever the value is; what is assumed in a
// branch does not hold outside of it.
// CHECK-LABEL: @assumed(
// CHECK:         %[[TRUE:.*]] = arith.constant true
// CHECK:         llvm.intr.assume %[[TRUE]]
// CHECK:         scf.if
// CHECK:           tt.store %arg0, %{{.*}} : !tt.ptr<i1>
// CHECK:           %[[OPEN:.*]] = arith.cmpi slt, %arg2
// CHECK:           llvm.intr.assume %[[OPEN]]
// CHECK:         arith.cmpi slt, %arg2
tt.func @assumed(%p: !tt.ptr<i1>, %m: i32, %n: i32, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %small = arith.cmpi slt, %m, %c64 : i32
  llvm.intr.assume %small : i1
  scf.if %c {
    %a = arith.cmpi sge, %m, %c64 : i32
    tt.store %p, %a : !tt.ptr<i1>
    %b = arith.cmpi slt, %n, %c64 : i32
    llvm.intr.assume %b : i1
  }
  %d = arith.cmpi slt, %n, %c64 : i32
  tt.store %p, %d : !tt.ptr<i1>
  tt.return
}

// -----

// An assumption behind a check that may end the program says nothing of what is in front.
// CHECK-LABEL: @checked_first(
// CHECK:         %[[SMALL:.*]] = arith.cmpi slt
// CHECK:         tt.store %arg0, %[[SMALL]]
// CHECK:         tt.assert
tt.func @checked_first(%p: !tt.ptr<i1>, %m: i32) {
  %c64 = arith.constant 64 : i32
  %small = arith.cmpi slt, %m, %c64 : i32
  tt.store %p, %small : !tt.ptr<i1>
  tt.assert %small, "too much" : i1
  llvm.intr.assume %small : i1
  tt.return
}

// -----

// What a choice between floats decides is followed too: the second time it may be 1.
// CHECK-LABEL: @chosen_by_floats(
// CHECK:         arith.cmpi eq
tt.func @chosen_by_floats(%p: !tt.ptr<i1>, %x: f32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %half = arith.constant 5.000000e-01 : f32
  scf.for %i = %c0 to %n step %c1 iter_args(%y = %c0) -> (i32) : i32 {
    %a = arith.cmpi eq, %y, %c0 : i32
    tt.store %p, %a : !tt.ptr<i1>
    %big = arith.cmpf ogt, %x, %half : f32
    %z = arith.select %big, %c1, %y : i32
    scf.yield %z : i32
  }
  tt.return
}
