# z3 has no types of its own: pyright cannot follow it.
# pyright: basic
"""What a walk through two kernels knows of their values: each op without effects as a formula."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import z3
from xdsl.ir import Block, Operation, Region, SSAValue

from xtriton.interpreter.types import info, integer
from xtriton.judge.proofs import blocks
from xtriton.judge.proofs.blocks import BlockTerm
from xtriton.judge.proofs.formulas import (
    LANES,
    NoFormula,
    Term,
    given,
    holds,
    inside,
    literal,
    moved,
    named,
    negative_zero,
    number,
    symbol,
    unknown_number,
    widened,
    with_facts,
)
from xtriton.judge.proofs.products import repeated_factors
from xtriton.judge.proofs.questions import Questions
from xtriton.judge.proofs.ranges import computed, known_range
from xtriton.judge.proofs.reached import Access, accessed, is_access, kind_of, pointed
from xtriton.judge.proofs.zeros import never_negative_zero

MOST_PROGRAMS = 65535
"""Along the second and third axis of a grid, as CUDA has it."""

_EFFECTS = frozenset(
    ("tt.assert", "tt.reduce", "tt.scan", "tt.dot", "tt.atomic_cas", "llvm.intr.assume",
     "gpu.barrier", "tt.print", "ttg.barrier", "tt.cat", "tt.join", "tt.split", "tt.gather",
     "tt.histogram")
)  # fmt: skip


_SPREADS = ("tt.splat", "tt.broadcast", "tt.expand_dims", "ttg.convert_layout")
"""Ops that give the same integers on other lanes."""


class Walk(Questions):
    """
    The values of two kernels, as far as a walk through both has come.

    offsets: the ops of the original that compute offsets, which do not overflow.
    """

    def __init__(self, entry: Block, steps: int, offsets: set[Operation]):
        super().__init__(entry, steps)
        self.offsets = offsets
        self.masks: dict[SSAValue, Term] = {}
        """Of pointers to blocks that bring a mask with them."""
        self.blocks: dict[SSAValue, BlockTerm] = {}
        """Block pointers and descriptors, which have no term: they are never compared."""
        self.fresh = 0
        """How many unknown values there are."""

    def look_ahead(self, block: Block) -> None:
        """Note what is given by the original's places, also by those that it computes later."""
        looked: dict[int, Any] = {}
        for op in block.ops:
            if op.regions or has_effect(op) or not all(o in self.terms for o in op.operands):
                continue
            try:
                self.pure(op)
            except NoFormula:
                continue
            if op.name == "arith.muli" and op in self.offsets:
                product = self.terms[op.results[0]].formula
                if product.size() == 64:
                    self.products_of_offsets.append(product)
                    for fact in repeated_factors(product, info(op.results[0].type).shape):
                        self.everywhere[fact.get_id()] = fact
            known = [self.terms[r] for r in op.results if r in self.terms]
            looked |= {fact.get_id(): fact for term in known for fact in term.given}
        self.look_at_masks(block)
        first_lane = [(lane, number(0, 32)) for lane in LANES]
        for fact in looked.values():
            # A fact of all lanes is one of the first lane: that says enough of programs.
            fact = z3.simplify(z3.substitute(fact, *first_lane))
            if not z3.is_true(fact):
                self.everywhere[fact.get_id()] = fact

    def look_at_masks(self, block: Block) -> None:
        """Note where the original's loads and stores are on, as far as it is known by now."""
        for op in block.ops:
            if kind_of(op) not in ("load", "store"):
                continue
            with suppress(NoFormula, LookupError):
                access = self.accessed(op)
                mask = z3.simplify(holds(access.mask.formula))
                known = Term(mask, (*given(access.mask), *inside(access.shape)))
                if kind_of(op) == "store":
                    self.stores.setdefault((access.shape, mask.get_id()), (access.shape, known))
                masks = self.stored if kind_of(op) == "store" else self.loaded
                if masks is self.stored or not z3.is_true(mask):
                    masks.setdefault(len(access.shape), {})[mask.get_id()] = known

    def unknown(self, mine: Iterable[SSAValue], theirs: Iterable[SSAValue]) -> None:
        """Give pairs of values unknown terms, the same to both."""
        for a, b in zip(mine, theirs, strict=True):
            made = self.any_value(a)
            if info(a.type).element is not None and info(a.type).scalar.is_float:
                zero = negative_zero(made.formula.sort())
                made = with_facts(made, made.formula != zero) if never_negative_zero(a) else made
            self.terms[a] = self.terms[b] = made

    def any_value(self, value: SSAValue) -> Term:
        """Return another unknown value of the same type."""
        if blocks.is_block(value):
            raise NoFormula(str(value.type))
        self.fresh += 1
        lanes = LANES[: len(info(value.type).shape)]
        return Term(symbol(f"unknown {self.fresh}", value.type, *lanes))

    def results(self, one: Operation, other: Operation) -> None:
        """Give both ops the same unknown results."""
        self.unknown(one.results, other.results)

    def pure(self, op: Operation) -> None:
        """Compute the results of an op without effects."""
        if not op.results and op.parent is not None and op is not op.parent.last_op:
            # What has no result and is no end of a block does something that nobody knows.
            raise NoFormula(op.name)
        if not op.results or op.results[0] in self.terms:
            return
        if op.name == "scf.if":
            self.choice(op)
            return
        made = blocks.made(op, self.terms, self.blocks)
        if made is not None:
            self.blocks[op.results[0]] = made
            return
        pointer = pointed(op, self.terms)
        if pointer is not None:
            self.terms[op.results[0]], mask = pointer
            if mask is not None:
                self.masks[op.results[0]] = mask
            return
        terms = [self.terms[o] for o in op.operands]
        kind = op.results[0].type
        match op.name:
            case "arith.constant":
                term = literal(op)
            case "tt.get_program_id" | "tt.get_num_programs":
                axis = integer(op, "axis")
                term = Term(symbol(f"{op.name} {axis}", kind))
                places, sizes = (
                    unknown_number(f"{name} {axis}", 32)
                    for name in ("tt.get_program_id", "tt.get_num_programs")
                )
                most = (1 << 31) - 1 if axis == 0 else MOST_PROGRAMS
                term = with_facts(term, places >= 0, places < sizes, sizes <= most)
                first = op.name == "tt.get_num_programs"
                term = replace(term, range=(int(first), most - 1 + first))
            case "tt.make_range":
                start = integer(op, "start")
                wide = z3.ZeroExt(32, LANES[0]) + start
                term = Term(LANES[0] + start, (), wide, (start, integer(op, "end") - 1))
            case "tt.addptr":
                pointee = info(op.results[0].type).pointee
                if pointee is None:
                    raise NoFormula(op.name)
                wide = widened(terms[1]) * pointee.size
                term = Term(terms[0].formula + wide, given(*terms))
            case _:
                found = moved(op, terms[0]) if len(terms) == 1 and len(op.results) == 1 else None
                if found is None and (len(op.results) != 1 or op.regions or not _is_lanewise(op)):
                    raise NoFormula(op.name)
                term = found or computed(op, terms, op in self.offsets)
                self.ops.setdefault(named(op), op)
        self.terms[op.results[0]] = self.scaled_down(op.results[0], term)

    def scaled_down(self, value: SSAValue, term: Term) -> Term:
        """Return an integer of the original with the range that its multiples in offsets leave."""
        factor = max(_factors(value, self.offsets, self.terms), default=1)
        if factor == 1:
            return term
        low, high = known_range(term)
        most = 1 << (term.formula.size() - 1)
        left = max(low, -(most // factor)), min(high, (most - 1) // factor)
        return replace(term, range=left) if left[0] <= left[1] else term

    def choice(self, op: Operation) -> None:
        """Compute the results of a branch without effects."""
        sides: list[list[Term]] = []
        for region in op.regions:
            for inner in region.block.ops:
                if inner is not region.block.last_op:
                    self.pure(inner)
            sides.append([self.terms[v] for v in _last(region).operands])
        condition = self.terms[op.operands[0]]
        for result, a, b in zip(op.results, *sides, strict=True):
            chosen = z3.If(holds(condition.formula), a.formula, b.formula)
            # What is given in one side need not hold in the other.
            self.terms[result] = Term(chosen, condition.given)

    def accessed(self, op: Operation) -> Access:
        """Return where an op reaches memory."""
        return accessed(op, self.terms, self.masks, self.blocks)

    def is_like(self, one: Operation, other: Operation) -> bool:
        """Whether two ops do the same with their operands."""
        values = [(*op.operands, *op.results) for op in (one, other)]
        types = [[info(v.type).without_layout for v in of] for of in values]
        return types[0] == types[1] and self.rest(one) == self.rest(other)

    def said(self, op: Operation) -> str:
        """Return what an op is beside its operands and its regions."""
        said = sorted((k, str(v)) for k, v in {**op.attributes, **op.properties}.items())
        if op.name == "tt.dot" and info(op.operands[0].type).scalar.name != "f32":
            # Rounding to tf32 changes nothing in a narrower float.
            said = [s for s in said if s[0] != "inputPrecision"]
        return f"{op.name} {[s for s in said if s[0] != 'operandSegmentSizes']}"

    def rest(self, op: Operation) -> str:
        """Return what an op is beside its operands, with its regions."""
        inner_ops = [o for r in op.regions for o in r.walk()]
        inner = [
            (o.name, str(o.properties), [self.place(inner_ops, v) for v in o.operands])
            for o in inner_ops
        ]
        return f"{self.said(op)} {inner}"

    def place(self, inside_it: list[Operation], value: SSAValue) -> str:
        """Return how a value that ops of a region take is found."""
        owner = value.owner
        if isinstance(owner, Block):
            return f"argument {value.index}"  # pyright: ignore[reportAttributeAccessIssue]
        if owner in inside_it:
            return f"op {inside_it.index(owner)}"
        return f"outside {self.terms[value].formula.sexpr()}"


def _factors(
    value: SSAValue, offsets: set[Operation], terms: Mapping[SSAValue, Term]
) -> Iterator[int]:
    """
    Yield constants that an integer is multiplied with, on its way to an offset.

    Offsets do not overflow on any lane, so neither do the products; they are computed where the
    integer is.
    """
    for use in value.uses:
        op = use.operation
        if op not in offsets and op.name not in _SPREADS:
            continue
        if op.name == "arith.muli" and op.parent is value.owner.parent:
            other = terms.get(op.operands[1 - use.index])
            if other is not None and other.range is not None and other.range[0] == other.range[1]:
                yield abs(other.range[0])
        elif op.name in _SPREADS and op.parent is value.owner.parent:
            yield from _factors(op.results[0], offsets, terms)


def _last(region: Region) -> Operation:
    last = region.block.last_op
    assert last is not None
    return last


def _is_lanewise(op: Operation) -> bool:
    return op.name.startswith(("arith.", "math.")) or op.name in (
        "tt.mulhiui", "tt.extern_elementwise", "tt.bitcast", "tt.fp_to_fp", "tt.precise_sqrt",
        "tt.precise_divf", "tt.int_to_ptr", "tt.ptr_to_int", "tt.clampf",
    )  # fmt: skip


def has_effect(op: Operation) -> bool:
    """Whether an op touches memory, takes decisions or sees all lanes."""
    if op.name == "scf.if" and len(op.results):
        inner = [o for r in op.regions for o in r.block.ops]
        return any(has_effect(o) for o in inner)
    if op.name == "tt.reshape" and op.properties.get("allow_reorder"):
        return True
    return op.name in _EFFECTS or is_access(op) or bool(op.regions)
