// Addresses as integers.
tt.func @through_integers(%a: !tt.ptr<f32>, %dst: !tt.ptr<f32>, %n: i32) {
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %pid = tt.get_program_id x : i32
  %base = tt.ptr_to_int %a : !tt.ptr<f32> -> i64
  %c64 = arith.constant 64 : i64
  %w = arith.extsi %pid : i32 to i64
  %o = arith.muli %w, %c64 : i64
  %at = arith.addi %base, %o : i64
  %q = tt.int_to_ptr %at : i64 -> !tt.ptr<f32>
  %qs = tt.splat %q : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %p = tt.addptr %qs, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %x = tt.load %p : tensor<16x!tt.ptr<f32>>
  %ds = tt.splat %dst : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %d = tt.addptr %ds, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  tt.store %d, %x : tensor<16x!tt.ptr<f32>>
  tt.return
}
// -----
tt.func @tensors_of_integers(%a: !tt.ptr<f32>, %dst: !tt.ptr<f32>) {
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %ints = tt.ptr_to_int %as : tensor<16x!tt.ptr<f32>> -> tensor<16xi64>
  %four = arith.constant dense<4> : tensor<16xi64>
  %r64 = arith.extsi %r : tensor<16xi32> to tensor<16xi64>
  %bytes = arith.muli %r64, %four : tensor<16xi64>
  %sum = arith.addi %ints, %bytes : tensor<16xi64>
  %p = tt.int_to_ptr %sum : tensor<16xi64> -> tensor<16x!tt.ptr<f32>>
  %x = tt.load %p : tensor<16x!tt.ptr<f32>>
  %ds = tt.splat %dst : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %d = tt.addptr %ds, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  tt.store %d, %x : tensor<16x!tt.ptr<f32>>
  tt.return
}
// -----
tt.func @branches(%a: !tt.ptr<f32>, %dst: !tt.ptr<f32>, %n: i32) {
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %c5 = arith.constant 5 : i32
  %c32 = arith.constant 32 : i32
  %c = arith.cmpi sgt, %n, %c5 : i32
  cf.cond_br %c, ^far, ^near(%a : !tt.ptr<f32>)
^far:
  %b = tt.addptr %a, %c32 : !tt.ptr<f32>, i32
  cf.br ^near(%b : !tt.ptr<f32>)
^near(%q: !tt.ptr<f32>):
  %qs = tt.splat %q : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %p = tt.addptr %qs, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %x = tt.load %p : tensor<16x!tt.ptr<f32>>
  %ds = tt.splat %dst : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %d = tt.addptr %ds, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  tt.store %d, %x : tensor<16x!tt.ptr<f32>>
  tt.return
}
// -----
tt.func private @offsets(%n: i32) -> tensor<16xi32> {
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %m = tt.splat %n : i32 -> tensor<16xi32>
  %x = arith.addi %r, %m : tensor<16xi32>
  tt.return %x : tensor<16xi32>
}
tt.func @offsets_from_call(%a: !tt.ptr<f32>, %dst: !tt.ptr<f32>, %n: i32) {
  %r = tt.call @offsets(%n) : (i32) -> tensor<16xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %p = tt.addptr %as, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %x = tt.load %p : tensor<16x!tt.ptr<f32>>
  %ds = tt.splat %dst : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %d = tt.addptr %ds, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  tt.store %d, %x : tensor<16x!tt.ptr<f32>>
  tt.return
}
// -----
tt.func private @pointers(%a: !tt.ptr<f32>, %n: i32) -> tensor<16x!tt.ptr<f32>> {
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %m = tt.splat %n : i32 -> tensor<16xi32>
  %x = arith.addi %r, %m : tensor<16xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %p = tt.addptr %as, %x : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  tt.return %p : tensor<16x!tt.ptr<f32>>
}
tt.func @pointers_from_call(%a: !tt.ptr<f32>, %dst: !tt.ptr<f32>, %n: i32) {
  %p = tt.call @pointers(%a, %n) : (!tt.ptr<f32>, i32) -> tensor<16x!tt.ptr<f32>>
  %x = tt.load %p : tensor<16x!tt.ptr<f32>>
  %d = tt.call @pointers(%dst, %n) : (!tt.ptr<f32>, i32) -> tensor<16x!tt.ptr<f32>>
  tt.store %d, %x : tensor<16x!tt.ptr<f32>>
  tt.return
}
// -----
tt.func @select_lanes(%a: !tt.ptr<f32>, %dst: !tt.ptr<f32>, %n: i32) {
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %p = tt.addptr %as, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %k = arith.constant dense<100> : tensor<16xi32>
  %q = tt.addptr %p, %k : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %ns = tt.splat %n : i32 -> tensor<16xi32>
  %c = arith.cmpi slt, %r, %ns : tensor<16xi32>
  %t = arith.select %c, %p, %q : tensor<16xi1>, tensor<16x!tt.ptr<f32>>
  %x = tt.load %t : tensor<16x!tt.ptr<f32>>
  %ds = tt.splat %dst : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %d = tt.addptr %ds, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  tt.store %d, %x : tensor<16x!tt.ptr<f32>>
  tt.return
}
// -----
tt.func @unsigned_ops(%a: !tt.ptr<f32>, %dst: !tt.ptr<f32>, %n: i32) {
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %four = arith.constant dense<4> : tensor<16xi32>
  %two = arith.constant dense<2> : tensor<16xi32>
  %u = arith.divui %r, %four : tensor<16xi32>
  %v = arith.remui %r, %four : tensor<16xi32>
  %w = arith.shli %u, %four : tensor<16xi32>
  %s = arith.addi %w, %v : tensor<16xi32>
  %h = arith.shrui %r, %two : tensor<16xi32>
  %t = arith.maxui %h, %s : tensor<16xi32>
  %f = arith.ceildivsi %r, %four : tensor<16xi32>
  %g = arith.floordivsi %r, %four : tensor<16xi32>
  %z = arith.subi %f, %g : tensor<16xi32>
  %y = arith.addi %t, %z : tensor<16xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %p = tt.addptr %as, %y : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %x = tt.load %p : tensor<16x!tt.ptr<f32>>
  %ds = tt.splat %dst : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %d = tt.addptr %ds, %s : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  tt.store %d, %x : tensor<16x!tt.ptr<f32>>
  tt.return
}
// -----
tt.func @inner_result_to_outer(%a: !tt.ptr<f32>, %dst: !tt.ptr<f32>, %n: i32, %m: i32) {
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %step = arith.constant dense<16> : tensor<16xi32>
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %p = tt.addptr %as, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %o:2 = scf.for %i = %c0 to %n step %c1 iter_args(%q = %p, %t = %zero) -> (tensor<16x!tt.ptr<f32>>, tensor<16xf32>) : i32 {
    %w:2 = scf.for %j = %c0 to %m step %c1 iter_args(%u = %q, %s = %t) -> (tensor<16x!tt.ptr<f32>>, tensor<16xf32>) : i32 {
      %x = tt.load %u : tensor<16x!tt.ptr<f32>>
      %y = arith.addf %s, %x : tensor<16xf32>
      %v = tt.addptr %u, %step : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
      scf.yield %v, %y : tensor<16x!tt.ptr<f32>>, tensor<16xf32>
    }
    scf.yield %w#0, %w#1 : tensor<16x!tt.ptr<f32>>, tensor<16xf32>
  }
  %ds = tt.splat %dst : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %d = tt.addptr %ds, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  tt.store %d, %o#1 : tensor<16x!tt.ptr<f32>>
  tt.store %o#0, %o#1 : tensor<16x!tt.ptr<f32>>
  tt.return
}
// -----
tt.func @block_pointer_from_if(%a: !tt.ptr<f32>, %dst: !tt.ptr<f32>, %n: i64, %f: i32) {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %one = arith.constant 1 : i64
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %c = arith.cmpi sgt, %f, %c8 : i32
  %p = tt.make_tensor_ptr %a, [%n], [%one], [%c0] {order = array<i32: 0>} : <tensor<16xf32>>
  %q = scf.if %c -> (!tt.ptr<tensor<16xf32>>) {
    %z = tt.advance %p, [%c8] : <tensor<16xf32>>
    scf.yield %z : !tt.ptr<tensor<16xf32>>
  } else {
    scf.yield %p : !tt.ptr<tensor<16xf32>>
  }
  %x = tt.load %q {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<16xf32>>
  %ds = tt.splat %dst : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %d = tt.addptr %ds, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  tt.store %d, %x : tensor<16x!tt.ptr<f32>>
  tt.return
}
// -----
// What a while loop carries has another name in its body.
tt.func @carried_by_while(%a: !tt.ptr<f32>, %dst: !tt.ptr<f32>, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %last = arith.constant dense<15> : tensor<16xi32>
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %back = arith.subi %last, %r : tensor<16xi32>
  %1:2 = scf.while (%i = %c0, %q = %a) : (i32, !tt.ptr<f32>) -> (i32, !tt.ptr<f32>) {
    %c = arith.cmpi slt, %i, %c3 : i32
    scf.condition(%c) %i, %q : i32, !tt.ptr<f32>
  } do {
  ^bb0(%j: i32, %q: !tt.ptr<f32>):
    %qs = tt.splat %q : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %p = tt.addptr %qs, %back : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %x = tt.load %p : tensor<16x!tt.ptr<f32>>
    %o = arith.muli %j, %m : i32
    %d0 = tt.addptr %dst, %o : !tt.ptr<f32>, i32
    %ds = tt.splat %d0 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %d = tt.addptr %ds, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    tt.store %d, %x : tensor<16x!tt.ptr<f32>>
    %q1 = tt.addptr %q, %n : !tt.ptr<f32>, i32
    %j1 = arith.addi %j, %c1 : i32
    scf.yield %j1, %q1 : i32, !tt.ptr<f32>
  }
  tt.return
}
// -----
// Pointers that take turns in a while loop have no base but themselves.
tt.func @turns_in_while(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %dst: !tt.ptr<f32>, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %last = arith.constant dense<15> : tensor<16xi32>
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %back = arith.xori %r, %last : tensor<16xi32>
  %1:2 = scf.while (%i = %c0, %q = %a) : (i32, !tt.ptr<f32>) -> (i32, !tt.ptr<f32>) {
    %c = arith.cmpi slt, %i, %c3 : i32
    scf.condition(%c) %i, %q : i32, !tt.ptr<f32>
  } do {
  ^bb0(%j: i32, %q: !tt.ptr<f32>):
    %qs = tt.splat %q : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %p = tt.addptr %qs, %back : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %x = tt.load %p : tensor<16x!tt.ptr<f32>>
    %o = arith.muli %j, %m : i32
    %d0 = tt.addptr %dst, %o : !tt.ptr<f32>, i32
    %ds = tt.splat %d0 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %d = tt.addptr %ds, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    tt.store %d, %x : tensor<16x!tt.ptr<f32>>
    %j1 = arith.addi %j, %c1 : i32
    scf.yield %j1, %b : i32, !tt.ptr<f32>
  }
  tt.return
}
// -----
// A walk backwards that wraps around, at a number that is known.
tt.func @backwards_around(%a: !tt.ptr<f32>, %dst: !tt.ptr<f32>, %n: i32) {
  %c7 = arith.constant dense<7> : tensor<16xi32>
  %back = arith.constant dense<-1> : tensor<16xi32>
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %around = arith.remsi %r, %c7 : tensor<16xi32>
  %o = arith.muli %around, %back : tensor<16xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %p = tt.addptr %as, %o : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %x = tt.load %p : tensor<16x!tt.ptr<f32>>
  %ds = tt.splat %dst : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %d = tt.addptr %ds, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  tt.store %d, %x : tensor<16x!tt.ptr<f32>>
  tt.return
}
// -----
// What is left of a division counts down and begins again at 0: 15, 13, 14, 15.
tt.func @down_to_nothing(%a: !tt.ptr<f32>, %dst: !tt.ptr<f32>, %n: i32) {
  %c3 = arith.constant dense<3> : tensor<4xi32>
  %c15 = arith.constant dense<15> : tensor<4xi32>
  %r = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %down = arith.subi %c3, %r : tensor<4xi32>
  %rest = arith.remsi %down, %c3 : tensor<4xi32>
  %o = arith.subi %c15, %rest : tensor<4xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
  %p = tt.addptr %as, %o : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
  %x = tt.load %p : tensor<4x!tt.ptr<f32>>
  %ds = tt.splat %dst : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
  %d = tt.addptr %ds, %r : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
  tt.store %d, %x : tensor<4x!tt.ptr<f32>>
  tt.return
}
