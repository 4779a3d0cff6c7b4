// RUN: xtriton-opt %s --test-print-alignment --verify-diagnostics
// RUN: xtriton-opt %s --test-print-axis-info -o %t 2>&1 | filecheck %s

// CHECK-LABEL: @values
// CHECK-NEXT:  %c24_i32 = arith.constant 24 : i32 => contiguity = [1], divisibility = [8], constancy = [1], constant_value = 24
// CHECK-NEXT:  tt.make_range {{.*}} => contiguity = [128], divisibility = [1073741824], constancy = [1], constant_value = <none>
// CHECK:       tt.broadcast {{.*}} => contiguity = [1, 128]
// CHECK-LABEL: @loop
// CHECK-NEXT:  %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:  %c16_i32 = arith.constant 16 : i32
// CHECK-NEXT:  arith.addi {{.*}} => contiguity = [1], divisibility = [16]
// CHECK-NEXT:  scf.for
// CHECK:       } => contiguity = [1], divisibility = [16], constancy = [1], constant_value = <none>

tt.func @values(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 4 : i32}, %m: i32) {
  // expected-remark @below {{contiguity = [1], divisibility = [8], constancy = [1], constant_value = 24}}
  %c24 = arith.constant 24 : i32
  // expected-remark @below {{contiguity = [128], divisibility = [1073741824], constancy = [1], constant_value = <none>}}
  %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [4], constancy = [128], constant_value = <none>}}
  %1 = tt.splat %n : i32 -> tensor<128xi32>
  // expected-remark @below {{contiguity = [128], divisibility = [4], constancy = [1], constant_value = <none>}}
  %2 = arith.addi %0, %1 : tensor<128xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [32], constancy = [1], constant_value = <none>}}
  %3 = arith.muli %n, %c24 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [128], constant_value = <none>}}
  %4 = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  // expected-remark @below {{contiguity = [128], divisibility = [16], constancy = [1], constant_value = <none>}}
  %5 = tt.addptr %4, %2 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
  // expected-remark @below {{contiguity = [1, 128], divisibility = [1, 1073741824], constancy = [1, 1], constant_value = <none>}}
  %6 = tt.expand_dims %0 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
  // expected-remark @below {{contiguity = [1, 128], divisibility = [1, 1073741824], constancy = [64, 1], constant_value = <none>}}
  %7 = tt.broadcast %6 : tensor<1x128xi32> -> tensor<64x128xi32>
  // Elements that are alike in fours.
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [4], constant_value = <none>}}
  %8 = arith.cmpi slt, %0, %1 : tensor<128xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>}}
  %9 = arith.addi %n, %m : i32
  tt.return
}

// What a loop carries is known only as far as it is so each time.
tt.func @loop(%n: i32) {
  // expected-remark @below {{constant_value = 0}}
  %c0 = arith.constant 0 : i32
  // expected-remark @below {{constant_value = 16}}
  %c16 = arith.constant 16 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [1], constant_value = <none>}}
  %0 = scf.for %i = %c0 to %n step %c16 iter_args(%x = %c0) -> (i32) : i32 {
    // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [1], constant_value = <none>}}
    %1 = arith.addi %x, %i : i32
    scf.yield %1 : i32
  }
  tt.return
}

// What is never reached is not looked at.
tt.func @never_taken(%n: i32) {
  // expected-remark @below {{constant_value = 0}}
  %false = arith.constant false
  // expected-remark @below {{constant_value = 5}}
  %c5 = arith.constant 5 : i32
  scf.if %false {
    // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>}}
    %0 = arith.addi %c5, %c5 : i32
  } else {
    // expected-remark @below {{constant_value = 10}}
    %1 = arith.addi %c5, %c5 : i32
  }
  tt.return
}
