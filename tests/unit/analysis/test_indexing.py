"""The algebra of index expressions: normal forms, and that no rule changes a value."""

from dataclasses import dataclass, field

import hypothesis.strategies as st
import numpy as np
from hypothesis import given, settings

from xtriton.analysis.indexing import Cond, Expr, IndexSpace, Space, facts_of
from xtriton.analysis.indexing.evaluation import Evaluator

SIZE = 32


@dataclass
class World:
    """A space with a few leaves, and expressions paired with the values they must have."""

    space: Space = field(default_factory=IndexSpace)

    def leaves(self):
        s = self.space
        return [
            s.position(0, SIZE),
            s.scalar("p", "p", (0, 40)),
            s.scalar("q", "q", (-20, 20)),
            s.scalar("m", "m", (1, 9)),
        ]


Pair = tuple[Expr, np.ndarray]


def trunc(n: np.ndarray, d: np.ndarray) -> np.ndarray:
    quotient = np.abs(n) // np.maximum(np.abs(d), 1)
    return np.where(np.sign(n) * np.sign(d) < 0, -quotient, np.where(d == 0, 0, quotient))


@st.composite
def program(draw: st.DrawFn) -> tuple[Space, dict[int, int], list[Pair]]:
    """A straight-line program over the leaves, run both ways."""
    world = World()
    s = world.space
    i, p, q, m = world.leaves()
    numbers = {
        s.leaf_of(p).uid: draw(st.integers(0, 40)),
        s.leaf_of(q).uid: draw(st.integers(-20, 20)),
        s.leaf_of(m).uid: draw(st.integers(1, 9)),
    }
    values: list[Pair] = [(i, np.arange(SIZE))]
    values += [(e, np.full(SIZE, numbers[s.leaf_of(e).uid])) for e in (p, q, m)]
    for _ in range(draw(st.integers(1, 8))):
        a, x = draw(st.sampled_from(values))
        b, y = draw(st.sampled_from(values))
        c = draw(st.sampled_from([1, 2, 3, 4, 8, 12, 16, 49]))
        match draw(st.integers(0, 11)):
            case 0:
                new = a + b, x + y
            case 1:
                new = a - b, x - y
            case 2:
                new = a * c, x * c
            case 3:
                new = a * b, x * y
            case 4:
                new = s.floordiv(a, c), x // c
            case 5:
                new = s.mod(a, c), x % c
            case 6:
                new = s.truncdiv(a, c), trunc(x, np.full(SIZE, c))
            case 7:
                new = s.truncrem(a, m), x - trunc(x, values[3][1]) * values[3][1]
            case 8:
                new = s.minimum(a, b), np.minimum(x, y)
            case 9:
                new = s.maximum(a, b), np.maximum(x, y)
            case 10:
                new = s.floordiv(a, m), x // values[3][1]
            case _:
                new = s.select(s.less(a, b), a, b * c), np.where(x < y, x, y * c)
        if np.abs(new[1]).max() < 10**12:
            values.append(new)
    return s, numbers, values


@settings(max_examples=400, deadline=None)
@given(program())
def test_rules_keep_values_and_bounds(drawn: tuple[Space, dict[int, int], list[Pair]]):
    space, numbers, values = drawn
    evaluate = Evaluator(numbers, (SIZE,))
    for e, expected in values:
        got = np.broadcast_to(evaluate.expr(e), (SIZE,))
        assert (got == expected).all(), e
        low, high = e.interval
        assert low <= expected.min()
        assert expected.max() <= high
        zero: Cond = space.is_zero(e)
        assert (np.broadcast_to(evaluate.cond(zero), (SIZE,)) == (expected == 0)).all()
        sign = space.negation(space.nonnegative(e - 3))
        assert (np.broadcast_to(evaluate.cond(sign), (SIZE,)) == (expected < 3)).all()


@settings(max_examples=200, deadline=None)
@given(program(), st.integers(-5, 30))
def test_facts_only_matter_where_they_hold(
    drawn: tuple[Space, dict[int, int], list[Pair]], bound: int
):
    space, numbers, values = drawn
    evaluate = Evaluator(numbers, (SIZE,))
    (x, x_value), (e, _) = values[-2], values[-1]
    condition = space.less(x, space.const(bound))
    with space.assuming(facts_of(condition)):
        simpler = space.simplified(e)
    before = np.broadcast_to(evaluate.expr(e), (SIZE,))
    after = np.broadcast_to(evaluate.expr(simpler), (SIZE,))
    assert (before == after)[x_value < bound].all()


@settings(max_examples=200, deadline=None)
@given(program(), st.integers(0, 40))
def test_substitution_is_evaluation(drawn: tuple[Space, dict[int, int], list[Pair]], number: int):
    space, numbers, values = drawn
    p = values[1][0]
    uid = space.leaf_of(p).uid
    e = values[-1][0]
    with_value = space.substitute(e, {uid: space.const(number)})
    assert uid not in with_value.leaves
    expected = Evaluator({**numbers, uid: number}, (SIZE,)).expr(e)
    assert np.all(Evaluator(numbers, (SIZE,)).expr(with_value) == expected)


def test_equal_expressions_are_one_object():
    space = IndexSpace()
    pid = space.scalar("pid", "pid", (0, 1000))
    x = pid * 512 + space.position(0, 512)
    assert (x // 49) * 49 + x % 49 is x
    assert (x // 49) // 64 is x // 3136
    assert x // 512 is pid
    assert (x * 16 + 5) % 16 is space.const(5)
    assert space.less(x, space.const(3)) is space.nonnegative(2 - x)


def test_remainders_are_seen_in_sums():
    space = IndexSpace()
    pid = space.scalar("pid", "pid", (0, 1000))
    x = pid * 512 + space.position(0, 512)
    assert str(x % 49 * 7 + pid) == "pid + 7*((512*pid + i0) % 49)"
    assert (x % 49).interval == (0, 48)
    assert ((x // 49) % 64).interval == (0, 63)


def test_element_follows_its_positions():
    space = IndexSpace()
    row = space.position(0, 8)
    table = space.element("t", "t", [row])
    moved = space.substitute(table, {space.leaf_of(row).uid: space.position(1, 8)})
    assert str(moved) == "t[i1]"
    tensor = space.leaf_of(table).uid
    assert space.substitute(moved * 2, {tensor: row * 3 + 1}) is space.position(1, 8) * 6 + 2


def test_polynomial_division():
    space = IndexSpace()
    a, b = space.scalar("a", "a"), space.scalar("b", "b")
    d = a + b * 2
    assert (d * (a - 3)).divided(d) is a - 3
    assert (d * a + 1).divided(d) is None
    assert (a * b * 6).divided(a * 2) is b * 3


@settings(max_examples=200, deadline=None)
@given(
    data=st.data(),
    alignment=st.sampled_from([2, 8, 16, 32]),
    beyond=st.integers(0, 40),
    step=st.sampled_from([1, 2]),
)
def test_quotients_by_aligned_divisors(data: st.DataObject, alignment: int, beyond: int, step: int):
    """What is known to be a multiple of a number is drawn as one, of either sign."""
    space = IndexSpace()
    i = space.position(0, 8)
    start = space.scalar("start", "start", (0, 1 << 20))
    divisor = space.scalar("divisor", "divisor", (-(1 << 20), 1 << 20))
    for leaf in (start, divisor):
        space.leaf_of(leaf).divisor = alignment
    n = start + i * step + beyond
    a = alignment * data.draw(st.integers(0, 20))
    d = alignment * data.draw(st.integers(-9, 9).filter(bool))
    numbers = {space.leaf_of(start).uid: a, space.leaf_of(divisor).uid: d}
    wanted = trunc(a + np.arange(8) * step + beyond, np.full(8, d))
    found = np.broadcast_to(Evaluator(numbers, (8,)).expr(space.truncdiv(n, divisor)), 8)
    np.testing.assert_array_equal(found, wanted)


def test_what_is_known_under_facts_is_known_under_these_only() -> None:
    space = IndexSpace()
    p, q = space.scalar("p", "p", (0, 40)), space.scalar("q", "q", (0, 40))
    least = space.minimum(p, q)
    for _ in range(2):
        with space.assuming([q - p - 1]):
            assert space.minimum(p, q) is p
            assert (q - p).interval == (1, 40)
            with space.without_facts():
                assert space.minimum(p, q) is least
        with space.assuming([p - q]):
            assert space.minimum(p, q) is q
            assert (q - p).interval == (-40, 0)
        assert space.minimum(p, q) is least
        assert (q - p).interval == (-40, 40)


def test_facts_may_be_many() -> None:
    space = IndexSpace()
    p = space.scalar("p", "p", (0, 4000))
    for _ in range(2):
        for n in range(200):
            with space.assuming([p - n]):
                assert p.interval == (n, 4000)


def test_negation_is_its_own_inverse() -> None:
    space = IndexSpace()
    p, q = space.scalar("p", "p"), space.scalar("q", "q")
    e = p * 3 - q + 7
    negative = -e
    assert -negative is e
    assert e.scaled(-1) is negative
    assert negative.terms == {mono: -c for mono, c in e.terms.items()}
    assert -space.zero is space.zero
