// RUN: xtriton-opt %s --test-print-allocation --verify-diagnostics -o /dev/null
// RUN: xtriton-opt %s --allocate-shared-memory | filecheck %s
// RUN: xtriton-opt %s --intel-allocate-shared-memory | filecheck %s --check-prefix=INTEL

#row = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#column = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#warp_row = #ttg.blocked<{sizePerThread = [1, 32], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#warp_column = #ttg.blocked<{sizePerThread = [32, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory

// INTEL: module attributes {{{.*}}ttg.shared = 16896 : i32
// CHECK: module attributes {{{.*}}ttg.shared = 16384 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // A conversion has its memory only while it runs: the second one takes the same place.
  // CHECK-LABEL: @conversions(
  // CHECK:         ttg.convert_layout %arg0 {allocation.offset = 0 : i32, allocation.size = 4096 : i32}
  // CHECK:         ttg.convert_layout %{{.*}} {allocation.offset = 0 : i32, allocation.size = 4096 : i32}
  // expected-remark @below {{conversions}}
  // expected-remark @below {{size = 4096}}
  tt.func private @conversions(%x: tensor<32x32xf32, #row>) -> tensor<32x32xf32, #row> {
    // expected-remark @below {{scratch offset = 0, size = 4096}}
    %0 = ttg.convert_layout %x : tensor<32x32xf32, #row> -> tensor<32x32xf32, #column>
    // expected-remark @below {{scratch offset = 0, size = 4096}}
    %1 = ttg.convert_layout %0 : tensor<32x32xf32, #column> -> tensor<32x32xf32, #row>
    tt.return %1 : tensor<32x32xf32, #row>
  }

  // A buffer lives from its allocation to its last use, in a loop as long as the loop. What
  // is called lies beside it.
  // expected-remark @below {{buffers}}
  // expected-remark @below {{size = 8192}}
  tt.func @buffers(%x: tensor<32x32xf32, #row>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // expected-remark @below {{offset = 0, size = 4096}}
    %0 = ttg.local_alloc %x : (tensor<32x32xf32, #row>) -> !ttg.memdesc<32x32xf32, #shared, #smem>
    scf.for %i = %c0 to %n step %c1 : i32 {
      %1 = ttg.local_load %0 : !ttg.memdesc<32x32xf32, #shared, #smem> -> tensor<32x32xf32, #row>
      // expected-remark @below {{virtual offset = 4096, size = 4096}}
      %2 = tt.call @conversions(%1) : (tensor<32x32xf32, #row>) -> tensor<32x32xf32, #row>
    }
    tt.return
  }

  // Within a warp, a transposition needs a column more on Intel's GPUs: 128 * 33 * 4 bytes.
  // expected-remark @below {{within_warps}}
  // expected-remark @below {{size = 16384}}
  tt.func @within_warps(%x: tensor<128x32xf32, #warp_row>) -> tensor<128x32xf32, #warp_column> {
    // expected-remark @below {{scratch offset = 0, size = 16384}}
    %0 = ttg.convert_layout %x : tensor<128x32xf32, #warp_row> -> tensor<128x32xf32, #warp_column>
    tt.return %0 : tensor<128x32xf32, #warp_column>
  }
}
