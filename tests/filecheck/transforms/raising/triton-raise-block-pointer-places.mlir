// RUN: xtriton-opt %s --triton-raise-block-pointer | filecheck %s

// What goes through one pointer of the program goes through one block pointer, made where the
// program makes it. Offsets are sums in i32 where the program's are.
// CHECK-LABEL: @shared
// CHECK: %[[SUM:.+]] = arith.addi %arg1, %arg2 : i32
// CHECK: %[[P:.+]] = tt.make_tensor_ptr %arg0, [%{{.+}}], [%{{.+}}], [%[[SUM]]]
// CHECK: %[[X:.+]] = tt.load %[[P]]
// CHECK: arith.negf %[[X]]
// CHECK: tt.store %[[P]]
tt.func @shared(%a: !tt.ptr<f32>, %m: i32, %n: i32) {
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %ms = tt.splat %m : i32 -> tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %o = arith.addi %i, %ms : tensor<64xi32>
  %o2 = arith.addi %o, %ns : tensor<64xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %p = tt.addptr %as, %o2 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %x = tt.load %p : tensor<64x!tt.ptr<f32>>
  %y = arith.negf %x : tensor<64xf32>
  tt.store %p, %y : tensor<64x!tt.ptr<f32>>
  tt.return
}

// A pointer that the loop moves before the access is advanced there.
// CHECK-LABEL: @moved_first
// CHECK: %[[B:.+]] = tt.addptr %arg0, %c24_i64
// CHECK: %[[P:.+]] = tt.make_tensor_ptr %[[B]], [%{{.+}}], [%{{.+}}], [%c-8_i32]
// CHECK: scf.for {{.*}} iter_args(%{{.+}} = %{{.+}}, %[[Q:.+]] = %[[P]])
// CHECK: %[[R:.+]] = tt.advance %[[Q]], [%c8_i32]
// CHECK: tt.load %[[R]]
// CHECK: scf.yield %{{.+}}, %[[R]]
tt.func @moved_first(%a: !tt.ptr<f32>, %n: i32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %step = arith.constant dense<8> : tensor<8xi32>
  %i = tt.make_range {end = 24 : i32, start = 16 : i32} : tensor<8xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %first = tt.addptr %as, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %r:2 = scf.for %k = %c0 to %n step %c8 iter_args(%p = %first, %sum = %zero) -> (tensor<8x!tt.ptr<f32>>, tensor<8xf32>) : i32 {
    %q = tt.addptr %p, %step : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %x = tt.load %q : tensor<8x!tt.ptr<f32>>
    %next = arith.addf %sum, %x : tensor<8xf32>
    scf.yield %q, %next : tensor<8x!tt.ptr<f32>>, tensor<8xf32>
  }
  tt.return %r#1 : tensor<8xf32>
}

// What a loop bounds fits into 32 bits, what it does not need not: the base moves, in 64 bits.
// CHECK-LABEL: @far
// CHECK: scf.for
// CHECK: %[[FAR:.+]] = arith.muli %{{.+}}, %c8_i64 : i64
// CHECK: %[[BASE:.+]] = tt.addptr %arg0, %[[FAR]]
// CHECK: tt.make_tensor_ptr %[[BASE]], [%c8_i64], [%c1_i64], [%c0_i32]
tt.func @far(%a: !tt.ptr<f32>, %n: i32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %step = arith.constant dense<8> : tensor<8xi32>
  %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %first = tt.addptr %as, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%p = %first, %sum = %zero) -> (tensor<8x!tt.ptr<f32>>, tensor<8xf32>) : i32 {
    %x = tt.load %p : tensor<8x!tt.ptr<f32>>
    %next = arith.addf %sum, %x : tensor<8xf32>
    %q = tt.addptr %p, %step : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    scf.yield %q, %next : tensor<8x!tt.ptr<f32>>, tensor<8xf32>
  }
  tt.return %r#1 : tensor<8xf32>
}

// The place of a head, in 64 bits, is nobody's row or column; the mask counts the rows.
// CHECK-LABEL: @head
// CHECK: %[[BASE:.+]] = tt.addptr %arg0, %{{.+}} : !tt.ptr<f16>, i64
// CHECK: tt.make_tensor_ptr %[[BASE]], [%{{.+}}, %c64_i64], [%c256_i64, %c1_i64], [%[[ROW:.+]], %c0_i32]
// CHECK: boundaryCheck = array<i32: 0>
tt.func @head(%a: !tt.ptr<f16>, %t: i32, %batch: i64, %head: i64, %tile: i32) -> tensor<64x64xf16> {
  %c64 = arith.constant 64 : i32
  %c64w = arith.constant 64 : i64
  %c4w = arith.constant 4 : i64
  %c256 = arith.constant dense<256> : tensor<64x1xi32>
  %tw = arith.extsi %t : i32 to i64
  %0 = arith.muli %batch, %tw : i64
  %1 = arith.muli %0, %c4w : i64
  %2 = arith.addi %1, %head : i64
  %3 = arith.muli %2, %c64w : i64
  %p = tt.addptr %a, %3 : !tt.ptr<f16>, i64
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %row = arith.muli %tile, %c64 : i32
  %rows = tt.splat %row : i32 -> tensor<64xi32>
  %o = arith.addi %rows, %i : tensor<64xi32>
  %ts = tt.splat %t : i32 -> tensor<64xi32>
  %m = arith.cmpi slt, %o, %ts : tensor<64xi32>
  %m1 = tt.expand_dims %m {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
  %m2 = tt.broadcast %m1 : tensor<64x1xi1> -> tensor<64x64xi1>
  %o1 = tt.expand_dims %o {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %o2 = arith.muli %o1, %c256 : tensor<64x1xi32>
  %ps = tt.splat %p : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
  %q = tt.addptr %ps, %o2 : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
  %q2 = tt.broadcast %q : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
  %j = tt.expand_dims %i {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %j2 = tt.broadcast %j : tensor<1x64xi32> -> tensor<64x64xi32>
  %r = tt.addptr %q2, %j2 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
  %x = tt.load %r, %m2 : tensor<64x64x!tt.ptr<f16>>
  tt.return %x : tensor<64x64xf16>
}

// Rows counted in 64 bits may be more than 32 hold: the mask's end is taken from where they begin.
// CHECK-LABEL: @wide_rows
// CHECK-NOT: trunci
// CHECK: %[[BASE:.+]] = tt.addptr %arg0, %[[ROW:.+]] : !tt.ptr<f32>, i64
// CHECK: %[[P:.+]] = tt.make_tensor_ptr %[[BASE]], [%{{.+}}], [%c1_i64], [%c0_i32]
// CHECK: tt.load %[[P]] {boundaryCheck = array<i32: 0>}
tt.func @wide_rows(%a: !tt.ptr<f32>, %n: i64, %tile: i64) -> tensor<64xf32> {
  %c64 = arith.constant 64 : i64
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %iw = arith.extsi %i : tensor<64xi32> to tensor<64xi64>
  %row = arith.muli %tile, %c64 : i64
  %rows = tt.splat %row : i64 -> tensor<64xi64>
  %o = arith.addi %rows, %iw : tensor<64xi64>
  %ns = tt.splat %n : i64 -> tensor<64xi64>
  %m = arith.cmpi slt, %o, %ns : tensor<64xi64>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %p = tt.addptr %as, %o : tensor<64x!tt.ptr<f32>>, tensor<64xi64>
  %x = tt.load %p, %m : tensor<64x!tt.ptr<f32>>
  tt.return %x : tensor<64xf32>
}
