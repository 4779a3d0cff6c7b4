// RUN: xtriton-opt %s --tritongpu-reduce-data-duplication | filecheck %s

// 64 columns of f16 are all 32 banks; 8 rows of 8 f16 each meet them all. Columns that come
// first are read down the tile's 8 rows.
// CHECK-DAG: #[[ROWS:.*]] = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
// CHECK-DAG: #[[COLUMNS:.*]] = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>
// CHECK-DAG: #[[DOUBLES:.*]] = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 4, order = [1, 0]}>
// CHECK-DAG: #[[DOUBLE_COLUMNS:.*]] = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 4, order = [0, 1]}>
// CHECK-DAG: #[[PLAIN:.*]] = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @left(
  // CHECK:         %[[M:.*]] = ttg.local_alloc %arg0 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #[[ROWS]], #smem>
  // CHECK-NEXT:    %[[X:.*]] = ttg.local_load %[[M]]
  // CHECK-NEXT:    tt.return %[[X]]
  tt.func @left(%x: tensor<64x64xf16, #blocked>) -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> {
    %0 = ttg.convert_layout %x : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    tt.return %0 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
  }

  // CHECK-LABEL: @left_by_columns(
  // CHECK:         ttg.local_alloc %arg0 : (tensor<64x64xf16, #{{.*}}>) -> !ttg.memdesc<64x64xf16, #[[COLUMNS]], #smem>
  tt.func @left_by_columns(%x: tensor<64x64xf16, #columns>) -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> {
    %0 = ttg.convert_layout %x : tensor<64x64xf16, #columns> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    tt.return %0 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
  }

  // CHECK-LABEL: @doubles(
  // CHECK:         ttg.local_alloc %arg0 : (tensor<64x64xf64, #{{.*}}>) -> !ttg.memdesc<64x64xf64, #[[DOUBLES]], #smem>
  tt.func @doubles(%x: tensor<64x64xf64, #blocked>) -> tensor<64x64xf64, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> {
    %0 = ttg.convert_layout %x : tensor<64x64xf64, #blocked> -> tensor<64x64xf64, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
    tt.return %0 : tensor<64x64xf64, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
  }

  // CHECK-LABEL: @doubles_by_columns(
  // CHECK:         ttg.local_alloc %arg0 : (tensor<64x64xf64, #{{.*}}>) -> !ttg.memdesc<64x64xf64, #[[DOUBLE_COLUMNS]], #smem>
  tt.func @doubles_by_columns(%x: tensor<64x64xf64, #columns>) -> tensor<64x64xf64, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> {
    %0 = ttg.convert_layout %x : tensor<64x64xf64, #columns> -> tensor<64x64xf64, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
    tt.return %0 : tensor<64x64xf64, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
  }

  // CHECK-LABEL: @no_matrix_cores(
  // CHECK:         ttg.local_alloc %arg0 : (tensor<64x64xf16, #{{.*}}>) -> !ttg.memdesc<64x64xf16, #[[PLAIN]], #smem>
  tt.func @no_matrix_cores(%x: tensor<64x64xf16, #blocked>) -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #columns}>> {
    %0 = ttg.convert_layout %x : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #columns}>>
    tt.return %0 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #columns}>>
  }

  // What is no operand, and what is one already.
  // CHECK-LABEL: @stays(
  // CHECK-NOT:     ttg.local_alloc
  // CHECK:         tt.return
  tt.func @stays(%x: tensor<64x64xf16, #blocked>, %y: tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>) -> (tensor<64x64xf16, #columns>, tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>) {
    %0 = ttg.convert_layout %x : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #columns>
    %1 = ttg.convert_layout %y : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    tt.return %0, %1 : tensor<64x64xf16, #columns>, tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
  }
}
