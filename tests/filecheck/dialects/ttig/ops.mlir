// Every op and layout, in the syntax of Triton 3.9.
// RUN: XTRITON_ROUNDTRIP

// CHECK: #blocked = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 16], warpsPerCTA = [4, 2], order = [1, 0]}>
// CHECK: #mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 2], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
// CHECK: #mma1 = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 4, fp4KPack = 2, threadsPerWarp = 32, warpsPerCTA = [1, 4, 2], repCluster = [1, 1, 1], A = [1, 8, 32], B = [1, 32, 16], C = [1, 8, 16]}>
// CHECK: #mma2 = #ttig.subgroup_2d_block<{warpsPerCTA = [4, 2], instrShape = [32, 16], numBlocks=1, order=[1, 0], kWidth=2, threadsPerWarp=16}>
// CHECK: #warp = #ttig.warp<{sizePerThread = [16, 64], threadsPerWarp = [1, 1], order = [1, 0]}>
// CHECK: module attributes {"ttg.num-warps" = 8 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.support_2d_block_io} {
  // CHECK-LABEL: tt.func private @layouts
  // CHECK-LABEL: tt.func @block_io
    // CHECK: %0 = ttig.2d_block_load %arg0, %arg1, %arg1, %arg1[%arg1, %arg1] {row_major} : <f16> -> tensor<64x32xf16, #blocked>
    // CHECK: %1 = ttig.2d_block_load %arg0, %arg1, %arg1, %arg1[%arg1, %arg1] {column_major, pad_nan} : <f16> -> tensor<64x32xf16, #blocked>
    // CHECK: %2 = ttig.2d_block_load_from_ptr %arg2, %arg1 {row_major} {base_height = 64 : i32, base_width = 128 : i32} : (tensor<64x32x!tt.ptr<f16>, #blocked>, i32) -> tensor<64x32xf16, #blocked>
    // CHECK: %3 = ttig.2d_block_load_from_ptr %arg2, %arg1, %arg3, %arg4 {row_major} {base_height = 64 : i32, base_width = 128 : i32} : (tensor<64x32x!tt.ptr<f16>, #blocked>, i32, tensor<64x32xi1, #blocked>, tensor<64x32xf16, #blocked>) -> tensor<64x32xf16, #blocked>
    // CHECK: ttig.prefetch %arg2, %arg3 {cache = 1 : i32, evict = 1 : i32, isVolatile = false} : tensor<64x32x!tt.ptr<f16>, #blocked>
    // CHECK: ttig.descriptor_prefetch %arg5[%arg1, %arg1] evictionPolicy = evict_last : !tt.tensordesc<64x32xf16>
    // CHECK: %4 = ttig.extract_desc %arg5[2] : <64x32xf16> -> i64
    // CHECK: tt.return
  // CHECK-LABEL: tt.func @rows
    // CHECK: %0 = ttig.descriptor_gather %arg0[%arg1, %arg2] : (!tt.tensordesc<1x32xf16>, tensor<8xi32>, i32) -> tensor<8x32xf16>
    // CHECK: ttig.descriptor_scatter %arg0[%arg1, %arg2], %0 : !tt.tensordesc<1x32xf16>, tensor<8xi32>, i32, tensor<8x32xf16>
    // CHECK: %1 = ttig.alloc : <i8, 3>
    // CHECK: %2 = ttig.sub_group_transpose %arg4, %arg3 : tensor<16x16xf16>
    // CHECK: %3 = tt.expand_dims %arg1 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    // CHECK: %4 = ttig.broadcast %3 : tensor<8x1xi32> -> tensor<8x16xi32>
    // CHECK: tt.return
#blocked = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 16], warpsPerCTA = [4, 2], order = [1, 0]}>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 2], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
#mma1 = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 4, fp4KPack = 2, threadsPerWarp = 32, warpsPerCTA = [1, 4, 2], repCluster = [1, 1, 1], A = [1, 8, 32], B = [1, 32, 16], C = [1, 8, 16]}>
#mma2 = #ttig.subgroup_2d_block<{warpsPerCTA = [4, 2], instrShape = [32, 16], numBlocks=1, order=[1, 0], kWidth=2, threadsPerWarp=16}>
#warp = #ttig.warp<{sizePerThread = [16, 64], threadsPerWarp = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 8 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.support_2d_block_io} {
  tt.func private @layouts(tensor<64x64xf32, #mma>, tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>, tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>, tensor<1x64x64xf32, #mma1>, tensor<64x64xf32, #mma2>, tensor<16x64xf16, #warp>)
  tt.func @block_io(%arg0: !tt.ptr<f16>, %arg1: i32, %arg2: tensor<64x32x!tt.ptr<f16>, #blocked>, %arg3: tensor<64x32xi1, #blocked>, %arg4: tensor<64x32xf16, #blocked>, %arg5: !tt.tensordesc<64x32xf16>) {
    %0 = ttig.2d_block_load %arg0, %arg1, %arg1, %arg1[%arg1, %arg1] {row_major} : <f16> -> tensor<64x32xf16, #blocked>
    %1 = ttig.2d_block_load %arg0, %arg1, %arg1, %arg1[%arg1, %arg1] {column_major, pad_nan} : <f16> -> tensor<64x32xf16, #blocked>
    %2 = ttig.2d_block_load_from_ptr %arg2, %arg1 {row_major} {base_height = 64 : i32, base_width = 128 : i32} : (tensor<64x32x!tt.ptr<f16>, #blocked>, i32) -> tensor<64x32xf16, #blocked>
    %3 = ttig.2d_block_load_from_ptr %arg2, %arg1, %arg3, %arg4 {row_major} {base_height = 64 : i32, base_width = 128 : i32} : (tensor<64x32x!tt.ptr<f16>, #blocked>, i32, tensor<64x32xi1, #blocked>, tensor<64x32xf16, #blocked>) -> tensor<64x32xf16, #blocked>
    ttig.prefetch %arg2, %arg3 {cache = 1 : i32, evict = 1 : i32, isVolatile = false} : tensor<64x32x!tt.ptr<f16>, #blocked>
    ttig.descriptor_prefetch %arg5[%arg1, %arg1] evictionPolicy = evict_last : !tt.tensordesc<64x32xf16>
    %4 = ttig.extract_desc %arg5[2] : <64x32xf16> -> i64
    tt.return
  }
  tt.func @rows(%arg0: !tt.tensordesc<1x32xf16>, %arg1: tensor<8xi32>, %arg2: i32, %arg3: tensor<16x16xf16>, %arg4: !tt.ptr<f16, 3>) {
    %0 = ttig.descriptor_gather %arg0[%arg1, %arg2] : (!tt.tensordesc<1x32xf16>, tensor<8xi32>, i32) -> tensor<8x32xf16>
    ttig.descriptor_scatter %arg0[%arg1, %arg2], %0 : !tt.tensordesc<1x32xf16>, tensor<8xi32>, i32, tensor<8x32xf16>
    %1 = ttig.alloc : <i8, 3>
    %2 = ttig.sub_group_transpose %arg4, %arg3 : tensor<16x16xf16>
    %3 = tt.expand_dims %arg1 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %4 = ttig.broadcast %3 : tensor<8x1xi32> -> tensor<8x16xi32>
    tt.return
  }
}
