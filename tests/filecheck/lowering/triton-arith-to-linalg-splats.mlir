// RUN: xtriton-opt %s --triton-arith-to-linalg | filecheck %s
// RUN: xtriton-opt %s --triton-arith-to-linalg=fold-splats | filecheck %s --check-prefix=FOLD

// A kernel gets the size of the grid and the program's place in it as arguments.
// CHECK-LABEL: func.func @place(%arg0: i32, %arg1: i32, %arg2: i32, %arg3: i32, %arg4: i32, %arg5: i32, %arg6: i32) -> i32
// CHECK-NEXT:    %[[S:.*]] = arith.addi %arg5, %arg1 : i32
// CHECK-NEXT:    return %[[S]] : i32
tt.func public @place(%n: i32) -> i32 {
  %0 = tt.get_program_id y : i32
  %1 = tt.get_num_programs x : i32
  %2 = arith.addi %0, %1 : i32
  tt.return %2 : i32
}

// A splat is filled, or folded into the body where that is asked for.
// CHECK-LABEL: func.func @splat(
// CHECK:         %[[Y:.*]] = linalg.fill ins(%arg1 : f32)
// CHECK:         linalg.generic {{.*}} ins(%arg0, %[[Y]] : tensor<8xf32>, tensor<8xf32>) outs(%arg0 : tensor<8xf32>) {
// CHECK-NEXT:    ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[C:.*]] = arith.addf %[[A]], %[[B]] : f32
// CHECK-NEXT:      linalg.yield %[[C]] : f32
// FOLD-LABEL:  func.func @splat(
// FOLD-NOT:      linalg.fill
// FOLD:          arith.addf %{{.*}}, %arg1 : f32
tt.func public @splat(%x: tensor<8xf32>, %y: f32) -> tensor<8xf32> {
  %0 = tt.splat %y : f32 -> tensor<8xf32>
  %1 = arith.addf %x, %0 : tensor<8xf32>
  tt.return %1 : tensor<8xf32>
}

// A constant that is needed as a tensor is filled behind the empty tensor that others use too.
// FOLD-LABEL:  func.func @needed(
// FOLD:          %[[EMPTY:.*]] = tensor.empty() : tensor<8xi32>
// FOLD:          %[[ONES:.*]] = linalg.fill ins(%{{.*}} : i32) outs(%[[EMPTY]] : tensor<8xi32>)
// FOLD:          linalg.generic {{.*}} outs(%[[EMPTY]] : tensor<8xi32>)
// FOLD:          return %{{.*}}, %[[ONES]]
tt.func public @needed() -> (tensor<8xi32>, tensor<8xi32>) {
  %ones = arith.constant dense<1> : tensor<8xi32>
  %range = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  tt.return %range, %ones : tensor<8xi32>, tensor<8xi32>
}
