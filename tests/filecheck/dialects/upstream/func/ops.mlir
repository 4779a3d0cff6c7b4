// Functions and calls: written and read as MLIR 22 does, byte for byte.
//
// RUN: xtriton-opt %s --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace
// RUN: xtriton-opt %s --triton-version=3.7 --mlir-print-op-generic | filecheck %s --match-full-lines --strict-whitespace --check-prefix=GENERIC
// RUN: xtriton-opt %s --mlir-print-op-generic | xtriton-opt --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace

module @foo attributes {l.a = 1 : i32} {
  func.func private @d(i32 {foo.a}, f32) -> (f32 {foo.b = 2 : i32}) attributes {no_inline}
  func.func private @d2(i32) -> ((i32) -> i32)
  func.func private @d3()
  func.func nested @d4(i32, f32) -> (i32, f32)
  func.func @f(%arg0: i32 {tt.div = 16 : i32}, %arg1: f32, %arg2: i1) -> (f32, i32) attributes {foo = "x", no_inline} {
    %0 = call @d(%arg0, %arg1) {no_inline} : (i32, f32) -> f32
    call @d3() : () -> ()
    %f = constant @d2 : (i32) -> ((i32) -> i32)
    %1 = call_indirect %f(%arg0) {a} : (i32) -> ((i32) -> i32)
    return {x} %arg1, %arg0 : f32, i32
  }
  func.func private @g() -> (i32 {foo.b}) {
    %c0_i32 = arith.constant 0 : i32
    return %c0_i32 : i32
  }
}

// CHECK:module @foo attributes {l.a = 1 : i32} {
// CHECK-NEXT:  func.func private @d(i32 {foo.a}, f32) -> (f32 {foo.b = 2 : i32}) attributes {no_inline}
// CHECK-NEXT:  func.func private @d2(i32) -> ((i32) -> i32)
// CHECK-NEXT:  func.func private @d3()
// CHECK-NEXT:  func.func nested @d4(i32, f32) -> (i32, f32)
// CHECK-NEXT:  func.func @f(%arg0: i32 {tt.div = 16 : i32}, %arg1: f32, %arg2: i1) -> (f32, i32) attributes {foo = "x", no_inline} {
// CHECK-NEXT:    %0 = call @d(%arg0, %arg1) {no_inline} : (i32, f32) -> f32
// CHECK-NEXT:    call @d3() : () -> ()
// CHECK-NEXT:    %f = constant @d2 : (i32) -> ((i32) -> i32)
// CHECK-NEXT:    %1 = call_indirect %f(%arg0) {a} : (i32) -> ((i32) -> i32)
// CHECK-NEXT:    return {x} %arg1, %arg0 : f32, i32
// CHECK-NEXT:  }
// CHECK-NEXT:  func.func private @g() -> (i32 {foo.b}) {
// CHECK-NEXT:    %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:    return %c0_i32 : i32
// CHECK-NEXT:  }
// CHECK-NEXT:}

// GENERIC:"builtin.module"() <{sym_name = "foo"}> ({
// GENERIC-NEXT:  "func.func"() <{arg_attrs = [{foo.a}, {}], function_type = (i32, f32) -> f32, no_inline, res_attrs = [{foo.b = 2 : i32}], sym_name = "d", sym_visibility = "private"}> ({
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:  "func.func"() <{function_type = (i32) -> ((i32) -> i32), sym_name = "d2", sym_visibility = "private"}> ({
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:  "func.func"() <{function_type = () -> (), sym_name = "d3", sym_visibility = "private"}> ({
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:  "func.func"() <{function_type = (i32, f32) -> (i32, f32), sym_name = "d4", sym_visibility = "nested"}> ({
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:  "func.func"() <{arg_attrs = [{tt.div = 16 : i32}, {}, {}], function_type = (i32, f32, i1) -> (f32, i32), no_inline, sym_name = "f"}> ({
// GENERIC-NEXT:  ^bb0(%arg0: i32, %arg1: f32, %arg2: i1):
// GENERIC-NEXT:    %1 = "func.call"(%arg0, %arg1) <{callee = @d, no_inline}> : (i32, f32) -> f32
// GENERIC-NEXT:    "func.call"() <{callee = @d3}> : () -> ()
// GENERIC-NEXT:    %2 = "func.constant"() <{value = @d2}> : () -> ((i32) -> ((i32) -> i32))
// GENERIC-NEXT:    %3 = "func.call_indirect"(%2, %arg0) {a} : ((i32) -> ((i32) -> i32), i32) -> ((i32) -> i32)
// GENERIC-NEXT:    "func.return"(%arg1, %arg0) {x} : (f32, i32) -> ()
// GENERIC-NEXT:  }) {foo = "x"} : () -> ()
// GENERIC-NEXT:  "func.func"() <{function_type = () -> i32, res_attrs = [{foo.b}], sym_name = "g", sym_visibility = "private"}> ({
// GENERIC-NEXT:    %0 = "arith.constant"() <{value = 0 : i32}> : () -> i32
// GENERIC-NEXT:    "func.return"(%0) : (i32) -> ()
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:}) {l.a = 1 : i32} : () -> ()
