// RUN: xtriton-opt %s --triton-annotate-module='min-sg-size=16 support-2d-block-io support-dpas threads-per-warp=32' --split-input-file | filecheck %s

// A product that DPAS computes asks for its subgroup size, whatever the option says.
// CHECK:       module attributes {
// CHECK-SAME:    "ttg.threads-per-warp" = 16 : i32
// CHECK-SAME:    ttig.2d_block_io_base_alignment = 64 : i32
// CHECK-SAME:    ttig.min_sg_size = 16 : i32
// CHECK-SAME:    ttig.support_2d_block_io
// CHECK-SAME:    ttig.support_subgroup_matrix_multiply_accumulate
// CHECK-SAME:    ttig.target_arch = "spir64"
// CHECK-LABEL: @f16(
module {
  tt.func @f16(%a: tensor<16x16xf16>, %b: tensor<16x16xf16>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
    %d = tt.dot %a, %b, %c : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    tt.return %d : tensor<16x16xf32>
  }
}

// -----

// Floats of 32 bits with full precision are not for DPAS.
// CHECK:       "ttg.threads-per-warp" = 32 : i32
// CHECK-LABEL: @f32(
module {
  tt.func @f32(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
    %d = tt.dot %a, %b, %c, inputPrecision = ieee : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
    tt.return %d : tensor<16x16xf32>
  }
}
