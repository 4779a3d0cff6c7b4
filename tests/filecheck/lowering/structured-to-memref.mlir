// RUN: xtriton-opt %s --structured-to-memref --split-input-file | filecheck %s

// Scalar pointers sum into one offset; each access applies it to the argument itself.

// CHECK-LABEL: func.func @chain
// CHECK-SAME: (%[[P:.+]]: memref<*xf32>, %[[O:.+]]: index)
// CHECK: %[[ONE:.+]] = arith.index_cast %[[I:.+]] : i64 to index
// CHECK: %[[TWICE:.+]] = arith.addi %[[ONE]], %{{.+}} : index
// CHECK: %[[THRICE:.+]] = arith.addi %[[TWICE]], %[[O]] : index
// CHECK: memref.reinterpret_cast %[[P]] to offset: [%[[THRICE]]], sizes: [4], strides: [1]
// CHECK-NOT: memref.reinterpret_cast
func.func @chain(%p: !tt.ptr<f32>, %o: index) -> tensor<4xf32> {
  %i = arith.index_cast %o : index to i64
  %b = tt.addptr %p, %i : !tt.ptr<f32>, i64
  %a = tt.addptr %b, %i : !tt.ptr<f32>, i64
  %t = tts.make_tptr %a to sizes: [4], strides: [1], offsets: [%o], shape: [0], order: [] : <f32> to tensor<4x!tt.ptr<f32>>
  %x = "tts.load"(%t) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_mask_dims = array<i64>}> : (tensor<4x!tt.ptr<f32>>) -> tensor<4xf32>
  return %x : tensor<4xf32>
}

// -----

// A dimension that wraps is copied in runs, however many there are.

// CHECK-LABEL: func.func @wraps
// CHECK: %[[ALLOC:.+]] = memref.alloc() : memref<8xf32>
// CHECK: scf.for
// CHECK: memref.reinterpret_cast %{{.+}} to offset: [%{{.+}}], sizes: [%{{.+}}], strides: [2]
// CHECK: memref.subview %[[ALLOC]]
// CHECK: memref.copy
func.func @wraps(%p: !tt.ptr<f32>, %o: index) -> tensor<8xf32> {
  %t = tts.make_tptr %p to sizes: [8], strides: [2], offsets: [%o], shape: [6], order: [] : <f32> to tensor<8x!tt.ptr<f32>>
  %x = "tts.load"(%t) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_mask_dims = array<i64>}> : (tensor<8x!tt.ptr<f32>>) -> tensor<8xf32>
  return %x : tensor<8xf32>
}

// -----

// Rows that a tensor names, and a mask of theirs.

// CHECK-LABEL: func.func @rows
// CHECK-SAME: (%[[P:.+]]: memref<*xf32>, %[[R:.+]]: tensor<4xi32>, %[[M:.+]]: tensor<4xi1>)
// CHECK: %[[A:.+]] = memref.alloc() : memref<4x8xf32>
// CHECK: scf.for %[[I:.+]] = %{{.+}} to %{{.+}} step %{{.+}} {
// CHECK:   %[[ON:.+]] = tensor.extract %[[M]][%[[I]]] : tensor<4xi1>
// CHECK:   scf.if %[[ON]] {
// CHECK:     %[[N:.+]] = tensor.extract %[[R]][%[[I]]] : tensor<4xi32>
// CHECK:     %[[X:.+]] = arith.index_cast %[[N]] : i32 to index
// CHECK:     %[[O:.+]] = arith.muli %[[X]], %{{.+}} : index
// CHECK:     %[[V:.+]] = memref.reinterpret_cast %[[P]] to offset: [%[[O]]], sizes: [1, 8], strides: [8, 1]
// CHECK:     %[[T:.+]] = memref.subview %[[A]][%[[I]], 0] [1, 8] [1, 1]
// CHECK:     memref.copy %[[V]], %[[T]]
// CHECK: bufferization.to_tensor %[[A]] restrict writable
func.func @rows(%p: !tt.ptr<f32>, %r: tensor<4xi32>, %m: tensor<4xi1>) -> tensor<4x8xf32> {
  %t = tts.make_gather_scatter_tptr %p to sizes: [4, 8] gather_scatter_dim: 0 gather_scatter_offset: %r gather_scatter_mask: %m, strides: [8, 1], offsets: [0, 0] : tensor<4xi32> tensor<4xi1> <f32> to !tt.ptr<tensor<4x8xf32>>
  %x = "tts.load"(%t) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_mask_dims = array<i64: 0, 8>}> : (!tt.ptr<tensor<4x8xf32>>) -> tensor<4x8xf32>
  return %x : tensor<4x8xf32>
}

// -----

// Rows up to a bound are written one by one; of each only the part before the other bound.

// CHECK-LABEL: func.func @some_rows
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %{{.+}}: index,
// CHECK: %[[K:.+]] = arith.minui
// CHECK: %[[END:.+]] = arith.minsi %[[N]], %{{.+}} : index
// CHECK: scf.for %[[I:.+]] = %{{.+}} to %[[END]] step
// CHECK:   %[[S:.+]] = tensor.extract_slice %{{.+}}[%[[I]], 0] [1, %[[K]]] [1, 1]
// CHECK:   memref.reinterpret_cast %{{.+}} to offset: [%{{.+}}], sizes: [1, 8], strides: [1, 1]
// CHECK:   %[[V:.+]] = memref.subview %{{.+}}[0, 0] [1, %[[K]]] [1, 1]
// CHECK:   bufferization.materialize_in_destination %[[S]] in writable %[[V]]
func.func @some_rows(%p: !tt.ptr<f32>, %r: tensor<4xi32>, %n: index, %any: index, %x: tensor<4x8xf32>) {
  %c8 = arith.constant 8 : index
  %k = arith.minui %any, %c8 : index
  %t = tts.make_gather_scatter_tptr %p to sizes: [4, 8] gather_scatter_dim: 0 gather_scatter_offset: %r, strides: [1, 1], offsets: [0, 0] : tensor<4xi32> <f32> to !tt.ptr<tensor<4x8xf32>>
  "tts.store"(%t, %x, %n, %k) <{static_mask_dims = array<i64: -9223372036854775808, -9223372036854775808>}> : (!tt.ptr<tensor<4x8xf32>>, tensor<4x8xf32>, index, index) -> ()
  return
}

// -----

// A row of one element is no row: elements are loaded.

// CHECK-LABEL: func.func @elements
// CHECK-NOT: scf.for
// CHECK: linalg.generic
// CHECK: memref.load
func.func @elements(%p: !tt.ptr<f32>, %r: tensor<4xi32>) -> tensor<4xf32> {
  %t = tts.make_gather_scatter_tptr %p to sizes: [4] gather_scatter_dim: 0 gather_scatter_offset: %r, strides: [1], offsets: [0] : tensor<4xi32> <f32> to !tt.ptr<tensor<4xf32>>
  %x = "tts.load"(%t) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_mask_dims = array<i64>}> : (!tt.ptr<tensor<4xf32>>) -> tensor<4xf32>
  return %x : tensor<4xf32>
}

// -----

// In a tt.func, which other passes have to understand, pointers stay arguments.

// CHECK-LABEL: tt.func public @stays
// CHECK-SAME: (%[[P:.+]]: !tt.ptr<f32>)
// CHECK: %[[M:.+]] = builtin.unrealized_conversion_cast %[[P]] : !tt.ptr<f32> to memref<*xf32>
// CHECK: memref.reinterpret_cast %[[M]] to offset: [0], sizes: [4], strides: [1]
tt.func public @stays(%p: !tt.ptr<f32>) -> tensor<4xf32> {
  %t = tts.make_tptr %p to sizes: [4], strides: [1], offsets: [0], shape: [0], order: [] : <f32> to tensor<4x!tt.ptr<f32>>
  %x = "tts.load"(%t) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_mask_dims = array<i64>}> : (tensor<4x!tt.ptr<f32>>) -> tensor<4xf32>
  tt.return %x : tensor<4xf32>
}

// -----

// A masked load copies what is inside into a buffer; only a short block is filled first.
// CHECK-LABEL: func.func @load(%arg0: memref<*xf32>, %arg1: index, %arg2: index)
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG:     %[[C64:.*]] = arith.constant 64 : index
// CHECK:         %[[VIEW:.*]] = memref.reinterpret_cast %arg0 to offset: [%arg1], sizes: [64], strides: [1] : memref<*xf32> to memref<64xf32, strided<[1], offset: ?>>
// CHECK-NEXT:    %[[BUFFER:.*]] = memref.alloc() : memref<64xf32>
// CHECK:         %[[SHORT:.*]] = arith.cmpi slt, %arg2, %[[C64]] : index
// CHECK-NEXT:    scf.if %[[SHORT]] {
// CHECK-NEXT:      linalg.fill ins(%[[ZERO]] : f32) outs(%[[BUFFER]] : memref<64xf32>)
// CHECK-NEXT:    }
// CHECK:         %[[FROM:.*]] = memref.subview %[[VIEW]][0] [%arg2] [1]
// CHECK:         %[[TO:.*]] = memref.subview %[[BUFFER]][0] [%arg2] [1]
// CHECK:         memref.copy %[[FROM]], %[[TO]]
// CHECK-NEXT:    %[[X:.*]] = bufferization.to_tensor %[[BUFFER]] restrict writable : memref<64xf32> to tensor<64xf32>
// CHECK-NEXT:    return %[[X]] : tensor<64xf32>
func.func @load(%p: !tt.ptr<f32>, %offset: index, %n: index) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tts.make_tptr %p to sizes: [64], strides: [1], offsets: [%offset], shape: [0], order: [] : <f32> to tensor<64x!tt.ptr<f32>>
  %1 = "tts.load"(%0, %n, %zero) <{operandSegmentSizes = array<i32: 1, 1, 1>, static_mask_dims = array<i64: -9223372036854775808>}> : (tensor<64x!tt.ptr<f32>>, index, f32) -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// -----

// Without a mask there is nothing to fill.
// CHECK-LABEL: func.func @whole
// CHECK-NOT:     linalg.fill
// CHECK:         memref.copy %{{.*}}, %{{.*}} : memref<4x8xf16, strided<[?, 1]{{.*}}>> to memref<4x8xf16>
func.func @whole(%p: !tt.ptr<f16>, %s: index) -> tensor<4x8xf16> {
  %0 = tts.make_tptr %p to sizes: [4, 8], strides: [%s, 1], offsets: [0, 0], shape: [0, 0], order: [] : <f16> to tensor<4x8x!tt.ptr<f16>>
  %1 = "tts.load"(%0) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_mask_dims = array<i64>}> : (tensor<4x8x!tt.ptr<f16>>) -> tensor<4x8xf16>
  return %1 : tensor<4x8xf16>
}

// -----

// A masked store writes the slice of the tensor that is inside.
// CHECK-LABEL: func.func @store(%arg0: memref<*xf32>, %arg1: tensor<4x8xf32>, %arg2: index)
// CHECK:         %[[VIEW:.*]] = memref.reinterpret_cast %arg0 to offset: [0], sizes: [4, 8], strides: [8, 1]
// CHECK-DAG:     %[[TO:.*]] = memref.subview %[[VIEW]][0, 0] [%arg2, 6] [1, 1]
// CHECK-DAG:     %[[FROM:.*]] = tensor.extract_slice %arg1[0, 0] [%arg2, 6] [1, 1] : tensor<4x8xf32> to tensor<?x6xf32>
// CHECK:         bufferization.materialize_in_destination %[[FROM]] in writable %[[TO]]
func.func @store(%p: !tt.ptr<f32>, %x: tensor<4x8xf32>, %rows: index) {
  %0 = tts.make_tptr %p to sizes: [4, 8], strides: [8, 1], offsets: [0, 0], shape: [0, 0], order: [] : <f32> to tensor<4x8x!tt.ptr<f32>>
  "tts.store"(%0, %x, %rows) <{static_mask_dims = array<i64: -9223372036854775808, 6>}> : (tensor<4x8x!tt.ptr<f32>>, tensor<4x8xf32>, index) -> ()
  return
}

// -----

// A window and a mask both have to let an element through.

// CHECK-LABEL: func.func @window_and_mask
// CHECK-SAME: %[[M:[a-z0-9]+]]: tensor<8xi1>, %[[N:[a-z0-9]+]]: index
// CHECK: linalg.generic {{.*}} ins(%[[M]] : tensor<8xi1>)
// CHECK-NEXT: ^bb0(%[[ON:.+]]: i1, %{{.+}}: f32):
// CHECK: %[[I:.+]] = linalg.index 0 : index
// CHECK: %[[FROM:.+]] = arith.cmpi sge, %[[I]], %{{.+}} : index
// CHECK: %[[TO:.+]] = arith.cmpi slt, %[[I]], %[[N]] : index
// CHECK: %[[BOTH:.+]] = arith.andi %[[ON]], %[[FROM]] : i1
// CHECK: %[[ALL:.+]] = arith.andi %[[BOTH]], %[[TO]] : i1
// CHECK: scf.if %[[ALL]]
func.func @window_and_mask(%p: !tt.ptr<f32>, %m: tensor<8xi1>, %n: index) -> tensor<8xf32> {
  %t = tts.make_tptr %p to sizes: [8], strides: [1], offsets: [0], shape: [0], order: [] : <f32> to tensor<8x!tt.ptr<f32>>
  %x = tts.masked_load %t from [2] to [%n] mask = %m : tensor<8x!tt.ptr<f32>> -> tensor<8xf32>
  return %x : tensor<8xf32>
}

// -----

// A part of a block, around which is what another load gave, is copied as a block.

// CHECK-LABEL: func.func @part
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8xf32>,
// CHECK: %[[S:.+]] = arith.minui
// CHECK: %[[N:.+]] = arith.maxsi
// CHECK: %[[A:.+]] = memref.alloc() : memref<8xf32>
// CHECK: memref.copy
// CHECK: %[[T:.+]] = bufferization.to_tensor %[[A]]
// CHECK: %[[P:.+]] = tensor.extract_slice %[[T]][%[[S]]] [%[[N]]] [1]
// CHECK: tensor.insert_slice %[[P]] into %[[X]][%[[S]]] [%[[N]]] [1]
func.func @part(%p: !tt.ptr<f32>, %x: tensor<8xf32>, %any: index) -> tensor<8xf32> {
  %c8 = arith.constant 8 : index
  %s = arith.minui %any, %c8 : index
  %t = tts.make_tptr %p to sizes: [8], strides: [1], offsets: [0], shape: [0], order: [] : <f32> to tensor<8x!tt.ptr<f32>>
  %y = tts.masked_load %t from [%s] to [8] default = %x : tensor<8x!tt.ptr<f32>> -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// One element again and again is loaded once, if at all, and filled in.

// CHECK-LABEL: func.func @repeated
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8xf32>,
// CHECK: %[[N:.+]] = arith.minui
// CHECK: %[[SOME:.+]] = arith.cmpi sgt, %[[N]], %{{.+}} : index
// CHECK: %[[E:.+]] = scf.if %[[SOME]] -> (f32)
// CHECK: memref.load
// CHECK: %[[P:.+]] = tensor.extract_slice %[[X]][0] [%[[N]]] [1]
// CHECK: %[[F:.+]] = linalg.fill ins(%[[E]] : f32) outs(%[[P]] : tensor<?xf32>)
// CHECK: tensor.insert_slice %[[F]] into %[[X]][0] [%[[N]]] [1]
func.func @repeated(%p: !tt.ptr<f32>, %x: tensor<8xf32>, %any: index) -> tensor<8xf32> {
  %c8 = arith.constant 8 : index
  %n = arith.minui %any, %c8 : index
  %t = tts.make_tptr %p to sizes: [8], strides: [0], offsets: [3], shape: [0], order: [] : <f32> to tensor<8x!tt.ptr<f32>>
  %y = tts.masked_load %t from [0] to [%n] default = %x : tensor<8x!tt.ptr<f32>> -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// Where nothing is said to be outside of the window there is 0.

// CHECK-LABEL: func.func @repeated_without_other
// CHECK: %[[N:.+]] = arith.minui
// CHECK: %[[E:.+]] = scf.if
// CHECK: linalg.generic
// CHECK: %[[I:.+]] = linalg.index 0 : index
// CHECK: %[[ON:.+]] = arith.cmpi slt, %[[I]], %[[N]] : index
// CHECK: arith.select %[[ON]], %[[E]], %{{.+}} : f32
func.func @repeated_without_other(%p: !tt.ptr<f32>, %any: index) -> tensor<8xf32> {
  %c8 = arith.constant 8 : index
  %n = arith.minui %any, %c8 : index
  %t = tts.make_tptr %p to sizes: [8], strides: [0], offsets: [3], shape: [0], order: [] : <f32> to tensor<8x!tt.ptr<f32>>
  %y = tts.masked_load %t from [0] to [%n] : tensor<8x!tt.ptr<f32>> -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// A window that is never empty needs no question.
// CHECK-LABEL: func.func @repeated_and_not_empty
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8xf32>, %[[A:[a-z0-9]+]]: index, %[[B:[a-z0-9]+]]: index
// CHECK: %[[N:.+]] = arith.subi %[[B]], %[[A]] : index
// CHECK-NOT: arith
// CHECK: %[[E:.+]] = memref.load
// CHECK-NEXT: %[[P:.+]] = tensor.extract_slice %[[X]][%[[A]]] [%[[N]]] [1]
// CHECK-NEXT: %[[F:.+]] = linalg.fill ins(%[[E]] : f32) outs(%[[P]] : tensor<?xf32>)
// CHECK-NEXT: tensor.insert_slice %[[F]] into %[[X]][%[[A]]] [%[[N]]] [1]
func.func @repeated_and_not_empty(%p: !tt.ptr<f32>, %x: tensor<8xf32>, %a: index, %b: index) -> tensor<8xf32> {
  %t = tts.make_tptr %p to sizes: [8], strides: [0], offsets: [3], shape: [0], order: [] : <f32> to tensor<8x!tt.ptr<f32>>
  %y = tts.masked_load %t from [%a] to [%b] nonempty default = %x : tensor<8x!tt.ptr<f32>> -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// A dimension of which nothing is on leaves nothing to read, however much of the other is.
// CHECK-LABEL: @empty
// CHECK: %[[NONE:.+]] = arith.cmpi sgt, %c0{{.*}}, %c0{{.*}} : index
// CHECK: %[[SOME:.+]] = arith.andi %[[NONE]], %{{.+}} : i1
// CHECK: scf.if %[[SOME]] -> (f32) {
// CHECK-NEXT: memref.load
func.func @empty(%p: !tt.ptr<f32>, %n: index, %v: tensor<1x16xf32>) -> tensor<1x16xf32> {
  %t = tts.make_tptr %p to sizes: [1, 16], strides: [0, 0], offsets: [0, 0], shape: [0, 0], order: [] : <f32> to tensor<1x16x!tt.ptr<f32>>
  %x = tts.masked_load %t from [0, %n] to [0, 16] default = %v : tensor<1x16x!tt.ptr<f32>> -> tensor<1x16xf32>
  return %x : tensor<1x16xf32>
}
