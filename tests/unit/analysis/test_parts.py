"""Blocks in parts: every element is where the offset says, whatever scalars and masks are."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from xtriton.analysis.classify import Form, Tier, classify
from xtriton.analysis.indexing import Cond, Expr, IndexSpace, Space, facts_of
from xtriton.analysis.indexing.evaluation import Evaluator
from xtriton.analysis.parts import MOST_PARTS

SIZE = 64


def form_of(space: Space, offset: Expr, mask: Cond | None = None) -> Form:
    facts = facts_of(mask) if mask is not None else []
    return classify(space, offset, (SIZE,), facts, lambda _: False)


def check(space: Space, form: Form, offset: Expr, mask: Cond, numbers: dict[int, int]) -> None:
    """Compare what the form says with the offset, where the mask is on."""
    sizes = form.radices[0]
    wanted = np.broadcast_to(Evaluator(numbers, (SIZE,)).expr(offset), SIZE)
    found = np.broadcast_to(Evaluator(numbers, sizes).expr(form.rebuilt(space)), sizes).ravel()
    on = np.broadcast_to(Evaluator(numbers, (SIZE,)).cond(mask), SIZE)
    np.testing.assert_array_equal(found[on], wanted[on])


@settings(max_examples=150, deadline=None)
@given(
    width=st.integers(20, 200),
    row=st.integers(-300, 300),
    step=st.sampled_from([1, -1, 2, 3, -2]),
    number=st.integers(0, 500),
    low=st.integers(0, 700),
    length=st.integers(0, 200),
)
def test_rows(width: int, row: int, step: int, number: int, low: int, length: int):
    space = IndexSpace()
    start = space.scalar("start", "start", (0, 1000))
    n = start + space.position(0, SIZE) * step
    offset = space.floordiv(n, width) * row + space.mod(n, width)
    inside = (space.nonnegative(n - low), space.less(n, space.const(low + length)))
    for mask in (space.true, space.conjunction(inside)):
        form = form_of(space, offset, mask)
        if form.parts:
            assert form.tier is Tier.WRAPPED_BLOCK
            assert len(form.parts) <= MOST_PARTS
            check(space, form, offset, mask, {space.leaf_of(start).uid: number})


@pytest.mark.parametrize("number", [0, 1, 39, 40, 41, 100, 101, 136, 137, 200])
@pytest.mark.parametrize("step", [1, 2, -1])
def test_clamps(number: int, step: int):
    """Replicated padding: one element many times, a block, and another element many times."""
    space = IndexSpace()
    start = space.scalar("start", "start", (0, 1000))
    n = start - 50 + space.position(0, SIZE) * step
    offset = space.maximum(space.minimum(n, space.const(100)), space.zero) * 3
    form = form_of(space, offset)
    assert len(form.parts) == 3
    check(space, form, offset, space.true, {space.leaf_of(start).uid: number})


@pytest.mark.parametrize("number", [0, 1, 2, 63, 64, 65, 100])
def test_reflection(number: int):
    space = IndexSpace()
    start = space.scalar("start", "start", (0, 1000))
    n = start - 50 + space.position(0, SIZE)
    offset = space.maximum(n, -n)
    form = form_of(space, offset)
    assert [part.dims[0].stride.constant for part in form.parts] == [-1, 1]
    check(space, form, offset, space.true, {space.leaf_of(start).uid: number})


@pytest.mark.parametrize("number", [0, 30, 31, 32, 60])
def test_concatenation(number: int):
    space = IndexSpace()
    start = space.scalar("start", "start", (0, 1000))
    n = start + space.position(0, SIZE)
    offset = space.select(space.less(n, space.const(64)), n, n * 2 + 500)
    form = form_of(space, offset)
    assert len(form.parts) == 2
    check(space, form, offset, space.true, {space.leaf_of(start).uid: number})


def test_quotients_of_one_walk_change_at_the_same_places():
    space = IndexSpace()
    start = space.scalar("start", "start", (0, 100_000))
    n = start + space.position(0, SIZE)
    offset = space.floordiv(n, 100) * 7 + space.floordiv(n, 1000) * 5 + n
    form = form_of(space, offset)
    assert len(form.parts) == 2
    for number in (0, 50, 99, 936, 937, 999, 9_990, 99_980):
        check(space, form, offset, space.true, {space.leaf_of(start).uid: number})


def test_many_rows_are_no_parts():
    space = IndexSpace()
    n = space.position(0, SIZE)
    assert form_of(space, space.floordiv(n, 7) * 8).tier is Tier.AFFINE
