"""Matchers, made ops and facts: what a pass of one's own works with."""

from __future__ import annotations

from typing import Any

import pytest
from xdsl.dialects.builtin import DenseArrayBase, i1, i32
from xdsl.ir import Block, Operation, Region, SSAValue

import xtriton as xt
from xtriton.dialects.tt import (
    AssertOp,
    LoadOp,
    MakeRangeOp,
    PrintOp,
    ScanOp,
    ScanReturnOp,
    SplatOp,
)
from xtriton.dialects.upstream.arith import AddiOp, AndIOp, MuliOp, RemUIOp

TEXT = """
tt.func public @f(%x: i32 {tt.divisibility = 16 : i32}, %out: !tt.ptr<i32>) {
  %c8 = arith.constant 8 : i32
  %s8 = tt.splat %c8 : i32 -> tensor<16xi32>
  %d8 = arith.constant dense<8> : tensor<16xi32>
  %i = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %xs = tt.splat %x : i32 -> tensor<16xi32>
  %a = arith.addi %xs, %i : tensor<16xi32>
  %r = arith.remui %a, %d8 : tensor<16xi32> loc("kernel.py":7:3)
  %m = arith.muli %s8, %a : tensor<16xi32>
  %p = tt.splat %out : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  %at = tt.addptr %p, %i : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  tt.store %at, %r : tensor<16x!tt.ptr<i32>>
  tt.store %at, %m : tensor<16x!tt.ptr<i32>>
  tt.return
}
"""


@pytest.fixture
def module() -> Any:
    return xt.parse(TEXT)


def ops(module: Operation, name: str) -> list[Any]:
    return [op for op in module.walk() if op.name == name]


def value_of(module: Operation, name: str) -> SSAValue:
    return ops(module, name)[0].results[0]


@pytest.mark.parametrize("name, matcher, expected", [
    ("arith.remui", xt.m_op(RemUIOp, xt.m_any(), xt.m_constant("by")), {"by": 8}),
    ("arith.remui", xt.m_op(RemUIOp, xt.m_any(), xt.m_constant("by", value=8)), {"by": 8}),
    ("arith.remui", xt.m_op(RemUIOp, xt.m_any(), xt.m_constant(value=7)), None),
    # A remainder is not the same the other way round; a product is.
    ("arith.remui", xt.m_op(RemUIOp, xt.m_constant("by"), xt.m_any()), None),
    ("arith.muli", xt.m_op(MuliOp, xt.m_any(), xt.m_constant("by")), {"by": 8}),
    ("arith.muli", xt.m_op(AddiOp), None),
    ("arith.addi", xt.m_op(AddiOp, xt.m_range("i"), xt.m_splat()), {"i": range(16)}),
    ("arith.addi", xt.m_either(xt.m_constant(), xt.m_op(AddiOp)), {}),
    # The same name means the same value.
    ("arith.addi", xt.m_op(AddiOp, xt.m_any("x"), xt.m_any("x")), None),
])  # fmt: skip
def test_matchers(module: Any, name: str, matcher: xt.Matcher, expected: dict[str, object] | None):
    assert xt.match(value_of(module, name), matcher) == expected


def test_a_chain_binds_values_and_ops(module: Any):
    chain = xt.m_op(RemUIOp, xt.m_op(AddiOp, xt.m_splat(xt.m_any("x")), name="sum"))
    found = xt.match(value_of(module, "arith.remui"), chain)
    assert found is None  # one operand of two
    chain = xt.m_op(
        RemUIOp, xt.m_op(AddiOp, xt.m_splat(xt.m_any("x")), xt.m_any(), name="sum"), xt.m_any()
    )
    found = xt.match(value_of(module, "arith.remui"), chain)
    assert found is not None
    assert found["x"] is ops(module, "tt.func")[0].regions[0].block.args[0]
    assert found["sum"] is ops(module, "arith.addi")[0]


def test_made_ops_have_types_and_locations(module: Any):
    op = ops(module, "arith.remui")[0]
    mask = xt.make_constant(op, 7, op.result)
    made = xt.make(op, AndIOp, op.lhs, mask)
    assert made.results[0].type == op.result.type
    assert 'loc("kernel.py":7:3)' in str(made.location)
    indices = xt.make(op, MakeRangeOp, result_type=op.result.type, start=0, end=16)
    assert indices.results[0].type == op.result.type
    xt.verify(module)


def test_made_ops_with_missing_and_with_many_operands(module: Any):
    op = ops(module, "tt.store")[0]
    bit = xt.make_constant(op, 1, i1)
    scalar: Any = ops(module, "tt.func")[0].regions[0].block.args[1]
    load = xt.make(op, LoadOp, scalar)
    assert (load.mask, load.other, load.results[0].type) == (None, None, scalar.type.pointee_type)
    masked = xt.make(op, LoadOp, scalar, bit, load)
    assert (masked.mask, masked.other) == (bit, load.results[0])
    with pytest.raises(xt.UserError, match="takes 3 operands, got 0"):
        xt.make(op, LoadOp)
    signs = DenseArrayBase.from_list(i32, [1, 1])
    printed = xt.make(op, PrintOp, bit, load, prefix=" x: ", hex=False, isSigned=signs)
    assert len(printed.args) == 2
    xt.make(op, PrintOp, [bit, load], prefix=" x: ", hex=False, isSigned=signs)
    xt.make(op, AssertOp, bit, message="no")
    with pytest.raises(xt.UserError, match="takes 1 operands, got 2"):
        xt.make(op, AssertOp, bit, bit, message="no")
    xt.verify(module)
    assert xt.print(xt.parse(xt.print(module))) == xt.print(module)


def _sum() -> Region:
    """Return a region that adds two integers."""
    body = Block(arg_types=[i32, i32])
    add = AddiOp(body.args[0], body.args[1])
    body.add_ops([add, ScanReturnOp(operands=[[add.result]])])
    return Region(body)


def test_made_ops_with_regions(module: Any):
    op = ops(module, "tt.store")[0]
    type = ops(module, "arith.remui")[0].result.type
    with pytest.raises(xt.UserError, match=r"no .tt\.scan. can be made"):
        xt.make(op, ScanOp, op.value, op.value, result_type=[type, type], axis=0, reverse=False)
    scan = xt.make(op, ScanOp, op.value, result_type=type, axis=0, reverse=False, regions=[_sum()])
    assert scan.results[0].type == type
    xt.verify(module)


def test_errors_point_at_the_author(module: Any):
    op = ops(module, "arith.remui")[0]
    with pytest.raises(xt.UserError, match="does not follow from its operands") as caught:
        xt.make(op, SplatOp, ops(module, "arith.constant")[0])
    assert caught.value.position is not None
    assert caught.value.position.file == __file__
    with pytest.raises(xt.UserError, match=r"this .arith\.andi. is not valid"):
        xt.make(op, AndIOp, op.lhs, ops(module, "arith.constant")[0])


def test_facts(module: Any):
    (add,) = ops(module, "arith.addi")
    assert xt.axis_info(add.result).contiguity == (16,)
    assert xt.axis_info(ops(module, "tt.func")[0].regions[0].block.args[0]).divisibility == (16,)
    assert [(a.kind, a.tier.value) for a in xt.accesses(module)] == [("store", "block")] * 2
    assert xt.effects.analyze(module).mutated() == ["out"]
    # What was known of the module before is not told of it as it is now.
    add.operands[1] = add.operands[0]
    assert xt.axis_info(add.result).contiguity == (1,)


def test_check():
    assert xt.check(TEXT, TEXT)
    verdict = xt.check(TEXT, TEXT.replace("arith.muli", "arith.subi"))
    assert not verdict
    assert "f:" in verdict.render()


CRASH = """
import xtriton as xt
from xtriton.dialects.upstream.arith import AddiOp, ConstantOp

@xt.rewrite_pattern
def wrong(op: AddiOp, rewriter: xt.PatternRewriter) -> None:
    rewriter.replace(op, [], [])   # line 7

@xt.module_pass("wrong")
def wrong_pass(module):
    xt.apply_patterns(module, wrong)
"""


def test_a_crash_in_xdsl_is_told_where_the_author_wrote_it(
    tmp_path: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    from xtriton.tools.xtriton_opt import main

    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.py").write_text(CRASH)
    (tmp_path / "f.ttir").write_text(TEXT)
    assert main(["f.ttir", "--load-pass-plugin=wrong.py", "--wrong"]) == 2
    assert "wrong.py:7" in capsys.readouterr().err
