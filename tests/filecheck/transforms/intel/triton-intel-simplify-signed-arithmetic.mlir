// RUN: xtriton-opt %s --split-input-file --triton-intel-simplify-signed-arithmetic | filecheck %s
// RUN: xtriton-opt %s --split-input-file --triton-intel-simplify-signed-arithmetic='proof=true' | filecheck %s --check-prefix=PROOF

// The second remainder is of a quotient, which is not negative as its dividend is not.
// CHECK-LABEL: @tiles(
// CHECK:         %[[ROW:.*]] = arith.divui
// CHECK:         arith.remui
// CHECK:         arith.remui %[[ROW]]
// CHECK:         arith.ceildivui
tt.func @tiles(%p: !tt.ptr<i32>) {
  %pid = tt.get_program_id x : i32
  %n = tt.get_num_programs x : i32
  %c24 = arith.constant 24 : i32
  %c7 = arith.constant 7 : i32
  %row = arith.divsi %pid, %c24 : i32
  %column = arith.remsi %pid, %c24 : i32
  %group = arith.remsi %row, %c7 : i32
  %groups = arith.ceildivsi %n, %c7 : i32
  tt.store %p, %row : !tt.ptr<i32>
  tt.store %p, %column : !tt.ptr<i32>
  tt.store %p, %group : !tt.ptr<i32>
  tt.store %p, %groups : !tt.ptr<i32>
  tt.return
}

// -----

// A product may wrap: whether that counts is an option. Positions within the block cannot.
// CHECK-LABEL: @positions(
// CHECK-COUNT-2: arith.remui
// PROOF-LABEL: @positions(
// PROOF:         arith.remsi
// PROOF:         arith.remui
tt.func @positions(%p: tensor<128x!tt.ptr<i32>>) {
  %pid = tt.get_program_id x : i32
  %c128 = arith.constant 128 : i32
  %period = arith.constant dense<48> : tensor<128xi32>
  %lanes = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
  %start = arith.muli %pid, %c128 : i32
  %starts = tt.splat %start : i32 -> tensor<128xi32>
  %index = arith.addi %starts, %lanes : tensor<128xi32>
  %a = arith.remsi %index, %period : tensor<128xi32>
  %twice = arith.addi %lanes, %lanes : tensor<128xi32>
  %b = arith.remsi %twice, %period : tensor<128xi32>
  tt.store %p, %a : tensor<128x!tt.ptr<i32>>
  tt.store %p, %b : tensor<128x!tt.ptr<i32>>
  tt.return
}

// -----

// Divided by 1, a great unsigned number is a negative one still; divided by 2 it is not.
// CHECK-LABEL: @quotients_of_unsigned_numbers(
// CHECK:         arith.divsi
// CHECK:         arith.divui
// CHECK-NOT:     arith.divsi
tt.func @quotients_of_unsigned_numbers(%p: !tt.ptr<i32>, %x: i32) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c9 = arith.constant 9 : i32
  %same = arith.divui %x, %c1 : i32
  %half = arith.divui %x, %c2 : i32
  %a = arith.divsi %same, %c9 : i32
  %b = arith.divsi %half, %c9 : i32
  tt.store %p, %a : !tt.ptr<i32>
  tt.store %p, %b : !tt.ptr<i32>
  tt.return
}

// -----

// A remainder by a great unsigned number is one as well.
// CHECK-LABEL: @remainders_of_unsigned_numbers(
// CHECK:         arith.remsi
// CHECK:         arith.remui
// CHECK:         arith.remui
// CHECK-NOT:     arith.remsi
tt.func @remainders_of_unsigned_numbers(%p: !tt.ptr<i32>, %x: i32, %y: i32) {
  %c9 = arith.constant 9 : i32
  %c10 = arith.constant 10 : i32
  %r = arith.remui %x, %y : i32
  %a = arith.remsi %r, %c9 : i32
  %s = arith.remui %x, %c10 : i32
  %b = arith.remsi %s, %c9 : i32
  tt.store %p, %a : !tt.ptr<i32>
  tt.store %p, %b : !tt.ptr<i32>
  tt.return
}

// -----

// The induction variable counts from 0 on; what the loop carries goes below 0.
// CHECK-LABEL: @loop(
// CHECK:         arith.divui %{{.*}}, %c3
// CHECK:         arith.remsi %{{.*}}, %c3
tt.func @loop(%p: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  scf.for %i = %c0 to %n step %c1 iter_args(%x = %c1) -> (i32) : i32 {
    %a = arith.divsi %i, %c3 : i32
    %b = arith.remsi %x, %c3 : i32
    tt.store %p, %a : !tt.ptr<i32>
    tt.store %p, %b : !tt.ptr<i32>
    %y = arith.subi %x, %c1 : i32
    scf.yield %y : i32
  }
  tt.return
}

// -----

// Divisors that may be 0 or negative, and dividends that may be negative.
// CHECK-LABEL: @stays(
// CHECK:         arith.divsi
// CHECK:         arith.divsi
// CHECK:         arith.remsi
tt.func @stays(%p: !tt.ptr<i32>, %x: i32) {
  %c5 = arith.constant 5 : i32
  %pid = tt.get_program_id x : i32
  %a = arith.divsi %c5, %pid : i32
  %b = arith.divsi %x, %c5 : i32
  %c = arith.remsi %pid, %x : i32
  tt.store %p, %a : !tt.ptr<i32>
  tt.store %p, %b : !tt.ptr<i32>
  tt.store %p, %c : !tt.ptr<i32>
  tt.return
}
