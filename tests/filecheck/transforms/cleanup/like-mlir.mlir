// The result is what real MLIR prints.
// REQUIRES: mlir-opt
// RUN: xtriton-opt %s --canonicalize > %t.ours && mlir-opt %s --canonicalize > %t.theirs && diff -B %t.ours %t.theirs
// RUN: xtriton-opt %s --cse > %t.ours && mlir-opt %s --cse > %t.theirs && diff -B %t.ours %t.theirs
// RUN: xtriton-opt %s --inline > %t.ours && mlir-opt %s --inline > %t.theirs && diff -B %t.ours %t.theirs
// RUN: xtriton-opt %s --loop-invariant-code-motion > %t.ours && mlir-opt %s --loop-invariant-code-motion > %t.theirs && diff -B %t.ours %t.theirs
// RUN: xtriton-opt %s --sccp > %t.ours && mlir-opt %s --sccp > %t.theirs && diff -B %t.ours %t.theirs
// RUN: xtriton-opt %s --symbol-dce > %t.ours && mlir-opt %s --symbol-dce > %t.theirs && diff -B %t.ours %t.theirs
// RUN: xtriton-opt %s --canonicalize --cse --canonicalize > %t.ours && mlir-opt %s --canonicalize --cse --canonicalize > %t.theirs && diff -B %t.ours %t.theirs

func.func @arith(%a: i32, %b: i32, %t: tensor<4xi32>, %p: i1, %f: f32) -> (i32, i32, i32, i1, tensor<4xi32>, i32, i64, i1, i32, f32, f32) {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %0 = arith.addi %c0, %a : i32
  %1 = arith.addi %0, %c3 : i32
  %2 = arith.addi %1, %c4 : i32
  %3 = arith.subi %b, %b : i32
  %4 = arith.muli %c3, %c4 : i32
  %5 = arith.cmpi slt, %c3, %a : i32
  %true = arith.constant true
  %6 = arith.xori %5, %true : i1
  %d = arith.constant dense<0> : tensor<4xi32>
  %7 = arith.addi %t, %d : tensor<4xi32>
  %e = arith.extsi %a : i32 to i64
  %8 = arith.trunci %e : i64 to i32
  %z = arith.extui %p : i1 to i32
  %9 = arith.extsi %z : i32 to i64
  %10 = arith.cmpi ne, %z, %c0 : i32
  %11 = arith.select %p, %c3, %c3 : i32
  %k = arith.constant 2.5 : f32
  %k2 = arith.constant 4.0 : f32
  %12 = arith.mulf %k, %k2 : f32
  %one = arith.constant 1.0 : f32
  %13 = arith.mulf %f, %one : f32
  return %2, %3, %4, %6, %7, %8, %9, %10, %11, %12, %13 : i32, i32, i32, i1, tensor<4xi32>, i32, i64, i1, i32, f32, f32
}
func.func @extrema(%a: f32) -> (f32, f32, f32, f32, f32, f32) {
  %ninf = arith.constant 0xFF800000 : f32
  %inf = arith.constant 0x7F800000 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %0 = arith.maxnumf %a, %ninf : f32
  %1 = arith.minnumf %a, %inf : f32
  %2 = arith.maximumf %a, %ninf : f32
  %3 = arith.minimumf %a, %inf : f32
  %4 = arith.maxnumf %a, %nan : f32
  %5 = arith.minnumf %a, %nan : f32
  return %0, %1, %2, %3, %4, %5 : f32, f32, f32, f32, f32, f32
}
func.func @extended_i1(%p: i1, %v: vector<4xi1>, %t: tensor<4xi1>) -> (i1, vector<4xi1>, tensor<4xi1>) {
  %c0 = arith.constant 0 : i32
  %0 = arith.extsi %p : i1 to i32
  %1 = arith.cmpi ne, %0, %c0 : i32
  %v0 = arith.constant dense<0> : vector<4xi32>
  %2 = arith.extui %v : vector<4xi1> to vector<4xi32>
  %3 = arith.cmpi ne, %2, %v0 : vector<4xi32>
  %t0 = arith.constant dense<0> : tensor<4xi32>
  %4 = arith.extui %t : tensor<4xi1> to tensor<4xi32>
  %5 = arith.cmpi ne, %4, %t0 : tensor<4xi32>
  return %1, %3, %5 : i1, vector<4xi1>, tensor<4xi1>
}
func.func @scf(%a: i32, %b: i32, %n: index, %p: i1) -> (i32, i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %t = arith.constant true
  %r = scf.if %t -> i32 {
    %x = arith.addi %a, %b : i32
    scf.yield %x : i32
  } else {
    scf.yield %b : i32
  }
  %f:3 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %a, %v = %b, %w = %a) -> (i32, i32, i32) {
    %y = arith.addi %u, %v : i32
    %yy = arith.muli %w, %y : i32
    scf.yield %y, %v, %yy : i32, i32, i32
  }
  %g = scf.for %i = %c0 to %c1 step %c1 iter_args(%u = %a) -> (i32) {
    %j = arith.index_cast %i : index to i32
    %y = arith.addi %u, %j : i32
    scf.yield %y : i32
  }
  %h = scf.for %i = %c5 to %c1 step %c1 iter_args(%u = %a) -> (i32) {
    scf.yield %b : i32
  }
  %q:2 = scf.if %p -> (i32, i32) {
    %x = arith.muli %a, %b : i32
    scf.yield %a, %x : i32, i32
  } else {
    scf.yield %a, %b : i32, i32
  }
  %s = arith.addi %q#0, %h : i32
  return %r, %f#0, %g, %s : i32, i32, i32, i32
}
func.func @cf(%a: i32, %p: i1) -> i32 {
  %t = arith.constant false
  cf.cond_br %t, ^bb1, ^bb2(%a : i32)
^bb1:
  cf.br ^bb2(%a : i32)
^bb2(%x: i32):
  %y = arith.addi %x, %x : i32
  return %y : i32
}
func.func private @square(%x: i32) -> i32 {
  %y = arith.muli %x, %x : i32
  return %y : i32
}
func.func private @abs(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %p = arith.cmpi slt, %x, %c0 : i32
  cf.cond_br %p, ^neg, ^pos
^neg:
  %n = arith.subi %c0, %x : i32
  return %n : i32
^pos:
  %s = call @square(%x) : (i32) -> i32
  return %s : i32
}
func.func private @rec(%x: i32) -> i32 {
  %s = call @rec(%x) : (i32) -> i32
  return %s : i32
}
func.func @calls(%a: i32, %n: index) -> i32 {
  %0 = call @square(%a) : (i32) -> i32
  %1 = call @abs(%0) : (i32) -> i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %2 = scf.for %i = %c0 to %n step %c1 iter_args(%k = %1) -> (i32) {
    %3 = func.call @square(%k) : (i32) -> i32
    %4 = func.call @abs(%3) : (i32) -> i32
    scf.yield %4 : i32
  }
  %5 = call @rec(%2) : (i32) -> i32
  return %5 : i32
}
func.func @loop(%p: i1) -> i32 {
  %c1 = arith.constant 1 : i32
  cf.br ^loop(%c1 : i32)
^loop(%x: i32):
  %y = arith.muli %x, %x : i32
  cf.cond_br %p, ^loop(%y : i32), ^end
^end:
  return %x : i32
}
func.func @scf_constants(%a: i32, %n: index) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %t = arith.cmpi slt, %c2, %c3 : i32
  %0 = scf.if %t -> i32 {
    scf.yield %c2 : i32
  } else {
    scf.yield %a : i32
  }
  %1:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c2, %y = %a) -> (i32, i32) {
    %s = arith.muli %x, %c3 : i32
    %d = arith.divsi %s, %c3 : i32
    %u = arith.addi %y, %d : i32
    scf.yield %d, %u : i32, i32
  }
  return %0, %1#0, %1#1 : i32, i32, i32
}
func.func @unused_arguments(%a: i32, %b: i32, %c: i1) -> i32 {
  cf.cond_br %c, ^one(%a, %b : i32, i32), ^one(%b, %a : i32, i32)
^one(%x: i32, %y: i32):
  cf.cond_br %c, ^one(%x, %y : i32, i32), ^two
^two:
  return %x : i32
}

func.func @combined_constants(%x: tensor<256xi32>, %s: i32) -> (tensor<256xi32>, i32) {
  %ones = arith.constant dense<-1> : tensor<256xi32>
  %nines = arith.constant dense<999> : tensor<256xi32>
  %one = arith.constant -1 : i32
  %nine = arith.constant 999 : i32
  %0 = arith.addi %x, %ones : tensor<256xi32>
  %1 = arith.subi %nines, %0 : tensor<256xi32>
  %2 = arith.addi %1, %ones : tensor<256xi32>
  %3 = arith.addi %s, %one : i32
  %4 = arith.subi %nine, %3 : i32
  return %2, %4 : tensor<256xi32>, i32
}
func.func private @used(i32)
func.func @rows(%c: i1, %d: i1, %x: i32, %n: index) -> (i32, i32) {
  %true = arith.constant true
  %a = scf.if %c -> i32 {
    %r = arith.muli %x, %x : i32
    func.call @used(%r) : (i32) -> ()
    scf.yield %r : i32
  } else {
    func.call @used(%x) : (i32) -> ()
    scf.yield %x : i32
  }
  scf.if %c {
    func.call @used(%a) : (i32) -> ()
    scf.if %d {
      func.call @used(%a) : (i32) -> ()
      }
  }
  %b = scf.if %c -> i32 {
    %r = arith.addi %x, %a : i32
    func.call @used(%r) : (i32) -> ()
    scf.yield %r : i32
  } else {
    func.call @used(%a) : (i32) -> ()
    scf.yield %a : i32
  }
  return %a, %b : i32, i32
}
func.func @rows_negated(%c: i1, %x: i32) {
  %true = arith.constant true
  %n = arith.xori %c, %true : i1
  scf.if %c {
    func.call @used(%x) : (i32) -> ()
  }
  scf.if %n {
    %r = arith.addi %x, %x : i32
    func.call @used(%r) : (i32) -> ()
  }
  scf.if %c {
    %r = arith.muli %x, %x : i32
    func.call @used(%r) : (i32) -> ()
  } else {
    func.call @used(%x) : (i32) -> ()
  }
  return
}
