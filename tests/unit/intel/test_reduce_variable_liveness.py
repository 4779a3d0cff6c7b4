"""Which loads are moved into loops by whose rules."""

import pytest

from xtriton.ir.reading.parser import parse_module
from xtriton.ir.versions import Version, rules_of
from xtriton.universe import context, pass_class

KERNEL = """
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2,
                   threadsPerWarp = 16, warpsPerCTA = [8, 1], repCluster = [2, 1]}>
#dot0 = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#dot1 = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-warps" = 8 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @k(%p: !tt.ptr<f16>, %y: tensor<128x16xf16, #dot1>, %zero: tensor<128x16xf32, #mma>,
             %c: i32) -> tensor<128x16xf32, #mma> {
    %ps = tt.splat %p : !tt.ptr<f16> -> tensor<128x128x!tt.ptr<f16>, #dot0>
    %x = tt.load %ps {ttig.block_io = "row_major"} : tensor<128x128x!tt.ptr<f16>, #dot0>
    %sum = scf.for %i = %c to %c step %c iter_args(%a = %zero) -> (tensor<128x16xf32, #mma>) : i32 {
      %d = tt.dot %x, %y, %a : tensor<128x128xf16, #dot0> * tensor<128x16xf16, #dot1>
          -> tensor<128x16xf32, #mma>
      scf.yield %d : tensor<128x16xf32, #mma>
    }
    tt.return %sum : tensor<128x16xf32, #mma>
  }
}
"""


@pytest.mark.parametrize(("rules", "prefetches"), [((3, 7), 1), ((3, 9), 0)])
def test_pointers_are_of_january(rules: Version, prefetches: int) -> None:
    with rules_of(rules):
        module = parse_module(KERNEL, context())
        pass_class("tritonintelgpu-reduce-variable-liveness")().apply(context(), module)
    assert sum(op.name == "ttig.prefetch" for op in module.walk()) == prefetches
