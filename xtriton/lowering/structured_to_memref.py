"""
Structured accesses to memory: `tts.load` and `tts.store` to memref, tensor and bufferization.

Before:

    %0 = tts.make_tptr %p to sizes: [128], strides: [1], offsets: [%o], shape: [0], order: []
    %1 = "tts.load"(%0, %n) <{static_mask_dims = array<i64: ...>}> : ...

After (`%p` being `memref<*xf32>`):

    %view = memref.reinterpret_cast %p to offset: [%o], sizes: [%n], strides: [1] : ...
    %alloc = memref.alloc() : memref<128xf32>
    %part = memref.subview %alloc[0] [%n] [1] : ...
    memref.copy %view, %part : ...
    %1 = bufferization.to_tensor %alloc restrict writable : memref<128xf32> to tensor<128xf32>

Pointers become a memref and an offset (see `pointers`), which each access applies itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType, i1
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from xtriton.dialects import tt, tts
from xtriton.dialects.tt.enums import RMWOp
from xtriton.dialects.tts.lists import integers
from xtriton.dialects.upstream import arith, linalg, memref, tensor
from xtriton.ir.walking import ops_in
from xtriton.lowering import views
from xtriton.lowering.block_address import affine_address, gather_address, structured_address
from xtriton.lowering.builder import Builder, Extent, SharedOps, fill
from xtriton.lowering.element_access import Elements, Inside, guarded, loop_index
from xtriton.lowering.gather_rows import RowAccess
from xtriton.lowering.linalg_rules.generic import elementwise, is_tensor
from xtriton.lowering.linalg_rules.shapes import broadcast_to
from xtriton.lowering.live_extents import shorten_masks
from xtriton.lowering.modules import modules
from xtriton.lowering.pointer_flow import plan_calls
from xtriton.lowering.pointers import MemRefPointer, Pointers, drop_dead, flat
from xtriton.lowering.structured_access import BlockSlice, Structure, StructuredAccess
from xtriton.lowering.unstructured_to_memref import memory_order
from xtriton.passes.rewriting import replace
from xtriton.transforms.layout_free import refuse_layouts


@dataclass(frozen=True)
class StructuredToMemrefPass(ModulePass):
    """Lower structured loads and stores to views and copies of memory."""

    name = "structured-to-memref"

    short_masks: bool = False
    """Compute mask sizes with fewer ops than upstream's formula has."""
    rows_by_element: int = 0
    """
    Load a long row that wraps around after so many elements or more by its elements; 0: copy runs.

    Whoever knows where such a place goes up by one, as native code does, reads it where it lies.
    """

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        refuse_layouts(op, self.name)
        for module in modules(op):
            plan_calls(module)
            for function in module.ops:
                if function.name in ("func.func", "tt.func"):
                    if self.short_masks:
                        shorten_masks(function)
                    lower_function(function, self.rows_by_element)


def lower_function(function: Operation, rows_by_element: int = 0) -> None:
    """Lower the structured accesses of one function; see the option of the pass."""
    if not function.regions[0].blocks:
        return
    pointers = Pointers()
    pointers.lower(function)
    shared = SharedOps(function.regions[0].blocks[0])
    blocks: list[Operation] = []
    for op in ops_in(function, ACCESSES | POINTER_NAMES):
        if op.name in POINTER_NAMES:
            blocks.append(op)
        else:
            builder = Builder(before=op, shared=shared)
            block = _block_of(op, pointers, builder, rows_by_element)
            if block is not None:
                replace(op, block.access(op))
    for op in reversed(blocks):
        if op.results[0].first_use is None:
            Rewriter.erase_op(op)
    drop_dead(function)
    shared.drop_unused()


ACCESSES = frozenset(
    (
        "tts.load",
        "tts.store",
        "tts.masked_load",
        "tts.masked_store",
        "tts.atomic_rmw",
        "tts.atomic_cas",
    )
)
_POINTERS = (tts.MakeTensorPtrOp, tts.MakeAffineTensorPtrOp, tts.MakeGatherScatterTensorPtrOp)
POINTER_NAMES = frozenset(pointer.name for pointer in _POINTERS)


def _block_of(
    op: Operation, pointers: Pointers, builder: Builder, rows_by_element: int
) -> "_Block | None":
    pointer: Any = op.operands[0].owner
    if not isinstance(pointer, _POINTERS):
        return None
    base = pointers.get(pointer.base)
    return None if base is None else _Block(builder, pointer, base, rows_by_element)


class _Block:
    """One block in memory, and what is done to it."""

    def __init__(self, builder: Builder, pointer: Any, base: MemRefPointer, rows_by_element: int):
        self.rows_by_element = rows_by_element
        self.builder = builder
        self.at_pointer = Builder(before=pointer, shared=builder.shared)
        self.pointer = pointer
        self.base = base
        self.shape = integers(pointer.sizes)
        self.structure = Structure.of(pointer) if isinstance(pointer, tts.MakeTensorPtrOp) else None

    @property
    def is_gather(self) -> bool:
        return isinstance(self.pointer, tts.MakeGatherScatterTensorPtrOp)

    @property
    def rows(self) -> RowAccess:
        return RowAccess(self.builder, self.pointer, self.base)

    def access(self, op: Any) -> Sequence[SSAValue]:
        """Lower an access; return what takes the place of its results."""
        match op:
            case tts.LoadOp():
                return self.load(op)
            case tts.StoreOp():
                return self.store(op)
            case tts.MaskedLoadOp():
                return self.masked_load(op)
            case tts.MaskedStoreOp():
                return self.masked_store(op)
            case tts.AtomicRMWOp():
                code: Any = op.properties["atomic_rmw_op"]
                kind = RMWOp(code.value.data)
                elements = self.masked_elements(op)
                order = memory_order(op)
                return (elements.update(self.builder, kind, op.value, op.results[0], order),)
            case _:
                kind = op.results[0].type
                elements, order = self.elements(None, None), memory_order(op)
                return (elements.swap(self.builder, op.cmp, op.value, kind, order),)

    @property
    def wraps_in_long_rows(self) -> bool:
        """Whether it is one row that wraps around so late that its elements are loaded."""
        structure = self.structure
        if structure is None or not self.rows_by_element or len(structure.wrapping) != 1:
            return False
        (d,) = structure.wrapping
        bound, is_row = structure.bounds[d], prod(self.shape) == self.shape[d]
        late = isinstance(bound, int) and bound >= self.rows_by_element
        return is_row and late and structure.strides[d] == 1

    # --- blocks and windows of them -----------------------------------------------------

    def load(self, op: Any) -> Sequence[SSAValue]:
        dims = op.mixed_mask_dims
        if self.is_gather and self.rows.has_long_rows:
            return (self.rows.load(dims, op.other),)
        found, window = None, BlockSlice.prefix(dims)
        if not self.wraps_in_long_rows:
            found = self.load_window(window, op.other)
            if found is None and window is not None and op.other is None:
                found = self.load_part(window, None)
        if found is None:
            inside = self.inside([0] * len(dims), dims)
            found = self.elements(None, inside).load(self.builder, op.other, op.results[0].type)
        return (found,)

    def store(self, op: Any) -> Sequence[SSAValue]:
        dims = op.mixed_mask_dims
        if self.is_gather and self.rows.has_long_rows:
            self.rows.store(op.value, dims)
            return ()
        if not self.store_window(op.value, BlockSlice.prefix(dims)):
            inside = self.inside([0] * len(dims), dims)
            self.elements(None, inside).store(self.builder, op.value)
        return ()

    def masked_load(self, op: Any) -> Sequence[SSAValue]:
        if self.is_empty(op.mixed_starts) and op.other is not None:
            return (op.other,)
        found = None
        other = None if op.other is None else filled_with(op.other)
        if op.mask is None and not self.wraps_in_long_rows:
            window = self.window_of(op)
            if op.other is None or other is not None:
                found = self.load_window(window, other)
            if found is None:
                found = self.load_part(window, op.other)
        if found is None:
            kind = op.results[0].type
            found = self.masked_elements(op).load(self.builder, op.other, kind)
        return (found,)

    def window_of(self, op: Any) -> BlockSlice:
        nonempty = op.nonempty is not None
        return BlockSlice.between(self.builder, op.mixed_starts, op.mixed_ends, nonempty)

    def is_empty(self, starts: Sequence[Extent]) -> bool:
        """Return whether a window is known to begin behind the block; MLIR has no such slices."""
        return any(isinstance(s, int) and s >= n for s, n in zip(starts, self.shape, strict=True))

    def masked_store(self, op: Any) -> Sequence[SSAValue]:
        if self.is_empty(op.mixed_starts):
            return ()
        if op.mask is None:
            window = self.window_of(op)
            if self.store_window(op.value, window):
                return ()
        self.masked_elements(op).store(self.builder, op.value)
        return ()

    def load_window(self, window: BlockSlice | None, other: SSAValue | None) -> SSAValue | None:
        """
        Return the block by copying views of memory; None if there is no such view.

        A dimension that repeats the same elements is read once and broadcast.
        """
        if self.structure is None:
            return None
        repeated = self.structure.repeated
        if window is not None and any(window.extents[d] != self.shape[d] for d in repeated):
            return None
        structure = self.structure.once(repeated)
        if window is not None:
            extents = [1 if d in repeated else e for d, e in enumerate(window.extents)]
            window = BlockSlice(window.starts, extents, window.nonempty)
        value = self._of(structure).load(window, other)
        return broadcast_to(self.builder, value, self.shape) if repeated else value

    def load_part(self, window: BlockSlice, around: SSAValue | None) -> SSAValue | None:
        """
        Return `around` with what is in the window put there; None if there is no view of it.

        A block of one element only, again and again, is a fill.
        """
        structure = self.structure
        if structure is None or structure.wrapping:
            return None
        builder = self.builder
        if not structure.repeated:
            if around is None:
                return None
            whole = self._of(structure).load(window, None)
            part = views.extract_slice(builder, whole, window.starts, window.extents)
        else:
            if any(size > 1 for size in structure.once(structure.repeated).sizes):
                return None
            element = self.only_element(window)
            if around is None:
                return self.repeated_inside(window, element)
            part = views.extract_slice(builder, around, window.starts, window.extents)
            (part,) = fill(builder, element, part)
        return views.insert_slice(builder, part, around, window.starts, window.extents)

    def repeated_inside(self, window: BlockSlice, element: SSAValue) -> SSAValue:
        """
        Return a block of `element`; outside of the window it is 0, as GPUs have it there.

        Lanes that a mask cuts off without `other` may be anything; kernels rely on their being 0.
        """
        builder = self.builder
        ends = [builder.add(s, n) for s, n in zip(window.starts, window.extents, strict=True)]
        inside = self.inside(window.starts, ends)
        kind = TensorType(element.type, self.shape)
        if inside is None:
            return builder.filled(kind, element)

        def body(inner: Builder, _: Sequence[SSAValue]) -> Sequence[SSAValue]:
            indices = [loop_index(inner, d) for d in range(len(self.shape))]
            first, *rest = inside(inner, indices)
            for condition in rest:
                first = inner.value(arith.AndIOp, (first, condition), i1)
            zero = inner.number(0, element.type)
            return (inner.value(arith.SelectOp, (first, element, zero), element.type),)

        found = elementwise(builder, (), [kind], body)
        assert found is not None
        return found[0]

    def only_element(self, window: BlockSlice) -> SSAValue:
        """Return the element that a block repeats, if the window is not empty."""
        builder, structure = self.builder, self.structure
        assert structure is not None
        memory = flat(builder, self.base)
        place = builder.add(self.base.offset, sum_of(builder, structure.offsets))
        memory_kind: Any = memory.type
        kind = memory_kind.element_type

        def load(at: Builder) -> SSAValue:
            return at.value(memref.LoadOp, (memory, at.materialise(place)), kind)

        condition: SSAValue | None = None
        for extent in () if window.nonempty else dict.fromkeys(window.extents):
            if not isinstance(extent, int) or extent <= 0:
                some = builder.compare("sgt", extent, 0)
                condition = (
                    some
                    if condition is None
                    else builder.value(arith.AndIOp, (condition, some), i1)
                )
        return load(builder) if condition is None else guarded(builder, condition, load, None, kind)

    def store_window(self, value: SSAValue, window: BlockSlice | None) -> bool:
        """Write the block to views of memory; return whether there are such views."""
        if self.structure is None or self.structure.repeated:
            return False
        self._of(self.structure).store(value, window)
        return True

    def _of(self, structure: Structure) -> StructuredAccess:
        return StructuredAccess(self.builder, structure, self.base, self.at_pointer)

    # --- masks --------------------------------------------------------------------------

    def inside(self, starts: Sequence[Extent], ends: Sequence[Extent]) -> Inside | None:
        """Return what tests `starts <= position < ends`, None if that is every position."""
        rows = self.pointer.gather_scatter_mask if self.is_gather else None
        along = self.pointer.gather_scatter_dim.value.data if self.is_gather else -1
        bounded = [
            (d, start, end)
            for d, (start, end) in enumerate(zip(starts, ends, strict=True))
            if start != 0 or not isinstance(end, int) or end < self.shape[d]
            if d != along or rows is None
        ]
        if not bounded and rows is None:
            return None

        def conditions(inner: Builder, indices: Sequence[SSAValue]) -> Sequence[SSAValue]:
            found: list[SSAValue] = []
            if rows is not None:
                found.append(inner.value(tensor.ExtractOp, (rows, indices[along]), i1))
            for d, start, end in bounded:
                if start != 0:
                    found.append(inner.compare("sge", indices[d], start))
                found.append(inner.compare("slt", indices[d], end))
            return found

        return conditions

    def masked_elements(self, op: Any) -> Elements:
        """Return the elements that an access with a window, and maybe a mask, touches."""
        return self.elements(op.mask, self.inside(op.mixed_starts, op.mixed_ends))

    def elements(self, mask: SSAValue | None, inside: Inside | None) -> Elements:
        """Return the elements of the block, each by its own address."""
        pointer, base = self.pointer, self.base

        def address(at: Builder, indices: Sequence[SSAValue]) -> SSAValue:
            if self.structure is not None:
                return structured_address(at, self.structure, base, indices)
            if isinstance(pointer, tts.MakeGatherScatterTensorPtrOp):
                return gather_address(at, pointer, base, indices)
            return affine_address(at, pointer, base, indices)

        memory = flat(self.builder, base)
        return Elements(memory, address, (), self.shape, mask, inside)


def sum_of(builder: Builder, extents: Sequence[Extent]) -> Extent:
    total: Extent = 0
    for extent in extents:
        total = builder.add(total, extent)
    return total


def filled_with(value: SSAValue) -> SSAValue | None:
    """Return the scalar that a tensor holds everywhere, None if it is not known to."""
    if not is_tensor(value):
        return value
    owner = value.owner
    if isinstance(owner, linalg.FillOp | tt.SplatOp):
        return owner.operands[0]
    return None
