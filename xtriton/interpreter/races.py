# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false
"""
Finds programs that get in each other's way.

Programs of a grid run in any order, or at once. If one writes what another reads or writes,
other than by atomics and unless both write the same value, the result is left to chance.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from xdsl.ir import Operation

from xtriton.interpreter.effects import AccessRecord
from xtriton.semantics.elements import Array


@dataclass(frozen=True)
class Race:
    """Two programs, the address of an element, and the ops that access it."""

    address: int
    writer: int
    other: int
    writing_op: Operation
    other_op: Operation

    @property
    def kind(self) -> str:
        return "writes" if self.other_op.name.endswith(("store", "scatter")) else "reads"


@dataclass
class _Writes:
    """All elements written, by ascending address, with program, access and value bits."""

    address: Array
    program: Array
    access: Array
    value: Array


def find_race(accesses: Iterable[AccessRecord]) -> Race | None:
    """Return a race between programs among the accesses of a run, or None."""
    recorded = list(accesses)
    writes = _collect([a for a in recorded if a.kind == "store"])
    if writes is None:
        return None
    stores = [a for a in recorded if a.kind == "store"]
    return _between_writes(writes, stores) or _with_reads(writes, stores, recorded)


def _bits(values: Array | None, count: int, key: int) -> Array:
    """Return values as integers; unknown ones differ from each other by access."""
    if values is None:
        return np.full(count, key, np.int64)
    values = np.ascontiguousarray(np.broadcast_to(values, count))
    if values.dtype == np.bool_:
        return values.astype(np.int64)
    return values.view(f"i{values.dtype.itemsize}").astype(np.int64)


def _collect(stores: list[AccessRecord]) -> _Writes | None:
    parts: list[tuple[Array, Array, Array, Array]] = []
    for key, access in enumerate(stores):
        touched = [(p, a) for p, a in access.by_program()]
        address = np.concatenate([a for _, a in touched]) if touched else np.empty(0, np.int64)
        if not address.size:
            continue
        program = np.concatenate([np.full(a.size, p) for p, a in touched])
        values = access.values()
        if values is not None and values.size not in (1, address.size):
            values = None
        bits = _bits(values, address.size, key)
        parts.append((address, program, np.full(address.size, key), bits))
    if not parts:
        return None
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    order = np.argsort(columns[0], kind="stable")
    return _Writes(*(c[order] for c in columns))


def _between_writes(w: _Writes, stores: list[AccessRecord]) -> Race | None:
    same = (w.address[1:] == w.address[:-1]) & (w.program[1:] != w.program[:-1])
    clash = np.flatnonzero(same & (w.value[1:] != w.value[:-1]))
    if not clash.size:
        return None
    k = int(clash[0])
    return Race(
        int(w.address[k]),
        int(w.program[k]),
        int(w.program[k + 1]),
        stores[int(w.access[k])].op,
        stores[int(w.access[k + 1])].op,
    )


def _may_meet(address: Array, written: Array) -> bool:
    """Whether some address lies between the first and the last one that is written."""
    return bool(address.size) and address.max() >= written[0] and address.min() <= written[-1]


def _with_reads(
    w: _Writes, stores: list[AccessRecord], recorded: list[AccessRecord]
) -> Race | None:
    for access in recorded:
        if access.kind != "load" or not _may_meet(access.address, w.address):
            continue
        for program, address in access.by_program():
            if not address.size:
                continue
            place = np.minimum(np.searchsorted(w.address, address), w.address.size - 1)
            last = np.searchsorted(w.address, address, side="right") - 1
            found = w.address[place] == address
            clash = found & ((w.program[place] != program) | (w.program[last] != program))
            if clash.any():
                k = int(np.flatnonzero(clash)[0])
                at = int(place[k])
                if w.program[at] == program:
                    at = int(last[k])
                return Race(
                    int(address[k]),
                    int(w.program[at]),
                    program,
                    stores[int(w.access[at])].op,
                    access.op,
                )
    return None
