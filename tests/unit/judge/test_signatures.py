"""Kernels that take descriptors are compared with what passes make of them."""

import pytest

from xtriton import run_passes, universe
from xtriton.errors import UserError
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import check_equivalent

KERNEL = """
tt.func public @copy(%in: !tt.tensordesc<8x16xf16>, %m: i32, %k: i32, %s: i64, %t: i64,
                     %flag: i1, %out: !tt.tensordesc<8x16xf16>, %q: !tt.ptr<f16>) {
  %c8 = arith.constant 8 : i32
  %c0 = arith.constant 0 : i32
  %pid = tt.get_program_id x : i32
  %i = arith.muli %pid, %c8 : i32
  %x = tt.descriptor_load %in[%i, %c0] : !tt.tensordesc<8x16xf16> -> tensor<8x16xf16>
  tt.descriptor_store %out[%i, %c0], %x : !tt.tensordesc<8x16xf16>, tensor<8x16xf16>
  tt.return
}
"""
PASSES = (
    "triton-rewrite-tensor-descriptor-to-pointer",
    "triton-intel-rewrite-tensor-descriptor-to-pointer",
)


@pytest.mark.parametrize("name", PASSES)
def test_what_a_pass_makes_of_descriptors_is_the_same(name: str):
    original = parse_module(KERNEL, universe.context())
    lowered = run_passes(original.clone(), name)
    arguments = [len(list(m.walk())[1].regions[0].block.args) for m in (original, lowered)]
    assert arguments[1] > arguments[0]
    verdict = check_equivalent(original, lowered)
    assert verdict, verdict.render()


def test_a_row_too_much_is_seen():
    original = parse_module(KERNEL, universe.context())
    changed = parse_module(KERNEL.replace("[%i, %c0], %x", "[%pid, %c0], %x"), universe.context())
    lowered = run_passes(changed, PASSES[0])
    verdict = check_equivalent(original, lowered)
    assert not verdict
    assert "argument 6 (out)" in verdict.render()


def test_other_arguments_are_still_refused():
    original = parse_module(KERNEL, universe.context())
    lowered = run_passes(original.clone(), PASSES[0])
    shorter = parse_module(KERNEL.replace(", %q: !tt.ptr<f16>", ""), universe.context())
    with pytest.raises(UserError, match="different arguments: 7 and 20"):
        check_equivalent(shorter, lowered)
