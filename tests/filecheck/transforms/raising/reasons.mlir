// What stays as it is, and why.
// RUN: xtriton-opt %s --triton-raise-tensor-descriptor --verify-diagnostics -o /dev/null
// RUN: xtriton-opt %s --triton-raise-block-pointer 2>&1 >/dev/null | filecheck %s --check-prefix=POINTER
// RUN: xtriton-opt %s --triton-to-structured=enable-make-gather-scatter=false 2>&1 >/dev/null | filecheck %s --check-prefix=STRUCTURED

tt.func @columns(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}) -> tensor<16xf16> {
  %two = arith.constant dense<2> : tensor<16xi32>
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %i = arith.muli %r, %two : tensor<16xi32>
  %ps = tt.splat %p : !tt.ptr<f16> -> tensor<16x!tt.ptr<f16>>
  %q = tt.addptr %ps, %i : tensor<16x!tt.ptr<f16>>, tensor<16xi32>
  // expected-remark @+1 {{no tensor descriptor: the last stride is not 1}}
  %x = tt.load %q : tensor<16x!tt.ptr<f16>>
  tt.return %x : tensor<16xf16>
}

tt.func @looked_up(%p: !tt.ptr<f16>, %table: !tt.ptr<i32>) -> tensor<16xf16> {
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %ts = tt.splat %table : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  %t = tt.addptr %ts, %r : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  // expected-remark @+1 {{no tensor descriptor: a base that may be no multiple of 16 bytes}}
  %i = tt.load %t : tensor<16x!tt.ptr<i32>>
  %ps = tt.splat %p : !tt.ptr<f16> -> tensor<16x!tt.ptr<f16>>
  %q = tt.addptr %ps, %i : tensor<16x!tt.ptr<f16>>, tensor<16xi32>
  // POINTER: remark: no block pointer: depends on i
  // STRUCTURED: remark: no block: depends on i
  // expected-remark @+1 {{no tensor descriptor: depends on i}}
  %x = tt.load %q : tensor<16x!tt.ptr<f16>>
  tt.return %x : tensor<16xf16>
}
