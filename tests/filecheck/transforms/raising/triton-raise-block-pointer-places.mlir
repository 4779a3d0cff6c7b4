// RUN: xtriton-opt %s --triton-raise-block-pointer | filecheck %s

// What goes through one pointer of the program goes through one block pointer, made where the
// program makes it. Offsets are sums in i32, which is what they are cut off to.
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
// CHECK: %[[P:.+]] = tt.make_tensor_ptr %arg0, [%{{.+}}], [%{{.+}}], [%c16_i32]
// CHECK: scf.for {{.*}} iter_args(%{{.+}} = %{{.+}}, %[[Q:.+]] = %[[P]])
// CHECK: %[[R:.+]] = tt.advance %[[Q]], [%c8_i32]
// CHECK: tt.load %[[R]]
// CHECK: scf.yield %{{.+}}, %[[R]]
tt.func @moved_first(%a: !tt.ptr<f32>, %n: i32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %step = arith.constant dense<8> : tensor<8xi32>
  %i = tt.make_range {end = 24 : i32, start = 16 : i32} : tensor<8xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %first = tt.addptr %as, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%p = %first, %sum = %zero) -> (tensor<8x!tt.ptr<f32>>, tensor<8xf32>) : i32 {
    %q = tt.addptr %p, %step : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %x = tt.load %q : tensor<8x!tt.ptr<f32>>
    %next = arith.addf %sum, %x : tensor<8xf32>
    scf.yield %q, %next : tensor<8x!tt.ptr<f32>>, tensor<8xf32>
  }
  tt.return %r#1 : tensor<8xf32>
}
