"""Compares two kernels launch by launch, and says what the verdict is worth."""

from collections.abc import Callable, Generator, Iterable, Set as AbstractSet
from contextlib import contextmanager
from functools import cached_property
from time import monotonic

from xdsl.dialects.builtin import f32
from xdsl.ir import Operation

from xtriton.errors import UserError
from xtriton.interpreter.effects import AccessRecord, Effects, argument_of, result_types
from xtriton.interpreter.machine import StepBudgetExceeded, describe
from xtriton.interpreter.memory import MemoryFault
from xtriton.interpreter.races import find_race
from xtriton.interpreter.read_places import ReadPlaces
from xtriton.judge.launches.draws import Draw
from xtriton.judge.places.place_runs import PlaceRuns
from xtriton.judge.places.places import PlacesUnknown
from xtriton.judge.runs import Runs, Side
from xtriton.judge.samples.long_launches import LongLaunches
from xtriton.judge.steadiness import steady_effects
from xtriton.judge.verdicts import Difference, Equivalence, Options
from xtriton.judge.wider import in_wider_floats
from xtriton.judge.written import compare_bytes, varies
from xtriton.semantics import Element, element

EXTRA_DRAWS = 2
"""Draws made beyond those asked for, as long as some access has not been reached."""

MOST_UNLIKE = 4
"""Launches on which places may be unlike, such as where offsets overflow, before all is run."""

IN_F64 = "where sums that cancel differ by more than the tolerance, f64 decides"
"""Noted where kernels that may round otherwise were compared in wider floats."""

_ACCESSES = ("load", "store", "gather", "scatter", "rmw", "cas", "copy", "reduce")


def _accesses(side: Side) -> dict[Operation, None]:
    """Return the ops of a kernel's own body that access global memory, in order."""
    found: dict[Operation, None] = {}
    for op in side.function.walk():
        dialect, _, name = op.name.partition(".")
        if dialect in ("tt", "tts") and name.endswith(_ACCESSES) and name != "reduce":
            found[op] = None
    return found


def _atomics(side: Side) -> int:
    return sum("atomic" in op.name for op in side.function.walk())


class Comparison:
    """Runs both kernels draw by draw and collects the verdict."""

    def __init__(self, a: Side, b: Side, options: Options, verdict: Equivalence):
        self.a, self.b, self.options, self.verdict = a, b, options, verdict
        self.runs = Runs(a, b, options)
        self.racy: list[Draw] = []
        self.made: list[Draw] = []
        self.accesses = _accesses(a) if options.reads else dict[Operation, None]()
        self.reached: set[Operation] = set()
        self.fewer_atomics = _atomics(b) < _atomics(a)
        self.stores = 0
        self.varied = False
        self.failures: list[str] = []
        self.until = monotonic() + options.seconds
        self.races_allowed = False
        self.unlike = 0
        """Launches on which places were compared and not the same."""
        self.left = 0
        """Launches for which there was no time."""

    def covered(self) -> bool:
        """Whether every access of the original was made with some lane on."""
        return self.accesses.keys() <= self.reached

    def _cover(self, accesses: list[AccessRecord]) -> None:
        for access in accesses:
            if access.op not in self.reached and access.touched().size:
                self.reached.add(access.op)

    def on_all(self, launches: Iterable[Draw]) -> None:
        """Compare on launches that were not made yet, until a difference is found."""
        for draw in launches:
            if self.verdict.differences:
                return
            if draw not in self.made:
                self.on(draw)

    @contextmanager
    def races_asked_again(self) -> Generator[None]:
        """Ask for races in each launch, though programs race in all usual ones."""
        before = self.races_allowed, self.runs.batched
        self.races_allowed, self.runs.batched = False, self.runs.may_batch
        try:
            yield
        finally:
            self.races_allowed, self.runs.batched = before

    def on_first(self, launches: Iterable[Draw]) -> None:
        """Compare on the first launch that fits the original."""
        for draw in launches:
            self.on(draw)
            if self.verdict.draws or self.verdict.differences:
                return

    def on(self, draw: Draw) -> None:
        """Compare on one launch, or the first like it that fits the original."""
        if monotonic() > self.until:
            self.left += 1
            return
        if draw.long is not None:
            self._on_long(draw)
            return
        if self._has_same_places(draw):
            return
        fitting = self._fitting(draw, lambda draw: self.runs.execute(self.a, draw, 0))
        if fitting is None:
            return
        draw, first = fitting
        if self._asks_for_races and self.runs.race(draw, first) is not None:
            self.racy.append(draw)
            return
        self._count(draw)
        if self.options.reads:
            self._cover(first.observer.accesses)
        self._compare_with(first, draw)
        if self.verdict.differences and self._excuse(first, draw):
            self.on_all(draw.halves())
        elif self.verdict.differences and self._is_rounding(draw):
            self.verdict.differences.clear()
            if IN_F64 not in self.verdict.notes:
                self.verdict.notes.append(IN_F64)

    def _is_rounding(self, draw: Draw) -> bool:
        """
        Whether kernels that may round otherwise do the same on a launch with f64 for f32.

        Sums in another order differ by little beside their terms, by any amount beside a sum
        that cancels.
        """
        if not self.options.tolerance or (wider := self._wider) is None:
            return False
        return wider._does_the_same(draw)

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
    def _wider(self) -> "Comparison | None":
        """A comparison of both kernels with f64 for f32; None if they look at bits of floats."""
        one = in_wider_floats(self.a.program.module, (f32,))
        other = in_wider_floats(self.b.program.module, (f32,))
        if one is None or other is None:
            return None
        a, b = Side.make(one, self.a.kernel), Side.make(other, self.b.kernel)
        b.expansion = self.b.expansion
        return Comparison(a, b, self.options, Equivalence(a.kernel))

    def _count(self, draw: Draw) -> None:
        """Count a launch that the original ran on."""
        self.verdict.draws += 1
        self.made.append(draw)

    @property
    def _asks_for_races(self) -> bool:
        return self.options.reads and not self.races_allowed

    def _fitting(self, draw: Draw, run: Callable[[Draw], Effects]) -> tuple[Draw, Effects] | None:
        """Return the first launch like one that fits the original, and the original's run."""
        tried: Draw | None = self.runs.without_overflow(draw)
        while tried is not None:
            if self._asks_for_races and self.runs.races(tried):
                self.racy.append(tried)
                return None
            first = self._first_run(tried, run)
            if first is not None:
                return tried, first
            tried = tried.tamer()
        return None

    def _has_same_places(self, draw: Draw) -> bool:
        """
        Whether a launch needs no more than a comparison of places, and that found no difference.

        What is stored has been seen, and so have the ops that runs for places leave out.
        """
        if not self.varied or not self.options.reads or self.verdict.differences:
            return False
        places = self._places
        if places is None:
            return False
        failures, racy = len(self.failures), len(self.racy)
        try:
            decided = self._decided(draw, places)
        except (UserError, PlacesUnknown):
            decided = None
        if decided:
            return True
        # A run of all ops says what there is to say.
        del self.failures[failures:], self.racy[racy:]
        self.unlike += decided is None
        if self.unlike == MOST_UNLIKE:
            self._places = None
        return False

    def _decided(self, draw: Draw, places: PlaceRuns) -> bool | None:
        """Whether places say all there is to say of a launch; None if they are unlike."""
        if places.know(known := self.runs.without_overflow(draw)):
            missing = places.misses(self.verdict.differing, known)
            if not missing:
                self._count(known)
            return not missing
        fitting = self._fitting(draw, places.first)
        if fitting is None:
            return True
        tried, first = fitting
        if self._asks_for_races and places.may_race(tried, first):
            return False
        number = 0 if self.options.thorough else self.verdict.draws + 1
        if not places.are_same(tried, first, number):
            return None
        if places.misses(self.verdict.differing, tried):
            return False
        self._count(tried)
        self._cover(first.observer.accesses)
        return True

    @cached_property
    def _places(self) -> PlaceRuns | None:
        return PlaceRuns.of(self.runs, self.verdict.differing)

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

    def _on_long(self, draw: Draw) -> None:
        """Compare on one of them."""
        if not self.options.reads or self.options.tolerance:
            return
        compared = LongLaunches(self.runs).compared(draw)
        if compared is None:
            self.failures.append(f"draw '{draw.name}' skipped: more turns of loops do something")
            return
        self._count(draw)
        if compared.found is not None:
            argument, offset, text = compared.found
            place = self._place(argument, offset, self._element(argument))
            self._differ(compared.draw, f"{place}: {text}")

    def on_racy(self) -> None:
        """Where programs race in every launch, compare them all the same."""
        self.runs.batched = False
        self.races_allowed = True
        for draw in self.racy[: self.options.count]:
            self.on(draw)
            if self.verdict.differences:
                break
        if self.verdict.draws:
            self.verdict.notes.append("programs race in every draw: they ran in order")

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

    def finish(self) -> None:
        """Say what the verdict is worth."""
        notes = self.verdict.notes
        self.verdict.coverage = [(describe(op), op in self.reached) for op in self.accesses]
        if self.verdict.draws == 0 and self.verdict.proved:
            notes.append("proved by the ops alone: no launch fits")
        elif self.verdict.draws == 0:
            notes.extend(self.failures)
            raise UserError(
                f"no drawn launch fits '{self.a.kernel}', give arguments", None, self.failures
            )
        if self.left and not self.verdict.differences:
            notes.append(f"the time was up with {self.left} launches still to make")
        lost = [op for op in self.accesses if op not in self.reached]
        if lost and not self.verdict.differences:
            first = describe(lost[0])
            notes.append(
                f"{len(lost)} of {len(self.accesses)} accesses were never made, such as {first}"
            )
        self.verdict.vacuous = self.stores == 0
        if self.stores == 0 and not self.verdict.differences:
            notes.append("nothing was stored in any draw: the comparison is vacuous")
        elif not self.varied and not self.verdict.differences:
            notes.append("all values stored are equal, NaN or infinite: the comparison is weak")
