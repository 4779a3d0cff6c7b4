// RUN: xtriton-opt %s --tritongpu-reorder-instructions | filecheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [0, 1]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [0, 1]}>
#smem = #ttg.shared_memory
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#lhs = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#rhs = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // A conversion sinks to its use, past the end of shared memory.
  // CHECK-LABEL: @sink(
  // CHECK:         ttg.local_dealloc
  // CHECK-NEXT:    %[[X:.*]] = ttg.convert_layout %arg0
  // CHECK-NEXT:    arith.addf %[[X]], %[[X]]
  tt.func @sink(%x: tensor<32x32xf32, #blocked>) -> tensor<32x32xf32, #blocked1> {
    %0 = ttg.local_alloc : () -> !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable>
    %1 = ttg.convert_layout %x : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #blocked1>
    ttg.local_dealloc %0 : !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable>
    %2 = arith.addf %1, %1 : tensor<32x32xf32, #blocked1>
    tt.return %2 : tensor<32x32xf32, #blocked1>
  }

  // Filling shared memory follows its source at once.
  // CHECK-LABEL: @hoist(
  // CHECK:         %[[X:.*]] = tt.load %arg0
  // CHECK-NEXT:    ttg.local_alloc %[[X]]
  // CHECK-NEXT:    %[[Y:.*]] = tt.load %arg1
  // CHECK-NEXT:    ttg.local_alloc %[[Y]]
  tt.func @hoist(%p: tensor<32x32x!tt.ptr<f32>, #blocked>, %q: tensor<32x32x!tt.ptr<f32>, #blocked>) {
    %0 = tt.load %p : tensor<32x32x!tt.ptr<f32>, #blocked>
    %1 = tt.load %q : tensor<32x32x!tt.ptr<f32>, #blocked>
    %2 = ttg.local_alloc %0 : (tensor<32x32xf32, #blocked>) -> !ttg.memdesc<32x32xf32, #shared, #smem>
    %3 = ttg.local_alloc %1 : (tensor<32x32xf32, #blocked>) -> !ttg.memdesc<32x32xf32, #shared, #smem>
    tt.return
  }

  // The right operand of a dot is loaded after the left one.
  // CHECK-LABEL: @operands(
  // CHECK:         ttg.local_load %arg0
  // CHECK-NEXT:    ttg.local_load %arg1
  // CHECK-NEXT:    tt.dot
  tt.func @operands(%a: !ttg.memdesc<32x32xf16, #shared, #smem>, %b: !ttg.memdesc<32x32xf16, #shared, #smem>, %c: tensor<32x32xf32, #mma>) -> tensor<32x32xf32, #mma> {
    %0 = ttg.local_load %b : !ttg.memdesc<32x32xf16, #shared, #smem> -> tensor<32x32xf16, #rhs>
    %1 = ttg.local_load %a : !ttg.memdesc<32x32xf16, #shared, #smem> -> tensor<32x32xf16, #lhs>
    %2 = tt.dot %1, %0, %c : tensor<32x32xf16, #lhs> * tensor<32x32xf16, #rhs> -> tensor<32x32xf32, #mma>
    tt.return %2 : tensor<32x32xf32, #mma>
  }

  // A load from a buffer that nobody changes sinks into the loop whatever that writes; from
  // one that the loop changes it does not.
  // CHECK-LABEL: @into_loop(
  // CHECK:         %[[B:.*]] = ttg.local_load %arg1
  // CHECK:         scf.for
  // CHECK:           ttg.local_store
  // CHECK:           %[[A:.*]] = ttg.local_load
  // CHECK-NEXT:      tt.dot %[[A]], %[[B]]
  tt.func @into_loop(%x: tensor<32x32xf16, #blocked>, %b: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, %c: tensor<32x32xf32, #mma>, %n: i32) -> tensor<32x32xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %a = ttg.local_alloc %x : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
    %0 = ttg.local_load %a : !ttg.memdesc<32x32xf16, #shared, #smem> -> tensor<32x32xf16, #lhs>
    %1 = ttg.local_load %b : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> tensor<32x32xf16, #rhs>
    %2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (tensor<32x32xf32, #mma>) : i32 {
      ttg.local_store %x, %b : tensor<32x32xf16, #blocked> -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
      %3 = tt.dot %0, %1, %acc : tensor<32x32xf16, #lhs> * tensor<32x32xf16, #rhs> -> tensor<32x32xf32, #mma>
      scf.yield %3 : tensor<32x32xf32, #mma>
    }
    tt.return %2 : tensor<32x32xf32, #mma>
  }

  // Not past what writes.
  // CHECK-LABEL: @written(
  // CHECK:         ttg.local_load %arg1
  // CHECK-NEXT:    ttg.local_store
  // CHECK-NEXT:    ttg.local_load %arg0
  // CHECK-NEXT:    tt.dot
  tt.func @written(%a: !ttg.memdesc<32x32xf16, #shared, #smem>, %b: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, %c: tensor<32x32xf32, #mma>, %x: tensor<32x32xf16, #blocked>) -> tensor<32x32xf32, #mma> {
    %0 = ttg.local_load %b : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> tensor<32x32xf16, #rhs>
    ttg.local_store %x, %b : tensor<32x32xf16, #blocked> -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
    %1 = ttg.local_load %a : !ttg.memdesc<32x32xf16, #shared, #smem> -> tensor<32x32xf16, #lhs>
    %2 = tt.dot %1, %0, %c : tensor<32x32xf16, #lhs> * tensor<32x32xf16, #rhs> -> tensor<32x32xf32, #mma>
    tt.return %2 : tensor<32x32xf32, #mma>
  }

  // Nor where something else uses it too.
  // CHECK-LABEL: @twice(
  // CHECK:         ttg.local_load %arg1
  // CHECK-NEXT:    arith.negf
  // CHECK-NEXT:    ttg.local_load %arg0
  // CHECK-NEXT:    tt.dot
  tt.func @twice(%a: !ttg.memdesc<32x32xf16, #shared, #smem>, %b: !ttg.memdesc<32x32xf16, #shared, #smem>, %c: tensor<32x32xf32, #mma>) -> (tensor<32x32xf32, #mma>, tensor<32x32xf16, #rhs>) {
    %0 = ttg.local_load %b : !ttg.memdesc<32x32xf16, #shared, #smem> -> tensor<32x32xf16, #rhs>
    %n = arith.negf %0 : tensor<32x32xf16, #rhs>
    %1 = ttg.local_load %a : !ttg.memdesc<32x32xf16, #shared, #smem> -> tensor<32x32xf16, #lhs>
    %2 = tt.dot %1, %0, %c : tensor<32x32xf16, #lhs> * tensor<32x32xf16, #rhs> -> tensor<32x32xf32, #mma>
    tt.return %2, %n : tensor<32x32xf32, #mma>, tensor<32x32xf16, #rhs>
  }

  // What fills registers is done in the loop that uses it.
  // CHECK-LABEL: @loop(
  // CHECK-NEXT:    scf.for
  // CHECK-NEXT:      %[[A:.*]] = ttg.local_load %arg0
  // CHECK-NEXT:      tt.dot %[[A]]
  tt.func @loop(%a: !ttg.memdesc<32x32xf16, #shared, #smem>, %b: tensor<32x32xf16, #rhs>, %c: tensor<32x32xf32, #mma>, %n: index, %m: index) -> tensor<32x32xf32, #mma> {
    %1 = ttg.local_load %a : !ttg.memdesc<32x32xf16, #shared, #smem> -> tensor<32x32xf16, #lhs>
    %r = scf.for %i = %n to %m step %m iter_args(%acc = %c) -> (tensor<32x32xf32, #mma>) {
      %2 = tt.dot %1, %b, %acc : tensor<32x32xf16, #lhs> * tensor<32x32xf16, #rhs> -> tensor<32x32xf32, #mma>
      scf.yield %2 : tensor<32x32xf32, #mma>
    }
    tt.return %r : tensor<32x32xf32, #mma>
  }
}
