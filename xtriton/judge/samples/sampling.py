# NumPy arrays of any element type: pyright cannot follow them.
# pyright: basic
"""
Launches that tell two kernels apart, sought by computing thousands at once.

What both kernels read and write is computed for one lane of one program of each launch, see
`lanes`. A launch in which it differs, and in which all that is known to hold does, is worth a run
of the interpreter. Where there is none yet, those that come nearest are changed a little and tried
again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice
from typing import Any

import numpy as np
from xdsl.ir import Operation

from xtriton.judge.launches.draws import Draw, Launches
from xtriton.judge.launches.kernel_facts import lock_arguments
from xtriton.judge.samples.graphs import LANES, TURNS, Graph, all_of, differ
from xtriton.judge.samples.lanes import Effect, Lanes
from xtriton.judge.samples.sample_memory import bases
from xtriton.judge.samples.samples import LAST, Rows, Samples

AT_ONCE = 8192
"""Launches that are computed together."""

ROUNDS = 20
"""Of launches, each made of the best of those before."""

AGAIN = 10
"""Rounds after which launches are drawn anew."""

THOROUGH = 8
"""How many times as many are computed for a thorough check."""

BEST = 96
"""Launches that the next ones are made of."""

MOST_LAUNCHES = 6
"""That are run."""

EACH = 2
"""Launches for what differs in the same effect."""

MEETINGS = 16
"""Rounds in which programs are sought that add to one element."""

HOPEFUL = 6
"""Launches for what differs for some sums: what is known of those is that there are many."""


@dataclass(frozen=True)
class Pair:
    """Two effects that correspond."""

    original: Effect
    rewritten: Effect

    def nodes(self) -> set[int]:
        """Return the nodes that say whether they differ."""
        return self.original.nodes() | self.rewritten.nodes()

    def roots(self, graph: Graph) -> Iterator[tuple[int, int]]:
        """Yield what differs of what both are computed of, and themselves."""
        a, b = self.original, self.rewritten
        nodes = [(x, y) for (x, _), (y, _) in zip(a.values, b.values, strict=True)]
        nodes += zip(a.mask, b.mask, strict=False)
        if a.place is not None and b.place is not None:
            nodes.append((a.place, b.place))
        for x, y in nodes:
            yield from graph.roots(x, y)

    def is_made(self, values: dict[int, Any]) -> Any:
        """Return where the original's effect takes place."""
        return all_of([values[n] for n in (*self.original.path, *self.original.mask)])

    def rows(self, values: dict[int, Any]) -> tuple[Any, Any]:
        """Return where something differs whatever masks say, and where it does that counts."""
        a, b = self.original, self.rewritten
        path_a, path_b = (all_of([values[n] for n in x.path]) for x in (a, b))
        on_a = path_a & all_of([values[n] for n in a.mask])
        on_b = path_b & all_of([values[n] for n in b.mask])
        other: Any = np.bool_(False)
        for (x, of), (y, _) in zip(a.values, b.values, strict=True):
            if x != y:
                other = other | differ(values[x], values[y], of)
        if a.kind[0] == "assert":
            fails = values[a.values[0][0]] & ~values[b.values[0][0]]
            return other, path_b & fails & path_a
        if a.place is not None and b.place is not None and a.place != b.place:
            other = other | (values[a.place] != values[b.place])
        if a.kind[0] == "load":
            return other | (on_a != on_b), on_b & (~on_a | other)
        if a.place is None:
            return other, on_a & on_b & other
        return other | (on_a != on_b), (on_a != on_b) | (on_a & on_b & other)


def pairs_of(mine: list[Effect], theirs: list[Effect]) -> Iterator[Pair]:
    """Yield effects that correspond, by their kinds and order, and are not the same."""
    keys = [[(e.kind, _formats(e)) for e in effects] for effects in (mine, theirs)]
    blocks = SequenceMatcher(None, *keys, autojunk=False).get_matching_blocks()
    for block in blocks:
        for k in range(block.size):
            a, b = mine[block.a + k], theirs[block.b + k]
            if a != b and len(a.values) == len(b.values):
                yield Pair(a, b)


def _formats(effect: Effect) -> tuple[str, ...]:
    """Return what an effect's values have in common with those that they are held against."""
    return tuple(of.name if of.is_float else of.kind for _, of in effect.values)


@dataclass(frozen=True)
class Origin:
    """An original, and launches whose memory the sampled ones have."""

    lanes: Lanes
    bases: list[Draw]

    @classmethod
    def of(cls, launches: Launches, kind: type[Lanes] = Lanes) -> Origin:
        """Return what is the same for all comparisons with one original."""
        return cls(kind(Graph(), launches.function, wanted=True), bases(launches))


class Sampling:
    """Seeks launches of one original and what was made of it."""

    rounds = ROUNDS

    def __init__(self, launches: Launches, origin: Origin, rewritten: Lanes, turns: int = 1):
        self.origin = original = origin.lanes
        self.fewer_atomics = original.count("rmw") > rewritten.count("rmw")
        self.graph = rewritten.graph
        self.count = AT_ONCE * (THOROUGH if turns > 1 else 1)
        self.samples = Samples(launches, self.graph, origin.bases, self.count)
        self.choose(list(pairs_of(original.effects, rewritten.effects)))
        self.launches_left = MOST_LAUNCHES * turns
        self.fine = list(dict.fromkeys(original.fine))
        self.defined = list(dict.fromkeys(original.defined))

    def choose(self, pairs: list[Pair]) -> None:
        """Take the effects of both kernels that correspond."""
        self.pairs = pairs
        self.sums = np.array([self.has_sums(pair) for pair in self.pairs], np.bool_)
        """Which pairs of effects depend on what no lane alone decides."""
        self.left = np.where(self.sums, HOPEFUL, EACH)
        """How many launches may still be tried for each pair."""

    def has_sums(self, pair: Pair) -> bool:
        """Whether effects depend on what is taken to be any number."""
        values = [v for effect in (pair.original, pair.rewritten) for v, _ in effect.values]
        return any(self.graph.is_any(n) for n in self.graph.needed(values))

    def collisions(self) -> Iterator[Draw]:
        """Yield launches in which two programs add to one element, along each axis of the grid."""
        places = [("tt.get_program_id", d) for d in range(3)]
        axes = [place for place in places if place in self.graph.leaves]
        atomics = [effect for effect in self.origin.effects if effect.kind[0] == "rmw"]
        stores = [effect for effect in self.origin.effects if effect.kind[0] == "store"]
        for axis in axes if self.fewer_atomics else ():
            left = 2 * EACH
            for _ in range(MEETINGS):
                for found in islice(self.meetings(axis, atomics, stores), left):
                    left -= 1
                    yield found

    def meetings(self, axis: Any, atomics: list[Effect], stores: list[Effect]) -> Iterator[Draw]:
        """Yield launches of two programs along an axis that meet in an atomic and in no store."""
        rows = self.samples.some(self.count)
        other = self.samples.elsewhere(rows, axis)
        # Stores are looked at in the same lane, in the first turn of each loop.
        first = rows | {k: np.zeros_like(v) for k, v in rows.items() if k[0] == TURNS}
        beside = other | {k: v for k, v in first.items() if k[0] in (LANES, TURNS)}
        wanted = {*self.fine, *(n for effect in (*atomics, *stores) for n in effect.nodes())}
        one, two, *same_lane = (
            self.samples.values(x, wanted) for x in (rows, other, first, beside)
        )
        fine = all_of([v[n] for v in (one, two) for n in self.fine])
        fine = fine & (rows[axis] != other[axis])
        for effect in stores:
            # Programs that store in the same place race, in the original too.
            fine = fine & ~_meet(effect, one, two) & ~_meet(effect, same_lane[0], same_lane[1])
        for effect in atomics:
            same = np.broadcast_to(fine & _meet(effect, one, two), self.count)
            if same.any():
                same = same & self.everywhere(rows, same) & self.everywhere(other, same)
            size = np.where(same, self.samples.size(rows), np.inf)
            for row in np.argsort(size)[: min(1, np.count_nonzero(same))]:
                yield self.samples.draw(rows, int(row), other)

    def draws(self) -> Iterator[Draw]:
        """Yield launches that differ in something, as far as one lane tells, the plainest first."""
        if not self.pairs:
            return
        rows = self.samples.some(self.count)
        wanted = {*self.fine, *self.defined} | {n for pair in self.pairs for n in pair.nodes()}
        wanted |= {n for effect in self.reads() for n in effect.nodes()}
        roots = {r for pair in self.pairs for r in pair.roots(self.graph)}
        wanted |= {n for pair in roots for n in pair}
        weights: Any = 1.0
        for turn in range(1, self.rounds + 1):
            values = self.samples.values(rows, wanted)
            fine = self._rows([values[n] for n in (*self.fine, *self.defined)])
            told = [pair.rows(values) for pair in self.pairs]
            counts = self._rows([c for _, c in told]) & ~self.read_anyway(values)
            yield from self.telling(rows, fine.all(axis=0), counts)
            if not self.left.any() or not self.launches_left:
                return
            counts = counts & (self.left > 0)[:, np.newaxis]
            far = self._rows([_unlike(values[a], values[b]) for a, b in roots]).mean(axis=0)
            far = far + self._rows([d for d, _ in told]).any(axis=0) + 2.0 * counts.any(axis=0)
            made = self._rows([pair.is_made(values) for pair in self.pairs]).any(axis=0)
            near = far + made + 0.5 * self._large([values[a] for a, _ in roots])
            best = self._best(fine, weights, far, near)
            weights = weights + (~fine[:, best]).mean(axis=1)
            if turn % AGAIN == 0:
                rows, weights = self.samples.some(self.count), 1.0
            else:
                rows = self.samples.changed(rows, best, values)

    def _large(self, of: list[Any]) -> Any:
        """Return how large integers are, from 0 to 1: what is lost of them is of large ones."""
        sizes = [np.log2(1.0 + np.abs(x.astype(np.float64))) for x in of if x.dtype.kind == "i"]
        return sum(np.broadcast_to(size, self.count) for size in sizes) / (
            64.0 * max(len(sizes), 1)
        )

    def read_anyway(self, values: dict[int, Any]) -> Any:
        """Return where pairs of loads read what another load of the original reads in the lane."""
        found = np.zeros((len(self.pairs), self.count), np.bool_)
        reads = [
            (values[e.place], all_of([values[n] for n in (*e.mask, *e.path)]))
            for e in self.reads()
            if e.place is not None
        ]
        for k, pair in enumerate(self.pairs):
            place = pair.rewritten.place
            if pair.original.kind[0] == "load" and place is not None:
                for other, on in reads:
                    found[k] |= on & (other == values[place])
        return found

    def reads(self) -> list[Effect]:
        """Return the loads of the original, if there are any among the effects that differ."""
        any_reads = any(pair.original.kind[0] == "load" for pair in self.pairs)
        return [e for e in self.origin.effects if any_reads and e.kind[0] == "load"]

    def _rows(self, of: list[Any]) -> Any:
        """Return truths of all launches, one row for each of some conditions."""
        none = [np.ones(self.count, np.bool_)]
        return np.array([np.broadcast_to(x, self.count) for x in of] or none)

    def _best(self, fine: Any, weights: Any, far: Any, near: Any) -> Any:
        """
        Return the launches that come nearest: those that decide something, then any.

        What differs differs most where offsets overflow, which leads nowhere if it is all there is.
        `near` says it of what differs nowhere yet.
        """
        noise = self.samples.rng.random(self.count) * 0.01
        whole = 100.0 * fine.all(axis=0)
        held = (weights * fine.T).sum(axis=1) / np.sum(weights * np.ones(len(fine)))
        scores = (far + noise + whole, near + noise + whole, far + noise + 4.0 * held)
        return np.concatenate([np.argsort(-score)[: BEST // 3] for score in scores])

    def telling(self, rows: Rows, fine: Any, counts: Any) -> Iterator[Draw]:
        """Yield the plainest launches that tell something, few for each pair of effects."""
        if not (fine & counts.any(axis=0)).any():
            return
        size = self.samples.size(rows)
        fine = fine & self.everywhere(rows, fine)
        taken: list[int] = []
        for turn in range(HOPEFUL):
            for k, count in enumerate(counts):
                here = fine & count
                here[taken] = False
                if not (here.any() and self.left[k] and self.launches_left):
                    continue
                row = int(np.where(here, size, np.inf).argmin())
                taken.append(row)
                size = size + 64.0 * self.samples.is_like(rows, row)
                self.left[k] -= 1
                self.launches_left -= 1
                yield self.samples.draw(rows, row, seed=100 * turn if self.sums[k] else 0)

    def everywhere(self, rows: Rows, whole: Any) -> Any:
        """Return whether what has to hold does so in the first and in the last lane too."""
        fits = np.array(whole)
        for part in (0.0, LAST):
            at_part = np.full(self.count, part)
            moved = {k: at_part if k[0] == "lane" else v for k, v in rows.items()}
            values = self.samples.values(moved, self.fine)
            for n in self.fine:
                fits &= values[n]
        return fits


def _meet(effect: Effect, one: dict[int, Any], other: dict[int, Any]) -> Any:
    """Return where two programs access the same place."""
    on = [values[n] for values in (one, other) for n in (*effect.mask, *effect.path)]
    place = effect.place
    return all_of(on) & (np.False_ if place is None else one[place] == other[place])


def _unlike(a: Any, b: Any) -> Any:
    """Return where two values differ, if they may be compared at all."""
    if a.dtype != b.dtype:
        return np.bool_(False)
    return a != b


def sampled(
    launches: Launches, origin: Origin, rewritten: Operation, turns: int = 1
) -> Iterator[Draw]:
    """
    Yield launches that may tell what was made of a kernel from it.

    There are none where programs wait for each other: one alone does not get far.
    """
    if lock_arguments(launches.function):
        return
    with suppress(RecursionError):
        other = Lanes(Graph(origin.lanes.graph), rewritten)
        sampling = Sampling(launches, origin, other, turns)
        yield from sampling.collisions()
        yield from sampling.draws()
