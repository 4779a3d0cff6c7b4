"""What a memory operation of `tt` asks for, whatever op asks."""

from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Operation, SSAValue

from xtriton.analysis.accesses import Access
from xtriton.analysis.memory_ops import mask_of
from xtriton.analysis.values import TensorBlock
from xtriton.dialects.tt.enums import PaddingOption
from xtriton.dialects.upstream.arith import ConstantOp
from xtriton.dialects.utils.constants import constant_op
from xtriton.records import record
from xtriton.transforms.raising.writing.emitter import ExprEmitter
from xtriton.transforms.raising.writing.scalars import scalar_of


@record
class Request:
    """
    A load, store or atomic of a block.

    `value` is what is stored, `mask` the operand that switches lanes off, `other` the tensor
    read where they are off, `padding` the `PaddingOption` where the block leaves the tensor.
    """

    op: Operation
    value: SSAValue | None
    mask: SSAValue | None
    other: SSAValue | None
    padding: int | None

    @property
    def has_filler(self) -> bool:
        """Whether it is defined what the lanes that are off read."""
        return self.other is not None or self.padding is not None


def request_of(access: Access) -> Request:
    """Return what an access asks for."""
    op = access.op
    padding = None
    if isinstance(access.pointer, TensorBlock):
        padding = access.pointer.padding
        attribute = op.properties.get("padding")
        if isinstance(attribute, IntegerAttr):
            padding = attribute.value.data
    value = None
    if op.name == "tt.descriptor_store" or op.name in ("tt.store", "tt.atomic_rmw"):
        value = op.operands[1]
    other = getattr(op, "other", None) if op.name == "tt.load" else None
    return Request(op, value, mask_of(op), other, padding if access.kind == "load" else None)


def scalar_filler(request: Request, element: Attribute, emitter: ExprEmitter) -> SSAValue | None:
    """Return the scalar that lanes that are off read, or None where it is none or varies."""
    if request.other is not None:
        return scalar_of(request.other, emitter, request.op)
    if request.padding is None:
        return None
    if isinstance(element, AnyFloat):
        number = float("nan") if request.padding == PaddingOption.nan else 0.0
        return emitter.materialized(ConstantOp(FloatAttr(number, element)))
    return emitter.materialized(constant_op(element, 0))
