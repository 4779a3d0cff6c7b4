// Every op of scf in every form: written and read as MLIR 22 does, byte for byte.
//
// RUN: xtriton-opt %s --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace
// RUN: xtriton-opt %s --triton-version=3.7 --mlir-print-op-generic | filecheck %s --match-full-lines --strict-whitespace --check-prefix=GENERIC
// RUN: xtriton-opt %s --mlir-print-op-generic | xtriton-opt --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace

module {
  func.func @f(%arg0: i32, %arg1: f32, %arg2: i1, %arg3: index, %arg4: tensor<4xf32>) {
    scf.for unsigned %arg5 = %arg0 to %arg0 step %arg0  : i32 {
    } {foo = 1 : i32}
    %0:2 = scf.for %arg5 = %arg3 to %arg3 step %arg3 iter_args(%arg6 = %arg1, %arg7 = %arg1) -> (f32, f32) {
      scf.yield %arg6, %arg7 : f32, f32
    } {aa = 1 : i32, zz}
    %1 = scf.for %arg5 = %arg0 to %arg0 step %arg0 iter_args(%arg6 = %arg1) -> (f32)  : i32 {
      scf.yield %arg6 : f32
    }
    scf.if %arg2 {
    } {x}
    scf.if %arg2 {
    } else {
    } {x}
    %2 = scf.if %arg2 -> (f32) {
      scf.yield %arg1 : f32
    } else {
      scf.yield %arg1 : f32
    }
    scf.while : () -> () {
      scf.condition(%arg2)
    } do {
      scf.yield
    } attributes {foo}
    %3 = scf.while (%arg5 = %arg1) : (f32) -> f32 {
      scf.condition(%arg2) {q} %arg5 : f32
    } do {
    ^bb0(%arg5: f32):
      scf.yield {a} %arg5 : f32
    }
    %4 = scf.execute_region -> f32 {
      scf.yield %arg1 : f32
    } {foo}
    scf.execute_region no_inline {
      cf.br ^bb1
    ^bb1:  // pred: ^bb0
      scf.yield
    } {foo}
    scf.parallel (%arg5, %arg6) = (%arg3, %arg3) to (%arg3, %arg3) step (%arg3, %arg3) {
      scf.reduce 
    } {foo}
    %5:2 = scf.parallel (%arg5) = (%arg3) to (%arg3) step (%arg3) init (%arg1, %arg1) -> (f32, f32) {
      scf.reduce(%arg1, %arg1 : f32, f32) {
      ^bb0(%arg6: f32, %arg7: f32):
        scf.reduce.return %arg6 : f32
      }, {
      ^bb0(%arg6: f32, %arg7: f32):
        scf.reduce.return %arg6 {t} : f32
      } {foo}
    }
    scf.forall (%arg5, %arg6) in (4, %arg3) {
    }
    scf.forall (%arg5) = (2) to (%arg3) step (3) {
    } {mapping = [#gpu.block<x>]}
    %6 = scf.forall (%arg5) in (4) shared_outs(%arg6 = %arg4) -> (tensor<4xf32>) {
      %extracted_slice = tensor.extract_slice %arg6[%arg5] [1] [1] : tensor<4xf32> to tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %extracted_slice into %arg6[%arg5] [1] [1] : tensor<1xf32> into tensor<4xf32>
      }
    }
    scf.index_switch %arg3 {a} 
    case 2 {
      scf.yield
    }
    case 5 {
      scf.yield
    }
    default {
    }
    %7:2 = scf.index_switch %arg3 -> f32, f32 
    default {
      scf.yield %arg1, %arg1 : f32, f32
    }
    %8 = scf.execute_region -> i32 no_inline {
      scf.yield %arg0 : i32
    }
    %9:2 = scf.execute_region -> (i32, f32) {
      scf.yield %arg0, %arg1 : i32, f32
    }
    return
  }
}

// CHECK:module {
// CHECK-NEXT:  func.func @f(%arg0: i32, %arg1: f32, %arg2: i1, %arg3: index, %arg4: tensor<4xf32>) {
// CHECK-NEXT:    scf.for unsigned %arg5 = %arg0 to %arg0 step %arg0  : i32 {
// CHECK-NEXT:    } {foo = 1 : i32}
// CHECK-NEXT:    %0:2 = scf.for %arg5 = %arg3 to %arg3 step %arg3 iter_args(%arg6 = %arg1, %arg7 = %arg1) -> (f32, f32) {
// CHECK-NEXT:      scf.yield %arg6, %arg7 : f32, f32
// CHECK-NEXT:    } {aa = 1 : i32, zz}
// CHECK-NEXT:    %1 = scf.for %arg5 = %arg0 to %arg0 step %arg0 iter_args(%arg6 = %arg1) -> (f32)  : i32 {
// CHECK-NEXT:      scf.yield %arg6 : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.if %arg2 {
// CHECK-NEXT:    } {x}
// CHECK-NEXT:    scf.if %arg2 {
// CHECK-NEXT:    } else {
// CHECK-NEXT:    } {x}
// CHECK-NEXT:    %2 = scf.if %arg2 -> (f32) {
// CHECK-NEXT:      scf.yield %arg1 : f32
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %arg1 : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.while : () -> () {
// CHECK-NEXT:      scf.condition(%arg2)
// CHECK-NEXT:    } do {
// CHECK-NEXT:      scf.yield
// CHECK-NEXT:    } attributes {foo}
// CHECK-NEXT:    %3 = scf.while (%arg5 = %arg1) : (f32) -> f32 {
// CHECK-NEXT:      scf.condition(%arg2) {q} %arg5 : f32
// CHECK-NEXT:    } do {
// CHECK-NEXT:    ^bb0(%arg5: f32):
// CHECK-NEXT:      scf.yield {a} %arg5 : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    %4 = scf.execute_region -> f32 {
// CHECK-NEXT:      scf.yield %arg1 : f32
// CHECK-NEXT:    } {foo}
// CHECK-NEXT:    scf.execute_region no_inline {
// CHECK-NEXT:      cf.br ^bb1
// CHECK-NEXT:    ^bb1:  // pred: ^bb0
// CHECK-NEXT:      scf.yield
// CHECK-NEXT:    } {foo}
// CHECK-NEXT:    scf.parallel (%arg5, %arg6) = (%arg3, %arg3) to (%arg3, %arg3) step (%arg3, %arg3) {
// CHECK-NEXT:      scf.reduce 
// CHECK-NEXT:    } {foo}
// CHECK-NEXT:    %5:2 = scf.parallel (%arg5) = (%arg3) to (%arg3) step (%arg3) init (%arg1, %arg1) -> (f32, f32) {
// CHECK-NEXT:      scf.reduce(%arg1, %arg1 : f32, f32) {
// CHECK-NEXT:      ^bb0(%arg6: f32, %arg7: f32):
// CHECK-NEXT:        scf.reduce.return %arg6 : f32
// CHECK-NEXT:      }, {
// CHECK-NEXT:      ^bb0(%arg6: f32, %arg7: f32):
// CHECK-NEXT:        scf.reduce.return %arg6 {t} : f32
// CHECK-NEXT:      } {foo}
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.forall (%arg5, %arg6) in (4, %arg3) {
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.forall (%arg5) = (2) to (%arg3) step (3) {
// CHECK-NEXT:    } {mapping = [#gpu.block<x>]}
// CHECK-NEXT:    %6 = scf.forall (%arg5) in (4) shared_outs(%arg6 = %arg4) -> (tensor<4xf32>) {
// CHECK-NEXT:      %extracted_slice = tensor.extract_slice %arg6[%arg5] [1] [1] : tensor<4xf32> to tensor<1xf32>
// CHECK-NEXT:      scf.forall.in_parallel {
// CHECK-NEXT:        tensor.parallel_insert_slice %extracted_slice into %arg6[%arg5] [1] [1] : tensor<1xf32> into tensor<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.index_switch %arg3 {a} 
// CHECK-NEXT:    case 2 {
// CHECK-NEXT:      scf.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    case 5 {
// CHECK-NEXT:      scf.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    default {
// CHECK-NEXT:    }
// CHECK-NEXT:    %7:2 = scf.index_switch %arg3 -> f32, f32 
// CHECK-NEXT:    default {
// CHECK-NEXT:      scf.yield %arg1, %arg1 : f32, f32
// CHECK-NEXT:    }
// CHECK-NEXT:    %8 = scf.execute_region -> i32 no_inline {
// CHECK-NEXT:      scf.yield %arg0 : i32
// CHECK-NEXT:    }
// CHECK-NEXT:    %9:2 = scf.execute_region -> (i32, f32) {
// CHECK-NEXT:      scf.yield %arg0, %arg1 : i32, f32
// CHECK-NEXT:    }
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:}

// GENERIC:"builtin.module"() ({
// GENERIC-NEXT:  "func.func"() <{function_type = (i32, f32, i1, index, tensor<4xf32>) -> (), sym_name = "f"}> ({
// GENERIC-NEXT:  ^bb0(%arg0: i32, %arg1: f32, %arg2: i1, %arg3: index, %arg4: tensor<4xf32>):
// GENERIC-NEXT:    "scf.for"(%arg0, %arg0, %arg0) <{unsignedCmp}> ({
// GENERIC-NEXT:    ^bb0(%arg24: i32):
// GENERIC-NEXT:      "scf.yield"() : () -> ()
// GENERIC-NEXT:    }) {foo = 1 : i32} : (i32, i32, i32) -> ()
// GENERIC-NEXT:    %0:2 = "scf.for"(%arg3, %arg3, %arg3, %arg1, %arg1) ({
// GENERIC-NEXT:    ^bb0(%arg21: index, %arg22: f32, %arg23: f32):
// GENERIC-NEXT:      "scf.yield"(%arg22, %arg23) : (f32, f32) -> ()
// GENERIC-NEXT:    }) {aa = 1 : i32, zz} : (index, index, index, f32, f32) -> (f32, f32)
// GENERIC-NEXT:    %1 = "scf.for"(%arg0, %arg0, %arg0, %arg1) ({
// GENERIC-NEXT:    ^bb0(%arg19: i32, %arg20: f32):
// GENERIC-NEXT:      "scf.yield"(%arg20) : (f32) -> ()
// GENERIC-NEXT:    }) : (i32, i32, i32, f32) -> f32
// GENERIC-NEXT:    "scf.if"(%arg2) ({
// GENERIC-NEXT:      "scf.yield"() : () -> ()
// GENERIC-NEXT:    }, {
// GENERIC-NEXT:    }) {x} : (i1) -> ()
// GENERIC-NEXT:    "scf.if"(%arg2) ({
// GENERIC-NEXT:      "scf.yield"() : () -> ()
// GENERIC-NEXT:    }, {
// GENERIC-NEXT:      "scf.yield"() : () -> ()
// GENERIC-NEXT:    }) {x} : (i1) -> ()
// GENERIC-NEXT:    %2 = "scf.if"(%arg2) ({
// GENERIC-NEXT:      "scf.yield"(%arg1) : (f32) -> ()
// GENERIC-NEXT:    }, {
// GENERIC-NEXT:      "scf.yield"(%arg1) : (f32) -> ()
// GENERIC-NEXT:    }) : (i1) -> f32
// GENERIC-NEXT:    "scf.while"() ({
// GENERIC-NEXT:      "scf.condition"(%arg2) : (i1) -> ()
// GENERIC-NEXT:    }, {
// GENERIC-NEXT:      "scf.yield"() : () -> ()
// GENERIC-NEXT:    }) {foo} : () -> ()
// GENERIC-NEXT:    %3 = "scf.while"(%arg1) ({
// GENERIC-NEXT:    ^bb0(%arg18: f32):
// GENERIC-NEXT:      "scf.condition"(%arg2, %arg18) {q} : (i1, f32) -> ()
// GENERIC-NEXT:    }, {
// GENERIC-NEXT:    ^bb0(%arg17: f32):
// GENERIC-NEXT:      "scf.yield"(%arg17) {a} : (f32) -> ()
// GENERIC-NEXT:    }) : (f32) -> f32
// GENERIC-NEXT:    %4 = "scf.execute_region"() ({
// GENERIC-NEXT:      "scf.yield"(%arg1) : (f32) -> ()
// GENERIC-NEXT:    }) {foo} : () -> f32
// GENERIC-NEXT:    "scf.execute_region"() <{no_inline}> ({
// GENERIC-NEXT:      "cf.br"()[^bb1] : () -> ()
// GENERIC-NEXT:    ^bb1:  // pred: ^bb0
// GENERIC-NEXT:      "scf.yield"() : () -> ()
// GENERIC-NEXT:    }) {foo} : () -> ()
// GENERIC-NEXT:    "scf.parallel"(%arg3, %arg3, %arg3, %arg3, %arg3, %arg3) <{operandSegmentSizes = array<i32: 2, 2, 2, 0>}> ({
// GENERIC-NEXT:    ^bb0(%arg15: index, %arg16: index):
// GENERIC-NEXT:      "scf.reduce"() : () -> ()
// GENERIC-NEXT:    }) {foo} : (index, index, index, index, index, index) -> ()
// GENERIC-NEXT:    %5:2 = "scf.parallel"(%arg3, %arg3, %arg3, %arg1, %arg1) <{operandSegmentSizes = array<i32: 1, 1, 1, 2>}> ({
// GENERIC-NEXT:    ^bb0(%arg10: index):
// GENERIC-NEXT:      "scf.reduce"(%arg1, %arg1) ({
// GENERIC-NEXT:      ^bb0(%arg13: f32, %arg14: f32):
// GENERIC-NEXT:        "scf.reduce.return"(%arg13) : (f32) -> ()
// GENERIC-NEXT:      }, {
// GENERIC-NEXT:      ^bb0(%arg11: f32, %arg12: f32):
// GENERIC-NEXT:        "scf.reduce.return"(%arg11) {t} : (f32) -> ()
// GENERIC-NEXT:      }) {foo} : (f32, f32) -> ()
// GENERIC-NEXT:    }) : (index, index, index, f32, f32) -> (f32, f32)
// GENERIC-NEXT:    "scf.forall"(%arg3) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0, 0>, staticStep = array<i64: 1, 1>, staticUpperBound = array<i64: 4, -9223372036854775808>}> ({
// GENERIC-NEXT:    ^bb0(%arg8: index, %arg9: index):
// GENERIC-NEXT:      "scf.forall.in_parallel"() ({
// GENERIC-NEXT:      ^bb0:
// GENERIC-NEXT:      }) : () -> ()
// GENERIC-NEXT:    }) : (index) -> ()
// GENERIC-NEXT:    "scf.forall"(%arg3) <{mapping = [#gpu.block<x>], operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 2>, staticStep = array<i64: 3>, staticUpperBound = array<i64: -9223372036854775808>}> ({
// GENERIC-NEXT:    ^bb0(%arg7: index):
// GENERIC-NEXT:      "scf.forall.in_parallel"() ({
// GENERIC-NEXT:      ^bb0:
// GENERIC-NEXT:      }) : () -> ()
// GENERIC-NEXT:    }) : (index) -> ()
// GENERIC-NEXT:    %6 = "scf.forall"(%arg4) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: 4>}> ({
// GENERIC-NEXT:    ^bb0(%arg5: index, %arg6: tensor<4xf32>):
// GENERIC-NEXT:      %10 = "tensor.extract_slice"(%arg6, %arg5) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}> : (tensor<4xf32>, index) -> tensor<1xf32>
// GENERIC-NEXT:      "scf.forall.in_parallel"() ({
// GENERIC-NEXT:        "tensor.parallel_insert_slice"(%10, %arg6, %arg5) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}> : (tensor<1xf32>, tensor<4xf32>, index) -> ()
// GENERIC-NEXT:      }) : () -> ()
// GENERIC-NEXT:    }) : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    "scf.index_switch"(%arg3) <{cases = array<i64: 2, 5>}> ({
// GENERIC-NEXT:      "scf.yield"() : () -> ()
// GENERIC-NEXT:    }, {
// GENERIC-NEXT:      "scf.yield"() : () -> ()
// GENERIC-NEXT:    }, {
// GENERIC-NEXT:      "scf.yield"() : () -> ()
// GENERIC-NEXT:    }) {a} : (index) -> ()
// GENERIC-NEXT:    %7:2 = "scf.index_switch"(%arg3) <{cases = array<i64>}> ({
// GENERIC-NEXT:      "scf.yield"(%arg1, %arg1) : (f32, f32) -> ()
// GENERIC-NEXT:    }) : (index) -> (f32, f32)
// GENERIC-NEXT:    %8 = "scf.execute_region"() <{no_inline}> ({
// GENERIC-NEXT:      "scf.yield"(%arg0) : (i32) -> ()
// GENERIC-NEXT:    }) : () -> i32
// GENERIC-NEXT:    %9:2 = "scf.execute_region"() ({
// GENERIC-NEXT:      "scf.yield"(%arg0, %arg1) : (i32, f32) -> ()
// GENERIC-NEXT:    }) : () -> (i32, f32)
// GENERIC-NEXT:    "func.return"() : () -> ()
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:}) : () -> ()
