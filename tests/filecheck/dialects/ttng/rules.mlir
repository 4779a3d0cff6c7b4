// What is wrong with an op or a layout, rule by rule.
// RUN: XTRITON_INVALID

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @tmem_wait_1() {
    // expected-error @+1 {{attribute 'kind' failed to satisfy constraint: expected a 32-bit integer attribute, got 0 : i8}}
    "ttng.tmem_wait"() <{kind = 0 : i8}> : () -> ()
    tt.return
  }
  tt.func @tensormap_create_1(%arg0: !tt.ptr<i8>, %arg1: i32, %arg2: i64) {
    // expected-error @+1 {{'elem_type' must be between 0 and 15}}
    ttng.tensormap_create %arg0, %arg0, [%arg1, %arg1], [%arg1, %arg1], [%arg2], [%arg1, %arg1] {elem_type = 24 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 2 : i32} : (!tt.ptr<i8>, !tt.ptr<i8>, i32, i32, i32, i32, i64, i32, i32) -> ()
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @tmem_alloc_1() {
    // expected-error @+1 {{Result 0 has an invalid layout: #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>.}}
    %result, %token = ttng.tmem_alloc : () -> (!ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    tt.return
  }
}

// -----

// expected-error @+1 {{After removing broadcast bases the CGA encoding must be a permutation matrix}}
module attributes {test.layout = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[2], [3]]}>} {}

// -----

// expected-error @+1 {{'CGALayout' entry length does not match rank 1}}
module attributes {test.layout = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[]]}>} {}

// -----

// expected-error @+1 {{sizePerThread, threadsPerWarp, warpsPerCTA, and order must all have the same rank.}}
module attributes {test.layout = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [], warpsPerCTA = [4], order = [0]}>} {}

// -----

// expected-error @+1 {{Every element in threadsPerWarp must be a power of two.}}
module attributes {test.layout = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [3], warpsPerCTA = [1], order = [0]}>} {}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#tmem_scales = #ttng.tensor_memory_scales_encoding<>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @tmem_alloc_2(%arg0: tensor<128x64xf32, #blocked>) {
    // expected-error @+1 {{source element type tensor<128x64xf32, #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>> must match destination element type i8}}
    %result = ttng.tmem_alloc %arg0 : (tensor<128x64xf32, #blocked>) -> !ttg.memdesc<128x2xi8, #tmem_scales, #ttng.tensor_memory, mutable>
    tt.return
  }
}

// -----

// expected-error @+1 {{expected an unsigned integer value in vec}}
module attributes {test.layout = #ttg.swizzled_shared<{vec = -1, perPhase = 1, maxPhase = 1, order = [0]}>} {}

// -----

// expected-error @+1 {{repeatCount must be in the range [1, 8], but was:0}}
module attributes {test.layout = #ttig.dpas<{repeatCount = 0, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [1, 1]}>} {}

// -----

// expected-error @+1 {{opsPerChannel must be 1, 2 or 4, but was:0}}
module attributes {test.layout = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [1, 1]}>} {}

// -----

// expected-error @+1 {{systolicDepth must be 8, but was:0}}
module attributes {test.layout = #ttig.dpas<{repeatCount = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [1, 1]}>} {}

// -----

// expected-error @+1 {{expected rank 2 or 3 of repCluster, but the rank is:1}}
module attributes {test.layout = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [1]}>} {}

// -----

// expected-error @+1 {{threadsPerWarp could not be smaller than the execution size. got subGroupSize:0, executionSize:16}}
module attributes {test.layout = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, warpsPerCTA = [2, 2], repCluster = [1, 1]}>} {}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tmem_scales = #ttng.tensor_memory_scales_encoding<>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @tc_gen5_mma_1(%arg0: !ttg.memdesc<128x64xi8, #tmem_scales, #ttng.tensor_memory, mutable>, %arg1: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %arg2: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %arg3: i1, %arg4: i1) {
    // expected-error @+1 {{LHS and RHS operand dtypes kinds don't match: LHS kind is i8 but RHS kind is f16}}
    ttng.tc_gen5_mma %arg0, %arg1, %arg2, %arg3, %arg4 : !ttg.memdesc<128x64xi8, #tmem_scales, #ttng.tensor_memory, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem_scales = #ttng.tensor_memory_scales_encoding<>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @tc_gen5_mma_2(%arg0: !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, %arg1: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %arg2: !ttg.memdesc<128x64xi8, #tmem_scales, #ttng.tensor_memory, mutable>, %arg3: !ttg.async.token, %arg4: i1, %arg5: i1) {
    // expected-error @+1 {{unsupported accumulator dtype for operand types 'f16' and 'f16', accumulator dtype is 'i8' but must be one of ['f16', 'f32']}}
    %0 = ttng.tc_gen5_mma %arg0, %arg1, %arg2[%arg3], %arg4, %arg5 : !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, !ttg.memdesc<128x64xi8, #tmem_scales, #ttng.tensor_memory, mutable>
    tt.return
  }
}

// -----

// expected-error @+1 {{l2_secondary and l2_fraction require l2_primary}}
module attributes {test.layout = #ttng.cache_policy<l1 = evict_last, l2_secondary = evict_first, l2_fraction = 5.000000e-01 : f32>} {}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @arrive_barrier_1(%arg0: !ttg.memdesc<1xi64, #shared, #smem, mutable>, %arg1: i1) {
    // expected-error @+1 {{count must be greater than or equal to 1}}
    ttng.arrive_barrier %arg0, 0, %arg1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#tmem_scales = #ttng.tensor_memory_scales_encoding<>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func @clc_load_result_1(%arg0: !ttg.memdesc<128x2xi8, #tmem_scales, #ttng.tensor_memory, mutable>) {
    // expected-error @+1 {{Expected CLC result buffer to have type int64, but goti8}}
    %0 = ttng.clc_load_result %arg0 : !ttg.memdesc<128x2xi8, #tmem_scales, #ttng.tensor_memory, mutable> -> i128
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func @clc_load_result_2(%arg0: !ttg.memdesc<1xi64, #shared, #smem, mutable>) {
    // expected-error @+1 {{Expected CLC result buffer to have rank 1 and a single dimension equal to 2, but got 1.}}
    %0 = ttng.clc_load_result %arg0 : !ttg.memdesc<1xi64, #shared, #smem, mutable> -> i128
    tt.return
  }
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func @warp_group_dot_wait_1(%arg0: tensor<128x64xf32, #ttng.redOp<min>>, %arg1: !ttg.memdesc<128x64xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{'inputs' and 'outputs' must have the same types}}
    %0:2 = "ttng.warp_group_dot_wait"(%arg0, %arg1) <{pendings = 0 : i32}> : (tensor<128x64xf32, #ttng.redOp<min>>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>) -> (tensor<128x64xf32, #mma>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>)
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @tc_gen5_mma_3(%arg0: !ttg.memdesc<1xi64, #shared, #smem, mutable>, %arg1: !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>, %arg2: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %arg3: i1, %arg4: i1) {
    // expected-error @+1 {{expected operands to be 2d or 3d}}
    ttng.tc_gen5_mma %arg0, %arg1, %arg2, %arg3, %arg4 : !ttg.memdesc<1xi64, #shared, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @async_tma_scatter_1(%arg0: !tt.tensordesc<1x128xbf16, #shared>, %arg1: tensor<32xi32, #blocked>, %arg2: i32, %arg3: !ttg.memdesc<32x128xbf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{x offsets must have at least 4 contiguous elements per thread}}
    ttng.async_tma_scatter %arg0[%arg1, %arg2] %arg3 : !tt.tensordesc<1x128xbf16, #shared>, tensor<32xi32, #blocked>, i32, !ttg.memdesc<32x128xbf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem_scales = #ttng.tensor_memory_scales_encoding<>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @async_tma_copy_local_to_global_1(%arg0: !tt.tensordesc<128x64xf16, #shared>, %arg1: i32, %arg2: !ttg.memdesc<128x2xi8, #tmem_scales, #ttng.tensor_memory, mutable>) {
    // expected-error @+1 {{TMA descriptor must have NVMMA shared layout}}
    ttng.async_tma_copy_local_to_global %arg0[%arg1, %arg1] %arg2 : !tt.tensordesc<128x64xf16, #shared>, !ttg.memdesc<128x2xi8, #tmem_scales, #ttng.tensor_memory, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @tmem_alloc_3() {
    // expected-error @+1 {{should use tensor memory encoding}}
    %result, %token = ttng.tmem_alloc : () -> (!ttg.memdesc<128x2xi8, #shared, #smem>, !ttg.async.token)
    tt.return
  }
  tt.func @tmem_copy_2(%arg0: !ttg.memdesc<128x2xi8, #shared, #smem>, %arg1: !ttg.memdesc<128x2xi8, #shared, #smem>) {
    // expected-error @+1 {{Cannot copy into an immutable alloc}}
    ttng.tmem_copy %arg0, %arg1 : !ttg.memdesc<128x2xi8, #shared, #smem>, !ttg.memdesc<128x2xi8, #shared, #smem>
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @tmem_alloc_4() {
    // expected-error @+1 {{result shape and its alloc shape must match}}
    %result, %token = ttng.tmem_alloc : () -> (!ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable, 128x64>, !ttg.async.token)
    tt.return
  }
  tt.func @tmem_subslice_3(%arg0: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>) {
    // expected-error @+1 {{The result must have the same size as the source in the dimensions that are not being sliced.}}
    %0 = ttng.tmem_subslice %arg0 {dim = 0 : i32, offset = 32 : i32} : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable, 128x64>
    tt.return
  }
  tt.func @tmem_subslice_5(%arg0: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>) {
    // expected-error @+1 {{The slice dimension must be within the descriptor rank.}}
    %0 = ttng.tmem_subslice %arg0 {dim = 3 : i32, offset = 32 : i32} : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable, 128x64>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @tmem_load_1(%arg0: !ttg.memdesc<1xi64, #shared, #smem, mutable>, %arg1: !ttg.async.token) {
    // expected-error @+1 {{source must be a tensor memory buffer.}}
    %result, %token = ttng.tmem_load %arg0[%arg1] : !ttg.memdesc<1xi64, #shared, #smem, mutable> -> tensor<128x64xf32, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#tmem_scales = #ttng.tensor_memory_scales_encoding<>
module attributes {"ttg.num-ctas" = 1 : index, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:50"} {
  tt.func @tmem_load_2(%arg0: !ttg.memdesc<128x2xi8, #tmem_scales, #ttng.tensor_memory, mutable>) {
    // expected-error @+1 {{should use tensor memory encoding.}}
    %result, %red = ttng.tmem_load %arg0 {abs = true, redOp = #ttng.redOp<min>} : !ttg.memdesc<128x2xi8, #tmem_scales, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #blocked>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tmem_scales = #ttng.tensor_memory_scales_encoding<>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @tmem_subslice_1(%arg0: !ttg.memdesc<128x2xi8, #tmem_scales, #ttng.tensor_memory, mutable>) {
    // expected-error @+1 {{The source and result must have the same element type.}}
    %0 = ttng.tmem_subslice %arg0 {dim = -1 : i32, offset = 32 : i32} : !ttg.memdesc<128x2xi8, #tmem_scales, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable, 128x64>
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#tmem1 = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @tmem_subslice_2(%arg0: !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>) {
    // expected-error @+1 {{The source and result must have the same encoding.}}
    %0 = ttng.tmem_subslice %arg0 {dim = 2 : i32, offset = 32 : i32} : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x32xf32, #tmem1, #ttng.tensor_memory, mutable, 128x64>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @tmem_subslice_4(%arg0: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>) {
    // expected-error @+1 {{The destination must be a tensor memory buffer.}}
    %0 = ttng.tmem_subslice %arg0 {offset = 32 : i32} : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x2xi8, #shared, #smem>
    tt.return
  }
}

// -----

#tmem_scales = #ttng.tensor_memory_scales_encoding<>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @tmem_copy_1(%arg0: !ttg.memdesc<128x2xi8, #tmem_scales, #ttng.tensor_memory, mutable>, %arg1: !ttg.memdesc<128x2xi8, #tmem_scales, #ttng.tensor_memory, mutable>) {
    // expected-error @+1 {{The source must be a shared memory buffer}}
    ttng.tmem_copy %arg0, %arg1 : !ttg.memdesc<128x2xi8, #tmem_scales, #ttng.tensor_memory, mutable>, !ttg.memdesc<128x2xi8, #tmem_scales, #ttng.tensor_memory, mutable>
    tt.return
  }
}
