// RUN: xtriton-opt %s --xtriton-version-kernel | filecheck %s
// RUN: xtriton-opt %s --xtriton-version-kernel --test-xtriton-accesses | filecheck %s --check-prefix=TIER
// RUN: xtriton-opt %s --xtriton-version-kernel=max-ops=5 | filecheck %s --check-prefix=SMALL
// RUN: xtriton-opt %s --xtriton-version-kernel=unit-strides=true --test-xtriton-accesses | filecheck %s --check-prefix=ONE
// RUN: xtriton-opt %s --xtriton-version-kernel=unwrap=true --test-xtriton-accesses | filecheck %s --check-prefix=UNWRAP

// A divisor that is an argument: rows of `k` elements, one after the other, every other one.

// CHECK-LABEL: tt.func @rows
// CHECK: scf.if
// CHECK: %[[Q:.*]] = arith.divsi %{{.*}}, %{{.*}} : i32
// CHECK: arith.muli %[[Q]], %{{.*}} : i32
// CHECK: } else {
// TIER-LABEL: tt.func @rows
// TIER: xtriton.access = "block
// TIER: } else {
// TIER: xtriton.access = "affine
// SMALL-LABEL: tt.func @rows
// SMALL-NOT: scf.if
tt.func @rows(%src: !tt.ptr<f32>, %dst: !tt.ptr<f32>, %k: i32) {
  %c64 = arith.constant 64 : i32
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c64 : i32
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %starts = tt.splat %start : i32 -> tensor<64xi32>
  %linear = arith.addi %starts, %range : tensor<64xi32>
  %ks = tt.splat %k : i32 -> tensor<64xi32>
  %row = arith.divsi %linear, %ks : tensor<64xi32>
  %skip = arith.muli %row, %ks : tensor<64xi32>
  %place = arith.addi %linear, %skip : tensor<64xi32>
  %srcs = tt.splat %src : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %from = tt.addptr %srcs, %place : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %x = tt.load %from : tensor<64x!tt.ptr<f32>>
  %dsts = tt.splat %dst : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %to = tt.addptr %dsts, %linear : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %to, %x : tensor<64x!tt.ptr<f32>>
  tt.return
}

// Rows of 1000: most programs stay within one, and none crosses more than one end.

// CHECK-LABEL: tt.func @thousand
// CHECK-NOT: scf.if
// TIER-LABEL: tt.func @thousand
// TIER: xtriton.access = "wrapped block in up to 2 parts
// UNWRAP-LABEL: tt.func @thousand
// UNWRAP: scf.if
// UNWRAP: xtriton.access = "block
// UNWRAP: } else {
// UNWRAP: xtriton.access = "wrapped block in up to 2 parts
tt.func @thousand(%src: !tt.ptr<f32>, %dst: !tt.ptr<f32>) {
  %c64 = arith.constant 64 : i32
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c64 : i32
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %starts = tt.splat %start : i32 -> tensor<64xi32>
  %linear = arith.addi %starts, %range : tensor<64xi32>
  %ks = arith.constant dense<1000> : tensor<64xi32>
  %row = arith.divsi %linear, %ks : tensor<64xi32>
  %skip = arith.muli %row, %ks : tensor<64xi32>
  %place = arith.addi %linear, %skip : tensor<64xi32>
  %srcs = tt.splat %src : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %from = tt.addptr %srcs, %place : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %x = tt.load %from : tensor<64x!tt.ptr<f32>>
  %dsts = tt.splat %dst : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %to = tt.addptr %dsts, %linear : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %to, %x : tensor<64x!tt.ptr<f32>>
  tt.return
}

// Nothing to gain: no second version.

// CHECK-LABEL: tt.func @regular
// CHECK-NOT: scf.if
tt.func @regular(%src: !tt.ptr<f32>, %x: f32) {
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %srcs = tt.splat %src : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %to = tt.addptr %srcs, %range : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %xs = tt.splat %x : f32 -> tensor<64xf32>
  tt.store %to, %xs : tensor<64x!tt.ptr<f32>>
  tt.return
}

// CHECK-LABEL: tt.func @strided
// CHECK-NOT: scf.if
// ONE-LABEL: tt.func @strided
// ONE: scf.if
// ONE: access = "block | %src + i1 + i0*sm"
// ONE: } else {
// ONE: access = "block | %src + sn*i1 + i0*sm"
tt.func @strided(%src: !tt.ptr<f32>, %x: f32, %sm: i32, %sn: i32) {
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %rows = tt.expand_dims %range {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %sms = tt.splat %sm : i32 -> tensor<64x1xi32>
  %sns = tt.splat %sn : i32 -> tensor<1x64xi32>
  %down = arith.muli %rows, %sms : tensor<64x1xi32>
  %right = arith.muli %columns, %sns : tensor<1x64xi32>
  %downs = tt.broadcast %down : tensor<64x1xi32> -> tensor<64x64xi32>
  %rights = tt.broadcast %right : tensor<1x64xi32> -> tensor<64x64xi32>
  %place = arith.addi %downs, %rights : tensor<64x64xi32>
  %srcs = tt.splat %src : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  %to = tt.addptr %srcs, %place : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
  %xs = tt.splat %x : f32 -> tensor<64x64xf32>
  tt.store %to, %xs : tensor<64x64x!tt.ptr<f32>>
  tt.return
}

// A block that rarely wraps around.

// CHECK-LABEL: tt.func @wraps
// CHECK-NOT: scf.if
// UNWRAP-LABEL: tt.func @wraps
// UNWRAP: scf.if
// UNWRAP: tt.load {{.*}} {xtriton.access = "block |
// UNWRAP: } else {
// UNWRAP: tt.load {{.*}} {xtriton.access = "wrapped block |
tt.func @wraps(%src: !tt.ptr<f32>, %dst: !tt.ptr<f32>, %n: i32) {
  %c64 = arith.constant 64 : i32
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c64 : i32
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %starts = tt.splat %start : i32 -> tensor<64xi32>
  %linear = arith.addi %starts, %range : tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %place = arith.remsi %linear, %ns : tensor<64xi32>
  %srcs = tt.splat %src : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %from = tt.addptr %srcs, %place : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %x = tt.load %from : tensor<64x!tt.ptr<f32>>
  %dsts = tt.splat %dst : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %to = tt.addptr %dsts, %linear : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %to, %x : tensor<64x!tt.ptr<f32>>
  tt.return
}

// Two divisors of a stored matrix, one of which no argument is: wide enough, they are crossed once.

// CHECK-LABEL: tt.func @any_width
// CHECK: arith.cmpi sge
// CHECK: scf.if
// CHECK: } else {
// TIER-LABEL: tt.func @any_width
// TIER: xtriton.access = "wrapped block in up to 2 parts
// TIER: } else {
// TIER: xtriton.access = "affine
tt.func @any_width(%src: !tt.ptr<f32>, %h: i32) {
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c64 : i32
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %starts = tt.splat %start : i32 -> tensor<64xi32>
  %linear = arith.addi %starts, %range : tensor<64xi32>
  %square = arith.muli %h, %h : i32
  %odd = arith.addi %square, %c1 : i32
  %ks = tt.splat %odd : i32 -> tensor<64xi32>
  %row = arith.divsi %linear, %ks : tensor<64xi32>
  %hs = tt.splat %h : i32 -> tensor<64xi32>
  %skip = arith.muli %row, %hs : tensor<64xi32>
  %place = arith.addi %linear, %skip : tensor<64xi32>
  %srcs = tt.splat %src : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %from = tt.addptr %srcs, %place : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  tt.store %from, %zero : tensor<64x!tt.ptr<f32>>
  tt.return
}
