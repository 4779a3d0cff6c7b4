// RUN: xtriton-opt %s --split-input-file --xtriton-check-semantics --canonicalize --cse | filecheck %s
// RUN: not xtriton-opt %s --split-input-file --xtriton-check-semantics --load-pass-plugin=%S/Inputs/plugin.py --cse --plugin-add-to-mul 2>&1 | filecheck %s --check-prefix=WRONG
// RUN: filecheck --input-file check-semantics.plugin-add-to-mul.reproducer.mlir --check-prefix=BOTH %s
// RUN: filecheck --input-file check-semantics.plugin-add-to-mul.reproducer.small.mlir --check-prefix=SMALL %s
// RUN: not xtriton-opt --load-pass-plugin=%S/Inputs/plugin.py --xtriton-check-semantics --run-reproducer check-semantics.plugin-add-to-mul.reproducer.small.mlir 2>&1 | filecheck %s --check-prefix=AGAIN
// RUN: xtriton-opt --load-pass-plugin=%S/Inputs/plugin.py --run-reproducer check-semantics.plugin-add-to-mul.reproducer.small.mlir | filecheck %s --check-prefix=RERUN

// CHECK:      tt.func @kernel
// WRONG:      error: pass 'plugin-add-to-mul' changes what a kernel does
// WRONG-NEXT: kernel: argument 0 (p), element 0 of i32: original
// WRONG-NEXT:   original: program 0 writes there by 'tt.store' at kernel.py:7:4
// WRONG-NEXT:   rewritten: program 0 writes there by 'tt.store' at kernel.py:7:4
// WRONG:      This is a bug of the pass 'plugin-add-to-mul'
// WRONG-NEXT: To see it again: xtriton-opt --xtriton-check-semantics --run-reproducer check-semantics.plugin-add-to-mul.reproducer.mlir
// WRONG-NEXT: to compare them: xtriton-check check-semantics.plugin-add-to-mul.reproducer.mlir
// WRONG-NEXT: A smaller kernel that shows it ({{[3-5]}} ops of {{[0-9]+}}): check-semantics.plugin-add-to-mul.reproducer.small.mlir
// WRONG-NEXT: kernel: argument 0 (p), element 0 of i32: original
// WRONG-NEXT:   original: program 0 writes there by 'tt.store' at kernel.py:7:4

// The whole module before and after the pass, and the pass.
// BOTH:       // pass 'plugin-add-to-mul' changes what a kernel does
// BOTH:       arith.xori
// BOTH:       // -----
// BOTH:       // After 'plugin-add-to-mul':
// BOTH:       arith.muli
// BOTH:       arith.xori
// BOTH:       pipeline: "builtin.module(plugin-add-to-mul)"

// The loop, the branch, the other function and all that the difference does not need are gone.
// SMALL-NOT:  {{^ .*(scf\.|xori|@other)}}
// SMALL:      tt.func @kernel
// SMALL-NEXT:   [[X:%.*]] = arith.addi
// SMALL-NEXT:   tt.store {{%.*}}, [[X]]
// SMALL-NEXT:   tt.return
// SMALL-NOT:  {{^ .*(scf\.|xori|@other)}}
// SMALL:      // -----
// SMALL:      [[X:%.*]] = arith.muli
// SMALL-NEXT:   tt.store {{%.*}}, [[X]]

// AGAIN:      error: pass 'plugin-add-to-mul' changes what a kernel does

// RERUN:      arith.muli
// RERUN-NOT:  tt.func
tt.func @kernel(%p: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %positive = arith.cmpi sgt, %n, %c0 : i32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%x = %n) -> (i32) : i32 {
    %0 = arith.xori %x, %i : i32
    scf.yield %0 : i32
  }
  %chosen = scf.if %positive -> (i32) {
    %1 = arith.addi %sum, %n : i32
    %2 = arith.xori %1, %n : i32
    scf.yield %2 : i32
  } else {
    scf.yield %c1 : i32
  }
  tt.store %p, %chosen : !tt.ptr<i32> loc("kernel.py":7:4)
  tt.return
}

tt.func @other(%p: !tt.ptr<i32>, %n: i32) {
  tt.store %p, %n : !tt.ptr<i32>
  tt.return
}
