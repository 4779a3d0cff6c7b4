// RUN: xtriton-opt %s --triton-to-structured=rows-by-element=128 | filecheck %s

// Rows of 300 of 310 elements, of which a block holds parts of two or three.
// CHECK-LABEL: @in_parts
// CHECK-NOT: tts.make_tptr %arg0
// CHECK: tts.make_affine_tptr %arg0
// CHECK: tts.load
// CHECK: tts.make_tptr %arg1
tt.func public @in_parts(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  %size = arith.constant 512 : i32
  %width = arith.constant dense<300> : tensor<512xi32>
  %pitch = arith.constant dense<310> : tensor<512xi32>
  %range = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
  %pid = tt.get_program_id x : i32
  %begin = arith.muli %pid, %size : i32
  %begins = tt.splat %begin : i32 -> tensor<512xi32>
  %index = arith.addi %begins, %range : tensor<512xi32>
  %column = arith.remsi %index, %width : tensor<512xi32>
  %row = arith.divsi %index, %width : tensor<512xi32>
  %start = arith.muli %row, %pitch : tensor<512xi32>
  %place = arith.addi %column, %start : tensor<512xi32>
  %of_x = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
  %x_at = tt.addptr %of_x, %place : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
  %value = tt.load %x_at : tensor<512x!tt.ptr<f32>>
  %twice = arith.addf %value, %value : tensor<512xf32>
  %to = tt.splat %out : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
  %out_at = tt.addptr %to, %index : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
  tt.store %out_at, %twice : tensor<512x!tt.ptr<f32>>
  tt.return
}

// Runs of four elements, which is what 28 and 32 have in common: each element for itself.
// CHECK-LABEL: @in_short_runs
// CHECK: tts.make_affine_tptr %arg0
tt.func public @in_short_runs(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  %size = arith.constant 32 : i32
  %width = arith.constant dense<28> : tensor<1x32xi32>
  %pitch = arith.constant dense<112> : tensor<1x32xi32>
  %two = arith.constant dense<2> : tensor<1x32xi32>
  %of_range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %range = tt.expand_dims %of_range {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %pair = arith.constant dense<2> : tensor<8x1xi32>
  %line = arith.constant dense<56> : tensor<8x1xi32>
  %four = arith.constant dense<4> : tensor<8x1xi32>
  %image = arith.constant dense<3136> : tensor<8x1xi32>
  %of_rows = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %y = tt.expand_dims %of_rows {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
  %y0 = arith.remsi %y, %pair : tensor<8x1xi32>
  %y01 = arith.divsi %y, %pair : tensor<8x1xi32>
  %y1 = arith.remsi %y01, %pair : tensor<8x1xi32>
  %y2 = arith.divsi %y, %four : tensor<8x1xi32>
  %lines = arith.muli %y1, %line : tensor<8x1xi32>
  %images = arith.muli %y2, %image : tensor<8x1xi32>
  %of_lines = arith.addi %y0, %lines : tensor<8x1xi32>
  %rows = arith.addi %of_lines, %images : tensor<8x1xi32>
  %pid = tt.get_program_id x : i32
  %begin = arith.muli %pid, %size : i32
  %begins = tt.splat %begin : i32 -> tensor<1x32xi32>
  %index = arith.addi %begins, %range : tensor<1x32xi32>
  %column = arith.remsi %index, %width : tensor<1x32xi32>
  %row = arith.divsi %index, %width : tensor<1x32xi32>
  %start = arith.muli %row, %pitch : tensor<1x32xi32>
  %twos = arith.muli %column, %two : tensor<1x32xi32>
  %of_column = arith.addi %twos, %start : tensor<1x32xi32>
  %across = tt.broadcast %of_column : tensor<1x32xi32> -> tensor<8x32xi32>
  %down = tt.broadcast %rows : tensor<8x1xi32> -> tensor<8x32xi32>
  %place = arith.addi %across, %down : tensor<8x32xi32>
  %of_x = tt.splat %x : !tt.ptr<f32> -> tensor<8x32x!tt.ptr<f32>>
  %x_at = tt.addptr %of_x, %place : tensor<8x32x!tt.ptr<f32>>, tensor<8x32xi32>
  %value = tt.load %x_at : tensor<8x32x!tt.ptr<f32>>
  %to = tt.splat %out : !tt.ptr<f32> -> tensor<8x32x!tt.ptr<f32>>
  %out_at = tt.addptr %to, %place : tensor<8x32x!tt.ptr<f32>>, tensor<8x32xi32>
  tt.store %out_at, %value : tensor<8x32x!tt.ptr<f32>>
  tt.return
}

// One element for each row: code that stores rows by number looks for these parts.
// CHECK-LABEL: @of_rows
// CHECK-NOT: tts.make_affine_tptr
tt.func public @of_rows(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %size = arith.constant 512 : i32
  %width = arith.constant dense<300> : tensor<512xi32>
  %range = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
  %pid = tt.get_program_id x : i32
  %begin = arith.muli %pid, %size : i32
  %begins = tt.splat %begin : i32 -> tensor<512xi32>
  %index = arith.addi %begins, %range : tensor<512xi32>
  %row = arith.divsi %index, %width : tensor<512xi32>
  %of_x = tt.splat %x : !tt.ptr<i32> -> tensor<512x!tt.ptr<i32>>
  %x_at = tt.addptr %of_x, %row : tensor<512x!tt.ptr<i32>>, tensor<512xi32>
  %value = tt.load %x_at : tensor<512x!tt.ptr<i32>>
  %twice = arith.addi %value, %value : tensor<512xi32>
  %to = tt.splat %out : !tt.ptr<i32> -> tensor<512x!tt.ptr<i32>>
  %out_at = tt.addptr %to, %index : tensor<512x!tt.ptr<i32>>, tensor<512xi32>
  tt.store %out_at, %twice : tensor<512x!tt.ptr<i32>>
  tt.return
}
