// RUN: xtriton-opt %s --tritongpu-remove-layout-conversions | filecheck %s
// RUN: xtriton-opt %s --tritonintelgpu-remove-layout-conversions | filecheck %s

#narrow = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#wide = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-DAG: #[[WIDE:.*]] = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Loads and stores decide; what computes between them follows.
  // CHECK-LABEL: @between(
  // CHECK-NOT:     ttg.convert_layout
  // CHECK:         arith.addf %{{.*}}, %{{.*}} : tensor<1024xf32, #[[WIDE]]>
  // CHECK-NOT:     ttg.convert_layout
  // CHECK:         tt.store
  tt.func @between(%p: !tt.ptr<f32>) {
    %0 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #narrow>
    %1 = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #narrow>
    %2 = tt.addptr %1, %0 : tensor<1024x!tt.ptr<f32>, #narrow>, tensor<1024xi32, #narrow>
    %3 = ttg.convert_layout %2 : tensor<1024x!tt.ptr<f32>, #narrow> -> tensor<1024x!tt.ptr<f32>, #wide>
    %4 = tt.load %3 : tensor<1024x!tt.ptr<f32>, #wide>
    %5 = ttg.convert_layout %4 : tensor<1024xf32, #wide> -> tensor<1024xf32, #narrow>
    %6 = arith.addf %5, %5 : tensor<1024xf32, #narrow>
    %7 = ttg.convert_layout %2 : tensor<1024x!tt.ptr<f32>, #narrow> -> tensor<1024x!tt.ptr<f32>, #wide>
    %8 = ttg.convert_layout %6 : tensor<1024xf32, #narrow> -> tensor<1024xf32, #wide>
    tt.store %7, %8 : tensor<1024x!tt.ptr<f32>, #wide>
    tt.return
  }

  // Through a loop: what it carries changes its layout.
  // CHECK-LABEL: @loop(
  // CHECK-NOT:     ttg.convert_layout
  // CHECK:         scf.for {{.*}} -> (tensor<1024xf32, #[[WIDE]]>)
  // CHECK-NOT:       ttg.convert_layout
  // CHECK:           scf.yield
  // CHECK-NOT:     ttg.convert_layout
  // CHECK:         tt.store
  tt.func @loop(%p: tensor<1024x!tt.ptr<f32>, #wide>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<1024xf32, #narrow>
    %0 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (tensor<1024xf32, #narrow>) : i32 {
      %1 = tt.load %p : tensor<1024x!tt.ptr<f32>, #wide>
      %2 = ttg.convert_layout %1 : tensor<1024xf32, #wide> -> tensor<1024xf32, #narrow>
      %3 = arith.addf %sum, %2 : tensor<1024xf32, #narrow>
      scf.yield %3 : tensor<1024xf32, #narrow>
    }
    %4 = ttg.convert_layout %0 : tensor<1024xf32, #narrow> -> tensor<1024xf32, #wide>
    tt.store %p, %4 : tensor<1024x!tt.ptr<f32>, #wide>
    tt.return
  }

  // Through an if.
  // CHECK-LABEL: @branch(
  // CHECK-NOT:     ttg.convert_layout
  // CHECK:         scf.if %{{.*}} -> (tensor<1024xf32, #[[WIDE]]>)
  // CHECK-NOT:     ttg.convert_layout
  // CHECK:         tt.store
  tt.func @branch(%p: tensor<1024x!tt.ptr<f32>, #wide>, %c: i1) {
    %zero = arith.constant dense<0.0> : tensor<1024xf32, #narrow>
    %0 = scf.if %c -> (tensor<1024xf32, #narrow>) {
      %1 = tt.load %p : tensor<1024x!tt.ptr<f32>, #wide>
      %2 = ttg.convert_layout %1 : tensor<1024xf32, #wide> -> tensor<1024xf32, #narrow>
      scf.yield %2 : tensor<1024xf32, #narrow>
    } else {
      scf.yield %zero : tensor<1024xf32, #narrow>
    }
    %3 = ttg.convert_layout %0 : tensor<1024xf32, #narrow> -> tensor<1024xf32, #wide>
    tt.store %p, %3 : tensor<1024x!tt.ptr<f32>, #wide>
    tt.return
  }

  // What cannot be computed in another layout is converted.
  // CHECK-LABEL: @argument(
  // CHECK:         %[[X:.*]] = ttg.convert_layout %arg1
  // CHECK:         tt.store %arg0, %[[X]]
  tt.func @argument(%p: tensor<1024x!tt.ptr<f32>, #wide>, %x: tensor<1024xf32, #narrow>) {
    %0 = ttg.convert_layout %x : tensor<1024xf32, #narrow> -> tensor<1024xf32, #wide>
    tt.store %p, %0 : tensor<1024x!tt.ptr<f32>, #wide>
    tt.return
  }

  // A call gives what its function does, in that layout.
  // CHECK-LABEL: @call(
  // CHECK:         %[[ZEROS:.*]] = tt.call @zeros() : () -> tensor<1024xf32, #[[NARROW:.*]]>
  // CHECK:         ttg.convert_layout %[[ZEROS]] : tensor<1024xf32, #[[NARROW]]>
  // CHECK-NOT:     tt.call
  // CHECK-LABEL: @zeros() -> tensor<1024xf32, #
  tt.func @call(%p: tensor<1024x!tt.ptr<f32>, #wide>) {
    %0 = tt.call @zeros() : () -> tensor<1024xf32, #narrow>
    %1 = ttg.convert_layout %0 : tensor<1024xf32, #narrow> -> tensor<1024xf32, #wide>
    tt.store %p, %1 : tensor<1024x!tt.ptr<f32>, #wide>
    tt.return
  }
  tt.func private @zeros() -> tensor<1024xf32, #narrow> {
    %zero = arith.constant dense<0.0> : tensor<1024xf32, #narrow>
    tt.return %zero : tensor<1024xf32, #narrow>
  }

  // What one branch converts is not there in the other.
  // CHECK-LABEL: @branches(
  // CHECK:         ttg.convert_layout %arg0
  // CHECK:         } else {
  // CHECK:           ttg.convert_layout
  // CHECK-NEXT:      tt.store
  tt.func @branches(%x: tensor<1024xf32, #narrow>, %p: tensor<1024x!tt.ptr<f32>, #wide>, %flag: i1) {
    scf.if %flag {
      %c = ttg.convert_layout %x : tensor<1024xf32, #narrow> -> tensor<1024xf32, #wide>
      tt.store %p, %c : tensor<1024x!tt.ptr<f32>, #wide>
    } else {
      %y = arith.addf %x, %x : tensor<1024xf32, #narrow>
      %d = ttg.convert_layout %y : tensor<1024xf32, #narrow> -> tensor<1024xf32, #wide>
      tt.store %p, %d : tensor<1024x!tt.ptr<f32>, #wide>
    }
    tt.return
  }
}
