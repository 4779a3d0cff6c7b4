// Every layout, in the syntax of Triton 3.9.
// RUN: XTRITON_ROUNDTRIP

// CHECK: #blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK: #blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [{{\[}}0, 1], [0, 0]]}>
// CHECK: #generic_linear = #ttg.generic_linear<{register = [{{\[}}0, 1]], lane = [{{\[}}1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [{{\[}}32, 2], [0, 2]], block = []}>
// CHECK: #linear = #ttg.linear<{register = [], lane = [{{\[}}1], [2], [4], [8], [16]], warp = [{{\[}}32], [64]], block = []}>
// CHECK: #mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
// CHECK: #mma1 = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [16, 16, 16], isTransposed = true, tilesPerWarp = [1, 2]}>
// CHECK: #mma2 = #ttg.amd_wmma<{version = 2, isTranspose = true, ctaLayout = {warp = [{{\[}}0, 1], [1, 0]]}}>
// CHECK: #mma3 = #ttg.amd_wmma<{version = 3, isTranspose = false, ctaLayout = {register = [{{\[}}0, 1]], warp = [{{\[}}0, 2], [1, 0]]}, instrShape = [16, 16, 32]}>
// CHECK: #shared = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
// CHECK: #shared1 = #ttg.amd_rotating_shared<{vec = 4, perPhase = 1, maxPhase = 16, order = [1, 0]}>
// CHECK: #shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK: #shared3 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8, fp4Padded = true, rank = 3}>
// CHECK: #shared4 = #ttg.padded_shared<[32:+4] {order = [1, 0], shape = [64, 64]}>
// CHECK: #shared5 = #ttg.padded_shared<[16:+1, 64:+2] {offset = [{{\[}}0, 1], [0, 2], [2, 0], [1, 0]], block = []}>
// CHECK: #shared6 = #ttg.shared_linear<{offset = [{{\[}}0, 1], [1, 0]]}, alignment = 16>
// CHECK: #shared7 = #ttg.shared_linear<{offset = [{{\[}}0, 1], [1, 0]], block = [{{\[}}0, 2]]}, alignment = 32>
// CHECK: #smem = #ttg.shared_memory
// CHECK: #shared8 = #ttg.partitioned_shared<{numPartitions = 2, numGroups = 4, partitionDim = 0, partitionLayout = #shared}>
// CHECK: module {
  // CHECK-LABEL: tt.func private @distributed
  // CHECK-LABEL: tt.func private @mma
  // CHECK-LABEL: tt.func private @shared
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 1], [0, 0]]}>
#generic_linear = #ttg.generic_linear<{register = [[0, 1]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 2], [0, 2]], block = []}>
#linear = #ttg.linear<{register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#mma1 = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [16, 16, 16], isTransposed = true, tilesPerWarp = [1, 2]}>
#mma2 = #ttg.amd_wmma<{version = 2, isTranspose = true, ctaLayout = {warp = [[0, 1], [1, 0]]}}>
#mma3 = #ttg.amd_wmma<{version = 3, isTranspose = false, ctaLayout = {register = [[0, 1]], warp = [[0, 2], [1, 0]]}, instrShape = [16, 16, 32]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#shared1 = #ttg.amd_rotating_shared<{vec = 4, perPhase = 1, maxPhase = 16, order = [1, 0]}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared3 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8, fp4Padded = true, rank = 3}>
#shared4 = #ttg.padded_shared<[32:+4] {order = [1, 0], shape = [64, 64]}>
#shared5 = #ttg.padded_shared<[16:+1, 64:+2] {offset = [[0, 1], [0, 2], [2, 0], [1, 0]], block = []}>
#shared6 = #ttg.shared_linear<{offset = [[0, 1], [1, 0]]}, alignment = 16>
#shared7 = #ttg.shared_linear<{offset = [[0, 1], [1, 0]], block = [[0, 2]]}, alignment = 32>
#smem = #ttg.shared_memory
#shared8 = #ttg.partitioned_shared<{numPartitions = 2, numGroups = 4, partitionDim = 0, partitionLayout = #shared}>
module {
  tt.func private @distributed(tensor<64x64xf32, #blocked>, tensor<64x64xf32, #blocked1>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<128xf32, #linear>, tensor<64x4xf32, #generic_linear>)
  tt.func private @mma(tensor<64x64xf32, #mma>, tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>, tensor<64x64xf32, #mma1>, tensor<64x64xf32, #mma2>, tensor<64x64xf32, #mma3>)
  tt.func private @shared(!ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>, !ttg.memdesc<3x64x64xf16, #shared2, #smem, mutable>, !ttg.memdesc<8x64x64xi8, #shared3, #smem>, !ttg.memdesc<64x64xf16, #shared4, #smem>, !ttg.memdesc<4x4xf16, #shared5, #smem>, !ttg.memdesc<2x2xf16, #shared6, #smem>, !ttg.memdesc<2x4xf16, #shared7, #smem>, !ttg.memdesc<64x64xf16, #shared8, #smem>, !ttg.async.token)
}
