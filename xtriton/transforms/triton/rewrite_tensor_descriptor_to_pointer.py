"""
Turn accesses through tensor descriptors into ones by tensors of pointers.

Before:

    %d = tt.make_tensor_descriptor %base, [%m, %k], [%s, %c1_i64] : <f16>, <tensor<64x32xf16>>
    %x = tt.descriptor_load %d[%i, %j] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>

After:

    %rows = ... %i + [0 .. 63], %columns = ... %j + [0 .. 31]
    %p = %base + %rows * %s + %columns : tensor<64x32x!tt.ptr<f16>>
    %x = tt.load %p, 0 <= %rows < %m & 0 <= %columns < %k, %zero_or_nan

A descriptor becomes its base, sizes, strides and whether it pads with NaN, wherever functions,
loops and branches hand it on. Descriptors that other ops hand on keep the module as it is.
Source: `RewriteTensorDescriptorToPointer.cpp` of Triton.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xtriton.ir.versions import Version, release
from xtriton.transforms.layout_free import refuse_layouts
from xtriton.transforms.triton.descriptor_values import holds_descriptors

_FIRST_RELEASE_THAT_ROUNDS: Version = (3, 9)
"""Since then a descriptor says whether what it loads is rounded; offsets are reshaped."""


@dataclass(frozen=True)
class RewriteTensorDescriptorToPointerPass(ModulePass):
    """Turn tensor descriptors into what they stand for, accesses into ones by pointers."""

    name = "triton-rewrite-tensor-descriptor-to-pointer"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not holds_descriptors(op):
            return
        # Most modules have none, and what rewrites them is large.
        from xtriton.transforms.triton.descriptor_rewriting import (
            DescriptorRewriting,
            can_rewrite_descriptors,
        )

        if can_rewrite_descriptors(op):
            refuse_layouts(op, self.name)
            is_late = release() >= _FIRST_RELEASE_THAT_ROUNDS
            rewriting = DescriptorRewriting(rounds=is_late, reshapes=is_late)
            rewriting.inside(op)
            rewriting.erase()
