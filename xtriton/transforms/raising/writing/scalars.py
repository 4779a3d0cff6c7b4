"""The scalar that every element of a tensor equals."""

from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Attribute, Operation, SSAValue

from xtriton.analysis.values import is_tensor, tensor_type
from xtriton.dialects.upstream.arith import ConstantOp
from xtriton.ir.attributes import float_attr, integer_attr
from xtriton.ir.dense import is_splat, splat_value
from xtriton.transforms.raising.writing.emitter import ExprEmitter

_MOVES = frozenset({"tt.broadcast", "tt.expand_dims", "tt.reshape", "tt.trans"})
_CASTS = frozenset(
    {
        "arith.extf",
        "arith.truncf",
        "arith.sitofp",
        "arith.uitofp",
        "arith.extsi",
        "arith.extui",
        "arith.trunci",
        "arith.bitcast",
        "arith.negf",
    }
)


def scalar_of(value: SSAValue, emitter: ExprEmitter, anchor: Operation) -> SSAValue | None:
    """Return the scalar that `value` holds in every element, usable before `anchor`, or None."""
    op = value.owner
    if not isinstance(op, Operation) or not is_tensor(value.type):
        return None
    if op.name == "arith.constant":
        attribute = op.properties["value"]
        if not is_splat(attribute):
            return None
        return constant(splat_value(attribute), value.type.element_type, emitter)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownArgumentType, reportUnknownMemberType]
    if op.name == "tt.splat":
        return op.operands[0]
    if op.name in _MOVES:
        return scalar_of(op.operands[0], emitter, anchor)
    if op.name in _CASTS:
        operand = scalar_of(op.operands[0], emitter, anchor)
        if operand is None:
            return None
        cast = type(op).create(
            operands=[operand],
            result_types=[tensor_type(value.type).element_type],
            properties=op.properties,
        )
        return emitter.op(cast, anchor)
    return None


def constant(number: float, type: Attribute, emitter: ExprEmitter) -> SSAValue | None:
    """Return a constant at the start of the function."""
    if isinstance(type, AnyFloat):
        attribute: Attribute = float_attr(number, type)
    else:
        attribute = integer_attr(int(number), type)
    op = ConstantOp.create(properties={"value": attribute}, result_types=[type])
    return emitter.materialized(op)
