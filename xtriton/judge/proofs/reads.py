# z3 has no types of its own: pyright cannot follow it.
# pyright: basic
"""
Loads of two kernels: what they give, and whether both read in the same places.

The rewritten kernel may read less. Which of the original's loads reads where it does is all the
same: of a block all of them are made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

import z3
from xdsl.ir import Block, Operation

from xtriton.interpreter.types import info, same_values
from xtriton.judge.proofs.formulas import Term, context, given, holds, symbol
from xtriton.judge.proofs.loops import Loops
from xtriton.judge.proofs.questions import Different
from xtriton.judge.proofs.reached import Access, kind_of


class Reads(Loops):
    """Compares loads."""

    uncovered: list[Access]
    """Of the rewritten kernel's block: where it may read what the load it comes from does not."""

    def load(self, one: Operation, other: Operation) -> None:
        """Demand that the rewritten kernel reads where the original does; both give values."""
        a, b = self.accessed(one), self.accessed(other)
        if a.shape != b.shape or not same_values(one.results[0].type, other.results[0].type):
            raise Different
        known = (a.mask, b.mask, a.place, b.place)
        self.granted += [(a.shape, given(*known))]
        alone = not any(op is not one for op in _loads_like(one))
        alike = self.equal_terms(a.mask, b.mask, a.shape, None, False, known)
        narrower = z3.Implies(holds(b.mask.formula), holds(a.mask.formula))
        inside = alike or self.always(narrower, known, a.shape, wanted=alone)
        there = self.equal_terms(a.place, b.place, a.shape, b.mask, alone, known)
        if not (inside and there):
            self.different |= alone
            self.uncovered.append(b)
        fill = self.give(other, b)
        # What is undefined in the original may be what the other one gives.
        self.give(one, a, a.other or self.terms[other.results[0]])
        if (
            alike
            and there
            and (a.other is None or self.equal_terms(a.other, fill, a.shape, None, False, ()))
        ):
            self.same_value(one.results[0], other.results[0])
        else:
            self.match_with(one.results[0], other.results[0])

    def give(self, op: Operation, access: Access, fill: Term | None = None) -> Term:
        """Let a load give what lies in memory; return what it gives where it is masked off."""
        kind, place, mask = op.results[0].type, access.place, access.mask
        fill = fill or access.other or self.any_value(op.results[0])
        value = symbol(f"memory {self.memory}", kind, place.formula)
        facts = (z3.ULE(value, 1),) if _is_of_truths(op) else ()
        value = z3.If(holds(mask.formula), value, fill.formula)
        self.terms[op.results[0]] = Term(value, (*facts, *given(place, mask, fill)))
        return fill

    def load_alone(self, op: Operation, rewritten: bool) -> None:
        """Let a load give values that the other kernel has no load for."""
        access = self.accessed(op)
        self.granted += [(access.shape, given(access.mask, access.place))]
        if rewritten:
            self.uncovered.append(access)
        self.give(op, access)

    def cover(self, block: Block) -> None:
        """Demand that what is left to be covered is read by some load of the original's block."""
        for read in self.uncovered:
            like = [self.accessed(op) for op in block.ops if kind_of(op) == "load"]
            like = [x for x in like if x.shape == read.shape]
            somewhere = [
                z3.And(holds(x.mask.formula), x.place.formula == read.place.formula) for x in like
            ]
            read_too = z3.Implies(holds(read.mask.formula), z3.Or(*somewhere, context()))
            places = [term for x in like for term in (x.mask, x.place)]
            self.require(read_too, (read.mask, read.place, *places), read.shape)


def paired(mine: Sequence[Operation], theirs: Sequence[Operation]) -> dict[Operation, Operation]:
    """
    Return which of the original's ops each of the rewritten kernel's comes from.

    Both kernels' ops come in order. Only loads may have no partner; raise `Different` for others.
    """
    if [kind_of(op) for op in mine] == [kind_of(op) for op in theirs]:
        return dict(zip(theirs, mine, strict=True))
    keys = [[_key(op) for op in ops] for ops in (mine, theirs)]
    blocks = SequenceMatcher(None, *keys, autojunk=False).get_matching_blocks()
    found = {theirs[b.b + k]: mine[b.a + k] for b in blocks for k in range(b.size)}
    partners = set(found.values())
    alone = [op for op in theirs if op not in found]
    alone += [op for op in mine if op not in partners]
    if any(kind_of(op) != "load" for op in alone):
        raise Different
    return found


def _key(op: Operation) -> tuple[Any, ...]:
    """Return what ops have in common that may come from each other."""
    types = [info(v.type).without_layout for v in op.results]
    return kind_of(op), *types, _root(op) if kind_of(op) == "load" else ""


def _root(load: Operation) -> str:
    """Return which argument a load goes through, as far as one sees."""
    pointer: Any = load.operands[0]
    while isinstance(pointer.owner, Operation) and pointer.owner.operands:
        pointer = pointer.owner.operands[0]
    return f"{pointer.index}" if isinstance(pointer.owner, Block) else ""


def _loads_like(load: Operation) -> Iterator[Operation]:
    """Yield the loads of a block that give as many values as one of them."""
    block = load.parent
    shape = info(load.results[0].type).shape
    for op in block.ops if block is not None else ():
        if kind_of(op) == "load" and info(op.results[0].type).shape == shape:
            yield op


def _is_of_truths(load: Operation) -> bool:
    """Whether bytes are loaded through an argument that points to bits, each 0 or 1."""
    pointer: Any = load.operands[0]
    while isinstance(pointer.owner, Operation) and pointer.owner.operands:
        pointer = pointer.owner.operands[0]
    pointee = info(pointer.type).pointee
    read = info(load.results[0].type).scalar.name
    return pointee is not None and pointee.name == "i1" and read == "i8"
