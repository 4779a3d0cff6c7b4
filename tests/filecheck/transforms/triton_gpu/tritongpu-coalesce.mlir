// RUN: xtriton-opt %s --tritongpu-coalesce | filecheck %s
// RUN: xtriton-opt %s --tritonintelgpu-coalesce | filecheck %s

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#rows = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>

// 16 bytes a thread, as many threads as there are of one row.
// CHECK-DAG: #[[WIDE:.*]] = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-DAG: #[[ROW:.*]] = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @aligned(
  // CHECK:         %[[P:.*]] = ttg.convert_layout %{{.*}} : tensor<1024x!tt.ptr<f32>, #blocked> -> tensor<1024x!tt.ptr<f32>, #[[WIDE]]>
  // CHECK:         %[[X:.*]] = tt.load %[[P]] : tensor<1024x!tt.ptr<f32>, #[[WIDE]]>
  // CHECK:         ttg.convert_layout %[[X]] : tensor<1024xf32, #[[WIDE]]> -> tensor<1024xf32, #blocked>
  tt.func @aligned(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) -> tensor<1024xf32, #blocked> {
    %0 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %1 = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %2 = tt.addptr %1, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    %3 = tt.load %2 : tensor<1024x!tt.ptr<f32>, #blocked>
    tt.return %3 : tensor<1024xf32, #blocked>
  }

  // An address that is a multiple of nothing is read element by element.
  // CHECK-LABEL: @unaligned(
  // CHECK:         tt.load %{{.*}} : tensor<1024x!tt.ptr<f32>, #blocked>
  tt.func @unaligned(%p: !tt.ptr<f32>) -> tensor<1024xf32, #blocked> {
    %0 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %1 = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %2 = tt.addptr %1, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    %3 = tt.load %2 : tensor<1024x!tt.ptr<f32>, #blocked>
    tt.return %3 : tensor<1024xf32, #blocked>
  }

  // The contiguous dimension comes first, whatever the layout said.
  // CHECK-LABEL: @rows(
  // CHECK:         tt.load %{{.*}} : tensor<64x64x!tt.ptr<f32>, #[[ROW]]>
  tt.func @rows(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %stride: i32 {tt.divisibility = 16 : i32})
      -> tensor<64x64xf32, #rows> {
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #rows}>>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<64x1xi32, #rows>
    %2 = tt.splat %stride : i32 -> tensor<64x1xi32, #rows>
    %3 = arith.muli %1, %2 : tensor<64x1xi32, #rows>
    %4 = tt.splat %p : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #rows>
    %5 = tt.addptr %4, %3 : tensor<64x1x!tt.ptr<f32>, #rows>, tensor<64x1xi32, #rows>
    %6 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #rows}>>
    %7 = tt.expand_dims %6 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x64xi32, #rows>
    %8 = tt.broadcast %5 : tensor<64x1x!tt.ptr<f32>, #rows> -> tensor<64x64x!tt.ptr<f32>, #rows>
    %9 = tt.broadcast %7 : tensor<1x64xi32, #rows> -> tensor<64x64xi32, #rows>
    %10 = tt.addptr %8, %9 : tensor<64x64x!tt.ptr<f32>, #rows>, tensor<64x64xi32, #rows>
    %11 = tt.load %10 : tensor<64x64x!tt.ptr<f32>, #rows>
    tt.return %11 : tensor<64x64xf32, #rows>
  }

  // A load is as wide as the store of what it loads; a store only as its own address allows.
  // CHECK-LABEL: @copy(
  // CHECK:         tt.load %{{[^ ]*}} : tensor<1024x!tt.ptr<f32>, #[[WIDE]]>
  // CHECK:         tt.store %{{[^:]*}} : tensor<1024x!tt.ptr<f32>, #[[WIDE]]>
  // CHECK:         tt.load %{{[^ ]*}} : tensor<1024x!tt.ptr<f32>, #[[WIDE]]>
  // CHECK:         tt.store %{{[^:]*}} : tensor<1024x!tt.ptr<f32>, #blocked>
  tt.func @copy(%p: !tt.ptr<f32>, %q: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %0 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %1 = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %2 = tt.addptr %1, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    %3 = tt.splat %q : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %4 = tt.addptr %3, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    %5 = tt.load %2 : tensor<1024x!tt.ptr<f32>, #blocked>
    tt.store %4, %5 : tensor<1024x!tt.ptr<f32>, #blocked>
    %6 = tt.load %4 : tensor<1024x!tt.ptr<f32>, #blocked>
    tt.store %2, %6 : tensor<1024x!tt.ptr<f32>, #blocked>
    tt.return
  }

  // No more a thread than there are for all threads.
  // CHECK-LABEL: @few(
  // CHECK:         tt.load %{{[^ ]*}} : tensor<64x!tt.ptr<f32>, #blocked>
  tt.func @few(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) -> tensor<64xf32, #blocked> {
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #blocked>
    %1 = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
    %2 = tt.addptr %1, %0 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %3 = tt.load %2 : tensor<64x!tt.ptr<f32>, #blocked>
    tt.return %3 : tensor<64xf32, #blocked>
  }
}
