# NumPy arrays of any element type: pyright cannot follow them.
# pyright: basic
"""
What a graph computes where floats that are loaded may be any numbers.

Some places in some launches are the rows, thousands of floats at each the columns: what does not
depend on floats is computed once for each place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from xtriton.interpreter.arguments import FIRST_REGION
from xtriton.interpreter.memory import REGION_BITS, region_base
from xtriton.judge.launches.draws import Launches
from xtriton.judge.samples.graphs import Graph, all_of
from xtriton.semantics import Element, element


@dataclass(frozen=True)
class Input:
    """
    A float that may be anything: what a load gives, or an argument.

    place, other, masks: the nodes of a load; argument: the position, of what is no load.
    """

    node: int
    of: Element
    place: int | None = None
    other: int | None = None
    masks: tuple[int, ...] = ()
    argument: int = 0


def inputs_of(graph: Graph, order: Sequence[int], launches: Launches) -> list[Input]:
    """Return the floats among some nodes that may be anything."""
    found: list[Input] = []
    for number in order:
        node = graph.nodes[number]
        key: Any = node.key
        if name_of(key) == "load" and element(key[1]).is_float:
            _, place, other, *masks = node.of
            found.append(Input(number, element(key[1]), place, other, tuple(masks)))
    among = set(order)
    for key, number in graph.leaves.items():
        if key[0] != "argument" or number not in among or key[1] in launches.given:
            continue
        parameter: Any = launches.known[key[1]]
        if not parameter.is_memory and parameter.info.scalar.is_float:
            found.append(Input(number, parameter.info.scalar, argument=key[1]))
    return found


def moving(graph: Graph, order: Sequence[int], inputs: Sequence[Input]) -> set[int]:
    """Return the nodes that depend on floats that may be anything, with these."""
    found = {i.node for i in inputs}
    for number in order:
        if any(o in found for o in graph.nodes[number].of):
            found.add(number)
    return found


class FloatValues:
    """
    Computes nodes for floats that are tried.

    fixed: what all nodes are where floats are zeros, one number for each place, or one for all.
    Loads that read the same number everywhere are one of the `inputs`.
    """

    def __init__(
        self, graph: Graph, order: Sequence[int], inputs: list[Input], fixed: dict[int, Any]
    ):
        self.graph, self.order = graph, order
        self.moving = moving(graph, order, inputs)
        self.fixed = {n: v[:, np.newaxis] if np.ndim(v) == 1 else v for n, v in fixed.items()}
        self.inputs: list[Input] = []
        self.alike: dict[int, tuple[Input, int]] = {}
        """Loads that are no inputs, and those that read the same number."""
        for i in inputs:
            same = next((k for k in self.inputs if self._read_same(i, k)), None)
            if same is None:
                self.inputs.append(i)
            else:
                self.alike[i.node] = (i, same.node)

    def _read_same(self, one: Input, other: Input) -> bool:
        if one.place is None or other.place is None or one.of is not other.of:
            return False
        return bool(np.all(self.fixed[one.place] == self.fixed[other.place]))

    def of(self, tried: list[Any], wanted: Sequence[int] | None = None) -> dict[int, Any]:
        """Return the values of nodes, or of those `wanted`, for numbers of each input."""
        # Memory of launches knows one number for each of them.
        values = {
            n: v for n, v in self.fixed.items() if n not in self.moving and hasattr(v, "dtype")
        }
        inputs = {i.node: (i, t) for i, t in zip(self.inputs, tried, strict=True)}
        held: dict[int, Any] = {}
        known: list[tuple[Any, Any]] = []
        order = self.order if wanted is None else self.graph.needed((*wanted, *inputs))
        with np.errstate(all="ignore"):
            for number in order:
                if number in values or number not in self.moving:
                    continue
                if number in inputs:
                    i, some = inputs[number]
                    held[number] = _one_per_place(i, some, values, known)
                    values[number] = _loaded(i, held[number], values)
                elif number in self.alike:
                    i, other = self.alike[number]
                    values[number] = _loaded(i, held[other], values)
                else:
                    values[number] = self._computed(number, values)
        return values

    def _computed(self, number: int, values: dict[int, Any]) -> Any:
        node = self.graph.nodes[number]
        if node.compute is None or name_of(node.key) == "load":
            return self.fixed[number]
        return node.compute(*(values[o] for o in node.of))

    def placed(self, row: int, numbers: list[Any]) -> Iterator[tuple[int, int, int]]:
        """Yield what memory holds at one place: argument, element there, bits."""
        for i, number in zip(self.inputs, numbers, strict=True):
            if i.place is None or not self._at(row, all_of([self.fixed[m] for m in i.masks])):
                continue
            address = int(self._at(row, self.fixed[i.place]))
            region = address >> REGION_BITS
            bits = int(i.of.to_bits(np.asarray(number)).reshape(-1)[0])
            yield region - FIRST_REGION, (address - region_base(region)) // i.of.size, bits

    def _at(self, row: int, value: Any) -> Any:
        flat = np.asarray(value).reshape(-1)
        return flat[row if flat.size > 1 else 0]


def _one_per_place(i: Input, some: Any, values: dict[int, Any], known: list[Any]) -> Any:
    """Return what memory holds where a load reads: what loads before read, if it is there."""
    if i.place is None:
        return some
    place = values[i.place]
    for other, number in known:
        if np.any(other == place):
            some = np.where(other == place, number, some)
    known.append((place, some))
    return some


def _loaded(i: Input, held: Any, values: dict[int, Any]) -> Any:
    """Return what a load gives where memory holds numbers: a mask may be off."""
    on = all_of([values[m] for m in i.masks])
    return held if i.other is None or np.all(on) else np.where(on, held, values[i.other])


def name_of(key: Any) -> Any:
    """Return what a node is called."""
    return key[0] if isinstance(key, tuple) else key
