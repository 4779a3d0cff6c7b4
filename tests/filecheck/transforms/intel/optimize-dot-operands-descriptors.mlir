// RUN: xtriton-opt %s --tritonintelgpu-optimize-dot-operands | filecheck %s
// RUN: xtriton-opt %s --tritonintelgpu-optimize-dot-operands --xtriton-check-semantics -o /dev/null
// By the rules of August 2026: descriptors stay, loads give columns.

#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.support_2d_block_io} {

// CHECK-LABEL: @product(
// CHECK:         %[[D:.*]] = tt.make_tensor_descriptor
// CHECK-NOT:     tt.trans
// CHECK:         %[[X:.*]] = tt.descriptor_load %[[D]][%{{.*}}, %{{.*}}] {ttig.block_io = "column_major"} : !tt.tensordesc<64x32xf16> -> tensor<32x64xf16
// CHECK-NEXT:    %[[Y:.*]] = ttg.convert_layout %[[X]]
// CHECK-NEXT:    tt.dot %{{.*}}, %[[Y]]
tt.func @product(%p: !tt.ptr<f16>, %q: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %one = arith.constant 1 : i64
  %pitch = arith.constant 32 : i64
  %wide = arith.constant 64 : i64
  %x = arith.constant dense<2.0> : tensor<64x32xf16, #a>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %d = tt.make_tensor_descriptor %p, [%n, %c32], [%pitch, %one] : <f16>, <64x32xf16>
  %l = tt.descriptor_load %d[%c0, %c0] {ttig.block_io = "row_major"} : !tt.tensordesc<64x32xf16> -> tensor<64x32xf16, #rows>
  %t = tt.trans %l {order = array<i32: 1, 0>} : tensor<64x32xf16, #rows> -> tensor<32x64xf16, #columns>
  %y = ttg.convert_layout %t : tensor<32x64xf16, #columns> -> tensor<32x64xf16, #b>
  %z = tt.dot %x, %y, %zero : tensor<64x32xf16, #a> * tensor<32x64xf16, #b> -> tensor<64x64xf32, #mma>
  %w = ttg.convert_layout %z : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #rows>
  %e = tt.make_tensor_descriptor %q, [%c64, %c64], [%wide, %one] : <f32>, <64x64xf32>
  tt.descriptor_store %e[%c0, %c0], %w : !tt.tensordesc<64x64xf32>, tensor<64x64xf32, #rows>
  tt.return
}

// What something else needs too is transposed.
// CHECK-LABEL: @also_stored(
// CHECK:         tt.descriptor_load %{{.*}} {ttig.block_io = "row_major"}
// CHECK:         tt.trans
tt.func @also_stored(%p: !tt.ptr<f16>, %q: !tt.ptr<f16>, %n: i32, %x: tensor<64x32xf16, #a>, %acc: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %one = arith.constant 1 : i64
  %pitch = arith.constant 32 : i64
  %d = tt.make_tensor_descriptor %p, [%n, %c32], [%pitch, %one] : <f16>, <64x32xf16>
  %e = tt.make_tensor_descriptor %q, [%n, %c32], [%pitch, %one] : <f16>, <64x32xf16>
  %l = tt.descriptor_load %d[%c0, %c0] {ttig.block_io = "row_major"} : !tt.tensordesc<64x32xf16> -> tensor<64x32xf16, #rows>
  tt.descriptor_store %e[%c0, %c0], %l : !tt.tensordesc<64x32xf16>, tensor<64x32xf16, #rows>
  %t = tt.trans %l {order = array<i32: 1, 0>} : tensor<64x32xf16, #rows> -> tensor<32x64xf16, #columns>
  %y = ttg.convert_layout %t : tensor<32x64xf16, #columns> -> tensor<32x64xf16, #b>
  %z = tt.dot %x, %y, %acc : tensor<64x32xf16, #a> * tensor<32x64xf16, #b> -> tensor<64x64xf32, #mma>
  tt.return %z : tensor<64x64xf32, #mma>
}
}
