// RUN: xtriton-opt %s --triton-to-unstructured --xtriton-check-semantics | filecheck %s

// CHECK-LABEL: tt.func public @sums
// CHECK: %[[WIDE:.+]] = arith.addi %{{.+}}, %{{.+}} : tensor<8xi64>
// CHECK: tts.gather %{{.+}}[%[[WIDE]]] : (<f32>, tensor<8xi64>) -> tensor<8xf32>
// CHECK: tts.scatter
tt.func public @sums(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
  %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %a = tt.addptr %s, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %b = tt.addptr %a, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %x = tt.load %b : tensor<8x!tt.ptr<f32>>
  %t = tt.splat %q : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %c = tt.addptr %t, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  tt.store %c, %x : tensor<8x!tt.ptr<f32>>
  tt.return
}

// A moved scalar pointer is a base of its own.
// CHECK-LABEL: tt.func public @scalar
// CHECK: %[[MOVED:.+]] = tt.addptr
// CHECK: tts.gather %[[MOVED]][%{{.+}}] : (<f32>, i32) -> f32
tt.func public @scalar(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %o: i32) {
  %a = tt.addptr %p, %o : !tt.ptr<f32>, i32
  %x = tt.load %a : !tt.ptr<f32>
  tt.store %q, %x : !tt.ptr<f32>
  tt.return
}
