// Ops of vector: written and read as MLIR 22 does, byte for byte.
//
// RUN: xtriton-opt %s --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace
// RUN: xtriton-opt %s --triton-version=3.7 --mlir-print-op-generic | filecheck %s --match-full-lines --strict-whitespace --check-prefix=GENERIC
// RUN: xtriton-opt %s --mlir-print-op-generic | xtriton-opt --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace

#map = affine_map<(d0, d1) -> (d0)>
module {
  func.func @f(%arg0: !llvm.ptr<1>, %arg1: i32, %arg2: f32, %arg3: vector<4xf32>, %arg4: i1, %arg5: i64, %arg6: memref<?x?xf32>, %arg7: index, %arg8: vector<4xi1>, %arg9: vector<4x8xf32>, %arg10: vector<4xi32>, %arg11: tensor<4x4xf32>) {
    %0 = vector.bitcast %arg3 : vector<4xf32> to vector<4xi32>
    %1 = vector.broadcast %arg2 {a} : f32 to vector<4xf32>
    %2 = vector.create_mask %arg7 {a} : vector<4xi1>
    %3 = vector.constant_mask [2] : vector<4xi1>
    %4 = vector.extract %arg3[0] : f32 from vector<4xf32>
    %5 = vector.extract %arg9[%arg7, 1] {a} : f32 from vector<4x8xf32>
    %6 = vector.insert %arg2, %arg3 [%arg7] : f32 into vector<4xf32>
    %7 = vector.insert %arg2, %arg9 [1, 2] {a} : f32 into vector<4x8xf32>
    %8 = vector.fma %arg3, %arg3, %arg3 : vector<4xf32>
    %9 = vector.load %arg6[%arg7, %arg7] : memref<?x?xf32>, vector<4xf32>
    %10 = vector.load %arg6[%arg7, %arg7] {nontemporal = true} : memref<?x?xf32>, vector<4xf32>
    vector.store %arg3, %arg6[%arg7, %arg7] {alignment = 8 : i64} : memref<?x?xf32>, vector<4xf32>
    %11 = vector.maskedload %arg6[%arg7, %arg7], %arg8, %arg3 : memref<?x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    vector.maskedstore %arg6[%arg7, %arg7], %arg8, %arg3 : memref<?x?xf32>, vector<4xi1>, vector<4xf32>
    vector.print %arg3 : vector<4xf32>
    vector.print str "foo"
    vector.print punctuation <comma>
    %12 = vector.reduction <add>, %arg3 : vector<4xf32> into f32
    %13 = vector.reduction <maxsi>, %arg10, %arg1 : vector<4xi32> into i32
    %14 = vector.reduction <add>, %arg3, %arg2 fastmath<reassoc> {a} : vector<4xf32> into f32
    %15 = vector.shuffle %arg3, %arg3 [0, 4, 1] : vector<4xf32>, vector<4xf32>
    %16 = vector.shape_cast %arg9 : vector<4x8xf32> to vector<32xf32>
    %17 = vector.transpose %arg9, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
    %18 = vector.from_elements %arg2, %arg2 : vector<2xf32>
    %19 = vector.step : vector<4xindex>
    %20 = vector.multi_reduction <add>, %arg9, %arg3 [1] : vector<4x8xf32> to vector<4xf32>
    %21 = vector.interleave %arg3, %arg3 : vector<4xf32> -> vector<8xf32>
    %res1, %res2 = vector.deinterleave %arg3 : vector<4xf32> -> vector<2xf32>
    %22 = vector.gather %arg6[%arg7, %arg7] [%arg10], %arg8, %arg3 : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    vector.scatter %arg6[%arg7, %arg7] [%arg10], %arg8, %arg3 : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
    %23 = vector.extract_strided_slice %arg9 {offsets = [0, 2], sizes = [2, 4], strides = [1, 1]} : vector<4x8xf32> to vector<2x4xf32>
    %24 = vector.insert_strided_slice %arg3, %arg9 {offsets = [0, 2], strides = [1]} : vector<4xf32> into vector<4x8xf32>
    %vscale = vector.vscale
    %25 = vector.transfer_read %arg6[%arg7, %arg7], %arg2 : memref<?x?xf32>, vector<4xf32>
    %26 = vector.transfer_read %arg6[%arg7, %arg7], %arg2, %arg8 {in_bounds = [true], permutation_map = #map} : memref<?x?xf32>, vector<4xf32>
    vector.transfer_write %arg3, %arg6[%arg7, %arg7] {in_bounds = [true]} : vector<4xf32>, memref<?x?xf32>
    %27 = vector.transfer_write %arg9, %arg11[%arg7, %arg7] : vector<4x8xf32>, tensor<4x4xf32>
    return
  }
}

// CHECK:#map = affine_map<(d0, d1) -> (d0)>
// CHECK-NEXT:module {
// CHECK-NEXT:  func.func @f(%arg0: !llvm.ptr<1>, %arg1: i32, %arg2: f32, %arg3: vector<4xf32>, %arg4: i1, %arg5: i64, %arg6: memref<?x?xf32>, %arg7: index, %arg8: vector<4xi1>, %arg9: vector<4x8xf32>, %arg10: vector<4xi32>, %arg11: tensor<4x4xf32>) {
// CHECK-NEXT:    %0 = vector.bitcast %arg3 : vector<4xf32> to vector<4xi32>
// CHECK-NEXT:    %1 = vector.broadcast %arg2 {a} : f32 to vector<4xf32>
// CHECK-NEXT:    %2 = vector.create_mask %arg7 {a} : vector<4xi1>
// CHECK-NEXT:    %3 = vector.constant_mask [2] : vector<4xi1>
// CHECK-NEXT:    %4 = vector.extract %arg3[0] : f32 from vector<4xf32>
// CHECK-NEXT:    %5 = vector.extract %arg9[%arg7, 1] {a} : f32 from vector<4x8xf32>
// CHECK-NEXT:    %6 = vector.insert %arg2, %arg3 [%arg7] : f32 into vector<4xf32>
// CHECK-NEXT:    %7 = vector.insert %arg2, %arg9 [1, 2] {a} : f32 into vector<4x8xf32>
// CHECK-NEXT:    %8 = vector.fma %arg3, %arg3, %arg3 : vector<4xf32>
// CHECK-NEXT:    %9 = vector.load %arg6[%arg7, %arg7] : memref<?x?xf32>, vector<4xf32>
// CHECK-NEXT:    %10 = vector.load %arg6[%arg7, %arg7] {nontemporal = true} : memref<?x?xf32>, vector<4xf32>
// CHECK-NEXT:    vector.store %arg3, %arg6[%arg7, %arg7] {alignment = 8 : i64} : memref<?x?xf32>, vector<4xf32>
// CHECK-NEXT:    %11 = vector.maskedload %arg6[%arg7, %arg7], %arg8, %arg3 : memref<?x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
// CHECK-NEXT:    vector.maskedstore %arg6[%arg7, %arg7], %arg8, %arg3 : memref<?x?xf32>, vector<4xi1>, vector<4xf32>
// CHECK-NEXT:    vector.print %arg3 : vector<4xf32>
// CHECK-NEXT:    vector.print str "foo"
// CHECK-NEXT:    vector.print punctuation <comma>
// CHECK-NEXT:    %12 = vector.reduction <add>, %arg3 : vector<4xf32> into f32
// CHECK-NEXT:    %13 = vector.reduction <maxsi>, %arg10, %arg1 : vector<4xi32> into i32
// CHECK-NEXT:    %14 = vector.reduction <add>, %arg3, %arg2 fastmath<reassoc> {a} : vector<4xf32> into f32
// CHECK-NEXT:    %15 = vector.shuffle %arg3, %arg3 [0, 4, 1] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT:    %16 = vector.shape_cast %arg9 : vector<4x8xf32> to vector<32xf32>
// CHECK-NEXT:    %17 = vector.transpose %arg9, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
// CHECK-NEXT:    %18 = vector.from_elements %arg2, %arg2 : vector<2xf32>
// CHECK-NEXT:    %19 = vector.step : vector<4xindex>
// CHECK-NEXT:    %20 = vector.multi_reduction <add>, %arg9, %arg3 [1] : vector<4x8xf32> to vector<4xf32>
// CHECK-NEXT:    %21 = vector.interleave %arg3, %arg3 : vector<4xf32> -> vector<8xf32>
// CHECK-NEXT:    %res1, %res2 = vector.deinterleave %arg3 : vector<4xf32> -> vector<2xf32>
// CHECK-NEXT:    %22 = vector.gather %arg6[%arg7, %arg7] [%arg10], %arg8, %arg3 : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
// CHECK-NEXT:    vector.scatter %arg6[%arg7, %arg7] [%arg10], %arg8, %arg3 : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
// CHECK-NEXT:    %23 = vector.extract_strided_slice %arg9 {offsets = [0, 2], sizes = [2, 4], strides = [1, 1]} : vector<4x8xf32> to vector<2x4xf32>
// CHECK-NEXT:    %24 = vector.insert_strided_slice %arg3, %arg9 {offsets = [0, 2], strides = [1]} : vector<4xf32> into vector<4x8xf32>
// CHECK-NEXT:    %vscale = vector.vscale
// CHECK-NEXT:    %25 = vector.transfer_read %arg6[%arg7, %arg7], %arg2 : memref<?x?xf32>, vector<4xf32>
// CHECK-NEXT:    %26 = vector.transfer_read %arg6[%arg7, %arg7], %arg2, %arg8 {in_bounds = [true], permutation_map = #map} : memref<?x?xf32>, vector<4xf32>
// CHECK-NEXT:    vector.transfer_write %arg3, %arg6[%arg7, %arg7] {in_bounds = [true]} : vector<4xf32>, memref<?x?xf32>
// CHECK-NEXT:    %27 = vector.transfer_write %arg9, %arg11[%arg7, %arg7] : vector<4x8xf32>, tensor<4x4xf32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:}

// GENERIC:#map = affine_map<(d0, d1) -> (d1)>
// GENERIC-NEXT:#map1 = affine_map<(d0, d1) -> (d0)>
// GENERIC-NEXT:#map2 = affine_map<(d0, d1) -> (d0, d1)>
// GENERIC-NEXT:"builtin.module"() ({
// GENERIC-NEXT:  "func.func"() <{function_type = (!llvm.ptr<1>, i32, f32, vector<4xf32>, i1, i64, memref<?x?xf32>, index, vector<4xi1>, vector<4x8xf32>, vector<4xi32>, tensor<4x4xf32>) -> (), sym_name = "f"}> ({
// GENERIC-NEXT:  ^bb0(%arg0: !llvm.ptr<1>, %arg1: i32, %arg2: f32, %arg3: vector<4xf32>, %arg4: i1, %arg5: i64, %arg6: memref<?x?xf32>, %arg7: index, %arg8: vector<4xi1>, %arg9: vector<4x8xf32>, %arg10: vector<4xi32>, %arg11: tensor<4x4xf32>):
// GENERIC-NEXT:    %0 = "vector.bitcast"(%arg3) : (vector<4xf32>) -> vector<4xi32>
// GENERIC-NEXT:    %1 = "vector.broadcast"(%arg2) {a} : (f32) -> vector<4xf32>
// GENERIC-NEXT:    %2 = "vector.create_mask"(%arg7) {a} : (index) -> vector<4xi1>
// GENERIC-NEXT:    %3 = "vector.constant_mask"() <{mask_dim_sizes = array<i64: 2>}> : () -> vector<4xi1>
// GENERIC-NEXT:    %4 = "vector.extract"(%arg3) <{static_position = array<i64: 0>}> : (vector<4xf32>) -> f32
// GENERIC-NEXT:    %5 = "vector.extract"(%arg9, %arg7) <{static_position = array<i64: -9223372036854775808, 1>}> {a} : (vector<4x8xf32>, index) -> f32
// GENERIC-NEXT:    %6 = "vector.insert"(%arg2, %arg3, %arg7) <{static_position = array<i64: -9223372036854775808>}> : (f32, vector<4xf32>, index) -> vector<4xf32>
// GENERIC-NEXT:    %7 = "vector.insert"(%arg2, %arg9) <{static_position = array<i64: 1, 2>}> {a} : (f32, vector<4x8xf32>) -> vector<4x8xf32>
// GENERIC-NEXT:    %8 = "vector.fma"(%arg3, %arg3, %arg3) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
// GENERIC-NEXT:    %9 = "vector.load"(%arg6, %arg7, %arg7) : (memref<?x?xf32>, index, index) -> vector<4xf32>
// GENERIC-NEXT:    %10 = "vector.load"(%arg6, %arg7, %arg7) <{nontemporal = true}> : (memref<?x?xf32>, index, index) -> vector<4xf32>
// GENERIC-NEXT:    "vector.store"(%arg3, %arg6, %arg7, %arg7) <{alignment = 8 : i64}> : (vector<4xf32>, memref<?x?xf32>, index, index) -> ()
// GENERIC-NEXT:    %11 = "vector.maskedload"(%arg6, %arg7, %arg7, %arg8, %arg3) : (memref<?x?xf32>, index, index, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
// GENERIC-NEXT:    "vector.maskedstore"(%arg6, %arg7, %arg7, %arg8, %arg3) : (memref<?x?xf32>, index, index, vector<4xi1>, vector<4xf32>) -> ()
// GENERIC-NEXT:    "vector.print"(%arg3) <{punctuation = #vector.punctuation<newline>}> : (vector<4xf32>) -> ()
// GENERIC-NEXT:    "vector.print"() <{punctuation = #vector.punctuation<newline>, stringLiteral = "foo"}> : () -> ()
// GENERIC-NEXT:    "vector.print"() <{punctuation = #vector.punctuation<comma>}> : () -> ()
// GENERIC-NEXT:    %12 = "vector.reduction"(%arg3) <{fastmath = #arith.fastmath<none>, kind = #vector.kind<add>}> : (vector<4xf32>) -> f32
// GENERIC-NEXT:    %13 = "vector.reduction"(%arg10, %arg1) <{fastmath = #arith.fastmath<none>, kind = #vector.kind<maxsi>}> : (vector<4xi32>, i32) -> i32
// GENERIC-NEXT:    %14 = "vector.reduction"(%arg3, %arg2) <{fastmath = #arith.fastmath<reassoc>, kind = #vector.kind<add>}> {a} : (vector<4xf32>, f32) -> f32
// GENERIC-NEXT:    %15 = "vector.shuffle"(%arg3, %arg3) <{mask = array<i64: 0, 4, 1>}> : (vector<4xf32>, vector<4xf32>) -> vector<3xf32>
// GENERIC-NEXT:    %16 = "vector.shape_cast"(%arg9) : (vector<4x8xf32>) -> vector<32xf32>
// GENERIC-NEXT:    %17 = "vector.transpose"(%arg9) <{permutation = array<i64: 1, 0>}> : (vector<4x8xf32>) -> vector<8x4xf32>
// GENERIC-NEXT:    %18 = "vector.from_elements"(%arg2, %arg2) : (f32, f32) -> vector<2xf32>
// GENERIC-NEXT:    %19 = "vector.step"() : () -> vector<4xindex>
// GENERIC-NEXT:    %20 = "vector.multi_reduction"(%arg9, %arg3) <{kind = #vector.kind<add>, reduction_dims = array<i64: 1>}> : (vector<4x8xf32>, vector<4xf32>) -> vector<4xf32>
// GENERIC-NEXT:    %21 = "vector.interleave"(%arg3, %arg3) : (vector<4xf32>, vector<4xf32>) -> vector<8xf32>
// GENERIC-NEXT:    %22:2 = "vector.deinterleave"(%arg3) : (vector<4xf32>) -> (vector<2xf32>, vector<2xf32>)
// GENERIC-NEXT:    %23 = "vector.gather"(%arg6, %arg7, %arg7, %arg10, %arg8, %arg3) : (memref<?x?xf32>, index, index, vector<4xi32>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
// GENERIC-NEXT:    "vector.scatter"(%arg6, %arg7, %arg7, %arg10, %arg8, %arg3) : (memref<?x?xf32>, index, index, vector<4xi32>, vector<4xi1>, vector<4xf32>) -> ()
// GENERIC-NEXT:    %24 = "vector.extract_strided_slice"(%arg9) <{offsets = [0, 2], sizes = [2, 4], strides = [1, 1]}> : (vector<4x8xf32>) -> vector<2x4xf32>
// GENERIC-NEXT:    %25 = "vector.insert_strided_slice"(%arg3, %arg9) <{offsets = [0, 2], strides = [1]}> : (vector<4xf32>, vector<4x8xf32>) -> vector<4x8xf32>
// GENERIC-NEXT:    %26 = "vector.vscale"() : () -> index
// GENERIC-NEXT:    %27 = "vector.transfer_read"(%arg6, %arg7, %arg7, %arg2) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = #map}> : (memref<?x?xf32>, index, index, f32) -> vector<4xf32>
// GENERIC-NEXT:    %28 = "vector.transfer_read"(%arg6, %arg7, %arg7, %arg2, %arg8) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 2, 1, 1>, permutation_map = #map1}> : (memref<?x?xf32>, index, index, f32, vector<4xi1>) -> vector<4xf32>
// GENERIC-NEXT:    "vector.transfer_write"(%arg3, %arg6, %arg7, %arg7) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 1, 2, 0>, permutation_map = #map}> : (vector<4xf32>, memref<?x?xf32>, index, index) -> ()
// GENERIC-NEXT:    %29 = "vector.transfer_write"(%arg9, %arg11, %arg7, %arg7) <{in_bounds = [false, false], operandSegmentSizes = array<i32: 1, 1, 2, 0>, permutation_map = #map2}> : (vector<4x8xf32>, tensor<4x4xf32>, index, index) -> tensor<4x4xf32>
// GENERIC-NEXT:    "func.return"() : () -> ()
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:}) : () -> ()
