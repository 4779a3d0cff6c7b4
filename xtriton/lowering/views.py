"""Views of memory and slices of tensors whose offsets and sizes may be known or not."""

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    UnitAttr,
)
from xdsl.ir import Attribute, SSAValue

from xtriton.dialects.upstream import bufferization, memref, tensor
from xtriton.lowering.attributes import (
    element_type_of,
    i32_array,
    i64_array,
    memref_type,
    strided_type,
    tensor_type,
)
from xtriton.lowering.builder import Builder, Extent

_UNIT = UnitAttr()


def static(extents: Sequence[Extent]) -> list[int]:
    """Return the known numbers, `DYNAMIC_INDEX` for the others."""
    return [extent if isinstance(extent, int) else DYNAMIC_INDEX for extent in extents]


def dynamic(extents: Sequence[Extent]) -> list[SSAValue]:
    """Return the values among the extents."""
    return [extent for extent in extents if not isinstance(extent, int)]


def view_type(
    element: Attribute, sizes: Sequence[Extent], strides: Sequence[Extent], offset: Extent
) -> MemRefType:
    """Return the type of a strided view; what is not known appears as `?`."""

    (start,) = static([offset])
    return strided_type(element, static(sizes), static(strides), start)


def _properties(
    operands: Sequence[int],
    offsets: Sequence[Extent],
    sizes: Sequence[Extent],
    strides: Sequence[Extent],
) -> dict[str, Attribute]:
    return {
        "static_offsets": i64_array(static(offsets)),
        "static_sizes": i64_array(static(sizes)),
        "static_strides": i64_array(static(strides)),
        "operandSegmentSizes": i32_array(operands),
    }


def reinterpret(
    builder: Builder,
    base: SSAValue,
    offset: Extent,
    sizes: Sequence[Extent],
    strides: Sequence[Extent],
) -> SSAValue:
    """Return the view of `base` that starts at `offset` elements."""
    if isinstance(offset, int) and offset < 0:
        offset = builder.integer(offset)  # MLIR has no such static offset
    lists = [[offset], sizes, strides]
    values = [dynamic(extents) for extents in lists]
    element = element_type_of(base)
    return builder.value(
        memref.ReinterpretCastOp,
        (base, *values[0], *values[1], *values[2]),
        # As MLIR's builders do, offsets appear as `?` unless they are 0.
        view_type(element, sizes, strides, offset),
        _properties((1, *map(len, values)), *lists),
    )


def subview(
    builder: Builder, source: SSAValue, offsets: Sequence[Extent], sizes: Sequence[Extent]
) -> SSAValue:
    """Return the part of `source` (a memref with a strided or identity layout) at `offsets`."""
    kind: Any = source.type
    strides, start = strides_and_offset(kind)
    offset: int | None = start
    for place, stride in zip(offsets, strides, strict=True):
        if offset is None or not isinstance(place, int):
            offset = None
        elif place != 0:
            offset = None if stride is None else offset + place * stride
    result = strided_type(
        kind.element_type,
        static(sizes),
        [DYNAMIC_INDEX if s is None else s for s in strides],
        DYNAMIC_INDEX if offset is None else offset,
    )
    ones = [1] * len(sizes)
    values = [dynamic(offsets), dynamic(sizes)]
    return builder.value(
        memref.SubviewOp,
        (source, *values[0], *values[1]),
        result,
        _properties((1, *map(len, values), 0), offsets, sizes, ones),
    )


def strides_and_offset(kind: Any) -> tuple[list[int | None], int | None]:
    """Return strides and offset of a memref type in elements, None where not known."""
    layout = kind.layout
    if isinstance(layout, StridedLayoutAttr):
        strides = [None if isinstance(s, NoneAttr) else s.data for s in layout.strides.data]
        offset = None if isinstance(layout.offset, NoneAttr) else layout.offset.data
        return strides, offset
    strides: list[int | None] = []
    step: int | None = 1
    for extent in reversed(kind.get_shape()):
        strides.insert(0, step)
        step = None if step is None or extent == DYNAMIC_INDEX else step * extent
    return strides, 0


def extract_slice(
    builder: Builder, source: SSAValue, offsets: Sequence[Extent], sizes: Sequence[Extent]
) -> SSAValue:
    """Return the part of a tensor at `offsets`."""
    kind: Any = source.type
    values = [dynamic(offsets), dynamic(sizes)]
    return builder.value(
        tensor.ExtractSliceOp,
        (source, *values[0], *values[1]),
        tensor_type(kind.element_type, static(sizes)),
        _properties((1, *map(len, values), 0), offsets, sizes, [1] * len(sizes)),
    )


def insert_slice(
    builder: Builder,
    source: SSAValue,
    target: SSAValue,
    offsets: Sequence[Extent],
    sizes: Sequence[Extent],
) -> SSAValue:
    """Return `target` with `source` put at `offsets`."""
    values = [dynamic(offsets), dynamic(sizes)]
    return builder.value(
        tensor.InsertSliceOp,
        (source, target, *values[0], *values[1]),
        target.type,
        _properties((1, 1, *map(len, values), 0), offsets, sizes, [1] * len(sizes)),
    )


def allocate(builder: Builder, element: Attribute, shape: Sequence[int]) -> SSAValue:
    """Return new memory of a static shape."""
    properties = {"operandSegmentSizes": i32_array((0, 0))}
    return builder.value(memref.AllocOp, (), memref_type(element, shape), properties)


def copy(builder: Builder, source: SSAValue, target: SSAValue) -> None:
    """Copy `source` to `target`, memrefs of one shape."""
    builder.make(memref.CopyOp, (source, target))


def as_tensor(builder: Builder, source: SSAValue) -> SSAValue:
    """Return the content of memory that nobody else sees as a tensor."""
    kind: Any = source.type
    return builder.value(
        bufferization.ToTensorOp,
        (source,),
        tensor_type(kind.element_type, kind.get_shape()),
        {"restrict": _UNIT, "writable": _UNIT},
    )


def write(builder: Builder, value: SSAValue, target: SSAValue) -> None:
    """Store a tensor to a view."""
    builder.make(bufferization.MaterializeInDestinationOp, (value, target), (), {"writable": _UNIT})
