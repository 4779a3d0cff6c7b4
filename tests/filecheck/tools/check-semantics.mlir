// RUN: xtriton-opt %s --xtriton-check-semantics --canonicalize --cse | filecheck %s
// RUN: not xtriton-opt %s --xtriton-check-semantics --load-pass-plugin=%S/Inputs/plugin.py --cse --plugin-add-to-mul 2>&1 | filecheck %s --check-prefix=WRONG

// CHECK:      tt.func @kernel
// WRONG:      error: pass 'plugin-add-to-mul' changes what a kernel does
// WRONG-NEXT: kernel:
// WRONG:      This is a bug of the pass 'plugin-add-to-mul'
// WRONG:      --run-reproducer check-semantics.plugin-add-to-mul.reproducer.mlir
tt.func @kernel(%p: !tt.ptr<i32>, %n: i32) {
  %0 = arith.addi %n, %n : i32
  %1 = arith.addi %n, %n : i32
  %2 = arith.xori %0, %1 : i32
  %3 = arith.addi %2, %0 : i32
  tt.store %p, %3 : !tt.ptr<i32>
  tt.return
}
