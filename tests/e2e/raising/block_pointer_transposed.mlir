module {
  tt.func public @block_pointer_transposed(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32, %arg3: i32) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<8x16xf32>
    %cst_0 = arith.constant dense<0> : tensor<1x16xi64>
    %c128_i32 = arith.constant 128 : i32
    %cst_1 = arith.constant dense<16> : tensor<8x1xi32>
    %c16_i32 = arith.constant 16 : i32
    %c3_i32 = arith.constant 3 : i32
    %0 = tt.addptr %arg0, %c3_i32 : !tt.ptr<f32>, i32
    %1 = tt.get_program_id x : i32
    %2 = arith.muli %1, %c16_i32 : i32
    %3 = arith.extsi %arg2 : i32 to i64
    %4 = arith.extsi %arg3 : i32 to i64
    %5 = arith.extsi %2 : i32 to i64
    %6 = tt.splat %0 : !tt.ptr<f32> -> tensor<8x16x!tt.ptr<f32>>
    %7 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %8 = arith.extsi %7 : tensor<8xi32> to tensor<8xi64>
    %9 = tt.expand_dims %8 {axis = 1 : i32} : tensor<8xi64> -> tensor<8x1xi64>
    %10 = tt.broadcast %9 : tensor<8x1xi64> -> tensor<8x16xi64>
    %11 = tt.splat %5 : i64 -> tensor<16xi64>
    %12 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %13 = arith.extsi %12 : tensor<16xi32> to tensor<16xi64>
    %14 = arith.addi %11, %13 : tensor<16xi64>
    %15 = tt.expand_dims %14 {axis = 0 : i32} : tensor<16xi64> -> tensor<1x16xi64>
    %16 = tt.splat %4 : i64 -> tensor<1x16xi64>
    %17 = arith.muli %15, %16 : tensor<1x16xi64>
    %18 = tt.broadcast %17 : tensor<1x16xi64> -> tensor<8x16xi64>
    %19 = arith.addi %10, %18 : tensor<8x16xi64>
    %20 = tt.addptr %6, %19 : tensor<8x16x!tt.ptr<f32>>, tensor<8x16xi64>
    %21 = arith.cmpi sge, %15, %cst_0 : tensor<1x16xi64>
    %22 = tt.splat %3 : i64 -> tensor<1x16xi64>
    %23 = arith.cmpi slt, %15, %22 : tensor<1x16xi64>
    %24 = arith.andi %21, %23 : tensor<1x16xi1>
    %25 = tt.broadcast %24 : tensor<1x16xi1> -> tensor<8x16xi1>
    %26 = tt.load %20, %25, %cst : tensor<8x16x!tt.ptr<f32>>
    %27 = arith.muli %1, %c128_i32 : i32
    %28 = tt.expand_dims %7 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %29 = arith.muli %28, %cst_1 : tensor<8x1xi32>
    %30 = tt.splat %27 : i32 -> tensor<8x1xi32>
    %31 = arith.addi %30, %29 : tensor<8x1xi32>
    %32 = tt.expand_dims %12 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %33 = tt.broadcast %31 : tensor<8x1xi32> -> tensor<8x16xi32>
    %34 = tt.broadcast %32 : tensor<1x16xi32> -> tensor<8x16xi32>
    %35 = arith.addi %33, %34 : tensor<8x16xi32>
    %36 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<8x16x!tt.ptr<f32>>
    %37 = tt.addptr %36, %35 : tensor<8x16x!tt.ptr<f32>>, tensor<8x16xi32>
    tt.store %37, %26 : tensor<8x16x!tt.ptr<f32>>
    tt.return
  }
}
