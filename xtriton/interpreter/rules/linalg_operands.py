"""What the rules of linalg share: operands of both levels, and affine maps."""

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.ir import Operation

from xtriton.interpreter.buffers import MemRef
from xtriton.interpreter.machine import Env, Function
from xtriton.interpreter.rules.memref import observe
from xtriton.interpreter.types import TypeInfo, info, segments as segments_of
from xtriton.semantics.elements import Array


class Structured:
    """Operands of a structured op: inputs, then outputs, read and written alike for both levels."""

    def __init__(self, op: Operation, f: Function):
        self.op, self.f = op, f
        parts = segments_of(op)
        if not parts:
            outputs = len(op.results) or 1
            parts = (tuple(op.operands[:-outputs]), tuple(op.operands[-outputs:]))
        self.inputs = [f.slot(o) for o in parts[0]]
        self.outputs = [f.slot(o) for o in parts[1]]
        self.infos = [info(o.type) for part in parts[:2] for o in part]
        self.results = [f.slot(r) for r in op.results]

    def read(self, env: Env) -> list[Array]:
        """Return the operands as carried arrays."""
        values: list[Array] = []
        for k, slot in enumerate([*self.inputs, *self.outputs]):
            value = env[slot]
            if isinstance(value, MemRef):
                if k < len(self.inputs):
                    observe(self.f, self.op, "load", value)
                value = value.read()
            values.append(value)
        return values

    def write(self, env: Env, values: list[Array]) -> None:
        """Set the results, or store them where the outputs are memrefs."""
        for k, slot in enumerate(self.outputs):
            target = env[slot]
            if isinstance(target, MemRef):
                observe(self.f, self.op, "store", target)
                target.write(values[k])
        for slot, value in zip(self.results, values, strict=False):
            env[slot] = value

    @property
    def output_infos(self) -> list[TypeInfo]:
        return self.infos[len(self.inputs) :]


def with_dynamic_sizes(value: Array, known: TypeInfo, like: Array) -> Array:
    """Spread the dimensions of unknown size to those of the output operand."""
    if -1 not in known.shape:
        return value
    shape = np.broadcast_shapes(value.shape, like.shape)
    return value if value.shape == shape else np.broadcast_to(value, shape)


def dimensions_of(map: Any) -> list[int]:
    """Return the dimensions of a projected permutation; -1 where a result is no dimension."""
    return [getattr(result, "position", -1) for result in map.results]


def evaluate(
    expression: Any,
    dims: list[Any],
    symbols: list[Any],
    number: Callable[[int], Any] = np.int64,
    divided: Callable[[Any, Any], Any] = lambda a, b: a // b,
) -> Any:
    """
    Return the value of an affine expression for arrays or integers.

    Numbers of another kind come with what makes one of a constant, and with what divides two.
    """
    match type(expression).__name__:
        case "AffineDimExpr":
            return dims[expression.position]
        case "AffineSymExpr":
            return symbols[expression.position]
        case "AffineConstantExpr":
            return number(expression.value)
        case _:
            left, right = (
                evaluate(side, dims, symbols, number, divided)
                for side in (expression.lhs, expression.rhs)
            )
            match expression.kind.name:
                case "Add":
                    return left + right
                case "Mul":
                    return left * right
                case "Mod":
                    return left % right
                case "FloorDiv":
                    return divided(left, right)
                case _:
                    return -divided(-left, right)
