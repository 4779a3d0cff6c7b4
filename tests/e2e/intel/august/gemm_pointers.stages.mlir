// ttir
module {
  tt.func public @gemm_pointers(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x64xf16>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x32xf16>
    %c0_i32 = arith.constant 0 : i32
    %cst_2 = arith.constant dense<32> : tensor<64x32xi32>
    %c32_i32 = arith.constant 32 : i32
    %c64_i32 = arith.constant 64 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %3 = tt.splat %1 : i32 -> tensor<64xi32>
    %4 = arith.addi %3, %2 : tensor<64xi32>
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c64_i32 : i32
    %7 = tt.splat %6 : i32 -> tensor<64xi32>
    %8 = arith.addi %7, %2 : tensor<64xi32>
    %9 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %10 = tt.expand_dims %4 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %11 = tt.splat %arg5 : i32 -> tensor<64x1xi32>
    %12 = arith.muli %10, %11 : tensor<64x1xi32>
    %13 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
    %14 = tt.addptr %13, %12 : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
    %15 = tt.expand_dims %9 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %16 = tt.broadcast %14 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x32x!tt.ptr<f16>>
    %17 = tt.broadcast %15 : tensor<1x32xi32> -> tensor<64x32xi32>
    %18 = tt.addptr %16, %17 : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
    %19 = tt.expand_dims %9 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %20 = tt.splat %arg4 : i32 -> tensor<32x1xi32>
    %21 = arith.muli %19, %20 : tensor<32x1xi32>
    %22 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>>
    %23 = tt.addptr %22, %21 : tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>
    %24 = tt.expand_dims %8 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %25 = tt.broadcast %23 : tensor<32x1x!tt.ptr<f16>> -> tensor<32x64x!tt.ptr<f16>>
    %26 = tt.broadcast %24 : tensor<1x64xi32> -> tensor<32x64xi32>
    %27 = tt.addptr %25, %26 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    %28:3 = scf.for %arg6 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg7 = %18, %arg8 = %27, %arg9 = %cst) -> (tensor<64x32x!tt.ptr<f16>>, tensor<32x64x!tt.ptr<f16>>, tensor<64x64xf32>)  : i32 {
      %43 = tt.splat %arg3 : i32 -> tensor<64x1xi32>
      %44 = arith.cmpi slt, %10, %43 : tensor<64x1xi32>
      %45 = arith.subi %arg5, %arg6 : i32
      %46 = tt.splat %45 : i32 -> tensor<1x32xi32>
      %47 = arith.cmpi slt, %15, %46 : tensor<1x32xi32>
      %48 = tt.broadcast %44 : tensor<64x1xi1> -> tensor<64x32xi1>
      %49 = tt.broadcast %47 : tensor<1x32xi1> -> tensor<64x32xi1>
      %50 = arith.andi %48, %49 : tensor<64x32xi1>
      %51 = tt.load %arg7, %50, %cst_1 : tensor<64x32x!tt.ptr<f16>>
      %52 = tt.splat %45 : i32 -> tensor<32x1xi32>
      %53 = arith.cmpi slt, %19, %52 : tensor<32x1xi32>
      %54 = tt.splat %arg4 : i32 -> tensor<1x64xi32>
      %55 = arith.cmpi slt, %24, %54 : tensor<1x64xi32>
      %56 = tt.broadcast %53 : tensor<32x1xi1> -> tensor<32x64xi1>
      %57 = tt.broadcast %55 : tensor<1x64xi1> -> tensor<32x64xi1>
      %58 = arith.andi %56, %57 : tensor<32x64xi1>
      %59 = tt.load %arg8, %58, %cst_0 : tensor<32x64x!tt.ptr<f16>>
      %60 = tt.dot %51, %59, %arg9, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      %61 = tt.addptr %arg7, %cst_2 : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
      %62 = arith.muli %arg4, %c32_i32 : i32
      %63 = tt.splat %62 : i32 -> tensor<32x64xi32>
      %64 = tt.addptr %arg8, %63 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
      scf.yield %61, %64, %60 : tensor<64x32x!tt.ptr<f16>>, tensor<32x64x!tt.ptr<f16>>, tensor<64x64xf32>
    }
    %29 = tt.splat %arg4 : i32 -> tensor<64x1xi32>
    %30 = arith.muli %10, %29 : tensor<64x1xi32>
    %31 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %32 = tt.addptr %31, %30 : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    %33 = tt.broadcast %32 : tensor<64x1x!tt.ptr<f32>> -> tensor<64x64x!tt.ptr<f32>>
    %34 = tt.broadcast %24 : tensor<1x64xi32> -> tensor<64x64xi32>
    %35 = tt.addptr %33, %34 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    %36 = tt.splat %arg3 : i32 -> tensor<64x1xi32>
    %37 = arith.cmpi slt, %10, %36 : tensor<64x1xi32>
    %38 = tt.splat %arg4 : i32 -> tensor<1x64xi32>
    %39 = arith.cmpi slt, %24, %38 : tensor<1x64xi32>
    %40 = tt.broadcast %37 : tensor<64x1xi1> -> tensor<64x64xi1>
    %41 = tt.broadcast %39 : tensor<1x64xi1> -> tensor<64x64xi1>
    %42 = arith.andi %40, %41 : tensor<64x64xi1>
    tt.store %35, %28#2, %42 : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
}

// -----

// triton-licm
module {
  tt.func public @gemm_pointers(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x64xf16>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x32xf16>
    %c0_i32 = arith.constant 0 : i32
    %cst_2 = arith.constant dense<32> : tensor<64x32xi32>
    %c32_i32 = arith.constant 32 : i32
    %c64_i32 = arith.constant 64 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %3 = tt.splat %1 : i32 -> tensor<64xi32>
    %4 = arith.addi %3, %2 : tensor<64xi32>
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c64_i32 : i32
    %7 = tt.splat %6 : i32 -> tensor<64xi32>
    %8 = arith.addi %7, %2 : tensor<64xi32>
    %9 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %10 = tt.expand_dims %4 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %11 = tt.splat %arg5 : i32 -> tensor<64x1xi32>
    %12 = arith.muli %10, %11 : tensor<64x1xi32>
    %13 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
    %14 = tt.addptr %13, %12 : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
    %15 = tt.expand_dims %9 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %16 = tt.broadcast %14 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x32x!tt.ptr<f16>>
    %17 = tt.broadcast %15 : tensor<1x32xi32> -> tensor<64x32xi32>
    %18 = tt.addptr %16, %17 : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
    %19 = tt.expand_dims %9 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %20 = tt.splat %arg4 : i32 -> tensor<32x1xi32>
    %21 = arith.muli %19, %20 : tensor<32x1xi32>
    %22 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>>
    %23 = tt.addptr %22, %21 : tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>
    %24 = tt.expand_dims %8 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %25 = tt.broadcast %23 : tensor<32x1x!tt.ptr<f16>> -> tensor<32x64x!tt.ptr<f16>>
    %26 = tt.broadcast %24 : tensor<1x64xi32> -> tensor<32x64xi32>
    %27 = tt.addptr %25, %26 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    %28 = tt.splat %arg3 : i32 -> tensor<64x1xi32>
    %29 = arith.cmpi slt, %10, %28 : tensor<64x1xi32>
    %30 = tt.broadcast %29 : tensor<64x1xi1> -> tensor<64x32xi1>
    %31 = tt.splat %arg4 : i32 -> tensor<1x64xi32>
    %32 = arith.cmpi slt, %24, %31 : tensor<1x64xi32>
    %33 = tt.broadcast %32 : tensor<1x64xi1> -> tensor<32x64xi1>
    %34 = arith.muli %arg4, %c32_i32 : i32
    %35 = tt.splat %34 : i32 -> tensor<32x64xi32>
    %36:3 = scf.for %arg6 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg7 = %18, %arg8 = %27, %arg9 = %cst) -> (tensor<64x32x!tt.ptr<f16>>, tensor<32x64x!tt.ptr<f16>>, tensor<64x64xf32>)  : i32 {
      %51 = arith.subi %arg5, %arg6 : i32
      %52 = tt.splat %51 : i32 -> tensor<1x32xi32>
      %53 = arith.cmpi slt, %15, %52 : tensor<1x32xi32>
      %54 = tt.broadcast %53 : tensor<1x32xi1> -> tensor<64x32xi1>
      %55 = arith.andi %30, %54 : tensor<64x32xi1>
      %56 = tt.load %arg7, %55, %cst_1 : tensor<64x32x!tt.ptr<f16>>
      %57 = tt.splat %51 : i32 -> tensor<32x1xi32>
      %58 = arith.cmpi slt, %19, %57 : tensor<32x1xi32>
      %59 = tt.broadcast %58 : tensor<32x1xi1> -> tensor<32x64xi1>
      %60 = arith.andi %59, %33 : tensor<32x64xi1>
      %61 = tt.load %arg8, %60, %cst_0 : tensor<32x64x!tt.ptr<f16>>
      %62 = tt.dot %56, %61, %arg9, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      %63 = tt.addptr %arg7, %cst_2 : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
      %64 = tt.addptr %arg8, %35 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
      scf.yield %63, %64, %62 : tensor<64x32x!tt.ptr<f16>>, tensor<32x64x!tt.ptr<f16>>, tensor<64x64xf32>
    }
    %37 = tt.splat %arg4 : i32 -> tensor<64x1xi32>
    %38 = arith.muli %10, %37 : tensor<64x1xi32>
    %39 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %40 = tt.addptr %39, %38 : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    %41 = tt.broadcast %40 : tensor<64x1x!tt.ptr<f32>> -> tensor<64x64x!tt.ptr<f32>>
    %42 = tt.broadcast %24 : tensor<1x64xi32> -> tensor<64x64xi32>
    %43 = tt.addptr %41, %42 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    %44 = tt.splat %arg3 : i32 -> tensor<64x1xi32>
    %45 = arith.cmpi slt, %10, %44 : tensor<64x1xi32>
    %46 = tt.splat %arg4 : i32 -> tensor<1x64xi32>
    %47 = arith.cmpi slt, %24, %46 : tensor<1x64xi32>
    %48 = tt.broadcast %45 : tensor<64x1xi1> -> tensor<64x64xi1>
    %49 = tt.broadcast %47 : tensor<1x64xi1> -> tensor<64x64xi1>
    %50 = arith.andi %48, %49 : tensor<64x64xi1>
    tt.store %43, %36#2, %50 : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
}

// -----

// cse
module {
  tt.func public @gemm_pointers(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x64xf16>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x32xf16>
    %c0_i32 = arith.constant 0 : i32
    %cst_2 = arith.constant dense<32> : tensor<64x32xi32>
    %c32_i32 = arith.constant 32 : i32
    %c64_i32 = arith.constant 64 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %3 = tt.splat %1 : i32 -> tensor<64xi32>
    %4 = arith.addi %3, %2 : tensor<64xi32>
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c64_i32 : i32
    %7 = tt.splat %6 : i32 -> tensor<64xi32>
    %8 = arith.addi %7, %2 : tensor<64xi32>
    %9 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %10 = tt.expand_dims %4 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %11 = tt.splat %arg5 : i32 -> tensor<64x1xi32>
    %12 = arith.muli %10, %11 : tensor<64x1xi32>
    %13 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
    %14 = tt.addptr %13, %12 : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
    %15 = tt.expand_dims %9 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %16 = tt.broadcast %14 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x32x!tt.ptr<f16>>
    %17 = tt.broadcast %15 : tensor<1x32xi32> -> tensor<64x32xi32>
    %18 = tt.addptr %16, %17 : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
    %19 = tt.expand_dims %9 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %20 = tt.splat %arg4 : i32 -> tensor<32x1xi32>
    %21 = arith.muli %19, %20 : tensor<32x1xi32>
    %22 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>>
    %23 = tt.addptr %22, %21 : tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>
    %24 = tt.expand_dims %8 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %25 = tt.broadcast %23 : tensor<32x1x!tt.ptr<f16>> -> tensor<32x64x!tt.ptr<f16>>
    %26 = tt.broadcast %24 : tensor<1x64xi32> -> tensor<32x64xi32>
    %27 = tt.addptr %25, %26 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    %28 = tt.splat %arg3 : i32 -> tensor<64x1xi32>
    %29 = arith.cmpi slt, %10, %28 : tensor<64x1xi32>
    %30 = tt.broadcast %29 : tensor<64x1xi1> -> tensor<64x32xi1>
    %31 = tt.splat %arg4 : i32 -> tensor<1x64xi32>
    %32 = arith.cmpi slt, %24, %31 : tensor<1x64xi32>
    %33 = tt.broadcast %32 : tensor<1x64xi1> -> tensor<32x64xi1>
    %34 = arith.muli %arg4, %c32_i32 : i32
    %35 = tt.splat %34 : i32 -> tensor<32x64xi32>
    %36:3 = scf.for %arg6 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg7 = %18, %arg8 = %27, %arg9 = %cst) -> (tensor<64x32x!tt.ptr<f16>>, tensor<32x64x!tt.ptr<f16>>, tensor<64x64xf32>)  : i32 {
      %47 = arith.subi %arg5, %arg6 : i32
      %48 = tt.splat %47 : i32 -> tensor<1x32xi32>
      %49 = arith.cmpi slt, %15, %48 : tensor<1x32xi32>
      %50 = tt.broadcast %49 : tensor<1x32xi1> -> tensor<64x32xi1>
      %51 = arith.andi %30, %50 : tensor<64x32xi1>
      %52 = tt.load %arg7, %51, %cst_1 : tensor<64x32x!tt.ptr<f16>>
      %53 = tt.splat %47 : i32 -> tensor<32x1xi32>
      %54 = arith.cmpi slt, %19, %53 : tensor<32x1xi32>
      %55 = tt.broadcast %54 : tensor<32x1xi1> -> tensor<32x64xi1>
      %56 = arith.andi %55, %33 : tensor<32x64xi1>
      %57 = tt.load %arg8, %56, %cst_0 : tensor<32x64x!tt.ptr<f16>>
      %58 = tt.dot %52, %57, %arg9, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      %59 = tt.addptr %arg7, %cst_2 : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
      %60 = tt.addptr %arg8, %35 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
      scf.yield %59, %60, %58 : tensor<64x32x!tt.ptr<f16>>, tensor<32x64x!tt.ptr<f16>>, tensor<64x64xf32>
    }
    %37 = tt.splat %arg4 : i32 -> tensor<64x1xi32>
    %38 = arith.muli %10, %37 : tensor<64x1xi32>
    %39 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %40 = tt.addptr %39, %38 : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    %41 = tt.broadcast %40 : tensor<64x1x!tt.ptr<f32>> -> tensor<64x64x!tt.ptr<f32>>
    %42 = tt.broadcast %24 : tensor<1x64xi32> -> tensor<64x64xi32>
    %43 = tt.addptr %41, %42 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    %44 = tt.broadcast %29 : tensor<64x1xi1> -> tensor<64x64xi1>
    %45 = tt.broadcast %32 : tensor<1x64xi1> -> tensor<64x64xi1>
    %46 = arith.andi %44, %45 : tensor<64x64xi1>
    tt.store %43, %36#2, %46 : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
}

// -----

// triton-annotate-module
module attributes {"ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @gemm_pointers(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x64xf16>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x32xf16>
    %c0_i32 = arith.constant 0 : i32
    %cst_2 = arith.constant dense<32> : tensor<64x32xi32>
    %c32_i32 = arith.constant 32 : i32
    %c64_i32 = arith.constant 64 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %3 = tt.splat %1 : i32 -> tensor<64xi32>
    %4 = arith.addi %3, %2 : tensor<64xi32>
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c64_i32 : i32
    %7 = tt.splat %6 : i32 -> tensor<64xi32>
    %8 = arith.addi %7, %2 : tensor<64xi32>
    %9 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %10 = tt.expand_dims %4 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %11 = tt.splat %arg5 : i32 -> tensor<64x1xi32>
    %12 = arith.muli %10, %11 : tensor<64x1xi32>
    %13 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
    %14 = tt.addptr %13, %12 : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
    %15 = tt.expand_dims %9 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %16 = tt.broadcast %14 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x32x!tt.ptr<f16>>
    %17 = tt.broadcast %15 : tensor<1x32xi32> -> tensor<64x32xi32>
    %18 = tt.addptr %16, %17 : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
    %19 = tt.expand_dims %9 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %20 = tt.splat %arg4 : i32 -> tensor<32x1xi32>
    %21 = arith.muli %19, %20 : tensor<32x1xi32>
    %22 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>>
    %23 = tt.addptr %22, %21 : tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>
    %24 = tt.expand_dims %8 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %25 = tt.broadcast %23 : tensor<32x1x!tt.ptr<f16>> -> tensor<32x64x!tt.ptr<f16>>
    %26 = tt.broadcast %24 : tensor<1x64xi32> -> tensor<32x64xi32>
    %27 = tt.addptr %25, %26 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    %28 = tt.splat %arg3 : i32 -> tensor<64x1xi32>
    %29 = arith.cmpi slt, %10, %28 : tensor<64x1xi32>
    %30 = tt.broadcast %29 : tensor<64x1xi1> -> tensor<64x32xi1>
    %31 = tt.splat %arg4 : i32 -> tensor<1x64xi32>
    %32 = arith.cmpi slt, %24, %31 : tensor<1x64xi32>
    %33 = tt.broadcast %32 : tensor<1x64xi1> -> tensor<32x64xi1>
    %34 = arith.muli %arg4, %c32_i32 : i32
    %35 = tt.splat %34 : i32 -> tensor<32x64xi32>
    %36:3 = scf.for %arg6 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg7 = %18, %arg8 = %27, %arg9 = %cst) -> (tensor<64x32x!tt.ptr<f16>>, tensor<32x64x!tt.ptr<f16>>, tensor<64x64xf32>)  : i32 {
      %47 = arith.subi %arg5, %arg6 : i32
      %48 = tt.splat %47 : i32 -> tensor<1x32xi32>
      %49 = arith.cmpi slt, %15, %48 : tensor<1x32xi32>
      %50 = tt.broadcast %49 : tensor<1x32xi1> -> tensor<64x32xi1>
      %51 = arith.andi %30, %50 : tensor<64x32xi1>
      %52 = tt.load %arg7, %51, %cst_1 : tensor<64x32x!tt.ptr<f16>>
      %53 = tt.splat %47 : i32 -> tensor<32x1xi32>
      %54 = arith.cmpi slt, %19, %53 : tensor<32x1xi32>
      %55 = tt.broadcast %54 : tensor<32x1xi1> -> tensor<32x64xi1>
      %56 = arith.andi %55, %33 : tensor<32x64xi1>
      %57 = tt.load %arg8, %56, %cst_0 : tensor<32x64x!tt.ptr<f16>>
      %58 = tt.dot %52, %57, %arg9, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      %59 = tt.addptr %arg7, %cst_2 : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
      %60 = tt.addptr %arg8, %35 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
      scf.yield %59, %60, %58 : tensor<64x32x!tt.ptr<f16>>, tensor<32x64x!tt.ptr<f16>>, tensor<64x64xf32>
    }
    %37 = tt.splat %arg4 : i32 -> tensor<64x1xi32>
    %38 = arith.muli %10, %37 : tensor<64x1xi32>
    %39 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %40 = tt.addptr %39, %38 : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    %41 = tt.broadcast %40 : tensor<64x1x!tt.ptr<f32>> -> tensor<64x64x!tt.ptr<f32>>
    %42 = tt.broadcast %24 : tensor<1x64xi32> -> tensor<64x64xi32>
    %43 = tt.addptr %41, %42 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    %44 = tt.broadcast %29 : tensor<64x1xi1> -> tensor<64x64xi1>
    %45 = tt.broadcast %32 : tensor<1x64xi1> -> tensor<64x64xi1>
    %46 = arith.andi %44, %45 : tensor<64x64xi1>
    tt.store %43, %36#2, %46 : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
}

// -----

// convert-triton-to-tritongpu
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#blocked4 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked5 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [0, 1]}>
#blocked6 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @gemm_pointers(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #blocked>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x64xf16, #blocked>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x32xf16, #blocked1>
    %c0_i32 = arith.constant 0 : i32
    %cst_2 = arith.constant dense<32> : tensor<64x32xi32, #blocked1>
    %c32_i32 = arith.constant 32 : i32
    %c64_i32 = arith.constant 64 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #blocked2>
    %3 = tt.splat %1 : i32 -> tensor<64xi32, #blocked2>
    %4 = arith.addi %3, %2 : tensor<64xi32, #blocked2>
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c64_i32 : i32
    %7 = tt.splat %6 : i32 -> tensor<64xi32, #blocked2>
    %8 = arith.addi %7, %2 : tensor<64xi32, #blocked2>
    %9 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #blocked2>
    %10 = ttg.convert_layout %4 : tensor<64xi32, #blocked2> -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked3}>>
    %11 = tt.expand_dims %10 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked3}>> -> tensor<64x1xi32, #blocked3>
    %12 = ttg.convert_layout %11 : tensor<64x1xi32, #blocked3> -> tensor<64x1xi32, #blocked4>
    %13 = ttg.convert_layout %11 : tensor<64x1xi32, #blocked3> -> tensor<64x1xi32, #blocked4>
    %14 = ttg.convert_layout %11 : tensor<64x1xi32, #blocked3> -> tensor<64x1xi32, #blocked4>
    %15 = tt.splat %arg5 : i32 -> tensor<64x1xi32, #blocked4>
    %16 = arith.muli %14, %15 : tensor<64x1xi32, #blocked4>
    %17 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked4>
    %18 = tt.addptr %17, %16 : tensor<64x1x!tt.ptr<f16>, #blocked4>, tensor<64x1xi32, #blocked4>
    %19 = ttg.convert_layout %9 : tensor<32xi32, #blocked2> -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked5}>>
    %20 = tt.expand_dims %19 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked5}>> -> tensor<1x32xi32, #blocked5>
    %21 = ttg.convert_layout %20 : tensor<1x32xi32, #blocked5> -> tensor<1x32xi32, #blocked1>
    %22 = ttg.convert_layout %20 : tensor<1x32xi32, #blocked5> -> tensor<1x32xi32, #blocked1>
    %23 = tt.broadcast %18 : tensor<64x1x!tt.ptr<f16>, #blocked4> -> tensor<64x32x!tt.ptr<f16>, #blocked4>
    %24 = ttg.convert_layout %23 : tensor<64x32x!tt.ptr<f16>, #blocked4> -> tensor<64x32x!tt.ptr<f16>, #blocked1>
    %25 = tt.broadcast %22 : tensor<1x32xi32, #blocked1> -> tensor<64x32xi32, #blocked1>
    %26 = tt.addptr %24, %25 : tensor<64x32x!tt.ptr<f16>, #blocked1>, tensor<64x32xi32, #blocked1>
    %27 = ttg.convert_layout %9 : tensor<32xi32, #blocked2> -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked3}>>
    %28 = tt.expand_dims %27 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked3}>> -> tensor<32x1xi32, #blocked3>
    %29 = ttg.convert_layout %28 : tensor<32x1xi32, #blocked3> -> tensor<32x1xi32, #blocked4>
    %30 = ttg.convert_layout %28 : tensor<32x1xi32, #blocked3> -> tensor<32x1xi32, #blocked4>
    %31 = tt.splat %arg4 : i32 -> tensor<32x1xi32, #blocked4>
    %32 = arith.muli %30, %31 : tensor<32x1xi32, #blocked4>
    %33 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked4>
    %34 = tt.addptr %33, %32 : tensor<32x1x!tt.ptr<f16>, #blocked4>, tensor<32x1xi32, #blocked4>
    %35 = ttg.convert_layout %8 : tensor<64xi32, #blocked2> -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked5}>>
    %36 = tt.expand_dims %35 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked5}>> -> tensor<1x64xi32, #blocked5>
    %37 = ttg.convert_layout %36 : tensor<1x64xi32, #blocked5> -> tensor<1x64xi32, #blocked>
    %38 = ttg.convert_layout %36 : tensor<1x64xi32, #blocked5> -> tensor<1x64xi32, #blocked>
    %39 = ttg.convert_layout %36 : tensor<1x64xi32, #blocked5> -> tensor<1x64xi32, #blocked>
    %40 = tt.broadcast %34 : tensor<32x1x!tt.ptr<f16>, #blocked4> -> tensor<32x64x!tt.ptr<f16>, #blocked4>
    %41 = ttg.convert_layout %40 : tensor<32x64x!tt.ptr<f16>, #blocked4> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %42 = tt.broadcast %39 : tensor<1x64xi32, #blocked> -> tensor<32x64xi32, #blocked>
    %43 = tt.addptr %41, %42 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    %44 = tt.splat %arg3 : i32 -> tensor<64x1xi32, #blocked4>
    %45 = arith.cmpi slt, %13, %44 : tensor<64x1xi32, #blocked4>
    %46 = tt.broadcast %45 : tensor<64x1xi1, #blocked4> -> tensor<64x32xi1, #blocked4>
    %47 = ttg.convert_layout %46 : tensor<64x32xi1, #blocked4> -> tensor<64x32xi1, #blocked1>
    %48 = tt.splat %arg4 : i32 -> tensor<1x64xi32, #blocked>
    %49 = arith.cmpi slt, %38, %48 : tensor<1x64xi32, #blocked>
    %50 = tt.broadcast %49 : tensor<1x64xi1, #blocked> -> tensor<32x64xi1, #blocked>
    %51 = arith.muli %arg4, %c32_i32 : i32
    %52 = tt.splat %51 : i32 -> tensor<32x64xi32, #blocked>
    %53:3 = scf.for %arg6 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg7 = %26, %arg8 = %43, %arg9 = %cst) -> (tensor<64x32x!tt.ptr<f16>, #blocked1>, tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<64x64xf32, #blocked>)  : i32 {
      %66 = arith.subi %arg5, %arg6 : i32
      %67 = tt.splat %66 : i32 -> tensor<1x32xi32, #blocked1>
      %68 = arith.cmpi slt, %21, %67 : tensor<1x32xi32, #blocked1>
      %69 = tt.broadcast %68 : tensor<1x32xi1, #blocked1> -> tensor<64x32xi1, #blocked1>
      %70 = arith.andi %47, %69 : tensor<64x32xi1, #blocked1>
      %71 = tt.load %arg7, %70, %cst_1 : tensor<64x32x!tt.ptr<f16>, #blocked1>
      %72 = tt.splat %66 : i32 -> tensor<32x1xi32, #blocked4>
      %73 = arith.cmpi slt, %29, %72 : tensor<32x1xi32, #blocked4>
      %74 = tt.broadcast %73 : tensor<32x1xi1, #blocked4> -> tensor<32x64xi1, #blocked4>
      %75 = ttg.convert_layout %74 : tensor<32x64xi1, #blocked4> -> tensor<32x64xi1, #blocked>
      %76 = arith.andi %75, %50 : tensor<32x64xi1, #blocked>
      %77 = tt.load %arg8, %76, %cst_0 : tensor<32x64x!tt.ptr<f16>, #blocked>
      %78 = ttg.convert_layout %71 : tensor<64x32xf16, #blocked1> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked6}>>
      %79 = ttg.convert_layout %77 : tensor<32x64xf16, #blocked> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked6}>>
      %80 = ttg.convert_layout %arg9 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked6>
      %81 = tt.dot %78, %79, %80, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked6}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked6}>> -> tensor<64x64xf32, #blocked6>
      %82 = ttg.convert_layout %81 : tensor<64x64xf32, #blocked6> -> tensor<64x64xf32, #blocked>
      %83 = tt.addptr %arg7, %cst_2 : tensor<64x32x!tt.ptr<f16>, #blocked1>, tensor<64x32xi32, #blocked1>
      %84 = tt.addptr %arg8, %52 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
      scf.yield %83, %84, %82 : tensor<64x32x!tt.ptr<f16>, #blocked1>, tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<64x64xf32, #blocked>
    }
    %54 = tt.splat %arg4 : i32 -> tensor<64x1xi32, #blocked4>
    %55 = arith.muli %12, %54 : tensor<64x1xi32, #blocked4>
    %56 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #blocked4>
    %57 = tt.addptr %56, %55 : tensor<64x1x!tt.ptr<f32>, #blocked4>, tensor<64x1xi32, #blocked4>
    %58 = tt.broadcast %57 : tensor<64x1x!tt.ptr<f32>, #blocked4> -> tensor<64x64x!tt.ptr<f32>, #blocked4>
    %59 = ttg.convert_layout %58 : tensor<64x64x!tt.ptr<f32>, #blocked4> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %60 = tt.broadcast %37 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %61 = tt.addptr %59, %60 : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
    %62 = tt.broadcast %45 : tensor<64x1xi1, #blocked4> -> tensor<64x64xi1, #blocked4>
    %63 = ttg.convert_layout %62 : tensor<64x64xi1, #blocked4> -> tensor<64x64xi1, #blocked>
    %64 = tt.broadcast %49 : tensor<1x64xi1, #blocked> -> tensor<64x64xi1, #blocked>
    %65 = arith.andi %63, %64 : tensor<64x64xi1, #blocked>
    tt.store %61, %53#2, %65 : tensor<64x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

// -----

// tritongpu-coalesce
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#blocked4 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked5 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [0, 1]}>
#blocked6 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked7 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked8 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked9 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @gemm_pointers(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #blocked>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x64xf16, #blocked>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x32xf16, #blocked1>
    %c0_i32 = arith.constant 0 : i32
    %cst_2 = arith.constant dense<32> : tensor<64x32xi32, #blocked1>
    %c32_i32 = arith.constant 32 : i32
    %c64_i32 = arith.constant 64 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #blocked2>
    %3 = tt.splat %1 : i32 -> tensor<64xi32, #blocked2>
    %4 = arith.addi %3, %2 : tensor<64xi32, #blocked2>
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c64_i32 : i32
    %7 = tt.splat %6 : i32 -> tensor<64xi32, #blocked2>
    %8 = arith.addi %7, %2 : tensor<64xi32, #blocked2>
    %9 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #blocked2>
    %10 = ttg.convert_layout %4 : tensor<64xi32, #blocked2> -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked3}>>
    %11 = tt.expand_dims %10 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked3}>> -> tensor<64x1xi32, #blocked3>
    %12 = ttg.convert_layout %11 : tensor<64x1xi32, #blocked3> -> tensor<64x1xi32, #blocked4>
    %13 = ttg.convert_layout %11 : tensor<64x1xi32, #blocked3> -> tensor<64x1xi32, #blocked4>
    %14 = ttg.convert_layout %11 : tensor<64x1xi32, #blocked3> -> tensor<64x1xi32, #blocked4>
    %15 = tt.splat %arg5 : i32 -> tensor<64x1xi32, #blocked4>
    %16 = arith.muli %14, %15 : tensor<64x1xi32, #blocked4>
    %17 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked4>
    %18 = tt.addptr %17, %16 : tensor<64x1x!tt.ptr<f16>, #blocked4>, tensor<64x1xi32, #blocked4>
    %19 = ttg.convert_layout %9 : tensor<32xi32, #blocked2> -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked5}>>
    %20 = tt.expand_dims %19 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked5}>> -> tensor<1x32xi32, #blocked5>
    %21 = ttg.convert_layout %20 : tensor<1x32xi32, #blocked5> -> tensor<1x32xi32, #blocked1>
    %22 = ttg.convert_layout %20 : tensor<1x32xi32, #blocked5> -> tensor<1x32xi32, #blocked1>
    %23 = tt.broadcast %18 : tensor<64x1x!tt.ptr<f16>, #blocked4> -> tensor<64x32x!tt.ptr<f16>, #blocked4>
    %24 = ttg.convert_layout %23 : tensor<64x32x!tt.ptr<f16>, #blocked4> -> tensor<64x32x!tt.ptr<f16>, #blocked1>
    %25 = tt.broadcast %22 : tensor<1x32xi32, #blocked1> -> tensor<64x32xi32, #blocked1>
    %26 = tt.addptr %24, %25 : tensor<64x32x!tt.ptr<f16>, #blocked1>, tensor<64x32xi32, #blocked1>
    %27 = ttg.convert_layout %9 : tensor<32xi32, #blocked2> -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked3}>>
    %28 = tt.expand_dims %27 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked3}>> -> tensor<32x1xi32, #blocked3>
    %29 = ttg.convert_layout %28 : tensor<32x1xi32, #blocked3> -> tensor<32x1xi32, #blocked4>
    %30 = ttg.convert_layout %28 : tensor<32x1xi32, #blocked3> -> tensor<32x1xi32, #blocked4>
    %31 = tt.splat %arg4 : i32 -> tensor<32x1xi32, #blocked4>
    %32 = arith.muli %30, %31 : tensor<32x1xi32, #blocked4>
    %33 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked4>
    %34 = tt.addptr %33, %32 : tensor<32x1x!tt.ptr<f16>, #blocked4>, tensor<32x1xi32, #blocked4>
    %35 = ttg.convert_layout %8 : tensor<64xi32, #blocked2> -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked5}>>
    %36 = tt.expand_dims %35 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked5}>> -> tensor<1x64xi32, #blocked5>
    %37 = ttg.convert_layout %36 : tensor<1x64xi32, #blocked5> -> tensor<1x64xi32, #blocked>
    %38 = ttg.convert_layout %36 : tensor<1x64xi32, #blocked5> -> tensor<1x64xi32, #blocked>
    %39 = ttg.convert_layout %36 : tensor<1x64xi32, #blocked5> -> tensor<1x64xi32, #blocked>
    %40 = tt.broadcast %34 : tensor<32x1x!tt.ptr<f16>, #blocked4> -> tensor<32x64x!tt.ptr<f16>, #blocked4>
    %41 = ttg.convert_layout %40 : tensor<32x64x!tt.ptr<f16>, #blocked4> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %42 = tt.broadcast %39 : tensor<1x64xi32, #blocked> -> tensor<32x64xi32, #blocked>
    %43 = tt.addptr %41, %42 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    %44 = tt.splat %arg3 : i32 -> tensor<64x1xi32, #blocked4>
    %45 = arith.cmpi slt, %13, %44 : tensor<64x1xi32, #blocked4>
    %46 = tt.broadcast %45 : tensor<64x1xi1, #blocked4> -> tensor<64x32xi1, #blocked4>
    %47 = ttg.convert_layout %46 : tensor<64x32xi1, #blocked4> -> tensor<64x32xi1, #blocked1>
    %48 = tt.splat %arg4 : i32 -> tensor<1x64xi32, #blocked>
    %49 = arith.cmpi slt, %38, %48 : tensor<1x64xi32, #blocked>
    %50 = tt.broadcast %49 : tensor<1x64xi1, #blocked> -> tensor<32x64xi1, #blocked>
    %51 = arith.muli %arg4, %c32_i32 : i32
    %52 = tt.splat %51 : i32 -> tensor<32x64xi32, #blocked>
    %53:3 = scf.for %arg6 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg7 = %26, %arg8 = %43, %arg9 = %cst) -> (tensor<64x32x!tt.ptr<f16>, #blocked1>, tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<64x64xf32, #blocked>)  : i32 {
      %69 = arith.subi %arg5, %arg6 : i32
      %70 = tt.splat %69 : i32 -> tensor<1x32xi32, #blocked1>
      %71 = arith.cmpi slt, %21, %70 : tensor<1x32xi32, #blocked1>
      %72 = tt.broadcast %71 : tensor<1x32xi1, #blocked1> -> tensor<64x32xi1, #blocked1>
      %73 = arith.andi %47, %72 : tensor<64x32xi1, #blocked1>
      %74 = ttg.convert_layout %arg7 : tensor<64x32x!tt.ptr<f16>, #blocked1> -> tensor<64x32x!tt.ptr<f16>, #blocked6>
      %75 = ttg.convert_layout %73 : tensor<64x32xi1, #blocked1> -> tensor<64x32xi1, #blocked6>
      %76 = ttg.convert_layout %cst_1 : tensor<64x32xf16, #blocked1> -> tensor<64x32xf16, #blocked6>
      %77 = tt.load %74, %75, %76 : tensor<64x32x!tt.ptr<f16>, #blocked6>
      %78 = ttg.convert_layout %77 : tensor<64x32xf16, #blocked6> -> tensor<64x32xf16, #blocked1>
      %79 = tt.splat %69 : i32 -> tensor<32x1xi32, #blocked4>
      %80 = arith.cmpi slt, %29, %79 : tensor<32x1xi32, #blocked4>
      %81 = tt.broadcast %80 : tensor<32x1xi1, #blocked4> -> tensor<32x64xi1, #blocked4>
      %82 = ttg.convert_layout %81 : tensor<32x64xi1, #blocked4> -> tensor<32x64xi1, #blocked>
      %83 = arith.andi %82, %50 : tensor<32x64xi1, #blocked>
      %84 = ttg.convert_layout %arg8 : tensor<32x64x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked7>
      %85 = ttg.convert_layout %83 : tensor<32x64xi1, #blocked> -> tensor<32x64xi1, #blocked7>
      %86 = ttg.convert_layout %cst_0 : tensor<32x64xf16, #blocked> -> tensor<32x64xf16, #blocked7>
      %87 = tt.load %84, %85, %86 : tensor<32x64x!tt.ptr<f16>, #blocked7>
      %88 = ttg.convert_layout %87 : tensor<32x64xf16, #blocked7> -> tensor<32x64xf16, #blocked>
      %89 = ttg.convert_layout %78 : tensor<64x32xf16, #blocked1> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked8}>>
      %90 = ttg.convert_layout %88 : tensor<32x64xf16, #blocked> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked8}>>
      %91 = ttg.convert_layout %arg9 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked8>
      %92 = tt.dot %89, %90, %91, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked8}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked8}>> -> tensor<64x64xf32, #blocked8>
      %93 = ttg.convert_layout %92 : tensor<64x64xf32, #blocked8> -> tensor<64x64xf32, #blocked>
      %94 = tt.addptr %arg7, %cst_2 : tensor<64x32x!tt.ptr<f16>, #blocked1>, tensor<64x32xi32, #blocked1>
      %95 = tt.addptr %arg8, %52 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
      scf.yield %94, %95, %93 : tensor<64x32x!tt.ptr<f16>, #blocked1>, tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<64x64xf32, #blocked>
    }
    %54 = tt.splat %arg4 : i32 -> tensor<64x1xi32, #blocked4>
    %55 = arith.muli %12, %54 : tensor<64x1xi32, #blocked4>
    %56 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #blocked4>
    %57 = tt.addptr %56, %55 : tensor<64x1x!tt.ptr<f32>, #blocked4>, tensor<64x1xi32, #blocked4>
    %58 = tt.broadcast %57 : tensor<64x1x!tt.ptr<f32>, #blocked4> -> tensor<64x64x!tt.ptr<f32>, #blocked4>
    %59 = ttg.convert_layout %58 : tensor<64x64x!tt.ptr<f32>, #blocked4> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %60 = tt.broadcast %37 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %61 = tt.addptr %59, %60 : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
    %62 = tt.broadcast %45 : tensor<64x1xi1, #blocked4> -> tensor<64x64xi1, #blocked4>
    %63 = ttg.convert_layout %62 : tensor<64x64xi1, #blocked4> -> tensor<64x64xi1, #blocked>
    %64 = tt.broadcast %49 : tensor<1x64xi1, #blocked> -> tensor<64x64xi1, #blocked>
    %65 = arith.andi %63, %64 : tensor<64x64xi1, #blocked>
    %66 = ttg.convert_layout %61 : tensor<64x64x!tt.ptr<f32>, #blocked> -> tensor<64x64x!tt.ptr<f32>, #blocked9>
    %67 = ttg.convert_layout %53#2 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked9>
    %68 = ttg.convert_layout %65 : tensor<64x64xi1, #blocked> -> tensor<64x64xi1, #blocked9>
    tt.store %66, %67, %68 : tensor<64x64x!tt.ptr<f32>, #blocked9>
    tt.return
  }
}

// -----

// tritonintelgpu-remove-layout-conversions
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @gemm_pointers(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x64xf16, #blocked1>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x32xf16, #blocked2>
    %c64_i32 = arith.constant 64 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst_2 = arith.constant dense<32> : tensor<64x32xi32, #blocked2>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked3}>>
    %4 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %5 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked3}>>
    %6 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %7 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked3}>>
    %8 = arith.addi %6, %2 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %9 = arith.addi %7, %3 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked3}>>
    %10 = tt.get_program_id y : i32
    %11 = arith.muli %10, %c64_i32 : i32
    %12 = tt.splat %11 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %13 = tt.splat %11 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked3}>>
    %14 = arith.addi %12, %4 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %15 = arith.addi %13, %5 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked3}>>
    %16 = tt.expand_dims %8 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<64x1xi32, #blocked2>
    %17 = tt.expand_dims %9 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked3}>> -> tensor<64x1xi32, #blocked3>
    %18 = tt.splat %arg5 : i32 -> tensor<64x1xi32, #blocked2>
    %19 = arith.muli %16, %18 : tensor<64x1xi32, #blocked2>
    %20 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked2>
    %21 = tt.addptr %20, %19 : tensor<64x1x!tt.ptr<f16>, #blocked2>, tensor<64x1xi32, #blocked2>
    %22 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %23 = tt.expand_dims %22 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x32xi32, #blocked2>
    %24 = tt.broadcast %21 : tensor<64x1x!tt.ptr<f16>, #blocked2> -> tensor<64x32x!tt.ptr<f16>, #blocked2>
    %25 = tt.broadcast %23 : tensor<1x32xi32, #blocked2> -> tensor<64x32xi32, #blocked2>
    %26 = tt.addptr %24, %25 : tensor<64x32x!tt.ptr<f16>, #blocked2>, tensor<64x32xi32, #blocked2>
    %27 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %28 = tt.expand_dims %27 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xi32, #blocked1>
    %29 = tt.splat %arg4 : i32 -> tensor<32x1xi32, #blocked1>
    %30 = arith.muli %28, %29 : tensor<32x1xi32, #blocked1>
    %31 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked1>
    %32 = tt.addptr %31, %30 : tensor<32x1x!tt.ptr<f16>, #blocked1>, tensor<32x1xi32, #blocked1>
    %33 = tt.expand_dims %14 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %34 = tt.expand_dims %15 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked3}>> -> tensor<1x64xi32, #blocked3>
    %35 = tt.broadcast %32 : tensor<32x1x!tt.ptr<f16>, #blocked1> -> tensor<32x64x!tt.ptr<f16>, #blocked1>
    %36 = tt.broadcast %33 : tensor<1x64xi32, #blocked1> -> tensor<32x64xi32, #blocked1>
    %37 = tt.addptr %35, %36 : tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>
    %38 = tt.splat %arg3 : i32 -> tensor<64x1xi32, #blocked3>
    %39 = tt.splat %arg3 : i32 -> tensor<64x1xi32, #blocked2>
    %40 = arith.cmpi slt, %16, %39 : tensor<64x1xi32, #blocked2>
    %41 = arith.cmpi slt, %17, %38 : tensor<64x1xi32, #blocked3>
    %42 = tt.broadcast %40 : tensor<64x1xi1, #blocked2> -> tensor<64x32xi1, #blocked2>
    %43 = tt.splat %arg4 : i32 -> tensor<1x64xi32, #blocked3>
    %44 = tt.splat %arg4 : i32 -> tensor<1x64xi32, #blocked1>
    %45 = arith.cmpi slt, %33, %44 : tensor<1x64xi32, #blocked1>
    %46 = arith.cmpi slt, %34, %43 : tensor<1x64xi32, #blocked3>
    %47 = tt.broadcast %45 : tensor<1x64xi1, #blocked1> -> tensor<32x64xi1, #blocked1>
    %48 = arith.muli %arg4, %c32_i32 : i32
    %49 = tt.splat %48 : i32 -> tensor<32x64xi32, #blocked1>
    %50:3 = scf.for %arg6 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg7 = %cst, %arg8 = %26, %arg9 = %37) -> (tensor<64x64xf32, #blocked>, tensor<64x32x!tt.ptr<f16>, #blocked2>, tensor<32x64x!tt.ptr<f16>, #blocked1>)  : i32 {
      %62 = arith.subi %arg5, %arg6 : i32
      %63 = tt.splat %62 : i32 -> tensor<1x32xi32, #blocked2>
      %64 = arith.cmpi slt, %23, %63 : tensor<1x32xi32, #blocked2>
      %65 = tt.broadcast %64 : tensor<1x32xi1, #blocked2> -> tensor<64x32xi1, #blocked2>
      %66 = arith.andi %42, %65 : tensor<64x32xi1, #blocked2>
      %67 = tt.load %arg8, %66, %cst_1 : tensor<64x32x!tt.ptr<f16>, #blocked2>
      %68 = tt.splat %62 : i32 -> tensor<32x1xi32, #blocked1>
      %69 = arith.cmpi slt, %28, %68 : tensor<32x1xi32, #blocked1>
      %70 = tt.broadcast %69 : tensor<32x1xi1, #blocked1> -> tensor<32x64xi1, #blocked1>
      %71 = arith.andi %70, %47 : tensor<32x64xi1, #blocked1>
      %72 = tt.load %arg9, %71, %cst_0 : tensor<32x64x!tt.ptr<f16>, #blocked1>
      %73 = ttg.convert_layout %67 : tensor<64x32xf16, #blocked2> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>
      %74 = ttg.convert_layout %72 : tensor<32x64xf16, #blocked1> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>
      %75 = tt.dot %73, %74, %arg7, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<64x64xf32, #blocked>
      %76 = tt.addptr %arg8, %cst_2 : tensor<64x32x!tt.ptr<f16>, #blocked2>, tensor<64x32xi32, #blocked2>
      %77 = tt.addptr %arg9, %49 : tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>
      scf.yield %75, %76, %77 : tensor<64x64xf32, #blocked>, tensor<64x32x!tt.ptr<f16>, #blocked2>, tensor<32x64x!tt.ptr<f16>, #blocked1>
    }
    %51 = tt.splat %arg4 : i32 -> tensor<64x1xi32, #blocked3>
    %52 = arith.muli %17, %51 : tensor<64x1xi32, #blocked3>
    %53 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #blocked3>
    %54 = tt.addptr %53, %52 : tensor<64x1x!tt.ptr<f32>, #blocked3>, tensor<64x1xi32, #blocked3>
    %55 = tt.broadcast %54 : tensor<64x1x!tt.ptr<f32>, #blocked3> -> tensor<64x64x!tt.ptr<f32>, #blocked3>
    %56 = tt.broadcast %34 : tensor<1x64xi32, #blocked3> -> tensor<64x64xi32, #blocked3>
    %57 = tt.addptr %55, %56 : tensor<64x64x!tt.ptr<f32>, #blocked3>, tensor<64x64xi32, #blocked3>
    %58 = tt.broadcast %41 : tensor<64x1xi1, #blocked3> -> tensor<64x64xi1, #blocked3>
    %59 = tt.broadcast %46 : tensor<1x64xi1, #blocked3> -> tensor<64x64xi1, #blocked3>
    %60 = arith.andi %58, %59 : tensor<64x64xi1, #blocked3>
    %61 = ttg.convert_layout %50#0 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked3>
    tt.store %57, %61, %60 : tensor<64x64x!tt.ptr<f32>, #blocked3>
    tt.return
  }
}

// -----

// tritonintelgpu-accelerate-matmul
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @gemm_pointers(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x64xf16, #blocked1>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x32xf16, #blocked2>
    %c64_i32 = arith.constant 64 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst_2 = arith.constant dense<32> : tensor<64x32xi32, #blocked2>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked3}>>
    %4 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %5 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked3}>>
    %6 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %7 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked3}>>
    %8 = arith.addi %6, %2 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %9 = arith.addi %7, %3 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked3}>>
    %10 = tt.get_program_id y : i32
    %11 = arith.muli %10, %c64_i32 : i32
    %12 = tt.splat %11 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %13 = tt.splat %11 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked3}>>
    %14 = arith.addi %12, %4 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %15 = arith.addi %13, %5 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked3}>>
    %16 = tt.expand_dims %8 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<64x1xi32, #blocked2>
    %17 = tt.expand_dims %9 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked3}>> -> tensor<64x1xi32, #blocked3>
    %18 = tt.splat %arg5 : i32 -> tensor<64x1xi32, #blocked2>
    %19 = arith.muli %16, %18 : tensor<64x1xi32, #blocked2>
    %20 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked2>
    %21 = tt.addptr %20, %19 : tensor<64x1x!tt.ptr<f16>, #blocked2>, tensor<64x1xi32, #blocked2>
    %22 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %23 = tt.expand_dims %22 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x32xi32, #blocked2>
    %24 = tt.broadcast %21 : tensor<64x1x!tt.ptr<f16>, #blocked2> -> tensor<64x32x!tt.ptr<f16>, #blocked2>
    %25 = tt.broadcast %23 : tensor<1x32xi32, #blocked2> -> tensor<64x32xi32, #blocked2>
    %26 = tt.addptr %24, %25 : tensor<64x32x!tt.ptr<f16>, #blocked2>, tensor<64x32xi32, #blocked2>
    %27 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %28 = tt.expand_dims %27 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xi32, #blocked1>
    %29 = tt.splat %arg4 : i32 -> tensor<32x1xi32, #blocked1>
    %30 = arith.muli %28, %29 : tensor<32x1xi32, #blocked1>
    %31 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked1>
    %32 = tt.addptr %31, %30 : tensor<32x1x!tt.ptr<f16>, #blocked1>, tensor<32x1xi32, #blocked1>
    %33 = tt.expand_dims %14 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %34 = tt.expand_dims %15 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked3}>> -> tensor<1x64xi32, #blocked3>
    %35 = tt.broadcast %32 : tensor<32x1x!tt.ptr<f16>, #blocked1> -> tensor<32x64x!tt.ptr<f16>, #blocked1>
    %36 = tt.broadcast %33 : tensor<1x64xi32, #blocked1> -> tensor<32x64xi32, #blocked1>
    %37 = tt.addptr %35, %36 : tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>
    %38 = tt.splat %arg3 : i32 -> tensor<64x1xi32, #blocked3>
    %39 = tt.splat %arg3 : i32 -> tensor<64x1xi32, #blocked2>
    %40 = arith.cmpi slt, %16, %39 : tensor<64x1xi32, #blocked2>
    %41 = arith.cmpi slt, %17, %38 : tensor<64x1xi32, #blocked3>
    %42 = tt.broadcast %40 : tensor<64x1xi1, #blocked2> -> tensor<64x32xi1, #blocked2>
    %43 = tt.splat %arg4 : i32 -> tensor<1x64xi32, #blocked3>
    %44 = tt.splat %arg4 : i32 -> tensor<1x64xi32, #blocked1>
    %45 = arith.cmpi slt, %33, %44 : tensor<1x64xi32, #blocked1>
    %46 = arith.cmpi slt, %34, %43 : tensor<1x64xi32, #blocked3>
    %47 = tt.broadcast %45 : tensor<1x64xi1, #blocked1> -> tensor<32x64xi1, #blocked1>
    %48 = arith.muli %arg4, %c32_i32 : i32
    %49 = tt.splat %48 : i32 -> tensor<32x64xi32, #blocked1>
    %50:3 = scf.for %arg6 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg7 = %cst, %arg8 = %26, %arg9 = %37) -> (tensor<64x64xf32, #blocked>, tensor<64x32x!tt.ptr<f16>, #blocked2>, tensor<32x64x!tt.ptr<f16>, #blocked1>)  : i32 {
      %62 = arith.subi %arg5, %arg6 : i32
      %63 = tt.splat %62 : i32 -> tensor<1x32xi32, #blocked2>
      %64 = arith.cmpi slt, %23, %63 : tensor<1x32xi32, #blocked2>
      %65 = tt.broadcast %64 : tensor<1x32xi1, #blocked2> -> tensor<64x32xi1, #blocked2>
      %66 = arith.andi %42, %65 : tensor<64x32xi1, #blocked2>
      %67 = tt.load %arg8, %66, %cst_1 : tensor<64x32x!tt.ptr<f16>, #blocked2>
      %68 = tt.splat %62 : i32 -> tensor<32x1xi32, #blocked1>
      %69 = arith.cmpi slt, %28, %68 : tensor<32x1xi32, #blocked1>
      %70 = tt.broadcast %69 : tensor<32x1xi1, #blocked1> -> tensor<32x64xi1, #blocked1>
      %71 = arith.andi %70, %47 : tensor<32x64xi1, #blocked1>
      %72 = tt.load %arg9, %71, %cst_0 : tensor<32x64x!tt.ptr<f16>, #blocked1>
      %73 = ttg.convert_layout %67 : tensor<64x32xf16, #blocked2> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>
      %74 = ttg.convert_layout %72 : tensor<32x64xf16, #blocked1> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>
      %75 = ttg.convert_layout %arg7 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #mma>
      %76 = ttg.convert_layout %73 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %77 = ttg.convert_layout %74 : tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %78 = tt.dot %76, %77, %75, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      %79 = ttg.convert_layout %78 : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked>
      %80 = tt.addptr %arg8, %cst_2 : tensor<64x32x!tt.ptr<f16>, #blocked2>, tensor<64x32xi32, #blocked2>
      %81 = tt.addptr %arg9, %49 : tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>
      scf.yield %79, %80, %81 : tensor<64x64xf32, #blocked>, tensor<64x32x!tt.ptr<f16>, #blocked2>, tensor<32x64x!tt.ptr<f16>, #blocked1>
    }
    %51 = tt.splat %arg4 : i32 -> tensor<64x1xi32, #blocked3>
    %52 = arith.muli %17, %51 : tensor<64x1xi32, #blocked3>
    %53 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #blocked3>
    %54 = tt.addptr %53, %52 : tensor<64x1x!tt.ptr<f32>, #blocked3>, tensor<64x1xi32, #blocked3>
    %55 = tt.broadcast %54 : tensor<64x1x!tt.ptr<f32>, #blocked3> -> tensor<64x64x!tt.ptr<f32>, #blocked3>
    %56 = tt.broadcast %34 : tensor<1x64xi32, #blocked3> -> tensor<64x64xi32, #blocked3>
    %57 = tt.addptr %55, %56 : tensor<64x64x!tt.ptr<f32>, #blocked3>, tensor<64x64xi32, #blocked3>
    %58 = tt.broadcast %41 : tensor<64x1xi1, #blocked3> -> tensor<64x64xi1, #blocked3>
    %59 = tt.broadcast %46 : tensor<1x64xi1, #blocked3> -> tensor<64x64xi1, #blocked3>
    %60 = arith.andi %58, %59 : tensor<64x64xi1, #blocked3>
    %61 = ttg.convert_layout %50#0 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked3>
    tt.store %57, %61, %60 : tensor<64x64x!tt.ptr<f32>, #blocked3>
    tt.return
  }
}

// -----

// tritonintelgpu-remove-layout-conversions
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @gemm_pointers(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<32> : tensor<64x32xi32, #blocked>
    %c32_i32 = arith.constant 32 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x32xf16, #blocked>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<32x64xf16, #blocked1>
    %c0_i32 = arith.constant 0 : i32
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %4 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %5 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %6 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %7 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %8 = arith.addi %6, %2 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %9 = arith.addi %7, %3 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %10 = tt.get_program_id y : i32
    %11 = arith.muli %10, %c64_i32 : i32
    %12 = tt.splat %11 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %13 = tt.splat %11 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %14 = arith.addi %12, %4 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %15 = arith.addi %13, %5 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %16 = tt.expand_dims %8 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %17 = tt.expand_dims %9 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xi32, #mma>
    %18 = tt.splat %arg5 : i32 -> tensor<64x1xi32, #blocked>
    %19 = arith.muli %16, %18 : tensor<64x1xi32, #blocked>
    %20 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %21 = tt.addptr %20, %19 : tensor<64x1x!tt.ptr<f16>, #blocked>, tensor<64x1xi32, #blocked>
    %22 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %23 = tt.expand_dims %22 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %24 = tt.broadcast %21 : tensor<64x1x!tt.ptr<f16>, #blocked> -> tensor<64x32x!tt.ptr<f16>, #blocked>
    %25 = tt.broadcast %23 : tensor<1x32xi32, #blocked> -> tensor<64x32xi32, #blocked>
    %26 = tt.addptr %24, %25 : tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<64x32xi32, #blocked>
    %27 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %28 = tt.expand_dims %27 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xi32, #blocked1>
    %29 = tt.splat %arg4 : i32 -> tensor<32x1xi32, #blocked1>
    %30 = arith.muli %28, %29 : tensor<32x1xi32, #blocked1>
    %31 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked1>
    %32 = tt.addptr %31, %30 : tensor<32x1x!tt.ptr<f16>, #blocked1>, tensor<32x1xi32, #blocked1>
    %33 = tt.expand_dims %14 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %34 = tt.expand_dims %15 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x64xi32, #mma>
    %35 = tt.broadcast %32 : tensor<32x1x!tt.ptr<f16>, #blocked1> -> tensor<32x64x!tt.ptr<f16>, #blocked1>
    %36 = tt.broadcast %33 : tensor<1x64xi32, #blocked1> -> tensor<32x64xi32, #blocked1>
    %37 = tt.addptr %35, %36 : tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>
    %38 = tt.splat %arg3 : i32 -> tensor<64x1xi32, #mma>
    %39 = tt.splat %arg3 : i32 -> tensor<64x1xi32, #blocked>
    %40 = arith.cmpi slt, %16, %39 : tensor<64x1xi32, #blocked>
    %41 = arith.cmpi slt, %17, %38 : tensor<64x1xi32, #mma>
    %42 = tt.broadcast %40 : tensor<64x1xi1, #blocked> -> tensor<64x32xi1, #blocked>
    %43 = tt.splat %arg4 : i32 -> tensor<1x64xi32, #mma>
    %44 = tt.splat %arg4 : i32 -> tensor<1x64xi32, #blocked1>
    %45 = arith.cmpi slt, %33, %44 : tensor<1x64xi32, #blocked1>
    %46 = arith.cmpi slt, %34, %43 : tensor<1x64xi32, #mma>
    %47 = tt.broadcast %45 : tensor<1x64xi1, #blocked1> -> tensor<32x64xi1, #blocked1>
    %48 = arith.muli %arg4, %c32_i32 : i32
    %49 = tt.splat %48 : i32 -> tensor<32x64xi32, #blocked1>
    %50:3 = scf.for %arg6 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg7 = %cst_2, %arg8 = %26, %arg9 = %37) -> (tensor<64x64xf32, #mma>, tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<32x64x!tt.ptr<f16>, #blocked1>)  : i32 {
      %61 = arith.subi %arg5, %arg6 : i32
      %62 = tt.splat %61 : i32 -> tensor<1x32xi32, #blocked>
      %63 = arith.cmpi slt, %23, %62 : tensor<1x32xi32, #blocked>
      %64 = tt.broadcast %63 : tensor<1x32xi1, #blocked> -> tensor<64x32xi1, #blocked>
      %65 = arith.andi %42, %64 : tensor<64x32xi1, #blocked>
      %66 = tt.load %arg8, %65, %cst_0 : tensor<64x32x!tt.ptr<f16>, #blocked>
      %67 = tt.splat %61 : i32 -> tensor<32x1xi32, #blocked1>
      %68 = arith.cmpi slt, %28, %67 : tensor<32x1xi32, #blocked1>
      %69 = tt.broadcast %68 : tensor<32x1xi1, #blocked1> -> tensor<32x64xi1, #blocked1>
      %70 = arith.andi %69, %47 : tensor<32x64xi1, #blocked1>
      %71 = tt.load %arg9, %70, %cst_1 : tensor<32x64x!tt.ptr<f16>, #blocked1>
      %72 = ttg.convert_layout %66 : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %73 = ttg.convert_layout %71 : tensor<32x64xf16, #blocked1> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %74 = tt.dot %72, %73, %arg7, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      %75 = tt.addptr %arg8, %cst : tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<64x32xi32, #blocked>
      %76 = tt.addptr %arg9, %49 : tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>
      scf.yield %74, %75, %76 : tensor<64x64xf32, #mma>, tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<32x64x!tt.ptr<f16>, #blocked1>
    }
    %51 = tt.splat %arg4 : i32 -> tensor<64x1xi32, #mma>
    %52 = arith.muli %17, %51 : tensor<64x1xi32, #mma>
    %53 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #mma>
    %54 = tt.addptr %53, %52 : tensor<64x1x!tt.ptr<f32>, #mma>, tensor<64x1xi32, #mma>
    %55 = tt.broadcast %54 : tensor<64x1x!tt.ptr<f32>, #mma> -> tensor<64x64x!tt.ptr<f32>, #mma>
    %56 = tt.broadcast %34 : tensor<1x64xi32, #mma> -> tensor<64x64xi32, #mma>
    %57 = tt.addptr %55, %56 : tensor<64x64x!tt.ptr<f32>, #mma>, tensor<64x64xi32, #mma>
    %58 = tt.broadcast %41 : tensor<64x1xi1, #mma> -> tensor<64x64xi1, #mma>
    %59 = tt.broadcast %46 : tensor<1x64xi1, #mma> -> tensor<64x64xi1, #mma>
    %60 = arith.andi %58, %59 : tensor<64x64xi1, #mma>
    tt.store %57, %50#0, %60 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
}

// -----

// tritonintelgpu-reduce-data-duplication
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @gemm_pointers(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<32> : tensor<64x32xi32, #blocked>
    %c32_i32 = arith.constant 32 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x32xf16, #blocked>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<32x64xf16, #blocked1>
    %c0_i32 = arith.constant 0 : i32
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %4 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %5 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %6 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %7 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %8 = arith.addi %6, %2 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %9 = arith.addi %7, %3 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %10 = tt.get_program_id y : i32
    %11 = arith.muli %10, %c64_i32 : i32
    %12 = tt.splat %11 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %13 = tt.splat %11 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %14 = arith.addi %12, %4 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %15 = arith.addi %13, %5 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %16 = tt.expand_dims %8 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %17 = tt.expand_dims %9 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xi32, #mma>
    %18 = tt.splat %arg5 : i32 -> tensor<64x1xi32, #blocked>
    %19 = arith.muli %16, %18 : tensor<64x1xi32, #blocked>
    %20 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %21 = tt.addptr %20, %19 : tensor<64x1x!tt.ptr<f16>, #blocked>, tensor<64x1xi32, #blocked>
    %22 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %23 = tt.expand_dims %22 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %24 = tt.broadcast %21 : tensor<64x1x!tt.ptr<f16>, #blocked> -> tensor<64x32x!tt.ptr<f16>, #blocked>
    %25 = tt.broadcast %23 : tensor<1x32xi32, #blocked> -> tensor<64x32xi32, #blocked>
    %26 = tt.addptr %24, %25 : tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<64x32xi32, #blocked>
    %27 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %28 = tt.expand_dims %27 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xi32, #blocked1>
    %29 = tt.splat %arg4 : i32 -> tensor<32x1xi32, #blocked1>
    %30 = arith.muli %28, %29 : tensor<32x1xi32, #blocked1>
    %31 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked1>
    %32 = tt.addptr %31, %30 : tensor<32x1x!tt.ptr<f16>, #blocked1>, tensor<32x1xi32, #blocked1>
    %33 = tt.expand_dims %14 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %34 = tt.expand_dims %15 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x64xi32, #mma>
    %35 = tt.broadcast %32 : tensor<32x1x!tt.ptr<f16>, #blocked1> -> tensor<32x64x!tt.ptr<f16>, #blocked1>
    %36 = tt.broadcast %33 : tensor<1x64xi32, #blocked1> -> tensor<32x64xi32, #blocked1>
    %37 = tt.addptr %35, %36 : tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>
    %38 = tt.splat %arg3 : i32 -> tensor<64x1xi32, #mma>
    %39 = tt.splat %arg3 : i32 -> tensor<64x1xi32, #blocked>
    %40 = arith.cmpi slt, %16, %39 : tensor<64x1xi32, #blocked>
    %41 = arith.cmpi slt, %17, %38 : tensor<64x1xi32, #mma>
    %42 = tt.broadcast %40 : tensor<64x1xi1, #blocked> -> tensor<64x32xi1, #blocked>
    %43 = tt.splat %arg4 : i32 -> tensor<1x64xi32, #mma>
    %44 = tt.splat %arg4 : i32 -> tensor<1x64xi32, #blocked1>
    %45 = arith.cmpi slt, %33, %44 : tensor<1x64xi32, #blocked1>
    %46 = arith.cmpi slt, %34, %43 : tensor<1x64xi32, #mma>
    %47 = tt.broadcast %45 : tensor<1x64xi1, #blocked1> -> tensor<32x64xi1, #blocked1>
    %48 = arith.muli %arg4, %c32_i32 : i32
    %49 = tt.splat %48 : i32 -> tensor<32x64xi32, #blocked1>
    %50:3 = scf.for %arg6 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg7 = %cst_2, %arg8 = %26, %arg9 = %37) -> (tensor<64x64xf32, #mma>, tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<32x64x!tt.ptr<f16>, #blocked1>)  : i32 {
      %61 = arith.subi %arg5, %arg6 : i32
      %62 = tt.splat %61 : i32 -> tensor<1x32xi32, #blocked>
      %63 = arith.cmpi slt, %23, %62 : tensor<1x32xi32, #blocked>
      %64 = tt.broadcast %63 : tensor<1x32xi1, #blocked> -> tensor<64x32xi1, #blocked>
      %65 = arith.andi %42, %64 : tensor<64x32xi1, #blocked>
      %66 = tt.load %arg8, %65, %cst_0 : tensor<64x32x!tt.ptr<f16>, #blocked>
      %67 = tt.splat %61 : i32 -> tensor<32x1xi32, #blocked1>
      %68 = arith.cmpi slt, %28, %67 : tensor<32x1xi32, #blocked1>
      %69 = tt.broadcast %68 : tensor<32x1xi1, #blocked1> -> tensor<32x64xi1, #blocked1>
      %70 = arith.andi %69, %47 : tensor<32x64xi1, #blocked1>
      %71 = tt.load %arg9, %70, %cst_1 : tensor<32x64x!tt.ptr<f16>, #blocked1>
      %72 = ttg.local_alloc %66 : (tensor<64x32xf16, #blocked>) -> !ttg.memdesc<64x32xf16, #shared, #smem>
      %73 = ttg.local_load %72 : !ttg.memdesc<64x32xf16, #shared, #smem> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %74 = ttg.local_alloc %71 : (tensor<32x64xf16, #blocked1>) -> !ttg.memdesc<32x64xf16, #shared, #smem>
      %75 = ttg.local_load %74 : !ttg.memdesc<32x64xf16, #shared, #smem> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %76 = tt.dot %73, %75, %arg7, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      %77 = tt.addptr %arg8, %cst : tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<64x32xi32, #blocked>
      %78 = tt.addptr %arg9, %49 : tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>
      scf.yield %76, %77, %78 : tensor<64x64xf32, #mma>, tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<32x64x!tt.ptr<f16>, #blocked1>
    }
    %51 = tt.splat %arg4 : i32 -> tensor<64x1xi32, #mma>
    %52 = arith.muli %17, %51 : tensor<64x1xi32, #mma>
    %53 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #mma>
    %54 = tt.addptr %53, %52 : tensor<64x1x!tt.ptr<f32>, #mma>, tensor<64x1xi32, #mma>
    %55 = tt.broadcast %54 : tensor<64x1x!tt.ptr<f32>, #mma> -> tensor<64x64x!tt.ptr<f32>, #mma>
    %56 = tt.broadcast %34 : tensor<1x64xi32, #mma> -> tensor<64x64xi32, #mma>
    %57 = tt.addptr %55, %56 : tensor<64x64x!tt.ptr<f32>, #mma>, tensor<64x64xi32, #mma>
    %58 = tt.broadcast %41 : tensor<64x1xi1, #mma> -> tensor<64x64xi1, #mma>
    %59 = tt.broadcast %46 : tensor<1x64xi1, #mma> -> tensor<64x64xi1, #mma>
    %60 = arith.andi %58, %59 : tensor<64x64xi1, #mma>
    tt.store %57, %50#0, %60 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
}

// -----

// tritongpu-reorder-instructions
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @gemm_pointers(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<32> : tensor<64x32xi32, #blocked>
    %c32_i32 = arith.constant 32 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x32xf16, #blocked>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<32x64xf16, #blocked1>
    %c0_i32 = arith.constant 0 : i32
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %4 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %5 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %6 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %7 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %8 = arith.addi %6, %2 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %9 = arith.addi %7, %3 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %10 = tt.get_program_id y : i32
    %11 = arith.muli %10, %c64_i32 : i32
    %12 = tt.splat %11 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %13 = tt.splat %11 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %14 = arith.addi %12, %4 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %15 = arith.addi %13, %5 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %16 = tt.expand_dims %8 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %17 = tt.expand_dims %9 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xi32, #mma>
    %18 = tt.splat %arg5 : i32 -> tensor<64x1xi32, #blocked>
    %19 = arith.muli %16, %18 : tensor<64x1xi32, #blocked>
    %20 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %21 = tt.addptr %20, %19 : tensor<64x1x!tt.ptr<f16>, #blocked>, tensor<64x1xi32, #blocked>
    %22 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %23 = tt.expand_dims %22 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %24 = tt.broadcast %21 : tensor<64x1x!tt.ptr<f16>, #blocked> -> tensor<64x32x!tt.ptr<f16>, #blocked>
    %25 = tt.broadcast %23 : tensor<1x32xi32, #blocked> -> tensor<64x32xi32, #blocked>
    %26 = tt.addptr %24, %25 : tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<64x32xi32, #blocked>
    %27 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %28 = tt.expand_dims %27 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xi32, #blocked1>
    %29 = tt.splat %arg4 : i32 -> tensor<32x1xi32, #blocked1>
    %30 = arith.muli %28, %29 : tensor<32x1xi32, #blocked1>
    %31 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked1>
    %32 = tt.addptr %31, %30 : tensor<32x1x!tt.ptr<f16>, #blocked1>, tensor<32x1xi32, #blocked1>
    %33 = tt.expand_dims %14 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %34 = tt.expand_dims %15 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x64xi32, #mma>
    %35 = tt.broadcast %32 : tensor<32x1x!tt.ptr<f16>, #blocked1> -> tensor<32x64x!tt.ptr<f16>, #blocked1>
    %36 = tt.broadcast %33 : tensor<1x64xi32, #blocked1> -> tensor<32x64xi32, #blocked1>
    %37 = tt.addptr %35, %36 : tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>
    %38 = tt.splat %arg3 : i32 -> tensor<64x1xi32, #mma>
    %39 = tt.splat %arg3 : i32 -> tensor<64x1xi32, #blocked>
    %40 = arith.cmpi slt, %16, %39 : tensor<64x1xi32, #blocked>
    %41 = arith.cmpi slt, %17, %38 : tensor<64x1xi32, #mma>
    %42 = tt.broadcast %40 : tensor<64x1xi1, #blocked> -> tensor<64x32xi1, #blocked>
    %43 = tt.splat %arg4 : i32 -> tensor<1x64xi32, #mma>
    %44 = tt.splat %arg4 : i32 -> tensor<1x64xi32, #blocked1>
    %45 = arith.cmpi slt, %33, %44 : tensor<1x64xi32, #blocked1>
    %46 = arith.cmpi slt, %34, %43 : tensor<1x64xi32, #mma>
    %47 = tt.broadcast %45 : tensor<1x64xi1, #blocked1> -> tensor<32x64xi1, #blocked1>
    %48 = arith.muli %arg4, %c32_i32 : i32
    %49 = tt.splat %48 : i32 -> tensor<32x64xi32, #blocked1>
    %50:3 = scf.for %arg6 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg7 = %cst_2, %arg8 = %26, %arg9 = %37) -> (tensor<64x64xf32, #mma>, tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<32x64x!tt.ptr<f16>, #blocked1>)  : i32 {
      %61 = arith.subi %arg5, %arg6 : i32
      %62 = tt.splat %61 : i32 -> tensor<1x32xi32, #blocked>
      %63 = arith.cmpi slt, %23, %62 : tensor<1x32xi32, #blocked>
      %64 = tt.broadcast %63 : tensor<1x32xi1, #blocked> -> tensor<64x32xi1, #blocked>
      %65 = arith.andi %42, %64 : tensor<64x32xi1, #blocked>
      %66 = tt.load %arg8, %65, %cst_0 : tensor<64x32x!tt.ptr<f16>, #blocked>
      %67 = ttg.local_alloc %66 : (tensor<64x32xf16, #blocked>) -> !ttg.memdesc<64x32xf16, #shared, #smem>
      %68 = tt.splat %61 : i32 -> tensor<32x1xi32, #blocked1>
      %69 = arith.cmpi slt, %28, %68 : tensor<32x1xi32, #blocked1>
      %70 = tt.broadcast %69 : tensor<32x1xi1, #blocked1> -> tensor<32x64xi1, #blocked1>
      %71 = arith.andi %70, %47 : tensor<32x64xi1, #blocked1>
      %72 = tt.load %arg9, %71, %cst_1 : tensor<32x64x!tt.ptr<f16>, #blocked1>
      %73 = ttg.local_alloc %72 : (tensor<32x64xf16, #blocked1>) -> !ttg.memdesc<32x64xf16, #shared, #smem>
      %74 = ttg.local_load %67 : !ttg.memdesc<64x32xf16, #shared, #smem> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %75 = ttg.local_load %73 : !ttg.memdesc<32x64xf16, #shared, #smem> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %76 = tt.dot %74, %75, %arg7, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      %77 = tt.addptr %arg8, %cst : tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<64x32xi32, #blocked>
      %78 = tt.addptr %arg9, %49 : tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>
      scf.yield %76, %77, %78 : tensor<64x64xf32, #mma>, tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<32x64x!tt.ptr<f16>, #blocked1>
    }
    %51 = tt.splat %arg4 : i32 -> tensor<64x1xi32, #mma>
    %52 = arith.muli %17, %51 : tensor<64x1xi32, #mma>
    %53 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #mma>
    %54 = tt.addptr %53, %52 : tensor<64x1x!tt.ptr<f32>, #mma>, tensor<64x1xi32, #mma>
    %55 = tt.broadcast %54 : tensor<64x1x!tt.ptr<f32>, #mma> -> tensor<64x64x!tt.ptr<f32>, #mma>
    %56 = tt.broadcast %34 : tensor<1x64xi32, #mma> -> tensor<64x64xi32, #mma>
    %57 = tt.addptr %55, %56 : tensor<64x64x!tt.ptr<f32>, #mma>, tensor<64x64xi32, #mma>
    %58 = tt.broadcast %41 : tensor<64x1xi1, #mma> -> tensor<64x64xi1, #mma>
    %59 = tt.broadcast %46 : tensor<1x64xi1, #mma> -> tensor<64x64xi1, #mma>
    %60 = arith.andi %58, %59 : tensor<64x64xi1, #mma>
    tt.store %57, %50#0, %60 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
}

// -----

// sccp
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.2d_block_io_base_alignment = 64 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_predicated_io, ttig.support_rounded_divide_sqrt, ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {
  tt.func public @gemm_pointers(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x64xf16, #blocked>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x32xf16, #blocked1>
    %c64_i32 = arith.constant 64 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst_2 = arith.constant dense<32> : tensor<64x32xi32, #blocked1>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %4 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %5 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %6 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %7 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %8 = arith.addi %6, %2 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %9 = arith.addi %7, %3 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %10 = tt.get_program_id y : i32
    %11 = arith.muli %10, %c64_i32 : i32
    %12 = tt.splat %11 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %13 = tt.splat %11 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %14 = arith.addi %12, %4 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %15 = arith.addi %13, %5 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %16 = tt.expand_dims %8 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %17 = tt.expand_dims %9 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xi32, #mma>
    %18 = tt.splat %arg5 : i32 -> tensor<64x1xi32, #blocked1>
    %19 = arith.muli %16, %18 : tensor<64x1xi32, #blocked1>
    %20 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked1>
    %21 = tt.addptr %20, %19 : tensor<64x1x!tt.ptr<f16>, #blocked1>, tensor<64x1xi32, #blocked1>
    %22 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %23 = tt.expand_dims %22 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xi32, #blocked1>
    %24 = tt.broadcast %21 : tensor<64x1x!tt.ptr<f16>, #blocked1> -> tensor<64x32x!tt.ptr<f16>, #blocked1>
    %25 = tt.broadcast %23 : tensor<1x32xi32, #blocked1> -> tensor<64x32xi32, #blocked1>
    %26 = tt.addptr %24, %25 : tensor<64x32x!tt.ptr<f16>, #blocked1>, tensor<64x32xi32, #blocked1>
    %27 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %28 = tt.expand_dims %27 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %29 = tt.splat %arg4 : i32 -> tensor<32x1xi32, #blocked>
    %30 = arith.muli %28, %29 : tensor<32x1xi32, #blocked>
    %31 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked>
    %32 = tt.addptr %31, %30 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
    %33 = tt.expand_dims %14 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %34 = tt.expand_dims %15 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x64xi32, #mma>
    %35 = tt.broadcast %32 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %36 = tt.broadcast %33 : tensor<1x64xi32, #blocked> -> tensor<32x64xi32, #blocked>
    %37 = tt.addptr %35, %36 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    %38 = tt.splat %arg3 : i32 -> tensor<64x1xi32, #mma>
    %39 = tt.splat %arg3 : i32 -> tensor<64x1xi32, #blocked1>
    %40 = arith.cmpi slt, %16, %39 : tensor<64x1xi32, #blocked1>
    %41 = arith.cmpi slt, %17, %38 : tensor<64x1xi32, #mma>
    %42 = tt.broadcast %40 : tensor<64x1xi1, #blocked1> -> tensor<64x32xi1, #blocked1>
    %43 = tt.splat %arg4 : i32 -> tensor<1x64xi32, #mma>
    %44 = tt.splat %arg4 : i32 -> tensor<1x64xi32, #blocked>
    %45 = arith.cmpi slt, %33, %44 : tensor<1x64xi32, #blocked>
    %46 = arith.cmpi slt, %34, %43 : tensor<1x64xi32, #mma>
    %47 = tt.broadcast %45 : tensor<1x64xi1, #blocked> -> tensor<32x64xi1, #blocked>
    %48 = arith.muli %arg4, %c32_i32 : i32
    %49 = tt.splat %48 : i32 -> tensor<32x64xi32, #blocked>
    %50:3 = scf.for %arg6 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg7 = %cst, %arg8 = %26, %arg9 = %37) -> (tensor<64x64xf32, #mma>, tensor<64x32x!tt.ptr<f16>, #blocked1>, tensor<32x64x!tt.ptr<f16>, #blocked>)  : i32 {
      %61 = arith.subi %arg5, %arg6 : i32
      %62 = tt.splat %61 : i32 -> tensor<1x32xi32, #blocked1>
      %63 = arith.cmpi slt, %23, %62 : tensor<1x32xi32, #blocked1>
      %64 = tt.broadcast %63 : tensor<1x32xi1, #blocked1> -> tensor<64x32xi1, #blocked1>
      %65 = arith.andi %42, %64 : tensor<64x32xi1, #blocked1>
      %66 = tt.load %arg8, %65, %cst_1 : tensor<64x32x!tt.ptr<f16>, #blocked1>
      %67 = ttg.local_alloc %66 : (tensor<64x32xf16, #blocked1>) -> !ttg.memdesc<64x32xf16, #shared, #smem>
      %68 = tt.splat %61 : i32 -> tensor<32x1xi32, #blocked>
      %69 = arith.cmpi slt, %28, %68 : tensor<32x1xi32, #blocked>
      %70 = tt.broadcast %69 : tensor<32x1xi1, #blocked> -> tensor<32x64xi1, #blocked>
      %71 = arith.andi %70, %47 : tensor<32x64xi1, #blocked>
      %72 = tt.load %arg9, %71, %cst_0 : tensor<32x64x!tt.ptr<f16>, #blocked>
      %73 = ttg.local_alloc %72 : (tensor<32x64xf16, #blocked>) -> !ttg.memdesc<32x64xf16, #shared, #smem>
      %74 = ttg.local_load %67 : !ttg.memdesc<64x32xf16, #shared, #smem> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %75 = ttg.local_load %73 : !ttg.memdesc<32x64xf16, #shared, #smem> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %76 = tt.dot %74, %75, %arg7, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      %77 = tt.addptr %arg8, %cst_2 : tensor<64x32x!tt.ptr<f16>, #blocked1>, tensor<64x32xi32, #blocked1>
      %78 = tt.addptr %arg9, %49 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
      scf.yield %76, %77, %78 : tensor<64x64xf32, #mma>, tensor<64x32x!tt.ptr<f16>, #blocked1>, tensor<32x64x!tt.ptr<f16>, #blocked>
    }
    %51 = tt.splat %arg4 : i32 -> tensor<64x1xi32, #mma>
    %52 = arith.muli %17, %51 : tensor<64x1xi32, #mma>
    %53 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #mma>
    %54 = tt.addptr %53, %52 : tensor<64x1x!tt.ptr<f32>, #mma>, tensor<64x1xi32, #mma>
    %55 = tt.broadcast %54 : tensor<64x1x!tt.ptr<f32>, #mma> -> tensor<64x64x!tt.ptr<f32>, #mma>
    %56 = tt.broadcast %34 : tensor<1x64xi32, #mma> -> tensor<64x64xi32, #mma>
    %57 = tt.addptr %55, %56 : tensor<64x64x!tt.ptr<f32>, #mma>, tensor<64x64xi32, #mma>
    %58 = tt.broadcast %41 : tensor<64x1xi1, #mma> -> tensor<64x64xi1, #mma>
    %59 = tt.broadcast %46 : tensor<1x64xi1, #mma> -> tensor<64x64xi1, #mma>
    %60 = arith.andi %58, %59 : tensor<64x64xi1, #mma>
    tt.store %57, %50#0, %60 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
}
