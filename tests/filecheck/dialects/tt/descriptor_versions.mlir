// Triton 3.3 calls these ops experimental; up to 3.7 a descriptor's type wraps a tensor.
// RUN: xtriton-opt %s --triton-version=3.3 | filecheck %s --check-prefix=V33
// RUN: xtriton-opt %s --triton-version=3.7 | filecheck %s --check-prefix=V37
// RUN: xtriton-opt %s --triton-version=3.8 | filecheck %s --check-prefix=V38
// RUN: xtriton-opt %s --triton-version=3.3 | xtriton-opt --triton-version=3.8 | filecheck %s --check-prefix=V38
// RUN: xtriton-opt %s --triton-version=3.3 --mlir-print-op-generic | xtriton-opt --triton-version=3.8 | filecheck %s --check-prefix=V38

tt.func @kernel(%p: !tt.ptr<f16>, %i: i32, %s: i64, %r: !tt.tensordesc<1x128xbf16>, %x: tensor<32xi32>) {
  // V33: tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %arg2] : <f16>, <tensor<64x32xf16>>
  // V37: tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %arg2] : <f16>, <tensor<64x32xf16>>
  // V38: tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %arg2] : <f16>, <64x32xf16>
  %0 = tt.make_tensor_descriptor %p, [%i, %i], [%s, %s] : <f16>, <64x32xf16>
  // V33: tt.experimental_descriptor_load %0[%arg1, %arg1] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
  // V37: tt.descriptor_load %0[%arg1, %arg1] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
  // V38: tt.descriptor_load %0[%arg1, %arg1] : !tt.tensordesc<64x32xf16> -> tensor<64x32xf16>
  %1 = tt.descriptor_load %0[%i, %i] : !tt.tensordesc<64x32xf16> -> tensor<64x32xf16>
  // V33: tt.experimental_descriptor_store %0[%arg1, %arg1], %1 : !tt.tensordesc<tensor<64x32xf16>>, tensor<64x32xf16>
  // V37: tt.descriptor_store %0[%arg1, %arg1], %1 : !tt.tensordesc<tensor<64x32xf16>>, tensor<64x32xf16>
  // V38: tt.descriptor_store %0[%arg1, %arg1], %1 : !tt.tensordesc<64x32xf16>, tensor<64x32xf16>
  tt.descriptor_store %0[%i, %i], %1 : !tt.tensordesc<64x32xf16>, tensor<64x32xf16>
  // V33: tt.experimental_descriptor_gather %arg3[%arg4, %arg1] : (!tt.tensordesc<tensor<1x128xbf16>>, tensor<32xi32>, i32) -> tensor<32x128xbf16>
  // V37: tt.descriptor_gather %arg3[%arg4, %arg1] : (!tt.tensordesc<tensor<1x128xbf16>>, tensor<32xi32>, i32) -> tensor<32x128xbf16>
  // V38: tt.descriptor_gather %arg3[%arg4, %arg1] : (!tt.tensordesc<1x128xbf16>, tensor<32xi32>, i32) -> tensor<32x128xbf16>
  %2 = tt.descriptor_gather %r[%x, %i] : (!tt.tensordesc<1x128xbf16>, tensor<32xi32>, i32) -> tensor<32x128xbf16>
  // V33: tt.experimental_descriptor_scatter %arg3[%arg4, %arg1], %2 : !tt.tensordesc<tensor<1x128xbf16>>, tensor<32xi32>, i32, tensor<32x128xbf16>
  // V37: tt.descriptor_scatter %arg3[%arg4, %arg1], %2 : !tt.tensordesc<tensor<1x128xbf16>>, tensor<32xi32>, i32, tensor<32x128xbf16>
  // V38: tt.descriptor_scatter %arg3[%arg4, %arg1], %2 : !tt.tensordesc<1x128xbf16>, tensor<32xi32>, i32, tensor<32x128xbf16>
  tt.descriptor_scatter %r[%x, %i], %2 : !tt.tensordesc<1x128xbf16>, tensor<32xi32>, i32, tensor<32x128xbf16>
  tt.return
}
