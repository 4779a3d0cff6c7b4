"""What checked code reports: records, and the errors that they become."""

import ctypes
import os
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from linecache import getline

from xtriton.cpu.records import (
    ARGUMENT,
    CHECK_VARIABLE,
    FACTS,
    FACTS_EACH,
    MANY,
    ORIGIN,
    OTHER,
    PLACE,
    PROGRAM,
    Check,
)
from xtriton.errors import Position, UserError

TRITON_DEBUG = "TRITON_DEBUG"
"""Lets Triton assert that 32-bit offsets do not overflow, and compile anew what it has already."""
MOST_WATCHED = 1 << 40
"""Bytes of an argument whose end is known: an address alone has none."""


class KernelFault(UserError):
    """Something that a kernel must not do, found by checks before it was done."""


class FaultRecord:
    """
    What checked code reads and writes in one launch; `xtriton.cpu.records` lays it out.

    `ranges` are the addresses of each argument's memory and whether it is written, `bytes` the
    sizes of its elements. Memory that is written gets a shadow, which arguments share that overlap.
    """

    def __init__(self, ranges: Sequence[tuple[int, int, bool]], bytes: Sequence[int]):
        self._words = (ctypes.c_int64 * (FACTS + FACTS_EACH * len(ranges)))()
        self._shadows: list[object] = []
        for number, (start, end, _) in enumerate(ranges):
            for which, address in enumerate((start, end)):
                # The same bits as an unsigned address.
                self._words[self._at(number) + which] = ctypes.c_int64(address).value
        pending = [n for n, (start, end, _) in enumerate(ranges) if 0 < end - start <= MOST_WATCHED]
        while pending:
            self._watch(ranges, bytes, pending)

    @staticmethod
    def _at(number: int) -> int:
        return FACTS + FACTS_EACH * number

    def _watch(
        self,
        ranges: Sequence[tuple[int, int, bool]],
        bytes: Sequence[int],
        pending: list[int],
    ) -> None:
        """Give one group of arguments that overlap a shadow, if one of them is written."""
        group = [pending.pop()]
        for number in group:
            start, end, _ = ranges[number]
            for other in [n for n in pending if ranges[n][0] < end and start < ranges[n][1]]:
                pending.remove(other)
                group.append(other)
        if not any(ranges[n][2] for n in group):
            return
        low, high = min(ranges[n][0] for n in group), max(ranges[n][1] for n in group)
        shift = min(bytes[n] for n in group).bit_length() - 1
        shadow = (ctypes.c_int64 * ((high - low >> shift) + 1))()
        self._shadows.append(shadow)
        for n in group:
            moved = ranges[n][0] - low >> shift
            self._words[self._at(n) + 2] = ctypes.addressof(shadow) + 8 * moved
            self._words[self._at(n) + 3] = shift

    @property
    def address(self) -> int:
        return ctypes.addressof(self._words)

    @property
    def words(self) -> list[int]:
        return list(self._words)


def fault(check: Check, record: Sequence[int], names: Sequence[str]) -> KernelFault:
    """Return the error that says what `check` found, where and in which program."""
    program = tuple(record[PROGRAM : PROGRAM + 3])
    where = f"program {program}"
    argument = record[ARGUMENT]
    if argument >= 0 and check.bytes:
        name = f" '{names[argument]}'" if argument < len(names) and names[argument] else ""
        index, rest = divmod(record[PLACE], check.bytes)
        low, high = record[FACTS + FACTS_EACH * argument :][:2]
        first = (low - record[ORIGIN]) // check.bytes
        size = (high - low) // check.bytes
        known = f"{size}" if first == 0 else f"{size} from {first}"
        behind = f" and {rest} bytes" if rest else ""
        where = f"element {index}{behind} of {known}, argument {argument}{name}, {where}"
    if record[OTHER]:
        others = "others" if record[OTHER] == MANY else f"program {record[OTHER] - 1} of the grid"
        where = f"{where}, touched by {others} before"
    position = None
    if check.line:
        line = getline(check.file, check.line).rstrip("\n") or None
        position = Position(check.file, check.line, check.column, line)
    return KernelFault(f"{check.what}: {where}", position)


@contextmanager
def checks(*, races: bool = False) -> Generator[None]:
    """
    Let kernels that are compiled inside look before they touch memory, and raise `KernelFault`.

    With `races` also where programs touch what another one stores to, which takes much longer.
    `XTRITON_CPU_CHECK=1`, or `races`, does the same for a whole process.
    """
    wanted = {CHECK_VARIABLE: "races" if races else "1", TRITON_DEBUG: "1"}
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    # Triton reads its variable when it is imported, and keeps a kernel by what it then was: code
    # that was compiled outside, or for other checks, is not what has to run inside.
    runtime = getattr(sys.modules.get("triton.knobs"), "runtime", None)
    debug = getattr(runtime, "debug", None)
    if runtime is not None:
        runtime.debug = 2 if races else 1
    try:
        yield
    finally:
        if runtime is not None:
            runtime.debug = debug
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
