// RUN: xtriton-opt %s --tritongpu-reorder-instructions | filecheck %s
// RUN: xtriton-opt %s --tritongpu-reorder-instructions --xtriton-check-semantics -o /dev/null

// Shared memory that changes.

#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#d0 = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#d1 = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#sh = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {

// The loop stores to the buffer.
// CHECK-LABEL: @load_stays(
// CHECK:         ttg.local_load
// CHECK:         scf.for
// CHECK:           ttg.local_store
tt.func @load_stays(%p: !tt.ptr<f16>, %o: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant dense<0.0> : tensor<32x32xf32, #mma>
  %r0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #b}>>
  %r1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>>
  %e0 = tt.expand_dims %r0 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<32x1xi32, #b>
  %e1 = tt.expand_dims %r1 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x32xi32, #b>
  %b0 = tt.broadcast %e0 : tensor<32x1xi32, #b> -> tensor<32x32xi32, #b>
  %b1 = tt.broadcast %e1 : tensor<1x32xi32, #b> -> tensor<32x32xi32, #b>
  %c32 = arith.constant dense<32> : tensor<32x32xi32, #b>
  %m = arith.muli %b0, %c32 : tensor<32x32xi32, #b>
  %off = arith.addi %m, %b1 : tensor<32x32xi32, #b>
  %s = tt.splat %p : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>, #b>
  %q = tt.addptr %s, %off : tensor<32x32x!tt.ptr<f16>, #b>, tensor<32x32xi32, #b>
  %l = tt.load %q : tensor<32x32x!tt.ptr<f16>, #b>
  %t = arith.addf %l, %l : tensor<32x32xf16, #b>
  
  %A = ttg.local_alloc %l : (tensor<32x32xf16, #b>) -> !ttg.memdesc<32x32xf16, #sh, #smem, mutable>
  %x = ttg.local_load %A : !ttg.memdesc<32x32xf16, #sh, #smem, mutable> -> tensor<32x32xf16, #d0>
  %y = ttg.convert_layout %l : tensor<32x32xf16, #b> -> tensor<32x32xf16, #d1>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %z) -> (tensor<32x32xf32, #mma>) : i32 {
    %d = tt.dot %x, %y, %acc : tensor<32x32xf16, #d0> * tensor<32x32xf16, #d1> -> tensor<32x32xf32, #mma>
    ttg.local_store %t, %A : tensor<32x32xf16, #b> -> !ttg.memdesc<32x32xf16, #sh, #smem, mutable>
    scf.yield %d : tensor<32x32xf32, #mma>
  }
  %rb = ttg.convert_layout %r : tensor<32x32xf32, #mma> -> tensor<32x32xf32, #b>
  %so = tt.splat %o : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>, #b>
  %qo = tt.addptr %so, %off : tensor<32x32x!tt.ptr<f32>, #b>, tensor<32x32xi32, #b>
  tt.store %qo, %rb : tensor<32x32x!tt.ptr<f32>, #b>
  tt.return
}

// Each iteration has a new buffer.
// CHECK-LABEL: @alloc_stays(
// CHECK:         scf.for
// CHECK:           ttg.local_alloc
// CHECK:           ttg.local_store
tt.func @alloc_stays(%p: !tt.ptr<f16>, %o: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant dense<0.0> : tensor<32x32xf32, #mma>
  %r0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #b}>>
  %r1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>>
  %e0 = tt.expand_dims %r0 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<32x1xi32, #b>
  %e1 = tt.expand_dims %r1 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x32xi32, #b>
  %b0 = tt.broadcast %e0 : tensor<32x1xi32, #b> -> tensor<32x32xi32, #b>
  %b1 = tt.broadcast %e1 : tensor<1x32xi32, #b> -> tensor<32x32xi32, #b>
  %c32 = arith.constant dense<32> : tensor<32x32xi32, #b>
  %m = arith.muli %b0, %c32 : tensor<32x32xi32, #b>
  %off = arith.addi %m, %b1 : tensor<32x32xi32, #b>
  %s = tt.splat %p : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>, #b>
  %q = tt.addptr %s, %off : tensor<32x32x!tt.ptr<f16>, #b>, tensor<32x32xi32, #b>
  %l = tt.load %q : tensor<32x32x!tt.ptr<f16>, #b>
  %t = arith.addf %l, %l : tensor<32x32xf16, #b>
  
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %z) -> (tensor<32x32xf32, #mma>) : i32 {
    %A = ttg.local_alloc %l : (tensor<32x32xf16, #b>) -> !ttg.memdesc<32x32xf16, #sh, #smem, mutable>
    %x = ttg.local_load %A : !ttg.memdesc<32x32xf16, #sh, #smem, mutable> -> tensor<32x32xf16, #d0>
    %y = ttg.convert_layout %l : tensor<32x32xf16, #b> -> tensor<32x32xf16, #d1>
    %d = tt.dot %x, %y, %acc : tensor<32x32xf16, #d0> * tensor<32x32xf16, #d1> -> tensor<32x32xf32, #mma>
    ttg.local_store %t, %A : tensor<32x32xf16, #b> -> !ttg.memdesc<32x32xf16, #sh, #smem, mutable>
    scf.yield %d : tensor<32x32xf32, #mma>
  }
  %rb = ttg.convert_layout %r : tensor<32x32xf32, #mma> -> tensor<32x32xf32, #b>
  %so = tt.splat %o : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>, #b>
  %qo = tt.addptr %so, %off : tensor<32x32x!tt.ptr<f32>, #b>, tensor<32x32xi32, #b>
  tt.store %qo, %rb : tensor<32x32x!tt.ptr<f32>, #b>
  tt.return
}

// A function that is called may write.
// CHECK-LABEL: @call_between(
// CHECK:         ttg.local_load
// CHECK:         tt.call
// CHECK:         ttg.local_load
tt.func @call_between(%p: !tt.ptr<f16>, %o: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant dense<0.0> : tensor<32x32xf32, #mma>
  %r0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #b}>>
  %r1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>>
  %e0 = tt.expand_dims %r0 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<32x1xi32, #b>
  %e1 = tt.expand_dims %r1 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x32xi32, #b>
  %b0 = tt.broadcast %e0 : tensor<32x1xi32, #b> -> tensor<32x32xi32, #b>
  %b1 = tt.broadcast %e1 : tensor<1x32xi32, #b> -> tensor<32x32xi32, #b>
  %c32 = arith.constant dense<32> : tensor<32x32xi32, #b>
  %m = arith.muli %b0, %c32 : tensor<32x32xi32, #b>
  %off = arith.addi %m, %b1 : tensor<32x32xi32, #b>
  %s = tt.splat %p : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>, #b>
  %q = tt.addptr %s, %off : tensor<32x32x!tt.ptr<f16>, #b>, tensor<32x32xi32, #b>
  %l = tt.load %q : tensor<32x32x!tt.ptr<f16>, #b>
  %t = arith.addf %l, %l : tensor<32x32xf16, #b>
  
  %A = ttg.local_alloc %l : (tensor<32x32xf16, #b>) -> !ttg.memdesc<32x32xf16, #sh, #smem, mutable>
  %y = ttg.local_load %A : !ttg.memdesc<32x32xf16, #sh, #smem, mutable> -> tensor<32x32xf16, #d1>
  tt.call @g(%A, %t) : (!ttg.memdesc<32x32xf16, #sh, #smem, mutable>, tensor<32x32xf16, #b>) -> ()
  %x = ttg.local_load %A : !ttg.memdesc<32x32xf16, #sh, #smem, mutable> -> tensor<32x32xf16, #d0>
  %acc = arith.addf %z, %z : tensor<32x32xf32, #mma>
  %r = tt.dot %x, %y, %acc : tensor<32x32xf16, #d0> * tensor<32x32xf16, #d1> -> tensor<32x32xf32, #mma>
  
  %rb = ttg.convert_layout %r : tensor<32x32xf32, #mma> -> tensor<32x32xf32, #b>
  %so = tt.splat %o : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>, #b>
  %qo = tt.addptr %so, %off : tensor<32x32x!tt.ptr<f32>, #b>, tensor<32x32xi32, #b>
  tt.store %qo, %rb : tensor<32x32x!tt.ptr<f32>, #b>
  tt.return
}

tt.func private @g(%A: !ttg.memdesc<32x32xf16, #sh, #smem, mutable>, %t: tensor<32x32xf16, #b>) attributes {noinline = true} {
 ttg.local_store %t, %A : tensor<32x32xf16, #b> -> !ttg.memdesc<32x32xf16, #sh, #smem, mutable>
 tt.return
}
}
