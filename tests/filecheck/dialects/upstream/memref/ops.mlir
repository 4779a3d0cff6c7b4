// Every op of memref but dma_start: written and read as MLIR 22 does, byte for byte.
//
// RUN: xtriton-opt %s --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace
// RUN: xtriton-opt %s --triton-version=3.7 --mlir-print-op-generic | filecheck %s --match-full-lines --strict-whitespace --check-prefix=GENERIC
// RUN: xtriton-opt %s --mlir-print-op-generic | xtriton-opt --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace

#map = affine_map<(d0)[s0] -> (d0 + s0)>
module {
  memref.global "private" @g1 : memref<4xf32>
  memref.global @g2 : memref<4xf32> = uninitialized
  memref.global "private" constant @g3 : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]> {alignment = 16 : i64}
  func.func @f(%arg0: memref<*xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?xf32, strided<[?], offset: ?>>, %arg3: index, %arg4: f32, %arg5: memref<?xi8>, %arg6: memref<2xindex>, %arg7: memref<1xi32>, %arg8: memref<?x?xf32, 2>, %arg9: memref<?xf32>) {
    %0 = memref.load %arg1[%arg3, %arg3] {nontemporal = true} : memref<?x?xf32>
    memref.store %arg4, %arg1[%arg3, %arg3] {alignment = 8 : i64} : memref<?x?xf32>
    %alloc = memref.alloc() : memref<4xf32>
    %alloc_0 = memref.alloc(%arg3)[%arg3] {alignment = 64 : i64} : memref<?xf32, #map>
    %alloca = memref.alloca(%arg3) {alignment = 64 : i64, foo} : memref<?xf32>
    memref.alloca_scope  {
    }
    %1 = memref.alloca_scope  -> (index) {
      memref.alloca_scope.return %arg3 : index
    } {a}
    %assume_align = memref.assume_alignment %arg1, 16 : memref<?x?xf32>
    %2 = memref.atomic_rmw addf %arg4, %arg1[%arg3, %arg3] {foo} : (f32, memref<?x?xf32>) -> f32
    %3 = memref.generic_atomic_rmw %arg1[%arg3, %arg3] : memref<?x?xf32> {
    ^bb0(%arg10: f32):
      memref.atomic_yield %arg10 : f32
    } {x}
    memref.copy %arg1, %arg1 {a} : memref<?x?xf32> to memref<?x?xf32>
    %cast = memref.cast %arg0 {b} : memref<*xf32> to memref<?xf32>
    %collapse_shape = memref.collapse_shape %arg1 [[0, 1]] : memref<?x?xf32> into memref<?xf32>
    %expand_shape = memref.expand_shape %arg1 [[0, 1], [2]] output_shape [%arg3, 4, %arg3] : memref<?x?xf32> into memref<?x4x?xf32>
    memref.dealloc %arg1 {q} : memref<?x?xf32>
    %dim = memref.dim {r} %arg1, %arg3 : memref<?x?xf32>
    %intptr = memref.extract_aligned_pointer_as_index %arg1 : memref<?x?xf32> -> index {y}
    %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg1 : memref<?x?xf32> -> memref<f32>, index, index, index, index, index
    %4 = memref.get_global @g1 : memref<4xf32>
    %memspacecast = memref.memory_space_cast %arg1 : memref<?x?xf32> to memref<?x?xf32, 1>
    memref.prefetch %arg1[%arg3, %arg3], read, locality<3>, data : memref<?x?xf32>
    memref.prefetch %arg1[%arg3, %arg3], write, locality<0>, instr : memref<?x?xf32>
    %5 = memref.rank %arg0 : memref<*xf32>
    %6 = memref.realloc %arg9(%arg3) {alignment = 8 : i64} : memref<?xf32> to memref<?xf32>
    %7 = memref.realloc %alloc : memref<4xf32> to memref<8xf32>
    %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [%arg3], sizes: [4, %arg3], strides: [%arg3, 1] {foo} : memref<*xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
    %reinterpret_cast_1 = memref.reinterpret_cast %arg0 to offset: [0], sizes: [], strides: [] : memref<*xf32> to memref<f32>
    %reshape = memref.reshape %arg1(%arg6) : (memref<?x?xf32>, memref<2xindex>) -> memref<?x?xf32>
    %transpose = memref.transpose %arg1 (d0, d1) -> (d1, d0) {o} : memref<?x?xf32> to memref<?x?xf32, strided<[1, ?]>>
    %view = memref.view %arg5[%arg3][%arg3] : memref<?xi8> to memref<?x4xf32>
    %subview = memref.subview %arg1[%arg3, 0] [4, %arg3] [1, 1] : memref<?x?xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
    %8:2 = memref.distinct_objects %arg1, %arg9 : memref<?x?xf32>, memref<?xf32>
    memref.dma_wait %arg7[%arg3], %arg3 : memref<1xi32>
    return
  }
}

// CHECK:#map = affine_map<(d0)[s0] -> (d0 + s0)>
// CHECK-NEXT:module {
// CHECK-NEXT:  memref.global "private" @g1 : memref<4xf32>
// CHECK-NEXT:  memref.global @g2 : memref<4xf32> = uninitialized
// CHECK-NEXT:  memref.global "private" constant @g3 : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]> {alignment = 16 : i64}
// CHECK-NEXT:  func.func @f(%arg0: memref<*xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?xf32, strided<[?], offset: ?>>, %arg3: index, %arg4: f32, %arg5: memref<?xi8>, %arg6: memref<2xindex>, %arg7: memref<1xi32>, %arg8: memref<?x?xf32, 2>, %arg9: memref<?xf32>) {
// CHECK-NEXT:    %0 = memref.load %arg1[%arg3, %arg3] {nontemporal = true} : memref<?x?xf32>
// CHECK-NEXT:    memref.store %arg4, %arg1[%arg3, %arg3] {alignment = 8 : i64} : memref<?x?xf32>
// CHECK-NEXT:    %alloc = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    %alloc_0 = memref.alloc(%arg3)[%arg3] {alignment = 64 : i64} : memref<?xf32, #map>
// CHECK-NEXT:    %alloca = memref.alloca(%arg3) {alignment = 64 : i64, foo} : memref<?xf32>
// CHECK-NEXT:    memref.alloca_scope  {
// CHECK-NEXT:    }
// CHECK-NEXT:    %1 = memref.alloca_scope  -> (index) {
// CHECK-NEXT:      memref.alloca_scope.return %arg3 : index
// CHECK-NEXT:    } {a}
// CHECK-NEXT:    %assume_align = memref.assume_alignment %arg1, 16 : memref<?x?xf32>
// CHECK-NEXT:    %2 = memref.atomic_rmw addf %arg4, %arg1[%arg3, %arg3] {foo} : (f32, memref<?x?xf32>) -> f32
// CHECK-NEXT:    %3 = memref.generic_atomic_rmw %arg1[%arg3, %arg3] : memref<?x?xf32> {
// CHECK-NEXT:    ^bb0(%arg10: f32):
// CHECK-NEXT:      memref.atomic_yield %arg10 : f32
// CHECK-NEXT:    } {x}
// CHECK-NEXT:    memref.copy %arg1, %arg1 {a} : memref<?x?xf32> to memref<?x?xf32>
// CHECK-NEXT:    %cast = memref.cast %arg0 {b} : memref<*xf32> to memref<?xf32>
// CHECK-NEXT:    %collapse_shape = memref.collapse_shape %arg1 {{\[\[}}0, 1]] : memref<?x?xf32> into memref<?xf32>
// CHECK-NEXT:    %expand_shape = memref.expand_shape %arg1 {{\[\[}}0, 1], [2]] output_shape [%arg3, 4, %arg3] : memref<?x?xf32> into memref<?x4x?xf32>
// CHECK-NEXT:    memref.dealloc %arg1 {q} : memref<?x?xf32>
// CHECK-NEXT:    %dim = memref.dim {r} %arg1, %arg3 : memref<?x?xf32>
// CHECK-NEXT:    %intptr = memref.extract_aligned_pointer_as_index %arg1 : memref<?x?xf32> -> index {y}
// CHECK-NEXT:    %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg1 : memref<?x?xf32> -> memref<f32>, index, index, index, index, index
// CHECK-NEXT:    %4 = memref.get_global @g1 : memref<4xf32>
// CHECK-NEXT:    %memspacecast = memref.memory_space_cast %arg1 : memref<?x?xf32> to memref<?x?xf32, 1>
// CHECK-NEXT:    memref.prefetch %arg1[%arg3, %arg3], read, locality<3>, data : memref<?x?xf32>
// CHECK-NEXT:    memref.prefetch %arg1[%arg3, %arg3], write, locality<0>, instr : memref<?x?xf32>
// CHECK-NEXT:    %5 = memref.rank %arg0 : memref<*xf32>
// CHECK-NEXT:    %6 = memref.realloc %arg9(%arg3) {alignment = 8 : i64} : memref<?xf32> to memref<?xf32>
// CHECK-NEXT:    %7 = memref.realloc %alloc : memref<4xf32> to memref<8xf32>
// CHECK-NEXT:    %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [%arg3], sizes: [4, %arg3], strides: [%arg3, 1] {foo} : memref<*xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
// CHECK-NEXT:    %reinterpret_cast_1 = memref.reinterpret_cast %arg0 to offset: [0], sizes: [], strides: [] : memref<*xf32> to memref<f32>
// CHECK-NEXT:    %reshape = memref.reshape %arg1(%arg6) : (memref<?x?xf32>, memref<2xindex>) -> memref<?x?xf32>
// CHECK-NEXT:    %transpose = memref.transpose %arg1 (d0, d1) -> (d1, d0) {o} : memref<?x?xf32> to memref<?x?xf32, strided<[1, ?]>>
// CHECK-NEXT:    %view = memref.view %arg5[%arg3][%arg3] : memref<?xi8> to memref<?x4xf32>
// CHECK-NEXT:    %subview = memref.subview %arg1[%arg3, 0] [4, %arg3] [1, 1] : memref<?x?xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
// CHECK-NEXT:    %8:2 = memref.distinct_objects %arg1, %arg9 : memref<?x?xf32>, memref<?xf32>
// CHECK-NEXT:    memref.dma_wait %arg7[%arg3], %arg3 : memref<1xi32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:}

// GENERIC:#map = affine_map<(d0)[s0] -> (d0 + s0)>
// GENERIC-NEXT:#map1 = affine_map<(d0, d1) -> (d1, d0)>
// GENERIC-NEXT:"builtin.module"() ({
// GENERIC-NEXT:  "memref.global"() <{sym_name = "g1", sym_visibility = "private", type = memref<4xf32>}> : () -> ()
// GENERIC-NEXT:  "memref.global"() <{initial_value, sym_name = "g2", type = memref<4xf32>}> : () -> ()
// GENERIC-NEXT:  "memref.global"() <{alignment = 16 : i64, constant, initial_value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>, sym_name = "g3", sym_visibility = "private", type = memref<2xf32>}> : () -> ()
// GENERIC-NEXT:  "func.func"() <{function_type = (memref<*xf32>, memref<?x?xf32>, memref<?xf32, strided<[?], offset: ?>>, index, f32, memref<?xi8>, memref<2xindex>, memref<1xi32>, memref<?x?xf32, 2>, memref<?xf32>) -> (), sym_name = "f"}> ({
// GENERIC-NEXT:  ^bb0(%arg0: memref<*xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?xf32, strided<[?], offset: ?>>, %arg3: index, %arg4: f32, %arg5: memref<?xi8>, %arg6: memref<2xindex>, %arg7: memref<1xi32>, %arg8: memref<?x?xf32, 2>, %arg9: memref<?xf32>):
// GENERIC-NEXT:    %0 = "memref.load"(%arg1, %arg3, %arg3) <{nontemporal = true}> : (memref<?x?xf32>, index, index) -> f32
// GENERIC-NEXT:    "memref.store"(%arg4, %arg1, %arg3, %arg3) <{alignment = 8 : i64}> : (f32, memref<?x?xf32>, index, index) -> ()
// GENERIC-NEXT:    %1 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf32>
// GENERIC-NEXT:    %2 = "memref.alloc"(%arg3, %arg3) <{alignment = 64 : i64, operandSegmentSizes = array<i32: 1, 1>}> : (index, index) -> memref<?xf32, #map>
// GENERIC-NEXT:    %3 = "memref.alloca"(%arg3) <{alignment = 64 : i64, operandSegmentSizes = array<i32: 1, 0>}> {foo} : (index) -> memref<?xf32>
// GENERIC-NEXT:    "memref.alloca_scope"() ({
// GENERIC-NEXT:      "memref.alloca_scope.return"() : () -> ()
// GENERIC-NEXT:    }) : () -> ()
// GENERIC-NEXT:    %4 = "memref.alloca_scope"() ({
// GENERIC-NEXT:      "memref.alloca_scope.return"(%arg3) : (index) -> ()
// GENERIC-NEXT:    }) {a} : () -> index
// GENERIC-NEXT:    %5 = "memref.assume_alignment"(%arg1) <{alignment = 16 : i32}> : (memref<?x?xf32>) -> memref<?x?xf32>
// GENERIC-NEXT:    %6 = "memref.atomic_rmw"(%arg4, %arg1, %arg3, %arg3) <{kind = 0 : i64}> {foo} : (f32, memref<?x?xf32>, index, index) -> f32
// GENERIC-NEXT:    %7 = "memref.generic_atomic_rmw"(%arg1, %arg3, %arg3) ({
// GENERIC-NEXT:    ^bb0(%arg10: f32):
// GENERIC-NEXT:      "memref.atomic_yield"(%arg10) : (f32) -> ()
// GENERIC-NEXT:    }) {x} : (memref<?x?xf32>, index, index) -> f32
// GENERIC-NEXT:    "memref.copy"(%arg1, %arg1) {a} : (memref<?x?xf32>, memref<?x?xf32>) -> ()
// GENERIC-NEXT:    %8 = "memref.cast"(%arg0) {b} : (memref<*xf32>) -> memref<?xf32>
// GENERIC-NEXT:    %9 = "memref.collapse_shape"(%arg1) <{reassociation = {{\[\[}}0, 1]]}> : (memref<?x?xf32>) -> memref<?xf32>
// GENERIC-NEXT:    %10 = "memref.expand_shape"(%arg1, %arg3, %arg3) <{reassociation = {{\[\[}}0, 1], [2]], static_output_shape = array<i64: -9223372036854775808, 4, -9223372036854775808>}> : (memref<?x?xf32>, index, index) -> memref<?x4x?xf32>
// GENERIC-NEXT:    "memref.dealloc"(%arg1) {q} : (memref<?x?xf32>) -> ()
// GENERIC-NEXT:    %11 = "memref.dim"(%arg1, %arg3) {r} : (memref<?x?xf32>, index) -> index
// GENERIC-NEXT:    %12 = "memref.extract_aligned_pointer_as_index"(%arg1) {y} : (memref<?x?xf32>) -> index
// GENERIC-NEXT:    %13:6 = "memref.extract_strided_metadata"(%arg1) : (memref<?x?xf32>) -> (memref<f32>, index, index, index, index, index)
// GENERIC-NEXT:    %14 = "memref.get_global"() <{name = @g1}> : () -> memref<4xf32>
// GENERIC-NEXT:    %15 = "memref.memory_space_cast"(%arg1) : (memref<?x?xf32>) -> memref<?x?xf32, 1>
// GENERIC-NEXT:    "memref.prefetch"(%arg1, %arg3, %arg3) <{isDataCache = true, isWrite = false, localityHint = 3 : i32}> : (memref<?x?xf32>, index, index) -> ()
// GENERIC-NEXT:    "memref.prefetch"(%arg1, %arg3, %arg3) <{isDataCache = false, isWrite = true, localityHint = 0 : i32}> : (memref<?x?xf32>, index, index) -> ()
// GENERIC-NEXT:    %16 = "memref.rank"(%arg0) : (memref<*xf32>) -> index
// GENERIC-NEXT:    %17 = "memref.realloc"(%arg9, %arg3) <{alignment = 8 : i64}> : (memref<?xf32>, index) -> memref<?xf32>
// GENERIC-NEXT:    %18 = "memref.realloc"(%1) : (memref<4xf32>) -> memref<8xf32>
// GENERIC-NEXT:    %19 = "memref.reinterpret_cast"(%arg0, %arg3, %arg3, %arg3) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 4, -9223372036854775808>, static_strides = array<i64: -9223372036854775808, 1>}> {foo} : (memref<*xf32>, index, index, index) -> memref<4x?xf32, strided<[?, 1], offset: ?>>
// GENERIC-NEXT:    %20 = "memref.reinterpret_cast"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64>, static_strides = array<i64>}> : (memref<*xf32>) -> memref<f32>
// GENERIC-NEXT:    %21 = "memref.reshape"(%arg1, %arg6) : (memref<?x?xf32>, memref<2xindex>) -> memref<?x?xf32>
// GENERIC-NEXT:    %22 = "memref.transpose"(%arg1) <{permutation = #map1}> {o} : (memref<?x?xf32>) -> memref<?x?xf32, strided<[1, ?]>>
// GENERIC-NEXT:    %23 = "memref.view"(%arg5, %arg3, %arg3) : (memref<?xi8>, index, index) -> memref<?x4xf32>
// GENERIC-NEXT:    %24 = "memref.subview"(%arg1, %arg3, %arg3) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 4, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<?x?xf32>, index, index) -> memref<4x?xf32, strided<[?, 1], offset: ?>>
// GENERIC-NEXT:    %25:2 = "memref.distinct_objects"(%arg1, %arg9) : (memref<?x?xf32>, memref<?xf32>) -> (memref<?x?xf32>, memref<?xf32>)
// GENERIC-NEXT:    "memref.dma_wait"(%arg7, %arg3, %arg3) : (memref<1xi32>, index, index) -> ()
// GENERIC-NEXT:    "func.return"() : () -> ()
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:}) : () -> ()
