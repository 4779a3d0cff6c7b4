"""
Access memory in layouts in which neighbouring threads access neighbouring addresses.

As `tritongpu-coalesce`, for block pointers as well, whose layout is changed where they are
made.

Before:

    %p = tt.make_tensor_ptr ... : <tensor<64x64xf16, #blocked>>
    %x = tt.load %p : !tt.ptr<tensor<64x64xf16, #blocked>>

After:

    %p = tt.make_tensor_ptr ... : <tensor<64x64xf16, #blocked1>>
    %y = tt.load %p : !tt.ptr<tensor<64x64xf16, #blocked1>>
    %x = ttg.convert_layout %y : tensor<64x64xf16, #blocked1> -> tensor<64x64xf16, #blocked>
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass

from xtriton.analysis.axis_info.backends import axis_analysis
from xtriton.dialects.ttg.distributed import BlockedEncodingAttr
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.listings import nested_ops
from xtriton.transforms.intel.block_io.block_pointers import Families, Family
from xtriton.transforms.triton_gpu.coalescing import (
    Coalescing,
    accessed_pointer,
    convert_operand,
    convert_results,
)
from xtriton.transforms.triton_gpu.retyping import encoding_of, is_tensor_pointer, set_encoding


@dataclass(frozen=True)
class TritonIntelGPUCoalescePass(ModulePass):
    """Convert memory ops, with block pointers or without, to coalesced layouts."""

    name = "tritonintelgpu-coalesce"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        accesses = [
            nested
            for nested in nested_ops(op)
            if (pointer := accessed_pointer(nested)) is not None
            and encoding_of(pointer.type) is not None
        ]
        pointers = [access.operands[0] for access in accesses]
        coalescing = Coalescing.of(op, axis_analysis(op, "intel", pointers), accesses)
        chosen = {access: coalescing.encoding(access) for access in accesses}
        families = Families()
        _agree(chosen, families)
        for access, encoding in chosen.items():
            _convert(access, encoding, families)


def _agree(chosen: dict[Operation, BlockedEncodingAttr], families: Families) -> None:
    """
    Let accesses through one block pointer have one layout, the one that suits the last of them.

    Likewise those through several that meet in control flow. Upstream gives the pointer that
    layout and leaves the other accesses, and pointers, with theirs.
    """
    last: dict[int, BlockedEncodingAttr] = {}
    keys = {
        access: id(families.of(access.operands[0]))
        for access in chosen
        if is_tensor_pointer(access.operands[0].type)
    }
    for access, key in keys.items():
        last[key] = chosen[access]
    for access, key in keys.items():
        chosen[access] = last[key]


def _convert(op: Operation, encoding: Attribute, families: Families) -> None:
    for i, operand in enumerate(list(op.operands)):
        if isinstance(operand.type, TensorType):
            convert_operand(op, i, encoding)
        elif is_tensor_pointer(operand.type):
            family = families.of(operand)
            if not family.is_known:
                return
            if encoding_of(operand.type) != encoding:
                _retype(family, encoding)
    convert_results(op, encoding)


def _retype(family: Family, encoding: Attribute) -> None:
    """Give block pointers, and masks of prefetches beside them, another encoding."""
    for value in family.values:
        set_encoding(value, encoding)
        for use in list(value.uses):
            if use.operation.name == "ttig.prefetch":
                _convert_tensors(use.operation, encoding)


def _convert_tensors(op: Operation, encoding: Attribute) -> None:
    for i, operand in enumerate(list(op.operands)):
        if is_tensor(operand.type) and encoding_of(operand.type) != encoding:
            convert_operand(op, i, encoding)
