// RUN: xtriton-opt %s --triton-raise-tensor-descriptor=operands-only | filecheck %s

// Only what goes into a product comes through a descriptor, here behind a cast.
// CHECK-LABEL: @product
tt.func @product(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: tensor<16x16xf32>, %s: i32 {tt.divisibility = 16 : i32}) -> (tensor<16x16xf32>, tensor<16x16xf16>) {
  // CHECK: [[D:%.+]] = tt.make_tensor_descriptor %arg0
  // CHECK: [[X:%.+]] = tt.descriptor_load [[D]]
  // CHECK: arith.extf [[X]]
  // CHECK: tt.load %{{.*}} : tensor<16x16x!tt.ptr<f16>>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %i = tt.expand_dims %r {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %j = tt.expand_dims %r {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %ss = tt.splat %s : i32 -> tensor<16x1xi32>
  %is = arith.muli %i, %ss : tensor<16x1xi32>
  %isb = tt.broadcast %is : tensor<16x1xi32> -> tensor<16x16xi32>
  %jb = tt.broadcast %j : tensor<1x16xi32> -> tensor<16x16xi32>
  %o = arith.addi %isb, %jb : tensor<16x16xi32>
  %as = tt.splat %a : !tt.ptr<f16> -> tensor<16x16x!tt.ptr<f16>>
  %p = tt.addptr %as, %o : tensor<16x16x!tt.ptr<f16>>, tensor<16x16xi32>
  %x = tt.load %p : tensor<16x16x!tt.ptr<f16>>
  %wide = arith.extf %x : tensor<16x16xf16> to tensor<16x16xf32>
  %c = tt.dot %wide, %b, %zero : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  %y = tt.load %p : tensor<16x16x!tt.ptr<f16>>
  tt.return %c, %y : tensor<16x16xf32>, tensor<16x16xf16>
}
