"""What checked code reports: records, and the errors that they become."""

import ctypes
from collections.abc import Sequence
from linecache import getline

from xtriton.cpu.emitter.checks import ARGUMENT, EXTENTS, PLACE, PROGRAM, Check
from xtriton.errors import Position, UserError

ORIGIN = ARGUMENT + 1
"""Where in a record the address is from which the place counts."""


class KernelFault(UserError):
    """Something that a kernel must not do, found by checks before it was done."""


def fault_record(ranges: Sequence[tuple[int, int]]) -> "ctypes.Array[ctypes.c_int64]":
    """Return the record for a launch; `ranges` are the addresses of each argument's memory."""
    record = (ctypes.c_int64 * (EXTENTS + 2 * len(ranges)))()
    for number, pair in enumerate(ranges):
        for which, address in enumerate(pair):
            # The same bits as an unsigned address.
            record[EXTENTS + 2 * number + which] = ctypes.c_int64(address).value
    return record


def fault(check: Check, record: Sequence[int], names: Sequence[str]) -> KernelFault:
    """Return the error that says what `check` found, where and in which program."""
    program = tuple(record[PROGRAM : PROGRAM + 3])
    where = f"program {program}"
    argument = record[ARGUMENT]
    if argument >= 0 and check.bytes:
        name = f" '{names[argument]}'" if argument < len(names) and names[argument] else ""
        index, rest = divmod(record[PLACE], check.bytes)
        low, high = record[EXTENTS + 2 * argument : EXTENTS + 2 * argument + 2]
        first = (low - record[ORIGIN]) // check.bytes
        size = (high - low) // check.bytes
        known = f"{size}" if first == 0 else f"{size} from {first}"
        behind = f" and {rest} bytes" if rest else ""
        where = f"element {index}{behind} of {known}, argument {argument}{name}, {where}"
    position = None
    if check.line:
        line = getline(check.file, check.line).rstrip("\n") or None
        position = Position(check.file, check.line, check.column, line)
    return KernelFault(f"{check.what}: {where}", position)
