// RUN: xtriton-opt %s --split-input-file --allow-unregistered-dialect --canonicalize | filecheck %s

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32} {
  // CHECK-LABEL: @part_of_a_part
  // CHECK-NEXT: %0 = ttg.memdesc_subslice %arg0[48, 0] : !ttg.memdesc<64x32xf16, #shared, #smem> -> !ttg.memdesc<16x32xf16, #shared, #smem, 64x32>
  // CHECK-NEXT: tt.return %0
  tt.func @part_of_a_part(%a: !ttg.memdesc<64x32xf16, #shared, #smem>) -> !ttg.memdesc<16x32xf16, #shared, #smem, 64x32> {
    %0 = ttg.memdesc_subslice %a[32, 0] : !ttg.memdesc<64x32xf16, #shared, #smem> -> !ttg.memdesc<32x32xf16, #shared, #smem, 64x32>
    %1 = ttg.memdesc_subslice %0[16, 0] : !ttg.memdesc<32x32xf16, #shared, #smem, 64x32> -> !ttg.memdesc<16x32xf16, #shared, #smem, 64x32>
    tt.return %1 : !ttg.memdesc<16x32xf16, #shared, #smem, 64x32>
  }

  // CHECK-LABEL: @transposed_twice
  // CHECK-NEXT: tt.return %arg0
  tt.func @transposed_twice(%a: !ttg.memdesc<64x32xf16, #shared, #smem>) -> !ttg.memdesc<64x32xf16, #shared, #smem> {
    %0 = ttg.memdesc_trans %a {order = array<i32: 1, 0>} : !ttg.memdesc<64x32xf16, #shared, #smem> -> !ttg.memdesc<32x64xf16, #shared1, #smem>
    %1 = ttg.memdesc_trans %0 {order = array<i32: 1, 0>} : !ttg.memdesc<32x64xf16, #shared1, #smem> -> !ttg.memdesc<64x32xf16, #shared, #smem>
    tt.return %1 : !ttg.memdesc<64x32xf16, #shared, #smem>
  }

  // CHECK-LABEL: @view_of_the_same_type
  // CHECK-NEXT: tt.return %arg0
  tt.func @view_of_the_same_type(%a: !ttg.memdesc<64x32xf16, #shared, #smem>) -> !ttg.memdesc<64x32xf16, #shared, #smem> {
    %0 = ttg.memdesc_reinterpret %a : !ttg.memdesc<64x32xf16, #shared, #smem> -> !ttg.memdesc<64x32xf16, #shared, #smem>
    tt.return %0 : !ttg.memdesc<64x32xf16, #shared, #smem>
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [2, 1, 0]}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0, 2]}>
#shared2 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 2, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32} {
  // CHECK-LABEL: @composed_transposes
  // CHECK-NEXT: ttg.memdesc_trans %arg0 {order = array<i32: 1, 2, 0>} : !ttg.memdesc<2x4x8xf16, #shared, #smem> -> !ttg.memdesc<4x8x2xf16, #shared1, #smem>
  // CHECK-NEXT: tt.return
  tt.func @composed_transposes(%a: !ttg.memdesc<2x4x8xf16, #shared, #smem>) -> !ttg.memdesc<4x8x2xf16, #shared1, #smem> {
    %0 = ttg.memdesc_trans %a {order = array<i32: 2, 0, 1>} : !ttg.memdesc<2x4x8xf16, #shared, #smem> -> !ttg.memdesc<8x2x4xf16, #shared2, #smem>
    %1 = ttg.memdesc_trans %0 {order = array<i32: 2, 0, 1>} : !ttg.memdesc<8x2x4xf16, #shared2, #smem> -> !ttg.memdesc<4x8x2xf16, #shared1, #smem>
    tt.return %1 : !ttg.memdesc<4x8x2xf16, #shared1, #smem>
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32} {
  // CHECK-LABEL: @unused_results
  // CHECK-NEXT: %0 = ttg.warp_specialize()
  // CHECK-NEXT: default {
  // CHECK-NEXT:   %[[B:.*]] = "b"() : () -> f32
  // CHECK:        ttg.warp_yield %[[B]] : f32
  // CHECK-NEXT: } : () -> f32
  // CHECK-NEXT: tt.return %0 : f32
  tt.func @unused_results() -> f32 {
    %0:3 = ttg.warp_specialize()
    default {
      %b = "b"() : () -> f32
      %a = "a"() : () -> i32
      ttg.warp_yield %a, %b, %a : i32, f32, i32
    } : () -> (i32, f32, i32)
    tt.return %0#1 : f32
  }

  // CHECK-LABEL: @unused_captures
  // CHECK: ttg.warp_specialize(%arg0)
  // CHECK: partition0(%arg2: i32) num_warps(4) {
  // CHECK-NEXT: "use"(%arg2, %arg2) : (i32, i32) -> ()
  // CHECK: partition1(%arg2: i32) num_warps(2) {
  // CHECK-NEXT: "use"(%arg2) : (i32) -> ()
  // CHECK: } : (i32) -> ()
  tt.func @unused_captures(%x: i32, %y: f32) {
    ttg.warp_specialize(%y, %x, %x)
    default {
      ttg.warp_yield
    }
    partition0(%a: f32, %b: i32, %c: i32) num_warps(4) {
      "use"(%b, %c) : (i32, i32) -> ()
      ttg.warp_return
    }
    partition1(%a: f32, %b: i32, %c: i32) num_warps(2) {
      "use"(%c) : (i32) -> ()
      ttg.warp_return
    } : (f32, i32, i32) -> ()
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @made_in_the_layout_wanted
  tt.func @made_in_the_layout_wanted(%x: f32, %m: !ttg.memdesc<256xf32, #shared, #smem, mutable>) {
    // CHECK-DAG: arith.constant dense<1.000000e+00> : tensor<256xf32, #[[W:.*]]>
    // CHECK-DAG: tt.splat %arg0 : f32 -> tensor<256xf32, #[[W]]>
    // CHECK-DAG: tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #[[W]]>
    // CHECK-DAG: ttg.local_load %arg1 : !ttg.memdesc<256xf32, #shared, #smem, mutable> -> tensor<256xf32, #[[W]]>
    // CHECK-NOT: ttg.convert_layout
    %c = arith.constant dense<1.000000e+00> : tensor<256xf32, #blocked>
    %s = tt.splat %x : f32 -> tensor<256xf32, #blocked>
    %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
    %l = ttg.local_load %m : !ttg.memdesc<256xf32, #shared, #smem, mutable> -> tensor<256xf32, #blocked>
    %0 = ttg.convert_layout %c : tensor<256xf32, #blocked> -> tensor<256xf32, #blocked1>
    %1 = ttg.convert_layout %s : tensor<256xf32, #blocked> -> tensor<256xf32, #blocked1>
    %2 = ttg.convert_layout %r : tensor<256xi32, #blocked> -> tensor<256xi32, #blocked1>
    %3 = ttg.convert_layout %l : tensor<256xf32, #blocked> -> tensor<256xf32, #blocked1>
    "use"(%0, %1, %2, %3) : (tensor<256xf32, #blocked1>, tensor<256xf32, #blocked1>, tensor<256xi32, #blocked1>, tensor<256xf32, #blocked1>) -> ()
    tt.return
  }

  // CHECK-LABEL: @taken_in_any_layout
  // CHECK-NEXT: ttg.local_alloc %arg0 : (tensor<256xf32, #[[ANY:.*]]>)
  // CHECK-NEXT: ttg.local_store %arg0, %arg1
  // CHECK-NEXT: tt.gather %arg0[%arg2] {axis = 0 : i32}
  // CHECK-NEXT: tt.histogram %arg2 : tensor<256xi32, #[[ANY]]>
  // CHECK-NEXT: "use"
  tt.func @taken_in_any_layout(%t: tensor<256xf32, #blocked>, %m: !ttg.memdesc<256xf32, #shared, #smem, mutable>, %i: tensor<256xi32, #blocked>) {
    %0 = ttg.convert_layout %t : tensor<256xf32, #blocked> -> tensor<256xf32, #blocked1>
    %1 = ttg.convert_layout %i : tensor<256xi32, #blocked> -> tensor<256xi32, #blocked1>
    %a = ttg.local_alloc %0 : (tensor<256xf32, #blocked1>) -> !ttg.memdesc<256xf32, #shared, #smem>
    ttg.local_store %0, %m : tensor<256xf32, #blocked1> -> !ttg.memdesc<256xf32, #shared, #smem, mutable>
    %g = tt.gather %0[%i] {axis = 0 : i32} : (tensor<256xf32, #blocked1>, tensor<256xi32, #blocked>) -> tensor<256xf32, #blocked>
    %h = tt.histogram %1 : tensor<256xi32, #blocked1> -> tensor<16xi32, #blocked>
    "use"(%a, %g, %h) : (!ttg.memdesc<256xf32, #shared, #smem>, tensor<256xf32, #blocked>, tensor<16xi32, #blocked>) -> ()
    tt.return
  }

  // CHECK-LABEL: @copy_of_a_buffer
  // CHECK-NEXT: tt.return %arg0
  tt.func @copy_of_a_buffer(%m: !ttg.memdesc<256xf32, #shared, #smem>) -> !ttg.memdesc<256xf32, #shared, #smem> {
    %0 = ttg.local_load %m : !ttg.memdesc<256xf32, #shared, #smem> -> tensor<256xf32, #blocked>
    %1 = ttg.local_alloc %0 : (tensor<256xf32, #blocked>) -> !ttg.memdesc<256xf32, #shared, #smem>
    tt.return %1 : !ttg.memdesc<256xf32, #shared, #smem>
  }
}
