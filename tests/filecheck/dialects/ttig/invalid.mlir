// RUN: XTRITON_INVALID

// expected-error @+1 {{repeatCount must be in the range [1, 8], but was:9}}
module attributes {ttg.x = #ttig.dpas<{repeatCount = 9, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 2], repCluster = [4, 2]}>} {}

// -----

// expected-error @+1 {{threadsPerWarp could not be smaller than the execution size. got subGroupSize:8, executionSize:16}}
module attributes {ttg.x = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 8, warpsPerCTA = [4, 2], repCluster = [4, 2]}>} {}

// -----

// expected-error @+1 {{opsPerChannel must be 4 for fp4 type, but was:2}}
module attributes {ttg.x = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, fp4KPack = 2, threadsPerWarp = 16, warpsPerCTA = [4, 2], repCluster = [4, 2]}>} {}

// -----

#dpas = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 2], repCluster = [4, 2]}>
// expected-error @+1 {{ttg.dot_op kWidth parameter must match the parent's opsPerChannel}}
module attributes {ttg.x = #ttg.dot_op<{opIdx = 1, parent = #dpas, kWidth = 4}>} {}

// -----

// expected-error @+1 {{kWidth must be 1, 2 or 4, but was: 3}}
module attributes {ttg.x = #ttig.subgroup_2d_block<{warpsPerCTA = [4, 2], instrShape = [32, 16], numBlocks = 1, order = [1, 0], kWidth = 3, threadsPerWarp = 16}>} {}

// -----

tt.func @f(%desc: !tt.tensordesc<64x32xf16>, %i: i32) {
  // expected-error @+1 {{expected 2 indices, but got 1}}
  ttig.descriptor_prefetch %desc[%i] : !tt.tensordesc<64x32xf16>
  tt.return
}

// -----

tt.func @f(%desc: !tt.tensordesc<2x32xf16>, %rows: tensor<8xi32>, %y: i32) {
  // expected-error @+1 {{descriptor block must have exactly 1 row}}
  %0 = ttig.descriptor_gather %desc[%rows, %y] : (!tt.tensordesc<2x32xf16>, tensor<8xi32>, i32) -> tensor<8x32xf16>
  tt.return
}

// -----

tt.func @f(%a: tensor<16x8xf16>, %b: tensor<16x8xf16>) {
  // expected-error @+1 {{glued operands do not exactly cover the result shape}}
  %0 = ttig.glue %a, %b : (tensor<16x8xf16>, tensor<16x8xf16>) -> tensor<16x32xf16>
  tt.return
}

// -----

tt.func @f(%a: tensor<16x16xf16>) {
  // expected-error @+1 {{index must be less than 2}}
  %0 = ttig.extract %a[2] : tensor<16x16xf16> -> tensor<16x8xf16>
  tt.return
}

// -----

tt.func @f(%l: !tt.ptr<f16, 3>, %x: tensor<16x32xf16>) {
  // expected-error @+1 {{can only be used on tensors of shape <sub_group_size x sub_group_size> with no encoding}}
  %0 = ttig.sub_group_transpose %l, %x : tensor<16x32xf16>
  tt.return
}
