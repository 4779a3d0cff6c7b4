# NumPy arrays of any element type: pyright cannot follow them.
# pyright: basic
"""
Floats in memory on which two kernels store different values, sought among millions.

A last bit, an overflow or a denormal that few numbers show is found by computing what one lane
stores, see `one_lane`, for some places in some launches and thousands of floats at each. Those for
which more differs on the way to what is stored are changed a little and tried again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from time import process_time
from typing import Any

import numpy as np
from xdsl.ir import Operation

from xtriton.interpreter.arguments import FIRST_REGION, Endless, PerProgram
from xtriton.interpreter.draws import Draw, Launches
from xtriton.interpreter.float_numbers import KINDS, beside, mixed, rounded
from xtriton.interpreter.graphs import LANES, TURNS, Graph, all_of, differ
from xtriton.interpreter.kernel_facts import lock_arguments
from xtriton.interpreter.lanes import Effect
from xtriton.interpreter.memory import REGION_BITS, region_base
from xtriton.interpreter.one_lane import OneLane
from xtriton.interpreter.sample_memory import bases
from xtriton.interpreter.samples import Rows, Samples
from xtriton.interpreter.sampling import Pair, partners
from xtriton.semantics import Element, element

SECONDS = 8.0
"""Of the processor, for one search."""

PLACES = 32
"""Lanes, programs and launches that floats are tried at."""

AT_ONCE = 1 << 17
"""Floats that are tried together, for each argument."""

AMONG = 8192
"""Launches that the places are chosen from."""

MOST_LAUNCHES = 8
"""That are run."""

ELITES = 512
"""Floats that the next ones are made of."""

MOST_LANES = 1 << 11
"""Of a sum of which all lanes are computed."""

_SETTLED = 16
"""How often a number is set to what it is compared with, which depends on it."""


@dataclass(frozen=True)
class Input:
    """A float that may be anything: what a load gives, or an argument."""

    node: int
    of: Element
    place: int | None = None
    other: int | None = None
    masks: tuple[int, ...] = ()
    argument: int = 0


class FloatSearch:
    """Seeks floats for one original and what was made of it."""

    def __init__(self, launches: Launches, rewritten: Operation, seconds: float = SECONDS):
        self.launches, self.seconds = launches, seconds
        first = OneLane(Graph(), launches.function, wanted=True)
        second = OneLane(first.graph, rewritten)
        self.graph: Graph = first.graph
        self.fine = list(dict.fromkeys((*first.fine, *first.defined)))
        self.pairs = [p for p in partners(first.effects, second.effects) if _has_floats(p)]
        self.samples = Samples(launches, self.graph, _without_floats(launches), AMONG)
        self.samples.other_floats = 0
        self.rng = self.samples.rng
        wanted = {n for pair in self.pairs for n in pair.nodes()}
        roots = {r for pair in self.pairs for r in pair.roots(self.graph)}
        self.roots = sorted(roots)
        self.order = self.graph.needed({*wanted, *self.fine})
        self.inputs = self._inputs()
        self.alike: dict[int, tuple[Input, int]] = {}
        """Loads, and others that read the same number."""
        self.moving = self._moving()
        """Nodes that depend on floats in memory."""
        self.compared = [
            n for n in self.order
            if n in self.moving and _name(self.graph.nodes[n].key) == "arith.cmpf"
        ]  # fmt: skip

    def _inputs(self) -> list[Input]:
        found: list[Input] = []
        for number in self.order:
            node = self.graph.nodes[number]
            key: Any = node.key
            if _name(key) == "load" and isinstance(key, tuple) and element(key[1]).is_float:
                _, place, other, *masks = node.of
                found.append(Input(number, element(key[1]), place, other, tuple(masks)))
        for key, number in self.graph.leaves.items():
            if key[0] == "argument" and number in self.order:
                parameter = self.launches.known[key[1]]
                if not parameter.is_memory and parameter.info.scalar.is_float:
                    if key[1] not in self.launches.given:
                        found.append(Input(number, parameter.info.scalar, argument=key[1]))
        return found

    def _moving(self) -> set[int]:
        found = {i.node for i in self.inputs}
        for number in self.order:
            if any(o in found for o in self.graph.nodes[number].of):
                found.add(number)
        return found

    def draws(self) -> Iterator[Draw]:
        """Yield launches whose memory holds floats for which something differs."""
        until = process_time() + self.seconds
        if not self.inputs or not any(set(p.nodes()) & self.moving for p in self.pairs):
            return
        rows, fixed = self._places()
        if rows is None:
            return
        left = MOST_LAUNCHES
        elites: list[Any] | None = None
        places = len(rows["base",])
        width = AT_ONCE // places
        turn = 0
        while process_time() < until and left:
            tried = self._candidates(turn, (places, width), elites)
            if elites is not None and self.compared and turn % 3 == 2:
                self._settle(tried, fixed)
            values = self._values(tried, fixed)
            counts, score = self._judged(values, (places, width))
            for row, column in self._best(counts):
                yield self._draw(rows, row, [t[row, column] for t in tried], values)
                left -= 1
                if not left:
                    return
            noise = self.rng.random(score.shape)
            best = np.argpartition(-(score + noise).reshape(-1), ELITES)[:ELITES]
            elites = [t.reshape(-1)[best] for t in tried]
            turn += 1

    def _best(self, counts: Any) -> list[tuple[int, int]]:
        """Return a place and a candidate of each kind of difference, two at most."""
        found: list[tuple[int, int]] = []
        for count in counts:
            here = np.flatnonzero(count)
            if here.size:
                chosen = int(here[self.rng.integers(0, here.size)])
                found.append(divmod(chosen, count.shape[1]))
        return found[:2]

    def _places(self) -> tuple[Rows | None, dict[int, Any]]:
        """Return rows of launches in which something is stored, and what of them is known."""
        samples = self.samples
        rows = samples.some(AMONG)
        half = self.rng.random(AMONG) < 0.7
        for key in rows:
            if key[0] == TURNS:
                rows[key] = np.where(half, 0, rows[key])
            elif key[0] == LANES:
                # Few lanes are beyond the bounds that sizes set, but not the first ones.
                rows[key] = np.where(half, self.rng.random(AMONG) ** 4, rows[key])
        values = self._usual(rows)
        fits = all_of([values[n] for n in self.fine])
        stores = [pair for pair in self.pairs if pair.original.place is not None]
        made = sum(
            np.broadcast_to(pair.is_made(values), AMONG).astype(np.int64)
            for pair in stores or self.pairs
        )
        chosen = np.flatnonzero(np.broadcast_to(fits, AMONG) & (made > 0))
        if not chosen.size:
            return None, {}
        size = samples.size(rows)[chosen] + 24.0 * self.rng.random(chosen.size)
        chosen = chosen[np.argsort(size)[:PLACES]]
        rows = {key: v[chosen] for key, v in rows.items()}
        self.samples.count = len(chosen)
        fixed = self._usual(rows, self._rest(rows))
        self._unite(fixed)
        return rows, fixed

    def _unite(self, fixed: dict[int, Any]) -> None:
        """Leave one input of loads that read the same place everywhere."""
        kept: list[Input] = []
        for i in self.inputs:
            same = [k for k in kept if _reads_same(i, k, fixed)]
            if same:
                self.alike[i.node] = (i, same[0].node)
            else:
                kept.append(i)
        self.inputs = kept

    def _usual(self, rows: Rows, rest: dict[int, Any] | None = None) -> dict[int, Any]:
        """Return the values of all nodes where floats in memory are zeros."""
        samples = self.samples
        leaves = {n: samples._leaf(key, rows) for key, n in self.graph.leaves.items()}
        leaves |= rest or {}
        with np.errstate(all="ignore"):
            for number in self.order:
                node = self.graph.nodes[number]
                if number not in leaves and node.compute is not None:
                    leaves[number] = node.compute(*(leaves[o] for o in node.of))
        return leaves

    def _rest(self, rows: Rows) -> dict[int, Any]:
        """Return what the other lanes of sums add."""
        found: dict[int, Any] = {}
        count = len(rows["base",])
        for number in self.order:
            key: Any = self.graph.nodes[number].key
            if _name(key) != "rest" or key[3] > MOST_LANES:
                continue
            _, here, lane, size, axis, kind, combine = key
            every = {k: np.repeat(v, size) for k, v in rows.items()}
            every[LANES, axis] = np.tile((np.arange(size) + 0.5) / size, count)
            if (LANES, axis) not in self.graph.leaves:
                continue
            at_lane = self._usual_of(rows, lane, {})
            wide = {k: np.repeat(v, size) for k, v in found.items()}
            values = self._usual_of(every, here, wide).reshape(-1)
            values = np.array(np.broadcast_to(values, count * size)).reshape(count, size)
            lanes = np.arange(size)[np.newaxis]
            mine = np.broadcast_to(at_lane, count)[:, np.newaxis]
            off = (lanes == 0) | (lanes == mine)
            if kind == "tt.scan":
                off = off | (lanes > mine)
            found[number] = _combined(values, off, combine)
        return found

    def _usual_of(self, rows: Rows, node: int, known: dict[int, Any]) -> Any:
        leaves = {n: self.samples._leaf(k, rows) for k, n in self.graph.leaves.items()}
        leaves |= known
        with np.errstate(all="ignore"):
            for number in self.graph.needed([node]):
                inner = self.graph.nodes[number]
                if number not in leaves and inner.compute is not None:
                    leaves[number] = inner.compute(*(leaves[o] for o in inner.of))
        return leaves[node]

    def _candidates(self, turn: int, shape: tuple[int, int], elites: list[Any] | None) -> list[Any]:
        """Return floats to try for each input: fresh ones, and changes of those that tell more."""
        rng, count = self.rng, len(self.inputs)
        if turn % 2 == 0:
            kinds = [np.zeros(shape, np.int64)] * count
            if turn % 4 == 2:
                kinds = [np.broadcast_to(rng.integers(0, 2, shape[1]), shape)] * count
        else:
            kinds = [np.broadcast_to(rng.integers(0, KINDS, shape[1]), shape) for _ in range(count)]
        fresh = [mixed(i.of, rng, shape, k) for i, k in zip(self.inputs, kinds, strict=True)]
        if elites is None:
            return fresh
        half = shape[1] // 2
        chosen = rng.integers(0, len(elites[0]), (shape[0], half))
        which = rng.integers(0, count, (shape[0], half))
        other = rng.integers(0, count, (shape[0], half))
        near = rng.random((shape[0], half)) < 0.5
        for k, (i, f, e) in enumerate(zip(self.inputs, fresh, elites, strict=True)):
            old = e[chosen]
            new = np.where(near, beside(i.of, rng, old), f[:, :half])
            f[:, :half] = np.where((which == k) | ((other == k) & ~near), new, old)
        return fresh

    def _settle(self, tried: list[Any], fixed: dict[int, Any]) -> None:
        """Set one number to what something is compared with, and to its neighbours."""
        rng = self.rng
        k = int(rng.integers(0, len(self.inputs)))
        node = self.graph.nodes[self.compared[int(rng.integers(0, len(self.compared)))]]
        side = node.of[int(rng.integers(0, 2))]
        i = self.inputs[k]
        for _ in range(_SETTLED):
            value = np.broadcast_to(self._values(tried, fixed, [side])[side], tried[k].shape)
            tried[k] = rounded(i.of, value.astype(np.float64))
        some = rng.random(tried[k].shape) < 0.3
        tried[k] = np.where(some, beside(i.of, rng, tried[k]), tried[k])

    def _values(
        self, tried: list[Any], fixed: dict[int, Any], wanted: list[int] | None = None
    ) -> dict[int, Any]:
        """Return the values of nodes at each place, a row of candidates at each."""
        values = {
            n: v[:, np.newaxis] if np.ndim(v) == 1 else v
            for n, v in fixed.items() if n not in self.moving and n >= 0
            and hasattr(v, "dtype")
        }  # fmt: skip
        inputs = {i.node: (i, t) for i, t in zip(self.inputs, tried, strict=True)}
        raw: dict[int, Any] = {}
        done: list[tuple[Any, Any]] = []
        order = self.order if wanted is None else self.graph.needed((*wanted, *inputs))
        with np.errstate(all="ignore"):
            for number in order:
                if number in values or number not in self.moving:
                    continue
                if number in inputs:
                    i, number_there = inputs[number]
                    raw[number] = _one_per_place(i, number_there, values, done)
                    values[number] = _loaded(i, raw[number], values)
                    continue
                if number in self.alike:
                    i, other = self.alike[number]
                    values[number] = _loaded(i, raw[other], values)
                    continue
                node = self.graph.nodes[number]
                if _name(node.key) == "load" or any(o not in values for o in node.of):
                    held = fixed[number]
                    values[number] = held[:, np.newaxis] if np.ndim(held) == 1 else held
                    continue
                values[number] = node.compute(*(values[o] for o in node.of))
        return values

    def _judged(self, values: dict[int, Any], shape: tuple[int, int]) -> tuple[list[Any], Any]:
        """Return which candidates differ in each pair of effects, and how much differs of each."""
        fine = np.broadcast_to(all_of([values[n] for n in self.fine]), shape)
        score = np.zeros(shape, np.float32)
        for a, b in self.roots:
            x, y = values[a], values[b]
            if x.dtype == y.dtype:
                score += (x != y) & ~(np.isnan(x) & np.isnan(y)) if x.dtype.kind == "f" else x != y
        counts: list[Any] = []
        for pair in self.pairs:
            _, counted = pair.rows(values)
            counts.append(np.broadcast_to(counted, shape) & fine)
        return counts, score

    def _draw(self, rows: Rows, row: int, chosen: list[Any], values: dict[int, Any]) -> Draw:
        """Return a launch whose memory holds what was found."""
        draw = self.samples.draw(rows, row)
        found = list(draw.values)
        placed: dict[int, dict[int, int]] = {}
        for i, number in zip(self.inputs, chosen, strict=True):
            if i.place is None:
                found[i.argument] = PerProgram((float(number),))
                continue
            place = values[i.place]
            address = int(place[row, 0] if np.ndim(place) == 2 else place)
            on = all_of([values[m] for m in i.masks])
            region = (address >> REGION_BITS) - FIRST_REGION
            if np.broadcast_to(on, (len(rows["base",]), 1))[row, 0]:
                offset = address - region_base(region + FIRST_REGION)
                bits = int(i.of.to_bits(np.asarray(number)).reshape(-1)[0])
                placed.setdefault(region, {}).setdefault(offset // i.of.size, bits)
        for k, numbers in placed.items():
            held = found[k] if 0 <= k < len(found) else None
            if isinstance(held, Endless):
                contents = replace(held.contents, placed=tuple(sorted(numbers.items())))
                found[k] = replace(held, contents=contents)
        return replace(draw, name="floats found among many", values=tuple(found), apart=False)


def _reads_same(one: Input, other: Input, fixed: dict[int, Any]) -> bool:
    if one.place is None or other.place is None or one.of is not other.of:
        return False
    return bool(np.all(fixed[one.place] == fixed[other.place]))


def _one_per_place(i: Input, tried: Any, values: dict[int, Any], done: list[Any]) -> Any:
    """Return what memory holds where a load reads: numbers of loads before, if they read there."""
    if i.place is None:
        return tried
    place = values[i.place]
    for other, number in done:
        if np.any(other == place):
            tried = np.where(other == place, number, tried)
    done.append((place, tried))
    return tried


def _loaded(i: Input, held: Any, values: dict[int, Any]) -> Any:
    """Return what a load gives where memory holds numbers: a mask may be off."""
    on = all_of([values[m] for m in i.masks])
    return held if np.all(on) else np.where(on, held, values[i.other])


def _combined(values: Any, off: Any, combine: str) -> Any:
    """Return what the lanes that are not off make together."""
    if combine in ("arith.addf", "arith.addi"):
        return np.where(off, values.dtype.type(0), values).sum(axis=1, dtype=values.dtype)
    if values.dtype.kind != "f":
        limits = np.iinfo(values.dtype)
        none = limits.min if "max" in combine else limits.max
    else:
        none = -np.inf if "max" in combine else np.inf
    masked = np.where(off, values.dtype.type(none), values)
    return masked.max(axis=1) if "max" in combine else masked.min(axis=1)


def _name(key: Any) -> Any:
    return key[0] if isinstance(key, tuple) else key


def _has_floats(pair: Pair) -> bool:
    """Whether what is seen is a value: floats change places and masks in no kernel."""
    a, b = pair.original, pair.rewritten
    return bool(a.values) and a.kind[0] != "assert" and a.values != b.values


def _without_floats(launches: Launches) -> list[Draw]:
    """Return launches whose memory holds no float but zero."""
    found: list[Draw] = []
    for draw in bases(launches)[: 4]:
        values = list(draw.values)
        for k, parameter in enumerate(launches.known):
            of, held = parameter.stored, values[k]
            if isinstance(held, Endless) and of is not None and of.is_float:
                values[k] = replace(held, contents=replace(held.contents, only=(0.0,), near=()))
        found.append(replace(draw, values=tuple(values)))
    return found


def float_draws(launches: Launches, rewritten: Operation) -> Iterator[Draw]:
    """Yield launches whose memory holds floats on which what is stored seems to differ."""
    if lock_arguments(launches.function) or launches.calm:
        return
    with suppress(RecursionError):
        yield from FloatSearch(launches, rewritten).draws()
