// C = A @ B with blocks of 256x256x32, written with pointers, masks and modulo.
module {
  tt.func public @gemm_pointers(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}, %arg8: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<256x256xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x256xf16>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<256x32xf16>
    %c0_i32 = arith.constant 0 : i32
    %cst_2 = arith.constant dense<32> : tensor<256x32xi32>
    %c32_i32 = arith.constant 32 : i32
    %c256_i32 = arith.constant 256 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c256_i32 : i32
    %2 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %3 = tt.splat %1 : i32 -> tensor<256xi32>
    %4 = arith.addi %3, %2 : tensor<256xi32>
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c256_i32 : i32
    %7 = tt.splat %6 : i32 -> tensor<256xi32>
    %8 = arith.addi %7, %2 : tensor<256xi32>
    %9 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %10 = tt.splat %arg3 : i32 -> tensor<256xi32>
    %11 = arith.remsi %4, %10 : tensor<256xi32>
    %12 = tt.expand_dims %11 {axis = 1 : i32} : tensor<256xi32> -> tensor<256x1xi32>
    %13 = tt.splat %arg6 : i32 -> tensor<256x1xi32>
    %14 = arith.muli %12, %13 : tensor<256x1xi32>
    %15 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<256x1x!tt.ptr<f16>>
    %16 = tt.addptr %15, %14 : tensor<256x1x!tt.ptr<f16>>, tensor<256x1xi32>
    %17 = tt.expand_dims %9 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %18 = tt.broadcast %16 : tensor<256x1x!tt.ptr<f16>> -> tensor<256x32x!tt.ptr<f16>>
    %19 = tt.broadcast %17 : tensor<1x32xi32> -> tensor<256x32xi32>
    %20 = tt.addptr %18, %19 : tensor<256x32x!tt.ptr<f16>>, tensor<256x32xi32>
    %21 = tt.expand_dims %9 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %22 = tt.splat %arg7 : i32 -> tensor<32x1xi32>
    %23 = arith.muli %21, %22 : tensor<32x1xi32>
    %24 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>>
    %25 = tt.addptr %24, %23 : tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>
    %26 = tt.splat %arg4 : i32 -> tensor<256xi32>
    %27 = arith.remsi %8, %26 : tensor<256xi32>
    %28 = tt.expand_dims %27 {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
    %29 = tt.broadcast %25 : tensor<32x1x!tt.ptr<f16>> -> tensor<32x256x!tt.ptr<f16>>
    %30 = tt.broadcast %28 : tensor<1x256xi32> -> tensor<32x256xi32>
    %31 = tt.addptr %29, %30 : tensor<32x256x!tt.ptr<f16>>, tensor<32x256xi32>
    %32:3 = scf.for %arg9 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg10 = %20, %arg11 = %31, %arg12 = %cst) -> (tensor<256x32x!tt.ptr<f16>>, tensor<32x256x!tt.ptr<f16>>, tensor<256x256xf32>)  : i32 {
      %49 = arith.subi %arg5, %arg9 : i32
      %50 = tt.splat %49 : i32 -> tensor<1x32xi32>
      %51 = arith.cmpi slt, %17, %50 : tensor<1x32xi32>
      %52 = tt.broadcast %51 : tensor<1x32xi1> -> tensor<256x32xi1>
      %53 = tt.load %arg10, %52, %cst_1 : tensor<256x32x!tt.ptr<f16>>
      %54 = tt.splat %49 : i32 -> tensor<32x1xi32>
      %55 = arith.cmpi slt, %21, %54 : tensor<32x1xi32>
      %56 = tt.broadcast %55 : tensor<32x1xi1> -> tensor<32x256xi1>
      %57 = tt.load %arg11, %56, %cst_0 : tensor<32x256x!tt.ptr<f16>>
      %58 = tt.dot %53, %57, %arg12, inputPrecision = tf32 : tensor<256x32xf16> * tensor<32x256xf16> -> tensor<256x256xf32>
      %59 = tt.addptr %arg10, %cst_2 : tensor<256x32x!tt.ptr<f16>>, tensor<256x32xi32>
      %60 = arith.muli %arg7, %c32_i32 : i32
      %61 = tt.splat %60 : i32 -> tensor<32x256xi32>
      %62 = tt.addptr %arg11, %61 : tensor<32x256x!tt.ptr<f16>>, tensor<32x256xi32>
      scf.yield %59, %62, %58 : tensor<256x32x!tt.ptr<f16>>, tensor<32x256x!tt.ptr<f16>>, tensor<256x256xf32>
    }
    %33 = tt.expand_dims %4 {axis = 1 : i32} : tensor<256xi32> -> tensor<256x1xi32>
    %34 = tt.splat %arg3 : i32 -> tensor<256x1xi32>
    %35 = arith.cmpi slt, %33, %34 : tensor<256x1xi32>
    %36 = tt.expand_dims %8 {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
    %37 = tt.splat %arg4 : i32 -> tensor<1x256xi32>
    %38 = arith.cmpi slt, %36, %37 : tensor<1x256xi32>
    %39 = tt.broadcast %35 : tensor<256x1xi1> -> tensor<256x256xi1>
    %40 = tt.broadcast %38 : tensor<1x256xi1> -> tensor<256x256xi1>
    %41 = arith.andi %39, %40 : tensor<256x256xi1>
    %42 = tt.splat %arg8 : i32 -> tensor<256x1xi32>
    %43 = arith.muli %33, %42 : tensor<256x1xi32>
    %44 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<256x1x!tt.ptr<f32>>
    %45 = tt.addptr %44, %43 : tensor<256x1x!tt.ptr<f32>>, tensor<256x1xi32>
    %46 = tt.broadcast %45 : tensor<256x1x!tt.ptr<f32>> -> tensor<256x256x!tt.ptr<f32>>
    %47 = tt.broadcast %36 : tensor<1x256xi32> -> tensor<256x256xi32>
    %48 = tt.addptr %46, %47 : tensor<256x256x!tt.ptr<f32>>, tensor<256x256xi32>
    tt.store %48, %32#2, %41 : tensor<256x256x!tt.ptr<f32>>
    tt.return
  }
}

