"""What two kernels are compared on, from cheap to costly, until something decides."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from xdsl.ir import Operation

from xtriton.interpreter.arguments import Endless
from xtriton.judge.comparison import EXTRA_DRAWS, Comparison
from xtriton.judge.differing import settle
from xtriton.judge.floats.float_search import THOROUGH, USUAL, float_draws
from xtriton.judge.launches.bounded_draws import bounded_draws, roomy_draws
from xtriton.judge.launches.branches import branch_draws
from xtriton.judge.launches.combiner_draws import combiner_draws
from xtriton.judge.launches.draws import Draw, Launches, edge_draws
from xtriton.judge.launches.last_draws import last_draws
from xtriton.judge.launches.list_draws import list_draws
from xtriton.judge.launches.reorderings import reduce_alike, reordered_draws
from xtriton.judge.launches.seed_draws import seed_draws
from xtriton.judge.samples.far_sampling import FarLanes, far_sampled
from xtriton.judge.samples.lanes import Lanes
from xtriton.judge.samples.long_launches import suits
from xtriton.judge.samples.long_samples import LongLanes, long_sampled
from xtriton.judge.samples.sampling import Origin, sampled

HARD_FROM = 3
"""Launches at the edges of what a kernel can take come with so many ordinary draws, or more."""

THOROUGH_SOLVER = 20
"""How much longer a solver may take for a thorough check."""

THOROUGH_TURNS = 3
"""How many times launches that take turns, such as at edges, are made for a thorough check."""

Seek = Callable[[Launches, Origin, Operation], Iterable[Draw]]
"""Yields launches that may tell what was made of a kernel from it."""


@dataclass
class Phases:
    """
    Makes a comparison on one kind of launches after the other.

    `launches` draws those that nobody gave, `given` are arguments that are not to be changed.
    """

    comparison: Comparison
    launches: Launches
    given: Mapping[int, Any]

    def __post_init__(self) -> None:
        self.options, self.verdict = self.comparison.options, self.comparison.verdict
        self.a, self.b = self.comparison.a, self.comparison.b
        self.fixed = set(self.given)
        self.turns = THOROUGH_TURNS if self.options.thorough else 1

    @property
    def _undecided(self) -> bool:
        return not (self.verdict.proved or self.verdict.differences)

    @property
    def _is_alike(self) -> bool:
        """Whether both kernels take the same arguments, and some launch fits the original."""
        return self.b.expansion is None and bool(self.comparison.made)

    def usual(self, chosen: Iterable[Draw]) -> None:
        """Compare on ordinary launches, until each access has been made."""
        comparison = self.comparison
        # Kernels with the same ops need no more than a look at what is accessed.
        wanted = 1 if self.verdict.proved else self.options.count
        for draw in chosen:
            done = self.verdict.draws - wanted
            if self.verdict.differences or done >= (0 if comparison.covered() else EXTRA_DRAWS):
                return
            comparison.on(draw)
            if self.verdict.proved and comparison.failures:
                return

    def roomy(self) -> None:
        """Where no usual launch fits, compare on one with large sizes."""
        if not (self.verdict.draws or self.comparison.racy):
            self.comparison.on_first(roomy_draws(self.launches))

    def all_others(self) -> None:
        """Compare on all that is left, until something decides."""
        is_hard = self.options.count >= HARD_FROM
        if is_hard:
            self.comparison.on_all(self.launches.hard(self.turns))
        self.other_branches()
        self.examples()
        if is_hard and self._undecided:
            if self.options.sampled:
                self.sampled()
            if self.options.at_random:
                self.last()
            if self.options.sampled:
                self.floats()
        if self.options.thorough and self._undecided:
            self.comparison.on_all(self.launches.usual())
            known = dict(self.given) or None
            self.comparison.on_all(edge_draws(self.a.function, self.a.parameters, known))

    def other_branches(self) -> None:
        """Compare on launches for the sides of branches that were not taken so far."""
        if self.b.expansion is not None:
            return
        made = self.comparison.made
        for draw in branch_draws(self.b.function, self.b.parameters, made, self.fixed):
            if self.verdict.differences:
                break
            self.comparison.on(draw)

    def examples(self) -> None:
        """Compare on launches that a solver finds, if there is one."""
        if not (self._undecided and self._is_alike and self.options.solver):
            return
        try:
            from xtriton.judge.proofs import proofs
        except ImportError:
            return
        seconds = self.options.solver * (THOROUGH_SOLVER if self.options.thorough else 1)
        proof = proofs.compare(self.a.function, self.b.function, seconds)
        self.verdict.proved |= proof.equal
        settle(self.verdict.differing, proof.equal, proof.values)
        usual = self.comparison.made[0]
        for example in proof.examples:
            if not self.fixed & example.arguments.keys():
                self.comparison.on_all(_from_example(example, usual))
        for filling in proof.fillings:
            told = filling.contents.keys() | filling.numbers.keys()
            if told and self._undecided and not self.fixed & filling.numbers.keys():
                self.comparison.on(_filled(filling, usual))

    def sampled(self) -> None:
        """Compare on launches that are sought among thousands computed at once."""
        turns = self.turns
        self._on_sought(Lanes, partial(sampled, turns=turns))
        self.far()
        if suits(self.a.function) and suits(self.b.function):
            self._on_sought(LongLanes, partial(long_sampled, turns=turns))

    def far(self) -> None:
        """Compare on launches with large sizes in which accesses or assertions differ."""
        self._on_sought(FarLanes, partial(far_sampled, turns=self.turns))

    def _on_sought(self, kind: type[Lanes], seek: Seek) -> None:
        """Compare on launches that are sought, in each of which programs may race or not."""
        with self.comparison.races_asked_again():
            self.comparison.on_all(self._sought(kind, seek))

    def _sought(self, kind: type[Lanes], seek: Seek) -> Iterable[Draw]:
        if not (self._undecided and self._is_alike):
            return ()
        launches = self.launches
        key = ("sampled", self.a.kernel, launches.calm, kind)
        made = partial(Origin.of, launches, kind)
        origin = made() if launches.given else self.a.program.once(key, made)
        return seek(launches, origin, self.b.function)

    def last(self) -> None:
        """Compare on launches at random, and those that nothing of both kernels asks for."""
        launches, turns = self.launches, self.turns
        self.comparison.on_all(bounded_draws(launches, turns))
        self.comparison.on_all(seed_draws(launches, turns))
        if reduce_alike(self.a.program.module, self.b.program.module):
            self.comparison.on_all(reordered_draws(launches, turns))
        self.comparison.on_all(last_draws(launches, turns))

    def floats(self) -> None:
        """Compare on launches whose memory holds floats, of many or at limits, and short lists."""
        if not self._undecided or self.b.expansion is not None:
            return
        launches, thorough = self.launches, self.options.thorough
        self.comparison.on_all(list_draws(launches, thorough))
        effort = THOROUGH if thorough else USUAL
        self.comparison.on_all(float_draws(launches, self.b.function, effort))
        if thorough:
            self.comparison.on_all(combiner_draws(launches, self.b.function))


def _filled(filling: Any, usual: Draw) -> Draw:
    """Return a launch whose memory holds numbers on which values that are stored differ."""
    values = _with_contents(list(usual.values), filling.contents)
    for k, number in filling.numbers.items():
        values[k] = number
    return replace(usual, name="values found by trial", values=tuple(values), smaller=())


def _from_example(example: Any, usual: Draw) -> Iterator[Draw]:
    """Yield a launch with the numbers of an example, then one with its memory as well."""
    values = [example.arguments.get(k, v) for k, v in enumerate(usual.values)]
    (x, y, z), (px, py, pz) = example.grid, example.program
    program = px + x * (py + y * pz)
    yield Draw("found by a solver", tuple(values), (x, y, z), (program,))
    if example.contents:
        values = _with_contents(values, example.contents)
        yield Draw("found by a solver, with memory", tuple(values), (x, y, z), (program,))


def _with_contents(values: list[Any], contents: Mapping[int, tuple[float, ...]]) -> list[Any]:
    """Return the values of a launch whose memory holds some numbers, by argument."""
    for k, numbers in contents.items():
        if isinstance(values[k], Endless):
            values[k] = replace(values[k], contents=replace(values[k].contents, only=numbers))
    return values
