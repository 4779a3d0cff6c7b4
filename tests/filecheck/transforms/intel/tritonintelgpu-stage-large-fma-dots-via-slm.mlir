// RUN: xtriton-opt %s --split-input-file --tritonintelgpu-stage-large-fma-dots-via-slm | filecheck %s

// Operands of 6 KiB a thread come from shared memory, 32 of 128 along k at a time; what makes
// them wider does so part by part.

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#dot0 = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#dot1 = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @wide
  // CHECK-DAG: [[A:%\w+]] = ttg.local_alloc {{.*}} : (tensor<64x128xf16, #blocked>)
  // CHECK-DAG: [[B:%\w+]] = ttg.local_alloc {{.*}} : (tensor<128x64xf16, #blocked>)
  // CHECK: ttg.memdesc_subslice [[A]][0, 0] : {{.*}} -> !ttg.memdesc<64x32xf16
  // CHECK: ttg.memdesc_subslice [[B]][0, 0] : {{.*}} -> !ttg.memdesc<32x64xf16
  // CHECK: tt.fp_to_fp {{.*}} : tensor<64x32xf16{{.*}} -> tensor<64x32xf32
  // CHECK: [[D:%\w+]] = tt.dot {{.*}}, %arg2
  // CHECK: ttg.memdesc_subslice [[A]][0, 32]
  // CHECK: ttg.memdesc_subslice [[B]][32, 0]
  // CHECK: [[E:%\w+]] = tt.dot {{.*}}, [[D]]
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.return
  tt.func @wide(%x: tensor<64x128xf16, #blocked>, %y: tensor<128x64xf16, #blocked>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
    %x2 = arith.addf %x, %x : tensor<64x128xf16, #blocked>
    %y2 = arith.addf %y, %y : tensor<128x64xf16, #blocked>
    %a = ttg.convert_layout %x2 : tensor<64x128xf16, #blocked> -> tensor<64x128xf16, #dot0>
    %b = ttg.convert_layout %y2 : tensor<128x64xf16, #blocked> -> tensor<128x64xf16, #dot1>
    %e = tt.fp_to_fp %a : tensor<64x128xf16, #dot0> -> tensor<64x128xf32, #dot0>
    %f = tt.fp_to_fp %b : tensor<128x64xf16, #dot1> -> tensor<128x64xf32, #dot1>
    %d = tt.dot %e, %f, %c : tensor<64x128xf32, #dot0> * tensor<128x64xf32, #dot1> -> tensor<64x64xf32, #blocked>
    tt.return %d : tensor<64x64xf32, #blocked>
  }
}

// -----

// Small operands stay in registers.

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#dot0 = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#dot1 = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @small
  // CHECK-NOT: ttg.local_alloc
  tt.func @small(%x: tensor<16x32xf16, #blocked>, %y: tensor<32x16xf16, #blocked>, %c: tensor<16x16xf32, #blocked>) -> tensor<16x16xf32, #blocked> {
    %a = ttg.convert_layout %x : tensor<16x32xf16, #blocked> -> tensor<16x32xf16, #dot0>
    %b = ttg.convert_layout %y : tensor<32x16xf16, #blocked> -> tensor<32x16xf16, #dot1>
    %d = tt.dot %a, %b, %c : tensor<16x32xf16, #dot0> * tensor<32x16xf16, #dot1> -> tensor<16x16xf32, #blocked>
    tt.return %d : tensor<16x16xf32, #blocked>
  }
}

// -----

// What shared memory holds already is loaded from there, unless it changes on the way.

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#dot0 = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#dot1 = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @staged
  // CHECK-COUNT-4: ttg.memdesc_subslice %arg0
  // CHECK: ttg.local_store
  // CHECK-NOT: ttg.memdesc_subslice
  // CHECK: tt.return
  tt.func @staged(%p: !ttg.memdesc<64x256xf16, #shared, #smem, mutable>, %y: tensor<256x32xf16, #blocked>, %z: tensor<64x256xf16, #blocked>, %c: tensor<64x32xf32, #blocked>) -> (tensor<64x32xf32, #blocked>, tensor<64x32xf32, #blocked>) {
    %y2 = arith.addf %y, %y : tensor<256x32xf16, #blocked>
    %b = ttg.convert_layout %y2 : tensor<256x32xf16, #blocked> -> tensor<256x32xf16, #dot1>
    %a = ttg.local_load %p : !ttg.memdesc<64x256xf16, #shared, #smem, mutable> -> tensor<64x256xf16, #dot0>
    %d = tt.dot %a, %b, %c : tensor<64x256xf16, #dot0> * tensor<256x32xf16, #dot1> -> tensor<64x32xf32, #blocked>
    ttg.local_store %z, %p : tensor<64x256xf16, #blocked> -> !ttg.memdesc<64x256xf16, #shared, #smem, mutable>
    %e = tt.dot %a, %b, %d : tensor<64x256xf16, #dot0> * tensor<256x32xf16, #dot1> -> tensor<64x32xf32, #blocked>
    tt.return %d, %e : tensor<64x32xf32, #blocked>, tensor<64x32xf32, #blocked>
  }
}
