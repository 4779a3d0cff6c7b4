// RUN: xtriton-opt %s --allow-unregistered-dialect --tritonintelgpu-hoist-layout-conversions | filecheck %s
// RUN: xtriton-opt %s --allow-unregistered-dialect --tritonintelgpu-hoist-layout-conversions=grf-mode=256 | filecheck %s --check-prefix=LARGE
// RUN: xtriton-opt %s --allow-unregistered-dialect --tritonintelgpu-hoist-layout-conversions 2>&1 | filecheck %s --check-prefix=REMARK
// RUN: env TRITON_INTEL_HLC_STATS=1 xtriton-opt %s --allow-unregistered-dialect --tritonintelgpu-hoist-layout-conversions 2>&1 | filecheck %s --check-prefix=STATISTICS

// REMARK: remark: not hoisted: 3588 bytes a thread, 3276 are there
// STATISTICS: [HoistLayoutConversions] considered=6 hoisted=2 rejected_pressure=1 skipped_other=3

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#dot0 = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#dot1 = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32} {
  // Out of both loops, to where the operand is made.
  // CHECK-LABEL: @hoisted(
  // CHECK:         tt.load
  // CHECK-NEXT:    ttg.convert_layout
  // CHECK:         scf.for
  // CHECK-NOT:     ttg.convert_layout
  tt.func @hoisted(%a: !tt.ptr<f16>, %c: !tt.ptr<f32>) {
    %zero = arith.constant dense<0.0> : tensor<32x16xf32, #mma>
    %one = arith.constant dense<1.0> : tensor<16x16xf16, #dot1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c1_i64 = arith.constant 1 : i64
    %c16_i64 = arith.constant 16 : i64
    %c32_i64 = arith.constant 32 : i64
    %p = tt.make_tensor_ptr %a, [%c32_i64, %c16_i64], [%c16_i64, %c1_i64], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<32x16xf16, #blocked>>
    %x = tt.load %p : !tt.ptr<tensor<32x16xf16, #blocked>>
    %r = tt.make_tensor_ptr %c, [%c32_i64, %c16_i64], [%c16_i64, %c1_i64], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<32x16xf32, #mma>>
    %total = scf.for %i = %c0 to %c2 step %c1 iter_args(%outer = %zero) -> (tensor<32x16xf32, #mma>) : i32 {
      %acc = scf.for %j = %c0 to %c2 step %c1 iter_args(%sum = %outer) -> (tensor<32x16xf32, #mma>) : i32 {
        %y = ttg.convert_layout %x : tensor<32x16xf16, #blocked> -> tensor<32x16xf16, #dot0>
        %next = tt.dot %y, %one, %sum : tensor<32x16xf16, #dot0> * tensor<16x16xf16, #dot1> -> tensor<32x16xf32, #mma>
        scf.yield %next : tensor<32x16xf32, #mma>
      }
      scf.yield %acc : tensor<32x16xf32, #mma>
    }
    tt.store %r, %total : !tt.ptr<tensor<32x16xf32, #mma>>
    tt.return
  }

  // An argument of the function has no op behind which to stand. What is carried, made for
  // something else than a product, or made in a branch only, stays.
  // CHECK-LABEL: @some(
  // CHECK:         arith.constant 1 : i32
  // CHECK-NEXT:    ttg.convert_layout %arg0 {{.*}} -> tensor<32x16xf16, #ttg.dot_op
  // CHECK-NEXT:    scf.for
  // CHECK-NEXT:      ttg.convert_layout %arg{{[0-9]+}} {{.*}} -> tensor<32x16xf16, #ttg.dot_op
  // CHECK-NEXT:      ttg.convert_layout %arg0 {{.*}} -> tensor<32x16xf16, #mma>
  // CHECK:           scf.if
  // CHECK-NEXT:        ttg.convert_layout %arg0 {{.*}} -> tensor<32x16xf16, #ttg.dot_op
  tt.func @some(%x: tensor<32x16xf16, #blocked>, %n: i32, %which: i1) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %end = scf.for %i = %c0 to %n step %c1 iter_args(%carried = %x) -> (tensor<32x16xf16, #blocked>) : i32 {
      %0 = ttg.convert_layout %x : tensor<32x16xf16, #blocked> -> tensor<32x16xf16, #dot0>
      %1 = ttg.convert_layout %carried : tensor<32x16xf16, #blocked> -> tensor<32x16xf16, #dot0>
      %2 = ttg.convert_layout %x : tensor<32x16xf16, #blocked> -> tensor<32x16xf16, #mma>
      "test.use"(%0, %1, %2) : (tensor<32x16xf16, #dot0>, tensor<32x16xf16, #dot0>, tensor<32x16xf16, #mma>) -> ()
      scf.if %which {
        %3 = ttg.convert_layout %x : tensor<32x16xf16, #blocked> -> tensor<32x16xf16, #dot0>
        "test.use"(%3) : (tensor<32x16xf16, #dot0>) -> ()
      }
      scf.yield %carried : tensor<32x16xf16, #blocked>
    }
    tt.return
  }

  // 4 bytes of a number, 512 and 1,024 of tensors, 2,048 of what one of them becomes.
  // CHECK-LABEL: @full(
  // CHECK:         scf.for
  // CHECK-NEXT:      ttg.convert_layout %arg0 {tt.no_licm}
  // LARGE-LABEL: @full(
  // LARGE:         ttg.convert_layout %arg0 :
  // LARGE:         scf.for
  tt.func @full(%x: tensor<128x128xf16, #blocked>, %y: tensor<128x128xf32, #blocked>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %0 = ttg.convert_layout %x : tensor<128x128xf16, #blocked> -> tensor<128x128xf16, #dot1>
      "test.use"(%0, %y, %n) : (tensor<128x128xf16, #dot1>, tensor<128x128xf32, #blocked>, i32) -> ()
    }
    tt.return
  }
}
