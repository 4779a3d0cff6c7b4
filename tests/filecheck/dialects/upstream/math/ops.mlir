// Every op of math in every form: written and read as MLIR 22 does, byte for byte.
//
// RUN: xtriton-opt %s --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace
// RUN: xtriton-opt %s --triton-version=3.7 --mlir-print-op-generic | filecheck %s --match-full-lines --strict-whitespace --check-prefix=GENERIC
// RUN: xtriton-opt %s --mlir-print-op-generic | xtriton-opt --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace

module {
  func.func @f(%arg0: i32, %arg1: i32, %arg2: index, %arg3: f32, %arg4: f16, %arg5: i1, %arg6: tensor<4xi32>, %arg7: tensor<4xf32>, %arg8: tensor<4xi1>, %arg9: tensor<4xf32, "enc">, %arg10: vector<4xf32>, %arg11: vector<4xi32>, %arg12: i64) {
    %0 = math.absf %arg7 : tensor<4xf32>
    %1 = math.acos %arg7 : tensor<4xf32>
    %2 = math.acosh %arg7 : tensor<4xf32>
    %3 = math.asin %arg7 : tensor<4xf32>
    %4 = math.asinh %arg7 : tensor<4xf32>
    %5 = math.atan %arg7 : tensor<4xf32>
    %6 = math.atanh %arg7 : tensor<4xf32>
    %7 = math.cbrt %arg7 : tensor<4xf32>
    %8 = math.ceil %arg7 : tensor<4xf32>
    %9 = math.cos %arg7 : tensor<4xf32>
    %10 = math.cosh %arg7 : tensor<4xf32>
    %11 = math.erf %arg7 : tensor<4xf32>
    %12 = math.erfc %arg7 : tensor<4xf32>
    %13 = math.exp %arg7 : tensor<4xf32>
    %14 = math.exp2 %arg7 : tensor<4xf32>
    %15 = math.expm1 %arg7 : tensor<4xf32>
    %16 = math.floor %arg7 : tensor<4xf32>
    %17 = math.log %arg7 : tensor<4xf32>
    %18 = math.log10 %arg7 : tensor<4xf32>
    %19 = math.log1p %arg7 : tensor<4xf32>
    %20 = math.log2 %arg7 : tensor<4xf32>
    %21 = math.round %arg7 : tensor<4xf32>
    %22 = math.roundeven %arg7 : tensor<4xf32>
    %23 = math.rsqrt %arg7 : tensor<4xf32>
    %24 = math.sin %arg7 : tensor<4xf32>
    %25 = math.sinh %arg7 : tensor<4xf32>
    %26 = math.sqrt %arg7 : tensor<4xf32>
    %27 = math.tan %arg7 : tensor<4xf32>
    %28 = math.tanh %arg7 : tensor<4xf32>
    %29 = math.trunc %arg7 : tensor<4xf32>
    %30 = math.exp %arg3 fastmath<fast> {a} : f32
    %31 = math.absi %arg6 {a} : tensor<4xi32>
    %32 = math.absi %arg0 : i32
    %33 = math.ctlz %arg0 : i32
    %34 = math.cttz %arg0 : i32
    %35 = math.ctpop %arg0 : i32
    %36 = math.atan2 %arg7, %arg7 : tensor<4xf32>
    %37 = math.atan2 %arg3, %arg3 fastmath<nnan> {a} : f32
    %38 = math.copysign %arg7, %arg7 : tensor<4xf32>
    %39 = math.copysign %arg3, %arg3 fastmath<nnan> {a} : f32
    %40 = math.powf %arg7, %arg7 : tensor<4xf32>
    %41 = math.powf %arg3, %arg3 fastmath<nnan> {a} : f32
    %42 = math.ipowi %arg0, %arg1 {a} : i32
    %43 = math.fpowi %arg3, %arg0 : f32, i32
    %44 = math.fpowi %arg7, %arg6 fastmath<fast> {a} : tensor<4xf32>, tensor<4xi32>
    %45 = math.fma %arg3, %arg3, %arg3 : f32
    %46 = math.fma %arg7, %arg7, %arg7 fastmath<contract> {a} : tensor<4xf32>
    %47 = math.clampf %arg3 to [%arg3, %arg3] : f32
    %48 = math.clampf %arg7 to [%arg7, %arg7] fastmath<nnan> {a} : tensor<4xf32>
    %49 = math.isfinite %arg9 {a} : tensor<4xf32, "enc">
    %50 = math.isinf %arg9 {a} : tensor<4xf32, "enc">
    %51 = math.isnan %arg9 {a} : tensor<4xf32, "enc">
    %52 = math.isnormal %arg9 {a} : tensor<4xf32, "enc">
    %sin, %cos = math.sincos %arg3 : f32
    %sin_0, %cos_1 = math.sincos %arg7 fastmath<fast> {a} : tensor<4xf32>
    return
  }
}

// CHECK:module {
// CHECK-NEXT:  func.func @f(%arg0: i32, %arg1: i32, %arg2: index, %arg3: f32, %arg4: f16, %arg5: i1, %arg6: tensor<4xi32>, %arg7: tensor<4xf32>, %arg8: tensor<4xi1>, %arg9: tensor<4xf32, "enc">, %arg10: vector<4xf32>, %arg11: vector<4xi32>, %arg12: i64) {
// CHECK-NEXT:    %0 = math.absf %arg7 : tensor<4xf32>
// CHECK-NEXT:    %1 = math.acos %arg7 : tensor<4xf32>
// CHECK-NEXT:    %2 = math.acosh %arg7 : tensor<4xf32>
// CHECK-NEXT:    %3 = math.asin %arg7 : tensor<4xf32>
// CHECK-NEXT:    %4 = math.asinh %arg7 : tensor<4xf32>
// CHECK-NEXT:    %5 = math.atan %arg7 : tensor<4xf32>
// CHECK-NEXT:    %6 = math.atanh %arg7 : tensor<4xf32>
// CHECK-NEXT:    %7 = math.cbrt %arg7 : tensor<4xf32>
// CHECK-NEXT:    %8 = math.ceil %arg7 : tensor<4xf32>
// CHECK-NEXT:    %9 = math.cos %arg7 : tensor<4xf32>
// CHECK-NEXT:    %10 = math.cosh %arg7 : tensor<4xf32>
// CHECK-NEXT:    %11 = math.erf %arg7 : tensor<4xf32>
// CHECK-NEXT:    %12 = math.erfc %arg7 : tensor<4xf32>
// CHECK-NEXT:    %13 = math.exp %arg7 : tensor<4xf32>
// CHECK-NEXT:    %14 = math.exp2 %arg7 : tensor<4xf32>
// CHECK-NEXT:    %15 = math.expm1 %arg7 : tensor<4xf32>
// CHECK-NEXT:    %16 = math.floor %arg7 : tensor<4xf32>
// CHECK-NEXT:    %17 = math.log %arg7 : tensor<4xf32>
// CHECK-NEXT:    %18 = math.log10 %arg7 : tensor<4xf32>
// CHECK-NEXT:    %19 = math.log1p %arg7 : tensor<4xf32>
// CHECK-NEXT:    %20 = math.log2 %arg7 : tensor<4xf32>
// CHECK-NEXT:    %21 = math.round %arg7 : tensor<4xf32>
// CHECK-NEXT:    %22 = math.roundeven %arg7 : tensor<4xf32>
// CHECK-NEXT:    %23 = math.rsqrt %arg7 : tensor<4xf32>
// CHECK-NEXT:    %24 = math.sin %arg7 : tensor<4xf32>
// CHECK-NEXT:    %25 = math.sinh %arg7 : tensor<4xf32>
// CHECK-NEXT:    %26 = math.sqrt %arg7 : tensor<4xf32>
// CHECK-NEXT:    %27 = math.tan %arg7 : tensor<4xf32>
// CHECK-NEXT:    %28 = math.tanh %arg7 : tensor<4xf32>
// CHECK-NEXT:    %29 = math.trunc %arg7 : tensor<4xf32>
// CHECK-NEXT:    %30 = math.exp %arg3 fastmath<fast> {a} : f32
// CHECK-NEXT:    %31 = math.absi %arg6 {a} : tensor<4xi32>
// CHECK-NEXT:    %32 = math.absi %arg0 : i32
// CHECK-NEXT:    %33 = math.ctlz %arg0 : i32
// CHECK-NEXT:    %34 = math.cttz %arg0 : i32
// CHECK-NEXT:    %35 = math.ctpop %arg0 : i32
// CHECK-NEXT:    %36 = math.atan2 %arg7, %arg7 : tensor<4xf32>
// CHECK-NEXT:    %37 = math.atan2 %arg3, %arg3 fastmath<nnan> {a} : f32
// CHECK-NEXT:    %38 = math.copysign %arg7, %arg7 : tensor<4xf32>
// CHECK-NEXT:    %39 = math.copysign %arg3, %arg3 fastmath<nnan> {a} : f32
// CHECK-NEXT:    %40 = math.powf %arg7, %arg7 : tensor<4xf32>
// CHECK-NEXT:    %41 = math.powf %arg3, %arg3 fastmath<nnan> {a} : f32
// CHECK-NEXT:    %42 = math.ipowi %arg0, %arg1 {a} : i32
// CHECK-NEXT:    %43 = math.fpowi %arg3, %arg0 : f32, i32
// CHECK-NEXT:    %44 = math.fpowi %arg7, %arg6 fastmath<fast> {a} : tensor<4xf32>, tensor<4xi32>
// CHECK-NEXT:    %45 = math.fma %arg3, %arg3, %arg3 : f32
// CHECK-NEXT:    %46 = math.fma %arg7, %arg7, %arg7 fastmath<contract> {a} : tensor<4xf32>
// CHECK-NEXT:    %47 = math.clampf %arg3 to [%arg3, %arg3] : f32
// CHECK-NEXT:    %48 = math.clampf %arg7 to [%arg7, %arg7] fastmath<nnan> {a} : tensor<4xf32>
// CHECK-NEXT:    %49 = math.isfinite %arg9 {a} : tensor<4xf32, "enc">
// CHECK-NEXT:    %50 = math.isinf %arg9 {a} : tensor<4xf32, "enc">
// CHECK-NEXT:    %51 = math.isnan %arg9 {a} : tensor<4xf32, "enc">
// CHECK-NEXT:    %52 = math.isnormal %arg9 {a} : tensor<4xf32, "enc">
// CHECK-NEXT:    %sin, %cos = math.sincos %arg3 : f32
// CHECK-NEXT:    %sin_0, %cos_1 = math.sincos %arg7 fastmath<fast> {a} : tensor<4xf32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:}

// GENERIC:"builtin.module"() ({
// GENERIC-NEXT:  "func.func"() <{function_type = (i32, i32, index, f32, f16, i1, tensor<4xi32>, tensor<4xf32>, tensor<4xi1>, tensor<4xf32, "enc">, vector<4xf32>, vector<4xi32>, i64) -> (), sym_name = "f"}> ({
// GENERIC-NEXT:  ^bb0(%arg0: i32, %arg1: i32, %arg2: index, %arg3: f32, %arg4: f16, %arg5: i1, %arg6: tensor<4xi32>, %arg7: tensor<4xf32>, %arg8: tensor<4xi1>, %arg9: tensor<4xf32, "enc">, %arg10: vector<4xf32>, %arg11: vector<4xi32>, %arg12: i64):
// GENERIC-NEXT:    %0 = "math.absf"(%arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %1 = "math.acos"(%arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %2 = "math.acosh"(%arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %3 = "math.asin"(%arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %4 = "math.asinh"(%arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %5 = "math.atan"(%arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %6 = "math.atanh"(%arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %7 = "math.cbrt"(%arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %8 = "math.ceil"(%arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %9 = "math.cos"(%arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %10 = "math.cosh"(%arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %11 = "math.erf"(%arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %12 = "math.erfc"(%arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %13 = "math.exp"(%arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %14 = "math.exp2"(%arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %15 = "math.expm1"(%arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %16 = "math.floor"(%arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %17 = "math.log"(%arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %18 = "math.log10"(%arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %19 = "math.log1p"(%arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %20 = "math.log2"(%arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %21 = "math.round"(%arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %22 = "math.roundeven"(%arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %23 = "math.rsqrt"(%arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %24 = "math.sin"(%arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %25 = "math.sinh"(%arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %26 = "math.sqrt"(%arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %27 = "math.tan"(%arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %28 = "math.tanh"(%arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %29 = "math.trunc"(%arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %30 = "math.exp"(%arg3) <{fastmath = #arith.fastmath<fast>}> {a} : (f32) -> f32
// GENERIC-NEXT:    %31 = "math.absi"(%arg6) {a} : (tensor<4xi32>) -> tensor<4xi32>
// GENERIC-NEXT:    %32 = "math.absi"(%arg0) : (i32) -> i32
// GENERIC-NEXT:    %33 = "math.ctlz"(%arg0) : (i32) -> i32
// GENERIC-NEXT:    %34 = "math.cttz"(%arg0) : (i32) -> i32
// GENERIC-NEXT:    %35 = "math.ctpop"(%arg0) : (i32) -> i32
// GENERIC-NEXT:    %36 = "math.atan2"(%arg7, %arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %37 = "math.atan2"(%arg3, %arg3) <{fastmath = #arith.fastmath<nnan>}> {a} : (f32, f32) -> f32
// GENERIC-NEXT:    %38 = "math.copysign"(%arg7, %arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %39 = "math.copysign"(%arg3, %arg3) <{fastmath = #arith.fastmath<nnan>}> {a} : (f32, f32) -> f32
// GENERIC-NEXT:    %40 = "math.powf"(%arg7, %arg7) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %41 = "math.powf"(%arg3, %arg3) <{fastmath = #arith.fastmath<nnan>}> {a} : (f32, f32) -> f32
// GENERIC-NEXT:    %42 = "math.ipowi"(%arg0, %arg1) {a} : (i32, i32) -> i32
// GENERIC-NEXT:    %43 = "math.fpowi"(%arg3, %arg0) <{fastmath = #arith.fastmath<none>}> : (f32, i32) -> f32
// GENERIC-NEXT:    %44 = "math.fpowi"(%arg7, %arg6) <{fastmath = #arith.fastmath<fast>}> {a} : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
// GENERIC-NEXT:    %45 = "math.fma"(%arg3, %arg3, %arg3) <{fastmath = #arith.fastmath<none>}> : (f32, f32, f32) -> f32
// GENERIC-NEXT:    %46 = "math.fma"(%arg7, %arg7, %arg7) <{fastmath = #arith.fastmath<contract>}> {a} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %47 = "math.clampf"(%arg3, %arg3, %arg3) <{fastmath = #arith.fastmath<none>}> : (f32, f32, f32) -> f32
// GENERIC-NEXT:    %48 = "math.clampf"(%arg7, %arg7, %arg7) <{fastmath = #arith.fastmath<nnan>}> {a} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %49 = "math.isfinite"(%arg9) <{fastmath = #arith.fastmath<none>}> {a} : (tensor<4xf32, "enc">) -> tensor<4xi1, "enc">
// GENERIC-NEXT:    %50 = "math.isinf"(%arg9) <{fastmath = #arith.fastmath<none>}> {a} : (tensor<4xf32, "enc">) -> tensor<4xi1, "enc">
// GENERIC-NEXT:    %51 = "math.isnan"(%arg9) <{fastmath = #arith.fastmath<none>}> {a} : (tensor<4xf32, "enc">) -> tensor<4xi1, "enc">
// GENERIC-NEXT:    %52 = "math.isnormal"(%arg9) <{fastmath = #arith.fastmath<none>}> {a} : (tensor<4xf32, "enc">) -> tensor<4xi1, "enc">
// GENERIC-NEXT:    %53:2 = "math.sincos"(%arg3) <{fastmath = #arith.fastmath<none>}> : (f32) -> (f32, f32)
// GENERIC-NEXT:    %54:2 = "math.sincos"(%arg7) <{fastmath = #arith.fastmath<fast>}> {a} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// GENERIC-NEXT:    "func.return"() : () -> ()
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:}) : () -> ()
