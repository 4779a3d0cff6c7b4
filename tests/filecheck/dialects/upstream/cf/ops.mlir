// Every op of cf in every form: written and read as MLIR 22 does, byte for byte.
//
// RUN: xtriton-opt %s --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace
// RUN: xtriton-opt %s --triton-version=3.7 --mlir-print-op-generic | filecheck %s --match-full-lines --strict-whitespace --check-prefix=GENERIC
// RUN: xtriton-opt %s --mlir-print-op-generic | xtriton-opt --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace

module {
  func.func @f(%arg0: i32, %arg1: i1, %arg2: index) {
    cf.cond_br %arg1, ^bb3(%arg0 : i32), ^bb5 {foo}
  ^bb1:  // no predecessors
    cf.cond_br %arg1 weights([3, 5]), ^bb5, ^bb2(%arg0, %arg1 : i32, i1)
  ^bb2(%0: i32, %1: i1):  // pred: ^bb1
    cf.br ^bb3(%arg0 : i32) {foo}
  ^bb3(%2: i32):  // 4 preds: ^bb0, ^bb2, ^bb4, ^bb4
    cf.switch %arg0 : i32, [
      default: ^bb5]
  ^bb4:  // no predecessors
    cf.switch %arg0 : i32, [
      default: ^bb3(%arg0 : i32),
      3: ^bb5,
      4: ^bb3(%arg0 : i32)
    ] {foo}
  ^bb5:  // 4 preds: ^bb0, ^bb1, ^bb3, ^bb4
    cf.assert %arg1, "he\22llo" {a}
    cf.br ^bb6
  ^bb6:  // pred: ^bb5
    return
  }
}

// CHECK:module {
// CHECK-NEXT:  func.func @f(%arg0: i32, %arg1: i1, %arg2: index) {
// CHECK-NEXT:    cf.cond_br %arg1, ^bb3(%arg0 : i32), ^bb5 {foo}
// CHECK-NEXT:  ^bb1:  // no predecessors
// CHECK-NEXT:    cf.cond_br %arg1 weights([3, 5]), ^bb5, ^bb2(%arg0, %arg1 : i32, i1)
// CHECK-NEXT:  ^bb2(%0: i32, %1: i1):  // pred: ^bb1
// CHECK-NEXT:    cf.br ^bb3(%arg0 : i32) {foo}
// CHECK-NEXT:  ^bb3(%2: i32):  // 4 preds: ^bb0, ^bb2, ^bb4, ^bb4
// CHECK-NEXT:    cf.switch %arg0 : i32, [
// CHECK-NEXT:      default: ^bb5]
// CHECK-NEXT:  ^bb4:  // no predecessors
// CHECK-NEXT:    cf.switch %arg0 : i32, [
// CHECK-NEXT:      default: ^bb3(%arg0 : i32),
// CHECK-NEXT:      3: ^bb5,
// CHECK-NEXT:      4: ^bb3(%arg0 : i32)
// CHECK-NEXT:    ] {foo}
// CHECK-NEXT:  ^bb5:  // 4 preds: ^bb0, ^bb1, ^bb3, ^bb4
// CHECK-NEXT:    cf.assert %arg1, "he\22llo" {a}
// CHECK-NEXT:    cf.br ^bb6
// CHECK-NEXT:  ^bb6:  // pred: ^bb5
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:}

// GENERIC:"builtin.module"() ({
// GENERIC-NEXT:  "func.func"() <{function_type = (i32, i1, index) -> (), sym_name = "f"}> ({
// GENERIC-NEXT:  ^bb0(%arg0: i32, %arg1: i1, %arg2: index):
// GENERIC-NEXT:    "cf.cond_br"(%arg1, %arg0)[^bb3, ^bb5] <{operandSegmentSizes = array<i32: 1, 1, 0>}> {foo} : (i1, i32) -> ()
// GENERIC-NEXT:  ^bb1:  // no predecessors
// GENERIC-NEXT:    "cf.cond_br"(%arg1, %arg0, %arg1)[^bb5, ^bb2] <{branch_weights = array<i32: 3, 5>, operandSegmentSizes = array<i32: 1, 0, 2>}> : (i1, i32, i1) -> ()
// GENERIC-NEXT:  ^bb2(%0: i32, %1: i1):  // pred: ^bb1
// GENERIC-NEXT:    "cf.br"(%arg0)[^bb3] {foo} : (i32) -> ()
// GENERIC-NEXT:  ^bb3(%2: i32):  // 4 preds: ^bb0, ^bb2, ^bb4, ^bb4
// GENERIC-NEXT:    "cf.switch"(%arg0)[^bb5] <{case_operand_segments = array<i32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
// GENERIC-NEXT:  ^bb4:  // no predecessors
// GENERIC-NEXT:    "cf.switch"(%arg0, %arg0, %arg0)[^bb3, ^bb5, ^bb3] <{case_operand_segments = array<i32: 0, 1>, case_values = dense<[3, 4]> : vector<2xi32>, operandSegmentSizes = array<i32: 1, 1, 1>}> {foo} : (i32, i32, i32) -> ()
// GENERIC-NEXT:  ^bb5:  // 4 preds: ^bb0, ^bb1, ^bb3, ^bb4
// GENERIC-NEXT:    "cf.assert"(%arg1) <{msg = "he\22llo"}> {a} : (i1) -> ()
// GENERIC-NEXT:    "cf.br"()[^bb6] : () -> ()
// GENERIC-NEXT:  ^bb6:  // pred: ^bb5
// GENERIC-NEXT:    "func.return"() : () -> ()
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:}) : () -> ()
