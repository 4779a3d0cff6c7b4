// Elementwise named ops and casts in their bodies: written and read as MLIR 22 does, byte for byte.
//
// RUN: xtriton-opt %s --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace
// RUN: xtriton-opt %s --triton-version=3.7 --mlir-print-op-generic | filecheck %s --match-full-lines --strict-whitespace --check-prefix=GENERIC
// RUN: xtriton-opt %s --mlir-print-op-generic | xtriton-opt --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace

module {
  func.func @f(%arg0: tensor<4x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<f32>, %arg3: tensor<4x4xi32>, %arg4: tensor<4x4xi1>, %arg5: tensor<4x4xf16>, %arg6: memref<4x4xf32>, %arg7: tensor<4x4xi8>) {
    %0 = linalg.abs ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = linalg.ceil ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = linalg.floor ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %3 = linalg.negf ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %4 = linalg.rsqrt ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %5 = linalg.tanh ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %6 = linalg.erf ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %7 = linalg.reciprocal ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %8 = linalg.square ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %9 = linalg.exp ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %10 = linalg.log ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %11 = linalg.sqrt ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %12 = linalg.round ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %13 = linalg.add ins(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %14 = linalg.sub ins(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %15 = linalg.mul ins(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %16 = linalg.div ins(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %17 = linalg.max ins(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %18 = linalg.min ins(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %19 = linalg.powf ins(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %20 = linalg.add {foo} ins(%arg3, %arg3 : tensor<4x4xi32>, tensor<4x4xi32>) outs(%arg3 : tensor<4x4xi32>) -> tensor<4x4xi32>
    %21 = linalg.sub {foo} ins(%arg3, %arg3 : tensor<4x4xi32>, tensor<4x4xi32>) outs(%arg3 : tensor<4x4xi32>) -> tensor<4x4xi32>
    %22 = linalg.mul {foo} ins(%arg3, %arg3 : tensor<4x4xi32>, tensor<4x4xi32>) outs(%arg3 : tensor<4x4xi32>) -> tensor<4x4xi32>
    %23 = linalg.div {foo} ins(%arg3, %arg3 : tensor<4x4xi32>, tensor<4x4xi32>) outs(%arg3 : tensor<4x4xi32>) -> tensor<4x4xi32>
    %24 = linalg.div_unsigned {foo} ins(%arg3, %arg3 : tensor<4x4xi32>, tensor<4x4xi32>) outs(%arg3 : tensor<4x4xi32>) -> tensor<4x4xi32>
    %25 = linalg.max {foo} ins(%arg3, %arg3 : tensor<4x4xi32>, tensor<4x4xi32>) outs(%arg3 : tensor<4x4xi32>) -> tensor<4x4xi32>
    %26 = linalg.min {foo} ins(%arg3, %arg3 : tensor<4x4xi32>, tensor<4x4xi32>) outs(%arg3 : tensor<4x4xi32>) -> tensor<4x4xi32>
    %27 = linalg.select ins(%arg4, %arg0, %arg0 : tensor<4x4xi1>, tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %28 = linalg.copy ins(%arg0 : tensor<4x4xf32>) outs(%arg5 : tensor<4x4xf16>) -> tensor<4x4xf16>
    %29 = linalg.matmul ins(%arg7, %arg7 : tensor<4x4xi8>, tensor<4x4xi8>) outs(%arg3 : tensor<4x4xi32>) -> tensor<4x4xi32>
    %30 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%arg7, %arg7 : tensor<4x4xi8>, tensor<4x4xi8>) outs(%arg3 : tensor<4x4xi32>) -> tensor<4x4xi32>
    linalg.exp ins(%arg6 : memref<4x4xf32>) outs(%arg6 : memref<4x4xf32>)
    return
  }
}

// CHECK:module {
// CHECK-NEXT:  func.func @f(%arg0: tensor<4x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<f32>, %arg3: tensor<4x4xi32>, %arg4: tensor<4x4xi1>, %arg5: tensor<4x4xf16>, %arg6: memref<4x4xf32>, %arg7: tensor<4x4xi8>) {
// CHECK-NEXT:    %0 = linalg.abs ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %1 = linalg.ceil ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %2 = linalg.floor ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %3 = linalg.negf ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %4 = linalg.rsqrt ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %5 = linalg.tanh ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %6 = linalg.erf ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %7 = linalg.reciprocal ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %8 = linalg.square ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %9 = linalg.exp ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %10 = linalg.log ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %11 = linalg.sqrt ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %12 = linalg.round ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %13 = linalg.add ins(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %14 = linalg.sub ins(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %15 = linalg.mul ins(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %16 = linalg.div ins(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %17 = linalg.max ins(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %18 = linalg.min ins(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %19 = linalg.powf ins(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %20 = linalg.add {foo} ins(%arg3, %arg3 : tensor<4x4xi32>, tensor<4x4xi32>) outs(%arg3 : tensor<4x4xi32>) -> tensor<4x4xi32>
// CHECK-NEXT:    %21 = linalg.sub {foo} ins(%arg3, %arg3 : tensor<4x4xi32>, tensor<4x4xi32>) outs(%arg3 : tensor<4x4xi32>) -> tensor<4x4xi32>
// CHECK-NEXT:    %22 = linalg.mul {foo} ins(%arg3, %arg3 : tensor<4x4xi32>, tensor<4x4xi32>) outs(%arg3 : tensor<4x4xi32>) -> tensor<4x4xi32>
// CHECK-NEXT:    %23 = linalg.div {foo} ins(%arg3, %arg3 : tensor<4x4xi32>, tensor<4x4xi32>) outs(%arg3 : tensor<4x4xi32>) -> tensor<4x4xi32>
// CHECK-NEXT:    %24 = linalg.div_unsigned {foo} ins(%arg3, %arg3 : tensor<4x4xi32>, tensor<4x4xi32>) outs(%arg3 : tensor<4x4xi32>) -> tensor<4x4xi32>
// CHECK-NEXT:    %25 = linalg.max {foo} ins(%arg3, %arg3 : tensor<4x4xi32>, tensor<4x4xi32>) outs(%arg3 : tensor<4x4xi32>) -> tensor<4x4xi32>
// CHECK-NEXT:    %26 = linalg.min {foo} ins(%arg3, %arg3 : tensor<4x4xi32>, tensor<4x4xi32>) outs(%arg3 : tensor<4x4xi32>) -> tensor<4x4xi32>
// CHECK-NEXT:    %27 = linalg.select ins(%arg4, %arg0, %arg0 : tensor<4x4xi1>, tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %28 = linalg.copy ins(%arg0 : tensor<4x4xf32>) outs(%arg5 : tensor<4x4xf16>) -> tensor<4x4xf16>
// CHECK-NEXT:    %29 = linalg.matmul ins(%arg7, %arg7 : tensor<4x4xi8>, tensor<4x4xi8>) outs(%arg3 : tensor<4x4xi32>) -> tensor<4x4xi32>
// CHECK-NEXT:    %30 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%arg7, %arg7 : tensor<4x4xi8>, tensor<4x4xi8>) outs(%arg3 : tensor<4x4xi32>) -> tensor<4x4xi32>
// CHECK-NEXT:    linalg.exp ins(%arg6 : memref<4x4xf32>) outs(%arg6 : memref<4x4xf32>)
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:}

// GENERIC:#map = affine_map<(d0, d1, d2) -> (d0, d2)>
// GENERIC-NEXT:#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
// GENERIC-NEXT:#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
// GENERIC-NEXT:"builtin.module"() ({
// GENERIC-NEXT:  "func.func"() <{function_type = (tensor<4x4xf32>, tensor<4xf32>, tensor<f32>, tensor<4x4xi32>, tensor<4x4xi1>, tensor<4x4xf16>, memref<4x4xf32>, tensor<4x4xi8>) -> (), sym_name = "f"}> ({
// GENERIC-NEXT:  ^bb0(%arg0: tensor<4x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<f32>, %arg3: tensor<4x4xi32>, %arg4: tensor<4x4xi1>, %arg5: tensor<4x4xf16>, %arg6: memref<4x4xf32>, %arg7: tensor<4x4xi8>):
// GENERIC-NEXT:    %0 = "linalg.abs"(%arg0, %arg0) <{operandSegmentSizes = array<i32: 1, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg88: f32, %arg89: f32):
// GENERIC-NEXT:      %69 = "math.absf"(%arg88) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%69) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %1 = "linalg.ceil"(%arg0, %arg0) <{operandSegmentSizes = array<i32: 1, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg86: f32, %arg87: f32):
// GENERIC-NEXT:      %68 = "math.ceil"(%arg86) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%68) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %2 = "linalg.floor"(%arg0, %arg0) <{operandSegmentSizes = array<i32: 1, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg84: f32, %arg85: f32):
// GENERIC-NEXT:      %67 = "math.floor"(%arg84) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%67) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %3 = "linalg.negf"(%arg0, %arg0) <{operandSegmentSizes = array<i32: 1, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg82: f32, %arg83: f32):
// GENERIC-NEXT:      %66 = "arith.negf"(%arg82) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%66) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %4 = "linalg.rsqrt"(%arg0, %arg0) <{operandSegmentSizes = array<i32: 1, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg80: f32, %arg81: f32):
// GENERIC-NEXT:      %65 = "math.rsqrt"(%arg80) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%65) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %5 = "linalg.tanh"(%arg0, %arg0) <{operandSegmentSizes = array<i32: 1, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg78: f32, %arg79: f32):
// GENERIC-NEXT:      %64 = "math.tanh"(%arg78) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%64) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %6 = "linalg.erf"(%arg0, %arg0) <{operandSegmentSizes = array<i32: 1, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg76: f32, %arg77: f32):
// GENERIC-NEXT:      %63 = "math.erf"(%arg76) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%63) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %7 = "linalg.reciprocal"(%arg0, %arg0) <{operandSegmentSizes = array<i32: 1, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg74: f32, %arg75: f32):
// GENERIC-NEXT:      %61 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
// GENERIC-NEXT:      %62 = "arith.divf"(%61, %arg74) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%62) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %8 = "linalg.square"(%arg0, %arg0) <{operandSegmentSizes = array<i32: 1, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg72: f32, %arg73: f32):
// GENERIC-NEXT:      %60 = "arith.mulf"(%arg72, %arg72) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%60) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %9 = "linalg.exp"(%arg0, %arg0) <{operandSegmentSizes = array<i32: 1, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg70: f32, %arg71: f32):
// GENERIC-NEXT:      %59 = "math.exp"(%arg70) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%59) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %10 = "linalg.log"(%arg0, %arg0) <{operandSegmentSizes = array<i32: 1, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg68: f32, %arg69: f32):
// GENERIC-NEXT:      %58 = "math.log"(%arg68) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%58) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %11 = "linalg.sqrt"(%arg0, %arg0) <{operandSegmentSizes = array<i32: 1, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg66: f32, %arg67: f32):
// GENERIC-NEXT:      %57 = "math.sqrt"(%arg66) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%57) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %12 = "linalg.round"(%arg0, %arg0) <{operandSegmentSizes = array<i32: 1, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg64: f32, %arg65: f32):
// GENERIC-NEXT:      %56 = "math.round"(%arg64) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%56) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %13 = "linalg.add"(%arg0, %arg0, %arg0) <{operandSegmentSizes = array<i32: 2, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg61: f32, %arg62: f32, %arg63: f32):
// GENERIC-NEXT:      %55 = "arith.addf"(%arg61, %arg62) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%55) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %14 = "linalg.sub"(%arg0, %arg0, %arg0) <{operandSegmentSizes = array<i32: 2, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg58: f32, %arg59: f32, %arg60: f32):
// GENERIC-NEXT:      %54 = "arith.subf"(%arg58, %arg59) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%54) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %15 = "linalg.mul"(%arg0, %arg0, %arg0) <{operandSegmentSizes = array<i32: 2, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg55: f32, %arg56: f32, %arg57: f32):
// GENERIC-NEXT:      %53 = "arith.mulf"(%arg55, %arg56) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%53) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %16 = "linalg.div"(%arg0, %arg0, %arg0) <{operandSegmentSizes = array<i32: 2, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg52: f32, %arg53: f32, %arg54: f32):
// GENERIC-NEXT:      %52 = "arith.divf"(%arg52, %arg53) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%52) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %17 = "linalg.max"(%arg0, %arg0, %arg0) <{operandSegmentSizes = array<i32: 2, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg49: f32, %arg50: f32, %arg51: f32):
// GENERIC-NEXT:      %51 = "arith.maximumf"(%arg49, %arg50) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%51) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %18 = "linalg.min"(%arg0, %arg0, %arg0) <{operandSegmentSizes = array<i32: 2, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg46: f32, %arg47: f32, %arg48: f32):
// GENERIC-NEXT:      %50 = "arith.minimumf"(%arg46, %arg47) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%50) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %19 = "linalg.powf"(%arg0, %arg0, %arg0) <{operandSegmentSizes = array<i32: 2, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg43: f32, %arg44: f32, %arg45: f32):
// GENERIC-NEXT:      %49 = "math.powf"(%arg43, %arg44) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%49) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %20 = "linalg.add"(%arg3, %arg3, %arg3) <{operandSegmentSizes = array<i32: 2, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg40: i32, %arg41: i32, %arg42: i32):
// GENERIC-NEXT:      %48 = "arith.addi"(%arg40, %arg41) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
// GENERIC-NEXT:      "linalg.yield"(%48) : (i32) -> ()
// GENERIC-NEXT:    }) {foo} : (tensor<4x4xi32>, tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
// GENERIC-NEXT:    %21 = "linalg.sub"(%arg3, %arg3, %arg3) <{operandSegmentSizes = array<i32: 2, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg37: i32, %arg38: i32, %arg39: i32):
// GENERIC-NEXT:      %47 = "arith.subi"(%arg37, %arg38) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
// GENERIC-NEXT:      "linalg.yield"(%47) : (i32) -> ()
// GENERIC-NEXT:    }) {foo} : (tensor<4x4xi32>, tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
// GENERIC-NEXT:    %22 = "linalg.mul"(%arg3, %arg3, %arg3) <{operandSegmentSizes = array<i32: 2, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg34: i32, %arg35: i32, %arg36: i32):
// GENERIC-NEXT:      %46 = "arith.muli"(%arg34, %arg35) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
// GENERIC-NEXT:      "linalg.yield"(%46) : (i32) -> ()
// GENERIC-NEXT:    }) {foo} : (tensor<4x4xi32>, tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
// GENERIC-NEXT:    %23 = "linalg.div"(%arg3, %arg3, %arg3) <{operandSegmentSizes = array<i32: 2, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg31: i32, %arg32: i32, %arg33: i32):
// GENERIC-NEXT:      %45 = "arith.divsi"(%arg31, %arg32) : (i32, i32) -> i32
// GENERIC-NEXT:      "linalg.yield"(%45) : (i32) -> ()
// GENERIC-NEXT:    }) {foo} : (tensor<4x4xi32>, tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
// GENERIC-NEXT:    %24 = "linalg.div_unsigned"(%arg3, %arg3, %arg3) <{operandSegmentSizes = array<i32: 2, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg28: i32, %arg29: i32, %arg30: i32):
// GENERIC-NEXT:      %44 = "arith.divui"(%arg28, %arg29) : (i32, i32) -> i32
// GENERIC-NEXT:      "linalg.yield"(%44) : (i32) -> ()
// GENERIC-NEXT:    }) {foo} : (tensor<4x4xi32>, tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
// GENERIC-NEXT:    %25 = "linalg.max"(%arg3, %arg3, %arg3) <{operandSegmentSizes = array<i32: 2, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg25: i32, %arg26: i32, %arg27: i32):
// GENERIC-NEXT:      %43 = "arith.maxsi"(%arg25, %arg26) : (i32, i32) -> i32
// GENERIC-NEXT:      "linalg.yield"(%43) : (i32) -> ()
// GENERIC-NEXT:    }) {foo} : (tensor<4x4xi32>, tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
// GENERIC-NEXT:    %26 = "linalg.min"(%arg3, %arg3, %arg3) <{operandSegmentSizes = array<i32: 2, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg22: i32, %arg23: i32, %arg24: i32):
// GENERIC-NEXT:      %42 = "arith.minsi"(%arg22, %arg23) : (i32, i32) -> i32
// GENERIC-NEXT:      "linalg.yield"(%42) : (i32) -> ()
// GENERIC-NEXT:    }) {foo} : (tensor<4x4xi32>, tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
// GENERIC-NEXT:    %27 = "linalg.select"(%arg4, %arg0, %arg0, %arg0) <{operandSegmentSizes = array<i32: 3, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg18: i1, %arg19: f32, %arg20: f32, %arg21: f32):
// GENERIC-NEXT:      %41 = "arith.select"(%arg18, %arg19, %arg20) : (i1, f32, f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%41) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %28 = "linalg.copy"(%arg0, %arg5) <{operandSegmentSizes = array<i32: 1, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg16: f32, %arg17: f16):
// GENERIC-NEXT:      %40 = "arith.truncf"(%arg16) : (f32) -> f16
// GENERIC-NEXT:      "linalg.yield"(%40) : (f16) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xf16>) -> tensor<4x4xf16>
// GENERIC-NEXT:    %29 = "linalg.matmul"(%arg7, %arg7, %arg3) <{indexing_maps = [#map, #map1, #map2], operandSegmentSizes = array<i32: 2, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg13: i8, %arg14: i8, %arg15: i32):
// GENERIC-NEXT:      %36 = "arith.extsi"(%arg13) : (i8) -> i32
// GENERIC-NEXT:      %37 = "arith.extsi"(%arg14) : (i8) -> i32
// GENERIC-NEXT:      %38 = "arith.muli"(%36, %37) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
// GENERIC-NEXT:      %39 = "arith.addi"(%arg15, %38) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
// GENERIC-NEXT:      "linalg.yield"(%39) : (i32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xi8>, tensor<4x4xi8>, tensor<4x4xi32>) -> tensor<4x4xi32>
// GENERIC-NEXT:    %30 = "linalg.matmul"(%arg7, %arg7, %arg3) <{cast = #linalg.type_fn<cast_unsigned>, indexing_maps = [#map, #map1, #map2], operandSegmentSizes = array<i32: 2, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg10: i8, %arg11: i8, %arg12: i32):
// GENERIC-NEXT:      %32 = "arith.extui"(%arg10) : (i8) -> i32
// GENERIC-NEXT:      %33 = "arith.extui"(%arg11) : (i8) -> i32
// GENERIC-NEXT:      %34 = "arith.muli"(%32, %33) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
// GENERIC-NEXT:      %35 = "arith.addi"(%arg12, %34) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
// GENERIC-NEXT:      "linalg.yield"(%35) : (i32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xi8>, tensor<4x4xi8>, tensor<4x4xi32>) -> tensor<4x4xi32>
// GENERIC-NEXT:    "linalg.exp"(%arg6, %arg6) <{operandSegmentSizes = array<i32: 1, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg8: f32, %arg9: f32):
// GENERIC-NEXT:      %31 = "math.exp"(%arg8) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%31) : (f32) -> ()
// GENERIC-NEXT:    }) : (memref<4x4xf32>, memref<4x4xf32>) -> ()
// GENERIC-NEXT:    "func.return"() : () -> ()
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:}) : () -> ()
