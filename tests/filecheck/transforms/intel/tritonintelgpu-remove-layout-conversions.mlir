// RUN: xtriton-opt %s --tritonintelgpu-remove-layout-conversions --split-input-file | filecheck %s
// RUN: xtriton-opt %s --tritonintelgpu-remove-layout-conversions=support-for-loop --xtriton-check-semantics --split-input-file | filecheck %s --check-prefix=LOOP
// RUN: env TRITON_INTEL_REMOVELAYOUTCONVERSION_SUPPORT_FOR_LOOP=0 xtriton-opt %s --tritonintelgpu-remove-layout-conversions --split-input-file | filecheck %s --check-prefix=LOOP

// What a loop carries is converted behind it, or, with support for loops, carried in the layout
// wanted.

#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // CHECK-LABEL: @carried(
  // CHECK:         %[[F:.*]] = scf.for {{.*}} -> (tensor<32xi32, #blocked>)
  // CHECK:         ttg.convert_layout %[[F]]
  // LOOP-LABEL: @carried(
  // LOOP-NOT:     ttg.convert_layout
  // LOOP:         %[[F:.*]] = scf.for {{.*}} -> (tensor<32xi32, #[[B:.*]]>)
  // LOOP-NEXT:      arith.addi {{.*}} : tensor<32xi32, #[[B]]>
  // LOOP-NEXT:      scf.yield
  // LOOP:         tt.store %{{.*}}, %[[F]]
  tt.func public @carried(%p: !tt.ptr<i32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %x = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #a>
    %y = tt.splat %n : i32 -> tensor<32xi32, #a>
    %0 = scf.for %i = %c0 to %n step %c1 iter_args(%z = %x) -> (tensor<32xi32, #a>) : i32 {
      %1 = arith.addi %z, %y : tensor<32xi32, #a>
      scf.yield %1 : tensor<32xi32, #a>
    }
    %2 = ttg.convert_layout %0 : tensor<32xi32, #a> -> tensor<32xi32, #b>
    %3 = tt.splat %p : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>, #b>
    %4 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #b>
    %5 = tt.addptr %3, %4 : tensor<32x!tt.ptr<i32>, #b>, tensor<32xi32, #b>
    tt.store %5, %2 : tensor<32x!tt.ptr<i32>, #b>
    tt.return
  }

  // If the loop does not run, its result is what it began with, not what it yields.
  // LOOP-LABEL: @began_with(
  // LOOP-NOT:     ttg.convert_layout
  // LOOP:         %[[X:.*]] = tt.make_range
  // LOOP:         %[[F:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[X]])
  // LOOP:         tt.store %{{.*}}, %[[F]]
  tt.func public @began_with(%p: !tt.ptr<i32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %x = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #a>
    %y = tt.splat %n : i32 -> tensor<32xi32, #a>
    %0 = scf.for %i = %c0 to %n step %c1 iter_args(%z = %x) -> (tensor<32xi32, #a>) : i32 {
      scf.yield %y : tensor<32xi32, #a>
    }
    %2 = ttg.convert_layout %0 : tensor<32xi32, #a> -> tensor<32xi32, #b>
    %3 = tt.splat %p : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>, #b>
    %4 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #b>
    %5 = tt.addptr %3, %4 : tensor<32x!tt.ptr<i32>, #b>, tensor<32xi32, #b>
    tt.store %5, %2 : tensor<32x!tt.ptr<i32>, #b>
    tt.return
  }
}
