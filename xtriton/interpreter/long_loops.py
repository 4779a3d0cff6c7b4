# NumPy arrays of any element type: pyright cannot follow them.
# pyright: basic
"""
Runs loops of millions of turns without most of them.

The first turns, the last ones and a few between are run. Those between have to leave all that the
loop carries as it was, which the memory of such a launch is made for, see `long_launches`: it is
zero wherever only turns in the middle read. What they store is forgotten with all that was stored
before, since turns that are not run may store there too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from xdsl.ir import Operation

from xtriton.errors import UserError
from xtriton.interpreter.partial import defined

FEWEST = 4096
"""Turns of loops that are run in part."""

BEGIN = 3
"""Turns at the begin of a loop, in which what it carries may change."""

END = 3
"""Turns at the end."""

BETWEEN = (0.13, 0.29, 0.5, 0.61, 0.83, 0.97)
"""Where turns in the middle are, of 1; some more follow the first ones or precede the last ones."""


class NotIdle(UserError):
    """A turn in the middle of a loop changes what the loop carries."""


@dataclass
class Long:
    """
    What is known of the long loops of a run.

    checked: whether turns in the middle have to be idle; lengths: how many turns each loop has,
    in the order in which they are run.
    """

    checked: bool
    lengths: list[int] = field(default_factory=list[int])


@dataclass(frozen=True)
class Turn:
    """A turn that is run: whether it is idle, and the first one of a stretch."""

    number: int
    idle: bool
    first: bool


def some_turns(start: int, stop: int) -> Iterator[Turn]:
    """Yield the turns of a loop that are run."""
    length = stop - start
    begin, end = range(start, start + BEGIN), range(stop - END, stop)
    middle = {start + BEGIN, start + BEGIN + 1, *(start + int(length * x) for x in BETWEEN)}
    middle.update(range(stop - 3 * END, stop - END))
    before = start - 1
    for number in (*begin, *sorted(middle), *end):
        yield Turn(number, number in middle, number != before + 1)
        before = number


class LongLoop:
    """
    A loop, as far as some of its turns are concerned.

    body: runs a turn and returns what it hands on; index, carried: slots of its block's arguments.
    """

    def __init__(
        self,
        op: Operation,
        machine: Any,
        body: Callable[[list[Any]], list[Any]],
        index: int,
        carried: list[int],
    ):
        self.machine, self.body, self.index, self.carried = machine, body, index, carried
        self.stores = any("store" in inner.name or "scatter" in inner.name for inner in op.walk())

    def run(self, env: list[Any], low: Any, step: Any, start: int, stop: int) -> None:
        """Run some turns from one on, up to another one."""
        machine = self.machine
        accesses = getattr(machine.observer, "accesses", [])
        machine.long.lengths.append(stop - start)
        known = len(accesses)
        for turn in some_turns(start, stop):
            if turn.number == stop - END and not machine.long.checked:
                # What is read before says nothing of what memory has to hold.
                del accesses[known:]
            if turn.first and self.stores:
                machine.memory.forget()
            env[self.index] = low + step * low.dtype.type(turn.number)
            after = self.body(env)
            before = [env[slot] for slot in self.carried]
            if turn.idle and machine.long.checked and not _are_same(before, after):
                raise NotIdle("a loop does something in each of its turns")
            for slot, value in zip(self.carried, after, strict=True):
                env[slot] = value
            machine.budget -= 1


def _are_same(before: list[Any], after: list[Any]) -> bool:
    """Whether values are the same, bit by bit; one NaN is as good as another."""
    for x, y in zip(before, after, strict=True):
        old, new = np.asarray(defined(x)), np.asarray(defined(y))
        same = old == new
        if old.dtype.kind == "f":
            same = (same & (np.signbit(old) == np.signbit(new))) | (np.isnan(old) & np.isnan(new))
        if not np.all(same):
            return False
    return True
