// ttir
module {
  tt.func public @softmax(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0xFF800000> : tensor<1024xf32>
    %0 = tt.get_program_id x : i32
    %1 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %2 = arith.muli %0, %arg2 : i32
    %3 = tt.addptr %arg0, %2 : !tt.ptr<f32>, i32
    %4 = tt.splat %3 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %5 = tt.addptr %4, %1 : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %6 = tt.splat %arg2 : i32 -> tensor<1024xi32>
    %7 = arith.cmpi slt, %1, %6 : tensor<1024xi32>
    %8 = tt.load %5, %7, %cst : tensor<1024x!tt.ptr<f32>>
    %9 = "tt.reduce"(%8) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %19 = arith.maxnumf %arg3, %arg4 : f32
      tt.reduce.return %19 : f32
    }) : (tensor<1024xf32>) -> f32
    %10 = tt.splat %9 : f32 -> tensor<1024xf32>
    %11 = arith.subf %8, %10 : tensor<1024xf32>
    %12 = math.exp %11 : tensor<1024xf32>
    %13 = tt.addptr %arg1, %2 : !tt.ptr<f32>, i32
    %14 = tt.splat %13 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %15 = tt.addptr %14, %1 : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %16 = "tt.reduce"(%12) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %19 = arith.addf %arg3, %arg4 : f32
      tt.reduce.return %19 : f32
    }) : (tensor<1024xf32>) -> f32
    %17 = tt.splat %16 : f32 -> tensor<1024xf32>
    %18 = arith.divf %12, %17 : tensor<1024xf32>
    tt.store %15, %18, %7 : tensor<1024x!tt.ptr<f32>>
    tt.return
  }
}

// -----

// triton-annotate-module
module attributes {"ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @softmax(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0xFF800000> : tensor<1024xf32>
    %0 = tt.get_program_id x : i32
    %1 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %2 = arith.muli %0, %arg2 : i32
    %3 = tt.addptr %arg0, %2 : !tt.ptr<f32>, i32
    %4 = tt.splat %3 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %5 = tt.addptr %4, %1 : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %6 = tt.splat %arg2 : i32 -> tensor<1024xi32>
    %7 = arith.cmpi slt, %1, %6 : tensor<1024xi32>
    %8 = tt.load %5, %7, %cst : tensor<1024x!tt.ptr<f32>>
    %9 = "tt.reduce"(%8) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %19 = arith.maxnumf %arg3, %arg4 : f32
      tt.reduce.return %19 : f32
    }) : (tensor<1024xf32>) -> f32
    %10 = tt.splat %9 : f32 -> tensor<1024xf32>
    %11 = arith.subf %8, %10 : tensor<1024xf32>
    %12 = math.exp %11 : tensor<1024xf32>
    %13 = tt.addptr %arg1, %2 : !tt.ptr<f32>, i32
    %14 = tt.splat %13 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %15 = tt.addptr %14, %1 : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %16 = "tt.reduce"(%12) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %19 = arith.addf %arg3, %arg4 : f32
      tt.reduce.return %19 : f32
    }) : (tensor<1024xf32>) -> f32
    %17 = tt.splat %16 : f32 -> tensor<1024xf32>
    %18 = arith.divf %12, %17 : tensor<1024xf32>
    tt.store %15, %18, %7 : tensor<1024x!tt.ptr<f32>>
    tt.return
  }
}

// -----

// convert-triton-to-tritongpu
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @softmax(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0xFF800000> : tensor<1024xf32, #blocked>
    %0 = tt.get_program_id x : i32
    %1 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %2 = arith.muli %0, %arg2 : i32
    %3 = tt.addptr %arg0, %2 : !tt.ptr<f32>, i32
    %4 = tt.splat %3 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %5 = tt.addptr %4, %1 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    %6 = tt.splat %arg2 : i32 -> tensor<1024xi32, #blocked>
    %7 = arith.cmpi slt, %1, %6 : tensor<1024xi32, #blocked>
    %8 = tt.load %5, %7, %cst : tensor<1024x!tt.ptr<f32>, #blocked>
    %9 = "tt.reduce"(%8) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %19 = arith.maxnumf %arg3, %arg4 : f32
      tt.reduce.return %19 : f32
    }) : (tensor<1024xf32, #blocked>) -> f32
    %10 = tt.splat %9 : f32 -> tensor<1024xf32, #blocked>
    %11 = arith.subf %8, %10 : tensor<1024xf32, #blocked>
    %12 = math.exp %11 : tensor<1024xf32, #blocked>
    %13 = tt.addptr %arg1, %2 : !tt.ptr<f32>, i32
    %14 = tt.splat %13 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %15 = tt.addptr %14, %1 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    %16 = "tt.reduce"(%12) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %19 = arith.addf %arg3, %arg4 : f32
      tt.reduce.return %19 : f32
    }) : (tensor<1024xf32, #blocked>) -> f32
    %17 = tt.splat %16 : f32 -> tensor<1024xf32, #blocked>
    %18 = arith.divf %12, %17 : tensor<1024xf32, #blocked>
    tt.store %15, %18, %7 : tensor<1024x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

// -----

// tritongpu-coalesce
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @softmax(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0xFF800000> : tensor<1024xf32, #blocked>
    %0 = tt.get_program_id x : i32
    %1 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %2 = arith.muli %0, %arg2 : i32
    %3 = tt.addptr %arg0, %2 : !tt.ptr<f32>, i32
    %4 = tt.splat %3 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %5 = tt.addptr %4, %1 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    %6 = tt.splat %arg2 : i32 -> tensor<1024xi32, #blocked>
    %7 = arith.cmpi slt, %1, %6 : tensor<1024xi32, #blocked>
    %8 = ttg.convert_layout %5 : tensor<1024x!tt.ptr<f32>, #blocked> -> tensor<1024x!tt.ptr<f32>, #blocked1>
    %9 = ttg.convert_layout %7 : tensor<1024xi1, #blocked> -> tensor<1024xi1, #blocked1>
    %10 = ttg.convert_layout %cst : tensor<1024xf32, #blocked> -> tensor<1024xf32, #blocked1>
    %11 = tt.load %8, %9, %10 : tensor<1024x!tt.ptr<f32>, #blocked1>
    %12 = ttg.convert_layout %11 : tensor<1024xf32, #blocked1> -> tensor<1024xf32, #blocked>
    %13 = "tt.reduce"(%12) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %26 = arith.maxnumf %arg3, %arg4 : f32
      tt.reduce.return %26 : f32
    }) : (tensor<1024xf32, #blocked>) -> f32
    %14 = tt.splat %13 : f32 -> tensor<1024xf32, #blocked>
    %15 = arith.subf %12, %14 : tensor<1024xf32, #blocked>
    %16 = math.exp %15 : tensor<1024xf32, #blocked>
    %17 = tt.addptr %arg1, %2 : !tt.ptr<f32>, i32
    %18 = tt.splat %17 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %19 = tt.addptr %18, %1 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    %20 = "tt.reduce"(%16) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %26 = arith.addf %arg3, %arg4 : f32
      tt.reduce.return %26 : f32
    }) : (tensor<1024xf32, #blocked>) -> f32
    %21 = tt.splat %20 : f32 -> tensor<1024xf32, #blocked>
    %22 = arith.divf %16, %21 : tensor<1024xf32, #blocked>
    %23 = ttg.convert_layout %19 : tensor<1024x!tt.ptr<f32>, #blocked> -> tensor<1024x!tt.ptr<f32>, #blocked1>
    %24 = ttg.convert_layout %22 : tensor<1024xf32, #blocked> -> tensor<1024xf32, #blocked1>
    %25 = ttg.convert_layout %7 : tensor<1024xi1, #blocked> -> tensor<1024xi1, #blocked1>
    tt.store %23, %24, %25 : tensor<1024x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

// -----

// tritonintelgpu-remove-layout-conversions
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @softmax(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0xFF800000> : tensor<1024xf32, #blocked>
    %0 = tt.get_program_id x : i32
    %1 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %2 = arith.muli %0, %arg2 : i32
    %3 = tt.addptr %arg0, %2 : !tt.ptr<f32>, i32
    %4 = tt.splat %3 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %5 = tt.addptr %4, %1 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    %6 = tt.splat %arg2 : i32 -> tensor<1024xi32, #blocked>
    %7 = arith.cmpi slt, %1, %6 : tensor<1024xi32, #blocked>
    %8 = tt.load %5, %7, %cst : tensor<1024x!tt.ptr<f32>, #blocked>
    %9 = "tt.reduce"(%8) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %19 = arith.maxnumf %arg3, %arg4 : f32
      tt.reduce.return %19 : f32
    }) : (tensor<1024xf32, #blocked>) -> f32
    %10 = tt.splat %9 : f32 -> tensor<1024xf32, #blocked>
    %11 = arith.subf %8, %10 : tensor<1024xf32, #blocked>
    %12 = math.exp %11 : tensor<1024xf32, #blocked>
    %13 = tt.addptr %arg1, %2 : !tt.ptr<f32>, i32
    %14 = tt.splat %13 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %15 = tt.addptr %14, %1 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    %16 = "tt.reduce"(%12) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %19 = arith.addf %arg3, %arg4 : f32
      tt.reduce.return %19 : f32
    }) : (tensor<1024xf32, #blocked>) -> f32
    %17 = tt.splat %16 : f32 -> tensor<1024xf32, #blocked>
    %18 = arith.divf %12, %17 : tensor<1024xf32, #blocked>
    tt.store %15, %18, %7 : tensor<1024x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

// -----

// tritonintelgpu-annotate-cache-control
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @softmax(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0xFF800000> : tensor<1024xf32, #blocked>
    %0 = tt.get_program_id x : i32
    %1 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %2 = arith.muli %0, %arg2 : i32
    %3 = tt.addptr %arg0, %2 : !tt.ptr<f32>, i32
    %4 = tt.splat %3 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %5 = tt.addptr %4, %1 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    %6 = tt.splat %arg2 : i32 -> tensor<1024xi32, #blocked>
    %7 = arith.cmpi slt, %1, %6 : tensor<1024xi32, #blocked>
    %8 = tt.load %5, %7, %cst cacheModifier = cg : tensor<1024x!tt.ptr<f32>, #blocked>
    %9 = "tt.reduce"(%8) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %19 = arith.maxnumf %arg3, %arg4 : f32
      tt.reduce.return %19 : f32
    }) : (tensor<1024xf32, #blocked>) -> f32
    %10 = tt.splat %9 : f32 -> tensor<1024xf32, #blocked>
    %11 = arith.subf %8, %10 : tensor<1024xf32, #blocked>
    %12 = math.exp %11 : tensor<1024xf32, #blocked>
    %13 = tt.addptr %arg1, %2 : !tt.ptr<f32>, i32
    %14 = tt.splat %13 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %15 = tt.addptr %14, %1 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    %16 = "tt.reduce"(%12) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %19 = arith.addf %arg3, %arg4 : f32
      tt.reduce.return %19 : f32
    }) : (tensor<1024xf32, #blocked>) -> f32
    %17 = tt.splat %16 : f32 -> tensor<1024xf32, #blocked>
    %18 = arith.divf %12, %17 : tensor<1024xf32, #blocked>
    tt.store %15, %18, %7 : tensor<1024x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
