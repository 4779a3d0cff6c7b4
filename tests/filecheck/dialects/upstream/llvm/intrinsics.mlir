// Intrinsics of llvm: written and read as MLIR 22 does, byte for byte.
//
// RUN: xtriton-opt %s --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace
// RUN: xtriton-opt %s --triton-version=3.7 --mlir-print-op-generic | filecheck %s --match-full-lines --strict-whitespace --check-prefix=GENERIC
// RUN: xtriton-opt %s --mlir-print-op-generic | xtriton-opt --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace

module {
  func.func @f(%arg0: !llvm.ptr<1>, %arg1: i32, %arg2: f32, %arg3: vector<4xf32>, %arg4: i1, %arg5: i64, %arg6: index) {
    %0 = llvm.intr.ctpop(%arg1) {a} : (i32) -> i32
    %1 = llvm.intr.bswap(%arg1) {a} : (i32) -> i32
    %2 = llvm.intr.bitreverse(%arg1) {a} : (i32) -> i32
    %3 = llvm.intr.smax(%arg1, %arg1) : (i32, i32) -> i32
    %4 = llvm.intr.smin(%arg1, %arg1) : (i32, i32) -> i32
    %5 = llvm.intr.umax(%arg1, %arg1) : (i32, i32) -> i32
    %6 = llvm.intr.umin(%arg1, %arg1) : (i32, i32) -> i32
    %7 = llvm.intr.exp10(%arg2) : (f32) -> f32
    %8 = llvm.intr.log10(%arg2) : (f32) -> f32
    %9 = llvm.intr.rint(%arg2) : (f32) -> f32
    %10 = llvm.intr.nearbyint(%arg2) : (f32) -> f32
    %11 = llvm.intr.round(%arg2) : (f32) -> f32
    %12 = llvm.intr.roundeven(%arg2) : (f32) -> f32
    %13 = llvm.intr.trunc(%arg2) : (f32) -> f32
    %14 = llvm.intr.tan(%arg2) : (f32) -> f32
    %15 = llvm.intr.tanh(%arg2) : (f32) -> f32
    %16 = llvm.intr.exp(%arg2) : (f32) -> f32
    %17 = llvm.intr.exp2(%arg2) : (f32) -> f32
    %18 = llvm.intr.log(%arg2) : (f32) -> f32
    %19 = llvm.intr.log2(%arg2) : (f32) -> f32
    %20 = llvm.intr.sin(%arg2) : (f32) -> f32
    %21 = llvm.intr.cos(%arg2) : (f32) -> f32
    %22 = llvm.intr.sqrt(%arg2) : (f32) -> f32
    %23 = llvm.intr.fabs(%arg2) : (f32) -> f32
    %24 = llvm.intr.floor(%arg2) : (f32) -> f32
    %25 = llvm.intr.ceil(%arg2) : (f32) -> f32
    %26 = llvm.intr.tanh(%arg3) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf32>) -> vector<4xf32>
    %27 = llvm.intr.maximum(%arg2, %arg2) : (f32, f32) -> f32
    %28 = llvm.intr.minimum(%arg2, %arg2) : (f32, f32) -> f32
    %29 = llvm.intr.maxnum(%arg2, %arg2) : (f32, f32) -> f32
    %30 = llvm.intr.minnum(%arg2, %arg2) : (f32, f32) -> f32
    %31 = llvm.intr.pow(%arg2, %arg2) : (f32, f32) -> f32
    %32 = llvm.intr.copysign(%arg2, %arg2) : (f32, f32) -> f32
    %33 = llvm.intr.fmuladd(%arg2, %arg2, %arg2) {fastmathFlags = #llvm.fastmath<contract>} : (f32, f32, f32) -> f32
    %34 = "llvm.intr.abs"(%arg1) <{is_int_min_poison = false}> : (i32) -> i32
    %35 = "llvm.intr.ctlz"(%arg1) <{is_zero_poison = true}> : (i32) -> i32
    %36 = "llvm.intr.cttz"(%arg1) <{is_zero_poison = false}> : (i32) -> i32
    return
  }
}

// CHECK:module {
// CHECK-NEXT:  func.func @f(%arg0: !llvm.ptr<1>, %arg1: i32, %arg2: f32, %arg3: vector<4xf32>, %arg4: i1, %arg5: i64, %arg6: index) {
// CHECK-NEXT:    %0 = llvm.intr.ctpop(%arg1) {a} : (i32) -> i32
// CHECK-NEXT:    %1 = llvm.intr.bswap(%arg1) {a} : (i32) -> i32
// CHECK-NEXT:    %2 = llvm.intr.bitreverse(%arg1) {a} : (i32) -> i32
// CHECK-NEXT:    %3 = llvm.intr.smax(%arg1, %arg1) : (i32, i32) -> i32
// CHECK-NEXT:    %4 = llvm.intr.smin(%arg1, %arg1) : (i32, i32) -> i32
// CHECK-NEXT:    %5 = llvm.intr.umax(%arg1, %arg1) : (i32, i32) -> i32
// CHECK-NEXT:    %6 = llvm.intr.umin(%arg1, %arg1) : (i32, i32) -> i32
// CHECK-NEXT:    %7 = llvm.intr.exp10(%arg2) : (f32) -> f32
// CHECK-NEXT:    %8 = llvm.intr.log10(%arg2) : (f32) -> f32
// CHECK-NEXT:    %9 = llvm.intr.rint(%arg2) : (f32) -> f32
// CHECK-NEXT:    %10 = llvm.intr.nearbyint(%arg2) : (f32) -> f32
// CHECK-NEXT:    %11 = llvm.intr.round(%arg2) : (f32) -> f32
// CHECK-NEXT:    %12 = llvm.intr.roundeven(%arg2) : (f32) -> f32
// CHECK-NEXT:    %13 = llvm.intr.trunc(%arg2) : (f32) -> f32
// CHECK-NEXT:    %14 = llvm.intr.tan(%arg2) : (f32) -> f32
// CHECK-NEXT:    %15 = llvm.intr.tanh(%arg2) : (f32) -> f32
// CHECK-NEXT:    %16 = llvm.intr.exp(%arg2) : (f32) -> f32
// CHECK-NEXT:    %17 = llvm.intr.exp2(%arg2) : (f32) -> f32
// CHECK-NEXT:    %18 = llvm.intr.log(%arg2) : (f32) -> f32
// CHECK-NEXT:    %19 = llvm.intr.log2(%arg2) : (f32) -> f32
// CHECK-NEXT:    %20 = llvm.intr.sin(%arg2) : (f32) -> f32
// CHECK-NEXT:    %21 = llvm.intr.cos(%arg2) : (f32) -> f32
// CHECK-NEXT:    %22 = llvm.intr.sqrt(%arg2) : (f32) -> f32
// CHECK-NEXT:    %23 = llvm.intr.fabs(%arg2) : (f32) -> f32
// CHECK-NEXT:    %24 = llvm.intr.floor(%arg2) : (f32) -> f32
// CHECK-NEXT:    %25 = llvm.intr.ceil(%arg2) : (f32) -> f32
// CHECK-NEXT:    %26 = llvm.intr.tanh(%arg3) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT:    %27 = llvm.intr.maximum(%arg2, %arg2) : (f32, f32) -> f32
// CHECK-NEXT:    %28 = llvm.intr.minimum(%arg2, %arg2) : (f32, f32) -> f32
// CHECK-NEXT:    %29 = llvm.intr.maxnum(%arg2, %arg2) : (f32, f32) -> f32
// CHECK-NEXT:    %30 = llvm.intr.minnum(%arg2, %arg2) : (f32, f32) -> f32
// CHECK-NEXT:    %31 = llvm.intr.pow(%arg2, %arg2) : (f32, f32) -> f32
// CHECK-NEXT:    %32 = llvm.intr.copysign(%arg2, %arg2) : (f32, f32) -> f32
// CHECK-NEXT:    %33 = llvm.intr.fmuladd(%arg2, %arg2, %arg2) {fastmathFlags = #llvm.fastmath<contract>} : (f32, f32, f32) -> f32
// CHECK-NEXT:    %34 = "llvm.intr.abs"(%arg1) <{is_int_min_poison = false}> : (i32) -> i32
// CHECK-NEXT:    %35 = "llvm.intr.ctlz"(%arg1) <{is_zero_poison = true}> : (i32) -> i32
// CHECK-NEXT:    %36 = "llvm.intr.cttz"(%arg1) <{is_zero_poison = false}> : (i32) -> i32
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:}

// GENERIC:"builtin.module"() ({
// GENERIC-NEXT:  "func.func"() <{function_type = (!llvm.ptr<1>, i32, f32, vector<4xf32>, i1, i64, index) -> (), sym_name = "f"}> ({
// GENERIC-NEXT:  ^bb0(%arg0: !llvm.ptr<1>, %arg1: i32, %arg2: f32, %arg3: vector<4xf32>, %arg4: i1, %arg5: i64, %arg6: index):
// GENERIC-NEXT:    %0 = "llvm.intr.ctpop"(%arg1) {a} : (i32) -> i32
// GENERIC-NEXT:    %1 = "llvm.intr.bswap"(%arg1) {a} : (i32) -> i32
// GENERIC-NEXT:    %2 = "llvm.intr.bitreverse"(%arg1) {a} : (i32) -> i32
// GENERIC-NEXT:    %3 = "llvm.intr.smax"(%arg1, %arg1) : (i32, i32) -> i32
// GENERIC-NEXT:    %4 = "llvm.intr.smin"(%arg1, %arg1) : (i32, i32) -> i32
// GENERIC-NEXT:    %5 = "llvm.intr.umax"(%arg1, %arg1) : (i32, i32) -> i32
// GENERIC-NEXT:    %6 = "llvm.intr.umin"(%arg1, %arg1) : (i32, i32) -> i32
// GENERIC-NEXT:    %7 = "llvm.intr.exp10"(%arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:    %8 = "llvm.intr.log10"(%arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:    %9 = "llvm.intr.rint"(%arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:    %10 = "llvm.intr.nearbyint"(%arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:    %11 = "llvm.intr.round"(%arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:    %12 = "llvm.intr.roundeven"(%arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:    %13 = "llvm.intr.trunc"(%arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:    %14 = "llvm.intr.tan"(%arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:    %15 = "llvm.intr.tanh"(%arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:    %16 = "llvm.intr.exp"(%arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:    %17 = "llvm.intr.exp2"(%arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:    %18 = "llvm.intr.log"(%arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:    %19 = "llvm.intr.log2"(%arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:    %20 = "llvm.intr.sin"(%arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:    %21 = "llvm.intr.cos"(%arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:    %22 = "llvm.intr.sqrt"(%arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:    %23 = "llvm.intr.fabs"(%arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:    %24 = "llvm.intr.floor"(%arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:    %25 = "llvm.intr.ceil"(%arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:    %26 = "llvm.intr.tanh"(%arg3) <{fastmathFlags = #llvm.fastmath<fast>}> : (vector<4xf32>) -> vector<4xf32>
// GENERIC-NEXT:    %27 = "llvm.intr.maximum"(%arg2, %arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:    %28 = "llvm.intr.minimum"(%arg2, %arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:    %29 = "llvm.intr.maxnum"(%arg2, %arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:    %30 = "llvm.intr.minnum"(%arg2, %arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:    %31 = "llvm.intr.pow"(%arg2, %arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:    %32 = "llvm.intr.copysign"(%arg2, %arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:    %33 = "llvm.intr.fmuladd"(%arg2, %arg2, %arg2) <{fastmathFlags = #llvm.fastmath<contract>}> : (f32, f32, f32) -> f32
// GENERIC-NEXT:    %34 = "llvm.intr.abs"(%arg1) <{is_int_min_poison = false}> : (i32) -> i32
// GENERIC-NEXT:    %35 = "llvm.intr.ctlz"(%arg1) <{is_zero_poison = true}> : (i32) -> i32
// GENERIC-NEXT:    %36 = "llvm.intr.cttz"(%arg1) <{is_zero_poison = false}> : (i32) -> i32
// GENERIC-NEXT:    "func.return"() : () -> ()
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:}) : () -> ()
