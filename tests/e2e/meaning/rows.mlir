// Sums of rows in a loop over columns.
module {
  tt.func public @rows(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32, %arg3: i32, %arg4: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
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
    %17 = tt.call @triton.language.standard.zeros__Tc16T_cfp32() : () -> tensor<16xf32>
    %c0_i32 = arith.constant 0 : i32
    %c16_i32_3 = arith.constant 16 : i32
    %18 = arith.bitcast %c0_i32 : i32 to i32
    %19 = arith.bitcast %arg3 : i32 to i32
    %20 = arith.bitcast %c16_i32_3 : i32 to i32
    %21 = ub.poison : i32
    %22 = scf.for %arg5 = %18 to %19 step %20 iter_args(%arg6 = %17) -> (tensor<16xf32>)  : i32 {
      %27 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %28 = tt.splat %arg5 : i32 -> tensor<16xi32>
      %29 = arith.extsi %28 : tensor<16xi32> to tensor<16xi64>
      %30 = arith.extsi %27 : tensor<16xi32> to tensor<16xi64>
      %31 = arith.addi %29, %30 : tensor<16xi64>
      %c2147483647_i64_4 = arith.constant 2147483647 : i64
      %c-2147483648_i64_5 = arith.constant -2147483648 : i64
      %cst_6 = arith.constant dense<2147483647> : tensor<16xi64>
      %32 = arith.cmpi sle, %31, %cst_6 : tensor<16xi64>
      %cst_7 = arith.constant dense<-2147483648> : tensor<16xi64>
      %33 = arith.cmpi sge, %31, %cst_7 : tensor<16xi64>
      %34 = arith.andi %32, %33 : tensor<16xi1>
      %35 = arith.addi %28, %27 : tensor<16xi32>
      %36 = tt.expand_dims %16 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %37 = tt.splat %arg2 : i32 -> tensor<16x1xi32>
      %38 = arith.cmpi slt, %36, %37 : tensor<16x1xi32>
      %39 = tt.expand_dims %35 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %40 = tt.splat %arg3 : i32 -> tensor<1x16xi32>
      %41 = arith.cmpi slt, %39, %40 : tensor<1x16xi32>
      %42 = tt.broadcast %38 : tensor<16x1xi1> -> tensor<16x16xi1>
      %43 = tt.broadcast %41 : tensor<1x16xi1> -> tensor<16x16xi1>
      %44 = arith.andi %42, %43 : tensor<16x16xi1>
      %45 = tt.expand_dims %16 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %46 = tt.splat %arg4 : i32 -> tensor<16x1xi32>
      %47 = arith.extsi %45 : tensor<16x1xi32> to tensor<16x1xi64>
      %48 = arith.extsi %46 : tensor<16x1xi32> to tensor<16x1xi64>
      %49 = arith.muli %47, %48 : tensor<16x1xi64>
      %c2147483647_i64_8 = arith.constant 2147483647 : i64
      %c-2147483648_i64_9 = arith.constant -2147483648 : i64
      %cst_10 = arith.constant dense<2147483647> : tensor<16x1xi64>
      %50 = arith.cmpi sle, %49, %cst_10 : tensor<16x1xi64>
      %cst_11 = arith.constant dense<-2147483648> : tensor<16x1xi64>
      %51 = arith.cmpi sge, %49, %cst_11 : tensor<16x1xi64>
      %52 = arith.andi %50, %51 : tensor<16x1xi1>
      %53 = arith.muli %45, %46 : tensor<16x1xi32>
      %54 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
      %55 = tt.addptr %54, %53 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
      %56 = tt.expand_dims %35 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %57 = tt.broadcast %55 : tensor<16x1x!tt.ptr<f32>> -> tensor<16x16x!tt.ptr<f32>>
      %58 = tt.broadcast %56 : tensor<1x16xi32> -> tensor<16x16xi32>
      %59 = tt.addptr %57, %58 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
      %cst_12 = arith.constant 0.000000e+00 : f32
      %cst_13 = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
      %60 = tt.load %59, %44, %cst_13 : tensor<16x16x!tt.ptr<f32>>
      %61 = tt.call @triton.language.standard.sum__fp32S16_16S_c1_cFalse_cNone(%60) : (tensor<16x16xf32>) -> tensor<16xf32>
      %62 = arith.addf %arg6, %61 : tensor<16xf32>
      scf.yield %62 : tensor<16xf32>
    }
    %23 = tt.splat %arg2 : i32 -> tensor<16xi32>
    %24 = arith.cmpi slt, %16, %23 : tensor<16xi32>
    %25 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %26 = tt.addptr %25, %16 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    tt.store %26, %22, %24 : tensor<16x!tt.ptr<f32>>
    tt.return
  }
  tt.func private @triton.language.standard.zeros__Tc16T_cfp32() -> tensor<16xf32> attributes {noinline = false} {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<16xf32>
    tt.return %cst_0 : tensor<16xf32>
  ^bb1:  // no predecessors
    %0 = ub.poison : tensor<16xf32>
    tt.return %0 : tensor<16xf32>
  }
  tt.func private @triton.language.standard.sum__fp32S16_16S_c1_cFalse_cNone(%arg0: tensor<16x16xf32>) -> tensor<16xf32> attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 1 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %2 = tt.call @triton.language.standard._sum_combine__fp32_fp32(%arg1, %arg2) : (f32, f32) -> f32
      tt.reduce.return %2 : f32
    }) : (tensor<16x16xf32>) -> tensor<16xf32>
    tt.return %0 : tensor<16xf32>
  ^bb1:  // no predecessors
    %1 = ub.poison : tensor<16xf32>
    tt.return %1 : tensor<16xf32>
  }
  tt.func private @triton.language.standard._sum_combine__fp32_fp32(%arg0: f32, %arg1: f32) -> f32 attributes {noinline = false} {
    %0 = arith.addf %arg0, %arg1 : f32
    tt.return %0 : f32
  ^bb1:  // no predecessors
    %1 = ub.poison : f32
    tt.return %1 : f32
  }
}
