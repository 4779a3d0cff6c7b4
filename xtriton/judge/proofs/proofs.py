# z3 has no types of its own: pyright cannot follow it.
# pyright: basic
"""
Proofs that two kernels do the same, and launches on which they may not.

Both are walked through side by side. Values that correspond are compared in order, and one that
is proved equal stands for the original's from there on. What counts in the end is where loads
read and what stores, atomics and assertions are given. z3 decides, within limits: what is not
proved equal is not proved different, but the numbers that z3 found are worth a try.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

import z3
from xdsl.ir import Block, Operation, Region, SSAValue

from xtriton.interpreter.arguments import parameters
from xtriton.interpreter.overflow import address_arithmetic
from xtriton.interpreter.types import info, same_values
from xtriton.judge.proofs.combiners import combine_alike
from xtriton.judge.proofs.formulas import LANES, NoFormula, argument, given, holds, own_context
from xtriton.judge.proofs.questions import STEPS_PER_SECOND, Different, Example
from xtriton.judge.proofs.reached import kind_of
from xtriton.judge.proofs.reads import Reads, paired
from xtriton.judge.proofs.reductions import multiplied_rows, multiplied_zeros, reduced_rows
from xtriton.judge.proofs.trials import Filling
from xtriton.judge.proofs.walk import has_effect

MOST_OPS = 4000
"""Of a kernel that is written as formulas."""


@dataclass
class Proof:
    """What is known of two kernels: whether they are equal, and what may show that they are not."""

    equal: bool = False
    examples: list[Example] = field(default_factory=list[Example])
    fillings: list[Filling] = field(default_factory=list[Filling])
    values: set[SSAValue] = field(default_factory=set[SSAValue])
    """Results of the rewritten kernel that are proved equal to those that they replace."""


def compare(
    original: Operation,
    rewritten: Operation,
    seconds: float = 30,
    launched: Operation | None = None,
) -> Proof:
    """
    Compare two functions of the same signature; ops that have no formula end it early.

    If the original was made of another function, `launched`, what a launch of that one promises is
    known of both.

    About so many seconds are spent, no more than a fifth of them on one question. z3 counts
    its steps instead of the time, so that the answer does not depend on how busy a machine is.
    """
    proof = Proof()
    with own_context():
        pair = _Pair(original, rewritten, int(seconds * STEPS_PER_SECOND))
        with suppress(NoFormula, z3.Z3Exception, LookupError, ValueError, AttributeError):
            if launched is not None:
                pair.promised_by(launched)
        with suppress(NoFormula, z3.Z3Exception, LookupError, ValueError, AttributeError):
            proof.equal = pair.same()
        with suppress(z3.Z3Exception, AttributeError):
            if not proof.equal:
                pair.seek_roots()
        proof.examples, proof.values = pair.examples, pair.proved
        proof.fillings = pair.fillings
    return proof


class _Pair(Reads):
    """Two modules that are walked through side by side."""

    def __init__(self, original: Operation, rewritten: Operation, steps: int):
        entry = original.regions[0].blocks[0]
        super().__init__(entry, steps, address_arithmetic(_module_of(original)))
        self.functions = (original, rewritten)
        self.originals = dict(_alike(original.regions[0], rewritten.regions[0]))
        self.memory = 0
        """How often it may have changed."""
        self.proved: set[SSAValue] = set()
        self.uncovered = []
        self.left_out = {}

    def promised_by(self, launched: Operation) -> None:
        """Note what launches of another kernel, of the same arguments, have in common."""
        entry = launched.regions[0].blocks[0]
        offsets, self.offsets = self.offsets, address_arithmetic(_module_of(launched))
        for known, value in zip(parameters(launched), entry.args, strict=True):
            self.terms[value] = argument(value, known)
        self.look_ahead(entry)
        self.offsets = offsets
        # Where it stores and loads is not where these two do.
        for masks in (self.stored, self.stores, self.loaded):
            masks.clear()

    def same(self) -> bool:
        """Whether both do the same, as far as can be proved."""
        one, other = (list(f.regions[0].blocks) for f in self.functions)
        known_arguments = parameters(self.functions[0])
        for known, a, b in zip(known_arguments, one[0].args, other[0].args, strict=True):
            if known.info.kind != "scalar":
                return False
            self.terms[a] = self.terms[b] = argument(a, known)
        if sum(1 for _ in self.functions[0].walk()) > MOST_OPS:
            return False
        self.look_ahead(one[0])
        try:
            for a, b in zip(one, other, strict=True):
                if a is not one[0]:
                    self.unknown(a.args, b.args)
                    self.memory += 1
                self.block(a, b)
                self.branch_to(a, b, one, other)
        except Different:
            return False
        return not self.different and self.is_possible()

    def branch_to(self, a: Block, b: Block, one: list[Block], other: list[Block]) -> None:
        """Demand that two blocks end in the same way: they go on with the same values."""
        x, y = a.last_op, b.last_op
        if x is None or y is None or x.name != y.name or str(x.properties) != str(y.properties):
            raise Different
        if [one.index(s) for s in x.successors] != [other.index(s) for s in y.successors]:
            raise Different
        for v, w in zip(x.operands, y.operands, strict=True):
            self.demand(v, w)

    def block(self, one: Block, other: Block) -> None:
        """Compare the ops of two blocks, whose arguments are known."""
        partner = paired(*([op for op in b.ops if has_effect(op)] for b in (one, other)))
        outside, self.uncovered = self.uncovered, []
        mine = list(one.ops)
        done = 0
        for op in other.ops:
            original = partner.get(op)
            if original is not None:
                until = mine.index(original)
                for before in mine[done:until]:
                    self.alone(before)
                done = until + 1
                self.effect(original, op)
            else:
                self.advance(op, mine, done)
                self.alone(op, rewritten=True)
                self.match(op)
        for op in mine[done:]:
            self.alone(op)
        self.cover(one)
        self.uncovered = outside

    def alone(self, op: Operation, rewritten: bool = False) -> None:
        """Compute an op without effects, or a load that only one of the kernels makes."""
        if kind_of(op) == "load":
            self.load_alone(op, rewritten)
        else:
            self.pure(op)

    def advance(self, op: Operation, mine: list[Operation], done: int) -> None:
        """Read the original's ops up to the one that an op was made of."""
        wanted = [self.originals[r] for r in op.results if r in self.originals]
        if not wanted or wanted[0] in self.terms:
            return
        for before in mine[done:]:
            if has_effect(before):
                return
            self.pure(before)
            if before is wanted[0].owner:
                return

    def match(self, op: Operation) -> None:
        """Let a result stand for the original's, if they are proved to be equal."""
        for result in op.results:
            original = self.originals.get(result) or self.source(op, result)
            if original is None or original not in self.terms:
                continue
            if same_values(original.type, result.type):
                self.match_with(original, result)

    def source(self, op: Operation, result: SSAValue, depth: int = 3) -> SSAValue | None:
        """Return what ops that come from none of the original's may change nothing of."""
        for operand in op.operands:
            if same_values(operand.type, result.type):
                return operand
        for operand in op.operands if depth else ():
            owner = operand.owner
            if isinstance(owner, Operation) and operand not in self.originals:
                found = self.source(owner, result, depth - 1)
                if found is not None:
                    return found
        return None

    def match_with(self, original: SSAValue, result: SSAValue) -> None:
        """Let a result stand for one of the original's, if they are proved to be equal."""
        if self.equal(original, result, hint=True):
            self.same_value(original, result)
        else:
            self.lemma(self.terms[original], self.terms[result], info(result.type).shape)

    def same_value(self, original: SSAValue, result: SSAValue) -> None:
        """Let a result that is proved to be equal stand for one of the original's."""
        self.terms[result] = self.terms[original]
        self.proved.add(result)

    def effect(self, one: Operation, other: Operation) -> None:
        """Compare two ops that touch memory, take decisions or see all lanes."""
        match kind_of(one):
            case "load":
                self.load(one, other)
            case "store":
                self.access(one, other)
                self.memory += 1
            case "rmw":
                self.access(one, other)
                self.memory += 1
                self.results(one, other)
            case "scf.for":
                self.loop(one, other)
            case "scf.while":
                self.while_loop(one, other)
            case "scf.if":
                self.branch(one, other)
            case "tt.assert" | "llvm.intr.assume":
                # A launch on which the original's fails decides nothing: it may be weaker.
                shape = info(one.operands[0].type).shape
                mine, theirs = self.terms[one.operands[0]], self.terms[other.operands[0]]
                weaker = z3.Implies(holds(mine.formula), holds(theirs.formula))
                self.require(weaker, (mine, theirs), shape)
                self.path.append((shape, mine))
            case "tt.dot" if self.is_whole_product(one, other):
                self.product(one, other)
                self.results(one, other)
            case "tt.reduce" | "tt.scan":
                if not combine_alike(self, one, other):
                    raise Different
                if not reduced_rows(self, one, other):
                    self.demand_all(one, other)
                    self.results(one, other)
            case "tt.dot" if self.is_like(one, other) and (
                multiplied_zeros(self, one, other) or multiplied_rows(self, one, other)
            ):
                pass
            case _:
                self.demand_all(one, other)
                if self.rest(one) != self.rest(other):
                    raise Different
                self.memory += one.name != "tt.dot"
                self.results(one, other)

    def demand_all(self, one: Operation, other: Operation) -> None:
        """Demand that all operands are equal."""
        for a, b in zip(one.operands, other.operands, strict=True):
            self.demand(a, b)

    def access(self, one: Operation, other: Operation) -> None:
        """Demand that stores write the same: masks, and where they hold, places and values."""
        a, b = self.accessed(one), self.accessed(other)
        if (a.shape, a.said) != (b.shape, b.said) or a.value is None or b.value is None:
            raise Different
        self.granted += [(a.shape, given(a.mask, a.place, self.terms[a.value]))]
        # Where the offset of a lane overflows, masked off or not, the launch decides nothing.
        self.require(a.mask.formula == b.mask.formula, (a.mask, b.mask, a.place), a.shape)
        self.demand_terms(a.place, b.place, a.shape, a.mask, a.place)
        self.demand_stored(a.value, b.value, a.mask, a.place)

    def is_whole_product(self, one: Operation, other: Operation) -> bool:
        """Whether two ops are the same product of two matrices of integers."""
        known = info(one.operands[0].type)
        whole = not known.scalar.is_float and len(known.shape) == 2
        return whole and self.rest(one) == self.rest(other)

    def product(self, one: Operation, other: Operation) -> None:
        """Demand that factors are equal where the other factor is not zero."""
        self.demand(one.operands[2], other.operands[2])
        (rows, inner), (_, columns) = (info(o.type).shape for o in one.operands[:2])
        places = (LANES[:2], LANES[1:3])
        factors = [
            [self.terms[o].at(place) for o, place in zip(op.operands[:2], places, strict=True)]
            for op in (one, other)
        ]
        (a, b), (c, d) = ([f.formula for f in side] for side in factors)
        nothing = [z3.Or(x == 0, y == 0) for x, y in ((a, b), (c, d))]
        same = z3.Or(z3.And(a == c, b == d), z3.And(*nothing))
        self.require(same, (*factors[0], *factors[1]), (rows, inner, columns))


def _module_of(function: Operation) -> Operation:
    module = function
    while (parent := module.parent_op()) is not None:
        module = parent
    return module


def _key(op: Operation) -> tuple[Any, ...]:
    return op.name, *(info(r.type).without_layout for r in op.results)


def _alike(one: Region, other: Region) -> Iterator[tuple[SSAValue, SSAValue]]:
    """
    Yield results of the rewritten kernel with those of the original that they may come from.

    It is a guess by the order of ops, and right or wrong only a hint what to try to prove.
    """
    for a, b in zip(one.blocks, other.blocks, strict=False):
        mine, theirs = list(a.ops), list(b.ops)
        keys = [[_key(op) for op in x] for x in (mine, theirs)]
        steps = SequenceMatcher(None, *keys, autojunk=False).get_opcodes()
        for step, i, until, j, end in steps:
            pairs = list(zip(mine[i:until], theirs[j:end], strict=False))
            if step == "replace":
                # What an op became ends with its result.
                pairs = list(zip(mine[i:until][::-1], theirs[j:end][::-1], strict=False))
            for x, y in pairs:
                yield from zip(y.results, x.results, strict=False)
                for inner, changed in zip(x.regions, y.regions, strict=False):
                    yield from _alike(inner, changed)
