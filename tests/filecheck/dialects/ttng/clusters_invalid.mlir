// What ops of clusters, TMA copies and packed arithmetic refuse.
// RUN: XTRITON_INVALID

module attributes {"ttg.num-ctas" = 1 : i32} {
  tt.func @f() {
    // expected-error @+1 {{requires ttg.num-ctas > 1}}
    ttng.fence_mbarrier_init_release_cluster
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 2 : i32} {
  tt.func private @f() attributes {noinline = true} {
    // expected-error @+1 {{must be inside a kernel function}}
    ttng.cluster_barrier
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[0]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32} {
  tt.func @f(%b: !ttg.memdesc<1xi64, #shared, #smem, mutable>) {
    // expected-error @+1 {{multicast barrier cga_layout must be [[1]], got [[0]]}}
    ttng.arrive_barrier %b, 1 {multicastCTA = 1 : i32} : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
tt.func @f(%b: !ttg.memdesc<1xi64, #shared, #smem, mutable>) {
  // expected-error @+1 {{multicast arrive requires num_ctas > 1}}
  ttng.arrive_barrier %b, 1 {multicastCTA = 1 : i32} : !ttg.memdesc<1xi64, #shared, #smem, mutable>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32} {
  tt.func @f(%b: !ttg.memdesc<2xi64, #shared, #smem, mutable>, %p: i1) {
    // expected-error @+1 {{fromCTA must be in the range [0, num_ctas - 1]}}
    ttng.barrier_expect %b, 64 {fromCTA = 2 : i32}, %p : !ttg.memdesc<2xi64, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[2], [1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 4 : i32} {
  tt.func @f(%b: !ttg.memdesc<4xi64, #shared, #smem, mutable>, %p: i1) {
    // expected-error @+1 {{fromCTA requires a 1D barrier with one element per CTA}}
    ttng.barrier_expect %b, 64 {fromCTA = 1 : i32}, %p : !ttg.memdesc<4xi64, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[0], [2], [1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 8 : i32} {
  tt.func @f(%b: !ttg.memdesc<4xi64, #shared, #smem, mutable>, %i: i32) {
    // expected-error @+1 {{broadcasted cluster barriers require bases to be the sequence}}
    ttng.wait_barrier %b, %i : !ttg.memdesc<4xi64, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#other = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
tt.func @f(%d: !tt.tensordesc<64x32xf16, #other>, %m: !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, %b: !ttg.memdesc<1xi64, #bar, #smem, mutable>, %i: i32, %p: i1) {
  // expected-error @+1 {{TMA descriptor layout must match shared layout}}
  ttng.async_tma_copy_global_to_local %d[%i, %i] %m, %b, %p : !tt.tensordesc<64x32xf16, #other>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
  tt.return
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
tt.func @f(%d: !ttng.tensordesc_im2col<64x32xf16, #shared>, %m: !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, %b: !ttg.memdesc<1xi64, #bar, #smem, mutable>, %i: i32, %p: i1) {
  // expected-error @+1 {{IM2COL mode requires at least 3D coordinates, but got 2D}}
  ttng.async_tma_copy_global_to_local %d[%i, %i] %m, %b, %p : !ttng.tensordesc_im2col<64x32xf16, #shared>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
  tt.return
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
tt.func @f(%d: !ttng.tensordesc_im2col<64x32xf16, #shared>, %m: !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, %b: !ttg.memdesc<1xi64, #bar, #smem, mutable>, %i: i32, %p: i1) {
  // expected-error @+1 {{IM2COL mode requires offsets to be provided}}
  ttng.async_tma_copy_global_to_local %d[%i, %i, %i, %i] %m, %b, %p : !ttng.tensordesc_im2col<64x32xf16, #shared>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
  tt.return
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 32}>
#smem = #ttg.shared_memory
tt.func @f(%d: !tt.tensordesc<64x16xf32, #shared>, %m: !ttg.memdesc<64x16xf32, #shared, #smem, mutable>, %i: i32) {
  // expected-error @+1 {{unsupported reduce kind min for element type 'f32'}}
  ttng.async_tma_reduce min, %d[%i, %i] %m : !tt.tensordesc<64x16xf32, #shared>, !ttg.memdesc<64x16xf32, #shared, #smem, mutable>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32} {
  tt.func @f(%m: !ttg.memdesc<2xi64, #shared, #smem, mutable>) {
    // expected-error @+1 {{Expected CLC result buffer cga_layout bases to be all zeros. Got [[1]]}}
    %0 = ttng.clc_load_result %m : !ttg.memdesc<2xi64, #shared, #smem, mutable> -> i128
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
tt.func @f(%m: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>) {
  // expected-error @+1 {{The split offset may not exceed the source shape}}
  %0 = ttng.tmem_subslice %m {offset = 48 : i32} : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable, 128x64>
  tt.return
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @f(%x: tensor<256xf32, #blocked>, %y: tensor<256xf16, #blocked>) {
    // expected-error @+1 {{unsupported max signature f32x2 <- (f32x2, f16x2)}}
    %0 = ttng.packed_arith max %x, %y : (tensor<256xf32, #blocked>, tensor<256xf16, #blocked>) -> tensor<256xf32, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @f(%x: tensor<128xf32, #blocked>) {
    // expected-error @+1 {{result layout must provide a multiple of 2 unique elements per thread}}
    %0 = ttng.packed_arith add %x, %x : (tensor<128xf32, #blocked>, tensor<128xf32, #blocked>) -> tensor<128xf32, #blocked>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 16, order = [0, 1]}>
#smem = #ttg.shared_memory
tt.func @f(%m: !ttg.memdesc<8x16xf32, #shared, #smem>) {
  // expected-error @+1 {{We don't support splitting along the swizzling pattern}}
  %0 = ttg.memdesc_subslice %m[0, 0] : !ttg.memdesc<8x16xf32, #shared, #smem> -> !ttg.memdesc<8x4xf32, #shared, #smem, 8x16>
  tt.return
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [32, 1], warpsPerCTA = [1, 1], order = [0, 1]}>
module attributes {"ttg.num-warps" = 1 : i32} {
  tt.func @f(%x: tensor<64xf32, #blocked>) {
    // expected-error @+1 {{incompatible join layout}}
    %0 = tt.join %x, %x : tensor<64xf32, #blocked> -> tensor<64x2xf32, #blocked1>
    tt.return
  }
}

// -----

#dpas = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [1, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #dpas, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #dpas, kWidth = 2}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: tensor<32x16xf32, #a>, %y: tensor<16x32xf32, #b>, %z: tensor<32x32xf32, #dpas>) {
    // expected-error @+1 {{Layout has opsPerChannel = 2 but tensor element type is 'f32'. Expected 16 bit type.}}
    %0 = tt.dot %x, %y, %z : tensor<32x16xf32, #a> * tensor<16x32xf32, #b> -> tensor<32x32xf32, #dpas>
    tt.return
  }
}
