// ttir
module {
  tt.func public @gemm_descriptors(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %c32_i32 = arith.constant 32 : i32
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c1_i64 = arith.constant 1 : i64
    %0 = arith.extsi %arg5 : i32 to i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg3, %arg5], [%0, %c1_i64] : <f16>, <64x32xf16>
    %2 = arith.extsi %arg4 : i32 to i64
    %3 = tt.make_tensor_descriptor %arg1, [%arg5, %arg4], [%2, %c1_i64] : <f16>, <32x64xf16>
    %4 = tt.make_tensor_descriptor %arg2, [%arg3, %arg4], [%2, %c1_i64] : <f16>, <64x64xf16>
    %5 = tt.get_program_id x : i32
    %6 = arith.muli %5, %c64_i32 : i32
    %7 = tt.get_program_id y : i32
    %8 = arith.muli %7, %c64_i32 : i32
    %9 = scf.for %arg6 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg7 = %cst) -> (tensor<64x64xf32>)  : i32 {
      %11 = tt.descriptor_load %1[%6, %arg6] : !tt.tensordesc<64x32xf16> -> tensor<64x32xf16>
      %12 = tt.descriptor_load %3[%arg6, %8] : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16>
      %13 = tt.dot %11, %12, %arg7, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %13 : tensor<64x64xf32>
    }
    %10 = arith.truncf %9 : tensor<64x64xf32> to tensor<64x64xf16>
    tt.descriptor_store %4[%6, %8], %10 : !tt.tensordesc<64x64xf16>, tensor<64x64xf16>
    tt.return
  }
}

// -----

// triton-annotate-module
module attributes {"ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @gemm_descriptors(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %c32_i32 = arith.constant 32 : i32
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c1_i64 = arith.constant 1 : i64
    %0 = arith.extsi %arg5 : i32 to i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg3, %arg5], [%0, %c1_i64] : <f16>, <64x32xf16>
    %2 = arith.extsi %arg4 : i32 to i64
    %3 = tt.make_tensor_descriptor %arg1, [%arg5, %arg4], [%2, %c1_i64] : <f16>, <32x64xf16>
    %4 = tt.make_tensor_descriptor %arg2, [%arg3, %arg4], [%2, %c1_i64] : <f16>, <64x64xf16>
    %5 = tt.get_program_id x : i32
    %6 = arith.muli %5, %c64_i32 : i32
    %7 = tt.get_program_id y : i32
    %8 = arith.muli %7, %c64_i32 : i32
    %9 = scf.for %arg6 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg7 = %cst) -> (tensor<64x64xf32>)  : i32 {
      %11 = tt.descriptor_load %1[%6, %arg6] : !tt.tensordesc<64x32xf16> -> tensor<64x32xf16>
      %12 = tt.descriptor_load %3[%arg6, %8] : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16>
      %13 = tt.dot %11, %12, %arg7, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %13 : tensor<64x64xf32>
    }
    %10 = arith.truncf %9 : tensor<64x64xf32> to tensor<64x64xf16>
    tt.descriptor_store %4[%6, %8], %10 : !tt.tensordesc<64x64xf16>, tensor<64x64xf16>
    tt.return
  }
}

// -----

// convert-triton-to-tritongpu
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @gemm_descriptors(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #blocked>
    %c32_i32 = arith.constant 32 : i32
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c1_i64 = arith.constant 1 : i64
    %0 = arith.extsi %arg5 : i32 to i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg3, %arg5], [%0, %c1_i64] : <f16>, <64x32xf16>
    %2 = arith.extsi %arg4 : i32 to i64
    %3 = tt.make_tensor_descriptor %arg1, [%arg5, %arg4], [%2, %c1_i64] : <f16>, <32x64xf16>
    %4 = tt.make_tensor_descriptor %arg2, [%arg3, %arg4], [%2, %c1_i64] : <f16>, <64x64xf16>
    %5 = tt.get_program_id x : i32
    %6 = arith.muli %5, %c64_i32 : i32
    %7 = tt.get_program_id y : i32
    %8 = arith.muli %7, %c64_i32 : i32
    %9 = scf.for %arg6 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg7 = %cst) -> (tensor<64x64xf32, #blocked>)  : i32 {
      %11 = tt.descriptor_load %1[%6, %arg6] : !tt.tensordesc<64x32xf16> -> tensor<64x32xf16, #blocked1>
      %12 = tt.descriptor_load %3[%arg6, %8] : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16, #blocked>
      %13 = ttg.convert_layout %11 : tensor<64x32xf16, #blocked1> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>>
      %14 = ttg.convert_layout %12 : tensor<32x64xf16, #blocked> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>>
      %15 = ttg.convert_layout %arg7 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked2>
      %16 = tt.dot %13, %14, %15, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>> -> tensor<64x64xf32, #blocked2>
      %17 = ttg.convert_layout %16 : tensor<64x64xf32, #blocked2> -> tensor<64x64xf32, #blocked>
      scf.yield %17 : tensor<64x64xf32, #blocked>
    }
    %10 = arith.truncf %9 : tensor<64x64xf32, #blocked> to tensor<64x64xf16, #blocked>
    tt.descriptor_store %4[%6, %8], %10 : !tt.tensordesc<64x64xf16>, tensor<64x64xf16, #blocked>
    tt.return
  }
}

// -----

// tritongpu-coalesce
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked4 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @gemm_descriptors(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #blocked>
    %c32_i32 = arith.constant 32 : i32
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c1_i64 = arith.constant 1 : i64
    %0 = arith.extsi %arg5 : i32 to i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg3, %arg5], [%0, %c1_i64] : <f16>, <64x32xf16>
    %2 = arith.extsi %arg4 : i32 to i64
    %3 = tt.make_tensor_descriptor %arg1, [%arg5, %arg4], [%2, %c1_i64] : <f16>, <32x64xf16>
    %4 = tt.make_tensor_descriptor %arg2, [%arg3, %arg4], [%2, %c1_i64] : <f16>, <64x64xf16>
    %5 = tt.get_program_id x : i32
    %6 = arith.muli %5, %c64_i32 : i32
    %7 = tt.get_program_id y : i32
    %8 = arith.muli %7, %c64_i32 : i32
    %9 = scf.for %arg6 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg7 = %cst) -> (tensor<64x64xf32, #blocked>)  : i32 {
      %12 = tt.descriptor_load %1[%6, %arg6] : !tt.tensordesc<64x32xf16> -> tensor<64x32xf16, #blocked1>
      %13 = ttg.convert_layout %12 : tensor<64x32xf16, #blocked1> -> tensor<64x32xf16, #blocked2>
      %14 = tt.descriptor_load %3[%arg6, %8] : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16, #blocked3>
      %15 = ttg.convert_layout %14 : tensor<32x64xf16, #blocked3> -> tensor<32x64xf16, #blocked>
      %16 = ttg.convert_layout %13 : tensor<64x32xf16, #blocked2> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked4}>>
      %17 = ttg.convert_layout %15 : tensor<32x64xf16, #blocked> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked4}>>
      %18 = ttg.convert_layout %arg7 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked4>
      %19 = tt.dot %16, %17, %18, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked4}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked4}>> -> tensor<64x64xf32, #blocked4>
      %20 = ttg.convert_layout %19 : tensor<64x64xf32, #blocked4> -> tensor<64x64xf32, #blocked>
      scf.yield %20 : tensor<64x64xf32, #blocked>
    }
    %10 = arith.truncf %9 : tensor<64x64xf32, #blocked> to tensor<64x64xf16, #blocked>
    %11 = ttg.convert_layout %10 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked3>
    tt.descriptor_store %4[%6, %8], %11 : !tt.tensordesc<64x64xf16>, tensor<64x64xf16, #blocked3>
    tt.return
  }
}

// -----

// tritonintelgpu-remove-layout-conversions
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @gemm_descriptors(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c1_i64 = arith.constant 1 : i64
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #blocked>
    %0 = arith.extsi %arg5 : i32 to i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg3, %arg5], [%0, %c1_i64] : <f16>, <64x32xf16>
    %2 = arith.extsi %arg4 : i32 to i64
    %3 = tt.make_tensor_descriptor %arg1, [%arg5, %arg4], [%2, %c1_i64] : <f16>, <32x64xf16>
    %4 = tt.make_tensor_descriptor %arg2, [%arg3, %arg4], [%2, %c1_i64] : <f16>, <64x64xf16>
    %5 = tt.get_program_id x : i32
    %6 = arith.muli %5, %c64_i32 : i32
    %7 = tt.get_program_id y : i32
    %8 = arith.muli %7, %c64_i32 : i32
    %9 = scf.for %arg6 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg7 = %cst) -> (tensor<64x64xf32, #blocked>)  : i32 {
      %12 = tt.descriptor_load %1[%6, %arg6] : !tt.tensordesc<64x32xf16> -> tensor<64x32xf16, #blocked1>
      %13 = tt.descriptor_load %3[%arg6, %8] : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16, #blocked2>
      %14 = ttg.convert_layout %12 : tensor<64x32xf16, #blocked1> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>
      %15 = ttg.convert_layout %13 : tensor<32x64xf16, #blocked2> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>
      %16 = tt.dot %14, %15, %arg7, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<64x64xf32, #blocked>
      scf.yield %16 : tensor<64x64xf32, #blocked>
    }
    %10 = arith.truncf %9 : tensor<64x64xf32, #blocked> to tensor<64x64xf16, #blocked>
    %11 = ttg.convert_layout %10 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked2>
    tt.descriptor_store %4[%6, %8], %11 : !tt.tensordesc<64x64xf16>, tensor<64x64xf16, #blocked2>
    tt.return
  }
}

// -----

// tritonintelgpu-accelerate-matmul
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @gemm_descriptors(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c1_i64 = arith.constant 1 : i64
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #blocked>
    %0 = arith.extsi %arg5 : i32 to i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg3, %arg5], [%0, %c1_i64] : <f16>, <64x32xf16>
    %2 = arith.extsi %arg4 : i32 to i64
    %3 = tt.make_tensor_descriptor %arg1, [%arg5, %arg4], [%2, %c1_i64] : <f16>, <32x64xf16>
    %4 = tt.make_tensor_descriptor %arg2, [%arg3, %arg4], [%2, %c1_i64] : <f16>, <64x64xf16>
    %5 = tt.get_program_id x : i32
    %6 = arith.muli %5, %c64_i32 : i32
    %7 = tt.get_program_id y : i32
    %8 = arith.muli %7, %c64_i32 : i32
    %9 = scf.for %arg6 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg7 = %cst) -> (tensor<64x64xf32, #blocked>)  : i32 {
      %12 = tt.descriptor_load %1[%6, %arg6] : !tt.tensordesc<64x32xf16> -> tensor<64x32xf16, #blocked1>
      %13 = tt.descriptor_load %3[%arg6, %8] : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16, #blocked2>
      %14 = ttg.convert_layout %12 : tensor<64x32xf16, #blocked1> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>
      %15 = ttg.convert_layout %13 : tensor<32x64xf16, #blocked2> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>
      %16 = ttg.convert_layout %arg7 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #mma>
      %17 = ttg.convert_layout %14 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %18 = ttg.convert_layout %15 : tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %19 = tt.dot %17, %18, %16, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      %20 = ttg.convert_layout %19 : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked>
      scf.yield %20 : tensor<64x64xf32, #blocked>
    }
    %10 = arith.truncf %9 : tensor<64x64xf32, #blocked> to tensor<64x64xf16, #blocked>
    %11 = ttg.convert_layout %10 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked2>
    tt.descriptor_store %4[%6, %8], %11 : !tt.tensordesc<64x64xf16>, tensor<64x64xf16, #blocked2>
    tt.return
  }
}

// -----

// tritonintelgpu-materialize-block-pointer
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @gemm_descriptors(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c1_i64 = arith.constant 1 : i64
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #blocked>
    %0 = arith.extsi %arg5 : i32 to i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg3, %arg5], [%0, %c1_i64] : <f16>, <64x32xf16>
    %2 = arith.extsi %arg4 : i32 to i64
    %3 = tt.make_tensor_descriptor %arg1, [%arg5, %arg4], [%2, %c1_i64] : <f16>, <32x64xf16>
    %4 = tt.make_tensor_descriptor %arg2, [%arg3, %arg4], [%2, %c1_i64] : <f16>, <64x64xf16>
    %5 = tt.get_program_id x : i32
    %6 = arith.muli %5, %c64_i32 : i32
    %7 = tt.get_program_id y : i32
    %8 = arith.muli %7, %c64_i32 : i32
    %9 = scf.for %arg6 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg7 = %cst) -> (tensor<64x64xf32, #blocked>)  : i32 {
      %12 = tt.descriptor_load %1[%6, %arg6] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x32xf16> -> tensor<64x32xf16, #blocked1>
      %13 = tt.descriptor_load %3[%arg6, %8] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16, #blocked2>
      %14 = ttg.convert_layout %12 : tensor<64x32xf16, #blocked1> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>
      %15 = ttg.convert_layout %13 : tensor<32x64xf16, #blocked2> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>
      %16 = ttg.convert_layout %arg7 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #mma>
      %17 = ttg.convert_layout %14 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %18 = ttg.convert_layout %15 : tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %19 = tt.dot %17, %18, %16, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      %20 = ttg.convert_layout %19 : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked>
      scf.yield %20 : tensor<64x64xf32, #blocked>
    }
    %10 = arith.truncf %9 : tensor<64x64xf32, #blocked> to tensor<64x64xf16, #blocked>
    %11 = ttg.convert_layout %10 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked2>
    tt.descriptor_store %4[%6, %8], %11 {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x64xf16>, tensor<64x64xf16, #blocked2>
    tt.return
  }
}

// -----

// tritonintelgpu-remove-layout-conversions
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @gemm_descriptors(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c1_i64 = arith.constant 1 : i64
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = arith.extsi %arg5 : i32 to i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg3, %arg5], [%0, %c1_i64] : <f16>, <64x32xf16>
    %2 = arith.extsi %arg4 : i32 to i64
    %3 = tt.make_tensor_descriptor %arg1, [%arg5, %arg4], [%2, %c1_i64] : <f16>, <32x64xf16>
    %4 = tt.make_tensor_descriptor %arg2, [%arg3, %arg4], [%2, %c1_i64] : <f16>, <64x64xf16>
    %5 = tt.get_program_id x : i32
    %6 = arith.muli %5, %c64_i32 : i32
    %7 = tt.get_program_id y : i32
    %8 = arith.muli %7, %c64_i32 : i32
    %9 = scf.for %arg6 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg7 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %11 = tt.descriptor_load %1[%6, %arg6] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x32xf16> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %12 = tt.descriptor_load %3[%arg6, %8] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %13 = tt.dot %11, %12, %arg7, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      scf.yield %13 : tensor<64x64xf32, #mma>
    }
    %10 = arith.truncf %9 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    tt.descriptor_store %4[%6, %8], %10 {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x64xf16>, tensor<64x64xf16, #mma>
    tt.return
  }
}

// -----

// tritonintelgpu-pipeline
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @gemm_descriptors(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c1_i64 = arith.constant 1 : i64
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = arith.extsi %arg5 : i32 to i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg3, %arg5], [%0, %c1_i64] : <f16>, <64x32xf16>
    %2 = arith.extsi %arg4 : i32 to i64
    %3 = tt.make_tensor_descriptor %arg1, [%arg5, %arg4], [%2, %c1_i64] : <f16>, <32x64xf16>
    %4 = tt.make_tensor_descriptor %arg2, [%arg3, %arg4], [%2, %c1_i64] : <f16>, <64x64xf16>
    %5 = tt.get_program_id x : i32
    %6 = arith.muli %5, %c64_i32 : i32
    %7 = tt.get_program_id y : i32
    %8 = arith.muli %7, %c64_i32 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %9 = arith.muli %c32_i32, %c0_i32_0 : i32
    %10 = arith.addi %c0_i32, %9 : i32
    %11 = arith.cmpi slt, %10, %arg5 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %12 = arith.muli %c32_i32, %c0_i32_1 : i32
    %13 = arith.addi %c0_i32, %12 : i32
    ttig.descriptor_prefetch %1[%6, %13] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x32xf16>
    ttig.descriptor_prefetch %3[%13, %8] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<32x64xf16>
    %14 = scf.for %arg6 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg7 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %c1_i32 = arith.constant 1 : i32
      %16 = arith.muli %c32_i32, %c1_i32 : i32
      %17 = arith.subi %arg5, %16 : i32
      %18 = arith.cmpi slt, %arg6, %17 : i32
      %c1_i32_2 = arith.constant 1 : i32
      %19 = arith.muli %c32_i32, %c1_i32_2 : i32
      %20 = arith.addi %arg6, %19 : i32
      ttig.descriptor_prefetch %1[%6, %20] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x32xf16>
      %c1_i32_3 = arith.constant 1 : i32
      %21 = arith.muli %c32_i32, %c1_i32_3 : i32
      %22 = arith.addi %arg6, %21 : i32
      ttig.descriptor_prefetch %3[%22, %8] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<32x64xf16>
      %c0_i32_4 = arith.constant 0 : i32
      %23 = arith.muli %c32_i32, %c0_i32_4 : i32
      %24 = arith.addi %arg6, %23 : i32
      %25 = tt.descriptor_load %1[%6, %24] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x32xf16> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %c0_i32_5 = arith.constant 0 : i32
      %26 = arith.muli %c32_i32, %c0_i32_5 : i32
      %27 = arith.addi %arg6, %26 : i32
      %28 = tt.descriptor_load %3[%27, %8] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %29 = tt.dot %25, %28, %arg7, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      scf.yield %29 : tensor<64x64xf32, #mma>
    }
    %15 = arith.truncf %14 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    tt.descriptor_store %4[%6, %8], %15 {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x64xf16>, tensor<64x64xf16, #mma>
    tt.return
  }
}

// -----

// tritonintelgpu-reduce-variable-liveness
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @gemm_descriptors(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c1_i64 = arith.constant 1 : i64
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = arith.extsi %arg5 : i32 to i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg3, %arg5], [%0, %c1_i64] : <f16>, <64x32xf16>
    %2 = arith.extsi %arg4 : i32 to i64
    %3 = tt.make_tensor_descriptor %arg1, [%arg5, %arg4], [%2, %c1_i64] : <f16>, <32x64xf16>
    %4 = tt.make_tensor_descriptor %arg2, [%arg3, %arg4], [%2, %c1_i64] : <f16>, <64x64xf16>
    %5 = tt.get_program_id x : i32
    %6 = arith.muli %5, %c64_i32 : i32
    %7 = tt.get_program_id y : i32
    %8 = arith.muli %7, %c64_i32 : i32
    ttig.descriptor_prefetch %1[%6, %c0_i32] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x32xf16>
    ttig.descriptor_prefetch %3[%c0_i32, %8] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<32x64xf16>
    %9 = scf.for %arg6 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg7 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %11 = arith.addi %arg6, %c32_i32 : i32
      ttig.descriptor_prefetch %1[%6, %11] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x32xf16>
      %12 = arith.addi %arg6, %c32_i32 : i32
      ttig.descriptor_prefetch %3[%12, %8] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<32x64xf16>
      %13 = tt.descriptor_load %1[%6, %arg6] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x32xf16> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %14 = tt.descriptor_load %3[%arg6, %8] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %15 = tt.dot %13, %14, %arg7, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      scf.yield %15 : tensor<64x64xf32, #mma>
    }
    %10 = arith.truncf %9 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    tt.descriptor_store %4[%6, %8], %10 {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x64xf16>, tensor<64x64xf16, #mma>
    tt.return
  }
}

// -----

// triton-loop-aware-cse
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @gemm_descriptors(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c1_i64 = arith.constant 1 : i64
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = arith.extsi %arg5 : i32 to i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg3, %arg5], [%0, %c1_i64] : <f16>, <64x32xf16>
    %2 = arith.extsi %arg4 : i32 to i64
    %3 = tt.make_tensor_descriptor %arg1, [%arg5, %arg4], [%2, %c1_i64] : <f16>, <32x64xf16>
    %4 = tt.make_tensor_descriptor %arg2, [%arg3, %arg4], [%2, %c1_i64] : <f16>, <64x64xf16>
    %5 = tt.get_program_id x : i32
    %6 = arith.muli %5, %c64_i32 : i32
    %7 = tt.get_program_id y : i32
    %8 = arith.muli %7, %c64_i32 : i32
    ttig.descriptor_prefetch %1[%6, %c0_i32] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x32xf16>
    ttig.descriptor_prefetch %3[%c0_i32, %8] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<32x64xf16>
    %9 = scf.for %arg6 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg7 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %11 = arith.addi %arg6, %c32_i32 : i32
      ttig.descriptor_prefetch %1[%6, %11] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x32xf16>
      ttig.descriptor_prefetch %3[%11, %8] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<32x64xf16>
      %12 = tt.descriptor_load %1[%6, %arg6] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x32xf16> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %13 = tt.descriptor_load %3[%arg6, %8] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %14 = tt.dot %12, %13, %arg7, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      scf.yield %14 : tensor<64x64xf32, #mma>
    }
    %10 = arith.truncf %9 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    tt.descriptor_store %4[%6, %8], %10 {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x64xf16>, tensor<64x64xf16, #mma>
    tt.return
  }
}

// -----

// sccp
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @gemm_descriptors(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %c32_i32 = arith.constant 32 : i32
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c1_i64 = arith.constant 1 : i64
    %0 = arith.extsi %arg5 : i32 to i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg3, %arg5], [%0, %c1_i64] : <f16>, <64x32xf16>
    %2 = arith.extsi %arg4 : i32 to i64
    %3 = tt.make_tensor_descriptor %arg1, [%arg5, %arg4], [%2, %c1_i64] : <f16>, <32x64xf16>
    %4 = tt.make_tensor_descriptor %arg2, [%arg3, %arg4], [%2, %c1_i64] : <f16>, <64x64xf16>
    %5 = tt.get_program_id x : i32
    %6 = arith.muli %5, %c64_i32 : i32
    %7 = tt.get_program_id y : i32
    %8 = arith.muli %7, %c64_i32 : i32
    ttig.descriptor_prefetch %1[%6, %c0_i32] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x32xf16>
    ttig.descriptor_prefetch %3[%c0_i32, %8] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<32x64xf16>
    %9 = scf.for %arg6 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg7 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %11 = arith.addi %arg6, %c32_i32 : i32
      ttig.descriptor_prefetch %1[%6, %11] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x32xf16>
      ttig.descriptor_prefetch %3[%11, %8] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<32x64xf16>
      %12 = tt.descriptor_load %1[%6, %arg6] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x32xf16> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %13 = tt.descriptor_load %3[%arg6, %8] {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %14 = tt.dot %12, %13, %arg7, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      scf.yield %14 : tensor<64x64xf32, #mma>
    }
    %10 = arith.truncf %9 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    tt.descriptor_store %4[%6, %8], %10 {ttig.block_io = "row_major", ttig.desc_padding = 1 : i32} : !tt.tensordesc<64x64xf16>, tensor<64x64xf16, #mma>
    tt.return
  }
}
