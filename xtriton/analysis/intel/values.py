"""
Where values come from, as the Intel XPU backend follows them: block pointers, divisibility.

Source: `Utils/Utility.cpp` and `TritonIntelGPUTransforms/Utility.cpp` of that backend.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from xtriton.analysis.intel.rules import rules_for
from xtriton.dialects.tt.functions import FuncOp
from xtriton.dialects.upstream.scf import ForOp
from xtriton.dialects.utils.constants import constant_int
from xtriton.ir.value_flow import origins

BLOCK_POINTER = "tt.make_tensor_ptr"
DESCRIPTOR = "tt.make_tensor_descriptor"
ADVANCES = frozenset(("tt.advance",))
"""What makes a block pointer of another one."""


def maker_of(value: SSAValue, name: str = BLOCK_POINTER) -> Operation | None:
    """
    Return the op that made a block pointer (or descriptor), followed through control flow.

    None if there is more than one, or none in this function. Upstream looks only at what a
    loop starts with.
    """
    found = makers_of(value, name, most=1)
    return next(iter(found)) if len(found) == 1 else None


def makers_of(value: SSAValue, name: str, most: int | None = None) -> dict[Operation, None]:
    """
    Return all ops that may have made a block pointer or descriptor; none if some are unknown.

    `most` of them are looked for, and one more; all by default.
    """
    found: dict[Operation, None] = {}
    pending, seen = [value], {value}
    while pending:
        current = pending.pop()
        if isinstance(current, OpResult) and current.op.name == name:
            found[current.op] = None
            continue
        made_from = origins(current, ADVANCES)
        if not made_from:
            return {}
        if most is not None and len(found) > most:
            return found
        for source in made_from:
            if source not in seen:
                seen.add(source)
                pending.append(source)
    return found


def is_divisible(value: SSAValue, divisor: int) -> bool:
    """Return whether the shape of `value`'s computation shows that `divisor` divides it."""
    pending, seen = [value], 0
    while pending:
        current = pending.pop()
        seen += 1
        # Sums of sums repeat values; what is as large as this is not followed.
        if seen > _MOST_VALUES:
            return False
        if isinstance(current, BlockArgument):
            if not _argument_is_divisible(current, divisor):
                return False
            continue
        assert isinstance(current, OpResult)
        op = current.op
        match op.name:
            case "arith.constant":
                number = op.properties["value"]
                if not isinstance(number, IntegerAttr):
                    return False
                if _unsigned(number) % divisor:  # pyright: ignore[reportUnknownArgumentType]
                    return False
            case "arith.muli":
                if not any(is_divisible(operand, divisor) for operand in op.operands):
                    return False
            case "arith.extsi" | "tt.addptr" | "arith.addi":
                pending.extend(op.operands)
            case "arith.trunci" if rules_for(op).looks_through_loops_and_truncations:
                pending.extend(op.operands)
            case _:
                return False
    return True


_MOST_VALUES = 256


def _unsigned(number: IntegerAttr[Any]) -> int:
    value = number.value.data
    return value % (1 << 64) if value < 0 else value


def _argument_is_divisible(value: BlockArgument, divisor: int) -> bool:
    function = value.block.parent_op()
    if isinstance(function, ForOp) and rules_for(function).looks_through_loops_and_truncations:
        return _counts_by(value, function, divisor)
    if not isinstance(function, FuncOp) or value.block.prev_block is not None:
        return False
    if function.arg_attrs is None:
        return False
    fact = function.arg_attrs.data[value.index].data.get("tt.divisibility")
    return isinstance(fact, IntegerAttr) and fact.value.data % divisor == 0


def _counts_by(value: BlockArgument, loop: ForOp, divisor: int) -> bool:
    """Return whether a loop in no other loop counts multiples of `divisor`."""
    outer = loop.parent_op()
    while outer is not None:
        if isinstance(outer, ForOp):
            return False
        outer = outer.parent_op()
    return value.index == 0 and is_divisible(loop.lb, divisor) and is_divisible(loop.step, divisor)


def is_one(value: SSAValue) -> bool:
    """Return whether `value` is the constant 1."""
    return constant_int(value) == 1


def final_value(value: SSAValue, *, through_loops: bool = True) -> SSAValue:
    """
    Return what `value` is without conversions and neutral operands.

    With `through_loops`, what a loop carries is followed to what it starts with; without,
    neither that nor unsigned extension is taken for the value itself.
    """
    while True:
        following = _simpler(value, through_loops)
        if following is None:
            return value
        value = following


def _simpler(value: SSAValue, through_loops: bool) -> SSAValue | None:
    if isinstance(value, BlockArgument):
        loop = value.block.parent_op()
        if through_loops and isinstance(loop, ForOp) and value.index > 0:
            return loop.iter_args[value.index - 1]
        return None
    assert isinstance(value, OpResult)
    op = value.op
    operands = op.operands
    match op.name:
        case "tt.expand_dims" | "tt.broadcast" | "tt.splat" | "arith.index_cast" | "arith.extsi":
            return operands[0]
        case "arith.extui":
            return operands[0] if through_loops else None
        case "arith.addi":
            if constant_int(operands[0]) == 0:
                return operands[1]
            return operands[0] if constant_int(operands[1]) == 0 else None
        case "arith.subi":
            return operands[0] if constant_int(operands[1]) == 0 else None
        case "arith.muli":
            if constant_int(operands[0]) == 1 or constant_int(operands[1]) == 0:
                return operands[1]
            if constant_int(operands[1]) == 1 or constant_int(operands[0]) == 0:
                return operands[0]
            return None
        case "arith.divui":
            if constant_int(operands[1]) == 1 or constant_int(operands[0]) == 0:
                return operands[0]
            return None
        case _:
            return None
