// RUN: xtriton-opt %s --tritonintelgpu-fold-fp-to-fp | filecheck %s

module attributes {ttig.fast_math} {
  // CHECK-LABEL: @narrowed(
  // CHECK-NEXT:    tt.fp_to_fp %arg0, rounding = rtz : tensor<64xf32> -> tensor<64xbf16>
  // CHECK-NEXT:    tt.return
  tt.func @narrowed(%x: tensor<64xf32>) -> tensor<64xbf16> {
    %0 = tt.fp_to_fp %x, rounding = rtz : tensor<64xf32> -> tensor<64xf8E4M3FN>
    %1 = tt.fp_to_fp %0 : tensor<64xf8E4M3FN> -> tensor<64xbf16>
    tt.return %1 : tensor<64xbf16>
  }

  // CHECK-LABEL: @there_and_back(
  // CHECK-NEXT:    tt.return %arg0
  tt.func @there_and_back(%x: tensor<64xf32>) -> tensor<64xf32> {
    %0 = tt.fp_to_fp %x, rounding = rtne : tensor<64xf32> -> tensor<64xf16>
    %1 = tt.fp_to_fp %0 : tensor<64xf16> -> tensor<64xf32>
    tt.return %1 : tensor<64xf32>
  }

  // What the last conversion rounds, it rounds of other numbers.
  // CHECK-LABEL: @rounded_at_last(
  // CHECK-COUNT-2: tt.fp_to_fp
  tt.func @rounded_at_last(%x: tensor<64xf32>) -> tensor<64xf8E5M2> {
    %0 = tt.fp_to_fp %x, rounding = rtne : tensor<64xf32> -> tensor<64xf16>
    %1 = tt.fp_to_fp %0, rounding = rtne : tensor<64xf16> -> tensor<64xf8E5M2>
    tt.return %1 : tensor<64xf8E5M2>
  }
}
