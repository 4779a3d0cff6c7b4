"""
Runs two kernels on the same launches of made-up memory.

What the original does on a launch is kept if its `Program` remembers, so that one original is
run once however many rewritten kernels it is compared with.
"""

import contextlib
from dataclasses import dataclass, replace

import numpy as np
from xdsl.ir import Operation

from xtriton.errors import UserError
from xtriton.interpreter.api import kernel_name
from xtriton.interpreter.arguments import FIRST_REGION, Endless, Parameter, parameters
from xtriton.interpreter.contents import Contents
from xtriton.interpreter.effects import (
    Assertions,
    Effects,
    Recorder,
    Watch,
    user_parameters,
)
from xtriton.interpreter.launch import is_sequential
from xtriton.interpreter.machine import Program, StepBudgetExceeded
from xtriton.interpreter.memory import NAN_POISON, REGION_BITS, Memory, MemoryFault, region_base
from xtriton.interpreter.overflow import address_arithmetic
from xtriton.interpreter.partial import UndefinedBehaviour
from xtriton.interpreter.races import Race, find_race
from xtriton.interpreter.undefined import FollowingMemory, certain
from xtriton.interpreter.values import NeedsSequential
from xtriton.judge.launches.draws import Draw
from xtriton.judge.launches.execution import execute
from xtriton.judge.launches.kernel_facts import argument_behind, lock_arguments
from xtriton.judge.signatures import Expansion
from xtriton.judge.verdicts import Options


@dataclass
class Side:
    """One of the two kernels, compiled."""

    program: Program
    kernel: str
    function: Operation
    parameters: list[Parameter]
    expansion: Expansion | None = None
    """How the arguments come from those of the original, if that takes descriptors instead."""

    def launch(self, draw: Draw) -> Draw:
        """Return a launch of the original as one of this kernel."""
        return draw if self.expansion is None else self.expansion.draw(draw)

    @classmethod
    def make(cls, module: Operation | Program, kernel: str | None) -> "Side":
        program = module if isinstance(module, Program) else Program(module)
        program.repeats = True
        name = kernel_name(program, kernel)
        function = program.symbols[name]
        return cls(program, name, function, user_parameters(function, parameters(function)))


_ASSERTIONS = ("assert", "assume")

LOWERING_COST = 50
"""How much more work than the original the rewritten kernel may take: it may use scalar loops."""

LEAST_WORK = 2_000
"""That the original is taken to do."""


def _sequential(side: Side) -> bool:
    return is_sequential(side.program.function(side.kernel))


def _is_loop(op: Operation) -> bool:
    return op.name.startswith("scf.") or bool(op.successors)


class Runs:
    """Runs two kernels on the same launches."""

    def __init__(self, a: Side, b: Side, options: Options):
        self.a, self.b, self.options = a, b, options
        self.zeroed = lock_arguments(a.function)
        self.may_batch = self.batched = not (_sequential(a) or _sequential(b))
        loops = [sum(_is_loop(op) for op in side.function.walk()) for side in (a, b)]
        self.has_more_loops = loops[0] < loops[1]
        """Whether tensors of the original became loops, which take much more work."""
        self.asserts = any(op.name.endswith(_ASSERTIONS) for op in b.function.walk())
        self.last: tuple[Draw, int] | None = None
        """The launch that the original ran on last, and how much work it took."""
        self.watched: Side | None = None
        """The original with an eye on its address arithmetic."""

    def execute(self, side: Side, draw: Draw, poison: int, memory: Memory | None = None) -> Effects:
        """Run one of the two; raise what `execute` of `effects` raises."""
        key = (side.kernel, draw, poison, self.batched, self.options.reads)
        effects = side.program.once(
            key, lambda: self._executed(side, draw, poison, memory), Effects.nbytes
        )
        if side is self.a:
            self.last = draw, effects.work
        return effects

    def stood_in(self, first: Effects, draw: Draw, poison: int) -> Effects | None:
        """
        Return what the original does with another stand-in for undefined values.

        It is its run `first` where it has none. Return None if it fails with that stand-in: then
        a branch or an address is undefined.
        """
        if not (poison and first.poison_used):
            return first
        try:
            return self.execute(self.a, draw, poison)
        except (StepBudgetExceeded, MemoryFault):
            return None

    def stand_ins(self, first: Effects, number: int) -> tuple[int, ...]:
        """
        Return which stand-ins for undefined values the rewritten kernel runs with.

        `first` is the original's run on the launch of some number; there are more with 0. Where
        nothing of the original is undefined, not even NaN may change anything.
        """
        if first.poison_used and not self.asserts:
            return (1,)
        return (1, NAN_POISON) if not number else (1 if number % 2 else NAN_POISON,)

    def _budget(self, side: Side, draw: Draw) -> int:
        """Return how much work a run may take: a loop that does not end is soon noticed."""
        most = self.options.budget
        if side is self.a:
            return most
        if self.last is None or self.last[0] is not draw or self.has_more_loops:
            return LOWERING_COST * most
        return LOWERING_COST * min(max(LEAST_WORK, self.last[1]), most)

    def _executed(self, side: Side, draw: Draw, poison: int, memory: Memory | None) -> Effects:
        return execute(
            side.program,
            side.kernel,
            side.launch(self.as_drawn(draw)),
            poison=poison,
            # Runs with other poison are compared by what they write only.
            observer=Recorder() if self.options.reads and not poison else Assertions(),
            budget=self._budget(side, draw),
            batched=self.batched,
            memory=memory,
        )

    def race(self, draw: Draw, effects: Effects) -> Race | None:
        """Return a race between programs of the original in a run of it, or None."""
        key = ("race", self.a.kernel, draw, self.batched)
        return self.a.program.once(key, lambda: find_race(effects.observer.accesses))

    def races(self, draw: Draw) -> bool:
        """Whether programs of the original are known to race on a launch, without a run."""
        found = self.a.program.recalled(("race", self.a.kernel, draw, self.batched))
        return isinstance(found, Race)

    def without_overflow(self, draw: Draw) -> Draw:
        """Return the first of a launch and the smaller ones like it that does not overflow."""
        *larger, last = draw, *draw.smaller
        for tried in larger:
            with contextlib.suppress(UserError):
                if not self.overflows(tried):
                    return tried
        return last

    def overflows(self, draw: Draw) -> bool:
        """Whether address arithmetic of the original overflows, which makes any result right."""
        key = ("overflows", self.a.kernel, draw, self.batched)
        return self.a.program.once(key, lambda: self._overflows(draw))

    def _overflows(self, draw: Draw) -> bool:
        if self.watched is None:
            program = Program(self.a.program.module)
            program.watched = address_arithmetic(program.module)
            self.watched = Side(program, self.a.kernel, self.a.function, self.a.parameters)
        machine = self.watched.program.machine
        machine.overflowed = False
        self.execute(self.watched, draw, 0)
        return machine.overflowed

    def strays(self, first: Effects) -> bool:
        """Whether the original gets so far from an argument that it is in other memory."""
        if not self.options.reads:
            return False  # Nobody has noted what it accessed.
        for access in first.observer.accesses:
            argument = argument_behind(access.op.operands[0], self.a.function)
            if argument is not None:
                region = np.int64(FIRST_REGION + argument)
                if (access.touched() >> np.int64(REGION_BITS) != region).any():
                    return True
        return False

    def certain(self, first: Effects, draw: Draw) -> Effects | None:
        """
        Return what the original does whatever its undefined values are, or None if it is nothing.

        `first` is its run; it is returned if nothing can be told.
        """
        program = Program(self.a.program.module)
        program.follows = True
        following = Side(program, self.a.kernel, self.a.function, self.a.parameters)
        memory = FollowingMemory()
        other = self.stood_in(first, draw, 1)
        if other is None:
            return None
        try:
            followed = self.execute(following, draw, 0, memory)
        except UndefinedBehaviour:
            return None
        except (ArithmeticError, LookupError, TypeError, ValueError, NeedsSequential):
            # A rule that does not take values of which lanes are undefined.
            return first
        return certain(first, other, followed, memory)

    def as_drawn(self, draw: Draw) -> Draw:
        """Return `draw` with content of the original's types, and zeros where there are locks."""
        values = [
            self._content(parameter, value) if isinstance(value, Endless) else value
            for value, parameter in zip(draw.values, self.a.parameters, strict=False)
        ]
        return replace(draw, values=(*values, *draw.values[len(values) :]))

    def _content(self, parameter: Parameter, value: Endless) -> Endless:
        if parameter.index in self.zeroed and not value.contents.only:
            return Endless(Contents(zero=True))
        return replace(value, element=parameter.stored)

    def writers(self, draw: Draw, argument: int, offset: int, poison: int) -> list[str]:
        """Run both again to find which op and program wrote the byte last."""
        lines: list[str] = []
        for label, side in (("original", self.a), ("rewritten", self.b)):
            watch = Watch(region_base(argument + 1) + offset)
            with contextlib.suppress(UserError):
                execute(
                    side.program,
                    side.kernel,
                    side.launch(self.as_drawn(draw)),
                    poison=poison,
                    observer=watch,
                    budget=self.options.budget,
                    batched=self.batched,
                )
            lines.append(f"{label}: {watch.describe()}")
        return lines
