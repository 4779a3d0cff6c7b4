"""
Access memory in layouts in which neighbouring threads access neighbouring addresses.

Before:

    %x = tt.load %p : tensor<64x64x!tt.ptr<f16>, #blocked>

After:

    %q = ttg.convert_layout %p : ... -> tensor<64x64x!tt.ptr<f16>, #blocked1>
    %y = tt.load %q : tensor<64x64x!tt.ptr<f16>, #blocked1>
    %x = ttg.convert_layout %y : tensor<64x64xf16, #blocked1> -> tensor<64x64xf16, #blocked>

`tritongpu-remove-layout-conversions` then moves the conversions to where they cost least.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from xtriton.analysis.axis_facts import element_bits
from xtriton.analysis.axis_info.backends import axis_analysis
from xtriton.dialects.encodings.blocked import blocked_encoding
from xtriton.dialects.encodings.linear_layouts import cga_of
from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.ttg.cga import CGAEncodingAttr
from xtriton.dialects.ttg.context import num_warps, threads_per_warp
from xtriton.dialects.ttg.distributed import BlockedEncodingAttr
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.layouts.shaping import matrix_order, shape_per_cta
from xtriton.transforms.triton_gpu.coalescing import (
    Coalescing,
    accessed_pointer,
    convert_operand,
    convert_results,
)
from xtriton.transforms.triton_gpu.retyping import encoding_of

_WIDEST_SHARED_ACCESS_BITS = 128

_DESCRIPTOR_SOURCE = {"tt.descriptor_store": 1, "tt.descriptor_reduce": 1}
_ROW_NUMBERS = {"tt.descriptor_gather": 1, "tt.descriptor_scatter": 1}


@dataclass(frozen=True)
class CoalescePass(ModulePass):
    """Convert memory ops to layouts in which their accesses are coalesced."""

    name = "tritongpu-coalesce"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        accesses = [nested for nested in op.walk() if _has_pointers(nested)]
        coalescing = Coalescing.of(op, axis_analysis(op), accesses)
        chosen: dict[Operation, BlockedEncodingAttr] = {}
        for access in accesses:
            chosen[access] = coalescing.encoding(access)
        for nested in op.walk():
            type = _descriptor_data(nested)
            if type is not None:
                chosen[nested] = descriptor_encoding(nested, type)
        for access, encoding in chosen.items():
            convert(access, encoding)


def convert(op: Operation, encoding: BlockedEncodingAttr) -> None:
    """Let a memory op work in another layout, with conversions before and after."""
    for i, operand in enumerate(list(op.operands)):
        if is_tensor(operand.type) and _ROW_NUMBERS.get(op.name) != i:
            convert_operand(op, i, encoding)
    if op.name != "ttg.async_copy_global_to_local":
        convert_results(op, encoding)


def _has_pointers(op: Operation) -> bool:
    pointer = accessed_pointer(op)
    if pointer is None or encoding_of(pointer.type) is None:
        return False
    type = pointer.type
    return is_tensor(type) and isinstance(type.element_type, PtrType)


def _descriptor_data(op: Operation) -> TensorType[Any] | None:
    """Return the type of what moves between a descriptor and registers."""
    if op.name in ("tt.descriptor_load", "tt.descriptor_gather"):
        type = op.results[0].type
    elif op.name in _DESCRIPTOR_SOURCE:
        type = op.operands[_DESCRIPTOR_SOURCE[op.name]].type
    elif op.name == "tt.descriptor_scatter":
        type = op.operands[-1].type
    else:
        return None
    return type if is_tensor(type) and encoding_of(type) is not None else None


def descriptor_encoding(op: Operation, type: TensorType[Any]) -> BlockedEncodingAttr:
    """Return a row-major layout: the hardware coalesces, but shared memory is read by threads."""
    shape = type.get_shape()
    cga = CGAEncodingAttr(cga_of(type.encoding), len(shape))
    warps, lanes = num_warps(op) or 1, threads_per_warp(op)
    per_thread = max(prod(shape_per_cta(cga.block_bases, shape)) // (warps * lanes), 1)
    sizes = [1] * len(shape)
    sizes[-1] = min(per_thread, _WIDEST_SHARED_ACCESS_BITS // element_bits(type))
    order = matrix_order(len(shape), row_major=True)
    return blocked_encoding(shape, sizes, order, warps, lanes, cga)
