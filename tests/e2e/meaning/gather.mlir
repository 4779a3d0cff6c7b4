// Indices that are loaded, a histogram by atomics, a scan.
module {
  tt.func public @gather(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<i32>, %arg2: !tt.ptr<i32>, %arg3: !tt.ptr<f32>, %arg4: i32) attributes {noinline = false} {
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
    %17 = tt.splat %arg4 : i32 -> tensor<16xi32>
    %18 = arith.cmpi slt, %16, %17 : tensor<16xi32>
    %19 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %20 = tt.addptr %19, %16 : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    %c0_i32 = arith.constant 0 : i32
    %cst_3 = arith.constant dense<0> : tensor<16xi32>
    %21 = tt.load %20, %18, %cst_3 : tensor<16x!tt.ptr<i32>>
    %22 = tt.splat %arg4 : i32 -> tensor<16xi32>
    %23 = arith.cmpi slt, %16, %22 : tensor<16xi32>
    %24 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %25 = tt.addptr %24, %21 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %cst_4 = arith.constant 0.000000e+00 : f32
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<16xf32>
    %26 = tt.load %25, %23, %cst_5 : tensor<16x!tt.ptr<f32>>
    %27 = tt.splat %arg4 : i32 -> tensor<16xi32>
    %28 = arith.cmpi slt, %16, %27 : tensor<16xi32>
    %29 = tt.splat %arg2 : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %30 = tt.addptr %29, %21 : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    %c1_i32 = arith.constant 1 : i32
    %cst_6 = arith.constant dense<1> : tensor<16xi32>
    %31 = tt.atomic_rmw add, acq_rel, gpu, %30, %cst_6, %28 : (tensor<16x!tt.ptr<i32>>, tensor<16xi32>, tensor<16xi1>) -> tensor<16xi32>
    %32 = tt.splat %arg4 : i32 -> tensor<16xi32>
    %33 = arith.cmpi slt, %16, %32 : tensor<16xi32>
    %34 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %35 = tt.addptr %34, %16 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %36 = tt.call @triton.language.standard.cumsum__fp32S16S_c0_cFalse_cNone(%26) : (tensor<16xf32>) -> tensor<16xf32>
    tt.store %35, %36, %33 : tensor<16x!tt.ptr<f32>>
    tt.return
  }
  tt.func private @triton.language.standard.cumsum__fp32S16S_c0_cFalse_cNone(%arg0: tensor<16xf32>) -> tensor<16xf32> attributes {noinline = false} {
    %0 = "tt.scan"(%arg0) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %2 = tt.call @triton.language.standard._sum_combine__fp32_fp32(%arg1, %arg2) : (f32, f32) -> f32
      tt.scan.return %2 : f32
    }) : (tensor<16xf32>) -> tensor<16xf32>
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
