// C = A @ B + D with blocks of 256x256x32, as in intel-xpu-backend-for-triton #2378.
module {
  tt.func public @gemm_add(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %d: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %zero = arith.constant dense<0.000000e+00> : tensor<256x256xf32>
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %c256 = arith.constant 256 : i32
    %k = arith.constant 4096 : i32
    %size = arith.constant 4096 : i64
    %one = arith.constant 1 : i64
    %x = tt.get_program_id x : i32
    %y = tt.get_program_id y : i32
    %i = arith.muli %x, %c256 : i32
    %j = arith.muli %y, %c256 : i32
    %p = tt.make_tensor_ptr %a, [%size, %size], [%size, %one], [%i, %c0] {order = array<i32: 1, 0>} : <tensor<256x32xf16>>
    %q = tt.make_tensor_ptr %b, [%size, %size], [%size, %one], [%c0, %j] {order = array<i32: 1, 0>} : <tensor<32x256xf16>>
    %r:3 = scf.for %t = %c0 to %k step %c32 iter_args(%acc = %zero, %pa = %p, %pb = %q) -> (tensor<256x256xf32>, !tt.ptr<tensor<256x32xf16>>, !tt.ptr<tensor<32x256xf16>>) : i32 {
      %u = tt.load %pa {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<256x32xf16>>
      %v = tt.load %pb {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<32x256xf16>>
      %s = tt.dot %u, %v, %acc, inputPrecision = tf32 : tensor<256x32xf16> * tensor<32x256xf16> -> tensor<256x256xf32>
      %na = tt.advance %pa, [%c0, %c32] : <tensor<256x32xf16>>
      %nb = tt.advance %pb, [%c32, %c0] : <tensor<32x256xf16>>
      scf.yield %s, %na, %nb : tensor<256x256xf32>, !tt.ptr<tensor<256x32xf16>>, !tt.ptr<tensor<32x256xf16>>
    }
    %m = tt.make_tensor_ptr %d, [%size, %size], [%size, %one], [%i, %j] {order = array<i32: 1, 0>} : <tensor<256x256xf32>>
    %e = tt.load %m {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<256x256xf32>>
    %f = arith.addf %r#0, %e : tensor<256x256xf32>
    %o = tt.make_tensor_ptr %c, [%size, %size], [%size, %one], [%i, %j] {order = array<i32: 1, 0>} : <tensor<256x256xf32>>
    tt.store %o, %f {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<256x256xf32>>
    tt.return
  }
}
