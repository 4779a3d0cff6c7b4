// RUN: XTRITON_INVALID

// expected-error @+1 {{unexpected key: foo}}
module attributes {ttg.x = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], foo = 1}>} {}

// -----

// expected-error @+1 {{Every element in threadsPerWarp must be a power of two.}}
module attributes {ttg.x = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [24], warpsPerCTA = [4], order = [0]}>} {}

// -----

// expected-error @+1 {{order must be a permutation of 0..(rank-1), but was [0, 0]}}
module attributes {ttg.x = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [0, 0]}>} {}

// -----

// expected-error @+1 {{CTAsPerCGA, CTASplitNum, and CTAOrder must all be present or all be absent}}
module attributes {ttg.x = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CTAsPerCGA = [1]}>} {}

// -----

// expected-error @+1 {{LinearEncodingAttr requires a permutation matrix layout after removing broadcast bases}}
module attributes {ttg.x = #ttg.linear<{register = [[1]], lane = [[1]], warp = [], block = []}>} {}

// -----

// expected-error @+1 {{Expected basis of 'block' not found}}
module attributes {ttg.x = #ttg.linear<{register = [[1]], lane = [[2]], warp = []}>} {}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
// expected-error @+1 {{ttg.dot_op opIdx parameter can be 0 or 1, got: 2}}
module attributes {ttg.x = #ttg.dot_op<{opIdx = 2, parent = #mma, kWidth = 2}>} {}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
// expected-error @+1 {{slice dim=2 must be less than the parent rank=2}}
module attributes {ttg.x = #ttg.slice<{dim = 2, parent = #mma}>} {}

// -----

// expected-error @+1 {{interval values must all be power of two}}
module attributes {ttg.x = #ttg.padded_shared<[3:+4] {order = [1, 0], shape = [64, 64]}>} {}

// -----

// expected-error @+1 {{swizzlingByteWidth must be 0, 32, 64, or 128}}
module attributes {ttg.x = #ttg.nvmma_shared<{swizzlingByteWidth = 48, transposed = false, elementBitWidth = 16}>} {}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @+1 {{shape must be less than or equal to allocShape}}
tt.func private @f(!ttg.memdesc<64x64xf16, #shared, #smem, mutable, 32x64>)

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
// expected-error @+1 {{expected ','}}
tt.func private @f(!ttg.memdesc<64x64xf16, #shared>)

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @f() {
  // expected-error @+1 {{uninitialized alloc must have a mutable memdesc type}}
  %0 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem>
  tt.return
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @f(%x: tensor<64x64xf16, #blocked>, %b: !ttg.memdesc<64x64xf16, #shared, #smem>) {
  // expected-error @+1 {{Cannot store into immutable memory}}
  ttg.local_store %x, %b : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #smem>
  tt.return
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @f(%b: !ttg.memdesc<32x64xf16, #shared, #smem>) {
  // expected-error @+1 {{source shape [32, 64] must match [destination shape 64, 64]}}
  %0 = ttg.local_load %b : !ttg.memdesc<32x64xf16, #shared, #smem> -> tensor<64x64xf16, #blocked>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @f(%b: !ttg.memdesc<2x64x64xf16, #shared, #smem>, %i: i32) {
  // expected-error @+1 {{result shape must equal to srcShape[1:]}}
  %0 = ttg.memdesc_index %b[%i] : !ttg.memdesc<2x64x64xf16, #shared, #smem> -> !ttg.memdesc<32x64xf16, #shared, #smem>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @f(%b: !ttg.memdesc<64x64xf16, #shared, #smem>) {
  // expected-error @+1 {{The split offset may not touch the tile}}
  %0 = ttg.memdesc_subslice %b[16, 0] : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<32x64xf16, #shared, #smem, 64x64>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @f(%b: !ttg.memdesc<64x64xf16, #shared, #smem>) {
  // expected-error @+1 {{number of src and dst elements of reshape must be the same}}
  %0 = ttg.memdesc_reshape %b : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<32x64xf16, #shared, #smem>
  tt.return
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 8 : i32} {
  tt.func @f(%x: tensor<128xf32, #blocked>) {
    // expected-error @+1 {{Layout has 4 warps per CTA, but the context requires 8 warps per CTA}}
    %0 = ttg.convert_layout %x : tensor<128xf32, #blocked> -> tensor<128xf32, #blocked>
    tt.return
  }
}

// -----

tt.func @f() {
  // expected-error @+1 {{partition #0 number of warps (3) must be a power of 2}}
  ttg.warp_specialize()
  default {
    ttg.warp_yield
  }
  partition0() num_warps(3) {
    ttg.warp_return
  } : () -> ()
  tt.return
}

// -----

tt.func @f() {
  // expected-error @+1 {{unknown addrSpace 'nowhere'}}
  ttg.barrier nowhere
  tt.return
}
