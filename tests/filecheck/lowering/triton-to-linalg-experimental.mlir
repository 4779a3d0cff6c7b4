// RUN: xtriton-opt %s --triton-to-linalg-experimental --xtriton-check-semantics | filecheck %s
// RUN: xtriton-opt %s --triton-to-linalg-experimental=ranked-arguments=true | filecheck %s --check-prefix=RANKED
// RUN: xtriton-opt %s --triton-to-linalg-experimental=fold-splats=true | filecheck %s --check-prefix=FOLDED
// RUN: xtriton-opt %s --triton-to-linalg-experimental --mlir-version=19 | filecheck %s --check-prefix=MLIR19

tt.func public @scale(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %n: i32, %s: f32) {
  %c64 = arith.constant 64 : i32
  %id = tt.get_program_id x : i32
  %start = arith.muli %id, %c64 : i32
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %first = tt.splat %start : i32 -> tensor<64xi32>
  %i = arith.addi %first, %range : tensor<64xi32>
  %count = tt.splat %n : i32 -> tensor<64xi32>
  %mask = arith.cmpi slt, %i, %count : tensor<64xi32>
  %sp = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %in = tt.addptr %sp, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %x = tt.load %in, %mask : tensor<64x!tt.ptr<f32>>
  %ss = tt.splat %s : f32 -> tensor<64xf32>
  %y = arith.mulf %x, %ss : tensor<64xf32>
  %sq = tt.splat %q : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %out = tt.addptr %sq, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %out, %y, %mask : tensor<64x!tt.ptr<f32>>
  tt.return
}

// CHECK-LABEL: func.func @scale
// CHECK-SAME: (%[[P:.+]]: memref<*xf32>, %[[Q:.+]]: memref<*xf32>, %{{.+}}: i32, %[[S:.+]]: f32, %{{.+}}: i32, %{{.+}}: i32, %{{.+}}: i32, %{{.+}}: i32, %{{.+}}: i32, %{{.+}}: i32)
// CHECK: %[[VIEW:.+]] = memref.reinterpret_cast %[[P]] to offset: [%[[START:.+]]], sizes: [64], strides: [1] : memref<*xf32> to memref<64xf32, strided<[1], offset: ?>>
// CHECK: %[[ALLOC:.+]] = memref.alloc() : memref<64xf32>
// CHECK: %[[FROM:.+]] = memref.subview %[[VIEW]][0] [%[[LIVE:.+]]] [1]
// CHECK: %[[TO:.+]] = memref.subview %[[ALLOC]][0] [%[[LIVE]]] [1]
// CHECK: memref.copy %[[FROM]], %[[TO]]
// CHECK: %[[X:.+]] = bufferization.to_tensor %[[ALLOC]] restrict writable : memref<64xf32> to tensor<64xf32>
// CHECK: %[[SPLAT:.+]] = linalg.fill ins(%[[S]] : f32)
// CHECK: %[[Y:.+]] = linalg.generic {{.*}} ins(%[[X]], %[[SPLAT]] : tensor<64xf32>, tensor<64xf32>) outs(%[[X]] : tensor<64xf32>)
// CHECK: arith.mulf
// CHECK: %[[OUT:.+]] = memref.reinterpret_cast %[[Q]] to offset: [%[[START]]]
// CHECK: %[[SLICE:.+]] = tensor.extract_slice %[[Y]][0] [%[[LIVE]]] [1]
// CHECK: %[[PART:.+]] = memref.subview %[[OUT]][0] [%[[LIVE]]] [1]
// CHECK: bufferization.materialize_in_destination %[[SLICE]] in writable %[[PART]]

// RANKED: func.func @scale(%arg0: memref<?xf32>, %arg1: memref<?xf32>,
// RANKED: memref.reinterpret_cast %arg0 to offset: {{.*}} : memref<?xf32> to memref<64xf32

// FOLDED-NOT: linalg.fill
// FOLDED: linalg.generic {{.*}} ins(%{{.+}} : tensor<64xf32>) outs
// FOLDED-NEXT: ^bb0(%[[IN:.+]]: f32, %{{.+}}: f32):
// FOLDED-NEXT: arith.mulf %[[IN]], %arg3 : f32

// MLIR19: bufferization.to_tensor %{{.+}} restrict writable : memref<64xf32>{{$}}
