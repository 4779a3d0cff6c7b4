tt.func public @wrap_stored_later(%a: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c64 = arith.constant 64 : i32
  %z = arith.constant dense<0.0> : tensor<16xf32>
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %mt = tt.splat %m : i32 -> tensor<16xi32>
  %pa = tt.splat %a : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %po = tt.splat %out : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %x = scf.for %i = %c0 to %c4 step %c1 iter_args(%prev = %z) -> (tensor<16xf32>) : i32 {
    %j = arith.subi %c4, %i : i32
    %k = arith.muli %j, %c4 : i32
    %kt = tt.splat %k : i32 -> tensor<16xi32>
    %at = arith.addi %kt, %r : tensor<16xi32>
    %w = arith.remsi %at, %mt : tensor<16xi32>
    %p = tt.addptr %pa, %w : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %y = tt.load %p : tensor<16x!tt.ptr<f32>>
    %o = arith.muli %i, %c64 : i32
    %ot = tt.splat %o : i32 -> tensor<16xi32>
    %oo = arith.addi %ot, %r : tensor<16xi32>
    %q = tt.addptr %po, %oo : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %mask = arith.cmpi slt, %at, %mt : tensor<16xi32>
    tt.store %q, %prev, %mask : tensor<16x!tt.ptr<f32>>
    scf.yield %y : tensor<16xf32>
  }
  tt.return
}
