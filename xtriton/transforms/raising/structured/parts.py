"""The parts of a block, each a block of its own under a mask."""

from collections.abc import Iterator
from dataclasses import replace

from xtriton.analysis.classify import Form, SubBlock
from xtriton.analysis.masks import MaskRegion
from xtriton.analysis.parts import Window


def parts(form: Form, region: MaskRegion) -> Iterator[tuple[Form, MaskRegion]]:
    """Yield the form of each part and its share of a mask."""
    for part in form.parts:
        yield alone(form, part), share(part, region)


def alone(form: Form, part: SubBlock) -> Form:
    """Return the form of a part as if it were the whole block."""
    return replace(form, dims=part.dims, extra=part.extra, parts=())


def share(part: SubBlock, region: MaskRegion) -> MaskRegion:
    """Return the lanes of a region that a part has."""
    for window in part.windows:
        region = within(region, window)
    return region


def within(region: MaskRegion, window: Window) -> MaskRegion:
    """Return the lanes of a region that are in a window."""
    lower, upper = list(region.lower), list(region.upper)
    if window.start is not None:
        lower[window.dim] = (*lower[window.dim], window.start)
    if window.end is not None:
        upper[window.dim] = (*upper[window.dim], window.end)
    return replace(region, lower=tuple(lower), upper=tuple(upper))
