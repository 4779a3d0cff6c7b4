// RUN: xtriton-opt %s --tritongpu-fuse-nested-loops --canonicalize --cse | filecheck %s
// RUN: xtriton-opt %s --tritongpu-fuse-nested-loops --xtriton-check-semantics -o /dev/null

// An inner loop that is known to run: its body needs no condition.
// CHECK-LABEL: @known(
// CHECK-NOT:     scf.if
// CHECK:         %[[N:.*]] = arith.muli %arg1, %c8_i32 : i32
// CHECK:         scf.for %{{.*}} = %c0_i32 to %[[N]] step %c1_i32 iter_args(%[[T:arg[0-9]+]] = %c0_i32,
// CHECK:           %[[FIRST:.*]] = arith.cmpi eq, %[[T]], %c0_i32 : i32
// CHECK:           scf.if %[[FIRST]]
// CHECK:           arith.addf
// CHECK:           %[[LAST:.*]] = arith.cmpi eq, %[[T]], %c7_i32 : i32
// CHECK:           scf.if %[[LAST]]
// CHECK:             tt.store
// CHECK:           arith.select %[[LAST]], %c0_i32, %{{.*}} : i32
// CHECK-NOT:     scf.for
tt.func @known(%p: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %0 = tt.addptr %p, %i : !tt.ptr<f32>, i32
    %1 = scf.for %j = %c0 to %c8 step %c1 iter_args(%sum = %zero) -> (f32) : i32 {
      %2 = arith.muli %i, %j : i32
      %3 = arith.sitofp %2 : i32 to f32
      %4 = arith.addf %sum, %3 : f32
      scf.yield %4 : f32
    }
    tt.store %0, %1 : !tt.ptr<f32>
  } {tt.flatten}
  tt.return
}

// One that may not run at all: both cases, and only one of them fused.
// CHECK-LABEL: @unknown(
// CHECK:         %[[NONE:.*]] = arith.cmpi eq, %{{.*}}, %c0_i32 : i32
// CHECK:         scf.if %[[NONE]] {
// CHECK:           scf.for
// CHECK-NEXT:        tt.store
// CHECK-NEXT:      }
// CHECK-NEXT:    } else {
// CHECK:           scf.for
// CHECK-NOT:         scf.for
// CHECK:         tt.return
tt.func @unknown(%p: !tt.ptr<i32>, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %c0 to %m step %c1 : i32 {
      %0 = tt.addptr %p, %j : !tt.ptr<i32>, i32
      tt.store %0, %i : !tt.ptr<i32>
    }
    tt.store %p, %i : !tt.ptr<i32>
  } {tt.flatten, tt.num_stages = 3 : i32}
  tt.return
}

// One whose lower bound may be the greater one runs as little.
// CHECK-LABEL: @backwards(
// CHECK:         %[[LESS:.*]] = arith.cmpi slt, %[[LENGTH:.*]], %c0_i32 : i32
// CHECK:         scf.if %[[LESS]] {
// CHECK:           scf.for
// CHECK-NEXT:        tt.store
// CHECK:         %[[NONE:.*]] = arith.cmpi eq, %[[LENGTH]], %c0_i32 : i32
// CHECK:         scf.if %[[NONE]] {
tt.func @backwards(%p: !tt.ptr<i32>, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %m to %c0 step %c1 : i32 {
      %0 = tt.addptr %p, %i : !tt.ptr<i32>, i32
      tt.store %0, %j : !tt.ptr<i32>
    }
    tt.store %p, %i : !tt.ptr<i32>
  } {tt.flatten}
  tt.return
}

// Nobody asked.
// CHECK-LABEL: @unasked(
// CHECK:         scf.for
// CHECK:           scf.for
tt.func @unasked(%p: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %c0 to %i step %c1 : i32 {
      tt.store %p, %j : !tt.ptr<i32>
    }
  }
  tt.return
}
