"""Tiers of accesses: a rule of `classify` each."""

from collections.abc import Callable

import pytest

from xtriton.analysis.classify import Form, Tier, classify
from xtriton.analysis.indexing import Expr, IndexSpace, Space

ROWS, COLUMNS = 16, 32
Offset = Callable[[Space, Expr, Expr], Expr]


def formed(offset: Offset) -> tuple[Space, Form]:
    space = IndexSpace()
    i, j = space.position(0, ROWS), space.position(1, COLUMNS)
    return space, classify(space, offset(space, i, j), (ROWS, COLUMNS), (), lambda _: False)


TIERS: list[tuple[Offset, Tier]] = [
    (lambda s, i, j: i * 100 + j, Tier.BLOCK),
    (lambda s, i, j: i * s.scalar("n", "n") + j * 2, Tier.BLOCK),
    (lambda s, i, j: j * 0 + i * 0, Tier.BLOCK),
    (lambda s, i, j: s.mod(i + 5, 7) * 100 + j, Tier.WRAPPED_BLOCK),
    (lambda s, i, j: s.mod(i + s.scalar("a", "a"), s.scalar("n", "n")) + j, Tier.WRAPPED_BLOCK),
    (lambda s, i, j: i * i + j, Tier.AFFINE),
    (lambda s, i, j: s.floordiv(i * 3 + j, 7), Tier.AFFINE),
]


@pytest.mark.parametrize("offset, tier", TIERS)
def test_tier(offset: Offset, tier: Tier):
    assert formed(offset)[1].tier is tier


def test_a_block_is_told_by_strides_and_what_is_left_over():
    space, form = formed(lambda s, i, j: (i + 3) * 100 + j * 2 + s.scalar("n", "n"))
    assert [str(dim.stride) for dim in form.dims] == ["100", "2"]
    assert form.extra is not None
    assert form.rebuilt(space) == form.offset


def test_quotients_and_remainders_of_one_number_split_a_dimension():
    _, form = formed(lambda s, i, j: s.floordiv(j, 8) * 1000 + s.mod(j, 8) + i * 8)
    assert form.tier is Tier.BLOCK
    assert form.radices == ((ROWS,), (COLUMNS // 8, 8))
    assert form.is_reshaped


def test_what_has_no_form_says_why():
    _, form = formed(lambda s, i, j: i * i + j)
    assert form.reason
