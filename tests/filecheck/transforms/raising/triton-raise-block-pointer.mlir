// RUN: xtriton-opt %s --triton-version=3.7 --triton-raise-block-pointer --split-input-file | filecheck %s

// The mask says where the tensor ends, so that is its shape and its boundary is checked.
// CHECK-LABEL: @vector
tt.func @vector(%a: !tt.ptr<f32>, %n: i32) -> tensor<64xf32> {
  // CHECK: [[V0:%.+]] = arith.extsi %arg1 : i32 to i64
  // CHECK: [[V1:%.+]] = tt.get_program_id x : i32
  // CHECK: [[V2:%.+]] = arith.muli [[V1]], %{{.*}} : i32
  // CHECK: [[V3:%.+]] = tt.make_tensor_ptr %arg0, {{\[}}[[V0]]], [%{{.*}}], {{\[}}[[V2]]] {order = array<i32: 0>} : <tensor<64xf32>>
  // CHECK: [[V4:%.+]] = tt.load [[V3]] {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<64xf32>>
  // CHECK: tt.return [[V4]] : tensor<64xf32>
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

// An offset that may be negative must not be checked against 0: it moves the base.
// CHECK-LABEL: @negative
tt.func @negative(%a: !tt.ptr<f32>, %n: i32, %o: i32) -> tensor<64xf32> {
  // CHECK: [[V0:%.+]] = arith.extsi %arg1 : i32 to i64
  // CHECK: [[V1:%.+]] = tt.addptr %arg0, %arg2 : !tt.ptr<f32>, i32
  // CHECK: [[V2:%.+]] = tt.make_tensor_ptr [[V1]], {{\[}}[[V0]]], [%{{.*}}], [%{{.*}}] {order = array<i32: 0>} : <tensor<64xf32>>
  // CHECK: [[V3:%.+]] = tt.load [[V2]] {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<64xf32>>
  // CHECK: tt.return [[V3]] : tensor<64xf32>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %starts = tt.splat %o : i32 -> tensor<64xi32>
  %i = arith.addi %starts, %range : tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %m = arith.cmpi slt, %range, %ns : tensor<64xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %p = tt.addptr %as, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %x = tt.load %p, %m : tensor<64x!tt.ptr<f32>>
  tt.return %x : tensor<64xf32>
}

// -----

// Without a mask the tensor reaches as far as the loop does, and nothing is checked.
// CHECK-LABEL: @loop
tt.func @loop(%a: !tt.ptr<f32>, %n: i32) -> tensor<8xf32> {
  // CHECK: [[V0:%.+]] = arith.extsi %arg1 : i32 to i64
  // CHECK: [[V1:%.+]] = arith.floordivsi %{{.*}}, %c8_i64 : i64
  // CHECK: [[V2:%.+]] = arith.subi %{{.*}}-1_i64, [[V1]] : i64
  // CHECK: [[V3:%.+]] = arith.maxsi [[V2]], %{{.*}} : i64
  // CHECK: [[V4:%.+]] = arith.muli [[V3]], %{{.*}} : i64
  // CHECK: [[V5:%.+]] = arith.addi [[V4]], %{{.*}} : i64
  // CHECK: [[V7:%.+]] = tt.make_tensor_ptr %arg0, {{\[}}[[V5]]], [%{{.*}}], [%{{.*}}] {order = array<i32: 0>} : <tensor<8xf32>>
  // CHECK: [[V8:%.+]]:2 = scf.for %arg2 = %{{.*}} to %arg1 step %{{.*}} iter_args(%arg3 = %{{.*}}, %arg4 = [[V7]]) -> (tensor<8xf32>, !tt.ptr<tensor<8xf32>>)  : i32 {
  // CHECK: [[V9:%.+]] = tt.load %arg4 : !tt.ptr<tensor<8xf32>>
  // CHECK: [[V10:%.+]] = arith.addf %arg3, [[V9]] : tensor<8xf32>
  // CHECK: [[V11:%.+]] = tt.advance %arg4, [%{{.*}}] : <tensor<8xf32>>
  // CHECK: scf.yield [[V10]], [[V11]] : tensor<8xf32>, !tt.ptr<tensor<8xf32>>
  // CHECK: tt.return [[V8]]#0 : tensor<8xf32>
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %eight = arith.constant dense<8> : tensor<8xi32>
  %range = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %first = tt.addptr %as, %range : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %r:2 = scf.for %k = %c0 to %n step %c8 iter_args(%p = %first, %sum = %zero) -> (tensor<8x!tt.ptr<f32>>, tensor<8xf32>) : i32 {
    %x = tt.load %p : tensor<8x!tt.ptr<f32>>
    %next = arith.addf %sum, %x : tensor<8xf32>
    %q = tt.addptr %p, %eight : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    scf.yield %q, %next : tensor<8x!tt.ptr<f32>>, tensor<8xf32>
  }
  tt.return %r#1 : tensor<8xf32>
}

// -----

// Rows that wrap around and end in a store that leaves them out: a boundary.
// CHECK-LABEL: @boundary
tt.func @boundary(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %n: i32) {
  // CHECK: [[V0:%.+]] = arith.extsi %arg2 : i32 to i64
  // CHECK: [[V1:%.+]] = tt.get_program_id x : i32
  // CHECK: [[V2:%.+]] = arith.muli [[V1]], %{{.*}} : i32
  // CHECK: [[V3:%.+]] = tt.make_tensor_ptr %arg0, {{\[}}[[V0]]], [%{{.*}}], {{\[}}[[V2]]] {order = array<i32: 0>} : <tensor<64xf32>>
  // CHECK: [[V4:%.+]] = tt.load [[V3]] {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<64xf32>>
  // CHECK: [[V5:%.+]] = arith.addf [[V4]], [[V4]] : tensor<64xf32>
  // CHECK: [[V6:%.+]] = tt.make_tensor_ptr %arg1, {{\[}}[[V0]]], [%{{.*}}], {{\[}}[[V2]]] {order = array<i32: 0>} : <tensor<64xf32>>
  // CHECK: tt.store [[V6]], [[V5]] {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<64xf32>>
  // CHECK: tt.return
  %c64 = arith.constant 64 : i32
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c64 : i32
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %starts = tt.splat %start : i32 -> tensor<64xi32>
  %i = arith.addi %starts, %range : tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %w = arith.remsi %i, %ns : tensor<64xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %p = tt.addptr %as, %w : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %x = tt.load %p : tensor<64x!tt.ptr<f32>>
  %y = arith.addf %x, %x : tensor<64xf32>
  %m = arith.cmpi slt, %i, %ns : tensor<64xi32>
  %bs = tt.splat %b : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %q = tt.addptr %bs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %q, %y, %m : tensor<64x!tt.ptr<f32>>
  tt.return
}

// -----

// The same, but all that was read is used: the modulo stays.
// CHECK-LABEL: @modulo
tt.func @modulo(%a: !tt.ptr<f32>, %n: i32) -> tensor<64xf32> {
  // CHECK: [[V0:%.+]] = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  // CHECK: [[V1:%.+]] = tt.splat %arg1 : i32 -> tensor<64xi32>
  // CHECK: [[V2:%.+]] = arith.remsi [[V0]], [[V1]] : tensor<64xi32>
  // CHECK: [[V3:%.+]] = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  // CHECK: [[V4:%.+]] = tt.addptr [[V3]], [[V2]] : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  // CHECK: [[V5:%.+]] = tt.load [[V4]] : tensor<64x!tt.ptr<f32>>
  // CHECK: tt.return [[V5]] : tensor<64xf32>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %w = arith.remsi %range, %ns : tensor<64xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %p = tt.addptr %as, %w : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %x = tt.load %p : tensor<64x!tt.ptr<f32>>
  tt.return %x : tensor<64xf32>
}

// -----

// The mask begins inside: so does the tensor. How far before the block is not known to fit into
// 32 bits; beyond the block it does not matter.
// CHECK-LABEL: @lower_bound
tt.func @lower_bound(%a: !tt.ptr<f32>, %n: i32, %first: i32) -> tensor<64xf32> {
  // CHECK: [[END:%.+]] = arith.minsi {{.*}} : i64
  // CHECK: [[NEAR:%.+]] = arith.minsi {{.*}} : i64
  // CHECK: [[FIRST:%.+]] = arith.maxsi [[NEAR]], {{.*}} : i64
  // CHECK: [[EXTENT:%.+]] = arith.subi [[END]], [[FIRST]] : i64
  // CHECK: [[OFFSET:%.+]] = arith.trunci {{.*}} : i64 to i32
  // CHECK: [[BASE:%.+]] = tt.addptr %arg0, {{.*}} : !tt.ptr<f32>, i64
  // CHECK: tt.make_tensor_ptr [[BASE]], {{\[}}[[EXTENT]]], [%{{.*}}], {{\[}}[[OFFSET]]] {order = array<i32: 0>} : <tensor<64xf32>>
  // CHECK: tt.load %{{.*}} {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<64xf32>>
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c64 : i32
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %starts = tt.splat %start : i32 -> tensor<64xi32>
  %i = arith.addi %starts, %range : tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %firsts = tt.splat %first : i32 -> tensor<64xi32>
  %below = arith.cmpi slt, %i, %ns : tensor<64xi32>
  %above = arith.cmpi sge, %i, %firsts : tensor<64xi32>
  %m = arith.andi %below, %above : tensor<64xi1>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %p = tt.addptr %as, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %x = tt.load %p, %m, %zero : tensor<64x!tt.ptr<f32>>
  tt.return %x : tensor<64xf32>
}
