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
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass

from xtriton.analysis.axis_info.backends import axis_analysis
from xtriton.analysis.intel.values import maker_of
from xtriton.dialects.ttg.distributed import BlockedEncodingAttr
from xtriton.dialects.utils.tensors import is_tensor
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
            for nested in op.walk()
            if (pointer := accessed_pointer(nested)) is not None
            and encoding_of(pointer.type) is not None
        ]
        coalescing = Coalescing.of(op, axis_analysis(op, "intel"), accesses)
        chosen = {access: coalescing.encoding(access) for access in accesses}
        _agree(chosen)
        for access, encoding in chosen.items():
            _convert(access, encoding)


def _agree(chosen: dict[Operation, BlockedEncodingAttr]) -> None:
    """
    Let accesses through one block pointer have one layout, the one that suits the last of them.

    Upstream gives the pointer that layout and leaves the other accesses with theirs.
    """
    last: dict[Operation, BlockedEncodingAttr] = {}
    makers = {
        access: made
        for access in chosen
        if is_tensor_pointer(access.operands[0].type)
        and (made := maker_of(access.operands[0])) is not None
    }
    for access, made in makers.items():
        last[made] = chosen[access]
    for access, made in makers.items():
        chosen[access] = last[made]


def _convert(op: Operation, encoding: Attribute) -> None:
    for i, operand in enumerate(list(op.operands)):
        if isinstance(operand.type, TensorType):
            convert_operand(op, i, encoding)
        elif is_tensor_pointer(operand.type):
            made = maker_of(operand)
            if made is None:
                return
            set_encoding(made.results[0], encoding)
            propagate(made.results[0], encoding)
    convert_results(op, encoding)


def propagate(value: SSAValue, encoding: Attribute) -> None:
    """Give the block pointers that come from `value`, and masks beside them, the same encoding."""
    for use in list(value.uses):
        if use.operation.name == "ttig.prefetch":
            _convert_tensors(use.operation, encoding)
        for target in _targets(use.operation, use.index):
            if is_tensor_pointer(target.type):
                set_encoding(target, encoding)
                propagate(target, encoding)


def _convert_tensors(op: Operation, encoding: Attribute) -> None:
    for i, operand in enumerate(list(op.operands)):
        if is_tensor(operand.type) and encoding_of(operand.type) != encoding:
            convert_operand(op, i, encoding)


def _targets(user: Operation, index: int) -> list[SSAValue]:
    """Return the values that a use of a block pointer hands it on to."""
    parent = user.parent_op()
    match user.name:
        case "scf.for":
            return [user.regions[0].block.args[index - 2]] if index >= 3 else []
        case "scf.while":
            return [user.regions[0].block.args[index]]
        case "scf.yield":
            assert parent is not None
            return [parent.results[index]] if index < len(parent.results) else []
        case "scf.condition":
            assert parent is not None
            return [parent.regions[1].block.args[index - 1]] if index >= 1 else []
        case _:
            return list(user.results)
