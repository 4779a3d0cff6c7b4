// Every op of arith in every form: written and read as MLIR 22 does, byte for byte.
//
// RUN: xtriton-opt %s --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace
// RUN: xtriton-opt %s --triton-version=3.7 --mlir-print-op-generic | filecheck %s --match-full-lines --strict-whitespace --check-prefix=GENERIC
// RUN: xtriton-opt %s --mlir-print-op-generic | xtriton-opt --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace

module {
  func.func @f(%arg0: i32, %arg1: i32, %arg2: index, %arg3: f32, %arg4: f16, %arg5: i1, %arg6: tensor<4xi32>, %arg7: tensor<4xf32>, %arg8: tensor<4xi1>, %arg9: tensor<4xf32, "enc">, %arg10: vector<4xf32>, %arg11: vector<4xi32>, %arg12: i64) {
    %0 = arith.addi %arg0, %arg1 : i32
    %1 = arith.subi %arg0, %arg1 : i32
    %2 = arith.muli %arg0, %arg1 : i32
    %3 = arith.shli %arg0, %arg1 : i32
    %4 = arith.divui %arg0, %arg1 : i32
    %5 = arith.divsi %arg0, %arg1 : i32
    %6 = arith.floordivsi %arg0, %arg1 : i32
    %7 = arith.ceildivsi %arg0, %arg1 : i32
    %8 = arith.ceildivui %arg0, %arg1 : i32
    %9 = arith.remui %arg0, %arg1 : i32
    %10 = arith.remsi %arg0, %arg1 : i32
    %11 = arith.minui %arg0, %arg1 : i32
    %12 = arith.maxui %arg0, %arg1 : i32
    %13 = arith.minsi %arg0, %arg1 : i32
    %14 = arith.maxsi %arg0, %arg1 : i32
    %15 = arith.andi %arg0, %arg1 : i32
    %16 = arith.ori %arg0, %arg1 : i32
    %17 = arith.xori %arg0, %arg1 : i32
    %18 = arith.shrui %arg0, %arg1 : i32
    %19 = arith.shrsi %arg0, %arg1 : i32
    %20 = arith.addi %arg6, %arg6 overflow<nsw, nuw> {foo = 1 : i32} : tensor<4xi32>
    %21 = arith.muli %arg2, %arg2 overflow<nuw> : index
    %22 = arith.shli %arg0, %arg1 overflow<nsw> : i32
    %23 = arith.subi %arg11, %arg11 overflow<nsw> : vector<4xi32>
    %24 = arith.divui %arg0, %arg1 exact : i32
    %25 = arith.divsi %arg0, %arg1 exact : i32
    %26 = arith.shrui %arg0, %arg1 exact : i32
    %27 = arith.shrsi %arg0, %arg1 exact : i32
    %28 = arith.divsi %arg6, %arg6 exact {a} : tensor<4xi32>
    %29 = arith.addf %arg3, %arg3 : f32
    %30 = arith.addf %arg7, %arg7 fastmath<nnan,contract> {a} : tensor<4xf32>
    %31 = arith.subf %arg3, %arg3 : f32
    %32 = arith.subf %arg7, %arg7 fastmath<nnan,contract> {a} : tensor<4xf32>
    %33 = arith.mulf %arg3, %arg3 : f32
    %34 = arith.mulf %arg7, %arg7 fastmath<nnan,contract> {a} : tensor<4xf32>
    %35 = arith.divf %arg3, %arg3 : f32
    %36 = arith.divf %arg7, %arg7 fastmath<nnan,contract> {a} : tensor<4xf32>
    %37 = arith.remf %arg3, %arg3 : f32
    %38 = arith.remf %arg7, %arg7 fastmath<nnan,contract> {a} : tensor<4xf32>
    %39 = arith.maximumf %arg3, %arg3 : f32
    %40 = arith.maximumf %arg7, %arg7 fastmath<nnan,contract> {a} : tensor<4xf32>
    %41 = arith.maxnumf %arg3, %arg3 : f32
    %42 = arith.maxnumf %arg7, %arg7 fastmath<nnan,contract> {a} : tensor<4xf32>
    %43 = arith.minimumf %arg3, %arg3 : f32
    %44 = arith.minimumf %arg7, %arg7 fastmath<nnan,contract> {a} : tensor<4xf32>
    %45 = arith.minnumf %arg3, %arg3 : f32
    %46 = arith.minnumf %arg7, %arg7 fastmath<nnan,contract> {a} : tensor<4xf32>
    %47 = arith.negf %arg9 fastmath<fast> : tensor<4xf32, "enc">
    %48 = arith.negf %arg10 {a} : vector<4xf32>
    %49 = arith.cmpi eq, %arg6, %arg6 : tensor<4xi32>
    %50 = arith.cmpi ne, %arg6, %arg6 : tensor<4xi32>
    %51 = arith.cmpi slt, %arg6, %arg6 : tensor<4xi32>
    %52 = arith.cmpi sle, %arg6, %arg6 : tensor<4xi32>
    %53 = arith.cmpi sgt, %arg6, %arg6 : tensor<4xi32>
    %54 = arith.cmpi sge, %arg6, %arg6 : tensor<4xi32>
    %55 = arith.cmpi ult, %arg6, %arg6 : tensor<4xi32>
    %56 = arith.cmpi ule, %arg6, %arg6 : tensor<4xi32>
    %57 = arith.cmpi ugt, %arg6, %arg6 : tensor<4xi32>
    %58 = arith.cmpi uge, %arg6, %arg6 : tensor<4xi32>
    %59 = arith.cmpi slt, %arg0, %arg1 {a} : i32
    %60 = arith.cmpf false, %arg3, %arg3 : f32
    %61 = arith.cmpf oeq, %arg3, %arg3 : f32
    %62 = arith.cmpf ogt, %arg3, %arg3 : f32
    %63 = arith.cmpf oge, %arg3, %arg3 : f32
    %64 = arith.cmpf olt, %arg3, %arg3 : f32
    %65 = arith.cmpf ole, %arg3, %arg3 : f32
    %66 = arith.cmpf one, %arg3, %arg3 : f32
    %67 = arith.cmpf ord, %arg3, %arg3 : f32
    %68 = arith.cmpf ueq, %arg3, %arg3 : f32
    %69 = arith.cmpf ugt, %arg3, %arg3 : f32
    %70 = arith.cmpf uge, %arg3, %arg3 : f32
    %71 = arith.cmpf ult, %arg3, %arg3 : f32
    %72 = arith.cmpf ule, %arg3, %arg3 : f32
    %73 = arith.cmpf une, %arg3, %arg3 : f32
    %74 = arith.cmpf uno, %arg3, %arg3 : f32
    %75 = arith.cmpf true, %arg3, %arg3 : f32
    %76 = arith.cmpf olt, %arg9, %arg9 fastmath<nnan> {a} : tensor<4xf32, "enc">
    %77 = arith.select %arg5, %arg6, %arg6 {foo} : tensor<4xi32>
    %78 = arith.select %arg8, %arg6, %arg6 {foo} : tensor<4xi1>, tensor<4xi32>
    %79 = arith.select %arg5, %arg3, %arg3 : f32
    %80 = arith.extsi %arg0 : i32 to i64
    %81 = arith.extui %arg8 {a} : tensor<4xi1> to tensor<4xi32>
    %82 = arith.trunci %arg0 : i32 to i8
    %83 = arith.trunci %arg6 overflow<nsw, nuw> {a} : tensor<4xi32> to tensor<4xi8>
    %84 = arith.sitofp %arg0 : i32 to f32
    %85 = arith.uitofp %arg6 : tensor<4xi32> to tensor<4xf32>
    %86 = arith.fptosi %arg3 : f32 to i32
    %87 = arith.fptoui %arg7 {a} : tensor<4xf32> to tensor<4xi8>
    %88 = arith.extf %arg4 : f16 to f32
    %89 = arith.extf %arg4 fastmath<none> {a} : f16 to f32
    %90 = arith.truncf %arg3 : f32 to bf16
    %91 = arith.truncf %arg3 to_nearest_even : f32 to bf16
    %92 = arith.truncf %arg3 downward : f32 to bf16
    %93 = arith.truncf %arg3 upward : f32 to bf16
    %94 = arith.truncf %arg3 toward_zero : f32 to bf16
    %95 = arith.truncf %arg3 to_nearest_away : f32 to bf16
    %96 = arith.truncf %arg3 upward fastmath<fast> {a} : f32 to bf16
    %97 = arith.truncf %arg3 fastmath<none> : f32 to bf16
    %98 = arith.bitcast %arg3 : f32 to i32
    %99 = arith.bitcast %arg7 {a} : tensor<4xf32> to tensor<4xi32>
    %100 = arith.index_cast %arg0 : i32 to index
    %101 = arith.index_cast %arg6 {a} : tensor<4xi32> to tensor<4xindex>
    %102 = arith.index_castui %arg2 : index to i32
    %103 = arith.scaling_extf %arg4, %arg3 : f16, f32 to f32
    %104 = arith.scaling_extf %arg4, %arg3 fastmath<fast> {a} : f16, f32 to f32
    %105 = arith.scaling_truncf %arg3, %arg3 : f32, f32 to f16
    %106 = arith.scaling_truncf %arg3, %arg3 upward fastmath<fast> {a} : f32, f32 to f16
    %c1_i32 = arith.constant 1 : i32
    %c-1_i64 = arith.constant -1 : i64
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : index
    %cst = arith.constant 5.000000e+00 : f32
    %cst_0 = arith.constant 0x7F800000 : f32
    %cst_1 = arith.constant 0.00999999977 : f32
    %cst_2 = arith.constant dense<1> : tensor<4xi32>
    %cst_3 = arith.constant dense<[1, 2]> : tensor<2xi32>
    %cst_4 = arith.constant dense<[true, false]> : tensor<2xi1>
    %cst_5 = arith.constant dense<0xFF800000> : tensor<4xf32>
    %cst_6 = arith.constant dense<0.000000e+00> : tensor<4xf32, "enc">
    %cst_7 = arith.constant dense<[1.000000e+00, 2.500000e+00]> : vector<2xf16>
    %c3_i8 = arith.constant {a} 3 : i8
    %sum, %overflow = arith.addui_extended %arg0, %arg1 : i32, i1
    %sum_8, %overflow_9 = arith.addui_extended %arg6, %arg6 {a} : tensor<4xi32>, tensor<4xi1>
    %low, %high = arith.mulsi_extended %arg0, %arg1 : i32
    %low_10, %high_11 = arith.mului_extended %arg6, %arg6 {a} : tensor<4xi32>
    return
  }
}

// CHECK:module {
// CHECK-NEXT:  func.func @f(%arg0: i32, %arg1: i32, %arg2: index, %arg3: f32, %arg4: f16, %arg5: i1, %arg6: tensor<4xi32>, %arg7: tensor<4xf32>, %arg8: tensor<4xi1>, %arg9: tensor<4xf32, "enc">, %arg10: vector<4xf32>, %arg11: vector<4xi32>, %arg12: i64) {
// CHECK-NEXT:    %0 = arith.addi %arg0, %arg1 : i32
// CHECK-NEXT:    %1 = arith.subi %arg0, %arg1 : i32
// CHECK-NEXT:    %2 = arith.muli %arg0, %arg1 : i32
// CHECK-NEXT:    %3 = arith.shli %arg0, %arg1 : i32
// CHECK-NEXT:    %4 = arith.divui %arg0, %arg1 : i32
// CHECK-NEXT:    %5 = arith.divsi %arg0, %arg1 : i32
// CHECK-NEXT:    %6 = arith.floordivsi %arg0, %arg1 : i32
// CHECK-NEXT:    %7 = arith.ceildivsi %arg0, %arg1 : i32
// CHECK-NEXT:    %8 = arith.ceildivui %arg0, %arg1 : i32
// CHECK-NEXT:    %9 = arith.remui %arg0, %arg1 : i32
// CHECK-NEXT:    %10 = arith.remsi %arg0, %arg1 : i32
// CHECK-NEXT:    %11 = arith.minui %arg0, %arg1 : i32
// CHECK-NEXT:    %12 = arith.maxui %arg0, %arg1 : i32
// CHECK-NEXT:    %13 = arith.minsi %arg0, %arg1 : i32
// CHECK-NEXT:    %14 = arith.maxsi %arg0, %arg1 : i32
// CHECK-NEXT:    %15 = arith.andi %arg0, %arg1 : i32
// CHECK-NEXT:    %16 = arith.ori %arg0, %arg1 : i32
// CHECK-NEXT:    %17 = arith.xori %arg0, %arg1 : i32
// CHECK-NEXT:    %18 = arith.shrui %arg0, %arg1 : i32
// CHECK-NEXT:    %19 = arith.shrsi %arg0, %arg1 : i32
// CHECK-NEXT:    %20 = arith.addi %arg6, %arg6 overflow<nsw, nuw> {foo = 1 : i32} : tensor<4xi32>
// CHECK-NEXT:    %21 = arith.muli %arg2, %arg2 overflow<nuw> : index
// CHECK-NEXT:    %22 = arith.shli %arg0, %arg1 overflow<nsw> : i32
// CHECK-NEXT:    %23 = arith.subi %arg11, %arg11 overflow<nsw> : vector<4xi32>
// CHECK-NEXT:    %24 = arith.divui %arg0, %arg1 exact : i32
// CHECK-NEXT:    %25 = arith.divsi %arg0, %arg1 exact : i32
// CHECK-NEXT:    %26 = arith.shrui %arg0, %arg1 exact : i32
// CHECK-NEXT:    %27 = arith.shrsi %arg0, %arg1 exact : i32
// CHECK-NEXT:    %28 = arith.divsi %arg6, %arg6 exact {a} : tensor<4xi32>
// CHECK-NEXT:    %29 = arith.addf %arg3, %arg3 : f32
// CHECK-NEXT:    %30 = arith.addf %arg7, %arg7 fastmath<nnan,contract> {a} : tensor<4xf32>
// CHECK-NEXT:    %31 = arith.subf %arg3, %arg3 : f32
// CHECK-NEXT:    %32 = arith.subf %arg7, %arg7 fastmath<nnan,contract> {a} : tensor<4xf32>
// CHECK-NEXT:    %33 = arith.mulf %arg3, %arg3 : f32
// CHECK-NEXT:    %34 = arith.mulf %arg7, %arg7 fastmath<nnan,contract> {a} : tensor<4xf32>
// CHECK-NEXT:    %35 = arith.divf %arg3, %arg3 : f32
// CHECK-NEXT:    %36 = arith.divf %arg7, %arg7 fastmath<nnan,contract> {a} : tensor<4xf32>
// CHECK-NEXT:    %37 = arith.remf %arg3, %arg3 : f32
// CHECK-NEXT:    %38 = arith.remf %arg7, %arg7 fastmath<nnan,contract> {a} : tensor<4xf32>
// CHECK-NEXT:    %39 = arith.maximumf %arg3, %arg3 : f32
// CHECK-NEXT:    %40 = arith.maximumf %arg7, %arg7 fastmath<nnan,contract> {a} : tensor<4xf32>
// CHECK-NEXT:    %41 = arith.maxnumf %arg3, %arg3 : f32
// CHECK-NEXT:    %42 = arith.maxnumf %arg7, %arg7 fastmath<nnan,contract> {a} : tensor<4xf32>
// CHECK-NEXT:    %43 = arith.minimumf %arg3, %arg3 : f32
// CHECK-NEXT:    %44 = arith.minimumf %arg7, %arg7 fastmath<nnan,contract> {a} : tensor<4xf32>
// CHECK-NEXT:    %45 = arith.minnumf %arg3, %arg3 : f32
// CHECK-NEXT:    %46 = arith.minnumf %arg7, %arg7 fastmath<nnan,contract> {a} : tensor<4xf32>
// CHECK-NEXT:    %47 = arith.negf %arg9 fastmath<fast> : tensor<4xf32, "enc">
// CHECK-NEXT:    %48 = arith.negf %arg10 {a} : vector<4xf32>
// CHECK-NEXT:    %49 = arith.cmpi eq, %arg6, %arg6 : tensor<4xi32>
// CHECK-NEXT:    %50 = arith.cmpi ne, %arg6, %arg6 : tensor<4xi32>
// CHECK-NEXT:    %51 = arith.cmpi slt, %arg6, %arg6 : tensor<4xi32>
// CHECK-NEXT:    %52 = arith.cmpi sle, %arg6, %arg6 : tensor<4xi32>
// CHECK-NEXT:    %53 = arith.cmpi sgt, %arg6, %arg6 : tensor<4xi32>
// CHECK-NEXT:    %54 = arith.cmpi sge, %arg6, %arg6 : tensor<4xi32>
// CHECK-NEXT:    %55 = arith.cmpi ult, %arg6, %arg6 : tensor<4xi32>
// CHECK-NEXT:    %56 = arith.cmpi ule, %arg6, %arg6 : tensor<4xi32>
// CHECK-NEXT:    %57 = arith.cmpi ugt, %arg6, %arg6 : tensor<4xi32>
// CHECK-NEXT:    %58 = arith.cmpi uge, %arg6, %arg6 : tensor<4xi32>
// CHECK-NEXT:    %59 = arith.cmpi slt, %arg0, %arg1 {a} : i32
// CHECK-NEXT:    %60 = arith.cmpf false, %arg3, %arg3 : f32
// CHECK-NEXT:    %61 = arith.cmpf oeq, %arg3, %arg3 : f32
// CHECK-NEXT:    %62 = arith.cmpf ogt, %arg3, %arg3 : f32
// CHECK-NEXT:    %63 = arith.cmpf oge, %arg3, %arg3 : f32
// CHECK-NEXT:    %64 = arith.cmpf olt, %arg3, %arg3 : f32
// CHECK-NEXT:    %65 = arith.cmpf ole, %arg3, %arg3 : f32
// CHECK-NEXT:    %66 = arith.cmpf one, %arg3, %arg3 : f32
// CHECK-NEXT:    %67 = arith.cmpf ord, %arg3, %arg3 : f32
// CHECK-NEXT:    %68 = arith.cmpf ueq, %arg3, %arg3 : f32
// CHECK-NEXT:    %69 = arith.cmpf ugt, %arg3, %arg3 : f32
// CHECK-NEXT:    %70 = arith.cmpf uge, %arg3, %arg3 : f32
// CHECK-NEXT:    %71 = arith.cmpf ult, %arg3, %arg3 : f32
// CHECK-NEXT:    %72 = arith.cmpf ule, %arg3, %arg3 : f32
// CHECK-NEXT:    %73 = arith.cmpf une, %arg3, %arg3 : f32
// CHECK-NEXT:    %74 = arith.cmpf uno, %arg3, %arg3 : f32
// CHECK-NEXT:    %75 = arith.cmpf true, %arg3, %arg3 : f32
// CHECK-NEXT:    %76 = arith.cmpf olt, %arg9, %arg9 fastmath<nnan> {a} : tensor<4xf32, "enc">
// CHECK-NEXT:    %77 = arith.select %arg5, %arg6, %arg6 {foo} : tensor<4xi32>
// CHECK-NEXT:    %78 = arith.select %arg8, %arg6, %arg6 {foo} : tensor<4xi1>, tensor<4xi32>
// CHECK-NEXT:    %79 = arith.select %arg5, %arg3, %arg3 : f32
// CHECK-NEXT:    %80 = arith.extsi %arg0 : i32 to i64
// CHECK-NEXT:    %81 = arith.extui %arg8 {a} : tensor<4xi1> to tensor<4xi32>
// CHECK-NEXT:    %82 = arith.trunci %arg0 : i32 to i8
// CHECK-NEXT:    %83 = arith.trunci %arg6 overflow<nsw, nuw> {a} : tensor<4xi32> to tensor<4xi8>
// CHECK-NEXT:    %84 = arith.sitofp %arg0 : i32 to f32
// CHECK-NEXT:    %85 = arith.uitofp %arg6 : tensor<4xi32> to tensor<4xf32>
// CHECK-NEXT:    %86 = arith.fptosi %arg3 : f32 to i32
// CHECK-NEXT:    %87 = arith.fptoui %arg7 {a} : tensor<4xf32> to tensor<4xi8>
// CHECK-NEXT:    %88 = arith.extf %arg4 : f16 to f32
// CHECK-NEXT:    %89 = arith.extf %arg4 fastmath<none> {a} : f16 to f32
// CHECK-NEXT:    %90 = arith.truncf %arg3 : f32 to bf16
// CHECK-NEXT:    %91 = arith.truncf %arg3 to_nearest_even : f32 to bf16
// CHECK-NEXT:    %92 = arith.truncf %arg3 downward : f32 to bf16
// CHECK-NEXT:    %93 = arith.truncf %arg3 upward : f32 to bf16
// CHECK-NEXT:    %94 = arith.truncf %arg3 toward_zero : f32 to bf16
// CHECK-NEXT:    %95 = arith.truncf %arg3 to_nearest_away : f32 to bf16
// CHECK-NEXT:    %96 = arith.truncf %arg3 upward fastmath<fast> {a} : f32 to bf16
// CHECK-NEXT:    %97 = arith.truncf %arg3 fastmath<none> : f32 to bf16
// CHECK-NEXT:    %98 = arith.bitcast %arg3 : f32 to i32
// CHECK-NEXT:    %99 = arith.bitcast %arg7 {a} : tensor<4xf32> to tensor<4xi32>
// CHECK-NEXT:    %100 = arith.index_cast %arg0 : i32 to index
// CHECK-NEXT:    %101 = arith.index_cast %arg6 {a} : tensor<4xi32> to tensor<4xindex>
// CHECK-NEXT:    %102 = arith.index_castui %arg2 : index to i32
// CHECK-NEXT:    %103 = arith.scaling_extf %arg4, %arg3 : f16, f32 to f32
// CHECK-NEXT:    %104 = arith.scaling_extf %arg4, %arg3 fastmath<fast> {a} : f16, f32 to f32
// CHECK-NEXT:    %105 = arith.scaling_truncf %arg3, %arg3 : f32, f32 to f16
// CHECK-NEXT:    %106 = arith.scaling_truncf %arg3, %arg3 upward fastmath<fast> {a} : f32, f32 to f16
// CHECK-NEXT:    %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:    %c-1_i64 = arith.constant -1 : i64
// CHECK-NEXT:    %true = arith.constant true
// CHECK-NEXT:    %false = arith.constant false
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %cst = arith.constant 5.000000e+00 : f32
// CHECK-NEXT:    %cst_0 = arith.constant 0x7F800000 : f32
// CHECK-NEXT:    %cst_1 = arith.constant 0.00999999977 : f32
// CHECK-NEXT:    %cst_2 = arith.constant dense<1> : tensor<4xi32>
// CHECK-NEXT:    %cst_3 = arith.constant dense<[1, 2]> : tensor<2xi32>
// CHECK-NEXT:    %cst_4 = arith.constant dense<[true, false]> : tensor<2xi1>
// CHECK-NEXT:    %cst_5 = arith.constant dense<0xFF800000> : tensor<4xf32>
// CHECK-NEXT:    %cst_6 = arith.constant dense<0.000000e+00> : tensor<4xf32, "enc">
// CHECK-NEXT:    %cst_7 = arith.constant dense<[1.000000e+00, 2.500000e+00]> : vector<2xf16>
// CHECK-NEXT:    %c3_i8 = arith.constant {a} 3 : i8
// CHECK-NEXT:    %sum, %overflow = arith.addui_extended %arg0, %arg1 : i32, i1
// CHECK-NEXT:    %sum_8, %overflow_9 = arith.addui_extended %arg6, %arg6 {a} : tensor<4xi32>, tensor<4xi1>
// CHECK-NEXT:    %low, %high = arith.mulsi_extended %arg0, %arg1 : i32
// CHECK-NEXT:    %low_10, %high_11 = arith.mului_extended %arg6, %arg6 {a} : tensor<4xi32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:}

// GENERIC:"builtin.module"() ({
// GENERIC-NEXT:  "func.func"() <{function_type = (i32, i32, index, f32, f16, i1, tensor<4xi32>, tensor<4xf32>, tensor<4xi1>, tensor<4xf32, "enc">, vector<4xf32>, vector<4xi32>, i64) -> (), sym_name = "f"}> ({
// GENERIC-NEXT:  ^bb0(%arg0: i32, %arg1: i32, %arg2: index, %arg3: f32, %arg4: f16, %arg5: i1, %arg6: tensor<4xi32>, %arg7: tensor<4xf32>, %arg8: tensor<4xi1>, %arg9: tensor<4xf32, "enc">, %arg10: vector<4xf32>, %arg11: vector<4xi32>, %arg12: i64):
// GENERIC-NEXT:    %0 = "arith.addi"(%arg0, %arg1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
// GENERIC-NEXT:    %1 = "arith.subi"(%arg0, %arg1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
// GENERIC-NEXT:    %2 = "arith.muli"(%arg0, %arg1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
// GENERIC-NEXT:    %3 = "arith.shli"(%arg0, %arg1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
// GENERIC-NEXT:    %4 = "arith.divui"(%arg0, %arg1) : (i32, i32) -> i32
// GENERIC-NEXT:    %5 = "arith.divsi"(%arg0, %arg1) : (i32, i32) -> i32
// GENERIC-NEXT:    %6 = "arith.floordivsi"(%arg0, %arg1) : (i32, i32) -> i32
// GENERIC-NEXT:    %7 = "arith.ceildivsi"(%arg0, %arg1) : (i32, i32) -> i32
// GENERIC-NEXT:    %8 = "arith.ceildivui"(%arg0, %arg1) : (i32, i32) -> i32
// GENERIC-NEXT:    %9 = "arith.remui"(%arg0, %arg1) : (i32, i32) -> i32
// GENERIC-NEXT:    %10 = "arith.remsi"(%arg0, %arg1) : (i32, i32) -> i32
// GENERIC-NEXT:    %11 = "arith.minui"(%arg0, %arg1) : (i32, i32) -> i32
// GENERIC-NEXT:    %12 = "arith.maxui"(%arg0, %arg1) : (i32, i32) -> i32
// GENERIC-NEXT:    %13 = "arith.minsi"(%arg0, %arg1) : (i32, i32) -> i32
// GENERIC-NEXT:    %14 = "arith.maxsi"(%arg0, %arg1) : (i32, i32) -> i32
// GENERIC-NEXT:    %15 = "arith.andi"(%arg0, %arg1) : (i32, i32) -> i32
// GENERIC-NEXT:    %16 = "arith.ori"(%arg0, %arg1) : (i32, i32) -> i32
// GENERIC-NEXT:    %17 = "arith.xori"(%arg0, %arg1) : (i32, i32) -> i32
// GENERIC-NEXT:    %18 = "arith.shrui"(%arg0, %arg1) : (i32, i32) -> i32
// GENERIC-NEXT:    %19 = "arith.shrsi"(%arg0, %arg1) : (i32, i32) -> i32
// GENERIC-NEXT:    %20 = "arith.addi"(%arg6, %arg6) <{overflowFlags = #arith.overflow<nsw, nuw>}> {foo = 1 : i32} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
// GENERIC-NEXT:    %21 = "arith.muli"(%arg2, %arg2) <{overflowFlags = #arith.overflow<nuw>}> : (index, index) -> index
// GENERIC-NEXT:    %22 = "arith.shli"(%arg0, %arg1) <{overflowFlags = #arith.overflow<nsw>}> : (i32, i32) -> i32
// GENERIC-NEXT:    %23 = "arith.subi"(%arg11, %arg11) <{overflowFlags = #arith.overflow<nsw>}> : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
// GENERIC-NEXT:    %24 = "arith.divui"(%arg0, %arg1) <{isExact}> : (i32, i32) -> i32
// GENERIC-NEXT:    %25 = "arith.divsi"(%arg0, %arg1) <{isExact}> : (i32, i32) -> i32
// GENERIC-NEXT:    %26 = "arith.shrui"(%arg0, %arg1) <{isExact}> : (i32, i32) -> i32
// GENERIC-NEXT:    %27 = "arith.shrsi"(%arg0, %arg1) <{isExact}> : (i32, i32) -> i32
// GENERIC-NEXT:    %28 = "arith.divsi"(%arg6, %arg6) <{isExact}> {a} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
// GENERIC-NEXT:    %29 = "arith.addf"(%arg3, %arg3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:    %30 = "arith.addf"(%arg7, %arg7) <{fastmath = #arith.fastmath<nnan,contract>}> {a} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %31 = "arith.subf"(%arg3, %arg3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:    %32 = "arith.subf"(%arg7, %arg7) <{fastmath = #arith.fastmath<nnan,contract>}> {a} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %33 = "arith.mulf"(%arg3, %arg3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:    %34 = "arith.mulf"(%arg7, %arg7) <{fastmath = #arith.fastmath<nnan,contract>}> {a} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %35 = "arith.divf"(%arg3, %arg3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:    %36 = "arith.divf"(%arg7, %arg7) <{fastmath = #arith.fastmath<nnan,contract>}> {a} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %37 = "arith.remf"(%arg3, %arg3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:    %38 = "arith.remf"(%arg7, %arg7) <{fastmath = #arith.fastmath<nnan,contract>}> {a} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %39 = "arith.maximumf"(%arg3, %arg3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:    %40 = "arith.maximumf"(%arg7, %arg7) <{fastmath = #arith.fastmath<nnan,contract>}> {a} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %41 = "arith.maxnumf"(%arg3, %arg3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:    %42 = "arith.maxnumf"(%arg7, %arg7) <{fastmath = #arith.fastmath<nnan,contract>}> {a} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %43 = "arith.minimumf"(%arg3, %arg3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:    %44 = "arith.minimumf"(%arg7, %arg7) <{fastmath = #arith.fastmath<nnan,contract>}> {a} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %45 = "arith.minnumf"(%arg3, %arg3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:    %46 = "arith.minnumf"(%arg7, %arg7) <{fastmath = #arith.fastmath<nnan,contract>}> {a} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %47 = "arith.negf"(%arg9) <{fastmath = #arith.fastmath<fast>}> : (tensor<4xf32, "enc">) -> tensor<4xf32, "enc">
// GENERIC-NEXT:    %48 = "arith.negf"(%arg10) <{fastmath = #arith.fastmath<none>}> {a} : (vector<4xf32>) -> vector<4xf32>
// GENERIC-NEXT:    %49 = "arith.cmpi"(%arg6, %arg6) <{predicate = 0 : i64}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// GENERIC-NEXT:    %50 = "arith.cmpi"(%arg6, %arg6) <{predicate = 1 : i64}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// GENERIC-NEXT:    %51 = "arith.cmpi"(%arg6, %arg6) <{predicate = 2 : i64}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// GENERIC-NEXT:    %52 = "arith.cmpi"(%arg6, %arg6) <{predicate = 3 : i64}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// GENERIC-NEXT:    %53 = "arith.cmpi"(%arg6, %arg6) <{predicate = 4 : i64}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// GENERIC-NEXT:    %54 = "arith.cmpi"(%arg6, %arg6) <{predicate = 5 : i64}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// GENERIC-NEXT:    %55 = "arith.cmpi"(%arg6, %arg6) <{predicate = 6 : i64}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// GENERIC-NEXT:    %56 = "arith.cmpi"(%arg6, %arg6) <{predicate = 7 : i64}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// GENERIC-NEXT:    %57 = "arith.cmpi"(%arg6, %arg6) <{predicate = 8 : i64}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// GENERIC-NEXT:    %58 = "arith.cmpi"(%arg6, %arg6) <{predicate = 9 : i64}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// GENERIC-NEXT:    %59 = "arith.cmpi"(%arg0, %arg1) <{predicate = 2 : i64}> {a} : (i32, i32) -> i1
// GENERIC-NEXT:    %60 = "arith.cmpf"(%arg3, %arg3) <{fastmath = #arith.fastmath<none>, predicate = 0 : i64}> : (f32, f32) -> i1
// GENERIC-NEXT:    %61 = "arith.cmpf"(%arg3, %arg3) <{fastmath = #arith.fastmath<none>, predicate = 1 : i64}> : (f32, f32) -> i1
// GENERIC-NEXT:    %62 = "arith.cmpf"(%arg3, %arg3) <{fastmath = #arith.fastmath<none>, predicate = 2 : i64}> : (f32, f32) -> i1
// GENERIC-NEXT:    %63 = "arith.cmpf"(%arg3, %arg3) <{fastmath = #arith.fastmath<none>, predicate = 3 : i64}> : (f32, f32) -> i1
// GENERIC-NEXT:    %64 = "arith.cmpf"(%arg3, %arg3) <{fastmath = #arith.fastmath<none>, predicate = 4 : i64}> : (f32, f32) -> i1
// GENERIC-NEXT:    %65 = "arith.cmpf"(%arg3, %arg3) <{fastmath = #arith.fastmath<none>, predicate = 5 : i64}> : (f32, f32) -> i1
// GENERIC-NEXT:    %66 = "arith.cmpf"(%arg3, %arg3) <{fastmath = #arith.fastmath<none>, predicate = 6 : i64}> : (f32, f32) -> i1
// GENERIC-NEXT:    %67 = "arith.cmpf"(%arg3, %arg3) <{fastmath = #arith.fastmath<none>, predicate = 7 : i64}> : (f32, f32) -> i1
// GENERIC-NEXT:    %68 = "arith.cmpf"(%arg3, %arg3) <{fastmath = #arith.fastmath<none>, predicate = 8 : i64}> : (f32, f32) -> i1
// GENERIC-NEXT:    %69 = "arith.cmpf"(%arg3, %arg3) <{fastmath = #arith.fastmath<none>, predicate = 9 : i64}> : (f32, f32) -> i1
// GENERIC-NEXT:    %70 = "arith.cmpf"(%arg3, %arg3) <{fastmath = #arith.fastmath<none>, predicate = 10 : i64}> : (f32, f32) -> i1
// GENERIC-NEXT:    %71 = "arith.cmpf"(%arg3, %arg3) <{fastmath = #arith.fastmath<none>, predicate = 11 : i64}> : (f32, f32) -> i1
// GENERIC-NEXT:    %72 = "arith.cmpf"(%arg3, %arg3) <{fastmath = #arith.fastmath<none>, predicate = 12 : i64}> : (f32, f32) -> i1
// GENERIC-NEXT:    %73 = "arith.cmpf"(%arg3, %arg3) <{fastmath = #arith.fastmath<none>, predicate = 13 : i64}> : (f32, f32) -> i1
// GENERIC-NEXT:    %74 = "arith.cmpf"(%arg3, %arg3) <{fastmath = #arith.fastmath<none>, predicate = 14 : i64}> : (f32, f32) -> i1
// GENERIC-NEXT:    %75 = "arith.cmpf"(%arg3, %arg3) <{fastmath = #arith.fastmath<none>, predicate = 15 : i64}> : (f32, f32) -> i1
// GENERIC-NEXT:    %76 = "arith.cmpf"(%arg9, %arg9) <{fastmath = #arith.fastmath<nnan>, predicate = 4 : i64}> {a} : (tensor<4xf32, "enc">, tensor<4xf32, "enc">) -> tensor<4xi1, "enc">
// GENERIC-NEXT:    %77 = "arith.select"(%arg5, %arg6, %arg6) {foo} : (i1, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
// GENERIC-NEXT:    %78 = "arith.select"(%arg8, %arg6, %arg6) {foo} : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
// GENERIC-NEXT:    %79 = "arith.select"(%arg5, %arg3, %arg3) : (i1, f32, f32) -> f32
// GENERIC-NEXT:    %80 = "arith.extsi"(%arg0) : (i32) -> i64
// GENERIC-NEXT:    %81 = "arith.extui"(%arg8) {a} : (tensor<4xi1>) -> tensor<4xi32>
// GENERIC-NEXT:    %82 = "arith.trunci"(%arg0) <{overflowFlags = #arith.overflow<none>}> : (i32) -> i8
// GENERIC-NEXT:    %83 = "arith.trunci"(%arg6) <{overflowFlags = #arith.overflow<nsw, nuw>}> {a} : (tensor<4xi32>) -> tensor<4xi8>
// GENERIC-NEXT:    %84 = "arith.sitofp"(%arg0) : (i32) -> f32
// GENERIC-NEXT:    %85 = "arith.uitofp"(%arg6) : (tensor<4xi32>) -> tensor<4xf32>
// GENERIC-NEXT:    %86 = "arith.fptosi"(%arg3) : (f32) -> i32
// GENERIC-NEXT:    %87 = "arith.fptoui"(%arg7) {a} : (tensor<4xf32>) -> tensor<4xi8>
// GENERIC-NEXT:    %88 = "arith.extf"(%arg4) : (f16) -> f32
// GENERIC-NEXT:    %89 = "arith.extf"(%arg4) <{fastmath = #arith.fastmath<none>}> {a} : (f16) -> f32
// GENERIC-NEXT:    %90 = "arith.truncf"(%arg3) : (f32) -> bf16
// GENERIC-NEXT:    %91 = "arith.truncf"(%arg3) <{roundingmode = 0 : i32}> : (f32) -> bf16
// GENERIC-NEXT:    %92 = "arith.truncf"(%arg3) <{roundingmode = 1 : i32}> : (f32) -> bf16
// GENERIC-NEXT:    %93 = "arith.truncf"(%arg3) <{roundingmode = 2 : i32}> : (f32) -> bf16
// GENERIC-NEXT:    %94 = "arith.truncf"(%arg3) <{roundingmode = 3 : i32}> : (f32) -> bf16
// GENERIC-NEXT:    %95 = "arith.truncf"(%arg3) <{roundingmode = 4 : i32}> : (f32) -> bf16
// GENERIC-NEXT:    %96 = "arith.truncf"(%arg3) <{fastmath = #arith.fastmath<fast>, roundingmode = 2 : i32}> {a} : (f32) -> bf16
// GENERIC-NEXT:    %97 = "arith.truncf"(%arg3) <{fastmath = #arith.fastmath<none>}> : (f32) -> bf16
// GENERIC-NEXT:    %98 = "arith.bitcast"(%arg3) : (f32) -> i32
// GENERIC-NEXT:    %99 = "arith.bitcast"(%arg7) {a} : (tensor<4xf32>) -> tensor<4xi32>
// GENERIC-NEXT:    %100 = "arith.index_cast"(%arg0) : (i32) -> index
// GENERIC-NEXT:    %101 = "arith.index_cast"(%arg6) {a} : (tensor<4xi32>) -> tensor<4xindex>
// GENERIC-NEXT:    %102 = "arith.index_castui"(%arg2) : (index) -> i32
// GENERIC-NEXT:    %103 = "arith.scaling_extf"(%arg4, %arg3) : (f16, f32) -> f32
// GENERIC-NEXT:    %104 = "arith.scaling_extf"(%arg4, %arg3) <{fastmath = #arith.fastmath<fast>}> {a} : (f16, f32) -> f32
// GENERIC-NEXT:    %105 = "arith.scaling_truncf"(%arg3, %arg3) : (f32, f32) -> f16
// GENERIC-NEXT:    %106 = "arith.scaling_truncf"(%arg3, %arg3) <{fastmath = #arith.fastmath<fast>, roundingmode = 2 : i32}> {a} : (f32, f32) -> f16
// GENERIC-NEXT:    %107 = "arith.constant"() <{value = 1 : i32}> : () -> i32
// GENERIC-NEXT:    %108 = "arith.constant"() <{value = -1 : i64}> : () -> i64
// GENERIC-NEXT:    %109 = "arith.constant"() <{value = true}> : () -> i1
// GENERIC-NEXT:    %110 = "arith.constant"() <{value = false}> : () -> i1
// GENERIC-NEXT:    %111 = "arith.constant"() <{value = 0 : index}> : () -> index
// GENERIC-NEXT:    %112 = "arith.constant"() <{value = 5.000000e+00 : f32}> : () -> f32
// GENERIC-NEXT:    %113 = "arith.constant"() <{value = 0x7F800000 : f32}> : () -> f32
// GENERIC-NEXT:    %114 = "arith.constant"() <{value = 0.00999999977 : f32}> : () -> f32
// GENERIC-NEXT:    %115 = "arith.constant"() <{value = dense<1> : tensor<4xi32>}> : () -> tensor<4xi32>
// GENERIC-NEXT:    %116 = "arith.constant"() <{value = dense<[1, 2]> : tensor<2xi32>}> : () -> tensor<2xi32>
// GENERIC-NEXT:    %117 = "arith.constant"() <{value = dense<[true, false]> : tensor<2xi1>}> : () -> tensor<2xi1>
// GENERIC-NEXT:    %118 = "arith.constant"() <{value = dense<0xFF800000> : tensor<4xf32>}> : () -> tensor<4xf32>
// GENERIC-NEXT:    %119 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<4xf32, "enc">}> : () -> tensor<4xf32, "enc">
// GENERIC-NEXT:    %120 = "arith.constant"() <{value = dense<[1.000000e+00, 2.500000e+00]> : vector<2xf16>}> : () -> vector<2xf16>
// GENERIC-NEXT:    %121 = "arith.constant"() <{value = 3 : i8}> {a} : () -> i8
// GENERIC-NEXT:    %122:2 = "arith.addui_extended"(%arg0, %arg1) : (i32, i32) -> (i32, i1)
// GENERIC-NEXT:    %123:2 = "arith.addui_extended"(%arg6, %arg6) {a} : (tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi1>)
// GENERIC-NEXT:    %124:2 = "arith.mulsi_extended"(%arg0, %arg1) : (i32, i32) -> (i32, i32)
// GENERIC-NEXT:    %125:2 = "arith.mului_extended"(%arg6, %arg6) {a} : (tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)
// GENERIC-NEXT:    "func.return"() : () -> ()
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:}) : () -> ()
