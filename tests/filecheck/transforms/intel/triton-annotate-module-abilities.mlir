// RUN: xtriton-opt %s --triton-annotate-module='min-sg-size=16 sub-32-dpas is-lts is-fast-math support-sigmoid support-predicated-io support-256b-load-store support-rounded-divide-sqrt use-cl-rounded-divide-sqrt 2d-block-io-base-alignment=32' --split-input-file | filecheck %s

// What devices and drivers of 2026 can do; warps of 32 threads stay with `sub-32-dpas`.
// CHECK:       module attributes {
// CHECK-SAME:    "ttg.threads-per-warp" = 32 : i32
// CHECK-SAME:    ttig.2d_block_io_base_alignment = 32 : i32
// CHECK-SAME:    ttig.fast_math
// CHECK-SAME:    ttig.is_lts
// CHECK-SAME:    ttig.support_256b_load_store
// CHECK-SAME:    ttig.support_predicated_io
// CHECK-SAME:    ttig.support_rounded_divide_sqrt
// CHECK-SAME:    ttig.support_sigmoid
// CHECK-SAME:    ttig.use_cl_rounded_divide_sqrt
// CHECK-LABEL: @f16(
module {
  tt.func @f16(%a: tensor<16x16xf16>, %b: tensor<16x16xf16>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
    %d = tt.dot %a, %b, %c : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    tt.return %d : tensor<16x16xf32>
  }
}

// -----

// A module with block pointers is of a release before: nothing is said of alignment.
// CHECK:       module attributes {
// CHECK-NOT:     2d_block_io_base_alignment
// CHECK-LABEL: @block_pointer(
module {
  tt.func @block_pointer(%p: !tt.ptr<tensor<16x16xf16>>) -> tensor<16x16xf16> {
    %x = tt.load %p : !tt.ptr<tensor<16x16xf16>>
    tt.return %x : tensor<16x16xf16>
  }
}
