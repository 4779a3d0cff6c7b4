// RUN: xtriton-opt %s --xtriton-raise-for-block-io --split-input-file --triton-version=3.7 | filecheck %s
// RUN: xtriton-opt %s --xtriton-raise-for-block-io --split-input-file --triton-version=3.7 2>&1 | filecheck %s --check-prefix=WHY

// What a product multiplies and what it stores become 2D block accesses when raised.
// WHY: remark: raised to a block pointer: a 2D block access, which it was not; loads and conversions move
// CHECK-LABEL: @square(
// CHECK: %[[P:.+]] = tt.make_tensor_ptr %arg0
// CHECK: tt.load %[[P]] {boundaryCheck
// CHECK: %[[O:.+]] = tt.make_tensor_ptr %arg1
// CHECK: tt.store %[[O]], %{{.+}} {boundaryCheck
tt.func public @square(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32},
    %o: !tt.ptr<f32> {tt.divisibility = 16 : i32},
    %m: i32 {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) {
  %c16 = arith.constant 16 : i32
  %x = tt.get_program_id x : i32
  %first = arith.muli %x, %c16 : i32
  %r16 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %r32 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %s = tt.splat %first : i32 -> tensor<16xi32>
  %i = arith.addi %s, %r16 : tensor<16xi32>
  %i1 = tt.expand_dims %i {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %j1 = tt.expand_dims %r32 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %ms = tt.splat %m : i32 -> tensor<16x1xi32>
  %ns = tt.splat %n : i32 -> tensor<16x1xi32>
  %nt = tt.splat %n : i32 -> tensor<1x32xi32>
  %below = arith.cmpi slt, %i1, %ms : tensor<16x1xi32>
  %left = arith.cmpi slt, %j1, %nt : tensor<1x32xi32>
  %b = tt.broadcast %below : tensor<16x1xi1> -> tensor<16x32xi1>
  %l = tt.broadcast %left : tensor<1x32xi1> -> tensor<16x32xi1>
  %mask = arith.andi %b, %l : tensor<16x32xi1>
  %rows = arith.muli %i1, %ns : tensor<16x1xi32>
  %rb = tt.broadcast %rows : tensor<16x1xi32> -> tensor<16x32xi32>
  %jb = tt.broadcast %j1 : tensor<1x32xi32> -> tensor<16x32xi32>
  %off = arith.addi %rb, %jb : tensor<16x32xi32>
  %ps = tt.splat %p : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
  %pp = tt.addptr %ps, %off : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi32>
  %v = tt.load %pp, %mask : tensor<16x32x!tt.ptr<f16>>
  %t = tt.trans %v {order = array<i32: 1, 0>} : tensor<16x32xf16> -> tensor<32x16xf16>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %d = tt.dot %v, %t, %zero : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x16xf32>
  %os = tt.splat %o : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %k1 = tt.expand_dims %r16 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %rk = tt.broadcast %rows : tensor<16x1xi32> -> tensor<16x16xi32>
  %kb = tt.broadcast %k1 : tensor<1x16xi32> -> tensor<16x16xi32>
  %place = arith.addi %rk, %kb : tensor<16x16xi32>
  %oo = tt.addptr %os, %place : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %bk = tt.broadcast %below : tensor<16x1xi1> -> tensor<16x16xi1>
  tt.store %oo, %d, %bk : tensor<16x16x!tt.ptr<f32>>
  tt.return
}

// -----

// Nothing of it has the layout of a product: no 2D block operation would come of it.
// CHECK-LABEL: @copy(
// CHECK-NOT: tt.make_tensor_ptr
// CHECK: tt.return
tt.func public @copy(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32},
    %o: !tt.ptr<f16> {tt.divisibility = 16 : i32},
    %m: i32 {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) {
  %c16 = arith.constant 16 : i32
  %x = tt.get_program_id x : i32
  %first = arith.muli %x, %c16 : i32
  %r16 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %r32 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %s = tt.splat %first : i32 -> tensor<16xi32>
  %i = arith.addi %s, %r16 : tensor<16xi32>
  %i1 = tt.expand_dims %i {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %j1 = tt.expand_dims %r32 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %ms = tt.splat %m : i32 -> tensor<16x1xi32>
  %ns = tt.splat %n : i32 -> tensor<16x1xi32>
  %nt = tt.splat %n : i32 -> tensor<1x32xi32>
  %below = arith.cmpi slt, %i1, %ms : tensor<16x1xi32>
  %left = arith.cmpi slt, %j1, %nt : tensor<1x32xi32>
  %b = tt.broadcast %below : tensor<16x1xi1> -> tensor<16x32xi1>
  %l = tt.broadcast %left : tensor<1x32xi1> -> tensor<16x32xi1>
  %mask = arith.andi %b, %l : tensor<16x32xi1>
  %rows = arith.muli %i1, %ns : tensor<16x1xi32>
  %rb = tt.broadcast %rows : tensor<16x1xi32> -> tensor<16x32xi32>
  %jb = tt.broadcast %j1 : tensor<1x32xi32> -> tensor<16x32xi32>
  %off = arith.addi %rb, %jb : tensor<16x32xi32>
  %ps = tt.splat %p : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
  %pp = tt.addptr %ps, %off : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi32>
  %v = tt.load %pp, %mask : tensor<16x32x!tt.ptr<f16>>
  %os = tt.splat %o : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
  %oo = tt.addptr %os, %off : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi32>
  tt.store %oo, %v, %mask : tensor<16x32x!tt.ptr<f16>>
  tt.return
}

// -----

// A vector beside it stays as it is written, with what is known of its alignment.
// CHECK-LABEL: @beside(
// CHECK: tt.load %{{.+}} {boundaryCheck
// CHECK: tt.load %{{.+}} : tensor<16x!tt.ptr<f32>>
tt.func public @beside(%w: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %p: !tt.ptr<f16> {tt.divisibility = 16 : i32},
    %o: !tt.ptr<f32> {tt.divisibility = 16 : i32},
    %m: i32 {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) {
  %c16 = arith.constant 16 : i32
  %x = tt.get_program_id x : i32
  %first = arith.muli %x, %c16 : i32
  %r16 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %r32 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %s = tt.splat %first : i32 -> tensor<16xi32>
  %i = arith.addi %s, %r16 : tensor<16xi32>
  %i1 = tt.expand_dims %i {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %j1 = tt.expand_dims %r32 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %ms = tt.splat %m : i32 -> tensor<16x1xi32>
  %ns = tt.splat %n : i32 -> tensor<16x1xi32>
  %nt = tt.splat %n : i32 -> tensor<1x32xi32>
  %below = arith.cmpi slt, %i1, %ms : tensor<16x1xi32>
  %left = arith.cmpi slt, %j1, %nt : tensor<1x32xi32>
  %b = tt.broadcast %below : tensor<16x1xi1> -> tensor<16x32xi1>
  %l = tt.broadcast %left : tensor<1x32xi1> -> tensor<16x32xi1>
  %mask = arith.andi %b, %l : tensor<16x32xi1>
  %rows = arith.muli %i1, %ns : tensor<16x1xi32>
  %rb = tt.broadcast %rows : tensor<16x1xi32> -> tensor<16x32xi32>
  %jb = tt.broadcast %j1 : tensor<1x32xi32> -> tensor<16x32xi32>
  %off = arith.addi %rb, %jb : tensor<16x32xi32>
  %ps = tt.splat %p : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
  %pp = tt.addptr %ps, %off : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi32>
  %v = tt.load %pp, %mask : tensor<16x32x!tt.ptr<f16>>
  %t = tt.trans %v {order = array<i32: 1, 0>} : tensor<16x32xf16> -> tensor<32x16xf16>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %d = tt.dot %v, %t, %zero : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x16xf32>
  %ws = tt.splat %w : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %wp = tt.addptr %ws, %r16 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %scale = tt.load %wp : tensor<16x!tt.ptr<f32>>
  %os = tt.splat %o : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %k1 = tt.expand_dims %r16 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %rk = tt.broadcast %rows : tensor<16x1xi32> -> tensor<16x16xi32>
  %kb = tt.broadcast %k1 : tensor<1x16xi32> -> tensor<16x16xi32>
  %place = arith.addi %rk, %kb : tensor<16x16xi32>
  %oo = tt.addptr %os, %place : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %bk = tt.broadcast %below : tensor<16x1xi1> -> tensor<16x16xi1>
  %sc = tt.expand_dims %scale {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
  %sb = tt.broadcast %sc : tensor<16x1xf32> -> tensor<16x16xf32>
  %ds = arith.mulf %d, %sb : tensor<16x16xf32>
  tt.store %oo, %ds, %bk : tensor<16x16x!tt.ptr<f32>>
  tt.return
}
