# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false
# pyright: reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""
Elementwise ops of arith, math and tt: whatever `xtriton.semantics` has a function for.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr
from xdsl.ir import Operation

from xtriton.errors import UnsupportedOp
from xtriton.interpreter.machine import Function
from xtriton.interpreter.overflow import watched
from xtriton.interpreter.registry import RULES, rule
from xtriton.interpreter.stand_ins import standing_in
from xtriton.interpreter.types import (
    attribute,
    attributes,
    dense_array,
    info,
    operand_info,
    plain,
    result_info,
)
from xtriton.interpreter.undefined import followed
from xtriton.interpreter.values import NeedsSequential, as_row
from xtriton.semantics import OPERATIONS, function

_ATTRIBUTES = ("predicate", "rounding", "roundingmode", "propagateNan", "symbol")


def computed(op: Operation) -> Callable[..., Any]:
    """Return what an elementwise op computes on carried arrays; raise `KeyError` for others."""
    operands = [info(o.type).scalar for o in op.operands]
    return function(op.name, operands, result_info(op).scalar, attributes(op, *_ATTRIBUTES))


def elementwise(op: Operation, f: Function) -> Callable[..., Any]:
    """The rule of every op in the table of semantics."""
    try:
        compute = computed(op)
    except KeyError as error:
        raise UnsupportedOp(str(error.args[0])) from None
    if f.program.follows:
        return followed(op, compute)
    if op in f.program.watched:
        return watched(op, compute, f.machine.note_overflow)
    return standing_in(op, compute, f.machine)


for _name in OPERATIONS:
    RULES[_name] = elementwise


@rule("arith.constant", "index.constant", "index.bool.constant")
def _constant(op: Operation, f: Function) -> Callable[..., Any]:
    value = attribute(op, "value")
    known = result_info(op)
    match value:
        case IntegerAttr() | FloatAttr():
            constant = known.scalar.constant(value.value.data)
        case DenseIntOrFPElementsAttr():
            constant = dense_array(value)
        case _:
            raise UnsupportedOp(f"a constant of kind '{value}' has no meaning here")
    return lambda: constant


@rule("arith.select")
def _select(op: Operation, f: Function) -> Callable[..., Any]:
    known = result_info(op)
    if known.is_array:
        rank = known.rank
        if operand_info(op, 0).rank == rank:
            return np.where
        return lambda c, a, b: np.where(as_row(c, rank), a, b)

    def choose(condition: Any, a: Any, b: Any) -> Any:
        if condition.ndim and condition.any() != condition.all():
            raise NeedsSequential
        return a if condition.all() else b

    return choose


@rule("arith.scaling_extf")
def _scaling_extend(op: Operation, f: Function) -> Callable[..., Any]:
    extend = function("arith.extf", [operand_info(op, 0).scalar], result_info(op).scalar)
    scale = function("arith.extf", [operand_info(op, 1).scalar], result_info(op).scalar)
    result = result_info(op).scalar
    return lambda x, s: result.round(extend(x) * scale(s))


@rule("arith.scaling_truncf")
def _scaling_truncate(op: Operation, f: Function) -> Callable[..., Any]:
    scale = function("arith.extf", [operand_info(op, 1).scalar], "f64")
    result = result_info(op).scalar
    return lambda x, s: result.round(x.astype(np.float64) / scale(s))


_INDEX_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


@rule("index.cmp")
def _compare_indices(op: Operation, f: Function) -> Callable[..., Any]:
    predicate: Any = plain(attribute(op, "pred"))
    name = str(getattr(predicate, "value", predicate))
    code = _INDEX_PREDICATES.index(name) if name in _INDEX_PREDICATES else int(predicate)
    return function("arith.cmpi", ("index", "index"), "i1", {"predicate": code})


@rule("index.sizeof")
def _index_size(op: Operation, f: Function) -> Callable[..., Any]:
    return lambda: np.int64(64)
