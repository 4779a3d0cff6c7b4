// What is wrong with an op or a layout, rule by rule.
// RUN: XTRITON_INVALID

module attributes {"ttg.num-warps" = 8 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.support_2d_block_io} {
  tt.func @descriptor_prefetch_1(%arg0: !tt.tensordesc<64x32xf16>, %arg1: i32) {
    // expected-error @+1 {{attribute 'cache' failed to satisfy constraint: expected a 32-bit integer attribute, got 1 : i8}}
    "ttig.descriptor_prefetch"(%arg0, %arg1, %arg1) <{cache = 1 : i8, evict = 3 : i32}> : (!tt.tensordesc<64x32xf16>, i32, i32) -> ()
    tt.return
  }
  tt.func @descriptor_gather_1(%arg0: !tt.tensordesc<1x32xf16>, %arg1: tensor<8x1xi32>, %arg2: i32) {
    // expected-error @+1 {{x offsets must be a 1D tensor, but got tensor<8x1xi32>}}
    %0 = ttig.descriptor_gather %arg0[%arg1, %arg2] : (!tt.tensordesc<1x32xf16>, tensor<8x1xi32>, i32) -> tensor<8x32xf16>
    tt.return
  }
  tt.func @descriptor_gather_2(%arg0: !tt.tensordesc<1x32xf16>, %arg1: tensor<8xi32>, %arg2: i32) {
    // expected-error @+1 {{result must be a 2D tensor, but got tensor<8xi32>}}
    %0 = ttig.descriptor_gather %arg0[%arg1, %arg2] : (!tt.tensordesc<1x32xf16>, tensor<8xi32>, i32) -> tensor<8xi32>
    tt.return
  }
  tt.func @descriptor_gather_3(%arg0: !tt.tensordesc<1x32xf16>, %arg1: tensor<8xi32>, %arg2: i32) {
    // expected-error @+1 {{must have at least 8 columns for i32, but got 1}}
    %0 = ttig.descriptor_gather %arg0[%arg1, %arg2] : (!tt.tensordesc<1x32xf16>, tensor<8xi32>, i32) -> tensor<8x1xi32>
    tt.return
  }
  tt.func @descriptor_gather_4(%arg0: !tt.tensordesc<1x32xf16>, %arg1: tensor<8xi32>, %arg2: i32) {
    // expected-error @+1 {{result tensor number of columns must match block (32), but got tensor<8x16xi32>}}
    %0 = ttig.descriptor_gather %arg0[%arg1, %arg2] : (!tt.tensordesc<1x32xf16>, tensor<8xi32>, i32) -> tensor<8x16xi32>
    tt.return
  }
}

// -----

// expected-error @+1 {{sizePerThread, threadsPerWarp, warpsPerCTA, and order must all have the same rank.}}
module attributes {test.layout = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1], warpsPerCTA = [4, 2], order = [1, 0]}>} {}

// -----

// expected-error @+1 {{Every element in threadsPerWarp must be a power of two.}}
module attributes {test.layout = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 0], warpsPerCTA = [4, 2], order = [1, 0]}>} {}

// -----

// expected-error @+1 {{expected an unsigned integer value in threadsPerWarp}}
module attributes {test.layout = #ttig.subgroup_2d_block<{warpsPerCTA = [4, 2], instrShape = [32, 16], numBlocks=1, order=[1, 0], kWidth=2, threadsPerWarp=-1}>} {}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 16], warpsPerCTA = [4, 2], order = [1, 0]}>
module attributes {"ttg.num-warps" = 8 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.support_2d_block_io} {
  tt.func @op_2d_block_load_1(%arg0: !tt.ptr<f16>, %arg1: i32) {
    // expected-error @+1 {{result tensor must have rank >= 2, got 1}}
    %0 = ttig.2d_block_load %arg0, %arg1, %arg1, %arg1[%arg1, %arg1] {row_major} : <f16> -> tensor<32xf16, #blocked>
    tt.return
  }
}

// -----

// expected-error @+1 {{repeatCount must be in the range [1, 8], but was:0}}
module attributes {test.layout = #ttig.dpas<{repeatCount = 0, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 2], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>} {}

// -----

// expected-error @+1 {{opsPerChannel must be 1, 2 or 4, but was:0}}
module attributes {test.layout = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, threadsPerWarp = 16, warpsPerCTA = [4, 2], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>} {}

// -----

// expected-error @+1 {{systolicDepth must be 8, but was:0}}
module attributes {test.layout = #ttig.dpas<{repeatCount = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 2], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>} {}

// -----

// expected-error @+1 {{expected rank 2 or 3 of repCluster, but the rank is:1}}
module attributes {test.layout = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 2], repCluster = [4], A = [32, 16], B = [16, 32], C = [32, 32]}>} {}

// -----

// expected-error @+1 {{threadsPerWarp could not be smaller than the execution size. got subGroupSize:0, executionSize:16}}
module attributes {test.layout = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, warpsPerCTA = [4, 2], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>} {}

// -----

// expected-error @+1 {{instrShape must be rank 2 but was 1}}
module attributes {test.layout = #ttig.subgroup_2d_block<{warpsPerCTA = [4, 2], instrShape = [32], numBlocks=1, order=[1, 0], kWidth=2, threadsPerWarp=16}>} {}

// -----

// expected-error @+1 {{kWidth must be 1, 2 or 4, but was: 0}}
module attributes {test.layout = #ttig.subgroup_2d_block<{warpsPerCTA = [4, 2], instrShape = [32, 16], numBlocks=1, order=[1, 0], kWidth=0, threadsPerWarp=16}>} {}

// -----

// expected-error @+1 {{threadsPerWarp must be 16, but was: 8}}
module attributes {test.layout = #ttig.subgroup_2d_block<{warpsPerCTA = [4, 2], instrShape = [32, 16], numBlocks=1, order=[1, 0], kWidth=2, threadsPerWarp=8}>} {}
