// RUN: xtriton-opt %s --tritongpu-remove-layout-conversions | filecheck %s

// In front of a dot all conversions move up to the loads, so that no other one is left between
// these and the dot.

#a = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
#b = #ttg.blocked<{sizePerThread = [1, 1, 1], threadsPerWarp = [8, 4, 1], warpsPerCTA = [4, 1, 1], order = [2, 1, 0]}>
#l = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[0, 32], [0, 64], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>

// CHECK-LABEL: @scaled_operand(
// CHECK:         %[[S:.*]] = tt.load %arg0
// CHECK-NEXT:    ttg.convert_layout %[[S]]
// CHECK:         %[[A:.*]] = tt.load %arg1
// CHECK-NEXT:    ttg.convert_layout %[[A]]
// CHECK-NOT:     ttg.convert_layout
// CHECK:         tt.dot
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @scaled_operand(%p: tensor<32x4x!tt.ptr<bf16>, #ttg.slice<{dim = 2, parent = #b}>>, %q: tensor<32x128x!tt.ptr<bf16>, #a>, %y: tensor<128x32xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 8}>>, %acc: tensor<32x32xf32, #mma>) -> tensor<32x32xf32, #mma> {
    %0 = tt.load %p : tensor<32x4x!tt.ptr<bf16>, #ttg.slice<{dim = 2, parent = #b}>>
    %1 = tt.load %q : tensor<32x128x!tt.ptr<bf16>, #a>
    %2 = tt.expand_dims %0 {axis = 2 : i32} : tensor<32x4xbf16, #ttg.slice<{dim = 2, parent = #b}>> -> tensor<32x4x1xbf16, #b>
    %3 = tt.broadcast %2 : tensor<32x4x1xbf16, #b> -> tensor<32x4x32xbf16, #b>
    %4 = tt.reshape %3 : tensor<32x4x32xbf16, #b> -> tensor<32x128xbf16, #l>
    %5 = ttg.convert_layout %4 : tensor<32x128xbf16, #l> -> tensor<32x128xbf16, #a>
    %6 = arith.mulf %1, %5 : tensor<32x128xbf16, #a>
    %7 = ttg.convert_layout %6 : tensor<32x128xbf16, #a> -> tensor<32x128xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 8}>>
    %8 = tt.dot %7, %y, %acc : tensor<32x128xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 8}>> * tensor<128x32xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 8}>> -> tensor<32x32xf32, #mma>
    tt.return %8 : tensor<32x32xf32, #mma>
  }
}
