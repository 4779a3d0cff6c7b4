// Maps, loops and accesses of affine: written and read as MLIR 22 does, byte for byte.
//
// RUN: xtriton-opt %s --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace
// RUN: xtriton-opt %s --triton-version=3.7 --mlir-print-op-generic | filecheck %s --match-full-lines --strict-whitespace --check-prefix=GENERIC
// RUN: xtriton-opt %s --mlir-print-op-generic | xtriton-opt --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace

#map = affine_map<(d0)[s0] -> (d0 * 2 + s0 floordiv 3)>
#map1 = affine_map<(d0) -> (d0, 16)>
#map2 = affine_map<(d0)[s0] -> (d0, s0)>
#map3 = affine_map<(d0)[s0] -> (d0 + s0)>
#set = affine_set<(d0)[s0] : (d0 - s0 >= 0)>
module {
  func.func @f(%arg0: index, %arg1: memref<?x?xf32>, %arg2: f32) {
    %0 = affine.apply #map(%arg0)[%arg0] {a}
    %1 = affine.min #map1(%arg0)
    %2 = affine.max #map2(%arg0)[%arg0]
    affine.for %arg3 = 0 to 10 {
    } {a}
    %3 = affine.for %arg3 = 0 to min #map1(%arg0) step 2 iter_args(%arg4 = %arg2) -> (f32) {
      affine.yield %arg4 : f32
    }
    affine.for %arg3 = max #map2(%arg0)[%arg0] to %arg0 {
      %8 = affine.load %arg1[%arg3 + 1, symbol(%arg0) * 2] : memref<?x?xf32>
      affine.store %arg2, %arg1[%arg3, %arg3 mod 4] {b} : memref<?x?xf32>
      affine.if #set(%arg3)[%arg0] {
      } else {
      }
      %9 = affine.if #set(%arg3)[%arg0] -> f32 {
        affine.yield %arg2 : f32
      } else {
        affine.yield %arg2 : f32
      }
    }
    %4:2 = affine.delinearize_index %arg0 into (4, 5) : index, index
    %5 = affine.linearize_index disjoint [%arg0, %arg0] by (4, 5) : index
    %6:2 = affine.delinearize_index %arg0 into (%arg0, 5) {a} : index, index
    %7 = affine.vector_load %arg1[%arg0, %arg0] : memref<?x?xf32>, vector<4xf32>
    affine.vector_store %7, %arg1[%arg0, %arg0] : memref<?x?xf32>, vector<4xf32>
    affine.for %arg3 = #map3(%arg0)[%arg0] to %arg0 {
    }
    return
  }
}

// CHECK:#map = affine_map<(d0)[s0] -> (d0 * 2 + s0 floordiv 3)>
// CHECK-NEXT:#map1 = affine_map<(d0) -> (d0, 16)>
// CHECK-NEXT:#map2 = affine_map<(d0)[s0] -> (d0, s0)>
// CHECK-NEXT:#map3 = affine_map<(d0)[s0] -> (d0 + s0)>
// CHECK-NEXT:#set = affine_set<(d0)[s0] : (d0 - s0 >= 0)>
// CHECK-NEXT:module {
// CHECK-NEXT:  func.func @f(%arg0: index, %arg1: memref<?x?xf32>, %arg2: f32) {
// CHECK-NEXT:    %0 = affine.apply #map(%arg0)[%arg0] {a}
// CHECK-NEXT:    %1 = affine.min #map1(%arg0)
// CHECK-NEXT:    %2 = affine.max #map2(%arg0)[%arg0]
// CHECK-NEXT:    affine.for %arg3 = 0 to 10 {
// CHECK-NEXT:    } {a}
// CHECK-NEXT:    %3 = affine.for %arg3 = 0 to min #map1(%arg0) step 2 iter_args(%arg4 = %arg2) -> (f32) {
// CHECK-NEXT:      affine.yield %arg4 : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    affine.for %arg3 = max #map2(%arg0)[%arg0] to %arg0 {
// CHECK-NEXT:      %8 = affine.load %arg1[%arg3 + 1, symbol(%arg0) * 2] : memref<?x?xf32>
// CHECK-NEXT:      affine.store %arg2, %arg1[%arg3, %arg3 mod 4] {b} : memref<?x?xf32>
// CHECK-NEXT:      affine.if #set(%arg3)[%arg0] {
// CHECK-NEXT:      } else {
// CHECK-NEXT:      }
// CHECK-NEXT:      %9 = affine.if #set(%arg3)[%arg0] -> f32 {
// CHECK-NEXT:        affine.yield %arg2 : f32
// CHECK-NEXT:      } else {
// CHECK-NEXT:        affine.yield %arg2 : f32
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    %4:2 = affine.delinearize_index %arg0 into (4, 5) : index, index
// CHECK-NEXT:    %5 = affine.linearize_index disjoint [%arg0, %arg0] by (4, 5) : index
// CHECK-NEXT:    %6:2 = affine.delinearize_index %arg0 into (%arg0, 5) {a} : index, index
// CHECK-NEXT:    %7 = affine.vector_load %arg1[%arg0, %arg0] : memref<?x?xf32>, vector<4xf32>
// CHECK-NEXT:    affine.vector_store %7, %arg1[%arg0, %arg0] : memref<?x?xf32>, vector<4xf32>
// CHECK-NEXT:    affine.for %arg3 = #map3(%arg0)[%arg0] to %arg0 {
// CHECK-NEXT:    }
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:}

// GENERIC:#map = affine_map<(d0)[s0] -> (d0 * 2 + s0 floordiv 3)>
// GENERIC-NEXT:#map1 = affine_map<(d0) -> (d0, 16)>
// GENERIC-NEXT:#map2 = affine_map<(d0)[s0] -> (d0, s0)>
// GENERIC-NEXT:#map3 = affine_map<() -> (0)>
// GENERIC-NEXT:#map4 = affine_map<() -> (10)>
// GENERIC-NEXT:#map5 = affine_map<(d0)[s0] -> (d0 + 1, s0 * 2)>
// GENERIC-NEXT:#map6 = affine_map<(d0) -> (d0, d0 mod 4)>
// GENERIC-NEXT:#map7 = affine_map<()[s0] -> (s0)>
// GENERIC-NEXT:#map8 = affine_map<(d0) -> (d0, d0)>
// GENERIC-NEXT:#map9 = affine_map<(d0)[s0] -> (d0 + s0)>
// GENERIC-NEXT:#set = affine_set<(d0)[s0] : (d0 - s0 >= 0)>
// GENERIC-NEXT:"builtin.module"() ({
// GENERIC-NEXT:  "func.func"() <{function_type = (index, memref<?x?xf32>, f32) -> (), sym_name = "f"}> ({
// GENERIC-NEXT:  ^bb0(%arg0: index, %arg1: memref<?x?xf32>, %arg2: f32):
// GENERIC-NEXT:    %0 = "affine.apply"(%arg0, %arg0) <{map = #map}> {a} : (index, index) -> index
// GENERIC-NEXT:    %1 = "affine.min"(%arg0) <{map = #map1}> : (index) -> index
// GENERIC-NEXT:    %2 = "affine.max"(%arg0, %arg0) <{map = #map2}> : (index, index) -> index
// GENERIC-NEXT:    "affine.for"() <{lowerBoundMap = #map3, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map4}> ({
// GENERIC-NEXT:    ^bb0(%arg7: index):
// GENERIC-NEXT:      "affine.yield"() : () -> ()
// GENERIC-NEXT:    }) {a} : () -> ()
// GENERIC-NEXT:    %3 = "affine.for"(%arg0, %arg2) <{lowerBoundMap = #map3, operandSegmentSizes = array<i32: 0, 1, 1>, step = 2 : index, upperBoundMap = #map1}> ({
// GENERIC-NEXT:    ^bb0(%arg5: index, %arg6: f32):
// GENERIC-NEXT:      "affine.yield"(%arg6) : (f32) -> ()
// GENERIC-NEXT:    }) : (index, f32) -> f32
// GENERIC-NEXT:    "affine.for"(%arg0, %arg0, %arg0) <{lowerBoundMap = #map2, operandSegmentSizes = array<i32: 2, 1, 0>, step = 1 : index, upperBoundMap = #map7}> ({
// GENERIC-NEXT:    ^bb0(%arg4: index):
// GENERIC-NEXT:      %8 = "affine.load"(%arg1, %arg4, %arg0) <{map = #map5}> : (memref<?x?xf32>, index, index) -> f32
// GENERIC-NEXT:      "affine.store"(%arg2, %arg1, %arg4) <{map = #map6}> {b} : (f32, memref<?x?xf32>, index) -> ()
// GENERIC-NEXT:      "affine.if"(%arg4, %arg0) <{condition = #set}> ({
// GENERIC-NEXT:        "affine.yield"() : () -> ()
// GENERIC-NEXT:      }, {
// GENERIC-NEXT:        "affine.yield"() : () -> ()
// GENERIC-NEXT:      }) : (index, index) -> ()
// GENERIC-NEXT:      %9 = "affine.if"(%arg4, %arg0) <{condition = #set}> ({
// GENERIC-NEXT:        "affine.yield"(%arg2) : (f32) -> ()
// GENERIC-NEXT:      }, {
// GENERIC-NEXT:        "affine.yield"(%arg2) : (f32) -> ()
// GENERIC-NEXT:      }) : (index, index) -> f32
// GENERIC-NEXT:      "affine.yield"() : () -> ()
// GENERIC-NEXT:    }) : (index, index, index) -> ()
// GENERIC-NEXT:    %4:2 = "affine.delinearize_index"(%arg0) <{static_basis = array<i64: 4, 5>}> : (index) -> (index, index)
// GENERIC-NEXT:    %5 = "affine.linearize_index"(%arg0, %arg0) <{disjoint, operandSegmentSizes = array<i32: 2, 0>, static_basis = array<i64: 4, 5>}> : (index, index) -> index
// GENERIC-NEXT:    %6:2 = "affine.delinearize_index"(%arg0, %arg0) <{static_basis = array<i64: -9223372036854775808, 5>}> {a} : (index, index) -> (index, index)
// GENERIC-NEXT:    %7 = "affine.vector_load"(%arg1, %arg0) <{map = #map8}> : (memref<?x?xf32>, index) -> vector<4xf32>
// GENERIC-NEXT:    "affine.vector_store"(%7, %arg1, %arg0) <{map = #map8}> : (vector<4xf32>, memref<?x?xf32>, index) -> ()
// GENERIC-NEXT:    "affine.for"(%arg0, %arg0, %arg0) <{lowerBoundMap = #map9, operandSegmentSizes = array<i32: 2, 1, 0>, step = 1 : index, upperBoundMap = #map7}> ({
// GENERIC-NEXT:    ^bb0(%arg3: index):
// GENERIC-NEXT:      "affine.yield"() : () -> ()
// GENERIC-NEXT:    }) : (index, index, index) -> ()
// GENERIC-NEXT:    "func.return"() : () -> ()
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:}) : () -> ()
