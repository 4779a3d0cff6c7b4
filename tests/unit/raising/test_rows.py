"""Loops over rows: each row reached has a lane, and together they are the block."""

from collections.abc import Callable

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import example, given, settings

from xtriton.analysis.classify import classify
from xtriton.analysis.indexing import Cond, Expr, IndexSpace, Space, facts_of
from xtriton.analysis.indexing.evaluation import Evaluator
from xtriton.analysis.masks import mask_region
from xtriton.transforms.raising.structured.parts import share
from xtriton.transforms.raising.structured.rows import Rows, rows_of

SIZE = 64


def rows_in(space: Space, offset: Expr, mask: Cond) -> Rows | None:
    form = classify(space, offset, (SIZE,), facts_of(mask), lambda _: False)
    if form.is_reshaped:
        return None  # Its mask would have to be split as its dimensions are.
    return rows_of(space, form, mask_region(space, mask, (SIZE,)))


@settings(max_examples=200, deadline=None)
@given(
    width=st.integers(22, 100),
    row=st.integers(-300, 300),
    step=st.sampled_from([1, 1, -1, -1, 2, 3, -2]),
    known=st.booleans(),
    number=st.integers(0, 500),
    low=st.integers(0, 500),
    length=st.integers(0, 200),
    upper_only=st.booleans(),
)
@example(  # reshaped
    width=32, row=1, step=3, known=True, number=0, low=0, length=0, upper_only=False
)
def test_rows_share_out_the_lanes(
    width: int,
    row: int,
    step: int,
    known: bool,
    number: int,
    low: int,
    length: int,
    upper_only: bool,
):
    space = IndexSpace()
    start = space.const(number) if known else space.scalar("start", "start", (0, 500))
    position = space.position(0, SIZE)
    n = start + position * step + (0 if step > 0 else 600)
    offset = space.floordiv(n, width) * row + space.mod(n, width) * 3
    on = [space.less(position + start, space.const(low + length))]
    on += [] if upper_only else [space.nonnegative(position + start - low)]
    mask = space.conjunction(on)
    rows = rows_in(space, offset, mask)
    if rows is None:
        return
    values = {} if known else {space.leaf_of(start).uid: number}
    evaluated = Evaluator(values, (SIZE,))
    region = mask_region(space, mask, (SIZE,))
    first, end = (int(evaluated.expr(e)) for e in rows.reached(region, (SIZE,)))
    lanes = np.broadcast_to(evaluated.cond(mask), SIZE)
    wanted = np.broadcast_to(evaluated.expr(offset), SIZE)
    taken = np.zeros(SIZE, np.int64)
    for j in range(first, end):
        part = rows.row(space.const(j))
        ((begin, stop),) = share(part, region).bounds(space, (SIZE,))
        begin, stop = int(evaluated.expr(begin)), int(evaluated.expr(stop))
        assert 0 <= begin < stop <= SIZE
        found = np.broadcast_to(evaluated.expr(part.offset([position])), SIZE)
        np.testing.assert_array_equal(found[begin:stop], wanted[begin:stop])
        taken[begin:stop] += 1
    np.testing.assert_array_equal(taken, lanes)


def test_rows_there_are():
    """The test above would say nothing if none of its offsets had rows."""
    space = IndexSpace()
    n = space.scalar("start", "start", (0, 500)) + space.position(0, SIZE)
    rows = rows_in(space, space.floordiv(n, 30) * 7, space.true)
    assert rows is not None
    assert rows.length.constant == 30
    assert rows.extra.constant == 7


def test_rows_end_where_the_mask_does():
    """Six rows of 10 are 4 lanes fewer than the block, but as many as the mask leaves."""
    space = IndexSpace()
    i = space.position(0, SIZE)
    mask = space.less(i, space.const(60))
    assert rows_in(space, space.floordiv(i, 20), mask) is not None


UNEVEN: dict[str, tuple[Callable[[Space, Expr], Expr], int]] = {
    # every second place of a row of 49 is 25 places, and 24 of the next
    "first is short": (lambda s, i: s.floordiv(i * 2, 49), SIZE),
    "last is long": (lambda s, i: s.floordiv(i * 2 + 2, 43), SIZE),
    "third is long": (lambda s, i: s.floordiv(i * 2 + 2, 31), 60),
    "growth grows": (lambda s, i: s.floordiv(i, 20) * s.floordiv(i, 20) + i, SIZE),
    "growth changes": (lambda s, i: s.floordiv(i, 20) + s.floordiv(i, 40), SIZE),
}


@pytest.mark.parametrize("name", UNEVEN)
def test_parts_that_lie_unevenly_are_no_rows(name: str):
    offset, end = UNEVEN[name]
    space = IndexSpace()
    i = space.position(0, SIZE)
    mask = space.less(i, space.const(end)) if end < SIZE else space.true
    assert rows_in(space, offset(space, i), mask) is None
