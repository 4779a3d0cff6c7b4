"""
Structured accesses to memory: `tts.load` and `tts.store` to memref, tensor and bufferization.

Before:

    %0 = tts.make_tptr %p to sizes: [128], strides: [1], offsets: [%o], shape: [0], order: []
    %1 = "tts.load"(%0, %n) <{static_mask_dims = array<i64: ...>}> : ...

After (`%p` being `memref<*xf32>`):

    %view = memref.reinterpret_cast %p to offset: [%o], sizes: [%n], strides: [1] : ...
    %alloc = memref.alloc() : memref<128xf32>
    %part = memref.subview %alloc[0] [%n] [1] : ...
    memref.copy %view, %part : ...
    %1 = bufferization.to_tensor %alloc restrict writable : memref<128xf32> to tensor<128xf32>

Pointers become a memref and an offset (see `pointers`), which each access applies itself.
"""

from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from xtriton.dialects import tts
from xtriton.lowering.builder import Builder
from xtriton.lowering.pointers import Pointers, drop_dead
from xtriton.lowering.structured_access import Structure, StructuredAccess, mixed


@dataclass(frozen=True)
class StructuredToMemrefPass(ModulePass):
    """Lower structured loads and stores to views and copies of memory."""

    name = "structured-to-memref"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if function.name in ("func.func", "tt.func"):
                lower_function(function)


def lower_function(function: Operation) -> None:
    """Lower the structured accesses of one function."""
    pointers = Pointers()
    pointers.lower(function)
    dead: list[Operation] = []
    for op in list(function.walk()):
        if isinstance(op, tts.LoadOp | tts.StoreOp) and _lower_access(op, pointers):
            dead.append(op)
    for op in dead:
        op.detach()
        op.erase()
    for op in list(function.walk(reverse=True)):
        if isinstance(op, tts.MakeTensorPtrOp) and op.results[0].first_use is None:
            op.detach()
            op.erase()
    drop_dead(function)


def _lower_access(op: Any, pointers: Pointers) -> bool:
    """Lower one access; return whether it could be."""
    pointer = op.operands[0].owner
    if not isinstance(pointer, tts.MakeTensorPtrOp):
        return False
    structure = Structure.of(pointer)
    base = pointers.get(structure.base)
    if base is None:
        return False
    access = StructuredAccess(Builder(before=op), structure, base)
    dims = mixed(op.static_mask_dims, op.mask_dims)
    if isinstance(op, tts.StoreOp):
        access.store(op.value, dims)
    else:
        op.results[0].replace_all_uses_with(access.load(dims, op.other, op.results[0].type))
    return True
