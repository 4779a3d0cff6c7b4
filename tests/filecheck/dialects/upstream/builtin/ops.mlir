// Modules and conversion casts: written and read as MLIR 22 does, byte for byte.
//
// RUN: xtriton-opt %s --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace
// RUN: xtriton-opt %s --triton-version=3.7 --mlir-print-op-generic | filecheck %s --match-full-lines --strict-whitespace --check-prefix=GENERIC
// RUN: xtriton-opt %s --mlir-print-op-generic | xtriton-opt --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace

module @foo attributes {l.a = 1 : i32} {
  module {
  }
  module attributes {l.b} {
    func.func @f(%arg0: i32, %arg1: f32) {
      %0:2 = builtin.unrealized_conversion_cast %arg0, %arg1 : i32, f32 to f64, i64 {a}
      %1 = builtin.unrealized_conversion_cast to f64
      return
    }
  }
}

// CHECK:module @foo attributes {l.a = 1 : i32} {
// CHECK-NEXT:  module {
// CHECK-NEXT:  }
// CHECK-NEXT:  module attributes {l.b} {
// CHECK-NEXT:    func.func @f(%arg0: i32, %arg1: f32) {
// CHECK-NEXT:      %0:2 = builtin.unrealized_conversion_cast %arg0, %arg1 : i32, f32 to f64, i64 {a}
// CHECK-NEXT:      %1 = builtin.unrealized_conversion_cast to f64
// CHECK-NEXT:      return
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// CHECK-NEXT:}

// GENERIC:"builtin.module"() <{sym_name = "foo"}> ({
// GENERIC-NEXT:  "builtin.module"() ({
// GENERIC-NEXT:  ^bb0:
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:  "builtin.module"() ({
// GENERIC-NEXT:    "func.func"() <{function_type = (i32, f32) -> (), sym_name = "f"}> ({
// GENERIC-NEXT:    ^bb0(%arg0: i32, %arg1: f32):
// GENERIC-NEXT:      %0:2 = "builtin.unrealized_conversion_cast"(%arg0, %arg1) {a} : (i32, f32) -> (f64, i64)
// GENERIC-NEXT:      %1 = "builtin.unrealized_conversion_cast"() : () -> f64
// GENERIC-NEXT:      "func.return"() : () -> ()
// GENERIC-NEXT:    }) : () -> ()
// GENERIC-NEXT:  }) {l.b} : () -> ()
// GENERIC-NEXT:}) {l.a = 1 : i32} : () -> ()
