# z3 has no types of its own: pyright cannot follow it.
# pyright: basic
"""
Kernels as formulas: what each value is, for any arguments, any program and any lane.

Integers are bit vectors, floats and memory are functions that nothing is known of. A tensor is
a formula over symbols for its lane, one for each dimension. Beside it stands what may be taken
for granted: a promise of divisibility, an assertion, or that offsets do not overflow, since a
launch on which they do decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import frexp, log2
from typing import Any

import z3
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr
from xdsl.ir import Operation, SSAValue

from xtriton.interpreter.arguments import FIRST_REGION, Parameter
from xtriton.interpreter.memory import region_base
from xtriton.interpreter.types import info, integer
from xtriton.ir import dense
from xtriton.semantics import fold

MOST_DIMENSIONS = 6
"""Of a tensor that is written as a formula."""

LANES: list[Any] = []
"""The symbols for a tensor's lane, one for each dimension; see `own_context`."""


@contextmanager
def own_context() -> Iterator[None]:
    """
    Make formulas in a context of their own.

    What z3 finds within some steps depends on all that its context holds: on what was asked before.
    """
    before, made = list(LANES), z3.Context()
    LANES[:] = [z3.BitVec(f"lane{d}", 32, made) for d in range(MOST_DIMENSIONS)]
    try:
        yield
    finally:
        LANES[:] = before


def context() -> Any:
    """Return the context that formulas are made in at the moment."""
    return LANES[0].ctx


def number(n: int, bits: int) -> Any:
    """Return an integer of so many bits."""
    return z3.BitVecVal(int(n), bits, context())


def unknown_number(name: str, bits: int) -> Any:
    """Return the unknown integer of that name and so many bits."""
    return z3.BitVec(name, bits, context())


class NoFormula(Exception):
    """An op that cannot be written as a formula."""


Range = tuple[int, int]
"""The least and the largest number that an integer with a sign may be."""


@dataclass(frozen=True)
class Term:
    """
    A formula, and what may be taken for granted wherever it is used.

    `wide` is the same number in 64 bits, if offsets that do not overflow let it be written as sums
    and products of 64 bits. An integer is in its `range` wherever what is given holds; `cut` says
    of what it is a part.
    """

    formula: Any
    given: tuple[Any, ...] = ()
    wide: Any = None
    range: Range | None = None
    cut: Cut | None = None

    def at(self, lanes: Sequence[Any]) -> Term:
        """Return the term at another lane than the general one."""
        pairs = [(a, b) for a, b in zip(LANES, lanes, strict=False) if not a.eq(b)]
        if not pairs:
            return self
        facts = tuple(z3.substitute(g, *pairs) for g in self.given)
        wide = None if self.wide is None else z3.substitute(self.wide, *pairs)
        cut = None if self.cut is None else Cut(self.cut.source.at(lanes), self.cut.by)
        return Term(z3.substitute(self.formula, *pairs), facts, wide, self.range, cut)


@dataclass(frozen=True)
class Cut:
    """An integer that lost bits: those that do not fit, or `by` of them that are shifted out."""

    source: Term
    by: int


def given(*terms: Term) -> tuple[Any, ...]:
    """Return what is taken for granted with any of some terms, each fact once."""
    found = {g.get_id(): g for term in terms for g in term.given}
    return tuple(found.values())


def widened(term: Term) -> Any:
    """Return an integer of at most 64 bits with a sign in 64 bits."""
    more = 64 - term.formula.size()
    return z3.SignExt(more, term.formula) if term.wide is None else term.wide


def sort(type: Any) -> Any:
    """Return the sort of a scalar type or of a tensor's elements."""
    of = info(type).element
    if of is None:
        raise NoFormula(str(type))
    return z3.DeclareSort(of.name, context()) if of.is_float else z3.BitVecSort(of.width, context())


def symbol(name: str, type: Any, *of: Any) -> Any:
    """Return an unknown value of a type, that depends on terms."""
    if not of:
        return z3.Const(name, sort(type))
    return z3.Function(name, *(x.sort() for x in of), sort(type))(*of)


def literal(op: Operation) -> Term:
    """Return a constant; floats are named after their bits."""
    value, kind = op.properties["value"], op.results[0].type
    if isinstance(value, DenseIntOrFPElementsAttr):
        if not dense.is_splat(value):
            raise NoFormula("a constant of several values")
        found: Any = dense.splat_value(value)
    elif isinstance(value, IntegerAttr | FloatAttr):
        found = value.value.data
    else:
        raise NoFormula(str(value))
    of = sort(kind)
    if isinstance(of, z3.BitVecSortRef):
        value = number(found, of.size())
        known = value.as_signed_long()
        return Term(value, range=(known, known) if of.size() > 1 else None)
    return _float(of, float(found))


def _float(of: Any, value: float) -> Term:
    """Return a float of a sort, named after its bits."""
    made = z3.Const(f"{of} {value!r}", of)
    return Term(made, () if made.eq(negative_zero(of)) else (made != negative_zero(of),))


def literal_float(sort: str, value: float) -> Term:
    """Return a float of the sort of that name."""
    return _float(z3.DeclareSort(sort, context()), value)


def literal_value(x: Any) -> float | None:
    """Return the number that a formula of a float is, or None if it is no constant."""
    kind, _, text = x.decl().name().partition(" ")
    return float(text) if not x.num_args() and kind == str(x.sort()) else None


def negative_zero(of: Any) -> Any:
    """Return the zero with a sign of a sort of floats."""
    return z3.Const(f"{of} -0.0", of)


def _about_zero(op: Operation, made: Any, of: Sequence[Any]) -> list[Any]:
    """Return what a result has to do with zeros among its operands."""
    sort, name = made.sort(), op.name
    plus, minus = z3.Const(f"{sort} 0.0", sort), negative_zero(sort)
    match name:
        case "arith.addf":
            a, b = of
            sums = [
                z3.Implies(z3.Or(y == minus, z3.And(y == plus, x != minus)), made == x)
                for x, y in ((a, b), (b, a))
            ]
            return [*sums, z3.Implies(made == minus, z3.And(a == minus, b == minus))]
        case "arith.mulf":
            one = z3.Const(f"{sort} 1.0", sort)
            facts = [z3.Implies(y == one, made == x) for x, y in (of, reversed(of))]
            return [*facts, z3.Implies(z3.And(*(x == plus for x in of)), made == plus)]
        case "arith.subf":
            return [z3.Implies(of[1] == plus, made == of[0])]
        case "arith.extf" | "arith.truncf":
            before = of[0].sort()
            zero, signed = z3.Const(f"{before} 0.0", before), negative_zero(before)
            facts = [z3.Implies(of[0] == zero, made == plus)]
            facts.append(z3.Implies(of[0] == signed, made == minus))
            if name == "arith.extf":
                facts.append(z3.Implies(made == minus, of[0] == signed))
            return facts
        case _:
            return []


def bit(condition: Any) -> Any:
    """Return a truth as a bit."""
    return z3.If(condition, number(1, 1), number(0, 1))


def holds(x: Any) -> Any:
    """Return the truth of a bit."""
    return x == number(1, 1)


def _ceil_division(a: Any, b: Any) -> Any:
    q, r = a / b, z3.SRem(a, b)
    return z3.If(z3.And(r != 0, (r < 0) == (b < 0)), q + 1, q)


def floor_division(a: Any, b: Any) -> Any:
    """Return a quotient rounded down."""
    q, r = a / b, z3.SRem(a, b)
    return z3.If(z3.And(r != 0, (r < 0) != (b < 0)), q - 1, q)


def _high(a: Any, b: Any) -> Any:
    bits = a.size()
    return z3.Extract(2 * bits - 1, bits, z3.ZeroExt(bits, a) * z3.ZeroExt(bits, b))


INTEGERS: dict[str, Callable[[Any, Any], Any]] = {
    "arith.addi": lambda a, b: a + b,
    "arith.subi": lambda a, b: a - b,
    "arith.muli": lambda a, b: a * b,
    "arith.andi": lambda a, b: a & b,
    "arith.ori": lambda a, b: a | b,
    "arith.xori": lambda a, b: a ^ b,
    "arith.divsi": lambda a, b: a / b,
    "arith.divui": z3.UDiv,
    "arith.remsi": z3.SRem,
    "arith.remui": z3.URem,
    "arith.ceildivsi": _ceil_division,
    "arith.floordivsi": floor_division,
    "arith.shli": lambda a, b: a << b,
    "arith.shrsi": lambda a, b: a >> b,
    "arith.shrui": z3.LShR,
    "arith.maxsi": lambda a, b: z3.If(a > b, a, b),
    "arith.minsi": lambda a, b: z3.If(a < b, a, b),
    "arith.maxui": lambda a, b: z3.If(z3.UGT(a, b), a, b),
    "arith.minui": lambda a, b: z3.If(z3.ULT(a, b), a, b),
    "tt.mulhiui": _high,
}
COMPARISONS: tuple[Callable[[Any, Any], Any], ...] = (
    lambda a, b: a == b,
    lambda a, b: a != b,
    lambda a, b: a < b,
    lambda a, b: a <= b,
    lambda a, b: a > b,
    lambda a, b: a >= b,
    z3.ULT,
    z3.ULE,
    z3.UGT,
    z3.UGE,
)
_NO_OVERFLOW: dict[str, Callable[[Any, Any], Any]] = {
    "arith.addi": lambda a, b: z3.And(z3.BVAddNoOverflow(a, b, True), z3.BVAddNoUnderflow(a, b)),
    "arith.subi": lambda a, b: z3.And(z3.BVSubNoOverflow(a, b), z3.BVSubNoUnderflow(a, b, True)),
    "arith.muli": lambda a, b: z3.And(z3.BVMulNoOverflow(a, b, True), z3.BVMulNoUnderflow(a, b)),
}
_WIDE = 65
"""Bits that hold each integer, with a sign or without one: the float of both is one function."""
FROM_INTEGER = "float of an integer"
"""How the names of floats begin that are made of integers in `_WIDE` bits."""
_COMMUTING = frozenset(("arith.addf", "arith.mulf", "arith.maximumf", "arith.minimumf"))


def elementwise(
    op: Operation, terms: Sequence[Term], on_offsets: bool, name: str | None = None
) -> Term:
    """
    Return what an op computes on the lanes of its operands.

    `on_offsets` says that it is part of address arithmetic, which does not overflow. `name` is the
    op that it is taken for.
    """
    of, facts = [t.formula for t in terms], given(*terms)
    name, kind = name or op.name, op.results[0].type
    bits = info(kind).scalar.width
    if name in INTEGERS:
        if on_offsets and name in _NO_OVERFLOW and 1 < bits <= 32:
            facts = (*facts, _NO_OVERFLOW[name](*of))
            wide = INTEGERS[name](*(widened(t) for t in terms))
            return Term(INTEGERS[name](*of), facts, wide)
        if on_offsets and name == "arith.muli" and bits == 64:
            facts = (*facts, *_fits(*of), *_fits(*reversed(of)))
        return Term(INTEGERS[name](*of), facts)
    match name:
        case "arith.cmpf":
            return _compared(integer(op, "predicate"), of[0], of[1], facts)
        case "arith.select":
            return Term(z3.If(holds(of[0]), of[1], of[2]), facts)
        case "arith.extsi":
            return Term(_resized(of[0], bits) if bits != 64 else widened(terms[0]), facts)
        case "arith.extui":
            if terms[0].wide is not None:
                beyond = terms[0].wide + (1 << of[0].size())
                found = z3.If(terms[0].wide >= 0, terms[0].wide, beyond)
                return Term(z3.Extract(bits - 1, 0, found), facts)
            return Term(z3.ZeroExt(bits - of[0].size(), of[0]), facts)
        case "arith.trunci":
            return Term(z3.Extract(bits - 1, 0, of[0]), facts)
        case "arith.index_cast":
            widens = bits == 64 > of[0].size()
            return Term(widened(terms[0]) if widens else _resized(of[0], bits), facts)
        case "arith.sitofp" | "arith.uitofp" if not op.properties:
            more = _WIDE - of[0].size()
            wide = z3.SignExt(more, of[0]) if name == "arith.sitofp" else z3.ZeroExt(more, of[0])
            return Term(symbol(f"{FROM_INTEGER} {sort(kind)}", kind, wide), facts)
        case "arith.addf" | "arith.subf" | "arith.mulf" | "arith.divf" if _all_literal(of):
            types = [info(o.type).scalar.name for o in op.operands]
            folded: Any = fold(name, _numbers(of), types, info(kind).scalar.name)
            return _float(sort(kind), float(folded))
        case "arith.truncf" if _is_widened(of[0], sort(kind)):
            return Term(of[0].arg(0), facts)
        case "arith.divf" if _is_power_of_two(of[1]):
            by = _float(of[1].sort(), 1 / _numbers(of[1:])[0])
            product = named(op).replace("arith.divf", "arith.mulf", 1)
            return Term(symbol(product, kind, of[0], by.formula), (*facts, *by.given))
        case _:
            if name == "arith.mulf" and of[0].eq(of[1]):
                of = [_without_sign(of[0])] * 2
            made = symbol(named(op), kind, *of)
            if name in _COMMUTING and not of[0].eq(of[1]):
                facts = (*facts, made == symbol(named(op), kind, of[1], of[0]))
            return Term(made, (*facts, *_about_zero(op, made, of)))


def _numbers(of: Sequence[Any]) -> list[float]:
    """Return those of some formulas that are constants."""
    return [n for n in map(literal_value, of) if n is not None]


def _all_literal(of: Sequence[Any]) -> bool:
    return len(_numbers(of)) == len(of)


def _is_widened(x: Any, narrow: Any) -> bool:
    """Whether a float comes from a narrower type, from whose numbers nothing is lost."""
    return x.decl().name().startswith("arith.extf ") and x.arg(0).sort() == narrow


def _is_power_of_two(x: Any) -> bool:
    """Whether to divide by a number is to multiply with another one of its type."""
    value = literal_value(x)
    usual = str(x.sort()) in ("f16", "bf16", "f32", "f64")
    return (
        usual and value is not None and abs(frexp(value)[0]) == 0.5 and abs(log2(abs(value))) < 15
    )


def _compared(predicate: int, a: Any, b: Any, facts: tuple[Any, ...]) -> Term:
    """Return a comparison of floats: one of less, greater, equal and unordered holds."""
    of = a.sort()
    order = z3.Function(f"less {of}", of, of, z3.BoolSort(context()))
    less, greater = order(a, b), order(b, a)
    first, second = sorted((a, b), key=lambda x: x.get_id())
    equal = z3.Function(f"equal {of}", of, of, z3.BoolSort(context()))(first, second)
    unordered = z3.Or(is_nan(a), is_nan(b))
    zeros = (z3.Const(f"{of} 0.0", of), negative_zero(of))
    both = z3.And(*(z3.Or(*(x == zero for zero in zeros)) for x in (a, b)))
    cases = (equal, greater, less, unordered)
    known = [z3.Or(*cases), z3.Implies(equal, z3.Or(a == b, both)), z3.Implies(both, equal)]
    known += [z3.Not(z3.And(x, y)) for k, x in enumerate(cases) for y in cases[:k]]
    known += [z3.Implies(a == b, z3.Or(equal, unordered))]
    # The bits say for which of the cases a predicate holds; the one numbered 14 is "unordered".
    bits = predicate if predicate < 8 else {14: 8, 15: 15}.get(predicate, predicate + 1)
    chosen = [case for k, case in enumerate(cases) if bits >> k & 1]
    return Term(bit(z3.Or(*chosen, context())), (*facts, *known))


def _fits(x: Any, by: Any) -> Iterator[Any]:
    """Yield that a number times a constant does not overflow, without computing it."""
    by = z3.simplify(by)
    if z3.is_bv_value(by) and by.as_signed_long() > 1:
        most = ((1 << 63) - 1) // by.as_signed_long()
        yield z3.And(x <= most, x >= -most)


def is_zero(x: Any) -> Any:
    """Return whether a float is a zero of either sign."""
    return z3.Or(x == _float(x.sort(), 0.0).formula, x == negative_zero(x.sort()))


def is_nan(x: Any) -> Any:
    """Return whether a float is NaN."""
    return z3.Function(f"nan {x.sort()}", x.sort(), z3.BoolSort(context()))(x)


def _without_sign(x: Any) -> Any:
    """Return a float, or the same with the other sign: for `a - b` and `b - a` it is one."""
    if not x.decl().name().startswith("arith.subf") or x.num_args() != 2:
        return x
    a, b = sorted(x.children(), key=lambda y: y.get_id())
    return x.decl()(a, b)


def _resized(x: Any, bits: int) -> Any:
    more = bits - x.size()
    return z3.SignExt(more, x) if more >= 0 else z3.Extract(bits - 1, 0, x)


def named(op: Operation) -> str:
    """Return an op's name with all that changes what it computes."""
    said = {**op.attributes, **op.properties}
    types = [str(info(v.type).scalar.name) for v in (*op.operands, *op.results)]
    return f"{op.name} {sorted((k, str(v)) for k, v in said.items())} {types}"


def moved(op: Operation, term: Term) -> Term | None:
    """Return the result of an op that moves lanes, or None if it is no such op."""
    before, after = info(op.operands[0].type).shape, info(op.results[0].type).shape
    if max(len(after), len(before)) > MOST_DIMENSIONS:
        raise NoFormula("so many dimensions")
    lanes = list(LANES[: len(after)])
    zero = number(0, 32)
    match op.name:
        case "tt.splat" | "ttg.convert_layout":
            return term
        case "tt.bitcast" | "tt.int_to_ptr" | "tt.ptr_to_int" if _is_address(op):
            return term
        case "tt.broadcast":
            return term.at(
                [zero if n == 1 else lane for n, lane in zip(before, lanes, strict=True)]
            )
        case "tt.expand_dims":
            axis = integer(op, "axis")
            return term.at(lanes[:axis] + lanes[axis + 1 :])
        case "tt.trans":
            order: Any = op.properties["order"]
            places = [int(n) for n in order.get_values()]
            return term.at([lanes[places.index(d)] for d in range(len(before))])
        case "tensor.collapse_shape" | "tensor.expand_shape":
            return term.at(_split(_linear(lanes, after), before))
        case "tt.reshape" if not op.properties.get("allow_reorder"):
            return term.at(_split(_linear(lanes, after), before))
        case "tt.unsplat":
            return term.at([zero] * len(before))
        case _:
            return None


def _is_address(op: Operation) -> bool:
    """Whether an op takes or gives pointers: addresses, whatever they point to."""
    return any(info(v.type).pointee is not None for v in (*op.operands, *op.results))


def _linear(lanes: Sequence[Any], shape: Sequence[int]) -> Any:
    total: Any = number(0, 32)
    for lane, n in zip(lanes, shape, strict=True):
        total = total * n + lane
    return total


def _split(index: Any, shape: Sequence[int]) -> list[Any]:
    found: list[Any] = []
    for n in reversed(shape):
        found.insert(0, z3.URem(index, number(n, 32)))
        index = z3.UDiv(index, number(n, 32))
    return found


def inside(shape: Sequence[int]) -> list[Any]:
    """Return that the general lane is one of a tensor of `shape`."""
    return [z3.ULT(lane, number(n, 32)) for lane, n in zip(LANES, shape, strict=False)]


def argument(value: SSAValue, known: Parameter) -> Term:
    """Return an argument of the kernel: a pointer to memory of its own, or a number."""
    if known.info.pointee is not None:
        return Term(number(region_base(FIRST_REGION + known.index), 64))
    made = symbol(f"argument {known.index}", value.type)
    divisor = int(known.attributes.get("tt.divisibility") or 1)
    if divisor > 1 and isinstance(made, z3.BitVecRef) and made.size() >= 8:
        rest = z3.URem(made, number(divisor, made.size()))
        return Term(made, (rest == 0,))
    return Term(made)


def with_facts(term: Term, *facts: Any) -> Term:
    """Return a term with more that is taken for granted."""
    return replace(term, given=(*term.given, *facts))
