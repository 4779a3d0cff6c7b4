// Functions, globals, calls and inline assembly of llvm: written and read as MLIR 22 does, byte for byte.
//
// RUN: xtriton-opt %s --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace
// RUN: xtriton-opt %s --triton-version=3.7 --mlir-print-op-generic | filecheck %s --match-full-lines --strict-whitespace --check-prefix=GENERIC
// RUN: xtriton-opt %s --mlir-print-op-generic | xtriton-opt --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace

module {
  llvm.func @ext(i32, ...) -> i32
  llvm.func @ext2(i32 {llvm.noundef}) -> (i32 {llvm.noundef})
  llvm.func spir_kernelcc @k3(%arg0: !llvm.ptr<1> {llvm.noalias}) attributes {foo = 1 : i32} {
    llvm.return
  }
  llvm.func internal @k4(%arg0: !llvm.ptr<1>) -> i32 attributes {passthrough = ["noinline"]} {
    %0 = llvm.mlir.constant(1 : i32) : i32
    llvm.return %0 : i32
  }
  llvm.mlir.global internal constant @str("abc\00") {addr_space = 0 : i32}
  llvm.mlir.global external @shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
  llvm.mlir.global internal @g7(1 : i32) {addr_space = 0 : i32} : i32
  llvm.mlir.global internal @g8() {addr_space = 0 : i32} : i32 {
    %0 = llvm.mlir.constant(1 : i32) : i32
    llvm.return %0 : i32
  }
  llvm.func spir_funccc @foo(i32, i32) -> i32 attributes {convergent, no_inline, no_unwind, will_return}
  llvm.func @ext3(i32) -> i32
  llvm.func @c10(%arg0: i32) {
    %0 = llvm.call @ext3(%arg0) : (i32) -> i32
    %1 = llvm.call spir_funccc @ext3(%arg0) {convergent} : (i32) -> i32
    %2 = llvm.call @ext3(%arg0) {fastmathFlags = #llvm.fastmath<fast>} : (i32) -> i32
    llvm.return
  }
  llvm.func @k11(%arg0: !llvm.ptr<1>) attributes {intel_reqd_sub_group_size = 16 : i32, reqd_work_group_size = array<i32: 128, 1, 1>} {
    llvm.return
  }
  llvm.func @k12(%arg0: i1) {
    llvm.cond_br %arg0 weights([3, 4]), ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    llvm.unreachable
  ^bb2:  // pred: ^bb0
    llvm.return
  }
  llvm.func @k13(%arg0: i32) {
    %0 = llvm.inline_asm has_side_effects "foo", "=r,r" %arg0 : (i32) -> i32
    %1 = llvm.inline_asm asm_dialect = intel "foo", "=&r,=&r,r" %arg0 : (i32) -> !llvm.struct<(i32, i32)>
    llvm.inline_asm "foo", ""  : () -> ()
    llvm.return
  }
}

// CHECK:module {
// CHECK-NEXT:  llvm.func @ext(i32, ...) -> i32
// CHECK-NEXT:  llvm.func @ext2(i32 {llvm.noundef}) -> (i32 {llvm.noundef})
// CHECK-NEXT:  llvm.func spir_kernelcc @k3(%arg0: !llvm.ptr<1> {llvm.noalias}) attributes {foo = 1 : i32} {
// CHECK-NEXT:    llvm.return
// CHECK-NEXT:  }
// CHECK-NEXT:  llvm.func internal @k4(%arg0: !llvm.ptr<1>) -> i32 attributes {passthrough = ["noinline"]} {
// CHECK-NEXT:    %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:    llvm.return %0 : i32
// CHECK-NEXT:  }
// CHECK-NEXT:  llvm.mlir.global internal constant @str("abc\00") {addr_space = 0 : i32}
// CHECK-NEXT:  llvm.mlir.global external @shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
// CHECK-NEXT:  llvm.mlir.global internal @g7(1 : i32) {addr_space = 0 : i32} : i32
// CHECK-NEXT:  llvm.mlir.global internal @g8() {addr_space = 0 : i32} : i32 {
// CHECK-NEXT:    %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:    llvm.return %0 : i32
// CHECK-NEXT:  }
// CHECK-NEXT:  llvm.func spir_funccc @foo(i32, i32) -> i32 attributes {convergent, no_inline, no_unwind, will_return}
// CHECK-NEXT:  llvm.func @ext3(i32) -> i32
// CHECK-NEXT:  llvm.func @c10(%arg0: i32) {
// CHECK-NEXT:    %0 = llvm.call @ext3(%arg0) : (i32) -> i32
// CHECK-NEXT:    %1 = llvm.call spir_funccc @ext3(%arg0) {convergent} : (i32) -> i32
// CHECK-NEXT:    %2 = llvm.call @ext3(%arg0) {fastmathFlags = #llvm.fastmath<fast>} : (i32) -> i32
// CHECK-NEXT:    llvm.return
// CHECK-NEXT:  }
// CHECK-NEXT:  llvm.func @k11(%arg0: !llvm.ptr<1>) attributes {intel_reqd_sub_group_size = 16 : i32, reqd_work_group_size = array<i32: 128, 1, 1>} {
// CHECK-NEXT:    llvm.return
// CHECK-NEXT:  }
// CHECK-NEXT:  llvm.func @k12(%arg0: i1) {
// CHECK-NEXT:    llvm.cond_br %arg0 weights([3, 4]), ^bb1, ^bb2
// CHECK-NEXT:  ^bb1:  // pred: ^bb0
// CHECK-NEXT:    llvm.unreachable
// CHECK-NEXT:  ^bb2:  // pred: ^bb0
// CHECK-NEXT:    llvm.return
// CHECK-NEXT:  }
// CHECK-NEXT:  llvm.func @k13(%arg0: i32) {
// CHECK-NEXT:    %0 = llvm.inline_asm has_side_effects "foo", "=r,r" %arg0 : (i32) -> i32
// CHECK-NEXT:    %1 = llvm.inline_asm asm_dialect = intel "foo", "=&r,=&r,r" %arg0 : (i32) -> !llvm.struct<(i32, i32)>
// CHECK-NEXT:    llvm.inline_asm "foo", ""  : () -> ()
// CHECK-NEXT:    llvm.return
// CHECK-NEXT:  }
// CHECK-NEXT:}

// GENERIC:"builtin.module"() ({
// GENERIC-NEXT:  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<i32 (i32, ...)>, linkage = #llvm.linkage<external>, sym_name = "ext", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:  "llvm.func"() <{CConv = #llvm.cconv<ccc>, arg_attrs = [{llvm.noundef}], function_type = !llvm.func<i32 (i32)>, linkage = #llvm.linkage<external>, res_attrs = [{llvm.noundef}], sym_name = "ext2", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:  "llvm.func"() <{CConv = #llvm.cconv<spir_kernelcc>, arg_attrs = [{llvm.noalias}], function_type = !llvm.func<void (ptr<1>)>, linkage = #llvm.linkage<external>, sym_name = "k3", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
// GENERIC-NEXT:  ^bb0(%arg5: !llvm.ptr<1>):
// GENERIC-NEXT:    "llvm.return"() : () -> ()
// GENERIC-NEXT:  }) {foo = 1 : i32} : () -> ()
// GENERIC-NEXT:  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<i32 (ptr<1>)>, linkage = #llvm.linkage<internal>, passthrough = ["noinline"], sym_name = "k4", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
// GENERIC-NEXT:  ^bb0(%arg4: !llvm.ptr<1>):
// GENERIC-NEXT:    %6 = "llvm.mlir.constant"() <{value = 1 : i32}> : () -> i32
// GENERIC-NEXT:    "llvm.return"(%6) : (i32) -> ()
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:  "llvm.mlir.global"() <{addr_space = 0 : i32, constant, global_type = !llvm.array<4 x i8>, linkage = #llvm.linkage<internal>, sym_name = "str", unnamed_addr = 0 : i64, value = "abc\00", visibility_ = 0 : i64}> ({
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:  "llvm.mlir.global"() <{addr_space = 3 : i32, alignment = 16 : i64, global_type = !llvm.array<0 x i8>, linkage = #llvm.linkage<external>, sym_name = "shared", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:  "llvm.mlir.global"() <{addr_space = 0 : i32, global_type = i32, linkage = #llvm.linkage<internal>, sym_name = "g7", unnamed_addr = 0 : i64, value = 1 : i32, visibility_ = 0 : i64}> ({
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:  "llvm.mlir.global"() <{addr_space = 0 : i32, global_type = i32, linkage = #llvm.linkage<internal>, sym_name = "g8", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
// GENERIC-NEXT:    %5 = "llvm.mlir.constant"() <{value = 1 : i32}> : () -> i32
// GENERIC-NEXT:    "llvm.return"(%5) : (i32) -> ()
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:  "llvm.func"() <{CConv = #llvm.cconv<spir_funccc>, convergent, function_type = !llvm.func<i32 (i32, i32)>, linkage = #llvm.linkage<external>, no_inline, no_unwind, sym_name = "foo", unnamed_addr = 0 : i64, visibility_ = 0 : i64, will_return}> ({
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<i32 (i32)>, linkage = #llvm.linkage<external>, sym_name = "ext3", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i32)>, linkage = #llvm.linkage<external>, sym_name = "c10", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
// GENERIC-NEXT:  ^bb0(%arg3: i32):
// GENERIC-NEXT:    %2 = "llvm.call"(%arg3) <{CConv = #llvm.cconv<ccc>, TailCallKind = #llvm.tailcallkind<none>, callee = @ext3, fastmathFlags = #llvm.fastmath<none>, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 1, 0>}> : (i32) -> i32
// GENERIC-NEXT:    %3 = "llvm.call"(%arg3) <{CConv = #llvm.cconv<spir_funccc>, TailCallKind = #llvm.tailcallkind<none>, callee = @ext3, convergent, fastmathFlags = #llvm.fastmath<none>, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 1, 0>}> : (i32) -> i32
// GENERIC-NEXT:    %4 = "llvm.call"(%arg3) <{CConv = #llvm.cconv<ccc>, TailCallKind = #llvm.tailcallkind<none>, callee = @ext3, fastmathFlags = #llvm.fastmath<fast>, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 1, 0>}> : (i32) -> i32
// GENERIC-NEXT:    "llvm.return"() : () -> ()
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (ptr<1>)>, intel_reqd_sub_group_size = 16 : i32, linkage = #llvm.linkage<external>, reqd_work_group_size = array<i32: 128, 1, 1>, sym_name = "k11", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
// GENERIC-NEXT:  ^bb0(%arg2: !llvm.ptr<1>):
// GENERIC-NEXT:    "llvm.return"() : () -> ()
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i1)>, linkage = #llvm.linkage<external>, sym_name = "k12", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
// GENERIC-NEXT:  ^bb0(%arg1: i1):
// GENERIC-NEXT:    "llvm.cond_br"(%arg1)[^bb1, ^bb2] <{branch_weights = array<i32: 3, 4>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
// GENERIC-NEXT:  ^bb1:  // pred: ^bb0
// GENERIC-NEXT:    "llvm.unreachable"() : () -> ()
// GENERIC-NEXT:  ^bb2:  // pred: ^bb0
// GENERIC-NEXT:    "llvm.return"() : () -> ()
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i32)>, linkage = #llvm.linkage<external>, sym_name = "k13", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
// GENERIC-NEXT:  ^bb0(%arg0: i32):
// GENERIC-NEXT:    %0 = "llvm.inline_asm"(%arg0) <{asm_string = "foo", constraints = "=r,r", has_side_effects, tail_call_kind = #llvm.tailcallkind<none>}> : (i32) -> i32
// GENERIC-NEXT:    %1 = "llvm.inline_asm"(%arg0) <{asm_dialect = 1 : i64, asm_string = "foo", constraints = "=&r,=&r,r", tail_call_kind = #llvm.tailcallkind<none>}> : (i32) -> !llvm.struct<(i32, i32)>
// GENERIC-NEXT:    "llvm.inline_asm"() <{asm_string = "foo", constraints = "", tail_call_kind = #llvm.tailcallkind<none>}> : () -> ()
// GENERIC-NEXT:    "llvm.return"() : () -> ()
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:}) : () -> ()
