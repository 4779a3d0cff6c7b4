"""
Linear algebra over GF(2) on layouts: inverses, solutions, division, free variables.

Source: `invertAndCompose`, `lstsq`, `divideLeft`, `divideRight` and `getFreeVariableMasks`
of Triton's `lib/Tools/LinearLayout.cpp`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xtriton.layouts.linear import EMPTY, Basis, LinearLayout, product

__all__ = [
    "contiguous_outputs",
    "divide_left",
    "divide_right",
    "free_variables",
    "identity_prefix",
    "input_mask",
    "invert",
    "invert_and_compose",
    "is_injective",
    "is_invertible",
    "is_surjective",
    "pseudo_invert",
    "rank",
]


def rank(columns: Sequence[int]) -> int:
    """Return how many of `columns`, vectors of bits, are linearly independent."""
    return len(_reduce(columns)[0])


def is_surjective(layout: LinearLayout) -> bool:
    """Return whether every point of the output is the image of some input."""
    return rank(layout.columns) == layout.total_out_bits


def is_injective(layout: LinearLayout) -> bool:
    """Return whether no two inputs have the same image."""
    return rank(layout.columns) == layout.total_in_bits


def is_invertible(layout: LinearLayout) -> bool:
    """Return whether the map is one to one and onto."""
    return is_surjective(layout) and is_injective(layout)


def free_variables(layout: LinearLayout) -> dict[str, int]:
    """
    Return, for each input dimension, the mask of bits that repeat what lower bits give.

    A bit is free if its image is a combination of the images before it, the input
    dimensions taken in order: holders of copies differ in free bits.
    """
    independent = _reduce(layout.columns)[1]
    masks: dict[str, int] = {}
    position = 0
    for name, images in layout.bases:
        masks[name] = 0
        for i in range(len(images)):
            if position not in independent:
                masks[name] |= 1 << i
            position += 1
    return masks


def input_mask(layout: LinearLayout, name: str) -> int:
    """Return the mask of the bits of an input dimension that have an effect."""
    return sum(1 << i for i, basis in enumerate(layout.bases_of[name]) if any(basis))


def contiguous_outputs(layout: LinearLayout) -> int:
    """Return how many points of its only output dimension, from 0 on, `layout` reaches."""
    columns, size = layout.columns, 1
    while size < 1 << layout.total_out_bits and rank((*columns, size)) == rank(columns):
        size *= 2
    return size


def invert_and_compose(layout: LinearLayout, outer: LinearLayout) -> LinearLayout:
    """
    Return X with `outer(X(x)) = layout(x)`: where in `outer` to find what `layout` has at x.

    The image of `layout` has to be within that of `outer`. Where several answers exist, an
    input dimension on which both agree is kept as it is, and free bits are 0.
    """
    names = layout.out_names
    a, b = outer.transpose_outs(names), layout
    same = [
        name
        for name in a.in_names
        if name in b.bases_of
        and a.bases_of[name] == b.bases_of[name]
        and all(a.out_size(n) == b.out_size(n) for n in names)
    ]
    rest_a = a.sublayout([n for n in a.in_names if n not in same], names)
    rest_b = b.sublayout([n for n in b.in_names if n not in same], names)
    result = _solve(rest_a, rest_b) if rest_a.bases else EMPTY
    result *= product(LinearLayout.identity(a.in_size(n), n, n) for n in same)
    return result.transpose_ins(b.in_names).transpose_outs(a.in_names)


def pseudo_invert(layout: LinearLayout) -> LinearLayout:
    """Return a map back from the outputs; free input bits are 0 in its images."""
    identity = product(LinearLayout.identity(size, n, n) for n, size in layout.out_dims)
    return invert_and_compose(identity, layout)


def invert(layout: LinearLayout) -> LinearLayout:
    """Return the inverse; raise `ValueError` if there is none."""
    if not is_invertible(layout):
        raise ValueError("the layout is not invertible")
    return pseudo_invert(layout)


def divide_left(a: LinearLayout, b: LinearLayout) -> LinearLayout | None:
    """Return C with `a = b * C`, or None."""
    return _divide(a, b, b_is_inner=True)


def divide_right(a: LinearLayout, b: LinearLayout) -> LinearLayout | None:
    """Return C with `a = C * b`, or None."""
    return _divide(a, b, b_is_inner=False)


def identity_prefix(
    layout: LinearLayout, in_dim: str, out_dim: str, most: int
) -> tuple[int, LinearLayout]:
    """Divide the greatest identity, up to size `most`, off the low end; return its size too."""
    size, rest = 1, layout
    while size < most:
        quotient = divide_left(layout, LinearLayout.identity(2 * size, in_dim, out_dim))
        if quotient is None:
            break
        size, rest = 2 * size, quotient
    return size, rest


def _divide(a: LinearLayout, b: LinearLayout, *, b_is_inner: bool) -> LinearLayout | None:
    ins_known = all(name in a.bases_of for name in b.in_names)
    outs_known = all(name in a.out_sizes for name in b.out_names)
    if not ins_known or not outs_known:
        return None
    if any(a.out_size(n) < b.out_size(n) for n in a.out_names):
        return None
    if any(a.in_bits(n) < b.in_bits(n) for n in a.in_names):
        return None
    bases: dict[str, tuple[Basis, ...]] = {}
    for name in a.in_names:
        images, bits = a.bases_of[name], b.in_bits(name)
        bases[name] = images[bits:] if b_is_inner else images[: len(images) - bits]
    sizes = {name: a.out_size(name) // b.out_size(name) for name in a.out_names}
    if b_is_inner:
        shifted = _shift_down(bases, [b.out_size(name) for name in a.out_names])
        if shifted is None:
            return None
        bases = shifted
    fits = all(
        value < size
        for images in bases.values()
        for basis in images
        for value, size in zip(basis, sizes.values(), strict=True)
    )
    if not fits:
        return None
    quotient = LinearLayout.of(bases, sizes)
    whole = b * quotient if b_is_inner else quotient * b
    same = whole.transpose_ins(a.in_names).transpose_outs(a.out_names) == a
    return quotient if same else None


def _shift_down(
    bases: dict[str, tuple[Basis, ...]], sizes: Sequence[int]
) -> dict[str, tuple[Basis, ...]] | None:
    for images in bases.values():
        for basis in images:
            if any(value % size for value, size in zip(basis, sizes, strict=True)):
                return None
    return {
        name: tuple(tuple(v // s for v, s in zip(basis, sizes, strict=True)) for basis in images)
        for name, images in bases.items()
    }


def _reduce(columns: Sequence[int]) -> tuple[dict[int, tuple[int, int]], set[int]]:
    """
    Eliminate; return the pivots and which columns are independent of those before them.

    A pivot is a vector and the combination of columns, as a mask, that gives it, stored
    under the vector's lowest bit.
    """
    pivots: dict[int, tuple[int, int]] = {}
    independent: set[int] = set()
    for position, column in enumerate(columns):
        value, combination = _cancel(column, 1 << position, pivots)
        if value:
            pivots[value & -value] = (value, combination)
            independent.add(position)
    return pivots, independent


def _cancel(value: int, combination: int, pivots: dict[int, tuple[int, int]]) -> tuple[int, int]:
    """Subtract pivots from `value` as long as one has its lowest bit."""
    kept = 0
    while value:
        low = value & -value
        found = pivots.get(low)
        if found is None:
            # A bit that no pivot has stays; the ones above may still cancel.
            kept |= low
            value ^= low
            continue
        value ^= found[0]
        combination ^= found[1]
    return kept, combination


def _solve(a: LinearLayout, b: LinearLayout) -> LinearLayout:
    """Return X with `a(X(x)) = b(x)` and free bits 0; the dimensions of both outputs agree."""
    # Outputs of `b` may be smaller: the bits have to stand at the places they have in `a`.
    widened = b.with_out_sizes({n: max(a.out_size(n), b.out_size(n)) for n in b.out_names})
    pivots = _reduce(a.columns)[0]
    columns: list[int] = []
    for column in widened.columns:
        rest, combination = _cancel(column, 0, pivots)
        if rest:
            raise ValueError("the image of one layout is not within that of the other")
        columns.append(combination)
    flat = LinearLayout((("in", tuple((c,) for c in columns)),), (("out", 1 << a.total_in_bits),))
    ins = tuple((name, len(images)) for name, images in b.bases)
    return flat.reshape_ins(tuple((n, 1 << bits) for n, bits in ins)).reshape_outs(
        tuple((name, a.in_size(name)) for name in a.in_names)
    )
