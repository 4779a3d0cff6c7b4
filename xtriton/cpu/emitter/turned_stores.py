"""
Blocks that are computed in rows and stored in columns.

A block made of what lies in rows is one loop with its store. Where the store has columns, either
end of that loop goes from row to row, element by element: so it is computed into a buffer, in rows,
which is turned in squares as it is stored.
"""

from collections.abc import Sequence
from dataclasses import replace

from xdsl.ir import Operation

from xtriton.cpu.emitter.access import whole_shape
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.values import Read, Tensor, View, dense_dimension

LEAST = 4
"""Elements of the side of a block of which there are squares."""


def stored_turned(e: Emitter, op: Operation, tensor: Tensor, place: View) -> bool:
    """Store a block by way of a buffer if that is better; return whether it is."""
    shape = whole_shape(op.operands[0])
    if isinstance(tensor, View) or e.checked or not _is_turned(tensor.reads, shape, place):
        return False
    buffer = e.allocate(shape, place.type, op, by_rows=True)
    part = replace(buffer, sizes=tensor.sizes)
    e.write(tensor, part)
    e.write(part, place)
    return True


def _is_turned(reads: Sequence[Read], shape: Sequence[int], place: View) -> bool:
    """Return whether all that a block is made of is dense along another side than its place."""
    dense = dense_dimension(place.strides, shape)
    if dense is None or min(shape) < 0:
        return False
    others = {read.dense for read in reads if read.aligned and read.dense is not None}
    return (
        len(others) == 1
        and dense not in others
        and all(shape[d] >= LEAST for d in (dense, *others))
    )
