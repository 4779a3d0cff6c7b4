// Ops of llvm: written and read as MLIR 22 does, byte for byte.
//
// RUN: xtriton-opt %s --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace
// RUN: xtriton-opt %s --triton-version=3.7 --mlir-print-op-generic | filecheck %s --match-full-lines --strict-whitespace --check-prefix=GENERIC
// RUN: xtriton-opt %s --mlir-print-op-generic | xtriton-opt --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace

module {
  llvm.func @ext(i32, ...) -> i32
  llvm.mlir.global internal constant @str("abc\00") {addr_space = 0 : i32}
  llvm.mlir.global external @shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
  llvm.func spir_kernelcc @k(%arg0: !llvm.ptr<1> {llvm.noalias}, %arg1: i32, %arg2: f32, %arg3: vector<4xf32>, %arg4: i1, %arg5: i64) attributes {foo = 1 : i32} {
    %0 = llvm.mlir.constant(1 : i32) : i32
    %1 = llvm.mlir.constant(dense<1.000000e+00> : vector<4xf32>) : vector<4xf32>
    %2 = llvm.getelementptr %arg0[%arg1] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %3 = llvm.getelementptr inbounds %arg0[0, 1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, !llvm.struct<(i32, f32)>
    %4 = llvm.load %arg0 : !llvm.ptr<1> -> i32
    %5 = llvm.load volatile %arg0 {alignment = 4 : i64} : !llvm.ptr<1> -> f32
    llvm.store %arg1, %arg0 : i32, !llvm.ptr<1>
    llvm.store volatile %arg1, %arg0 {alignment = 4 : i64} : i32, !llvm.ptr<1>
    %6 = llvm.mlir.undef : !llvm.struct<(i32, f32)>
    %7 = llvm.insertvalue %arg1, %6[0] : !llvm.struct<(i32, f32)> 
    %8 = llvm.extractvalue %7[0] : !llvm.struct<(i32, f32)> 
    %9 = llvm.inline_asm has_side_effects asm_dialect = att "mov $0, $1;", "=r,r" %arg1 : (i32) -> i32
    %10 = llvm.inline_asm "mov $0, $1;", "=r,r" %arg1 : (i32) -> i32
    %11 = llvm.call @ext(%arg1) vararg(!llvm.func<i32 (i32, ...)>) : (i32) -> i32
    %12 = llvm.extractelement %arg3[%arg1 : i32] : vector<4xf32>
    %13 = llvm.insertelement %arg2, %arg3[%arg1 : i32] : vector<4xf32>
    %14 = llvm.icmp "slt" %arg1, %arg1 : i32
    %15 = llvm.fcmp "olt" %arg2, %arg2 : f32
    %16 = llvm.add %arg1, %arg1 overflow<nsw, nuw> : i32
    %17 = llvm.fadd %arg2, %arg2 {fastmathFlags = #llvm.fastmath<fast>} : f32
    %18 = llvm.select %arg4, %arg1, %arg1 : i1, i32
    %19 = llvm.ptrtoint %arg0 : !llvm.ptr<1> to i64
    %20 = llvm.inttoptr %arg5 : i64 to !llvm.ptr<1>
    %21 = llvm.bitcast %arg1 : i32 to f32
    %22 = llvm.addrspacecast %arg0 : !llvm.ptr<1> to !llvm.ptr
    %23 = llvm.mlir.zero : !llvm.ptr
    %24 = llvm.mlir.poison : i32
    %25 = llvm.mlir.addressof @shared : !llvm.ptr<3>
    %26 = llvm.sext %arg1 : i32 to i64
    %27 = llvm.zext nneg %arg1 : i32 to i64
    %28 = llvm.trunc %arg5 overflow<nsw> : i64 to i32
    %29 = llvm.sitofp %arg1 : i32 to f32
    %30 = llvm.uitofp %arg1 : i32 to f32
    %31 = llvm.fptosi %arg2 : f32 to i32
    %32 = llvm.fptoui %arg2 : f32 to i32
    %33 = llvm.fpext %arg2 : f32 to f64
    %34 = llvm.fptrunc %arg2 : f32 to f16
    %35 = llvm.fneg %arg2 : f32
    %36 = llvm.freeze %arg1 : i32
    %37 = llvm.atomicrmw fadd %arg0, %arg2 syncscope("agent") monotonic : !llvm.ptr<1>, f32
    %38 = llvm.cmpxchg %arg0, %arg1, %arg1 acq_rel monotonic : !llvm.ptr<1>, i32
    llvm.fence syncscope("agent") seq_cst
    %39 = llvm.sdiv %arg1, %arg1 : i32
    %40 = llvm.lshr exact %arg1, %arg1 : i32
    %41 = llvm.or disjoint %arg1, %arg1 : i32
    %42 = llvm.shufflevector %arg3, %arg3 [0, 1] : vector<4xf32> 
    %43 = llvm.alloca %arg1 x f32 {alignment = 4 : i64} : (i32) -> !llvm.ptr
    %44 = llvm.intr.exp(%arg2) : (f32) -> f32
    %45 = llvm.intr.fma(%arg2, %arg2, %arg2) : (f32, f32, f32) -> f32
    %46 = llvm.intr.smax(%arg1, %arg1) : (i32, i32) -> i32
    %47 = llvm.intr.maximum(%arg2, %arg2) {fastmathFlags = #llvm.fastmath<nnan>} : (f32, f32) -> f32
    %48 = "llvm.intr.abs"(%arg1) <{is_int_min_poison = false}> : (i32) -> i32
    %49 = "llvm.intr.ctlz"(%arg1) <{is_zero_poison = false}> : (i32) -> i32
    %50 = llvm.call_intrinsic "llvm.foo"(%arg1) : (i32) -> i32
    llvm.cond_br %arg4 weights([3, 4]), ^bb1(%arg1 : i32), ^bb2
  ^bb1(%51: i32):  // pred: ^bb0
    llvm.br ^bb2
  ^bb2:  // 2 preds: ^bb0, ^bb1
    llvm.return
  }
}

// CHECK:module {
// CHECK-NEXT:  llvm.func @ext(i32, ...) -> i32
// CHECK-NEXT:  llvm.mlir.global internal constant @str("abc\00") {addr_space = 0 : i32}
// CHECK-NEXT:  llvm.mlir.global external @shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
// CHECK-NEXT:  llvm.func spir_kernelcc @k(%arg0: !llvm.ptr<1> {llvm.noalias}, %arg1: i32, %arg2: f32, %arg3: vector<4xf32>, %arg4: i1, %arg5: i64) attributes {foo = 1 : i32} {
// CHECK-NEXT:    %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:    %1 = llvm.mlir.constant(dense<1.000000e+00> : vector<4xf32>) : vector<4xf32>
// CHECK-NEXT:    %2 = llvm.getelementptr %arg0[%arg1] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
// CHECK-NEXT:    %3 = llvm.getelementptr inbounds %arg0[0, 1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, !llvm.struct<(i32, f32)>
// CHECK-NEXT:    %4 = llvm.load %arg0 : !llvm.ptr<1> -> i32
// CHECK-NEXT:    %5 = llvm.load volatile %arg0 {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-NEXT:    llvm.store %arg1, %arg0 : i32, !llvm.ptr<1>
// CHECK-NEXT:    llvm.store volatile %arg1, %arg0 {alignment = 4 : i64} : i32, !llvm.ptr<1>
// CHECK-NEXT:    %6 = llvm.mlir.undef : !llvm.struct<(i32, f32)>
// CHECK-NEXT:    %7 = llvm.insertvalue %arg1, %6[0] : !llvm.struct<(i32, f32)> 
// CHECK-NEXT:    %8 = llvm.extractvalue %7[0] : !llvm.struct<(i32, f32)> 
// CHECK-NEXT:    %9 = llvm.inline_asm has_side_effects asm_dialect = att "mov $0, $1;", "=r,r" %arg1 : (i32) -> i32
// CHECK-NEXT:    %10 = llvm.inline_asm "mov $0, $1;", "=r,r" %arg1 : (i32) -> i32
// CHECK-NEXT:    %11 = llvm.call @ext(%arg1) vararg(!llvm.func<i32 (i32, ...)>) : (i32) -> i32
// CHECK-NEXT:    %12 = llvm.extractelement %arg3[%arg1 : i32] : vector<4xf32>
// CHECK-NEXT:    %13 = llvm.insertelement %arg2, %arg3[%arg1 : i32] : vector<4xf32>
// CHECK-NEXT:    %14 = llvm.icmp "slt" %arg1, %arg1 : i32
// CHECK-NEXT:    %15 = llvm.fcmp "olt" %arg2, %arg2 : f32
// CHECK-NEXT:    %16 = llvm.add %arg1, %arg1 overflow<nsw, nuw> : i32
// CHECK-NEXT:    %17 = llvm.fadd %arg2, %arg2 {fastmathFlags = #llvm.fastmath<fast>} : f32
// CHECK-NEXT:    %18 = llvm.select %arg4, %arg1, %arg1 : i1, i32
// CHECK-NEXT:    %19 = llvm.ptrtoint %arg0 : !llvm.ptr<1> to i64
// CHECK-NEXT:    %20 = llvm.inttoptr %arg5 : i64 to !llvm.ptr<1>
// CHECK-NEXT:    %21 = llvm.bitcast %arg1 : i32 to f32
// CHECK-NEXT:    %22 = llvm.addrspacecast %arg0 : !llvm.ptr<1> to !llvm.ptr
// CHECK-NEXT:    %23 = llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT:    %24 = llvm.mlir.poison : i32
// CHECK-NEXT:    %25 = llvm.mlir.addressof @shared : !llvm.ptr<3>
// CHECK-NEXT:    %26 = llvm.sext %arg1 : i32 to i64
// CHECK-NEXT:    %27 = llvm.zext nneg %arg1 : i32 to i64
// CHECK-NEXT:    %28 = llvm.trunc %arg5 overflow<nsw> : i64 to i32
// CHECK-NEXT:    %29 = llvm.sitofp %arg1 : i32 to f32
// CHECK-NEXT:    %30 = llvm.uitofp %arg1 : i32 to f32
// CHECK-NEXT:    %31 = llvm.fptosi %arg2 : f32 to i32
// CHECK-NEXT:    %32 = llvm.fptoui %arg2 : f32 to i32
// CHECK-NEXT:    %33 = llvm.fpext %arg2 : f32 to f64
// CHECK-NEXT:    %34 = llvm.fptrunc %arg2 : f32 to f16
// CHECK-NEXT:    %35 = llvm.fneg %arg2 : f32
// CHECK-NEXT:    %36 = llvm.freeze %arg1 : i32
// CHECK-NEXT:    %37 = llvm.atomicrmw fadd %arg0, %arg2 syncscope("agent") monotonic : !llvm.ptr<1>, f32
// CHECK-NEXT:    %38 = llvm.cmpxchg %arg0, %arg1, %arg1 acq_rel monotonic : !llvm.ptr<1>, i32
// CHECK-NEXT:    llvm.fence syncscope("agent") seq_cst
// CHECK-NEXT:    %39 = llvm.sdiv %arg1, %arg1 : i32
// CHECK-NEXT:    %40 = llvm.lshr exact %arg1, %arg1 : i32
// CHECK-NEXT:    %41 = llvm.or disjoint %arg1, %arg1 : i32
// CHECK-NEXT:    %42 = llvm.shufflevector %arg3, %arg3 [0, 1] : vector<4xf32> 
// CHECK-NEXT:    %43 = llvm.alloca %arg1 x f32 {alignment = 4 : i64} : (i32) -> !llvm.ptr
// CHECK-NEXT:    %44 = llvm.intr.exp(%arg2) : (f32) -> f32
// CHECK-NEXT:    %45 = llvm.intr.fma(%arg2, %arg2, %arg2) : (f32, f32, f32) -> f32
// CHECK-NEXT:    %46 = llvm.intr.smax(%arg1, %arg1) : (i32, i32) -> i32
// CHECK-NEXT:    %47 = llvm.intr.maximum(%arg2, %arg2) {fastmathFlags = #llvm.fastmath<nnan>} : (f32, f32) -> f32
// CHECK-NEXT:    %48 = "llvm.intr.abs"(%arg1) <{is_int_min_poison = false}> : (i32) -> i32
// CHECK-NEXT:    %49 = "llvm.intr.ctlz"(%arg1) <{is_zero_poison = false}> : (i32) -> i32
// CHECK-NEXT:    %50 = llvm.call_intrinsic "llvm.foo"(%arg1) : (i32) -> i32
// CHECK-NEXT:    llvm.cond_br %arg4 weights([3, 4]), ^bb1(%arg1 : i32), ^bb2
// CHECK-NEXT:  ^bb1(%51: i32):  // pred: ^bb0
// CHECK-NEXT:    llvm.br ^bb2
// CHECK-NEXT:  ^bb2:  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:    llvm.return
// CHECK-NEXT:  }
// CHECK-NEXT:}

// GENERIC:"builtin.module"() ({
// GENERIC-NEXT:  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<i32 (i32, ...)>, linkage = #llvm.linkage<external>, sym_name = "ext", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:  "llvm.mlir.global"() <{addr_space = 0 : i32, constant, global_type = !llvm.array<4 x i8>, linkage = #llvm.linkage<internal>, sym_name = "str", unnamed_addr = 0 : i64, value = "abc\00", visibility_ = 0 : i64}> ({
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:  "llvm.mlir.global"() <{addr_space = 3 : i32, alignment = 16 : i64, global_type = !llvm.array<0 x i8>, linkage = #llvm.linkage<external>, sym_name = "shared", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:  "llvm.func"() <{CConv = #llvm.cconv<spir_kernelcc>, arg_attrs = [{llvm.noalias}, {}, {}, {}, {}, {}], function_type = !llvm.func<void (ptr<1>, i32, f32, vector<4xf32>, i1, i64)>, linkage = #llvm.linkage<external>, sym_name = "k", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
// GENERIC-NEXT:  ^bb0(%arg0: !llvm.ptr<1>, %arg1: i32, %arg2: f32, %arg3: vector<4xf32>, %arg4: i1, %arg5: i64):
// GENERIC-NEXT:    %0 = "llvm.mlir.constant"() <{value = 1 : i32}> : () -> i32
// GENERIC-NEXT:    %1 = "llvm.mlir.constant"() <{value = dense<1.000000e+00> : vector<4xf32>}> : () -> vector<4xf32>
// GENERIC-NEXT:    %2 = "llvm.getelementptr"(%arg0, %arg1) <{elem_type = f32, noWrapFlags = 0 : i32, rawConstantIndices = array<i32: -2147483648>}> : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>
// GENERIC-NEXT:    %3 = "llvm.getelementptr"(%arg0) <{elem_type = !llvm.struct<(i32, f32)>, noWrapFlags = 3 : i32, rawConstantIndices = array<i32: 0, 1>}> : (!llvm.ptr<1>) -> !llvm.ptr<1>
// GENERIC-NEXT:    %4 = "llvm.load"(%arg0) <{ordering = 0 : i64}> : (!llvm.ptr<1>) -> i32
// GENERIC-NEXT:    %5 = "llvm.load"(%arg0) <{alignment = 4 : i64, ordering = 0 : i64, volatile_}> : (!llvm.ptr<1>) -> f32
// GENERIC-NEXT:    "llvm.store"(%arg1, %arg0) <{ordering = 0 : i64}> : (i32, !llvm.ptr<1>) -> ()
// GENERIC-NEXT:    "llvm.store"(%arg1, %arg0) <{alignment = 4 : i64, ordering = 0 : i64, volatile_}> : (i32, !llvm.ptr<1>) -> ()
// GENERIC-NEXT:    %6 = "llvm.mlir.undef"() : () -> !llvm.struct<(i32, f32)>
// GENERIC-NEXT:    %7 = "llvm.insertvalue"(%6, %arg1) <{position = array<i64: 0>}> : (!llvm.struct<(i32, f32)>, i32) -> !llvm.struct<(i32, f32)>
// GENERIC-NEXT:    %8 = "llvm.extractvalue"(%7) <{position = array<i64: 0>}> : (!llvm.struct<(i32, f32)>) -> i32
// GENERIC-NEXT:    %9 = "llvm.inline_asm"(%arg1) <{asm_dialect = 0 : i64, asm_string = "mov $0, $1;", constraints = "=r,r", has_side_effects, tail_call_kind = #llvm.tailcallkind<none>}> : (i32) -> i32
// GENERIC-NEXT:    %10 = "llvm.inline_asm"(%arg1) <{asm_string = "mov $0, $1;", constraints = "=r,r", tail_call_kind = #llvm.tailcallkind<none>}> : (i32) -> i32
// GENERIC-NEXT:    %11 = "llvm.call"(%arg1) <{CConv = #llvm.cconv<ccc>, TailCallKind = #llvm.tailcallkind<none>, callee = @ext, fastmathFlags = #llvm.fastmath<none>, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 1, 0>, var_callee_type = !llvm.func<i32 (i32, ...)>}> : (i32) -> i32
// GENERIC-NEXT:    %12 = "llvm.extractelement"(%arg3, %arg1) : (vector<4xf32>, i32) -> f32
// GENERIC-NEXT:    %13 = "llvm.insertelement"(%arg3, %arg2, %arg1) : (vector<4xf32>, f32, i32) -> vector<4xf32>
// GENERIC-NEXT:    %14 = "llvm.icmp"(%arg1, %arg1) <{predicate = 2 : i64}> : (i32, i32) -> i1
// GENERIC-NEXT:    %15 = "llvm.fcmp"(%arg2, %arg2) <{fastmathFlags = #llvm.fastmath<none>, predicate = 4 : i64}> : (f32, f32) -> i1
// GENERIC-NEXT:    %16 = "llvm.add"(%arg1, %arg1) <{overflowFlags = 3 : i32}> : (i32, i32) -> i32
// GENERIC-NEXT:    %17 = "llvm.fadd"(%arg2, %arg2) <{fastmathFlags = #llvm.fastmath<fast>}> : (f32, f32) -> f32
// GENERIC-NEXT:    %18 = "llvm.select"(%arg4, %arg1, %arg1) <{fastmathFlags = #llvm.fastmath<none>}> : (i1, i32, i32) -> i32
// GENERIC-NEXT:    %19 = "llvm.ptrtoint"(%arg0) : (!llvm.ptr<1>) -> i64
// GENERIC-NEXT:    %20 = "llvm.inttoptr"(%arg5) : (i64) -> !llvm.ptr<1>
// GENERIC-NEXT:    %21 = "llvm.bitcast"(%arg1) : (i32) -> f32
// GENERIC-NEXT:    %22 = "llvm.addrspacecast"(%arg0) : (!llvm.ptr<1>) -> !llvm.ptr
// GENERIC-NEXT:    %23 = "llvm.mlir.zero"() : () -> !llvm.ptr
// GENERIC-NEXT:    %24 = "llvm.mlir.poison"() : () -> i32
// GENERIC-NEXT:    %25 = "llvm.mlir.addressof"() <{global_name = @shared}> : () -> !llvm.ptr<3>
// GENERIC-NEXT:    %26 = "llvm.sext"(%arg1) : (i32) -> i64
// GENERIC-NEXT:    %27 = "llvm.zext"(%arg1) <{nonNeg}> : (i32) -> i64
// GENERIC-NEXT:    %28 = "llvm.trunc"(%arg5) <{overflowFlags = 1 : i32}> : (i64) -> i32
// GENERIC-NEXT:    %29 = "llvm.sitofp"(%arg1) : (i32) -> f32
// GENERIC-NEXT:    %30 = "llvm.uitofp"(%arg1) : (i32) -> f32
// GENERIC-NEXT:    %31 = "llvm.fptosi"(%arg2) : (f32) -> i32
// GENERIC-NEXT:    %32 = "llvm.fptoui"(%arg2) : (f32) -> i32
// GENERIC-NEXT:    %33 = "llvm.fpext"(%arg2) : (f32) -> f64
// GENERIC-NEXT:    %34 = "llvm.fptrunc"(%arg2) : (f32) -> f16
// GENERIC-NEXT:    %35 = "llvm.fneg"(%arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:    %36 = "llvm.freeze"(%arg1) : (i32) -> i32
// GENERIC-NEXT:    %37 = "llvm.atomicrmw"(%arg0, %arg2) <{bin_op = 11 : i64, ordering = 2 : i64, syncscope = "agent"}> : (!llvm.ptr<1>, f32) -> f32
// GENERIC-NEXT:    %38 = "llvm.cmpxchg"(%arg0, %arg1, %arg1) <{failure_ordering = 2 : i64, success_ordering = 6 : i64}> : (!llvm.ptr<1>, i32, i32) -> !llvm.struct<(i32, i1)>
// GENERIC-NEXT:    "llvm.fence"() <{ordering = 7 : i64, syncscope = "agent"}> : () -> ()
// GENERIC-NEXT:    %39 = "llvm.sdiv"(%arg1, %arg1) : (i32, i32) -> i32
// GENERIC-NEXT:    %40 = "llvm.lshr"(%arg1, %arg1) <{isExact}> : (i32, i32) -> i32
// GENERIC-NEXT:    %41 = "llvm.or"(%arg1, %arg1) <{isDisjoint}> : (i32, i32) -> i32
// GENERIC-NEXT:    %42 = "llvm.shufflevector"(%arg3, %arg3) <{mask = array<i32: 0, 1>}> : (vector<4xf32>, vector<4xf32>) -> vector<2xf32>
// GENERIC-NEXT:    %43 = "llvm.alloca"(%arg1) <{alignment = 4 : i64, elem_type = f32}> : (i32) -> !llvm.ptr
// GENERIC-NEXT:    %44 = "llvm.intr.exp"(%arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:    %45 = "llvm.intr.fma"(%arg2, %arg2, %arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32, f32, f32) -> f32
// GENERIC-NEXT:    %46 = "llvm.intr.smax"(%arg1, %arg1) : (i32, i32) -> i32
// GENERIC-NEXT:    %47 = "llvm.intr.maximum"(%arg2, %arg2) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32, f32) -> f32
// GENERIC-NEXT:    %48 = "llvm.intr.abs"(%arg1) <{is_int_min_poison = false}> : (i32) -> i32
// GENERIC-NEXT:    %49 = "llvm.intr.ctlz"(%arg1) <{is_zero_poison = false}> : (i32) -> i32
// GENERIC-NEXT:    %50 = "llvm.call_intrinsic"(%arg1) <{fastmathFlags = #llvm.fastmath<none>, intrin = "llvm.foo", op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 1, 0>}> : (i32) -> i32
// GENERIC-NEXT:    "llvm.cond_br"(%arg4, %arg1)[^bb1, ^bb2] <{branch_weights = array<i32: 3, 4>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1, i32) -> ()
// GENERIC-NEXT:  ^bb1(%51: i32):  // pred: ^bb0
// GENERIC-NEXT:    "llvm.br"()[^bb2] : () -> ()
// GENERIC-NEXT:  ^bb2:  // 2 preds: ^bb0, ^bb1
// GENERIC-NEXT:    "llvm.return"() : () -> ()
// GENERIC-NEXT:  }) {foo = 1 : i32} : () -> ()
// GENERIC-NEXT:}) : () -> ()
