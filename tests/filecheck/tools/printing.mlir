// What goes to standard error does not go to standard output.
// RUN: xtriton-opt %s --cse --dce --mlir-print-ir-after-all 2>%t.err | filecheck %s --check-prefix=OUT
// RUN: cat %t.err | filecheck %s --check-prefix=AFTER
// RUN: xtriton-opt %s --cse --dce --mlir-print-ir-before=dce --mlir-print-ir-after=cse 2>&1 | filecheck %s --check-prefix=SOME
// RUN: xtriton-opt %s --cse --dce --mlir-print-ir-after-change 2>&1 | filecheck %s --check-prefix=CHANGE
// RUN: xtriton-opt %s --cse --mlir-timing 2>&1 >%t.out | filecheck %s --check-prefix=TIME
// RUN: xtriton-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// OUT-NOT:   IR Dump
// OUT:       func.func @f
// AFTER:     // -----// IR Dump After CSEPass (cse) //----- //
// AFTER-NEXT: module {
// AFTER:     // -----// IR Dump After DCEPass (dce) //----- //
// AFTER-NEXT: module {
// SOME:      IR Dump After CSEPass (cse)
// SOME:      IR Dump Before DCEPass (dce)
// SOME-NOT:  IR Dump
// CHANGE:    IR Dump After CSEPass (cse)
// CHANGE-NOT: IR Dump
// TIME:      Execution time report
// TIME:      Parser
// TIME:      CSEPass
// TIME:      Total
// GENERIC:   "arith.addi"(%arg0, %arg0)
func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  %2 = arith.addi %0, %1 : i32
  return %2 : i32
}
