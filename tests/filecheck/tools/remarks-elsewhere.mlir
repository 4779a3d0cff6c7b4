// RUN: xtriton-opt %s --load-pass-plugin=%S/Inputs/plugin.py --plugin-remark --xtriton-report=%t 2>&1 | filecheck %s
// RUN: filecheck --input-file=%t --check-prefix=REPORT %s
// RUN: not xtriton-opt %s --load-pass-plugin=%S/Inputs/plugin.py --plugin-remark --verify-diagnostics 2>&1 | filecheck %s --check-prefix=UNEXPECTED

// UNEXPECTED: kernel.py:21:3: error: unexpected remark: an addition
// An op that comes from another file.
// CHECK:      kernel.py:21:3: remark: an addition
// REPORT:     "remarks": [
// REPORT:     "message": "an addition",
// REPORT-NEXT: "place": "kernel.py:21:3"
func.func @three(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32 loc("kernel.py":21:3)
  return %0 : i32
}
