// Clusters, in the syntax of Triton 3.9.
// RUN: XTRITON_ROUNDTRIP

// CHECK: #blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK: module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  // CHECK-LABEL: tt.func @steal() -> tensor<2xi64, #blocked> {
    // CHECK: %0 = ttng.clc_try_cancel_sync : tensor<2xi64, #blocked>
    // CHECK: tt.return %0 : tensor<2xi64, #blocked>
#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @steal() -> tensor<2xi64, #blocked> {
    %0 = ttng.clc_try_cancel_sync : tensor<2xi64, #blocked>
    tt.return %0 : tensor<2xi64, #blocked>
  }
}
