"""Small edits of IR that the slips are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerAttr, IntegerType, TensorType
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from xtriton.dialects.utils.constants import filled
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.universe import context


@dataclass(frozen=True)
class Edit:
    """One slip at one place: its class, what it does there, and the function that does it."""

    kind: str
    what: str
    apply: Callable[[], None]


Slip = Callable[[Operation], Iterator[Edit]]


@cache
def op_class(name: str) -> Any:
    """Return the class of the op called `name`."""
    return context().get_op(name)


def build(
    name: str, operands: Sequence[SSAValue], type: Attribute, properties: Any = None
) -> Operation:
    """Return a new op with one result of `type`."""
    return op_class(name).create(
        operands=list(operands), result_types=[type], properties=dict(properties or {})
    )


def constant(type: Any, value: float) -> Operation:
    """Return a constant of `type`, a scalar or a tensor, that is `value` everywhere."""
    return build("arith.constant", [], type, {"value": filled(type, value)})


def element_type(type: Any) -> Any:
    """Return the type of the elements of a tensor, or of the scalar itself."""
    return type.element_type if is_tensor(type) else type


def is_float(type: Any) -> bool:
    """Whether a scalar or the elements of a tensor are floats."""
    return isinstance(element_type(type), AnyFloat)


def width(type: Any) -> int:
    """Return the bits of an integer type or of a tensor's elements; 0 for what is none."""
    element: Any = element_type(type)
    if isinstance(element, IndexType):
        return 64
    return element.bitwidth if isinstance(element, IntegerType) else 0


def with_elements(type: Any, element: Attribute) -> Attribute:
    """Return `type` with other elements."""
    if not is_tensor(type):
        return element
    return TensorType(element, type.get_shape(), type.encoding)


def before(op: Operation, *new: Operation) -> None:
    """Insert ops in front of `op`."""
    block = op.parent
    assert block is not None
    block.insert_ops_before(list(new), op)


def after(op: Operation, *new: Operation) -> None:
    """Insert ops behind `op`."""
    block = op.parent
    assert block is not None
    block.insert_ops_after(list(new), op)


def replace(value: SSAValue, other: SSAValue, keep: Sequence[Operation] = ()) -> None:
    """Let all users of `value` use `other`, but for the ops in `keep`."""
    for use in list(value.uses):
        if use.operation not in keep:
            use.operation.operands[use.index] = other


def instead(op: Operation, *new: Operation) -> None:
    """Let the users of an op's result use that of the last of `new`, which are put behind it."""
    after(op, *new)
    replace(op.results[0], new[-1].results[0], new)


def operand(op: Operation, index: int, *new: Operation) -> None:
    """Put `new` in front of an op, and the result of the last of them in an operand's place."""
    before(op, *new)
    op.operands[index] = new[-1].results[0]


def number(op: Operation | SSAValue) -> Any:
    """Return the integer or float that a constant is everywhere, or None."""
    from xtriton.dialects.utils.constants import constant_attribute, splat_value

    value = op.results[0] if isinstance(op, Operation) else op
    return splat_value(constant_attribute(value))


def integer(op: Operation, name: str) -> int | None:
    """Return an integer property of an op."""
    found = op.properties.get(name, op.attributes.get(name))
    return found.value.data if isinstance(found, IntegerAttr) else None


def set_integer(op: Operation, name: str, value: int) -> None:
    """Set an integer property of an op, of the type that it has."""
    for table in (op.properties, op.attributes):
        found: Any = table.get(name)
        if found is not None:
            table[name] = IntegerAttr(value, found.type)


def is_argument(value: SSAValue) -> bool:
    """Whether a value is an argument of a function."""
    if not isinstance(value, BlockArgument):
        return False
    parent = value.owner.parent_op()
    return parent is not None and parent.name.endswith("func")
