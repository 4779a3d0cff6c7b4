// Assumptions: written and read as MLIR 22 does, byte for byte.
//
// RUN: xtriton-opt %s --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace
// RUN: xtriton-opt %s --triton-version=3.7 --mlir-print-op-generic | filecheck %s --match-full-lines --strict-whitespace --check-prefix=GENERIC
// RUN: xtriton-opt %s --mlir-print-op-generic | xtriton-opt --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace

module {
  func.func @g(%arg0: !llvm.ptr, %arg1: i1, %arg2: i32) {
    llvm.intr.assume %arg1 : i1
    llvm.intr.assume %arg1 ["align"(%arg0, %arg2 : !llvm.ptr, i32)] : i1
    llvm.intr.assume %arg1 ["align"(%arg0, %arg2 : !llvm.ptr, i32), "foo"(%arg0 : !llvm.ptr)] : i1 {x}
    llvm.intr.assume %arg1 ["align"()] : i1
    return
  }
}

// CHECK:module {
// CHECK-NEXT:  func.func @g(%arg0: !llvm.ptr, %arg1: i1, %arg2: i32) {
// CHECK-NEXT:    llvm.intr.assume %arg1 : i1
// CHECK-NEXT:    llvm.intr.assume %arg1 ["align"(%arg0, %arg2 : !llvm.ptr, i32)] : i1
// CHECK-NEXT:    llvm.intr.assume %arg1 ["align"(%arg0, %arg2 : !llvm.ptr, i32), "foo"(%arg0 : !llvm.ptr)] : i1 {x}
// CHECK-NEXT:    llvm.intr.assume %arg1 ["align"()] : i1
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:}

// GENERIC:"builtin.module"() ({
// GENERIC-NEXT:  "func.func"() <{function_type = (!llvm.ptr, i1, i32) -> (), sym_name = "g"}> ({
// GENERIC-NEXT:  ^bb0(%arg0: !llvm.ptr, %arg1: i1, %arg2: i32):
// GENERIC-NEXT:    "llvm.intr.assume"(%arg1) <{op_bundle_sizes = array<i32>}> : (i1) -> ()
// GENERIC-NEXT:    "llvm.intr.assume"(%arg1, %arg0, %arg2) <{op_bundle_sizes = array<i32: 2>, op_bundle_tags = ["align"]}> : (i1, !llvm.ptr, i32) -> ()
// GENERIC-NEXT:    "llvm.intr.assume"(%arg1, %arg0, %arg2, %arg0) <{op_bundle_sizes = array<i32: 2, 1>, op_bundle_tags = ["align", "foo"]}> {x} : (i1, !llvm.ptr, i32, !llvm.ptr) -> ()
// GENERIC-NEXT:    "llvm.intr.assume"(%arg1) <{op_bundle_sizes = array<i32: 0>, op_bundle_tags = ["align"]}> : (i1) -> ()
// GENERIC-NEXT:    "func.return"() : () -> ()
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:}) : () -> ()
