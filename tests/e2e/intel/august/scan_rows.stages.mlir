// ttir
module {
  tt.func public @scan_rows(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<16x64xf32>
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %3 = tt.splat %arg2 : i32 -> tensor<16x1xi32>
    %4 = arith.muli %2, %3 : tensor<16x1xi32>
    %5 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %6 = tt.broadcast %4 : tensor<16x1xi32> -> tensor<16x64xi32>
    %7 = tt.broadcast %5 : tensor<1x64xi32> -> tensor<16x64xi32>
    %8 = arith.addi %6, %7 : tensor<16x64xi32>
    %9 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>>
    %10 = tt.addptr %9, %8 : tensor<16x64x!tt.ptr<f32>>, tensor<16x64xi32>
    %11 = tt.splat %arg2 : i32 -> tensor<1x64xi32>
    %12 = arith.cmpi slt, %5, %11 : tensor<1x64xi32>
    %13 = tt.broadcast %12 : tensor<1x64xi1> -> tensor<16x64xi1>
    %14 = tt.load %10, %13, %cst : tensor<16x64x!tt.ptr<f32>>
    %15 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>>
    %16 = tt.addptr %15, %8 : tensor<16x64x!tt.ptr<f32>>, tensor<16x64xi32>
    %17 = "tt.scan"(%14) <{axis = 1 : i32, reverse = false}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %18 = arith.addf %arg3, %arg4 : f32
      tt.scan.return %18 : f32
    }) : (tensor<16x64xf32>) -> tensor<16x64xf32>
    tt.store %16, %17, %13 : tensor<16x64x!tt.ptr<f32>>
    tt.return
  }
}

// -----

// triton-annotate-module
module attributes {"ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @scan_rows(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<16x64xf32>
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %3 = tt.splat %arg2 : i32 -> tensor<16x1xi32>
    %4 = arith.muli %2, %3 : tensor<16x1xi32>
    %5 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %6 = tt.broadcast %4 : tensor<16x1xi32> -> tensor<16x64xi32>
    %7 = tt.broadcast %5 : tensor<1x64xi32> -> tensor<16x64xi32>
    %8 = arith.addi %6, %7 : tensor<16x64xi32>
    %9 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>>
    %10 = tt.addptr %9, %8 : tensor<16x64x!tt.ptr<f32>>, tensor<16x64xi32>
    %11 = tt.splat %arg2 : i32 -> tensor<1x64xi32>
    %12 = arith.cmpi slt, %5, %11 : tensor<1x64xi32>
    %13 = tt.broadcast %12 : tensor<1x64xi1> -> tensor<16x64xi1>
    %14 = tt.load %10, %13, %cst : tensor<16x64x!tt.ptr<f32>>
    %15 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>>
    %16 = tt.addptr %15, %8 : tensor<16x64x!tt.ptr<f32>>, tensor<16x64xi32>
    %17 = "tt.scan"(%14) <{axis = 1 : i32, reverse = false}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %18 = arith.addf %arg3, %arg4 : f32
      tt.scan.return %18 : f32
    }) : (tensor<16x64xf32>) -> tensor<16x64xf32>
    tt.store %16, %17, %13 : tensor<16x64x!tt.ptr<f32>>
    tt.return
  }
}

// -----

// convert-triton-to-tritongpu
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked4 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @scan_rows(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<16x64xf32, #blocked>
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #blocked1>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #blocked1>
    %2 = ttg.convert_layout %0 : tensor<16xi32, #blocked1> -> tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %3 = tt.expand_dims %2 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<16x1xi32, #blocked2>
    %4 = ttg.convert_layout %3 : tensor<16x1xi32, #blocked2> -> tensor<16x1xi32, #blocked3>
    %5 = tt.splat %arg2 : i32 -> tensor<16x1xi32, #blocked3>
    %6 = arith.muli %4, %5 : tensor<16x1xi32, #blocked3>
    %7 = ttg.convert_layout %1 : tensor<64xi32, #blocked1> -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked4}>>
    %8 = tt.expand_dims %7 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked4}>> -> tensor<1x64xi32, #blocked4>
    %9 = ttg.convert_layout %8 : tensor<1x64xi32, #blocked4> -> tensor<1x64xi32, #blocked>
    %10 = ttg.convert_layout %8 : tensor<1x64xi32, #blocked4> -> tensor<1x64xi32, #blocked>
    %11 = tt.broadcast %6 : tensor<16x1xi32, #blocked3> -> tensor<16x64xi32, #blocked3>
    %12 = ttg.convert_layout %11 : tensor<16x64xi32, #blocked3> -> tensor<16x64xi32, #blocked>
    %13 = tt.broadcast %10 : tensor<1x64xi32, #blocked> -> tensor<16x64xi32, #blocked>
    %14 = arith.addi %12, %13 : tensor<16x64xi32, #blocked>
    %15 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>, #blocked>
    %16 = tt.addptr %15, %14 : tensor<16x64x!tt.ptr<f32>, #blocked>, tensor<16x64xi32, #blocked>
    %17 = tt.splat %arg2 : i32 -> tensor<1x64xi32, #blocked>
    %18 = arith.cmpi slt, %9, %17 : tensor<1x64xi32, #blocked>
    %19 = tt.broadcast %18 : tensor<1x64xi1, #blocked> -> tensor<16x64xi1, #blocked>
    %20 = tt.load %16, %19, %cst : tensor<16x64x!tt.ptr<f32>, #blocked>
    %21 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>, #blocked>
    %22 = tt.addptr %21, %14 : tensor<16x64x!tt.ptr<f32>, #blocked>, tensor<16x64xi32, #blocked>
    %23 = "tt.scan"(%20) <{axis = 1 : i32, reverse = false}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %24 = arith.addf %arg3, %arg4 : f32
      tt.scan.return %24 : f32
    }) : (tensor<16x64xf32, #blocked>) -> tensor<16x64xf32, #blocked>
    tt.store %22, %23, %19 : tensor<16x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

// -----

// tritongpu-coalesce
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked4 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [0, 1]}>
#blocked5 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @scan_rows(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<16x64xf32, #blocked>
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #blocked1>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #blocked1>
    %2 = ttg.convert_layout %0 : tensor<16xi32, #blocked1> -> tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %3 = tt.expand_dims %2 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<16x1xi32, #blocked2>
    %4 = ttg.convert_layout %3 : tensor<16x1xi32, #blocked2> -> tensor<16x1xi32, #blocked3>
    %5 = tt.splat %arg2 : i32 -> tensor<16x1xi32, #blocked3>
    %6 = arith.muli %4, %5 : tensor<16x1xi32, #blocked3>
    %7 = ttg.convert_layout %1 : tensor<64xi32, #blocked1> -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked4}>>
    %8 = tt.expand_dims %7 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked4}>> -> tensor<1x64xi32, #blocked4>
    %9 = ttg.convert_layout %8 : tensor<1x64xi32, #blocked4> -> tensor<1x64xi32, #blocked>
    %10 = ttg.convert_layout %8 : tensor<1x64xi32, #blocked4> -> tensor<1x64xi32, #blocked>
    %11 = tt.broadcast %6 : tensor<16x1xi32, #blocked3> -> tensor<16x64xi32, #blocked3>
    %12 = ttg.convert_layout %11 : tensor<16x64xi32, #blocked3> -> tensor<16x64xi32, #blocked>
    %13 = tt.broadcast %10 : tensor<1x64xi32, #blocked> -> tensor<16x64xi32, #blocked>
    %14 = arith.addi %12, %13 : tensor<16x64xi32, #blocked>
    %15 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>, #blocked>
    %16 = tt.addptr %15, %14 : tensor<16x64x!tt.ptr<f32>, #blocked>, tensor<16x64xi32, #blocked>
    %17 = tt.splat %arg2 : i32 -> tensor<1x64xi32, #blocked>
    %18 = arith.cmpi slt, %9, %17 : tensor<1x64xi32, #blocked>
    %19 = tt.broadcast %18 : tensor<1x64xi1, #blocked> -> tensor<16x64xi1, #blocked>
    %20 = ttg.convert_layout %16 : tensor<16x64x!tt.ptr<f32>, #blocked> -> tensor<16x64x!tt.ptr<f32>, #blocked5>
    %21 = ttg.convert_layout %19 : tensor<16x64xi1, #blocked> -> tensor<16x64xi1, #blocked5>
    %22 = ttg.convert_layout %cst : tensor<16x64xf32, #blocked> -> tensor<16x64xf32, #blocked5>
    %23 = tt.load %20, %21, %22 : tensor<16x64x!tt.ptr<f32>, #blocked5>
    %24 = ttg.convert_layout %23 : tensor<16x64xf32, #blocked5> -> tensor<16x64xf32, #blocked>
    %25 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>, #blocked>
    %26 = tt.addptr %25, %14 : tensor<16x64x!tt.ptr<f32>, #blocked>, tensor<16x64xi32, #blocked>
    %27 = "tt.scan"(%24) <{axis = 1 : i32, reverse = false}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %31 = arith.addf %arg3, %arg4 : f32
      tt.scan.return %31 : f32
    }) : (tensor<16x64xf32, #blocked>) -> tensor<16x64xf32, #blocked>
    %28 = ttg.convert_layout %26 : tensor<16x64x!tt.ptr<f32>, #blocked> -> tensor<16x64x!tt.ptr<f32>, #blocked5>
    %29 = ttg.convert_layout %27 : tensor<16x64xf32, #blocked> -> tensor<16x64xf32, #blocked5>
    %30 = ttg.convert_layout %19 : tensor<16x64xi1, #blocked> -> tensor<16x64xi1, #blocked5>
    tt.store %28, %29, %30 : tensor<16x64x!tt.ptr<f32>, #blocked5>
    tt.return
  }
}

// -----

// tritonintelgpu-remove-layout-conversions
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @scan_rows(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<16x64xf32, #blocked>
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
    %2 = tt.splat %arg2 : i32 -> tensor<16x1xi32, #blocked>
    %3 = arith.muli %1, %2 : tensor<16x1xi32, #blocked>
    %4 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %5 = tt.expand_dims %4 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %6 = tt.broadcast %3 : tensor<16x1xi32, #blocked> -> tensor<16x64xi32, #blocked>
    %7 = tt.broadcast %5 : tensor<1x64xi32, #blocked> -> tensor<16x64xi32, #blocked>
    %8 = arith.addi %6, %7 : tensor<16x64xi32, #blocked>
    %9 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>, #blocked>
    %10 = tt.addptr %9, %8 : tensor<16x64x!tt.ptr<f32>, #blocked>, tensor<16x64xi32, #blocked>
    %11 = tt.splat %arg2 : i32 -> tensor<1x64xi32, #blocked>
    %12 = arith.cmpi slt, %5, %11 : tensor<1x64xi32, #blocked>
    %13 = tt.broadcast %12 : tensor<1x64xi1, #blocked> -> tensor<16x64xi1, #blocked>
    %14 = tt.load %10, %13, %cst : tensor<16x64x!tt.ptr<f32>, #blocked>
    %15 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>, #blocked>
    %16 = tt.addptr %15, %8 : tensor<16x64x!tt.ptr<f32>, #blocked>, tensor<16x64xi32, #blocked>
    %17 = "tt.scan"(%14) <{axis = 1 : i32, reverse = false}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %18 = arith.addf %arg3, %arg4 : f32
      tt.scan.return %18 : f32
    }) : (tensor<16x64xf32, #blocked>) -> tensor<16x64xf32, #blocked>
    tt.store %16, %17, %13 : tensor<16x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
