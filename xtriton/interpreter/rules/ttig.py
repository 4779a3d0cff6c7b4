# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownLambdaType=false
# pyright: reportUnknownVariableType=false
"""Ops of ttig above the lane: hints do nothing, the rest are tt's under another name."""

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.ir import Operation

from xtriton.interpreter.machine import Function
from xtriton.interpreter.registry import RULES, rule
from xtriton.interpreter.rules import tt_memory as tt_memory
from xtriton.interpreter.types import attribute, operand_info, plain, result_info
from xtriton.interpreter.values import spread
from xtriton.semantics.elements import Array

Compiled = Callable[..., Any]

RULES["ttig.descriptor_gather"] = RULES["tt.descriptor_gather"]
RULES["ttig.descriptor_scatter"] = RULES["tt.descriptor_scatter"]


@rule("ttig.broadcast")
def _broadcast(op: Operation, f: Function) -> Compiled:
    return lambda x: x


@rule("ttig.sub_group_transpose")
def _transpose(op: Operation, f: Function) -> Compiled:
    """Exchanges lanes through shared memory; the tensor stays the same."""
    return lambda buffer, x: x


@rule("ttig.alloc")
def _alloc(op: Operation, f: Function) -> Compiled:
    return lambda: np.int64(0)


@rule("ttig.extract")
def _extract(op: Operation, f: Function) -> Compiled:
    """Part `index` of a tensor cut into pieces of the result's shape, in column-major order."""
    source, target = operand_info(op, 0), result_info(op)
    index = plain(attribute(op, "index"))

    def extract(x: Array) -> Array:
        x = spread(x, source.shape)
        pieces = [n // m for n, m in zip(source.shape, target.shape, strict=True)]
        place = np.unravel_index(int(index), pieces, order="F")
        cut = tuple(
            slice(int(p) * m, (int(p) + 1) * m) for p, m in zip(place, target.shape, strict=True)
        )
        return x[(..., *cut)]

    return extract


@rule("ttig.glue")
def _glue(op: Operation, f: Function) -> Compiled:
    """The inverse of `ttig.extract`: pieces in column-major order make a tensor."""
    piece, whole = operand_info(op, 0), result_info(op)
    pieces = [n // m for n, m in zip(whole.shape, piece.shape, strict=True)]

    def glue(*xs: Array) -> Array:
        full = [spread(x, piece.shape) for x in xs]
        front = full[0].shape[: full[0].ndim - piece.rank]
        result = np.empty(front + whole.shape, full[0].dtype)
        for k, x in enumerate(full):
            place = np.unravel_index(k, pieces, order="F")
            cut = tuple(
                slice(int(p) * m, (int(p) + 1) * m) for p, m in zip(place, piece.shape, strict=True)
            )
            result[(..., *cut)] = x
        return result

    return glue
