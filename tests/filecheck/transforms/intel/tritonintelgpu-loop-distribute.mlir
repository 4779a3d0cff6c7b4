// RUN: xtriton-opt %s --split-input-file --tritonintelgpu-loop-distribute | filecheck %s

// Both loops carry the pointers and move them on; what only one product needs is in one loop.
// The loops' attributes stay.
// CHECK-LABEL: @gate_and_up(
// CHECK:         %[[R:.*]]:3 = scf.for
// CHECK-SAME:      iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}, %[[P:.*]] = %arg0)
// CHECK:           %[[X:.*]] = tt.load %[[P]]
// CHECK-NEXT:      %[[V:.*]] = tt.load %arg1
// CHECK-NEXT:      %[[C:.*]] = tt.dot %[[X]], %[[V]], %[[A]]
// CHECK-NEXT:      %[[N:.*]] = tt.addptr %[[P]]
// CHECK-NEXT:      scf.yield %[[C]], %[[B]], %[[N]]
// CHECK-NEXT:    } {tt.num_stages = 3 : i32}
// CHECK:         %[[S:.*]]:3 = scf.for
// CHECK-SAME:      iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}, %[[P:.*]] = %arg0)
// CHECK:           %[[X:.*]] = tt.load %[[P]]
// CHECK-NEXT:      %[[W:.*]] = tt.load %arg2
// CHECK-NEXT:      %[[WT:.*]] = arith.addf %[[W]], %[[W]]
// CHECK-NEXT:      %[[C:.*]] = tt.dot %[[X]], %[[WT]], %[[B]]
// CHECK-NEXT:      %[[N:.*]] = tt.addptr %[[P]]
// CHECK-NEXT:      scf.yield %[[A]], %[[C]], %[[N]]
// CHECK-NEXT:    } {tt.num_stages = 3 : i32}
// CHECK:         tt.store %{{.*}}, %[[R]]#0
// CHECK:         tt.store %{{.*}}, %[[S]]#1
// CHECK:         tt.load %[[R]]#2
tt.func @gate_and_up(%p: tensor<16x16x!tt.ptr<f32>>, %q: tensor<16x16x!tt.ptr<f32>>, %s: tensor<16x16x!tt.ptr<f32>>, %o: tensor<16x16x!tt.ptr<f32>>, %u: tensor<16x16x!tt.ptr<f32>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %step = arith.constant dense<16> : tensor<16x16xi32>
  %zero = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
  %r:3 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero, %b = %zero, %at = %p) -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16x!tt.ptr<f32>>) : i32 {
    %x = tt.load %at : tensor<16x16x!tt.ptr<f32>>
    %v = tt.load %q : tensor<16x16x!tt.ptr<f32>>
    %w = tt.load %s : tensor<16x16x!tt.ptr<f32>>
    %c = tt.dot %x, %v, %a : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
    %w2 = arith.addf %w, %w : tensor<16x16xf32>
    %d = tt.dot %x, %w2, %b : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
    %next = tt.addptr %at, %step : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
    scf.yield %c, %d, %next : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16x!tt.ptr<f32>>
  } {tt.num_stages = 3 : i32}
  tt.store %o, %r#0 : tensor<16x16x!tt.ptr<f32>>
  tt.store %u, %r#1 : tensor<16x16x!tt.ptr<f32>>
  %e = tt.load %r#2 : tensor<16x16x!tt.ptr<f32>>
  tt.store %u, %e : tensor<16x16x!tt.ptr<f32>>
  tt.return
}

// -----

// The loops count as the original does, unsigned; the products may come in any order.
// CHECK-LABEL: @unsigned(
// CHECK:         %[[R:.*]]:2 = scf.for unsigned
// CHECK:           %[[C:.*]] = tt.dot
// CHECK:           scf.yield %{{.*}}, %[[C]]
// CHECK:         %[[S:.*]]:2 = scf.for unsigned
// CHECK:           %[[D:.*]] = tt.dot
// CHECK:           scf.yield %[[D]], %{{.*}}
// CHECK:         tt.store %{{.*}}, %[[S]]#0
// CHECK:         tt.store %{{.*}}, %[[R]]#1
tt.func @unsigned(%x: tensor<16x16xf32>, %q: tensor<16x16x!tt.ptr<f32>>, %o: tensor<16x16x!tt.ptr<f32>>, %u: tensor<16x16x!tt.ptr<f32>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
  %r:2 = scf.for unsigned %k = %c0 to %n step %c1 iter_args(%a = %zero, %b = %zero) -> (tensor<16x16xf32>, tensor<16x16xf32>) : i32 {
    %v = tt.load %q : tensor<16x16x!tt.ptr<f32>>
    %c = tt.dot %x, %v, %b : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
    %d = tt.dot %v, %x, %a : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %d, %c : tensor<16x16xf32>, tensor<16x16xf32>
  }
  tt.store %o, %r#0 : tensor<16x16x!tt.ptr<f32>>
  tt.store %u, %r#1 : tensor<16x16x!tt.ptr<f32>>
  tt.return
}

// -----

// One product after the other, as in attention: the second needs the first.
// CHECK-LABEL: @chained(
// CHECK-COUNT-1: scf.for
// CHECK-NOT:     scf.for
// CHECK:         tt.return
tt.func @chained(%x: tensor<16x16xf32>, %q: tensor<16x16x!tt.ptr<f32>>, %o: tensor<16x16x!tt.ptr<f32>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero, %b = %zero) -> (tensor<16x16xf32>, tensor<16x16xf32>) : i32 {
    %v = tt.load %q : tensor<16x16x!tt.ptr<f32>>
    %c = tt.dot %x, %v, %a : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
    %d = tt.dot %c, %v, %b : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %c, %d : tensor<16x16xf32>, tensor<16x16xf32>
  }
  tt.store %o, %r#1 : tensor<16x16x!tt.ptr<f32>>
  tt.return
}

// -----

// What is stored in the loop may be what it loads; what is carried reads an accumulator, in a
// region.
// CHECK-LABEL: @stores(
// CHECK-COUNT-2: scf.for
// CHECK-NOT:     scf.for
// CHECK:         tt.return
tt.func @stores(%x: tensor<16x16xf32>, %q: tensor<16x16x!tt.ptr<f32>>, %o: tensor<16x16x!tt.ptr<f32>>, %n: i32, %if: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero, %b = %zero) -> (tensor<16x16xf32>, tensor<16x16xf32>) : i32 {
    %v = tt.load %q : tensor<16x16x!tt.ptr<f32>>
    tt.store %q, %x : tensor<16x16x!tt.ptr<f32>>
    %c = tt.dot %x, %v, %a : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
    %d = tt.dot %v, %x, %b : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %c, %d : tensor<16x16xf32>, tensor<16x16xf32>
  }
  tt.store %o, %r#1 : tensor<16x16x!tt.ptr<f32>>
  %s:3 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero, %b = %zero, %e = %zero) -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) : i32 {
    %v = tt.load %q : tensor<16x16x!tt.ptr<f32>>
    %c = tt.dot %x, %v, %a : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
    %d = tt.dot %v, %x, %b : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
    %f = scf.if %if -> tensor<16x16xf32> {
      %g = arith.addf %e, %b : tensor<16x16xf32>
      scf.yield %g : tensor<16x16xf32>
    } else {
      scf.yield %e : tensor<16x16xf32>
    }
    scf.yield %c, %d, %f : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
  }
  tt.store %o, %s#2 : tensor<16x16x!tt.ptr<f32>>
  tt.return
}

// -----

// What an operand adds to memory is added once.
// CHECK-LABEL: @counts(
// CHECK-COUNT-1: scf.for
// CHECK-NOT:     scf.for
// CHECK:         tt.return
tt.func @counts(%x: tensor<16x16xf32>, %q: tensor<16x16x!tt.ptr<f32>>, %o: tensor<16x16x!tt.ptr<f32>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
  %true = arith.constant dense<true> : tensor<16x16xi1>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero, %b = %zero) -> (tensor<16x16xf32>, tensor<16x16xf32>) : i32 {
    %v = tt.atomic_rmw fadd, acq_rel, gpu, %q, %x, %true : (tensor<16x16x!tt.ptr<f32>>, tensor<16x16xf32>, tensor<16x16xi1>) -> tensor<16x16xf32>
    %c = tt.dot %x, %v, %a : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
    %d = tt.dot %v, %x, %b : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %c, %d : tensor<16x16xf32>, tensor<16x16xf32>
  }
  tt.store %o, %r#1 : tensor<16x16x!tt.ptr<f32>>
  tt.return
}
