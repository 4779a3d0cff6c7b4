"""
What loads and layout conversions cost, in bytes moved.

A load costs the cache lines that its warps touch, each as often as an instruction touches
it; a conversion through shared memory costs what is written to it and read from it. Moves
inside a warp cost as much as what they move, renamed registers nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from xdsl.dialects.builtin import FixedBitwidthType, TensorType
from xdsl.ir import Attribute, Operation

from xtriton.analysis.axis_facts import element_bits
from xtriton.analysis.axis_info.dataflow import AxisAnalysis
from xtriton.analysis.intel.conversions import movement_of
from xtriton.analysis.intel.module import BLOCK_IO
from xtriton.dialects.encodings.linear_layouts import layout_of
from xtriton.dialects.tt.memory import LoadOp
from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.dialects.ttg.memory import LocalAllocOp
from xtriton.dialects.ttg.types import MemDescType
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.layouts.conversion import Movement
from xtriton.layouts.shaping import LANE, REGISTER, WARP

LINE_BYTES = 64
_WIDEST_ACCESS_BYTES = 16


@dataclass(frozen=True)
class Cost:
    """Bytes through shared memory, the largest buffer there, bytes of memory traffic."""

    shared: int = 0
    buffer: int = 0
    memory: int = 0
    shuffled: int = 0

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            self.shared + other.shared,
            max(self.buffer, other.buffer),
            self.memory + other.memory,
            self.shuffled + other.shuffled,
        )

    @property
    def total(self) -> int:
        return self.shared + self.memory + self.shuffled

    def __str__(self) -> str:
        return (
            f"{self.total} bytes ({self.shared} through shared memory, {self.memory} of memory "
            f"traffic, {self.shuffled} between lanes)"
        )


def element_bytes(type: TensorType[Any]) -> int:
    """Return how many bytes an element takes in registers and shared memory."""
    element = type.element_type
    if isinstance(element, PtrType):
        return 8
    return max(1, element.bitwidth // 8) if isinstance(element, FixedBitwidthType) else 8


def size_of(type: TensorType[Any]) -> int:
    """Return the bytes of a tensor."""
    return prod(type.get_shape()) * element_bytes(type)


def conversion_cost(source: TensorType[Any], target: TensorType[Any]) -> Cost:
    """Return what changing a tensor's layout costs."""
    match movement_of(source, target):
        case Movement.NOTHING | Movement.REGISTERS:
            return Cost()
        case Movement.LANES:
            return Cost(shuffled=size_of(source))
        case _:
            size = size_of(source)
            return Cost(shared=2 * size, buffer=size)


def shared_memory_uses(module: Operation) -> list[tuple[Operation, int]]:
    """
    Return the ops that need shared memory, each with its bytes.

    A conversion counts with all that goes through; where it is done in steps, its buffer is a
    part of that.
    """
    uses: list[tuple[Operation, int]] = []
    for op in module.walk():
        if isinstance(op, ConvertLayoutOp):
            source, target = op.src.type, op.result.type
            assert is_tensor(source) and is_tensor(target)
            size = conversion_cost(source, target).buffer
        elif isinstance(op, LocalAllocOp) and isinstance(type := op.results[0].type, MemDescType):
            size = prod(type.get_shape()) * element_bits(type.element_type) // 8
        else:
            continue
        if size:
            uses.append((op, size))
    return uses


def cost_of_load(load: LoadOp, encoding: Attribute, facts: AxisAnalysis) -> Cost:
    """Return the traffic of a load through pointers, if these had `encoding`."""
    type = load.result.type
    assert is_tensor(type)
    if BLOCK_IO in load.attributes:
        return Cost(memory=size_of(type))
    contiguity = facts.info(load.ptr).contiguity
    # Of equals the last one.
    fastest = max(reversed(range(len(contiguity))), key=lambda d: contiguity[d])
    return load_cost(type, encoding, fastest)


def module_cost(module: Operation, facts: AxisAnalysis) -> Cost:
    """Return what the conversions of a module cost, and its loads through tensors of pointers."""
    total = Cost()
    for op in module.walk():
        if isinstance(op, ConvertLayoutOp):
            source, target = op.src.type, op.result.type
            assert is_tensor(source) and is_tensor(target)
            total += conversion_cost(source, target)
        elif isinstance(op, LoadOp) and is_tensor(type := op.ptr.type):
            total += cost_of_load(op, type.encoding, facts)
    return total


def load_cost(type: TensorType[Any], encoding: Attribute, contiguous: int) -> Cost:
    """
    Return the traffic of loading a tensor of `type` whose pointers have `encoding`.

    Memory is contiguous along dimension `contiguous`, other rows are in other lines. All
    registers of a thread are alike, so one instruction stands for all.
    """
    layout = layout_of(encoding, type.get_shape())
    size = element_bytes(type)
    names = layout.out_names
    bases = layout.bases_of

    def place(basis: tuple[int, ...]) -> tuple[int, ...]:
        """Return the row and the byte in it of what a basis adds."""
        return tuple(v * size if d == contiguous else v for d, v in enumerate(basis))

    vector = size
    registers = list(bases.get(REGISTER, ()))
    ordered = sorted(registers, key=lambda b: place(b)[contiguous])
    for basis in ordered:
        moved = place(basis)
        only_along = all(v == 0 for d, v in enumerate(moved) if d != contiguous)
        if only_along and moved[contiguous] == vector and vector * 2 <= _WIDEST_ACCESS_BYTES:
            vector *= 2
    lines = {(0,) * len(names)}
    for basis in bases.get(LANE, ()):
        moved = place(basis)
        lines |= {tuple(a ^ b for a, b in zip(line, moved, strict=True)) for line in lines}
    touched = {
        tuple(v // LINE_BYTES if d == contiguous else v for d, v in enumerate(line))
        for line in lines
    }
    accesses = (1 << len(registers)) * size // vector
    warps = 1 << len(bases.get(WARP, ()))
    # A vector may be wider than what is left of a line, never more than two of them.
    return Cost(memory=len(touched) * LINE_BYTES * accesses * warps)
