# NumPy arrays of any element type: pyright cannot follow them.
# pyright: basic
"""
Kernels as graphs, see `graphs`: what is seen of one lane from outside.

That is accesses to memory, assertions, and what is given to ops that see all lanes.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.ir import Block, Operation, SSAValue

from xtriton.interpreter.arguments import FIRST_REGION
from xtriton.interpreter.memory import REGION_BITS
from xtriton.interpreter.overflow import address_arithmetic, lost_bits
from xtriton.interpreter.types import attribute, info
from xtriton.interpreter.undefined import undefined_lanes
from xtriton.ir.value_flow import bounds_of, initial_values
from xtriton.judge.launches.kernel_facts import argument_behind
from xtriton.judge.samples.graphs import MOST_OFFSET, TURNS, Graph, NoGraph
from xtriton.judge.samples.lane_accesses import ACCESSES
from xtriton.judge.samples.lane_values import LaneValues
from xtriton.semantics import Element

MOST_TURNS = 512
"""Of a loop, in a launch that is worth a try."""

MOST_NUMBER = np.int64(1 << 61)
"""In address arithmetic: beyond it, what a pass adds to a bound may overflow."""

ASSERTIONS = ("tt.assert", "llvm.intr.assume")


@dataclass(frozen=True)
class Effect:
    """
    What is seen of a kernel from outside, or by what sees all lanes: an access, or values alone.

    place: the address, for accesses; mask: where it takes place; path: which branches lead there.
    """

    kind: tuple[Any, ...]
    place: int | None
    mask: tuple[int, ...]
    values: tuple[tuple[int, Element], ...]
    path: tuple[int, ...]

    def nodes(self) -> set[int]:
        """Return the nodes of all that is known of it."""
        place = () if self.place is None else (self.place,)
        return {*place, *self.mask, *self.path, *(value for value, _ in self.values)}


class Lanes(LaneValues):
    """
    The values and effects of one kernel, as nodes of a graph.

    fine: what holds in a launch that decides something, on each lane; defined: that what ops give
    is defined, on a lane that decides something. Both are known if they are `wanted`.
    """

    most_turns = MOST_TURNS
    most_number = MOST_NUMBER

    def __init__(self, graph: Graph, function: Operation, wanted: bool = False):
        super().__init__(graph, function)
        self.effects: list[Effect] = []
        self.fine: list[int] = []
        self.defined: list[int] = []
        self.wanted = wanted
        module = function
        while (parent := module.parent_op()) is not None:
            module = parent
        self.offsets = address_arithmetic(module) if wanted else set[Operation]()
        self.path: tuple[int, ...] = ()
        self._function()

    def _function(self) -> None:
        paths: dict[Block, tuple[int, ...]] = {}
        for block in self.function.regions[0].blocks:
            self.path = paths.get(block, ())
            self.block(block)
            last = block.last_op
            if last is None or last.name != "cf.cond_br":
                continue
            with suppress(NoGraph):
                condition = self.at(last.operands[0], ())
                sides = (condition, self.negated(condition))
                for successor, side in zip(last.successors, sides, strict=True):
                    paths.setdefault(successor, (*self.path, side))

    def negated(self, condition: int) -> int:
        return self.graph.node("not", np.logical_not, condition)

    def count(self, kind: str) -> int:
        """Return how many effects of a kind there are."""
        return sum(effect.kind[0] == kind for effect in self.effects)

    def block(self, block: Block) -> None:
        """Take in the ops of a block."""
        for op in block.ops:
            with suppress(NoGraph):
                self.op(op)

    def op(self, op: Operation) -> None:
        """Take in one op: its effects, and what holds where it decides something."""
        if op.name in ACCESSES:
            self.access(op)
        elif op.name in ASSERTIONS:
            self.assertion(op)
        elif op.name == "scf.for":
            self.loop(op)
        elif op.name == "scf.if":
            self.branch(op)
        elif op.regions or not self.is_known(op):
            self.see(op, op.operands)
            for region in op.regions if op.name.startswith("scf.") else ():
                for inner in region.blocks:
                    self.block(inner)
        for result in op.results:
            known = info(result.type)
            if known.kind in ("scalar", "tensor") and not op.regions:
                # In order, so that what is computed of it later has not far to go.
                self.at(result, self.places(known.shape))
        if self.wanted:
            self.decide(op)

    def see(self, op: Operation, operands: Sequence[SSAValue], kind: str = "") -> None:
        """Note what an op is given that no lane alone decides the results of."""
        for k, operand in enumerate(operands):
            known = info(operand.type)
            if known.kind not in ("scalar", "tensor") or known.element is None:
                continue
            with suppress(NoGraph):
                value = self.at(operand, self.places(known.shape))
                seen = (kind or op.name, k, known.shape)
                self.effects.append(Effect(seen, None, (), ((value, known.scalar),), self.path))

    def assertion(self, op: Operation) -> None:
        known = info(op.operands[0].type)
        value = self.at(op.operands[0], self.places(known.shape))
        self.effects.append(
            Effect(("assert", known.shape), None, (), ((value, known.scalar),), self.path)
        )
        if self.wanted:
            self.fine.append(self.implied(self.path, value))

    def implied(self, path: tuple[int, ...], value: int) -> int:
        """Return a node that holds where a path is not taken, or a value holds."""
        for condition in path:
            value = self.graph.node("implies", lambda a, b: ~a | b, condition, value)
        return value

    def decide(self, op: Operation) -> None:
        """Note what holds of an op of the original's in launches that decide something."""
        with suppress(NoGraph):
            undefined = undefined_lanes(op) if op.results else None
            if undefined is not None:
                places = self.places(info(op.results[0].type).shape)
                types = tuple(info(v.type).scalar.name for v in (*op.operands, op.results[0]))
                defined = self.graph.node(
                    ("is defined", op.name, types),
                    lambda *x: np.logical_not(undefined(*x)),
                    *(self.at(x, places) for x in op.operands),
                )
                self.defined.append(self.implied(self.path, defined))
            if op in self.offsets and info(op.results[0].type).scalar.width > 1:
                places = self.places(info(op.results[0].type).shape)
                lost, most = lost_bits(op), self.most_number
                of = [self.at(x, places) for x in (*op.operands, op.results[0])]
                kept = self.graph.node(
                    ("keeps", op.name, info(op.results[0].type).scalar.name),
                    lambda *x: np.logical_not(lost(*x)) & (np.abs(x[-1]) < most),
                    *of,
                )
                self.fine.append(self.implied(self.path, kept))

    def loop(self, op: Operation) -> None:
        """Take in the body of a loop, in some turn of it."""
        self.see(op, bounds_of(op))
        self.see(op, initial_values(op), "carried in")
        before = self.path
        turns = self.turns(op)
        turn = self.graph.leaf(TURNS, self.ordinals[op])
        inside = self.graph.node("below", lambda a, b: a < b, turn, turns)
        if self.wanted:
            most = self.most_turns
            few = self.graph.node("few turns", lambda n: n <= most, turns)
            self.fine.append(self.implied(self.path, few))
        self.path = (*before, inside)
        body = op.regions[0].block
        self.block(body)
        if body.last_op is not None:
            self.see(body.last_op, body.last_op.operands, "carried")
        self.path = before

    def branch(self, op: Operation) -> None:
        """Take in both sides of a branch."""
        self.see(op, op.operands)
        before = self.path
        condition = self.at(op.operands[0], ())
        for region, side in zip(op.regions, (condition, self.negated(condition)), strict=True):
            self.path = (*before, side)
            for inner in region.blocks:
                self.block(inner)
        self.path = before

    def access(self, op: Operation) -> None:
        """Note what an op reads or writes, and where."""
        kind = ACCESSES[op.name]
        value = getattr(op, "value", None)
        if kind == "rmw" and op.name.startswith("tt."):
            value = op.operands[1]
        known = info(op.results[0].type if kind == "load" else value.type)  # pyright: ignore[reportOptionalMemberAccess]
        place, mask = self.reached(op, self.places(known.shape))
        values = ()
        if value is not None and kind != "load":
            values = ((self.at(value, self.places(known.shape)), known.scalar),)
        said = str(attribute(op, "atomic_rmw_op")) if kind == "rmw" else ""
        kinds = (kind, known.shape, said)
        self.effects.append(Effect(kinds, place, mask, values, self.path))
        if self.wanted:
            argument = argument_behind(op.operands[0], self.function)
            region = None if argument is None else FIRST_REGION + argument
            near = self.graph.node(("near", region), _is_near(region), place)
            self.fine.append(self.implied((*self.path, *mask), near))


def _is_near(region: int | None) -> Any:
    """Return what tells whether an address lies in some memory, not too far from its begin."""

    def is_near(place: Any) -> Any:
        offset = (place & np.int64((1 << REGION_BITS) - 1)) - np.int64(1 << REGION_BITS - 1)
        near = np.abs(offset) < MOST_OFFSET
        return near if region is None else near & (place >> np.int64(REGION_BITS) == region)

    return is_near
