"""
Turn block pointers into tensors of pointers.

Before:

    %p = tt.make_tensor_ptr %base, [%m, %k], [%sm, %sk], [%i, %j] : <tensor<64x32xf16>>
    %x = tt.load %p {boundaryCheck = array<i32: 0>, padding = 1 : i32}

After:

    %rows = ... %i + [0 .. 63] : tensor<64x1xi64>
    %columns = ... %j + [0 .. 31] : tensor<1x32xi64>
    %p = %base + %rows * %sm + %columns * %sk : tensor<64x32x!tt.ptr<f16>>
    %x = tt.load %p, 0 <= %rows < %m, %zero : tensor<64x32x!tt.ptr<f16>>

Source: `RewriteTensorPointer.cpp` of Triton.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xtriton.transforms.triton.pointer_tensors import rewrite_block_pointers


@dataclass(frozen=True)
class RewriteTensorPointerPass(ModulePass):
    """Turn block pointers into tensors of pointers, checks of bounds into masks."""

    name = "triton-rewrite-tensor-pointer"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        rewrite_block_pointers(op, lambda maker, users: False)
