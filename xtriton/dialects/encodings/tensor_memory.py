"""
Tensor memory: which buffers, parts, copies and accesses there can be.

Upstream: the verifiers of `MemDescType` in `Types.cpp` and of the ops on tensor memory in
`TritonNvidiaGPU/IR/Ops.cpp`. A rule that asks for a layout which does not exist holds.
"""

from __future__ import annotations

from xdsl.dialects.builtin import NoneAttr, TensorType
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.encodings.buffers import layout_of_buffer
from xtriton.dialects.encodings.linear_layouts import NoLinearLayout, layout_of, layout_of_type
from xtriton.dialects.ttg.constraints import layout_rank_alloc_shape, layout_rank_shape
from xtriton.dialects.ttg.types import MemDescType, element_bits
from xtriton.layouts import algebra, tensor_memory
from xtriton.layouts.linear import LinearLayout
from xtriton.layouts.shaping import BLOCK
from xtriton.layouts.tensor_memory import COLUMN, ROW
from xtriton.layouts.tensor_memory_access import access, problem_of_reduction


def verify_allocation(type: MemDescType) -> None:
    """Check that a buffer consists of whole blocks."""
    shape = layout_rank_alloc_shape(type)
    try:
        found = layout_of(type.encoding, shape).out_shape
    except NoLinearLayout:
        return
    if found != shape:
        raise VerifyException(f"allocation shape must be equal to {found[0]}x{found[1]}")


def rows_of(type: MemDescType) -> int:
    """Return how many rows of tensor memory a buffer takes."""
    bits = element_bits(type.element_type)
    return tensor_memory.footprint(layout_of_buffer(type), bits)[0]


# --- products ------------------------------------------------------------------------------


def verify_product_ctas(a: MemDescType, b: MemDescType, d: MemDescType, two_ctas: bool) -> None:
    """Check that a CTA has the rows of `d` that it has of `a`, and the columns it has of `b`."""
    try:
        of_a, of_b, of_d = (layout_of_buffer(type).bases_of[BLOCK] for type in (a, b, d))
    except NoLinearLayout:
        return
    for i, found in enumerate(of_d):
        # The first two CTAs of a pair each have all columns of the result.
        expected = (of_a[i][0], 0 if two_ctas and i == 0 else of_b[i][1])
        if found != expected:
            raise VerifyException(
                f"expected block basis {list(expected)} at result index {i}, but got {list(found)}"
            )


# --- accesses ------------------------------------------------------------------------------


def can_access(tensor: TensorType[Attribute], buffer: MemDescType, registers: int) -> bool | None:
    """
    Return whether an instruction moves a tensor from or to a buffer; None if nobody knows.

    `registers` is how many a thread can have.
    """
    bits = element_bits(buffer.element_type)
    try:
        of_tensor, of_buffer = layout_of_type(tensor), layout_of_buffer(buffer)
        return access(of_tensor, of_buffer, bits, registers) is not None
    except (NoLinearLayout, ValueError):
        return None


def verify_reduction(tensor: TensorType[Attribute], buffer: MemDescType, registers: int) -> None:
    """Check that a load can reduce the rows of what it loads."""
    bits = element_bits(buffer.element_type)
    try:
        of_tensor, of_buffer = layout_of_type(tensor), layout_of_buffer(buffer)
        problem = problem_of_reduction(of_tensor, of_buffer, bits, registers)
    except (NoLinearLayout, ValueError):
        return
    if problem is not None:
        raise VerifyException(problem)


def verify_operand(
    tensor: TensorType[Attribute], buffer: MemDescType, what: str, registers: int
) -> None:
    """Check that `tensor`, called `what`, can be moved from or to `buffer`."""
    if len(tensor.get_shape()) != 2:
        raise VerifyException(f"{what} must be a 2D tensor")
    if not isinstance(tensor.encoding, NoneAttr) and (
        can_access(tensor, buffer, registers) is False
    ):
        raise VerifyException(
            f"{what} must have a layout that an access to tensor memory can have, but got "
            f"{tensor.encoding}"
        )


# --- copies --------------------------------------------------------------------------------


def verify_copy_ctas(source: MemDescType, destination: MemDescType) -> None:
    """Check that CTAs copy between parts of their own."""
    try:
        layouts = layout_of_buffer(source), layout_of_buffer(destination)
        conversion = algebra.invert_and_compose(layouts[1], layouts[0])
    except (NoLinearLayout, ValueError):
        return
    if not conversion.is_trivial_over([BLOCK]):
        raise VerifyException(
            f"The source and destination must have the same cga layout. Got source: {layouts[0]} "
            f"and destination: {layouts[1]}"
        )


def verify_copy_width(destination: MemDescType) -> None:
    """Check that rows of the destination have no holes in their first 128 bits."""
    try:
        layout = layout_of_buffer(destination)
    except NoLinearLayout:
        return
    if len(layout.bases_of[COLUMN]) < 2 or not all(map(any, layout.bases_of[COLUMN][:2])):
        raise VerifyException(
            "The destination must have at least 128 contiguous bits per TMEM row."
        )


# --- parts ---------------------------------------------------------------------------------


def verify_part(source: MemDescType, dim: int, offset: int, size: int) -> None:
    """Check that `size` elements along `dim` from `offset` on are a part that has an address."""
    copies = source.rank - len(layout_rank_shape(source))
    if dim < copies:
        return
    try:
        layout = layout_of_buffer(source)
        place = algebra.pseudo_invert(layout)
    except (NoLinearLayout, ValueError):
        return
    dim -= copies
    if offset & (size - 1) and not _carries(layout, dim, offset, size):
        raise VerifyException("The split offset may not touch the tile")
    if any(basis[dim] >= size for basis in layout.bases_of[BLOCK]):
        raise VerifyException("The result may not be sliced across CTAs.")
    point = {name: offset if i == dim else 0 for i, name in enumerate(layout.out_names)}
    bits = place.apply(point)[COLUMN] * element_bits(source.element_type)
    if bits % tensor_memory.WORD:
        raise VerifyException("The split offset must be 32-bit aligned in tensor memory.")


def _carries(layout: LinearLayout, dim: int, offset: int, size: int) -> bool:
    """
    Return whether adding `offset` carries through rows or columns as it does along `dim`.

    The bits of an index from the lowest one of the offset to the highest one that changes
    have to be neighbouring bits of a row or of a column.
    """
    first = (offset & -offset).bit_length() - 1
    last = (offset ^ (offset + size - 1)).bit_length() - 1
    wanted = tuple(
        tuple(1 << bit if i == dim else 0 for i in range(len(layout.out_dims)))
        for bit in range(first, last + 1)
    )
    return any(
        images[start : start + len(wanted)] == wanted
        for images in (layout.bases_of[ROW], layout.bases_of[COLUMN])
        for start in range(len(images) - len(wanted) + 1)
    )
