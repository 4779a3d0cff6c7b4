// RUN: xtriton-opt %s --tritonintelgpu-annotate-cache-control --triton-version=3.8 | filecheck %s

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#tall = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#rows = #ttg.slice<{dim = 1, parent = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>}>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#dot0 = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#dot1 = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32} {
  // Each element is loaded once, through a pointer that the loop moves or one made anew. By
  // less than a tile it moves to elements that were there before.
  // CHECK-LABEL: @streams(
  // CHECK:         scf.for
  // CHECK:           tt.load %{{.*}} cacheModifier = cg
  // CHECK:           tt.load %{{.*}} cacheModifier = cg
  // CHECK:           tt.load %{{[^ ]*}} : tensor
  // CHECK:           tt.load %{{[^ ]*}} : tensor
  // CHECK:           tt.load %{{.*}} evictionPolicy = evict_first
  tt.func @streams(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %r: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c256 = arith.constant 256 : i32
    %step = arith.constant dense<256> : tensor<256xi32, #blocked>
    %half = arith.constant dense<128> : tensor<256xi32, #blocked>
    %zero = arith.constant dense<0.0> : tensor<256xf32, #blocked>
    %i = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #blocked>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
    %pi = tt.addptr %ps, %i : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
    %qs = tt.splat %q : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
    %end:3 = scf.for %k = %c0 to %n step %c1 iter_args(%carried = %pi, %near = %pi, %sum = %zero) -> (tensor<256x!tt.ptr<f32>, #blocked>, tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xf32, #blocked>) : i32 {
      %start = arith.muli %k, %c256 : i32
      %starts = tt.splat %start : i32 -> tensor<256xi32, #blocked>
      %at = arith.addi %starts, %i : tensor<256xi32, #blocked>
      %qi = tt.addptr %qs, %at : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %a = tt.load %carried : tensor<256x!tt.ptr<f32>, #blocked>
      %b = tt.load %qi : tensor<256x!tt.ptr<f32>, #blocked>
      %c = tt.load %near : tensor<256x!tt.ptr<f32>, #blocked>
      %d = tt.load %pi : tensor<256x!tt.ptr<f32>, #blocked>
      %e = tt.load %qi evictionPolicy = evict_first : tensor<256x!tt.ptr<f32>, #blocked>
      %ab = arith.addf %a, %b : tensor<256xf32, #blocked>
      %abc = arith.addf %ab, %c : tensor<256xf32, #blocked>
      %abcd = arith.addf %abc, %d : tensor<256xf32, #blocked>
      %abcde = arith.addf %abcd, %e : tensor<256xf32, #blocked>
      %next = arith.addf %abcde, %sum : tensor<256xf32, #blocked>
      %moved = tt.addptr %carried, %step : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %nearer = tt.addptr %near, %half : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      scf.yield %moved, %nearer, %next : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xf32, #blocked>
    }
    %rs = tt.splat %r : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
    %ri = tt.addptr %rs, %i : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
    tt.store %ri, %end#2 : tensor<256x!tt.ptr<f32>, #blocked>
    tt.return
  }

  // Both operands are the same for two warps and for all iterations. Together with the first
  // ones, the third is too much for the cache; the last is only for a warp each.
  // CHECK-LABEL: @products(
  // CHECK:         scf.for
  // CHECK-NEXT:      tt.load %{{.*}} evictionPolicy = evict_last
  // CHECK-NEXT:      tt.load %{{.*}} evictionPolicy = evict_last
  // CHECK-NEXT:      tt.load %{{[^ ]*}} : tensor
  // CHECK-NEXT:      tt.load %{{[^ ]*}} : tensor
  tt.func @products(%p: tensor<128x64x!tt.ptr<f16>, #dot0>, %q: tensor<64x128x!tt.ptr<f16>, #dot1>, %r: tensor<256x64x!tt.ptr<f16>, #dot0>, %s: tensor<64x64x!tt.ptr<f16>, #tall>, %n: i32) -> tensor<128x128xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<128x128xf32, #mma>
    %end = scf.for %k = %c0 to %n step %c1 iter_args(%sum = %zero) -> (tensor<128x128xf32, #mma>) : i32 {
      %x = tt.load %p : tensor<128x64x!tt.ptr<f16>, #dot0>
      %y = tt.load %q : tensor<64x128x!tt.ptr<f16>, #dot1>
      %z = tt.load %r : tensor<256x64x!tt.ptr<f16>, #dot0>
      %w = tt.load %s : tensor<64x64x!tt.ptr<f16>, #tall>
      %next = tt.dot %x, %y, %sum : tensor<128x64xf16, #dot0> * tensor<64x128xf16, #dot1> -> tensor<128x128xf32, #mma>
      scf.yield %next : tensor<128x128xf32, #mma>
    }
    tt.return %end : tensor<128x128xf32, #mma>
  }

  // A descriptor cannot go past the cache, but may have it keep what is loaded.
  // CHECK-LABEL: @descriptors(
  // CHECK:         tt.descriptor_load %{{.*}} evictionPolicy = evict_last : !tt.tensordesc<64x32xf16>
  // CHECK-NEXT:    tt.descriptor_load %arg0[%{{.*}}, %c0_i32] : !tt.tensordesc
  // CHECK-NEXT:    tt.descriptor_load %arg1[%{{.*}}] : !tt.tensordesc
  tt.func @descriptors(%d: !tt.tensordesc<tensor<64x32xf16>>, %e: !tt.tensordesc<tensor<256xf32>>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %c256 = arith.constant 256 : i32
    scf.for %k = %c0 to %n step %c1 : i32 {
      %i = arith.muli %k, %c64 : i32
      %j = arith.muli %k, %c256 : i32
      %x = tt.descriptor_load %d[%c0, %c0] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16, #dot0>
      %y = tt.descriptor_load %d[%i, %c0] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16, #dot0>
      %z = tt.descriptor_load %e[%j] : !tt.tensordesc<tensor<256xf32>> -> tensor<256xf32, #blocked>
    }
    tt.return
  }

  // What is loaded from memory that the function writes to, or added up there, is left.
  // CHECK-LABEL: @written(
  // CHECK:         tt.load %{{[^ ]*}} : tensor
  // CHECK-NEXT:    tt.load %{{[^ ]*}} : tensor
  // CHECK-NEXT:    tt.load %{{.*}} cacheModifier = cg
  tt.func @written(%p: tensor<256x!tt.ptr<f32>, #blocked>, %q: tensor<256x!tt.ptr<f32>, #blocked>, %r: tensor<256x!tt.ptr<f32>, #blocked>, %s: tensor<256x!tt.ptr<f32>, #blocked>, %c: i1) {
    %x = tt.load %p : tensor<256x!tt.ptr<f32>, #blocked>
    %y = tt.load %q : tensor<256x!tt.ptr<f32>, #blocked>
    %z = tt.load %r : tensor<256x!tt.ptr<f32>, #blocked>
    %y2 = scf.if %c -> (tensor<256xf32, #blocked>) {
      scf.yield %y : tensor<256xf32, #blocked>
    } else {
      scf.yield %x : tensor<256xf32, #blocked>
    }
    tt.store %p, %y2 : tensor<256x!tt.ptr<f32>, #blocked>
    tt.store %s, %z : tensor<256x!tt.ptr<f32>, #blocked>
    tt.return
  }

  // CHECK-LABEL: @overwritten(
  // CHECK-NOT:     cacheModifier
  tt.func @overwritten(%p: tensor<256x!tt.ptr<f32>, #blocked>, %q: tensor<256x!tt.ptr<f32>, #blocked>, %z: tensor<256xf32, #blocked>) {
    %x = tt.load %p : tensor<256x!tt.ptr<f32>, #blocked>
    tt.store %p, %z : tensor<256x!tt.ptr<f32>, #blocked>
    tt.store %q, %x : tensor<256x!tt.ptr<f32>, #blocked>
    tt.return
  }

  // There are atomics; pointers are chosen; lanes, or warps, load the same.
  // CHECK-LABEL: @atomics(
  // CHECK-NOT:     cacheModifier
  // CHECK-LABEL: @chosen(
  // CHECK-NOT:     cacheModifier
  // CHECK-LABEL: @shared(
  // CHECK-NOT:     cacheModifier
  tt.func @atomics(%p: tensor<256x!tt.ptr<f32>, #blocked>, %q: !tt.ptr<i32>) -> tensor<256xf32, #blocked> {
    %one = arith.constant 1 : i32
    %true = arith.constant true
    %x = tt.load %p : tensor<256x!tt.ptr<f32>, #blocked>
    %old = tt.atomic_rmw add, acq_rel, gpu, %q, %one, %true : (!tt.ptr<i32>, i32, i1) -> i32
    tt.return %x : tensor<256xf32, #blocked>
  }
  tt.func @chosen(%p: tensor<256x!tt.ptr<f32>, #blocked>, %q: tensor<256x!tt.ptr<f32>, #blocked>, %c: i1) -> tensor<256xf32, #blocked> {
    %r = arith.select %c, %p, %q : tensor<256x!tt.ptr<f32>, #blocked>
    %x = tt.load %r : tensor<256x!tt.ptr<f32>, #blocked>
    tt.return %x : tensor<256xf32, #blocked>
  }
  // CHECK-LABEL: @shared_by_lanes(
  // CHECK-NOT:     cacheModifier
  tt.func @shared(%p: tensor<16x!tt.ptr<f32>, #blocked>, %q: tensor<16x16x!tt.ptr<f32>, #tall>) -> (tensor<16xf32, #blocked>, tensor<16x16xf32, #tall>) {
    %x = tt.load %p : tensor<16x!tt.ptr<f32>, #blocked>
    %y = tt.load %q : tensor<16x16x!tt.ptr<f32>, #tall>
    tt.return %x, %y : tensor<16xf32, #blocked>, tensor<16x16xf32, #tall>
  }
  tt.func @shared_by_lanes(%p: tensor<4x!tt.ptr<f32>, #rows>) -> tensor<4xf32, #rows> {
    %x = tt.load %p : tensor<4x!tt.ptr<f32>, #rows>
    tt.return %x : tensor<4xf32, #rows>
  }
  // Blocks of the function hand pointers on, to one that is written through.
  // CHECK-LABEL: @branches(
  // CHECK:         tt.load %{{[^ ]*}} : tensor
  tt.func @branches(%p: tensor<256x!tt.ptr<f32>, #blocked>, %q: tensor<256x!tt.ptr<f32>, #blocked>, %c: i1) {
    cf.cond_br %c, ^use(%p : tensor<256x!tt.ptr<f32>, #blocked>), ^use(%q : tensor<256x!tt.ptr<f32>, #blocked>)
  ^use(%r: tensor<256x!tt.ptr<f32>, #blocked>):
    %x = tt.load %r : tensor<256x!tt.ptr<f32>, #blocked>
    tt.store %r, %x : tensor<256x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
