// A row at a time: maximum, exponential, sum.
module {
  tt.func public @softmax(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32) attributes {noinline = false} {
    %0 = tt.get_program_id x : i32
    %1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %2 = tt.splat %arg3 : i32 -> tensor<32xi32>
    %3 = arith.cmpi slt, %1, %2 : tensor<32xi32>
    %4 = arith.extsi %0 : i32 to i64
    %5 = arith.extsi %arg2 : i32 to i64
    %6 = arith.muli %4, %5 : i64
    %c2147483647_i64 = arith.constant 2147483647 : i64
    %c-2147483648_i64 = arith.constant -2147483648 : i64
    %7 = arith.cmpi sle, %6, %c2147483647_i64 : i64
    %8 = arith.cmpi sge, %6, %c-2147483648_i64 : i64
    %9 = arith.andi %7, %8 : i1
    %10 = arith.muli %0, %arg2 : i32
    %11 = tt.addptr %arg0, %10 : !tt.ptr<f32>, i32
    %12 = tt.splat %11 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %13 = tt.addptr %12, %1 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant dense<0xFF800000> : tensor<32xf32>
    %14 = tt.load %13, %3, %cst_0 : tensor<32x!tt.ptr<f32>>
    %15 = tt.call @triton.language.standard.max__fp32S32S_c0_cFalse_cTrue_cFalse(%14) : (tensor<32xf32>) -> f32
    %16 = tt.splat %15 : f32 -> tensor<32xf32>
    %17 = arith.subf %14, %16 : tensor<32xf32>
    %18 = math.exp %17 : tensor<32xf32>
    %19 = tt.splat %arg3 : i32 -> tensor<32xi32>
    %20 = arith.cmpi slt, %1, %19 : tensor<32xi32>
    %21 = arith.extsi %0 : i32 to i64
    %22 = arith.extsi %arg2 : i32 to i64
    %23 = arith.muli %21, %22 : i64
    %c2147483647_i64_1 = arith.constant 2147483647 : i64
    %c-2147483648_i64_2 = arith.constant -2147483648 : i64
    %24 = arith.cmpi sle, %23, %c2147483647_i64_1 : i64
    %25 = arith.cmpi sge, %23, %c-2147483648_i64_2 : i64
    %26 = arith.andi %24, %25 : i1
    %27 = arith.muli %0, %arg2 : i32
    %28 = tt.addptr %arg1, %27 : !tt.ptr<f32>, i32
    %29 = tt.splat %28 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %30 = tt.addptr %29, %1 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %31 = tt.call @triton.language.standard.sum__fp32S32S_c0_cFalse_cNone(%18) : (tensor<32xf32>) -> f32
    %32 = tt.splat %31 : f32 -> tensor<32xf32>
    %33 = arith.divf %18, %32 : tensor<32xf32>
    tt.store %30, %33, %20 : tensor<32x!tt.ptr<f32>>
    tt.return
  }
  tt.func private @triton.language.standard.max__fp32S32S_c0_cFalse_cTrue_cFalse(%arg0: tensor<32xf32>) -> f32 attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 0 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %2 = tt.call @triton.language.standard._elementwise_max__fp32_fp32(%arg1, %arg2) : (f32, f32) -> f32
      tt.reduce.return %2 : f32
    }) : (tensor<32xf32>) -> f32
    tt.return %0 : f32
  ^bb1:  // no predecessors
    %1 = ub.poison : f32
    tt.return %1 : f32
  }
  tt.func private @triton.language.standard._elementwise_max__fp32_fp32(%arg0: f32, %arg1: f32) -> f32 attributes {noinline = false} {
    %0 = arith.maxnumf %arg0, %arg1 : f32
    tt.return %0 : f32
  ^bb1:  // no predecessors
    %1 = ub.poison : f32
    tt.return %1 : f32
  }
  tt.func private @triton.language.standard.sum__fp32S32S_c0_cFalse_cNone(%arg0: tensor<32xf32>) -> f32 attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 0 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %2 = tt.call @triton.language.standard._sum_combine__fp32_fp32(%arg1, %arg2) : (f32, f32) -> f32
      tt.reduce.return %2 : f32
    }) : (tensor<32xf32>) -> f32
    tt.return %0 : f32
  ^bb1:  // no predecessors
    %1 = ub.poison : f32
    tt.return %1 : f32
  }
  tt.func private @triton.language.standard._sum_combine__fp32_fp32(%arg0: f32, %arg1: f32) -> f32 attributes {noinline = false} {
    %0 = arith.addf %arg0, %arg1 : f32
    tt.return %0 : f32
  ^bb1:  // no predecessors
    %1 = ub.poison : f32
    tt.return %1 : f32
  }
}
