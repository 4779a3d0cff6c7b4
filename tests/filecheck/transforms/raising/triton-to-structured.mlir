// RUN: xtriton-opt %s --triton-to-structured --split-input-file | filecheck %s

// A vector with a mask: the mask becomes the size of what is live.
// CHECK-LABEL: @vector
tt.func @vector(%a: !tt.ptr<f32>, %n: i32) -> tensor<64xf32> {
  // CHECK: [[V0:%.+]] = tt.get_program_id x : i32
  // CHECK: [[V1:%.+]] = arith.muli [[V0]], %{{.*}} : i32
  // CHECK: [[V2:%.+]] = arith.index_cast [[V1]] : i32 to index
  // CHECK: [[V3:%.+]] = tts.make_tptr %arg0 to sizes: [64], strides: [1], offsets: {{\[}}[[V2]]], shape: [0], order: [] : <f32> to tensor<64x!tt.ptr<f32>>
  // CHECK: [[V4:%.+]] = arith.index_cast [[V1]] : i32 to index
  // CHECK: [[V5:%.+]] = arith.addi %{{.*}}, [[V4]] : index
  // CHECK: [[V6:%.+]] = arith.index_cast %arg1 : i32 to index
  // CHECK: [[V7:%.+]] = arith.minsi [[V5]], [[V6]] : index
  // CHECK: [[V8:%.+]] = arith.maxsi [[V7]], [[V4]] : index
  // CHECK: [[V9:%.+]] = arith.subi [[V8]], [[V4]] : index
  // CHECK: [[V10:%.+]] = "tts.load"([[V3]], [[V9]], %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1, 1>, static_mask_dims = array<i64: -9223372036854775808>}> : (tensor<64x!tt.ptr<f32>>, index, f32) -> tensor<64xf32>
  // CHECK: tt.return [[V10]] : tensor<64xf32>
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c64 : i32
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %starts = tt.splat %start : i32 -> tensor<64xi32>
  %i = arith.addi %starts, %range : tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %m = arith.cmpi slt, %i, %ns : tensor<64xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %p = tt.addptr %as, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %x = tt.load %p, %m, %zero : tensor<64x!tt.ptr<f32>>
  tt.return %x : tensor<64xf32>
}

// -----

// Rows that wrap around: the bound is the modulus times the stride, and what is not
// inside of the remainder is in the offset of the other dimension.
// CHECK-LABEL: @wrapped_rows
tt.func @wrapped_rows(%a: !tt.ptr<f32>, %m: i32, %s: i32, %k: i32) -> tensor<16x8xf32> {
  // CHECK: [[V0:%.+]] = arith.index_cast %arg3 : i32 to index
  // CHECK: [[V1:%.+]] = arith.index_cast %arg1 : i32 to index
  // CHECK: [[V2:%.+]] = arith.index_cast %arg2 : i32 to index
  // CHECK: [[V3:%.+]] = tt.get_program_id x : i32
  // CHECK: [[V4:%.+]] = arith.muli [[V3]], %{{.*}} : i32
  // CHECK: [[V5:%.+]] = arith.index_cast [[V4]] : i32 to index
  // CHECK: [[V6:%.+]] = arith.muli [[V2]], [[V1]] : index
  // CHECK: [[V7:%.+]] = arith.muli [[V5]], [[V2]] : index
  // CHECK: [[V8:%.+]] = tts.make_tptr %arg0 to sizes: [16, 8], strides: {{\[}}[[V2]], 1], offsets: {{\[}}[[V7]], [[V0]]], shape: {{\[}}[[V6]], 0], order: [] : <f32> to tensor<16x8x!tt.ptr<f32>>
  // CHECK: [[V9:%.+]] = "tts.load"([[V8]]) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_mask_dims = array<i64>}> : (tensor<16x8x!tt.ptr<f32>>) -> tensor<16x8xf32>
  // CHECK: tt.return [[V9]] : tensor<16x8xf32>
  %c16 = arith.constant 16 : i32
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c16 : i32
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %starts = tt.splat %start : i32 -> tensor<16xi32>
  %i = arith.addi %starts, %range : tensor<16xi32>
  %ms = tt.splat %m : i32 -> tensor<16xi32>
  %rows = arith.remsi %i, %ms : tensor<16xi32>
  %rows2 = tt.expand_dims %rows {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %ss = tt.splat %s : i32 -> tensor<16x1xi32>
  %rows3 = arith.muli %rows2, %ss : tensor<16x1xi32>
  %rows4 = tt.broadcast %rows3 : tensor<16x1xi32> -> tensor<16x8xi32>
  %columns = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %columns2 = tt.expand_dims %columns {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
  %columns3 = tt.broadcast %columns2 : tensor<1x8xi32> -> tensor<16x8xi32>
  %offsets = arith.addi %rows4, %columns3 : tensor<16x8xi32>
  %ks = tt.splat %k : i32 -> tensor<16x8xi32>
  %moved = arith.addi %offsets, %ks : tensor<16x8xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<16x8x!tt.ptr<f32>>
  %p = tt.addptr %as, %moved : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi32>
  %x = tt.load %p : tensor<16x8x!tt.ptr<f32>>
  tt.return %x : tensor<16x8xf32>
}

// -----

// A pointer that a loop carries becomes an offset in its place; the step is made before the loop.
// CHECK-LABEL: @carried
tt.func @carried(%a: !tt.ptr<f32>, %n: i32, %s: i32) -> tensor<8xf32> {
  // CHECK: [[V0:%.+]]:2 = scf.for %arg3 = %{{.*}} to %arg1 step %{{.*}} iter_args(%arg4 = %{{.*}}, %arg5 = %{{.*}}) -> (index, tensor<8xf32>)  : i32 {
  // CHECK: [[V1:%.+]] = tts.make_tptr %arg0 to sizes: [8], strides: [%{{.*}}], offsets: [%arg4], shape: [0], order: [] : <f32> to tensor<8x!tt.ptr<f32>>
  // CHECK: [[V2:%.+]] = "tts.load"([[V1]]) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_mask_dims = array<i64>}> : (tensor<8x!tt.ptr<f32>>) -> tensor<8xf32>
  // CHECK: [[V3:%.+]] = arith.addf %arg5, [[V2]] : tensor<8xf32>
  // CHECK: [[V4:%.+]] = arith.index_cast %arg2 : i32 to index
  // CHECK: [[V5:%.+]] = arith.addi %arg4, [[V4]] : index
  // CHECK: scf.yield [[V5]], [[V3]] : index, tensor<8xf32>
  // CHECK: tt.return [[V0]]#1 : tensor<8xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %range = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %first = tt.addptr %as, %range : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %step = tt.splat %s : i32 -> tensor<8xi32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%p = %first, %sum = %zero) -> (tensor<8x!tt.ptr<f32>>, tensor<8xf32>) : i32 {
    %x = tt.load %p : tensor<8x!tt.ptr<f32>>
    %next = arith.addf %sum, %x : tensor<8xf32>
    %q = tt.addptr %p, %step : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    scf.yield %q, %next : tensor<8x!tt.ptr<f32>>, tensor<8xf32>
  }
  tt.return %r#1 : tensor<8xf32>
}

// -----

// A lower bound is a window; a mask that is no interval filters inside of it.
// CHECK-LABEL: @window
tt.func @window(%a: !tt.ptr<f32>, %low: i32, %keep: tensor<8xi1>) {
  // CHECK: [[V0:%.+]] = arith.index_cast %arg1 : i32 to index
  // CHECK: [[V1:%.+]] = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  // CHECK: [[V2:%.+]] = tt.splat %arg1 : i32 -> tensor<8xi32>
  // CHECK: [[V3:%.+]] = arith.cmpi sge, [[V1]], [[V2]] : tensor<8xi32>
  // CHECK: [[V4:%.+]] = tts.make_tptr %arg0 to sizes: [8], strides: [1], offsets: [0], shape: [0], order: [] : <f32> to tensor<8x!tt.ptr<f32>>
  // CHECK: [[V5:%.+]] = arith.maxsi [[V0]], %{{.*}} : index
  // CHECK: [[V6:%.+]] = arith.minsi [[V5]], %{{.*}} : index
  // CHECK: [[V7:%.+]] = tts.masked_load [[V4]] from {{\[}}[[V6]]] to [8] : tensor<8x!tt.ptr<f32>> -> tensor<8xf32>
  // CHECK: [[V8:%.+]] = arith.andi [[V3]], %arg2 : tensor<8xi1>
  // CHECK: tts.masked_store [[V4]], [[V7]] from {{\[}}[[V6]]] to [8] mask = [[V8]] : tensor<8x!tt.ptr<f32>>
  // CHECK: tt.return
  %range = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %lows = tt.splat %low : i32 -> tensor<8xi32>
  %m = arith.cmpi sge, %range, %lows : tensor<8xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %p = tt.addptr %as, %range : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %x = tt.load %p, %m : tensor<8x!tt.ptr<f32>>
  %both = arith.andi %m, %keep : tensor<8xi1>
  tt.store %p, %x, %both : tensor<8x!tt.ptr<f32>>
  tt.return
}

// -----

// Quotient and remainder by a number that divides the block: a block of rank two.
// CHECK-LABEL: @split
tt.func @split(%a: !tt.ptr<f32>) -> tensor<64xf32> {
  // CHECK: [[V0:%.+]] = tts.make_tptr %arg0 to sizes: [8, 8], strides: [100, 1], offsets: [0, 0], shape: [0, 0], order: [] : <f32> to tensor<8x8x!tt.ptr<f32>>
  // CHECK: [[V1:%.+]] = "tts.load"([[V0]]) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_mask_dims = array<i64>}> : (tensor<8x8x!tt.ptr<f32>>) -> tensor<8x8xf32>
  // CHECK: [[V2:%.+]] = tt.reshape [[V1]] : tensor<8x8xf32> -> tensor<64xf32>
  // CHECK: tt.return [[V2]] : tensor<64xf32>
  %c8 = arith.constant dense<8> : tensor<64xi32>
  %c100 = arith.constant dense<100> : tensor<64xi32>
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %row = arith.divsi %i, %c8 : tensor<64xi32>
  %column = arith.remsi %i, %c8 : tensor<64xi32>
  %rows = arith.muli %row, %c100 : tensor<64xi32>
  %o = arith.addi %rows, %column : tensor<64xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %p = tt.addptr %as, %o : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %x = tt.load %p : tensor<64x!tt.ptr<f32>>
  tt.return %x : tensor<64xf32>
}

// -----

// The boundary checks of a block pointer are masks; the padding is what is read outside.
// CHECK-LABEL: @block_pointer
tt.func @block_pointer(%a: !tt.ptr<f32>, %m: i64, %n: i64, %o: i32) -> tensor<4x8xf32> {
  // CHECK: [[V0:%.+]] = arith.index_cast %arg3 : i32 to index
  // CHECK: [[V1:%.+]] = arith.index_cast %arg2 : i64 to index
  // CHECK: [[V4:%.+]] = arith.muli [[V0]], [[V1]] : index
  // CHECK: [[V5:%.+]] = tts.make_tptr %arg0 to sizes: [4, 8], strides: {{\[}}[[V1]], 1], offsets: {{\[}}[[V4]], 0], shape: [0, 0], order: [] : <f32> to tensor<4x8x!tt.ptr<f32>>
  // CHECK: [[V2:%.+]] = arith.minsi [[V1]], %{{.*}} : index
  // CHECK: [[V3:%.+]] = arith.maxsi [[V2]], %{{.*}} : index
  // CHECK: [[V6:%.+]] = "tts.load"([[V5]], [[V3]], %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1, 1>, static_mask_dims = array<i64: 4, -9223372036854775808>}> : (tensor<4x8x!tt.ptr<f32>>, index, f32) -> tensor<4x8xf32>
  // CHECK: tt.return [[V6]] : tensor<4x8xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %p = tt.make_tensor_ptr %a, [%m, %n], [%n, %c1], [%o, %c0] {order = array<i32: 1, 0>} : <tensor<4x8xf32>>
  %x = tt.load %p {boundaryCheck = array<i32: 1>, padding = 1 : i32} : !tt.ptr<tensor<4x8xf32>>
  tt.return %x : tensor<4x8xf32>
}

// -----

// What has no structure stays, and costs its neighbour nothing.
// CHECK-LABEL: @opaque
tt.func @opaque(%a: !tt.ptr<f32>, %ps: tensor<8x!tt.ptr<f32>>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK: [[V0:%.+]] = tts.make_tptr %arg0 to sizes: [8], strides: [1], offsets: [0], shape: [0], order: [] : <f32> to tensor<8x!tt.ptr<f32>>
  // CHECK: [[V1:%.+]] = "tts.load"([[V0]]) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_mask_dims = array<i64>}> : (tensor<8x!tt.ptr<f32>>) -> tensor<8xf32>
  // CHECK: [[V2:%.+]] = tt.load %arg1 : tensor<8x!tt.ptr<f32>>
  // CHECK: tt.return [[V1]], [[V2]] : tensor<8xf32>, tensor<8xf32>
  %range = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %p = tt.addptr %as, %range : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %x = tt.load %p : tensor<8x!tt.ptr<f32>>
  %y = tt.load %ps : tensor<8x!tt.ptr<f32>>
  tt.return %x, %y : tensor<8xf32>, tensor<8xf32>
}

// -----

// Places and mask of a gather are the program's own tensors, where they are tensors of it.
// CHECK-LABEL: @own_tensors
// CHECK: [[ROW:%.+]] = "tts.load"
// CHECK: [[LARGE:%.+]] = arith.muli [[ROW]], %{{.*}} : tensor<4xi32>
// CHECK-NEXT: [[PLACE:%.+]] = arith.addi %{{.*}}, [[LARGE]] : tensor<4xi32>
// CHECK-NEXT: [[ODD:%.+]] = arith.andi [[ROW]], %{{.*}} : tensor<4xi32>
// CHECK-NEXT: [[ON:%.+]] = arith.cmpi eq, [[ODD]], %{{.*}} : tensor<4xi32>
// CHECK-NEXT: tts.make_gather_scatter_tptr %arg0 to sizes: [4] gather_scatter_dim: 0 gather_scatter_offset: [[PLACE]] gather_scatter_mask: [[ON]]
tt.func @own_tensors(%a: !tt.ptr<f32>, %indices: !tt.ptr<i32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %one = arith.constant dense<1> : tensor<4xi32>
  %wide = arith.constant dense<100> : tensor<4xi32>
  %i = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %is = tt.splat %indices : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
  %ip = tt.addptr %is, %i : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
  %row = tt.load %ip : tensor<4x!tt.ptr<i32>>
  %large = arith.muli %row, %wide : tensor<4xi32>
  %place = arith.addi %i, %large : tensor<4xi32>
  %odd = arith.andi %row, %one : tensor<4xi32>
  %on = arith.cmpi eq, %odd, %one : tensor<4xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
  %p = tt.addptr %as, %place : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
  %x = tt.load %p, %on, %zero : tensor<4x!tt.ptr<f32>>
  tt.return %x : tensor<4xf32>
}

// -----

// Rows that memory names: one dimension is gathered, the other a block.
// CHECK-LABEL: @gather
tt.func @gather(%a: !tt.ptr<f32>, %indices: !tt.ptr<i32>, %s: i32, %n: i32) -> tensor<4x8xf32> {
  // CHECK: [[V0:%.+]] = arith.index_cast %arg2 : i32 to index
  // CHECK: [[V1:%.+]] = tts.make_tptr %arg1 to sizes: [4], strides: [1], offsets: [0], shape: [0], order: [] : <i32> to tensor<4x!tt.ptr<i32>>
  // CHECK: [[V2:%.+]] = "tts.load"([[V1]]) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_mask_dims = array<i64>}> : (tensor<4x!tt.ptr<i32>>) -> tensor<4xi32>
  // CHECK: [[V3:%.+]] = tt.splat %arg3 : i32 -> tensor<4xi32>
  // CHECK: [[V4:%.+]] = arith.cmpi slt, [[V2]], [[V3]] : tensor<4xi32>
  // CHECK: [[V5:%.+]] = tts.make_gather_scatter_tptr %arg0 to sizes: [4, 8] gather_scatter_dim: 0 gather_scatter_offset: [[V2]] gather_scatter_mask: [[V4]], strides: {{\[}}[[V0]], 1], offsets: [0, 0] : tensor<4xi32> tensor<4xi1> <f32> to !tt.ptr<tensor<4x8xf32>>
  // CHECK: [[V6:%.+]] = "tts.load"([[V5]], %{{.*}}) <{operandSegmentSizes = array<i32: 1, 0, 1>, static_mask_dims = array<i64: 0, 8>}> : (!tt.ptr<tensor<4x8xf32>>, f32) -> tensor<4x8xf32>
  // CHECK: tt.return [[V6]] : tensor<4x8xf32>
  %zero = arith.constant dense<0.0> : tensor<4x8xf32>
  %i = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %is = tt.splat %indices : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
  %ip = tt.addptr %is, %i : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
  %row = tt.load %ip : tensor<4x!tt.ptr<i32>>
  %ns = tt.splat %n : i32 -> tensor<4xi32>
  %m = arith.cmpi slt, %row, %ns : tensor<4xi32>
  %m2 = tt.expand_dims %m {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
  %m3 = tt.broadcast %m2 : tensor<4x1xi1> -> tensor<4x8xi1>
  %row2 = tt.expand_dims %row {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
  %ss = tt.splat %s : i32 -> tensor<4x1xi32>
  %rows = arith.muli %row2, %ss : tensor<4x1xi32>
  %row3 = tt.broadcast %rows : tensor<4x1xi32> -> tensor<4x8xi32>
  %j = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %column = tt.expand_dims %j {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
  %column2 = tt.broadcast %column : tensor<1x8xi32> -> tensor<4x8xi32>
  %o = arith.addi %row3, %column2 : tensor<4x8xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<4x8x!tt.ptr<f32>>
  %p = tt.addptr %as, %o : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>
  %x = tt.load %p, %m3, %zero : tensor<4x8x!tt.ptr<f32>>
  tt.return %x : tensor<4x8xf32>
}

// -----

// An atomic on a block.
// CHECK-LABEL: @atomic
tt.func @atomic(%a: !tt.ptr<f32>, %v: tensor<8xf32>, %n: i32) {
  // CHECK: [[V0:%.+]] = tts.make_tptr %arg0 to sizes: [8], strides: [1], offsets: [0], shape: [0], order: [] : <f32> to tensor<8x!tt.ptr<f32>>
  // CHECK: [[V1:%.+]] = arith.index_cast %arg2 : i32 to index
  // CHECK: [[V2:%.+]] = arith.minsi %{{.*}}, [[V1]] : index
  // CHECK: [[V3:%.+]] = arith.maxsi [[V2]], %{{.*}} : index
  // CHECK: [[V4:%.+]] = tts.atomic_rmw fadd, acq_rel, gpu, [[V0]], %arg1 from [0] to {{\[}}[[V3]]] : tensor<8x!tt.ptr<f32>> -> tensor<8xf32>
  // CHECK: tt.return
  %range = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %ns = tt.splat %n : i32 -> tensor<8xi32>
  %m = arith.cmpi slt, %range, %ns : tensor<8xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %p = tt.addptr %as, %range : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %x = tt.atomic_rmw fadd, acq_rel, gpu, %p, %v, %m : (tensor<8x!tt.ptr<f32>>, tensor<8xf32>, tensor<8xi1>) -> tensor<8xf32>
  tt.return
}

// -----

// Places that no rule takes apart: the tensor of the program, with one dimension.
// CHECK-LABEL: @places
tt.func @places(%a: !tt.ptr<f32>, %indices: !tt.ptr<i32>, %n: i32, %s: i32) -> tensor<4x8xf32> {
  // CHECK: [[V0:%.+]] = tts.make_tptr %arg1 to sizes: [4], strides: [1], offsets: [0], shape: [0], order: [] : <i32> to tensor<4x!tt.ptr<i32>>
  // CHECK: [[V1:%.+]] = "tts.load"([[V0]]) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_mask_dims = array<i64>}> : (tensor<4x!tt.ptr<i32>>) -> tensor<4xi32>
  // CHECK: [[V2:%.+]] = tt.expand_dims [[V1]] {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
  // CHECK: [[V3:%.+]] = tt.splat %arg2 : i32 -> tensor<4x1xi32>
  // CHECK: [[V4:%.+]] = arith.remsi [[V2]], [[V3]] : tensor<4x1xi32>
  // CHECK: [[V5:%.+]] = arith.index_cast %arg3 : i32 to index
  // CHECK: [[Vcollapsed:%.+]] = tensor.collapse_shape [[V4]] {{\[\[}}0, 1]] : tensor<4x1xi32> into tensor<4xi32>
  // CHECK: [[V6:%.+]] = tts.make_gather_scatter_tptr %arg0 to sizes: [4, 8] gather_scatter_dim: 0 gather_scatter_offset: [[Vcollapsed]], strides: {{\[}}[[V5]], 1], offsets: [0, 0] : tensor<4xi32>  <f32> to !tt.ptr<tensor<4x8xf32>>
  // CHECK: [[V7:%.+]] = "tts.load"([[V6]]) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_mask_dims = array<i64>}> : (!tt.ptr<tensor<4x8xf32>>) -> tensor<4x8xf32>
  // CHECK: tt.return [[V7]] : tensor<4x8xf32>
  %i = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %is = tt.splat %indices : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
  %ip = tt.addptr %is, %i : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
  %index = tt.load %ip : tensor<4x!tt.ptr<i32>>
  %rows = tt.expand_dims %index {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
  %ns = tt.splat %n : i32 -> tensor<4x1xi32>
  %row = arith.remsi %rows, %ns : tensor<4x1xi32>
  %ss = tt.splat %s : i32 -> tensor<4x1xi32>
  %scaled = arith.muli %row, %ss : tensor<4x1xi32>
  %row2 = tt.broadcast %scaled : tensor<4x1xi32> -> tensor<4x8xi32>
  %j = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %column = tt.expand_dims %j {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
  %column2 = tt.broadcast %column : tensor<1x8xi32> -> tensor<4x8xi32>
  %o = arith.addi %row2, %column2 : tensor<4x8xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<4x8x!tt.ptr<f32>>
  %p = tt.addptr %as, %o : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>
  %x = tt.load %p : tensor<4x8x!tt.ptr<f32>>
  tt.return %x : tensor<4x8xf32>
}

// -----

// A pointer that two loops move: each carries an offset, also where steps differ.
// CHECK-LABEL: @nested
tt.func @nested(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %s: i32) {
  // CHECK: [[V0:%.+]] = tts.make_tptr %arg1 to sizes: [8], strides: [1], offsets: [0], shape: [0], order: [] : <f32> to tensor<8x!tt.ptr<f32>>
  // CHECK: [[V1:%.+]] = scf.for %arg3 = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%arg4 = %{{.*}}) -> (index)  : i32 {
  // CHECK: [[V2:%.+]] = scf.for %arg5 = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%arg6 = %arg4) -> (index)  : i32 {
  // CHECK: [[V5:%.+]] = tts.make_tptr %arg0 to sizes: [8], strides: [%{{.*}}], offsets: [%arg6], shape: [0], order: [] : <f32> to tensor<8x!tt.ptr<f32>>
  // CHECK: [[V6:%.+]] = "tts.load"([[V5]]) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_mask_dims = array<i64>}> : (tensor<8x!tt.ptr<f32>>) -> tensor<8xf32>
  // CHECK: "tts.store"([[V0]], [[V6]]) <{static_mask_dims = array<i64>}> : (tensor<8x!tt.ptr<f32>>, tensor<8xf32>) -> ()
  // CHECK: [[V7:%.+]] = arith.index_cast %arg2 : i32 to index
  // CHECK: [[V8:%.+]] = arith.addi %arg6, [[V7]] : index
  // CHECK: scf.yield [[V8]] : index
  // CHECK: [[V3:%.+]] = arith.index_cast %arg3 : i32 to index
  // CHECK: [[V4:%.+]] = arith.addi [[V2]], [[V3]] : index
  // CHECK: scf.yield [[V4]] : index
  // CHECK: tt.return
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %range = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %first = tt.addptr %as, %range : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %bs = tt.splat %b : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %to = tt.addptr %bs, %range : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%p = %first) -> (tensor<8x!tt.ptr<f32>>) : i32 {
    %inner = scf.for %l = %c0 to %c4 step %c1 iter_args(%q = %p) -> (tensor<8x!tt.ptr<f32>>) : i32 {
      %x = tt.load %q : tensor<8x!tt.ptr<f32>>
      tt.store %to, %x : tensor<8x!tt.ptr<f32>>
      %step = tt.splat %s : i32 -> tensor<8xi32>
      %next = tt.addptr %q, %step : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      scf.yield %next : tensor<8x!tt.ptr<f32>>
    }
    %more = tt.splat %k : i32 -> tensor<8xi32>
    %moved = tt.addptr %inner, %more : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    scf.yield %moved : tensor<8x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// A mask that is a comparison of another mask's lanes, and always true.
// CHECK-LABEL: @mask_of_a_mask
tt.func @mask_of_a_mask(%a: !tt.ptr<f32>, %n: i32) -> tensor<16xf32> {
  // CHECK: [[V0:%.+]] = tts.make_tptr %arg0 to sizes: [16], strides: [1], offsets: [0], shape: [0], order: [] : <f32> to tensor<16x!tt.ptr<f32>>
  // CHECK: "tts.load"([[V0]]) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_mask_dims = array<i64: 16>}>
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %ns = tt.splat %n : i32 -> tensor<16xi32>
  %inside = arith.cmpi slt, %range, %ns : tensor<16xi32>
  %number = arith.extsi %inside : tensor<16xi1> to tensor<16xi32>
  %one = arith.constant dense<1> : tensor<16xi32>
  %m = arith.cmpi slt, %number, %one : tensor<16xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %p = tt.addptr %as, %range : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %x = tt.load %p, %m : tensor<16x!tt.ptr<f32>>
  tt.return %x : tensor<16xf32>
}
