// RUN: xtriton-opt %s --tritonintelgpu-reduce-variable-liveness | filecheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [1, 16], warpsPerCTA = [8, 1], order = [1, 0]}>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [8, 1], repCluster = [2, 1], A = [16, 16], B = [16, 16], C = [16, 16]}>
#dot0 = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#dot1 = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  // What is used behind the loop as well is loaded there once more. The other operand is small.
  // CHECK-LABEL: @moved(
  // CHECK:         %[[P:.*]] = tt.make_tensor_ptr %arg0
  // CHECK:         ttig.prefetch %[[P]] {{.*}}ttig.block_io = "row_major"
  // CHECK:         tt.load %{{.*}} : !tt.ptr<tensor<128x16xf16
  // CHECK-NOT:     tt.load
  // CHECK:         scf.for
  // CHECK:           %[[X:.*]] = tt.load %[[P]] {{.*}}ttig.block_io = "row_major"
  // CHECK:           tt.dot %[[X]],
  // CHECK:         }
  // CHECK:         %[[Y:.*]] = tt.load %[[P]]
  // CHECK:         arith.extf %[[Y]]
  tt.func @moved(%a: !tt.ptr<f16>, %b: !tt.ptr<f16>, %c: !tt.ptr<f32>, %d: !tt.ptr<f32>) {
    %zero = arith.constant dense<0.0> : tensor<128x16xf32, #mma>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %c1_i64 = arith.constant 1 : i64
    %c16_i64 = arith.constant 16 : i64
    %c128_i64 = arith.constant 128 : i64
    %p = tt.make_tensor_ptr %a, [%c128_i64, %c128_i64], [%c128_i64, %c1_i64], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<128x128xf16, #dot0>>
    %x = tt.load %p {ttig.block_io = "row_major"} : !tt.ptr<tensor<128x128xf16, #dot0>>
    %q = tt.make_tensor_ptr %b, [%c128_i64, %c16_i64], [%c16_i64, %c1_i64], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<128x16xf16, #dot1>>
    %y = tt.load %q {ttig.block_io = "row_major"} : !tt.ptr<tensor<128x16xf16, #dot1>>
    %acc = scf.for %i = %c0 to %c3 step %c1 iter_args(%sum = %zero) -> (tensor<128x16xf32, #mma>) : i32 {
      %next = tt.dot %x, %y, %sum : tensor<128x128xf16, #dot0> * tensor<128x16xf16, #dot1> -> tensor<128x16xf32, #mma>
      scf.yield %next : tensor<128x16xf32, #mma>
    }
    %r = tt.make_tensor_ptr %c, [%c128_i64, %c16_i64], [%c16_i64, %c1_i64], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<128x16xf32, #mma>>
    tt.store %r, %acc : !tt.ptr<tensor<128x16xf32, #mma>>
    %s = tt.make_tensor_ptr %d, [%c128_i64, %c128_i64], [%c128_i64, %c1_i64], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<128x128xf32, #dot0>>
    %e = arith.extf %x : tensor<128x128xf16, #dot0> to tensor<128x128xf32, #dot0>
    tt.store %s, %e : !tt.ptr<tensor<128x128xf32, #dot0>>
    tt.return
  }

  // The second loop needs no prefetch of its own; a conversion follows its load. What the
  // first loop stores is what it loaded from there.
  // CHECK-LABEL: @two_loops(
  // CHECK:         ttig.descriptor_prefetch %{{.*}} {{.*}}ttig.block_io = "row_major"
  // CHECK-NOT:     descriptor_prefetch
  // CHECK:         scf.for
  // CHECK:           %[[X:.*]] = tt.descriptor_load
  // CHECK:           tt.descriptor_store %{{.*}}, %[[X]]
  // CHECK:           %[[V:.*]] = ttg.convert_layout %[[X]]
  // CHECK:           tt.dot %[[V]],
  // CHECK:         }
  // CHECK-NOT:     tt.descriptor_load
  // CHECK:         scf.for
  // CHECK:           %[[Z:.*]] = tt.descriptor_load
  // CHECK:           ttg.convert_layout %[[Z]]
  tt.func @two_loops(%a: !tt.ptr<f16>, %c: !tt.ptr<f32>) {
    %zero = arith.constant dense<0.0> : tensor<128x16xf32, #mma>
    %one = arith.constant dense<1.0> : tensor<128x16xf16, #dot1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c16 = arith.constant 16 : i32
    %c128 = arith.constant 128 : i32
    %c1_i64 = arith.constant 1 : i64
    %c16_i64 = arith.constant 16 : i64
    %c128_i64 = arith.constant 128 : i64
    %p = tt.make_tensor_descriptor %a, [%c128, %c128], [%c128_i64, %c1_i64] : !tt.ptr<f16>, !tt.tensordesc<tensor<128x128xf16>>
    %x = tt.descriptor_load %p[%c0, %c0] {ttig.block_io = "row_major"} : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16, #blocked>
    %first = scf.for %i = %c0 to %c2 step %c1 iter_args(%sum = %zero) -> (tensor<128x16xf32, #mma>) : i32 {
      tt.descriptor_store %p[%c0, %c0], %x : !tt.tensordesc<tensor<128x128xf16>>, tensor<128x128xf16, #blocked>
      %v = ttg.convert_layout %x : tensor<128x128xf16, #blocked> -> tensor<128x128xf16, #dot0>
      %next = tt.dot %v, %one, %sum : tensor<128x128xf16, #dot0> * tensor<128x16xf16, #dot1> -> tensor<128x16xf32, #mma>
      scf.yield %next : tensor<128x16xf32, #mma>
    }
    %second = scf.for %i = %c0 to %c2 step %c1 iter_args(%sum = %first) -> (tensor<128x16xf32, #mma>) : i32 {
      %v = ttg.convert_layout %x : tensor<128x128xf16, #blocked> -> tensor<128x128xf16, #dot0>
      %next = tt.dot %v, %one, %sum : tensor<128x128xf16, #dot0> * tensor<128x16xf16, #dot1> -> tensor<128x16xf32, #mma>
      scf.yield %next : tensor<128x16xf32, #mma>
    }
    %r = tt.make_tensor_descriptor %c, [%c128, %c16], [%c16_i64, %c1_i64] : !tt.ptr<f32>, !tt.tensordesc<tensor<128x16xf32>>
    tt.descriptor_store %r[%c0, %c0], %second : !tt.tensordesc<tensor<128x16xf32>>, tensor<128x16xf32, #mma>
    tt.return
  }

  // The loop overwrites what was loaded.
  // CHECK-LABEL: @overwritten(
  // CHECK:         tt.load
  // CHECK-NOT:     ttig.prefetch
  // CHECK:         scf.for
  // CHECK-NOT:       tt.load
  tt.func @overwritten(%a: !tt.ptr<f16>, %c: !tt.ptr<f32>) {
    %zero = arith.constant dense<0.0> : tensor<128x16xf32, #mma>
    %one = arith.constant dense<1.0> : tensor<128x16xf16, #dot1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c1_i64 = arith.constant 1 : i64
    %c16_i64 = arith.constant 16 : i64
    %c128_i64 = arith.constant 128 : i64
    %p = tt.make_tensor_ptr %a, [%c128_i64, %c128_i64], [%c128_i64, %c1_i64], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<128x128xf16, #dot0>>
    %x = tt.load %p {ttig.block_io = "row_major"} : !tt.ptr<tensor<128x128xf16, #dot0>>
    %acc = scf.for %i = %c0 to %c2 step %c1 iter_args(%sum = %zero) -> (tensor<128x16xf32, #mma>) : i32 {
      %next = tt.dot %x, %one, %sum : tensor<128x128xf16, #dot0> * tensor<128x16xf16, #dot1> -> tensor<128x16xf32, #mma>
      %twice = arith.addf %x, %x : tensor<128x128xf16, #dot0>
      tt.store %p, %twice : !tt.ptr<tensor<128x128xf16, #dot0>>
      scf.yield %next : tensor<128x16xf32, #mma>
    }
    %r = tt.make_tensor_ptr %c, [%c128_i64, %c16_i64], [%c16_i64, %c1_i64], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<128x16xf32, #mma>>
    tt.store %r, %acc : !tt.ptr<tensor<128x16xf32, #mma>>
    tt.return
  }

  // A branch in front of the loop uses the value too.
  // CHECK-LABEL: @used_in_front(
  // CHECK:         tt.load
  // CHECK-NOT:     ttig.prefetch
  // CHECK:         scf.for
  // CHECK-NOT:       tt.load
  tt.func @used_in_front(%a: !tt.ptr<f16>, %c: !tt.ptr<f32>, %which: i1) {
    %zero = arith.constant dense<0.0> : tensor<128x16xf32, #mma>
    %one = arith.constant dense<1.0> : tensor<128x16xf16, #dot1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c1_i64 = arith.constant 1 : i64
    %c16_i64 = arith.constant 16 : i64
    %c128_i64 = arith.constant 128 : i64
    %p = tt.make_tensor_ptr %a, [%c128_i64, %c128_i64], [%c128_i64, %c1_i64], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<128x128xf16, #dot0>>
    %x = tt.load %p {ttig.block_io = "row_major"} : !tt.ptr<tensor<128x128xf16, #dot0>>
    %start = scf.if %which -> (tensor<128x16xf32, #mma>) {
      %product = tt.dot %x, %one, %zero : tensor<128x128xf16, #dot0> * tensor<128x16xf16, #dot1> -> tensor<128x16xf32, #mma>
      scf.yield %product : tensor<128x16xf32, #mma>
    } else {
      scf.yield %zero : tensor<128x16xf32, #mma>
    }
    %acc = scf.for %i = %c0 to %c2 step %c1 iter_args(%sum = %start) -> (tensor<128x16xf32, #mma>) : i32 {
      %next = tt.dot %x, %one, %sum : tensor<128x128xf16, #dot0> * tensor<128x16xf16, #dot1> -> tensor<128x16xf32, #mma>
      scf.yield %next : tensor<128x16xf32, #mma>
    }
    %r = tt.make_tensor_ptr %c, [%c128_i64, %c16_i64], [%c16_i64, %c1_i64], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<128x16xf32, #mma>>
    tt.store %r, %acc : !tt.ptr<tensor<128x16xf32, #mma>>
    tt.return
  }

  // A small operand stays in registers.
  // CHECK-LABEL: @small(
  // CHECK:         tt.load
  // CHECK:         scf.for
  // CHECK-NOT:       tt.load
  tt.func @small(%a: !tt.ptr<f16>, %c: !tt.ptr<f32>) {
    %zero = arith.constant dense<0.0> : tensor<128x16xf32, #mma>
    %one = arith.constant dense<1.0> : tensor<64x16xf16, #dot1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c1_i64 = arith.constant 1 : i64
    %c16_i64 = arith.constant 16 : i64
    %c128_i64 = arith.constant 128 : i64
    %p = tt.make_tensor_ptr %a, [%c128_i64, %c128_i64], [%c128_i64, %c1_i64], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<128x64xf16, #dot0>>
    %x = tt.load %p {ttig.block_io = "row_major"} : !tt.ptr<tensor<128x64xf16, #dot0>>
    %acc = scf.for %i = %c0 to %c2 step %c1 iter_args(%sum = %zero) -> (tensor<128x16xf32, #mma>) : i32 {
      %next = tt.dot %x, %one, %sum : tensor<128x64xf16, #dot0> * tensor<64x16xf16, #dot1> -> tensor<128x16xf32, #mma>
      scf.yield %next : tensor<128x16xf32, #mma>
    }
    %r = tt.make_tensor_ptr %c, [%c128_i64, %c16_i64], [%c16_i64, %c1_i64], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<128x16xf32, #mma>>
    tt.store %r, %acc : !tt.ptr<tensor<128x16xf32, #mma>>
    tt.return
  }
}
