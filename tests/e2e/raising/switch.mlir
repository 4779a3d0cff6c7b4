// Which offset a block continues with is what the switch passes on, not the number it asks for.

tt.func public @switched(%src: !tt.ptr<f32>, %dst: !tt.ptr<f32>, %n: i32) {
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %c2 = arith.constant 2 : i32
  %pid = tt.get_program_id x : i32
  %which = arith.remsi %pid, %c2 : i32
  cf.switch %which : i32, [
    default: ^bb1(%c16, %n : i32, i32),
    1: ^bb1(%c32, %n : i32, i32)
  ]
^bb1(%start: i32, %end: i32):
  %starts = tt.splat %start : i32 -> tensor<16xi32>
  %at = arith.addi %starts, %range : tensor<16xi32>
  %ends = tt.splat %end : i32 -> tensor<16xi32>
  %on = arith.cmpi slt, %at, %ends : tensor<16xi32>
  %srcs = tt.splat %src : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %from = tt.addptr %srcs, %at : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %x = tt.load %from, %on : tensor<16x!tt.ptr<f32>>
  %place = arith.muli %pid, %c16 : i32
  %places = tt.splat %place : i32 -> tensor<16xi32>
  %to = arith.addi %places, %range : tensor<16xi32>
  %dsts = tt.splat %dst : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %q = tt.addptr %dsts, %to : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  tt.store %q, %x, %on : tensor<16x!tt.ptr<f32>>
  tt.return
}
