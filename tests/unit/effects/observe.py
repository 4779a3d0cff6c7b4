"""
Runs a kernel on made-up memory and compares what it touches with what its record says.

Every pointer argument is an endless buffer; an address tells which argument it belongs to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from xtriton.analysis.effects import KernelEffects
from xtriton.analysis.effects.footprint import Ranges
from xtriton.errors import UserError
from xtriton.interpreter.arguments import parameters
from xtriton.interpreter.contents import Contents
from xtriton.interpreter.effects import AccessRecord, Recorder, argument_of
from xtriton.interpreter.launch import launch
from xtriton.interpreter.machine import Program
from xtriton.interpreter.memory import Memory
from xtriton.judge.launches.draws import Draw, draws, edge_draws

ELSEWHERE = -1
"""Stands for memory that belongs to no argument."""


@dataclass
class Observed:
    """Bytes that a run read and wrote, by argument; and what each program touched."""

    reads: dict[int, set[int]] = field(default_factory=dict[int, set[int]])
    writes: dict[int, set[int]] = field(default_factory=dict[int, set[int]])
    exposed: set[int] = field(default_factory=set[int])
    """Arguments of which a byte was read that nobody had written before."""

    owners: dict[tuple[int, int], set[int]] = field(default_factory=dict[tuple[int, int], set[int]])
    """The programs that wrote a byte."""

    shared: set[int] = field(default_factory=set[int])
    """Arguments of which two programs touched the same byte, one of them writing."""


def observe(program: Program, kernel: str, draw: Draw, budget: int = 100_000) -> Observed:
    """Run a kernel on a whole grid and return what it touched; raises `UserError`."""
    memory = Memory()
    memory.anonymous = Contents(seed=99)
    recorder = Recorder()
    count = int(np.prod(draw.grid))
    launch(
        program,
        kernel,
        draw.grid,
        list(draw.values),
        memory,
        programs=range(count),
        observer=recorder,
        budget=budget,
        batched=False,
    )
    if recorder.failed:
        raise UserError("an assertion fails")
    arguments = len(parameters(program.symbols[kernel]))
    return collect(recorder.accesses, arguments)


def collect(accesses: list[AccessRecord], arguments: int) -> Observed:
    found = Observed()
    touched: dict[tuple[int, int], set[int]] = {}
    for access in accesses:
        for program, addresses in access.by_program():
            for address in np.unique(np.asarray(addresses)).tolist():
                number, offset = argument_of(address)
                if not 0 <= number < arguments:
                    number = ELSEWHERE
                for byte in range(offset, offset + access.size):
                    place = number, byte
                    if access.kind != "store":
                        found.reads.setdefault(number, set()).add(byte)
                        if byte not in found.writes.get(number, ()):
                            found.exposed.add(number)
                    if access.kind != "load":
                        found.writes.setdefault(number, set()).add(byte)
                        found.owners.setdefault(place, set()).add(program)
                    touched.setdefault(place, set()).add(program)
    for place, programs in found.owners.items():
        if len(programs | touched[place]) > 1:
            found.shared.add(place[0])
    return found


def launches(
    program: Program, kernel: str, most: int, given: Sequence[dict[int, int]] = ()
) -> Iterator[Draw]:
    """Yield launches of a kernel, ordinary and extreme ones, or those with given integers."""
    function = program.symbols[kernel]
    known = parameters(function)
    for numbers in given:
        yield next(draws(function, known, dict[int, object](numbers)))
    if given:
        return
    for k, draw in enumerate(draws(function, known)):
        if k < most:
            yield draw
    for draw in edge_draws(function, known):
        if all(not isinstance(v, int) or abs(v) < 1 << 20 for v in draw.values):
            yield draw


def disagreements(
    record: KernelEffects, seen: Observed, draw: Draw, *, scratch: bool = False
) -> list[str]:
    """Return every way in which a run contradicts a record."""
    wrong: list[str] = []
    if scratch:
        seen.reads.pop(ELSEWHERE, None)
        seen.writes.pop(ELSEWHERE, None)
    # addresses of memory that belongs to none come from memory, or from numbers
    for what, observed, doing in (
        ("reads", seen.reads, "read"),
        ("writes", seen.writes, "write"),
    ):
        allowed = {a.index for a in record.arguments if getattr(a, doing) != "none"}
        unknown = getattr(record, f"unknown_{doing}") != "none"
        for number in observed:
            if number not in allowed and not unknown:
                wrong.append(f"{what} argument {number}, which the record excludes")
        for a in record.arguments:
            if getattr(a, doing) == "must" and a.index not in observed:
                wrong.append(f"'{a.path}' must be in {what}, but is not")
    scalars = {k: v for k, v in enumerate(draw.values) if isinstance(v, int)}
    for path, footprint in record.at(draw.grid, scalars).items():
        a = record[path]
        if sum(b.index == a.index for b in record.arguments) > 1 or record.indirect:
            continue
        for what, ranges, observed in (
            ("reads", footprint.reads, seen.reads),
            ("writes", footprint.writes, seen.writes),
        ):
            there = observed.get(a.index, set())
            if ranges is not None and (outside := there - bytes_of(ranges, there)):
                wrong.append(f"'{path}' {what} byte {min(outside)}, outside of {ranges}")
            if footprint.exact and ranges is not None and size_of(ranges) != len(there):
                wrong.append(f"'{path}' {what} {len(there)} bytes, not all of {ranges}")
    for a in record.arguments:
        exposed = a.index in seen.exposed and not record.indirect
        said = any(b.index == a.index and b.reads_initial != "none" for b in record.arguments)
        if exposed and not said:
            wrong.append(f"'{a.path}' is read before it is written")
        if a.reads_initial == "must" and a.index not in seen.exposed:
            wrong.append(f"what was in '{a.path}' before is not seen, though it must be")
        if a.write != "none" and a.index in seen.shared:
            for grid in (None, draw.grid):
                if record.disjoint_over_programs(a.path, grid, scalars):
                    wrong.append(f"programs share bytes of '{a.path}'")
    return wrong


def bytes_of(ranges: Ranges, among: set[int]) -> set[int]:
    return {b for b in among if any(low <= b < high for low, high in ranges)}


def size_of(ranges: Ranges) -> int:
    return sum(high - low for low, high in ranges)


def check(
    module: ModuleOp,
    record: KernelEffects,
    *,
    most: int = 4,
    given: Sequence[dict[int, int]] = (),
) -> tuple[int, list[str]]:
    """Run a kernel on several launches; return how many ran and every contradiction."""
    program = Program(module)
    scratch = any(op.name == "ttg.global_scratch_alloc" for op in module.walk())
    ran = 0
    wrong: list[str] = []
    for draw in launches(program, record.kernel, most, given):
        try:
            seen = observe(program, record.kernel, draw)
        except UserError:
            continue
        ran += 1
        wrong += [
            f"{draw.describe()}: {w}" for w in disagreements(record, seen, draw, scratch=scratch)
        ]
    return ran, wrong
