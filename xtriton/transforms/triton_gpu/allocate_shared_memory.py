"""
Say where in shared memory each buffer lies, and how much of it the module needs.

Before:

    module {
      %0 = ttg.convert_layout %x : tensor<...> -> tensor<...>

After:

    module attributes {ttg.shared = 4096 : i32} {
      %0 = ttg.convert_layout %x {allocation.offset = 0 : i32, allocation.size = 4096 : i32} : ...
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, i32
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from xtriton.analysis.shared_memory.allocation import Allocation, SharedMemory
from xtriton.diagnostics import remark
from xtriton.ir.versions import Version, release

_FIRST_RELEASE_OF_SIZES: Version = (3, 9)
"""Since then ops say how much they need for themselves."""

OFFSET = "allocation.offset"
SIZE = "allocation.size"
SHARED = "ttg.shared"
_TEST_BYTES = 128


@dataclass(frozen=True)
class AllocateSharedMemoryPass(ModulePass):
    """Allocate shared memory as Triton does."""

    name = "allocate-shared-memory"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        _allocate(op, "")


@dataclass(frozen=True)
class IntelAllocateSharedMemoryPass(ModulePass):
    """Allocate shared memory as the Intel backend does: it has shuffles of its own."""

    name = "intel-allocate-shared-memory"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        _allocate(op, "intel")


@dataclass(frozen=True)
class PrintAllocationPass(ModulePass):
    """Say of each op where its buffers lie, in remarks."""

    name = "test-print-allocation"

    get_scratch_size_function: Literal["None", "ValidConstant"] = "None"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        constant = self.get_scratch_size_function == "ValidConstant"
        memory = SharedMemory(op, scratch=(lambda _: _TEST_BYTES) if constant else None)
        for function in _functions(op):
            name = function.properties["sym_name"]
            assert isinstance(name, StringAttr)
            remark(function, name.data)
            allocation = memory.of_function(function)
            for inner in function.walk(region_first=True):
                _report(inner, allocation)
            remark(function, f"size = {allocation.size}")


def _functions(module: ModuleOp) -> list[Operation]:
    return [op for op in module.walk() if op.name == "tt.func"]


def _report(op: Operation, allocation: Allocation) -> None:
    buffer = allocation.of.get(op)
    if buffer is not None:
        kind = "" if buffer.kind == "explicit" else f"{buffer.kind} "
        remark(op, f"{kind}offset = {buffer.offset}, size = {buffer.size}")


def _allocate(module: ModuleOp, backend: str) -> None:
    memory = SharedMemory(module, backend)
    for function in _functions(module):
        for buffer in memory.of_function(function).buffers:
            buffer.owner.attributes[OFFSET] = IntegerAttr(buffer.offset, i32)
            if buffer.kind == "scratch" and release() >= _FIRST_RELEASE_OF_SIZES:
                buffer.owner.attributes[SIZE] = IntegerAttr(buffer.size, i32)
    module.attributes[SHARED] = IntegerAttr(memory.size, i32)
