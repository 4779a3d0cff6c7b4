// RUN: xtriton-opt %s --structured-to-memref=rows-by-element=128 --canonicalize --cse | filecheck %s

// A row that begins again after 256 elements, read where each of them lies.
// CHECK-LABEL: @wraps
// CHECK-NOT: memref.copy
// CHECK: linalg.generic
// CHECK: %[[I:.+]] = linalg.index 0
// CHECK: %[[SUM:.+]] = arith.addi %{{.+}}, %[[I]] : index
// CHECK: %[[REST:.+]] = arith.remsi %[[SUM]], %c256 : index
// CHECK: memref.load %{{.+}}[%[[REST]]]
func.func @wraps(%p: !tt.ptr<f32>, %start: index) -> tensor<512xf32> {
  %b = tts.make_tptr %p to sizes: [512], strides: [1], offsets: [%start], shape: [256], order: [] : <f32> to tensor<512x!tt.ptr<f32>>
  %x = "tts.load"(%b) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_mask_dims = array<i64>}> : (tensor<512x!tt.ptr<f32>>) -> tensor<512xf32>
  return %x : tensor<512xf32>
}

// Copied: one that begins again sooner, one that goes up by two, and one of several rows.
// CHECK-LABEL: @others
// CHECK-COUNT-3: memref.copy
func.func @others(%p: !tt.ptr<f32>, %start: index) -> (tensor<512xf32>, tensor<512xf32>, tensor<2x512xf32>) {
  %soon = tts.make_tptr %p to sizes: [512], strides: [1], offsets: [%start], shape: [64], order: [] : <f32> to tensor<512x!tt.ptr<f32>>
  %a = "tts.load"(%soon) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_mask_dims = array<i64>}> : (tensor<512x!tt.ptr<f32>>) -> tensor<512xf32>
  %twos = tts.make_tptr %p to sizes: [512], strides: [2], offsets: [%start], shape: [512], order: [] : <f32> to tensor<512x!tt.ptr<f32>>
  %b = "tts.load"(%twos) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_mask_dims = array<i64>}> : (tensor<512x!tt.ptr<f32>>) -> tensor<512xf32>
  %rows = tts.make_tptr %p to sizes: [2, 512], strides: [1024, 1], offsets: [0, %start], shape: [0, 256], order: [] : <f32> to tensor<2x512x!tt.ptr<f32>>
  %c = "tts.load"(%rows) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_mask_dims = array<i64>}> : (tensor<2x512x!tt.ptr<f32>>) -> tensor<2x512xf32>
  return %a, %b, %c : tensor<512xf32>, tensor<512xf32>, tensor<2x512xf32>
}
