// RUN: xtriton-opt %s --triton-to-structured=run-prepass-only=true | filecheck %s

// An inner loop starts with what the outer one carries; what is no pointer stays alone.
// CHECK-LABEL: @nested
// CHECK: %[[S:.+]], %[[O:.+]], %[[T:.+]] = "tts.get_structured_state"(%{{.+}}) <{resultSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<4x!tt.ptr<f32>>) -> (tensor<4x!tt.ptr<f32>>, index, index)
// CHECK: scf.for %{{.+}} iter_args(%[[P:.+]] = %[[S]], %[[P1:.+]] = %[[O]], %[[P2:.+]] = %[[T]], %{{.+}} = %arg1) -> (tensor<4x!tt.ptr<f32>>, index, index, f32)
// CHECK: %[[INNER:.+]]:3 = scf.for %{{.+}} iter_args(%[[Q:.+]] = %[[P]], %{{.+}} = %[[P1]], %{{.+}} = %[[P2]])
// CHECK: %[[NEXT:.+]] = tt.addptr %[[Q]]
// CHECK: %[[S1:.+]], %[[O1:.+]], %[[T1:.+]] = "tts.get_structured_state"(%[[NEXT]])
// CHECK: scf.yield %[[S1]], %[[O1]], %[[T1]]
// CHECK: scf.yield %[[INNER]]#0, %[[INNER]]#1, %[[INNER]]#2, %{{.+}} : tensor<4x!tt.ptr<f32>>, index, index, f32
tt.func @nested(%a: !tt.ptr<f32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %range = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
  %r:2 = scf.for %k = %c0 to %c4 step %c1 iter_args(%p = %as, %sum = %x) -> (tensor<4x!tt.ptr<f32>>, f32) : i32 {
    %inner = scf.for %l = %c0 to %c4 step %c1 iter_args(%q = %p) -> (tensor<4x!tt.ptr<f32>>) : i32 {
      %next = tt.addptr %q, %range : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
      scf.yield %next : tensor<4x!tt.ptr<f32>>
    }
    %more = arith.addf %sum, %x : f32
    scf.yield %inner, %more : tensor<4x!tt.ptr<f32>>, f32
  }
  tt.return %r#1 : f32
}
