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

// Three rows and more are a loop over those that the block reaches. None of its windows is empty.

// FORM-LABEL: tt.func @narrow
// FORM: "wrapped block in up to 3 parts
// CHECK-LABEL: tt.func @narrow
// CHECK: %[[BEGIN:.*]] = arith.index_cast
// CHECK: %[[FIRST:.*]] = arith.divsi %[[BEGIN]], %c49
// CHECK: scf.for %[[ROW:.*]] = %[[FIRST]] to
// CHECK-NEXT: %[[LANE:.*]] = arith.muli %[[ROW]], %c49
// CHECK-NEXT: %[[START:.*]] = arith.subi %[[LANE]], %[[BEGIN]]
// CHECK-NEXT: %[[FROM:.*]] = arith.maxsi %[[START]], %c0
// CHECK-NEXT: %[[END:.*]] = arith.addi %[[START]], %c49
// CHECK-NEXT: %[[TO:.*]] = arith.minsi %[[END]], %c64
// CHECK-NEXT: %[[AT:.*]] = arith.addi %[[BEGIN]], %[[ROW]]
// CHECK-NEXT: %[[PTR:.*]] = tts.make_tptr %{{.*}} to sizes: [64], strides: [1], offsets: [%[[AT]]]
// CHECK-NEXT: tts.masked_store %[[PTR]], %{{.*}} from [%[[FROM]]] to [%[[TO]]] nonempty
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

// One element for each row, of which a loop puts as many as there are into what the mask leaves.

// CHECK-LABEL: tt.func @quotients
// CHECK: %[[OTHER:.*]] = arith.constant dense<7.0
// CHECK: %[[LIVE:.*]] = arith.cmpi
// CHECK: %[[LAST:.*]] = arith.select %[[LIVE]], %{{.*}}, %[[FIRST:.*]] : index
// CHECK: scf.for %[[ROW:.*]] = %[[FIRST]] to %[[LAST]] step %c1 iter_args(%[[SO_FAR:.*]] = %[[OTHER]])
// CHECK: %[[PTR:.*]] = tts.make_tptr %{{.*}} to sizes: [64], strides: [0], offsets: [%[[ROW]]]
// CHECK-NEXT: tts.masked_load %[[PTR]] from [%{{.*}}] to [%{{.*}}] nonempty default = %[[SO_FAR]]
tt.func @quotients(%src: !tt.ptr<f32>, %n: i32) -> tensor<64xf32> {
  %c64 = arith.constant 64 : i32
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c64 : i32
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %starts = tt.splat %start : i32 -> tensor<64xi32>
  %linear = arith.addi %starts, %range : tensor<64xi32>
  %width = arith.constant dense<49> : tensor<64xi32>
  %other = arith.constant dense<7.0> : tensor<64xf32>
  %row = arith.divsi %linear, %width : tensor<64xi32>
  %ends = tt.splat %n : i32 -> tensor<64xi32>
  %on = arith.cmpi slt, %linear, %ends : tensor<64xi32>
  %srcs = tt.splat %src : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %from = tt.addptr %srcs, %row : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %x = tt.load %from, %on, %other : tensor<64x!tt.ptr<f32>>
  tt.return %x : tensor<64xf32>
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
