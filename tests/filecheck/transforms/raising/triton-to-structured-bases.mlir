// RUN: xtriton-opt %s --triton-to-structured | filecheck %s

// Pointers that a loop exchanges: it carries their bases.

// CHECK-LABEL: tt.func @swapped
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[P:.*]] = %arg0, %[[Q:.*]] = %arg1) ->
// CHECK: tts.make_tptr %[[P]] to sizes: [16]
// CHECK: scf.yield %{{.*}}, %[[Q]], %[[P]]
// CHECK-NOT: tt.load
tt.func @swapped(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %c: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %i = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %bs = tt.splat %b : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %cs = tt.splat %c : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %p = tt.addptr %as, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %q = tt.addptr %bs, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %r = tt.addptr %cs, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %end:3 = scf.for %k = %c0 to %n step %c1 iter_args(%total = %zero, %u = %p, %v = %q) -> (tensor<16xf32>, tensor<16x!tt.ptr<f32>>, tensor<16x!tt.ptr<f32>>) : i32 {
    %x = tt.load %u : tensor<16x!tt.ptr<f32>>
    %more = arith.addf %total, %x : tensor<16xf32>
    scf.yield %more, %v, %u : tensor<16xf32>, tensor<16x!tt.ptr<f32>>, tensor<16x!tt.ptr<f32>>
  }
  tt.store %r, %end#0 : tensor<16x!tt.ptr<f32>>
  tt.return
}
