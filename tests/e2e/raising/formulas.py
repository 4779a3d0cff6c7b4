"""Kernels whose addresses and masks are computed anew from the formulas of the analysis."""

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation

from xtriton.analysis.accesses import Access, Accesses
from xtriton.analysis.memory_ops import mask_of
from xtriton.analysis.report import kernels
from xtriton.analysis.values import Pointer
from xtriton.dialects.tt import AddPtrOp, BitcastOp, SplatOp
from xtriton.dialects.tt.types import PtrType
from xtriton.transforms.raising.writing.emitter import CannotEmit, ExprEmitter
from xtriton.transforms.raising.writing.tensor_emitter import TensorEmitter


def compute_from_formulas(module: Operation) -> list[Access]:
    """
    Give each access of tensors the address and mask that its formulas say.

    Returns the accesses for which no IR can be written, which stay as they were.
    """
    left: list[Access] = []
    for function in kernels(module):
        accesses = Accesses(function)
        emitter = ExprEmitter(accesses.analysis)
        for access in accesses.all:
            if not access.shape or not isinstance(access.pointer, Pointer):
                continue
            try:
                _recompute(access, access.pointer, emitter)
            except CannotEmit:
                left.append(access)
    return left


def _recompute(access: Access, pointer: Pointer, emitter: ExprEmitter) -> None:
    op = access.op
    tensors = TensorEmitter(emitter, access.shape, op)
    offsets = tensors.tensor(access.form.offset)
    base = pointer.base
    type = PtrType(pointer.pointee)
    if base.type != type:
        base = emitter.op(BitcastOp(base, type), op)
    block = TensorType(type, access.shape)
    bases = emitter.op(SplatOp.create(operands=[base], result_types=[block]), op)
    operands = list(op.operands)
    mask = mask_of(op)
    if mask is not None:
        operands[operands.index(mask)] = tensors.mask(access.mask)
    operands[0] = emitter.op(AddPtrOp(bases, offsets), op)
    op.operands = operands
