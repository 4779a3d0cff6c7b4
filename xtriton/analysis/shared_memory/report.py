"""Who needs how much shared memory, where it lies, and which line of the program it is for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation

from xtriton.analysis.shared_memory.allocation import SharedMemory
from xtriton.dialects.ttg.types import MemDescType
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.locations import program_position

_PURPOSES: Mapping[str, str] = {
    "ttg.convert_layout": "change of layout",
    "ttg.local_alloc": "buffer",
    "tt.reduce": "reduction across warps",
    "tt.scan": "scan across warps",
    "tt.gather": "gather",
    "tt.histogram": "histogram",
    "tt.atomic_rmw": "result of an atomic",
    "tt.atomic_cas": "result of an atomic",
    "tt.call": "call",
}


@dataclass(frozen=True)
class BufferReport:
    """One buffer of a function."""

    purpose: str
    """What it is for, in words, with the shape of what goes through it."""
    position: tuple[str, int, int] | None
    """File, line and column of what needs it, if known."""
    offset: int
    size: int


@dataclass(frozen=True)
class SharedMemoryReport:
    """The shared memory of a module in bytes, and its buffers in the order of the program."""

    size: int
    buffers: tuple[BufferReport, ...]


def shared_memory_report(module: ModuleOp, backend: str = "") -> SharedMemoryReport:
    """Report on a module with layouts; `backend` is `intel` or nothing."""
    memory = SharedMemory(module, backend)
    found = [
        BufferReport(
            _purpose(buffer.owner),
            program_position(buffer.owner.location),
            buffer.offset,
            buffer.size,
        )
        for function in module.walk()
        if function.name in ("tt.func", "func.func")
        for buffer in memory.of_function(function).buffers
    ]
    return SharedMemoryReport(memory.size, tuple(found))


def _purpose(op: Operation) -> str:
    types = [value.type for value in (*op.results, *op.operands)]
    shape = next((text for text in map(_shape, types) if text), "")
    return f"{_PURPOSES.get(op.name, op.name)} {shape}".strip()


def _shape(type: Attribute) -> str:
    if isinstance(type, MemDescType) or is_tensor(type):
        return "x".join((*map(str, type.get_shape()), str(type.element_type)))
    return ""
