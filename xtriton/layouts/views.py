"""What becomes of a tensor that is seen in another shape, each element staying where it is."""

from __future__ import annotations

from collections.abc import Sequence

from xtriton.layouts.linear import LinearLayout
from xtriton.layouts.shaping import dims


def order_in_place(source: LinearLayout, target: LinearLayout) -> list[int] | None:
    """
    Return which element of `source` each element of `target` is, both counted row-major.

    Register 3 of lane 5 holds element `source(3, 5)` of one tensor; that is element
    `target(3, 5)` of the other one. None where copies of an element would become different
    elements, or where threads do not have as many registers.
    """
    if [(n, len(b)) for n, b in source.bases] != [(n, len(b)) for n, b in target.bases]:
        return None
    images = _images_of_bits(_row_major(source).columns, _row_major(target).columns)
    if images is None or len(images) != source.total_out_bits:
        return None
    order = [0]
    for bit in sorted(images):
        order += [index ^ images[bit] for index in order]
    return order


def _row_major(layout: LinearLayout) -> LinearLayout:
    """Return the layout with the last dimension as the fastest."""
    return layout.transpose_outs(tuple(reversed(dims(len(layout.out_dims)))))


def _images_of_bits(source: Sequence[int], target: Sequence[int]) -> dict[int, int] | None:
    """Solve for the linear map that takes every column of `target` to that of `source`."""
    pivots: dict[int, tuple[int, int]] = {}
    for s, t in zip(source, target, strict=True):
        for bit in sorted(pivots, reverse=True):
            if t >> bit & 1:
                t, s = t ^ pivots[bit][0], s ^ pivots[bit][1]
        if t:
            pivots[t.bit_length() - 1] = (t, s)
        elif s:
            return None
    images: dict[int, int] = {}
    for bit in sorted(pivots):
        t, s = pivots[bit]
        for lower in range(bit):
            if t >> lower & 1:
                s ^= images[lower]
        images[bit] = s
    return images
