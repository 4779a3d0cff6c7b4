// RUN: xtriton-opt %s --triton-licm --xtriton-check-semantics | filecheck %s

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

// A block is loaded in front of the loop if the loop runs, and checked beyond that.
// CHECK-LABEL: @block(
// CHECK:         %[[RUNS:.*]] = arith.cmpi slt, %c0_i32, %arg1 : i32
// CHECK:         %[[MASK:.*]] = tt.splat %[[RUNS]] : i1 -> tensor<16xi1>
// CHECK:         tt.load %{{.*}}, %[[MASK]]
// CHECK-SAME:    {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<16xf32>>
// CHECK:         scf.for
// CHECK-NOT:       tt.load
tt.func @block(%p: !tt.ptr<f32>, %n: i32, %q: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  %ten = arith.constant 10 : i64
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %a = tt.make_tensor_ptr %p, [%ten], [%one], [%c0] {order = array<i32: 0>} : <tensor<16xf32>>
  %b = tt.make_tensor_ptr %q, [%ten], [%one], [%c0] {order = array<i32: 0>} : <tensor<16xf32>>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero) -> (tensor<16xf32>) : i32 {
    %1 = tt.load %a {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<16xf32>>
    %2 = arith.addf %x, %1 : tensor<16xf32>
    scf.yield %2 : tensor<16xf32>
  }
  tt.store %b, %0 {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<16xf32>>
  tt.return
}

// Bounds of an unsigned loop are compared so: this one runs up to 2^31 and on.
// CHECK-LABEL: @unsigned(
// CHECK:         arith.cmpi ult, %c0_i32, %arg1 : i32
// CHECK:         tt.load %arg0, %{{.*}} : !tt.ptr<f32>
// CHECK:         scf.for unsigned
tt.func @unsigned(%p: !tt.ptr<f32>, %n: i32, %x: f32) -> f32 {
  %c0 = arith.constant 0 : i32
  %step = arith.constant 1073741824 : i32
  %0 = scf.for unsigned %i = %c0 to %n step %step iter_args(%sum = %x) -> (f32) : i32 {
    %1 = tt.load %p : !tt.ptr<f32>
    %2 = arith.addf %sum, %1 : f32
    scf.yield %2 : f32
  }
  tt.return %0 : f32
}

// What is marked stays, loads as well.
// CHECK-LABEL: @marked(
// CHECK:         scf.for
// CHECK-NEXT:      arith.muli %arg0, %arg0 {tt.no_licm} : i32
// CHECK-NEXT:      tt.load %arg2 {tt.no_licm} : !tt.ptr<i32>
tt.func @marked(%a: i32, %n: i32, %p: !tt.ptr<i32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %a) -> (i32) : i32 {
    %1 = arith.muli %a, %a {tt.no_licm} : i32
    %2 = tt.load %p {tt.no_licm} : !tt.ptr<i32>
    %3 = arith.addi %1, %2 : i32
    %4 = arith.addi %sum, %3 : i32
    scf.yield %4 : i32
  }
  tt.return %0 : i32
}
