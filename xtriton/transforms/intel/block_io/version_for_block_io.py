"""
A second version of a kernel for arguments with which its accesses are 2D block accesses.

Before:

    tt.func @kernel(%p: !tt.ptr<f16>, %m: i32, %n: i32, %row: i32, %column: i32) {
      %q = tt.make_tensor_ptr %p, [%m, %n], [%row, %column], ... : <tensor<64x32xf16>>
      %x = tt.load %q
    }

After:

    tt.func @kernel(%p: !tt.ptr<f16>, %m: i32, %n: i32, %row: i32, %column: i32) {
      %guard: %column is 1, %row a multiple of 8, %n of 2, and the surface such as the device takes
      scf.if %guard {
        %same = (%row / 8) * 8
        %q = tt.make_tensor_ptr %p, [%m, %n], [%same, %c1], ... : <tensor<64x32xf16>>
        %x = tt.load %q
      } else {
        %q = tt.make_tensor_ptr %p, [%m, %n], [%row, %column], ... : <tensor<64x32xf16>>
        %x = tt.load %q
      }
    }

What the guard asks for are the backend's conditions (`xtriton.analysis.intel.block_io`), as far
as they depend on integer arguments, and the limits of the device's surfaces. A kernel is versioned
only if accesses become 2D block accesses by it, and if it has at most `max-ops` ops, since its
code doubles. Tensors of pointers are to be raised to block pointers before.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import dropwhile
from math import lcm
from typing import TypeGuard

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, i64
from xdsl.ir import BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.passes import ModulePass

from xtriton.analysis.accesses import Accesses
from xtriton.analysis.axis_facts import element_bits
from xtriton.analysis.axis_info.backends import axis_analysis
from xtriton.analysis.axis_info.dataflow import AxisAnalysis
from xtriton.analysis.indexing import Expr
from xtriton.analysis.intel.accesses import is_block_pointer
from xtriton.analysis.intel.block_io import OFFSET_BITS, PITCH_BITS, verdict
from xtriton.analysis.intel.device import Device, device_called
from xtriton.analysis.intel.values import final_value, is_divisible, is_one, maker_of
from xtriton.analysis.report import kernels
from xtriton.dialects.tt.functions import FuncOp
from xtriton.dialects.tt.pointers import MakeTensorPtrOp
from xtriton.dialects.upstream.scf import IfOp
from xtriton.ir.versions import copied
from xtriton.transforms.cleanup.canonicalize import canonicalize
from xtriton.transforms.raising.versioning.guards import Guards
from xtriton.transforms.raising.versioning.versions import make_versions
from xtriton.transforms.raising.writing.emitter import CannotEmit, ExprEmitter
from xtriton.transforms.raising.xtriton_version_kernel import is_known_at_entry, is_simple


@dataclass(frozen=True)
class VersionForBlockIOPass(ModulePass):
    """Give kernels a version whose accesses are 2D block accesses."""

    name = "xtriton-version-for-block-io"

    device: str = "pvc"
    max_ops: int = 2000

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        device = device_called(self.device)
        facts: AxisAnalysis | None = None
        for i, function in enumerate(list(kernels(op))):
            if not is_simple(function) or sum(1 for _ in function.walk()) > self.max_ops:
                continue
            if not _accesses(function):
                continue
            facts = facts or axis_analysis(op, "intel")
            if not _needs_of(facts, function).accesses:
                continue
            trial = copied(op)
            branch = _version(trial, list(kernels(trial))[i], device)
            if branch is not None and _gains(trial, branch):
                _version(op, function, device)
                facts = None


def _needs_of(facts: AxisAnalysis, function: Operation) -> _Needs:
    needs = _Needs()
    for access in _accesses(function):
        if not verdict(access, facts).is_block:
            needs.add(access)
    return needs


def _accesses(root: Operation | Region) -> list[Operation]:
    """Return the loads and stores through block pointers."""
    found = [op for op in root.walk() if op.name in ("tt.load", "tt.store")]
    return [op for op in found if is_block_pointer(op.operands[0].type)]


def _gains(module: ModuleOp, branch: IfOp) -> bool:
    """Return whether there are more 2D block accesses in the first branch than in the other."""
    # Constants are seen where they are once extensions of them are folded.
    canonicalize(module)
    if branch.parent is None:
        return False
    facts = axis_analysis(module, "intel")
    first, second = (
        sum(verdict(access, facts).is_block for access in _accesses(region))
        for region in branch.regions
    )
    return first > second


def _version(module: ModuleOp, function: Operation, device: Device) -> IfOp | None:
    """Give a function two versions; return the branch between them."""
    needs = _needs_of(axis_analysis(module, "intel"), function)
    body = list(
        dropwhile(lambda op: op.name == "arith.constant", list(function.regions[0].block.ops)[:-1])
    )
    analysis = Accesses(function)
    guards = Guards(gained=[analysis.describe(access) for access in needs.accesses])
    for argument in needs.ones:
        guards.ones += analysis.analysis.expr(argument).atoms()
    for argument, number in needs.multiples.items():
        for atom in analysis.analysis.expr(argument).atoms():
            guards.multiples[atom] = number
    guards.rooms = _limits(analysis, needs.makers, device)
    try:
        return make_versions(ExprEmitter(analysis.analysis, i64), guards, body)
    except CannotEmit:
        return None


@dataclass
class _Needs:
    """What integer arguments have to be for accesses to be 2D block accesses."""

    ones: dict[BlockArgument, None] = field(default_factory=dict["BlockArgument", None])
    multiples: dict[BlockArgument, int] = field(default_factory=dict["BlockArgument", int])
    makers: dict[MakeTensorPtrOp, int] = field(default_factory=dict[MakeTensorPtrOp, int])
    """Block pointers, and the dimension that is contiguous in the version."""
    accesses: list[Operation] = field(default_factory=list[Operation])

    def add(self, access: Operation) -> None:
        """Add what one access needs; nothing if more than arguments are in the way."""
        maker = maker_of(access.operands[0])
        if not isinstance(maker, MakeTensorPtrOp) or len(maker.shape) < 2:
            return
        rank, bits = len(maker.shape), element_bits(maker.result.type)
        dim = next((d for d, stride in enumerate(maker.strides) if is_one(stride)), None)
        ones = list[BlockArgument]()
        if dim is None:
            dim = int(next(iter(maker.order.iter_values()), rank - 1))
            stride = final_value(maker.strides[dim], through_loops=False)
            if not _is_integer_argument(stride):
                return
            ones.append(stride)
        if dim < rank - 2 or (dim == rank - 2 and bits == 8):
            return
        pitch = maker.strides[rank - 2 if dim == rank - 1 else rank - 1]
        wanted = [
            _needed(pitch, -(-PITCH_BITS // bits)),
            _needed(final_value(maker.shape[dim]), -(-OFFSET_BITS // bits)),
            _needed(final_value(maker.offsets[dim]), -(-OFFSET_BITS // bits)),
        ]
        found = [multiples for multiples in wanted if multiples is not None]
        if len(found) < len(wanted) or any(one in m for one in ones for m in found):
            return
        for multiples in found:
            for argument, number in multiples.items():
                self.multiples[argument] = lcm(self.multiples.get(argument, 1), number)
        self.ones.update(dict.fromkeys(ones))
        self.makers[maker] = dim
        self.accesses.append(access)


def _needed(value: SSAValue, number: int) -> dict[BlockArgument, int] | None:
    """
    Return which arguments have to be multiples of what for `value` to be one of `number`.

    None if more than that is needed. The ways are those of `is_divisible`.
    """
    if is_divisible(value, number):
        return {}
    if _is_integer_argument(value):
        # The backend does not even take 1 for a divisor of what nothing is known of.
        return {value: max(number, 2)}
    if not isinstance(value, OpResult):
        return None
    operands = value.op.operands
    match value.op.name:
        case "arith.extsi":
            return _needed(operands[0], number)
        case "arith.muli":
            ways = (_needed(operand, number) for operand in operands)
            return next((way for way in ways if way is not None), None)
        case "arith.addi":
            parts = [_needed(operand, number) for operand in operands]
            found = [part for part in parts if part is not None]
            return {k: v for part in found for k, v in part.items()} if len(found) == 2 else None
        case _:
            return None


def _is_integer_argument(value: SSAValue) -> TypeGuard[BlockArgument]:
    if not isinstance(value, BlockArgument) or not isinstance(value.block.parent_op(), FuncOp):
        return False
    return value.block.prev_block is None


def _limits(analysis: Accesses, makers: dict[MakeTensorPtrOp, int], device: Device) -> list[Expr]:
    """Return what has to be at least 0 for the device to take the surfaces."""
    rooms: dict[Expr, None] = {}
    for maker, dim in makers.items():
        rank, size = len(maker.shape), element_bits(maker.result.type) // 8
        other = rank - 2 if dim == rank - 1 else rank - 1
        expr = analysis.analysis.expr
        width, pitch = (expr(v).scaled(size) for v in (maker.shape[dim], maker.strides[other]))
        height = expr(maker.shape[other])
        for room in (
            width - device.least_surface,
            pitch - width,
            device.largest_surface - pitch,
            device.largest_surface - height,
        ):
            if (room.constant is None or room.constant < 0) and is_known_at_entry(analysis, room):
                rooms[room] = None
    return list(rooms)
