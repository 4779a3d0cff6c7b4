// RUN: xtriton-opt %s --test-xtriton-accesses | filecheck %s

// CHECK-LABEL: @block
tt.func @block(%a: !tt.ptr<f32>, %n: i32) {
  %c64 = arith.constant 64 : i32
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c64 : i32
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %starts = tt.splat %start : i32 -> tensor<64xi32>
  %i = arith.addi %starts, %range : tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %m = arith.cmpi slt, %i, %ns : tensor<64xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %p = tt.addptr %as, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  // CHECK: xtriton.access = "block | %a + 64*pid_x + i0 | where 64*pid_x + i0 < n"
  %x = tt.load %p, %m : tensor<64x!tt.ptr<f32>>
  tt.return
}

// CHECK-LABEL: @wrapped
tt.func @wrapped(%a: !tt.ptr<f32>, %n: i32) {
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %i = arith.remsi %range, %ns : tensor<64xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %p = tt.addptr %as, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  // CHECK: xtriton.access = "wrapped block | %a + (i0 %t n)"
  %x = tt.load %p : tensor<64x!tt.ptr<f32>>
  tt.return
}

// CHECK-LABEL: @split
tt.func @split(%a: !tt.ptr<f32>) {
  %c8 = arith.constant dense<8> : tensor<64xi32>
  %c100 = arith.constant dense<100> : tensor<64xi32>
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %row = arith.divsi %i, %c8 : tensor<64xi32>
  %column = arith.remsi %i, %c8 : tensor<64xi32>
  %rows = arith.muli %row, %c100 : tensor<64xi32>
  %o = arith.addi %rows, %column : tensor<64xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %p = tt.addptr %as, %o : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  // CHECK: xtriton.access = "block as 8x8 | %a + 92*(i0 // 8) + i0"
  %x = tt.load %p : tensor<64x!tt.ptr<f32>>
  tt.return
}

// A quotient by a number that does not divide the block keeps its closed form.
// CHECK-LABEL: @affine
tt.func @affine(%a: !tt.ptr<f32>) {
  %c7 = arith.constant dense<7> : tensor<64xi32>
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %o = arith.divsi %i, %c7 : tensor<64xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %p = tt.addptr %as, %o : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  // CHECK: xtriton.access = "affine | %a + (i0 // 7) | (i0 // 7) changes inside the block, up to 9 times; up to 3 are followed"
  %x = tt.load %p : tensor<64x!tt.ptr<f32>>
  tt.return
}

// CHECK-LABEL: @gather
tt.func @gather(%a: !tt.ptr<f32>, %indices: !tt.ptr<i32>) {
  %i = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %is = tt.splat %indices : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
  %ip = tt.addptr %is, %i : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
  // CHECK: xtriton.access = "block | %indices + i0"
  %row = tt.load %ip : tensor<4x!tt.ptr<i32>>
  %row2 = tt.expand_dims %row {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
  %row3 = tt.broadcast %row2 : tensor<4x1xi32> -> tensor<4x4xi32>
  %column = tt.expand_dims %i {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
  %column2 = tt.broadcast %column : tensor<1x4xi32> -> tensor<4x4xi32>
  %o = arith.addi %row3, %column2 : tensor<4x4xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<4x4x!tt.ptr<f32>>
  %p = tt.addptr %as, %o : tensor<4x4x!tt.ptr<f32>>, tensor<4x4xi32>
  // CHECK: xtriton.access = "gather in dimension 0 | %a + row[i0] + i1 | depends on row"
  %x = tt.load %p : tensor<4x4x!tt.ptr<f32>>
  tt.return
}

// What nothing is known of, though nothing was loaded, is opaque.
// CHECK-LABEL: @opaque
tt.func @opaque(%a: !tt.ptr<f32>, %o: tensor<4xi32>, %ps: tensor<4x!tt.ptr<f32>>) {
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
  %p = tt.addptr %as, %o : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
  // CHECK: xtriton.access = "opaque | %a + o[i0] | depends on o"
  %x = tt.load %p : tensor<4x!tt.ptr<f32>>
  // CHECK: xtriton.access = "opaque | pointers of unknown origin"
  %y = tt.load %ps : tensor<4x!tt.ptr<f32>>
  tt.return
}

// A pointer that a loop carries is where its iterations have taken it.
// CHECK-LABEL: @carried
tt.func @carried(%a: !tt.ptr<f32>, %n: i32, %s: i32) {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %range = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %first = tt.addptr %as, %range : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %step = tt.splat %s : i32 -> tensor<8xi32>
  %r = scf.for %k = %c0 to %n step %c4 iter_args(%p = %first) -> (tensor<8x!tt.ptr<f32>>) : i32 {
    // CHECK: xtriton.access = "block | %a + s*k0 + i0"
    %x = tt.load %p : tensor<8x!tt.ptr<f32>>
    %q = tt.addptr %p, %step : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    scf.yield %q : tensor<8x!tt.ptr<f32>>
  }
  // CHECK: xtriton.access = "block | %a + s*max({{.*}}) + i0"
  %y = tt.load %r : tensor<8x!tt.ptr<f32>>
  tt.return
}

// The divisor is promised to be a multiple of the block: no block crosses it.

// CHECK-LABEL: tt.func @aligned_divisor
// CHECK: xtriton.access = "block | %dst + 1000*((16*pid_x) /t m) + 16*pid_x - m*((16*pid_x) /t m) + i0"
tt.func @aligned_divisor(%dst: !tt.ptr<f32>, %m: i32 {tt.divisibility = 16 : i32}, %x: f32) {
  %c16 = arith.constant 16 : i32
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c16 : i32
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %starts = tt.splat %start : i32 -> tensor<16xi32>
  %linear = arith.addi %starts, %range : tensor<16xi32>
  %ms = tt.splat %m : i32 -> tensor<16xi32>
  %i = arith.remsi %linear, %ms : tensor<16xi32>
  %row = arith.divsi %linear, %ms : tensor<16xi32>
  %thousand = arith.constant dense<1000> : tensor<16xi32>
  %far = arith.muli %row, %thousand : tensor<16xi32>
  %place = arith.addi %far, %i : tensor<16xi32>
  %dsts = tt.splat %dst : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %to = tt.addptr %dsts, %place : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %xs = tt.splat %x : f32 -> tensor<16xf32>
  tt.store %to, %xs : tensor<16x!tt.ptr<f32>>
  tt.return
}

// Reasons name what no formula explains, and where it comes from.
// CHECK-LABEL: @unexplained
tt.func @unexplained(%a: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %counts = tt.histogram %r : tensor<16xi32> -> tensor<16xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %p = tt.addptr %as, %counts : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  // CHECK: "opaque | %a + counts[i0] | depends on counts, made by tt.histogram"
  %x = tt.load %p : tensor<16x!tt.ptr<f32>>
  scf.for %k = %c0 to %n step %c1 iter_args(%grows = %r) -> (tensor<16xi32>) : i32 {
    %q = tt.addptr %as, %grows : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    // CHECK: "opaque | %a + grows[i0] | depends on grows, which a loop changes"
    %y = tt.load %q : tensor<16x!tt.ptr<f32>>
    %twice = arith.addi %grows, %grows : tensor<16xi32>
    scf.yield %twice : tensor<16xi32>
  }
  tt.return
}
