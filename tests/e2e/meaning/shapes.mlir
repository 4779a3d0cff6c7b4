// Transposed, reshaped, split, joined, broadcast and selected.
module {
  tt.func public @shapes(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f32>, %arg3: !tt.ptr<f32>, %arg4: i32) attributes {noinline = false} {
    %0 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %1 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %c8_i32 = arith.constant 8 : i32
    %cst = arith.constant dense<8> : tensor<4x1xi32>
    %3 = arith.extsi %2 : tensor<4x1xi32> to tensor<4x1xi64>
    %4 = arith.extsi %cst : tensor<4x1xi32> to tensor<4x1xi64>
    %5 = arith.muli %3, %4 : tensor<4x1xi64>
    %c2147483647_i64 = arith.constant 2147483647 : i64
    %c-2147483648_i64 = arith.constant -2147483648 : i64
    %cst_0 = arith.constant dense<2147483647> : tensor<4x1xi64>
    %6 = arith.cmpi sle, %5, %cst_0 : tensor<4x1xi64>
    %cst_1 = arith.constant dense<-2147483648> : tensor<4x1xi64>
    %7 = arith.cmpi sge, %5, %cst_1 : tensor<4x1xi64>
    %8 = arith.andi %6, %7 : tensor<4x1xi1>
    %9 = arith.muli %2, %cst : tensor<4x1xi32>
    %10 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<4x1x!tt.ptr<f32>>
    %11 = tt.addptr %10, %9 : tensor<4x1x!tt.ptr<f32>>, tensor<4x1xi32>
    %12 = tt.expand_dims %1 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %13 = tt.broadcast %11 : tensor<4x1x!tt.ptr<f32>> -> tensor<4x8x!tt.ptr<f32>>
    %14 = tt.broadcast %12 : tensor<1x8xi32> -> tensor<4x8xi32>
    %15 = tt.addptr %13, %14 : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>
    %16 = tt.load %15 : tensor<4x8x!tt.ptr<f32>>
    %17 = tt.trans %16 {order = array<i32: 1, 0>} : tensor<4x8xf32> -> tensor<8x4xf32>
    %cst_2 = arith.constant 2.000000e+00 : f32
    %cst_3 = arith.constant dense<2.000000e+00> : tensor<8x4xf32>
    %18 = arith.mulf %17, %cst_3 : tensor<8x4xf32>
    %c2_i32 = arith.constant 2 : i32
    %cst_4 = arith.constant dense<2> : tensor<8xi32>
    %19 = arith.divsi %1, %cst_4 : tensor<8xi32>
    %c2_i32_5 = arith.constant 2 : i32
    %cst_6 = arith.constant dense<2> : tensor<8xi32>
    %20 = arith.extsi %19 : tensor<8xi32> to tensor<8xi64>
    %21 = arith.extsi %cst_6 : tensor<8xi32> to tensor<8xi64>
    %22 = arith.muli %20, %21 : tensor<8xi64>
    %c2147483647_i64_7 = arith.constant 2147483647 : i64
    %c-2147483648_i64_8 = arith.constant -2147483648 : i64
    %cst_9 = arith.constant dense<2147483647> : tensor<8xi64>
    %23 = arith.cmpi sle, %22, %cst_9 : tensor<8xi64>
    %cst_10 = arith.constant dense<-2147483648> : tensor<8xi64>
    %24 = arith.cmpi sge, %22, %cst_10 : tensor<8xi64>
    %25 = arith.andi %23, %24 : tensor<8xi1>
    %26 = arith.muli %19, %cst_6 : tensor<8xi32>
    %27 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %28 = tt.addptr %27, %26 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %c2_i32_11 = arith.constant 2 : i32
    %cst_12 = arith.constant dense<2> : tensor<8xi32>
    %29 = arith.remsi %1, %cst_12 : tensor<8xi32>
    %30 = tt.addptr %28, %29 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %31 = tt.load %30 : tensor<8x!tt.ptr<f32>>
    %32 = math.exp %31 : tensor<8xf32>
    %33 = tt.expand_dims %32 {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
    %34 = tt.broadcast %33 : tensor<8x1xf32> -> tensor<8x4xf32>
    %35 = arith.addf %34, %18 : tensor<8x4xf32>
    %c4_i32 = arith.constant 4 : i32
    %36 = arith.cmpi sgt, %arg4, %c4_i32 : i32
    %37 = tt.splat %36 : i1 -> tensor<8x4xi1>
    %38 = arith.select %37, %35, %18 : tensor<8x4xi1>, tensor<8x4xf32>
    %cst_13 = arith.constant 3.000000e+00 : f32
    %cst_14 = arith.constant dense<3.000000e+00> : tensor<8x4xf32>
    %39 = arith.sitofp %arg4 : i32 to f32
    %cst_15 = arith.constant 5.000000e-01 : f32
    %40 = arith.mulf %39, %cst_15 : f32
    %41 = tt.splat %40 : f32 -> tensor<8x4xf32>
    %42 = arith.mulf %cst_14, %41 : tensor<8x4xf32>
    %43 = arith.addf %38, %42 : tensor<8x4xf32>
    %44 = tt.expand_dims %1 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %c4_i32_16 = arith.constant 4 : i32
    %cst_17 = arith.constant dense<4> : tensor<8x1xi32>
    %45 = arith.extsi %44 : tensor<8x1xi32> to tensor<8x1xi64>
    %46 = arith.extsi %cst_17 : tensor<8x1xi32> to tensor<8x1xi64>
    %47 = arith.muli %45, %46 : tensor<8x1xi64>
    %c2147483647_i64_18 = arith.constant 2147483647 : i64
    %c-2147483648_i64_19 = arith.constant -2147483648 : i64
    %cst_20 = arith.constant dense<2147483647> : tensor<8x1xi64>
    %48 = arith.cmpi sle, %47, %cst_20 : tensor<8x1xi64>
    %cst_21 = arith.constant dense<-2147483648> : tensor<8x1xi64>
    %49 = arith.cmpi sge, %47, %cst_21 : tensor<8x1xi64>
    %50 = arith.andi %48, %49 : tensor<8x1xi1>
    %51 = arith.muli %44, %cst_17 : tensor<8x1xi32>
    %52 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<8x1x!tt.ptr<f32>>
    %53 = tt.addptr %52, %51 : tensor<8x1x!tt.ptr<f32>>, tensor<8x1xi32>
    %54 = tt.expand_dims %0 {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
    %55 = tt.broadcast %53 : tensor<8x1x!tt.ptr<f32>> -> tensor<8x4x!tt.ptr<f32>>
    %56 = tt.broadcast %54 : tensor<1x4xi32> -> tensor<8x4xi32>
    %57 = tt.addptr %55, %56 : tensor<8x4x!tt.ptr<f32>>, tensor<8x4xi32>
    tt.store %57, %43 : tensor<8x4x!tt.ptr<f32>>
    %58 = tt.reshape %16 : tensor<4x8xf32> -> tensor<16x2xf32>
    %outLHS, %outRHS = tt.split %58 : tensor<16x2xf32> -> tensor<16xf32>
    %59 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %60 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %61 = tt.addptr %60, %59 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %62 = tt.join %outRHS, %outLHS : tensor<16xf32> -> tensor<16x2xf32>
    %63 = tt.call @triton.language.standard.max__fp32S16_2S_c1_cFalse_cTrue_cFalse(%62) : (tensor<16x2xf32>) -> tensor<16xf32>
    %64 = arith.subf %63, %outLHS : tensor<16xf32>
    tt.store %61, %64 : tensor<16x!tt.ptr<f32>>
    tt.return
  }
  tt.func private @triton.language.standard.max__fp32S16_2S_c1_cFalse_cTrue_cFalse(%arg0: tensor<16x2xf32>) -> tensor<16xf32> attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 1 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %2 = tt.call @triton.language.standard._elementwise_max__fp32_fp32(%arg1, %arg2) : (f32, f32) -> f32
      tt.reduce.return %2 : f32
    }) : (tensor<16x2xf32>) -> tensor<16xf32>
    tt.return %0 : tensor<16xf32>
  ^bb1:  // no predecessors
    %1 = ub.poison : tensor<16xf32>
    tt.return %1 : tensor<16xf32>
  }
  tt.func private @triton.language.standard._elementwise_max__fp32_fp32(%arg0: f32, %arg1: f32) -> f32 attributes {noinline = false} {
    %0 = arith.maxnumf %arg0, %arg1 : f32
    tt.return %0 : f32
  ^bb1:  // no predecessors
    %1 = ub.poison : f32
    tt.return %1 : f32
  }
}
