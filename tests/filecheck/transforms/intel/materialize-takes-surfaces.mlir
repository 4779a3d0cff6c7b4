// RUN: xtriton-opt %s --tritonintelgpu-materialize-block-pointer --triton-version=3.7 | filecheck %s --check-prefix=UPSTREAM
// RUN: xtriton-opt %s --tritonintelgpu-materialize-block-pointer=takes-surfaces-of=pvc --triton-version=3.7 | filecheck %s
// RUN: not xtriton-opt %s --tritonintelgpu-materialize-block-pointer=takes-surfaces-of=none 2>&1 | filecheck %s --check-prefix=NONE

// NONE: there is no device 'none'; there are bmg, pvc

// Rows of 16 elements are narrower than the 64 bytes that a surface has at least.
// UPSTREAM:      tt.load {{.*}} {ttig.block_io = "row_major"}
// CHECK-LABEL: @narrow(
// CHECK-NOT:     ttig.block_io
// CHECK:         tt.return
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io} {
  tt.func @narrow(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}) -> tensor<16x16xf16, #blocked> {
    %c0 = arith.constant 0 : i32
    %one = arith.constant 1 : i64
    %n = arith.constant 16 : i64
    %q = tt.make_tensor_ptr %p, [%n, %n], [%n, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #blocked>>
    %x = tt.load %q : !tt.ptr<tensor<16x16xf16, #blocked>>
    tt.return %x : tensor<16x16xf16, #blocked>
  }
}
