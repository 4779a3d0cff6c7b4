tt.func public @boolean_offsets(%a: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32, %b: i1) {
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %nt = tt.splat %n : i32 -> tensor<16xi32>
  %o = arith.cmpi slt, %r, %nt : tensor<16xi32>
  %c8 = arith.constant dense<-3> : tensor<16xi8>
  %r8 = arith.trunci %r : tensor<16xi32> to tensor<16xi8>
  %o8 = arith.muli %r8, %c8 : tensor<16xi8>
  %s = tt.splat %a : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %p = tt.addptr %s, %o : tensor<16x!tt.ptr<f32>>, tensor<16xi1>
  %x = tt.load %p : tensor<16x!tt.ptr<f32>>
  %p8 = tt.addptr %s, %o8 : tensor<16x!tt.ptr<f32>>, tensor<16xi8>
  %y = tt.load %p8 : tensor<16x!tt.ptr<f32>>
  %a1 = tt.addptr %a, %b : !tt.ptr<f32>, i1
  %s1 = tt.splat %a1 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %p1 = tt.addptr %s1, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %z = tt.load %p1 : tensor<16x!tt.ptr<f32>>
  %xy = arith.addf %x, %y : tensor<16xf32>
  %xyz = arith.subf %xy, %z : tensor<16xf32>
  %so = tt.splat %out : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %po = tt.addptr %so, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  tt.store %po, %xyz : tensor<16x!tt.ptr<f32>>
  tt.return
}
