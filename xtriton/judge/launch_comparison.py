"""Compares what two kernels do on one launch."""

from collections.abc import Callable, Set as AbstractSet
from functools import cached_property

from xdsl.dialects.builtin import f32

from xtriton.interpreter.effects import Effects, argument_of, result_types
from xtriton.interpreter.machine import StepBudgetExceeded, describe
from xtriton.interpreter.memory import MemoryFault
from xtriton.interpreter.races import find_race
from xtriton.interpreter.read_places import ReadPlaces
from xtriton.judge.launches.draws import Draw
from xtriton.judge.runs import Runs, Side
from xtriton.judge.steadiness import steady_effects
from xtriton.judge.verdicts import Difference, Equivalence, Options
from xtriton.judge.wider import in_wider_floats
from xtriton.judge.written import compare_bytes, varies
from xtriton.semantics import Element, element

IN_F64 = "where sums that cancel differ by more than the tolerance, f64 decides"
"""Noted where kernels that may round otherwise were compared in wider floats."""


def _atomics(side: Side) -> int:
    return sum("atomic" in op.name for op in side.function.walk())


class LaunchComparison:
    """Runs both kernels on a launch and notes where they differ."""

    def __init__(self, a: Side, b: Side, options: Options, verdict: Equivalence):
        self.a, self.b, self.options, self.verdict = a, b, options, verdict
        self.runs = Runs(a, b, options)
        self.fewer_atomics = _atomics(b) < _atomics(a)
        self.stores = 0
        self.varied = False
        self.failures: list[str] = []
        """Why launches decide nothing."""
        self.races_allowed = False

    def _is_rounding(self, draw: Draw) -> bool:
        """
        Whether kernels that may round otherwise do the same on a launch with f64 for f32.

        Sums in another order differ by little beside their terms, by any amount beside a sum
        that cancels.
        """
        if not self.options.tolerance or (wider := self._wider) is None:
            return False
        return wider._does_the_same(draw)

    def _forgive_rounding(self) -> None:
        self.verdict.differences.clear()
        if IN_F64 not in self.verdict.notes:
            self.verdict.notes.append(IN_F64)

    def _does_the_same(self, draw: Draw) -> bool:
        """Whether the kernels do the same on a launch, about which nothing is noted."""
        self.verdict = Equivalence(self.a.kernel)
        first = self._first_run(draw, lambda draw: self.runs.execute(self.a, draw, 0))
        if first is None:
            return False
        self._compare_with(first, draw)
        found = self.verdict.differences
        return not found or not (self._excuse(first, draw) or found)

    @cached_property
    def _wider(self) -> "LaunchComparison | None":
        """A comparison of both kernels with f64 for f32; None if they look at bits of floats."""
        one = in_wider_floats(self.a.program.module, (f32,))
        other = in_wider_floats(self.b.program.module, (f32,))
        if one is None or other is None:
            return None
        a, b = Side.make(one, self.a.kernel), Side.make(other, self.b.kernel)
        b.expansion = self.b.expansion
        return LaunchComparison(a, b, self.options, Equivalence(a.kernel))

    def _excuse(self, first: Effects, draw: Draw) -> bool:
        """
        Take differences back that the original permits, because its values are undefined.

        Return whether the whole launch decides nothing.
        """
        reason = ""
        if self.runs.overflows(draw):
            reason = "offsets of the original overflow"
        elif self.runs.strays(first):
            reason = "the original reaches memory that no argument of it can span"
        elif (free := self.runs.certain(first, draw)) is None:
            reason = "a branch or address of the original is undefined"
        else:
            self._compare_with_permitted(first, draw, free)
        if reason:
            self.verdict.differences.clear()
            self.verdict.draws -= 1
            self.failures.append(f"draw '{draw.name}' skipped: {reason}")
        return bool(reason)

    def _compare_with_permitted(self, first: Effects, draw: Draw, free: Effects) -> None:
        """Compare again where the original leaves nothing open, about undefined values or sums."""
        if free is not first:
            self.verdict.differences.clear()
            self._compare_with(first, draw, free)
        if self.verdict.differences and self.options.tolerance:
            steady = steady_effects(self.runs, free, draw)
            if steady is not free:
                self.verdict.differences.clear()
                self._compare_with(first, draw, steady)

    def _first_run(self, draw: Draw, run: Callable[[Draw], Effects]) -> Effects | None:
        """Run the original; return None, and remember why, if the launch does not fit it."""
        try:
            first = run(draw)
        except (StepBudgetExceeded, MemoryFault) as error:
            self.failures.append(f"draw '{draw.name}' skipped: {error.message}")
            return None
        if first.observer.failed:
            self.failures.append(f"draw '{draw.name}' skipped: '{first.observer.failed[0]}' fails")
            return None
        return first

    def _compare_with(self, first: Effects, draw: Draw, free: Effects | None = None) -> None:
        """
        Run the rewritten kernel too, and compare its effects with the original's.

        `free` is what the original does whatever undefined values are, if that is known.
        """
        try:
            second = self.runs.execute(self.b, draw, 0)
        except (StepBudgetExceeded, MemoryFault) as error:
            self._differ(draw, f"the rewritten kernel fails: {error.message}")
            return
        if second.observer.failed:
            self._differ(
                draw,
                f"an assertion fails in the rewritten kernel only: '{second.observer.failed[0]}'",
            )
            return
        number = 0 if self.options.thorough else self.verdict.draws
        for poison in self.runs.stand_ins(first, number) if self.options.poison else (0,):
            undefined = free or self.runs.stood_in(first, draw, poison)
            if undefined is None:
                return
            self._compare(draw, first, undefined, second, 0)
            if second.poison_used and poison and not self.verdict.differences:
                self._compare_stand_in(first, draw, undefined, poison)
            if self.verdict.differences:
                return
        if self.options.reads and not self.verdict.differences:
            anywhere = free.reads_anywhere if free else frozenset[int]()
            self._compare_reads(draw, first, second, anywhere)
            if self.fewer_atomics and not self.races_allowed and not self.verdict.differences:
                self._compare_races(draw, second)

    def _compare_stand_in(
        self, first: Effects, draw: Draw, undefined: Effects, poison: int
    ) -> None:
        """Run the rewritten kernel with another stand-in for undefined values, and compare."""
        try:
            third = self.runs.execute(self.b, draw, poison)
        except (StepBudgetExceeded, MemoryFault) as error:
            message = f"the rewritten kernel fails as undefined values are: {error.message}"
            self._differ(draw, message)
            return
        if third.observer.failed and not undefined.observer.failed:
            message = third.observer.failed[0]
            self._differ(draw, f"the rewritten kernel asserts an undefined value: '{message}'")
        elif not third.observer.failed:
            self._compare(draw, first, undefined, third, poison)

    def _differ(self, draw: Draw, message: str, details: list[str] | None = None) -> None:
        self.verdict.differences.append(Difference(draw, message, details or []))

    def _compare(
        self, draw: Draw, first: Effects, undefined: Effects, second: Effects, poison: int
    ) -> None:
        for argument in sorted({*first.written, *second.written}):
            mine, theirs = first.written.get(argument), second.written.get(argument)
            free = undefined.written.get(argument)
            of = self._element(argument)
            found = compare_bytes(mine, free, theirs, of, self.options.tolerance)
            if mine is not None:
                self.stores += mine[0].size
                self.varied = self.varied or varies(mine[1], of)
            if found is not None:
                offset, text = found
                self._differ(
                    draw,
                    self._place(argument, offset, of) + ": " + text,
                    self.runs.writers(draw, argument, offset, poison),
                )
                return

        for k, known in enumerate(result_types(self.a.function)):
            if k not in first.results or k not in second.results:
                continue
            mine, theirs, free = first.results[k], second.results[k], undefined.results.get(k)
            found = compare_bytes(mine, free, theirs, known.scalar, self.options.tolerance)
            self.stores += mine[0].size
            self.varied = self.varied or varies(mine[1], known.scalar)
            if found is not None:
                place = found[0] // known.scalar.size
                self._differ(
                    draw, f"result {k}, element {place} of {known.scalar.name}: {found[1]}"
                )
                return

    def _element(self, argument: int) -> Element:
        if 0 <= argument < len(self.a.parameters):
            return self.a.parameters[argument].stored or element("i8")
        return element("i8")

    def _place(self, argument: int, offset: int, of: Element) -> str:
        names = [p.name for p in self.a.parameters]
        name = names[argument] if 0 <= argument < len(names) else f"memory {argument}"
        return f"argument {argument} ({name}), element {offset // of.size} of {of.name}"

    def _compare_reads(
        self, draw: Draw, first: Effects, second: Effects, free: AbstractSet[int]
    ) -> None:
        """Look for reads of the rewritten kernel alone, but in `free` arguments."""
        for access in second.observer.accesses:
            if access.kind == "store" or first.has_like(access):
                continue
            known = first.reads
            for program, address in access.by_program():
                extra = known.get(program, ReadPlaces()).missing(address, access.size)
                if not extra.size:
                    continue
                argument, offset = argument_of(int(extra[0]))
                if argument in free:
                    continue
                place = self._place(argument, offset, self._element(argument))
                self._differ(
                    draw,
                    f"program {program} of the rewritten kernel reads {place}, which the "
                    f"original does not ({extra.size} such lanes)",
                    [f"rewritten: {describe(access.op)}"],
                )
                return

    def _compare_races(self, draw: Draw, second: Effects) -> None:
        """Look for races in a run of the rewritten kernel: the original's programs have none."""
        race = find_race(second.observer.accesses)
        if race is not None:
            argument, offset = argument_of(race.address)
            place = self._place(argument, offset, self._element(argument))
            self._differ(
                draw,
                f"programs {race.writer} and {race.other} of the rewritten kernel race: one"
                f" {race.kind} {place} that the other one writes",
                [f"rewritten: {describe(race.other_op)}"],
            )
