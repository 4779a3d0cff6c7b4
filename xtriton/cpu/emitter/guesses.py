"""
Loops whose elements are looked at first, for functions that are quick where they are small.

Some functions have a quick way that is right up to some magnitude, such as sines of angles that
are not huge. A loop of vectors does not choose for each element, so it is written twice, and once
more ahead of both: there a strip is only read, for the greatest magnitude, which says how to go on.

    for strip in row:
        if max(|x| for x in strip) <= bound:
            for x in strip: y = quick(x)
        else:
            for x in strip: y = slow(x)
"""

import re
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto

from xtriton.cpu.builder import IRBuilder, Operand
from xtriton.cpu.module import FUNCTION

STRIP = 1024
"""Elements that are looked at at a time: few enough to be near when they are computed with."""
MOST_LINES = 24
"""Instructions that make what is looked at, and are done twice."""
DEAR = re.compile(f"{FUNCTION.pattern}|fdiv|frem|sqrt")
"""What is not done twice."""

Bounds = tuple[Operand, Operand]
Writer = Callable[[Bounds | None], None]
"""Writes a loop, or what of it is between two bounds."""


class Stage(Enum):
    """What a loop is being written for."""

    FIRST = auto()
    """To find out what there is to guess."""
    LOOK = auto()
    """To look at its elements; it stores nothing."""
    QUICK = auto()
    SLOW = auto()


@dataclass
class Guesses:
    """What magnitudes the elements of a loop are guessed to have while its body is written."""

    builder: IRBuilder
    stage: Stage = Stage.FIRST
    start: int = 0
    """How many lines there were before the body."""
    found: dict[float, str] = field(default_factory=dict[float, str])
    """By the bound: where the bits of the greatest magnitude are kept."""

    def is_within(self, x: Operand, bound: float) -> bool:
        """Return whether the magnitude of `x`, an f32, is to be taken for no greater than that."""
        if self.stage is Stage.FIRST:
            lines = self.builder.lines[self.start :]
            if len(lines) <= MOST_LINES and not any(map(DEAR.search, lines)):
                self.found.setdefault(bound, self.builder.alloca("i32", 1, 4))
        elif self.stage is Stage.LOOK and bound in self.found:
            self._look(x, self.found[bound])
        return self.stage is Stage.QUICK and bound in self.found

    def _look(self, x: Operand, greatest: str) -> None:
        """Keep the magnitude of `x` if it is the greatest; that of a NaN is beyond all others."""
        b = self.builder
        bits = b.value(f"and i32 {b.value(f'bitcast float {x} to i32')}, {(1 << 31) - 1}")
        # LLVM makes a register of it, so that it is no access that the loop's accesses depend on.
        before = b.value(f"load i32, ptr {greatest}")
        kept = b.call("i32", "llvm.umax.i32", [("i32", before), ("i32", bits)])
        b.emit(f"store i32 {kept}, ptr {greatest}")

    def write(self, bounds: Bounds, write: Writer) -> None:
        """Write a loop between bounds, strip by strip, now that it is known what is guessed."""
        b, (low, high) = self.builder, bounds
        size = high - low if isinstance(low, int) and isinstance(high, int) else None
        if size is not None and size <= STRIP:
            self._write_strip(bounds, write)
            return

        def strip(start: Operand, _: list[str]) -> tuple[()]:
            end = b.add(start, STRIP)
            whole = size is not None and size % STRIP == 0
            self._write_strip((start, end if whole else b.least(end, high)), write)
            return ()

        b.loop(low, high, STRIP, strip)

    def _write_strip(self, bounds: Bounds, write: Writer) -> None:
        b = self.builder
        for greatest in self.found.values():
            b.store("i32", 0, greatest)

        def written(stage: Stage) -> tuple[()]:
            self.stage = stage
            with b.fresh_memory():
                write(bounds)
            return ()

        written(Stage.LOOK)
        quick = "true"
        for bound, greatest in self.found.items():
            (bits,) = struct.unpack("<I", struct.pack("<f", bound))
            quick = b.both(quick, b.value(f"icmp ule i32 {b.load('i32', greatest)}, {bits}"))
        b.if_else(quick, lambda: written(Stage.QUICK), lambda: written(Stage.SLOW))
