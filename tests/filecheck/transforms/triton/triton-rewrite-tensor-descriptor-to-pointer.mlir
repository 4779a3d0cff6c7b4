// RUN: xtriton-opt %s --triton-rewrite-tensor-descriptor-to-pointer | filecheck %s

// CHECK-LABEL: @copy(%arg0: !tt.ptr<f16>, %arg1: i64, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: i1,
// CHECK-SAME:    %arg6: i1, %arg7: !tt.ptr<f16>
// CHECK:         tt.addptr
// CHECK:         %[[P:.*]] = tt.addptr
// CHECK-COUNT-2: tt.broadcast {{.*}}xi1>
// CHECK-NEXT:    %[[MASK:.*]] = arith.andi
// CHECK:         %[[OTHER:.*]] = arith.select %arg5, %{{.*}}, %{{.*}} : tensor<16x32xf16>
// CHECK:         %[[X:.*]] = tt.load %[[P]], %[[MASK]], %[[OTHER]] : tensor<16x32x!tt.ptr<f16>>
// CHECK:         tt.store %{{.*}}, %[[X]], %{{.*}} : tensor<16x32x!tt.ptr<f16>>
tt.func @copy(%d: !tt.tensordesc<tensor<16x32xf16>>, %q: !tt.ptr<f16>, %m: i32, %s: i64, %i: i32) {
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %e = tt.make_tensor_descriptor %q, [%m, %m], [%s, %one] : <f16>, <tensor<16x32xf16>>
  %x = tt.descriptor_load %d[%i, %c0] : !tt.tensordesc<tensor<16x32xf16>> -> tensor<16x32xf16>
  tt.descriptor_store %e[%i, %c0], %x : !tt.tensordesc<tensor<16x32xf16>>, tensor<16x32xf16>
  tt.return
}

// A loop carries the parts; the reduction is an atomic.
// CHECK-LABEL: @loop(
// CHECK:         scf.for {{.*}} -> (!tt.ptr<f32>, i64, i64, i64, i64, i1, i1)
// CHECK:           tt.atomic_rmw fadd, release, gpu
tt.func @loop(%p: !tt.ptr<f32>, %m: i32, %s: i64, %n: i32, %v: tensor<16x32xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%m, %m], [%s, %one] : <f32>, <tensor<16x32xf32>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%e = %d) -> (!tt.tensordesc<tensor<16x32xf32>>) : i32 {
    tt.descriptor_reduce add, %e[%i, %c0], %v : !tt.tensordesc<tensor<16x32xf32>>, tensor<16x32xf32>
    scf.yield %e : !tt.tensordesc<tensor<16x32xf32>>
  }
  tt.return
}

// What is loaded has fewer dimensions than the block: those of size 1 come and go.
// CHECK-LABEL: @row(
// CHECK:         %[[L:.*]] = tt.load %{{.*}} : tensor<1x32x!tt.ptr<f32>>
// CHECK:         %[[X:.*]] = tt.reshape %{{.*}} : tensor<1x32xf32> -> tensor<32xf32>
// CHECK-NEXT:    %[[Y:.*]] = arith.addf %[[X]], %[[X]] : tensor<32xf32>
// CHECK:         %[[S:.*]] = tt.reshape %[[Y]] : tensor<32xf32> -> tensor<1x32xf32>
// CHECK-NEXT:    tt.store %{{.*}}, %[[S]], %{{.*}} : tensor<1x32x!tt.ptr<f32>>
tt.func @row(%p: !tt.ptr<f32>, %m: i32, %s: i64, %i: i32) {
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%m, %m], [%s, %one] : <f32>, <tensor<1x32xf32>>
  %x = tt.descriptor_load %d[%i, %c0] : !tt.tensordesc<tensor<1x32xf32>> -> tensor<32xf32>
  %y = arith.addf %x, %x : tensor<32xf32>
  tt.descriptor_store %d[%i, %c0], %y : !tt.tensordesc<tensor<1x32xf32>>, tensor<32xf32>
  tt.return
}
