// RUN: xtriton-opt --tritongpu-prefetch %s | filecheck %s
// What a slot and its wait are computed from is repeated: before the loop and for the next turn.

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32} {

// CHECK-LABEL: tt.func @slots_by_the_induction_variable
// CHECK-SAME:      %[[LB:[^:]*]]: i32
// CHECK:           %[[FIRST:.*]] = arith.remsi %[[LB]], %[[TWO:[^:]*]] : i32
// CHECK-NEXT:      %[[A:.*]] = ttg.memdesc_index %[[AS:.*]][%[[FIRST]]]
// CHECK-NEXT:      %[[WAIT:.*]] = ttg.async_wait
// CHECK-NEXT:      %[[A_HEAD:.*]] = ttg.memdesc_subslice %[[A]][0, 0]
// CHECK-NEXT:      %[[X:.*]] = ttg.local_load %[[A_HEAD]] token %[[WAIT]]
// CHECK-NEXT:      %[[B:.*]] = ttg.memdesc_index %{{.*}}[%[[FIRST]]]
// CHECK-NEXT:      %[[B_HEAD:.*]] = ttg.memdesc_subslice %[[B]][0, 0]
// CHECK-NEXT:      %[[Y:.*]] = ttg.local_load %[[B_HEAD]] token %[[WAIT]]
// CHECK-NEXT:      scf.for %[[I:.*]] = {{.*}} iter_args(%{{.*}}, %[[A_ARG:.*]] = %[[A]], %{{.*}} = %[[B]], %[[WAIT_ARG:.*]] = %[[WAIT]], %{{.*}} = %[[WAIT]], %[[X_ARG:.*]] = %[[X]], %[[Y_ARG:.*]] = %[[Y]])
// CHECK:             %[[A_REST:.*]] = ttg.memdesc_subslice %[[A_ARG]][0, 16]
// CHECK-NEXT:        ttg.local_load %[[A_REST]] token %[[WAIT_ARG]]
// CHECK:             %[[PART:.*]] = tt.dot %[[X_ARG]], %[[Y_ARG]],
// CHECK-NEXT:        %[[NEXT:.*]] = arith.addi %[[I]], %{{.*}} : i32
// CHECK-NEXT:        %[[NEXT_SLOT:.*]] = arith.remsi %[[NEXT]], %[[TWO]] : i32
// CHECK-NEXT:        ttg.memdesc_index %[[AS]][%[[NEXT_SLOT]]]
// CHECK:             tt.dot %{{.*}}, %{{.*}}, %[[PART]]
tt.func @slots_by_the_induction_variable(%lb: i32, %ub: i32, %step: i32, %copied: !ttg.async.token) -> tensor<32x32xf32, #mma> {
  %slots = arith.constant 2 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #mma>
  %as = ttg.local_alloc : () -> !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable>
  %bs = ttg.local_alloc : () -> !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable>
  %sum = scf.for %i = %lb to %ub step %step iter_args(%acc = %zero) -> (tensor<32x32xf32, #mma>) : i32 {
    %slot = arith.remsi %i, %slots : i32
    %done = ttg.async_wait %copied {num = 0 : i32}
    %a = ttg.memdesc_index %as[%slot] : !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
    %b = ttg.memdesc_index %bs[%slot] : !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
    %x = ttg.local_load %a token %done : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> tensor<32x32xf16, #a>
    %y = ttg.local_load %b token %done : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> tensor<32x32xf16, #b>
    %d = tt.dot %x, %y, %acc : tensor<32x32xf16, #a> * tensor<32x32xf16, #b> -> tensor<32x32xf32, #mma>
    scf.yield %d : tensor<32x32xf32, #mma>
  }
  tt.return %sum : tensor<32x32xf32, #mma>
}

// A load that names no wait may need the one in the loop.
// CHECK-LABEL: tt.func @waits_for_nothing_by_name
// CHECK-NOT: ttg.memdesc_subslice
tt.func @waits_for_nothing_by_name(%lb: i32, %ub: i32, %step: i32, %copied: !ttg.async.token) -> tensor<32x32xf32, #mma> {
  %slots = arith.constant 2 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #mma>
  %as = ttg.local_alloc : () -> !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable>
  %bs = ttg.local_alloc : () -> !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable>
  %sum = scf.for %i = %lb to %ub step %step iter_args(%acc = %zero) -> (tensor<32x32xf32, #mma>) : i32 {
    %slot = arith.remsi %i, %slots : i32
    %done = ttg.async_wait %copied {num = 0 : i32}
    %a = ttg.memdesc_index %as[%slot] : !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
    %b = ttg.memdesc_index %bs[%slot] : !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
    %x = ttg.local_load %a token %done : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> tensor<32x32xf16, #a>
    %y = ttg.local_load %b : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> tensor<32x32xf16, #b>
    %d = tt.dot %x, %y, %acc : tensor<32x32xf16, #a> * tensor<32x32xf16, #b> -> tensor<32x32xf32, #mma>
    scf.yield %d : tensor<32x32xf32, #mma>
  }
  tt.return %sum : tensor<32x32xf32, #mma>
}

}
