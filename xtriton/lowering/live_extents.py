"""
How much of each dimension a mask leaves, written shorter.

`triton-to-structured` writes masks as upstream does: `max(min(start + size, n), start) - start`
for the lanes of `start + i < n`, the minimum of that and of the size where masks meet, and a
condition on scalars in every dimension. Here these become `max(min(n - start, size), 0)`, and
the condition stays in the first.
"""

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from xtriton.dialects import tts
from xtriton.dialects.upstream import arith
from xtriton.lowering.builder import Builder, Extent
from xtriton.lowering.structured_access import known
from xtriton.passes.rewriting import replace


def shorten_masks(function: Operation) -> None:
    """Write the mask sizes of all loads and stores of a function shorter."""
    for op in list(function.walk()):
        if isinstance(op, tts.LoadOp | tts.StoreOp) and op.mask_dims:
            builder = Builder(before=op)
            dims = live_extents(builder, op.mixed_mask_dims)
            if isinstance(op, tts.LoadOp):
                new: Operation = tts.LoadOp(op.ptr, dims, op.other)
            else:
                new = tts.StoreOp(op.ptr, op.value, dims)
            replace(op, builder.insert(new).results)


def live_extents(builder: Builder, extents: Sequence[Extent]) -> list[Extent]:
    """Return the extents of an access, made anew where they can be written shorter."""
    guard = _guard(extents[0]) if extents else None
    return [
        shortened(builder, _guarded(e) if d and guard is not None and _guard(e) is guard else e)
        for d, e in enumerate(extents)
    ]


def shortened(builder: Builder, extent: Extent) -> Extent:
    """Return one extent, made anew where it can be written shorter."""
    op = None if isinstance(extent, int) else extent.owner
    if isinstance(op, arith.MinSIOp):
        x, y = (shortened(builder, known(v)) for v in op.operands)
        if isinstance(y, int) and _is_at_most(x, y):
            return x
        return extent if (x, y) == tuple(op.operands) else builder.minimum(x, y)
    if isinstance(op, arith.SubiOp):
        return _above_start(builder, op) or extent
    return extent


def _guard(extent: Extent) -> SSAValue | None:
    """Return the condition without which an extent is 0, if it has one of its own."""
    op = None if isinstance(extent, int) else extent.owner
    if isinstance(op, arith.SelectOp) and known(op.operands[2]) == 0:
        return op.operands[0]
    return None


def _guarded(extent: Extent) -> Extent:
    """Return an extent without its condition."""
    assert not isinstance(extent, int)
    assert isinstance(extent.owner, arith.SelectOp)
    return known(extent.owner.operands[1])


def _is_at_most(extent: Extent, size: int) -> bool:
    """Tell whether an extent is a maximum of 0 and of a minimum with at most `size`."""
    if isinstance(extent, int):
        return extent <= size
    op = extent.owner
    if not isinstance(op, arith.MaxSIOp) or known(op.operands[1]) != 0:
        return False
    least = op.operands[0].owner
    if not isinstance(least, arith.MinSIOp):
        return False
    return any(isinstance(n, int) and n <= size for n in map(known, least.operands))


def _above_start(builder: Builder, op: arith.SubiOp) -> Extent | None:
    """Return `max(min(start + size, n), start) - start` without the sum; None for all else."""
    end, start = op.operands
    if not isinstance(end.owner, arith.MaxSIOp) or end.owner.operands[1] is not start:
        return None
    least = end.owner.operands[0].owner
    if not isinstance(least, arith.MinSIOp):
        return None
    size = _added_to(start, least.operands[0])
    if size is None or size < 0:
        return None
    below = builder.subtract(least.operands[1], start)
    return builder.maximum(builder.minimum(below, size), 0)


def _added_to(start: SSAValue, total: SSAValue) -> int | None:
    """Return the number whose sum with `start` a value is."""
    op = total.owner
    if not isinstance(op, arith.AddiOp) or start not in op.operands:
        return None
    number = known(op.operands[1] if op.operands[0] is start else op.operands[0])
    return number if isinstance(number, int) else None
