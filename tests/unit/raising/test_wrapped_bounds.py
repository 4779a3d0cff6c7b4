"""A remainder by a 64-bit number wraps where the program does, however large the number is."""

import pytest

from xtriton.ir.reading.parser import parse_module
from xtriton.ir.versions import copied
from xtriton.ir.writing.printer import print_module
from xtriton.judge import check_equivalent
from xtriton.passes.manager import PassManager, make_steps
from xtriton.passes.pipeline import parse_pipeline
from xtriton.universe import context

KERNEL = """
tt.func public @k(%in: !tt.ptr<f32>, %out: !tt.ptr<f32>, %k: i64) {
  %c256 = arith.constant 256 : i32
  %pid = tt.get_program_id x : i32
  %b = arith.muli %pid, %c256 : i32
  %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
  %bs = tt.splat %b : i32 -> tensor<256xi32>
  %i = arith.addi %bs, %r : tensor<256xi32>
  %x = arith.extsi %i : tensor<256xi32> to tensor<256xi64>
  %ks = tt.splat %k : i64 -> tensor<256xi64>
  %m = arith.remsi %x, %ks : tensor<256xi64>
  %c64 = arith.constant dense<STRIDE> : tensor<256xi64>
  %o = arith.muli %m, %c64 : tensor<256xi64>
  %ps = tt.splat %in : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
  %p = tt.addptr %ps, %o : tensor<256x!tt.ptr<f32>>, tensor<256xi64>
  %v = tt.load %p : tensor<256x!tt.ptr<f32>>
  %qs = tt.splat %out : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
  %q = tt.addptr %qs, %i : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
  tt.store %q, %v : tensor<256x!tt.ptr<f32>>
  tt.return
}
"""


@pytest.mark.parametrize("stride, bounded", [(64, True), (-64, True), (1, False)])
def test_the_bound_of_a_remainder_does_not_overflow(stride: int, bounded: bool):
    module = parse_module(KERNEL.replace("STRIDE", str(stride)), context())
    raised = copied(module)
    PassManager(context(), make_steps(parse_pipeline("triton-to-structured"))).run(raised)
    assert ("arith.minsi" in print_module(raised)) is bounded
    for k in (2**63 - 1, -(2**63), 2**57 + 1, 100):
        verdict = check_equivalent(module, raised, given={2: k})
        assert verdict, (k, verdict)
        assert verdict.draws
