"""
Buffers as linear layouts: which parts and views of them there can be.

Upstream: the verifiers of views in `TritonGPU/IR/Ops.cpp`. A rule that asks for a layout which
does not exist holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any, cast

from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.encodings.linear_layouts import NoLinearLayout, Shape, layout_of
from xtriton.dialects.ttg.constraints import layout_rank_alloc_shape, layout_rank_shape
from xtriton.dialects.ttg.types import MemDescType, element_bits
from xtriton.dialects.ttng.tensor_memory import TensorMemorySpaceAttr
from xtriton.layouts import algebra, tensor_memory
from xtriton.layouts.linear import LinearLayout
from xtriton.layouts.shaping import BLOCK, OFFSET
from xtriton.layouts.tensor_memory import COLUMN, ROW


def is_in_tensor_memory(type: MemDescType) -> bool:
    """Return whether a buffer is in tensor memory."""
    return isinstance(type.memory_space, TensorMemorySpaceAttr)


def layout_of_buffer(type: MemDescType) -> LinearLayout:
    """
    Return where the elements of one copy of a buffer are.

    The layout of a part of a buffer is that of the whole in shared memory; in tensor memory,
    which is not swizzled, it is that of the part. Raises `NoLinearLayout` where there is none.
    """
    whole = layout_of(type.encoding, layout_rank_alloc_shape(type))
    if not is_in_tensor_memory(type):
        return whole
    return tensor_memory.part_of(whole, layout_rank_shape(type), element_bits(type.element_type))


# --- parts ---------------------------------------------------------------------------------


def problem_of_split(
    encoding: Attribute, whole: Shape, part: Shape, in_one_cta: bool
) -> str | None:
    """
    Return why `part` of a buffer of shape `whole` cannot be taken, or None.

    Moving along a dimension from one part to the next has to move the offset by a power of
    two, whatever the row. With `in_one_cta`, buffers shared out to CTAs are refused.
    """
    try:
        rank = cast(Any, encoding).rank
        whole, part = whole[len(whole) - rank :], part[len(part) - rank :]
        layout = layout_of(encoding, whole)
        if in_one_cta and layout.in_size("block") != 1:
            return "non-trivial block dimension not supported"
        inverse = algebra.pseudo_invert(layout)
    except (NoLinearLayout, ValueError):
        return None
    for dim, (size, step) in enumerate(zip(whole, part, strict=True)):
        while step < size:
            point = {name: step if i == dim else 0 for i, name in enumerate(layout.out_names)}
            offset = inverse.apply(point)["offset"]
            if offset & (offset - 1) or (offset == 0 and in_one_cta):
                return "We don't support splitting along the swizzling pattern"
            step *= 2
    return None


# --- views of the same memory --------------------------------------------------------------


@dataclass(frozen=True)
class _Memory:
    """How addresses of a kind of memory are counted and called."""

    name: str
    address: str
    bits: int
    unit: str
    places: str


_SHARED = _Memory("shared-memory", OFFSET, 8, "bytes", "offsets")
_TENSOR = _Memory("tensor-memory column", COLUMN, tensor_memory.WORD, "columns", "columns")


@dataclass(frozen=True)
class _View:
    """A buffer, the layout of the whole that it is a part of, and how often it is there."""

    type: MemDescType
    memory: _Memory
    layout: LinearLayout

    @property
    def copies(self) -> int:
        shape = self.type.get_shape()
        return prod(shape[: len(shape) - len(layout_rank_shape(self.type))])

    @property
    def size(self) -> int:
        """How much memory all copies take, in units of that memory."""
        return self.units(self.layout.in_size(self.memory.address)) * self.copies

    def units(self, elements: int) -> int:
        return -(-elements * element_bits(self.type.element_type) // self.memory.bits)


def is_part(type: MemDescType) -> bool:
    """Return whether a descriptor is of a part of each copy of a buffer."""
    return layout_rank_shape(type) != layout_rank_alloc_shape(type)


def verify_reinterpretation(source: MemDescType, result: MemDescType) -> None:
    """Check that `result` is all within the memory of which `source` is a view."""
    if is_part(result):
        raise VerifyException("result must not be a subview")
    memory = _TENSOR if is_in_tensor_memory(source) else _SHARED
    try:
        old, new = (
            _View(type, memory, layout_of(type.encoding, layout_rank_alloc_shape(type)))
            for type in (source, result)
        )
    except NoLinearLayout:
        return
    shape = layout_rank_shape(source)
    for basis in old.layout.bases_of[BLOCK]:
        if any(value >= size for value, size in zip(basis, shape, strict=True)):
            raise VerifyException("cannot reinterpret a source subview sliced across CTAs")
    if memory is _TENSOR:
        _verify_rows(old, new)
    if new.size > old.size:
        raise VerifyException(
            f"result {memory.name} footprint ({new.size} {memory.unit}) exceeds the source view "
            f"({old.size} {memory.unit})"
        )
    if is_part(source):
        available = _contiguous_units(old)
        if new.size > available:
            raise VerifyException(
                f"result {memory.name} footprint includes {memory.places} not owned by the "
                f"source subview ({new.size} {memory.unit} requested; {available} contiguous "
                f"{memory.unit} available)"
            )


def _verify_rows(old: _View, new: _View) -> None:
    visible = layout_of_buffer(old.type)
    owned, wanted = (
        tensor_memory.footprint(layout, element_bits(view.type.element_type))[0]
        for view, layout in ((old, visible), (new, new.layout))
    )
    if wanted > owned:
        raise VerifyException(
            f"result tensor-memory row footprint ({wanted}) exceeds the source view ({owned})"
        )
    hidden = algebra.input_mask(old.layout, ROW) & ~algebra.input_mask(visible, ROW)
    if algebra.input_mask(new.layout, ROW) & hidden:
        raise VerifyException("result accesses tensor-memory rows outside the source subview")


def _contiguous_units(view: _View) -> int:
    """Return how much memory from the first element on is all of the part's own."""
    address, whole = view.memory.address, view.layout
    place = algebra.pseudo_invert(whole)
    for dim, size in zip(place.in_names, layout_rank_shape(view.type), strict=True):
        place = place.resize_in(dim, size)
    place = place.sublayout(place.in_names, [address])
    # What holds no element of the whole is owned too.
    unused = ~algebra.input_mask(whole, address)
    free = tuple((1 << i,) for i in range(whole.in_bits(address)) if unused >> i & 1)
    owned = LinearLayout((*place.bases, ("free", free)), place.out_dims)
    elements = algebra.contiguous_outputs(owned)
    return view.size if elements == whole.in_size(address) else view.units(elements)
