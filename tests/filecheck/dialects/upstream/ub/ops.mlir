// Every op of ub: written and read as MLIR 22 does, byte for byte.
//
// RUN: xtriton-opt %s --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace
// RUN: xtriton-opt %s --triton-version=3.7 --mlir-print-op-generic | filecheck %s --match-full-lines --strict-whitespace --check-prefix=GENERIC
// RUN: xtriton-opt %s --mlir-print-op-generic | xtriton-opt --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace

module {
  func.func @g() -> i32 {
    %0 = ub.poison : i32
    %1 = ub.poison {a} : tensor<4xf32>
    return %0 : i32
  }
  func.func @h() {
    ub.unreachable {a}
  }
}

// CHECK:module {
// CHECK-NEXT:  func.func @g() -> i32 {
// CHECK-NEXT:    %0 = ub.poison : i32
// CHECK-NEXT:    %1 = ub.poison {a} : tensor<4xf32>
// CHECK-NEXT:    return %0 : i32
// CHECK-NEXT:  }
// CHECK-NEXT:  func.func @h() {
// CHECK-NEXT:    ub.unreachable {a}
// CHECK-NEXT:  }
// CHECK-NEXT:}

// GENERIC:"builtin.module"() ({
// GENERIC-NEXT:  "func.func"() <{function_type = () -> i32, sym_name = "g"}> ({
// GENERIC-NEXT:    %0 = "ub.poison"() <{value = #ub.poison}> : () -> i32
// GENERIC-NEXT:    %1 = "ub.poison"() <{value = #ub.poison}> {a} : () -> tensor<4xf32>
// GENERIC-NEXT:    "func.return"(%0) : (i32) -> ()
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:  "func.func"() <{function_type = () -> (), sym_name = "h"}> ({
// GENERIC-NEXT:    "ub.unreachable"() {a} : () -> ()
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:}) : () -> ()
