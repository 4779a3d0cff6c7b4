"""Writes the arithmetic of loops: bounds, counts, casts and initial values."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xtriton.dialects.upstream import ub
from xtriton.dialects.upstream.arith import (
    CeilDivSIOp,
    ConstantOp,
    ExtSIOp,
    IndexCastOp,
    MaxSIOp,
    SubiOp,
    TruncIOp,
)
from xtriton.dialects.utils.tensors import is_integer, is_tensor

_INDEX_BITS = 64


class OpInserter:
    """Inserts ops in front of one, or at the end of a block."""

    def __init__(self, like: Operation, block: Block, before: Operation | None = None):
        self.like, self.block, self.before = like, block, before

    @classmethod
    def in_front_of(cls, op: Operation, like: Operation | None = None) -> OpInserter:
        assert op.parent is not None
        return cls(like or op, op.parent, op)

    def insert(self, op: Operation) -> Operation:
        op.location = self.like.location
        if self.before is None:
            self.block.add_op(op)
        else:
            self.block.insert_op_before(op, self.before)
        return op

    def add(self, op: Operation) -> SSAValue:
        return self.insert(op).results[0]

    def integer(self, value: int, type: Attribute) -> SSAValue:
        assert is_integer(type) or isinstance(type, IndexType)
        return self.constant(IntegerAttr(value, type), type)

    def constant(self, value: Attribute, type: Attribute) -> SSAValue:
        return self.add(ConstantOp.create(properties={"value": value}, result_types=[type]))

    def iterations(self, bounds: Sequence[SSAValue]) -> SSAValue:
        """Compute how often a loop runs; negative steps are no problem."""
        lower, upper, step = bounds
        distance = self.add(SubiOp(upper, lower))
        return self.add(CeilDivSIOp(distance, step))

    def cast(self, value: SSAValue, type: Attribute) -> SSAValue:
        if value.type == type:
            return value
        if isinstance(value.type, IndexType) or isinstance(type, IndexType):
            return self.add(IndexCastOp(value, type))
        narrows = integer_bits(value.type) > integer_bits(type)
        cast = TruncIOp if narrows else ExtSIOp
        return self.add(cast.create(operands=[value], result_types=[type]))

    def at_least_one(self, value: SSAValue) -> SSAValue:
        return self.add(MaxSIOp(self.integer(1, value.type), value))

    def anything(self, type: Attribute) -> SSAValue:
        """Return a value that nobody reads: a zero where there is one."""
        element = type.element_type if is_tensor(type) else type
        if isinstance(element, AnyFloat):
            zero: Attribute = FloatAttr(0.0, element)
        elif is_integer(element) or isinstance(element, IndexType):
            zero = IntegerAttr(0, element)
        else:
            return self.add(ub.PoisonOp(type))
        if is_tensor(type):
            zero = DenseIntOrFPElementsAttr.from_list(type, [0])  # pyright: ignore[reportArgumentType, reportCallIssue, reportUnknownVariableType]
        return self.constant(zero, type)  # pyright: ignore[reportUnknownArgumentType]


def integer_bits(type: Attribute) -> int:
    return type.width.data if is_integer(type) else _INDEX_BITS
