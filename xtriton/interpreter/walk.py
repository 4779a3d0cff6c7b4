# z3 has no types of its own: pyright cannot follow it.
# pyright: basic
"""What a walk through two kernels knows of their values: each op without effects as a formula."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import z3
from xdsl.ir import Block, Operation, Region, SSAValue

from xtriton.interpreter.formulas import (
    LANES,
    NoFormula,
    Term,
    elementwise,
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
from xtriton.interpreter.products import repeated_factors
from xtriton.interpreter.questions import Questions
from xtriton.interpreter.reached import Access, accessed, is_access, kind_of, pointed
from xtriton.interpreter.types import info, integer
from xtriton.interpreter.zeros import never_negative_zero

MOST_PROGRAMS = 65535
"""Along the second and third axis of a grid, as CUDA has it."""

_EFFECTS = frozenset(
    ("tt.assert", "tt.reduce", "tt.scan", "tt.dot", "tt.atomic_cas", "llvm.intr.assume",
     "gpu.barrier", "tt.print", "ttg.barrier", "tt.cat", "tt.join", "tt.split", "tt.gather",
     "tt.histogram")
)  # fmt: skip


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
            looked |= {fact.get_id(): fact for r in op.results for fact in self.terms[r].given}
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
        self.fresh += 1
        lanes = LANES[: len(info(value.type).shape)]
        return Term(symbol(f"unknown {self.fresh}", value.type, *lanes))

    def results(self, one: Operation, other: Operation) -> None:
        """Give both ops the same unknown results."""
        self.unknown(one.results, other.results)

    def pure(self, op: Operation) -> None:
        """Compute the results of an op without effects."""
        if not op.results or op.results[0] in self.terms:
            return
        if op.name == "scf.if":
            self.choice(op)
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
            case "tt.make_range":
                start = integer(op, "start")
                term = Term(LANES[0] + start, (), z3.ZeroExt(32, LANES[0]) + start)
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
                term = found or elementwise(op, terms, op in self.offsets)
                self.ops.setdefault(named(op), op)
        self.terms[op.results[0]] = term

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
        return accessed(op, self.terms, self.masks)

    def is_like(self, one: Operation, other: Operation) -> bool:
        """Whether two ops do the same with their operands."""
        values = [(*op.operands, *op.results) for op in (one, other)]
        types = [[info(v.type).without_layout for v in of] for of in values]
        return types[0] == types[1] and self.rest(one) == self.rest(other)

    def rest(self, op: Operation) -> str:
        """Return what an op is beside its operands, with its regions."""
        said = sorted((k, str(v)) for k, v in {**op.attributes, **op.properties}.items())
        if op.name == "tt.dot" and info(op.operands[0].type).scalar.name != "f32":
            # Rounding to tf32 changes nothing in a narrower float.
            said = [s for s in said if s[0] != "inputPrecision"]
        inner_ops = [o for r in op.regions for o in r.walk()]
        inner = [
            (o.name, str(o.properties), [self.place(inner_ops, v) for v in o.operands])
            for o in inner_ops
        ]
        return f"{op.name} {[s for s in said if s[0] != 'operandSegmentSizes']} {inner}"

    def place(self, inside_it: list[Operation], value: SSAValue) -> str:
        """Return how a value that ops of a region take is found."""
        owner = value.owner
        if isinstance(owner, Block):
            return f"argument {value.index}"  # pyright: ignore[reportAttributeAccessIssue]
        if owner in inside_it:
            return f"op {inside_it.index(owner)}"
        return f"outside {self.terms[value].formula.sexpr()}"


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
