# NumPy arrays of any element type: pyright cannot follow them.
# pyright: basic
"""
Compares two kernels on launches whose loops run for millions of turns.

Memory is zero but for what the last turns of such loops read, of either kernel, and what is read
outside of them. A run makes the first turns, the last ones and some between, which have to leave
what the loop carries as it was: so do those that are not run, and the run ends like the launch,
see `long_loops`. What is stored at the same place by both kernels after the last turn that was
left out has to be the same. All else says nothing: reads, what one kernel stores alone, assertions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from xdsl.ir import Operation

from xtriton.analysis.memory_ops import MEMORY_OPS
from xtriton.errors import UserError
from xtriton.interpreter.arguments import FIRST_REGION, Endless
from xtriton.interpreter.contents import Within
from xtriton.interpreter.effects import Effects
from xtriton.interpreter.memory import REGION_BITS, region_base
from xtriton.judge.launches.draws import Draw
from xtriton.judge.launches.kernel_facts import argument_behind
from xtriton.judge.runs import Runs
from xtriton.judge.samples.lane_accesses import ACCESSES
from xtriton.judge.samples.lanes import ASSERTIONS
from xtriton.judge.written import compare_bytes

_DIALECTS = frozenset(("arith", "builtin", "gpu", "math", "scf", "tensor", "tt", "tts", "ttg"))
_MOVES = frozenset(("ttg.convert_layout", "gpu.barrier"))
_OTHERS = ("tt.call", "scf.while", "scf.parallel", "scf.forall")


def suits(function: Operation) -> bool:
    """
    Whether all that a kernel does to memory is known from its loads and stores.

    No argument is both read and written: what is stored in turns that are left out is not there.
    Neither is an assertion made in them.
    """
    read, written = set[int](), set[int]()
    loops = 0
    for op in function.walk():
        dialect = op.name.partition(".")[0]
        if dialect not in _DIALECTS or op.name.startswith(_OTHERS):
            return False
        if dialect in ("ttg", "gpu") and op.name not in _MOVES:
            return False
        if op.name in ASSERTIONS and op.parent_op() is not function:
            return False
        loops += op.name == "scf.for"
        if op.name not in MEMORY_OPS:
            continue
        kind = ACCESSES.get(op.name)
        argument = argument_behind(op.operands[0], function)
        if argument is None or kind not in ("load", "store"):
            return False
        (read if kind == "load" else written).add(argument)
    return loops > 0 and not read & written


@dataclass(frozen=True)
class Compared:
    """A launch as it was run, and where kernels differ: an argument, a byte there, and how."""

    draw: Draw
    found: tuple[int, int, str] | None


class LongLaunches:
    """Compares two kernels on launches with long loops."""

    def __init__(self, runs: Runs):
        self.runs = runs

    def compared(self, draw: Draw) -> Compared | None:
        """Return what a launch shows; None if it decides nothing."""
        if not (suits(self.runs.a.function) and suits(self.runs.b.function)):
            return None
        try:
            filled = self._filled(draw)
            return None if filled is None else self._compared(filled)
        except UserError:
            return None

    def _filled(self, draw: Draw) -> Draw | None:
        """Return a launch with memory of which only the last turns of long loops see anything."""
        look = replace(draw, long=False)
        runs = [self.runs.execute(side, look, 0) for side in (self.runs.a, self.runs.b)]
        if runs[0].lengths != runs[1].lengths or not runs[0].lengths:
            return None
        values = list(draw.values)
        reads = [a for run in runs for a in run.observer.accesses if a.kind == "load"]
        touched = [access.touched() for access in reads]
        address = np.concatenate(touched) if touched else np.zeros(0, np.int64)
        for parameter, value in zip(self.runs.a.parameters, draw.values, strict=True):
            of = parameter.stored
            if not isinstance(value, Endless) or of is None:
                continue
            number = FIRST_REGION + parameter.index
            here = address[address >> np.int64(REGION_BITS) == number]
            places = np.unique((here - np.int64(region_base(number))) // of.size)
            contents = replace(value.contents, within=Within(places))
            values[parameter.index] = replace(value, contents=contents)
        return replace(look, values=tuple(values), long=True)

    def _compared(self, draw: Draw) -> Compared | None:
        runs = self.runs
        first = runs.execute(runs.a, draw, 0)
        if first.observer.failed or runs.overflows(draw) or runs.strays(first):
            return None
        second = runs.execute(runs.b, draw, 0)
        if second.observer.failed or first.lengths != second.lengths:
            return None
        if self._first(first, first, second) is None:
            return Compared(draw, None)
        free = runs.certain(first, draw)
        return None if free is None else Compared(draw, self._first(first, free, second))

    def _first(self, mine: Effects, free: Effects, theirs: Effects) -> tuple[int, int, str] | None:
        """Return the first place that both write to and where they differ."""
        for argument in sorted(mine.written.keys() & theirs.written.keys()):
            of = self.runs.a.parameters[argument].stored
            if of is None or argument not in free.written:
                continue
            offsets = np.intersect1d(mine.written[argument][0], theirs.written[argument][0])
            a, b, sure = (_at(x.written[argument], offsets) for x in (mine, theirs, free))
            found = compare_bytes(a, sure, b, of, 0.0)
            if found is not None:
                return argument, *found
        return None


def _at(written: tuple[Any, Any], offsets: Any) -> tuple[Any, Any]:
    """Return what was written at some offsets, if it was."""
    here = np.isin(written[0], offsets, assume_unique=True)
    return written[0][here], written[1][here]
