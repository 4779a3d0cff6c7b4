"""
Blocks whose rows an index tensor names: a loop over the rows, each of them a view.

A row is the block with extent 1 in the dimension of the gather. Where the other dimensions
hold more than one element, copying rows is better than loading elements: a row is one
transfer for what consumes the IR.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue

from xtriton.dialects.tts.lists import integers
from xtriton.dialects.upstream import tensor
from xtriton.lowering import views
from xtriton.lowering.builder import Builder, Extent, fill
from xtriton.lowering.pointers import MemRefPointer
from xtriton.lowering.structured_access import (
    MakeView,
    Places,
    Transfer,
    fill_if_partial,
    known,
    legal_strides,
)


@dataclass(frozen=True)
class RowAccess:
    """One load or store through a `tts.make_gather_scatter_tptr`."""

    builder: Builder
    pointer: Any
    base: MemRefPointer

    @property
    def along(self) -> int:
        return self.pointer.gather_scatter_dim.value.data

    @property
    def sizes(self) -> list[int]:
        return list(integers(self.pointer.sizes))

    @property
    def has_long_rows(self) -> bool:
        """Whether a row is a view of more than one element; none repeats elements."""
        sizes, along = self.sizes, self.along
        strides = integers(self.pointer.static_strides)
        repeats = any(
            stride == 0 and sizes[d] > 1 for d, stride in enumerate(strides) if d != along
        )
        return prod(sizes) > sizes[along] and not repeats

    def load(self, ends: Sequence[Extent], other: SSAValue | None) -> SSAValue:
        """Return the block; behind `ends` (empty: nowhere) it holds the scalar `other`."""
        builder = self.builder
        memory = views.allocate(builder, self.pointer.base.type.pointee_type, self.sizes)
        if other is not None:
            if self.pointer.gather_scatter_mask is not None:
                fill(builder, other, memory)
            elif ends:
                fill_if_partial(builder, memory, ends, self.sizes, other)

        def transfer(at: Builder, row: MakeView, place: Places, part: Places) -> None:
            views.copy(at, row(), views.subview(at, memory, place, part))

        self._each_row(ends, transfer)
        return views.as_tensor(builder, memory)

    def store(self, value: SSAValue, ends: Sequence[Extent]) -> None:
        """Write the part of a block before `ends` (empty: all of it)."""

        def transfer(at: Builder, row: MakeView, place: Places, part: Places) -> None:
            views.write(at, views.extract_slice(at, value, place, part), row())

        self._each_row(ends, transfer)

    def _each_row(self, ends: Sequence[Extent], transfer: Transfer) -> None:
        """Call `transfer` in a loop over the rows, for those that the mask lets through."""
        mask, along, sizes = self.pointer.gather_scatter_mask, self.along, self.sizes
        part = [1 if d == along else e for d, e in enumerate(ends or sizes)]
        stop: Extent = sizes[along]
        if ends and mask is None:
            stop = self.builder.minimum(ends[along], stop)
        loop = self.builder.for_(stop)
        body = loop.regions[0].blocks[0]
        outer = inner = self.builder.inside(body)
        (index,) = body.args
        if mask is not None:
            branch = outer.if_(outer.value(tensor.ExtractOp, (mask, index), i1))
            inner = outer.inside(branch.regions[0].blocks[0])
        place = [index if d == along else 0 for d in range(len(sizes))]
        rows: Any = self.pointer.gather_scatter_offset
        element = inner.value(tensor.ExtractOp, (rows, index), rows.type.element_type)
        number = inner.to_index(element)
        transfer(inner, lambda: self._row(inner, number, part), place, part)
        if inner is not outer:
            inner.yield_()
        outer.yield_()

    def _row(self, at: Builder, number: SSAValue, part: Places) -> SSAValue:
        """Return the view of `part` of the row that the index tensor calls `number`."""
        pointer, along = self.pointer, self.along
        strides = [known(stride) for stride in pointer.mixed_strides]
        offsets = [known(offset) for offset in pointer.mixed_offsets]
        total = at.multiply(number, strides[along])
        for offset in (self.base.offset, *offsets):
            total = at.add(total, offset)
        whole = [1 if d == along else size for d, size in enumerate(self.sizes)]
        row = views.reinterpret(at, self.base.memory, total, whole, legal_strides(whole, strides))
        return row if part == whole else views.subview(at, row, [0] * len(whole), part)
