// A masked sum of two vectors.
module {
  tt.func public @add(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32) attributes {noinline = false} {
    %0 = tt.get_program_id x : i32
    %c32_i32 = arith.constant 32 : i32
    %1 = arith.extsi %0 : i32 to i64
    %2 = arith.extsi %c32_i32 : i32 to i64
    %3 = arith.muli %1, %2 : i64
    %c2147483647_i64 = arith.constant 2147483647 : i64
    %c-2147483648_i64 = arith.constant -2147483648 : i64
    %4 = arith.cmpi sle, %3, %c2147483647_i64 : i64
    %5 = arith.cmpi sge, %3, %c-2147483648_i64 : i64
    %6 = arith.andi %4, %5 : i1
    %7 = arith.muli %0, %c32_i32 : i32
    %8 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %9 = tt.splat %7 : i32 -> tensor<32xi32>
    %10 = arith.extsi %9 : tensor<32xi32> to tensor<32xi64>
    %11 = arith.extsi %8 : tensor<32xi32> to tensor<32xi64>
    %12 = arith.addi %10, %11 : tensor<32xi64>
    %c2147483647_i64_0 = arith.constant 2147483647 : i64
    %c-2147483648_i64_1 = arith.constant -2147483648 : i64
    %cst = arith.constant dense<2147483647> : tensor<32xi64>
    %13 = arith.cmpi sle, %12, %cst : tensor<32xi64>
    %cst_2 = arith.constant dense<-2147483648> : tensor<32xi64>
    %14 = arith.cmpi sge, %12, %cst_2 : tensor<32xi64>
    %15 = arith.andi %13, %14 : tensor<32xi1>
    %16 = arith.addi %9, %8 : tensor<32xi32>
    %17 = tt.splat %arg3 : i32 -> tensor<32xi32>
    %18 = arith.cmpi slt, %16, %17 : tensor<32xi32>
    %19 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %20 = tt.addptr %19, %16 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %21 = tt.load %20, %18 : tensor<32x!tt.ptr<f32>>
    %22 = tt.splat %arg3 : i32 -> tensor<32xi32>
    %23 = arith.cmpi slt, %16, %22 : tensor<32xi32>
    %24 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %25 = tt.addptr %24, %16 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %cst_3 = arith.constant 1.000000e+00 : f32
    %cst_4 = arith.constant dense<1.000000e+00> : tensor<32xf32>
    %26 = tt.load %25, %23, %cst_4 : tensor<32x!tt.ptr<f32>>
    %27 = tt.splat %arg3 : i32 -> tensor<32xi32>
    %28 = arith.cmpi slt, %16, %27 : tensor<32xi32>
    %29 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %30 = tt.addptr %29, %16 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %cst_5 = arith.constant 2.000000e+00 : f32
    %cst_6 = arith.constant dense<2.000000e+00> : tensor<32xf32>
    %31 = arith.mulf %21, %cst_6 : tensor<32xf32>
    %32 = arith.addf %31, %26 : tensor<32xf32>
    tt.store %30, %32, %28 : tensor<32x!tt.ptr<f32>>
    tt.return
  }
}
