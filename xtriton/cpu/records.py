"""
What checked code is told and leaves behind: a record, and which checks there are.

The record is an array of 64-bit integers that the launcher hands over:

    0  bytes from the argument's first element to what was to be touched
    1  the program: x, y, z
    4  the number of the argument; -1 where it is not known
    5  the address of the first element
    6  the other program in a race, counted from 1
    8  for each argument: the addresses of its first byte and behind its last one, the
       address of its shadow (see `emitter.races`) or 0, and how many bits a granule's bytes are
"""

import os
from dataclasses import dataclass

CHECK_VARIABLE = "XTRITON_CPU_CHECK"

PLACE, PROGRAM, ARGUMENT, ORIGIN, OTHER, FACTS = 0, 1, 4, 5, 6, 8
"""Where things are in a record."""
FACTS_EACH = 4
MANY = 0x7FFFFFFF
"""In a shadow: several programs."""


@dataclass(frozen=True)
class Check:
    """What a check found wrong, where in the source, and the bytes of an element."""

    what: str
    file: str = ""
    line: int = 0
    column: int = 0
    bytes: int = 1


def checks_are_wanted() -> bool:
    """Return whether the environment asks for checked code."""
    return os.environ.get(CHECK_VARIABLE, "0") not in ("", "0")


def races_are_wanted() -> bool:
    """Return whether the environment asks to watch for races too."""
    return os.environ.get(CHECK_VARIABLE) == "races"
