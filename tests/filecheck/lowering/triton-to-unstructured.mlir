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

// A `scf.while` carries the offsets, and hands them on to its body and to what follows.
// CHECK-LABEL: @walk(
// CHECK:         %[[START:.*]] = arith.extsi %{{.*}} : tensor<4xi32> to tensor<4xi64>
// CHECK:         %[[DONE:.*]]:2 = scf.while (%{{.*}} = %{{.*}}, %[[AT:.*]] = %[[START]]) : (i32, tensor<4xi64>) -> (i32, tensor<4xi64>)
// CHECK:           scf.condition(%{{.*}}) %{{.*}}, %[[AT]] : i32, tensor<4xi64>
// CHECK:         ^{{.*}}(%{{.*}}: i32, %[[HERE:.*]]: tensor<4xi64>):
// CHECK:           tts.gather %arg0[%[[HERE]]]
// CHECK:           %[[NEXT:.*]] = arith.addi %[[HERE]], %{{.*}} : tensor<4xi64>
// CHECK:           scf.yield %{{.*}}, %[[NEXT]] : i32, tensor<4xi64>
// CHECK:         tts.gather %arg0[%[[DONE]]#1]
// CHECK-NOT:     tt.addptr
tt.func @walk(%p: !tt.ptr<f32>, %i: tensor<4xi32>, %n: i32, %out: tensor<4x!tt.ptr<f32>>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
  %q = tt.addptr %s, %i : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
  %r:2 = scf.while (%k = %c0, %a = %q) : (i32, tensor<4x!tt.ptr<f32>>) -> (i32, tensor<4x!tt.ptr<f32>>) {
    %more = arith.cmpi slt, %k, %n : i32
    scf.condition(%more) %k, %a : i32, tensor<4x!tt.ptr<f32>>
  } do {
  ^bb0(%k: i32, %a: tensor<4x!tt.ptr<f32>>):
    %x = tt.load %a : tensor<4x!tt.ptr<f32>>
    tt.store %out, %x : tensor<4x!tt.ptr<f32>>
    %next = tt.addptr %a, %i : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
    %k2 = arith.addi %k, %c1 : i32
    scf.yield %k2, %next : i32, tensor<4x!tt.ptr<f32>>
  }
  %y = tt.load %r#1 : tensor<4x!tt.ptr<f32>>
  tt.return %y : tensor<4xf32>
}

// A volatile load is done each time, though nothing is stored in between.
// CHECK-LABEL: tt.func public @volatile
// CHECK: tts.gather %{{.+}}[%{{.+}}] {tt.volatile}
// CHECK: tts.gather %{{.+}}[%{{.+}}] {tt.volatile}
tt.func public @volatile(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {
  %x = tt.load %p {isVolatile = true} : !tt.ptr<i32>
  %y = tt.load %p {isVolatile = true} : !tt.ptr<i32>
  %s = arith.addi %x, %y : i32
  tt.store %q, %s : !tt.ptr<i32>
  tt.return
}
