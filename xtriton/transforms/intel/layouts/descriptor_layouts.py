"""
What Intel's backend decides about layouts, as of August 2026.

Tensor descriptors have taken the place of block pointers; a value that is computed once more
in another layout is handed on in it to all that computes with it.

Source: `RemoveLayoutConversions.cpp` of the Intel XPU backend, August 2026.
"""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, SSAValue, Use

from xtriton.analysis.axis_facts import element_bits
from xtriton.analysis.intel.module import BLOCK_IO_STRIDE
from xtriton.dialects.encodings.linear_layouts import NoLinearLayout, are_equivalent, layout_of_type
from xtriton.dialects.ttg.distributed import DotOperandEncodingAttr
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.dialects.ttg.mma import NvidiaMmaEncodingAttr
from xtriton.dialects.ttig.encodings import DpasEncodingAttr
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.layouts.shaping import LANE
from xtriton.transforms.intel.layouts.forwarding import LOADS, ForwardingRematerialization
from xtriton.transforms.intel.layouts.layout_target import BLOCK_IO, IntelTarget, is_of_dot
from xtriton.transforms.triton_gpu.coalesce import descriptor_encoding
from xtriton.transforms.triton_gpu.layout_conversions.propagation import Propagation
from xtriton.transforms.triton_gpu.layout_conversions.target import defining_op, is_large
from xtriton.transforms.triton_gpu.retyping import layout_of_value

_UNCONSTRAINED_SHAPES = ("tt.broadcast", "tt.expand_dims", "tt.trans")


class DescriptorTarget(IntelTarget):
    """Decisions of the Intel backend since August 2026."""

    anchors = IntelTarget.anchors | {"ttg.convert_layout"}
    ends_at_equal = True

    def rematerialization(self, function: Operation) -> ForwardingRematerialization:
        return ForwardingRematerialization(function, self)

    # --- accesses -----------------------------------------------------------------------

    def is_expensive_access(self, op: Operation) -> bool:
        if op.name not in ("tt.descriptor_load", "tt.descriptor_store"):
            return BLOCK_IO_STRIDE in op.attributes or super().is_expensive_access(op)
        if BLOCK_IO in op.attributes and BLOCK_IO_STRIDE not in op.attributes:
            return False
        data = op.results[0].type if op.results else op.operands[1].type
        return is_tensor(data) and is_large(op, data)

    def is_anchor(self, op: Operation) -> bool:
        if op.name == "tt.descriptor_load":
            return self.is_expensive_access(op)
        if isinstance(op, ConvertLayoutOp):
            return _keeps_rows_together(op)
        return super().is_anchor(op)

    def can_be_rematerialised(self, op: Operation) -> bool:
        if op.name == "tt.descriptor_load":
            possible = not self.is_expensive_access(op)
        elif op.name == "tt.reshape":
            possible = "efficient_layout" not in op.properties
        else:
            possible = super().can_be_rematerialised(op)
        return possible or self.is_relabelled_load(op)

    def is_relabelled_load(self, op: Operation) -> bool:
        """
        Return whether an expensive load is used in another layout only.

        What converts it has to be followed by ops alone that give it more dimensions or copies,
        one after the other.
        """
        if op.name not in LOADS or not self.is_expensive_access(op):
            return False
        conversion = _only_user(op.results[0])
        if not isinstance(conversion, ConvertLayoutOp):
            return False
        user = _only_user(conversion.result)
        if user is None or user.name not in _UNCONSTRAINED_SHAPES:
            return False
        while user is not None and user.name in _UNCONSTRAINED_SHAPES:
            uses = [use.operation for use in user.results[0].uses]
            if len(uses) > 1 and any(other.name in _UNCONSTRAINED_SHAPES for other in uses):
                return False
            user = _only_user(user.results[0])
        return True

    # --- stores -------------------------------------------------------------------------

    def propagates_specially(self, use: Use, encodings: list[Attribute]) -> list[SSAValue] | None:
        if use.operation.name == "tt.descriptor_store":
            return [use.operation.operands[1]] if all(map(is_of_dot, encodings)) else []
        return super().propagates_specially(use, encodings)

    def keeps_encoding(self, op: Operation) -> bool:
        return op.name == "tt.descriptor_store" or super().keeps_encoding(op)

    def rewrite_store(self, propagation: object, store: Operation) -> bool:
        if store.name != "tt.descriptor_store":
            return super().rewrite_store(propagation, store)
        assert isinstance(propagation, Propagation)
        data = store.operands[1]
        chosen = propagation.chosen(data)
        if chosen is None:
            return False
        conversion = defining_op(data)
        if isinstance(conversion, ConvertLayoutOp) and layout_of_value(conversion.src) == chosen:
            store.operands[1] = propagation.rewritten(conversion.src)
            return True
        if layout_of_value(data) == chosen:
            return False
        store.operands[1] = propagation.value_as(data, chosen)
        return True

    # --- loads of dots ------------------------------------------------------------------

    def hoists_to_loads(self, encoding: Attribute) -> bool:
        return isinstance(encoding, DotOperandEncodingAttr) and isinstance(
            encoding.parent, NvidiaMmaEncodingAttr | DpasEncodingAttr
        )

    def hoists_to_load(self, load: Operation, conversion: ConvertLayoutOp) -> bool:
        # The layout is made for elements as wide as those of the dot.
        return element_bits(load.results[0].type) == element_bits(conversion.result.type)


def _only_user(value: SSAValue) -> Operation | None:
    uses = list(value.uses)
    return uses[0].operation if len(uses) == 1 else None


def _keeps_rows_together(conversion: ConvertLayoutOp) -> bool:
    """
    Return whether a descriptor's store needs a conversion to be of whole rows.

    Lanes next to each other then store what is next to each other, which the layout in front of
    all conversions in a row does not promise.
    """
    if all(use.operation.name != "tt.descriptor_store" for use in conversion.result.uses):
        return False
    root = conversion.src
    while isinstance(made := defining_op(root), ConvertLayoutOp):
        root = made.src
    source, target = cast(TensorType[Any], root.type), cast(Any, conversion.result.type)
    before, after = _lanes_dimension(source), _lanes_dimension(target)
    if before is None or after is None:
        return False
    if before != after:
        return True
    shape: tuple[int, ...] = target.get_shape()
    if len(shape) < 2 or (made is not None and made.name in ("tt.dot", "tt.dot_scaled")):
        return False
    coalesced = descriptor_encoding(conversion, target)
    return are_equivalent(target.encoding, coalesced, shape, ignore_broadcast=False)


def _lanes_dimension(type: TensorType[Any]) -> int | None:
    """Return along which dimension lanes follow each other; None if not along one."""
    try:
        bases = layout_of_type(type).bases_of.get(LANE, ())
    except NoLinearLayout:
        return None
    moved = [i for i, step in enumerate(bases[0]) if step > 0] if bases else []
    return moved[0] if len(moved) == 1 else None
