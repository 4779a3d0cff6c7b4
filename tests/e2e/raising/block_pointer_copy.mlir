module {
  tt.func public @block_pointer_copy(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32, %arg3: i32, %arg4: i32, %arg5: i32) attributes {noinline = false} {
    %c8_i64 = arith.constant 8 : i64
    %cst = arith.constant dense<0.000000e+00> : tensor<16x8xf32>
    %cst_0 = arith.constant dense<0> : tensor<1x8xi64>
    %cst_1 = arith.constant dense<0> : tensor<16x1xi64>
    %c0_i64 = arith.constant 0 : i64
    %cst_2 = arith.constant dense<1.000000e+00> : tensor<16x8xf32>
    %c8_i32 = arith.constant 8 : i32
    %c0_i32 = arith.constant 0 : i32
    %c16_i32 = arith.constant 16 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c16_i32 : i32
    %2 = arith.extsi %arg2 : i32 to i64
    %3 = arith.extsi %arg3 : i32 to i64
    %4 = arith.extsi %arg4 : i32 to i64
    %5 = arith.extsi %1 : i32 to i64
    %6 = arith.extsi %arg5 : i32 to i64
    %7:2 = scf.for %arg6 = %c0_i32 to %arg3 step %c8_i32 iter_args(%arg7 = %c0_i64, %arg8 = %c0_i64) -> (i64, i64)  : i32 {
      %8 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x8x!tt.ptr<f32>>
      %9 = tt.splat %5 : i64 -> tensor<16xi64>
      %10 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %11 = arith.extsi %10 : tensor<16xi32> to tensor<16xi64>
      %12 = arith.addi %9, %11 : tensor<16xi64>
      %13 = tt.expand_dims %12 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
      %14 = tt.splat %4 : i64 -> tensor<16x1xi64>
      %15 = arith.muli %13, %14 : tensor<16x1xi64>
      %16 = tt.broadcast %15 : tensor<16x1xi64> -> tensor<16x8xi64>
      %17 = tt.splat %arg7 : i64 -> tensor<8xi64>
      %18 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
      %19 = arith.extsi %18 : tensor<8xi32> to tensor<8xi64>
      %20 = arith.addi %17, %19 : tensor<8xi64>
      %21 = tt.expand_dims %20 {axis = 0 : i32} : tensor<8xi64> -> tensor<1x8xi64>
      %22 = tt.broadcast %21 : tensor<1x8xi64> -> tensor<16x8xi64>
      %23 = arith.addi %16, %22 : tensor<16x8xi64>
      %24 = tt.addptr %8, %23 : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi64>
      %25 = arith.cmpi sge, %13, %cst_1 : tensor<16x1xi64>
      %26 = tt.splat %2 : i64 -> tensor<16x1xi64>
      %27 = arith.cmpi slt, %13, %26 : tensor<16x1xi64>
      %28 = arith.andi %25, %27 : tensor<16x1xi1>
      %29 = tt.broadcast %28 : tensor<16x1xi1> -> tensor<16x8xi1>
      %30 = arith.cmpi sge, %21, %cst_0 : tensor<1x8xi64>
      %31 = tt.splat %3 : i64 -> tensor<1x8xi64>
      %32 = arith.cmpi slt, %21, %31 : tensor<1x8xi64>
      %33 = arith.andi %30, %32 : tensor<1x8xi1>
      %34 = tt.broadcast %33 : tensor<1x8xi1> -> tensor<16x8xi1>
      %35 = arith.andi %29, %34 : tensor<16x8xi1>
      %36 = tt.load %24, %35, %cst : tensor<16x8x!tt.ptr<f32>>
      %37 = arith.addf %36, %cst_2 : tensor<16x8xf32>
      %38 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<16x8x!tt.ptr<f32>>
      %39 = tt.splat %6 : i64 -> tensor<16x1xi64>
      %40 = arith.muli %13, %39 : tensor<16x1xi64>
      %41 = tt.broadcast %40 : tensor<16x1xi64> -> tensor<16x8xi64>
      %42 = tt.splat %arg8 : i64 -> tensor<8xi64>
      %43 = arith.addi %42, %19 : tensor<8xi64>
      %44 = tt.expand_dims %43 {axis = 0 : i32} : tensor<8xi64> -> tensor<1x8xi64>
      %45 = tt.broadcast %44 : tensor<1x8xi64> -> tensor<16x8xi64>
      %46 = arith.addi %41, %45 : tensor<16x8xi64>
      %47 = tt.addptr %38, %46 : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi64>
      %48 = arith.cmpi sge, %44, %cst_0 : tensor<1x8xi64>
      %49 = arith.cmpi slt, %44, %31 : tensor<1x8xi64>
      %50 = arith.andi %48, %49 : tensor<1x8xi1>
      %51 = tt.broadcast %50 : tensor<1x8xi1> -> tensor<16x8xi1>
      %52 = arith.andi %29, %51 : tensor<16x8xi1>
      tt.store %47, %37, %52 : tensor<16x8x!tt.ptr<f32>>
      %53 = arith.addi %arg7, %c8_i64 : i64
      %54 = arith.addi %arg8, %c8_i64 : i64
      scf.yield %53, %54 : i64, i64
    }
    tt.return
  }
}
