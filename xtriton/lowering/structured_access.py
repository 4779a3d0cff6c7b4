"""
Reading and writing the blocks that `tts.make_tptr` describes.

A block is a strided view of its base. A dimension that wraps around is taken in runs of
indices with one quotient by the modulus: run `k > 0` covers `[k * M, (k + 1) * M)` and
begins again at 0. A loop over the runs of each wrapping dimension is right however often a
block wraps, for any strides, and for masks, which only end the last run early.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, Operation, SSAValue

from xtriton.dialects.tts.lists import integers
from xtriton.dialects.upstream import arith
from xtriton.lowering import views
from xtriton.lowering.attributes import element_type_of
from xtriton.lowering.builder import INDEX, Builder, Extent, fill
from xtriton.lowering.pointers import MemRefPointer
from xtriton.records import record


def known(extent: Extent) -> Extent:
    """Return the number that a value holds, or the value where that is not known."""
    if isinstance(extent, int) or not isinstance(extent.owner, arith.ConstantOp):
        return extent
    attribute = extent.owner.properties["value"]
    return attribute.value.data if isinstance(attribute, IntegerAttr) else extent


@record
class Structure:
    """What a `tts.make_tptr` says, per dimension; offsets and bounds count elements."""

    base: SSAValue
    sizes: list[int]
    strides: list[Extent]
    offsets: list[Extent]
    bounds: list[Extent]
    """The modulus of the offset, 0 where the dimension does not wrap."""

    @classmethod
    def of(cls, op: Any) -> "Structure":
        """Return the structure of a `tts.make_tptr`."""
        sizes = list(integers(op.sizes))
        return cls(
            op.operands[0],
            sizes,
            [known(stride) for stride in op.mixed_strides],
            [known(offset) for offset in op.mixed_offsets],
            [0] * len(sizes) if op.is_block_pointer else [known(n) for n in op.mixed_shape],
        )

    @property
    def wrapping(self) -> list[int]:
        """The dimensions that wrap around."""
        known_not_to = [isinstance(bound, int) and bound == 0 for bound in self.bounds]
        return [d for d, plain in enumerate(known_not_to) if not plain]

    @property
    def repeated(self) -> list[int]:
        """The dimensions with the same elements at every index; MLIR has no views of such."""
        return [
            d
            for d, stride in enumerate(self.strides)
            if self.sizes[d] > 1 and isinstance(stride, int) and stride == 0
        ]

    def once(self, dims: Sequence[int]) -> "Structure":
        """Return the structure with extent 1 in the dimensions `dims`."""
        sizes = [1 if d in dims else size for d, size in enumerate(self.sizes)]
        return replace(self, sizes=sizes)


@record
class BlockSlice:
    """The part of a block that is accessed: from `starts`, `extents` long, in each dimension."""

    starts: list[Extent]
    extents: list[Extent]
    nonempty: bool = False
    """Whether every extent is known to be at least 1."""

    @classmethod
    def prefix(cls, dims: Sequence[Extent]) -> "BlockSlice | None":
        """Return the window `[0, dim)` of each dimension; none if there are no `dims`."""
        return cls([0] * len(dims), list(dims)) if dims else None

    @classmethod
    def between(
        cls, builder: Builder, starts: Sequence[Extent], ends: Sequence[Extent], nonempty: bool
    ) -> "BlockSlice":
        """Return the window `[start, end)`, empty where `end` is not above `start`."""
        extents = [
            builder.subtract(end, start)
            if nonempty or (isinstance(start, int) and start == 0)
            else builder.maximum(builder.subtract(end, start), 0)
            for start, end in zip(starts, ends, strict=True)
        ]
        return cls(list(starts), extents, nonempty)


Places = Sequence[Extent]

MakeView = Callable[[], SSAValue]

Transfer = Callable[[Builder, MakeView, Places, Places], None]
"""Moves one part, given what makes the view of it, its place in the block, and its extents."""


class StructuredAccess:
    """One load or store of a block."""

    def __init__(
        self, builder: Builder, structure: Structure, base: MemRefPointer, at_pointer: Builder
    ):
        self.builder = builder
        self.at_pointer = at_pointer
        """Where the pointer is made; there stands the view of the whole block."""
        self.structure = structure
        self.base = base

    def element_type(self) -> Attribute:
        return element_type_of(self.base.memory)

    # --- loads --------------------------------------------------------------------------

    def load(self, window: "BlockSlice | None", other: SSAValue | None) -> SSAValue:
        """Return the block; outside `window` (None: nowhere) it holds the scalar `other`."""
        builder, sizes = self.builder, self.structure.sizes
        view = self._whole()
        memory = views.allocate(builder, self.element_type(), sizes)
        if window is not None and other is not None:
            fill_if_partial(builder, memory, window.extents, sizes, other)

        def transfer(at: Builder, view: MakeView, places: Places, part: Places) -> None:
            source = view()
            target = memory if part == sizes else views.subview(at, memory, places, part)
            views.copy(at, source, target)

        self._transfer(view, window, transfer)
        return views.as_tensor(builder, memory)

    # --- stores -------------------------------------------------------------------------

    def store(self, value: SSAValue, window: "BlockSlice | None") -> None:
        """Write the part of a block in `window` (None: all of it)."""
        sizes = self.structure.sizes
        view = self._whole()

        def transfer(at: Builder, view: MakeView, places: Places, part: Places) -> None:
            source = value if part == sizes else views.extract_slice(at, value, places, part)
            views.write(at, source, view())

        self._transfer(view, window, transfer)

    # --- views --------------------------------------------------------------------------

    def _whole(self) -> SSAValue | None:
        """Return the view of the whole block, None if it wraps around."""
        structure = self.structure
        if structure.wrapping:
            return None
        return self._view(self.at_pointer, structure.sizes, structure.offsets)

    def _transfer(
        self, view: SSAValue | None, window: "BlockSlice | None", transfer: "Transfer"
    ) -> None:
        """Call `transfer` for each contiguous part."""
        structure = self.structure
        if window is None:
            window = BlockSlice([0] * len(structure.sizes), list(structure.sizes))
        starts, part = list(window.starts), list(window.extents)
        if view is None:
            self._run(
                self.builder, part, list(structure.offsets), starts, structure.wrapping, transfer
            )
            return
        whole = part == structure.sizes
        transfer(
            self.builder,
            lambda: view if whole else views.subview(self.builder, view, starts, part),
            starts,
            part,
        )

    def _run(
        self,
        builder: Builder,
        part: list[Extent],
        offsets: list[Extent],
        places: list[Extent],
        wrapping: list[int],
        transfer: "Transfer",
    ) -> None:
        """Go through the runs of the first of the `wrapping` dimensions, then of the others."""
        if not wrapping:
            transfer(builder, lambda: self._part(builder, part, offsets, places), places, part)
            return
        d, *rest = wrapping
        stride = self.structure.strides[d]
        period, first = self._period_and_first(builder, d)
        lowest = builder.add(first, places[d])
        end = builder.add(lowest, part[d])
        stop = builder.add(divide(builder, builder.subtract(end, 1), period), 1)
        loop = builder.for_(stop, start=divide(builder, lowest, period))
        body = loop.regions[0].blocks[0]
        inner = builder.inside(body)
        run = inner.multiply(body.args[0], period)
        begin = inner.maximum(lowest, _run_start(inner, body.args[0], run, period))
        stop = inner.minimum(end, _run_stop(inner, body.args[0], run, period))
        offsets[d] = inner.multiply(inner.subtract(begin, run), stride)
        places[d] = inner.subtract(begin, first)
        part[d] = inner.subtract(stop, begin)
        self._run(inner, part, offsets, places, rest, transfer)
        inner.yield_()

    def _period_and_first(self, builder: Builder, d: int) -> tuple[Extent, Extent]:
        """
        Return how many positions of dimension `d` there are before it wraps, and the first.

        A stride of 0 makes the modulus 0 and means that nothing wraps.
        """
        structure = self.structure
        stride, bound, offset = structure.strides[d], structure.bounds[d], structure.offsets[d]
        if isinstance(stride, int):
            return magnitude(builder, divide(builder, bound, stride)), divide(
                builder, offset, stride
            )
        zero = builder.compare("eq", stride, 0)
        divisor = builder.select(zero, 1, stride)
        period = magnitude(builder, divide(builder, bound, divisor))
        first = divide(builder, offset, divisor)
        return builder.select(zero, structure.sizes[d], period), builder.select(zero, 0, first)

    def _view(
        self, builder: Builder, sizes: Sequence[Extent], offsets: Sequence[Extent]
    ) -> SSAValue:
        total = self.base.offset
        for offset in offsets:
            total = builder.add(total, offset)
        strides = legal_strides(self.structure.sizes, self.structure.strides)
        return views.reinterpret(builder, self.base.memory, total, sizes, strides)

    def _part(
        self,
        builder: Builder,
        sizes: Sequence[Extent],
        offsets: Sequence[Extent],
        places: Sequence[Extent],
    ) -> SSAValue:
        """Return the view of a part; the offset of a wrapping dimension counts from its run."""
        structure = self.structure
        moved = [
            offset
            if d in structure.wrapping
            else builder.add(offset, builder.multiply(places[d], structure.strides[d]))
            for d, offset in enumerate(offsets)
        ]
        return self._view(builder, sizes, moved)


def fill_if_partial(
    builder: Builder,
    memory: SSAValue,
    extents: Sequence[Extent],
    sizes: Sequence[int],
    other: SSAValue,
) -> None:
    """Fill memory with `other` where `extents` may be less than the whole of it."""
    partial: SSAValue | None = None
    for extent, size in zip(extents, sizes, strict=True):
        if isinstance(extent, int) and extent >= size:
            continue
        short = builder.compare("slt", extent, size)
        partial = (
            short if partial is None else builder.value(arith.OrIOp, (partial, short), short.type)
        )
    if partial is None:
        return
    branch = builder.if_(partial)
    inner = builder.inside(branch.regions[0].blocks[0])
    fill(inner, other, memory)
    inner.yield_()


def legal_strides(sizes: Sequence[int], strides: Sequence[Extent]) -> list[Extent]:
    """
    Return the strides, those of extent-1 dimensions as a dense layout would have them.

    Unless they are known and not 0: a stride that turns out to be 0 is none for MLIR 19.
    """
    legal = list(strides)
    step = 1
    for d in reversed(range(len(legal))):
        stride = legal[d]
        if sizes[d] == 1 and not (isinstance(stride, int) and stride != 0):
            legal[d] = step
        step *= sizes[d]
    return legal


def _run_start(builder: Builder, number: Extent, run: Extent, period: Extent) -> Extent:
    """
    Return the first index of a run.

    The remainder has the sign of the index, so the runs below 0 mirror those above, and
    run 0 reaches from `1 - period` to `period - 1`.
    """
    below = builder.add(builder.subtract(run, period), 1)
    return builder.select(builder.compare("sgt", number, 0), run, below)


def _run_stop(builder: Builder, number: Extent, run: Extent, period: Extent) -> Extent:
    """Return the index behind the last of a run."""
    above = builder.add(run, period)
    return builder.select(builder.compare("sge", number, 0), above, builder.add(run, 1))


def magnitude(builder: Builder, a: Extent) -> Extent:
    """Return the absolute value."""
    return abs(a) if isinstance(a, int) else builder.maximum(a, builder.subtract(0, a))


def divide(builder: Builder, a: Extent, b: Extent) -> Extent:
    """Return `a / b`, rounded toward zero."""
    if isinstance(b, int) and b == 1:
        return a
    if isinstance(a, int) and isinstance(b, int) and b != 0:
        return int(a / b)
    return _index_op(builder, arith.DivSIOp, a, b)


def _index_op(builder: Builder, cls: type[Operation], a: Extent, b: Extent) -> SSAValue:
    return builder.value(cls, (builder.materialise(a), builder.materialise(b)), INDEX)
