// Every op of tensor: written and read as MLIR 22 does, byte for byte.
//
// RUN: xtriton-opt %s --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace
// RUN: xtriton-opt %s --triton-version=3.7 --mlir-print-op-generic | filecheck %s --match-full-lines --strict-whitespace --check-prefix=GENERIC
// RUN: xtriton-opt %s --mlir-print-op-generic | xtriton-opt --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace

module {
  func.func @f(%arg0: tensor<?x4xf32>, %arg1: index, %arg2: f32, %arg3: tensor<2xindex>, %arg4: tensor<3x1xindex>, %arg5: tensor<8xf32>, %arg6: tensor<*xf32>, %arg7: tensor<4xi32>, %arg8: memref<?xf32, strided<[?], offset: ?>>, %arg9: i1, %arg10: memref<4xf32>) {
    %0 = tensor.bitcast %arg7 {a} : tensor<4xi32> to tensor<4xui32>
    %cast = tensor.cast %arg0 : tensor<?x4xf32> to tensor<4x4xf32>
    %collapsed = tensor.collapse_shape %arg0 [[0, 1]] {foo} : tensor<?x4xf32> into tensor<?xf32>
    %concat = tensor.concat dim(0) %arg0, %arg0 {b} : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %dim = tensor.dim {c} %arg0, %arg1 : tensor<?x4xf32>
    %1 = tensor.empty(%arg1) {e} : tensor<?x4xf32>
    %2 = tensor.empty() : tensor<4xf32, "enc">
    %expanded = tensor.expand_shape %arg0 [[0, 1], [2]] output_shape [%arg1, 4, 4] : tensor<?x4xf32> into tensor<?x4x4xf32>
    %extracted = tensor.extract %arg0[%arg1, %arg1] {f} : tensor<?x4xf32>
    %extracted_slice = tensor.extract_slice %arg0[%arg1, 0] [2, %arg1] [1, 1] {g} : tensor<?x4xf32> to tensor<2x?xf32>
    %from_elements = tensor.from_elements %arg2, %arg2 {h} : tensor<2xf32>
    %gather = tensor.gather %arg5[%arg4] gather_dims([0]) unique {i} : (tensor<8xf32>, tensor<3x1xindex>) -> tensor<3x1xf32>
    %generated = tensor.generate %arg1 {
    ^bb0(%arg11: index):
      tensor.yield %arg2 : f32
    } {j} : tensor<?xf32>
    %inserted = tensor.insert %arg2 into %arg0[%arg1, %arg1] {k} : tensor<?x4xf32>
    %inserted_slice = tensor.insert_slice %arg0 into %arg0[0, 0] [%arg1, 4] [1, 1] : tensor<?x4xf32> into tensor<?x4xf32>
    %padded = tensor.pad %arg0 nofold low[0, %arg1] high[1, 2] {
    ^bb0(%arg11: index, %arg12: index):
      tensor.yield %arg2 : f32
    } {l} : tensor<?x4xf32> to tensor<?x?xf32>
    %rank = tensor.rank %arg6 : tensor<*xf32>
    %reshape = tensor.reshape %arg0(%arg3) {m} : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    %3 = tensor.empty() : tensor<3x1xf32>
    %scatter = tensor.scatter %3 into %arg5[%arg4] scatter_dims([0]) unique : (tensor<3x1xf32>, tensor<8xf32>, tensor<3x1xindex>) -> tensor<8xf32>
    %splat = tensor.splat %arg2[%arg1] : tensor<?x4xf32>
    %splat_0 = tensor.splat %arg2 {a} : tensor<4xf32>
    %4 = scf.forall (%arg11) in (8) shared_outs(%arg12 = %arg5) -> (tensor<8xf32>) {
      %extracted_slice_1 = tensor.extract_slice %arg12[%arg11] [1] [1] : tensor<8xf32> to tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %extracted_slice_1 into %arg12[%arg11] [1] [1] {a} : tensor<1xf32> into tensor<8xf32>
      }
    }
    return
  }
}

// CHECK:module {
// CHECK-NEXT:  func.func @f(%arg0: tensor<?x4xf32>, %arg1: index, %arg2: f32, %arg3: tensor<2xindex>, %arg4: tensor<3x1xindex>, %arg5: tensor<8xf32>, %arg6: tensor<*xf32>, %arg7: tensor<4xi32>, %arg8: memref<?xf32, strided<[?], offset: ?>>, %arg9: i1, %arg10: memref<4xf32>) {
// CHECK-NEXT:    %0 = tensor.bitcast %arg7 {a} : tensor<4xi32> to tensor<4xui32>
// CHECK-NEXT:    %cast = tensor.cast %arg0 : tensor<?x4xf32> to tensor<4x4xf32>
// CHECK-NEXT:    %collapsed = tensor.collapse_shape %arg0 {{\[\[}}0, 1]] {foo} : tensor<?x4xf32> into tensor<?xf32>
// CHECK-NEXT:    %concat = tensor.concat dim(0) %arg0, %arg0 {b} : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
// CHECK-NEXT:    %dim = tensor.dim {c} %arg0, %arg1 : tensor<?x4xf32>
// CHECK-NEXT:    %1 = tensor.empty(%arg1) {e} : tensor<?x4xf32>
// CHECK-NEXT:    %2 = tensor.empty() : tensor<4xf32, "enc">
// CHECK-NEXT:    %expanded = tensor.expand_shape %arg0 {{\[\[}}0, 1], [2]] output_shape [%arg1, 4, 4] : tensor<?x4xf32> into tensor<?x4x4xf32>
// CHECK-NEXT:    %extracted = tensor.extract %arg0[%arg1, %arg1] {f} : tensor<?x4xf32>
// CHECK-NEXT:    %extracted_slice = tensor.extract_slice %arg0[%arg1, 0] [2, %arg1] [1, 1] {g} : tensor<?x4xf32> to tensor<2x?xf32>
// CHECK-NEXT:    %from_elements = tensor.from_elements %arg2, %arg2 {h} : tensor<2xf32>
// CHECK-NEXT:    %gather = tensor.gather %arg5[%arg4] gather_dims([0]) unique {i} : (tensor<8xf32>, tensor<3x1xindex>) -> tensor<3x1xf32>
// CHECK-NEXT:    %generated = tensor.generate %arg1 {
// CHECK-NEXT:    ^bb0(%arg11: index):
// CHECK-NEXT:      tensor.yield %arg2 : f32
// CHECK-NEXT:    } {j} : tensor<?xf32>
// CHECK-NEXT:    %inserted = tensor.insert %arg2 into %arg0[%arg1, %arg1] {k} : tensor<?x4xf32>
// CHECK-NEXT:    %inserted_slice = tensor.insert_slice %arg0 into %arg0[0, 0] [%arg1, 4] [1, 1] : tensor<?x4xf32> into tensor<?x4xf32>
// CHECK-NEXT:    %padded = tensor.pad %arg0 nofold low[0, %arg1] high[1, 2] {
// CHECK-NEXT:    ^bb0(%arg11: index, %arg12: index):
// CHECK-NEXT:      tensor.yield %arg2 : f32
// CHECK-NEXT:    } {l} : tensor<?x4xf32> to tensor<?x?xf32>
// CHECK-NEXT:    %rank = tensor.rank %arg6 : tensor<*xf32>
// CHECK-NEXT:    %reshape = tensor.reshape %arg0(%arg3) {m} : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x?xf32>
// CHECK-NEXT:    %3 = tensor.empty() : tensor<3x1xf32>
// CHECK-NEXT:    %scatter = tensor.scatter %3 into %arg5[%arg4] scatter_dims([0]) unique : (tensor<3x1xf32>, tensor<8xf32>, tensor<3x1xindex>) -> tensor<8xf32>
// CHECK-NEXT:    %splat = tensor.splat %arg2[%arg1] : tensor<?x4xf32>
// CHECK-NEXT:    %splat_0 = tensor.splat %arg2 {a} : tensor<4xf32>
// CHECK-NEXT:    %4 = scf.forall (%arg11) in (8) shared_outs(%arg12 = %arg5) -> (tensor<8xf32>) {
// CHECK-NEXT:      %extracted_slice_1 = tensor.extract_slice %arg12[%arg11] [1] [1] : tensor<8xf32> to tensor<1xf32>
// CHECK-NEXT:      scf.forall.in_parallel {
// CHECK-NEXT:        tensor.parallel_insert_slice %extracted_slice_1 into %arg12[%arg11] [1] [1] {a} : tensor<1xf32> into tensor<8xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:}

// GENERIC:"builtin.module"() ({
// GENERIC-NEXT:  "func.func"() <{function_type = (tensor<?x4xf32>, index, f32, tensor<2xindex>, tensor<3x1xindex>, tensor<8xf32>, tensor<*xf32>, tensor<4xi32>, memref<?xf32, strided<[?], offset: ?>>, i1, memref<4xf32>) -> (), sym_name = "f"}> ({
// GENERIC-NEXT:  ^bb0(%arg0: tensor<?x4xf32>, %arg1: index, %arg2: f32, %arg3: tensor<2xindex>, %arg4: tensor<3x1xindex>, %arg5: tensor<8xf32>, %arg6: tensor<*xf32>, %arg7: tensor<4xi32>, %arg8: memref<?xf32, strided<[?], offset: ?>>, %arg9: i1, %arg10: memref<4xf32>):
// GENERIC-NEXT:    %0 = "tensor.bitcast"(%arg7) {a} : (tensor<4xi32>) -> tensor<4xui32>
// GENERIC-NEXT:    %1 = "tensor.cast"(%arg0) : (tensor<?x4xf32>) -> tensor<4x4xf32>
// GENERIC-NEXT:    %2 = "tensor.collapse_shape"(%arg0) <{reassociation = {{\[\[}}0, 1]]}> {foo} : (tensor<?x4xf32>) -> tensor<?xf32>
// GENERIC-NEXT:    %3 = "tensor.concat"(%arg0, %arg0) <{dim = 0 : i64}> {b} : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
// GENERIC-NEXT:    %4 = "tensor.dim"(%arg0, %arg1) {c} : (tensor<?x4xf32>, index) -> index
// GENERIC-NEXT:    %5 = "tensor.empty"(%arg1) {e} : (index) -> tensor<?x4xf32>
// GENERIC-NEXT:    %6 = "tensor.empty"() : () -> tensor<4xf32, "enc">
// GENERIC-NEXT:    %7 = "tensor.expand_shape"(%arg0, %arg1) <{reassociation = {{\[\[}}0, 1], [2]], static_output_shape = array<i64: -9223372036854775808, 4, 4>}> : (tensor<?x4xf32>, index) -> tensor<?x4x4xf32>
// GENERIC-NEXT:    %8 = "tensor.extract"(%arg0, %arg1, %arg1) {f} : (tensor<?x4xf32>, index, index) -> f32
// GENERIC-NEXT:    %9 = "tensor.extract_slice"(%arg0, %arg1, %arg1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 2, -9223372036854775808>, static_strides = array<i64: 1, 1>}> {g} : (tensor<?x4xf32>, index, index) -> tensor<2x?xf32>
// GENERIC-NEXT:    %10 = "tensor.from_elements"(%arg2, %arg2) {h} : (f32, f32) -> tensor<2xf32>
// GENERIC-NEXT:    %11 = "tensor.gather"(%arg5, %arg4) <{gather_dims = array<i64: 0>, unique}> {i} : (tensor<8xf32>, tensor<3x1xindex>) -> tensor<3x1xf32>
// GENERIC-NEXT:    %12 = "tensor.generate"(%arg1) ({
// GENERIC-NEXT:    ^bb0(%arg15: index):
// GENERIC-NEXT:      "tensor.yield"(%arg2) : (f32) -> ()
// GENERIC-NEXT:    }) {j} : (index) -> tensor<?xf32>
// GENERIC-NEXT:    %13 = "tensor.insert"(%arg2, %arg0, %arg1, %arg1) {k} : (f32, tensor<?x4xf32>, index, index) -> tensor<?x4xf32>
// GENERIC-NEXT:    %14 = "tensor.insert_slice"(%arg0, %arg0, %arg1) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 4>, static_strides = array<i64: 1, 1>}> : (tensor<?x4xf32>, tensor<?x4xf32>, index) -> tensor<?x4xf32>
// GENERIC-NEXT:    %15 = "tensor.pad"(%arg0, %arg1) <{nofold, operandSegmentSizes = array<i32: 1, 1, 0>, static_high = array<i64: 1, 2>, static_low = array<i64: 0, -9223372036854775808>}> ({
// GENERIC-NEXT:    ^bb0(%arg13: index, %arg14: index):
// GENERIC-NEXT:      "tensor.yield"(%arg2) : (f32) -> ()
// GENERIC-NEXT:    }) {l} : (tensor<?x4xf32>, index) -> tensor<?x?xf32>
// GENERIC-NEXT:    %16 = "tensor.rank"(%arg6) : (tensor<*xf32>) -> index
// GENERIC-NEXT:    %17 = "tensor.reshape"(%arg0, %arg3) {m} : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x?xf32>
// GENERIC-NEXT:    %18 = "tensor.empty"() : () -> tensor<3x1xf32>
// GENERIC-NEXT:    %19 = "tensor.scatter"(%18, %arg5, %arg4) <{scatter_dims = array<i64: 0>, unique}> : (tensor<3x1xf32>, tensor<8xf32>, tensor<3x1xindex>) -> tensor<8xf32>
// GENERIC-NEXT:    %20 = "tensor.splat"(%arg2, %arg1) : (f32, index) -> tensor<?x4xf32>
// GENERIC-NEXT:    %21 = "tensor.splat"(%arg2) {a} : (f32) -> tensor<4xf32>
// GENERIC-NEXT:    %22 = "scf.forall"(%arg5) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: 8>}> ({
// GENERIC-NEXT:    ^bb0(%arg11: index, %arg12: tensor<8xf32>):
// GENERIC-NEXT:      %23 = "tensor.extract_slice"(%arg12, %arg11) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}> : (tensor<8xf32>, index) -> tensor<1xf32>
// GENERIC-NEXT:      "scf.forall.in_parallel"() ({
// GENERIC-NEXT:        "tensor.parallel_insert_slice"(%23, %arg12, %arg11) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}> {a} : (tensor<1xf32>, tensor<8xf32>, index) -> ()
// GENERIC-NEXT:      }) : () -> ()
// GENERIC-NEXT:    }) : (tensor<8xf32>) -> tensor<8xf32>
// GENERIC-NEXT:    "func.return"() : () -> ()
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:}) : () -> ()
