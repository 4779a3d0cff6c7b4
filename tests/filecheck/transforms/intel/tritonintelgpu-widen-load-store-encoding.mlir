// RUN: xtriton-opt %s --split-input-file --tritonintelgpu-widen-load-store-encoding | filecheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#rows = #ttg.slice<{dim = 1, parent = #blocked}>
#columns = #ttg.slice<{dim = 0, parent = #blocked}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.support_256b_load_store} {
  // CHECK: #[[OLD:.*]] = #ttg.blocked<{sizePerThread = [1, 8],
  // CHECK: #[[NEW:.*]] = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
  // CHECK-LABEL: @copied(
  // CHECK:         %[[P:.*]] = ttg.convert_layout %{{.*}} -> tensor<16x128x!tt.ptr<f16>, #[[NEW]]>
  // CHECK:         %[[M:.*]] = ttg.convert_layout %{{.*}} -> tensor<16x128xi1, #[[NEW]]>
  // CHECK:         %[[X:.*]] = tt.load %[[P]], %[[M]] : tensor<16x128x!tt.ptr<f16>, #[[NEW]]>
  // CHECK:         %[[Y:.*]] = ttg.convert_layout %[[X]] : tensor<16x128xf16, #[[NEW]]> -> tensor<16x128xf16, #[[OLD]]>
  // CHECK:         arith.addf %[[Y]], %[[Y]]
  // CHECK:         tt.store %{{.*}} : tensor<16x128x!tt.ptr<f16>, #[[NEW]]>
  tt.func @copied(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
    %mask = arith.constant dense<true> : tensor<16x128xi1, #blocked>
    %c128 = arith.constant dense<128> : tensor<16x1xi32, #blocked>
    %i = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #rows>
    %j = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #columns>
    %i1 = tt.expand_dims %i {axis = 1 : i32} : tensor<16xi32, #rows> -> tensor<16x1xi32, #blocked>
    %j1 = tt.expand_dims %j {axis = 0 : i32} : tensor<128xi32, #columns> -> tensor<1x128xi32, #blocked>
    %i2 = arith.muli %i1, %c128 : tensor<16x1xi32, #blocked>
    %i3 = tt.broadcast %i2 : tensor<16x1xi32, #blocked> -> tensor<16x128xi32, #blocked>
    %j2 = tt.broadcast %j1 : tensor<1x128xi32, #blocked> -> tensor<16x128xi32, #blocked>
    %o = arith.addi %i3, %j2 : tensor<16x128xi32, #blocked>
    %ps = tt.splat %p : !tt.ptr<f16> -> tensor<16x128x!tt.ptr<f16>, #blocked>
    %qs = tt.splat %q : !tt.ptr<f16> -> tensor<16x128x!tt.ptr<f16>, #blocked>
    %pi = tt.addptr %ps, %o : tensor<16x128x!tt.ptr<f16>, #blocked>, tensor<16x128xi32, #blocked>
    %qi = tt.addptr %qs, %o : tensor<16x128x!tt.ptr<f16>, #blocked>, tensor<16x128xi32, #blocked>
    %x = tt.load %pi, %mask : tensor<16x128x!tt.ptr<f16>, #blocked>
    %y = arith.addf %x, %x : tensor<16x128xf16, #blocked>
    tt.store %qi, %y : tensor<16x128x!tt.ptr<f16>, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.support_256b_load_store} {
  // Elements of 4, 4 and 8 bytes: too few for all threads, not known to be aligned, and not 16
  // bytes for each thread.
  // CHECK-LABEL: @not(
  // CHECK-NOT:     ttg.convert_layout
  tt.func @not(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f32> {tt.divisibility = 4 : i32}, %r: !tt.ptr<f64> {tt.divisibility = 16 : i32}) -> (tensor<256xf32, #blocked>, tensor<512xf32, #blocked>, tensor<512xf64, #blocked>) {
    %i = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #blocked>
    %j = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #blocked>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
    %pi = tt.addptr %ps, %i : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
    %x = tt.load %pi : tensor<256x!tt.ptr<f32>, #blocked>
    %qs = tt.splat %q : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %qj = tt.addptr %qs, %j : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %y = tt.load %qj : tensor<512x!tt.ptr<f32>, #blocked>
    %rs = tt.splat %r : !tt.ptr<f64> -> tensor<512x!tt.ptr<f64>, #blocked>
    %rj = tt.addptr %rs, %j : tensor<512x!tt.ptr<f64>, #blocked>, tensor<512xi32, #blocked>
    %z = tt.load %rj : tensor<512x!tt.ptr<f64>, #blocked>
    tt.return %x, %y, %z : tensor<256xf32, #blocked>, tensor<512xf32, #blocked>, tensor<512xf64, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // The device has no such loads.
  // CHECK-LABEL: @no_device(
  // CHECK-NOT:     ttg.convert_layout
  tt.func @no_device(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) -> tensor<512xf32, #blocked> {
    %j = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #blocked>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %pj = tt.addptr %ps, %j : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %x = tt.load %pj : tensor<512x!tt.ptr<f32>, #blocked>
    tt.return %x : tensor<512xf32, #blocked>
  }
}
