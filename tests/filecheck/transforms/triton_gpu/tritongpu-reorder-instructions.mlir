// RUN: xtriton-opt %s --tritongpu-reorder-instructions | filecheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [0, 1]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // A conversion sinks to its use, past the end of shared memory.
  // CHECK-LABEL: @sink(
  // CHECK:         ttg.local_dealloc
  // CHECK-NEXT:    %[[X:.*]] = ttg.convert_layout %arg0
  // CHECK-NEXT:    arith.addf %[[X]], %[[X]]
  tt.func @sink(%x: tensor<32x32xf32, #blocked>) -> tensor<32x32xf32, #blocked1> {
    %0 = ttg.local_alloc : () -> !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable>
    %1 = ttg.convert_layout %x : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #blocked1>
    ttg.local_dealloc %0 : !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable>
    %2 = arith.addf %1, %1 : tensor<32x32xf32, #blocked1>
    tt.return %2 : tensor<32x32xf32, #blocked1>
  }

  // Filling shared memory follows its source at once.
  // CHECK-LABEL: @hoist(
  // CHECK:         %[[X:.*]] = tt.load %arg0
  // CHECK-NEXT:    ttg.local_alloc %[[X]]
  // CHECK-NEXT:    %[[Y:.*]] = tt.load %arg1
  // CHECK-NEXT:    ttg.local_alloc %[[Y]]
  tt.func @hoist(%p: tensor<32x32x!tt.ptr<f32>, #blocked>, %q: tensor<32x32x!tt.ptr<f32>, #blocked>) {
    %0 = tt.load %p : tensor<32x32x!tt.ptr<f32>, #blocked>
    %1 = tt.load %q : tensor<32x32x!tt.ptr<f32>, #blocked>
    %2 = ttg.local_alloc %0 : (tensor<32x32xf32, #blocked>) -> !ttg.memdesc<32x32xf32, #shared, #smem>
    %3 = ttg.local_alloc %1 : (tensor<32x32xf32, #blocked>) -> !ttg.memdesc<32x32xf32, #shared, #smem>
    tt.return
  }
}
