"""
Version loops over block pointers, or descriptors, whose innermost stride may well be 1.

Before:

    %p = tt.make_tensor_ptr %base, [%m, %k], [%sm, %sk], [%i, %j] : <tensor<64x32xf16>>
    scf.for ... {
      %x = tt.load %p
    }

After:

    %q = tt.make_tensor_ptr %base, [%m, %k], [%sm, %c1_i64], [%i, %j] : <tensor<64x32xf16>>
    %is_one = arith.cmpi eq, %sk, %c1_i64
    scf.if %is_one {
      scf.for ... { %x = tt.load %q }
    } else {
      scf.for ... { %x = tt.load %p }
    }

A loop that is one of two such versions stays as it is. Descriptors get versions by the rules
of August 2026.
Source: `StrideVersioning.cpp` of the Intel XPU backend.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import DictionaryAttr, ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass

from xtriton.analysis.intel.accesses import is_block_pointer, tensor_type
from xtriton.analysis.intel.rules import rules_for
from xtriton.analysis.intel.values import DESCRIPTOR, final_value, is_one, maker_of
from xtriton.dialects.tt.descriptors import DescriptorLoadOp, MakeTensorDescOp
from xtriton.dialects.tt.functions import FuncOp
from xtriton.dialects.tt.memory import LoadOp
from xtriton.dialects.tt.pointers import MakeTensorPtrOp
from xtriton.dialects.upstream.arith import AndIOp, CmpiOp
from xtriton.dialects.upstream.scf import ForOp
from xtriton.dialects.utils.constants import constant_op
from xtriton.ir.listings import ops_of
from xtriton.transforms.intel.building import insert_before
from xtriton.transforms.intel.loops.versioning import (
    erase,
    erase_between,
    is_nested,
    is_version,
    version_loop,
)

_Maker = MakeTensorPtrOp | MakeTensorDescOp


@dataclass(frozen=True)
class StrideVersioningPass(ModulePass):
    """Give loops a version in which a stride is the constant 1."""

    name = "triton-intel-stride-versioning"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for loop in ops_of(op, ForOp):
            if not is_nested(loop):
                _version(loop)


def _version(loop: ForOp) -> None:
    strides: dict[_Maker, int] = {}
    for load in loop.body.block.ops:
        maker = _candidate(load)
        index = None if maker is None else _unknown_stride(maker)
        if maker is not None and index is not None:
            strides[maker] = index
    if not strides:
        return
    function = _function_of(loop)
    entry = function.body.blocks.first
    first = None if entry is None else entry.first_op
    assert first is not None
    before = loop.prev_op
    ones: dict[object, SSAValue] = {}
    checks: list[SSAValue] = []
    for maker, index in strides.items():
        stride = maker.strides[index]
        if stride.type not in ones:
            one = constant_op(stride.type, 1)
            ones[stride.type] = insert_before(one, first, loop.location)
        # The stride itself is compared, which dominates the loop as its block pointer does.
        check = CmpiOp(stride, ones[stride.type], "eq")
        checks.append(insert_before(check, loop, loop.location))
    condition = checks[0]
    for check in checks[1:]:
        condition = insert_before(AndIOp(condition, check), loop, loop.location)
    if is_version(loop, condition):
        erase_between(before, loop)
        erase_between(None, first)
        return
    then, _, _ = version_loop(loop, condition)
    erase(loop)
    for maker, index in strides.items():
        _use_one(maker, index, ones[maker.strides[index].type], then)


def _candidate(op: Operation) -> _Maker | None:
    """Return the block pointer or descriptor of a load if no stride is known to be 1."""
    if isinstance(op, DescriptorLoadOp):
        descriptor = maker_of(op.desc, DESCRIPTOR) if rules_for(op).has_descriptors else None
        if not isinstance(descriptor, MakeTensorDescOp) or _is_inside(descriptor, op):
            return None
        known = len(descriptor.strides) > 2 or _has_one(descriptor)
        return None if known else descriptor
    if not isinstance(op, LoadOp) or not is_block_pointer(op.ptr.type):
        return None
    type = tensor_type(op.ptr.type)
    if type is None or len(type.get_shape()) > 2:
        return None
    maker = maker_of(op.ptr)
    if not isinstance(maker, MakeTensorPtrOp) or _is_inside(maker, op):
        return None
    return None if _has_one(maker) else maker


def _has_one(maker: _Maker) -> bool:
    return any(is_one(final_value(stride)) for stride in maker.strides)


def _is_inside(maker: Operation, load: Operation) -> bool:
    """Return whether a block pointer is made in the loop that uses it."""
    return maker.parent is load.parent


def _unknown_stride(maker: _Maker) -> int | None:
    """Return the fastest dimension whose stride is an argument that may be 1."""
    if isinstance(maker, MakeTensorDescOp):
        order = list(reversed(range(len(maker.strides))))
    else:
        order = [int(axis) for axis in maker.order.iter_values()]
    for axis in order:
        value = final_value(maker.strides[axis])
        if isinstance(value, BlockArgument) and _may_be_one(value):
            return axis
    return None


def _may_be_one(value: BlockArgument) -> bool:
    """Return whether a value is an argument of the function without known divisibility."""
    function = value.block.parent_op()
    if not isinstance(function, FuncOp):
        return False
    facts = None if function.arg_attrs is None else function.arg_attrs.data[value.index]
    return not isinstance(facts, DictionaryAttr) or "tt.divisibility" not in facts.data


def _function_of(op: Operation) -> FuncOp:
    parent = op.parent_op()
    while not isinstance(parent, FuncOp):
        assert parent is not None
        parent = parent.parent_op()
    return parent


def _use_one(maker: _Maker, index: int, one: SSAValue, loop: ForOp) -> None:
    """Let what is inside `loop` use a block pointer or descriptor whose stride is 1."""
    new = maker.clone()
    new.operands[1 + len(maker.shape) + index] = one
    insert_before(new, maker, maker.location)

    def is_inside(op: Operation) -> bool:
        parent = op.parent_op()
        while parent is not None and parent is not loop:
            parent = parent.parent_op()
        return parent is loop

    maker.results[0].replace_uses_with_if(new.results[0], lambda use: is_inside(use.operation))
