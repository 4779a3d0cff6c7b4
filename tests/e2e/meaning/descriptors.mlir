// A loop over blocks by tensor descriptors.
module {
  tt.func public @descriptors(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32, %arg4: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %0 = arith.extsi %arg4 : i32 to i64
    %c1_i64 = arith.constant 1 : i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg3, %arg4], [%0, %c1_i64] : <f32>, <8x8xf32>
    %2 = arith.extsi %arg4 : i32 to i64
    %c1_i64_0 = arith.constant 1 : i64
    %3 = tt.make_tensor_descriptor %arg1, [%arg3, %arg4], [%2, %c1_i64_0] : <f32>, <8x8xf32>
    %4 = arith.extsi %arg4 : i32 to i64
    %c1_i64_1 = arith.constant 1 : i64
    %5 = tt.make_tensor_descriptor %arg2, [%arg3, %arg4], [%4, %c1_i64_1] : <f32>, <8x8xf32>
    %6 = tt.get_program_id x : i32
    %c8_i32 = arith.constant 8 : i32
    %7 = arith.extsi %6 : i32 to i64
    %8 = arith.extsi %c8_i32 : i32 to i64
    %9 = arith.muli %7, %8 : i64
    %c2147483647_i64 = arith.constant 2147483647 : i64
    %c-2147483648_i64 = arith.constant -2147483648 : i64
    %10 = arith.cmpi sle, %9, %c2147483647_i64 : i64
    %11 = arith.cmpi sge, %9, %c-2147483648_i64 : i64
    %12 = arith.andi %10, %11 : i1
    %13 = arith.muli %6, %c8_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %c8_i32_2 = arith.constant 8 : i32
    %14 = arith.bitcast %c0_i32 : i32 to i32
    %15 = arith.bitcast %arg4 : i32 to i32
    %16 = arith.bitcast %c8_i32_2 : i32 to i32
    %17 = ub.poison : i32
    scf.for %arg5 = %14 to %15 step %16  : i32 {
      %18 = tt.descriptor_load %1[%13, %arg5] : !tt.tensordesc<8x8xf32> -> tensor<8x8xf32>
      %cst = arith.constant 5.000000e-01 : f32
      %cst_3 = arith.constant dense<5.000000e-01> : tensor<8x8xf32>
      %19 = arith.mulf %18, %cst_3 : tensor<8x8xf32>
      %20 = tt.descriptor_load %3[%13, %arg5] : !tt.tensordesc<8x8xf32> -> tensor<8x8xf32>
      %21 = arith.addf %19, %20 : tensor<8x8xf32>
      tt.descriptor_store %5[%13, %arg5], %21 : !tt.tensordesc<8x8xf32>, tensor<8x8xf32>
    }
    tt.return
  }
}
