"""Ops on tensors of pointers, wrapped in loops as they are, for passes that know pointers."""

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from xtriton.lowering.builder import Builder
from xtriton.lowering.linalg_rules.generic import (
    element_type,
    elementwise,
    generic,
    identity_map,
    is_tensor,
)
from xtriton.lowering.linalg_rules.shapes import shape_of

Values = Sequence[SSAValue]

CASTS = frozenset(("tt.bitcast", "tt.int_to_ptr", "tt.ptr_to_int", "tt.load", "tt.store"))
"""What is wrapped besides `tt.addptr`, where that is asked for."""


def wrapped(op: Operation, builder: Builder) -> Values | None:
    """Return the results of a `linalg.generic` that does what `op` does to each element."""
    types = [result.type for result in op.results]

    def body(inner: Builder, elements: Values) -> Values:
        kinds = [element_type(kind) for kind in types]
        return inner.make(type(op), elements, kinds, op.properties).results

    operands = list(op.operands)
    if types:
        return elementwise(builder, operands, types, body)
    if not all(is_tensor(operand) for operand in operands):
        return None
    rank = len(shape_of(operands[0]))
    maps = [identity_map(rank)] * len(operands)
    return generic(builder, operands, maps, (), ["parallel"] * rank, body)
