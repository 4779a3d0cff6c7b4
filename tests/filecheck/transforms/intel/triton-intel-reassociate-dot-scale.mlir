// RUN: xtriton-opt %s --split-input-file --triton-intel-reassociate-dot-scale='fast-math=true' | filecheck %s
// RUN: xtriton-opt %s --split-input-file --triton-intel-reassociate-dot-scale | filecheck %s --check-prefix=EXACT

// The second operand is the same in every iteration, and takes the scale; only with fast-math.
// CHECK-LABEL: @second_operand(
// CHECK:         scf.for
// CHECK:           %[[A:.*]] = tt.load
// CHECK:           %[[S:.*]] = tt.splat %arg3 : f32 -> tensor<16x8xf32>
// CHECK:           %[[B:.*]] = arith.mulf %arg1, %[[S]] fastmath<reassoc> : tensor<16x8xf32>
// CHECK:           %[[D:.*]] = tt.dot %[[A]], %[[B]], %{{.*}} : tensor<8x16xf32>
// CHECK-NOT:       arith.mulf
// CHECK:           arith.addf %{{.*}}, %[[D]]
// EXACT-LABEL: @second_operand(
// EXACT:         %[[D:.*]] = tt.dot
// EXACT:         arith.mulf %[[D]]
// EXACT-NOT:     fastmath
tt.func @second_operand(%p: tensor<8x16x!tt.ptr<f32>>, %b: tensor<16x8xf32>, %o: tensor<8x8x!tt.ptr<f32>>, %s: f32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.000000e+00> : tensor<8x8xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<8x8xf32>) : i32 {
    %a = tt.load %p : tensor<8x16x!tt.ptr<f32>>
    %d = tt.dot %a, %b, %zero : tensor<8x16xf32> * tensor<16x8xf32> -> tensor<8x8xf32>
    %scale = tt.splat %s : f32 -> tensor<8x8xf32>
    %r = arith.mulf %d, %scale : tensor<8x8xf32>
    %next = arith.addf %acc, %r : tensor<8x8xf32>
    scf.yield %next : tensor<8x8xf32>
  }
  tt.store %o, %sum : tensor<8x8x!tt.ptr<f32>>
  tt.return
}

// -----

// A constant becomes one of the operand's shape, in front of all; f16 is scaled as f32.
// CHECK-LABEL: @constant(
// CHECK:         %[[HALF:.*]] = arith.constant dense<5.000000e-01> : tensor<8x16xf32>
// CHECK:         scf.while
// CHECK:           %[[E:.*]] = arith.extf %arg0 : tensor<8x16xf16> to tensor<8x16xf32>
// CHECK:           %[[M:.*]] = arith.mulf %[[E]], %[[HALF]] fastmath<reassoc>
// CHECK:           %[[A:.*]] = arith.truncf %[[M]] : tensor<8x16xf32> to tensor<8x16xf16>
// CHECK:           %[[D:.*]] = tt.dot %[[A]],
// CHECK:           tt.store %{{.*}}, %[[D]]
tt.func @constant(%a: tensor<8x16xf16>, %q: tensor<16x8x!tt.ptr<f16>>, %o: tensor<8x8x!tt.ptr<f32>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.000000e+00> : tensor<8x8xf32>
  %half = arith.constant dense<5.000000e-01> : tensor<8x8xf32>
  %end = scf.while (%i = %c0) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %b = tt.load %q : tensor<16x8x!tt.ptr<f16>>
    %d = tt.dot %a, %b, %zero : tensor<8x16xf16> * tensor<16x8xf16> -> tensor<8x8xf32>
    %r = arith.mulf %half, %d : tensor<8x8xf32>
    tt.store %o, %r : tensor<8x8x!tt.ptr<f32>>
    %j = arith.addi %i, %c1 : i32
    scf.yield %j : i32
  }
  tt.return
}

// -----

// Neither f16 nor bf16 holds the other; a scale, or an accumulator, of the loop changes; a
// product in an outer loop is not computed in an inner one; nor one twice that is needed as it is.
// CHECK-LABEL: @stays(
// CHECK-NOT:     fastmath
// CHECK:         tt.return
tt.func @stays(%a: tensor<8x16xbf16>, %q: tensor<16x8x!tt.ptr<bf16>>, %o: tensor<8x8x!tt.ptr<f32>>, %h: tensor<8x8x!tt.ptr<f16>>, %s: !tt.ptr<f32>, %x: f16, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.000000e+00> : tensor<8x8xf32>
  %zero_half = arith.constant dense<0.000000e+00> : tensor<8x8xf16>
  %two = arith.constant dense<2.000000e+00> : tensor<8x8xf32>
  scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<8x8xf32>) : i32 {
    %b = tt.load %q : tensor<16x8x!tt.ptr<bf16>>
    %d = tt.dot %a, %b, %zero_half : tensor<8x16xbf16> * tensor<16x8xbf16> -> tensor<8x8xf16>
    %scale = tt.splat %x : f16 -> tensor<8x8xf16>
    %r = arith.mulf %d, %scale : tensor<8x8xf16>
    tt.store %h, %r : tensor<8x8x!tt.ptr<f16>>
    %e = tt.dot %a, %b, %zero : tensor<8x16xbf16> * tensor<16x8xbf16> -> tensor<8x8xf32>
    %y = tt.load %s : !tt.ptr<f32>
    %scales = tt.splat %y : f32 -> tensor<8x8xf32>
    %t = arith.mulf %e, %scales : tensor<8x8xf32>
    tt.store %o, %t : tensor<8x8x!tt.ptr<f32>>
    %f = tt.dot %a, %b, %acc : tensor<8x16xbf16> * tensor<16x8xbf16> -> tensor<8x8xf32>
    %u = arith.mulf %f, %two : tensor<8x8xf32>
    %g = tt.dot %a, %b, %zero : tensor<8x16xbf16> * tensor<16x8xbf16> -> tensor<8x8xf32>
    scf.for %j = %c0 to %n step %c1 : i32 {
      %v = arith.mulf %g, %two : tensor<8x8xf32>
      tt.store %o, %v : tensor<8x8x!tt.ptr<f32>>
    }
    %k = tt.dot %a, %b, %zero : tensor<8x16xbf16> * tensor<16x8xbf16> -> tensor<8x8xf32>
    %w = arith.mulf %k, %two : tensor<8x8xf32>
    %kw = arith.addf %k, %w : tensor<8x8xf32>
    tt.store %o, %kw : tensor<8x8x!tt.ptr<f32>>
    scf.yield %u : tensor<8x8xf32>
  }
  tt.return
}
