// RUN: xtriton-opt %s --triton-to-structured=assume-no-overflow=false | filecheck %s
// RUN: xtriton-opt %s --triton-to-structured | filecheck %s --check-prefix=ASSUME

// 2**30 times what is loaded may leave 32 bits: only an assumption makes this a block.

// CHECK-LABEL: tt.func @sparse_block
// CHECK: tt.load %{{.*}} : tensor<64x!tt.ptr<f32>>
// CHECK: "tts.store"
// ASSUME-LABEL: tt.func @sparse_block
// ASSUME: "tts.load"
tt.func @sparse_block(%index: !tt.ptr<i32>, %src: !tt.ptr<f32>, %dst: !tt.ptr<f32>) {
  %size = arith.constant 1073741824 : i32
  %block = tt.load %index : !tt.ptr<i32>
  %start = arith.muli %block, %size : i32
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %starts = tt.splat %start : i32 -> tensor<64xi32>
  %place = arith.addi %starts, %range : tensor<64xi32>
  %srcs = tt.splat %src : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %from = tt.addptr %srcs, %place : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %x = tt.load %from : tensor<64x!tt.ptr<f32>>
  %dsts = tt.splat %dst : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %to = tt.addptr %dsts, %range : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %to, %x : tensor<64x!tt.ptr<f32>>
  tt.return
}

// A quotient has a name of its own, whose bounds are those of its type: that is no proof.

// CHECK-LABEL: tt.func @named
// CHECK: tt.store %{{.*}} : tensor<64x!tt.ptr<f32>>
// ASSUME-LABEL: tt.func @named
// ASSUME: "tts.store"
tt.func @named(%dst: !tt.ptr<f32>, %n: i32, %x: f32) {
  %c3 = arith.constant 3 : i32
  %size = arith.constant 1073741824 : i32
  %block = arith.divsi %n, %c3 : i32
  %start32 = arith.muli %block, %size : i32
  %start = arith.extsi %start32 : i32 to i64
  %range32 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %range = arith.extsi %range32 : tensor<64xi32> to tensor<64xi64>
  %starts = tt.splat %start : i64 -> tensor<64xi64>
  %place = arith.addi %starts, %range : tensor<64xi64>
  %dsts = tt.splat %dst : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %to = tt.addptr %dsts, %place : tensor<64x!tt.ptr<f32>>, tensor<64xi64>
  %xs = tt.splat %x : f32 -> tensor<64xf32>
  tt.store %to, %xs : tensor<64x!tt.ptr<f32>>
  tt.return
}
