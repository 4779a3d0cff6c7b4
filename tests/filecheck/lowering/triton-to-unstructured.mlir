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

// Pointers that move in loops inside of loops are offsets in both.
// CHECK-LABEL: tt.func public @nested
// CHECK: scf.for {{.*}} -> (tensor<8xi64>)
// CHECK: scf.for {{.*}} -> (tensor<8xi64>)
// CHECK: tts.gather %arg0[%[[INNER:.+]]] : (<f32>, tensor<8xi64>) -> tensor<8xf32>
// CHECK: tts.scatter %{{.+}} into %arg0[%[[INNER]]]
// CHECK: arith.addi %[[INNER]]
// CHECK-NOT: tt.addptr
tt.func public @nested(%p: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %a = tt.addptr %s, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %r = scf.for %k = %c0 to %c2 step %c1 iter_args(%b = %a) -> (tensor<8x!tt.ptr<f32>>) : i32 {
    %inner = scf.for %l = %c0 to %c2 step %c1 iter_args(%c = %b) -> (tensor<8x!tt.ptr<f32>>) : i32 {
      %x = tt.load %c : tensor<8x!tt.ptr<f32>>
      tt.store %c, %x : tensor<8x!tt.ptr<f32>>
      %next = tt.addptr %c, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      scf.yield %next : tensor<8x!tt.ptr<f32>>
    }
    %moved = tt.addptr %inner, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    scf.yield %moved : tensor<8x!tt.ptr<f32>>
  }
  tt.return
}
