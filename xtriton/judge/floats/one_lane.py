# NumPy arrays of any element type: pyright cannot follow them.
# pyright: basic
"""
Kernels as graphs, see `lanes`, where memory holds zeros but for what one lane reads.

There a sum is what that lane adds, what the first lane adds, and what all the others add because
of something else than floats in memory; a product of matrices is one product. So what is stored
may be computed without computing all lanes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.ir import Operation

from xtriton.interpreter.types import attribute, info, integer
from xtriton.ir.value_flow import initial_values
from xtriton.judge.samples.graphs import LANES, TURNS, NoGraph
from xtriton.judge.samples.lane_accesses import Places
from xtriton.judge.samples.lanes import Lanes
from xtriton.semantics import Element

_ADDING = ("arith.addf", "arith.addi")
_COMBINED = {
    "arith.maxnumf": np.fmax, "arith.minnumf": np.fmin, "arith.maximumf": np.maximum,
    "arith.minimumf": np.minimum, "arith.maxsi": np.maximum, "arith.minsi": np.minimum,
    **dict.fromkeys(_ADDING, np.add),
}  # fmt: skip
"""What combiners with a single op compute."""


class OneLane(Lanes):
    """The values and effects of one kernel, of which few lanes read other floats than zeros."""

    def reduced(self, op: Operation, value: Any, places: Places) -> int:
        return self.unknown(op, value.index, value, places)

    def unknown(self, op: Operation, k: int, value: Any, places: Places) -> int:
        try:
            if op.name in ("tt.reduce", "tt.scan") and len(op.operands) == 1:
                return self.combined(op, value, places)
            if op.name == "tt.dot" and info(value.type).scalar.is_float and len(places) == 2:
                return self.multiplied(op, value, places)
        except NoGraph:
            pass
        return super().unknown(op, k, value, places)

    def combined(self, op: Operation, value: Any, places: Places) -> int:
        """Return what a reduction or scan makes of the first lane, this one and the others."""
        inner = list(op.regions[0].block.ops)
        combine: Any = _COMBINED.get(inner[0].name)
        reverse = op.name == "tt.scan" and bool(getattr(attribute(op, "reverse"), "value", None))
        if len(inner) != 2 or combine is None or reverse:
            raise NoGraph(op.name)
        of, axis = info(value.type).scalar, integer(op, "axis")
        shape = info(op.operands[0].type).shape
        lanes = [self.graph.constant(np.int64(0)), self.places(shape)[axis]]
        after = axis + (op.name == "tt.scan")
        first, here = (self.at(op.operands[0], (*places[:axis], x, *places[after:])) for x in lanes)
        fit = of.round if of.is_float else of.wrap
        key = ("rest", here, lanes[1], shape[axis], axis, op.name, inner[0].name)
        rest = self.graph.node(key, _nothing(combine, of))

        def total(at_first: Any, at_lane: Any, others: Any, lane: Any) -> Any:
            both = np.where(lane == 0, at_first, combine(at_first, at_lane))
            return fit(combine(both, others))

        return self.graph.node(
            ("combined", inner[0].name, of.name), total, first, here, rest, lanes[1]
        )

    def multiplied(self, op: Operation, value: Any, places: Places) -> int:
        """Return the product of one element of either factor, added to the rest."""
        of, size = info(value.type).scalar, info(op.operands[0].type).shape[1]
        part = self.graph.leaf(LANES, 2)
        inner = self.graph.node(("lane", size), lambda part: (part * size).astype(np.int64), part)
        a, b, c = op.operands[:3]
        nodes = (
            self.at(a, (places[0], inner)), self.at(b, (inner, places[1])), self.at(c, places)
        )  # fmt: skip
        return self.graph.node(("product", of.name), _product(of), *nodes)

    def carried(self, loop: Operation, k: int, places: Places, turn: int) -> int:
        """Return what a loop leaves of a float: what its first turn makes of it."""
        value: Any = loop.regions[0].block.args[k + 1]
        if turn == self.graph.leaf(TURNS, self.ordinals[loop]) or not _is_float(value):
            return super().carried(loop, k, places, turn)
        last: Any = loop.regions[0].block.last_op
        before = self.at(initial_values(loop)[k], places)
        after = self.at(last.operands[k], places)
        return self.graph.node(
            "first turn", lambda n, a, b: np.where(n <= 0, a, b), turn, before, after
        )


def _is_float(value: Any) -> bool:
    known = info(value.type)
    return known.element is not None and known.scalar.is_float


def _nothing(combine: Any, of: Element) -> Any:
    """Return what gives a number that changes nothing if it is combined with others."""
    if combine is np.add:
        return lambda: of.carrier.type(0)
    if not of.is_float:
        half = 1 << (of.width - 1)
        least = of.carrier.type(-half if combine is np.maximum else half - 1)
        return lambda: least
    sign = -1.0 if combine in (np.fmax, np.maximum) else 1.0
    return lambda: of.carrier.type(sign * np.inf)


def _product(of: Element) -> Any:
    def compute(a: Any, b: Any, c: Any) -> Any:
        return of.round(a.astype(of.carrier) * b.astype(of.carrier) + c)

    return compute
