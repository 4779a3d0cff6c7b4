"""Compares two kernels launch by launch, and says what the verdict is worth."""

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from functools import cached_property
from time import monotonic

from xdsl.ir import Operation

from xtriton.errors import UserError
from xtriton.interpreter.effects import AccessRecord, Effects
from xtriton.interpreter.machine import describe
from xtriton.judge.launch_comparison import LaunchComparison
from xtriton.judge.launches.draws import Draw
from xtriton.judge.places.place_runs import PlaceRuns
from xtriton.judge.places.places import PlacesUnknown
from xtriton.judge.runs import Side
from xtriton.judge.samples.long_launches import LongLaunches
from xtriton.judge.verdicts import Equivalence, Options

EXTRA_DRAWS = 2
"""Draws made beyond those asked for, as long as some access has not been reached."""

MOST_UNLIKE = 4
"""Launches on which places may be unlike, such as where offsets overflow, before all is run."""

_ACCESSES = ("load", "store", "gather", "scatter", "rmw", "cas", "copy", "reduce")


def _accesses(side: Side) -> dict[Operation, None]:
    """Return the ops of a kernel's own body that access global memory, in order."""
    found: dict[Operation, None] = {}
    for op in side.function.walk():
        dialect, _, name = op.name.partition(".")
        if dialect in ("tt", "tts") and name.endswith(_ACCESSES) and name != "reduce":
            found[op] = None
    return found


class Comparison(LaunchComparison):
    """Goes through launches and collects the verdict."""

    def __init__(self, a: Side, b: Side, options: Options, verdict: Equivalence):
        super().__init__(a, b, options, verdict)
        self.racy: list[Draw] = []
        self.made: list[Draw] = []
        self.accesses = _accesses(a) if options.reads else dict[Operation, None]()
        self.reached: set[Operation] = set()
        self.until = monotonic() + options.seconds
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
            self._forgive_rounding()

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
