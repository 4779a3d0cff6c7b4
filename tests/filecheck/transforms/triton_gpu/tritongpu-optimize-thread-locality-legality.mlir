// RUN: xtriton-opt %s --tritongpu-optimize-thread-locality | filecheck %s
// RUN: xtriton-opt %s --tritongpu-optimize-thread-locality --xtriton-check-semantics -o /dev/null

// Accumulators that are no partial result of the reduction.

#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {

// The greatest of sums.
// CHECK-LABEL: @greatest_sum(
// CHECK-NOT:     tt.reshape
// CHECK:         arith.maxnumf
tt.func @greatest_sum(%p: !tt.ptr<f32>, %o: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c1 = arith.constant 1 : i32
  %c512 = arith.constant 512 : i32
  %init = arith.constant dense<-4.0> : tensor<16xf32, #ttg.slice<{dim = 1, parent = #b}>>
  %r0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #b}>>
  %r1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>>
  %e0 = tt.expand_dims %r0 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<16x1xi32, #b>
  %e1 = tt.expand_dims %r1 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x32xi32, #b>
  %b0 = tt.broadcast %e0 : tensor<16x1xi32, #b> -> tensor<16x32xi32, #b>
  %b1 = tt.broadcast %e1 : tensor<1x32xi32, #b> -> tensor<16x32xi32, #b>
  %c32 = arith.constant dense<32> : tensor<16x32xi32, #b>
  %m = arith.muli %b0, %c32 : tensor<16x32xi32, #b>
  %off = arith.addi %m, %b1 : tensor<16x32xi32, #b>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>, #b>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %init) -> (tensor<16xf32, #ttg.slice<{dim = 1, parent = #b}>>) : i32 {
    %q = tt.addptr %s, %off : tensor<16x32x!tt.ptr<f32>, #b>, tensor<16x32xi32, #b>
    %l = tt.load %q : tensor<16x32x!tt.ptr<f32>, #b>
    %t = "tt.reduce"(%l) <{axis = 1 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      tt.reduce.return %z : f32
    }) : (tensor<16x32xf32, #b>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #b}>>
    %u = arith.maxnumf %acc, %t : tensor<16xf32, #ttg.slice<{dim = 1, parent = #b}>>
    scf.yield %u : tensor<16xf32, #ttg.slice<{dim = 1, parent = #b}>>
  }
  %so = tt.splat %o : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #b}>>
  %qo = tt.addptr %so, %r0 : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #b}>>, tensor<16xi32, #ttg.slice<{dim = 1, parent = #b}>>
  tt.store %qo, %r : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #b}>>
  tt.return
}

// What is subtracted.
// CHECK-LABEL: @difference(
// CHECK-NOT:     tt.reshape
// CHECK:         arith.subf
tt.func @difference(%p: !tt.ptr<f32>, %o: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c1 = arith.constant 1 : i32
  %c512 = arith.constant 512 : i32
  %init = arith.constant dense<-4.0> : tensor<16xf32, #ttg.slice<{dim = 1, parent = #b}>>
  %r0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #b}>>
  %r1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>>
  %e0 = tt.expand_dims %r0 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<16x1xi32, #b>
  %e1 = tt.expand_dims %r1 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x32xi32, #b>
  %b0 = tt.broadcast %e0 : tensor<16x1xi32, #b> -> tensor<16x32xi32, #b>
  %b1 = tt.broadcast %e1 : tensor<1x32xi32, #b> -> tensor<16x32xi32, #b>
  %c32 = arith.constant dense<32> : tensor<16x32xi32, #b>
  %m = arith.muli %b0, %c32 : tensor<16x32xi32, #b>
  %off = arith.addi %m, %b1 : tensor<16x32xi32, #b>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>, #b>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %init) -> (tensor<16xf32, #ttg.slice<{dim = 1, parent = #b}>>) : i32 {
    %q = tt.addptr %s, %off : tensor<16x32x!tt.ptr<f32>, #b>, tensor<16x32xi32, #b>
    %l = tt.load %q : tensor<16x32x!tt.ptr<f32>, #b>
    %t = "tt.reduce"(%l) <{axis = 1 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      tt.reduce.return %z : f32
    }) : (tensor<16x32xf32, #b>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #b}>>
    %u = arith.subf %acc, %t : tensor<16xf32, #ttg.slice<{dim = 1, parent = #b}>>
    scf.yield %u : tensor<16xf32, #ttg.slice<{dim = 1, parent = #b}>>
  }
  %so = tt.splat %o : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #b}>>
  %qo = tt.addptr %so, %r0 : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #b}>>, tensor<16xi32, #ttg.slice<{dim = 1, parent = #b}>>
  tt.store %qo, %r : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #b}>>
  tt.return
}
}
