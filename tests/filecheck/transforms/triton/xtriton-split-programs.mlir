// RUN: xtriton-opt %s --split-input-file --xtriton-split-programs | filecheck %s
// RUN: xtriton-opt %s --split-input-file --xtriton-split-programs=bands=4 | filecheck %s --check-prefix=FOUR
// RUN: xtriton-opt %s --split-input-file --xtriton-split-programs --verify-diagnostics

// Bands of a program are beside each other. Of the left operand they need their rows, of the right one
// all; and the range is needed both ways. What a hint says of 64 columns need not hold for a part.

// CHECK-LABEL: tt.func @product
// CHECK:         %[[X:.*]] = tt.get_program_id x : i32
// CHECK:         %[[PID:.*]] = arith.divsi %[[X]], %{{.*}} : i32
// CHECK:         %[[BAND:.*]] = arith.remsi %[[X]], %{{.*}} : i32
// CHECK:         tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
// CHECK:         tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
// CHECK:         %[[ROWS:.*]] = arith.constant 32 : i32
// CHECK:         arith.muli %[[BAND]], %[[ROWS]] : i32
// CHECK-NOT:     tt.divisibility
// CHECK:         scf.for {{.*}} -> (tensor<32x64xf32>)
// CHECK:           tt.dot {{.*}} : tensor<32x64xf32> * tensor<64x64xf32> -> tensor<32x64xf32>
// CHECK:         tt.store {{.*}} : tensor<32x64x!tt.ptr<f32>>
// FOUR-LABEL:  tt.func @product
// FOUR:          tt.dot {{.*}} : tensor<16x64xf32> * tensor<64x64xf32> -> tensor<16x64xf32>
tt.func @product(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %c: !tt.ptr<f32>, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %pid = tt.get_program_id x : i32
  %count = tt.get_num_programs x : i32
  %start = arith.muli %pid, %c64 : i32
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %starts = tt.splat %start : i32 -> tensor<64xi32>
  %rows = arith.addi %i, %starts {tt.divisibility = dense<64> : tensor<1xi32>} : tensor<64xi32>
  %row = tt.expand_dims %rows {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %k = tt.expand_dims %i {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %column = tt.expand_dims %i {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %stride = arith.constant dense<64> : tensor<64x1xi32>
  %skips = arith.muli %row, %stride : tensor<64x1xi32>
  %skip = tt.broadcast %skips : tensor<64x1xi32> -> tensor<64x64xi32>
  %columns = tt.broadcast %column : tensor<1x64xi32> -> tensor<64x64xi32>
  %at = arith.addi %skip, %columns : tensor<64x64xi32>
  %ks = arith.muli %k, %stride : tensor<64x1xi32>
  %kss = tt.broadcast %ks : tensor<64x1xi32> -> tensor<64x64xi32>
  %at_b = arith.addi %kss, %columns : tensor<64x64xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  %bs = tt.splat %b : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  %cs = tt.splat %c : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  %ap = tt.addptr %as, %at : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
  %bp = tt.addptr %bs, %at_b : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
  %cp = tt.addptr %cs, %at : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
  %sum = scf.for %j = %c0 to %count step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %x = tt.load %ap : tensor<64x64x!tt.ptr<f32>>
    %y = tt.load %bp : tensor<64x64x!tt.ptr<f32>>
    %d = tt.dot %x, %y, %acc : tensor<64x64xf32> * tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tt.store %cp, %sum : tensor<64x64x!tt.ptr<f32>>
  tt.return
}

// -----

// Sums of columns are split by columns, in a branch as well, with the number of programs as it was.

// CHECK-LABEL: tt.func @columns
// CHECK:         %[[COUNT:.*]] = tt.get_num_programs x : i32
// CHECK:         arith.divsi %[[COUNT]], %{{.*}} : i32
// CHECK:         scf.if %{{.*}} -> (tensor<32xi32>) {
// CHECK:           tt.load {{.*}} : tensor<4x32x!tt.ptr<i32>>
// CHECK:           (tensor<4x32xi32>) -> tensor<32xi32>
// CHECK:         tt.store {{.*}} : tensor<32x!tt.ptr<i32>>
tt.func @columns(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>) {
  %zero = arith.constant dense<0> : tensor<64xi32>
  %c1 = arith.constant 1 : i32
  %count = tt.get_num_programs x : i32
  %alone = arith.cmpi eq, %count, %c1 : i32
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %r = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %sum = scf.if %alone -> (tensor<64xi32>) {
    %row = tt.expand_dims %r {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %stride = arith.constant dense<64> : tensor<4x1xi32>
    %skip = arith.muli %row, %stride : tensor<4x1xi32>
    %skips = tt.broadcast %skip : tensor<4x1xi32> -> tensor<4x64xi32>
    %column = tt.expand_dims %i {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %columns = tt.broadcast %column : tensor<1x64xi32> -> tensor<4x64xi32>
    %at = arith.addi %skips, %columns : tensor<4x64xi32>
    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<4x64x!tt.ptr<i32>>
    %xp = tt.addptr %xs, %at : tensor<4x64x!tt.ptr<i32>>, tensor<4x64xi32>
    %v = tt.load %xp : tensor<4x64x!tt.ptr<i32>>
    %s = "tt.reduce"(%v) <{axis = 0 : i32}> ({
    ^bb0(%p: i32, %q: i32):
      %t = arith.addi %p, %q : i32
      tt.reduce.return %t : i32
    }) : (tensor<4x64xi32>) -> tensor<64xi32>
    scf.yield %s : tensor<64xi32>
  } else {
    scf.yield %zero : tensor<64xi32>
  }
  %ys = tt.splat %y : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %yp = tt.addptr %ys, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  tt.store %yp, %sum : tensor<64x!tt.ptr<i32>>
  tt.return
}

// -----

// The rows of one program may read what others of it have stored.

// CHECK-LABEL: tt.func @in_place
// CHECK-NOT:     arith.remsi
// expected-remark@+1 {{not split: it loads through an argument to which it stores}}
tt.func @in_place(%x: !tt.ptr<f32>) {
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v = tt.load %xp : tensor<64x!tt.ptr<f32>>
  tt.store %xp, %v : tensor<64x!tt.ptr<f32>>
  tt.return
}

// -----

// Which store is the last may depend on the row,

// expected-remark@+1 {{not split: two stores go through one argument}}
tt.func @twice(%x: !tt.ptr<i32>) {
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %one = arith.constant dense<1> : tensor<64xi32>
  %j = arith.addi %i, %one : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %xp = tt.addptr %xs, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  %xq = tt.addptr %xs, %j : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  tt.store %xp, %i : tensor<64x!tt.ptr<i32>>
  tt.store %xq, %i : tensor<64x!tt.ptr<i32>>
  tt.return
}

// -----

// also in a loop.

// expected-remark@+1 {{not split: a store is in a loop}}
tt.func @loop(%x: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  scf.for %j = %c0 to %n step %c1 : i32 {
    %js = tt.splat %j : i32 -> tensor<64xi32>
    %at = arith.addi %i, %js : tensor<64xi32>
    %xp = tt.addptr %xs, %at : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    tt.store %xp, %i : tensor<64x!tt.ptr<i32>>
  }
  tt.return
}

// -----

// Each band would need all rows for the greatest element.

// expected-remark@+1 {{not split: dimension 0: each band needs all of a 'tt.reduce'}}
tt.func @greatest(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>) {
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %ys = tt.splat %y : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %xp = tt.addptr %xs, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  %yp = tt.addptr %ys, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  %v = tt.load %xp : tensor<64x!tt.ptr<i32>>
  %m = "tt.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%p: i32, %q: i32):
    %t = arith.maxsi %p, %q : i32
    tt.reduce.return %t : i32
  }) : (tensor<64xi32>) -> i32
  %ms = tt.splat %m : i32 -> tensor<64xi32>
  %d = arith.subi %v, %ms : tensor<64xi32>
  tt.store %yp, %d : tensor<64x!tt.ptr<i32>>
  tt.return
}

// -----

// Bands add in another order, and what one adds others may see.

// expected-remark@+1 {{not split: the order of 'tt.atomic_rmw' and others matters}}
tt.func @atomic(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %t = arith.constant dense<true> : tensor<64xi1>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %old = tt.atomic_rmw fadd, relaxed, gpu, %xp, %one, %t : (tensor<64x!tt.ptr<f32>>, tensor<64xf32>, tensor<64xi1>) -> tensor<64xf32>
  tt.return
}

// -----

// expected-remark@+1 {{not split: dimension 0: 16 rows are too few}}
tt.func @small(%x: !tt.ptr<i32>) {
  %i = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %xs = tt.splat %x : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  %xp = tt.addptr %xs, %i : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  tt.store %xp, %i : tensor<16x!tt.ptr<i32>>
  tt.return
}

// -----

// Of an address that was loaded nobody knows whose it is.

// expected-remark@+1 {{not split: a pointer is of unknown origin}}
tt.func @foreign(%x: !tt.ptr<i64>) {
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %address = tt.load %x : !tt.ptr<i64>
  %y = tt.int_to_ptr %address : i64 -> !tt.ptr<i32>
  %ys = tt.splat %y : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %yp = tt.addptr %ys, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  tt.store %yp, %i : tensor<64x!tt.ptr<i32>>
  tt.return
}

// -----

// LLVM fuses one product or the other, and which one may depend on the code around.

// expected-remark@+1 {{not split: products may be fused with sums in several ways}}
tt.func @fused(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %yp = tt.addptr %ys, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v = tt.load %xp : tensor<64x!tt.ptr<f32>>
  %a = arith.mulf %v, %v : tensor<64xf32>
  %b = arith.addf %a, %v : tensor<64xf32>
  tt.store %yp, %b : tensor<64x!tt.ptr<f32>>
  tt.return
}

// -----

// Sums of a row take another order where other rows are beside it.

// expected-remark@+1 {{not split: the order of a 'tt.reduce' of floats is free}}
tt.func @sums(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %row = tt.expand_dims %i {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %rows = tt.broadcast %row : tensor<64x1xi32> -> tensor<64x32xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %rows : tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi32>
  %yp = tt.addptr %ys, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v = tt.load %xp : tensor<64x32x!tt.ptr<f32>>
  %s = "tt.reduce"(%v) <{axis = 1 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %t = arith.addf %p, %q : f32
    tt.reduce.return %t : f32
  }) : (tensor<64x32xf32>) -> tensor<64xf32>
  tt.store %yp, %s : tensor<64x!tt.ptr<f32>>
  tt.return
}
