// RUN: xtriton-opt %s --split-input-file --triton-intel-prepare-if-combining | filecheck %s
// RUN: xtriton-opt %s --split-input-file --triton-intel-prepare-if-combining --canonicalize | filecheck %s --check-prefix=ONE

// Three branches become one, as what the second and the third use is there early.
// CHECK-LABEL: @three(
// CHECK:         %[[A:.*]] = arith.mulf
// CHECK-NEXT:    %[[B:.*]] = arith.addf %[[A]]
// CHECK-NEXT:    arith.subf %[[B]]
// CHECK-NEXT:    scf.if
// CHECK-NOT:     arith.mulf
// CHECK-NOT:     arith.subf
// CHECK:         tt.return
// ONE-LABEL: @three(
// ONE-COUNT-1: scf.if
// ONE-NOT:     scf.if
// ONE:         tt.return
tt.func @three(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %c: i1, %x: f32) {
  scf.if %c {
    tt.store %p, %x : !tt.ptr<f32>
  }
  %a = arith.mulf %x, %x : f32
  %b = arith.addf %a, %x : f32
  %r = scf.if %c -> f32 {
    tt.store %q, %b : !tt.ptr<f32>
    scf.yield %a : f32
  } else {
    scf.yield %b : f32
  }
  %d = arith.subf %b, %x : f32
  scf.if %c {
    %e = arith.addf %d, %r : f32
    tt.store %p, %e : !tt.ptr<f32>
  }
  tt.return
}

// -----

// What stands between loads, uses the first branch, or may divide by zero, in a region too.
// CHECK-LABEL: @loads_between(
// CHECK:         scf.if
// CHECK:         tt.load
// CHECK-NEXT:    scf.if
tt.func @loads_between(%p: !tt.ptr<f32>, %c: i1, %x: f32) {
  scf.if %c {
    tt.store %p, %x : !tt.ptr<f32>
  }
  %y = tt.load %p : !tt.ptr<f32>
  scf.if %c {
    %z = arith.addf %y, %x : f32
    tt.store %p, %z : !tt.ptr<f32>
  }
  tt.return
}

// -----

// The last two branches become one: what stands between them uses the first.
// CHECK-LABEL: @third_uses_the_first(
// CHECK:         scf.if
// CHECK:         arith.addf
// CHECK-NEXT:    scf.if
// CHECK:         scf.if
// ONE-LABEL: @third_uses_the_first(
// ONE-COUNT-2: scf.if
// ONE-NOT:     scf.if
// ONE:         tt.return
tt.func @third_uses_the_first(%p: !tt.ptr<f32>, %c: i1, %x: f32) {
  %r = scf.if %c -> f32 {
    %s = arith.mulf %x, %x : f32
    tt.store %p, %s : !tt.ptr<f32>
    scf.yield %s : f32
  } else {
    scf.yield %x : f32
  }
  scf.if %c {
    tt.store %p, %x : !tt.ptr<f32>
  }
  %y = arith.addf %x, %r : f32
  scf.if %c {
    tt.store %p, %y : !tt.ptr<f32>
  }
  tt.return
}

// -----

// CHECK-LABEL: @uses_the_first(
// CHECK:         scf.if
// CHECK:         "tt.reduce"
// CHECK:         scf.if
tt.func @uses_the_first(%p: !tt.ptr<f32>, %c: i1, %x: f32, %xs: tensor<16xf32>) {
  %r = scf.if %c -> f32 {
    %s = arith.mulf %x, %x : f32
    tt.store %p, %s : !tt.ptr<f32>
    scf.yield %s : f32
  } else {
    scf.yield %x : f32
  }
  %t = "tt.reduce"(%xs) <{axis = 0 : i32}> ({
  ^bb0(%u: f32, %v: f32):
    %max = arith.maximumf %u, %v : f32
    %w = arith.minimumf %max, %r : f32
    tt.reduce.return %w : f32
  }) : (tensor<16xf32>) -> f32
  scf.if %c {
    tt.store %p, %t : !tt.ptr<f32>
  }
  tt.return
}

// -----

// CHECK-LABEL: @other_condition(
// CHECK:         scf.if %arg1
// CHECK:         arith.mulf
// CHECK-NEXT:    scf.if %arg2
tt.func @other_condition(%p: !tt.ptr<f32>, %c: i1, %d: i1, %x: f32) {
  scf.if %c {
    tt.store %p, %x : !tt.ptr<f32>
  }
  %y = arith.mulf %x, %x : f32
  scf.if %d {
    tt.store %p, %y : !tt.ptr<f32>
  }
  tt.return
}
