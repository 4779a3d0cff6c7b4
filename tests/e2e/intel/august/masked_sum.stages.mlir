// ttir
module {
  tt.func public @masked_sum(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<256xf32>
    %0 = tt.get_program_id x : i32
    %1 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %2 = scf.for %arg4 = %c0_i32 to %arg2 step %c256_i32 iter_args(%arg5 = %cst) -> (tensor<256xf32>)  : i32 {
      %5 = arith.muli %0, %arg3 : i32
      %6 = tt.addptr %arg0, %5 : !tt.ptr<f32>, i32
      %7 = tt.addptr %6, %arg4 : !tt.ptr<f32>, i32
      %8 = tt.splat %7 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
      %9 = tt.addptr %8, %1 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      %10 = tt.splat %arg4 : i32 -> tensor<256xi32>
      %11 = arith.addi %10, %1 : tensor<256xi32>
      %12 = tt.splat %arg2 : i32 -> tensor<256xi32>
      %13 = arith.cmpi slt, %11, %12 : tensor<256xi32>
      %14 = tt.load %9, %13, %cst : tensor<256x!tt.ptr<f32>>
      %15 = arith.addf %arg5, %14 : tensor<256xf32>
      scf.yield %15 : tensor<256xf32>
    }
    %3 = tt.addptr %arg1, %0 : !tt.ptr<f32>, i32
    %4 = "tt.reduce"(%2) <{axis = 0 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %5 = arith.addf %arg4, %arg5 : f32
      tt.reduce.return %5 : f32
    }) : (tensor<256xf32>) -> f32
    tt.store %3, %4 : !tt.ptr<f32>
    tt.return
  }
}

// -----

// triton-licm
module {
  tt.func public @masked_sum(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<256xf32>
    %0 = tt.get_program_id x : i32
    %1 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %2 = arith.muli %0, %arg3 : i32
    %3 = tt.addptr %arg0, %2 : !tt.ptr<f32>, i32
    %4 = tt.splat %arg2 : i32 -> tensor<256xi32>
    %5 = scf.for %arg4 = %c0_i32 to %arg2 step %c256_i32 iter_args(%arg5 = %cst) -> (tensor<256xf32>)  : i32 {
      %8 = tt.addptr %3, %arg4 : !tt.ptr<f32>, i32
      %9 = tt.splat %8 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
      %10 = tt.addptr %9, %1 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      %11 = tt.splat %arg4 : i32 -> tensor<256xi32>
      %12 = arith.addi %11, %1 : tensor<256xi32>
      %13 = arith.cmpi slt, %12, %4 : tensor<256xi32>
      %14 = tt.load %10, %13, %cst : tensor<256x!tt.ptr<f32>>
      %15 = arith.addf %arg5, %14 : tensor<256xf32>
      scf.yield %15 : tensor<256xf32>
    }
    %6 = tt.addptr %arg1, %0 : !tt.ptr<f32>, i32
    %7 = "tt.reduce"(%5) <{axis = 0 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %8 = arith.addf %arg4, %arg5 : f32
      tt.reduce.return %8 : f32
    }) : (tensor<256xf32>) -> f32
    tt.store %6, %7 : !tt.ptr<f32>
    tt.return
  }
}

// -----

// triton-annotate-module
module attributes {"ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @masked_sum(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<256xf32>
    %0 = tt.get_program_id x : i32
    %1 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %2 = arith.muli %0, %arg3 : i32
    %3 = tt.addptr %arg0, %2 : !tt.ptr<f32>, i32
    %4 = tt.splat %arg2 : i32 -> tensor<256xi32>
    %5 = scf.for %arg4 = %c0_i32 to %arg2 step %c256_i32 iter_args(%arg5 = %cst) -> (tensor<256xf32>)  : i32 {
      %8 = tt.addptr %3, %arg4 : !tt.ptr<f32>, i32
      %9 = tt.splat %8 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
      %10 = tt.addptr %9, %1 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      %11 = tt.splat %arg4 : i32 -> tensor<256xi32>
      %12 = arith.addi %11, %1 : tensor<256xi32>
      %13 = arith.cmpi slt, %12, %4 : tensor<256xi32>
      %14 = tt.load %10, %13, %cst : tensor<256x!tt.ptr<f32>>
      %15 = arith.addf %arg5, %14 : tensor<256xf32>
      scf.yield %15 : tensor<256xf32>
    }
    %6 = tt.addptr %arg1, %0 : !tt.ptr<f32>, i32
    %7 = "tt.reduce"(%5) <{axis = 0 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %8 = arith.addf %arg4, %arg5 : f32
      tt.reduce.return %8 : f32
    }) : (tensor<256xf32>) -> f32
    tt.store %6, %7 : !tt.ptr<f32>
    tt.return
  }
}

// -----

// convert-triton-to-tritongpu
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @masked_sum(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<256xf32, #blocked>
    %0 = tt.get_program_id x : i32
    %1 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
    %2 = arith.muli %0, %arg3 : i32
    %3 = tt.addptr %arg0, %2 : !tt.ptr<f32>, i32
    %4 = tt.splat %arg2 : i32 -> tensor<256xi32, #blocked>
    %5 = scf.for %arg4 = %c0_i32 to %arg2 step %c256_i32 iter_args(%arg5 = %cst) -> (tensor<256xf32, #blocked>)  : i32 {
      %8 = tt.addptr %3, %arg4 : !tt.ptr<f32>, i32
      %9 = tt.splat %8 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
      %10 = tt.addptr %9, %1 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %11 = tt.splat %arg4 : i32 -> tensor<256xi32, #blocked>
      %12 = arith.addi %11, %1 : tensor<256xi32, #blocked>
      %13 = arith.cmpi slt, %12, %4 : tensor<256xi32, #blocked>
      %14 = tt.load %10, %13, %cst : tensor<256x!tt.ptr<f32>, #blocked>
      %15 = arith.addf %arg5, %14 : tensor<256xf32, #blocked>
      scf.yield %15 : tensor<256xf32, #blocked>
    }
    %6 = tt.addptr %arg1, %0 : !tt.ptr<f32>, i32
    %7 = "tt.reduce"(%5) <{axis = 0 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %8 = arith.addf %arg4, %arg5 : f32
      tt.reduce.return %8 : f32
    }) : (tensor<256xf32, #blocked>) -> f32
    tt.store %6, %7 : !tt.ptr<f32>
    tt.return
  }
}

// -----

// tritongpu-coalesce
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @masked_sum(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<256xf32, #blocked>
    %0 = tt.get_program_id x : i32
    %1 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
    %2 = arith.muli %0, %arg3 : i32
    %3 = tt.addptr %arg0, %2 : !tt.ptr<f32>, i32
    %4 = tt.splat %arg2 : i32 -> tensor<256xi32, #blocked>
    %5 = scf.for %arg4 = %c0_i32 to %arg2 step %c256_i32 iter_args(%arg5 = %cst) -> (tensor<256xf32, #blocked>)  : i32 {
      %8 = tt.addptr %3, %arg4 : !tt.ptr<f32>, i32
      %9 = tt.splat %8 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
      %10 = tt.addptr %9, %1 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %11 = tt.splat %arg4 : i32 -> tensor<256xi32, #blocked>
      %12 = arith.addi %11, %1 : tensor<256xi32, #blocked>
      %13 = arith.cmpi slt, %12, %4 : tensor<256xi32, #blocked>
      %14 = ttg.convert_layout %10 : tensor<256x!tt.ptr<f32>, #blocked> -> tensor<256x!tt.ptr<f32>, #blocked1>
      %15 = ttg.convert_layout %13 : tensor<256xi1, #blocked> -> tensor<256xi1, #blocked1>
      %16 = ttg.convert_layout %cst : tensor<256xf32, #blocked> -> tensor<256xf32, #blocked1>
      %17 = tt.load %14, %15, %16 : tensor<256x!tt.ptr<f32>, #blocked1>
      %18 = ttg.convert_layout %17 : tensor<256xf32, #blocked1> -> tensor<256xf32, #blocked>
      %19 = arith.addf %arg5, %18 : tensor<256xf32, #blocked>
      scf.yield %19 : tensor<256xf32, #blocked>
    }
    %6 = tt.addptr %arg1, %0 : !tt.ptr<f32>, i32
    %7 = "tt.reduce"(%5) <{axis = 0 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %8 = arith.addf %arg4, %arg5 : f32
      tt.reduce.return %8 : f32
    }) : (tensor<256xf32, #blocked>) -> f32
    tt.store %6, %7 : !tt.ptr<f32>
    tt.return
  }
}

// -----

// tritonintelgpu-remove-layout-conversions
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @masked_sum(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<256xf32, #blocked>
    %0 = tt.get_program_id x : i32
    %1 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
    %2 = arith.muli %0, %arg3 : i32
    %3 = tt.addptr %arg0, %2 : !tt.ptr<f32>, i32
    %4 = tt.splat %arg2 : i32 -> tensor<256xi32, #blocked>
    %5 = scf.for %arg4 = %c0_i32 to %arg2 step %c256_i32 iter_args(%arg5 = %cst) -> (tensor<256xf32, #blocked>)  : i32 {
      %8 = tt.addptr %3, %arg4 : !tt.ptr<f32>, i32
      %9 = tt.splat %8 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
      %10 = tt.addptr %9, %1 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %11 = tt.splat %arg4 : i32 -> tensor<256xi32, #blocked>
      %12 = arith.addi %11, %1 : tensor<256xi32, #blocked>
      %13 = arith.cmpi slt, %12, %4 : tensor<256xi32, #blocked>
      %14 = tt.load %10, %13, %cst : tensor<256x!tt.ptr<f32>, #blocked>
      %15 = arith.addf %arg5, %14 : tensor<256xf32, #blocked>
      scf.yield %15 : tensor<256xf32, #blocked>
    }
    %6 = tt.addptr %arg1, %0 : !tt.ptr<f32>, i32
    %7 = "tt.reduce"(%5) <{axis = 0 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %8 = arith.addf %arg4, %arg5 : f32
      tt.reduce.return %8 : f32
    }) : (tensor<256xf32, #blocked>) -> f32
    tt.store %6, %7 : !tt.ptr<f32>
    tt.return
  }
}

// -----

// tritonintelgpu-annotate-cache-control
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @masked_sum(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<256xf32, #blocked>
    %0 = tt.get_program_id x : i32
    %1 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
    %2 = arith.muli %0, %arg3 : i32
    %3 = tt.addptr %arg0, %2 : !tt.ptr<f32>, i32
    %4 = tt.splat %arg2 : i32 -> tensor<256xi32, #blocked>
    %5 = scf.for %arg4 = %c0_i32 to %arg2 step %c256_i32 iter_args(%arg5 = %cst) -> (tensor<256xf32, #blocked>)  : i32 {
      %8 = tt.addptr %3, %arg4 : !tt.ptr<f32>, i32
      %9 = tt.splat %8 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
      %10 = tt.addptr %9, %1 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %11 = tt.splat %arg4 : i32 -> tensor<256xi32, #blocked>
      %12 = arith.addi %11, %1 : tensor<256xi32, #blocked>
      %13 = arith.cmpi slt, %12, %4 : tensor<256xi32, #blocked>
      %14 = tt.load %10, %13, %cst cacheModifier = cg : tensor<256x!tt.ptr<f32>, #blocked>
      %15 = arith.addf %arg5, %14 : tensor<256xf32, #blocked>
      scf.yield %15 : tensor<256xf32, #blocked>
    }
    %6 = tt.addptr %arg1, %0 : !tt.ptr<f32>, i32
    %7 = "tt.reduce"(%5) <{axis = 0 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %8 = arith.addf %arg4, %arg5 : f32
      tt.reduce.return %8 : f32
    }) : (tensor<256xf32, #blocked>) -> f32
    tt.store %6, %7 : !tt.ptr<f32>
    tt.return
  }
}

// -----

// sccp
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @masked_sum(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<256xf32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c256_i32 = arith.constant 256 : i32
    %0 = tt.get_program_id x : i32
    %1 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
    %2 = arith.muli %0, %arg3 : i32
    %3 = tt.addptr %arg0, %2 : !tt.ptr<f32>, i32
    %4 = tt.splat %arg2 : i32 -> tensor<256xi32, #blocked>
    %5 = scf.for %arg4 = %c0_i32 to %arg2 step %c256_i32 iter_args(%arg5 = %cst) -> (tensor<256xf32, #blocked>)  : i32 {
      %8 = tt.addptr %3, %arg4 : !tt.ptr<f32>, i32
      %9 = tt.splat %8 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
      %10 = tt.addptr %9, %1 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %11 = tt.splat %arg4 : i32 -> tensor<256xi32, #blocked>
      %12 = arith.addi %11, %1 : tensor<256xi32, #blocked>
      %13 = arith.cmpi slt, %12, %4 : tensor<256xi32, #blocked>
      %14 = tt.load %10, %13, %cst cacheModifier = cg : tensor<256x!tt.ptr<f32>, #blocked>
      %15 = arith.addf %arg5, %14 : tensor<256xf32, #blocked>
      scf.yield %15 : tensor<256xf32, #blocked>
    }
    %6 = tt.addptr %arg1, %0 : !tt.ptr<f32>, i32
    %7 = "tt.reduce"(%5) <{axis = 0 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %8 = arith.addf %arg4, %arg5 : f32
      tt.reduce.return %8 : f32
    }) : (tensor<256xf32, #blocked>) -> f32
    tt.store %6, %7 : !tt.ptr<f32>
    tt.return
  }
}
