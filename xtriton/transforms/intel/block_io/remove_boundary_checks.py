"""
Do not check bounds that loads through block pointers cannot leave.

Before:

    %p = tt.make_tensor_ptr %base, [%c512_i64, %n], [...], [%c0_i32, %j] : <tensor<64x32xf16>>
    %x = tt.load %p {boundaryCheck = array<i32: 0, 1>}

After:

    %x = tt.load %p {boundaryCheck = array<i32: 1>}

Sizes have to be constants; offsets constants too, or the induction variable of the loop in
which the block pointer is made.
Source: `RemoveBoundaryChecks.cpp` of the Intel XPU backend. Other than there, offsets must
not be negative, and a block pointer that was advanced, be it by a loop that carries it, keeps
its checks.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, i32
from xdsl.ir import OpResult, SSAValue
from xdsl.passes import ModulePass

from xtriton.analysis.intel.accesses import tensor_type
from xtriton.dialects.tt.memory import LoadOp
from xtriton.dialects.tt.pointers import MakeTensorPtrOp
from xtriton.dialects.upstream.scf import ForOp
from xtriton.ir.listings import ops_of
from xtriton.ir.noted_edits import set_property
from xtriton.transforms.intel.loops.versioning import known_int, last_induction_value


@dataclass(frozen=True)
class RemoveBoundaryChecksPass(ModulePass):
    """Drop the checks of loads along dimensions in which the block is known to be inside."""

    name = "triton-intel-remove-boundary-checks"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for load in ops_of(op, LoadOp):
            pointer = load.ptr
            if isinstance(pointer, OpResult) and isinstance(pointer.op, MakeTensorPtrOp):
                _remove_checks(load, pointer.op)


def _remove_checks(load: LoadOp, maker: MakeTensorPtrOp) -> None:
    checks = load.properties["boundaryCheck"]
    assert isinstance(checks, DenseArrayBase)
    axes = [int(axis) for axis in checks.iter_values()]
    needed = [axis for axis in axes if not _is_inside(maker, axis)]
    if needed != axes:
        set_property(load, "boundaryCheck", DenseArrayBase.from_list(i32, needed))


def _is_inside(maker: MakeTensorPtrOp, axis: int) -> bool:
    """Return whether the block is inside its parent along a dimension."""
    type = tensor_type(maker.result.type)
    assert type is not None
    size = known_int(maker.shape[axis])
    if size is None:
        return False
    bounds = _range(maker.offsets[axis])
    return bounds is not None and bounds[0] >= 0 and bounds[1] + type.get_shape()[axis] <= size


def _range(offset: SSAValue) -> tuple[int, int] | None:
    """Return the least and the greatest value of an offset."""
    value = known_int(offset)
    if value is not None:
        return value, value
    loop = offset.owner.parent_op() if not isinstance(offset, OpResult) else None
    if not isinstance(loop, ForOp) or offset is not loop.body.block.args[0]:
        return None
    first, last = known_int(loop.lb), last_induction_value(loop)
    return None if first is None or last is None else (first, last)
