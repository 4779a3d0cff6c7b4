// RUN: xtriton-opt %s --split-input-file --triton-intel-rewrite-tensor-descriptor-to-pointer --canonicalize | filecheck %s
// RUN: env TRITON_INTEL_DISABLE_DESCRIPTOR_GATHER_SCATTER_REWRITE=1 xtriton-opt %s --split-input-file --triton-intel-rewrite-tensor-descriptor-to-pointer --canonicalize | filecheck %s --check-prefix=ROWS

// Two descriptors serve loads and stores, in a loop that carries and swaps them; the third one
// gathers rows of which nothing is known.
// CHECK-LABEL: @both(
// CHECK:         %[[D:.*]] = tt.make_tensor_descriptor %arg0
// CHECK:         %[[F:.*]] = tt.make_tensor_descriptor %arg1
// CHECK-NOT:     tt.make_tensor_descriptor
// CHECK:         scf.for {{.*}} iter_args(%[[C:.*]] = %[[D]], %[[G:.*]] = %[[F]])
// CHECK:           tt.descriptor_load %[[C]]
// CHECK:           tt.load %{{.*}}, %{{.*}}, %{{.*}} : tensor<8x16x!tt.ptr<f32>>
// CHECK:           tt.descriptor_store %[[C]]
// CHECK:           scf.yield %[[G]], %[[C]]
tt.func @both(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %rows: tensor<8x!tt.ptr<i32>>, %m: i32, %k: i32) {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %c8 = arith.constant 8 : i32
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %d = tt.make_tensor_descriptor %p, [%m, %k], [%c64, %c1] : <f32>, <8x16xf32>
  %f = tt.make_tensor_descriptor %q, [%m, %k], [%c64, %c1] : <f32>, <8x16xf32>
  %e = tt.make_tensor_descriptor %q, [%m, %k], [%c64, %c1] : <f32>, <1x16xf32>
  %r:2 = scf.for %i = %c0 to %m step %c8 iter_args(%c = %d, %g = %f) -> (!tt.tensordesc<8x16xf32>, !tt.tensordesc<8x16xf32>) : i32 {
    %x = tt.descriptor_load %c[%i, %c0] : !tt.tensordesc<8x16xf32> -> tensor<8x16xf32>
    %n = tt.load %rows : tensor<8x!tt.ptr<i32>>
    %y = tt.descriptor_gather %e[%n, %c4] : (!tt.tensordesc<1x16xf32>, tensor<8xi32>, i32) -> tensor<8x16xf32>
    %z = arith.addf %x, %y : tensor<8x16xf32>
    tt.descriptor_store %c[%i, %c0], %z : !tt.tensordesc<8x16xf32>, tensor<8x16xf32>
    scf.yield %g, %c : !tt.tensordesc<8x16xf32>, !tt.tensordesc<8x16xf32>
  }
  tt.return
}

// -----

// What one branch makes for a reduction is no block in the other one either.
// CHECK-LABEL: @meet(
// CHECK-NOT:     tt.make_tensor_descriptor
// CHECK:         scf.if
// CHECK-NOT:     tt.descriptor
// CHECK:         tt.atomic_rmw fadd
// CHECK:         tt.load
tt.func @meet(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %o: tensor<8x16x!tt.ptr<f32>>, %m: i32, %k: i32, %x: tensor<8x16xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %if = arith.cmpi slt, %m, %k : i32
  %d = scf.if %if -> !tt.tensordesc<8x16xf32> {
    %a = tt.make_tensor_descriptor %p, [%m, %k], [%c64, %c1] : <f32>, <8x16xf32>
    scf.yield %a : !tt.tensordesc<8x16xf32>
  } else {
    %b = tt.make_tensor_descriptor %q, [%m, %k], [%c64, %c1] : <f32>, <8x16xf32>
    scf.yield %b : !tt.tensordesc<8x16xf32>
  }
  tt.descriptor_reduce add, %d[%c0, %c0], %x : !tt.tensordesc<8x16xf32>, tensor<8x16xf32>
  %y = tt.descriptor_load %d[%c0, %c0] : !tt.tensordesc<8x16xf32> -> tensor<8x16xf32>
  tt.store %o, %y : tensor<8x16x!tt.ptr<f32>>
  tt.return
}

// -----

// Rows behind one another: a range from a sum on, loaded at once, and two runs of a constant,
// stored one after the other.
// CHECK-LABEL: @rows(
// CHECK-DAG:     %[[LOW:.*]] = arith.constant dense<{{.*}}> : tensor<4x16xi32>
// CHECK:         %[[F:.*]] = arith.addi %arg{{.*}}, %arg{{.*}} : i32
// CHECK:         %[[X:.*]] = tt.descriptor_load %{{.*}}[%[[F]], %{{.*}}] : !tt.tensordesc<8x16xf16> -> tensor<8x16xf16>
// CHECK:         %[[A:.*]] = tt.gather %[[X]][%{{.*}}] {axis = 0 : i32} : (tensor<8x16xf16>, tensor<4x16xi32>) -> tensor<4x16xf16>
// CHECK:         tt.descriptor_store %{{.*}}[%c8_i32, %{{.*}}], %[[A]] : !tt.tensordesc<4x16xf16>, tensor<4x16xf16>
// CHECK:         %[[B:.*]] = tt.gather
// CHECK:         tt.descriptor_store %{{.*}}[%c3_i32, %{{.*}}], %[[B]]
// CHECK:         %[[Y:.*]] = tt.descriptor_load
// CHECK:         %[[Z:.*]] = tt.descriptor_load
// CHECK:         %[[J:.*]] = tt.join %[[Y]], %[[Z]] : tensor<4x16xf16> -> tensor<4x16x2xf16>
// CHECK:         %[[T:.*]] = tt.trans %[[J]] {order = array<i32: 2, 0, 1>}
// CHECK:         tt.reshape %[[T]] : tensor<2x4x16xf16> -> tensor<8x16xf16>
// ROWS-LABEL: @rows(
// ROWS-NOT:     tt.descriptor
// ROWS:         tt.return
tt.func @rows(%p: !tt.ptr<f16>, %q: !tt.ptr<f16>, %o: tensor<8x16x!tt.ptr<f16>>, %m: i32, %k: i32, %i: i32, %j: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %d = tt.make_tensor_descriptor %p, [%m, %k], [%c64, %c1] : <f16>, <1x16xf16>
  %e = tt.make_tensor_descriptor %q, [%m, %k], [%c64, %c1] : <f16>, <1x16xf16>
  %range = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
  %is = tt.splat %i : i32 -> tensor<8xi32>
  %js = tt.splat %j : i32 -> tensor<8xi32>
  %a = arith.addi %range, %is : tensor<8xi32>
  %b = arith.addi %js, %a : tensor<8xi32>
  %x = tt.descriptor_gather %d[%b, %j] : (!tt.tensordesc<1x16xf16>, tensor<8xi32>, i32) -> tensor<8x16xf16>
  %runs = arith.constant dense<[8, 9, 10, 11, 3, 4, 5, 6]> : tensor<8xi32>
  tt.descriptor_scatter %e[%runs, %c0], %x : !tt.tensordesc<1x16xf16>, tensor<8xi32>, i32, tensor<8x16xf16>
  %y = tt.descriptor_gather %d[%runs, %c0] : (!tt.tensordesc<1x16xf16>, tensor<8xi32>, i32) -> tensor<8x16xf16>
  tt.store %o, %y : tensor<8x16x!tt.ptr<f16>>
  tt.return
}

// -----

// Rows that are stored twice, and rows of i16, whose sum may wrap earlier.
// CHECK-LABEL: @no_runs(
// CHECK-NOT:     tt.descriptor
// CHECK:         tt.return
tt.func @no_runs(%p: !tt.ptr<f16>, %q: !tt.ptr<f16>, %m: i32, %k: i32, %i: i16, %x: tensor<8x16xf16>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %d = tt.make_tensor_descriptor %p, [%m, %k], [%c64, %c1] : <f16>, <1x16xf16>
  %e = tt.make_tensor_descriptor %q, [%m, %k], [%c64, %c1] : <f16>, <1x16xf16>
  %twice = arith.constant dense<[0, 1, 2, 3, 0, 1, 2, 3]> : tensor<8xi32>
  tt.descriptor_scatter %d[%twice, %c0], %x : !tt.tensordesc<1x16xf16>, tensor<8xi32>, i32, tensor<8x16xf16>
  %range = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
  %short = arith.trunci %range : tensor<8xi32> to tensor<8xi16>
  %is = tt.splat %i : i16 -> tensor<8xi16>
  %a = arith.addi %short, %is : tensor<8xi16>
  tt.descriptor_scatter %e[%a, %c0], %x : !tt.tensordesc<1x16xf16>, tensor<8xi16>, i32, tensor<8x16xf16>
  tt.return
}

// -----

// A kernel makes what the host passes: from the sizes and strides behind, where rows are
// contiguous. The function that it calls takes the parts, with what is rounded to tf32.
// CHECK-LABEL: @host(
// CHECK-SAME:      %arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i64, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: i1, %arg6: i1,
// CHECK-SAME:      %arg7: i32, %arg8: i32 {tt.divisibility = 8 : i32}, %arg9: i64 {tt.divisibility = 4 : i32}, %arg10: i64, %arg11: !tt.ptr<f32> {tt.divisibility = 4 : i32})
// CHECK:         %[[D:.*]] = tt.make_tensor_descriptor %arg0, [%arg7, %arg8], [%arg9, %c1_i64] {padding = 2 : i32} : <f32>, <8x16xf32>
// CHECK:         tt.descriptor_load %[[D]]
tt.func public @host(%d: !tt.tensordesc<8x16xf32> {tt.padding = 1 : i32, tt.shape.1.divisibility = 8 : i32}, %m: i32, %k: i32, %s: i64, %t: i64, %q: !tt.ptr<f32> {tt.divisibility = 4 : i32}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %x = tt.descriptor_load %d[%c0, %c0] : !tt.tensordesc<8x16xf32> -> tensor<8x16xf32>
  %e = tt.make_tensor_descriptor %q, [%m, %k], [%s, %c1] : <f32>, <8x16xf32>
  tt.call @callee(%e, %x) : (!tt.tensordesc<8x16xf32>, tensor<8x16xf32>) -> ()
  tt.return
}
// CHECK-LABEL: tt.func private @callee(
// CHECK-SAME:      %arg0: !tt.ptr<f32>, %arg1: i64, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: i1, %arg6: i1, %arg7: tensor<8x16xf32>)
// CHECK:         %[[NAN:.*]] = arith.select %arg5
// CHECK:         %[[X:.*]] = tt.load %{{.*}}, %{{.*}}, %[[NAN]]
// CHECK:         arith.andi %{{.*}}, %{{.*}} : tensor<8x16xi32>
// CHECK:         arith.select %arg6, %{{.*}}, %[[X]]
tt.func private @callee(%d: !tt.tensordesc<8x16xf32>, %x: tensor<8x16xf32>) {
  %c0 = arith.constant 0 : i32
  %y = tt.descriptor_load %d[%c0, %c0] : !tt.tensordesc<8x16xf32> -> tensor<8x16xf32>
  %z = arith.addf %x, %y : tensor<8x16xf32>
  tt.descriptor_store %d[%c0, %c0], %z : !tt.tensordesc<8x16xf32>, tensor<8x16xf32>
  tt.return
}
