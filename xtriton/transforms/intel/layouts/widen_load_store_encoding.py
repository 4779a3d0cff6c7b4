"""
Let threads load and store 32 bytes at once, on devices that can.

Before, in a module with the attribute `ttig.support_256b_load_store`:

    #blocked = #ttg.blocked<{sizePerThread = [4], ...}>
    %x = tt.load %p : tensor<1024x!tt.ptr<f32>, #blocked>

After:

    #blocked1 = #ttg.blocked<{sizePerThread = [8], ...}>
    %0 = ttg.convert_layout %p : ... -> tensor<1024x!tt.ptr<f32>, #blocked1>
    %1 = tt.load %0 : tensor<1024x!tt.ptr<f32>, #blocked1>
    %x = ttg.convert_layout %1 : ... -> tensor<1024xf32, #blocked>

So it is done for accesses through tensors of pointers of which threads have 16 bytes in a row,
if twice as many elements are known to lie in a row, aligned to that number, and if the tensor
still reaches round all threads; `tritonintelgpu-remove-layout-conversions` carries the layout
on. Source: `WidenLoadStoreEncoding.cpp` of the Intel XPU backend.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xtriton.analysis.axis_facts import element_bits
from xtriton.analysis.axis_info.backends import axis_analysis
from xtriton.analysis.axis_info.dataflow import AxisAnalysis
from xtriton.dialects.tt.memory import LoadOp, StoreOp
from xtriton.dialects.ttg.distributed import BlockedEncodingAttr
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.listings import ops_of
from xtriton.layouts.shaping import shape_per_cta
from xtriton.transforms.triton_gpu.coalesce import convert

SUPPORTS_WIDE_ACCESSES = "ttig.support_256b_load_store"

_BITS_NOW = 128


@dataclass(frozen=True)
class WidenLoadStoreEncodingPass(ModulePass):
    """Double what a thread accesses in a row, from 128 bits to 256."""

    name = "tritonintelgpu-widen-load-store-encoding"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if SUPPORTS_WIDE_ACCESSES not in op.attributes:
            return
        axes = axis_analysis(op, "intel")
        accesses = ops_of(op, LoadOp, StoreOp)
        widened = {access: _widened(access, axes) for access in accesses}
        for access, encoding in widened.items():
            if encoding is not None:
                convert(access, encoding)


def _widened(op: LoadOp | StoreOp, axes: AxisAnalysis) -> BlockedEncodingAttr | None:
    """Return the layout in which threads access twice as much in a row, if that fits."""
    type = op.result.type if isinstance(op, LoadOp) else op.value.type
    if not is_tensor(type) or not is_tensor(op.ptr.type):
        return None
    old = type.encoding
    if not isinstance(old, BlockedEncodingAttr):
        return None
    dim, sizes = old.order[0], list(old.size_per_thread)
    if sizes[dim] * element_bits(type) != _BITS_NOW:
        return None
    sizes[dim] *= 2
    info = axes.info(op.ptr)
    if min(info.divisibility[dim], info.contiguity[dim]) < sizes[dim]:
        return None
    reach = sizes[dim] * old.threads_per_warp[dim] * old.warps_per_cta[dim]
    if shape_per_cta(old.cga.block_bases, type.get_shape())[dim] < reach:
        return None
    return BlockedEncodingAttr(sizes, old.threads_per_warp, old.warps_per_cta, old.order, old.cga)
