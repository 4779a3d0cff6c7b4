# z3 has no types of its own: pyright cannot follow it.
# pyright: basic
"""Where accesses of Triton and of structured Triton reach memory, as formulas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import z3
from xdsl.ir import Operation, SSAValue

from xtriton.interpreter.rules.linalg_operands import evaluate
from xtriton.interpreter.rules.memref import DYNAMIC
from xtriton.interpreter.types import attribute, info, integer, integers
from xtriton.judge.proofs import blocks
from xtriton.judge.proofs.blocks import Blocks, is_block
from xtriton.judge.proofs.formulas import (
    LANES,
    NoFormula,
    Term,
    context,
    floor_division,
    given,
    number,
    widened,
)

_KINDS = {
    "tt.load": "load", "tts.load": "load", "tts.masked_load": "load", "tts.gather": "load",
    "tt.store": "store", "tts.store": "store", "tts.masked_store": "store",
    "tts.scatter": "store", "tt.atomic_rmw": "rmw", "tts.atomic_rmw": "rmw",
    "tts.unstructured_atomic_rmw": "rmw", "tt.descriptor_load": "load",
    "tt.descriptor_gather": "load", "tt.descriptor_store": "store",
    "tt.descriptor_scatter": "store",
}  # fmt: skip

Terms = Mapping[SSAValue, Term]


@dataclass(frozen=True)
class Access:
    """
    What one op accesses: the address on each lane, on which lanes, and what it is given.

    `value` is stored, or added and the like; `other` stands for what is masked off. `said` is
    what an atomic does beside that.
    """

    place: Term
    mask: Term
    value: SSAValue | None
    other: Term | None
    shape: tuple[int, ...]
    said: tuple[str, ...] = ()


def kind_of(op: Operation) -> str:
    """Return what an op does with memory, whatever dialect says it; else the op's name."""
    return _KINDS.get(op.name, op.name)


def is_access(op: Operation) -> bool:
    """Whether `accessed` knows an op."""
    return op.name in _KINDS


def accessed(op: Operation, terms: Terms, masks: Terms, of: Blocks) -> Access:
    """
    Return what an op accesses.

    `masks` are those that pointers to blocks of structured Triton bring with them; `of` has block
    pointers and descriptors.
    """
    known = info(op.operands[0].type)
    if op.name.startswith("tt.") and is_block(op.operands[0]):
        value = blocks.value_stored(op)
        place, mask, other = blocks.reached(op, terms, of)
        shape = info((value or op.results[0]).type).shape
        return Access(place, mask, value, other, shape)
    said: tuple[str, ...] = ()
    if kind_of(op) == "rmw":
        said = tuple(str(attribute(op, name)) for name in ("atomic_rmw_op", "sem", "scope"))
    if op.name.startswith("tt."):
        if known.kind not in ("scalar", "tensor"):
            raise NoFormula(op.name)
        value, other = getattr(op, "value", None), getattr(op, "other", None)
        if kind_of(op) == "rmw":
            value = op.operands[1]
        mask = _mask(getattr(op, "mask", None), terms)
        return Access(terms[op.operands[0]], mask, value, _of(other, terms), known.shape, said)
    value = getattr(op, "value", None)
    shape = info((value or op.results[0]).type).shape
    other = _of(getattr(op, "other", None), terms)
    if op.name in ("tts.gather", "tts.scatter", "tts.unstructured_atomic_rmw"):
        place = _at_offset(terms[op.operands[0]], terms[op.operands[1]], _size(op.operands[0]))
        mask = _mask(getattr(op, "mask", None), terms)
        return Access(place, mask, value, other, shape, said)
    mask = masks.get(op.operands[0]) or _on()
    if op.name in ("tts.load", "tts.store"):
        inside = _below(op, terms, op.operands[0] in masks)
    else:
        inside = _window(op, terms)
        mask = _both(mask, _mask(getattr(op, "mask", None), terms))
    return Access(terms[op.operands[0]], _both(inside, mask), value, other, shape, said)


def pointed(op: Operation, terms: Terms) -> tuple[Term, Term | None] | None:
    """Return the addresses of a pointer to a block, and its mask; None if `op` makes none."""
    match op.name:
        case "tts.make_tptr":
            return _strided(op, terms), None
        case "tts.make_gather_scatter_tptr":
            return _gathering(op, terms)
        case "tts.make_affine_tptr":
            symbols, base = [terms[o] for o in op.operands[1:]], terms[op.operands[0]]
            lanes = [_lane(d) for d in range(len(integers(op, "sizes")))]
            map: Any = attribute(op, "map")
            offset = evaluate(
                map.data.results[0], lanes, [widened(s) for s in symbols], _number, floor_division
            )
            place = base.formula + offset * _size(op.operands[0])
            return Term(place, given(base, *symbols)), None
        case _:
            return None


def _number(n: int) -> Any:
    return number(n, 64)


def _lane(d: int) -> Any:
    return z3.ZeroExt(32, LANES[d])


def _size(pointer: SSAValue) -> int:
    """Return the bytes of what a pointer, or each of many, points to."""
    pointee = info(pointer.type).pointee
    if pointee is None:
        raise NoFormula(str(pointer.type))
    return pointee.size


def _of(value: SSAValue | None, terms: Terms) -> Term | None:
    return None if value is None else terms[value]


def _mask(value: SSAValue | None, terms: Terms) -> Term:
    return _on() if value is None else terms[value]


def _on() -> Term:
    """Return the mask with all lanes on."""
    return Term(number(1, 1))


def _both(a: Term, b: Term) -> Term:
    for mask, other in ((a, b), (b, a)):
        if z3.is_bv_value(mask.formula) and mask.formula.as_long() == 1:
            return other
    return Term(a.formula & b.formula, given(a, b))


def _at_offset(base: Term, offset: Term, size: int) -> Term:
    return Term(base.formula + widened(offset) * size, given(base, offset))


def _entries(static: Sequence[int], dynamic: Iterator[SSAValue], terms: Terms) -> list[Term]:
    """Return the entries of a list of which some are operands, in 64 bits."""
    found: list[Term] = []
    for n in static:
        term = terms[next(dynamic)] if n == DYNAMIC else Term(_number(n))
        found.append(Term(widened(term), term.given))
    return found


def _bit(conditions: Iterable[Any], known: Iterable[Term]) -> Term:
    one, zero = number(1, 1), number(0, 1)
    return Term(z3.If(z3.And(*conditions, context()), one, zero), given(*known))


def _below(op: Any, terms: Terms, own: bool) -> Term:
    """Return the mask of the lanes below an op's bounds."""
    static = integers(op, "static_mask_dims")
    bounds = _entries(static, iter(op.mask_dims), terms)
    if own and DYNAMIC in static:
        # A bound of zero says nothing beside a mask of the pointer's own.
        raise NoFormula(op.name)
    lanes = [(_lane(d), b) for d, b in enumerate(bounds) if not own or static[d]]
    if not lanes:
        return _on()
    return _bit((lane < b.formula for lane, b in lanes), bounds)


def _window(op: Any, terms: Terms) -> Term:
    """Return the mask of the lanes between an op's starts and ends."""
    lows = _entries(integers(op, "static_starts"), iter(op.starts), terms)
    highs = _entries(integers(op, "static_ends"), iter(op.ends), terms)
    if not lows:
        return _on()
    inside = [
        z3.And(_lane(d) >= a.formula, _lane(d) < b.formula)
        for d, (a, b) in enumerate(zip(lows, highs, strict=True))
    ]
    return _bit(inside, (*lows, *highs))


def _strided(op: Any, terms: Terms) -> Term:
    strides, offsets, shape = (
        _entries(integers(op, f"static_{name}"), iter(getattr(op, name)), terms)
        for name in ("strides", "offsets", "shape")
    )
    base = terms[op.base]
    size = _size(op.base)
    address: Any = base.formula
    place: Any
    for d, (stride, offset) in enumerate(zip(strides, offsets, strict=True)):
        place = offset.formula + _lane(d) * stride.formula
        if not integers(op, "order"):
            bound: Any = z3.simplify(shape[d].formula)
            if not (z3.is_bv_value(bound) and bound.as_long() == 0):
                place = z3.If(bound == 0, place, z3.SRem(place, bound))
        address = address + place * size
    return Term(address, given(base, *strides, *offsets, *shape))


def _gathering(op: Any, terms: Terms) -> tuple[Term, Term | None]:
    along = integer(op, "gather_scatter_dim")
    strides = _entries(integers(op, "static_strides"), iter(op.strides), terms)
    offsets = _entries(integers(op, "static_offsets"), iter(op.offsets), terms)
    there = [LANES[along]]
    row, start = terms[op.gather_scatter_offset].at(there), terms[op.base]
    address, size = start.formula, _size(op.base)
    for d, (stride, offset) in enumerate(zip(strides, offsets, strict=True)):
        if d == along:
            place = widened(row) * stride.formula
        else:
            place = offset.formula + _lane(d) * stride.formula
        address = address + place * size
    mask = op.gather_scatter_mask
    mask = terms[mask].at(there) if mask is not None else None
    return Term(address, given(start, row, *strides, *offsets)), mask
