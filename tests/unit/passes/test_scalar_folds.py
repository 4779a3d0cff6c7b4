"""Single integers are folded without NumPy to what NumPy makes of them."""

import itertools
import subprocess
import sys
from typing import Any

import pytest
from xdsl.dialects.builtin import IndexType, IntegerType, TensorType, i1
from xdsl.ir import Attribute

from xtriton.semantics import OPERATIONS
from xtriton.transforms.cleanup import elementwise_folds
from xtriton.transforms.cleanup.constants import uniform_constant
from xtriton.transforms.cleanup.elementwise_folds import FOLDED, compute

WIDTHS = (1, 3, 32, None)
"""None stands for `index`."""

BINARY = sorted(
    name
    for name in FOLDED
    if name.startswith("arith.") and name.endswith(("i", "si", "ui", "shrs", "shr"))
    and not name.startswith(("arith.ext", "arith.trunc", "arith.fpto", "arith.index", "arith.cmp"))
)  # fmt: skip
CASTS = ("arith.extsi", "arith.extui", "arith.trunci", "arith.index_cast", "arith.index_castui")


def integer_type(width: int | None) -> Any:
    return IndexType() if width is None else IntegerType(width)


def numbers(width: int | None) -> list[int]:
    bits = width or 64
    half = 1 << (bits - 1)
    interesting = {0, 1, -1, 3, -7, bits, half - 1, -half}
    return sorted(n for n in interesting if -half <= n < half)


def results(
    name: str, operands: list[Any], type: Any, predicate: int = 0
) -> list[Attribute | None]:
    """Return what the op gives for scalars, and for 3 bits or fewer for tensors, and both mixed."""
    shaped = [TensorType(t, [4, 2]) for t, _ in operands]
    scalars = [uniform_constant(t, n) for t, n in operands]
    tensors = [uniform_constant(s, n) for s, (_, n) in zip(shaped, operands, strict=True)]
    result = TensorType(type, [4, 2])
    attributes = {"predicate": predicate}
    if isinstance(type, IndexType) or type.bitwidth > 3:
        return [compute(name, scalars, type, attributes)]
    return [
        compute(name, scalars, type, attributes),
        compute(name, tensors, result, attributes),
        compute(name, [scalars[0], *tensors[1:]], result, attributes),
    ]


def _leave_it(*_: Any) -> None:
    """Stand for the way without NumPy."""


def check(monkeypatch: pytest.MonkeyPatch, cases: list[tuple[Any, ...]]) -> None:
    quick = [results(*case) for case in cases]
    assert any(found is not None for row in quick for found in row)
    with monkeypatch.context() as patch:
        patch.setattr(elementwise_folds, "_of_integers", _leave_it)
        for case, row in zip(cases, quick, strict=True):
            assert results(*case) == row, case


@pytest.mark.parametrize("name", BINARY)
def test_ops_of_two_numbers(name: str, monkeypatch: pytest.MonkeyPatch):
    for width in WIDTHS:
        if width == 1 and name not in ("arith.addi", "arith.andi", "arith.minui", "arith.maxsi"):
            continue
        type = integer_type(width)
        pairs = itertools.product(numbers(width), repeat=2)
        check(monkeypatch, [(name, [(type, a), (type, b)], type) for a, b in pairs])


@pytest.mark.parametrize("predicate", range(10))
def test_comparisons(predicate: int, monkeypatch: pytest.MonkeyPatch):
    for width in WIDTHS:
        type = integer_type(width)
        pairs = itertools.product(numbers(width), repeat=2)
        cases = [("arith.cmpi", [(type, a), (type, b)], i1, predicate) for a, b in pairs]
        check(monkeypatch, cases)


@pytest.mark.parametrize("name", CASTS)
def test_casts(name: str, monkeypatch: pytest.MonkeyPatch):
    for source, target in itertools.permutations(WIDTHS, 2):
        narrows, is_index = (source or 64) > (target or 64), None in (source, target)
        if is_index is not name.startswith("arith.index"):
            continue
        if not is_index and narrows is not (name == "arith.trunci"):
            continue
        of, to = integer_type(source), integer_type(target)
        check(monkeypatch, [(name, [(of, n)], to) for n in numbers(source)])


def test_selection(monkeypatch: pytest.MonkeyPatch):
    for width in WIDTHS:
        type = integer_type(width)
        values = numbers(width)[:2]
        cases = [
            ("arith.select", [(i1, chosen), (type, values[0]), (type, values[1])], type)
            for chosen in (0, -1)
        ]
        check(monkeypatch, cases)


def test_names_are_those_of_the_semantics():
    assert set(BINARY) <= set(OPERATIONS)
    assert len(BINARY) > 15


def test_folding_single_integers_leaves_numpy_alone():
    program = """
import sys
from xdsl.dialects.builtin import TensorType, i32
from xtriton.transforms.cleanup.constants import uniform_constant
from xtriton.transforms.cleanup.elementwise_folds import compute
from xtriton.analysis import indexing
of = TensorType(i32, [8])
assert compute("arith.addi", [uniform_constant(of, 3)] * 2, of) == uniform_constant(of, 6)
assert "numpy" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True)
