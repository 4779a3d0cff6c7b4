// RUN: xtriton-opt %s --tritonintelgpu-materialize-block-pointer | filecheck %s
// RUN: xtriton-opt %s --tritonintelgpu-materialize-block-pointer --xtriton-check-semantics -o /dev/null
// RUN: env TRITON_INTEL_ENABLE_BLOCK_IO_ALL_LAYOUTS=0 xtriton-opt %s --tritonintelgpu-materialize-block-pointer | filecheck %s --check-prefix=DPAS-ONLY

// Flat tensors whose elements are rows of a matrix.
// DPAS-ONLY-NOT: tt.reshape

#turns = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [2], order = [0]}>
#flat = #ttg.blocked<{sizePerThread = [16], threadsPerWarp = [16], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.support_2d_block_io} {

// A tile of 16 rows of 32, from row 16 * %i on; rows are 64 apart.
// CHECK-DAG: #[[FLAT:.*]] = #ttg.blocked<{sizePerThread = [16], threadsPerWarp = [16], warpsPerCTA = [2], order = [0]}>
// CHECK-DAG: #[[ROWS:.*]] = #ttg.blocked<{sizePerThread = [8, 2], threadsPerWarp = [1, 16], warpsPerCTA = [2, 1], order = [1, 0]}>
// CHECK-DAG: #[[SEEN:.*]] = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 2], warpsPerCTA = [2, 1], order = [1, 0]}>
// CHECK-LABEL: @rows(
// CHECK:         %[[P:.*]] = tt.reshape %{{.*}} allow_reorder efficient_layout : tensor<512x!tt.ptr<f16>, #[[FLAT]]> -> tensor<16x32x!tt.ptr<f16>, #[[ROWS]]>
// CHECK-NEXT:    %[[V:.*]] = tt.load %[[P]] cacheModifier = cg {ttig.block_io = "row_major", ttig.block_io_stride = 64 : i64}
// CHECK-NEXT:    %[[C:.*]] = ttg.convert_layout %[[V]] : tensor<16x32xf16, #[[ROWS]]> -> tensor<16x32xf16, #[[SEEN]]>
// CHECK-NEXT:    tt.reshape %[[C]] efficient_layout : tensor<16x32xf16, #[[SEEN]]> -> tensor<512xf16, #[[FLAT]]>
tt.func @rows(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f16>, %i: i32) {
  %c512 = arith.constant 512 : i32
  %w = arith.constant dense<32> : tensor<512xi32, #flat>
  %s = arith.constant dense<64> : tensor<512xi32, #flat>
  %first = arith.muli %i, %c512 : i32
  %firsts = tt.splat %first : i32 -> tensor<512xi32, #flat>
  %range = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #flat>
  %index = arith.addi %range, %firsts : tensor<512xi32, #flat>
  %column = arith.remui %index, %w : tensor<512xi32, #flat>
  %row = arith.divui %index, %w : tensor<512xi32, #flat>
  %start = arith.muli %s, %row : tensor<512xi32, #flat>
  %offset = arith.addi %start, %column : tensor<512xi32, #flat>
  %base = tt.splat %p : !tt.ptr<f16> -> tensor<512x!tt.ptr<f16>, #flat>
  %ptrs = tt.addptr %base, %offset : tensor<512x!tt.ptr<f16>, #flat>, tensor<512xi32, #flat>
  %v = tt.load %ptrs cacheModifier = cg : tensor<512x!tt.ptr<f16>, #flat>
  %to = tt.splat %q : !tt.ptr<f16> -> tensor<512x!tt.ptr<f16>, #flat>
  %ps = tt.addptr %to, %range : tensor<512x!tt.ptr<f16>, #flat>, tensor<512xi32, #flat>
  tt.store %ps, %v : tensor<512x!tt.ptr<f16>, #flat>
  tt.return
}

// Warps that take turns do not have their rows one below the other.
// CHECK-LABEL: @turns(
// CHECK-NOT:     tt.reshape
// CHECK:         tt.return
tt.func @turns(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f16>, %i: i32) {
  %c512 = arith.constant 512 : i32
  %w = arith.constant dense<32> : tensor<512xi32, #turns>
  %s = arith.constant dense<64> : tensor<512xi32, #turns>
  %first = arith.muli %i, %c512 : i32
  %firsts = tt.splat %first : i32 -> tensor<512xi32, #turns>
  %range = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #turns>
  %index = arith.addi %range, %firsts : tensor<512xi32, #turns>
  %column = arith.remui %index, %w : tensor<512xi32, #turns>
  %row = arith.divui %index, %w : tensor<512xi32, #turns>
  %start = arith.muli %s, %row : tensor<512xi32, #turns>
  %offset = arith.addi %start, %column : tensor<512xi32, #turns>
  %base = tt.splat %p : !tt.ptr<f16> -> tensor<512x!tt.ptr<f16>, #turns>
  %ptrs = tt.addptr %base, %offset : tensor<512x!tt.ptr<f16>, #turns>, tensor<512xi32, #turns>
  %v = tt.load %ptrs cacheModifier = cg : tensor<512x!tt.ptr<f16>, #turns>
  %to = tt.splat %q : !tt.ptr<f16> -> tensor<512x!tt.ptr<f16>, #turns>
  %ps = tt.addptr %to, %range : tensor<512x!tt.ptr<f16>, #turns>, tensor<512xi32, #turns>
  tt.store %ps, %v : tensor<512x!tt.ptr<f16>, #turns>
  tt.return
}

// A mask would not come where it belongs.
// CHECK-LABEL: @masked(
// CHECK-NOT:     tt.reshape
// CHECK:         tt.return
tt.func @masked(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f16>, %n: i32) {
  %w = arith.constant dense<32> : tensor<512xi32, #flat>
  %s = arith.constant dense<64> : tensor<512xi32, #flat>
  %index = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #flat>
  %ns = tt.splat %n : i32 -> tensor<512xi32, #flat>
  %mask = arith.cmpi slt, %index, %ns : tensor<512xi32, #flat>
  %column = arith.remui %index, %w : tensor<512xi32, #flat>
  %row = arith.divui %index, %w : tensor<512xi32, #flat>
  %start = arith.muli %row, %s : tensor<512xi32, #flat>
  %offset = arith.addi %column, %start : tensor<512xi32, #flat>
  %base = tt.splat %p : !tt.ptr<f16> -> tensor<512x!tt.ptr<f16>, #flat>
  %ptrs = tt.addptr %base, %offset : tensor<512x!tt.ptr<f16>, #flat>, tensor<512xi32, #flat>
  %v = tt.load %ptrs, %mask : tensor<512x!tt.ptr<f16>, #flat>
  %to = tt.splat %q : !tt.ptr<f16> -> tensor<512x!tt.ptr<f16>, #flat>
  %ps = tt.addptr %to, %index : tensor<512x!tt.ptr<f16>, #flat>, tensor<512xi32, #flat>
  tt.store %ps, %v : tensor<512x!tt.ptr<f16>, #flat>
  tt.return
}
}
