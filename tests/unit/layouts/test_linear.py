"""Linear layouts: what they are and how they are put together."""

import random

import pytest

from xtriton.layouts.algebra import (
    divide_left,
    divide_right,
    free_variables,
    invert,
    invert_and_compose,
    is_injective,
    is_invertible,
    is_surjective,
    pseudo_invert,
)
from xtriton.layouts.linear import LinearLayout


def random_layout(rng: random.Random, ins: dict[str, int], outs: dict[str, int]) -> LinearLayout:
    """Return a layout with random bases; sizes are given in bits."""
    bases = {
        name: [[rng.randrange(1 << size) for size in outs.values()] for _ in range(bits)]
        for name, bits in ins.items()
    }
    return LinearLayout.of(bases, {name: 1 << bits for name, bits in outs.items()})


def flat(layout: LinearLayout, point: int) -> int:
    """Return the image of a flattened point, flattened."""
    coordinates: dict[str, int] = {}
    for name in layout.in_names:
        coordinates[name] = point & (layout.in_size(name) - 1)
        point >>= layout.in_bits(name)
    result, shift = 0, 0
    for name, value in layout.apply(coordinates).items():
        result |= value << shift
        shift += layout.out_size(name).bit_length() - 1
    return result


def table(layout: LinearLayout) -> list[int]:
    return [flat(layout, x) for x in range(1 << layout.total_in_bits)]


def test_a_layout_is_linear_over_exclusive_or():
    layout = LinearLayout.of({"lane": [[0, 1], [2, 0]], "warp": [[1, 1]]}, ("dim0", "dim1"))
    assert layout.out_dims == (("dim0", 4), ("dim1", 2))
    assert layout.apply({"lane": 3, "warp": 0}) == {"dim0": 2, "dim1": 1}
    assert layout.apply({"lane": 3, "warp": 1}) == {"dim0": 3, "dim1": 0}


@pytest.mark.parametrize("bases", [{"lane": [[1]]}, {"lane": [[4, 0]]}, {"lane": [[-1, 0]]}])
def test_bases_must_fit(bases: dict[str, list[list[int]]]):
    with pytest.raises(ValueError, match="the basis"):
        LinearLayout.of(bases, {"dim0": 4, "dim1": 4})


def test_products_put_one_layout_outside_the_other():
    inner = LinearLayout.identity(4, "lane", "dim0")
    outer = LinearLayout.identity(2, "warp", "dim0")
    assert (inner * outer).apply({"lane": 3, "warp": 1}) == {"dim0": 7}
    assert (outer * inner).apply({"lane": 3, "warp": 1}) == {"dim0": 7}
    assert (outer * inner).apply({"lane": 1, "warp": 0}) == {"dim0": 2}
    other = LinearLayout.identity(8, "lane", "dim1")
    assert (inner * other).out_dims == (("dim0", 4), ("dim1", 8))


def test_reshaping_keeps_flattened_positions():
    layout = random_layout(random.Random(0), {"lane": 3, "warp": 2}, {"dim0": 3, "dim1": 2})
    for other in (
        layout.flatten_outs(),
        layout.flatten_ins(),
        layout.reshape_outs((("x", 2), ("y", 4), ("z", 4))),
        layout.reshape_ins((("a", 4), ("b", 8))),
    ):
        assert table(other) == table(layout)


def test_composition_is_application_after_application():
    rng = random.Random(1)
    for _ in range(100):
        inner = random_layout(rng, {"a": 2, "b": 2}, {"c": 2, "d": 3})
        outer = random_layout(rng, {"c": 2, "d": 3}, {"e": 4})
        composed = inner.compose(outer)
        assert table(composed) == [flat(outer, x) for x in table(inner)]


def test_rank_decides_surjective_and_injective():
    rng = random.Random(2)
    for _ in range(200):
        layout = random_layout(rng, {"a": rng.randrange(4), "b": 2}, {"c": rng.randrange(4)})
        images = set(table(layout))
        assert is_surjective(layout) == (len(images) == 1 << layout.total_out_bits)
        assert is_injective(layout) == (len(images) == 1 << layout.total_in_bits)
        assert is_invertible(layout) == (is_surjective(layout) and is_injective(layout))
        free = free_variables(layout)
        assert sum(mask.bit_count() for mask in free.values()) == (
            layout.total_in_bits - (len(images).bit_length() - 1)
        )


def test_inverses():
    rng = random.Random(3)
    found = 0
    while found < 50:
        layout = random_layout(rng, {"a": 2, "b": 2}, {"c": 1, "d": 3})
        if is_invertible(layout):
            found += 1
            identity = layout.compose(invert(layout))
            assert table(identity) == list(range(16))
        if is_surjective(layout):
            assert table(pseudo_invert(layout).compose(layout)) == list(range(16))


def test_inverting_what_is_not_surjective_is_an_error():
    with pytest.raises(ValueError, match=r"\S"):
        invert(LinearLayout.zeros(4, "lane", "dim0", 4))


def test_invert_and_compose_finds_the_smallest_place():
    # Of lanes that have the same element, the first is asked.
    source = LinearLayout.of({"lane": [[1], [0]]}, ("dim0",))
    target = LinearLayout.of({"lane": [[0], [1]]}, ("dim0",))
    found = invert_and_compose(target, source)
    assert [found.apply({"lane": i})["lane"] for i in range(4)] == [0, 0, 1, 1]


def test_division_undoes_products():
    rng = random.Random(4)
    for _ in range(100):
        a = random_layout(rng, {"x": 2}, {"d": 2})
        b = random_layout(rng, {"x": 1, "y": 1}, {"d": 1, "e": 1})
        left, right = divide_left(a * b, a), divide_right(a * b, b)
        assert left is not None
        assert right is not None
        assert table(a * left) == table(a * b)
        assert table(right * b) == table(a * b)
    assert divide_left(LinearLayout.identity(4, "x", "d"), LinearLayout.zeros(2, "x", "d")) is None


def test_quotient_removes_identities():
    layout = LinearLayout.of({"lane": [[1, 0], [2, 0]], "warp": [[0, 1]]}, ("lane", "warp"))
    quotient = layout.quotient(("warp",))
    assert quotient is not None
    assert quotient.in_names == ("lane",)
    swapped = LinearLayout.of({"lane": [[2, 0], [1, 0]], "warp": [[0, 1]]}, ("lane", "warp"))
    assert swapped.quotient(("lane",)) is None
    assert "lane" in str(swapped)
