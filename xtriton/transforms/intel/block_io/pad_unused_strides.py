"""
Give dimensions of which only the first element is accessed a stride that the hardware takes.

Before:

    %p = tt.make_tensor_ptr %base, [%c1_i64, %n], [%c0_i64, %c1_i64], [%c0_i32, %j]
        : <tensor<1x256xf32>>

After:

    %w = (%n + 15) / 16 * 16
    %p = tt.make_tensor_ptr %base, [%c1_i64, %n], [%w, %c1_i64], [%c0_i32, %j]
        : <tensor<1x256xf32>>

Raising gives such a dimension stride 0, since nothing is known of another one. A 2D block access
has that stride as its pitch, which has to be 64 bytes at least and not less than the width.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from xtriton.analysis.axis_facts import element_bits
from xtriton.analysis.intel.accesses import tensor_type
from xtriton.analysis.intel.values import is_one
from xtriton.dialects.tt.pointers import AdvanceOp, MakeTensorPtrOp
from xtriton.dialects.upstream.arith import AddiOp, DivSIOp, MuliOp
from xtriton.dialects.utils.constants import constant_int
from xtriton.ir.listings import ops_of
from xtriton.transforms.intel.building import constant, insert_before

_LINE_BITS = 64 * 8


@dataclass(frozen=True)
class PadUnusedStridesPass(ModulePass):
    """Let strides that no address depends on be a multiple of 64 bytes, as wide as the rows."""

    name = "xtriton-pad-unused-strides"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for maker in ops_of(op, MakeTensorPtrOp):
            if len(maker.shape) > 1:
                _pad(maker)


def _pad(maker: MakeTensorPtrOp) -> None:
    rank, bits = len(maker.shape), element_bits(maker.result.type)
    row = next((d for d in (rank - 1, rank - 2) if is_one(maker.strides[d])), None)
    if row is None or not 8 <= bits <= _LINE_BITS:
        return
    other = rank - 2 if row == rank - 1 else rank - 1
    if constant_int(maker.strides[other]) != 0 or not _is_unused(maker, other):
        return
    index = 1 + rank + other
    maker.operands[index] = _row_length(maker, maker.shape[row], _LINE_BITS // bits)


def _is_unused(maker: MakeTensorPtrOp, dim: int) -> bool:
    """Return whether blocks hold nothing but the first element along `dim`."""
    type = tensor_type(maker.result.type)
    if type is None or type.get_shape()[dim] != 1 or constant_int(maker.offsets[dim]) != 0:
        return False
    # Whoever takes the pointer elsewhere might move it there.
    return all(
        use.operation.name in ("tt.load", "tt.store")
        or (isinstance(use.operation, AdvanceOp) and _stays(use.operation, dim))
        for use in maker.result.uses
    )


def _stays(advance: AdvanceOp, dim: int) -> bool:
    users = [use.operation for use in advance.result.uses]
    return constant_int(advance.offsets[dim]) == 0 and all(
        user.name in ("tt.load", "tt.store") for user in users
    )


def _row_length(maker: MakeTensorPtrOp, width: SSAValue, line: int) -> SSAValue:
    """Return the length of a row, rounded up to whole lines of so many elements."""
    location, type = maker.location, width.type
    known = constant_int(width)
    if known is not None:
        return constant(max(-(-known // line), 1) * line, type, maker, location)
    whole = constant(line, type, maker, location)
    least = constant(line - 1, type, maker, location)
    value = insert_before(AddiOp(width, least), maker, location)
    value = insert_before(DivSIOp(value, whole), maker, location)
    return insert_before(MuliOp(value, whole), maker, location)
