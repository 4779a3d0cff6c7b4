// Views at offsets that are values (until Triton 3.4), 4-bit floats (since 3.3).
// RUN: XTRITON_ROUNDTRIP

// CHECK: #blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK: #blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK: #shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
// CHECK: #smem = #ttg.shared_memory
// CHECK: module attributes {"ttg.num-warps" = 4 : i32} {
  // CHECK-LABEL: tt.func @parts(%arg0: !ttg.memdesc<2x64x32xf16, #shared, #smem, mutable>, %arg1: tensor<64x32xi8, #blocked>, %arg2: i32) -> tensor<64x64xbf16, #blocked1> {
    // CHECK: %c0_i32 = arith.constant 0 : i32
    // CHECK: %0 = ttg.memdesc_subview %arg0[%arg2, %c0_i32, %c0_i32] : !ttg.memdesc<2x64x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
    // CHECK: %1 = ttg.fp4_to_fp %arg1 {axis = 1 : i32} : tensor<64x32xi8, #blocked> -> tensor<64x64xbf16, #blocked1>
    // CHECK: tt.return %1 : tensor<64x64xbf16, #blocked1>
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @parts(%m: !ttg.memdesc<2x64x32xf16, #shared, #smem, mutable>, %x: tensor<64x32xi8, #blocked>, %i: i32) -> tensor<64x64xbf16, #blocked1> {
    %c0 = arith.constant 0 : i32
    %0 = ttg.memdesc_subview %m[%i, %c0, %c0] : !ttg.memdesc<2x64x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
    %1 = ttg.fp4_to_fp %x {axis = 1 : i32} : tensor<64x32xi8, #blocked> -> tensor<64x64xbf16, #blocked1>
    tt.return %1 : tensor<64x64xbf16, #blocked1>
  }
}
