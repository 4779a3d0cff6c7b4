// RUN: xtriton-opt %s --tritonintelgpu-code-sinking | filecheck %s

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // A load, with what is made of it and what it is made of, the sum of a row included. A
  // prefetch changes nothing; the store is the first use.
  // CHECK-LABEL: @chain(
  // CHECK-NOT:     tt.load %{{.*}} : tensor<64x!tt.ptr<f32>
  // CHECK:         ttig.prefetch
  // CHECK-NEXT:    scf.for
  // CHECK-NOT:       tt.load
  // CHECK:         }
  // CHECK:         %[[X:.*]] = tt.load
  // CHECK-NEXT:    %[[S:.*]] = "tt.reduce"(%[[X]])
  // CHECK:         %[[Y:.*]] = arith.addf %{{.*}}, %[[S]]
  // CHECK-NEXT:    tt.store %arg1, %[[Y]]
  tt.func @chain(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0.0 : f32
    %half = arith.constant 0.5 : f32
    %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #blocked>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
    %pi = tt.addptr %ps, %i : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %x = tt.load %pi : tensor<64x!tt.ptr<f32>, #blocked>
    %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%u: f32, %v: f32):
      %w = arith.addf %u, %v : f32
      tt.reduce.return %w : f32
    }) : (tensor<64xf32, #blocked>) -> f32
    ttig.prefetch %pi {cache = 1 : i32, evict = 1 : i32, isVolatile = false} : tensor<64x!tt.ptr<f32>, #blocked>
    %sum = scf.for %j = %c0 to %n step %c1 iter_args(%a = %zero) -> (f32) : i32 {
      %b = arith.addf %a, %half : f32
      scf.yield %b : f32
    }
    %y = arith.addf %sum, %s : f32
    tt.store %q, %y : !tt.ptr<f32>
    tt.return
  }

  // CHECK-LABEL: @stored(
  // CHECK:         scf.if
  // CHECK:         else
  // CHECK:         }
  // CHECK-NEXT:    %[[X:.*]] = tt.load
  // CHECK-NEXT:    tt.store %arg1, %[[X]]
  tt.func @stored(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %c: i1, %a: f32) {
    %x = tt.load %p : !tt.ptr<f32>
    %y = scf.if %c -> (f32) {
      scf.yield %a : f32
    } else {
      %b = arith.addf %a, %a : f32
      scf.yield %b : f32
    }
    tt.store %q, %x : !tt.ptr<f32>
    tt.store %q, %y : !tt.ptr<f32>
    tt.return
  }

  // Something writes on the way, in the branch or behind it.
  // CHECK-LABEL: @written_inside(
  // CHECK-NEXT:    tt.load
  // CHECK-NEXT:    scf.if
  // CHECK-LABEL: @written_behind(
  // CHECK-NEXT:    tt.load
  // CHECK-NEXT:    scf.if
  tt.func @written_inside(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %c: i1, %a: f32) {
    %x = tt.load %p : !tt.ptr<f32>
    scf.if %c {
      tt.store %p, %a : !tt.ptr<f32>
    }
    tt.store %q, %x : !tt.ptr<f32>
    tt.return
  }
  tt.func @written_behind(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %c: i1, %a: f32) {
    %x = tt.load %p : !tt.ptr<f32>
    %y = scf.if %c -> (f32) {
      scf.yield %a : f32
    } else {
      %b = arith.addf %a, %a : f32
      scf.yield %b : f32
    }
    tt.store %p, %y : !tt.ptr<f32>
    tt.store %q, %x : !tt.ptr<f32>
    tt.return
  }

  // The branch uses the value, or no branch is between.
  // CHECK-LABEL: @used_inside(
  // CHECK-NEXT:    tt.load
  // CHECK-NEXT:    tt.load
  // CHECK-NEXT:    scf.if
  // CHECK:         else
  // CHECK:         }
  // CHECK-NEXT:    arith.mulf
  // CHECK-NEXT:    arith.mulf
  tt.func @used_inside(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %c: i1, %a: f32) {
    %x = tt.load %p : !tt.ptr<f32>
    %z = tt.load %q : !tt.ptr<f32>
    %y = scf.if %c -> (f32) {
      scf.yield %x : f32
    } else {
      %e = arith.addf %a, %z : f32
      scf.yield %e : f32
    }
    %m = arith.mulf %x, %y : f32
    %o = arith.mulf %z, %y : f32
    %r = arith.addf %o, %m : f32
    tt.store %q, %r : !tt.ptr<f32>
    tt.return
  }

  // Shared memory is read before it is freed.
  // CHECK-LABEL: @freed(
  // CHECK:         ttg.local_load
  // CHECK-NEXT:    ttg.local_dealloc
  tt.func @freed(%x: tensor<64xf32, #blocked>, %c: i1, %a: f32) -> (f32, tensor<64xf32, #blocked>) {
    %m = ttg.local_alloc %x : (tensor<64xf32, #blocked>) -> !ttg.memdesc<64xf32, #shared, #smem>
    %l = ttg.local_load %m : !ttg.memdesc<64xf32, #shared, #smem> -> tensor<64xf32, #blocked>
    ttg.local_dealloc %m : !ttg.memdesc<64xf32, #shared, #smem>
    %y = scf.if %c -> (f32) {
      scf.yield %a : f32
    } else {
      %e = arith.addf %a, %a : f32
      scf.yield %e : f32
    }
    %r = arith.addf %l, %l : tensor<64xf32, #blocked>
    tt.return %y, %r : f32, tensor<64xf32, #blocked>
  }
}
