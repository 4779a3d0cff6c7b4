// ttir
module {
  tt.func public @attention(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: f32) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %c32_i32 = arith.constant 32 : i32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x32xf32>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<64xf32>
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c64_i64 = arith.constant 64 : i64
    %c1_i64 = arith.constant 1 : i64
    %0 = tt.make_tensor_descriptor %arg0, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <64x64xf16>
    %1 = tt.make_tensor_descriptor %arg1, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <32x64xf16>
    %2 = tt.make_tensor_descriptor %arg2, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <32x64xf16>
    %3 = tt.make_tensor_descriptor %arg3, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <64x64xf16>
    %4 = tt.get_program_id x : i32
    %5 = arith.muli %4, %c64_i32 : i32
    %6 = tt.descriptor_load %0[%5, %c0_i32] : !tt.tensordesc<64x64xf16> -> tensor<64x64xf16>
    %7:3 = scf.for %arg6 = %c0_i32 to %arg4 step %c32_i32 iter_args(%arg7 = %cst_2, %arg8 = %cst_0, %arg9 = %cst) -> (tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>)  : i32 {
      %12 = tt.descriptor_load %1[%arg6, %c0_i32] : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16>
      %13 = tt.trans %12 {order = array<i32: 1, 0>} : tensor<32x64xf16> -> tensor<64x32xf16>
      %14 = tt.dot %6, %13, %cst_1, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x32xf16> -> tensor<64x32xf32>
      %15 = tt.splat %arg5 : f32 -> tensor<64x32xf32>
      %16 = arith.mulf %14, %15 : tensor<64x32xf32>
      %17 = "tt.reduce"(%16) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %34 = arith.maxnumf %arg10, %arg11 : f32
        tt.reduce.return %34 : f32
      }) : (tensor<64x32xf32>) -> tensor<64xf32>
      %18 = arith.maxnumf %arg7, %17 : tensor<64xf32>
      %19 = tt.expand_dims %18 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %20 = tt.broadcast %19 : tensor<64x1xf32> -> tensor<64x32xf32>
      %21 = arith.subf %16, %20 : tensor<64x32xf32>
      %22 = math.exp %21 : tensor<64x32xf32>
      %23 = arith.subf %arg7, %18 : tensor<64xf32>
      %24 = math.exp %23 : tensor<64xf32>
      %25 = arith.mulf %arg8, %24 : tensor<64xf32>
      %26 = "tt.reduce"(%22) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %34 = arith.addf %arg10, %arg11 : f32
        tt.reduce.return %34 : f32
      }) : (tensor<64x32xf32>) -> tensor<64xf32>
      %27 = arith.addf %25, %26 : tensor<64xf32>
      %28 = arith.truncf %22 : tensor<64x32xf32> to tensor<64x32xf16>
      %29 = tt.descriptor_load %2[%arg6, %c0_i32] : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16>
      %30 = tt.expand_dims %24 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %31 = tt.broadcast %30 : tensor<64x1xf32> -> tensor<64x64xf32>
      %32 = arith.mulf %arg9, %31 : tensor<64x64xf32>
      %33 = tt.dot %28, %29, %32, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %18, %27, %33 : tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>
    }
    %8 = tt.expand_dims %7#1 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %9 = tt.broadcast %8 : tensor<64x1xf32> -> tensor<64x64xf32>
    %10 = arith.divf %7#2, %9 : tensor<64x64xf32>
    %11 = arith.truncf %10 : tensor<64x64xf32> to tensor<64x64xf16>
    tt.descriptor_store %3[%5, %c0_i32], %11 : !tt.tensordesc<64x64xf16>, tensor<64x64xf16>
    tt.return
  }
}

// -----

// triton-licm
module {
  tt.func public @attention(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: f32) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %c32_i32 = arith.constant 32 : i32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x32xf32>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<64xf32>
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c64_i64 = arith.constant 64 : i64
    %c1_i64 = arith.constant 1 : i64
    %0 = tt.make_tensor_descriptor %arg0, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <64x64xf16>
    %1 = tt.make_tensor_descriptor %arg1, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <32x64xf16>
    %2 = tt.make_tensor_descriptor %arg2, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <32x64xf16>
    %3 = tt.make_tensor_descriptor %arg3, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <64x64xf16>
    %4 = tt.get_program_id x : i32
    %5 = arith.muli %4, %c64_i32 : i32
    %6 = tt.descriptor_load %0[%5, %c0_i32] : !tt.tensordesc<64x64xf16> -> tensor<64x64xf16>
    %7 = tt.splat %arg5 : f32 -> tensor<64x32xf32>
    %8:3 = scf.for %arg6 = %c0_i32 to %arg4 step %c32_i32 iter_args(%arg7 = %cst_2, %arg8 = %cst_0, %arg9 = %cst) -> (tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>)  : i32 {
      %13 = tt.descriptor_load %1[%arg6, %c0_i32] : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16>
      %14 = tt.trans %13 {order = array<i32: 1, 0>} : tensor<32x64xf16> -> tensor<64x32xf16>
      %15 = tt.dot %6, %14, %cst_1, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x32xf16> -> tensor<64x32xf32>
      %16 = arith.mulf %15, %7 : tensor<64x32xf32>
      %17 = "tt.reduce"(%16) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %34 = arith.maxnumf %arg10, %arg11 : f32
        tt.reduce.return %34 : f32
      }) : (tensor<64x32xf32>) -> tensor<64xf32>
      %18 = arith.maxnumf %arg7, %17 : tensor<64xf32>
      %19 = tt.expand_dims %18 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %20 = tt.broadcast %19 : tensor<64x1xf32> -> tensor<64x32xf32>
      %21 = arith.subf %16, %20 : tensor<64x32xf32>
      %22 = math.exp %21 : tensor<64x32xf32>
      %23 = arith.subf %arg7, %18 : tensor<64xf32>
      %24 = math.exp %23 : tensor<64xf32>
      %25 = arith.mulf %arg8, %24 : tensor<64xf32>
      %26 = "tt.reduce"(%22) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %34 = arith.addf %arg10, %arg11 : f32
        tt.reduce.return %34 : f32
      }) : (tensor<64x32xf32>) -> tensor<64xf32>
      %27 = arith.addf %25, %26 : tensor<64xf32>
      %28 = arith.truncf %22 : tensor<64x32xf32> to tensor<64x32xf16>
      %29 = tt.descriptor_load %2[%arg6, %c0_i32] : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16>
      %30 = tt.expand_dims %24 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %31 = tt.broadcast %30 : tensor<64x1xf32> -> tensor<64x64xf32>
      %32 = arith.mulf %arg9, %31 : tensor<64x64xf32>
      %33 = tt.dot %28, %29, %32, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %18, %27, %33 : tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>
    }
    %9 = tt.expand_dims %8#1 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %10 = tt.broadcast %9 : tensor<64x1xf32> -> tensor<64x64xf32>
    %11 = arith.divf %8#2, %10 : tensor<64x64xf32>
    %12 = arith.truncf %11 : tensor<64x64xf32> to tensor<64x64xf16>
    tt.descriptor_store %3[%5, %c0_i32], %12 : !tt.tensordesc<64x64xf16>, tensor<64x64xf16>
    tt.return
  }
}

// -----

// triton-annotate-module
module attributes {"ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @attention(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: f32) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %c32_i32 = arith.constant 32 : i32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x32xf32>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<64xf32>
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c64_i64 = arith.constant 64 : i64
    %c1_i64 = arith.constant 1 : i64
    %0 = tt.make_tensor_descriptor %arg0, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <64x64xf16>
    %1 = tt.make_tensor_descriptor %arg1, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <32x64xf16>
    %2 = tt.make_tensor_descriptor %arg2, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <32x64xf16>
    %3 = tt.make_tensor_descriptor %arg3, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <64x64xf16>
    %4 = tt.get_program_id x : i32
    %5 = arith.muli %4, %c64_i32 : i32
    %6 = tt.descriptor_load %0[%5, %c0_i32] : !tt.tensordesc<64x64xf16> -> tensor<64x64xf16>
    %7 = tt.splat %arg5 : f32 -> tensor<64x32xf32>
    %8:3 = scf.for %arg6 = %c0_i32 to %arg4 step %c32_i32 iter_args(%arg7 = %cst_2, %arg8 = %cst_0, %arg9 = %cst) -> (tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>)  : i32 {
      %13 = tt.descriptor_load %1[%arg6, %c0_i32] : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16>
      %14 = tt.trans %13 {order = array<i32: 1, 0>} : tensor<32x64xf16> -> tensor<64x32xf16>
      %15 = tt.dot %6, %14, %cst_1, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x32xf16> -> tensor<64x32xf32>
      %16 = arith.mulf %15, %7 : tensor<64x32xf32>
      %17 = "tt.reduce"(%16) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %34 = arith.maxnumf %arg10, %arg11 : f32
        tt.reduce.return %34 : f32
      }) : (tensor<64x32xf32>) -> tensor<64xf32>
      %18 = arith.maxnumf %arg7, %17 : tensor<64xf32>
      %19 = tt.expand_dims %18 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %20 = tt.broadcast %19 : tensor<64x1xf32> -> tensor<64x32xf32>
      %21 = arith.subf %16, %20 : tensor<64x32xf32>
      %22 = math.exp %21 : tensor<64x32xf32>
      %23 = arith.subf %arg7, %18 : tensor<64xf32>
      %24 = math.exp %23 : tensor<64xf32>
      %25 = arith.mulf %arg8, %24 : tensor<64xf32>
      %26 = "tt.reduce"(%22) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %34 = arith.addf %arg10, %arg11 : f32
        tt.reduce.return %34 : f32
      }) : (tensor<64x32xf32>) -> tensor<64xf32>
      %27 = arith.addf %25, %26 : tensor<64xf32>
      %28 = arith.truncf %22 : tensor<64x32xf32> to tensor<64x32xf16>
      %29 = tt.descriptor_load %2[%arg6, %c0_i32] : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16>
      %30 = tt.expand_dims %24 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %31 = tt.broadcast %30 : tensor<64x1xf32> -> tensor<64x64xf32>
      %32 = arith.mulf %arg9, %31 : tensor<64x64xf32>
      %33 = tt.dot %28, %29, %32, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %18, %27, %33 : tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>
    }
    %9 = tt.expand_dims %8#1 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %10 = tt.broadcast %9 : tensor<64x1xf32> -> tensor<64x64xf32>
    %11 = arith.divf %8#2, %10 : tensor<64x64xf32>
    %12 = arith.truncf %11 : tensor<64x64xf32> to tensor<64x64xf16>
    tt.descriptor_store %3[%5, %c0_i32], %12 : !tt.tensordesc<64x64xf16>, tensor<64x64xf16>
    tt.return
  }
}

// -----

// convert-triton-to-tritongpu
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#blocked4 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked5 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked6 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @attention(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: f32) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #blocked>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64xf32, #blocked1>
    %c32_i32 = arith.constant 32 : i32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #blocked2>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<64xf32, #blocked1>
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c64_i64 = arith.constant 64 : i64
    %c1_i64 = arith.constant 1 : i64
    %0 = tt.make_tensor_descriptor %arg0, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <64x64xf16>
    %1 = tt.make_tensor_descriptor %arg1, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <32x64xf16>
    %2 = tt.make_tensor_descriptor %arg2, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <32x64xf16>
    %3 = tt.make_tensor_descriptor %arg3, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <64x64xf16>
    %4 = tt.get_program_id x : i32
    %5 = arith.muli %4, %c64_i32 : i32
    %6 = tt.descriptor_load %0[%5, %c0_i32] : !tt.tensordesc<64x64xf16> -> tensor<64x64xf16, #blocked>
    %7 = tt.splat %arg5 : f32 -> tensor<64x32xf32, #blocked2>
    %8:3 = scf.for %arg6 = %c0_i32 to %arg4 step %c32_i32 iter_args(%arg7 = %cst_2, %arg8 = %cst_0, %arg9 = %cst) -> (tensor<64xf32, #blocked1>, tensor<64xf32, #blocked1>, tensor<64x64xf32, #blocked>)  : i32 {
      %16 = tt.descriptor_load %1[%arg6, %c0_i32] : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16, #blocked>
      %17 = tt.trans %16 {order = array<i32: 1, 0>} : tensor<32x64xf16, #blocked> -> tensor<64x32xf16, #blocked3>
      %18 = ttg.convert_layout %17 : tensor<64x32xf16, #blocked3> -> tensor<64x32xf16, #blocked2>
      %19 = ttg.convert_layout %6 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked4}>>
      %20 = ttg.convert_layout %18 : tensor<64x32xf16, #blocked2> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked4}>>
      %21 = ttg.convert_layout %cst_1 : tensor<64x32xf32, #blocked2> -> tensor<64x32xf32, #blocked4>
      %22 = tt.dot %19, %20, %21, inputPrecision = tf32 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked4}>> * tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked4}>> -> tensor<64x32xf32, #blocked4>
      %23 = ttg.convert_layout %22 : tensor<64x32xf32, #blocked4> -> tensor<64x32xf32, #blocked2>
      %24 = arith.mulf %23, %7 : tensor<64x32xf32, #blocked2>
      %25 = "tt.reduce"(%24) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %54 = arith.maxnumf %arg10, %arg11 : f32
        tt.reduce.return %54 : f32
      }) : (tensor<64x32xf32, #blocked2>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked2}>>
      %26 = ttg.convert_layout %25 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<64xf32, #blocked1>
      %27 = arith.maxnumf %arg7, %26 : tensor<64xf32, #blocked1>
      %28 = ttg.convert_layout %27 : tensor<64xf32, #blocked1> -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked3}>>
      %29 = tt.expand_dims %28 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked3}>> -> tensor<64x1xf32, #blocked3>
      %30 = ttg.convert_layout %29 : tensor<64x1xf32, #blocked3> -> tensor<64x1xf32, #blocked5>
      %31 = tt.broadcast %30 : tensor<64x1xf32, #blocked5> -> tensor<64x32xf32, #blocked5>
      %32 = ttg.convert_layout %31 : tensor<64x32xf32, #blocked5> -> tensor<64x32xf32, #blocked2>
      %33 = arith.subf %24, %32 : tensor<64x32xf32, #blocked2>
      %34 = math.exp %33 : tensor<64x32xf32, #blocked2>
      %35 = arith.subf %arg7, %27 : tensor<64xf32, #blocked1>
      %36 = math.exp %35 : tensor<64xf32, #blocked1>
      %37 = arith.mulf %arg8, %36 : tensor<64xf32, #blocked1>
      %38 = "tt.reduce"(%34) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %54 = arith.addf %arg10, %arg11 : f32
        tt.reduce.return %54 : f32
      }) : (tensor<64x32xf32, #blocked2>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked2}>>
      %39 = ttg.convert_layout %38 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<64xf32, #blocked1>
      %40 = arith.addf %37, %39 : tensor<64xf32, #blocked1>
      %41 = arith.truncf %34 : tensor<64x32xf32, #blocked2> to tensor<64x32xf16, #blocked2>
      %42 = tt.descriptor_load %2[%arg6, %c0_i32] : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16, #blocked>
      %43 = ttg.convert_layout %36 : tensor<64xf32, #blocked1> -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked3}>>
      %44 = tt.expand_dims %43 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked3}>> -> tensor<64x1xf32, #blocked3>
      %45 = ttg.convert_layout %44 : tensor<64x1xf32, #blocked3> -> tensor<64x1xf32, #blocked5>
      %46 = tt.broadcast %45 : tensor<64x1xf32, #blocked5> -> tensor<64x64xf32, #blocked5>
      %47 = ttg.convert_layout %46 : tensor<64x64xf32, #blocked5> -> tensor<64x64xf32, #blocked>
      %48 = arith.mulf %arg9, %47 : tensor<64x64xf32, #blocked>
      %49 = ttg.convert_layout %41 : tensor<64x32xf16, #blocked2> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked6}>>
      %50 = ttg.convert_layout %42 : tensor<32x64xf16, #blocked> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked6}>>
      %51 = ttg.convert_layout %48 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked6>
      %52 = tt.dot %49, %50, %51, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked6}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked6}>> -> tensor<64x64xf32, #blocked6>
      %53 = ttg.convert_layout %52 : tensor<64x64xf32, #blocked6> -> tensor<64x64xf32, #blocked>
      scf.yield %27, %40, %53 : tensor<64xf32, #blocked1>, tensor<64xf32, #blocked1>, tensor<64x64xf32, #blocked>
    }
    %9 = ttg.convert_layout %8#1 : tensor<64xf32, #blocked1> -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked3}>>
    %10 = tt.expand_dims %9 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked3}>> -> tensor<64x1xf32, #blocked3>
    %11 = ttg.convert_layout %10 : tensor<64x1xf32, #blocked3> -> tensor<64x1xf32, #blocked5>
    %12 = tt.broadcast %11 : tensor<64x1xf32, #blocked5> -> tensor<64x64xf32, #blocked5>
    %13 = ttg.convert_layout %12 : tensor<64x64xf32, #blocked5> -> tensor<64x64xf32, #blocked>
    %14 = arith.divf %8#2, %13 : tensor<64x64xf32, #blocked>
    %15 = arith.truncf %14 : tensor<64x64xf32, #blocked> to tensor<64x64xf16, #blocked>
    tt.descriptor_store %3[%5, %c0_i32], %15 : !tt.tensordesc<64x64xf16>, tensor<64x64xf16, #blocked>
    tt.return
  }
}

// -----

// tritongpu-coalesce
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked4 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#blocked5 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked6 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked7 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @attention(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: f32) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #blocked>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64xf32, #blocked1>
    %c32_i32 = arith.constant 32 : i32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #blocked2>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<64xf32, #blocked1>
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c64_i64 = arith.constant 64 : i64
    %c1_i64 = arith.constant 1 : i64
    %0 = tt.make_tensor_descriptor %arg0, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <64x64xf16>
    %1 = tt.make_tensor_descriptor %arg1, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <32x64xf16>
    %2 = tt.make_tensor_descriptor %arg2, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <32x64xf16>
    %3 = tt.make_tensor_descriptor %arg3, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <64x64xf16>
    %4 = tt.get_program_id x : i32
    %5 = arith.muli %4, %c64_i32 : i32
    %6 = tt.descriptor_load %0[%5, %c0_i32] : !tt.tensordesc<64x64xf16> -> tensor<64x64xf16, #blocked3>
    %7 = ttg.convert_layout %6 : tensor<64x64xf16, #blocked3> -> tensor<64x64xf16, #blocked>
    %8 = tt.splat %arg5 : f32 -> tensor<64x32xf32, #blocked2>
    %9:3 = scf.for %arg6 = %c0_i32 to %arg4 step %c32_i32 iter_args(%arg7 = %cst_2, %arg8 = %cst_0, %arg9 = %cst) -> (tensor<64xf32, #blocked1>, tensor<64xf32, #blocked1>, tensor<64x64xf32, #blocked>)  : i32 {
      %18 = tt.descriptor_load %1[%arg6, %c0_i32] : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16, #blocked3>
      %19 = ttg.convert_layout %18 : tensor<32x64xf16, #blocked3> -> tensor<32x64xf16, #blocked>
      %20 = tt.trans %19 {order = array<i32: 1, 0>} : tensor<32x64xf16, #blocked> -> tensor<64x32xf16, #blocked4>
      %21 = ttg.convert_layout %20 : tensor<64x32xf16, #blocked4> -> tensor<64x32xf16, #blocked2>
      %22 = ttg.convert_layout %7 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked5}>>
      %23 = ttg.convert_layout %21 : tensor<64x32xf16, #blocked2> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked5}>>
      %24 = ttg.convert_layout %cst_1 : tensor<64x32xf32, #blocked2> -> tensor<64x32xf32, #blocked5>
      %25 = tt.dot %22, %23, %24, inputPrecision = tf32 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked5}>> * tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked5}>> -> tensor<64x32xf32, #blocked5>
      %26 = ttg.convert_layout %25 : tensor<64x32xf32, #blocked5> -> tensor<64x32xf32, #blocked2>
      %27 = arith.mulf %26, %8 : tensor<64x32xf32, #blocked2>
      %28 = "tt.reduce"(%27) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %58 = arith.maxnumf %arg10, %arg11 : f32
        tt.reduce.return %58 : f32
      }) : (tensor<64x32xf32, #blocked2>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked2}>>
      %29 = ttg.convert_layout %28 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<64xf32, #blocked1>
      %30 = arith.maxnumf %arg7, %29 : tensor<64xf32, #blocked1>
      %31 = ttg.convert_layout %30 : tensor<64xf32, #blocked1> -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked4}>>
      %32 = tt.expand_dims %31 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked4}>> -> tensor<64x1xf32, #blocked4>
      %33 = ttg.convert_layout %32 : tensor<64x1xf32, #blocked4> -> tensor<64x1xf32, #blocked6>
      %34 = tt.broadcast %33 : tensor<64x1xf32, #blocked6> -> tensor<64x32xf32, #blocked6>
      %35 = ttg.convert_layout %34 : tensor<64x32xf32, #blocked6> -> tensor<64x32xf32, #blocked2>
      %36 = arith.subf %27, %35 : tensor<64x32xf32, #blocked2>
      %37 = math.exp %36 : tensor<64x32xf32, #blocked2>
      %38 = arith.subf %arg7, %30 : tensor<64xf32, #blocked1>
      %39 = math.exp %38 : tensor<64xf32, #blocked1>
      %40 = arith.mulf %arg8, %39 : tensor<64xf32, #blocked1>
      %41 = "tt.reduce"(%37) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %58 = arith.addf %arg10, %arg11 : f32
        tt.reduce.return %58 : f32
      }) : (tensor<64x32xf32, #blocked2>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked2}>>
      %42 = ttg.convert_layout %41 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<64xf32, #blocked1>
      %43 = arith.addf %40, %42 : tensor<64xf32, #blocked1>
      %44 = arith.truncf %37 : tensor<64x32xf32, #blocked2> to tensor<64x32xf16, #blocked2>
      %45 = tt.descriptor_load %2[%arg6, %c0_i32] : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16, #blocked3>
      %46 = ttg.convert_layout %45 : tensor<32x64xf16, #blocked3> -> tensor<32x64xf16, #blocked>
      %47 = ttg.convert_layout %39 : tensor<64xf32, #blocked1> -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked4}>>
      %48 = tt.expand_dims %47 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked4}>> -> tensor<64x1xf32, #blocked4>
      %49 = ttg.convert_layout %48 : tensor<64x1xf32, #blocked4> -> tensor<64x1xf32, #blocked6>
      %50 = tt.broadcast %49 : tensor<64x1xf32, #blocked6> -> tensor<64x64xf32, #blocked6>
      %51 = ttg.convert_layout %50 : tensor<64x64xf32, #blocked6> -> tensor<64x64xf32, #blocked>
      %52 = arith.mulf %arg9, %51 : tensor<64x64xf32, #blocked>
      %53 = ttg.convert_layout %44 : tensor<64x32xf16, #blocked2> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked7}>>
      %54 = ttg.convert_layout %46 : tensor<32x64xf16, #blocked> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked7}>>
      %55 = ttg.convert_layout %52 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked7>
      %56 = tt.dot %53, %54, %55, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked7}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked7}>> -> tensor<64x64xf32, #blocked7>
      %57 = ttg.convert_layout %56 : tensor<64x64xf32, #blocked7> -> tensor<64x64xf32, #blocked>
      scf.yield %30, %43, %57 : tensor<64xf32, #blocked1>, tensor<64xf32, #blocked1>, tensor<64x64xf32, #blocked>
    }
    %10 = ttg.convert_layout %9#1 : tensor<64xf32, #blocked1> -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked4}>>
    %11 = tt.expand_dims %10 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked4}>> -> tensor<64x1xf32, #blocked4>
    %12 = ttg.convert_layout %11 : tensor<64x1xf32, #blocked4> -> tensor<64x1xf32, #blocked6>
    %13 = tt.broadcast %12 : tensor<64x1xf32, #blocked6> -> tensor<64x64xf32, #blocked6>
    %14 = ttg.convert_layout %13 : tensor<64x64xf32, #blocked6> -> tensor<64x64xf32, #blocked>
    %15 = arith.divf %9#2, %14 : tensor<64x64xf32, #blocked>
    %16 = arith.truncf %15 : tensor<64x64xf32, #blocked> to tensor<64x64xf16, #blocked>
    %17 = ttg.convert_layout %16 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked3>
    tt.descriptor_store %3[%5, %c0_i32], %17 : !tt.tensordesc<64x64xf16>, tensor<64x64xf16, #blocked3>
    tt.return
  }
}

// -----

// tritonintelgpu-remove-layout-conversions
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @attention(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: f32) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #blocked>
    %c1_i64 = arith.constant 1 : i64
    %c64_i64 = arith.constant 64 : i64
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #blocked1>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %0 = tt.make_tensor_descriptor %arg0, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <64x64xf16>
    %1 = tt.make_tensor_descriptor %arg1, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <32x64xf16>
    %2 = tt.make_tensor_descriptor %arg2, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <32x64xf16>
    %3 = tt.make_tensor_descriptor %arg3, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <64x64xf16>
    %4 = tt.get_program_id x : i32
    %5 = arith.muli %4, %c64_i32 : i32
    %6 = tt.descriptor_load %0[%5, %c0_i32] : !tt.tensordesc<64x64xf16> -> tensor<64x64xf16, #blocked2>
    %7 = tt.splat %arg5 : f32 -> tensor<64x32xf32, #blocked>
    %8:3 = scf.for %arg6 = %c0_i32 to %arg4 step %c32_i32 iter_args(%arg7 = %cst_2, %arg8 = %cst_1, %arg9 = %cst_0) -> (tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<64x64xf32, #blocked1>)  : i32 {
      %15 = tt.descriptor_load %1[%arg6, %c0_i32] : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16, #blocked2>
      %16 = tt.trans %15 {order = array<i32: 1, 0>} : tensor<32x64xf16, #blocked2> -> tensor<64x32xf16, #blocked3>
      %17 = ttg.convert_layout %6 : tensor<64x64xf16, #blocked2> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>
      %18 = ttg.convert_layout %16 : tensor<64x32xf16, #blocked3> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>
      %19 = tt.dot %17, %18, %cst, inputPrecision = tf32 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<64x32xf32, #blocked>
      %20 = arith.mulf %19, %7 : tensor<64x32xf32, #blocked>
      %21 = "tt.reduce"(%20) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %41 = arith.maxnumf %arg10, %arg11 : f32
        tt.reduce.return %41 : f32
      }) : (tensor<64x32xf32, #blocked>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %22 = arith.maxnumf %arg7, %21 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %23 = tt.expand_dims %22 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xf32, #blocked>
      %24 = tt.broadcast %23 : tensor<64x1xf32, #blocked> -> tensor<64x32xf32, #blocked>
      %25 = arith.subf %20, %24 : tensor<64x32xf32, #blocked>
      %26 = math.exp %25 : tensor<64x32xf32, #blocked>
      %27 = arith.subf %arg7, %22 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %28 = math.exp %27 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %29 = arith.mulf %arg8, %28 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %30 = "tt.reduce"(%26) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %41 = arith.addf %arg10, %arg11 : f32
        tt.reduce.return %41 : f32
      }) : (tensor<64x32xf32, #blocked>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %31 = arith.addf %29, %30 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %32 = arith.truncf %26 : tensor<64x32xf32, #blocked> to tensor<64x32xf16, #blocked>
      %33 = tt.descriptor_load %2[%arg6, %c0_i32] : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16, #blocked2>
      %34 = tt.expand_dims %28 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xf32, #blocked>
      %35 = ttg.convert_layout %34 : tensor<64x1xf32, #blocked> -> tensor<64x1xf32, #blocked1>
      %36 = tt.broadcast %35 : tensor<64x1xf32, #blocked1> -> tensor<64x64xf32, #blocked1>
      %37 = arith.mulf %arg9, %36 : tensor<64x64xf32, #blocked1>
      %38 = ttg.convert_layout %32 : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
      %39 = ttg.convert_layout %33 : tensor<32x64xf16, #blocked2> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
      %40 = tt.dot %38, %39, %37, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<64x64xf32, #blocked1>
      scf.yield %22, %31, %40 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<64x64xf32, #blocked1>
    }
    %9 = tt.expand_dims %8#1 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xf32, #blocked>
    %10 = ttg.convert_layout %9 : tensor<64x1xf32, #blocked> -> tensor<64x1xf32, #blocked1>
    %11 = tt.broadcast %10 : tensor<64x1xf32, #blocked1> -> tensor<64x64xf32, #blocked1>
    %12 = arith.divf %8#2, %11 : tensor<64x64xf32, #blocked1>
    %13 = arith.truncf %12 : tensor<64x64xf32, #blocked1> to tensor<64x64xf16, #blocked1>
    %14 = ttg.convert_layout %13 : tensor<64x64xf16, #blocked1> -> tensor<64x64xf16, #blocked2>
    tt.descriptor_store %3[%5, %c0_i32], %14 : !tt.tensordesc<64x64xf16>, tensor<64x64xf16, #blocked2>
    tt.return
  }
}

// -----

// tritonintelgpu-accelerate-matmul
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [2, 2], A = [16, 16], B = [16, 32], C = [16, 32]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @attention(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: f32) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #blocked>
    %c1_i64 = arith.constant 1 : i64
    %c64_i64 = arith.constant 64 : i64
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #blocked1>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %0 = tt.make_tensor_descriptor %arg0, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <64x64xf16>
    %1 = tt.make_tensor_descriptor %arg1, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <32x64xf16>
    %2 = tt.make_tensor_descriptor %arg2, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <32x64xf16>
    %3 = tt.make_tensor_descriptor %arg3, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <64x64xf16>
    %4 = tt.get_program_id x : i32
    %5 = arith.muli %4, %c64_i32 : i32
    %6 = tt.descriptor_load %0[%5, %c0_i32] : !tt.tensordesc<64x64xf16> -> tensor<64x64xf16, #blocked2>
    %7 = tt.splat %arg5 : f32 -> tensor<64x32xf32, #blocked>
    %8:3 = scf.for %arg6 = %c0_i32 to %arg4 step %c32_i32 iter_args(%arg7 = %cst_2, %arg8 = %cst_1, %arg9 = %cst_0) -> (tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<64x64xf32, #blocked1>)  : i32 {
      %15 = tt.descriptor_load %1[%arg6, %c0_i32] {ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16, #blocked2>
      %16 = tt.trans %15 {order = array<i32: 1, 0>} : tensor<32x64xf16, #blocked2> -> tensor<64x32xf16, #blocked3>
      %17 = ttg.convert_layout %6 : tensor<64x64xf16, #blocked2> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>
      %18 = ttg.convert_layout %16 : tensor<64x32xf16, #blocked3> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>
      %19 = ttg.convert_layout %cst : tensor<64x32xf32, #blocked> -> tensor<64x32xf32, #mma>
      %20 = ttg.convert_layout %17 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %21 = ttg.convert_layout %18 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %22 = tt.dot %20, %21, %19, inputPrecision = tf32 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x32xf32, #mma>
      %23 = ttg.convert_layout %22 : tensor<64x32xf32, #mma> -> tensor<64x32xf32, #blocked>
      %24 = arith.mulf %23, %7 : tensor<64x32xf32, #blocked>
      %25 = "tt.reduce"(%24) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %49 = arith.maxnumf %arg10, %arg11 : f32
        tt.reduce.return %49 : f32
      }) : (tensor<64x32xf32, #blocked>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %26 = arith.maxnumf %arg7, %25 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %27 = tt.expand_dims %26 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xf32, #blocked>
      %28 = tt.broadcast %27 : tensor<64x1xf32, #blocked> -> tensor<64x32xf32, #blocked>
      %29 = arith.subf %24, %28 : tensor<64x32xf32, #blocked>
      %30 = math.exp %29 : tensor<64x32xf32, #blocked>
      %31 = arith.subf %arg7, %26 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %32 = math.exp %31 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %33 = arith.mulf %arg8, %32 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %34 = "tt.reduce"(%30) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %49 = arith.addf %arg10, %arg11 : f32
        tt.reduce.return %49 : f32
      }) : (tensor<64x32xf32, #blocked>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %35 = arith.addf %33, %34 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %36 = arith.truncf %30 : tensor<64x32xf32, #blocked> to tensor<64x32xf16, #blocked>
      %37 = tt.descriptor_load %2[%arg6, %c0_i32] {ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16, #blocked2>
      %38 = tt.expand_dims %32 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xf32, #blocked>
      %39 = ttg.convert_layout %38 : tensor<64x1xf32, #blocked> -> tensor<64x1xf32, #blocked1>
      %40 = tt.broadcast %39 : tensor<64x1xf32, #blocked1> -> tensor<64x64xf32, #blocked1>
      %41 = arith.mulf %arg9, %40 : tensor<64x64xf32, #blocked1>
      %42 = ttg.convert_layout %36 : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
      %43 = ttg.convert_layout %37 : tensor<32x64xf16, #blocked2> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
      %44 = ttg.convert_layout %41 : tensor<64x64xf32, #blocked1> -> tensor<64x64xf32, #mma>
      %45 = ttg.convert_layout %42 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %46 = ttg.convert_layout %43 : tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %47 = tt.dot %45, %46, %44, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      %48 = ttg.convert_layout %47 : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked1>
      scf.yield %26, %35, %48 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<64x64xf32, #blocked1>
    }
    %9 = tt.expand_dims %8#1 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xf32, #blocked>
    %10 = ttg.convert_layout %9 : tensor<64x1xf32, #blocked> -> tensor<64x1xf32, #blocked1>
    %11 = tt.broadcast %10 : tensor<64x1xf32, #blocked1> -> tensor<64x64xf32, #blocked1>
    %12 = arith.divf %8#2, %11 : tensor<64x64xf32, #blocked1>
    %13 = arith.truncf %12 : tensor<64x64xf32, #blocked1> to tensor<64x64xf16, #blocked1>
    %14 = ttg.convert_layout %13 : tensor<64x64xf16, #blocked1> -> tensor<64x64xf16, #blocked2>
    tt.descriptor_store %3[%5, %c0_i32], %14 : !tt.tensordesc<64x64xf16>, tensor<64x64xf16, #blocked2>
    tt.return
  }
}

// -----

// tritonintelgpu-materialize-block-pointer
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [2, 2], A = [16, 16], B = [16, 32], C = [16, 32]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @attention(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: f32) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #blocked>
    %c1_i64 = arith.constant 1 : i64
    %c64_i64 = arith.constant 64 : i64
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #blocked1>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %0 = tt.make_tensor_descriptor %arg0, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <64x64xf16>
    %1 = tt.make_tensor_descriptor %arg1, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <32x64xf16>
    %2 = tt.make_tensor_descriptor %arg2, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <32x64xf16>
    %3 = tt.make_tensor_descriptor %arg3, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <64x64xf16>
    %4 = tt.get_program_id x : i32
    %5 = arith.muli %4, %c64_i32 : i32
    %6 = tt.descriptor_load %0[%5, %c0_i32] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x64xf16> -> tensor<64x64xf16, #blocked2>
    %7 = tt.splat %arg5 : f32 -> tensor<64x32xf32, #blocked>
    %8:3 = scf.for %arg6 = %c0_i32 to %arg4 step %c32_i32 iter_args(%arg7 = %cst_2, %arg8 = %cst_1, %arg9 = %cst_0) -> (tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<64x64xf32, #blocked1>)  : i32 {
      %15 = tt.descriptor_load %1[%arg6, %c0_i32] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32, ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16, #blocked2>
      %16 = tt.trans %15 {order = array<i32: 1, 0>} : tensor<32x64xf16, #blocked2> -> tensor<64x32xf16, #blocked3>
      %17 = ttg.convert_layout %6 : tensor<64x64xf16, #blocked2> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>
      %18 = ttg.convert_layout %16 : tensor<64x32xf16, #blocked3> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>
      %19 = ttg.convert_layout %cst : tensor<64x32xf32, #blocked> -> tensor<64x32xf32, #mma>
      %20 = ttg.convert_layout %17 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %21 = ttg.convert_layout %18 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %22 = tt.dot %20, %21, %19, inputPrecision = tf32 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x32xf32, #mma>
      %23 = ttg.convert_layout %22 : tensor<64x32xf32, #mma> -> tensor<64x32xf32, #blocked>
      %24 = arith.mulf %23, %7 : tensor<64x32xf32, #blocked>
      %25 = "tt.reduce"(%24) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %49 = arith.maxnumf %arg10, %arg11 : f32
        tt.reduce.return %49 : f32
      }) : (tensor<64x32xf32, #blocked>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %26 = arith.maxnumf %arg7, %25 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %27 = tt.expand_dims %26 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xf32, #blocked>
      %28 = tt.broadcast %27 : tensor<64x1xf32, #blocked> -> tensor<64x32xf32, #blocked>
      %29 = arith.subf %24, %28 : tensor<64x32xf32, #blocked>
      %30 = math.exp %29 : tensor<64x32xf32, #blocked>
      %31 = arith.subf %arg7, %26 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %32 = math.exp %31 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %33 = arith.mulf %arg8, %32 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %34 = "tt.reduce"(%30) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %49 = arith.addf %arg10, %arg11 : f32
        tt.reduce.return %49 : f32
      }) : (tensor<64x32xf32, #blocked>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %35 = arith.addf %33, %34 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %36 = arith.truncf %30 : tensor<64x32xf32, #blocked> to tensor<64x32xf16, #blocked>
      %37 = tt.descriptor_load %2[%arg6, %c0_i32] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32, ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16, #blocked2>
      %38 = tt.expand_dims %32 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xf32, #blocked>
      %39 = ttg.convert_layout %38 : tensor<64x1xf32, #blocked> -> tensor<64x1xf32, #blocked1>
      %40 = tt.broadcast %39 : tensor<64x1xf32, #blocked1> -> tensor<64x64xf32, #blocked1>
      %41 = arith.mulf %arg9, %40 : tensor<64x64xf32, #blocked1>
      %42 = ttg.convert_layout %36 : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
      %43 = ttg.convert_layout %37 : tensor<32x64xf16, #blocked2> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
      %44 = ttg.convert_layout %41 : tensor<64x64xf32, #blocked1> -> tensor<64x64xf32, #mma>
      %45 = ttg.convert_layout %42 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %46 = ttg.convert_layout %43 : tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %47 = tt.dot %45, %46, %44, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      %48 = ttg.convert_layout %47 : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked1>
      scf.yield %26, %35, %48 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<64x64xf32, #blocked1>
    }
    %9 = tt.expand_dims %8#1 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xf32, #blocked>
    %10 = ttg.convert_layout %9 : tensor<64x1xf32, #blocked> -> tensor<64x1xf32, #blocked1>
    %11 = tt.broadcast %10 : tensor<64x1xf32, #blocked1> -> tensor<64x64xf32, #blocked1>
    %12 = arith.divf %8#2, %11 : tensor<64x64xf32, #blocked1>
    %13 = arith.truncf %12 : tensor<64x64xf32, #blocked1> to tensor<64x64xf16, #blocked1>
    %14 = ttg.convert_layout %13 : tensor<64x64xf16, #blocked1> -> tensor<64x64xf16, #blocked2>
    tt.descriptor_store %3[%5, %c0_i32], %14 {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x64xf16>, tensor<64x64xf16, #blocked2>
    tt.return
  }
}

// -----

// tritonintelgpu-remove-layout-conversions
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [16, 0], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0]], warp = [[0, 0], [0, 0]], block = []}>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [2, 2], A = [16, 16], B = [16, 32], C = [16, 32]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @attention(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: f32) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #mma>
    %c1_i64 = arith.constant 1 : i64
    %c64_i64 = arith.constant 64 : i64
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %0 = tt.make_tensor_descriptor %arg0, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <64x64xf16>
    %1 = tt.make_tensor_descriptor %arg1, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <32x64xf16>
    %2 = tt.make_tensor_descriptor %arg2, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <32x64xf16>
    %3 = tt.make_tensor_descriptor %arg3, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <64x64xf16>
    %4 = tt.get_program_id x : i32
    %5 = arith.muli %4, %c64_i32 : i32
    %6 = tt.descriptor_load %0[%5, %c0_i32] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x64xf16> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
    %7 = tt.splat %arg5 : f32 -> tensor<64x32xf32, #mma>
    %8:3 = scf.for %arg6 = %c0_i32 to %arg4 step %c32_i32 iter_args(%arg7 = %cst_2, %arg8 = %cst_1, %arg9 = %cst_0) -> (tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64x64xf32, #mma>)  : i32 {
      %13 = tt.descriptor_load %1[%arg6, %c0_i32] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32, ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16, #linear>
      %14 = tt.trans %13 {order = array<i32: 1, 0>} : tensor<32x64xf16, #linear> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %15 = tt.dot %6, %14, %cst, inputPrecision = tf32 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x32xf32, #mma>
      %16 = arith.mulf %15, %7 : tensor<64x32xf32, #mma>
      %17 = "tt.reduce"(%16) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %35 = arith.maxnumf %arg10, %arg11 : f32
        tt.reduce.return %35 : f32
      }) : (tensor<64x32xf32, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %18 = arith.maxnumf %arg7, %17 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %19 = tt.expand_dims %18 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %20 = tt.broadcast %19 : tensor<64x1xf32, #mma> -> tensor<64x32xf32, #mma>
      %21 = arith.subf %16, %20 : tensor<64x32xf32, #mma>
      %22 = math.exp %21 : tensor<64x32xf32, #mma>
      %23 = arith.subf %arg7, %18 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %24 = math.exp %23 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %25 = arith.mulf %arg8, %24 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %26 = "tt.reduce"(%22) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %35 = arith.addf %arg10, %arg11 : f32
        tt.reduce.return %35 : f32
      }) : (tensor<64x32xf32, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %27 = arith.addf %25, %26 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %28 = arith.truncf %22 : tensor<64x32xf32, #mma> to tensor<64x32xf16, #mma>
      %29 = tt.descriptor_load %2[%arg6, %c0_i32] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32, ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %30 = tt.expand_dims %24 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %31 = tt.broadcast %30 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
      %32 = arith.mulf %arg9, %31 : tensor<64x64xf32, #mma>
      %33 = ttg.convert_layout %28 : tensor<64x32xf16, #mma> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %34 = tt.dot %33, %29, %32, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      scf.yield %18, %27, %34 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64x64xf32, #mma>
    }
    %9 = tt.expand_dims %8#1 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
    %10 = tt.broadcast %9 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
    %11 = arith.divf %8#2, %10 : tensor<64x64xf32, #mma>
    %12 = arith.truncf %11 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    tt.descriptor_store %3[%5, %c0_i32], %12 {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x64xf16>, tensor<64x64xf16, #mma>
    tt.return
  }
}

// -----

// tritonintelgpu-optimize-dot-operands
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [2, 2], A = [16, 16], B = [16, 32], C = [16, 32]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @attention(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: f32) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #mma>
    %c1_i64 = arith.constant 1 : i64
    %c64_i64 = arith.constant 64 : i64
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %0 = tt.make_tensor_descriptor %arg0, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <64x64xf16>
    %1 = tt.make_tensor_descriptor %arg1, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <32x64xf16>
    %2 = tt.make_tensor_descriptor %arg2, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <32x64xf16>
    %3 = tt.make_tensor_descriptor %arg3, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <64x64xf16>
    %4 = tt.get_program_id x : i32
    %5 = arith.muli %4, %c64_i32 : i32
    %6 = tt.descriptor_load %0[%5, %c0_i32] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x64xf16> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
    %7 = tt.splat %arg5 : f32 -> tensor<64x32xf32, #mma>
    %8:3 = scf.for %arg6 = %c0_i32 to %arg4 step %c32_i32 iter_args(%arg7 = %cst_2, %arg8 = %cst_1, %arg9 = %cst_0) -> (tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64x64xf32, #mma>)  : i32 {
      %13 = tt.descriptor_load %1[%arg6, %c0_i32] {ttig.block_io = "column_major", ttig.desc_padding = 1 : i32, ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %14 = tt.dot %6, %13, %cst, inputPrecision = tf32 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x32xf32, #mma>
      %15 = arith.mulf %14, %7 : tensor<64x32xf32, #mma>
      %16 = "tt.reduce"(%15) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %34 = arith.maxnumf %arg10, %arg11 : f32
        tt.reduce.return %34 : f32
      }) : (tensor<64x32xf32, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %17 = arith.maxnumf %arg7, %16 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %18 = tt.expand_dims %17 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %19 = tt.broadcast %18 : tensor<64x1xf32, #mma> -> tensor<64x32xf32, #mma>
      %20 = arith.subf %15, %19 : tensor<64x32xf32, #mma>
      %21 = math.exp %20 : tensor<64x32xf32, #mma>
      %22 = arith.subf %arg7, %17 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %23 = math.exp %22 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %24 = arith.mulf %arg8, %23 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %25 = "tt.reduce"(%21) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %34 = arith.addf %arg10, %arg11 : f32
        tt.reduce.return %34 : f32
      }) : (tensor<64x32xf32, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %26 = arith.addf %24, %25 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %27 = arith.truncf %21 : tensor<64x32xf32, #mma> to tensor<64x32xf16, #mma>
      %28 = tt.descriptor_load %2[%arg6, %c0_i32] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32, ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %29 = tt.expand_dims %23 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %30 = tt.broadcast %29 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
      %31 = arith.mulf %arg9, %30 : tensor<64x64xf32, #mma>
      %32 = ttg.convert_layout %27 : tensor<64x32xf16, #mma> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %33 = tt.dot %32, %28, %31, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      scf.yield %17, %26, %33 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64x64xf32, #mma>
    }
    %9 = tt.expand_dims %8#1 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
    %10 = tt.broadcast %9 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
    %11 = arith.divf %8#2, %10 : tensor<64x64xf32, #mma>
    %12 = arith.truncf %11 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    tt.descriptor_store %3[%5, %c0_i32], %12 {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x64xf16>, tensor<64x64xf16, #mma>
    tt.return
  }
}

// -----

// tritonintelgpu-pipeline
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [2, 2], A = [16, 16], B = [16, 32], C = [16, 32]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @attention(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: f32) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #mma>
    %c1_i64 = arith.constant 1 : i64
    %c64_i64 = arith.constant 64 : i64
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %0 = tt.make_tensor_descriptor %arg0, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <64x64xf16>
    %1 = tt.make_tensor_descriptor %arg1, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <32x64xf16>
    %2 = tt.make_tensor_descriptor %arg2, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <32x64xf16>
    %3 = tt.make_tensor_descriptor %arg3, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <64x64xf16>
    %4 = tt.get_program_id x : i32
    %5 = arith.muli %4, %c64_i32 : i32
    %6 = tt.descriptor_load %0[%5, %c0_i32] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x64xf16> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
    %7 = tt.splat %arg5 : f32 -> tensor<64x32xf32, #mma>
    %c0_i32_3 = arith.constant 0 : i32
    %8 = arith.muli %c32_i32, %c0_i32_3 : i32
    %9 = arith.addi %c0_i32, %8 : i32
    %10 = arith.cmpi slt, %9, %arg4 : i32
    %c0_i32_4 = arith.constant 0 : i32
    %11 = arith.muli %c32_i32, %c0_i32_4 : i32
    %12 = arith.addi %c0_i32, %11 : i32
    ttig.descriptor_prefetch %1[%12, %c0_i32] {ttig.block_io = "column_major", ttig.desc_padding = 1 : i32, ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16>
    ttig.descriptor_prefetch %2[%12, %c0_i32] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32, ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16>
    %13:3 = scf.for %arg6 = %c0_i32 to %arg4 step %c32_i32 iter_args(%arg7 = %cst_2, %arg8 = %cst_1, %arg9 = %cst_0) -> (tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64x64xf32, #mma>)  : i32 {
      %c1_i32 = arith.constant 1 : i32
      %18 = arith.muli %c32_i32, %c1_i32 : i32
      %19 = arith.subi %arg4, %18 : i32
      %20 = arith.cmpi slt, %arg6, %19 : i32
      %c1_i32_5 = arith.constant 1 : i32
      %21 = arith.muli %c32_i32, %c1_i32_5 : i32
      %22 = arith.addi %arg6, %21 : i32
      ttig.descriptor_prefetch %1[%22, %c0_i32] {ttig.block_io = "column_major", ttig.desc_padding = 1 : i32, ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16>
      %c1_i32_6 = arith.constant 1 : i32
      %23 = arith.muli %c32_i32, %c1_i32_6 : i32
      %24 = arith.addi %arg6, %23 : i32
      ttig.descriptor_prefetch %2[%24, %c0_i32] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32, ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16>
      %c0_i32_7 = arith.constant 0 : i32
      %25 = arith.muli %c32_i32, %c0_i32_7 : i32
      %26 = arith.addi %arg6, %25 : i32
      %27 = tt.descriptor_load %1[%26, %c0_i32] {ttig.block_io = "column_major", ttig.desc_padding = 1 : i32, ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %c0_i32_8 = arith.constant 0 : i32
      %28 = arith.muli %c32_i32, %c0_i32_8 : i32
      %29 = arith.addi %arg6, %28 : i32
      %30 = tt.descriptor_load %2[%29, %c0_i32] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32, ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %31 = tt.dot %6, %27, %cst, inputPrecision = tf32 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x32xf32, #mma>
      %32 = arith.mulf %31, %7 : tensor<64x32xf32, #mma>
      %33 = "tt.reduce"(%32) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %50 = arith.maxnumf %arg10, %arg11 : f32
        tt.reduce.return %50 : f32
      }) : (tensor<64x32xf32, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %34 = arith.maxnumf %arg7, %33 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %35 = tt.expand_dims %34 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %36 = tt.broadcast %35 : tensor<64x1xf32, #mma> -> tensor<64x32xf32, #mma>
      %37 = arith.subf %32, %36 : tensor<64x32xf32, #mma>
      %38 = math.exp %37 : tensor<64x32xf32, #mma>
      %39 = arith.subf %arg7, %34 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %40 = math.exp %39 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %41 = arith.mulf %arg8, %40 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %42 = "tt.reduce"(%38) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %50 = arith.addf %arg10, %arg11 : f32
        tt.reduce.return %50 : f32
      }) : (tensor<64x32xf32, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %43 = arith.addf %41, %42 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %44 = arith.truncf %38 : tensor<64x32xf32, #mma> to tensor<64x32xf16, #mma>
      %45 = tt.expand_dims %40 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %46 = tt.broadcast %45 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
      %47 = arith.mulf %arg9, %46 : tensor<64x64xf32, #mma>
      %48 = ttg.convert_layout %44 : tensor<64x32xf16, #mma> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %49 = tt.dot %48, %30, %47, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      scf.yield %34, %43, %49 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64x64xf32, #mma>
    }
    %14 = tt.expand_dims %13#1 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
    %15 = tt.broadcast %14 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
    %16 = arith.divf %13#2, %15 : tensor<64x64xf32, #mma>
    %17 = arith.truncf %16 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    tt.descriptor_store %3[%5, %c0_i32], %17 {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x64xf16>, tensor<64x64xf16, #mma>
    tt.return
  }
}

// -----

// tritonintelgpu-reduce-variable-liveness
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [2, 2], A = [16, 16], B = [16, 32], C = [16, 32]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @attention(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: f32) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #mma>
    %c1_i64 = arith.constant 1 : i64
    %c64_i64 = arith.constant 64 : i64
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %0 = tt.make_tensor_descriptor %arg0, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <64x64xf16>
    %1 = tt.make_tensor_descriptor %arg1, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <32x64xf16>
    %2 = tt.make_tensor_descriptor %arg2, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <32x64xf16>
    %3 = tt.make_tensor_descriptor %arg3, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <64x64xf16>
    %4 = tt.get_program_id x : i32
    %5 = arith.muli %4, %c64_i32 : i32
    %6 = tt.descriptor_load %0[%5, %c0_i32] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x64xf16> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
    %7 = tt.splat %arg5 : f32 -> tensor<64x32xf32, #mma>
    ttig.descriptor_prefetch %1[%c0_i32, %c0_i32] {ttig.block_io = "column_major", ttig.desc_padding = 1 : i32, ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16>
    ttig.descriptor_prefetch %2[%c0_i32, %c0_i32] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32, ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16>
    %8:3 = scf.for %arg6 = %c0_i32 to %arg4 step %c32_i32 iter_args(%arg7 = %cst_2, %arg8 = %cst_1, %arg9 = %cst_0) -> (tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64x64xf32, #mma>)  : i32 {
      %13 = arith.addi %arg6, %c32_i32 : i32
      ttig.descriptor_prefetch %1[%13, %c0_i32] {ttig.block_io = "column_major", ttig.desc_padding = 1 : i32, ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16>
      %14 = arith.addi %arg6, %c32_i32 : i32
      ttig.descriptor_prefetch %2[%14, %c0_i32] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32, ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16>
      %15 = tt.descriptor_load %1[%arg6, %c0_i32] {ttig.block_io = "column_major", ttig.desc_padding = 1 : i32, ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %16 = tt.descriptor_load %2[%arg6, %c0_i32] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32, ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %17 = tt.dot %6, %15, %cst, inputPrecision = tf32 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x32xf32, #mma>
      %18 = arith.mulf %17, %7 : tensor<64x32xf32, #mma>
      %19 = "tt.reduce"(%18) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %36 = arith.maxnumf %arg10, %arg11 : f32
        tt.reduce.return %36 : f32
      }) : (tensor<64x32xf32, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %20 = arith.maxnumf %arg7, %19 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %21 = tt.expand_dims %20 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %22 = tt.broadcast %21 : tensor<64x1xf32, #mma> -> tensor<64x32xf32, #mma>
      %23 = arith.subf %18, %22 : tensor<64x32xf32, #mma>
      %24 = math.exp %23 : tensor<64x32xf32, #mma>
      %25 = arith.subf %arg7, %20 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %26 = math.exp %25 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %27 = arith.mulf %arg8, %26 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %28 = "tt.reduce"(%24) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %36 = arith.addf %arg10, %arg11 : f32
        tt.reduce.return %36 : f32
      }) : (tensor<64x32xf32, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %29 = arith.addf %27, %28 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %30 = arith.truncf %24 : tensor<64x32xf32, #mma> to tensor<64x32xf16, #mma>
      %31 = tt.expand_dims %26 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %32 = tt.broadcast %31 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
      %33 = arith.mulf %arg9, %32 : tensor<64x64xf32, #mma>
      %34 = ttg.convert_layout %30 : tensor<64x32xf16, #mma> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %35 = tt.dot %34, %16, %33, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      scf.yield %20, %29, %35 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64x64xf32, #mma>
    }
    %9 = tt.expand_dims %8#1 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
    %10 = tt.broadcast %9 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
    %11 = arith.divf %8#2, %10 : tensor<64x64xf32, #mma>
    %12 = arith.truncf %11 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    tt.descriptor_store %3[%5, %c0_i32], %12 {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x64xf16>, tensor<64x64xf16, #mma>
    tt.return
  }
}

// -----

// triton-loop-aware-cse
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [2, 2], A = [16, 16], B = [16, 32], C = [16, 32]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @attention(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: f32) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #mma>
    %c1_i64 = arith.constant 1 : i64
    %c64_i64 = arith.constant 64 : i64
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %0 = tt.make_tensor_descriptor %arg0, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <64x64xf16>
    %1 = tt.make_tensor_descriptor %arg1, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <32x64xf16>
    %2 = tt.make_tensor_descriptor %arg2, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <32x64xf16>
    %3 = tt.make_tensor_descriptor %arg3, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <64x64xf16>
    %4 = tt.get_program_id x : i32
    %5 = arith.muli %4, %c64_i32 : i32
    %6 = tt.descriptor_load %0[%5, %c0_i32] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x64xf16> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
    %7 = tt.splat %arg5 : f32 -> tensor<64x32xf32, #mma>
    ttig.descriptor_prefetch %1[%c0_i32, %c0_i32] {ttig.block_io = "column_major", ttig.desc_padding = 1 : i32, ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16>
    ttig.descriptor_prefetch %2[%c0_i32, %c0_i32] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32, ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16>
    %8:3 = scf.for %arg6 = %c0_i32 to %arg4 step %c32_i32 iter_args(%arg7 = %cst_2, %arg8 = %cst_1, %arg9 = %cst_0) -> (tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64x64xf32, #mma>)  : i32 {
      %13 = arith.addi %arg6, %c32_i32 : i32
      ttig.descriptor_prefetch %1[%13, %c0_i32] {ttig.block_io = "column_major", ttig.desc_padding = 1 : i32, ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16>
      ttig.descriptor_prefetch %2[%13, %c0_i32] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32, ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16>
      %14 = tt.descriptor_load %1[%arg6, %c0_i32] {ttig.block_io = "column_major", ttig.desc_padding = 1 : i32, ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %15 = tt.descriptor_load %2[%arg6, %c0_i32] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32, ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %16 = tt.dot %6, %14, %cst, inputPrecision = tf32 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x32xf32, #mma>
      %17 = arith.mulf %16, %7 : tensor<64x32xf32, #mma>
      %18 = "tt.reduce"(%17) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %35 = arith.maxnumf %arg10, %arg11 : f32
        tt.reduce.return %35 : f32
      }) : (tensor<64x32xf32, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %19 = arith.maxnumf %arg7, %18 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %20 = tt.expand_dims %19 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %21 = tt.broadcast %20 : tensor<64x1xf32, #mma> -> tensor<64x32xf32, #mma>
      %22 = arith.subf %17, %21 : tensor<64x32xf32, #mma>
      %23 = math.exp %22 : tensor<64x32xf32, #mma>
      %24 = arith.subf %arg7, %19 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %25 = math.exp %24 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %26 = arith.mulf %arg8, %25 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %27 = "tt.reduce"(%23) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %35 = arith.addf %arg10, %arg11 : f32
        tt.reduce.return %35 : f32
      }) : (tensor<64x32xf32, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %28 = arith.addf %26, %27 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %29 = arith.truncf %23 : tensor<64x32xf32, #mma> to tensor<64x32xf16, #mma>
      %30 = tt.expand_dims %25 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %31 = tt.broadcast %30 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
      %32 = arith.mulf %arg9, %31 : tensor<64x64xf32, #mma>
      %33 = ttg.convert_layout %29 : tensor<64x32xf16, #mma> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %34 = tt.dot %33, %15, %32, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      scf.yield %19, %28, %34 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64x64xf32, #mma>
    }
    %9 = tt.expand_dims %8#1 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
    %10 = tt.broadcast %9 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
    %11 = arith.divf %8#2, %10 : tensor<64x64xf32, #mma>
    %12 = arith.truncf %11 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    tt.descriptor_store %3[%5, %c0_i32], %12 {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x64xf16>, tensor<64x64xf16, #mma>
    tt.return
  }
}

// -----

// sccp
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [2, 2], A = [16, 16], B = [16, 32], C = [16, 32]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @attention(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: f32) attributes {noinline = false} {
    %cst = arith.constant dense<0xFF800000> : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %c32_i32 = arith.constant 32 : i32
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c64_i64 = arith.constant 64 : i64
    %c1_i64 = arith.constant 1 : i64
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #mma>
    %0 = tt.make_tensor_descriptor %arg0, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <64x64xf16>
    %1 = tt.make_tensor_descriptor %arg1, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <32x64xf16>
    %2 = tt.make_tensor_descriptor %arg2, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <32x64xf16>
    %3 = tt.make_tensor_descriptor %arg3, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <64x64xf16>
    %4 = tt.get_program_id x : i32
    %5 = arith.muli %4, %c64_i32 : i32
    %6 = tt.descriptor_load %0[%5, %c0_i32] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x64xf16> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
    %7 = tt.splat %arg5 : f32 -> tensor<64x32xf32, #mma>
    ttig.descriptor_prefetch %1[%c0_i32, %c0_i32] {ttig.block_io = "column_major", ttig.desc_padding = 1 : i32, ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16>
    ttig.descriptor_prefetch %2[%c0_i32, %c0_i32] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32, ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16>
    %8:3 = scf.for %arg6 = %c0_i32 to %arg4 step %c32_i32 iter_args(%arg7 = %cst, %arg8 = %cst_0, %arg9 = %cst_1) -> (tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64x64xf32, #mma>)  : i32 {
      %13 = arith.addi %arg6, %c32_i32 : i32
      ttig.descriptor_prefetch %1[%13, %c0_i32] {ttig.block_io = "column_major", ttig.desc_padding = 1 : i32, ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16>
      ttig.descriptor_prefetch %2[%13, %c0_i32] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32, ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16>
      %14 = tt.descriptor_load %1[%arg6, %c0_i32] {ttig.block_io = "column_major", ttig.desc_padding = 1 : i32, ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %15 = tt.descriptor_load %2[%arg6, %c0_i32] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32, ttig.one_matrix_per_load} : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %16 = tt.dot %6, %14, %cst_2, inputPrecision = tf32 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x32xf32, #mma>
      %17 = arith.mulf %16, %7 : tensor<64x32xf32, #mma>
      %18 = "tt.reduce"(%17) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %35 = arith.maxnumf %arg10, %arg11 : f32
        tt.reduce.return %35 : f32
      }) : (tensor<64x32xf32, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %19 = arith.maxnumf %arg7, %18 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %20 = tt.expand_dims %19 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %21 = tt.broadcast %20 : tensor<64x1xf32, #mma> -> tensor<64x32xf32, #mma>
      %22 = arith.subf %17, %21 : tensor<64x32xf32, #mma>
      %23 = math.exp %22 : tensor<64x32xf32, #mma>
      %24 = arith.subf %arg7, %19 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %25 = math.exp %24 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %26 = arith.mulf %arg8, %25 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %27 = "tt.reduce"(%23) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %35 = arith.addf %arg10, %arg11 : f32
        tt.reduce.return %35 : f32
      }) : (tensor<64x32xf32, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %28 = arith.addf %26, %27 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %29 = arith.truncf %23 : tensor<64x32xf32, #mma> to tensor<64x32xf16, #mma>
      %30 = tt.expand_dims %25 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %31 = tt.broadcast %30 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
      %32 = arith.mulf %arg9, %31 : tensor<64x64xf32, #mma>
      %33 = ttg.convert_layout %29 : tensor<64x32xf16, #mma> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %34 = tt.dot %33, %15, %32, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      scf.yield %19, %28, %34 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64x64xf32, #mma>
    }
    %9 = tt.expand_dims %8#1 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
    %10 = tt.broadcast %9 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
    %11 = arith.divf %8#2, %10 : tensor<64x64xf32, #mma>
    %12 = arith.truncf %11 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    tt.descriptor_store %3[%5, %c0_i32], %12 {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x64xf16>, tensor<64x64xf16, #mma>
    tt.return
  }
}
