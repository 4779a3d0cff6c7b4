// RUN: xtriton-opt %s --triton-to-structured | filecheck %s
// RUN: xtriton-opt %s --test-xtriton-accesses | filecheck %s --check-prefix=FORM

// Rows of 499 in a tensor of 512 columns: a block reaches the next row at one place at most.

// FORM-LABEL: tt.func @rows
// FORM: "wrapped block in up to 2 parts
// CHECK-LABEL: tt.func @rows
// CHECK: %[[FIRST:.*]] = "tts.load"
// CHECK: tts.masked_load {{.*}} default = %[[FIRST]]
// CHECK-NOT: tt.load
tt.func @rows(%src: !tt.ptr<f32>, %dst: !tt.ptr<f32>) {
  %c256 = arith.constant 256 : i32
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c256 : i32
  %range = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
  %starts = tt.splat %start : i32 -> tensor<256xi32>
  %linear = arith.addi %starts, %range : tensor<256xi32>
  %width = arith.constant dense<499> : tensor<256xi32>
  %gap = arith.constant dense<13> : tensor<256xi32>
  %row = arith.divsi %linear, %width : tensor<256xi32>
  %skip = arith.muli %row, %gap : tensor<256xi32>
  %place = arith.addi %linear, %skip : tensor<256xi32>
  %srcs = tt.splat %src : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
  %from = tt.addptr %srcs, %place : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
  %x = tt.load %from : tensor<256x!tt.ptr<f32>>
  %dsts = tt.splat %dst : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
  %to = tt.addptr %dsts, %linear : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
  tt.store %to, %x : tensor<256x!tt.ptr<f32>>
  tt.return
}

// A store in three parts; each is a window of the block.

// FORM-LABEL: tt.func @narrow
// FORM: "wrapped block in up to 3 parts
// CHECK-LABEL: tt.func @narrow
// CHECK: "tts.store"
// CHECK: tts.masked_store {{.*}} from [%{{.*}}] to [%{{.*}}]
// CHECK: tts.masked_store {{.*}} from [%{{.*}}] to [64]
// CHECK-NOT: tt.store
tt.func @narrow(%dst: !tt.ptr<f32>, %x: f32) {
  %c64 = arith.constant 64 : i32
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c64 : i32
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %starts = tt.splat %start : i32 -> tensor<64xi32>
  %linear = arith.addi %starts, %range : tensor<64xi32>
  %width = arith.constant dense<49> : tensor<64xi32>
  %row = arith.divsi %linear, %width : tensor<64xi32>
  %place = arith.addi %linear, %row : tensor<64xi32>
  %dsts = tt.splat %dst : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %to = tt.addptr %dsts, %place : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %xs = tt.splat %x : f32 -> tensor<64xf32>
  tt.store %to, %xs : tensor<64x!tt.ptr<f32>>
  tt.return
}

// Rows of 7 would take twenty parts: it stays an affine access.

// FORM-LABEL: tt.func @many
// FORM: "affine
// CHECK-LABEL: tt.func @many
// CHECK: tts.make_affine_tptr
tt.func @many(%dst: !tt.ptr<f32>, %x: f32) {
  %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %width = arith.constant dense<7> : tensor<128xi32>
  %row = arith.divsi %range, %width : tensor<128xi32>
  %place = arith.addi %range, %row : tensor<128xi32>
  %dsts = tt.splat %dst : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  %to = tt.addptr %dsts, %place : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
  %xs = tt.splat %x : f32 -> tensor<128xf32>
  tt.store %to, %xs : tensor<128x!tt.ptr<f32>>
  tt.return
}

// A mask that is no window would be asked lane by lane for each part: one affine access asks once.

// CHECK-LABEL: tt.func @chosen_lanes
// CHECK: tts.make_affine_tptr %{{.*}} to sizes: [256]
// CHECK: tts.masked_load %{{.*}} mask = %{{.*}}
// CHECK-NOT: tts.masked_load
tt.func @chosen_lanes(%src: !tt.ptr<f32>, %dst: !tt.ptr<f32>, %on: tensor<256xi1>, %none: tensor<256xf32>) {
  %c256 = arith.constant 256 : i32
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c256 : i32
  %range = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
  %starts = tt.splat %start : i32 -> tensor<256xi32>
  %linear = arith.addi %starts, %range : tensor<256xi32>
  %width = arith.constant dense<499> : tensor<256xi32>
  %gap = arith.constant dense<13> : tensor<256xi32>
  %row = arith.divsi %linear, %width : tensor<256xi32>
  %skip = arith.muli %row, %gap : tensor<256xi32>
  %place = arith.addi %linear, %skip : tensor<256xi32>
  %srcs = tt.splat %src : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
  %from = tt.addptr %srcs, %place : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
  %x = tt.load %from, %on, %none : tensor<256x!tt.ptr<f32>>
  %dsts = tt.splat %dst : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
  %to = tt.addptr %dsts, %linear : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
  tt.store %to, %x : tensor<256x!tt.ptr<f32>>
  tt.return
}
