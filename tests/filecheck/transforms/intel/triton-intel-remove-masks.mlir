// RUN: xtriton-opt %s --triton-intel-remove-masks --cse | filecheck %s

// The mask is that of all iterations: the loop is versioned under a check in front of it.
// CHECK-LABEL: @invariant(
// CHECK:         %[[ALL:.*]] = arith.cmpi sgt, %arg1, %c63_i32
// CHECK-NEXT:    scf.if %[[ALL]] -> (tensor<64xf32>)
// CHECK-NEXT:      scf.for
// CHECK:             tt.load %{{[^,]*}} : tensor<64x!tt.ptr<f32>>
// CHECK:         } else {
// CHECK:             tt.load %{{.*}}, %{{.*}}, %{{.*}} :
tt.func @invariant(%p: !tt.ptr<f32>, %n: i32, %m: i32) -> tensor<64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %s = tt.splat %n : i32 -> tensor<64xi32>
  %mask = arith.cmpi slt, %r, %s : tensor<64xi32>
  %q = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %out = scf.for %i = %c0 to %m step %c1 iter_args(%acc = %zero) -> (tensor<64xf32>) : i32 {
    %t = tt.splat %i : i32 -> tensor<64xi32>
    %a = tt.addptr %q, %t : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %x = tt.load %a, %mask, %zero : tensor<64x!tt.ptr<f32>>
    %y = arith.addf %acc, %x : tensor<64xf32>
    scf.yield %y : tensor<64xf32>
  }
  tt.return %out : tensor<64xf32>
}

// Blocks of 32 of %n elements: no mask where 32 divides %n.
// CHECK-LABEL: @canonical(
// CHECK:         %[[REST:.*]] = arith.remsi %arg1, %c32_i32
// CHECK:         %[[EVEN:.*]] = arith.cmpi eq, %[[REST]], %c0_i32
// CHECK:         %[[SOME:.*]] = arith.cmpi sgt, %arg1, %c32_i32
// CHECK:         %[[BOTH:.*]] = arith.andi %[[EVEN]], %[[SOME]]
// CHECK:         scf.if %[[BOTH]]
// CHECK:             tt.load %{{[^,]*}} : tensor<32x!tt.ptr<f32>>
// CHECK:         } else {
tt.func @canonical(%p: !tt.ptr<f32>, %n: i32) -> tensor<32xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %q = tt.splat %p : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
  %up = arith.addi %n, %c31 : i32
  %blocks = arith.divsi %up, %c32 : i32
  %out = scf.for %i = %c0 to %blocks step %c1 iter_args(%acc = %zero) -> (tensor<32xf32>) : i32 {
    %done = arith.muli %i, %c32 : i32
    %left = arith.subi %n, %done : i32
    %s = tt.splat %left : i32 -> tensor<32xi32>
    %mask = arith.cmpi slt, %r, %s : tensor<32xi32>
    %x = tt.load %q, %mask, %zero : tensor<32x!tt.ptr<f32>>
    %y = arith.addf %acc, %x : tensor<32xf32>
    scf.yield %y : tensor<32xf32>
  }
  tt.return %out : tensor<32xf32>
}

// A mask of another size is not said by the condition: none is removed.
// CHECK-LABEL: @two_sizes(
// CHECK-NOT:     scf.if
// CHECK-COUNT-2: tt.load %{{.*}}, %{{.*}}, %{{.*}} :
tt.func @two_sizes(%p: !tt.ptr<f32>, %n: i32, %other: i32) -> tensor<32xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %q = tt.splat %p : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
  %up = arith.addi %n, %c31 : i32
  %blocks = arith.divsi %up, %c32 : i32
  %out = scf.for %i = %c0 to %blocks step %c1 iter_args(%acc = %zero) -> (tensor<32xf32>) : i32 {
    %done = arith.muli %i, %c32 : i32
    %left = arith.subi %n, %done : i32
    %s = tt.splat %left : i32 -> tensor<32xi32>
    %mask = arith.cmpi slt, %r, %s : tensor<32xi32>
    %x = tt.load %q, %mask, %zero : tensor<32x!tt.ptr<f32>>
    %left2 = arith.subi %other, %done : i32
    %s2 = tt.splat %left2 : i32 -> tensor<32xi32>
    %mask2 = arith.cmpi slt, %r, %s2 : tensor<32xi32>
    %x2 = tt.load %q, %mask2, %zero : tensor<32x!tt.ptr<f32>>
    %y = arith.addf %acc, %x : tensor<32xf32>
    %z = arith.addf %y, %x2 : tensor<32xf32>
    scf.yield %z : tensor<32xf32>
  }
  tt.return %out : tensor<32xf32>
}

// The range of the induction variable says it all; no version is needed.
// CHECK-LABEL: @known(
// CHECK-NOT:     scf.if
// CHECK:         tt.load %{{[^,]*}} : tensor<32x!tt.ptr<f32>>
tt.func @known(%p: !tt.ptr<f32>) -> tensor<32xf32> {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c100 = arith.constant 100 : i32
  %limit = arith.constant dense<128> : tensor<32xi32>
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %q = tt.splat %p : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
  %out = scf.for %i = %c0 to %c100 step %c32 iter_args(%acc = %zero) -> (tensor<32xf32>) : i32 {
    %s = tt.splat %i : i32 -> tensor<32xi32>
    %o = arith.addi %s, %r : tensor<32xi32>
    %mask = arith.cmpi slt, %o, %limit : tensor<32xi32>
    %x = tt.load %q, %mask, %zero : tensor<32x!tt.ptr<f32>>
    %y = arith.addf %acc, %x : tensor<32xf32>
    scf.yield %y : tensor<32xf32>
  }
  tt.return %out : tensor<32xf32>
}

// The last index is 95: a limit of 96 is no limit, one of 95 is; one of 0 excludes everything.
// A load of which nothing is read is left, without uses.
// CHECK-LABEL: @edges(
// CHECK-NOT:     scf.if
// CHECK:         %[[ALL:[0-9]+]] = tt.load %{{[^,]*}} : tensor<32x!tt.ptr<f32>>
// CHECK-NEXT:    %[[MOST:[0-9]+]] = tt.load %{{[^,]*}}, %{{[^,]*}}, %[[ZERO:[^ ,]*]] : tensor<32x!tt.ptr<f32>>
// CHECK-NEXT:    %[[FIRST:[0-9]+]] = tt.load %{{[^,]*}}, %{{[^,]*}}, %[[ZERO]] : tensor<32x!tt.ptr<f32>>
// CHECK:         %[[A:.*]] = arith.addf %[[ALL]], %[[MOST]]
// CHECK:         %[[B:.*]] = arith.addf %[[FIRST]], %[[ZERO]]
tt.func @edges(%p: !tt.ptr<f32>) -> tensor<32xf32> {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c96 = arith.constant 96 : i32
  %all = arith.constant dense<96> : tensor<32xi32>
  %most = arith.constant dense<95> : tensor<32xi32>
  %first = arith.constant dense<1> : tensor<32xi32>
  %none = arith.constant dense<0> : tensor<32xi32>
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %q = tt.splat %p : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
  %out = scf.for %i = %c0 to %c96 step %c32 iter_args(%acc = %zero) -> (tensor<32xf32>) : i32 {
    %s = tt.splat %i : i32 -> tensor<32xi32>
    %o = arith.addi %s, %r : tensor<32xi32>
    %mask0 = arith.cmpi slt, %o, %all : tensor<32xi32>
    %mask1 = arith.cmpi slt, %o, %most : tensor<32xi32>
    %mask2 = arith.cmpi slt, %o, %first : tensor<32xi32>
    %mask3 = arith.cmpi slt, %o, %none : tensor<32xi32>
    %x0 = tt.load %q, %mask0, %zero : tensor<32x!tt.ptr<f32>>
    %x1 = tt.load %q, %mask1, %zero : tensor<32x!tt.ptr<f32>>
    %x2 = tt.load %q, %mask2, %zero : tensor<32x!tt.ptr<f32>>
    %x3 = tt.load %q, %mask3, %zero : tensor<32x!tt.ptr<f32>>
    %a = arith.addf %x0, %x1 : tensor<32xf32>
    %b = arith.addf %x2, %x3 : tensor<32xf32>
    %c = arith.addf %a, %b : tensor<32xf32>
    %y = arith.addf %acc, %c : tensor<32xf32>
    scf.yield %y : tensor<32xf32>
  }
  tt.return %out : tensor<32xf32>
}
