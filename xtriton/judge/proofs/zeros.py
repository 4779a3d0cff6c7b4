"""Floats that are never a zero with a sign, whatever the arguments are."""

from __future__ import annotations

from math import copysign
from typing import Any

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr
from xdsl.ir import Block, Operation, SSAValue

from xtriton.interpreter.types import info
from xtriton.ir import dense
from xtriton.ir.value_flow import initial_values

_MOVES = frozenset(
    ("tt.splat", "tt.broadcast", "tt.expand_dims", "tt.reshape", "tt.trans", "tt.unsplat",
     "ttg.convert_layout", "arith.extf")
)  # fmt: skip
_NEVER = frozenset(("arith.sitofp", "arith.uitofp", "math.exp", "math.exp2", "math.absf"))
_EXACT_PRODUCTS = ("f16", "f8E5M2", "f8E4M3FN")
"""Floats whose products are too large to vanish in f32."""

MOST_DEPTH = 60


def never_negative_zero(value: SSAValue) -> bool:
    """
    Whether no element of a float value is ever -0.

    A sum is one only if both summands are. What a loop carries is none if it starts as none, and
    if no iteration makes one of what is none.
    """
    return _Search().never(value, frozenset(), 0)


class _Search:
    """Looks backward from one value, at each value once for the same assumptions."""

    def __init__(self) -> None:
        self.known: dict[tuple[SSAValue, frozenset[SSAValue]], bool] = {}

    def never(self, value: SSAValue, assumed: frozenset[SSAValue], depth: int) -> bool:
        """Whether a value is never -0, if those that are `assumed` to be so are."""
        if value in assumed:
            return True
        if depth > MOST_DEPTH:
            return False
        key = (value, assumed)
        if key not in self.known:
            self.known[key] = self._found(value, assumed, depth + 1)
        return self.known[key]

    def _found(self, value: SSAValue, assumed: frozenset[SSAValue], depth: int) -> bool:
        owner, place = value.owner, getattr(value, "index", 0)
        if isinstance(owner, Block):
            loop = owner.parent_op()
            if loop is None or loop.name != "scf.for" or place == 0:
                return False
            return self._carried(loop, place - 1, assumed, depth)
        if owner.name == "scf.for":
            return self._carried(owner, place, assumed, depth)
        return self._computed(owner, assumed, depth)

    def _carried(
        self, loop: Operation, place: int, assumed: frozenset[SSAValue], depth: int
    ) -> bool:
        body = loop.regions[0].block
        inside = assumed | {body.args[place + 1]}
        return (
            body.last_op is not None
            and self.never(initial_values(loop)[place], assumed, depth)
            and self.never(body.last_op.operands[place], inside, depth)
        )

    def _computed(self, op: Operation, assumed: frozenset[SSAValue], depth: int) -> bool:
        if op.name in _NEVER:
            return True
        if op.name in _MOVES:
            return self.never(op.operands[0], assumed, depth)
        match op.name:
            case "arith.constant":
                return _is_no_negative_zero(op.properties["value"])
            case "arith.addf":
                return any(self.never(o, assumed, depth) for o in op.operands)
            case "arith.mulf":
                return op.operands[0] is op.operands[1]
            case "arith.select":
                return all(self.never(o, assumed, depth) for o in op.operands[1:])
            case "tt.dot":
                narrow = info(op.operands[0].type).scalar.name in _EXACT_PRODUCTS
                return narrow and self.never(op.operands[2], assumed, depth)
            case _:
                return False


def _is_no_negative_zero(constant: Any) -> bool:
    kind: Any = type(constant)  # pyright: ignore[reportUnknownVariableType]
    if kind is FloatAttr:
        number = constant.value.data
    elif kind is DenseIntOrFPElementsAttr and dense.is_splat(constant):
        number = dense.splat_value(constant)
    else:
        return False
    return number != 0 or copysign(1.0, number) > 0
