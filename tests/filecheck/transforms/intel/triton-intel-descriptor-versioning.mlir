// RUN: xtriton-opt %s --split-input-file --triton-intel-descriptor-versioning | filecheck %s
// RUN: xtriton-opt %s --split-input-file --triton-intel-descriptor-versioning --triton-intel-descriptor-versioning | filecheck %s

// Rows of i8 are whole words if they divide by 4; one length is asked for once, for the most
// that any of its descriptors needs. Both versions give what the loop gives.
// CHECK-LABEL: @copies(
// CHECK:         %[[A:.*]] = tt.make_tensor_descriptor %arg0, [%arg2, %arg3]
// CHECK:         %[[A4:.*]] = arith.divsi %arg3, %[[C4:.*]] : i32
// CHECK:         %[[A_LENGTH:.*]] = arith.muli %[[A4]], %[[C4]] : i32
// CHECK:         %[[A_WHOLE:.*]] = tt.make_tensor_descriptor %arg0, [%arg2, %[[A_LENGTH]]]
// CHECK:         %[[B:.*]] = tt.make_tensor_descriptor %arg1, [%arg2, %arg3]
// CHECK:         %[[B2:.*]] = arith.divsi %arg3, %[[C2:.*]] : i32
// CHECK:         %[[B_LENGTH:.*]] = arith.muli %[[B2]], %[[C2]] : i32
// CHECK:         %[[B_WHOLE:.*]] = tt.make_tensor_descriptor %arg1, [%arg2, %[[B_LENGTH]]]
// CHECK:         %[[FOUR:.*]] = arith.constant 4 : i32
// CHECK:         %[[REST:.*]] = arith.remsi %arg3, %[[FOUR]]
// CHECK:         %[[IS:.*]] = arith.cmpi eq, %[[REST]]
// CHECK-NOT:     arith.remsi
// CHECK:         %[[LAST:.*]] = scf.if %[[IS]] -> (i32) {
// CHECK:           scf.while
// CHECK:             tt.descriptor_load %[[A_WHOLE]]
// CHECK:             tt.descriptor_store %[[B_WHOLE]]
// CHECK:           } attributes {ttig.descriptor_k_versioned}
// CHECK:         } else {
// CHECK:             tt.descriptor_load %[[A]]
// CHECK:             tt.descriptor_store %[[B]]
// CHECK:           } attributes {ttig.descriptor_k_versioned}
// CHECK-NOT:     scf.while
// CHECK:         tt.store %arg4, %[[LAST]]
tt.func @copies(%p: !tt.ptr<i8>, %q: !tt.ptr<f16>, %m: i32, %k: i32, %o: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %a = tt.make_tensor_descriptor %p, [%m, %k], [%c64, %c1] : <i8>, <8x32xi8>
  %b = tt.make_tensor_descriptor %q, [%m, %k], [%c64, %c1] : <f16>, <8x32xf16>
  %last = scf.while (%i = %c0) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %m : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %x = tt.descriptor_load %a[%i, %c0] : !tt.tensordesc<8x32xi8> -> tensor<8x32xi8>
    %y = arith.sitofp %x : tensor<8x32xi8> to tensor<8x32xf16>
    tt.descriptor_store %b[%i, %c0], %y : !tt.tensordesc<8x32xf16>, tensor<8x32xf16>
    %j = arith.addi %i, %c8 : i32
    scf.yield %j : i32
  }
  tt.store %o, %last : !tt.ptr<i32>
  tt.return
}

// -----

// Words of f32 are whole, a length of 64 is known, and one descriptor is made in the loop.
// CHECK-LABEL: @stays(
// CHECK-NOT:     scf.if
// CHECK:         tt.return
tt.func @stays(%p: !tt.ptr<f32>, %q: !tt.ptr<f16>, %m: i32, %k: i32) {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %c64_i32 = arith.constant 64 : i32
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %a = tt.make_tensor_descriptor %p, [%m, %k], [%c64, %c1] : <f32>, <8x32xf32>
  %b = tt.make_tensor_descriptor %q, [%m, %c64_i32], [%c64, %c1] : <f16>, <8x32xf16>
  %last = scf.while (%i = %c0) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %m : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %x = tt.descriptor_load %a[%i, %c0] : !tt.tensordesc<8x32xf32> -> tensor<8x32xf32>
    %y = arith.truncf %x : tensor<8x32xf32> to tensor<8x32xf16>
    tt.descriptor_store %b[%i, %c0], %y : !tt.tensordesc<8x32xf16>, tensor<8x32xf16>
    %c = tt.make_tensor_descriptor %q, [%m, %k], [%c64, %c1] : <f16>, <8x32xf16>
    tt.descriptor_store %c[%i, %c0], %y : !tt.tensordesc<8x32xf16>, tensor<8x32xf16>
    %j = arith.addi %i, %c8 : i32
    scf.yield %j : i32
  }
  tt.return
}

// -----

// Only the outer loop gets versions, in which the inner loops use either descriptor.
// CHECK-LABEL: @nested(
// CHECK:         %[[A:.*]] = tt.make_tensor_descriptor
// CHECK:         %[[WHOLE:.*]] = tt.make_tensor_descriptor
// CHECK:         scf.if
// CHECK-COUNT-2: scf.while
// CHECK:         tt.descriptor_load %[[WHOLE]]
// CHECK:         } else {
// CHECK-COUNT-2: scf.while
// CHECK:         tt.descriptor_load %[[A]]
// CHECK-NOT:     scf.while
// CHECK:         tt.return
tt.func @nested(%p: !tt.ptr<f16>, %m: i32, %k: i32, %o: tensor<8x32x!tt.ptr<f16>>) {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %c32 = arith.constant 32 : i32
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %a = tt.make_tensor_descriptor %p, [%m, %k], [%c64, %c1] : <f16>, <8x32xf16>
  %last = scf.while (%i = %c0) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %m : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %end = scf.while (%l = %c0) : (i32) -> i32 {
      %inside = arith.cmpi slt, %l, %k : i32
      scf.condition(%inside) %l : i32
    } do {
    ^bb0(%l: i32):
      %x = tt.descriptor_load %a[%i, %l] : !tt.tensordesc<8x32xf16> -> tensor<8x32xf16>
      tt.store %o, %x : tensor<8x32x!tt.ptr<f16>>
      %n = arith.addi %l, %c32 : i32
      scf.yield %n : i32
    }
    %j = arith.addi %i, %c8 : i32
    scf.yield %j : i32
  }
  tt.return
}
