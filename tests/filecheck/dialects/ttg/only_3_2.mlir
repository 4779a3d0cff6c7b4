// Microscaling floats, in Triton 3.2.
// RUN: XTRITON_ROUNDTRIP

// CHECK: #blocked = #triton_gpu.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK: module attributes {"triton_gpu.num-warps" = 4 : i32} {
  // CHECK-LABEL: tt.func @upcast(%arg0: tensor<64x32xi8, #blocked>, %arg1: tensor<64x2xi8, #blocked>) -> tensor<64x64xbf16, #blocked> {
    // CHECK: %0 = triton_gpu.upcast_mxfp %arg0, %arg1 fp_type = e2m1 : tensor<64x32xi8, #blocked>, tensor<64x2xi8, #blocked> -> tensor<64x64xbf16, #blocked>
    // CHECK: tt.return %0 : tensor<64x64xbf16, #blocked>
#blocked = #triton_gpu.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"triton_gpu.num-warps" = 4 : i32} {
  tt.func @upcast(%x: tensor<64x32xi8, #blocked>, %s: tensor<64x2xi8, #blocked>) -> tensor<64x64xbf16, #blocked> {
    %0 = triton_gpu.upcast_mxfp %x, %s fp_type = e2m1 : tensor<64x32xi8, #blocked>, tensor<64x2xi8, #blocked> -> tensor<64x64xbf16, #blocked>
    tt.return %0 : tensor<64x64xbf16, #blocked>
  }
}
