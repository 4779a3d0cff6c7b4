// RUN: xtriton-opt %s --tritonintelgpu-accelerate-matmul --split-input-file | filecheck %s

// Scales become factors of 16 bits; the operand with scales comes to the left, and the
// transposition that this leaves moves behind the loop.
// CHECK-LABEL: @scaled(
// CHECK:         scf.for {{.*}} -> (tensor<32x128xf32, #{{.*}}>)
// CHECK:           ttg.fp4_to_fp {{.*}} -> tensor<32x64xbf16,
// CHECK:           arith.mulf
// CHECK:           arith.select
// CHECK:           tt.dot {{.*}} -> tensor<32x128xf32, #mma>
// CHECK:         tt.trans {{.*}} -> tensor<128x32xf32,
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func @scaled(%a: tensor<128x64xf8E4M3FN, #blocked>, %b: tensor<32x32xi8, #blocked1>, %scale: tensor<32x2xi8, #blocked2>, %n: i32) -> tensor<128x32xf32, #blocked1> {
    %zero = arith.constant dense<0.0> : tensor<128x32xf32, #blocked1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x32xf32, #blocked1>) : i32 {
      %d = tt.dot_scaled %a, %b scale %scale, %acc lhs = e4m3 rhs = e2m1 {fastMath = false} : tensor<128x64xf8E4M3FN, #blocked> * tensor<32x32xi8, #blocked1>, tensor<32x2xi8, #blocked2> -> tensor<128x32xf32, #blocked1>
      scf.yield %d : tensor<128x32xf32, #blocked1>
    }
    tt.return %r : tensor<128x32xf32, #blocked1>
  }
}

// -----

// A scale may stand for 16 elements; since August 2026 it is repeated in the layout of these.
// CHECK-LABEL: @sixteen(
// CHECK:         tt.reshape {{.*}} efficient_layout : {{.*}} -> tensor<128x2x1xbf16,
// CHECK:         tt.broadcast {{.*}} -> tensor<128x2x16xbf16,
// CHECK:         tt.broadcast {{.*}} -> tensor<2x16x128xbf16,
// CHECK:         tt.dot
#rows = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32} {
  tt.func @sixteen(%a: tensor<128x16xi8, #rows>, %b: tensor<16x128xi8, #rows>, %s: tensor<128x2xi8, #rows>, %c: tensor<128x128xf32, #rows>) -> tensor<128x128xf32, #rows> {
    %d = tt.dot_scaled %a scale %s, %b scale %s, %c lhs = e2m1 rhs = e2m1 {fastMath = true} : tensor<128x16xi8, #rows>, tensor<128x2xi8, #rows> * tensor<16x128xi8, #rows>, tensor<128x2xi8, #rows> -> tensor<128x128xf32, #rows>
    tt.return %d : tensor<128x128xf32, #rows>
  }
}

// -----

// A device that multiplies with scales gets them in the lanes that have the rows and columns. Two
// 4-bit floats in a byte along k are two for an instruction.
// CHECK-DAG: #[[A:.+]] = #ttg.linear<{register = {{\[\[}}0, 1], [8, 0], [16, 0], [0, 2]], lane = {{\[\[}}1, 0], [2, 0], [4, 0], [0, 0]], warp = {{\[\[}}32, 0], [64, 0]], block = []}>
// CHECK-DAG: #[[B:.+]] = #ttg.linear<{register = {{\[\[}}0, 1], [16, 0], [0, 2]], lane = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0]], warp = {{\[\[}}0, 0], [0, 0]], block = []}>
// CHECK-DAG: #[[MMA:.+]] = #ttig.dpas<{repeatCount = 8, {{.*}}fp4KPack = 2
// CHECK-LABEL: @by_the_device(
// CHECK-NOT:     arith.mulf
// CHECK:         tt.dot_scaled {{.*}} lhs = e2m1 rhs = e2m1 {{.*}} tensor<128x4xi8, #[[A]]> {{.*}} tensor<32x4xi8, #[[B]]> -> tensor<128x32xf32, #[[MMA]]>
// Of mixed formats the wider one is taken.
// CHECK-LABEL: @mixed(
// CHECK:         ttg.fp4_to_fp
// CHECK:         tt.fp_to_fp
// CHECK:         tt.dot_scaled {{.*}} lhs = bf16 rhs = bf16
#rows = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_subgroup_matrix_multiply_accumulate, ttig.support_subgroup_matrix_multiply_accumulate_bf8, ttig.support_subgroup_scaled_matrix_multiply_accumulate} {
  tt.func @by_the_device(%a: tensor<128x64xi8, #rows>, %sa: tensor<128x4xi8, #rows>, %b: tensor<64x32xi8, #rows>, %sb: tensor<32x4xi8, #rows>, %c: tensor<128x32xf32, #rows>) -> tensor<128x32xf32, #rows> {
    %d = tt.dot_scaled %a scale %sa, %b scale %sb, %c lhs = e2m1 rhs = e2m1 {fastMath = false} : tensor<128x64xi8, #rows>, tensor<128x4xi8, #rows> * tensor<64x32xi8, #rows>, tensor<32x4xi8, #rows> -> tensor<128x32xf32, #rows>
    tt.return %d : tensor<128x32xf32, #rows>
  }
  tt.func @mixed(%a: tensor<128x32xi8, #rows>, %sa: tensor<128x2xi8, #rows>, %b: tensor<64x32xf8E5M2, #rows>, %sb: tensor<32x2xi8, #rows>, %c: tensor<128x32xf32, #rows>) -> tensor<128x32xf32, #rows> {
    %d = tt.dot_scaled %a scale %sa, %b scale %sb, %c lhs = e2m1 rhs = e5m2 {fastMath = false} : tensor<128x32xi8, #rows>, tensor<128x2xi8, #rows> * tensor<64x32xf8E5M2, #rows>, tensor<32x2xi8, #rows> -> tensor<128x32xf32, #rows>
    tt.return %d : tensor<128x32xf32, #rows>
  }
}
