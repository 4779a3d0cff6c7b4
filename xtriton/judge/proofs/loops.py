# z3 has no types of its own: pyright cannot follow it.
# pyright: basic
"""
Loops and branches of two kernels, compared by induction.

What two loops carry is taken to be equal where an iteration begins, and has to be equal where it
ends. Of what is equal only on lanes that are stored later, just that is taken for granted.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import z3
from xdsl.ir import Block, Operation, SSAValue

from xtriton.interpreter.types import info
from xtriton.ir.value_flow import LOOP_BOUNDS, bounds_of, initial_values
from xtriton.judge.proofs.formulas import (
    LANES,
    NoFormula,
    Term,
    context,
    given,
    holds,
    number,
    with_facts,
)
from xtriton.judge.proofs.idle import idle_beyond
from xtriton.judge.proofs.invariants import Bound, assumed, guessed, kept
from xtriton.judge.proofs.questions import Different
from xtriton.judge.proofs.ranges import between
from xtriton.judge.proofs.strides import moving, place
from xtriton.judge.proofs.walk import Walk

MOST_STORES = 4
"""Whose masks say where a carried value has to be equal."""

_Where = Mapping[int, Term]
"""Of some values, by their place in a list: on which lanes they are equal."""


@dataclass(frozen=True)
class _Carried:
    """
    What two loops carry: the original's values before, in and behind it.

    mine, theirs: the blocks that hand it on to the next iteration.
    """

    initial: Sequence[SSAValue]
    inside: Sequence[SSAValue]
    mine: Block
    theirs: Block
    results: Sequence[SSAValue]


class Loops(Walk):
    """
    Compares ops with regions, whose blocks are walked through side by side.

    memory: how often it may have changed; proved: results of the rewritten kernel that are equal to
    those that they replace; left_out: of the blocks of loops, which of the values that are carried
    are pointers that the loop moves.
    """

    memory: int
    proved: set[SSAValue]
    left_out: dict[Block, set[int]]

    @abstractmethod
    def match_with(self, original: SSAValue, result: SSAValue) -> None:
        """Let a result stand for one of the original's, if they are proved to be equal."""

    @abstractmethod
    def same_value(self, original: SSAValue, result: SSAValue) -> None:
        """Let a result that is proved to be equal stand for one of the original's."""

    @abstractmethod
    def block(self, one: Block, other: Block) -> None:
        """Compare the ops of two blocks, whose arguments are known."""

    def loop(self, one: Operation, other: Operation) -> None:
        """Demand that bounds, initial values and what is carried on are equal."""
        if one.properties or other.properties:
            # Such as bounds without a sign.
            raise NoFormula(one.name)
        ends = (one.operands[1], other.operands[1])
        for loop, some in zip((one, other), moving((one, other)), strict=True):
            self.left_out[loop.regions[0].block] = some
        starts = [
            (*bounds_of(loop), *self.that_count(loop, initial_values(loop)))
            for loop in (one, other)
        ]
        for a, b in zip(*starts, strict=True):
            if (a, b) != ends:
                self.demand(a, b)
        if not self.equal(*ends) and (self.different or not idle_beyond(self, one, other)):
            self.demand(*ends)
        low, high, less = (self.terms[o] for o in (*one.operands[:2], ends[1]))
        index = self.any_value(one.regions[0].block.args[0])
        facts = [low.formula <= index.formula]
        facts += [index.formula < end.formula for end in (high, less)]
        step = self.terms[one.operands[2]].formula
        if z3.is_bv_value(step):
            facts.append(z3.URem(index.formula - low.formula, step) == 0)
        index = with_facts(index, *facts, *given(low, high, less))
        index = replace(index, range=between(low, high))
        before_it = list(self.path), dict(self.everywhere), dict(self.answers)
        body, changed = one.regions[0].block, other.regions[0].block
        inside = [self.that_count(loop, loop.regions[0].block.args[1:]) for loop in (one, other)]
        results = [self.that_count(loop, loop.results) for loop in (one, other)]

        def iteration(where: _Where, bounds: Sequence[Bound]) -> list[int]:
            self.terms[body.args[0]] = self.terms[changed.args[0]] = index
            for loop in (one, other):
                place(self, loop, self.left_out[loop.regions[0].block], index)
            self.unknown_where(inside[0], inside[1], where)
            self.path = [*self.path, *assumed(self, bounds, inside[0])]
            self.memory += 1
            self.look_ahead(body)
            self.block(body, changed)
            return self.unequal(body, changed, where)

        carried = _Carried(starts[0][LOOP_BOUNDS:], inside[0], body, changed, results[0])
        where = self.by_induction(carried, iteration)
        # What was known of an iteration need not hold where there is none.
        self.path, self.everywhere, self.answers = before_it
        self.memory += 1
        self.unknown_where(results[0], results[1], where)

    def while_loop(self, one: Operation, other: Operation) -> None:
        """Demand the same of a loop that ends when a condition says so."""
        for a, b in zip(one.operands, other.operands, strict=True):
            self.demand(a, b)
        (before, after), (changed, then) = ([r.block for r in op.regions] for op in (one, other))
        first = guessed(self, one.operands) if _hands_on_all(before) else []
        before_it = list(self.path), dict(self.everywhere), dict(self.answers)

        def iteration(where: _Where, bounds: Sequence[Bound]) -> list[int]:
            self.unknown_where(before.args, changed.args, where)
            self.path = [*self.path, *assumed(self, bounds, before.args)]
            self.memory += 1
            self.look_ahead(before)
            self.block(before, changed)
            if self.unequal(before, changed, {}):
                self.different = True
            condition, *handed_on = (self.terms[v] for v in self.handed_on(before))
            self.path = [*self.path, ((), condition)]
            self.terms |= zip(after.args, handed_on, strict=True)
            self.terms |= zip(then.args, handed_on, strict=True)
            self.look_ahead(after)
            self.block(after, then)
            return self.unequal(after, then, where)

        self.by_induction(_Carried(one.operands, before.args, after, then, ()), iteration)
        bounds = [] if self.different else kept(self, first, before.args, self.handed_on(after))
        self.path, self.everywhere, self.answers = before_it
        self.memory += 1
        self.results(one, other)
        for bound in bounds:
            for op in (one, other):
                value = op.results[bound.place]
                self.terms[value] = bound.kept_by(self.terms[value])

    def by_induction(
        self, carried: _Carried, iteration: Callable[[_Where, Sequence[Bound]], list[int]]
    ) -> _Where:
        """
        Demand that iterations keep what is carried equal; return where, if not everywhere.

        `iteration` walks through one, given where values are equal before it, and what bounds they
        keep; it returns which are not equal after it.
        """
        stored = {k: self.where_stored(r) for k, r in enumerate(carried.results)}
        start = self.state()
        wrong = iteration({}, ())
        last = self.state()
        bounds: list[Bound] = []
        if not start[0] and (wrong or self.different):
            bounds = kept(
                self, guessed(self, carried.initial), carried.inside, self.handed_on(carried.mine)
            )
        if bounds:
            self.restore(start)
            wrong = iteration({}, bounds)
            last = self.state()
        where = {k: found for k in wrong if (found := stored.get(k)) is not None}
        if wrong and len(where) == len(wrong) and not self.different:
            self.restore(start)
            if not iteration(where, bounds) and not self.different:
                return where
            self.restore(last)
        self.yields(carried.mine, carried.theirs, wrong)
        return {}

    def state(self) -> tuple[Any, ...]:
        """Return what a walk through a block adds to."""
        known = dict(self.terms), list(self.path), dict(self.everywhere), dict(self.answers)
        return (self.different, list(self.examples), *known)

    def restore(self, state: tuple[Any, ...]) -> None:
        """Forget what was added since a state was returned."""
        self.different, examples, *known = state
        self.examples = list(examples)
        self.terms, self.path, self.everywhere, self.answers = (x.copy() for x in known)

    def unequal(self, mine: Block, theirs: Block, where: _Where) -> list[int]:
        """Return which of what two blocks hand on is not proved to be equal, where it has to be."""
        pairs = enumerate(zip(self.handed_on(mine), self.handed_on(theirs), strict=True))
        return [k for k, (a, b) in pairs if not self.equal(a, b, where.get(k))]

    def yields(self, body: Block, changed: Block, which: Iterable[int] | None = None) -> None:
        """Demand that two blocks hand on the same values; `which`, if not all, says the places."""
        pairs = list(zip(self.handed_on(body), self.handed_on(changed), strict=True))
        for k in range(len(pairs)) if which is None else which:
            self.demand(*pairs[k])

    def that_count(self, loop: Operation, values: Sequence[SSAValue]) -> list[SSAValue]:
        """Return those of the values that a loop carries, or of others like them, that count."""
        left_out = self.left_out[loop.regions[0].block]
        return [value for k, value in enumerate(values) if k not in left_out]

    def handed_on(self, block: Block) -> list[SSAValue]:
        """Return what a block hands on at its end, but for pointers that a loop moves."""
        if block.last_op is None:
            raise Different
        left_out = self.left_out.get(block, ())
        return [v for k, v in enumerate(block.last_op.operands) if k not in left_out]

    def branch(self, one: Operation, other: Operation) -> None:
        """Demand that the condition is equal, and that both sides do and give the same."""
        self.demand(one.operands[0], other.operands[0])
        condition = self.terms[one.operands[0]]
        kept, answers = list(self.path), dict(self.answers)
        for k, (a, b) in enumerate(zip(one.regions, other.regions, strict=True)):
            if a.blocks:
                taken = condition if k == 0 else Term(~condition.formula, condition.given)
                self.path, self.answers = [*kept, ((), taken)], dict(answers)
                self.memory += 1
                self.block(a.block, b.block)
                self.yields(a.block, b.block)
        self.path, self.answers = kept, answers
        self.memory += 1
        self.results(one, other)

    def unknown_where(
        self, mine: Sequence[SSAValue], theirs: Sequence[SSAValue], where: _Where
    ) -> None:
        """Give pairs of values unknown terms, the same to both where something holds, or always."""
        self.unknown(mine, theirs)
        for k, lanes in where.items():
            known, other = self.terms[mine[k]], self.any_value(theirs[k])
            chosen = z3.If(holds(lanes.formula), known.formula, other.formula)
            self.terms[theirs[k]] = Term(chosen, given(known, lanes))

    def where_stored(self, value: SSAValue) -> Term | None:
        """Return the lanes of a value that are stored if it goes to memory as it is, or in rows."""
        shape = info(value.type).shape
        found = [_spread(mask, of, shape) for of, mask in self.stores.values()]
        masks = [mask for mask in found if mask is not None][:MOST_STORES]
        if not masks:
            return None
        anywhere = z3.Or(*(mask.formula for mask in masks), context())
        return Term(z3.If(anywhere, number(1, 1), number(0, 1)), given(*masks))


def _spread(mask: Term, of: tuple[int, ...], shape: tuple[int, ...]) -> Term | None:
    """Return the mask of a store for the rows of a larger tensor, or None if it does not fit."""
    lanes: list[Any] = []
    axes = iter(enumerate(shape))
    for n in of:
        axis = 0 if n == 1 else next((d for d, size in axes if size == n), None)
        if axis is None:
            return None
        lanes.append(number(0, 32) if n == 1 else LANES[axis])
    return mask.at(lanes)


def _hands_on_all(condition: Block) -> bool:
    """Whether a loop ends with the very values that an iteration begins with."""
    last = condition.last_op
    return last is not None and list(last.operands[1:]) == list(condition.args)
