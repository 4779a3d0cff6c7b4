// Every op of bufferization: written and read as MLIR 22 does, byte for byte.
//
// RUN: xtriton-opt %s --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace
// RUN: xtriton-opt %s --triton-version=3.7 --mlir-print-op-generic | filecheck %s --match-full-lines --strict-whitespace --check-prefix=GENERIC
// RUN: xtriton-opt %s --mlir-print-op-generic | xtriton-opt --triton-version=3.7 | filecheck %s --match-full-lines --strict-whitespace

module {
  func.func @f(%arg0: tensor<?x4xf32>, %arg1: index, %arg2: f32, %arg3: tensor<2xindex>, %arg4: tensor<3x1xindex>, %arg5: tensor<8xf32>, %arg6: tensor<*xf32>, %arg7: tensor<4xi32>, %arg8: memref<?xf32, strided<[?], offset: ?>>, %arg9: i1, %arg10: memref<4xf32>) {
    %collapsed = tensor.collapse_shape %arg0 [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
    %0 = bufferization.alloc_tensor(%arg1) : tensor<?xf32>
    %1 = bufferization.alloc_tensor() copy(%arg5) {memory_space = 1 : i64} : tensor<8xf32>
    %2 = bufferization.alloc_tensor(%arg1) size_hint=%arg1 {foo} : tensor<?xf32>
    %3 = bufferization.clone %arg10 : memref<4xf32> to memref<4xf32>
    %4:2 = bufferization.dealloc (%arg10, %arg8 : memref<4xf32>, memref<?xf32, strided<[?], offset: ?>>) if (%arg9, %arg9) retain (%arg10, %arg10 : memref<4xf32>, memref<4xf32>) {x}
    bufferization.dealloc
    bufferization.dealloc_tensor %arg0 : tensor<?x4xf32>
    bufferization.materialize_in_destination %collapsed in writable %arg8 {q} : (tensor<?xf32>, memref<?xf32, strided<[?], offset: ?>>) -> ()
    bufferization.materialize_in_destination %collapsed in restrict writable %arg8 : (tensor<?xf32>, memref<?xf32, strided<[?], offset: ?>>) -> ()
    %5 = bufferization.materialize_in_destination %arg0 in %arg0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %6 = bufferization.to_buffer %arg0 read_only : tensor<?x4xf32> to memref<?x4xf32>
    %7 = bufferization.to_buffer %arg0 : tensor<?x4xf32> to memref<?x4xf32, strided<[?, ?], offset: ?>>
    %8 = bufferization.to_tensor %arg8 restrict writable : memref<?xf32, strided<[?], offset: ?>> to tensor<?xf32>
    %9 = bufferization.to_tensor %arg10 : memref<4xf32> to tensor<4xf32>
    return
  }
}

// CHECK:module {
// CHECK-NEXT:  func.func @f(%arg0: tensor<?x4xf32>, %arg1: index, %arg2: f32, %arg3: tensor<2xindex>, %arg4: tensor<3x1xindex>, %arg5: tensor<8xf32>, %arg6: tensor<*xf32>, %arg7: tensor<4xi32>, %arg8: memref<?xf32, strided<[?], offset: ?>>, %arg9: i1, %arg10: memref<4xf32>) {
// CHECK-NEXT:    %collapsed = tensor.collapse_shape %arg0 {{\[\[}}0, 1]] : tensor<?x4xf32> into tensor<?xf32>
// CHECK-NEXT:    %0 = bufferization.alloc_tensor(%arg1) : tensor<?xf32>
// CHECK-NEXT:    %1 = bufferization.alloc_tensor() copy(%arg5) {memory_space = 1 : i64} : tensor<8xf32>
// CHECK-NEXT:    %2 = bufferization.alloc_tensor(%arg1) size_hint=%arg1 {foo} : tensor<?xf32>
// CHECK-NEXT:    %3 = bufferization.clone %arg10 : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:    %4:2 = bufferization.dealloc (%arg10, %arg8 : memref<4xf32>, memref<?xf32, strided<[?], offset: ?>>) if (%arg9, %arg9) retain (%arg10, %arg10 : memref<4xf32>, memref<4xf32>) {x}
// CHECK-NEXT:    bufferization.dealloc
// CHECK-NEXT:    bufferization.dealloc_tensor %arg0 : tensor<?x4xf32>
// CHECK-NEXT:    bufferization.materialize_in_destination %collapsed in writable %arg8 {q} : (tensor<?xf32>, memref<?xf32, strided<[?], offset: ?>>) -> ()
// CHECK-NEXT:    bufferization.materialize_in_destination %collapsed in restrict writable %arg8 : (tensor<?xf32>, memref<?xf32, strided<[?], offset: ?>>) -> ()
// CHECK-NEXT:    %5 = bufferization.materialize_in_destination %arg0 in %arg0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
// CHECK-NEXT:    %6 = bufferization.to_buffer %arg0 read_only : tensor<?x4xf32> to memref<?x4xf32>
// CHECK-NEXT:    %7 = bufferization.to_buffer %arg0 : tensor<?x4xf32> to memref<?x4xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:    %8 = bufferization.to_tensor %arg8 restrict writable : memref<?xf32, strided<[?], offset: ?>> to tensor<?xf32>
// CHECK-NEXT:    %9 = bufferization.to_tensor %arg10 : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:}

// GENERIC:"builtin.module"() ({
// GENERIC-NEXT:  "func.func"() <{function_type = (tensor<?x4xf32>, index, f32, tensor<2xindex>, tensor<3x1xindex>, tensor<8xf32>, tensor<*xf32>, tensor<4xi32>, memref<?xf32, strided<[?], offset: ?>>, i1, memref<4xf32>) -> (), sym_name = "f"}> ({
// GENERIC-NEXT:  ^bb0(%arg0: tensor<?x4xf32>, %arg1: index, %arg2: f32, %arg3: tensor<2xindex>, %arg4: tensor<3x1xindex>, %arg5: tensor<8xf32>, %arg6: tensor<*xf32>, %arg7: tensor<4xi32>, %arg8: memref<?xf32, strided<[?], offset: ?>>, %arg9: i1, %arg10: memref<4xf32>):
// GENERIC-NEXT:    %0 = "tensor.collapse_shape"(%arg0) <{reassociation = {{\[\[}}0, 1]]}> : (tensor<?x4xf32>) -> tensor<?xf32>
// GENERIC-NEXT:    %1 = "bufferization.alloc_tensor"(%arg1) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (index) -> tensor<?xf32>
// GENERIC-NEXT:    %2 = "bufferization.alloc_tensor"(%arg5) <{memory_space = 1 : i64, operandSegmentSizes = array<i32: 0, 1, 0>}> : (tensor<8xf32>) -> tensor<8xf32>
// GENERIC-NEXT:    %3 = "bufferization.alloc_tensor"(%arg1, %arg1) <{operandSegmentSizes = array<i32: 1, 0, 1>}> {foo} : (index, index) -> tensor<?xf32>
// GENERIC-NEXT:    %4 = "bufferization.clone"(%arg10) : (memref<4xf32>) -> memref<4xf32>
// GENERIC-NEXT:    %5:2 = "bufferization.dealloc"(%arg10, %arg8, %arg9, %arg9, %arg10, %arg10) <{operandSegmentSizes = array<i32: 2, 2, 2>}> {x} : (memref<4xf32>, memref<?xf32, strided<[?], offset: ?>>, i1, i1, memref<4xf32>, memref<4xf32>) -> (i1, i1)
// GENERIC-NEXT:    "bufferization.dealloc"() <{operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> ()
// GENERIC-NEXT:    "bufferization.dealloc_tensor"(%arg0) : (tensor<?x4xf32>) -> ()
// GENERIC-NEXT:    "bufferization.materialize_in_destination"(%0, %arg8) <{writable}> {q} : (tensor<?xf32>, memref<?xf32, strided<[?], offset: ?>>) -> ()
// GENERIC-NEXT:    "bufferization.materialize_in_destination"(%0, %arg8) <{restrict, writable}> : (tensor<?xf32>, memref<?xf32, strided<[?], offset: ?>>) -> ()
// GENERIC-NEXT:    %6 = "bufferization.materialize_in_destination"(%arg0, %arg0) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
// GENERIC-NEXT:    %7 = "bufferization.to_buffer"(%arg0) <{read_only}> : (tensor<?x4xf32>) -> memref<?x4xf32>
// GENERIC-NEXT:    %8 = "bufferization.to_buffer"(%arg0) : (tensor<?x4xf32>) -> memref<?x4xf32, strided<[?, ?], offset: ?>>
// GENERIC-NEXT:    %9 = "bufferization.to_tensor"(%arg8) <{restrict, writable}> : (memref<?xf32, strided<[?], offset: ?>>) -> tensor<?xf32>
// GENERIC-NEXT:    %10 = "bufferization.to_tensor"(%arg10) : (memref<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:    "func.return"() : () -> ()
// GENERIC-NEXT:  }) : () -> ()
// GENERIC-NEXT:}) : () -> ()
