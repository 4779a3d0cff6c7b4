"""
Descriptors that the host makes are made anew at the entry of the kernel.

Behind a descriptor, the frontend passes its sizes and strides to a kernel as numbers. With
these, and a pointer in place of the descriptor, it is made where analyses find it. What becomes
of a descriptor elsewhere is passed too, for all kernels to take the same arguments.
Source: `RewriteTensorDescriptorToPointer.cpp` of the Intel XPU backend.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from xtriton.analysis.axis_facts import element_bits
from xtriton.dialects.tt.descriptors import DescriptorLoadOp, DescriptorStoreOp, MakeTensorDescOp
from xtriton.dialects.tt.enums import PaddingOption
from xtriton.dialects.tt.functions import FuncOp
from xtriton.dialects.tt.types import PtrType, TensorDescType
from xtriton.dialects.upstream.scf import ForOp, YieldOp
from xtriton.dialects.utils.constants import constant_op
from xtriton.ir.noted_edits import set_property

_ALIGNMENT = 16
"""Bytes that the address and the strides of a descriptor divide by."""

Facts = dict[SSAValue, dict[str, Attribute]]
"""What a function says of its arguments."""


def make_host_descriptors(function: FuncOp) -> None:
    """Make the descriptors that a kernel takes and only loads and stores by; keep the others."""
    block = function.body.blocks.first
    if block is None or not function.is_kernel:
        return
    said = function.arg_attrs
    facts: Facts = {argument: {} for argument in block.args}
    if said is not None:
        facts = {a: dict(d.data) for a, d in zip(block.args, said.data, strict=True)}
    found = [a for a in block.args if isinstance(a.type, TensorDescType)]
    # The first one is made first.
    made = [_make(argument, block, facts) for argument in reversed(found)]
    if not any(made):
        return
    types = [argument.type for argument in block.args]
    function.function_type = FunctionType.from_lists(types, list(function.function_type.outputs))
    dictionaries = [DictionaryAttr(facts.get(argument, {})) for argument in block.args]
    set_property(function, "arg_attrs", ArrayAttr(dictionaries))


def _make(argument: BlockArgument, block: Block, facts: Facts) -> bool:
    """Replace a descriptor by one made of numbers, if they are there; return if it was."""
    type = argument.type
    assert isinstance(type, TensorDescType)
    rank, index = len(type.get_shape()), argument.index
    numbers = list(block.args[index + 1 : index + 1 + 2 * rank])
    if [n.type for n in numbers] != [i32] * rank + [i64] * rank or not _only_accesses(argument):
        return False
    element = type.signless_block_type.element_type
    parts = [PtrType(element), *[i64] * (2 * rank), i1, i1]
    for i, part in enumerate(parts):
        block.insert_arg(part, index + i).location = argument.location
    base, sizes, strides = block.args[index], numbers[:rank], numbers[rank:]
    said = facts.pop(argument)
    _say(facts, base, sizes, strides[:-1], said, max(1, element_bits(element) // 8))
    is_nan = _number(said, "tt.padding") != 0
    # The host lets no rows but contiguous ones pass.
    one = constant_op(i64, 1)
    maker = MakeTensorDescOp.build(
        operands=[base, sizes, [*strides[:-1], one.result]],
        result_types=[type],
        properties={
            "padding": IntegerAttr(PaddingOption.nan if is_nan else PaddingOption.zero, i32)
        },
    )
    first = block.first_op
    assert first is not None
    for op in (one, maker):
        if argument.location is not None:  # pyright: ignore[reportUnnecessaryComparison]
            op.location = argument.location
        block.insert_op_before(op, first)
    argument.replace_all_uses_with(maker.result)
    block.erase_arg(argument)
    return True


def _say(
    facts: Facts,
    base: SSAValue,
    sizes: list[BlockArgument],
    strides: list[BlockArgument],
    said: Mapping[str, Attribute],
    element_bytes: int,
) -> None:
    """Note what the host guarantees, and what it specialised the sizes to."""

    def divides(value: SSAValue, divisor: int) -> None:
        facts.setdefault(value, {})["tt.divisibility"] = IntegerAttr(divisor, i32)

    divides(base, _ALIGNMENT)
    for stride in strides:
        divides(stride, _ALIGNMENT // element_bytes)
    for i, size in enumerate(sizes):
        divisor = _number(said, f"tt.shape.{i}.divisibility")
        if divisor:
            divides(size, divisor)


def _number(said: Mapping[str, Attribute], name: str) -> int:
    value = said.get(name)
    return value.value.data if isinstance(value, IntegerAttr) else 0


def _only_accesses(argument: SSAValue) -> bool:
    """Return whether a descriptor is for loads and stores only, be it by way of loops."""
    seen: set[SSAValue] = set()
    pending = [argument]
    accessed = False
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        for use in value.uses:
            onwards = _onwards(use.operation, use.index)
            if onwards is None:
                return False
            accessed |= not onwards
            pending += onwards
    return accessed


def _onwards(user: Operation, index: int) -> list[SSAValue] | None:
    """Return what a use of a descriptor makes of it, nothing for an access; None if unknown."""
    match user:
        case DescriptorLoadOp() | DescriptorStoreOp():
            return []
        case ForOp():
            return [user.body.block.args[index - 2], user.results[index - 3]]
        case YieldOp():
            loop = user.parent_op()
            if not isinstance(loop, ForOp):
                return None
            return [loop.body.block.args[1 + index], loop.results[index]]
        case _:
            return None
