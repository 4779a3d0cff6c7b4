// ttir
module {
  tt.func public @transposed(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c32_i32 = arith.constant 32 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c32_i32 : i32
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %3 = tt.splat %1 : i32 -> tensor<32xi32>
    %4 = arith.addi %3, %2 : tensor<32xi32>
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c32_i32 : i32
    %7 = tt.splat %6 : i32 -> tensor<32xi32>
    %8 = arith.addi %7, %2 : tensor<32xi32>
    %9 = tt.expand_dims %4 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %10 = tt.splat %arg3 : i32 -> tensor<32x1xi32>
    %11 = arith.muli %9, %10 : tensor<32x1xi32>
    %12 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>>
    %13 = tt.addptr %12, %11 : tensor<32x1x!tt.ptr<f32>>, tensor<32x1xi32>
    %14 = tt.expand_dims %8 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %15 = tt.broadcast %13 : tensor<32x1x!tt.ptr<f32>> -> tensor<32x32x!tt.ptr<f32>>
    %16 = tt.broadcast %14 : tensor<1x32xi32> -> tensor<32x32xi32>
    %17 = tt.addptr %15, %16 : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
    %18 = tt.splat %arg2 : i32 -> tensor<32x1xi32>
    %19 = arith.cmpi slt, %9, %18 : tensor<32x1xi32>
    %20 = tt.splat %arg3 : i32 -> tensor<1x32xi32>
    %21 = arith.cmpi slt, %14, %20 : tensor<1x32xi32>
    %22 = tt.broadcast %19 : tensor<32x1xi1> -> tensor<32x32xi1>
    %23 = tt.broadcast %21 : tensor<1x32xi1> -> tensor<32x32xi1>
    %24 = arith.andi %22, %23 : tensor<32x32xi1>
    %25 = tt.load %17, %24 : tensor<32x32x!tt.ptr<f32>>
    %26 = tt.expand_dims %8 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %27 = arith.muli %26, %18 : tensor<32x1xi32>
    %28 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>>
    %29 = tt.addptr %28, %27 : tensor<32x1x!tt.ptr<f32>>, tensor<32x1xi32>
    %30 = tt.expand_dims %4 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %31 = tt.broadcast %29 : tensor<32x1x!tt.ptr<f32>> -> tensor<32x32x!tt.ptr<f32>>
    %32 = tt.broadcast %30 : tensor<1x32xi32> -> tensor<32x32xi32>
    %33 = tt.addptr %31, %32 : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
    %34 = tt.trans %25 {order = array<i32: 1, 0>} : tensor<32x32xf32> -> tensor<32x32xf32>
    %35 = arith.cmpi slt, %26, %10 : tensor<32x1xi32>
    %36 = tt.splat %arg2 : i32 -> tensor<1x32xi32>
    %37 = arith.cmpi slt, %30, %36 : tensor<1x32xi32>
    %38 = tt.broadcast %35 : tensor<32x1xi1> -> tensor<32x32xi1>
    %39 = tt.broadcast %37 : tensor<1x32xi1> -> tensor<32x32xi1>
    %40 = arith.andi %38, %39 : tensor<32x32xi1>
    tt.store %33, %34, %40 : tensor<32x32x!tt.ptr<f32>>
    tt.return
  }
}

// -----

// triton-annotate-module
module attributes {"ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @transposed(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c32_i32 = arith.constant 32 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c32_i32 : i32
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %3 = tt.splat %1 : i32 -> tensor<32xi32>
    %4 = arith.addi %3, %2 : tensor<32xi32>
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c32_i32 : i32
    %7 = tt.splat %6 : i32 -> tensor<32xi32>
    %8 = arith.addi %7, %2 : tensor<32xi32>
    %9 = tt.expand_dims %4 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %10 = tt.splat %arg3 : i32 -> tensor<32x1xi32>
    %11 = arith.muli %9, %10 : tensor<32x1xi32>
    %12 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>>
    %13 = tt.addptr %12, %11 : tensor<32x1x!tt.ptr<f32>>, tensor<32x1xi32>
    %14 = tt.expand_dims %8 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %15 = tt.broadcast %13 : tensor<32x1x!tt.ptr<f32>> -> tensor<32x32x!tt.ptr<f32>>
    %16 = tt.broadcast %14 : tensor<1x32xi32> -> tensor<32x32xi32>
    %17 = tt.addptr %15, %16 : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
    %18 = tt.splat %arg2 : i32 -> tensor<32x1xi32>
    %19 = arith.cmpi slt, %9, %18 : tensor<32x1xi32>
    %20 = tt.splat %arg3 : i32 -> tensor<1x32xi32>
    %21 = arith.cmpi slt, %14, %20 : tensor<1x32xi32>
    %22 = tt.broadcast %19 : tensor<32x1xi1> -> tensor<32x32xi1>
    %23 = tt.broadcast %21 : tensor<1x32xi1> -> tensor<32x32xi1>
    %24 = arith.andi %22, %23 : tensor<32x32xi1>
    %25 = tt.load %17, %24 : tensor<32x32x!tt.ptr<f32>>
    %26 = tt.expand_dims %8 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %27 = arith.muli %26, %18 : tensor<32x1xi32>
    %28 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>>
    %29 = tt.addptr %28, %27 : tensor<32x1x!tt.ptr<f32>>, tensor<32x1xi32>
    %30 = tt.expand_dims %4 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %31 = tt.broadcast %29 : tensor<32x1x!tt.ptr<f32>> -> tensor<32x32x!tt.ptr<f32>>
    %32 = tt.broadcast %30 : tensor<1x32xi32> -> tensor<32x32xi32>
    %33 = tt.addptr %31, %32 : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
    %34 = tt.trans %25 {order = array<i32: 1, 0>} : tensor<32x32xf32> -> tensor<32x32xf32>
    %35 = arith.cmpi slt, %26, %10 : tensor<32x1xi32>
    %36 = tt.splat %arg2 : i32 -> tensor<1x32xi32>
    %37 = arith.cmpi slt, %30, %36 : tensor<1x32xi32>
    %38 = tt.broadcast %35 : tensor<32x1xi1> -> tensor<32x32xi1>
    %39 = tt.broadcast %37 : tensor<1x32xi1> -> tensor<32x32xi1>
    %40 = arith.andi %38, %39 : tensor<32x32xi1>
    tt.store %33, %34, %40 : tensor<32x32x!tt.ptr<f32>>
    tt.return
  }
}

// -----

// convert-triton-to-tritongpu
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [0, 1]}>
#blocked4 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked5 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 1], warpsPerCTA = [2, 2], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @transposed(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c32_i32 = arith.constant 32 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c32_i32 : i32
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #blocked>
    %3 = tt.splat %1 : i32 -> tensor<32xi32, #blocked>
    %4 = arith.addi %3, %2 : tensor<32xi32, #blocked>
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c32_i32 : i32
    %7 = tt.splat %6 : i32 -> tensor<32xi32, #blocked>
    %8 = arith.addi %7, %2 : tensor<32xi32, #blocked>
    %9 = ttg.convert_layout %4 : tensor<32xi32, #blocked> -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %10 = tt.expand_dims %9 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xi32, #blocked1>
    %11 = ttg.convert_layout %10 : tensor<32x1xi32, #blocked1> -> tensor<32x1xi32, #blocked2>
    %12 = ttg.convert_layout %10 : tensor<32x1xi32, #blocked1> -> tensor<32x1xi32, #blocked2>
    %13 = tt.splat %arg3 : i32 -> tensor<32x1xi32, #blocked2>
    %14 = arith.muli %12, %13 : tensor<32x1xi32, #blocked2>
    %15 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>, #blocked2>
    %16 = tt.addptr %15, %14 : tensor<32x1x!tt.ptr<f32>, #blocked2>, tensor<32x1xi32, #blocked2>
    %17 = ttg.convert_layout %8 : tensor<32xi32, #blocked> -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked3}>>
    %18 = tt.expand_dims %17 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked3}>> -> tensor<1x32xi32, #blocked3>
    %19 = ttg.convert_layout %18 : tensor<1x32xi32, #blocked3> -> tensor<1x32xi32, #blocked4>
    %20 = ttg.convert_layout %18 : tensor<1x32xi32, #blocked3> -> tensor<1x32xi32, #blocked4>
    %21 = tt.broadcast %16 : tensor<32x1x!tt.ptr<f32>, #blocked2> -> tensor<32x32x!tt.ptr<f32>, #blocked2>
    %22 = ttg.convert_layout %21 : tensor<32x32x!tt.ptr<f32>, #blocked2> -> tensor<32x32x!tt.ptr<f32>, #blocked4>
    %23 = tt.broadcast %20 : tensor<1x32xi32, #blocked4> -> tensor<32x32xi32, #blocked4>
    %24 = tt.addptr %22, %23 : tensor<32x32x!tt.ptr<f32>, #blocked4>, tensor<32x32xi32, #blocked4>
    %25 = tt.splat %arg2 : i32 -> tensor<32x1xi32, #blocked2>
    %26 = arith.cmpi slt, %11, %25 : tensor<32x1xi32, #blocked2>
    %27 = tt.splat %arg3 : i32 -> tensor<1x32xi32, #blocked4>
    %28 = arith.cmpi slt, %19, %27 : tensor<1x32xi32, #blocked4>
    %29 = tt.broadcast %26 : tensor<32x1xi1, #blocked2> -> tensor<32x32xi1, #blocked2>
    %30 = ttg.convert_layout %29 : tensor<32x32xi1, #blocked2> -> tensor<32x32xi1, #blocked4>
    %31 = tt.broadcast %28 : tensor<1x32xi1, #blocked4> -> tensor<32x32xi1, #blocked4>
    %32 = arith.andi %30, %31 : tensor<32x32xi1, #blocked4>
    %33 = tt.load %24, %32 : tensor<32x32x!tt.ptr<f32>, #blocked4>
    %34 = ttg.convert_layout %8 : tensor<32xi32, #blocked> -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %35 = tt.expand_dims %34 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xi32, #blocked1>
    %36 = ttg.convert_layout %35 : tensor<32x1xi32, #blocked1> -> tensor<32x1xi32, #blocked2>
    %37 = ttg.convert_layout %35 : tensor<32x1xi32, #blocked1> -> tensor<32x1xi32, #blocked2>
    %38 = arith.muli %37, %25 : tensor<32x1xi32, #blocked2>
    %39 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>, #blocked2>
    %40 = tt.addptr %39, %38 : tensor<32x1x!tt.ptr<f32>, #blocked2>, tensor<32x1xi32, #blocked2>
    %41 = ttg.convert_layout %4 : tensor<32xi32, #blocked> -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked3}>>
    %42 = tt.expand_dims %41 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked3}>> -> tensor<1x32xi32, #blocked3>
    %43 = ttg.convert_layout %42 : tensor<1x32xi32, #blocked3> -> tensor<1x32xi32, #blocked4>
    %44 = ttg.convert_layout %42 : tensor<1x32xi32, #blocked3> -> tensor<1x32xi32, #blocked4>
    %45 = tt.broadcast %40 : tensor<32x1x!tt.ptr<f32>, #blocked2> -> tensor<32x32x!tt.ptr<f32>, #blocked2>
    %46 = ttg.convert_layout %45 : tensor<32x32x!tt.ptr<f32>, #blocked2> -> tensor<32x32x!tt.ptr<f32>, #blocked4>
    %47 = tt.broadcast %44 : tensor<1x32xi32, #blocked4> -> tensor<32x32xi32, #blocked4>
    %48 = tt.addptr %46, %47 : tensor<32x32x!tt.ptr<f32>, #blocked4>, tensor<32x32xi32, #blocked4>
    %49 = tt.trans %33 {order = array<i32: 1, 0>} : tensor<32x32xf32, #blocked4> -> tensor<32x32xf32, #blocked5>
    %50 = ttg.convert_layout %49 : tensor<32x32xf32, #blocked5> -> tensor<32x32xf32, #blocked4>
    %51 = arith.cmpi slt, %36, %13 : tensor<32x1xi32, #blocked2>
    %52 = tt.splat %arg2 : i32 -> tensor<1x32xi32, #blocked4>
    %53 = arith.cmpi slt, %43, %52 : tensor<1x32xi32, #blocked4>
    %54 = tt.broadcast %51 : tensor<32x1xi1, #blocked2> -> tensor<32x32xi1, #blocked2>
    %55 = ttg.convert_layout %54 : tensor<32x32xi1, #blocked2> -> tensor<32x32xi1, #blocked4>
    %56 = tt.broadcast %53 : tensor<1x32xi1, #blocked4> -> tensor<32x32xi1, #blocked4>
    %57 = arith.andi %55, %56 : tensor<32x32xi1, #blocked4>
    tt.store %48, %50, %57 : tensor<32x32x!tt.ptr<f32>, #blocked4>
    tt.return
  }
}

// -----

// tritongpu-coalesce
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [0, 1]}>
#blocked4 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked5 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked6 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 1], warpsPerCTA = [2, 2], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @transposed(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c32_i32 = arith.constant 32 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c32_i32 : i32
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #blocked>
    %3 = tt.splat %1 : i32 -> tensor<32xi32, #blocked>
    %4 = arith.addi %3, %2 : tensor<32xi32, #blocked>
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c32_i32 : i32
    %7 = tt.splat %6 : i32 -> tensor<32xi32, #blocked>
    %8 = arith.addi %7, %2 : tensor<32xi32, #blocked>
    %9 = ttg.convert_layout %4 : tensor<32xi32, #blocked> -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %10 = tt.expand_dims %9 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xi32, #blocked1>
    %11 = ttg.convert_layout %10 : tensor<32x1xi32, #blocked1> -> tensor<32x1xi32, #blocked2>
    %12 = ttg.convert_layout %10 : tensor<32x1xi32, #blocked1> -> tensor<32x1xi32, #blocked2>
    %13 = tt.splat %arg3 : i32 -> tensor<32x1xi32, #blocked2>
    %14 = arith.muli %12, %13 : tensor<32x1xi32, #blocked2>
    %15 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>, #blocked2>
    %16 = tt.addptr %15, %14 : tensor<32x1x!tt.ptr<f32>, #blocked2>, tensor<32x1xi32, #blocked2>
    %17 = ttg.convert_layout %8 : tensor<32xi32, #blocked> -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked3}>>
    %18 = tt.expand_dims %17 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked3}>> -> tensor<1x32xi32, #blocked3>
    %19 = ttg.convert_layout %18 : tensor<1x32xi32, #blocked3> -> tensor<1x32xi32, #blocked4>
    %20 = ttg.convert_layout %18 : tensor<1x32xi32, #blocked3> -> tensor<1x32xi32, #blocked4>
    %21 = tt.broadcast %16 : tensor<32x1x!tt.ptr<f32>, #blocked2> -> tensor<32x32x!tt.ptr<f32>, #blocked2>
    %22 = ttg.convert_layout %21 : tensor<32x32x!tt.ptr<f32>, #blocked2> -> tensor<32x32x!tt.ptr<f32>, #blocked4>
    %23 = tt.broadcast %20 : tensor<1x32xi32, #blocked4> -> tensor<32x32xi32, #blocked4>
    %24 = tt.addptr %22, %23 : tensor<32x32x!tt.ptr<f32>, #blocked4>, tensor<32x32xi32, #blocked4>
    %25 = tt.splat %arg2 : i32 -> tensor<32x1xi32, #blocked2>
    %26 = arith.cmpi slt, %11, %25 : tensor<32x1xi32, #blocked2>
    %27 = tt.splat %arg3 : i32 -> tensor<1x32xi32, #blocked4>
    %28 = arith.cmpi slt, %19, %27 : tensor<1x32xi32, #blocked4>
    %29 = tt.broadcast %26 : tensor<32x1xi1, #blocked2> -> tensor<32x32xi1, #blocked2>
    %30 = ttg.convert_layout %29 : tensor<32x32xi1, #blocked2> -> tensor<32x32xi1, #blocked4>
    %31 = tt.broadcast %28 : tensor<1x32xi1, #blocked4> -> tensor<32x32xi1, #blocked4>
    %32 = arith.andi %30, %31 : tensor<32x32xi1, #blocked4>
    %33 = ttg.convert_layout %24 : tensor<32x32x!tt.ptr<f32>, #blocked4> -> tensor<32x32x!tt.ptr<f32>, #blocked5>
    %34 = ttg.convert_layout %32 : tensor<32x32xi1, #blocked4> -> tensor<32x32xi1, #blocked5>
    %35 = tt.load %33, %34 : tensor<32x32x!tt.ptr<f32>, #blocked5>
    %36 = ttg.convert_layout %35 : tensor<32x32xf32, #blocked5> -> tensor<32x32xf32, #blocked4>
    %37 = ttg.convert_layout %8 : tensor<32xi32, #blocked> -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %38 = tt.expand_dims %37 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xi32, #blocked1>
    %39 = ttg.convert_layout %38 : tensor<32x1xi32, #blocked1> -> tensor<32x1xi32, #blocked2>
    %40 = ttg.convert_layout %38 : tensor<32x1xi32, #blocked1> -> tensor<32x1xi32, #blocked2>
    %41 = arith.muli %40, %25 : tensor<32x1xi32, #blocked2>
    %42 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>, #blocked2>
    %43 = tt.addptr %42, %41 : tensor<32x1x!tt.ptr<f32>, #blocked2>, tensor<32x1xi32, #blocked2>
    %44 = ttg.convert_layout %4 : tensor<32xi32, #blocked> -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked3}>>
    %45 = tt.expand_dims %44 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked3}>> -> tensor<1x32xi32, #blocked3>
    %46 = ttg.convert_layout %45 : tensor<1x32xi32, #blocked3> -> tensor<1x32xi32, #blocked4>
    %47 = ttg.convert_layout %45 : tensor<1x32xi32, #blocked3> -> tensor<1x32xi32, #blocked4>
    %48 = tt.broadcast %43 : tensor<32x1x!tt.ptr<f32>, #blocked2> -> tensor<32x32x!tt.ptr<f32>, #blocked2>
    %49 = ttg.convert_layout %48 : tensor<32x32x!tt.ptr<f32>, #blocked2> -> tensor<32x32x!tt.ptr<f32>, #blocked4>
    %50 = tt.broadcast %47 : tensor<1x32xi32, #blocked4> -> tensor<32x32xi32, #blocked4>
    %51 = tt.addptr %49, %50 : tensor<32x32x!tt.ptr<f32>, #blocked4>, tensor<32x32xi32, #blocked4>
    %52 = tt.trans %36 {order = array<i32: 1, 0>} : tensor<32x32xf32, #blocked4> -> tensor<32x32xf32, #blocked6>
    %53 = ttg.convert_layout %52 : tensor<32x32xf32, #blocked6> -> tensor<32x32xf32, #blocked4>
    %54 = arith.cmpi slt, %39, %13 : tensor<32x1xi32, #blocked2>
    %55 = tt.splat %arg2 : i32 -> tensor<1x32xi32, #blocked4>
    %56 = arith.cmpi slt, %46, %55 : tensor<1x32xi32, #blocked4>
    %57 = tt.broadcast %54 : tensor<32x1xi1, #blocked2> -> tensor<32x32xi1, #blocked2>
    %58 = ttg.convert_layout %57 : tensor<32x32xi1, #blocked2> -> tensor<32x32xi1, #blocked4>
    %59 = tt.broadcast %56 : tensor<1x32xi1, #blocked4> -> tensor<32x32xi1, #blocked4>
    %60 = arith.andi %58, %59 : tensor<32x32xi1, #blocked4>
    %61 = ttg.convert_layout %51 : tensor<32x32x!tt.ptr<f32>, #blocked4> -> tensor<32x32x!tt.ptr<f32>, #blocked5>
    %62 = ttg.convert_layout %53 : tensor<32x32xf32, #blocked4> -> tensor<32x32xf32, #blocked5>
    %63 = ttg.convert_layout %60 : tensor<32x32xi1, #blocked4> -> tensor<32x32xi1, #blocked5>
    tt.store %61, %62, %63 : tensor<32x32x!tt.ptr<f32>, #blocked5>
    tt.return
  }
}

// -----

// tritonintelgpu-remove-layout-conversions
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @transposed(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c32_i32 = arith.constant 32 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c32_i32 : i32
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %4 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %5 = tt.splat %1 : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %6 = tt.splat %1 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %7 = arith.addi %5, %2 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %8 = arith.addi %6, %4 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %9 = tt.get_program_id y : i32
    %10 = arith.muli %9, %c32_i32 : i32
    %11 = tt.splat %10 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %12 = tt.splat %10 : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %13 = tt.splat %10 : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %14 = arith.addi %13, %2 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %15 = arith.addi %12, %3 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %16 = arith.addi %11, %4 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %17 = tt.expand_dims %7 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %18 = tt.splat %arg3 : i32 -> tensor<32x1xi32, #blocked>
    %19 = arith.muli %17, %18 : tensor<32x1xi32, #blocked>
    %20 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>, #blocked>
    %21 = tt.addptr %20, %19 : tensor<32x1x!tt.ptr<f32>, #blocked>, tensor<32x1xi32, #blocked>
    %22 = tt.expand_dims %16 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %23 = tt.broadcast %21 : tensor<32x1x!tt.ptr<f32>, #blocked> -> tensor<32x32x!tt.ptr<f32>, #blocked>
    %24 = tt.broadcast %22 : tensor<1x32xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %25 = tt.addptr %23, %24 : tensor<32x32x!tt.ptr<f32>, #blocked>, tensor<32x32xi32, #blocked>
    %26 = tt.splat %arg2 : i32 -> tensor<32x1xi32, #blocked>
    %27 = arith.cmpi slt, %17, %26 : tensor<32x1xi32, #blocked>
    %28 = tt.splat %arg3 : i32 -> tensor<1x32xi32, #blocked>
    %29 = arith.cmpi slt, %22, %28 : tensor<1x32xi32, #blocked>
    %30 = tt.broadcast %27 : tensor<32x1xi1, #blocked> -> tensor<32x32xi1, #blocked>
    %31 = tt.broadcast %29 : tensor<1x32xi1, #blocked> -> tensor<32x32xi1, #blocked>
    %32 = arith.andi %30, %31 : tensor<32x32xi1, #blocked>
    %33 = tt.load %25, %32 : tensor<32x32x!tt.ptr<f32>, #blocked>
    %34 = tt.expand_dims %14 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %35 = tt.expand_dims %15 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xi32, #blocked1>
    %36 = ttg.convert_layout %35 : tensor<32x1xi32, #blocked1> -> tensor<32x1xi32, #blocked>
    %37 = arith.muli %34, %26 : tensor<32x1xi32, #blocked>
    %38 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>, #blocked>
    %39 = tt.addptr %38, %37 : tensor<32x1x!tt.ptr<f32>, #blocked>, tensor<32x1xi32, #blocked>
    %40 = tt.expand_dims %8 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %41 = tt.broadcast %39 : tensor<32x1x!tt.ptr<f32>, #blocked> -> tensor<32x32x!tt.ptr<f32>, #blocked>
    %42 = tt.broadcast %40 : tensor<1x32xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %43 = tt.addptr %41, %42 : tensor<32x32x!tt.ptr<f32>, #blocked>, tensor<32x32xi32, #blocked>
    %44 = tt.trans %33 {order = array<i32: 1, 0>} : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #blocked2>
    %45 = arith.cmpi slt, %36, %18 : tensor<32x1xi32, #blocked>
    %46 = tt.splat %arg2 : i32 -> tensor<1x32xi32, #blocked>
    %47 = arith.cmpi slt, %40, %46 : tensor<1x32xi32, #blocked>
    %48 = tt.broadcast %45 : tensor<32x1xi1, #blocked> -> tensor<32x32xi1, #blocked>
    %49 = tt.broadcast %47 : tensor<1x32xi1, #blocked> -> tensor<32x32xi1, #blocked>
    %50 = arith.andi %48, %49 : tensor<32x32xi1, #blocked>
    %51 = ttg.convert_layout %44 : tensor<32x32xf32, #blocked2> -> tensor<32x32xf32, #blocked>
    tt.store %43, %51, %50 : tensor<32x32x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

// -----

// tritonintelgpu-remove-layout-conversions
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @transposed(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c32_i32 = arith.constant 32 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c32_i32 : i32
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %4 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %5 = tt.splat %1 : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %6 = tt.splat %1 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %7 = arith.addi %5, %2 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %8 = arith.addi %6, %4 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %9 = tt.get_program_id y : i32
    %10 = arith.muli %9, %c32_i32 : i32
    %11 = tt.splat %10 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %12 = tt.splat %10 : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %13 = tt.splat %10 : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %14 = arith.addi %13, %2 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %15 = arith.addi %12, %3 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %16 = arith.addi %11, %4 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %17 = tt.expand_dims %7 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %18 = tt.splat %arg3 : i32 -> tensor<32x1xi32, #blocked>
    %19 = arith.muli %17, %18 : tensor<32x1xi32, #blocked>
    %20 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>, #blocked>
    %21 = tt.addptr %20, %19 : tensor<32x1x!tt.ptr<f32>, #blocked>, tensor<32x1xi32, #blocked>
    %22 = tt.expand_dims %16 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %23 = tt.broadcast %21 : tensor<32x1x!tt.ptr<f32>, #blocked> -> tensor<32x32x!tt.ptr<f32>, #blocked>
    %24 = tt.broadcast %22 : tensor<1x32xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %25 = tt.addptr %23, %24 : tensor<32x32x!tt.ptr<f32>, #blocked>, tensor<32x32xi32, #blocked>
    %26 = tt.splat %arg2 : i32 -> tensor<32x1xi32, #blocked>
    %27 = arith.cmpi slt, %17, %26 : tensor<32x1xi32, #blocked>
    %28 = tt.splat %arg3 : i32 -> tensor<1x32xi32, #blocked>
    %29 = arith.cmpi slt, %22, %28 : tensor<1x32xi32, #blocked>
    %30 = tt.broadcast %27 : tensor<32x1xi1, #blocked> -> tensor<32x32xi1, #blocked>
    %31 = tt.broadcast %29 : tensor<1x32xi1, #blocked> -> tensor<32x32xi1, #blocked>
    %32 = arith.andi %30, %31 : tensor<32x32xi1, #blocked>
    %33 = tt.load %25, %32 : tensor<32x32x!tt.ptr<f32>, #blocked>
    %34 = tt.expand_dims %14 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %35 = tt.expand_dims %15 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %36 = arith.muli %34, %26 : tensor<32x1xi32, #blocked>
    %37 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>, #blocked>
    %38 = tt.addptr %37, %36 : tensor<32x1x!tt.ptr<f32>, #blocked>, tensor<32x1xi32, #blocked>
    %39 = tt.expand_dims %8 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %40 = tt.broadcast %38 : tensor<32x1x!tt.ptr<f32>, #blocked> -> tensor<32x32x!tt.ptr<f32>, #blocked>
    %41 = tt.broadcast %39 : tensor<1x32xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %42 = tt.addptr %40, %41 : tensor<32x32x!tt.ptr<f32>, #blocked>, tensor<32x32xi32, #blocked>
    %43 = tt.trans %33 {order = array<i32: 1, 0>} : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #blocked1>
    %44 = arith.cmpi slt, %35, %18 : tensor<32x1xi32, #blocked>
    %45 = tt.splat %arg2 : i32 -> tensor<1x32xi32, #blocked>
    %46 = arith.cmpi slt, %39, %45 : tensor<1x32xi32, #blocked>
    %47 = tt.broadcast %44 : tensor<32x1xi1, #blocked> -> tensor<32x32xi1, #blocked>
    %48 = tt.broadcast %46 : tensor<1x32xi1, #blocked> -> tensor<32x32xi1, #blocked>
    %49 = arith.andi %47, %48 : tensor<32x32xi1, #blocked>
    %50 = ttg.convert_layout %43 : tensor<32x32xf32, #blocked1> -> tensor<32x32xf32, #blocked>
    tt.store %42, %50, %49 : tensor<32x32x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

// -----

// triton-loop-aware-cse
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @transposed(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c32_i32 = arith.constant 32 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c32_i32 : i32
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %4 = tt.splat %1 : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %5 = tt.splat %1 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %6 = arith.addi %4, %2 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %7 = arith.addi %5, %3 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %8 = tt.get_program_id y : i32
    %9 = arith.muli %8, %c32_i32 : i32
    %10 = tt.splat %9 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %11 = tt.splat %9 : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %12 = arith.addi %11, %2 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %13 = arith.addi %10, %3 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %14 = tt.expand_dims %6 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %15 = tt.splat %arg3 : i32 -> tensor<32x1xi32, #blocked>
    %16 = arith.muli %14, %15 : tensor<32x1xi32, #blocked>
    %17 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>, #blocked>
    %18 = tt.addptr %17, %16 : tensor<32x1x!tt.ptr<f32>, #blocked>, tensor<32x1xi32, #blocked>
    %19 = tt.expand_dims %13 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %20 = tt.broadcast %18 : tensor<32x1x!tt.ptr<f32>, #blocked> -> tensor<32x32x!tt.ptr<f32>, #blocked>
    %21 = tt.broadcast %19 : tensor<1x32xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %22 = tt.addptr %20, %21 : tensor<32x32x!tt.ptr<f32>, #blocked>, tensor<32x32xi32, #blocked>
    %23 = tt.splat %arg2 : i32 -> tensor<32x1xi32, #blocked>
    %24 = arith.cmpi slt, %14, %23 : tensor<32x1xi32, #blocked>
    %25 = tt.splat %arg3 : i32 -> tensor<1x32xi32, #blocked>
    %26 = arith.cmpi slt, %19, %25 : tensor<1x32xi32, #blocked>
    %27 = tt.broadcast %24 : tensor<32x1xi1, #blocked> -> tensor<32x32xi1, #blocked>
    %28 = tt.broadcast %26 : tensor<1x32xi1, #blocked> -> tensor<32x32xi1, #blocked>
    %29 = arith.andi %27, %28 : tensor<32x32xi1, #blocked>
    %30 = tt.load %22, %29 : tensor<32x32x!tt.ptr<f32>, #blocked>
    %31 = tt.expand_dims %12 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %32 = arith.muli %31, %23 : tensor<32x1xi32, #blocked>
    %33 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>, #blocked>
    %34 = tt.addptr %33, %32 : tensor<32x1x!tt.ptr<f32>, #blocked>, tensor<32x1xi32, #blocked>
    %35 = tt.expand_dims %7 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %36 = tt.broadcast %34 : tensor<32x1x!tt.ptr<f32>, #blocked> -> tensor<32x32x!tt.ptr<f32>, #blocked>
    %37 = tt.broadcast %35 : tensor<1x32xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %38 = tt.addptr %36, %37 : tensor<32x32x!tt.ptr<f32>, #blocked>, tensor<32x32xi32, #blocked>
    %39 = tt.trans %30 {order = array<i32: 1, 0>} : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #blocked1>
    %40 = arith.cmpi slt, %31, %15 : tensor<32x1xi32, #blocked>
    %41 = tt.splat %arg2 : i32 -> tensor<1x32xi32, #blocked>
    %42 = arith.cmpi slt, %35, %41 : tensor<1x32xi32, #blocked>
    %43 = tt.broadcast %40 : tensor<32x1xi1, #blocked> -> tensor<32x32xi1, #blocked>
    %44 = tt.broadcast %42 : tensor<1x32xi1, #blocked> -> tensor<32x32xi1, #blocked>
    %45 = arith.andi %43, %44 : tensor<32x32xi1, #blocked>
    %46 = ttg.convert_layout %39 : tensor<32x32xf32, #blocked1> -> tensor<32x32xf32, #blocked>
    tt.store %38, %46, %45 : tensor<32x32x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

// -----

// tritongpu-reorder-instructions
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @transposed(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c32_i32 = arith.constant 32 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c32_i32 : i32
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %4 = tt.splat %1 : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %5 = tt.splat %1 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %6 = arith.addi %4, %2 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %7 = arith.addi %5, %3 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %8 = tt.get_program_id y : i32
    %9 = arith.muli %8, %c32_i32 : i32
    %10 = tt.splat %9 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %11 = tt.splat %9 : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %12 = arith.addi %11, %2 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %13 = arith.addi %10, %3 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %14 = tt.expand_dims %6 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %15 = tt.splat %arg3 : i32 -> tensor<32x1xi32, #blocked>
    %16 = arith.muli %14, %15 : tensor<32x1xi32, #blocked>
    %17 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>, #blocked>
    %18 = tt.addptr %17, %16 : tensor<32x1x!tt.ptr<f32>, #blocked>, tensor<32x1xi32, #blocked>
    %19 = tt.expand_dims %13 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %20 = tt.broadcast %18 : tensor<32x1x!tt.ptr<f32>, #blocked> -> tensor<32x32x!tt.ptr<f32>, #blocked>
    %21 = tt.broadcast %19 : tensor<1x32xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %22 = tt.addptr %20, %21 : tensor<32x32x!tt.ptr<f32>, #blocked>, tensor<32x32xi32, #blocked>
    %23 = tt.splat %arg2 : i32 -> tensor<32x1xi32, #blocked>
    %24 = arith.cmpi slt, %14, %23 : tensor<32x1xi32, #blocked>
    %25 = tt.splat %arg3 : i32 -> tensor<1x32xi32, #blocked>
    %26 = arith.cmpi slt, %19, %25 : tensor<1x32xi32, #blocked>
    %27 = tt.broadcast %24 : tensor<32x1xi1, #blocked> -> tensor<32x32xi1, #blocked>
    %28 = tt.broadcast %26 : tensor<1x32xi1, #blocked> -> tensor<32x32xi1, #blocked>
    %29 = arith.andi %27, %28 : tensor<32x32xi1, #blocked>
    %30 = tt.load %22, %29 : tensor<32x32x!tt.ptr<f32>, #blocked>
    %31 = tt.trans %30 {order = array<i32: 1, 0>} : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #blocked1>
    %32 = tt.expand_dims %12 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %33 = arith.muli %32, %23 : tensor<32x1xi32, #blocked>
    %34 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>, #blocked>
    %35 = tt.addptr %34, %33 : tensor<32x1x!tt.ptr<f32>, #blocked>, tensor<32x1xi32, #blocked>
    %36 = tt.expand_dims %7 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %37 = tt.broadcast %35 : tensor<32x1x!tt.ptr<f32>, #blocked> -> tensor<32x32x!tt.ptr<f32>, #blocked>
    %38 = tt.broadcast %36 : tensor<1x32xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %39 = tt.addptr %37, %38 : tensor<32x32x!tt.ptr<f32>, #blocked>, tensor<32x32xi32, #blocked>
    %40 = arith.cmpi slt, %32, %15 : tensor<32x1xi32, #blocked>
    %41 = tt.splat %arg2 : i32 -> tensor<1x32xi32, #blocked>
    %42 = arith.cmpi slt, %36, %41 : tensor<1x32xi32, #blocked>
    %43 = tt.broadcast %40 : tensor<32x1xi1, #blocked> -> tensor<32x32xi1, #blocked>
    %44 = tt.broadcast %42 : tensor<1x32xi1, #blocked> -> tensor<32x32xi1, #blocked>
    %45 = arith.andi %43, %44 : tensor<32x32xi1, #blocked>
    %46 = ttg.convert_layout %31 : tensor<32x32xf32, #blocked1> -> tensor<32x32xf32, #blocked>
    tt.store %39, %46, %45 : tensor<32x32x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
