# NumPy arrays of any element type: pyright cannot follow them.
# pyright: basic
"""Where accesses of one lane reach memory, as nodes of a graph, see `graphs`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from xdsl.ir import Operation, SSAValue

from xtriton.interpreter.rules.linalg_operands import evaluate
from xtriton.interpreter.rules.memref import DYNAMIC
from xtriton.interpreter.types import attribute, info, integer, integers
from xtriton.judge.samples.graphs import Graph, NoGraph

Places = tuple[int, ...]
"""The nodes that say at which lane of a tensor a value is, one for each dimension."""

ACCESSES = {
    "tt.load": "load", "tts.load": "load", "tts.masked_load": "load", "tts.gather": "load",
    "tt.store": "store", "tts.store": "store", "tts.masked_store": "store",
    "tts.scatter": "store", "tt.atomic_rmw": "rmw", "tts.atomic_rmw": "rmw",
    "tts.unstructured_atomic_rmw": "rmw",
}  # fmt: skip
"""What ops do with memory, as far as lanes tell."""

POINTERS = ("tts.make_tptr", "tts.make_gather_scatter_tptr", "tts.make_affine_tptr")


class LaneAccesses:
    """The places that accesses reach at some lane, of Triton and of structured Triton."""

    graph: Graph

    def at(self, value: SSAValue, places: Places) -> int:
        """Return a value at a lane."""
        raise NotImplementedError

    def reached(self, op: Operation, places: Places) -> tuple[int, tuple[int, ...]]:
        """Return the address that an access reaches at some lane, and where it takes place."""
        shape = len(places)
        if op.name.startswith("tt."):
            if info(op.operands[0].type).kind not in ("scalar", "tensor"):
                raise NoGraph(op.name)
            mask = getattr(op, "mask", None)
            masks = () if mask is None else (self.at(mask, self.inside(mask, places)),)
            return self.at(op.operands[0], places), masks
        mask = getattr(op, "mask", None)
        masks = () if mask is None else (self.at(mask, self.inside(mask, places)),)
        if op.name in ("tts.gather", "tts.scatter", "tts.unstructured_atomic_rmw"):
            offset = self.at(op.operands[1], places)
            size = size_of(op.operands[0])
            base = self.at(op.operands[0], places if info(op.operands[0].type).rank else ())
            place = self.graph.node(("at offset", size), at_offset(size), base, offset)
            return place, masks
        if len(places) != shape:
            raise NoGraph(op.name)
        place, own = self.block_pointer(op.operands[0], places)
        if op.name in ("tts.load", "tts.store"):
            return place, (*own, *self._below(op, places, bool(own)))
        return place, (*own, *self._window(op, places), *masks)

    def inside(self, value: SSAValue, places: Places) -> Places:
        """Return the lane of a value that is a tensor or a number for all lanes."""
        return places if info(value.type).rank else ()

    def block_pointer(self, pointer: SSAValue, places: Places) -> tuple[int, tuple[int, ...]]:
        """Return the address that a pointer to a block has at some lane, and its own mask."""
        op = pointer.owner
        if isinstance(op, Operation) and op.name in POINTERS:
            return self.pointed(op, places)
        if info(pointer.type).kind in ("scalar", "tensor"):
            return self.at(pointer, self.inside(pointer, places)), ()
        raise NoGraph("a pointer from elsewhere")

    def pointed(self, op: Any, places: Places) -> tuple[int, tuple[int, ...]]:
        """Return the address that an op of structured Triton makes for a lane, and its mask."""
        size = size_of(op.results[0])
        rank = len(places)
        base = self.at(op.operands[0], ())
        if op.name == "tts.make_affine_tptr":
            symbols = [self.wide(o) for o in op.operands[1:]]
            map: Any = attribute(op, "map")
            expression = map.data.results[0]

            def at(start: Any, *of: Any) -> Any:
                lanes, rest = list(of[:rank]), list(of[rank:])
                return start + np.asarray(evaluate(expression, lanes, rest)) * np.int64(size)

            key = ("affine", expression, size, rank)
            return self.graph.node(key, at, base, *places, *symbols), ()
        strides = self._entries(integers(op, "static_strides"), iter(op.strides))
        offsets = self._entries(integers(op, "static_offsets"), iter(op.offsets))
        if op.name == "tts.make_tptr":
            shape = self._entries(integers(op, "static_shape"), iter(op.shape))
            wraps = not integers(op, "order")
            place = base
            for parts in zip(places, strides, offsets, shape, strict=True):
                key = ("strided", size, wraps)
                place = self.graph.node(key, _strided(size, wraps), place, *parts)
            return place, ()
        along = integer(op, "gather_scatter_dim")
        row = self.at(op.gather_scatter_offset, (places[along],))
        row = self.graph.node("i64", _as_wide, row)
        zero = self.graph.constant(np.int64(0))
        place = base
        for d, (stride, offset) in enumerate(zip(strides, offsets, strict=True)):
            parts = (row, stride, zero) if d == along else (places[d], stride, offset)
            place = self.graph.node(("strided", size), _strided(size, False), place, *parts, zero)
        mask = op.gather_scatter_mask
        return place, () if mask is None else (self.at(mask, (places[along],)),)

    def wide(self, value: SSAValue) -> int:
        """Return a number in 64 bits."""
        return self.graph.node("i64", _as_wide, self.at(value, ()))

    def _entries(self, static: Sequence[int], dynamic: Iterator[SSAValue]) -> list[int]:
        return [
            self.wide(next(dynamic)) if n == DYNAMIC else self.graph.constant(np.int64(n))
            for n in static
        ]

    def _below(self, op: Any, places: Places, own: bool) -> Iterator[int]:
        static = integers(op, "static_mask_dims")
        bounds = self._entries(static, iter(op.mask_dims))
        for place, bound, n in zip(places, bounds, static, strict=False):
            if not (own and n == 0):
                yield self.graph.node("below", lambda a, b: a < b, place, bound)

    def _window(self, op: Any, places: Places) -> Iterator[int]:
        low = self._entries(integers(op, "static_starts"), iter(op.starts))
        high = self._entries(integers(op, "static_ends"), iter(op.ends))
        for place, a, b in zip(places, low, high, strict=False):
            yield self.graph.node("not below", lambda x, y: x >= y, place, a)
            yield self.graph.node("below", lambda x, y: x < y, place, b)


def size_of(pointer: SSAValue) -> int:
    """Return the bytes of what a pointer, or each of many, points to."""
    known = info(pointer.type)
    of = known.pointee if known.kind in ("scalar", "tensor") else known.element
    if of is None:
        raise NoGraph(str(pointer.type))
    return of.size


def _as_wide(x: Any) -> Any:
    return x.astype(np.int64)


def at_offset(size: int) -> Any:
    """Return what moves an address by some elements of a size."""
    return lambda base, offset: base + offset.astype(np.int64) * np.int64(size)


def _strided(size: int, wraps: bool) -> Any:
    """Return what adds to an address what a place along a dimension is worth."""

    def add(address: Any, place: Any, stride: Any, offset: Any, bound: Any) -> Any:
        term = offset + place * stride
        if wraps and np.any(bound != 0):
            term = np.where(bound != 0, np.fmod(term, np.where(bound == 0, 1, bound)), term)
        return address + term * np.int64(size)

    return add
