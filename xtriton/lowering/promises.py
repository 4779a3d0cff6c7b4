"""
What `tl.multiple_of` promises, as assertions: for code that is compiled with checks.

The promise is about the first element of each group that `tl.max_contiguous` tells of, which is the
first of all without it; see Triton's `AxisInfo`. Blocks of several dimensions are left alone.
"""

from typing import Any

# xDSL types tensors with parameters that it does not fill in.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownMemberType=false
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IntegerType,
    ModuleOp,
    StringAttr,
    TensorType,
    i1,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xtriton.dialects import tt
from xtriton.dialects.upstream import arith
from xtriton.ir import dense
from xtriton.ir.attributes import integer_attr
from xtriton.ir.walking import ops_in
from xtriton.lowering.attributes import tensor_type
from xtriton.lowering.builder import Builder, predicate

DIVISIBILITY, CONTIGUITY = "tt.divisibility", "tt.contiguity"


def assert_promises(module: ModuleOp) -> None:
    """Insert a `tt.assert` behind each op whose values are promised to be multiples."""
    for op in [op for op in ops_in(module) if DIVISIBILITY in op.attributes]:
        divisor = _hint(op, DIVISIBILITY)
        if divisor is not None and divisor > 1 and len(op.results) == 1:
            _assert(op, divisor)


def _hint(op: Operation, name: str) -> int | None:
    """Return what a hint says of the only dimension."""
    hint = op.attributes.get(name)
    if not isinstance(hint, DenseIntOrFPElementsAttr):
        return None
    numbers = dense.values(hint)
    return int(numbers[0]) if len(numbers) == 1 else None


def _assert(op: Operation, divisor: int) -> None:
    value = op.results[0]
    kind: Any = value.type
    shape: tuple[int, ...] = kind.get_shape() if isinstance(kind, TensorType) else ()
    if len(shape) > 1 or op.next_op is None:
        return
    b = Builder(before=op.next_op, location=op.location)
    scalar: Attribute = kind.element_type if shape else kind
    if isinstance(scalar, tt.PtrType):
        scalar = IntegerType(64)
        value = b.value(tt.PtrToIntOp, (value,), _like(shape, scalar))
    if not _is_integer(scalar):
        return
    holds = _is_multiple(b, value, shape, scalar, divisor)
    if shape:
        group = _hint(op, CONTIGUITY) or shape[0]
        if group > 1:
            bounds = {"start": integer_attr(0, i32), "end": integer_attr(shape[0], i32)}
            place = b.value(tt.MakeRangeOp, (), tensor_type(i32, shape), bounds)
            first = _is_multiple(b, place, shape, i32, group)
            yes = b.constant(_constant(shape, i1, 1))
            later = b.value(arith.XOrIOp, (first, yes), first.type)
            holds = b.value(arith.OrIOp, (holds, later), holds.type)
    message = StringAttr(f"broken tl.multiple_of: not a multiple of {divisor}")
    b.make(tt.AssertOp, (holds,), (), {"message": message})


def _is_integer(type: Any) -> bool:
    return isinstance(type, IntegerType)


def _is_multiple(
    b: Builder, value: SSAValue, shape: tuple[int, ...], scalar: Attribute, divisor: int
) -> SSAValue:
    """Return whether each element is a multiple of `divisor`."""
    by = b.constant(_constant(shape, scalar, divisor))
    rest = b.value(arith.RemSIOp, (value, by), value.type)
    zero = b.constant(_constant(shape, scalar, 0))
    code = predicate(arith.CmpIPredicate.eq)
    return b.value(arith.CmpiOp, (rest, zero), _like(shape, i1), {"predicate": code})


def _like(shape: tuple[int, ...], scalar: Attribute) -> Any:
    return tensor_type(scalar, shape) if shape else scalar


def _constant(shape: tuple[int, ...], scalar: Attribute, value: int) -> Any:
    return dense.splat(_like(shape, scalar), value) if shape else integer_attr(value, scalar)
