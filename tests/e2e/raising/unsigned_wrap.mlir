tt.func public @unsigned_wrap(%src: !tt.ptr<f32>, %dst: !tt.ptr<f32>, %n: i32, %stride: i32) {
  %c16 = arith.constant 16 : i32
  %two = arith.constant dense<2> : tensor<16xi32>
  %pid = tt.get_program_id x : i32
  %first = arith.muli %pid, %c16 : i32
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %shifted = arith.addi %range, %two : tensor<16xi32>
  %ns = tt.splat %n : i32 -> tensor<16xi32>
  %row = arith.remui %shifted, %ns : tensor<16xi32>
  %round = arith.divui %shifted, %ns : tensor<16xi32>
  %strides = tt.splat %stride : i32 -> tensor<16xi32>
  %place = arith.muli %row, %strides : tensor<16xi32>
  %srcs = tt.splat %src : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %p = tt.addptr %srcs, %place : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %x = tt.load %p : tensor<16x!tt.ptr<f32>>
  %q = tt.addptr %srcs, %round : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %y = tt.load %q : tensor<16x!tt.ptr<f32>>
  %sum = arith.addf %x, %y : tensor<16xf32>
  %firsts = tt.splat %first : i32 -> tensor<16xi32>
  %out = arith.addi %firsts, %range : tensor<16xi32>
  %dsts = tt.splat %dst : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %o = tt.addptr %dsts, %out : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  tt.store %o, %sum : tensor<16x!tt.ptr<f32>>
  tt.return
}
