// RUN: xtriton-opt %s --tritonintelgpu-pipeline='num-stages=3' | filecheck %s
// RUN: xtriton-opt %s --tritonintelgpu-pipeline='num-stages=3' --xtriton-check-semantics -o /dev/null

// Loops that prefetching would change.

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {

// The load would move over the store.
// CHECK-LABEL: @store_in_front(
// CHECK-NOT:     ttig.prefetch
// CHECK:         tt.dot
// CHECK-NOT:     ttig.prefetch
  tt.func @store_in_front(%p: !tt.ptr<f16>, %m: i64 {tt.divisibility = 16 : i32}, %n: i32, %ix: !tt.ptr<i32>, %o: !tt.ptr<f32>, %lo: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c4 = arith.constant 4 : i32
    %c16 = arith.constant 16 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i64
    %one = arith.constant 1 : i64
    %big = arith.constant 1024 : i64
    %c = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %y = arith.constant dense<1.0> : tensor<32x64xf16, #b>
    %e = arith.constant dense<2.0> : tensor<64x32xf16, #a>
    %q = tt.make_tensor_ptr %p, [%big, %big], [%big, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<64x32xf16, #a>>
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %c) -> (tensor<64x64xf32, #mma>) : i32 {
      %k = arith.muli %i, %c32 : i32
      %s = tt.advance %q, [%c0, %k] : <tensor<64x32xf16, #a>>
      tt.store %s, %e : !tt.ptr<tensor<64x32xf16, #a>>
      %x = tt.load %s {ttig.block_io = "row_major"} : !tt.ptr<tensor<64x32xf16, #a>>
      %d = tt.dot %x, %y, %acc : tensor<64x32xf16, #a> * tensor<32x64xf16, #b> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    }
    %w = tt.make_tensor_ptr %o, [%big, %big], [%c64, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<64x64xf32, #mma>>
    tt.store %w, %r : !tt.ptr<tensor<64x64xf32, #mma>>
    tt.return
  }

// The load stays in front of the store.
// CHECK-LABEL: @store_behind(
// CHECK:         ttig.prefetch
// CHECK:         tt.load
// CHECK:         tt.store
  tt.func @store_behind(%p: !tt.ptr<f16>, %m: i64 {tt.divisibility = 16 : i32}, %n: i32, %ix: !tt.ptr<i32>, %o: !tt.ptr<f32>, %lo: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c4 = arith.constant 4 : i32
    %c16 = arith.constant 16 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i64
    %one = arith.constant 1 : i64
    %big = arith.constant 1024 : i64
    %c = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %y = arith.constant dense<1.0> : tensor<32x64xf16, #b>
    %e = arith.constant dense<2.0> : tensor<64x32xf16, #a>
    %q = tt.make_tensor_ptr %p, [%big, %big], [%big, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<64x32xf16, #a>>
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %c) -> (tensor<64x64xf32, #mma>) : i32 {
      %k = arith.muli %i, %c32 : i32
      %s = tt.advance %q, [%c0, %k] : <tensor<64x32xf16, #a>>
      %x = tt.load %s {ttig.block_io = "row_major"} : !tt.ptr<tensor<64x32xf16, #a>>
      tt.store %s, %e : !tt.ptr<tensor<64x32xf16, #a>>
      %d = tt.dot %x, %y, %acc : tensor<64x32xf16, #a> * tensor<32x64xf16, #b> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    }
    %w = tt.make_tensor_ptr %o, [%big, %big], [%c64, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<64x64xf32, #mma>>
    tt.store %w, %r : !tt.ptr<tensor<64x64xf32, #mma>>
    tt.return
  }

// The index would be loaded before it is stored.
// CHECK-LABEL: @index_changes(
// CHECK-NOT:     ttig.prefetch
// CHECK:         tt.dot
// CHECK-NOT:     ttig.prefetch
  tt.func @index_changes(%p: !tt.ptr<f16>, %m: i64 {tt.divisibility = 16 : i32}, %n: i32, %ix: !tt.ptr<i32>, %o: !tt.ptr<f32>, %lo: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c4 = arith.constant 4 : i32
    %c16 = arith.constant 16 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i64
    %one = arith.constant 1 : i64
    %big = arith.constant 1024 : i64
    %c = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %y = arith.constant dense<1.0> : tensor<32x64xf16, #b>
    %e = arith.constant dense<2.0> : tensor<64x32xf16, #a>
    %q = tt.make_tensor_ptr %p, [%big, %big], [%big, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<64x32xf16, #a>>
    tt.store %ix, %c0 : !tt.ptr<i32>
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %c) -> (tensor<64x64xf32, #mma>) : i32 {
      %k = tt.load %ix : !tt.ptr<i32>
      %s = tt.advance %q, [%c0, %k] : <tensor<64x32xf16, #a>>
      %x = tt.load %s {ttig.block_io = "row_major"} : !tt.ptr<tensor<64x32xf16, #a>>
      %d = tt.dot %x, %y, %acc : tensor<64x32xf16, #a> * tensor<32x64xf16, #b> -> tensor<64x64xf32, #mma>
      %k2 = arith.addi %k, %c32 : i32
      tt.store %ix, %k2 : !tt.ptr<i32>
      scf.yield %d : tensor<64x64xf32, #mma>
    }
    %w = tt.make_tensor_ptr %o, [%big, %big], [%c64, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<64x64xf32, #mma>>
    tt.store %w, %r : !tt.ptr<tensor<64x64xf32, #mma>>
    tt.return
  }

// From the second iteration on the offset is another one, which no op of the loop computes.
// CHECK-LABEL: @outer_value(
// CHECK-NOT:     ttig.prefetch
// CHECK:         tt.dot
// CHECK-NOT:     ttig.prefetch
  tt.func @outer_value(%p: !tt.ptr<f16>, %m: i64 {tt.divisibility = 16 : i32}, %n: i32, %ix: !tt.ptr<i32>, %o: !tt.ptr<f32>, %lo: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c4 = arith.constant 4 : i32
    %c16 = arith.constant 16 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i64
    %one = arith.constant 1 : i64
    %big = arith.constant 1024 : i64
    %c = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %y = arith.constant dense<1.0> : tensor<32x64xf16, #b>
    %e = arith.constant dense<2.0> : tensor<64x32xf16, #a>
    %q = tt.make_tensor_ptr %p, [%big, %big], [%big, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<64x32xf16, #a>>
    %ou = arith.addi %lo, %c16 : i32
    %r, %rr = scf.for %i = %lo to %n step %c1 iter_args(%acc = %c, %k = %c3) -> (tensor<64x64xf32, #mma>, i32) : i32 {
      %s = tt.advance %q, [%c0, %k] : <tensor<64x32xf16, #a>>
      %x = tt.load %s {ttig.block_io = "row_major"} : !tt.ptr<tensor<64x32xf16, #a>>
      %d = tt.dot %x, %y, %acc : tensor<64x32xf16, #a> * tensor<32x64xf16, #b> -> tensor<64x64xf32, #mma>
      scf.yield %d, %ou : tensor<64x64xf32, #mma>, i32
    }
    %w = tt.make_tensor_ptr %o, [%big, %big], [%c64, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<64x64xf32, #mma>>
    tt.store %w, %r : !tt.ptr<tensor<64x64xf32, #mma>>
    tt.return
  }

// Bounds are compared without signs.
// CHECK-LABEL: @unsigned(
// CHECK-NOT:     ttig.prefetch
// CHECK:         tt.dot
// CHECK-NOT:     ttig.prefetch
  tt.func @unsigned(%p: !tt.ptr<f16>, %m: i64 {tt.divisibility = 16 : i32}, %n: i32, %ix: !tt.ptr<i32>, %o: !tt.ptr<f32>, %lo: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c4 = arith.constant 4 : i32
    %c16 = arith.constant 16 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i64
    %one = arith.constant 1 : i64
    %big = arith.constant 1024 : i64
    %c = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %y = arith.constant dense<1.0> : tensor<32x64xf16, #b>
    %e = arith.constant dense<2.0> : tensor<64x32xf16, #a>
    %q = tt.make_tensor_ptr %p, [%big, %big], [%big, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<64x32xf16, #a>>
    %r = scf.for unsigned %i = %c0 to %c1 step %c1 iter_args(%acc = %c) -> (tensor<64x64xf32, #mma>) : i32 {
      %k = arith.muli %i, %c32 : i32
      %s = tt.advance %q, [%c0, %k] : <tensor<64x32xf16, #a>>
      %x = tt.load %s {ttig.block_io = "row_major"} : !tt.ptr<tensor<64x32xf16, #a>>
      %d = tt.dot %x, %y, %acc : tensor<64x32xf16, #a> * tensor<32x64xf16, #b> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    }
    %w = tt.make_tensor_ptr %o, [%big, %big], [%c64, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<64x64xf32, #mma>>
    tt.store %w, %r : !tt.ptr<tensor<64x64xf32, #mma>>
    tt.return
  }
}
