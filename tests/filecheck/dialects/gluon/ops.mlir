// The dialect, in the syntax of Triton 3.9.
// RUN: XTRITON_ROUNDTRIP

// CHECK: #blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK: module attributes {"ttg.num-warps" = 4 : i32} {
  // CHECK-LABEL: tt.func @auto
    // CHECK: %0 = gluon.set_auto_layout %arg0 : tensor<128xf32, #gluon.auto_encoding> -> tensor<128xf32, #blocked>
    // CHECK: tt.return
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @auto(%arg0: tensor<128xf32, #gluon.auto_encoding>, %arg1: tensor<128xf32, #gluon.coalesced_encoding>) {
    %0 = gluon.set_auto_layout %arg0 : tensor<128xf32, #gluon.auto_encoding> -> tensor<128xf32, #blocked>
    tt.return
  }
}
