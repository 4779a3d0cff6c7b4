"""
Offsets that loops carry in place of pointers.

A pointer that a loop moves along becomes an `index` that starts at the pointer's first
offset and grows by what the pointer moved in an iteration.
"""

from xdsl.ir import BlockArgument, Operation

from xtriton.analysis.indexing import Atom, Expr, Kind
from xtriton.dialects.upstream.arith import AddiOp
from xtriton.records import record
from xtriton.transforms.loop_rewriting import add_carried, add_carried_by_while, yield_also
from xtriton.transforms.raising.writing.emitter import ExprEmitter


@record
class Progress:
    """An offset that a loop carries: what it starts with, what each iteration adds."""

    first: Expr
    step: Expr


class CarriedOffsets:
    """Makes the offsets of one function that loops carry, each once."""

    def __init__(self, emitter: ExprEmitter):
        self.emitter = emitter
        self.analysis = emitter.analysis

    def carry(self, e: Expr, anchor: Operation, loops: set[Operation]) -> None:
        """
        Let the innermost of `loops` around `anchor` in which `e` changes carry it, if it
        grows by the same in each iteration; the emitter then finds it as a value.
        """
        loop = anchor.parent_op()
        while loop is not None:
            if loop in loops and loop.name in ("scf.for", "scf.while"):
                progress = self.progress(e, loop)
                if progress is None:
                    return
                if progress.step.terms:
                    self._add(loop, e, progress, loops)
                    return
            loop = loop.parent_op()

    def progress(self, e: Expr, loop: Operation) -> Progress | None:
        """Return how `e` develops in a loop, or None where it does not grow evenly."""
        space = self.emitter.space
        first, step = e, space.zero
        for u in e.leaves:
            leaf = space.atoms[u]
            growth = self._growth(leaf, loop)
            if growth is None:
                continue
            slope = e.coefficient(leaf)
            rest = e - slope * space.wrap(leaf)
            if u in slope.leaves or u in rest.leaves:
                return None
            first, step = space.substitute(first, {u: space.zero}), step + slope * growth
        return Progress(first, step) if self.emitter.invariant(first, loop) else None

    def _growth(self, leaf: Atom, loop: Operation) -> Expr | None:
        """Return what an iteration of `loop` adds to a leaf; None where that is no rule."""
        if leaf.kind is Kind.ITERATION and leaf.key is loop:
            return self.emitter.space.one
        if is_total(leaf) and leaf.key[1].owner.parent_op() is loop:
            recurrence = self.analysis.recurrences.get(leaf.key[2])
            return self.analysis.resolved(recurrence.increment) if recurrence else None
        return None

    def _add(self, loop: Operation, e: Expr, progress: Progress, loops: set[Operation]) -> None:
        emitter = self.emitter
        last = loop.regions[-1].blocks[0].ops.last
        first_op = loop.regions[-1].blocks[0].ops.first
        assert last is not None
        assert first_op is not None
        if emitter.find(e, first_op) is not None:
            return
        self.carry(progress.first, loop, loops)
        first = emitter.index(progress.first, loop)
        place = loop if emitter.invariant(progress.step, loop) else last
        step = emitter.index(progress.step, place)
        if loop.name == "scf.for":
            arguments = [add_carried(loop, first.type, first)]
        else:
            arguments = add_carried_by_while(loop, first.type, first)
        yield_also(loop, emitter.op(AddiOp(arguments[-1], step), last))
        for argument in arguments:
            emitter.remember(e, argument)


def is_total(leaf: Atom) -> bool:
    """Tell whether a leaf stands for all that a loop added to a pointer so far."""
    key = leaf.parts
    return len(key) == 3 and key[0] == "accumulated" and isinstance(key[1], BlockArgument)
