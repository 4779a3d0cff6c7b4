// RUN: xtriton-opt %s --tritongpu-prefetch --canonicalize | filecheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 2, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Half of k at a time; the first half of the next iteration comes before the last dot.
  // CHECK-LABEL: @matmul(
  // CHECK:         %[[A0:.*]] = ttg.memdesc_subslice %arg0[0, 0]
  // CHECK-NEXT:    %[[A0L:.*]] = ttg.local_load %[[A0]] : {{.*}} -> tensor<128x16xf16,
  // CHECK:         %[[B0:.*]] = ttg.memdesc_subslice %arg1[0, 0]
  // CHECK-NEXT:    %[[B0L:.*]] = ttg.local_load %[[B0]] : {{.*}} -> tensor<16x128xf16,
  // CHECK:         scf.for {{.*}} iter_args(%[[C:.*]] = %cst, %[[A:.*]] = %arg0, %[[X:.*]] = %[[A0L]], %[[Y:.*]] = %[[B0L]]) ->
  // CHECK:           ttg.memdesc_subslice %[[A]][0, 16]
  // CHECK-NEXT:      %[[X1:.*]] = ttg.local_load
  // CHECK:           ttg.memdesc_subslice %arg1[16, 0]
  // CHECK-NEXT:      %[[Y1:.*]] = ttg.local_load
  // CHECK:           %[[D:.*]] = tt.dot %[[X]], %[[Y]], %[[C]]
  // CHECK:           %[[NA:.*]] = ttg.local_alloc
  // CHECK:           ttg.memdesc_subslice %[[NA]][0, 0]
  // CHECK-NEXT:      %[[NX:.*]] = ttg.local_load
  // CHECK:           ttg.memdesc_subslice %arg1[0, 0]
  // CHECK-NEXT:      %[[NY:.*]] = ttg.local_load
  // CHECK:           %[[E:.*]] = tt.dot %[[X1]], %[[Y1]], %[[D]]
  // CHECK-NEXT:      scf.yield %[[E]], %[[NA]], %[[NX]], %[[NY]]
  tt.func @matmul(%a0: !ttg.memdesc<128x32xf16, #shared, #smem>, %b0: !ttg.memdesc<32x128xf16, #shared, #smem>,
                  %p: tensor<128x32x!tt.ptr<f16>, #blocked>, %n: i32) -> tensor<128x128xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<128x128xf32, #mma>
    %0:3 = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero, %a = %a0, %b = %b0)
        -> (tensor<128x128xf32, #mma>, !ttg.memdesc<128x32xf16, #shared, #smem>, !ttg.memdesc<32x128xf16, #shared, #smem>) : i32 {
      %x = ttg.local_load %a : !ttg.memdesc<128x32xf16, #shared, #smem> -> tensor<128x32xf16, #a>
      %y = ttg.local_load %b : !ttg.memdesc<32x128xf16, #shared, #smem> -> tensor<32x128xf16, #b>
      %d = tt.dot %x, %y, %c : tensor<128x32xf16, #a> * tensor<32x128xf16, #b> -> tensor<128x128xf32, #mma>
      %z = tt.load %p : tensor<128x32x!tt.ptr<f16>, #blocked>
      %next = ttg.local_alloc %z : (tensor<128x32xf16, #blocked>) -> !ttg.memdesc<128x32xf16, #shared, #smem>
      scf.yield %d, %next, %b : tensor<128x128xf32, #mma>, !ttg.memdesc<128x32xf16, #shared, #smem>, !ttg.memdesc<32x128xf16, #shared, #smem>
    }
    tt.return %0#0 : tensor<128x128xf32, #mma>
  }

  // What needs the dot stays behind the last of its parts.
  // CHECK-LABEL: @used(
  // CHECK:         scf.for
  // CHECK:           %[[D:.*]] = tt.dot
  // CHECK:           %[[E:.*]] = tt.dot %{{.*}}, %{{.*}}, %[[D]]
  // CHECK-NEXT:      %[[F:.*]] = arith.negf %[[E]]
  // CHECK:           scf.yield %[[F]],
  tt.func @used(%a0: !ttg.memdesc<128x32xf16, #shared, #smem>, %b0: !ttg.memdesc<32x128xf16, #shared, #smem>, %n: i32) -> tensor<128x128xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<128x128xf32, #mma>
    %0:3 = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero, %a = %a0, %b = %b0)
        -> (tensor<128x128xf32, #mma>, !ttg.memdesc<128x32xf16, #shared, #smem>, !ttg.memdesc<32x128xf16, #shared, #smem>) : i32 {
      %x = ttg.local_load %a : !ttg.memdesc<128x32xf16, #shared, #smem> -> tensor<128x32xf16, #a>
      %y = ttg.local_load %b : !ttg.memdesc<32x128xf16, #shared, #smem> -> tensor<32x128xf16, #b>
      %d = tt.dot %x, %y, %c : tensor<128x32xf16, #a> * tensor<32x128xf16, #b> -> tensor<128x128xf32, #mma>
      %f = arith.negf %d : tensor<128x128xf32, #mma>
      scf.yield %f, %a, %b : tensor<128x128xf32, #mma>, !ttg.memdesc<128x32xf16, #shared, #smem>, !ttg.memdesc<32x128xf16, #shared, #smem>
    }
    tt.return %0#0 : tensor<128x128xf32, #mma>
  }

  // A dot of one part is loaded ahead as a whole.
  // CHECK-LABEL: @whole(
  // CHECK:         ttg.local_load {{.*}} -> tensor<128x16xf16,
  // CHECK:         scf.for
  // CHECK-COUNT-1:   tt.dot
  tt.func @whole(%a0: !ttg.memdesc<128x16xf16, #shared, #smem>, %b0: !ttg.memdesc<16x128xf16, #shared, #smem>, %n: i32) -> tensor<128x128xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<128x128xf32, #mma>
    %0:3 = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero, %a = %a0, %b = %b0)
        -> (tensor<128x128xf32, #mma>, !ttg.memdesc<128x16xf16, #shared, #smem>, !ttg.memdesc<16x128xf16, #shared, #smem>) : i32 {
      %x = ttg.local_load %a : !ttg.memdesc<128x16xf16, #shared, #smem> -> tensor<128x16xf16, #a>
      %y = ttg.local_load %b : !ttg.memdesc<16x128xf16, #shared, #smem> -> tensor<16x128xf16, #b>
      %d = tt.dot %x, %y, %c : tensor<128x16xf16, #a> * tensor<16x128xf16, #b> -> tensor<128x128xf32, #mma>
      scf.yield %d, %a, %b : tensor<128x128xf32, #mma>, !ttg.memdesc<128x16xf16, #shared, #smem>, !ttg.memdesc<16x128xf16, #shared, #smem>
    }
    tt.return %0#0 : tensor<128x128xf32, #mma>
  }
}
