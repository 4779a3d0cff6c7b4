// RUN: xtriton-opt %s --xtriton-add-shape-arguments | filecheck %s
// RUN: xtriton-opt %s --xtriton-add-shape-arguments --triton-raise-block-pointer --triton-version=3.4 | filecheck %s --check-prefix=BLOCK

// Two sizes and two strides for the tensor that a block is stored to; none for a scalar pointer.

// CHECK: tt.func public @fill(%{{.*}}: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %{{.*}}: !tt.ptr<i32>, %{{.*}}: i32,
// CHECK-SAME: %[[ROWS:[^ ]*]]: i64 {xtriton.tensor = "shape 0 -2"}, %[[DOWN:[^ ]*]]: i64 {xtriton.tensor = "stride 0 -2"},
// CHECK-SAME: %{{.*}}: i64 {xtriton.tensor = "shape 0 -1"}, %{{.*}}: i64 {xtriton.tensor = "stride 0 -1"})
// BLOCK: tt.func public @fill
// BLOCK-SAME: %[[ROWS:[^ ]*]]: i64 {xtriton.tensor = "shape 0 -2"}
// BLOCK: arith.select %{{.*}}, %[[ROWS]], %{{.*}} : i64
// BLOCK: tt.make_tensor_ptr
tt.func public @fill(%dst: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %value: !tt.ptr<i32>, %stride: i32) {
  %c16 = arith.constant 16 : i32
  %pid = tt.get_program_id x : i32
  %n = tt.load %value : !tt.ptr<i32>
  %f = arith.sitofp %n : i32 to f32
  %x = tt.splat %f : f32 -> tensor<16x16xf32>
  %start = arith.muli %pid, %c16 : i32
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %starts = tt.splat %start : i32 -> tensor<16xi32>
  %row = arith.addi %starts, %range : tensor<16xi32>
  %rows = tt.expand_dims %row {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %columns = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %strides = tt.splat %stride : i32 -> tensor<16x1xi32>
  %down = arith.muli %rows, %strides : tensor<16x1xi32>
  %downs = tt.broadcast %down : tensor<16x1xi32> -> tensor<16x16xi32>
  %rights = tt.broadcast %columns : tensor<1x16xi32> -> tensor<16x16xi32>
  %place = arith.addi %downs, %rights : tensor<16x16xi32>
  %dsts = tt.splat %dst : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %to = tt.addptr %dsts, %place : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  tt.store %to, %x : tensor<16x16x!tt.ptr<f32>>
  tt.return
}

// A function that others call keeps its arguments.

// CHECK: tt.func private @helper(%{{[^,]*}})
tt.func private @helper(%dst: !tt.ptr<f32>) {
  tt.return
}
