// RUN: xtriton-opt %s --tritonintelgpu-coalesce | filecheck %s
// RUN: xtriton-opt %s --tritonintelgpu-coalesce --xtriton-check-semantics -o /dev/null

// Block pointers that meet in control flow have one layout, though only some are loaded through.

#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [2, 2], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32} {
  // CHECK-LABEL: @selected(
  // CHECK:         tt.load %{{.*}} : !tt.ptr<tensor<32x32xf16, #[[M:.*]]>>
  // CHECK:         arith.select {{.*}} : !tt.ptr<tensor<32x32xf16, #[[M]]>>
  tt.func @selected(%p: !tt.ptr<f16>, %q: !tt.ptr<f16>, %c: i1, %o: !tt.ptr<f16>) {
    %c0 = arith.constant 0 : i32
    %c128 = arith.constant 128 : i64
    %one = arith.constant 1 : i64
    %x = tt.make_tensor_ptr %p, [%c128, %c128], [%c128, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<32x32xf16, #b>>
    %y = tt.make_tensor_ptr %q, [%c128, %c128], [%one, %c128], [%c0, %c0] {order = array<i32: 0, 1>} : <tensor<32x32xf16, #b>>
    %w = tt.make_tensor_ptr %o, [%c128, %c128], [%c128, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<32x32xf16, #b>>
    %a = tt.load %y : !tt.ptr<tensor<32x32xf16, #b>>
    %s = arith.select %c, %x, %y : !tt.ptr<tensor<32x32xf16, #b>>
    %d = tt.load %s : !tt.ptr<tensor<32x32xf16, #b>>
    %e = arith.addf %a, %d : tensor<32x32xf16, #b>
    tt.store %w, %e : !tt.ptr<tensor<32x32xf16, #b>>
    tt.return
  }

  // CHECK-LABEL: @carried(
  // CHECK:         scf.for {{.*}} -> (!tt.ptr<tensor<32x32xf16, #[[N:.*]]>>)
  // CHECK:           scf.yield {{.*}} : !tt.ptr<tensor<32x32xf16, #[[N]]>>
  // CHECK:         tt.load {{.*}} : !tt.ptr<tensor<32x32xf16, #[[N]]>>
  tt.func @carried(%p: !tt.ptr<f16>, %q: !tt.ptr<f16>, %n: i32, %o: !tt.ptr<f16>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c128 = arith.constant 128 : i64
    %one = arith.constant 1 : i64
    %x = tt.make_tensor_ptr %p, [%c128, %c128], [%c128, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<32x32xf16, #b>>
    %y = tt.make_tensor_ptr %q, [%c128, %c128], [%one, %c128], [%c0, %c0] {order = array<i32: 0, 1>} : <tensor<32x32xf16, #b>>
    %w = tt.make_tensor_ptr %o, [%c128, %c128], [%c128, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<32x32xf16, #b>>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%z = %x) -> (!tt.ptr<tensor<32x32xf16, #b>>) : i32 {
      %a = tt.load %z : !tt.ptr<tensor<32x32xf16, #b>>
      tt.store %w, %a : !tt.ptr<tensor<32x32xf16, #b>>
      scf.yield %y : !tt.ptr<tensor<32x32xf16, #b>>
    }
    %l = tt.load %y : !tt.ptr<tensor<32x32xf16, #b>>
    tt.store %w, %l : !tt.ptr<tensor<32x32xf16, #b>>
    tt.return
  }
}
