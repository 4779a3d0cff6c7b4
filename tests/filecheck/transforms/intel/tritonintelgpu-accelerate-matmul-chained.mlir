// RUN: xtriton-opt %s --tritonintelgpu-accelerate-matmul --split-input-file | filecheck %s

#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [4, 4], warpsPerCTA = [8, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>

// The first result is the left operand of the second: warps share rows, not columns.
// CHECK:       warpsPerCTA = [8, 1]
// CHECK-NOT:   warpsPerCTA = [{{[0-9]+}}, {{[2-9]}}]
// CHECK-LABEL: @left(
module attributes {"ttg.num-warps" = 8 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func @left(%x: tensor<64x64xf16, #a>, %y: tensor<64x64xf16, #b>, %zero: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
    %d = tt.dot %x, %y, %zero : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #blocked>
    %h = arith.truncf %d : tensor<64x64xf32, #blocked> to tensor<64x64xf16, #blocked>
    %c = ttg.convert_layout %h : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #a>
    %e = tt.dot %c, %y, %zero : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #blocked>
    tt.return %e : tensor<64x64xf32, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [4, 4], warpsPerCTA = [8, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>

// As the right operand: four instructions stand side by side, so four warps share columns.
// CHECK:       warpsPerCTA = [2, 4]
// CHECK-LABEL: @right(
module attributes {"ttg.num-warps" = 8 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func @right(%x: tensor<64x64xf16, #a>, %y: tensor<64x64xf16, #b>, %zero: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
    %d = tt.dot %x, %y, %zero : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #blocked>
    %h = arith.truncf %d : tensor<64x64xf32, #blocked> to tensor<64x64xf16, #blocked>
    %c = ttg.convert_layout %h : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #b>
    %e = tt.dot %x, %c, %zero : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #blocked>
    tt.return %e : tensor<64x64xf32, #blocked>
  }
}
