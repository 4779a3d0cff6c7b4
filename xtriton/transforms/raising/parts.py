"""The parts of a block with seams, each a block of its own under a mask."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from xtriton.analysis.classify import Form
from xtriton.analysis.indexing import Expr
from xtriton.analysis.masks import MaskRegion


def parts(form: Form, region: MaskRegion) -> Iterator[tuple[Form, MaskRegion]]:
    """Yield the form of each part, as far as the block reaches, and its share of a mask."""
    if not form.seams:
        yield form, region
        return
    assert form.extra is not None
    seams, *others = form.seams
    for jump, (start, end) in zip(
        (None, *seams.jumps), pairwise((None, *seams.places, None)), strict=True
    ):
        extra = form.extra if jump is None else form.extra + jump
        part = replace(form, extra=extra, seams=tuple(others))
        yield from parts(part, between(region, seams.dim, start, end))


def between(region: MaskRegion, dim: int, start: Expr | None, end: Expr | None) -> MaskRegion:
    """Return the lanes of a region with `start <= i[dim] < end`."""
    lower, upper = list(region.lower), list(region.upper)
    if start is not None:
        lower[dim] = (*lower[dim], start)
    if end is not None:
        upper[dim] = (*upper[dim], end)
    return replace(region, lower=tuple(lower), upper=tuple(upper))
