// RUN: xtriton-opt %s --triton-intel-stride-versioning | filecheck %s

// The last stride may be 1: one version of the loop reads through a descriptor with that stride.
// CHECK-LABEL: @unknown(
// CHECK:         %[[ONE:.*]] = arith.constant 1 : i64
// CHECK:         %[[SURE:.*]] = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %[[ONE]]]
// CHECK:         %[[ANY:.*]] = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %arg3]
// CHECK:         %[[IS:.*]] = arith.cmpi eq, %arg3, %[[ONE]]
// CHECK:         scf.if %[[IS]]
// CHECK:           tt.descriptor_load %[[SURE]]
// CHECK:         } else {
// CHECK:           tt.descriptor_load %[[ANY]]
tt.func @unknown(%base: !tt.ptr<f16>, %n: i32, %a: i64 {tt.divisibility = 16 : i32}, %b: i64, %zero: tensor<16x16xf16>) -> tensor<16x16xf16> {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %desc = tt.make_tensor_descriptor %base, [%n, %n], [%a, %b] : <f16>, <16x16xf16>
  %out = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %zero) -> (tensor<16x16xf16>) : i32 {
    %x = tt.descriptor_load %desc[%i, %c0] : !tt.tensordesc<16x16xf16> -> tensor<16x16xf16>
    %y = arith.addf %acc, %x : tensor<16x16xf16>
    scf.yield %y : tensor<16x16xf16>
  }
  tt.return %out : tensor<16x16xf16>
}

// One that is 16 times something is not 1.
// CHECK-LABEL: @divisible(
// CHECK-NOT:     scf.if
tt.func @divisible(%base: !tt.ptr<f16>, %n: i32, %a: i64 {tt.divisibility = 16 : i32}, %zero: tensor<16x16xf16>) -> tensor<16x16xf16> {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %desc = tt.make_tensor_descriptor %base, [%n, %n], [%a, %a] : <f16>, <16x16xf16>
  %out = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %zero) -> (tensor<16x16xf16>) : i32 {
    %x = tt.descriptor_load %desc[%i, %c0] : !tt.tensordesc<16x16xf16> -> tensor<16x16xf16>
    %y = arith.addf %acc, %x : tensor<16x16xf16>
    scf.yield %y : tensor<16x16xf16>
  }
  tt.return %out : tensor<16x16xf16>
}
