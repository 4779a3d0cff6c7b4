// RUN: xtriton-opt %s --tritonintelgpu-materialize-block-pointer | filecheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 1], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.support_2d_block_io} {
  // Since August 2026 masks do not matter, and indices keep their distance over a remainder that
  // none of them passes.
  // CHECK-LABEL: @remainder(
  // CHECK:         tt.load {{.*}} {ttig.block_io = "column_major"}
  // CHECK:         tt.load
  // CHECK-NOT:     block_io
  // CHECK:         tt.return
  tt.func @remainder(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %mask: tensor<16x32xi1, #blocked>, %n: i32) -> (tensor<16x32xf32, #blocked>, tensor<16x32xf32, #blocked>) {
    %c768 = arith.constant dense<768> : tensor<16x1xi32, #blocked>
    %c16 = arith.constant 16 : i32
    %c1024 = arith.constant dense<1024> : tensor<1x32xi32, #blocked>
    %rows = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %columns = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %begin = arith.muli %n, %c16 : i32
    %begins = tt.splat %begin : i32 -> tensor<16x1xi32, #blocked>
    %0 = tt.expand_dims %rows {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
    %1 = arith.addi %begins, %0 : tensor<16x1xi32, #blocked>
    %2 = arith.remsi %1, %c768 : tensor<16x1xi32, #blocked>
    %3 = tt.expand_dims %columns {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %4 = arith.muli %3, %c1024 : tensor<1x32xi32, #blocked>
    %5 = tt.broadcast %2 : tensor<16x1xi32, #blocked> -> tensor<16x32xi32, #blocked>
    %6 = tt.broadcast %4 : tensor<1x32xi32, #blocked> -> tensor<16x32xi32, #blocked>
    %7 = arith.addi %5, %6 : tensor<16x32xi32, #blocked>
    %8 = tt.splat %p : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>, #blocked>
    %9 = tt.addptr %8, %7 : tensor<16x32x!tt.ptr<f32>, #blocked>, tensor<16x32xi32, #blocked>
    %10 = tt.load %9, %mask : tensor<16x32x!tt.ptr<f32>, #blocked>
    // Rows of 3 elements are no whole number of 16 bytes.
    %c3 = arith.constant dense<3> : tensor<1x32xi32, #blocked>
    %11 = arith.muli %3, %c3 : tensor<1x32xi32, #blocked>
    %12 = tt.broadcast %11 : tensor<1x32xi32, #blocked> -> tensor<16x32xi32, #blocked>
    %13 = arith.addi %5, %12 : tensor<16x32xi32, #blocked>
    %14 = tt.addptr %8, %13 : tensor<16x32x!tt.ptr<f32>, #blocked>, tensor<16x32xi32, #blocked>
    %15 = tt.load %14, %mask : tensor<16x32x!tt.ptr<f32>, #blocked>
    tt.return %10, %15 : tensor<16x32xf32, #blocked>, tensor<16x32xf32, #blocked>
  }
}
