"""The loops and branches around the ops of a function."""

from dataclasses import dataclass

from xdsl.ir import Block, Operation

from xtriton.analysis.effects.indices import Indices
from xtriton.analysis.indexing import Cond, Expr


@dataclass(frozen=True)
class Around:
    """The loops and branches around a block: trip counts, and conditions (None: not known)."""

    loops: tuple[Operation, ...] = ()
    trips: tuple[Expr | None, ...] = ()
    conditions: tuple[tuple[Cond | None, bool], ...] = ()
    reason: str = ""


class Surroundings:
    """Finds the loops and branches that lead to a block of one function."""

    def __init__(self, indices: Indices, function: Operation):
        self.indices = indices
        self.function = function
        entry = function.regions[0].blocks[0]
        self._known: dict[Block | None, Around] = {None: Around(), entry: Around()}

    def of(self, block: Block | None) -> Around:
        """Return the loops and branches that lead to a block."""
        found = self._known.get(block)
        if found is None:
            found = self._known[block] = self._find(block)  # pyright: ignore[reportArgumentType]
        return found

    def _find(self, block: Block) -> Around:
        parent = block.parent_op()
        if parent is None or parent is self.function:
            return Around(reason="blocks are reached by branches")
        outer = self.of(parent.parent)
        a = self.indices.analysis
        if parent.name == "scf.for":
            trips = a.trip_counts.get(parent) if a is not None else None
            trips = a.resolved(trips) if trips is not None and a is not None else None
            reason = outer.reason or ("" if trips is not None else "a loop without trip count")
            return Around((*outer.loops, parent), (*outer.trips, trips), outer.conditions, reason)
        if parent.name == "scf.if":
            condition = self.indices.condition(parent.operands[0])
            taken = block is parent.regions[0].blocks.first
            conditions = (*outer.conditions, (condition, taken))
            return Around(outer.loops, outer.trips, conditions, outer.reason)
        reason = outer.reason or f"inside '{parent.name}'"
        return Around(outer.loops, outer.trips, outer.conditions, reason)
