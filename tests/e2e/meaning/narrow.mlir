// Arithmetic of bf16.
module {
  tt.func public @narrow(%arg0: !tt.ptr<bf16>, %arg1: !tt.ptr<bf16>, %arg2: !tt.ptr<bf16>, %arg3: i32) attributes {noinline = false} {
    %0 = tt.get_program_id x : i32
    %c16_i32 = arith.constant 16 : i32
    %1 = arith.extsi %0 : i32 to i64
    %2 = arith.extsi %c16_i32 : i32 to i64
    %3 = arith.muli %1, %2 : i64
    %c2147483647_i64 = arith.constant 2147483647 : i64
    %c-2147483648_i64 = arith.constant -2147483648 : i64
    %4 = arith.cmpi sle, %3, %c2147483647_i64 : i64
    %5 = arith.cmpi sge, %3, %c-2147483648_i64 : i64
    %6 = arith.andi %4, %5 : i1
    %7 = arith.muli %0, %c16_i32 : i32
    %8 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %9 = tt.splat %7 : i32 -> tensor<16xi32>
    %10 = arith.extsi %9 : tensor<16xi32> to tensor<16xi64>
    %11 = arith.extsi %8 : tensor<16xi32> to tensor<16xi64>
    %12 = arith.addi %10, %11 : tensor<16xi64>
    %c2147483647_i64_0 = arith.constant 2147483647 : i64
    %c-2147483648_i64_1 = arith.constant -2147483648 : i64
    %cst = arith.constant dense<2147483647> : tensor<16xi64>
    %13 = arith.cmpi sle, %12, %cst : tensor<16xi64>
    %cst_2 = arith.constant dense<-2147483648> : tensor<16xi64>
    %14 = arith.cmpi sge, %12, %cst_2 : tensor<16xi64>
    %15 = arith.andi %13, %14 : tensor<16xi1>
    %16 = arith.addi %9, %8 : tensor<16xi32>
    %17 = tt.splat %arg3 : i32 -> tensor<16xi32>
    %18 = arith.cmpi slt, %16, %17 : tensor<16xi32>
    %19 = tt.splat %arg0 : !tt.ptr<bf16> -> tensor<16x!tt.ptr<bf16>>
    %20 = tt.addptr %19, %16 : tensor<16x!tt.ptr<bf16>>, tensor<16xi32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<16xf32>
    %21 = arith.truncf %cst_4 : tensor<16xf32> to tensor<16xbf16>
    %22 = tt.load %20, %18, %21 : tensor<16x!tt.ptr<bf16>>
    %23 = tt.splat %arg3 : i32 -> tensor<16xi32>
    %24 = arith.cmpi slt, %16, %23 : tensor<16xi32>
    %25 = tt.splat %arg1 : !tt.ptr<bf16> -> tensor<16x!tt.ptr<bf16>>
    %26 = tt.addptr %25, %16 : tensor<16x!tt.ptr<bf16>>, tensor<16xi32>
    %cst_5 = arith.constant 0.000000e+00 : f32
    %cst_6 = arith.constant dense<0.000000e+00> : tensor<16xf32>
    %27 = arith.truncf %cst_6 : tensor<16xf32> to tensor<16xbf16>
    %28 = tt.load %26, %24, %27 : tensor<16x!tt.ptr<bf16>>
    %29 = tt.splat %arg3 : i32 -> tensor<16xi32>
    %30 = arith.cmpi slt, %16, %29 : tensor<16xi32>
    %31 = tt.splat %arg2 : !tt.ptr<bf16> -> tensor<16x!tt.ptr<bf16>>
    %32 = tt.addptr %31, %16 : tensor<16x!tt.ptr<bf16>>, tensor<16xi32>
    %33 = arith.mulf %22, %28 : tensor<16xbf16>
    %34 = arith.addf %33, %22 : tensor<16xbf16>
    %35 = arith.subf %34, %28 : tensor<16xbf16>
    tt.store %32, %35, %30 : tensor<16x!tt.ptr<bf16>>
    tt.return
  }
}
