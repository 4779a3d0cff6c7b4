// RUN: xtriton-opt %s --arith-emulate-unsupported-floats="source-types=bf16 target-type=f32" | filecheck %s

// Arithmetic of the type is done in the other; moving values about stays.
// CHECK-LABEL: @add(
// CHECK-DAG:     %[[A:.*]] = arith.extf %arg0 fastmath<contract> : bf16 to f32
// CHECK-DAG:     %[[B:.*]] = arith.extf %arg1 fastmath<contract> : bf16 to f32
// CHECK:         %[[C:.*]] = arith.addf %[[A]], %[[B]] : f32
// CHECK:         %[[D:.*]] = arith.truncf %[[C]] fastmath<contract> : f32 to bf16
// CHECK:         arith.select %arg2, %[[D]], %arg0 : bf16
tt.func @add(%a: bf16, %b: bf16, %c: i1) -> bf16 {
  %0 = arith.addf %a, %b : bf16
  %1 = arith.select %c, %0, %a : bf16
  tt.return %1 : bf16
}

// Tensors keep their layout; other types are left alone.
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-LABEL: @tensors(
// CHECK:         arith.mulf %{{.*}}, %{{.*}} : tensor<128xf32, #blocked>
// CHECK:         arith.mulf %arg1, %arg1 : tensor<128xf16, #blocked>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tensors(%a: tensor<128xbf16, #blocked>, %b: tensor<128xf16, #blocked>)
      -> (tensor<128xbf16, #blocked>, tensor<128xf16, #blocked>) {
    %0 = arith.mulf %a, %a : tensor<128xbf16, #blocked>
    %1 = arith.mulf %b, %b : tensor<128xf16, #blocked>
    tt.return %0, %1 : tensor<128xbf16, #blocked>, tensor<128xf16, #blocked>
  }
}
