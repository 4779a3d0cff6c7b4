// RUN: xtriton-opt %s --xtriton-intel-ttgir-pipeline='num-warps=4 device=pvc' | filecheck %s
// RUN: not xtriton-opt %s --xtriton-intel-ttgir-pipeline=device=none 2>&1 | filecheck %s --check-prefix=NONE

// NONE: there is no device 'none'; there are bmg, pvc

// Operands are prefetched and loaded as DPAS wants them, the result is stored as DPAS gives it.
// CHECK:       #mma = #ttig.dpas<{
// CHECK-LABEL: @gemm(
// CHECK:         ttig.prefetch
// CHECK:         scf.for
// CHECK-COUNT-2:   ttig.prefetch
// CHECK-COUNT-2:   tt.load {{.*}} {{{.*}}ttig.block_io = "row_major"} : !tt.ptr<tensor<{{.*}}, #ttg.dot_op<{{.*}} parent = #mma
// CHECK-NOT:     ttg.convert_layout
// CHECK:         tt.store {{.*}} {{{.*}}ttig.block_io = "row_major"} : !tt.ptr<tensor<64x64xf32, #mma>>
tt.func public @gemm(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %k = arith.constant 1024 : i32
  %size = arith.constant 1024 : i64
  %one = arith.constant 1 : i64
  %x = tt.get_program_id x : i32
  %y = tt.get_program_id y : i32
  %i = arith.muli %x, %c64 : i32
  %j = arith.muli %y, %c64 : i32
  %p = tt.make_tensor_ptr %a, [%size, %size], [%size, %one], [%i, %c0] {order = array<i32: 1, 0>} : <tensor<64x32xf16>>
  %q = tt.make_tensor_ptr %b, [%size, %size], [%size, %one], [%c0, %j] {order = array<i32: 1, 0>} : <tensor<32x64xf16>>
  %r:3 = scf.for %t = %c0 to %k step %c32 iter_args(%acc = %zero, %pa = %p, %pb = %q) -> (tensor<64x64xf32>, !tt.ptr<tensor<64x32xf16>>, !tt.ptr<tensor<32x64xf16>>) : i32 {
    %u = tt.load %pa {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<64x32xf16>>
    %v = tt.load %pb {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<32x64xf16>>
    %d = tt.dot %u, %v, %acc : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    %na = tt.advance %pa, [%c0, %c32] : <tensor<64x32xf16>>
    %nb = tt.advance %pb, [%c32, %c0] : <tensor<32x64xf16>>
    scf.yield %d, %na, %nb : tensor<64x64xf32>, !tt.ptr<tensor<64x32xf16>>, !tt.ptr<tensor<32x64xf16>>
  }
  %o = tt.make_tensor_ptr %c, [%size, %size], [%size, %one], [%i, %j] {order = array<i32: 1, 0>} : <tensor<64x64xf32>>
  tt.store %o, %r#0 {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<64x64xf32>>
  tt.return
}
