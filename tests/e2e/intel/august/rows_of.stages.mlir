// ttir
module {
  tt.func public @rows_of(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<64> : tensor<32x1xi32>
    %c64_i32 = arith.constant 64 : i32
    %c1_i64 = arith.constant 1 : i64
    %0 = arith.extsi %arg4 : i32 to i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg3, %arg4], [%0, %c1_i64] : <f16>, <1x64xf16>
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %3 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>
    %4 = tt.addptr %3, %2 : tensor<32x!tt.ptr<i32>>, tensor<32xi32>
    %5 = tt.load %4 : tensor<32x!tt.ptr<i32>>
    %6 = tt.get_program_id x : i32
    %7 = arith.muli %6, %c64_i32 : i32
    %8 = tt.descriptor_gather %1[%5, %7] : (!tt.tensordesc<1x64xf16>, tensor<32xi32>, i32) -> tensor<32x64xf16>
    %9 = tt.expand_dims %2 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %10 = arith.muli %9, %cst : tensor<32x1xi32>
    %11 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>>
    %12 = tt.addptr %11, %10 : tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>
    %13 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %14 = tt.expand_dims %13 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %15 = tt.broadcast %12 : tensor<32x1x!tt.ptr<f16>> -> tensor<32x64x!tt.ptr<f16>>
    %16 = tt.broadcast %14 : tensor<1x64xi32> -> tensor<32x64xi32>
    %17 = tt.addptr %15, %16 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    tt.store %17, %8 : tensor<32x64x!tt.ptr<f16>>
    tt.return
  }
}

// -----

// triton-intel-rewrite-tensor-descriptor-to-pointer
module {
  tt.func public @rows_of(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<64> : tensor<32x1xi32>
    %c64_i32 = arith.constant 64 : i32
    %c1_i64 = arith.constant 1 : i64
    %0 = arith.extsi %arg4 : i32 to i64
    %1 = arith.extsi %arg3 : i32 to i64
    %2 = arith.extsi %arg4 : i32 to i64
    %false = arith.constant false
    %false_0 = arith.constant false
    %3 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %4 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>
    %5 = tt.addptr %4, %3 : tensor<32x!tt.ptr<i32>>, tensor<32xi32>
    %6 = tt.load %5 : tensor<32x!tt.ptr<i32>>
    %7 = tt.get_program_id x : i32
    %8 = arith.muli %7, %c64_i32 : i32
    %9 = tt.expand_dims %6 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %10 = arith.extsi %8 : i32 to i64
    %11 = arith.extsi %9 : tensor<32x1xi32> to tensor<32x1xi64>
    %12 = tt.splat %10 : i64 -> tensor<64xi64>
    %13 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %14 = arith.extsi %13 : tensor<64xi32> to tensor<64xi64>
    %15 = arith.addi %12, %14 : tensor<64xi64>
    %16 = tt.expand_dims %15 {axis = 0 : i32} : tensor<64xi64> -> tensor<1x64xi64>
    %17 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
    %18 = tt.splat %0 : i64 -> tensor<32x1xi64>
    %19 = arith.muli %11, %18 : tensor<32x1xi64>
    %20 = tt.broadcast %19 : tensor<32x1xi64> -> tensor<32x64xi64>
    %21 = tt.addptr %17, %20 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi64>
    %22 = tt.splat %c1_i64 : i64 -> tensor<1x64xi64>
    %23 = arith.muli %16, %22 : tensor<1x64xi64>
    %24 = tt.broadcast %23 : tensor<1x64xi64> -> tensor<32x64xi64>
    %25 = tt.addptr %21, %24 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi64>
    %c0_i64 = arith.constant 0 : i64
    %26 = tt.splat %c0_i64 : i64 -> tensor<32x1xi64>
    %27 = arith.cmpi sge, %11, %26 : tensor<32x1xi64>
    %28 = tt.splat %1 : i64 -> tensor<32x1xi64>
    %29 = arith.cmpi slt, %11, %28 : tensor<32x1xi64>
    %30 = arith.andi %27, %29 : tensor<32x1xi1>
    %31 = tt.broadcast %30 : tensor<32x1xi1> -> tensor<32x64xi1>
    %c0_i64_1 = arith.constant 0 : i64
    %32 = tt.splat %c0_i64_1 : i64 -> tensor<1x64xi64>
    %33 = arith.cmpi sge, %16, %32 : tensor<1x64xi64>
    %34 = tt.splat %2 : i64 -> tensor<1x64xi64>
    %35 = arith.cmpi slt, %16, %34 : tensor<1x64xi64>
    %36 = arith.andi %33, %35 : tensor<1x64xi1>
    %37 = tt.broadcast %36 : tensor<1x64xi1> -> tensor<32x64xi1>
    %38 = arith.andi %31, %37 : tensor<32x64xi1>
    %cst_2 = arith.constant dense<0x7E00> : tensor<32x64xf16>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<32x64xf16>
    %39 = arith.select %false, %cst_2, %cst_3 : tensor<32x64xf16>
    %40 = tt.load %25, %38, %39 : tensor<32x64x!tt.ptr<f16>>
    %41 = tt.expand_dims %3 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %42 = arith.muli %41, %cst : tensor<32x1xi32>
    %43 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>>
    %44 = tt.addptr %43, %42 : tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>
    %45 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %46 = tt.expand_dims %45 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %47 = tt.broadcast %44 : tensor<32x1x!tt.ptr<f16>> -> tensor<32x64x!tt.ptr<f16>>
    %48 = tt.broadcast %46 : tensor<1x64xi32> -> tensor<32x64xi32>
    %49 = tt.addptr %47, %48 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    tt.store %49, %40 : tensor<32x64x!tt.ptr<f16>>
    tt.return
  }
}

// -----

// cse
module {
  tt.func public @rows_of(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<64> : tensor<32x1xi32>
    %c64_i32 = arith.constant 64 : i32
    %c1_i64 = arith.constant 1 : i64
    %0 = arith.extsi %arg4 : i32 to i64
    %1 = arith.extsi %arg3 : i32 to i64
    %false = arith.constant false
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %3 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>
    %4 = tt.addptr %3, %2 : tensor<32x!tt.ptr<i32>>, tensor<32xi32>
    %5 = tt.load %4 : tensor<32x!tt.ptr<i32>>
    %6 = tt.get_program_id x : i32
    %7 = arith.muli %6, %c64_i32 : i32
    %8 = tt.expand_dims %5 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %9 = arith.extsi %7 : i32 to i64
    %10 = arith.extsi %8 : tensor<32x1xi32> to tensor<32x1xi64>
    %11 = tt.splat %9 : i64 -> tensor<64xi64>
    %12 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %13 = arith.extsi %12 : tensor<64xi32> to tensor<64xi64>
    %14 = arith.addi %11, %13 : tensor<64xi64>
    %15 = tt.expand_dims %14 {axis = 0 : i32} : tensor<64xi64> -> tensor<1x64xi64>
    %16 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
    %17 = tt.splat %0 : i64 -> tensor<32x1xi64>
    %18 = arith.muli %10, %17 : tensor<32x1xi64>
    %19 = tt.broadcast %18 : tensor<32x1xi64> -> tensor<32x64xi64>
    %20 = tt.addptr %16, %19 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi64>
    %21 = tt.splat %c1_i64 : i64 -> tensor<1x64xi64>
    %22 = arith.muli %15, %21 : tensor<1x64xi64>
    %23 = tt.broadcast %22 : tensor<1x64xi64> -> tensor<32x64xi64>
    %24 = tt.addptr %20, %23 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi64>
    %c0_i64 = arith.constant 0 : i64
    %25 = tt.splat %c0_i64 : i64 -> tensor<32x1xi64>
    %26 = arith.cmpi sge, %10, %25 : tensor<32x1xi64>
    %27 = tt.splat %1 : i64 -> tensor<32x1xi64>
    %28 = arith.cmpi slt, %10, %27 : tensor<32x1xi64>
    %29 = arith.andi %26, %28 : tensor<32x1xi1>
    %30 = tt.broadcast %29 : tensor<32x1xi1> -> tensor<32x64xi1>
    %31 = tt.splat %c0_i64 : i64 -> tensor<1x64xi64>
    %32 = arith.cmpi sge, %15, %31 : tensor<1x64xi64>
    %33 = tt.splat %0 : i64 -> tensor<1x64xi64>
    %34 = arith.cmpi slt, %15, %33 : tensor<1x64xi64>
    %35 = arith.andi %32, %34 : tensor<1x64xi1>
    %36 = tt.broadcast %35 : tensor<1x64xi1> -> tensor<32x64xi1>
    %37 = arith.andi %30, %36 : tensor<32x64xi1>
    %cst_0 = arith.constant dense<0x7E00> : tensor<32x64xf16>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<32x64xf16>
    %38 = arith.select %false, %cst_0, %cst_1 : tensor<32x64xf16>
    %39 = tt.load %24, %37, %38 : tensor<32x64x!tt.ptr<f16>>
    %40 = tt.expand_dims %2 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %41 = arith.muli %40, %cst : tensor<32x1xi32>
    %42 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>>
    %43 = tt.addptr %42, %41 : tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>
    %44 = tt.expand_dims %12 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %45 = tt.broadcast %43 : tensor<32x1x!tt.ptr<f16>> -> tensor<32x64x!tt.ptr<f16>>
    %46 = tt.broadcast %44 : tensor<1x64xi32> -> tensor<32x64xi32>
    %47 = tt.addptr %45, %46 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    tt.store %47, %39 : tensor<32x64x!tt.ptr<f16>>
    tt.return
  }
}

// -----

// canonicalize
module {
  tt.func public @rows_of(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0> : tensor<1x64xi64>
    %cst_0 = arith.constant dense<0> : tensor<32x1xi64>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<32x64xf16>
    %cst_2 = arith.constant dense<64> : tensor<32x1xi32>
    %c64_i32 = arith.constant 64 : i32
    %0 = arith.extsi %arg4 : i32 to i64
    %1 = arith.extsi %arg3 : i32 to i64
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %3 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>
    %4 = tt.addptr %3, %2 : tensor<32x!tt.ptr<i32>>, tensor<32xi32>
    %5 = tt.load %4 : tensor<32x!tt.ptr<i32>>
    %6 = tt.get_program_id x : i32
    %7 = arith.muli %6, %c64_i32 : i32
    %8 = tt.expand_dims %5 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %9 = arith.extsi %7 : i32 to i64
    %10 = arith.extsi %8 : tensor<32x1xi32> to tensor<32x1xi64>
    %11 = tt.splat %9 : i64 -> tensor<64xi64>
    %12 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %13 = arith.extsi %12 : tensor<64xi32> to tensor<64xi64>
    %14 = arith.addi %11, %13 : tensor<64xi64>
    %15 = tt.expand_dims %14 {axis = 0 : i32} : tensor<64xi64> -> tensor<1x64xi64>
    %16 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
    %17 = tt.splat %0 : i64 -> tensor<32x1xi64>
    %18 = arith.muli %10, %17 : tensor<32x1xi64>
    %19 = tt.broadcast %18 : tensor<32x1xi64> -> tensor<32x64xi64>
    %20 = tt.addptr %16, %19 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi64>
    %21 = tt.broadcast %15 : tensor<1x64xi64> -> tensor<32x64xi64>
    %22 = tt.addptr %20, %21 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi64>
    %23 = arith.cmpi sge, %10, %cst_0 : tensor<32x1xi64>
    %24 = tt.splat %1 : i64 -> tensor<32x1xi64>
    %25 = arith.cmpi slt, %10, %24 : tensor<32x1xi64>
    %26 = arith.andi %23, %25 : tensor<32x1xi1>
    %27 = tt.broadcast %26 : tensor<32x1xi1> -> tensor<32x64xi1>
    %28 = arith.cmpi sge, %15, %cst : tensor<1x64xi64>
    %29 = tt.splat %0 : i64 -> tensor<1x64xi64>
    %30 = arith.cmpi slt, %15, %29 : tensor<1x64xi64>
    %31 = arith.andi %28, %30 : tensor<1x64xi1>
    %32 = tt.broadcast %31 : tensor<1x64xi1> -> tensor<32x64xi1>
    %33 = arith.andi %27, %32 : tensor<32x64xi1>
    %34 = tt.load %22, %33, %cst_1 : tensor<32x64x!tt.ptr<f16>>
    %35 = tt.expand_dims %2 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %36 = arith.muli %35, %cst_2 : tensor<32x1xi32>
    %37 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>>
    %38 = tt.addptr %37, %36 : tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>
    %39 = tt.expand_dims %12 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %40 = tt.broadcast %38 : tensor<32x1x!tt.ptr<f16>> -> tensor<32x64x!tt.ptr<f16>>
    %41 = tt.broadcast %39 : tensor<1x64xi32> -> tensor<32x64xi32>
    %42 = tt.addptr %40, %41 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    tt.store %42, %34 : tensor<32x64x!tt.ptr<f16>>
    tt.return
  }
}

// -----

// triton-combine
module {
  tt.func public @rows_of(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0> : tensor<1x64xi64>
    %cst_0 = arith.constant dense<0> : tensor<32x1xi64>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<32x64xf16>
    %cst_2 = arith.constant dense<64> : tensor<32x1xi32>
    %c64_i32 = arith.constant 64 : i32
    %0 = arith.extsi %arg4 : i32 to i64
    %1 = arith.extsi %arg3 : i32 to i64
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %3 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>
    %4 = tt.addptr %3, %2 : tensor<32x!tt.ptr<i32>>, tensor<32xi32>
    %5 = tt.load %4 : tensor<32x!tt.ptr<i32>>
    %6 = tt.get_program_id x : i32
    %7 = arith.muli %6, %c64_i32 : i32
    %8 = tt.expand_dims %5 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %9 = arith.extsi %7 : i32 to i64
    %10 = arith.extsi %8 : tensor<32x1xi32> to tensor<32x1xi64>
    %11 = tt.splat %9 : i64 -> tensor<64xi64>
    %12 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %13 = arith.extsi %12 : tensor<64xi32> to tensor<64xi64>
    %14 = arith.addi %11, %13 : tensor<64xi64>
    %15 = tt.expand_dims %14 {axis = 0 : i32} : tensor<64xi64> -> tensor<1x64xi64>
    %16 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
    %17 = tt.splat %0 : i64 -> tensor<32x1xi64>
    %18 = arith.muli %10, %17 : tensor<32x1xi64>
    %19 = tt.broadcast %18 : tensor<32x1xi64> -> tensor<32x64xi64>
    %20 = tt.broadcast %15 : tensor<1x64xi64> -> tensor<32x64xi64>
    %21 = arith.addi %19, %20 : tensor<32x64xi64>
    %22 = tt.addptr %16, %21 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi64>
    %23 = arith.cmpi sge, %10, %cst_0 : tensor<32x1xi64>
    %24 = tt.splat %1 : i64 -> tensor<32x1xi64>
    %25 = arith.cmpi slt, %10, %24 : tensor<32x1xi64>
    %26 = arith.andi %23, %25 : tensor<32x1xi1>
    %27 = tt.broadcast %26 : tensor<32x1xi1> -> tensor<32x64xi1>
    %28 = arith.cmpi sge, %15, %cst : tensor<1x64xi64>
    %29 = tt.splat %0 : i64 -> tensor<1x64xi64>
    %30 = arith.cmpi slt, %15, %29 : tensor<1x64xi64>
    %31 = arith.andi %28, %30 : tensor<1x64xi1>
    %32 = tt.broadcast %31 : tensor<1x64xi1> -> tensor<32x64xi1>
    %33 = arith.andi %27, %32 : tensor<32x64xi1>
    %34 = tt.load %22, %33, %cst_1 : tensor<32x64x!tt.ptr<f16>>
    %35 = tt.expand_dims %2 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %36 = arith.muli %35, %cst_2 : tensor<32x1xi32>
    %37 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>>
    %38 = tt.addptr %37, %36 : tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>
    %39 = tt.expand_dims %12 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %40 = tt.broadcast %38 : tensor<32x1x!tt.ptr<f16>> -> tensor<32x64x!tt.ptr<f16>>
    %41 = tt.broadcast %39 : tensor<1x64xi32> -> tensor<32x64xi32>
    %42 = tt.addptr %40, %41 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    tt.store %42, %34 : tensor<32x64x!tt.ptr<f16>>
    tt.return
  }
}

// -----

// triton-annotate-module
module attributes {"ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @rows_of(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0> : tensor<1x64xi64>
    %cst_0 = arith.constant dense<0> : tensor<32x1xi64>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<32x64xf16>
    %cst_2 = arith.constant dense<64> : tensor<32x1xi32>
    %c64_i32 = arith.constant 64 : i32
    %0 = arith.extsi %arg4 : i32 to i64
    %1 = arith.extsi %arg3 : i32 to i64
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %3 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>
    %4 = tt.addptr %3, %2 : tensor<32x!tt.ptr<i32>>, tensor<32xi32>
    %5 = tt.load %4 : tensor<32x!tt.ptr<i32>>
    %6 = tt.get_program_id x : i32
    %7 = arith.muli %6, %c64_i32 : i32
    %8 = tt.expand_dims %5 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %9 = arith.extsi %7 : i32 to i64
    %10 = arith.extsi %8 : tensor<32x1xi32> to tensor<32x1xi64>
    %11 = tt.splat %9 : i64 -> tensor<64xi64>
    %12 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %13 = arith.extsi %12 : tensor<64xi32> to tensor<64xi64>
    %14 = arith.addi %11, %13 : tensor<64xi64>
    %15 = tt.expand_dims %14 {axis = 0 : i32} : tensor<64xi64> -> tensor<1x64xi64>
    %16 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
    %17 = tt.splat %0 : i64 -> tensor<32x1xi64>
    %18 = arith.muli %10, %17 : tensor<32x1xi64>
    %19 = tt.broadcast %18 : tensor<32x1xi64> -> tensor<32x64xi64>
    %20 = tt.broadcast %15 : tensor<1x64xi64> -> tensor<32x64xi64>
    %21 = arith.addi %19, %20 : tensor<32x64xi64>
    %22 = tt.addptr %16, %21 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi64>
    %23 = arith.cmpi sge, %10, %cst_0 : tensor<32x1xi64>
    %24 = tt.splat %1 : i64 -> tensor<32x1xi64>
    %25 = arith.cmpi slt, %10, %24 : tensor<32x1xi64>
    %26 = arith.andi %23, %25 : tensor<32x1xi1>
    %27 = tt.broadcast %26 : tensor<32x1xi1> -> tensor<32x64xi1>
    %28 = arith.cmpi sge, %15, %cst : tensor<1x64xi64>
    %29 = tt.splat %0 : i64 -> tensor<1x64xi64>
    %30 = arith.cmpi slt, %15, %29 : tensor<1x64xi64>
    %31 = arith.andi %28, %30 : tensor<1x64xi1>
    %32 = tt.broadcast %31 : tensor<1x64xi1> -> tensor<32x64xi1>
    %33 = arith.andi %27, %32 : tensor<32x64xi1>
    %34 = tt.load %22, %33, %cst_1 : tensor<32x64x!tt.ptr<f16>>
    %35 = tt.expand_dims %2 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %36 = arith.muli %35, %cst_2 : tensor<32x1xi32>
    %37 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>>
    %38 = tt.addptr %37, %36 : tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>
    %39 = tt.expand_dims %12 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %40 = tt.broadcast %38 : tensor<32x1x!tt.ptr<f16>> -> tensor<32x64x!tt.ptr<f16>>
    %41 = tt.broadcast %39 : tensor<1x64xi32> -> tensor<32x64xi32>
    %42 = tt.addptr %40, %41 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    tt.store %42, %34 : tensor<32x64x!tt.ptr<f16>>
    tt.return
  }
}

// -----

// convert-triton-to-tritongpu
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#blocked4 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @rows_of(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0> : tensor<1x64xi64, #blocked>
    %cst_0 = arith.constant dense<0> : tensor<32x1xi64, #blocked1>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<32x64xf16, #blocked>
    %cst_2 = arith.constant dense<64> : tensor<32x1xi32, #blocked1>
    %c64_i32 = arith.constant 64 : i32
    %0 = arith.extsi %arg4 : i32 to i64
    %1 = arith.extsi %arg3 : i32 to i64
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #blocked2>
    %3 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>, #blocked2>
    %4 = tt.addptr %3, %2 : tensor<32x!tt.ptr<i32>, #blocked2>, tensor<32xi32, #blocked2>
    %5 = tt.load %4 : tensor<32x!tt.ptr<i32>, #blocked2>
    %6 = tt.get_program_id x : i32
    %7 = arith.muli %6, %c64_i32 : i32
    %8 = ttg.convert_layout %5 : tensor<32xi32, #blocked2> -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked3}>>
    %9 = tt.expand_dims %8 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked3}>> -> tensor<32x1xi32, #blocked3>
    %10 = ttg.convert_layout %9 : tensor<32x1xi32, #blocked3> -> tensor<32x1xi32, #blocked1>
    %11 = arith.extsi %7 : i32 to i64
    %12 = arith.extsi %10 : tensor<32x1xi32, #blocked1> to tensor<32x1xi64, #blocked1>
    %13 = tt.splat %11 : i64 -> tensor<64xi64, #blocked2>
    %14 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #blocked2>
    %15 = arith.extsi %14 : tensor<64xi32, #blocked2> to tensor<64xi64, #blocked2>
    %16 = arith.addi %13, %15 : tensor<64xi64, #blocked2>
    %17 = ttg.convert_layout %16 : tensor<64xi64, #blocked2> -> tensor<64xi64, #ttg.slice<{dim = 0, parent = #blocked4}>>
    %18 = tt.expand_dims %17 {axis = 0 : i32} : tensor<64xi64, #ttg.slice<{dim = 0, parent = #blocked4}>> -> tensor<1x64xi64, #blocked4>
    %19 = ttg.convert_layout %18 : tensor<1x64xi64, #blocked4> -> tensor<1x64xi64, #blocked>
    %20 = ttg.convert_layout %18 : tensor<1x64xi64, #blocked4> -> tensor<1x64xi64, #blocked>
    %21 = ttg.convert_layout %18 : tensor<1x64xi64, #blocked4> -> tensor<1x64xi64, #blocked>
    %22 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %23 = tt.splat %0 : i64 -> tensor<32x1xi64, #blocked1>
    %24 = arith.muli %12, %23 : tensor<32x1xi64, #blocked1>
    %25 = tt.broadcast %24 : tensor<32x1xi64, #blocked1> -> tensor<32x64xi64, #blocked1>
    %26 = ttg.convert_layout %25 : tensor<32x64xi64, #blocked1> -> tensor<32x64xi64, #blocked>
    %27 = tt.broadcast %21 : tensor<1x64xi64, #blocked> -> tensor<32x64xi64, #blocked>
    %28 = arith.addi %26, %27 : tensor<32x64xi64, #blocked>
    %29 = tt.addptr %22, %28 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi64, #blocked>
    %30 = arith.cmpi sge, %12, %cst_0 : tensor<32x1xi64, #blocked1>
    %31 = tt.splat %1 : i64 -> tensor<32x1xi64, #blocked1>
    %32 = arith.cmpi slt, %12, %31 : tensor<32x1xi64, #blocked1>
    %33 = arith.andi %30, %32 : tensor<32x1xi1, #blocked1>
    %34 = tt.broadcast %33 : tensor<32x1xi1, #blocked1> -> tensor<32x64xi1, #blocked1>
    %35 = ttg.convert_layout %34 : tensor<32x64xi1, #blocked1> -> tensor<32x64xi1, #blocked>
    %36 = arith.cmpi sge, %20, %cst : tensor<1x64xi64, #blocked>
    %37 = tt.splat %0 : i64 -> tensor<1x64xi64, #blocked>
    %38 = arith.cmpi slt, %19, %37 : tensor<1x64xi64, #blocked>
    %39 = arith.andi %36, %38 : tensor<1x64xi1, #blocked>
    %40 = tt.broadcast %39 : tensor<1x64xi1, #blocked> -> tensor<32x64xi1, #blocked>
    %41 = arith.andi %35, %40 : tensor<32x64xi1, #blocked>
    %42 = tt.load %29, %41, %cst_1 : tensor<32x64x!tt.ptr<f16>, #blocked>
    %43 = ttg.convert_layout %2 : tensor<32xi32, #blocked2> -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked3}>>
    %44 = tt.expand_dims %43 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked3}>> -> tensor<32x1xi32, #blocked3>
    %45 = ttg.convert_layout %44 : tensor<32x1xi32, #blocked3> -> tensor<32x1xi32, #blocked1>
    %46 = arith.muli %45, %cst_2 : tensor<32x1xi32, #blocked1>
    %47 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked1>
    %48 = tt.addptr %47, %46 : tensor<32x1x!tt.ptr<f16>, #blocked1>, tensor<32x1xi32, #blocked1>
    %49 = ttg.convert_layout %14 : tensor<64xi32, #blocked2> -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked4}>>
    %50 = tt.expand_dims %49 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked4}>> -> tensor<1x64xi32, #blocked4>
    %51 = ttg.convert_layout %50 : tensor<1x64xi32, #blocked4> -> tensor<1x64xi32, #blocked>
    %52 = tt.broadcast %48 : tensor<32x1x!tt.ptr<f16>, #blocked1> -> tensor<32x64x!tt.ptr<f16>, #blocked1>
    %53 = ttg.convert_layout %52 : tensor<32x64x!tt.ptr<f16>, #blocked1> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %54 = tt.broadcast %51 : tensor<1x64xi32, #blocked> -> tensor<32x64xi32, #blocked>
    %55 = tt.addptr %53, %54 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    tt.store %55, %42 : tensor<32x64x!tt.ptr<f16>, #blocked>
    tt.return
  }
}

// -----

// tritongpu-coalesce
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#blocked4 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [0, 1]}>
#blocked5 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @rows_of(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0> : tensor<1x64xi64, #blocked>
    %cst_0 = arith.constant dense<0> : tensor<32x1xi64, #blocked1>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<32x64xf16, #blocked>
    %cst_2 = arith.constant dense<64> : tensor<32x1xi32, #blocked1>
    %c64_i32 = arith.constant 64 : i32
    %0 = arith.extsi %arg4 : i32 to i64
    %1 = arith.extsi %arg3 : i32 to i64
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #blocked2>
    %3 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>, #blocked2>
    %4 = tt.addptr %3, %2 : tensor<32x!tt.ptr<i32>, #blocked2>, tensor<32xi32, #blocked2>
    %5 = ttg.convert_layout %4 : tensor<32x!tt.ptr<i32>, #blocked2> -> tensor<32x!tt.ptr<i32>, #blocked2>
    %6 = tt.load %5 : tensor<32x!tt.ptr<i32>, #blocked2>
    %7 = tt.get_program_id x : i32
    %8 = arith.muli %7, %c64_i32 : i32
    %9 = ttg.convert_layout %6 : tensor<32xi32, #blocked2> -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked3}>>
    %10 = tt.expand_dims %9 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked3}>> -> tensor<32x1xi32, #blocked3>
    %11 = ttg.convert_layout %10 : tensor<32x1xi32, #blocked3> -> tensor<32x1xi32, #blocked1>
    %12 = arith.extsi %8 : i32 to i64
    %13 = arith.extsi %11 : tensor<32x1xi32, #blocked1> to tensor<32x1xi64, #blocked1>
    %14 = tt.splat %12 : i64 -> tensor<64xi64, #blocked2>
    %15 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #blocked2>
    %16 = arith.extsi %15 : tensor<64xi32, #blocked2> to tensor<64xi64, #blocked2>
    %17 = arith.addi %14, %16 : tensor<64xi64, #blocked2>
    %18 = ttg.convert_layout %17 : tensor<64xi64, #blocked2> -> tensor<64xi64, #ttg.slice<{dim = 0, parent = #blocked4}>>
    %19 = tt.expand_dims %18 {axis = 0 : i32} : tensor<64xi64, #ttg.slice<{dim = 0, parent = #blocked4}>> -> tensor<1x64xi64, #blocked4>
    %20 = ttg.convert_layout %19 : tensor<1x64xi64, #blocked4> -> tensor<1x64xi64, #blocked>
    %21 = ttg.convert_layout %19 : tensor<1x64xi64, #blocked4> -> tensor<1x64xi64, #blocked>
    %22 = ttg.convert_layout %19 : tensor<1x64xi64, #blocked4> -> tensor<1x64xi64, #blocked>
    %23 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %24 = tt.splat %0 : i64 -> tensor<32x1xi64, #blocked1>
    %25 = arith.muli %13, %24 : tensor<32x1xi64, #blocked1>
    %26 = tt.broadcast %25 : tensor<32x1xi64, #blocked1> -> tensor<32x64xi64, #blocked1>
    %27 = ttg.convert_layout %26 : tensor<32x64xi64, #blocked1> -> tensor<32x64xi64, #blocked>
    %28 = tt.broadcast %22 : tensor<1x64xi64, #blocked> -> tensor<32x64xi64, #blocked>
    %29 = arith.addi %27, %28 : tensor<32x64xi64, #blocked>
    %30 = tt.addptr %23, %29 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi64, #blocked>
    %31 = arith.cmpi sge, %13, %cst_0 : tensor<32x1xi64, #blocked1>
    %32 = tt.splat %1 : i64 -> tensor<32x1xi64, #blocked1>
    %33 = arith.cmpi slt, %13, %32 : tensor<32x1xi64, #blocked1>
    %34 = arith.andi %31, %33 : tensor<32x1xi1, #blocked1>
    %35 = tt.broadcast %34 : tensor<32x1xi1, #blocked1> -> tensor<32x64xi1, #blocked1>
    %36 = ttg.convert_layout %35 : tensor<32x64xi1, #blocked1> -> tensor<32x64xi1, #blocked>
    %37 = arith.cmpi sge, %21, %cst : tensor<1x64xi64, #blocked>
    %38 = tt.splat %0 : i64 -> tensor<1x64xi64, #blocked>
    %39 = arith.cmpi slt, %20, %38 : tensor<1x64xi64, #blocked>
    %40 = arith.andi %37, %39 : tensor<1x64xi1, #blocked>
    %41 = tt.broadcast %40 : tensor<1x64xi1, #blocked> -> tensor<32x64xi1, #blocked>
    %42 = arith.andi %36, %41 : tensor<32x64xi1, #blocked>
    %43 = ttg.convert_layout %30 : tensor<32x64x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked5>
    %44 = ttg.convert_layout %42 : tensor<32x64xi1, #blocked> -> tensor<32x64xi1, #blocked5>
    %45 = ttg.convert_layout %cst_1 : tensor<32x64xf16, #blocked> -> tensor<32x64xf16, #blocked5>
    %46 = tt.load %43, %44, %45 : tensor<32x64x!tt.ptr<f16>, #blocked5>
    %47 = ttg.convert_layout %46 : tensor<32x64xf16, #blocked5> -> tensor<32x64xf16, #blocked>
    %48 = ttg.convert_layout %2 : tensor<32xi32, #blocked2> -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked3}>>
    %49 = tt.expand_dims %48 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked3}>> -> tensor<32x1xi32, #blocked3>
    %50 = ttg.convert_layout %49 : tensor<32x1xi32, #blocked3> -> tensor<32x1xi32, #blocked1>
    %51 = arith.muli %50, %cst_2 : tensor<32x1xi32, #blocked1>
    %52 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked1>
    %53 = tt.addptr %52, %51 : tensor<32x1x!tt.ptr<f16>, #blocked1>, tensor<32x1xi32, #blocked1>
    %54 = ttg.convert_layout %15 : tensor<64xi32, #blocked2> -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked4}>>
    %55 = tt.expand_dims %54 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked4}>> -> tensor<1x64xi32, #blocked4>
    %56 = ttg.convert_layout %55 : tensor<1x64xi32, #blocked4> -> tensor<1x64xi32, #blocked>
    %57 = tt.broadcast %53 : tensor<32x1x!tt.ptr<f16>, #blocked1> -> tensor<32x64x!tt.ptr<f16>, #blocked1>
    %58 = ttg.convert_layout %57 : tensor<32x64x!tt.ptr<f16>, #blocked1> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %59 = tt.broadcast %56 : tensor<1x64xi32, #blocked> -> tensor<32x64xi32, #blocked>
    %60 = tt.addptr %58, %59 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    %61 = ttg.convert_layout %60 : tensor<32x64x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked5>
    %62 = ttg.convert_layout %47 : tensor<32x64xf16, #blocked> -> tensor<32x64xf16, #blocked5>
    tt.store %61, %62 : tensor<32x64x!tt.ptr<f16>, #blocked5>
    tt.return
  }
}

// -----

// tritonintelgpu-remove-layout-conversions
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @rows_of(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<32x64xf16, #blocked>
    %cst_0 = arith.constant dense<0> : tensor<1x64xi64, #blocked>
    %cst_1 = arith.constant dense<0> : tensor<32x1xi64, #blocked>
    %cst_2 = arith.constant dense<64> : tensor<32x1xi32, #blocked>
    %0 = arith.extsi %arg4 : i32 to i64
    %1 = arith.extsi %arg3 : i32 to i64
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %4 = tt.addptr %3, %2 : tensor<32x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %5 = tt.load %4 : tensor<32x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %6 = tt.get_program_id x : i32
    %7 = arith.muli %6, %c64_i32 : i32
    %8 = tt.expand_dims %5 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %9 = arith.extsi %7 : i32 to i64
    %10 = arith.extsi %8 : tensor<32x1xi32, #blocked> to tensor<32x1xi64, #blocked>
    %11 = tt.splat %9 : i64 -> tensor<64xi64, #ttg.slice<{dim = 0, parent = #blocked}>>
    %12 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %13 = arith.extsi %12 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> to tensor<64xi64, #ttg.slice<{dim = 0, parent = #blocked}>>
    %14 = arith.addi %11, %13 : tensor<64xi64, #ttg.slice<{dim = 0, parent = #blocked}>>
    %15 = tt.expand_dims %14 {axis = 0 : i32} : tensor<64xi64, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi64, #blocked>
    %16 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %17 = tt.splat %0 : i64 -> tensor<32x1xi64, #blocked>
    %18 = arith.muli %10, %17 : tensor<32x1xi64, #blocked>
    %19 = tt.broadcast %18 : tensor<32x1xi64, #blocked> -> tensor<32x64xi64, #blocked>
    %20 = tt.broadcast %15 : tensor<1x64xi64, #blocked> -> tensor<32x64xi64, #blocked>
    %21 = arith.addi %19, %20 : tensor<32x64xi64, #blocked>
    %22 = tt.addptr %16, %21 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi64, #blocked>
    %23 = arith.cmpi sge, %10, %cst_1 : tensor<32x1xi64, #blocked>
    %24 = tt.splat %1 : i64 -> tensor<32x1xi64, #blocked>
    %25 = arith.cmpi slt, %10, %24 : tensor<32x1xi64, #blocked>
    %26 = arith.andi %23, %25 : tensor<32x1xi1, #blocked>
    %27 = tt.broadcast %26 : tensor<32x1xi1, #blocked> -> tensor<32x64xi1, #blocked>
    %28 = arith.cmpi sge, %15, %cst_0 : tensor<1x64xi64, #blocked>
    %29 = tt.splat %0 : i64 -> tensor<1x64xi64, #blocked>
    %30 = arith.cmpi slt, %15, %29 : tensor<1x64xi64, #blocked>
    %31 = arith.andi %28, %30 : tensor<1x64xi1, #blocked>
    %32 = tt.broadcast %31 : tensor<1x64xi1, #blocked> -> tensor<32x64xi1, #blocked>
    %33 = arith.andi %27, %32 : tensor<32x64xi1, #blocked>
    %34 = tt.load %22, %33, %cst : tensor<32x64x!tt.ptr<f16>, #blocked>
    %35 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %36 = tt.expand_dims %35 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %37 = arith.muli %36, %cst_2 : tensor<32x1xi32, #blocked>
    %38 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked>
    %39 = tt.addptr %38, %37 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
    %40 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %41 = tt.expand_dims %40 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %42 = tt.broadcast %39 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %43 = tt.broadcast %41 : tensor<1x64xi32, #blocked> -> tensor<32x64xi32, #blocked>
    %44 = tt.addptr %42, %43 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    tt.store %44, %34 : tensor<32x64x!tt.ptr<f16>, #blocked>
    tt.return
  }
}

// -----

// tritonintelgpu-materialize-block-pointer
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @rows_of(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<32x64xf16, #blocked>
    %cst_0 = arith.constant dense<0> : tensor<1x64xi64, #blocked>
    %cst_1 = arith.constant dense<0> : tensor<32x1xi64, #blocked>
    %cst_2 = arith.constant dense<64> : tensor<32x1xi32, #blocked>
    %0 = arith.extsi %arg4 : i32 to i64
    %1 = arith.extsi %arg3 : i32 to i64
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %4 = tt.addptr %3, %2 : tensor<32x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %5 = tt.load %4 : tensor<32x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %6 = tt.get_program_id x : i32
    %7 = arith.muli %6, %c64_i32 : i32
    %8 = tt.expand_dims %5 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %9 = arith.extsi %7 : i32 to i64
    %10 = arith.extsi %8 : tensor<32x1xi32, #blocked> to tensor<32x1xi64, #blocked>
    %11 = tt.splat %9 : i64 -> tensor<64xi64, #ttg.slice<{dim = 0, parent = #blocked}>>
    %12 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %13 = arith.extsi %12 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> to tensor<64xi64, #ttg.slice<{dim = 0, parent = #blocked}>>
    %14 = arith.addi %11, %13 : tensor<64xi64, #ttg.slice<{dim = 0, parent = #blocked}>>
    %15 = tt.expand_dims %14 {axis = 0 : i32} : tensor<64xi64, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi64, #blocked>
    %16 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %17 = tt.splat %0 : i64 -> tensor<32x1xi64, #blocked>
    %18 = arith.muli %10, %17 : tensor<32x1xi64, #blocked>
    %19 = tt.broadcast %18 : tensor<32x1xi64, #blocked> -> tensor<32x64xi64, #blocked>
    %20 = tt.broadcast %15 : tensor<1x64xi64, #blocked> -> tensor<32x64xi64, #blocked>
    %21 = arith.addi %19, %20 : tensor<32x64xi64, #blocked>
    %22 = tt.addptr %16, %21 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi64, #blocked>
    %23 = arith.cmpi sge, %10, %cst_1 : tensor<32x1xi64, #blocked>
    %24 = tt.splat %1 : i64 -> tensor<32x1xi64, #blocked>
    %25 = arith.cmpi slt, %10, %24 : tensor<32x1xi64, #blocked>
    %26 = arith.andi %23, %25 : tensor<32x1xi1, #blocked>
    %27 = tt.broadcast %26 : tensor<32x1xi1, #blocked> -> tensor<32x64xi1, #blocked>
    %28 = arith.cmpi sge, %15, %cst_0 : tensor<1x64xi64, #blocked>
    %29 = tt.splat %0 : i64 -> tensor<1x64xi64, #blocked>
    %30 = arith.cmpi slt, %15, %29 : tensor<1x64xi64, #blocked>
    %31 = arith.andi %28, %30 : tensor<1x64xi1, #blocked>
    %32 = tt.broadcast %31 : tensor<1x64xi1, #blocked> -> tensor<32x64xi1, #blocked>
    %33 = arith.andi %27, %32 : tensor<32x64xi1, #blocked>
    %34 = tt.load %22, %33, %cst : tensor<32x64x!tt.ptr<f16>, #blocked>
    %35 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %36 = tt.expand_dims %35 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %37 = arith.muli %36, %cst_2 : tensor<32x1xi32, #blocked>
    %38 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked>
    %39 = tt.addptr %38, %37 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
    %40 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %41 = tt.expand_dims %40 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %42 = tt.broadcast %39 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %43 = tt.broadcast %41 : tensor<1x64xi32, #blocked> -> tensor<32x64xi32, #blocked>
    %44 = tt.addptr %42, %43 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    tt.store %44, %34 {ttig.block_io = "row_major"} : tensor<32x64x!tt.ptr<f16>, #blocked>
    tt.return
  }
}

// -----

// triton-loop-aware-cse
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @rows_of(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<32x64xf16, #blocked>
    %cst_0 = arith.constant dense<0> : tensor<1x64xi64, #blocked>
    %cst_1 = arith.constant dense<0> : tensor<32x1xi64, #blocked>
    %cst_2 = arith.constant dense<64> : tensor<32x1xi32, #blocked>
    %0 = arith.extsi %arg4 : i32 to i64
    %1 = arith.extsi %arg3 : i32 to i64
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %4 = tt.addptr %3, %2 : tensor<32x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %5 = tt.load %4 : tensor<32x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %6 = tt.get_program_id x : i32
    %7 = arith.muli %6, %c64_i32 : i32
    %8 = tt.expand_dims %5 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %9 = arith.extsi %7 : i32 to i64
    %10 = arith.extsi %8 : tensor<32x1xi32, #blocked> to tensor<32x1xi64, #blocked>
    %11 = tt.splat %9 : i64 -> tensor<64xi64, #ttg.slice<{dim = 0, parent = #blocked}>>
    %12 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %13 = arith.extsi %12 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> to tensor<64xi64, #ttg.slice<{dim = 0, parent = #blocked}>>
    %14 = arith.addi %11, %13 : tensor<64xi64, #ttg.slice<{dim = 0, parent = #blocked}>>
    %15 = tt.expand_dims %14 {axis = 0 : i32} : tensor<64xi64, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi64, #blocked>
    %16 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %17 = tt.splat %0 : i64 -> tensor<32x1xi64, #blocked>
    %18 = arith.muli %10, %17 : tensor<32x1xi64, #blocked>
    %19 = tt.broadcast %18 : tensor<32x1xi64, #blocked> -> tensor<32x64xi64, #blocked>
    %20 = tt.broadcast %15 : tensor<1x64xi64, #blocked> -> tensor<32x64xi64, #blocked>
    %21 = arith.addi %19, %20 : tensor<32x64xi64, #blocked>
    %22 = tt.addptr %16, %21 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi64, #blocked>
    %23 = arith.cmpi sge, %10, %cst_1 : tensor<32x1xi64, #blocked>
    %24 = tt.splat %1 : i64 -> tensor<32x1xi64, #blocked>
    %25 = arith.cmpi slt, %10, %24 : tensor<32x1xi64, #blocked>
    %26 = arith.andi %23, %25 : tensor<32x1xi1, #blocked>
    %27 = tt.broadcast %26 : tensor<32x1xi1, #blocked> -> tensor<32x64xi1, #blocked>
    %28 = arith.cmpi sge, %15, %cst_0 : tensor<1x64xi64, #blocked>
    %29 = tt.splat %0 : i64 -> tensor<1x64xi64, #blocked>
    %30 = arith.cmpi slt, %15, %29 : tensor<1x64xi64, #blocked>
    %31 = arith.andi %28, %30 : tensor<1x64xi1, #blocked>
    %32 = tt.broadcast %31 : tensor<1x64xi1, #blocked> -> tensor<32x64xi1, #blocked>
    %33 = arith.andi %27, %32 : tensor<32x64xi1, #blocked>
    %34 = tt.load %22, %33, %cst : tensor<32x64x!tt.ptr<f16>, #blocked>
    %35 = tt.expand_dims %2 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %36 = arith.muli %35, %cst_2 : tensor<32x1xi32, #blocked>
    %37 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked>
    %38 = tt.addptr %37, %36 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
    %39 = tt.expand_dims %12 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %40 = tt.broadcast %38 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %41 = tt.broadcast %39 : tensor<1x64xi32, #blocked> -> tensor<32x64xi32, #blocked>
    %42 = tt.addptr %40, %41 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    tt.store %42, %34 {ttig.block_io = "row_major"} : tensor<32x64x!tt.ptr<f16>, #blocked>
    tt.return
  }
}

// -----

// sccp
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @rows_of(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<64> : tensor<32x1xi32, #blocked>
    %cst_0 = arith.constant dense<0> : tensor<32x1xi64, #blocked>
    %cst_1 = arith.constant dense<0> : tensor<1x64xi64, #blocked>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<32x64xf16, #blocked>
    %c64_i32 = arith.constant 64 : i32
    %0 = arith.extsi %arg4 : i32 to i64
    %1 = arith.extsi %arg3 : i32 to i64
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %4 = tt.addptr %3, %2 : tensor<32x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %5 = tt.load %4 : tensor<32x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %6 = tt.get_program_id x : i32
    %7 = arith.muli %6, %c64_i32 : i32
    %8 = tt.expand_dims %5 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %9 = arith.extsi %7 : i32 to i64
    %10 = arith.extsi %8 : tensor<32x1xi32, #blocked> to tensor<32x1xi64, #blocked>
    %11 = tt.splat %9 : i64 -> tensor<64xi64, #ttg.slice<{dim = 0, parent = #blocked}>>
    %12 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %13 = arith.extsi %12 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> to tensor<64xi64, #ttg.slice<{dim = 0, parent = #blocked}>>
    %14 = arith.addi %11, %13 : tensor<64xi64, #ttg.slice<{dim = 0, parent = #blocked}>>
    %15 = tt.expand_dims %14 {axis = 0 : i32} : tensor<64xi64, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi64, #blocked>
    %16 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %17 = tt.splat %0 : i64 -> tensor<32x1xi64, #blocked>
    %18 = arith.muli %10, %17 : tensor<32x1xi64, #blocked>
    %19 = tt.broadcast %18 : tensor<32x1xi64, #blocked> -> tensor<32x64xi64, #blocked>
    %20 = tt.broadcast %15 : tensor<1x64xi64, #blocked> -> tensor<32x64xi64, #blocked>
    %21 = arith.addi %19, %20 : tensor<32x64xi64, #blocked>
    %22 = tt.addptr %16, %21 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi64, #blocked>
    %23 = arith.cmpi sge, %10, %cst_0 : tensor<32x1xi64, #blocked>
    %24 = tt.splat %1 : i64 -> tensor<32x1xi64, #blocked>
    %25 = arith.cmpi slt, %10, %24 : tensor<32x1xi64, #blocked>
    %26 = arith.andi %23, %25 : tensor<32x1xi1, #blocked>
    %27 = tt.broadcast %26 : tensor<32x1xi1, #blocked> -> tensor<32x64xi1, #blocked>
    %28 = arith.cmpi sge, %15, %cst_1 : tensor<1x64xi64, #blocked>
    %29 = tt.splat %0 : i64 -> tensor<1x64xi64, #blocked>
    %30 = arith.cmpi slt, %15, %29 : tensor<1x64xi64, #blocked>
    %31 = arith.andi %28, %30 : tensor<1x64xi1, #blocked>
    %32 = tt.broadcast %31 : tensor<1x64xi1, #blocked> -> tensor<32x64xi1, #blocked>
    %33 = arith.andi %27, %32 : tensor<32x64xi1, #blocked>
    %34 = tt.load %22, %33, %cst_2 : tensor<32x64x!tt.ptr<f16>, #blocked>
    %35 = tt.expand_dims %2 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %36 = arith.muli %35, %cst : tensor<32x1xi32, #blocked>
    %37 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked>
    %38 = tt.addptr %37, %36 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
    %39 = tt.expand_dims %12 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %40 = tt.broadcast %38 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %41 = tt.broadcast %39 : tensor<1x64xi32, #blocked> -> tensor<32x64xi32, #blocked>
    %42 = tt.addptr %40, %41 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    tt.store %42, %34 {ttig.block_io = "row_major"} : tensor<32x64x!tt.ptr<f16>, #blocked>
    tt.return
  }
}
