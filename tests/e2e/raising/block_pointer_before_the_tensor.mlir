module {
  tt.func public @block_pointer_before_the_tensor(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32, %arg3: i32, %arg4: i32) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<16x8xf32>
    %cst_0 = arith.constant dense<0> : tensor<1x8xi64>
    %cst_1 = arith.constant dense<0> : tensor<16x1xi64>
    %cst_2 = arith.constant dense<2> : tensor<8xi64>
    %cst_3 = arith.constant dense<8> : tensor<16x1xi32>
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.subi %c0_i32, %arg4 : i32
    %1 = arith.extsi %arg2 : i32 to i64
    %2 = arith.extsi %arg3 : i32 to i64
    %3 = arith.extsi %0 : i32 to i64
    %4 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x8x!tt.ptr<f32>>
    %5 = tt.splat %3 : i64 -> tensor<16xi64>
    %6 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %7 = arith.extsi %6 : tensor<16xi32> to tensor<16xi64>
    %8 = arith.addi %5, %7 : tensor<16xi64>
    %9 = tt.expand_dims %8 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %10 = tt.splat %2 : i64 -> tensor<16x1xi64>
    %11 = arith.muli %9, %10 : tensor<16x1xi64>
    %12 = tt.broadcast %11 : tensor<16x1xi64> -> tensor<16x8xi64>
    %13 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %14 = arith.extsi %13 : tensor<8xi32> to tensor<8xi64>
    %15 = arith.addi %14, %cst_2 : tensor<8xi64>
    %16 = tt.expand_dims %15 {axis = 0 : i32} : tensor<8xi64> -> tensor<1x8xi64>
    %17 = tt.broadcast %16 : tensor<1x8xi64> -> tensor<16x8xi64>
    %18 = arith.addi %12, %17 : tensor<16x8xi64>
    %19 = tt.addptr %4, %18 : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi64>
    %20 = arith.cmpi sge, %9, %cst_1 : tensor<16x1xi64>
    %21 = tt.splat %1 : i64 -> tensor<16x1xi64>
    %22 = arith.cmpi slt, %9, %21 : tensor<16x1xi64>
    %23 = arith.andi %20, %22 : tensor<16x1xi1>
    %24 = tt.broadcast %23 : tensor<16x1xi1> -> tensor<16x8xi1>
    %25 = arith.cmpi sge, %16, %cst_0 : tensor<1x8xi64>
    %26 = tt.splat %2 : i64 -> tensor<1x8xi64>
    %27 = arith.cmpi slt, %16, %26 : tensor<1x8xi64>
    %28 = arith.andi %25, %27 : tensor<1x8xi1>
    %29 = tt.broadcast %28 : tensor<1x8xi1> -> tensor<16x8xi1>
    %30 = arith.andi %24, %29 : tensor<16x8xi1>
    %31 = tt.load %19, %30, %cst : tensor<16x8x!tt.ptr<f32>>
    %32 = tt.expand_dims %6 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %33 = arith.muli %32, %cst_3 : tensor<16x1xi32>
    %34 = tt.expand_dims %13 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %35 = tt.broadcast %33 : tensor<16x1xi32> -> tensor<16x8xi32>
    %36 = tt.broadcast %34 : tensor<1x8xi32> -> tensor<16x8xi32>
    %37 = arith.addi %35, %36 : tensor<16x8xi32>
    %38 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<16x8x!tt.ptr<f32>>
    %39 = tt.addptr %38, %37 : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi32>
    tt.store %39, %31 : tensor<16x8x!tt.ptr<f32>>
    tt.return
  }
}
