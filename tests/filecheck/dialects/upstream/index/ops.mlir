// Ops of index: written and read as MLIR 22 does, byte for byte.
//
// RUN: xtriton-opt %s --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace
// RUN: xtriton-opt %s --triton-version=3.7 --mlir-print-op-generic | filecheck %s --match-full-lines --strict-whitespace --check-prefix=GENERIC
// RUN: xtriton-opt %s --mlir-print-op-generic | xtriton-opt --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace

module {
  func.func @f(%arg0: index, %arg1: i32) {
    %0 = index.add %arg0, %arg0 {a}
    %1 = index.divs %arg0, %arg0
    %2 = index.cmp slt(%arg0, %arg0) {a}
    %idx4 = index.constant 4
    %true = index.bool.constant true
    %3 = index.castu %arg1 : i32 to index
    %4 = index.casts %arg0 : index to i32
    %5 = index.sizeof
    return
  }
}

// CHECK:module {
// CHECK-NEXT:  func.func @f(%arg0: index, %arg1: i32) {
// CHECK-NEXT:    %0 = index.add %arg0, %arg0 {a}
// CHECK-NEXT:    %1 = index.divs %arg0, %arg0
// CHECK-NEXT:    %2 = index.cmp slt(%arg0, %arg0) {a}
// CHECK-NEXT:    %idx4 = index.constant 4
// CHECK-NEXT:    %true = index.bool.constant true
// CHECK-NEXT:    %3 = index.castu %arg1 : i32 to index
// CHECK-NEXT:    %4 = index.casts %arg0 : index to i32
// CHECK-NEXT:    %5 = index.sizeof
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:}

// GENERIC:"builtin.module"() ({
// GENERIC-NEXT:  "func.func"() <{function_type = (index, i32) -> (), sym_name = "f"}> ({
// GENERIC-NEXT:  ^bb0(%arg0: index, %arg1: i32):
// GENERIC-NEXT:    %0 = "index.add"(%arg0, %arg0) {a} : (index, index) -> index
// GENERIC-NEXT:    %1 = "index.divs"(%arg0, %arg0) : (index, index) -> index
// GENERIC-NEXT:    %2 = "index.cmp"(%arg0, %arg0) <{pred = #index<cmp_predicate slt>}> {a} : (index, index) -> i1
// GENERIC-NEXT:    %3 = "index.constant"() <{value = 4 : index}> : () -> index
// GENERIC-NEXT:    %4 = "index.bool.constant"() <{value = true}> : () -> i1
// GENERIC-NEXT:    %5 = "index.castu"(%arg1) : (i32) -> index
// GENERIC-NEXT:    %6 = "index.casts"(%arg0) : (index) -> i32
// GENERIC-NEXT:    %7 = "index.sizeof"() : () -> index
// GENERIC-NEXT:    "func.return"() : () -> ()
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:}) : () -> ()
