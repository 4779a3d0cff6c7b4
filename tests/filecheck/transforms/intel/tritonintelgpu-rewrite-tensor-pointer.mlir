// RUN: xtriton-opt %s --tritonintelgpu-rewrite-tensor-pointer=rule=store | filecheck %s --check-prefix=BEFORE
// RUN: xtriton-opt %s --tritonintelgpu-rewrite-tensor-pointer=rule=load-or-store | filecheck %s --check-prefix=AFTER
// RUN: xtriton-opt %s --tritonintelgpu-rewrite-tensor-pointer | filecheck %s --check-prefix=LATER

// A matrix that is added to the result of a product: loaded in the layout of DPAS results.
// BEFORE-LABEL: @add(
// BEFORE:         tt.load %{{[0-9]*}}, %{{[0-9]*}} : tensor<64x64x!tt.ptr<f32>, #mma>
// BEFORE:         tt.store {{.*}} : !tt.ptr<tensor<64x64xf32, #mma>>
// AFTER-LABEL: @add(
// AFTER-NOT:     tensor<64x64x!tt.ptr<f32>
// AFTER:         tt.load %{{.*}} : !tt.ptr<tensor<64x64xf32, #mma>>
// The later rule looks for the mark that the load is a 2D block load.
// LATER-LABEL: @add(
// LATER:         tt.load %{{[0-9]*}}, %{{[0-9]*}} : tensor<64x64x!tt.ptr<f32>, #mma>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func @add(%p: !tt.ptr<f32>, %o: !tt.ptr<f32>, %m: i64 {tt.divisibility = 16 : i32}, %i: i32, %d: tensor<64x64xf32, #mma>) {
    %one = arith.constant 1 : i64
    %q = tt.make_tensor_ptr %p, [%m, %m], [%m, %one], [%i, %i] {order = array<i32: 1, 0>} : <tensor<64x64xf32, #mma>>
    %x = tt.load %q {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<64x64xf32, #mma>>
    %y = arith.addf %d, %x : tensor<64x64xf32, #mma>
    %r = tt.make_tensor_ptr %o, [%m, %m], [%m, %one], [%i, %i] {order = array<i32: 1, 0>} : <tensor<64x64xf32, #mma>>
    tt.store %r, %y {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<64x64xf32, #mma>>
    tt.return
  }

  // Marked, a block pointer stays by the later rule, whatever its layout.
  // BEFORE-LABEL: @marked(
  // BEFORE:         tensor<64x64x!tt.ptr<f32>, #blocked>
  // AFTER-LABEL: @marked(
  // AFTER:         tensor<64x64x!tt.ptr<f32>, #blocked>
  // LATER-LABEL: @marked(
  // LATER:         tt.load %{{.*}} {ttig.block_io = "row_major"} : !tt.ptr<tensor<64x64xf32, #blocked>>
  tt.func @marked(%p: !tt.ptr<f32>, %m: i64 {tt.divisibility = 16 : i32}, %i: i32) -> tensor<64x64xf32, #blocked> {
    %one = arith.constant 1 : i64
    %q = tt.make_tensor_ptr %p, [%m, %m], [%m, %one], [%i, %i] {order = array<i32: 1, 0>} : <tensor<64x64xf32, #blocked>>
    %x = tt.load %q {ttig.block_io = "row_major"} : !tt.ptr<tensor<64x64xf32, #blocked>>
    tt.return %x : tensor<64x64xf32, #blocked>
  }
}
