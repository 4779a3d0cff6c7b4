// RUN: xtriton-opt %s --triton-intel-fuse-reshape | filecheck %s

// Rows of all matrices are numbered; the loop stays inside the one at hand.
// CHECK-LABEL: @inside(
// CHECK-NOT:     tt.reshape
// CHECK:         %[[APART:.*]] = arith.divui %c4096_i64, %c64_i64 : i64
// CHECK:         %[[ROWS:.*]] = arith.trunci %[[APART]] : i64 to i32
// CHECK:         %[[ALL:.*]] = arith.muli %c8_i32, %[[ROWS]]
// CHECK:         %[[COUNT:.*]] = arith.addi %[[ALL]], %c64_i32
// CHECK:         %[[DESC:.*]] = tt.make_tensor_descriptor %arg0, [%[[COUNT]], %c64_i32], [%c64_i64, %c1_i64] : <f16>, <32x64xf16>
// CHECK:         scf.for %[[I:[a-z0-9]+]] =
// CHECK:           %[[BEFORE:.*]] = arith.muli %c3_i32, %[[ROWS]]
// CHECK:           %[[ROW:.*]] = arith.addi %[[BEFORE]], %[[I]]
// CHECK:           tt.descriptor_load %[[DESC]][%[[ROW]], %c0_i32] : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16>
tt.func @inside(%base: !tt.ptr<f16>, %b: tensor<64x16xf16>, %zero: tensor<32x16xf32>) -> tensor<32x16xf32> {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c8 = arith.constant 8 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %one = arith.constant 1 : i64
  %row = arith.constant 64 : i64
  %matrix = arith.constant 4096 : i64
  %desc = tt.make_tensor_descriptor %base, [%c8, %c64, %c64], [%matrix, %row, %one] : <f16>, <1x32x64xf16>
  %out = scf.for %i = %c0 to %c64 step %c32 iter_args(%acc = %zero) -> (tensor<32x16xf32>) : i32 {
    %x = tt.descriptor_load %desc[%c3, %i, %c0] : !tt.tensordesc<1x32x64xf16> -> tensor<1x32x64xf16>
    %a = tt.reshape %x : tensor<1x32x64xf16> -> tensor<32x64xf16>
    %d = tt.dot %a, %b, %acc : tensor<32x64xf16> * tensor<64x16xf16> -> tensor<32x16xf32>
    scf.yield %d : tensor<32x16xf32>
  }
  tt.return %out : tensor<32x16xf32>
}

// The second half of these rows is outside, and reads zeros; the next matrix is not to be read.
// CHECK-LABEL: @beyond(
// CHECK:         tt.reshape
tt.func @beyond(%base: !tt.ptr<f16>, %b: tensor<64x16xf16>, %zero: tensor<32x16xf32>) -> tensor<32x16xf32> {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c8 = arith.constant 8 : i32
  %c48 = arith.constant 48 : i32
  %c64 = arith.constant 64 : i32
  %one = arith.constant 1 : i64
  %row = arith.constant 64 : i64
  %matrix = arith.constant 4096 : i64
  %desc = tt.make_tensor_descriptor %base, [%c8, %c64, %c64], [%matrix, %row, %one] : <f16>, <1x32x64xf16>
  %x = tt.descriptor_load %desc[%c3, %c48, %c0] : !tt.tensordesc<1x32x64xf16> -> tensor<1x32x64xf16>
  %a = tt.reshape %x : tensor<1x32x64xf16> -> tensor<32x64xf16>
  %d = tt.dot %a, %b, %zero : tensor<32x64xf16> * tensor<64x16xf16> -> tensor<32x16xf32>
  tt.return %d : tensor<32x16xf32>
}
