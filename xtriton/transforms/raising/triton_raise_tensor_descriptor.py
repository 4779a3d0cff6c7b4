"""
Accesses to blocks go through tensor descriptors, which Triton has since 3.3.

Before:

    %p = tt.addptr %splat_of_base, %offsets : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
    %x = tt.load %p, %mask, %zeros : tensor<64x32x!tt.ptr<f16>>

After:

    %d = tt.make_tensor_descriptor %base, [%m, %k], [%stride, %c1] : <f16>, <64x32xf16>
    %x = tt.descriptor_load %d[%row, %column] : !tt.tensordesc<64x32xf16> -> tensor<64x32xf16>

As `triton-raise-block-pointer`, where a descriptor's contract is known to hold: the last
stride is 1, base and other strides are multiples of 16 bytes, rows have at least 16 bytes.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xtriton.analysis.accesses import Accesses
from xtriton.analysis.report import kernels
from xtriton.transforms.raising.tensor_descriptors import DescriptorRewriter


@dataclass(frozen=True)
class TritonRaiseTensorDescriptorPass(ModulePass):
    """Accesses to blocks go through tensor descriptors, which Triton has since 3.3."""

    name = "triton-raise-tensor-descriptor"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in kernels(op):
            DescriptorRewriter(Accesses(function)).rewrite()
