// RUN: xtriton-opt %s --xtriton-propagate-layouts-back | filecheck %s
// RUN: xtriton-opt %s --xtriton-propagate-layouts-back 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK
// RUN: xtriton-opt %s --xtriton-propagate-layouts-back=raise-pointers --triton-version=3.7 | filecheck %s --check-prefix=RAISED

// What October 2024's backend left of a matrix that is added to a product, as it was printed in
// intel-xpu-backend-for-triton #2378: three conversions, by way of 256x256 pointers.
// REMARK:      remark: layout #ttig.dpas<{{.*}} carried back to 1 load: {{.*}} bytes (0 through shared memory
// CHECK-LABEL: @gemm_add(
// CHECK-NOT:     convert_layout
// CHECK:         tt.load %{{.*}}, %{{.*}} : tensor<256x256x!tt.ptr<f32>, #mma>
// CHECK-NOT:     convert_layout
// RAISED-LABEL: @gemm_add(
// RAISED-NOT:    convert_layout
// RAISED:        tt.load %{{.*}} {{{.*}}ttig.block_io = "row_major"} : !tt.ptr<tensor<256x256xf32, #mma>>
// RAISED-NOT:    convert_layout
#blocked = #triton_gpu.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 16], warpsPerCTA = [8, 4], order = [1, 0]}>
#mma = #triton_intel_gpu.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [8, 4], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
module attributes {"triton_gpu.num-ctas" = 1 : i32, "triton_gpu.num-warps" = 32 : i32, triton_gpu.target = "xpu", "triton_gpu.threads-per-warp" = 16 : i32, triton_intel_gpu.min_sg_size = 16 : i32, triton_intel_gpu.support_dpas, triton_intel_gpu.support_sg_2d_block} {
  tt.func public @gemm_add(%15: tensor<256x256xf32, #mma>, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %9: i32 {tt.divisibility = 16 : i32}, %11: i32 {tt.divisibility = 16 : i32}) {
    %c4096_i64 = arith.constant 4096 : i64
    %c1_i64 = arith.constant 1 : i64
    %16 = arith.extsi %9 : i32 to i64
    %17 = arith.extsi %11 : i32 to i64
    %18 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<256x256x!tt.ptr<f32>, #mma>
    %19 = tt.splat %16 : i64 -> tensor<256xi64, #triton_gpu.slice<{dim = 1, parent = #mma}>>
    %20 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #triton_gpu.slice<{dim = 1, parent = #mma}>>
    %21 = arith.extsi %20 : tensor<256xi32, #triton_gpu.slice<{dim = 1, parent = #mma}>> to tensor<256xi64, #triton_gpu.slice<{dim = 1, parent = #mma}>>
    %22 = arith.addi %19, %21 : tensor<256xi64, #triton_gpu.slice<{dim = 1, parent = #mma}>>
    %23 = tt.expand_dims %22 {axis = 1 : i32} : tensor<256xi64, #triton_gpu.slice<{dim = 1, parent = #mma}>> -> tensor<256x1xi64, #mma>
    %24 = tt.splat %c4096_i64 : i64 -> tensor<256x1xi64, #mma>
    %25 = arith.muli %23, %24 : tensor<256x1xi64, #mma>
    %26 = tt.broadcast %25 : tensor<256x1xi64, #mma> -> tensor<256x256xi64, #mma>
    %27 = tt.addptr %18, %26 : tensor<256x256x!tt.ptr<f32>, #mma>, tensor<256x256xi64, #mma>
    %28 = tt.splat %17 : i64 -> tensor<256xi64, #triton_gpu.slice<{dim = 0, parent = #mma}>>
    %29 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #triton_gpu.slice<{dim = 0, parent = #mma}>>
    %30 = arith.extsi %29 : tensor<256xi32, #triton_gpu.slice<{dim = 0, parent = #mma}>> to tensor<256xi64, #triton_gpu.slice<{dim = 0, parent = #mma}>>
    %31 = arith.addi %28, %30 : tensor<256xi64, #triton_gpu.slice<{dim = 0, parent = #mma}>>
    %32 = tt.expand_dims %31 {axis = 0 : i32} : tensor<256xi64, #triton_gpu.slice<{dim = 0, parent = #mma}>> -> tensor<1x256xi64, #mma>
    %33 = tt.splat %c1_i64 : i64 -> tensor<1x256xi64, #mma>
    %34 = arith.muli %32, %33 : tensor<1x256xi64, #mma>
    %35 = tt.broadcast %34 : tensor<1x256xi64, #mma> -> tensor<256x256xi64, #mma>
    %36 = tt.addptr %27, %35 : tensor<256x256x!tt.ptr<f32>, #mma>, tensor<256x256xi64, #mma>
    %c0_i64 = arith.constant 0 : i64
    %37 = tt.splat %c0_i64 : i64 -> tensor<256x1xi64, #mma>
    %38 = arith.cmpi sge, %23, %37 : tensor<256x1xi64, #mma>
    %39 = tt.splat %c4096_i64 : i64 -> tensor<256x1xi64, #mma>
    %40 = arith.cmpi slt, %23, %39 : tensor<256x1xi64, #mma>
    %41 = arith.andi %38, %40 : tensor<256x1xi1, #mma>
    %42 = tt.broadcast %41 : tensor<256x1xi1, #mma> -> tensor<256x256xi1, #mma>
    %c0_i64_1 = arith.constant 0 : i64
    %43 = tt.splat %c0_i64_1 : i64 -> tensor<1x256xi64, #mma>
    %44 = arith.cmpi sge, %32, %43 : tensor<1x256xi64, #mma>
    %45 = tt.splat %c4096_i64 : i64 -> tensor<1x256xi64, #mma>
    %46 = arith.cmpi slt, %32, %45 : tensor<1x256xi64, #mma>
    %47 = arith.andi %44, %46 : tensor<1x256xi1, #mma>
    %48 = tt.broadcast %47 : tensor<1x256xi1, #mma> -> tensor<256x256xi1, #mma>
    %49 = arith.andi %42, %48 : tensor<256x256xi1, #mma>
    %50 = triton_gpu.convert_layout %36 : tensor<256x256x!tt.ptr<f32>, #mma> -> tensor<256x256x!tt.ptr<f32>, #blocked>
    %51 = triton_gpu.convert_layout %49 : tensor<256x256xi1, #mma> -> tensor<256x256xi1, #blocked>
    %52 = tt.load %50, %51 : tensor<256x256x!tt.ptr<f32>, #blocked>
    %53 = triton_gpu.convert_layout %52 : tensor<256x256xf32, #blocked> -> tensor<256x256xf32, #mma>
    %54 = arith.addf %15, %53 : tensor<256x256xf32, #mma>
    %55 = tt.make_tensor_ptr %arg2, [%c4096_i64, %c4096_i64], [%c4096_i64, %c1_i64], [%9, %11] {order = array<i32: 1, 0>} : <tensor<256x256xf32, #mma>>
    tt.store %55, %54 {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<256x256xf32, #mma>>
    tt.return
  }
}
