// RUN: xtriton-opt %s --tritongpu-prefetch | filecheck %s
// RUN: xtriton-opt %s --tritongpu-prefetch --xtriton-check-semantics -o /dev/null

// Loops that write to shared memory.

#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#d0 = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#d1 = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#sh = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {

// The next iteration stores what it loads.
// CHECK-LABEL: @store_at_start(
// CHECK-COUNT-1: tt.dot
// CHECK-NOT:     tt.dot
tt.func @store_at_start(%p: !tt.ptr<f16>, %o: !tt.ptr<f32>, %n: i32) {
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
  %B = ttg.local_alloc %l : (tensor<32x32xf16, #b>) -> !ttg.memdesc<32x32xf16, #sh, #smem, mutable>
  %r, %u, %v = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %z, %ma = %A, %mb = %B) -> (tensor<32x32xf32, #mma>, !ttg.memdesc<32x32xf16, #sh, #smem, mutable>, !ttg.memdesc<32x32xf16, #sh, #smem, mutable>) : i32 {
    ttg.local_store %t, %ma : tensor<32x32xf16, #b> -> !ttg.memdesc<32x32xf16, #sh, #smem, mutable>
    %x = ttg.local_load %ma : !ttg.memdesc<32x32xf16, #sh, #smem, mutable> -> tensor<32x32xf16, #d0>
    %y = ttg.local_load %mb : !ttg.memdesc<32x32xf16, #sh, #smem, mutable> -> tensor<32x32xf16, #d1>
    %d = tt.dot %x, %y, %acc : tensor<32x32xf16, #d0> * tensor<32x32xf16, #d1> -> tensor<32x32xf32, #mma>
    scf.yield %d, %ma, %mb : tensor<32x32xf32, #mma>, !ttg.memdesc<32x32xf16, #sh, #smem, mutable>, !ttg.memdesc<32x32xf16, #sh, #smem, mutable>
  }
  %rb = ttg.convert_layout %r : tensor<32x32xf32, #mma> -> tensor<32x32xf32, #b>
  %so = tt.splat %o : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>, #b>
  %qo = tt.addptr %so, %off : tensor<32x32x!tt.ptr<f32>, #b>, tensor<32x32xi32, #b>
  tt.store %qo, %rb : tensor<32x32x!tt.ptr<f32>, #b>
  tt.return
}

// The second part would be loaded behind the store.
// CHECK-LABEL: @store_between(
// CHECK-COUNT-1: tt.dot
// CHECK-NOT:     tt.dot
tt.func @store_between(%p: !tt.ptr<f16>, %o: !tt.ptr<f32>, %n: i32) {
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
  %B = ttg.local_alloc %l : (tensor<32x32xf16, #b>) -> !ttg.memdesc<32x32xf16, #sh, #smem, mutable>
  %r, %u, %v = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %z, %ma = %A, %mb = %B) -> (tensor<32x32xf32, #mma>, !ttg.memdesc<32x32xf16, #sh, #smem, mutable>, !ttg.memdesc<32x32xf16, #sh, #smem, mutable>) : i32 {
    %x = ttg.local_load %ma : !ttg.memdesc<32x32xf16, #sh, #smem, mutable> -> tensor<32x32xf16, #d0>
    %y = ttg.local_load %mb : !ttg.memdesc<32x32xf16, #sh, #smem, mutable> -> tensor<32x32xf16, #d1>
    ttg.local_store %t, %ma : tensor<32x32xf16, #b> -> !ttg.memdesc<32x32xf16, #sh, #smem, mutable>
    %d = tt.dot %x, %y, %acc : tensor<32x32xf16, #d0> * tensor<32x32xf16, #d1> -> tensor<32x32xf32, #mma>
    scf.yield %d, %ma, %mb : tensor<32x32xf32, #mma>, !ttg.memdesc<32x32xf16, #sh, #smem, mutable>, !ttg.memdesc<32x32xf16, #sh, #smem, mutable>
  }
  %rb = ttg.convert_layout %r : tensor<32x32xf32, #mma> -> tensor<32x32xf32, #b>
  %so = tt.splat %o : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>, #b>
  %qo = tt.addptr %so, %off : tensor<32x32x!tt.ptr<f32>, #b>, tensor<32x32xi32, #b>
  tt.store %qo, %rb : tensor<32x32x!tt.ptr<f32>, #b>
  tt.return
}

// What is stored behind the dot is there when the next parts are loaded.
// CHECK-LABEL: @store_behind(
// CHECK-COUNT-2: tt.dot
tt.func @store_behind(%p: !tt.ptr<f16>, %o: !tt.ptr<f32>, %n: i32) {
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
  %B = ttg.local_alloc %l : (tensor<32x32xf16, #b>) -> !ttg.memdesc<32x32xf16, #sh, #smem, mutable>
  %r, %u, %v = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %z, %ma = %A, %mb = %B) -> (tensor<32x32xf32, #mma>, !ttg.memdesc<32x32xf16, #sh, #smem, mutable>, !ttg.memdesc<32x32xf16, #sh, #smem, mutable>) : i32 {
    %x = ttg.local_load %ma : !ttg.memdesc<32x32xf16, #sh, #smem, mutable> -> tensor<32x32xf16, #d0>
    %y = ttg.local_load %mb : !ttg.memdesc<32x32xf16, #sh, #smem, mutable> -> tensor<32x32xf16, #d1>
    %d = tt.dot %x, %y, %acc : tensor<32x32xf16, #d0> * tensor<32x32xf16, #d1> -> tensor<32x32xf32, #mma>
    ttg.local_store %t, %ma : tensor<32x32xf16, #b> -> !ttg.memdesc<32x32xf16, #sh, #smem, mutable>
    scf.yield %d, %mb, %ma : tensor<32x32xf32, #mma>, !ttg.memdesc<32x32xf16, #sh, #smem, mutable>, !ttg.memdesc<32x32xf16, #sh, #smem, mutable>
  }
  %rb = ttg.convert_layout %r : tensor<32x32xf32, #mma> -> tensor<32x32xf32, #b>
  %so = tt.splat %o : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>, #b>
  %qo = tt.addptr %so, %off : tensor<32x32x!tt.ptr<f32>, #b>, tensor<32x32xi32, #b>
  tt.store %qo, %rb : tensor<32x32x!tt.ptr<f32>, #b>
  tt.return
}

// A scan of parts is not a part of the scan.
// CHECK-LABEL: @scan(
// CHECK-COUNT-1: tt.dot
// CHECK-NOT:     tt.dot
tt.func @scan(%p: !tt.ptr<f16>, %o: !tt.ptr<f32>, %n: i32) {
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
  %B = ttg.local_alloc %l : (tensor<32x32xf16, #b>) -> !ttg.memdesc<32x32xf16, #sh, #smem, mutable>
  %r, %u, %v = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %z, %ma = %A, %mb = %B) -> (tensor<32x32xf32, #mma>, !ttg.memdesc<32x32xf16, #sh, #smem, mutable>, !ttg.memdesc<32x32xf16, #sh, #smem, mutable>) : i32 {
    %x0 = ttg.local_load %ma : !ttg.memdesc<32x32xf16, #sh, #smem, mutable> -> tensor<32x32xf16, #d0>
    %y0 = ttg.local_load %mb : !ttg.memdesc<32x32xf16, #sh, #smem, mutable> -> tensor<32x32xf16, #d1>
    %x = "tt.scan"(%x0) <{axis = 1 : i32, reverse = false}> ({
    ^bb0(%g: f16, %h: f16):
      %k = arith.addf %g, %h : f16
      tt.scan.return %k : f16
    }) : (tensor<32x32xf16, #d0>) -> tensor<32x32xf16, #d0>
    %y = math.absf %y0 : tensor<32x32xf16, #d1>
    %d = tt.dot %x, %y, %acc : tensor<32x32xf16, #d0> * tensor<32x32xf16, #d1> -> tensor<32x32xf32, #mma>
    scf.yield %d, %ma, %mb : tensor<32x32xf32, #mma>, !ttg.memdesc<32x32xf16, #sh, #smem, mutable>, !ttg.memdesc<32x32xf16, #sh, #smem, mutable>
  }
  %rb = ttg.convert_layout %r : tensor<32x32xf32, #mma> -> tensor<32x32xf32, #b>
  %so = tt.splat %o : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>, #b>
  %qo = tt.addptr %so, %off : tensor<32x32x!tt.ptr<f32>, #b>, tensor<32x32xi32, #b>
  tt.store %qo, %rb : tensor<32x32x!tt.ptr<f32>, #b>
  tt.return
}
}
