// What arith has since Triton 3.8, in the text of Triton 3.8.0.
//
// RUN: xtriton-opt %s --triton-version=3.8 | filecheck %s
// RUN: xtriton-opt %s --mlir-print-op-generic | xtriton-opt --triton-version=3.8 | filecheck %s

// CHECK-LABEL: @since_3_8
func.func @since_3_8(%arg0: i32, %arg1: f32, %arg2: f16) {
  // CHECK-NEXT: %0 = arith.extui %arg0 nneg : i32 to i64
  %0 = arith.extui %arg0 nneg : i32 to i64
  // CHECK-NEXT: %1 = arith.uitofp %arg0 nneg {a} : i32 to f32
  %1 = arith.uitofp %arg0 nneg {a} : i32 to f32
  // CHECK-NEXT: %2 = arith.index_castui %arg0 nneg : i32 to index
  %2 = arith.index_castui %arg0 nneg : i32 to index
  // CHECK-NEXT: %3 = arith.addf %arg1, %arg1 to_nearest_even fastmath<fast> : f32
  %3 = arith.addf %arg1, %arg1 to_nearest_even fastmath<fast> : f32
  // CHECK-NEXT: %4 = arith.convertf %arg2 to_nearest_even fastmath<fast> {a} : f16 to bf16
  %4 = arith.convertf %arg2 to_nearest_even fastmath<fast> {a} : f16 to bf16
  // CHECK-NEXT: %diff, %borrow = arith.subui_extended %arg0, %arg0 : i32, i1
  %diff, %borrow = arith.subui_extended %arg0, %arg0 : i32, i1
  // CHECK-NEXT: %5 = arith.flush_denormals %arg1 : f32
  %5 = arith.flush_denormals %arg1 : f32
  return
}
