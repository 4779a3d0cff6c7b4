// RUN: xtriton-opt %s --tritongpu-optimize-thread-locality --canonicalize | filecheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  // Each thread sums up what it has; the threads of a row meet once, after the loop.
  // CHECK-LABEL: @sum(
  // CHECK:         %[[R:.*]] = scf.for {{.*}} -> (tensor<32x32xf32, #{{.*}}>)
  // CHECK:           %[[X:.*]] = tt.load
  // CHECK-NEXT:      %[[F:.*]] = tt.reshape %[[X]] : tensor<32x128xf32, #blocked> -> tensor<32x2x32x2xf32, #{{.*}}>
  // CHECK-NEXT:      %[[T:.*]] = tt.trans %[[F]] {order = array<i32: 0, 2, 1, 3>}
  // CHECK-NEXT:      %[[V:.*]] = tt.reshape %[[T]] efficient_layout : {{.*}} -> tensor<32x32x4xf32, #{{.*}}>
  // CHECK-NEXT:      %[[Y:.*]] = ttg.convert_layout %[[V]]
  // CHECK-NEXT:      "tt.reduce"(%[[Y]]) <{axis = 2 : i32}>
  // CHECK:           scf.yield
  // CHECK:         "tt.reduce"(%[[R]]) <{axis = 1 : i32}>
  tt.func @sum(%p: tensor<32x128x!tt.ptr<f32>, #blocked>, %n: i32)
      -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %0 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>) : i32 {
      %1 = tt.load %p : tensor<32x128x!tt.ptr<f32>, #blocked>
      %2 = "tt.reduce"(%1) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %4 = arith.addf %a, %b : f32
        tt.reduce.return %4 : f32
      }) : (tensor<32x128xf32, #blocked>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %3 = arith.addf %sum, %2 : tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      scf.yield %3 : tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    }
    tt.return %0 : tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
  }
}
