"""`--xtriton-check-semantics` holds a pass to the tolerance that it declares."""

from __future__ import annotations

import io

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import FloatAttr, ModuleOp, f32
from xdsl.passes import ModulePass

from xtriton.dialects.upstream.arith import AddfOp, ConstantOp, MulfOp
from xtriton.ir.reading.parser import parse_module
from xtriton.passes.manager import PassCrash, PassManager, Step
from xtriton.tools.semantics_check import SemanticsCheck
from xtriton.universe import context

KERNEL = """
tt.func public @add(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {
  %a = tt.load %x : !tt.ptr<f32>
  %b = arith.addf %a, %a : f32
  tt.store %y, %b : !tt.ptr<f32>
  tt.return
}
"""


class OffByAMillionthPass(ModulePass):
    """Multiply a sum by a number that is nearly 1."""

    name = "off-by-a-millionth"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for found in [o for o in op.walk() if isinstance(o, AddfOp)]:
            assert found.parent is not None
            factor = ConstantOp(FloatAttr(1.000001, f32))
            product = MulfOp(found.result, factor.result)
            found.result.replace_all_uses_with(product.result)
            product.operands[0] = found.result
            found.parent.insert_ops_after([factor, product], found)


class SaysSoPass(OffByAMillionthPass):
    """The same, and it says so."""

    name = "says-so"
    tolerance = 1e-5


def run(instance: ModulePass) -> None:
    check = SemanticsCheck(io.StringIO(), seconds=1.0)
    PassManager(context(), [Step(instance, ())], True, [check]).run(parse_module(KERNEL, context()))


def test_a_pass_may_be_off_by_what_it_says():
    run(SaysSoPass())


def test_a_pass_that_says_nothing_may_not_be_off():
    with pytest.raises(PassCrash, match="changes what a kernel does"):
        run(OffByAMillionthPass())
