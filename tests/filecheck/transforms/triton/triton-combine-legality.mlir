// RUN: xtriton-opt %s --triton-combine | filecheck %s
// RUN: xtriton-opt %s --triton-combine --xtriton-check-semantics -o /dev/null

// What only looks as if it could be merged.

// The load would read what is stored behind it.
// CHECK-LABEL: @store_between(
// CHECK:         tt.load
// CHECK:         tt.store
// CHECK:         arith.select
tt.func @store_between(%p: !tt.ptr<f32>, %c: i1) {
  %m = tt.splat %c : i1 -> tensor<16xi1>
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %q = tt.addptr %s, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %z = arith.constant dense<0.0> : tensor<16xf32>
  %one = arith.constant dense<1.0> : tensor<16xf32>
  %v = tt.load %q, %m, %z : tensor<16x!tt.ptr<f32>>
  tt.store %q, %one : tensor<16x!tt.ptr<f32>>
  %x = arith.select %c, %v, %one : tensor<16xf32>
  %c16 = arith.constant 16 : i32
  %p2 = tt.addptr %p, %c16 : !tt.ptr<f32>, i32
  %s2 = tt.splat %p2 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %q2 = tt.addptr %s2, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  tt.store %q2, %x : tensor<16x!tt.ptr<f32>>
  tt.return
}

// A dot would sum along the axis between.
// CHECK-LABEL: @sum_of_other_axis(
// CHECK-NOT:     tt.dot
// CHECK:         tt.reduce
// CHECK-NOT:     tt.dot
tt.func @sum_of_other_axis(%p: !tt.ptr<f32>) {
  %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
  %q = tt.addptr %s, %r : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
  %l = tt.load %q : tensor<256x!tt.ptr<f32>>
  %a = tt.reshape %l : tensor<256xf32> -> tensor<16x16xf32>
  %b = arith.addf %a, %a : tensor<16x16xf32>
  %ae = tt.expand_dims %a {axis = 2 : i32} : tensor<16x16xf32> -> tensor<16x16x1xf32>
  %be = tt.expand_dims %b {axis = 0 : i32} : tensor<16x16xf32> -> tensor<1x16x16xf32>
  %ab = tt.broadcast %ae : tensor<16x16x1xf32> -> tensor<16x16x16xf32>
  %bb = tt.broadcast %be : tensor<1x16x16xf32> -> tensor<16x16x16xf32>
  %m = arith.mulf %ab, %bb : tensor<16x16x16xf32>
  %t = "tt.reduce"(%m) <{axis = 0 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %y : f32
    tt.reduce.return %z : f32
  }) : (tensor<16x16x16xf32>) -> tensor<16x16xf32>
  %o = tt.reshape %t : tensor<16x16xf32> -> tensor<256xf32>
  %q2 = tt.addptr %q, %r : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
  tt.store %q2, %o : tensor<256x!tt.ptr<f32>>
  tt.return
}

// What is reduced together with something else must not be reordered alone.
// CHECK-LABEL: @reduced_together(
// CHECK-NOT:     allow_reorder
tt.func @reduced_together(%p: !tt.ptr<i32>, %x: tensor<16x16xi32>) {
  %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
  %v = tt.reshape %x : tensor<16x16xi32> -> tensor<256xi32>
  %t:2 = "tt.reduce"(%v, %r) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %i: i32, %b: i32, %j: i32):
    %c = arith.cmpi sgt, %a, %b : i32
    %d = arith.select %c, %a, %b : i32
    %k = arith.select %c, %i, %j : i32
    tt.reduce.return %d, %k : i32, i32
  }) : (tensor<256xi32>, tensor<256xi32>) -> (i32, i32)
  tt.store %p, %t#1 : !tt.ptr<i32>
  tt.return
}
