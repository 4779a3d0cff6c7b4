"""
Accesses to blocks go through tensor descriptors, which Triton has since 3.3.

Before:

    %p = tt.addptr %splat_of_base, %offsets : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
    %x = tt.load %p, %mask, %zeros : tensor<64x32x!tt.ptr<f16>>

After:

    %d = tt.make_tensor_descriptor %base, [%m, %k], [%stride, %c1] : <f16>, <64x32xf16>
    %x = tt.descriptor_load %d[%row, %column] : !tt.tensordesc<64x32xf16> -> tensor<64x32xf16>

As `triton-raise-block-pointer`, where a descriptor's contract is known to hold: the last
stride is 1, base, other strides and places in a row are multiples of 16 bytes, rows have at least
16 bytes, what is stored ends at a multiple of 16 bytes. Arguments that are sizes or strides
are taken to be positive; where another size may be 0 or less, the access is outside of all.
A remark says of each access that stays as it was which condition is not known to hold.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from xtriton.analysis.accesses import Accesses
from xtriton.analysis.report import kernels
from xtriton.transforms.raising.parents.tensor_descriptors import DescriptorRewriter


@dataclass(frozen=True)
class TritonRaiseTensorDescriptorPass(ModulePass):
    """
    Accesses to blocks go through tensor descriptors, which Triton has since 3.3.

    With `operands-only` just loads of what goes into a matrix product do: on an H200 those were
    as fast or faster, and others, on their way through shared memory, up to 3 times slower.
    """

    name = "triton-raise-tensor-descriptor"

    operands_only: bool = False
    stores_below_zero: bool = False
    """
    Whether a store may begin below 0, as Intel's 2D block stores may and NVIDIA's TMA may not.
    """

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        raise_tensor_descriptors(
            op, operands_only=self.operands_only, stores_below_zero=self.stores_below_zero
        )


def raise_tensor_descriptors(
    module: ModuleOp,
    chosen: Container[Operation] | None = None,
    *,
    operands_only: bool = False,
    stores_below_zero: bool = False,
) -> None:
    """
    Raise the accesses of a module to tensor descriptors; if some are `chosen`, only those.

    The other options are those of the pass.
    """
    for function in list(kernels(module)):
        DescriptorRewriter(
            Accesses(function),
            chosen,
            operands_only=operands_only,
            stores_below_zero=stores_below_zero,
        ).rewrite()
