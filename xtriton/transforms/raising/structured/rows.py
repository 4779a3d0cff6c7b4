"""
Parts of a block that follow each other evenly, as the rows that it reaches: a loop over them.

`x // 1000` over 1024 places is one element up to the first multiple of 1000, the next for a
thousand places, and so on. Part k of these begins `length` places behind part k - 1, and what it
touches lies as much further each time, so that one access in a loop does for all.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, SSAValue

from xtriton.analysis.classify import Form, SubBlock
from xtriton.analysis.indexing import Expr, Space
from xtriton.analysis.indexing.division import polynomial_multiples
from xtriton.analysis.masks import MaskRegion
from xtriton.analysis.parts import Window
from xtriton.dialects.upstream.scf import ForOp, YieldOp
from xtriton.transforms.raising.writing.emitter import ExprEmitter

FEWEST_PARTS = 3
"""Two parts are shorter one after the other than as a loop."""


@dataclass(frozen=True)
class Rows:
    """Row j has the places from `origin + j * length` on, of which there are `length`, in `dim`."""

    dim: int
    origin: Expr
    length: Expr
    first: Expr
    """The row that the block begins in."""
    zeroth: SubBlock
    """The block that row 0 is a part of."""
    growth: tuple[Expr, ...]
    """What the start of each dimension grows by from row to row."""
    extra: Expr
    """What the scalar offset grows by."""

    def row(self, j: Expr) -> SubBlock:
        """Return row j."""
        dims = zip(self.zeroth.dims, self.growth, strict=True)
        begin = self.origin + j * self.length
        return SubBlock(
            (Window(self.dim, begin, begin + self.length),),
            tuple(replace(dim, start=dim.start + j * step) for dim, step in dims),
            self.zeroth.extra + j * self.extra,
        )

    def reached(self, region: MaskRegion, sizes: Sequence[int]) -> tuple[Expr, Expr]:
        """Return the first row that has a lane of a region, and the one after the last."""
        space, first = self.first.space, self.first
        bounds = region.bounds(space, sizes)
        lower, upper = bounds[self.dim]
        if region.lower[self.dim]:
            first = space.floordiv(lower - self.origin, self.length)
        end = space.floordiv(upper - self.origin + self.length - 1, self.length)
        some = space.conjunction((*(space.less(*pair) for pair in bounds), *region.guards))
        return first, space.select(some, end, first)


def rows_of(space: Space, form: Form, region: MaskRegion) -> Rows | None:
    """Return the parts of a form as rows; None where they are few or lie unevenly in a region."""
    parts = form.parts
    if len(parts) < FEWEST_PARTS or any(len(part.windows) != 1 for part in parts):
        return None
    (window,), (following,) = parts[0].windows, parts[1].windows
    if window.end is None or following.end is None:
        return None
    length = following.end - window.end
    start = window.end - length
    if space.interval(start)[1] > 0 or space.interval(length)[0] <= 0:
        return None
    behind = start + length * len(parts)
    ends = (space.const(form.dims[window.dim].size), *region.upper[window.dim])
    if all(space.interval(behind - end)[0] < 0 for end in ends):
        return None  # the last part may go on where another row would begin
    dims = zip(parts[0].dims, parts[1].dims, strict=True)
    growth = tuple(b.start - a.start for a, b in dims)
    extra = parts[1].extra - parts[0].extra
    first, origin = polynomial_multiples(space, start, length)
    rows = Rows(window.dim, origin, length, first, parts[0], growth, extra)
    rows = replace(rows, zeroth=rows.row(-first))
    evenly = (_is(rows.row(first + k), part) for k, part in enumerate(parts))
    return rows if all(evenly) else None


def _is(row: SubBlock, part: SubBlock) -> bool:
    """Tell whether a part, which begins where a row does, is that row; the last has no end."""
    (mine,), (wanted,) = row.windows, part.windows
    return wanted.end in (None, mine.end) and row.dims == part.dims and row.extra is part.extra


def loop_of_rows(
    emitter: ExprEmitter, bounds: tuple[Expr, Expr], carried: Sequence[SSAValue], op: Operation
) -> ForOp:
    """Return a loop over rows in the place of `op`; its body only yields."""
    lower, upper = (emitter.index(e, op) for e in bounds)
    body = Block(arg_types=[IndexType(), *(value.type for value in carried)])
    loop = ForOp(lower, upper, emitter.constant(1), carried, body)
    emitter.insert_instead(loop, op)
    emitter.end(YieldOp(*body.args[1:]), body)
    return loop
