"""Masks as regions: which condition becomes a bound, a guard, or is left."""

from xtriton.analysis.indexing import Cond, IndexSpace
from xtriton.analysis.masks import MaskRegion, mask_region

SHAPE = (16, 32)


class Masks:
    """A space with two positions and a number."""

    def __init__(self) -> None:
        self.space = IndexSpace()
        self.i, self.j = (self.space.position(d, n) for d, n in enumerate(SHAPE))
        self.n = self.space.scalar("n", "n")

    def region(self, *conditions: Cond) -> MaskRegion:
        return mask_region(self.space, self.space.conjunction(conditions), SHAPE)


def test_no_mask_is_everything():
    assert Masks().region().is_everything


def test_less_than_a_number_bounds_above():
    m = Masks()
    region = m.region(m.space.less(m.i + 3, m.n))
    assert region.is_prefix
    assert not region.is_everything
    assert region.upper == ((m.n - 3,), ())


def test_not_negative_bounds_below():
    m = Masks()
    region = m.region(m.space.nonnegative(m.j - m.n))
    assert not region.is_prefix
    assert region.lower == ((), (m.n,))


def test_bounds_come_with_the_sizes_of_the_block():
    m = Masks()
    region = m.region(m.space.less(m.i, m.n))
    (low, high), (first, last) = region.bounds(m.space, SHAPE)
    assert (low, first, last) == (m.space.zero, m.space.zero, m.space.const(32))
    assert high == m.space.minimum(m.n, m.space.const(16))


def test_multiples_of_a_position_are_divided_upwards():
    m = Masks()
    region = m.region(m.space.less(m.i * 3, m.space.const(20)))
    assert region.upper[0] == (m.space.const(7),)


def test_a_condition_on_scalars_is_a_guard():
    m = Masks()
    region = m.region(m.space.less(m.n, m.space.const(5)))
    assert len(region.guards) == 1
    assert region.is_prefix


def test_a_condition_on_two_positions_is_left():
    m = Masks()
    region = m.region(m.space.less(m.i, m.j))
    assert len(region.rest) == 1
    assert not region.is_prefix
