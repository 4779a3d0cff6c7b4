// A GEMM as one writes it with block pointers: what raising makes of plain pointers.

tt.func public @gemm_block_pointers(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %c: !tt.ptr<f32>, %M: i32, %N: i32, %K: i32, %sam: i32, %sbk: i32, %scm: i32) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %one = arith.constant 1 : i64
  %zero = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
  %x = tt.get_program_id x : i32
  %y = tt.get_program_id y : i32
  %m = arith.muli %x, %c16 : i32
  %n = arith.muli %y, %c16 : i32
  %rows = arith.extsi %M : i32 to i64
  %columns = arith.extsi %N : i32 to i64
  %inner = arith.extsi %K : i32 to i64
  %wide_a = arith.extsi %sam : i32 to i64
  %wide_b = arith.extsi %sbk : i32 to i64
  %wide_c = arith.extsi %scm : i32 to i64
  %pa = tt.make_tensor_ptr %a, [%rows, %inner], [%wide_a, %one], [%m, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf32>>
  %pb = tt.make_tensor_ptr %b, [%inner, %columns], [%wide_b, %one], [%c0, %n] {order = array<i32: 1, 0>} : <tensor<16x16xf32>>
  %end:3 = scf.for %k = %c0 to %K step %c16 iter_args(%qa = %pa, %qb = %pb, %total = %zero) -> (!tt.ptr<tensor<16x16xf32>>, !tt.ptr<tensor<16x16xf32>>, tensor<16x16xf32>) : i32 {
    %u = tt.load %qa {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<16x16xf32>>
    %v = tt.load %qb {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<16x16xf32>>
    %more = tt.dot %u, %v, %total : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
    %ra = tt.advance %qa, [%c0, %c16] : <tensor<16x16xf32>>
    %rb = tt.advance %qb, [%c16, %c0] : <tensor<16x16xf32>>
    scf.yield %ra, %rb, %more : !tt.ptr<tensor<16x16xf32>>, !tt.ptr<tensor<16x16xf32>>, tensor<16x16xf32>
  }
  %pc = tt.make_tensor_ptr %c, [%rows, %columns], [%wide_c, %one], [%m, %n] {order = array<i32: 1, 0>} : <tensor<16x16xf32>>
  tt.store %pc, %end#2 {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x16xf32>>
  tt.return
}
