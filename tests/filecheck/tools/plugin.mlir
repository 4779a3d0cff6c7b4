// RUN: xtriton-opt %s --load-pass-plugin=%S/Inputs/plugin.py --plugin-add-to-mul | filecheck %s
// RUN: xtriton-opt %s --load-pass-plugin=%S/Inputs/plugin.py --plugin-add-to-mul=limit=1 | filecheck %s --check-prefix=LIMIT
// RUN: xtriton-opt %s --load-pass-plugin %S/Inputs/plugin.py --plugin-add-to-mul --mlir-print-debuginfo | filecheck %s --check-prefix=LOC
// RUN: xtriton-opt --load-pass-plugin=%S/Inputs/plugin.py --show-passes | filecheck %s --check-prefix=LIST
// RUN: not xtriton-opt %s --load-pass-plugin=%S/Inputs/none.py 2>&1 | filecheck %s --check-prefix=NONE

// CHECK:      arith.muli
// LIMIT:      arith.addi
// LOC:        arith.muli {{.*}} loc([[L:#.*]])
// LOC:        [[L]] = loc("a.py":1:2)
// LIST:       --plugin-add-to-mul {{ *}} Turn additions into multiplications.
// LIST-NEXT:  limit=int (default 2)
// NONE:       error: cannot read the pass plug-in
func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32 loc("a.py":1:2)
  return %0 : i32
}
