// Structured ops: written and read as MLIR 22 does, byte for byte.
//
// RUN: xtriton-opt %s --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace
// RUN: xtriton-opt %s --triton-version=3.7 --mlir-print-op-generic | filecheck %s --match-full-lines --strict-whitespace --check-prefix=GENERIC
// RUN: xtriton-opt %s --mlir-print-op-generic | xtriton-opt --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d0)>
#map2 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @f(%arg0: tensor<4x4xf32>, %arg1: index, %arg2: f32, %arg3: memref<4x4xf32>, %arg4: tensor<4x4xi32>, %arg5: tensor<4xf32>, %arg6: tensor<4xi32>, %arg7: tensor<2x4x4xf32>, %arg8: tensor<4x4xf16>, %arg9: memref<4xf32>) {
    %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %13 = linalg.index 1 : index
      linalg.yield %in : f32
    } -> tensor<4x4xf32>
    %1:2 = linalg.generic {doc = "x", indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"], library_call = "foo"} ins(%arg0 : tensor<4x4xf32>) outs(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) attrs =  {a, tt.b = 1 : i32} {
    ^bb0(%in: f32, %out: f32, %out_2: f32):
      linalg.yield %in, %in : f32, f32
    } -> (tensor<4x4xf32>, tensor<4x4xf32>)
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg3 : memref<4x4xf32>) outs(%arg3 : memref<4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %2 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%arg0 : tensor<4x4xf32>) {
    ^bb0(%out: f32):
      linalg.yield %arg2 : f32
    } -> tensor<4x4xf32>
    %3 = linalg.fill ins(%arg2 : f32) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    linalg.fill {foo} ins(%arg2 : f32) outs(%arg3 : memref<4x4xf32>)
    %mapped = linalg.map ins(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>)
      (%in: f32, %in_2: f32, %init: f32) {
        %13 = arith.addf %in, %in_2 : f32
        %14 = arith.addf %13, %in_2 : f32
        linalg.yield %14 : f32
      }
    %mapped_0 = linalg.map { arith.addf } ins(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>)
    %reduced = linalg.reduce { arith.addf } ins(%arg0 : tensor<4x4xf32>) outs(%arg5 : tensor<4xf32>) dimensions = [1] 
    %reduced_1:2 = linalg.reduce ins(%arg0, %arg4 : tensor<4x4xf32>, tensor<4x4xi32>) outs(%arg5, %arg6 : tensor<4xf32>, tensor<4xi32>) dimensions = [0] 
      (%in: f32, %in_2: i32, %init: f32, %init_3: i32) {
        %13 = arith.addf %in, %init : f32
        linalg.yield %13, %init_3 : f32, i32
      }
    linalg.reduce { arith.addf } ins(%arg3 : memref<4x4xf32>) outs(%arg9 : memref<4xf32>) dimensions = [0]  {foo}
    %transposed = linalg.transpose ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) permutation = [1, 0]  {foo}
    linalg.transpose ins(%arg3 : memref<4x4xf32>) outs(%arg3 : memref<4x4xf32>) permutation = [1, 0] 
    %broadcasted = linalg.broadcast ins(%arg5 : tensor<4xf32>) outs(%arg0 : tensor<4x4xf32>) dimensions = [0]  {foo}
    linalg.broadcast ins(%arg9 : memref<4xf32>) outs(%arg3 : memref<4x4xf32>) dimensions = [0] 
    %4 = linalg.matmul ins(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %5 = linalg.matmul {foo} ins(%arg8, %arg8 : tensor<4x4xf16>, tensor<4x4xf16>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %6 = linalg.matmul indexing_maps = [#map1, #map2, #map3] ins(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %7 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%arg4, %arg4 : tensor<4x4xi32>, tensor<4x4xi32>) outs(%arg4 : tensor<4x4xi32>) -> tensor<4x4xi32>
    linalg.matmul ins(%arg3, %arg3 : memref<4x4xf32>, memref<4x4xf32>) outs(%arg3 : memref<4x4xf32>)
    %8 = linalg.batch_matmul ins(%arg7, %arg7 : tensor<2x4x4xf32>, tensor<2x4x4xf32>) outs(%arg7 : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %9 = linalg.add ins(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %10 = linalg.copy ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %11 = linalg.exp ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %12 = linalg.contract indexing_maps = [#map1, #map2, #map3] ins(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    return
  }
}

// CHECK:#map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT:#map1 = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-NEXT:#map2 = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-NEXT:#map3 = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-NEXT:module {
// CHECK-NEXT:  func.func @f(%arg0: tensor<4x4xf32>, %arg1: index, %arg2: f32, %arg3: memref<4x4xf32>, %arg4: tensor<4x4xi32>, %arg5: tensor<4xf32>, %arg6: tensor<4xi32>, %arg7: tensor<2x4x4xf32>, %arg8: tensor<4x4xf16>, %arg9: memref<4xf32>) {
// CHECK-NEXT:    %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) {
// CHECK-NEXT:    ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:      %13 = linalg.index 1 : index
// CHECK-NEXT:      linalg.yield %in : f32
// CHECK-NEXT:    } -> tensor<4x4xf32>
// CHECK-NEXT:    %1:2 = linalg.generic {doc = "x", indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"], library_call = "foo"} ins(%arg0 : tensor<4x4xf32>) outs(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) attrs =  {a, tt.b = 1 : i32} {
// CHECK-NEXT:    ^bb0(%in: f32, %out: f32, %out_2: f32):
// CHECK-NEXT:      linalg.yield %in, %in : f32, f32
// CHECK-NEXT:    } -> (tensor<4x4xf32>, tensor<4x4xf32>)
// CHECK-NEXT:    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg3 : memref<4x4xf32>) outs(%arg3 : memref<4x4xf32>) {
// CHECK-NEXT:    ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:      linalg.yield %in : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    %2 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%arg0 : tensor<4x4xf32>) {
// CHECK-NEXT:    ^bb0(%out: f32):
// CHECK-NEXT:      linalg.yield %arg2 : f32
// CHECK-NEXT:    } -> tensor<4x4xf32>
// CHECK-NEXT:    %3 = linalg.fill ins(%arg2 : f32) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    linalg.fill {foo} ins(%arg2 : f32) outs(%arg3 : memref<4x4xf32>)
// CHECK-NEXT:    %mapped = linalg.map ins(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>)
// CHECK-NEXT:      (%in: f32, %in_2: f32, %init: f32) {
// CHECK-NEXT:        %13 = arith.addf %in, %in_2 : f32
// CHECK-NEXT:        %14 = arith.addf %13, %in_2 : f32
// CHECK-NEXT:        linalg.yield %14 : f32
// CHECK-NEXT:      }
// CHECK-NEXT:    %mapped_0 = linalg.map { arith.addf } ins(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>)
// CHECK-NEXT:    %reduced = linalg.reduce { arith.addf } ins(%arg0 : tensor<4x4xf32>) outs(%arg5 : tensor<4xf32>) dimensions = [1] 
// CHECK-NEXT:    %reduced_1:2 = linalg.reduce ins(%arg0, %arg4 : tensor<4x4xf32>, tensor<4x4xi32>) outs(%arg5, %arg6 : tensor<4xf32>, tensor<4xi32>) dimensions = [0] 
// CHECK-NEXT:      (%in: f32, %in_2: i32, %init: f32, %init_3: i32) {
// CHECK-NEXT:        %13 = arith.addf %in, %init : f32
// CHECK-NEXT:        linalg.yield %13, %init_3 : f32, i32
// CHECK-NEXT:      }
// CHECK-NEXT:    linalg.reduce { arith.addf } ins(%arg3 : memref<4x4xf32>) outs(%arg9 : memref<4xf32>) dimensions = [0]  {foo}
// CHECK-NEXT:    %transposed = linalg.transpose ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) permutation = [1, 0]  {foo}
// CHECK-NEXT:    linalg.transpose ins(%arg3 : memref<4x4xf32>) outs(%arg3 : memref<4x4xf32>) permutation = [1, 0] 
// CHECK-NEXT:    %broadcasted = linalg.broadcast ins(%arg5 : tensor<4xf32>) outs(%arg0 : tensor<4x4xf32>) dimensions = [0]  {foo}
// CHECK-NEXT:    linalg.broadcast ins(%arg9 : memref<4xf32>) outs(%arg3 : memref<4x4xf32>) dimensions = [0] 
// CHECK-NEXT:    %4 = linalg.matmul ins(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %5 = linalg.matmul {foo} ins(%arg8, %arg8 : tensor<4x4xf16>, tensor<4x4xf16>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %6 = linalg.matmul indexing_maps = [#map1, #map2, #map3] ins(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %7 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%arg4, %arg4 : tensor<4x4xi32>, tensor<4x4xi32>) outs(%arg4 : tensor<4x4xi32>) -> tensor<4x4xi32>
// CHECK-NEXT:    linalg.matmul ins(%arg3, %arg3 : memref<4x4xf32>, memref<4x4xf32>) outs(%arg3 : memref<4x4xf32>)
// CHECK-NEXT:    %8 = linalg.batch_matmul ins(%arg7, %arg7 : tensor<2x4x4xf32>, tensor<2x4x4xf32>) outs(%arg7 : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
// CHECK-NEXT:    %9 = linalg.add ins(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %10 = linalg.copy ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %11 = linalg.exp ins(%arg0 : tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %12 = linalg.contract indexing_maps = [#map1, #map2, #map3] ins(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:}

// GENERIC:#map = affine_map<(d0, d1) -> (d0, d1)>
// GENERIC-NEXT:#map1 = affine_map<(d0, d1, d2) -> (d0, d2)>
// GENERIC-NEXT:#map2 = affine_map<(d0, d1, d2) -> (d2, d1)>
// GENERIC-NEXT:#map3 = affine_map<(d0, d1, d2) -> (d0, d1)>
// GENERIC-NEXT:#map4 = affine_map<(d0, d1, d2) -> (d2, d0)>
// GENERIC-NEXT:#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// GENERIC-NEXT:#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
// GENERIC-NEXT:#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// GENERIC-NEXT:"builtin.module"() ({
// GENERIC-NEXT:  "func.func"() <{function_type = (tensor<4x4xf32>, index, f32, memref<4x4xf32>, tensor<4x4xi32>, tensor<4xf32>, tensor<4xi32>, tensor<2x4x4xf32>, tensor<4x4xf16>, memref<4xf32>) -> (), sym_name = "f"}> ({
// GENERIC-NEXT:  ^bb0(%arg0: tensor<4x4xf32>, %arg1: index, %arg2: f32, %arg3: memref<4x4xf32>, %arg4: tensor<4x4xi32>, %arg5: tensor<4xf32>, %arg6: tensor<4xi32>, %arg7: tensor<2x4x4xf32>, %arg8: tensor<4x4xf16>, %arg9: memref<4xf32>):
// GENERIC-NEXT:    %0 = "linalg.generic"(%arg0, %arg0) <{indexing_maps = [#map, #map], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg70: f32, %arg71: f32):
// GENERIC-NEXT:      %43 = "linalg.index"() <{dim = 1 : i64}> : () -> index
// GENERIC-NEXT:      "linalg.yield"(%arg70) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %1:2 = "linalg.generic"(%arg0, %arg0, %arg0) <{doc = "x", indexing_maps = [#map, #map, #map], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], library_call = "foo", operandSegmentSizes = array<i32: 1, 2>}> ({
// GENERIC-NEXT:    ^bb0(%arg67: f32, %arg68: f32, %arg69: f32):
// GENERIC-NEXT:      "linalg.yield"(%arg67, %arg67) : (f32, f32) -> ()
// GENERIC-NEXT:    }) {a, tt.b = 1 : i32} : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
// GENERIC-NEXT:    "linalg.generic"(%arg3, %arg3) <{indexing_maps = [#map, #map], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg65: f32, %arg66: f32):
// GENERIC-NEXT:      "linalg.yield"(%arg65) : (f32) -> ()
// GENERIC-NEXT:    }) : (memref<4x4xf32>, memref<4x4xf32>) -> ()
// GENERIC-NEXT:    %2 = "linalg.generic"(%arg0) <{indexing_maps = [#map], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg64: f32):
// GENERIC-NEXT:      "linalg.yield"(%arg2) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %3 = "linalg.fill"(%arg2, %arg0) <{operandSegmentSizes = array<i32: 1, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg62: f32, %arg63: f32):
// GENERIC-NEXT:      "linalg.yield"(%arg62) : (f32) -> ()
// GENERIC-NEXT:    }) : (f32, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    "linalg.fill"(%arg2, %arg3) <{operandSegmentSizes = array<i32: 1, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg60: f32, %arg61: f32):
// GENERIC-NEXT:      "linalg.yield"(%arg60) : (f32) -> ()
// GENERIC-NEXT:    }) {foo} : (f32, memref<4x4xf32>) -> ()
// GENERIC-NEXT:    %4 = "linalg.map"(%arg0, %arg0, %arg0) ({
// GENERIC-NEXT:    ^bb0(%arg57: f32, %arg58: f32, %arg59: f32):
// GENERIC-NEXT:      %41 = "arith.addf"(%arg57, %arg58) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:      %42 = "arith.addf"(%41, %arg58) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%42) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %5 = "linalg.map"(%arg0, %arg0, %arg0) ({
// GENERIC-NEXT:    ^bb0(%arg54: f32, %arg55: f32, %arg56: f32):
// GENERIC-NEXT:      %40 = "arith.addf"(%arg54, %arg55) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%40) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %6 = "linalg.reduce"(%arg0, %arg5) <{dimensions = array<i64: 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg52: f32, %arg53: f32):
// GENERIC-NEXT:      %39 = "arith.addf"(%arg53, %arg52) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%39) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    %7:2 = "linalg.reduce"(%arg0, %arg4, %arg5, %arg6) <{dimensions = array<i64: 0>}> ({
// GENERIC-NEXT:    ^bb0(%arg48: f32, %arg49: i32, %arg50: f32, %arg51: i32):
// GENERIC-NEXT:      %38 = "arith.addf"(%arg48, %arg50) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%38, %arg51) : (f32, i32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xi32>, tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>)
// GENERIC-NEXT:    "linalg.reduce"(%arg3, %arg9) <{dimensions = array<i64: 0>}> ({
// GENERIC-NEXT:    ^bb0(%arg46: f32, %arg47: f32):
// GENERIC-NEXT:      %37 = "arith.addf"(%arg47, %arg46) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%37) : (f32) -> ()
// GENERIC-NEXT:    }) {foo} : (memref<4x4xf32>, memref<4xf32>) -> ()
// GENERIC-NEXT:    %8 = "linalg.transpose"(%arg0, %arg0) <{permutation = array<i64: 1, 0>}> ({
// GENERIC-NEXT:    ^bb0(%arg44: f32, %arg45: f32):
// GENERIC-NEXT:      "linalg.yield"(%arg44) : (f32) -> ()
// GENERIC-NEXT:    }) {foo} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    "linalg.transpose"(%arg3, %arg3) <{permutation = array<i64: 1, 0>}> ({
// GENERIC-NEXT:    ^bb0(%arg42: f32, %arg43: f32):
// GENERIC-NEXT:      "linalg.yield"(%arg42) : (f32) -> ()
// GENERIC-NEXT:    }) : (memref<4x4xf32>, memref<4x4xf32>) -> ()
// GENERIC-NEXT:    %9 = "linalg.broadcast"(%arg5, %arg0) <{dimensions = array<i64: 0>}> ({
// GENERIC-NEXT:    ^bb0(%arg40: f32, %arg41: f32):
// GENERIC-NEXT:      "linalg.yield"(%arg40) : (f32) -> ()
// GENERIC-NEXT:    }) {foo} : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    "linalg.broadcast"(%arg9, %arg3) <{dimensions = array<i64: 0>}> ({
// GENERIC-NEXT:    ^bb0(%arg38: f32, %arg39: f32):
// GENERIC-NEXT:      "linalg.yield"(%arg38) : (f32) -> ()
// GENERIC-NEXT:    }) : (memref<4xf32>, memref<4x4xf32>) -> ()
// GENERIC-NEXT:    %10 = "linalg.matmul"(%arg0, %arg0, %arg0) <{indexing_maps = [#map1, #map2, #map3], operandSegmentSizes = array<i32: 2, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg35: f32, %arg36: f32, %arg37: f32):
// GENERIC-NEXT:      %35 = "arith.mulf"(%arg35, %arg36) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:      %36 = "arith.addf"(%arg37, %35) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%36) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %11 = "linalg.matmul"(%arg8, %arg8, %arg0) <{indexing_maps = [#map1, #map2, #map3], operandSegmentSizes = array<i32: 2, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg32: f16, %arg33: f16, %arg34: f32):
// GENERIC-NEXT:      %31 = "arith.extf"(%arg32) : (f16) -> f32
// GENERIC-NEXT:      %32 = "arith.extf"(%arg33) : (f16) -> f32
// GENERIC-NEXT:      %33 = "arith.mulf"(%31, %32) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:      %34 = "arith.addf"(%arg34, %33) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%34) : (f32) -> ()
// GENERIC-NEXT:    }) {foo} : (tensor<4x4xf16>, tensor<4x4xf16>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %12 = "linalg.matmul"(%arg0, %arg0, %arg0) <{indexing_maps = [#map4, #map2, #map3], operandSegmentSizes = array<i32: 2, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg29: f32, %arg30: f32, %arg31: f32):
// GENERIC-NEXT:      %29 = "arith.mulf"(%arg29, %arg30) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:      %30 = "arith.addf"(%arg31, %29) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%30) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %13 = "linalg.matmul"(%arg4, %arg4, %arg4) <{cast = #linalg.type_fn<cast_unsigned>, indexing_maps = [#map1, #map2, #map3], operandSegmentSizes = array<i32: 2, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg26: i32, %arg27: i32, %arg28: i32):
// GENERIC-NEXT:      %27 = "arith.muli"(%arg26, %arg27) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
// GENERIC-NEXT:      %28 = "arith.addi"(%arg28, %27) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
// GENERIC-NEXT:      "linalg.yield"(%28) : (i32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xi32>, tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
// GENERIC-NEXT:    "linalg.matmul"(%arg3, %arg3, %arg3) <{indexing_maps = [#map1, #map2, #map3], operandSegmentSizes = array<i32: 2, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg23: f32, %arg24: f32, %arg25: f32):
// GENERIC-NEXT:      %25 = "arith.mulf"(%arg23, %arg24) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:      %26 = "arith.addf"(%arg25, %25) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%26) : (f32) -> ()
// GENERIC-NEXT:    }) : (memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>) -> ()
// GENERIC-NEXT:    %14 = "linalg.batch_matmul"(%arg7, %arg7, %arg7) <{indexing_maps = [#map5, #map6, #map7], operandSegmentSizes = array<i32: 2, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg20: f32, %arg21: f32, %arg22: f32):
// GENERIC-NEXT:      %23 = "arith.mulf"(%arg20, %arg21) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:      %24 = "arith.addf"(%arg22, %23) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%24) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
// GENERIC-NEXT:    %15 = "linalg.add"(%arg0, %arg0, %arg0) <{operandSegmentSizes = array<i32: 2, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg17: f32, %arg18: f32, %arg19: f32):
// GENERIC-NEXT:      %22 = "arith.addf"(%arg17, %arg18) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%22) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %16 = "linalg.copy"(%arg0, %arg0) <{operandSegmentSizes = array<i32: 1, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg15: f32, %arg16: f32):
// GENERIC-NEXT:      "linalg.yield"(%arg15) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %17 = "linalg.exp"(%arg0, %arg0) <{operandSegmentSizes = array<i32: 1, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg13: f32, %arg14: f32):
// GENERIC-NEXT:      %21 = "math.exp"(%arg13) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%21) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %18 = "linalg.contract"(%arg0, %arg0, %arg0) <{indexing_maps = [#map4, #map2, #map3], operandSegmentSizes = array<i32: 2, 1>}> ({
// GENERIC-NEXT:    ^bb0(%arg10: f32, %arg11: f32, %arg12: f32):
// GENERIC-NEXT:      %19 = "arith.mulf"(%arg10, %arg11) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:      %20 = "arith.addf"(%arg12, %19) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:      "linalg.yield"(%20) : (f32) -> ()
// GENERIC-NEXT:    }) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    "func.return"() : () -> ()
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:}) : () -> ()
