// RUN: xtriton-opt %s --split-input-file --canonicalize | filecheck %s

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32} {
  // CHECK-LABEL: @last_source
  // CHECK-NEXT: ttng.barrier_expect %arg0, 64, %arg1
  // CHECK-NEXT: ttng.barrier_expect %arg0, 64 {fromCTA = 0 : i32}, %arg1
  // CHECK-NEXT: ttng.arrive_barrier %arg0, 2, %arg1 : !ttg
  // CHECK-NEXT: ttng.arrive_barrier %arg0, 2, %arg1 {fromCTA = 0 : i32} : !ttg
  tt.func @last_source(%b: !ttg.memdesc<2xi64, #shared, #smem, mutable>, %p: i1) {
    ttng.barrier_expect %b, 64 {fromCTA = 1 : i32}, %p : !ttg.memdesc<2xi64, #shared, #smem, mutable>
    ttng.barrier_expect %b, 64 {fromCTA = 0 : i32}, %p : !ttg.memdesc<2xi64, #shared, #smem, mutable>
    ttng.arrive_barrier %b, 2, %p {fromCTA = 1 : i32} : !ttg.memdesc<2xi64, #shared, #smem, mutable>
    ttng.arrive_barrier %b, 2, %p {fromCTA = 0 : i32} : !ttg.memdesc<2xi64, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#rows = #ttg.linear<{register = [[0, 32], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#columns = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
module attributes {"ttg.num-warps" = 4 : i32} {
  // Registers may be in any order.
  // CHECK-LABEL: tt.func @stored_as_it_is
  tt.func @stored_as_it_is(%arg0: tensor<128x64xf32, #rows>, %arg1: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %arg2: i1) {
    // CHECK-NEXT: ttng.tmem_store %arg0, %arg1, %arg2 : tensor<128x64xf32, #linear>
    %0 = ttg.convert_layout %arg0 : tensor<128x64xf32, #rows> -> tensor<128x64xf32, #blocked>
    ttng.tmem_store %0, %arg1, %arg2 : tensor<128x64xf32, #blocked> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    tt.return
  }
  // CHECK-LABEL: tt.func @no_instruction_stores_it_as_it_is
  tt.func @no_instruction_stores_it_as_it_is(%arg0: tensor<128x64xf32, #columns>, %arg1: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %arg2: i1) {
    // CHECK: ttg.convert_layout
    // CHECK: ttng.tmem_store
    %0 = ttg.convert_layout %arg0 : tensor<128x64xf32, #columns> -> tensor<128x64xf32, #blocked1>
    ttng.tmem_store %0, %arg1, %arg2 : tensor<128x64xf32, #blocked1> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    tt.return
  }
}
