# NumPy arrays of any element type: pyright cannot follow them.
# pyright: basic
"""The values of a kernel as nodes of a graph, see `graphs`: each at some lane of its tensor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Block, Operation, Region, SSAValue

from xtriton.interpreter.arguments import parameters
from xtriton.interpreter.effects import user_parameters
from xtriton.interpreter.rules.arith import computed
from xtriton.interpreter.types import attribute, dense_array, info, integer, integers
from xtriton.ir.value_flow import bounds_of, initial_values, is_inside
from xtriton.judge.samples.graphs import LANES, TURNS, Graph, NoGraph
from xtriton.judge.samples.lane_accesses import (
    ACCESSES,
    POINTERS,
    LaneAccesses,
    Places,
    at_offset,
    size_of,
)

_CHOOSING = frozenset(
    ("arith.maxnumf", "arith.minnumf", "arith.maximumf", "arith.minimumf", "arith.maxsi",
     "arith.minsi", "arith.maxui", "arith.minui", "arith.andi", "arith.ori")
)  # fmt: skip
"""Ops of combiners that give what all lanes are, if they are the same."""

_SAME = ("tt.splat", "ttg.convert_layout", "tt.unsplat")
_LEAVES = ("arith.constant", "tt.make_range", "tt.get_program_id", "tt.get_num_programs")
_MOVED = ("tt.broadcast", "tt.expand_dims", "tt.trans", "tt.reshape", "tensor.collapse_shape",
          "tensor.expand_shape")  # fmt: skip
_CASTS = ("tt.bitcast", "tt.int_to_ptr", "tt.ptr_to_int")


class LaneValues(LaneAccesses):
    """The values of one kernel, as nodes of a graph."""

    def __init__(self, graph: Graph, function: Operation):
        self.graph, self.function = graph, function
        self.entry = function.regions[0].blocks[0]
        self.taken = len(user_parameters(function, parameters(function)))
        self.known: dict[tuple[SSAValue, Places], int] = {}
        self.ordinals: dict[Operation, int] = {}
        count: Counter[str] = Counter()
        for op in function.walk():
            self.ordinals[op] = count[op.name]
            count[op.name] += 1

    def is_known(self, op: Operation) -> bool:
        """Whether the results of an op follow from lanes of its operands."""
        if op.name in _SAME or op.name in _MOVED or op.name in _LEAVES or op.name in POINTERS:
            return True
        if not op.results:
            return False
        try:
            computed(op)
        except (KeyError, Exception):
            return op.name in ("arith.select", "tt.addptr")
        return True

    def places(self, shape: Sequence[int]) -> Places:
        """Return the lane of a tensor that is looked at."""
        found: list[int] = []
        for d, n in enumerate(shape):
            if n == 1:
                found.append(self.graph.constant(np.int64(0)))
                continue
            part = self.graph.leaf(LANES, d)
            found.append(self.graph.node(("lane", n), _lane(n), part))
        return tuple(found)

    def at(self, value: SSAValue, places: Places) -> int:
        """Return a value at a lane."""
        key = (value, places)
        found = self.known.get(key)
        if found is None:
            owner = value.owner
            if info(value.type).element is None:
                raise NoGraph(str(value.type))
            made = self._argument if isinstance(owner, Block) else self._result
            found = self.known[key] = made(value, places)
        return found

    def _argument(self, value: Any, places: Places) -> int:
        block = value.owner
        if block is self.entry and info(value.type).kind == "tensor":
            # Only tests hand whole tensors over; launches that are sought have none.
            raise NoGraph("an argument that is a tensor")
        if block is self.entry:
            return self.graph.leaf(*self._given(value.index))
        parent = block.parent_op()
        if parent is None or parent.name != "scf.for":
            return self.unknown(parent or self.function, value.index, value, places)
        if value.index == 0:
            low, step = self.at(parent.operands[0], ()), self.at(parent.operands[2], ())
            turn = self.graph.leaf(TURNS, self.ordinals[parent])
            carrier = info(value.type).scalar.carrier

            def index(a: Any, by: Any, n: Any) -> Any:
                return (a.astype(np.int64) + by.astype(np.int64) * n).astype(carrier)

            return self.graph.node(("index", str(carrier)), index, low, step, turn)
        turn = self.graph.leaf(TURNS, self.ordinals[parent])
        return self.carried(parent, value.index - 1, places, turn)

    def _given(self, index: int) -> tuple[str, int]:
        """Return which leaf an argument of the kernel is: lowered ones take the grid at the end."""
        beyond = index - self.taken
        if beyond < 0:
            return "argument", index
        return ("tt.get_num_programs", beyond) if beyond < 3 else ("tt.get_program_id", beyond - 3)

    def carried(self, loop: Operation, k: int, places: Places, turn: int) -> int:
        """Return what a loop carries where so many of its turns are over."""
        value: Any = loop.regions[0].block.args[k + 1]
        before = self.at(initial_values(loop)[k], places)
        last: Any = loop.regions[0].block.last_op
        step: Any = last.operands[k].owner
        of = info(value.type).scalar
        if last.operands[k] is value:
            return before
        if isinstance(step, Operation) and step.name in ("tt.addptr", "arith.addi"):
            a, b = step.operands
            if b is value and step.name == "arith.addi":
                a, b = b, a
            if a is value and _is_outside(b, loop):
                by = self.at(b, self.inside(b, places))
                size = size_of(value) if step.name == "tt.addptr" else 1

                def advanced(start: Any, more: Any, n: Any) -> Any:
                    total = start.astype(np.int64) + more.astype(np.int64) * (n * size)
                    return of.wrap(total.astype(of.carrier))

                return self.graph.node(("advanced", size, of.name), advanced, before, by, turn)
        other = self.unknown(loop, k + 1, value, places)
        return self.graph.node(
            "first turn", lambda n, a, b: np.where(n <= 0, a, b), turn, before, other
        )

    def unknown(self, op: Operation, k: int, value: SSAValue, places: Places) -> int:
        """Return a value of which nothing is known, the same in both kernels."""
        key = (op.name.rpartition(".")[2], self.ordinals.get(op, 0), k)
        return self.graph.any(key, info(value.type).scalar, *places)

    def _result(self, value: Any, places: Places) -> int:
        op: Any = value.owner
        known = info(value.type)
        if op.name in ACCESSES:
            return self.loaded(op, value, places)
        if op.name == "scf.if" and len(op.regions) == 2:
            sides = [self._last(r).operands[value.index] for r in op.regions]
            condition = self.at(op.operands[0], ())
            return self.graph.node(
                "select", np.where, condition, *(self.at(s, places) for s in sides)
            )
        if op.name == "scf.for":
            return self.carried(op, value.index, places, self.turns(op))
        if op.name in _LEAVES:
            return self._leaf(op, value, places)
        if op.name == "tt.addptr":
            size = size_of(value)
            of = [self.at(o, places) for o in op.operands]
            return self.graph.node(("at offset", size), at_offset(size), *of)
        if op.name in POINTERS:
            return self.pointed(op, places)[0]
        if op.name in _SAME or (op.name in _CASTS and known.scalar.name == "ptr"):
            source = info(op.operands[0].type)
            zero = self.graph.constant(np.int64(0))
            inner = places if source.rank == len(places) else (zero,) * source.rank
            return self.at(op.operands[0], inner)
        if op.name in _MOVED:
            return self.at(op.operands[0], self.moved(op, places))
        if len(op.results) == 1 and not op.regions:
            return self.elementwise(op, value, places)
        if op.name == "tt.reduce" and len(op.operands) == 1:
            return self.reduced(op, value, places)
        return self.unknown(op, value.index, value, places)

    def reduced(self, op: Operation, value: Any, places: Places) -> int:
        """Return a sum or the like: what all lanes are, if the first, the last and another are."""
        other = self.unknown(op, value.index, value, places)
        before, axis = info(op.operands[0].type), integer(op, "axis")
        kinds = {inner.name for inner in op.regions[0].block.ops}
        adds = bool(kinds & {"arith.addf", "arith.addi"})
        if not adds and not kinds & _CHOOSING:
            return other
        ends = [self.graph.constant(np.int64(k)) for k in (0, before.shape[axis] - 1)]
        lanes = [*ends, self.places(before.shape)[axis]]
        try:
            of = [self.at(op.operands[0], (*places[:axis], x, *places[axis:])) for x in lanes]
        except NoGraph:
            return other

        def chosen(unknown: Any, *at: Any) -> Any:
            same = (at[0] == at[1]) & (at[0] == at[2])
            return np.where(same & (at[0] == 0) if adds else same, at[0], unknown)

        return self.graph.node(("reduced", adds), chosen, other, *of)

    def _last(self, region: Region) -> Operation:
        last = region.block.last_op
        if last is None:
            raise NoGraph("a block without an end")
        return last

    def elementwise(self, op: Operation, value: Any, places: Places) -> int:
        """Return what an op computes of the same lane of its operands."""
        if op.name == "arith.select":
            of = [self.at(o, self.inside(o, places)) for o in op.operands]
            return self.graph.node("select", np.where, *of)
        try:
            compute = computed(op)
        except Exception:
            return self.unknown(op, value.index, value, places)
        of = [self.at(o, self.inside(o, places)) for o in op.operands]
        said = tuple(sorted({**op.attributes, **op.properties}.items(), key=lambda x: x[0]))
        types = tuple(info(v.type).scalar.name for v in (*op.operands, value))
        return self.graph.node((op.name, said, types), compute, *of)

    def loaded(self, op: Operation, value: Any, places: Places) -> int:
        """Return what lies in memory where a load reads; what an atomic hands out is unknown."""
        of = info(value.type).scalar
        other: Any = getattr(op, "other", None)
        if ACCESSES[op.name] != "load":
            return self.unknown(op, 0, value, places)
        try:
            place, masks = self.reached(op, places)
        except NoGraph:
            return self.unknown(op, 0, value, places)
        if other is None:
            fill = self.graph.any("undefined", of, *places)
        else:
            fill = self.at(other, self.inside(other, places))
        memory = self.graph.leaf("memory")

        def load(held: Any, at: Any, otherwise: Any, *on: Any) -> Any:
            return held.load(at, of, otherwise, on)

        return self.graph.node(("load", of.name), load, memory, place, fill, *masks)

    def _leaf(self, op: Operation, value: Any, places: Places) -> int:
        known = info(value.type)
        match op.name:
            case "arith.constant":
                held: Any = attribute(op, "value")
                if not isinstance(held, DenseIntOrFPElementsAttr):
                    return self.graph.constant(known.scalar.constant(held.value.data))
                table = dense_array(held)
                if table.size == 1 or table.strides == (0,) * table.ndim:
                    return self.graph.constant(table.reshape(-1)[0])
                key = ("table", table.tobytes(), str(table.dtype), table.shape)
                return self.graph.node(key, lambda *at: table[tuple(at)], *places)
            case "tt.make_range":
                start = np.int64(integer(op, "start"))
                return self.graph.node(
                    ("range", int(start)), lambda at: (at + start).astype(np.int32), *places
                )
            case _:
                return self.graph.leaf(op.name, integer(op, "axis"))

    def moved(self, op: Operation, places: Places) -> Places:
        """Return which lane of its operand an op gives at a lane of its result."""
        before, after = info(op.operands[0].type).shape, info(op.results[0].type).shape
        zero = self.graph.constant(np.int64(0))
        match op.name:
            case "tt.broadcast":
                return tuple(zero if n == 1 else p for n, p in zip(before, places, strict=True))
            case "tt.expand_dims":
                axis = integer(op, "axis")
                return places[:axis] + places[axis + 1 :]
            case "tt.trans":
                order = integers(op, "order")
                return tuple(places[list(order).index(d)] for d in range(len(before)))
            case _:
                # Where lanes may be reordered, the interpreter leaves them in order.
                found = list[int]()
                for d, n in enumerate(before):
                    inner = prod(before[d + 1 :])

                    def split(*at: Any, n: int = n, inner: int = inner) -> Any:
                        total = np.int64(0)
                        for size, x in zip(after, at, strict=True):
                            total = total * size + x
                        return total // inner % n

                    key = ("split", after, n, inner)
                    found.append(self.graph.node(key, split, *places))
                return tuple(found)

    def turns(self, op: Operation) -> int:
        """Return how often a loop runs."""
        low, high, step = (self.at(o, ()) for o in bounds_of(op))

        def count(a: Any, b: Any, by: Any) -> Any:
            a, b, by = (np.asarray(x).astype(np.int64) for x in (a, b, by))
            positive = np.where(by > 0, by, 1)
            return np.where((b > a) & (by > 0), -((a - b) // positive), 0)

        return self.graph.node("turns", count, low, high, step)


def _is_outside(value: SSAValue, loop: Operation) -> bool:
    """Whether a value is the same in all turns of a loop."""
    owner = value.owner
    is_constant = isinstance(owner, Operation) and owner.name == "arith.constant"
    return is_constant or not is_inside(value, loop)


def _lane(n: int) -> Any:
    return lambda part: (part * n).astype(np.int64)
