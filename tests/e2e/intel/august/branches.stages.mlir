// ttir
module {
  tt.func public @branches(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<16> : tensor<512xi32>
    %cst_0 = arith.constant dense<2.000000e+00> : tensor<512xf32>
    %c0_i32 = arith.constant 0 : i32
    %c512_i32 = arith.constant 512 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c512_i32 : i32
    %2 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    %3 = tt.splat %1 : i32 -> tensor<512xi32>
    %4 = arith.addi %3, %2 : tensor<512xi32>
    %5 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %6 = tt.addptr %5, %4 : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
    %7 = tt.splat %arg2 : i32 -> tensor<512xi32>
    %8 = arith.cmpi slt, %4, %7 : tensor<512xi32>
    %9 = tt.load %6, %8 : tensor<512x!tt.ptr<f32>>
    %10 = arith.cmpi sgt, %arg3, %c0_i32 : i32
    %11 = scf.if %10 -> (tensor<512xf32>) {
      %16 = arith.mulf %9, %cst_0 : tensor<512xf32>
      %17 = tt.addptr %6, %7 : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
      %18 = tt.load %17, %8 : tensor<512x!tt.ptr<f32>>
      %19 = arith.addf %16, %18 : tensor<512xf32>
      scf.yield %19 : tensor<512xf32>
    } else {
      %16 = arith.negf %9 : tensor<512xf32>
      scf.yield %16 : tensor<512xf32>
    }
    %12 = arith.remsi %4, %cst : tensor<512xi32>
    %13 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %14 = tt.addptr %13, %12 : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
    %15 = tt.atomic_rmw fadd, acq_rel, gpu, %14, %11, %8 : (tensor<512x!tt.ptr<f32>>, tensor<512xf32>, tensor<512xi1>) -> tensor<512xf32>
    tt.return
  }
}

// -----

// triton-intel-simplify-signed-arithmetic
module {
  tt.func public @branches(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<16> : tensor<512xi32>
    %cst_0 = arith.constant dense<2.000000e+00> : tensor<512xf32>
    %c0_i32 = arith.constant 0 : i32
    %c512_i32 = arith.constant 512 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c512_i32 : i32
    %2 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    %3 = tt.splat %1 : i32 -> tensor<512xi32>
    %4 = arith.addi %3, %2 : tensor<512xi32>
    %5 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %6 = tt.addptr %5, %4 : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
    %7 = tt.splat %arg2 : i32 -> tensor<512xi32>
    %8 = arith.cmpi slt, %4, %7 : tensor<512xi32>
    %9 = tt.load %6, %8 : tensor<512x!tt.ptr<f32>>
    %10 = arith.cmpi sgt, %arg3, %c0_i32 : i32
    %11 = scf.if %10 -> (tensor<512xf32>) {
      %16 = arith.mulf %9, %cst_0 : tensor<512xf32>
      %17 = tt.addptr %6, %7 : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
      %18 = tt.load %17, %8 : tensor<512x!tt.ptr<f32>>
      %19 = arith.addf %16, %18 : tensor<512xf32>
      scf.yield %19 : tensor<512xf32>
    } else {
      %16 = arith.negf %9 : tensor<512xf32>
      scf.yield %16 : tensor<512xf32>
    }
    %12 = arith.remui %4, %cst : tensor<512xi32>
    %13 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %14 = tt.addptr %13, %12 : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
    %15 = tt.atomic_rmw fadd, acq_rel, gpu, %14, %11, %8 : (tensor<512x!tt.ptr<f32>>, tensor<512xf32>, tensor<512xi1>) -> tensor<512xf32>
    tt.return
  }
}

// -----

// triton-annotate-module
module attributes {"ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @branches(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<16> : tensor<512xi32>
    %cst_0 = arith.constant dense<2.000000e+00> : tensor<512xf32>
    %c0_i32 = arith.constant 0 : i32
    %c512_i32 = arith.constant 512 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c512_i32 : i32
    %2 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    %3 = tt.splat %1 : i32 -> tensor<512xi32>
    %4 = arith.addi %3, %2 : tensor<512xi32>
    %5 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %6 = tt.addptr %5, %4 : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
    %7 = tt.splat %arg2 : i32 -> tensor<512xi32>
    %8 = arith.cmpi slt, %4, %7 : tensor<512xi32>
    %9 = tt.load %6, %8 : tensor<512x!tt.ptr<f32>>
    %10 = arith.cmpi sgt, %arg3, %c0_i32 : i32
    %11 = scf.if %10 -> (tensor<512xf32>) {
      %16 = arith.mulf %9, %cst_0 : tensor<512xf32>
      %17 = tt.addptr %6, %7 : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
      %18 = tt.load %17, %8 : tensor<512x!tt.ptr<f32>>
      %19 = arith.addf %16, %18 : tensor<512xf32>
      scf.yield %19 : tensor<512xf32>
    } else {
      %16 = arith.negf %9 : tensor<512xf32>
      scf.yield %16 : tensor<512xf32>
    }
    %12 = arith.remui %4, %cst : tensor<512xi32>
    %13 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %14 = tt.addptr %13, %12 : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
    %15 = tt.atomic_rmw fadd, acq_rel, gpu, %14, %11, %8 : (tensor<512x!tt.ptr<f32>>, tensor<512xf32>, tensor<512xi1>) -> tensor<512xf32>
    tt.return
  }
}

// -----

// convert-triton-to-tritongpu
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @branches(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<16> : tensor<512xi32, #blocked>
    %cst_0 = arith.constant dense<2.000000e+00> : tensor<512xf32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c512_i32 = arith.constant 512 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c512_i32 : i32
    %2 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    %3 = tt.splat %1 : i32 -> tensor<512xi32, #blocked>
    %4 = arith.addi %3, %2 : tensor<512xi32, #blocked>
    %5 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %6 = tt.addptr %5, %4 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %7 = tt.splat %arg2 : i32 -> tensor<512xi32, #blocked>
    %8 = arith.cmpi slt, %4, %7 : tensor<512xi32, #blocked>
    %9 = tt.load %6, %8 : tensor<512x!tt.ptr<f32>, #blocked>
    %10 = arith.cmpi sgt, %arg3, %c0_i32 : i32
    %11 = scf.if %10 -> (tensor<512xf32, #blocked>) {
      %16 = arith.mulf %9, %cst_0 : tensor<512xf32, #blocked>
      %17 = tt.addptr %6, %7 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      %18 = tt.load %17, %8 : tensor<512x!tt.ptr<f32>, #blocked>
      %19 = arith.addf %16, %18 : tensor<512xf32, #blocked>
      scf.yield %19 : tensor<512xf32, #blocked>
    } else {
      %16 = arith.negf %9 : tensor<512xf32, #blocked>
      scf.yield %16 : tensor<512xf32, #blocked>
    }
    %12 = arith.remui %4, %cst : tensor<512xi32, #blocked>
    %13 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %14 = tt.addptr %13, %12 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %15 = tt.atomic_rmw fadd, acq_rel, gpu, %14, %11, %8 : (tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xf32, #blocked>, tensor<512xi1, #blocked>) -> tensor<512xf32, #blocked>
    tt.return
  }
}

// -----

// tritongpu-coalesce
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @branches(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<16> : tensor<512xi32, #blocked>
    %cst_0 = arith.constant dense<2.000000e+00> : tensor<512xf32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c512_i32 = arith.constant 512 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c512_i32 : i32
    %2 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    %3 = tt.splat %1 : i32 -> tensor<512xi32, #blocked>
    %4 = arith.addi %3, %2 : tensor<512xi32, #blocked>
    %5 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %6 = tt.addptr %5, %4 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %7 = tt.splat %arg2 : i32 -> tensor<512xi32, #blocked>
    %8 = arith.cmpi slt, %4, %7 : tensor<512xi32, #blocked>
    %9 = ttg.convert_layout %6 : tensor<512x!tt.ptr<f32>, #blocked> -> tensor<512x!tt.ptr<f32>, #blocked1>
    %10 = ttg.convert_layout %8 : tensor<512xi1, #blocked> -> tensor<512xi1, #blocked1>
    %11 = tt.load %9, %10 : tensor<512x!tt.ptr<f32>, #blocked1>
    %12 = ttg.convert_layout %11 : tensor<512xf32, #blocked1> -> tensor<512xf32, #blocked>
    %13 = arith.cmpi sgt, %arg3, %c0_i32 : i32
    %14 = scf.if %13 -> (tensor<512xf32, #blocked>) {
      %23 = arith.mulf %12, %cst_0 : tensor<512xf32, #blocked>
      %24 = tt.addptr %6, %7 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      %25 = ttg.convert_layout %24 : tensor<512x!tt.ptr<f32>, #blocked> -> tensor<512x!tt.ptr<f32>, #blocked1>
      %26 = ttg.convert_layout %8 : tensor<512xi1, #blocked> -> tensor<512xi1, #blocked1>
      %27 = tt.load %25, %26 : tensor<512x!tt.ptr<f32>, #blocked1>
      %28 = ttg.convert_layout %27 : tensor<512xf32, #blocked1> -> tensor<512xf32, #blocked>
      %29 = arith.addf %23, %28 : tensor<512xf32, #blocked>
      scf.yield %29 : tensor<512xf32, #blocked>
    } else {
      %23 = arith.negf %12 : tensor<512xf32, #blocked>
      scf.yield %23 : tensor<512xf32, #blocked>
    }
    %15 = arith.remui %4, %cst : tensor<512xi32, #blocked>
    %16 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %17 = tt.addptr %16, %15 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %18 = ttg.convert_layout %17 : tensor<512x!tt.ptr<f32>, #blocked> -> tensor<512x!tt.ptr<f32>, #blocked1>
    %19 = ttg.convert_layout %14 : tensor<512xf32, #blocked> -> tensor<512xf32, #blocked1>
    %20 = ttg.convert_layout %8 : tensor<512xi1, #blocked> -> tensor<512xi1, #blocked1>
    %21 = tt.atomic_rmw fadd, acq_rel, gpu, %18, %19, %20 : (tensor<512x!tt.ptr<f32>, #blocked1>, tensor<512xf32, #blocked1>, tensor<512xi1, #blocked1>) -> tensor<512xf32, #blocked1>
    %22 = ttg.convert_layout %21 : tensor<512xf32, #blocked1> -> tensor<512xf32, #blocked>
    tt.return
  }
}

// -----

// tritonintelgpu-remove-layout-conversions
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @branches(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<2.000000e+00> : tensor<512xf32, #blocked>
    %c512_i32 = arith.constant 512 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant dense<16> : tensor<512xi32, #blocked>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c512_i32 : i32
    %2 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    %3 = tt.splat %1 : i32 -> tensor<512xi32, #blocked>
    %4 = arith.addi %3, %2 : tensor<512xi32, #blocked>
    %5 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %6 = tt.addptr %5, %4 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %7 = tt.splat %arg2 : i32 -> tensor<512xi32, #blocked>
    %8 = arith.cmpi slt, %4, %7 : tensor<512xi32, #blocked>
    %9 = tt.load %6, %8 : tensor<512x!tt.ptr<f32>, #blocked>
    %10 = arith.cmpi sgt, %arg3, %c0_i32 : i32
    %11 = scf.if %10 -> (tensor<512xf32, #blocked>) {
      %16 = arith.mulf %9, %cst : tensor<512xf32, #blocked>
      %17 = tt.addptr %6, %7 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      %18 = tt.load %17, %8 : tensor<512x!tt.ptr<f32>, #blocked>
      %19 = arith.addf %16, %18 : tensor<512xf32, #blocked>
      scf.yield %19 : tensor<512xf32, #blocked>
    } else {
      %16 = arith.negf %9 : tensor<512xf32, #blocked>
      scf.yield %16 : tensor<512xf32, #blocked>
    }
    %12 = arith.remui %4, %cst_0 : tensor<512xi32, #blocked>
    %13 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %14 = tt.addptr %13, %12 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %15 = tt.atomic_rmw fadd, acq_rel, gpu, %14, %11, %8 : (tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xf32, #blocked>, tensor<512xi1, #blocked>) -> tensor<512xf32, #blocked>
    tt.return
  }
}

// -----

// sccp
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @branches(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<16> : tensor<512xi32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c512_i32 = arith.constant 512 : i32
    %cst_0 = arith.constant dense<2.000000e+00> : tensor<512xf32, #blocked>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c512_i32 : i32
    %2 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    %3 = tt.splat %1 : i32 -> tensor<512xi32, #blocked>
    %4 = arith.addi %3, %2 : tensor<512xi32, #blocked>
    %5 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %6 = tt.addptr %5, %4 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %7 = tt.splat %arg2 : i32 -> tensor<512xi32, #blocked>
    %8 = arith.cmpi slt, %4, %7 : tensor<512xi32, #blocked>
    %9 = tt.load %6, %8 : tensor<512x!tt.ptr<f32>, #blocked>
    %10 = arith.cmpi sgt, %arg3, %c0_i32 : i32
    %11 = scf.if %10 -> (tensor<512xf32, #blocked>) {
      %16 = arith.mulf %9, %cst_0 : tensor<512xf32, #blocked>
      %17 = tt.addptr %6, %7 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      %18 = tt.load %17, %8 : tensor<512x!tt.ptr<f32>, #blocked>
      %19 = arith.addf %16, %18 : tensor<512xf32, #blocked>
      scf.yield %19 : tensor<512xf32, #blocked>
    } else {
      %16 = arith.negf %9 : tensor<512xf32, #blocked>
      scf.yield %16 : tensor<512xf32, #blocked>
    }
    %12 = arith.remui %4, %cst : tensor<512xi32, #blocked>
    %13 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %14 = tt.addptr %13, %12 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %15 = tt.atomic_rmw fadd, acq_rel, gpu, %14, %11, %8 : (tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xf32, #blocked>, tensor<512xi1, #blocked>) -> tensor<512xf32, #blocked>
    tt.return
  }
}
