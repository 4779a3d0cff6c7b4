// RUN: xtriton-opt %s --tritonintelgpu-fold-fp-to-fp | filecheck %s

module {
  // CHECK-LABEL: @widened(
  // CHECK-NEXT:    tt.fp_to_fp %arg0 : tensor<64xf8E5M2> -> tensor<64xf64>
  // CHECK-NEXT:    tt.return
  tt.func @widened(%x: tensor<64xf8E5M2>) -> tensor<64xf64> {
    %0 = tt.fp_to_fp %x : tensor<64xf8E5M2> -> tensor<64xf16>
    %1 = tt.fp_to_fp %0 : tensor<64xf16> -> tensor<64xf32>
    %2 = tt.fp_to_fp %1 : tensor<64xf32> -> tensor<64xf64>
    tt.return %2 : tensor<64xf64>
  }

  // What others use stays.
  // CHECK-LABEL: @used(
  // CHECK-NEXT:    %[[A:.*]] = tt.fp_to_fp %arg0 : tensor<64xf8E4M3FN> -> tensor<64xf16>
  // CHECK-NEXT:    %[[B:.*]] = tt.fp_to_fp %arg0 : tensor<64xf8E4M3FN> -> tensor<64xf32>
  // CHECK-NEXT:    tt.return %[[A]], %[[B]]
  tt.func @used(%x: tensor<64xf8E4M3FN>) -> (tensor<64xf16>, tensor<64xf32>) {
    %0 = tt.fp_to_fp %x : tensor<64xf8E4M3FN> -> tensor<64xf16>
    %1 = tt.fp_to_fp %0 : tensor<64xf16> -> tensor<64xf32>
    tt.return %0, %1 : tensor<64xf16>, tensor<64xf32>
  }

  // CHECK-LABEL: @rounded_between(
  // CHECK-COUNT-2: tt.fp_to_fp
  tt.func @rounded_between(%x: tensor<64xf32>) -> tensor<64xf32> {
    %0 = tt.fp_to_fp %x, rounding = rtne : tensor<64xf32> -> tensor<64xbf16>
    %1 = tt.fp_to_fp %0 : tensor<64xbf16> -> tensor<64xf32>
    tt.return %1 : tensor<64xf32>
  }

  // Rounding twice is not rounding once.
  // CHECK-LABEL: @rounded_at_last(
  // CHECK-COUNT-2: tt.fp_to_fp
  tt.func @rounded_at_last(%x: tensor<64xf16>) -> tensor<64xbf16> {
    %0 = tt.fp_to_fp %x : tensor<64xf16> -> tensor<64xf32>
    %1 = tt.fp_to_fp %0, rounding = rtne : tensor<64xf32> -> tensor<64xbf16>
    tt.return %1 : tensor<64xbf16>
  }

  // There is no infinity in the format between, whose numbers are more.
  // CHECK-LABEL: @infinity(
  // CHECK-COUNT-2: tt.fp_to_fp
  tt.func @infinity(%x: tensor<64xf8E5M2>) -> tensor<64xf32> {
    %0 = tt.fp_to_fp %x : tensor<64xf8E5M2> -> tensor<64xf8E5M2FNUZ>
    %1 = tt.fp_to_fp %0 : tensor<64xf8E5M2FNUZ> -> tensor<64xf32>
    tt.return %1 : tensor<64xf32>
  }

  tt.func public @executed(%p: !tt.ptr<f8E5M2>, %q: !tt.ptr<f32>) {
    %i = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32>
    %ps = tt.splat %p : !tt.ptr<f8E5M2> -> tensor<256x!tt.ptr<f8E5M2>>
    %pi = tt.addptr %ps, %i : tensor<256x!tt.ptr<f8E5M2>>, tensor<256xi32>
    %x = tt.load %pi : tensor<256x!tt.ptr<f8E5M2>>
    %0 = tt.fp_to_fp %x : tensor<256xf8E5M2> -> tensor<256xf16>
    %1 = tt.fp_to_fp %0 : tensor<256xf16> -> tensor<256xf32>
    %qs = tt.splat %q : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %qi = tt.addptr %qs, %i : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    tt.store %qi, %1 : tensor<256x!tt.ptr<f32>>
    tt.return
  }
}
