// RUN: xtriton-opt %s --xtriton-version-loops | filecheck %s
// RUN: xtriton-opt %s --xtriton-version-loops --test-xtriton-accesses | filecheck %s --check-prefix=TIER
// RUN: xtriton-opt %s --xtriton-version-loops=max-ops=3 | filecheck %s --check-prefix=SMALL

// The divisor is loaded, so that only a guard before the loop can know it.

// CHECK-LABEL: tt.func @divisor_from_memory
// CHECK: %[[K:.*]] = tt.load
// CHECK: %[[SUM:.*]] = scf.if %{{.*}} -> (tensor<64xf32>) {
// CHECK: arith.divsi %[[K]], %{{.*}} : i32
// CHECK: arith.muli
// CHECK: tt.splat
// CHECK: scf.for
// CHECK: } else {
// CHECK: scf.for
// CHECK: tt.store %{{.*}}, %[[SUM]]
// TIER-LABEL: tt.func @divisor_from_memory
// TIER: scf.for
// TIER: xtriton.access = "block
// TIER: } else {
// TIER: xtriton.access = "affine
// SMALL-LABEL: tt.func @divisor_from_memory
// SMALL-NOT: scf.if
tt.func @divisor_from_memory(%src: !tt.ptr<f32>, %dst: !tt.ptr<f32>, %size: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64xf32>
  %k = tt.load %size : !tt.ptr<i32>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %ks = tt.splat %k : i32 -> tensor<64xi32>
  %srcs = tt.splat %src : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %sum = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zeros) -> (tensor<64xf32>) : i32 {
    %starts = tt.splat %i : i32 -> tensor<64xi32>
    %linear = arith.addi %starts, %range : tensor<64xi32>
    %row = arith.divsi %linear, %ks : tensor<64xi32>
    %skip = arith.muli %row, %ks : tensor<64xi32>
    %place = arith.addi %linear, %skip : tensor<64xi32>
    %from = tt.addptr %srcs, %place : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %x = tt.load %from : tensor<64x!tt.ptr<f32>>
    %next = arith.addf %acc, %x : tensor<64xf32>
    scf.yield %next : tensor<64xf32>
  }
  %dsts = tt.splat %dst : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %to = tt.addptr %dsts, %range : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %to, %sum : tensor<64x!tt.ptr<f32>>
  tt.return
}
