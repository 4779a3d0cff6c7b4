// Calls, a loop to unroll, `if`, `while`, values computed twice.
module {
  tt.func public @control(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32, %arg3: i32) attributes {noinline = false} {
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %1 = tt.call @triton.language.standard.zeros__Tc16T_cfp32() : () -> tensor<16xf32>
    %2 = tt.call @triton.language.standard.zeros__Tc16T_cfp32() : () -> tensor<16xf32>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %3 = arith.bitcast %c0_i32 : i32 to i32
    %4 = arith.bitcast %arg3 : i32 to i32
    %5 = arith.bitcast %c1_i32 : i32 to i32
    %6 = ub.poison : i32
    %7:2 = scf.for %arg4 = %3 to %4 step %5 iter_args(%arg5 = %1, %arg6 = %2) -> (tensor<16xf32>, tensor<16xf32>)  : i32 {
      %c3_i32 = arith.constant 3 : i32
      %30 = arith.extsi %arg2 : i32 to i64
      %31 = arith.extsi %c3_i32 : i32 to i64
      %32 = arith.muli %30, %31 : i64
      %c2147483647_i64_4 = arith.constant 2147483647 : i64
      %c-2147483648_i64_5 = arith.constant -2147483648 : i64
      %33 = arith.cmpi sle, %32, %c2147483647_i64_4 : i64
      %34 = arith.cmpi sge, %32, %c-2147483648_i64_5 : i64
      %35 = arith.andi %33, %34 : i1
      %36 = arith.muli %arg2, %c3_i32 : i32
      %37 = arith.extsi %36 : i32 to i64
      %38 = arith.extsi %arg3 : i32 to i64
      %39 = arith.addi %37, %38 : i64
      %c2147483647_i64_6 = arith.constant 2147483647 : i64
      %c-2147483648_i64_7 = arith.constant -2147483648 : i64
      %40 = arith.cmpi sle, %39, %c2147483647_i64_6 : i64
      %41 = arith.cmpi sge, %39, %c-2147483648_i64_7 : i64
      %42 = arith.andi %40, %41 : i1
      %43 = arith.addi %36, %arg3 : i32
      %44 = arith.sitofp %43 : i32 to f32
      %c16_i32 = arith.constant 16 : i32
      %45 = arith.extsi %arg4 : i32 to i64
      %46 = arith.extsi %c16_i32 : i32 to i64
      %47 = arith.muli %45, %46 : i64
      %c2147483647_i64_8 = arith.constant 2147483647 : i64
      %c-2147483648_i64_9 = arith.constant -2147483648 : i64
      %48 = arith.cmpi sle, %47, %c2147483647_i64_8 : i64
      %49 = arith.cmpi sge, %47, %c-2147483648_i64_9 : i64
      %50 = arith.andi %48, %49 : i1
      %51 = arith.muli %arg4, %c16_i32 : i32
      %52 = tt.addptr %arg0, %51 : !tt.ptr<f32>, i32
      %53 = tt.splat %52 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
      %54 = tt.addptr %53, %0 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
      %55 = tt.load %54 : tensor<16x!tt.ptr<f32>>
      %56 = tt.call @plain__fp32S16S_fp32(%55, %44) : (tensor<16xf32>, f32) -> tensor<16xf32>
      %57 = arith.addf %arg5, %56 : tensor<16xf32>
      %58 = tt.call @plain__fp32S16S_fp32(%55, %44) : (tensor<16xf32>, f32) -> tensor<16xf32>
      %59 = arith.addf %arg6, %58 : tensor<16xf32>
      scf.yield %57, %59 : tensor<16xf32>, tensor<16xf32>
    } {tt.loop_unroll_factor = 2 : i32}
    %c4_i32 = arith.constant 4 : i32
    %8 = arith.cmpi sgt, %arg2, %c4_i32 : i32
    %9 = scf.if %8 -> (tensor<16xf32>) {
      %cst_4 = arith.constant 5.000000e-01 : f32
      %cst_5 = arith.constant dense<5.000000e-01> : tensor<16xf32>
      %30 = arith.mulf %7#0, %cst_5 : tensor<16xf32>
      scf.yield %30 : tensor<16xf32>
    } else {
      %cst_4 = arith.constant 1.000000e+00 : f32
      %cst_5 = arith.constant dense<1.000000e+00> : tensor<16xf32>
      %30 = arith.addf %7#0, %cst_5 : tensor<16xf32>
      scf.yield %30 : tensor<16xf32>
    }
    %c7_i32 = arith.constant 7 : i32
    %10 = arith.remsi %arg2, %c7_i32 : i32
    %c1_i32_0 = arith.constant 1 : i32
    %11 = arith.extsi %10 : i32 to i64
    %12 = arith.extsi %c1_i32_0 : i32 to i64
    %13 = arith.addi %11, %12 : i64
    %c2147483647_i64 = arith.constant 2147483647 : i64
    %c-2147483648_i64 = arith.constant -2147483648 : i64
    %14 = arith.cmpi sle, %13, %c2147483647_i64 : i64
    %15 = arith.cmpi sge, %13, %c-2147483648_i64 : i64
    %16 = arith.andi %14, %15 : i1
    %17 = arith.addi %10, %c1_i32_0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %18:2 = scf.while (%arg4 = %17, %arg5 = %c0_i32_1) : (i32, i32) -> (i32, i32) {
      %c100_i32 = arith.constant 100 : i32
      %30 = arith.cmpi slt, %arg4, %c100_i32 : i32
      scf.condition(%30) %arg4, %arg5 : i32, i32
    } do {
    ^bb0(%arg4: i32, %arg5: i32):
      %c2_i32_4 = arith.constant 2 : i32
      %30 = arith.extsi %arg4 : i32 to i64
      %31 = arith.extsi %c2_i32_4 : i32 to i64
      %32 = arith.muli %30, %31 : i64
      %c2147483647_i64_5 = arith.constant 2147483647 : i64
      %c-2147483648_i64_6 = arith.constant -2147483648 : i64
      %33 = arith.cmpi sle, %32, %c2147483647_i64_5 : i64
      %34 = arith.cmpi sge, %32, %c-2147483648_i64_6 : i64
      %35 = arith.andi %33, %34 : i1
      %36 = arith.muli %arg4, %c2_i32_4 : i32
      %c1_i32_7 = arith.constant 1 : i32
      %37 = arith.extsi %36 : i32 to i64
      %38 = arith.extsi %c1_i32_7 : i32 to i64
      %39 = arith.addi %37, %38 : i64
      %c2147483647_i64_8 = arith.constant 2147483647 : i64
      %c-2147483648_i64_9 = arith.constant -2147483648 : i64
      %40 = arith.cmpi sle, %39, %c2147483647_i64_8 : i64
      %41 = arith.cmpi sge, %39, %c-2147483648_i64_9 : i64
      %42 = arith.andi %40, %41 : i1
      %43 = arith.addi %36, %c1_i32_7 : i32
      %c1_i32_10 = arith.constant 1 : i32
      %44 = arith.extsi %arg5 : i32 to i64
      %45 = arith.extsi %c1_i32_10 : i32 to i64
      %46 = arith.addi %44, %45 : i64
      %c2147483647_i64_11 = arith.constant 2147483647 : i64
      %c-2147483648_i64_12 = arith.constant -2147483648 : i64
      %47 = arith.cmpi sle, %46, %c2147483647_i64_11 : i64
      %48 = arith.cmpi sge, %46, %c-2147483648_i64_12 : i64
      %49 = arith.andi %47, %48 : i1
      %50 = arith.addi %arg5, %c1_i32_10 : i32
      scf.yield %43, %50 : i32, i32
    }
    %c2_i32 = arith.constant 2 : i32
    %19 = arith.remsi %arg2, %c2_i32 : i32
    %c0_i32_2 = arith.constant 0 : i32
    %20 = arith.cmpi eq, %19, %c0_i32_2 : i32
    %21 = tt.splat %20 : i1 -> tensor<16xi1>
    %22 = arith.select %21, %9, %7#1 : tensor<16xi1>, tensor<16xf32>
    scf.if %20 {
      %c16_i32 = arith.constant 16 : i32
      %30 = tt.addptr %arg1, %c16_i32 : !tt.ptr<f32>, i32
      %31 = tt.splat %30 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
      %32 = tt.addptr %31, %0 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
      tt.store %32, %22 : tensor<16x!tt.ptr<f32>>
    } else {
    }
    %23 = tt.call @helper__i32_i32(%18#1, %arg3) : (i32, i32) -> i32
    %24 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %25 = tt.addptr %24, %0 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %26 = arith.sitofp %23 : i32 to f32
    %27 = tt.splat %26 : f32 -> tensor<16xf32>
    %28 = arith.addf %22, %27 : tensor<16xf32>
    %cst = arith.constant 2.000000e+00 : f32
    %cst_3 = arith.constant dense<2.000000e+00> : tensor<16xf32>
    %29 = arith.addf %28, %cst_3 : tensor<16xf32>
    tt.store %25, %29 : tensor<16x!tt.ptr<f32>>
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
  tt.func private @plain__fp32S16S_fp32(%arg0: tensor<16xf32>, %arg1: f32) -> tensor<16xf32> attributes {noinline = false} {
    %0 = tt.splat %arg1 : f32 -> tensor<16xf32>
    %1 = arith.mulf %arg0, %0 : tensor<16xf32>
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<16xf32>
    %2 = arith.addf %1, %cst_0 : tensor<16xf32>
    tt.return %2 : tensor<16xf32>
  ^bb1:  // no predecessors
    %3 = ub.poison : tensor<16xf32>
    tt.return %3 : tensor<16xf32>
  }
  tt.func private @helper__i32_i32(%arg0: i32, %arg1: i32) -> i32 attributes {noinline = true} {
    %c3_i32 = arith.constant 3 : i32
    %0 = arith.cmpi sgt, %arg1, %c3_i32 : i32
    cf.cond_br %0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %c2_i32 = arith.constant 2 : i32
    %1 = arith.extsi %arg0 : i32 to i64
    %2 = arith.extsi %c2_i32 : i32 to i64
    %3 = arith.muli %1, %2 : i64
    %c2147483647_i64 = arith.constant 2147483647 : i64
    %c-2147483648_i64 = arith.constant -2147483648 : i64
    %4 = arith.cmpi sle, %3, %c2147483647_i64 : i64
    %5 = arith.cmpi sge, %3, %c-2147483648_i64 : i64
    %6 = arith.andi %4, %5 : i1
    %7 = arith.muli %arg0, %c2_i32 : i32
    tt.return %7 : i32
  ^bb2:  // pred: ^bb0
    cf.br ^bb4
  ^bb3:  // no predecessors
    cf.br ^bb4
  ^bb4:  // 2 preds: ^bb2, ^bb3
    %8 = arith.extsi %arg0 : i32 to i64
    %9 = arith.extsi %arg1 : i32 to i64
    %10 = arith.addi %8, %9 : i64
    %c2147483647_i64_0 = arith.constant 2147483647 : i64
    %c-2147483648_i64_1 = arith.constant -2147483648 : i64
    %11 = arith.cmpi sle, %10, %c2147483647_i64_0 : i64
    %12 = arith.cmpi sge, %10, %c-2147483648_i64_1 : i64
    %13 = arith.andi %11, %12 : i1
    %14 = arith.addi %arg0, %arg1 : i32
    tt.return %14 : i32
  ^bb5:  // no predecessors
    %15 = ub.poison : i32
    tt.return %15 : i32
  }
}
