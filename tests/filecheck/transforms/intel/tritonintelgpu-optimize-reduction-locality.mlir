// RUN: xtriton-opt %s --tritonintelgpu-optimize-reduction-locality | filecheck %s

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
#low = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [1, 2], A = [8, 16], B = [16, 32], C = [8, 32]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32} {
  // Each warp has 32 rows, 2 for each lane, and of each row 2 times 2 elements of each lane.
  // CHECK-DAG: #[[OWN:.*]] = #ttg.blocked<{sizePerThread = [1, 8, 2, 4, 1, 2, 1], threadsPerWarp = [16, 1, 1, 1, 1, 1, 1], warpsPerCTA = [1, 1, 1, 1, 2, 1, 2], order = [0, 1, 2, 3, 4, 5, 6]}>
  // CHECK-DAG: #[[TURNED:.*]] = #ttg.blocked<{sizePerThread = [16, 2, 1, 1, 1], threadsPerWarp = [1, 4, 4, 1, 1], warpsPerCTA = [1, 1, 1, 2, 2], order = [0, 1, 2, 3, 4]}>
  // CHECK-DAG: #[[ROWS:.*]] = #ttg.blocked<{sizePerThread = [16, 2, 1, 1], threadsPerWarp = [1, 16, 1, 1], warpsPerCTA = [1, 1, 2, 2], order = [0, 1, 2, 3]}>
  // CHECK-DAG: #[[END:.*]] = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 16], warpsPerCTA = [2, 2], order = [0, 1]}>
  // CHECK-LABEL: @sums(
  // CHECK:         %[[X:.*]] = tt.load
  // CHECK:         %[[A:.*]] = tt.reshape %[[X]] allow_reorder efficient_layout : tensor<64x128xf32, #mma> -> tensor<16x8x2x4x2x2x2xf32, #[[OWN]]>
  // CHECK:         %[[B:.*]] = "tt.reduce"(%[[A]]) <{axis = 2 : i32}>
  // CHECK:           arith.addf
  // CHECK:         %[[C:.*]] = "tt.reduce"(%[[B]]) <{axis = 4 : i32}>
  // CHECK:         -> tensor<16x8x4x2x2xf32
  // CHECK:         %[[D:.*]] = ttg.convert_layout %[[C]] {{.*}} -> tensor<16x8x4x2x2xf32, #[[TURNED]]>
  // CHECK:         %[[E:.*]] = tt.reshape %[[D]] allow_reorder efficient_layout {{.*}} -> tensor<16x32x2x2xf32, #[[ROWS]]>
  // CHECK:         %[[F:.*]] = "tt.reduce"(%[[E]]) <{axis = 0 : i32}>
  // CHECK:         %[[G:.*]] = "tt.reduce"(%[[F]]) <{axis = 1 : i32}>
  // CHECK:         %[[H:.*]] = tt.reshape %[[G]] allow_reorder efficient_layout {{.*}} -> tensor<64xf32, #ttg.slice<{dim = 0, parent = #[[END]]}>>
  // CHECK:         ttg.convert_layout %[[H]] {{.*}} -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
  tt.func @sums(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %c64 = arith.constant 64 : i64
    %c128 = arith.constant 128 : i64
    %p = tt.make_tensor_ptr %a, [%c64, %c128], [%c128, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<64x128xf32, #mma>>
    %x = tt.load %p : !tt.ptr<tensor<64x128xf32, #mma>>
    %s = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%u: f32, %v: f32):
      %w = arith.addf %u, %v : f32
      tt.reduce.return %w : f32
    }) : (tensor<64x128xf32, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %q = tt.make_tensor_ptr %b, [%c64], [%c1], [%c0] {order = array<i32: 0>} : <tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>>
    tt.store %q, %s : !tt.ptr<tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>>
    tt.return
  }

  // Columns, rows too few for all lanes, and rows shorter than the warps reach.
  // CHECK-LABEL: @not(
  // CHECK-NOT:     tt.reshape
  tt.func @not(%x: tensor<64x128xf32, #mma>, %y: tensor<16x64xf32, #low>, %z: tensor<64x32xf32, #mma>) -> (tensor<128xf32, #ttg.slice<{dim = 0, parent = #mma}>>, tensor<16xf32, #ttg.slice<{dim = 1, parent = #low}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>) {
    %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%u: f32, %v: f32):
      %w = arith.maximumf %u, %v : f32
      tt.reduce.return %w : f32
    }) : (tensor<64x128xf32, #mma>) -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #mma}>>
    %1 = "tt.reduce"(%y) <{axis = 1 : i32}> ({
    ^bb0(%u: f32, %v: f32):
      %w = arith.maximumf %u, %v : f32
      tt.reduce.return %w : f32
    }) : (tensor<16x64xf32, #low>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #low}>>
    %2 = "tt.reduce"(%z) <{axis = 1 : i32}> ({
    ^bb0(%u: f32, %v: f32):
      %w = arith.maximumf %u, %v : f32
      tt.reduce.return %w : f32
    }) : (tensor<64x32xf32, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    tt.return %0, %1, %2 : tensor<128xf32, #ttg.slice<{dim = 0, parent = #mma}>>, tensor<16xf32, #ttg.slice<{dim = 1, parent = #low}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
  }
}
