// RUN: xtriton-opt %s --triton-loop-unroll | filecheck %s
// RUN: xtriton-opt %s --triton-loop-unroll --xtriton-check-semantics -o /dev/null

// Twice the body, then a loop for what is left, which must not be pipelined.
// CHECK-LABEL: @twice(
// CHECK:         scf.for
// CHECK-COUNT-2:   tt.load
// CHECK:         scf.for
// CHECK:           tt.load
// CHECK-NOT:       tt.load
// CHECK:         } {tt.num_stages = 1 : i32}
tt.func @twice(%p: tensor<64x!tt.ptr<f32>>, %x: tensor<64xf32>, %n: i32) -> tensor<64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %x) -> (tensor<64xf32>) : i32 {
    %1 = tt.load %p : tensor<64x!tt.ptr<f32>>
    %2 = arith.addf %sum, %1 : tensor<64xf32>
    scf.yield %2 : tensor<64xf32>
  } {tt.loop_unroll_factor = 2 : i32}
  tt.return %0 : tensor<64xf32>
}

// No remainder where the count is known to have none.
// CHECK-LABEL: @known_count(
// CHECK:         scf.for %{{.*}} = %c0_i32 to %c8_i32 step %{{c4_i32.*}}
// CHECK-COUNT-4:   tt.store
// CHECK-NOT:     scf.for
// CHECK:         tt.return
tt.func @known_count(%p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  scf.for %i = %c0 to %c8 step %c1 : i32 {
    tt.store %p, %i : !tt.ptr<i32>
  } {tt.loop_unroll_factor = 4 : i32}
  tt.return
}

// Neither loop runs where the lower bound is the greater one.
// CHECK-LABEL: @backwards(
// CHECK:         %[[RUNS:.*]] = arith.cmpi slt, %arg1, %c3_i32 : i32
// CHECK:         arith.select %[[RUNS]]
// CHECK:         scf.for
// CHECK:         scf.for
tt.func @backwards(%p: !tt.ptr<i32>, %n: i32) {
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  scf.for %i = %n to %c3 step %c2 : i32 {
    %0 = tt.addptr %p, %i : !tt.ptr<i32>, i32
    tt.store %0, %i : !tt.ptr<i32>
  } {tt.loop_unroll_factor = 4 : i32}
  tt.return
}

// Four iterations, of which one is left.
// CHECK-LABEL: @uneven(
// CHECK:         scf.for %{{.*}} = %c0_i32 to %c9_i32{{.*}} step
// CHECK-COUNT-3:   tt.store
// CHECK:         scf.for %{{.*}} = %c9_i32{{.*}} to %c10_i32
// CHECK-COUNT-1:   tt.store
tt.func @uneven(%p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c10 = arith.constant 10 : i32
  scf.for %i = %c0 to %c10 step %c3 : i32 {
    %0 = tt.addptr %p, %i : !tt.ptr<i32>, i32
    tt.store %0, %i : !tt.ptr<i32>
  } {tt.loop_unroll_factor = 3 : i32}
  tt.return
}

// Each copy of the body takes what the one before it yields.
// CHECK-LABEL: @carried(
// CHECK:         scf.for {{.*}} iter_args(%[[A:.*]] = %c1_i32{{.*}}, %[[B:.*]] = %c0_i32{{.*}})
// CHECK:           %[[C:.*]] = arith.addi %[[A]], %[[B]]
// CHECK:           %[[D:.*]] = arith.addi %[[B]], %[[C]]
// CHECK:           %[[E:.*]] = arith.addi %[[C]], %[[D]]
// CHECK:           scf.yield %[[D]], %[[E]]
tt.func @carried(%p: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c1, %b = %c0) -> (i32, i32) : i32 {
    %c = arith.addi %a, %b : i32
    scf.yield %b, %c : i32, i32
  } {tt.loop_unroll_factor = 3 : i32}
  tt.store %p, %r#1 : !tt.ptr<i32>
  tt.return
}

// Nobody asked.
// CHECK-LABEL: @unasked(
// CHECK:         scf.for
// CHECK-NEXT:      tt.store
// CHECK-NEXT:    }
tt.func @unasked(%p: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    tt.store %p, %i : !tt.ptr<i32>
  }
  tt.return
}
