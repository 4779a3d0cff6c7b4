"""
Accesses to blocks go through block pointers, which Triton has up to 3.7.

Before:

    %p = tt.addptr %splat_of_base, %offsets : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
    %x = tt.load %p, %mask, %zeros : tensor<64x32x!tt.ptr<f16>>

After:

    %p = tt.make_tensor_ptr %base, [%m, %k], [%stride, %c1], [%row, %column] {order = array<i32: 1, 0>} : <tensor<64x32xf16>>
    %x = tt.load %p {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<64x32xf16>>

The mask gives the shape of the tensor and says which boundaries are checked. A modulo whose
wrapped rows only reach masked-out stores is a boundary; another stays as it was. A pointer that
moves evenly in a loop is made before it and advanced inside.
A remark says of each access that stays as it was why.
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
from xtriton.dialects.tt import MakeTensorPtrOp
from xtriton.dialects.tt.cache_policy import LAST_VERSION_OF_BLOCK_POINTERS
from xtriton.ir.limits import without_garbage_collection
from xtriton.ir.versions import remember_version, version_read
from xtriton.transforms.raising.parents.block_pointers import BlockPointerRewriter


@dataclass(frozen=True)
class TritonRaiseBlockPointerPass(ModulePass):
    """
    Accesses to blocks go through block pointers, which Triton has up to 3.7.

    `ignore-masks` is there for upstream's command lines and does nothing: a mask that is
    ignored changes what the kernel does.
    """

    name = "triton-raise-block-pointer"

    ignore_masks: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        raise_block_pointers(op)


def raise_block_pointers(module: ModuleOp, chosen: Container[Operation] | None = None) -> None:
    """Raise the accesses of a module to block pointers; if some are `chosen`, only those."""
    with without_garbage_collection():
        for function in list(kernels(module)):
            BlockPointerRewriter(Accesses(function), chosen).rewrite()
    if any(isinstance(made, MakeTensorPtrOp) for made in module.walk()):
        remember_version(module, min(version_read(module), LAST_VERSION_OF_BLOCK_POINTERS))
