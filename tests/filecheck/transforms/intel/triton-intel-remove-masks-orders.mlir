// RUN: xtriton-opt %s --triton-intel-remove-masks --cse | filecheck %s

// Any order is known from the loop's bounds, and both masks of an `and`; what a loop counts
// along with the induction variable is as good as that.
// CHECK-LABEL: @known(
// CHECK:         scf.for
// CHECK:           tt.load %{{[^,]*}} : tensor<32x!tt.ptr<f32>>
// CHECK-NOT:       tt.load
tt.func @known(%p: tensor<32x!tt.ptr<f32>>) -> tensor<32xf32> {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c96 = arith.constant 96 : i32
  %zero = arith.constant dense<0> : tensor<32xi32>
  %limit = arith.constant dense<95> : tensor<32xi32>
  %sum = arith.constant dense<0.0> : tensor<32xf32>
  %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %out, %n = scf.for %i = %c0 to %c96 step %c32 iter_args(%acc = %sum, %k = %c0) -> (tensor<32xf32>, i32) : i32 {
    %s = tt.splat %i : i32 -> tensor<32xi32>
    %t = tt.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %s, %r : tensor<32xi32>
    %also = arith.addi %t, %r : tensor<32xi32>
    %below = arith.cmpi ule, %at, %limit : tensor<32xi32>
    %above = arith.cmpi sge, %also, %zero : tensor<32xi32>
    %mask = arith.andi %below, %above : tensor<32xi1>
    %x = tt.load %p, %mask, %sum : tensor<32x!tt.ptr<f32>>
    %y = arith.addf %acc, %x : tensor<32xf32>
    %next = arith.addi %k, %c32 : i32
    scf.yield %y, %next : tensor<32xf32>, i32
  }
  tt.return %out : tensor<32xf32>
}

// What reads nothing gives zeros.
// CHECK-LABEL: @never(
// CHECK:           %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : tensor<32xf32>
// CHECK:           arith.addf %{{.*}}, %[[ZEROS]]
tt.func @never(%p: tensor<32x!tt.ptr<f32>>, %first: tensor<32xf32>) -> tensor<32xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c9 = arith.constant 9 : i32
  %limit = arith.constant dense<39> : tensor<32xi32>
  %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %out = scf.for %i = %c0 to %c9 step %c1 iter_args(%acc = %first) -> (tensor<32xf32>) : i32 {
    %s = tt.splat %i : i32 -> tensor<32xi32>
    %at = arith.addi %s, %r : tensor<32xi32>
    %mask = arith.cmpi sgt, %at, %limit : tensor<32xi32>
    %x = tt.load %p, %mask : tensor<32x!tt.ptr<f32>>
    %y = arith.addf %acc, %x : tensor<32xf32>
    scf.yield %y : tensor<32xf32>
  }
  tt.return %out : tensor<32xf32>
}

// An offset in front of the loop: the condition keeps away from where the sum would wrap.
// CHECK-LABEL: @offset(
// CHECK-DAG:     %[[LOW:.*]] = arith.cmpi sge, %arg1, %c0_i32
// CHECK-DAG:     %[[ROOM:.*]] = arith.cmpi sle, %arg1, %c2147483584_i32
// CHECK-DAG:     %[[HIGH:.*]] = arith.cmpi slt, %arg1, %c937_i32
// CHECK:         scf.if
// CHECK:           tt.load %{{[^,]*}} : tensor<64x!tt.ptr<f32>>
// CHECK:         } else {
// CHECK:           tt.load %{{.*}}, %{{.*}} :
tt.func @offset(%p: tensor<64x!tt.ptr<f32>>, %offset: i32, %n: i32, %q: tensor<64x!tt.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %low = arith.constant dense<0> : tensor<64xi32>
  %high = arith.constant dense<1000> : tensor<64xi32>
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %s = tt.splat %offset : i32 -> tensor<64xi32>
  %at = arith.addi %s, %r : tensor<64xi32>
  %above = arith.cmpi sge, %at, %low : tensor<64xi32>
  %below = arith.cmpi slt, %at, %high : tensor<64xi32>
  %mask = arith.andi %above, %below : tensor<64xi1>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %x = tt.load %p, %mask : tensor<64x!tt.ptr<f32>>
    tt.store %q, %x : tensor<64x!tt.ptr<f32>>
  }
  tt.return
}
