# NumPy arrays of any element type: pyright cannot follow them.
# pyright: basic
"""
What a kernel computes on one lane of one program, for many launches at once.

A kernel is a graph: leaves are its arguments, the place of the program, the lane, and the turn of
each loop; every other node is one NumPy call, of the same functions that the interpreter runs ops
by. What no lane alone decides, such as sums, is a node of its own that gives any numbers. Two
kernels share a graph, so that what both compute in the same way is one node.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from xtriton.interpreter.contents import mix

Compute = Callable[..., Any]

LANES, TURNS = "lane", "turn"
"""Kinds of leaves: where in a dimension the lane is, from 0 to 1; how often a loop has run."""

MOST_OFFSET = np.int64(1 << 49)
"""In bytes, of what a launch reaches."""


class NoGraph(Exception):
    """A value that no lane has alone."""


@dataclass(frozen=True)
class Node:
    """A value: what computes it, of which others; a leaf is computed of nothing."""

    compute: Compute | None
    of: tuple[int, ...] = ()
    key: Hashable = None
    """What stands for the function that computes it."""


class Graph:
    """Nodes by number, each after those that it is computed of."""

    def __init__(self, beneath: Graph | None = None):
        self.nodes: list[Node] = [] if beneath is None else list(beneath.nodes)
        self.table: dict[Hashable, int] = {} if beneath is None else dict(beneath.table)
        self.leaves: dict[Hashable, int] = {} if beneath is None else dict(beneath.leaves)

    def node(self, key: Hashable, compute: Compute, *of: int) -> int:
        """Return the number of what `compute` gives; equal keys stand for equal functions."""
        found = self.table.get((key, of))
        if found is None:
            found = self.table[key, of] = len(self.nodes)
            self.nodes.append(Node(compute, of, key))
        return found

    def leaf(self, *key: Hashable) -> int:
        """Return the number of a leaf."""
        if key not in self.leaves:
            self.leaves[key] = len(self.nodes)
            self.nodes.append(Node(None))
        return self.leaves[key]

    def constant(self, value: Any) -> int:
        """Return a number that is the same in all launches."""
        return self.node(("constant", str(value.dtype), value.tobytes()), lambda: value)

    def any(self, key: Hashable, of: Any, *places: int) -> int:
        """Return numbers of a type of which nothing is known: other ones at other places."""
        salt = sum(map(ord, str(key))) & 0xFFFFFFFF

        def compute(row: Any, *at: Any) -> Any:
            h = row * np.int64(31) + sum(p.astype(np.int64) * (n + 7) for n, p in enumerate(at))
            return _anything(mix(np.asarray(h), salt), of)

        return self.node(("any", key, of.name), compute, self.leaf("row"), *places)

    def is_any(self, number: int) -> bool:
        """Whether a node gives any numbers, see `any`."""
        key: Any = self.nodes[number].key
        return isinstance(key, tuple) and key[0] == "any" and key[1] != "undefined"

    def roots(self, a: int, b: int) -> Iterator[tuple[int, int]]:
        """Yield two nodes, and pairs of those that they are computed of in the same way."""
        work, seen = [(a, b)], set[tuple[int, int]]()
        while work:
            pair = work.pop()
            if pair[0] == pair[1] or pair in seen:
                continue
            seen.add(pair)
            yield pair
            x, y = (self.nodes[n] for n in pair)
            if x.key == y.key and len(x.of) == len(y.of):
                work += zip(x.of, y.of, strict=True)

    def needed(self, wanted: Iterable[int]) -> list[int]:
        """Return the nodes that some are computed of, with these, in order."""
        seen: set[int] = set()
        work = list(wanted)
        while work:
            number = work.pop()
            if number not in seen:
                seen.add(number)
                work += self.nodes[number].of
        return sorted(seen)


def computed(graph: Graph, wanted: Iterable[int], leaves: dict[int, Any]) -> dict[int, Any]:
    """Return the values of nodes and of what they are made of, where those of leaves are known."""
    values = dict(leaves)
    with np.errstate(all="ignore"):
        for number in graph.needed(wanted):
            node = graph.nodes[number]
            if number not in values and node.compute is not None:
                values[number] = node.compute(*(values[o] for o in node.of))
    return values


def _anything(h: Any, of: Any) -> Any:
    if of.width == 1:
        return (h & np.uint32(1)).astype(np.bool_)
    if of.is_float:
        spread = (h.astype(np.float64) / 2.0**32 - 0.5) * 8
        return of.round(spread.astype(np.float64 if of.width == 64 else np.float32))
    small = (h & np.uint32(15)).astype(np.int64)
    wide = (h.astype(np.int64) << np.int64(33)) >> np.int64(33)
    return of.wrap(np.where((h >> np.uint32(28)) < 10, small, wide).astype(of.carrier))


def differ(a: Any, b: Any, of: Any) -> Any:
    """Return where two values have other bits; one NaN is as good as another."""
    if not of.is_float:
        return a != b
    return (of.to_bits(np.asarray(a)) != of.to_bits(np.asarray(b))) & ~(np.isnan(a) & np.isnan(b))


def all_of(conditions: Sequence[Any]) -> Any:
    """Return where all of some conditions hold."""
    found: Any = np.bool_(True)
    for condition in conditions:
        found = found & condition
    return found
