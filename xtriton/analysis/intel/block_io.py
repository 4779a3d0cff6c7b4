"""
Which loads and stores the backend turns into 2D block accesses, and what keeps the others.

The rules are those of the backend of January 2026 (`MaterializeBlockPointer.cpp`), for pointers
and descriptors those of August 2026 where asked for (see also `descriptor_io`); they are
weaker than the hardware's (see `device`), since the lowering makes up for some of those.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import TensorType
from xdsl.ir import BlockArgument, Operation, SSAValue

from xtriton.analysis.axis_facts import element_bits
from xtriton.analysis.axis_info.dataflow import AxisAnalysis
from xtriton.analysis.axis_info.lattice import AxisInfo
from xtriton.analysis.intel.accesses import is_block_pointer, tensor_type
from xtriton.analysis.intel.module import COLUMN_MAJOR, ROW_MAJOR
from xtriton.analysis.intel.rules import JANUARY_2026, IntelRules
from xtriton.analysis.intel.values import final_value, is_divisible, is_one, maker_of
from xtriton.dialects.encodings.linear_layouts import layout_of
from xtriton.dialects.tt.memory import LoadOp
from xtriton.dialects.tt.pointers import MakeTensorPtrOp
from xtriton.dialects.ttg.distributed import DotOperandEncodingAttr
from xtriton.layouts.shaping import lane_order

_BASE_BYTES = 4
PITCH_BITS = 128
OFFSET_BITS = 32


@dataclass(frozen=True)
class Verdict:
    """Whether an access can be a 2D block access: `mode` says how, `reason` why not."""

    mode: str | None
    reason: str = ""
    condition: str = ""
    """The rule that fails, in a word: `rank`, `mask`, `stride`, `base`, `pitch`, ...."""

    @property
    def is_block(self) -> bool:
        return self.mode is not None


def _no(condition: str, reason: str) -> Verdict:
    return Verdict(None, reason, condition)


def verdict(op: Operation, facts: AxisAnalysis, rules: IntelRules = JANUARY_2026) -> Verdict:
    """
    Return whether the backend makes a 2D block access of a `tt.load` or `tt.store`.

    `rules` say which release of the backend is asked.
    """
    pointer = op.operands[0]
    if is_block_pointer(pointer.type):
        return _through_block_pointer(op, facts)
    return _through_pointers(op, facts.info(pointer), rules)


def _through_block_pointer(op: Operation, facts: AxisAnalysis) -> Verdict:
    maker = maker_of(op.operands[0])
    if not isinstance(maker, MakeTensorPtrOp):
        return _no("origin", "the block pointer is made in more than one place, or elsewhere")
    rank = len(maker.shape)
    if rank == 1:
        return _no("rank", "the block has one dimension")
    dim = next((d for d, stride in enumerate(maker.strides) if is_one(stride)), None)
    if dim is None:
        return _no("stride", "no stride of the block pointer is the constant 1")
    aligned = _alignment(op, maker, dim, facts)
    if aligned is not None:
        return aligned
    bits = element_bits(maker.result.type)
    if dim == rank - 2 and bits == 8:
        return _no("transpose", "column-major elements of 8 bits are slower as blocks")
    if dim < rank - 2:
        return _no("stride", f"dimension {dim}, an outer one, is contiguous")
    pitch = maker.strides[rank - 2 if dim == rank - 1 else rank - 1]
    step = -(-PITCH_BITS // bits)
    if not is_divisible(pitch, step):
        return _no("pitch", f"rows are not known to be a multiple of {step} elements apart")
    row_major = dim == rank - 1
    if _is_transposed_left_operand(op, row_major):
        return _no("transpose", "a transposed left operand of a product is slower as a block")
    return Verdict(ROW_MAJOR if row_major else COLUMN_MAJOR)


def _alignment(
    op: Operation, maker: MakeTensorPtrOp, dim: int, facts: AxisAnalysis
) -> Verdict | None:
    """Return what fails of the alignment of base, width and offset; None if nothing does."""
    if facts.info(op.operands[0]).divisibility[dim] % _BASE_BYTES:
        return _no("base", f"the base is not known to be aligned to {_BASE_BYTES} bytes")
    step = -(-OFFSET_BITS // element_bits(maker.result.type))
    if not is_divisible(final_value(maker.shape[dim]), step):
        return _no("width", f"the width is not known to be a multiple of {step} elements")
    offset = final_value(maker.offsets[dim])
    multiple = f"multiple of {step} elements"
    if not is_divisible(offset, step):
        return _no("offset", f"the offset along the rows is not known to be a {multiple}")
    same_region = op.parent_region() is maker.parent_region()
    if same_region and not _advances_by(offset, step):
        return _no("offset", f"the offset along the rows does not move by a {multiple}")
    return None


def _advances_by(offset: SSAValue, step: int) -> bool:
    """Return whether all that is added to an offset that a block brings in is divisible."""
    if not isinstance(offset, BlockArgument):
        return True
    for use in offset.uses:
        user = use.operation
        if user.name == "tt.make_tensor_ptr":
            continue
        if user.name != "arith.addi":
            return False
        other = next((o for o in user.operands if o is not offset), None)
        if other is None or not is_divisible(other, step):
            return False
    return True


def _is_transposed_left_operand(op: Operation, row_major: bool) -> bool:
    type = tensor_type(op.operands[0].type)
    layout = _dot_layout(op)
    if layout is None or type is None or layout.op_idx != 0:
        return False
    order = lane_order(layout_of(type.encoding, type.get_shape()))
    return (order[:2] == (1, 0)) != row_major


def _dot_layout(op: Operation) -> DotOperandEncodingAttr | None:
    """Return the operand of a product that an access has, or is converted to."""
    type = tensor_type(op.operands[0].type)
    assert type is not None
    if isinstance(type.encoding, DotOperandEncodingAttr):
        return type.encoding
    users = [use.operation for result in op.results for use in result.uses]
    if not users or any(user.name != "ttg.convert_layout" for user in users):
        return None
    found = {tensor_type(user.results[0].type) for user in users}
    encodings = {type.encoding for type in found if type is not None}
    layout = encodings.pop() if len(encodings) == 1 else None
    return layout if isinstance(layout, DotOperandEncodingAttr) else None


def _through_pointers(op: Operation, info: AxisInfo, rules: IntelRules) -> Verdict:
    type = tensor_type(op.operands[0].type)
    if type is None:
        return _no("rank", "the access is of one element")
    if rules.masked_pointers_of_any_rank:
        return _by_last_dimensions(type, info)
    if info.rank != 2:
        count = "one dimension" if info.rank == 1 else f"{info.rank} dimensions"
        return _no("rank", f"the tensor has {count}, not two")
    if isinstance(op, LoadOp) and op.mask is not None:
        return _no("mask", "the load has a mask")
    size = element_bits(type) // 8
    rows = _contiguous_along(1, type.get_shape(), info, size)
    columns = _contiguous_along(0, type.get_shape(), info, size)
    # A tensor that is both counts as column-major.
    if columns is None:
        return Verdict(COLUMN_MAJOR)
    return Verdict(ROW_MAJOR) if rows is None else rows


def _by_last_dimensions(type: TensorType[Any], info: AxisInfo) -> Verdict:
    """Return what the last two dimensions of pointers say; a mask keeps nothing from it."""
    if info.rank < 2:
        return _no("rank", "the tensor has one dimension")
    size = element_bits(type) // 8
    last = info.rank - 1
    rows = _aligned_along(last, last - 1, type.get_shape(), info, size)
    columns = _aligned_along(last - 1, last, type.get_shape(), info, size)
    # A tensor that is both counts as column-major.
    if columns is None:
        return Verdict(COLUMN_MAJOR)
    return Verdict(ROW_MAJOR) if rows is None else rows


def _aligned_along(
    dim: int, other: int, shape: tuple[int, ...], info: AxisInfo, size: int
) -> Verdict | None:
    if info.contiguity[dim] != shape[dim]:
        return _no("stride", f"dimension {dim} is not known to be contiguous")
    stride = info.stride_of(other)
    if stride >= 0 and stride * size % (PITCH_BITS // 8):
        return _no("pitch", f"rows are {stride * size} bytes apart, no multiple of 16")
    if stride < 0 and info.divisibility[other] % (PITCH_BITS // 8):
        return _no("pitch", f"the distance of neighbours along dimension {other} is not known")
    if info.divisibility[dim] % _BASE_BYTES:
        return _no("base", f"rows are not known to begin at a multiple of {_BASE_BYTES} bytes")
    return None


def _contiguous_along(
    dim: int, shape: tuple[int, ...], info: AxisInfo, size: int
) -> Verdict | None:
    other = 1 - dim
    if info.contiguity[dim] != shape[dim]:
        return _no("stride", f"dimension {dim} is not known to be contiguous")
    stride = info.stride_of(other)
    if stride < 0:
        return _no("pitch", f"the distance of neighbours along dimension {other} is not known")
    if stride * size % (PITCH_BITS // 8):
        return _no("pitch", f"rows are {stride * size} bytes apart, no multiple of 16")
    if info.divisibility[dim] % _BASE_BYTES:
        return _no("base", f"rows are not known to begin at a multiple of {_BASE_BYTES} bytes")
    return None
