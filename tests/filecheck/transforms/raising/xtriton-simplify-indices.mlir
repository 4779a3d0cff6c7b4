// RUN: xtriton-opt %s --xtriton-simplify-indices --split-input-file | filecheck %s

// The block begins at a multiple of the divisor.
// CHECK-LABEL: @aligned
tt.func @aligned() -> (tensor<512xi32>, tensor<512xi32>) {
  // CHECK: [[V0:%.+]] = tt.get_program_id x : i32
  // CHECK: [[V1:%.+]] = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
  // CHECK: [[V2:%.+]] = tt.splat [[V0]] : i32 -> tensor<512xi32>
  // CHECK: tt.return [[V1]], [[V2]] : tensor<512xi32>, tensor<512xi32>
  %c512 = arith.constant 512 : i32
  %d = arith.constant dense<512> : tensor<512xi32>
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c512 : i32
  %r = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
  %s = tt.splat %start : i32 -> tensor<512xi32>
  %x = arith.addi %s, %r : tensor<512xi32>
  %rem = arith.remsi %x, %d : tensor<512xi32>
  %div = arith.divsi %x, %d : tensor<512xi32>
  tt.return %rem, %div : tensor<512xi32>, tensor<512xi32>
}

// -----

// Two divisions are one.
// CHECK-LABEL: @nested
tt.func @nested(%x: tensor<8xi32>) -> tensor<8xi32> {
  // CHECK: [[V0:%.+]] = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  // CHECK: [[V1:%.+]] = arith.muli [[V0]], %{{.*}} : tensor<8xi32>
  // CHECK: [[V2:%.+]] = arith.divsi [[V1]], %{{.*}} : tensor<8xi32>
  // CHECK: tt.return [[V2]] : tensor<8xi32>
  %seven = arith.constant dense<7> : tensor<8xi32>
  %nine = arith.constant dense<9> : tensor<8xi32>
  %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %hundred = arith.constant dense<1000> : tensor<8xi32>
  %y = arith.muli %i, %hundred : tensor<8xi32>
  %a = arith.divsi %y, %seven : tensor<8xi32>
  %b = arith.divsi %a, %nine : tensor<8xi32>
  tt.return %b : tensor<8xi32>
}

// -----

// Nothing is known of the sign, so nothing changes.
// CHECK-LABEL: @unknown
tt.func @unknown(%x: i32) -> i32 {
  // CHECK: [[V0:%.+]] = arith.remsi %arg0, %{{.*}} : i32
  // CHECK: tt.return [[V0]] : i32
  %c8 = arith.constant 8 : i32
  %r = arith.remsi %x, %c8 : i32
  tt.return %r : i32
}
