# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""
Stand-ins for what ops leave undefined by themselves.

A quotient by zero, a shift by the width or more, a float beyond the integers that it is converted
to: NumPy gives some number, the same one in each run. What depends on it is seen where another
one stands for it, as for lanes that are masked off.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerAttr
from xdsl.ir import Operation

from xtriton.interpreter.machine import Machine
from xtriton.interpreter.types import attribute, dense_array, info, result_info
from xtriton.interpreter.undefined import undefined_lanes
from xtriton.semantics.elements import Array


def standing_in(op: Operation, compute: Callable[..., Any], machine: Machine) -> Callable[..., Any]:
    """Return `compute` of an elementwise op, with the run's stand-in where it is undefined."""
    where = undefined_lanes(op)
    if where is None or _is_harmless(op):
        return compute
    of = result_info(op).scalar

    def run(*operands: Any) -> Any:
        result = compute(*operands)
        undefined: Array = np.asarray(where(*operands))
        if not undefined.any():
            return result
        stand_in = machine.memory.poison_value(of, undefined.shape)
        # In the first run of a launch it is whatever NumPy gives.
        return np.where(undefined, stand_in, result)[()] if machine.memory.poison else result

    return run


def _is_harmless(op: Operation) -> bool:
    """Whether the second operand is a constant with which the op is always defined."""
    owner = op.operands[1].owner if len(op.operands) == 2 else None
    if not isinstance(owner, Operation) or owner.name not in ("arith.constant", "index.constant"):
        return False
    value = attribute(owner, "value")
    match value:
        case IntegerAttr():
            numbers: Array = np.asarray(value.value.data)
        case DenseIntOrFPElementsAttr():
            numbers = dense_array(value)
        case _:
            return False
    if op.name.rpartition(".")[2].startswith("sh"):
        return bool(((numbers >= 0) & (numbers < info(op.operands[0].type).scalar.width)).all())
    return not bool(((numbers == 0) | (numbers == -1)).any())
