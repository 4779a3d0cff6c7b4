"""
The bodies of named `linalg` ops: what each says about one element.

The same as MLIR's builders make, op for op, so that generic forms agree.
"""

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects.builtin import FloatAttr, i1
from xdsl.dialects.linalg.ops import YieldOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xtriton.dialects.upstream import arith
from xtriton.dialects.upstream.types import element_or_self, is_float
from xtriton.dialects.utils.tensors import is_integer

Payload = Callable[[Block, Sequence[SSAValue]], SSAValue]
"""Adds to a block what computes the new element from the block's arguments."""


def body(inputs: Sequence[SSAValue], outputs: Sequence[SSAValue], payload: Payload) -> Region:
    """Return the region with an argument for each operand that yields what `payload` computes."""
    block = Block(arg_types=[element_or_self(v.type) for v in (*inputs, *outputs)])
    result = payload(block, block.args)
    block.add_op(YieldOp(result))
    return Region(block)


def add(block: Block, op: Operation) -> SSAValue:
    """Append an op and return its result."""
    block.add_op(op)
    return op.results[0]


def cast(block: Block, value: SSAValue, target: Attribute, *, unsigned: bool = False) -> SSAValue:
    """Return `value` converted to the scalar type `target`."""
    source = value.type
    if source == target:
        return value
    made: Any
    if is_integer(source) and is_integer(target):
        if source.width.data > target.width.data:
            made = arith.TruncIOp
        else:
            made = arith.ExtUIOp if unsigned or source == i1 else arith.ExtSIOp
    elif is_float(source) and is_float(target):
        wider = target.bitwidth > source.bitwidth  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]
        made = arith.ExtFOp if wider else arith.TruncFOp
    elif is_float(source):
        made = arith.FPToUIOp if unsigned else arith.FPToSIOp
    elif is_float(target):
        made = arith.UIToFPOp if unsigned or source == i1 else arith.SIToFPOp
    else:
        made = arith.IndexCastOp
    return add(block, made(value, target))


def first(block: Block, values: Sequence[SSAValue]) -> SSAValue:
    """The first input, converted to the type of the output."""
    return cast(block, values[0], values[-1].type)


def multiply_and_add(block: Block, values: Sequence[SSAValue], *, unsigned: bool) -> SSAValue:
    """`accumulator + a * b` in the type of the accumulator."""
    a, b, accumulator = values
    target = accumulator.type
    a, b = (cast(block, v, target, unsigned=unsigned) for v in (a, b))
    times: Any = arith.MulfOp
    plus: Any = arith.AddfOp
    if not is_float(target):
        times, plus = arith.MuliOp, arith.AddiOp
        if target == i1:
            times, plus = arith.AndIOp, arith.OrIOp
    return add(block, plus(accumulator, add(block, times(a, b))))


def elementwise(of_floats: Any, of_integers: Any = None, of_bools: Any = None) -> Payload:
    """One op on all inputs, chosen by their element type."""

    def payload(block: Block, values: Sequence[SSAValue]) -> SSAValue:
        inputs = values[:-1]
        type = inputs[-1].type
        op = of_floats if is_float(type) else of_integers
        if type == i1 and of_bools is not None:
            op = of_bools
        if op is None:
            raise ValueError(f"no such op on {type}")
        return add(block, op(*inputs))

    return payload


def reciprocal(block: Block, values: Sequence[SSAValue]) -> SSAValue:
    """`1 / x`."""
    type: Any = values[0].type
    one = add(block, arith.ConstantOp(FloatAttr(1.0, type)))
    return add(block, arith.DivfOp(one, values[0]))


def square(block: Block, values: Sequence[SSAValue]) -> SSAValue:
    """`x * x`."""
    return add(block, arith.MulfOp(values[0], values[0]))
