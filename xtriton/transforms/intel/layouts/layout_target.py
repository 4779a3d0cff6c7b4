"""
What Intel's backend decides about layouts, as of January 2026.

A store by block pointer takes what DPAS gives as it is, through a pointer made for it.
"""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue, Use

from xtriton.analysis.intel.values import maker_of
from xtriton.dialects.tt.pointers import AdvanceOp, MakeTensorPtrOp
from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.ttg.context import module_of
from xtriton.dialects.ttg.distributed import (
    BlockedEncodingAttr,
    DotOperandEncodingAttr,
    SliceEncodingAttr,
)
from xtriton.dialects.ttg.interfaces import MmaEncoding
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.dialects.ttg.mma import NvidiaMmaEncodingAttr
from xtriton.dialects.ttig.encodings import DpasEncodingAttr
from xtriton.transforms.triton_gpu.layout_conversions.propagation import Propagation
from xtriton.transforms.triton_gpu.layout_conversions.rematerialization import Rematerialization
from xtriton.transforms.triton_gpu.layout_conversions.target import Target, is_large_access
from xtriton.transforms.triton_gpu.retyping import (
    encoding_of,
    is_tensor_pointer,
    set_encoding,
    tensor_of,
    with_encoding,
)

BLOCK_IO = "ttig.block_io"
SUPPORTS_2D_BLOCK_IO = "ttig.support_2d_block_io"


class IntelTarget(Target):
    """Decisions of the Intel backend."""

    slices_through_existing = True
    conversion_cost_factor = 3

    def __init__(self, slices_through_loops: bool = False, most_rounds: int = 1):
        self.slices_through_loops = slices_through_loops
        self.most_rounds = most_rounds

    def infer_operand(self, op: Operation, encoding: Attribute) -> Attribute | None:
        if isinstance(op, MakeTensorPtrOp | AdvanceOp):
            return encoding
        return super().infer_operand(op, encoding)

    def is_sliced(self, type: Attribute) -> bool:
        return tensor_of(type) is not None

    def is_expensive_access(self, op: Operation) -> bool:
        # 2D block accesses are cheap in whatever layout.
        return BLOCK_IO not in op.attributes and is_large_access(op)

    def is_anchor(self, op: Operation) -> bool:
        if op.name in ("tt.atomic_cas", "tt.dot", "tt.dot_scaled"):
            return True
        if op.name == "tt.atomic_rmw":
            return isinstance(encoding_of(op.results[0].type), MmaEncoding)
        return self.is_access_or_fixed(op)

    def propagates_specially(self, use: Use, encodings: list[Attribute]) -> list[SSAValue] | None:
        user = use.operation
        if user.name == "tt.atomic_rmw":
            fits = all(isinstance(e, BlockedEncodingAttr | MmaEncoding) for e in encodings)
            return list(user.results) if fits else []
        if user.name == "tt.store":
            return list(user.operands) if all(map(is_of_dot, encodings)) else []
        return None

    def keeps_encoding(self, op: Operation) -> bool:
        return op.name in ("tt.store", "ttg.convert_layout")

    def rewrite_store(self, propagation: object, store: Operation) -> bool:
        assert isinstance(propagation, Propagation)
        if store.name != "tt.store":
            return False
        return _rewrite_block_store(propagation, store) or _rewrite_store(propagation, store)

    def stays(self, conversion: ConvertLayoutOp) -> bool:
        encoding: Attribute = cast(Any, conversion.result.type).encoding
        return isinstance(encoding, DotOperandEncodingAttr) and isinstance(
            encoding.parent, BlockedEncodingAttr
        )

    def hoists_to_loads(self, encoding: Attribute) -> bool:
        return isinstance(encoding, DotOperandEncodingAttr) and isinstance(
            encoding.parent, NvidiaMmaEncodingAttr
        )

    def after_rematerialisation(self, step: object) -> None:
        assert isinstance(step, Rematerialization)
        _reduce_loop_carried_values(step)


def is_of_dot(encoding: Attribute) -> bool:
    if isinstance(encoding, SliceEncodingAttr | DotOperandEncodingAttr):
        encoding = encoding.parent
    return isinstance(encoding, MmaEncoding)


# --- stores -----------------------------------------------------------------------------


def _rewrite_store(propagation: Propagation, store: Operation) -> bool:
    """Let a store take all its operands in their new layouts, if all have one."""
    chosen = [propagation.chosen(operand) for operand in store.operands]
    changed = [
        encoding is not None and encoding != encoding_of(operand.type)
        for encoding, operand in zip(chosen, store.operands, strict=True)
    ]
    if not all(changed):
        return False
    for i, encoding in enumerate(chosen):
        assert encoding is not None
        store.operands[i] = propagation.value_as(store.operands[i], encoding)
    return True


def _rewrite_block_store(propagation: Propagation, store: Operation) -> bool:
    """Let a store by block pointer take what DPAS gives, through a pointer made for it."""
    pointer, value = store.operands[0], store.operands[1]
    if SUPPORTS_2D_BLOCK_IO not in module_of(store).attributes:
        return False
    if not is_tensor_pointer(pointer.type):
        return False
    made = maker_of(pointer)
    if made is None:
        return False
    conversion = value.op if isinstance(value, OpResult) else None
    if isinstance(conversion, ConvertLayoutOp):
        value = conversion.src
        encoding: Attribute = cast(Any, value.type).encoding
    else:
        chosen = propagation.chosen(value)
        if not isinstance(chosen, DpasEncodingAttr):
            return False
        encoding = chosen
    new = made.clone()
    new.location = made.location
    assert made.parent is not None
    made.parent.insert_op_before(new, made)
    type = made.results[0].type
    assert isinstance(type, PtrType) and isinstance(value.type, TensorType)
    set_encoding(new.results[0], encoding)
    data = propagation.value_as(value, encoding)
    for use in list(made.results[0].uses):
        user = use.operation
        if user is store:
            store.operands[0], store.operands[1] = new.results[0], data
        elif isinstance(user, AdvanceOp) and _ends_in(user, store):
            _advance_chain(user, store, new.results[0], data)
    return True


def _ends_in(advance: Operation, store: Operation) -> bool:
    """Return whether a chain of `tt.advance` ends in `store`."""
    users = [use.operation for use in advance.results[0].uses]
    if store in users:
        return True
    return any(isinstance(user, AdvanceOp) and _ends_in(user, store) for user in users)


def _advance_chain(advance: Operation, store: Operation, pointer: SSAValue, data: SSAValue) -> None:
    """Advance `pointer` as the chain does, up to the store."""
    new = advance.clone()
    new.location = advance.location
    assert advance.parent is not None
    advance.parent.insert_op_before(new, advance)
    new.operands[0] = pointer
    set_encoding(new.results[0], encoding_of(pointer.type))  # pyright: ignore[reportArgumentType]
    for use in list(advance.results[0].uses):
        user = use.operation
        if user is store:
            store.operands[0], store.operands[1] = new.results[0], data
        elif isinstance(user, AdvanceOp):
            _advance_chain(user, store, new.results[0], data)


# --- block pointers that loops carry ----------------------------------------------------


def _reduce_loop_carried_values(step: Rematerialization) -> None:
    """
    Use the block pointer that a loop carries in a new layout after the loop as well.

    The loop then need not carry the old one.
    """
    for (old, _), new in list(step.known.items()):
        if not isinstance(old, BlockArgument) or not isinstance(new, BlockArgument):
            continue
        loop = old.block.parent_op()
        if not is_tensor_pointer(old.type) or loop is None or loop.name != "scf.for":
            continue
        replacement = loop.results[new.index - 1]
        for use in list(loop.results[old.index - 1].uses):
            _use_pointer(step, use.operation, replacement)


def _use_pointer(step: Rematerialization, user: Operation, pointer: SSAValue) -> None:
    encoding = encoding_of(pointer.type)
    block = user.parent
    assert encoding is not None and block is not None
    if user in step.deleted:
        return
    if user.name not in ("tt.load", "tt.store", "tt.advance"):
        return
    new = user.clone()
    new.location = user.location
    new.operands[0] = pointer
    if user.name == "tt.store":
        data = user.operands[1]
        conversion = ConvertLayoutOp(data, with_encoding(data.type, encoding))
        block.insert_op_before(conversion, user)
        new.operands[1] = conversion.result
    block.insert_op_before(new, user)
    step.deleted[user] = None
    if user.name == "tt.load":
        set_encoding(new.results[0], encoding)
        conversion = ConvertLayoutOp(new.results[0], user.results[0].type)
        block.insert_op_before(conversion, user)
        user.results[0].replace_all_uses_with(conversion.result)
    elif user.name == "tt.advance":
        set_encoding(new.results[0], encoding)
        for use in list(user.results[0].uses):
            _use_pointer(step, use.operation, new.results[0])
