// RUN: xtriton-opt %s --xtriton-version-for-block-io --canonicalize --cse --triton-version=3.7 | filecheck %s
// RUN: xtriton-opt %s --xtriton-intel-ttgir-pipeline='num-warps=4 raise-pointers version-for-block-io' --triton-version=3.7 | filecheck %s --check-prefix=TTGIR
// RUN: xtriton-opt %s --xtriton-version-for-block-io=max-ops=5 --canonicalize --triton-version=3.7 | filecheck %s --check-prefix=NONE
// RUN: not xtriton-opt %s --xtriton-version-for-block-io=device=none 2>&1 | filecheck %s --check-prefix=DEVICE

// DEVICE: there is no device 'none'; there are bmg, pvc
// NONE-NOT: scf.if

// The last stride is 1, the other one a multiple of 16 bytes, rows a multiple of 4, and the
// surface at least 64 bytes wide, and so on.
// CHECK-LABEL: @copy(
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : i64
// CHECK-DAG:     %[[C8:.*]] = arith.constant 8 : i32
// CHECK-DAG:     %[[ROW:.*]] = arith.extsi %arg4 : i32 to i64
// CHECK-DAG:     %[[COLUMN:.*]] = arith.extsi %arg5 : i32 to i64
// CHECK-DAG:     arith.cmpi sge, %{{.*}}, %{{.*}} : i64
// CHECK-DAG:     arith.cmpi eq, %[[COLUMN]], %[[C1]] : i64
// CHECK:         scf.if
// CHECK:           %[[Q:.*]] = arith.divsi %arg4, %[[C8]] : i32
// CHECK:           %[[SAME:.*]] = arith.muli %[[Q]], %[[C8]] : i32
// CHECK:           %[[PITCH:.*]] = arith.extsi %[[SAME]] : i32 to i64
// CHECK:           tt.make_tensor_ptr %arg0, [%{{.*}}, %{{.*}}], [%[[PITCH]], %[[C1]]]
// CHECK:         } else {
// CHECK:           tt.make_tensor_ptr %arg0, [%{{.*}}, %{{.*}}], [%[[ROW]], %[[COLUMN]]]
// CHECK:         }

// TTGIR-LABEL: @copy(
// TTGIR:         scf.if
// TTGIR:           tt.load {{.*}} {{{.*}}ttig.block_io = "row_major"}
// TTGIR:           tt.store {{.*}} {{{.*}}ttig.block_io = "row_major"}
// TTGIR:         } else {
// TTGIR-NOT:       ttig.block_io
// TTGIR:           tt.return
tt.func public @copy(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %o: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i32, %n: i32, %row: i32, %column: i32) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %x = tt.get_program_id x : i32
  %i = arith.muli %x, %c16 : i32
  %h = arith.extsi %m : i32 to i64
  %w = arith.extsi %n : i32 to i64
  %s = arith.extsi %row : i32 to i64
  %t = arith.extsi %column : i32 to i64
  %q = tt.make_tensor_ptr %p, [%h, %w], [%s, %t], [%i, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
  %v = tt.load %q {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<16x32xf16>>
  %r = tt.make_tensor_ptr %o, [%h, %w], [%s, %t], [%i, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
  tt.store %r, %v {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x32xf16>>
  tt.return
}

// What is a 2D block access already needs no version, nor does what no argument can help.
// CHECK-LABEL: @no_need(
// CHECK-NOT:     scf.if
// CHECK:         tt.return
tt.func public @no_need(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %o: !tt.ptr<f16>, %n: i32 {tt.divisibility = 16 : i32}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %w = arith.extsi %n : i32 to i64
  %x = tt.get_program_id x : i32
  %q = tt.make_tensor_ptr %p, [%w, %w], [%w, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
  %v = tt.load %q : !tt.ptr<tensor<16x32xf16>>
  %r = tt.make_tensor_ptr %o, [%w, %w], [%w, %c1], [%c0, %x] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
  tt.store %r, %v : !tt.ptr<tensor<16x32xf16>>
  tt.return
}

// Nor does it help where the pointer is not aligned.
// CHECK-LABEL: @not_aligned(
// CHECK-NOT:     scf.if
// CHECK:         tt.return
tt.func public @not_aligned(%p: !tt.ptr<f16>, %o: !tt.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %w = arith.extsi %n : i32 to i64
  %q = tt.make_tensor_ptr %p, [%w, %w], [%w, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
  %v = tt.load %q : !tt.ptr<tensor<16x32xf16>>
  %r = tt.make_tensor_ptr %o, [%w, %w], [%w, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
  tt.store %r, %v : !tt.ptr<tensor<16x32xf16>>
  tt.return
}
