# z3 has no types of its own: pyright cannot follow it.
# pyright: basic
"""Numbers that formulas hold on are found by trying many, and launches that tell kernels apart."""

import pytest

pytest.importorskip("z3")

import z3
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from tests.unit.judge.kernel_text import block, load, store
from xtriton import run_passes, universe
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import check_equivalent
from xtriton.judge.proofs.formulas import NoFormula, number, own_context, unknown_number
from xtriton.judge.proofs.proofs import compare
from xtriton.judge.proofs.searches import Search

MASKED = f"""
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %size: i64, %stride: i64) {{
  %c768 = arith.constant dense<768> : tensor<128xi32>
  %last = arith.constant dense<5376> : tensor<128xi32>
  %one = arith.constant dense<1> : tensor<128xi32>
  %zero = arith.constant dense<0.0> : tensor<128xf32>
  {block(128)}
  %on = arith.cmpi slt, %i, %last : tensor<128xi32>
  %q = arith.divsi %i, %c768 : tensor<128xi32>
  %row = arith.muli %q, %c768 : tensor<128xi32>
  %wide = arith.extsi %row : tensor<128xi32> to tensor<128xi64>
  %by = arith.divsi %stride, %size : i64
  %bys = tt.splat %by : i64 -> tensor<128xi64>
  %at = arith.muli %wide, %bys : tensor<128xi64>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  %px = tt.addptr %xs, %at : tensor<128x!tt.ptr<f32>>, tensor<128xi64>
  %v = tt.load %px, %on, %zero : tensor<128x!tt.ptr<f32>>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  %po = tt.addptr %os, %i : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
  tt.store %po, %v, %on : tensor<128x!tt.ptr<f32>>
  tt.return
}}
"""
"""An offset whose rows are few where something is stored, times what only a launch says."""

COPY = f"""
module {{
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {{
  %c5 = arith.constant dense<5> : tensor<128xi32>
  {block(128)}
  %r = arith.remsi %i, %c5 : tensor<128xi32>
  {load("v", "x", "f32", 128, "", "%r")}
  {store("%v", "f32", 128)}
  tt.return
}}
}}
"""


def function(text: str) -> Operation:
    first = module(text).body.block.first_op
    assert first is not None
    return first


def module(text: str) -> ModuleOp:
    return parse_module(text, universe.context())


def test_numbers_behind_a_quotient_are_found() -> None:
    with own_context():
        place, by = (unknown_number(name, 64) for name in ("place", "by"))
        offset = place / by * 128
        narrow = z3.SignExt(32, z3.Extract(31, 0, offset))
        found = Search([offset != narrow, place >= 0, place < number(1 << 31, 64), by > 2]).found()
        assert found is not None
        a, b = found.of(place), found.of(by)
        assert b > 2
        assert a // b * 128 >= 1 << 31


def test_small_numbers_are_preferred() -> None:
    with own_context():
        a, b = (unknown_number(name, 32) for name in "ab")
        found = Search([a * 3 > b, b > 4]).found()
        assert found is not None
        assert found.of(a) < 16
        assert found.of(b) < 16


def test_nothing_is_divided_by_zero() -> None:
    with own_context():
        a, b = (unknown_number(name, 32) for name in "ab")
        found = Search([z3.UDiv(a, b) == number(0xFFFFFFFF, 32), a < 0, b < 2, b >= 0]).found()
        assert found is not None
        assert found.of(b) == 1


def test_where_nothing_is_unknown_nothing_is_found() -> None:
    with own_context():
        assert Search([number(1, 32) == number(1, 32)]).found() is None


def test_formulas_of_floats_are_refused() -> None:
    with own_context():
        kind = z3.DeclareSort("f32", number(0, 1).ctx)
        a, b = z3.Const("a", kind), z3.Const("b", kind)
        with pytest.raises(NoFormula):
            Search([a == b])


def test_integers_are_equal_where_something_is_stored() -> None:
    """A row has a bit to spare where the mask is on; what it is multiplied with does not matter."""
    shorter = """%row0 = arith.muli %q, %c768 : tensor<128xi32>
  %up = arith.shli %row0, %one : tensor<128xi32>
  %row = arith.shrsi %up, %one : tensor<128xi32>"""
    rewritten = MASKED.replace("%row = arith.muli %q, %c768 : tensor<128xi32>", shorter)
    assert rewritten != MASKED
    assert compare(function(MASKED), function(rewritten), 1).equal
    wrong = rewritten.replace("%one = arith.constant dense<1>", "%one = arith.constant dense<20>")
    assert wrong != rewritten
    assert not check_equivalent(module(MASKED), module(wrong))


def test_layouts_do_not_stop_a_proof() -> None:
    """A kernel is held against what it becomes with layouts, and its offsets are compared."""
    lowered = run_passes(module(COPY), "convert-triton-to-tritongpu{target=cuda:90 num-warps=4}")
    verdict = check_equivalent(module(COPY), lowered)
    assert verdict
    assert verdict.proved
