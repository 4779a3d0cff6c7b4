"""
What a run did to memory, in a form that two runs can be compared in.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from xdsl.ir import Operation

from xtriton.interpreter.arguments import Parameter
from xtriton.interpreter.machine import Observer, describe
from xtriton.interpreter.memory import REGION_BITS, region_base
from xtriton.interpreter.read_places import ReadPlaces
from xtriton.interpreter.types import TypeInfo, info
from xtriton.semantics.elements import Array


@dataclass
class AccessRecord:
    """Addresses that one op touched in one step, by the programs that ran it together."""

    op: Operation
    kind: str
    address: Array
    mask: Array | None
    size: int
    programs: Array
    shape: tuple[int, ...]
    value: Array | None = None

    def touched(self) -> Array:
        """Return the addresses where the mask holds, flat."""
        if self.mask is None:
            return self.address.reshape(-1)
        address, mask = np.broadcast_arrays(self.address, self.mask)
        return address[mask]

    def values(self) -> Array | None:
        """Return the stored values in the order of `touched`, if they are known."""
        if self.value is None:
            return None
        if self.mask is None:
            shape = np.broadcast_shapes(self.address.shape, self.value.shape)
            return np.broadcast_to(self.value, shape).reshape(-1) if shape else self.value
        _address, mask, value = np.broadcast_arrays(self.address, self.mask, self.value)
        return value[mask]

    def place(self) -> tuple[Any, ...]:
        """Return what accesses of the same bytes by the same programs have in common."""
        ends = (self.address.item(0), self.address.item(-1)) if self.address.size else ()
        return (self.size, self.shape, self.address.shape, *ends)

    def is_like(self, other: "AccessRecord") -> bool:
        """Whether it touches what another access of the same `place` touches, lane by lane."""
        if self.mask is None or other.mask is None:
            masks = self.mask is other.mask
        else:
            masks = np.array_equal(self.mask, other.mask)
        addresses = masks and np.array_equal(self.address, other.address)
        return addresses and np.array_equal(self.programs, other.programs)

    def by_program(self) -> Iterable[tuple[int, Array]]:
        """Yield each program with the addresses that it touched."""
        rank = len(self.shape)
        address, mask = self.address, self.mask
        if address.ndim <= rank and (mask is None or mask.ndim <= rank):
            touched = self.touched()
            for program in self.programs.tolist():
                yield program, touched
            return
        true = np.ones((1,) * address.ndim, np.bool_)
        address, mask = np.broadcast_arrays(address, true if mask is None else mask)
        if len(self.programs) != len(address) or (self.programs == self.programs[0]).all():
            yield int(self.programs[0]), address[mask]
            return
        for k, program in enumerate(self.programs.tolist()):
            yield program, address[k][mask[k]]


@dataclass
class Assertions(Observer):
    """Notices only assertions that fail."""

    failed: list[str] = field(default_factory=list[str])

    def asserted(self, op: Operation, message: str, holds: bool) -> None:
        if not holds:
            self.failed.append(message)


@dataclass
class Recorder(Assertions):
    """Keeps every access, print and assertion of a run."""

    accesses: list[AccessRecord] = field(default_factory=list[AccessRecord])
    prints: list[str] = field(default_factory=list[str])

    def access(
        self,
        op: Operation,
        kind: str,
        address: Array,
        mask: Array | None,
        size: int,
        programs: Array,
        shape: tuple[int, ...],
        value: Array | None = None,
    ) -> None:
        self.accesses.append(AccessRecord(op, kind, address, mask, size, programs, shape, value))

    def printed(self, op: Operation, message: str) -> None:
        self.prints.append(message)


class Watch(Assertions):
    """Remembers who wrote one byte last."""

    def __init__(self, address: int):
        super().__init__()
        self.address = address
        self.last: tuple[Operation, int] | None = None

    def access(
        self,
        op: Operation,
        kind: str,
        address: Array,
        mask: Array | None,
        size: int,
        programs: Array,
        shape: tuple[int, ...],
        value: Array | None = None,
    ) -> None:
        if kind == "load":
            return
        access = AccessRecord(op, kind, address, mask, size, programs, shape)
        for program, touched in access.by_program():
            if ((touched <= self.address) & (touched > self.address - size)).any():
                self.last = (op, program)

    def describe(self) -> str:
        if self.last is None:
            return "nobody writes there"
        op, program = self.last
        return f"program {program} writes there by {describe(op)}"


@dataclass
class Effects:
    """
    The result of a run on endless memory.

    written: for each argument by position, byte offsets (ascending) and the bytes there.
    """

    written: dict[int, tuple[Array, Array]]
    observer: Any
    poison_used: bool
    results: dict[int, tuple[Array, Array]] = field(default_factory=dict[int, tuple[Array, Array]])
    """What the function returned, in the form of `written`, by position."""
    work: int = 0
    """How much of the budget the run took."""
    lengths: tuple[int, ...] = ()
    """How many turns loops have of which only some were run."""
    reads_anywhere: frozenset[int] = frozenset()
    """Arguments of which it is undefined of some lane whether it reads there, and where."""

    def nbytes(self) -> int:
        """Return how much memory it holds, in bytes."""
        accesses: list[AccessRecord] = getattr(self.observer, "accesses", [])
        arrays = [x for a in accesses for x in (a.address, a.mask, a.value)]
        arrays += [x for pair in (*self.written.values(), *self.results.values()) for x in pair]
        return sum(x.nbytes for x in arrays if x is not None)

    @cached_property
    def _reading(self) -> dict[Any, list[AccessRecord]]:
        """The accesses that read, by their `place`."""
        found: dict[Any, list[AccessRecord]] = {}
        for access in self.observer.accesses:
            if access.kind != "store":
                found.setdefault(access.place(), []).append(access)
        return found

    def has_like(self, access: AccessRecord) -> bool:
        """Whether a read of the same bytes by the same programs is among those of the run."""
        return any(access.is_like(known) for known in self._reading.get(access.place(), ()))

    @cached_property
    def reads(self) -> dict[int, ReadPlaces]:
        """For each program the bytes that it read."""
        found: dict[int, ReadPlaces] = {}
        for access in self.observer.accesses:
            if access.kind != "store":
                for program, address in access.by_program():
                    found.setdefault(program, ReadPlaces()).add(address, access.size)
        return found


def result_types(function: Operation) -> list[TypeInfo]:
    """Return the types that a function returns."""
    type: Any = function.properties.get("function_type") or function.attributes["function_type"]
    return [info(t) for t in type.outputs.data]


def argument_of(address: int) -> tuple[int, int]:
    """Return the position of the argument that an address lies in, and the byte offset."""
    number = address >> REGION_BITS
    return number - 1, address - region_base(number)


def user_parameters(function: Operation, known: list[Parameter]) -> list[Parameter]:
    """Return the parameters that the user gives: without program ids and sizes."""
    if function.name != "func.func" or len(known) < 6:
        return known
    tail = [p.info for p in known[-6:]]
    if all(k.kind == "scalar" and k.scalar.name in ("i32", "index") for k in tail):
        return known[:-6]
    return known
