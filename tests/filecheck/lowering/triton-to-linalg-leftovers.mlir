// RUN: xtriton-opt %s --triton-to-linalg-experimental --split-input-file 2>&1 | filecheck %s

// What has no lowering stays, in a module that is valid, with a warning that says why.

// CHECK: warning: 'tt.int_to_ptr' is not lowered: no memref can be made of an address
// CHECK: warning: 'tt.addptr' is not lowered
// CHECK: warning: 'tt.load' is not lowered: its address is no sum of one base and integers
// CHECK: warning: 'tt.dot_scaled' is not lowered: nobody says how 6-bit operands lie in memory

// An integer becomes a pointer, which begins memory of its own.
// CHECK-LABEL: func.func @int_to_ptr
// CHECK: %[[P:.+]] = tt.int_to_ptr
// CHECK: %[[M:.+]] = builtin.unrealized_conversion_cast %[[P]] : !tt.ptr<f32> to memref<*xf32>
// CHECK: memref.reinterpret_cast %[[M]] to
// CHECK: affine.store
tt.func public @int_to_ptr(%a: i64, %q: !tt.ptr<f32>) {
  %p = tt.int_to_ptr %a : i64 -> !tt.ptr<f32>
  %x = tt.load %p : !tt.ptr<f32>
  tt.store %q, %x : !tt.ptr<f32>
  tt.return
}

// -----

// A pointer is loaded from a table of pointers.
// CHECK-LABEL: func.func @table(%arg0: !tt.ptr<!tt.ptr<f32>>, %arg1: memref<*xf32>
// CHECK: %[[P:.+]] = tt.load
// CHECK: %[[M:.+]] = builtin.unrealized_conversion_cast %[[P]] : !tt.ptr<f32> to memref<*xf32>
// CHECK: memref.reinterpret_cast %[[M]] to
// CHECK: affine.store
tt.func public @table(%p: !tt.ptr<!tt.ptr<f32>>, %q: !tt.ptr<f32>, %k: i32) {
  %a = tt.addptr %p, %k : !tt.ptr<!tt.ptr<f32>>, i32
  %r = tt.load %a : !tt.ptr<!tt.ptr<f32>>
  %x = tt.load %r : !tt.ptr<f32>
  tt.store %q, %x : !tt.ptr<f32>
  tt.return
}

// -----

// CHECK-LABEL: func.func @six_bits
// CHECK: tt.dot_scaled
tt.func public @six_bits(%a: tensor<16x32xi8>, %b: tensor<32x16xi8>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %d = tt.dot_scaled %a, %b, %c lhs = e2m3 rhs = e3m2 {fastMath = false} : tensor<16x32xi8> * tensor<32x16xi8> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}
