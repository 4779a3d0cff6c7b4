// A bug is called one, whose it is, and leaves a file that shows it again.
// RUN: not xtriton-opt %s --load-pass-plugin=%S/Inputs/plugin.py --cse --plugin-crash 2>&1 | filecheck %s
// RUN: filecheck --input-file bugs.plugin-crash.reproducer.mlir --check-prefix=FILE %s
// RUN: not xtriton-opt --load-pass-plugin=%S/Inputs/plugin.py --run-reproducer bugs.plugin-crash.reproducer.mlir 2>&1 | filecheck %s
// RUN: not xtriton-opt %s --load-pass-plugin=%S/Inputs/plugin.py --plugin-break --mlir-pass-pipeline-crash-reproducer=%t 2>&1 | filecheck %s --check-prefix=BROKEN
// RUN: not xtriton-opt %s --load-pass-plugin=%S/Inputs/plugin.py --cse --plugin-crash --mlir-print-ir-after-failure 2>&1 | filecheck %s --check-prefix=DUMP

// CHECK:      error: pass 'plugin-crash' raised ZeroDivisionError: nothing left
// CHECK-NEXT: raised at {{.*}}plugin.py:{{[0-9]+}}
// CHECK-NEXT: This is a bug of the pass 'plugin-crash', not of your input.
// CHECK-NEXT: To see it again: xtriton-opt --run-reproducer {{.*}}plugin-crash.reproducer.mlir
// CHECK-NOT:  Traceback

// What was done before is done: one addition is left.
// FILE:       func.func @f
// FILE-COUNT-1: arith.addi
// FILE-NOT:   arith.addi
// FILE:       mlir_reproducer
// FILE:       pipeline: "builtin.module(plugin-crash)"

// BROKEN:     error: pass 'plugin-break' left a module that is not valid:
// BROKEN:     This is a bug of the pass 'plugin-break', not of your input.

// Only the pass that fails is told of.
// DUMP-NOT:   IR Dump
// DUMP:       // -----// IR Dump After PluginCrashPass Failed (plugin-crash) //----- //
// DUMP-NEXT:  module {
// DUMP-COUNT-1: arith.addi
// DUMP-NOT:   {{arith.addi|IR Dump}}
// DUMP:       error: pass 'plugin-crash' raised ZeroDivisionError
func.func @f(%a: i32) -> (i32, i32) {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  return %0, %1 : i32, i32
}
