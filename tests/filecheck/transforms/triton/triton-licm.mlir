// RUN: xtriton-opt %s --triton-licm | filecheck %s

// What is the same each time leaves the loop.
// CHECK-LABEL: @pure(
// CHECK:         %[[A:.*]] = arith.muli %arg0, %arg0 : i32
// CHECK:         scf.for %[[I:.*]] =
// CHECK-NEXT:      %[[B:.*]] = arith.addi %[[I]], %[[A]] : i32
// CHECK-NEXT:      tt.store %arg2, %[[B]]
tt.func @pure(%a: i32, %n: i32, %p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %0 = arith.muli %a, %a : i32
    %1 = arith.addi %i, %0 : i32
    tt.store %p, %1 : !tt.ptr<i32>
  }
  tt.return
}

// A load leaves a loop that writes nothing. It then reads only if the loop would have run.
// CHECK-LABEL: @load(
// CHECK:         %[[RUNS:.*]] = arith.cmpi slt, %c0_i32, %arg2 : i32
// CHECK:         %[[MASK:.*]] = tt.splat %[[RUNS]] : i1 -> tensor<64xi1>
// CHECK:         %[[X:.*]] = tt.load %arg0, %[[MASK]]
// CHECK:         scf.for
// CHECK-NOT:       tt.load
// CHECK:           arith.addf %{{.*}}, %[[X]] : tensor<64xf32>
tt.func @load(%p: tensor<64x!tt.ptr<f32>>, %x: tensor<64xf32>, %n: i32) -> tensor<64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %x) -> (tensor<64xf32>) : i32 {
    %1 = tt.load %p : tensor<64x!tt.ptr<f32>>
    %2 = arith.addf %sum, %1 : tensor<64xf32>
    scf.yield %2 : tensor<64xf32>
  }
  tt.return %0 : tensor<64xf32>
}

// A load stays where the loop stores: what it reads may change.
// CHECK-LABEL: @load_beside_a_store(
// CHECK:         scf.for
// CHECK:           tt.load
// CHECK:           tt.store
tt.func @load_beside_a_store(%p: tensor<64x!tt.ptr<f32>>, %q: tensor<64x!tt.ptr<f32>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %0 = tt.load %p : tensor<64x!tt.ptr<f32>>
    tt.store %q, %0 : tensor<64x!tt.ptr<f32>>
  }
  tt.return
}
