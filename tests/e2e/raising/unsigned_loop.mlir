tt.func public @unsigned_loop(%a: !tt.ptr<f32>, %out: !tt.ptr<f32>, %lo: i32, %hi: i32, %n: i32) {
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %l = arith.minsi %lo, %c3 : i32
  %c5 = arith.constant 5 : i32
  %l2 = arith.subi %l, %c5 : i32
  %h = arith.minsi %hi, %c3 : i32
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %t1 = tt.splat %c3 : i32 -> tensor<16xi32>
  %s = tt.splat %a : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %p0 = tt.addptr %s, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %p = scf.for unsigned %i = %l2 to %h step %c1 iter_args(%q = %p0) -> (tensor<16x!tt.ptr<f32>>) : i32 {
    %q2 = tt.addptr %q, %t1 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    scf.yield %q2 : tensor<16x!tt.ptr<f32>>
  }
  %x = tt.load %p : tensor<16x!tt.ptr<f32>>
  %so = tt.splat %out : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %po = tt.addptr %so, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  tt.store %po, %x : tensor<16x!tt.ptr<f32>>
  tt.return
}
