// RUN: xtriton-opt %s --xtriton-report=%t && cat %t | filecheck %s

// CHECK:      "kernels": [
// CHECK:      "kernel": "copy",
// CHECK:      "op": "tt.load",
// CHECK:      "tier": "block",
// CHECK:      "op": "tt.store",
tt.func @copy(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
  %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %a = tt.addptr %ps, %r : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %v = tt.load %a : tensor<8x!tt.ptr<f32>>
  %qs = tt.splat %q : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %b = tt.addptr %qs, %r : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  tt.store %b, %v : tensor<8x!tt.ptr<f32>>
  tt.return
}
