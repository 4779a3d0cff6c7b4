// RUN: xtriton-opt %s --xtriton-propagate-layouts-back --split-input-file | filecheck %s
// RUN: xtriton-opt %s --xtriton-propagate-layouts-back --split-input-file 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK
// RUN: xtriton-opt %s --xtriton-propagate-layouts-back=raise-pointers --triton-version=3.7 --split-input-file | filecheck %s --check-prefix=RAISED

// A matrix that is added to the result of a product (intel-xpu-backend-for-triton #2378): the
// pointers have its layout, and DPAS results are loaded line by line as well as any.
// REMARK:      remark: layout #ttig.dpas<{{.*}} carried back to 1 load: {{.*}} bytes (0 through shared memory
// CHECK-LABEL: @add(
// CHECK-NOT:     ttg.convert_layout
// CHECK:         %[[X:.*]] = tt.load %{{.*}}, %{{.*}} : tensor<64x64x!tt.ptr<f32>, #mma>
// CHECK-NEXT:    arith.addf %arg1, %[[X]] : tensor<64x64xf32, #mma>
// RAISED-LABEL: @add(
// RAISED:        %[[P:.*]] = tt.make_tensor_ptr %arg0, {{.*}} : <tensor<64x64xf32, #mma>>
// RAISED-NEXT:   tt.load %[[P]] {boundaryCheck = array<i32: 0, 1>, ttig.block_io = "row_major"} : !tt.ptr<tensor<64x64xf32, #mma>>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#rows = #ttg.slice<{dim = 1, parent = #mma}>
#columns = #ttg.slice<{dim = 0, parent = #mma}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io} {
  tt.func @add(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %d: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
    %c64 = arith.constant 64 : i32
    %x0 = tt.get_program_id x : i32
    %y0 = tt.get_program_id y : i32
    %i = arith.muli %x0, %c64 : i32
    %j = arith.muli %y0, %c64 : i32
    %pitch = arith.constant dense<4096> : tensor<64x1xi32, #mma>
    %height = arith.constant dense<4096> : tensor<64x1xi32, #mma>
    %width = arith.constant dense<4096> : tensor<1x64xi32, #mma>
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #rows>
    %ri = tt.splat %i : i32 -> tensor<64xi32, #rows>
    %r0 = arith.addi %ri, %r : tensor<64xi32, #rows>
    %r1 = tt.expand_dims %r0 {axis = 1 : i32} : tensor<64xi32, #rows> -> tensor<64x1xi32, #mma>
    %r2 = arith.muli %r1, %pitch : tensor<64x1xi32, #mma>
    %r3 = tt.broadcast %r2 : tensor<64x1xi32, #mma> -> tensor<64x64xi32, #mma>
    %c = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #columns>
    %cj = tt.splat %j : i32 -> tensor<64xi32, #columns>
    %c0 = arith.addi %cj, %c : tensor<64xi32, #columns>
    %c1 = tt.expand_dims %c0 {axis = 0 : i32} : tensor<64xi32, #columns> -> tensor<1x64xi32, #mma>
    %c2 = tt.broadcast %c1 : tensor<1x64xi32, #mma> -> tensor<64x64xi32, #mma>
    %o = arith.addi %r3, %c2 : tensor<64x64xi32, #mma>
    %q = tt.splat %p : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #mma>
    %a = tt.addptr %q, %o : tensor<64x64x!tt.ptr<f32>, #mma>, tensor<64x64xi32, #mma>
    %mr = arith.cmpi slt, %r1, %height : tensor<64x1xi32, #mma>
    %mc = arith.cmpi slt, %c1, %width : tensor<1x64xi32, #mma>
    %mr1 = tt.broadcast %mr : tensor<64x1xi1, #mma> -> tensor<64x64xi1, #mma>
    %mc1 = tt.broadcast %mc : tensor<1x64xi1, #mma> -> tensor<64x64xi1, #mma>
    %m = arith.andi %mr1, %mc1 : tensor<64x64xi1, #mma>
    %a1 = ttg.convert_layout %a : tensor<64x64x!tt.ptr<f32>, #mma> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %m1 = ttg.convert_layout %m : tensor<64x64xi1, #mma> -> tensor<64x64xi1, #blocked>
    %x = tt.load %a1, %m1 : tensor<64x64x!tt.ptr<f32>, #blocked>
    %y = ttg.convert_layout %x : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #mma>
    %z = arith.addf %d, %y : tensor<64x64xf32, #mma>
    tt.return %z : tensor<64x64xf32, #mma>
  }
}

// -----

// Lanes along columns would touch a line each: the coalesced load and the conversion stay.
// REMARK:      remark: not layout #ttg.blocked<{{.*}} carried back
// CHECK-LABEL: @transposed(
// CHECK:         tt.load %{{.*}} : tensor<64x64x!tt.ptr<f16>, #blocked1>
// CHECK:         ttg.convert_layout
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#other = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32} {
  tt.func @transposed(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}) -> tensor<64x64xf16, #other> {
    %pitch = arith.constant dense<4096> : tensor<64x1xi32, #blocked>
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %r2 = arith.muli %r1, %pitch : tensor<64x1xi32, #blocked>
    %r3 = tt.broadcast %r2 : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %c = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %c1 = tt.expand_dims %c {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %c2 = tt.broadcast %c1 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %o = arith.addi %r3, %c2 : tensor<64x64xi32, #blocked>
    %q = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #blocked>
    %a = tt.addptr %q, %o : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %x = tt.load %a : tensor<64x64x!tt.ptr<f16>, #blocked>
    %y = ttg.convert_layout %x : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #other>
    tt.return %y : tensor<64x64xf16, #other>
  }
}
