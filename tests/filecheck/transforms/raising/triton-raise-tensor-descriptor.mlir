// RUN: xtriton-opt %s --triton-raise-tensor-descriptor --split-input-file | filecheck %s
// RUN: xtriton-opt %s --triton-raise-tensor-descriptor='stores-below-zero' --split-input-file | filecheck %s --check-prefix=BELOW
// BELOW-NOT: arith.minui

// The contract of a descriptor holds: base and strides are multiples of 16 bytes.
// CHECK-LABEL: @rows
tt.func @rows(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i32, %n: i32, %s: i32 {tt.divisibility = 16 : i32}) -> tensor<16x32xf16> {
  // CHECK: [[V0:%.+]] = arith.extsi %arg3 : i32 to i64
  // CHECK: [[V1:%.+]] = tt.get_program_id x : i32
  // CHECK: [[V2:%.+]] = arith.muli [[V1]], %{{.*}} : i32
  // CHECK: [[V3:%.+]] = tt.make_tensor_descriptor %arg0, [%arg1, %arg2], {{\[}}[[V0]], %{{.*}}] : <f16>, <16x32xf16>
  // CHECK: [[V4:%.+]] = tt.descriptor_load [[V3]]{{\[}}[[V2]], %{{.*}}] : !tt.tensordesc<16x32xf16> -> tensor<16x32xf16>
  // CHECK: tt.return [[V4]] : tensor<16x32xf16>
  %c16 = arith.constant 16 : i32
  %zero = arith.constant dense<0.0> : tensor<16x32xf16>
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c16 : i32
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %starts = tt.splat %start : i32 -> tensor<16xi32>
  %i = arith.addi %starts, %r : tensor<16xi32>
  %i2 = tt.expand_dims %i {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %c = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %j = tt.expand_dims %c {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %ms = tt.splat %m : i32 -> tensor<16x1xi32>
  %ns = tt.splat %n : i32 -> tensor<1x32xi32>
  %im = arith.cmpi slt, %i2, %ms : tensor<16x1xi32>
  %jm = arith.cmpi slt, %j, %ns : tensor<1x32xi32>
  %imb = tt.broadcast %im : tensor<16x1xi1> -> tensor<16x32xi1>
  %jmb = tt.broadcast %jm : tensor<1x32xi1> -> tensor<16x32xi1>
  %mask = arith.andi %imb, %jmb : tensor<16x32xi1>
  %ss = tt.splat %s : i32 -> tensor<16x1xi32>
  %is = arith.muli %i2, %ss : tensor<16x1xi32>
  %isb = tt.broadcast %is : tensor<16x1xi32> -> tensor<16x32xi32>
  %jb = tt.broadcast %j : tensor<1x32xi32> -> tensor<16x32xi32>
  %o = arith.addi %isb, %jb : tensor<16x32xi32>
  %as = tt.splat %a : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
  %p = tt.addptr %as, %o : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi32>
  %x = tt.load %p, %mask, %zero : tensor<16x32x!tt.ptr<f16>>
  tt.return %x : tensor<16x32xf16>
}

// -----

// A base of unknown alignment: the access stays.
// CHECK-LABEL: @unaligned
tt.func @unaligned(%a: !tt.ptr<f16>) -> tensor<32xf16> {
  // CHECK: [[V0:%.+]] = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  // CHECK: [[V1:%.+]] = tt.splat %arg0 : !tt.ptr<f16> -> tensor<32x!tt.ptr<f16>>
  // CHECK: [[V2:%.+]] = tt.addptr [[V1]], [[V0]] : tensor<32x!tt.ptr<f16>>, tensor<32xi32>
  // CHECK: [[V3:%.+]] = tt.load [[V2]] : tensor<32x!tt.ptr<f16>>
  // CHECK: tt.return [[V3]] : tensor<32xf16>
  %i = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %as = tt.splat %a : !tt.ptr<f16> -> tensor<32x!tt.ptr<f16>>
  %p = tt.addptr %as, %i : tensor<32x!tt.ptr<f16>>, tensor<32xi32>
  %x = tt.load %p : tensor<32x!tt.ptr<f16>>
  tt.return %x : tensor<32xf16>
}

// -----

// A store writes all of the last 16 bytes: rows have to end there. A place of a whole block below
// 0 is one outside; so is every place where there may be nothing of a tensor.
// CHECK-LABEL: @stores
tt.func @stores(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32, %m: i32 {tt.divisibility = 16 : i32}, %first: i32 {tt.divisibility = 16 : i32}, %x: tensor<32xf32>) {
  // CHECK: tt.store %{{.*}}, %arg4, %{{.*}} : tensor<32x!tt.ptr<f32>>
  // CHECK: [[LENGTH:%.+]] = arith.subi %arg2, %{{.*}} : i32
  // CHECK: [[EMPTY:%.+]] = arith.cmpi slt, [[LENGTH]], %c1_i32 : i32
  // CHECK: [[EXTENT:%.+]] = arith.maxsi [[LENGTH]], %c1_i32 : i32
  // CHECK: [[D:%.+]] = tt.make_tensor_descriptor %{{.*}}, {{\[}}[[EXTENT]]], [%c1_i64] : <f32>, <32xf32>
  // CHECK: [[PLACE:%.+]] = arith.minui %{{.*}}, %c1073741824_i32 : i32
  // CHECK: [[AT:%.+]] = arith.select [[EMPTY]], %c1073741824_i32, [[PLACE]] : i32
  // CHECK: tt.descriptor_store [[D]]{{\[}}[[AT]]], %arg4 : !tt.tensordesc<32xf32>, tensor<32xf32>
  %c32 = arith.constant 32 : i32
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c32 : i32
  %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %starts = tt.splat %start : i32 -> tensor<32xi32>
  %i = arith.addi %starts, %r : tensor<32xi32>
  %ns = tt.splat %n : i32 -> tensor<32xi32>
  %to_n = arith.cmpi slt, %i, %ns : tensor<32xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
  %p = tt.addptr %as, %i : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
  tt.store %p, %x, %to_n : tensor<32x!tt.ptr<f32>>
  %moved = arith.muli %first, %c32 : i32
  %place = arith.subi %start, %moved : i32
  %places = tt.splat %place : i32 -> tensor<32xi32>
  %j = arith.addi %places, %r : tensor<32xi32>
  %zeros = arith.constant dense<0> : tensor<32xi32>
  %end = arith.subi %m, %moved : i32
  %ends = tt.splat %end : i32 -> tensor<32xi32>
  %to_end = arith.cmpi slt, %j, %ends : tensor<32xi32>
  %from_0 = arith.cmpi sge, %j, %zeros : tensor<32xi32>
  %window = arith.andi %to_end, %from_0 : tensor<32xi1>
  %q = tt.addptr %as, %j : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
  tt.store %q, %x, %window : tensor<32x!tt.ptr<f32>>
  tt.return
}

// -----

// A row from a place that is no multiple of 16 bytes: the access stays.
// CHECK-LABEL: @middle
tt.func @middle(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) -> tensor<32xf32> {
  // CHECK-NOT: tt.make_tensor_descriptor
  // CHECK: tt.return
  %one = arith.constant dense<1> : tensor<32xi32>
  %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %i = arith.addi %r, %one : tensor<32xi32>
  %ns = tt.splat %n : i32 -> tensor<32xi32>
  %mask = arith.cmpi slt, %i, %ns : tensor<32xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
  %p = tt.addptr %as, %i : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
  %x = tt.load %p, %mask : tensor<32x!tt.ptr<f32>>
  tt.return %x : tensor<32xf32>
}
