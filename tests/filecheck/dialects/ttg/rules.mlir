// What is wrong with an op or a layout, rule by rule.
// RUN: XTRITON_INVALID

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @local_atomic_scatter_rmw_1(%arg0: !ttg.memdesc<64x64xi32, #shared, #smem, mutable>, %arg1: tensor<64x64xi32, #blocked>, %arg2: tensor<64x64xi32, #blocked>) {
    // expected-error @+1 {{attribute 'atomic_rmw_op' failed to satisfy constraint: expected a 32-bit integer attribute, got 4 : i8}}
    %0 = "ttg.local_atomic_scatter_rmw"(%arg0, %arg1, %arg2) <{atomic_rmw_op = 4 : i8, axis = 0 : i32}> : (!ttg.memdesc<64x64xi32, #shared, #smem, mutable>, tensor<64x64xi32, #blocked>, tensor<64x64xi32, #blocked>) -> tensor<64x64xi32, #blocked>
    tt.return
  }
  tt.func @async_copy_global_to_local_1(%arg0: tensor<64x1x!tt.ptr<f16>, #blocked>, %arg1: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{expected 'src' and 'result' to have the same shape}}
    %0 = ttg.async_copy_global_to_local %arg0, %arg1 {cachePolicy = #tt.cache_policy<cache_modifier = ca, eviction_policy = evict_first>, contiguity = 4 : i32} : tensor<64x1x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    tt.return
  }
  tt.func @local_load_1(%arg0: !ttg.memdesc<32x64xi32, #shared, #smem, mutable>) {
    // expected-error @+1 {{source element type !ttg.memdesc<32x64xi32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>, #ttg.shared_memory, mutable> must match destination element type f16}}
    %0 = ttg.local_load %arg0 : !ttg.memdesc<32x64xi32, #shared, #smem, mutable> -> tensor<64x64xf16, #blocked>
    tt.return
  }
  tt.func @local_gather_1(%arg0: !ttg.memdesc<64x64xi32, #shared, #smem, mutable>, %arg1: tensor<64x1xi32, #blocked>) {
    // expected-error @+1 {{result shape must match indices shape}}
    %0 = ttg.local_gather %arg0[%arg1] {axis = 0 : i32} : !ttg.memdesc<64x64xi32, #shared, #smem, mutable>, tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
    tt.return
  }
  tt.func @local_gather_3(%arg0: !ttg.memdesc<64x64xi32, #shared, #smem, mutable>, %arg1: tensor<64x64xi32, #blocked>) {
    // expected-error @+1 {{axis 5 is out of bounds for source rank 2}}
    %0 = ttg.local_gather %arg0[%arg1] {axis = 5 : i32} : !ttg.memdesc<64x64xi32, #shared, #smem, mutable>, tensor<64x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    tt.return
  }
  tt.func @local_gather_5(%arg0: !ttg.memdesc<64x64xi32, #shared, #smem, mutable>, %arg1: tensor<64x64xi32, #blocked>) {
    // expected-error @+1 {{indices and result must have the same layout}}
    %0 = ttg.local_gather %arg0[%arg1] {axis = 0 : i32} : !ttg.memdesc<64x64xi32, #shared, #smem, mutable>, tensor<64x64xi32, #blocked> -> tensor<64x64xi32, #smem>
    tt.return
  }
  tt.func @local_scatter_1(%arg0: !ttg.memdesc<64x64xi32, #shared, #smem, mutable>, %arg1: tensor<64x64xi32, #smem>, %arg2: tensor<64x64xi32, #blocked>) {
    // expected-error @+1 {{values must have the same layout as indices}}
    ttg.local_scatter %arg0[%arg2], %arg1 {axis = 1 : i32} : !ttg.memdesc<64x64xi32, #shared, #smem, mutable>, tensor<64x64xi32, #blocked>, tensor<64x64xi32, #smem>
    tt.return
  }
  tt.func @local_atomic_scatter_rmw_2(%arg0: !ttg.memdesc<64x64xi32, #shared, #smem, mutable>, %arg1: tensor<64x64xi32, #blocked>, %arg2: tensor<64x64xi32, #smem>) {
    // expected-error @+1 {{values must have the same layout as indices}}
    %0 = ttg.local_atomic_scatter_rmw add, %arg0[%arg2], %arg1 {axis = 0 : i32} : (!ttg.memdesc<64x64xi32, #shared, #smem, mutable>, tensor<64x64xi32, #blocked>, tensor<64x64xi32, #smem>) -> tensor<64x64xi32, #blocked>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 3 : i32, "ttg.num-warps" = 4 : i32} {
  tt.func @memdesc_reinterpret_1(%arg0: !ttg.memdesc<64x32xf16, #shared, #smem>) {
    // expected-error @+1 {{Operand 0 has an invalid layout: #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>.}}
    %0 = ttg.memdesc_reinterpret %arg0 : !ttg.memdesc<64x32xf16, #shared, #smem> -> !ttg.memdesc<64x32xf16, #shared, #smem>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [4, 8], warpsPerCTA = [2, 2], order = [0, 1]}>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @convert_layout_1(%arg0: tensor<1x64xf16, #blocked>) {
    // expected-error @+1 {{requires the same shape for all operands and results}}
    %0 = ttg.convert_layout %arg0 : tensor<1x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @barrier_1() {
    // expected-error @+1 {{'addrSpace' must be a set of address spaces}}
    "ttg.barrier"() <{addrSpace = -1 : i32}> : () -> ()
    tt.return
  }
}

// -----

// expected-error @+1 {{After removing broadcast bases the CGA encoding must be a permutation matrix}}
module attributes {test.layout = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 1], [0, 1]]}>} {}

// -----

// expected-error @+1 {{'CGALayout' entry length does not match rank 2}}
module attributes {test.layout = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0], [0, 0]]}>} {}

// -----

// expected-error @+1 {{sizePerThread, threadsPerWarp, warpsPerCTA, and order must all have the same rank.}}
module attributes {test.layout = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [], warpsPerCTA = [4], order = [0]}>} {}

// -----

// expected-error @+1 {{Empty Layout not supported}}
module attributes {test.layout = #ttg.linear<{register = [], lane = [[], [2], [4], [8], [16]], warp = [[32], [64]], block = []}>} {}

// -----

// expected-error @+1 {{all bases of a linear layout must have the same rank}}
module attributes {test.layout = #ttg.linear<{register = [], lane = [[1], [2], [4], [8], []], warp = [[32], [64]], block = []}>} {}

// -----

// expected-error @+1 {{In a generic linear layout, register, lane, and block bases must move in at most one dimension. Swizzled bases found in 'lane'.}}
module attributes {test.layout = #ttg.generic_linear<{register = [[0, 1]], lane = [[1, 0], [2, 0], [4, 2], [8, 0], [16, 0]], warp = [[32, 2], [0, 2]], block = []}>} {}

// -----

// expected-error @+1 {{must have at least one interval-padding pair}}
module attributes {test.layout = #ttg.padded_shared<[] {order = [1, 0], shape = [64, 64]}>} {}

// -----

// expected-error @+1 {{all bases of a linear layout must have the same rank}}
module attributes {test.layout = #ttg.padded_shared<[16:+1, 64:+2] {offset = [[0], [0, 2], [2, 0], [1, 0]], block = []}>} {}

// -----

// expected-error @+1 {{Each offset basis must move in at most one dimension.}}
module attributes {test.layout = #ttg.padded_shared<[16:+1, 64:+2] {offset = [[5, 1], [0, 2], [2, 0], [1, 0]], block = []}>} {}

// -----

// expected-error @+1 {{Each offset basis must be 0 or a power of two.}}
module attributes {test.layout = #ttg.padded_shared<[16:+1, 64:+2] {offset = [[0, 1], [0, 3], [2, 0], [1, 0]], block = []}>} {}

// -----

// expected-error @+1 {{Broadcasting in offset dimension is not supported.}}
module attributes {test.layout = #ttg.padded_shared<[16:+1, 64:+2] {offset = [[1, 0], [0, 2], [2, 0], [1, 0]], block = []}>} {}

// -----

// expected-error @+1 {{Mismatch of shape and order ranks in padded layout}}
module attributes {test.layout = #ttg.padded_shared<[32:+4] {order = [1, 0], shape = [64]}>} {}

// -----

// expected-error @+1 {{Empty Layout not supported}}
module attributes {test.layout = #ttg.shared_linear<{offset = [[], [1, 0]]}, alignment = 16>} {}

// -----

// expected-error @+1 {{all bases of a linear layout must have the same rank}}
module attributes {test.layout = #ttg.shared_linear<{offset = [[0], [1, 0]]}, alignment = 16>} {}

// -----

// expected-error @+1 {{After removing the zero bases the layout must be bijective}}
module attributes {test.layout = #ttg.shared_linear<{offset = [[0, 1], [0, 1]]}, alignment = 16>} {}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @memdesc_index_1(%arg0: !ttg.memdesc<32x64xi32, #shared, #smem, mutable>, %arg1: i32) {
    // expected-error @+1 {{result element type must match desc element type}}
    %0 = ttg.memdesc_index %arg0[%arg1] : !ttg.memdesc<32x64xi32, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.return
  }
  tt.func @memdesc_index_3(%arg0: !ttg.memdesc<64x64xf16, #shared, #smem>, %arg1: i32) {
    // expected-error @+1 {{result rank must be input rank - 1}}
    %0 = ttg.memdesc_index %arg0[%arg1] : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.return
  }
  tt.func @memdesc_subslice_3(%arg0: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{result rank must equal to input rank}}
    %0 = ttg.memdesc_subslice %arg0[32, 0] : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
    tt.return
  }
  tt.func @memdesc_subslice_4(%arg0: !ttg.memdesc<64x32xf16, #shared, #smem>) {
    // expected-error @+1 {{source and result must have the same allocation shape}}
    %0 = ttg.memdesc_subslice %arg0[32, 0] : !ttg.memdesc<64x32xf16, #shared, #smem> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable, 64x64>
    tt.return
  }
  tt.func @memdesc_subslice_5(%arg0: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{A non zero offset found in a dimension that is not being split}}
    %0 = ttg.memdesc_subslice %arg0[32, 0] : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem>
    tt.return
  }
  tt.func @memdesc_reshape_1(%arg0: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{result element type must match src element type}}
    %0 = ttg.memdesc_reshape %arg0 : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xi32, #shared, #smem, mutable>
    tt.return
  }
  tt.func @local_alloc_1() {
    // expected-error @+1 {{result shape and its alloc shape must match}}
    %0 = ttg.local_alloc : () -> !ttg.memdesc<16x32xf16, #shared, #smem, 64x32>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @memdesc_index_2(%arg0: !ttg.memdesc<32x64xf16, #shared, #smem>, %arg1: i32) {
    // expected-error @+1 {{src and result must have the same encoding}}
    %0 = ttg.memdesc_index %arg0[%arg1] : !ttg.memdesc<32x64xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>
    tt.return
  }
  tt.func @memdesc_subslice_1(%arg0: !ttg.memdesc<32x64xf16, #shared, #smem>) {
    // expected-error @+1 {{src and result must have the same encoding}}
    %0 = ttg.memdesc_subslice %arg0[32, 0] : !ttg.memdesc<32x64xf16, #shared, #smem> -> !ttg.memdesc<32x64xf16, #shared1, #smem, mutable, 64x64>
    tt.return
  }
  tt.func @memdesc_reinterpret_2(%arg0: !ttg.memdesc<32x64xf16, #shared, #smem>) {
    // expected-error @+1 {{source and result must have the same mutability}}
    %0 = ttg.memdesc_reinterpret %arg0 : !ttg.memdesc<32x64xf16, #shared, #smem> -> !ttg.memdesc<32x64xi32, #shared1, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32} {
  tt.func @memdesc_subslice_2(%arg0: !ttg.memdesc<64x32xf16, #shared, #smem>) {
    // expected-error @+1 {{offsets must have the same rank as input}}
    %0 = ttg.memdesc_subslice %arg0[32] : !ttg.memdesc<64x32xf16, #shared, #smem> -> !ttg.memdesc<32x32xf16, #shared, #smem, 64x32>
    tt.return
  }
  tt.func @memdesc_subslice_6(%arg0: !ttg.memdesc<64x32xf16, #shared, #smem>) {
    // expected-error @+1 {{The split offset may not exceed the source shape}}
    %0 = ttg.memdesc_subslice %arg0[33, 0] : !ttg.memdesc<64x32xf16, #shared, #smem> -> !ttg.memdesc<32x32xf16, #shared, #smem, 64x32>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [2, 1, 0]}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @memdesc_trans_1(%arg0: !ttg.memdesc<2x4x8xf16, #shared, #smem>) {
    // expected-error @+1 {{order must be a permutation of the dimensions of 'src'}}
    %0 = ttg.memdesc_trans %arg0 {order = array<i32: 1, 0>} : !ttg.memdesc<2x4x8xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @memdesc_trans_2(%arg0: !ttg.memdesc<32x64xf16, #shared, #smem>) {
    // expected-error @+1 {{the shape of 'result' must be that of 'src' transposed}}
    %0 = ttg.memdesc_trans %arg0 {order = array<i32: 1, 0>} : !ttg.memdesc<32x64xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @memdesc_trans_3(%arg0: !ttg.memdesc<64x64xi32, #shared, #smem, mutable>) {
    // expected-error @+1 {{requires the same element type for all operands and results}}
    %0 = ttg.memdesc_trans %arg0 {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xi32, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [2, 1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @local_gather_2(%arg0: !ttg.memdesc<2x4x8xf16, #shared, #smem>, %arg1: tensor<64x64xi32, #blocked>) {
    // expected-error @+1 {{source and indices must have the same rank}}
    %0 = ttg.local_gather %arg0[%arg1] {axis = 0 : i32} : !ttg.memdesc<2x4x8xf16, #shared, #smem>, tensor<64x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @local_gather_4(%arg0: !ttg.memdesc<32x64xf16, #shared, #smem>, %arg1: tensor<64x64xi32, #blocked>) {
    // expected-error @+1 {{result element type must match source element type}}
    %0 = ttg.local_gather %arg0[%arg1] {axis = 0 : i32} : !ttg.memdesc<32x64xf16, #shared, #smem>, tensor<64x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    tt.return
  }
}

// -----

// expected-error @+1 {{version must be in the [0, 4] range}}
module attributes {test.layout = #ttg.amd_mfma<{version = 7, warpsPerCTA = [2, 2], instrShape = [16, 16, 16], isTransposed = true, tilesPerWarp = [1, 2]}>} {}

// -----

// expected-error @+1 {{invalid (mDim, nDim) combination: (2, 16)}}
module attributes {test.layout = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [2, 16, 16], isTransposed = true, tilesPerWarp = [1, 2]}>} {}

// -----

// expected-error @+1 {{WMMA version must be in the [1, 3] range}}
module attributes {test.layout = #ttg.amd_wmma<{version = 4, isTranspose = true, ctaLayout = {warp = [[0, 1], [1, 0]]}}>} {}

// -----

// expected-error @+1 {{invalid WMMA v3 instruction shape}}
module attributes {test.layout = #ttg.amd_wmma<{version = 3, isTranspose = true, ctaLayout = {warp = [[0, 1], [1, 0]]}}>} {}

// -----

// expected-error @+1 {{Expected array of integers in basis for 'block'}}
module attributes {test.layout = #ttg.padded_shared<[16:+1, 64:+2] {offset = [[0, 1], [0, 2], [2, 0], [1, 0]], block = [1]}>} {}

// -----

// expected-error @+1 {{expected an unsigned integer value in vec}}
module attributes {test.layout = #ttg.swizzled_shared<{vec = -1, perPhase = 1, maxPhase = 1, order = [0, 1]}>} {}
