# NumPy arrays of any element type, and z3 has no types: pyright cannot follow them.
# pyright: basic
"""
Claims about floats, tried on all values or on many.

A claim is a formula over unknown parts: what loads give, arguments, conditions. Where those have
few bits together, all their values are tried, which proves the claim or shows what it does not
hold for; otherwise many are tried. Ops are computed as the interpreter does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from math import prod
from typing import Any

import numpy as np
import z3
from xdsl.ir import Operation

from xtriton.interpreter.effects import argument_of
from xtriton.interpreter.memory import REGION_BITS, region_base
from xtriton.interpreter.rules.arith import computed
from xtriton.interpreter.types import info
from xtriton.judge.proofs.formulas import FROM_INTEGER, NoFormula, literal_value
from xtriton.judge.proofs.searches import can_compute, computed_bits
from xtriton.semantics import Element, element

MOST_BITS = 18
"""Of the parts of a claim that is tried on all values."""

MOST_NODES = 400
"""Of a claim that is tried."""

AT_ONCE = 1 << 16
"""Values that are tried at once, of those that are only some."""

MOST_FOUND = 4
"""Values that a claim does not hold for that are told."""

_LOGIC: dict[int, Callable[..., Any]] = {
    z3.Z3_OP_AND: lambda *of: reduce(np.logical_and, of),
    z3.Z3_OP_OR: lambda *of: reduce(np.logical_or, of),
    z3.Z3_OP_BAND: lambda *of: reduce(np.bitwise_and, of),
    z3.Z3_OP_BOR: lambda *of: reduce(np.bitwise_or, of),
    z3.Z3_OP_BXOR: lambda *of: reduce(np.bitwise_xor, of),
    z3.Z3_OP_XOR: np.logical_xor,
    z3.Z3_OP_NOT: np.logical_not,
    z3.Z3_OP_IMPLIES: lambda a, b: np.logical_or(np.logical_not(a), b),
    z3.Z3_OP_TRUE: lambda: np.bool_(True),
    z3.Z3_OP_FALSE: lambda: np.bool_(False),
    z3.Z3_OP_ITE: np.where,
}
_COMPARED: dict[str, Callable[..., Any]] = {
    "less": np.less, "equal": np.equal, "nan": np.isnan,
}  # fmt: skip


_EXPONENTS = {"f64": 1022, "f32": 126, "bf16": 126, "f16": 14}
"""The largest of floats."""

Telling = dict[int, tuple[Any, Any]]
"""Parts of claims by number, with values on which the first claim with them did not hold."""


@dataclass(frozen=True)
class Filling:
    """
    Numbers on which a claim does not hold, to run a launch on.

    contents: what the memory behind arguments should hold, by position; numbers: arguments.
    """

    contents: dict[int, tuple[float, ...]] = field(default_factory=dict[int, tuple[float, ...]])
    numbers: dict[int, float] = field(default_factory=dict[int, float])


class Trial:
    """
    A claim, and the parts of it whose values are unknown.

    ops: by the names that they have in formulas; telling: what is known of parts from claims
    before, to which this one adds; narrow: whether floats of 16 bits or fewer that are
    made of more count as unknown, too. Raise `NoFormula` for a claim that cannot be computed.
    """

    def __init__(
        self, claim: Any, ops: Mapping[str, Operation], telling: Telling, narrow: bool = False
    ):
        self.claim, self.ops, self.telling = claim, ops, telling
        self.within: dict[int, dict[int, int]] = {}
        """The bits of the parts of what was looked at, by number."""
        self.cut: set[int] = set()
        """Narrow floats made of more bits than they have."""
        self.order: dict[int, Any] = {}
        """What is computed, inner parts first."""
        self.parts: dict[int, Any] = {}
        self.floats: dict[int, bool] = {}
        self.most: dict[int, int] = {}
        """What integers among the parts are below, by number, if it is known."""
        self.converted: set[int] = set()
        """Integers that floats are made of."""
        if not self.has_floats(claim):
            raise NoFormula("no floats")
        if narrow:
            self._look(claim)
        self._visit(claim)

    def _look(self, x: Any) -> dict[int, int]:
        """Find what to cut off in a formula; return the bits of its parts that are left."""
        number = x.get_id()
        if number not in self.within:
            found: dict[int, int] = {}
            if not z3.is_bv_value(x) and self._is_part(x):
                found[number] = _width(x)
            else:
                for child in x.children():
                    found |= self._look(child)
            if _is_narrow(x) and sum(found.values()) > _width(x):
                self.cut.add(number)
                found = {number: _width(x)}
            self.within[number] = found
        return self.within[number]

    def has_floats(self, x: Any) -> bool:
        """Whether a formula is a float or computed from one."""
        work = [x]
        while work:
            y = work[-1]
            if y.get_id() in self.floats:
                work.pop()
                continue
            if _is_float(y):
                self.floats[work.pop().get_id()] = True
                continue
            missing = [c for c in y.children() if c.get_id() not in self.floats]
            if missing:
                work += missing
                continue
            self.floats[work.pop().get_id()] = any(self.floats[c.get_id()] for c in y.children())
        return self.floats[x.get_id()]

    def _visit(self, x: Any) -> None:
        if x.get_id() in self.order or x.get_id() in self.parts:
            return
        if len(self.order) > MOST_NODES:
            raise NoFormula("a claim of that size")
        if z3.is_bv_value(x):
            pass
        elif _is_converted(x):
            self._visit_integer(x.arg(0))
        elif self._is_part(x):
            self.parts[x.get_id()] = x
            return
        else:
            for child in x.children():
                self._visit(child)
        self.order[x.get_id()] = x

    def _visit_integer(self, x: Any) -> None:
        """Take in an integer in more bits than any type has, see `formulas.elementwise`."""
        if x.get_id() in self.order:
            return
        if x.decl().kind() == z3.Z3_OP_ITE:
            self._visit(x.arg(0))
            self._visit_integer(x.arg(1))
            self._visit_integer(x.arg(2))
        elif not z3.is_bv_value(x):
            self.parts[x.get_id()] = x
            self.converted.add(x.get_id())
            return
        self.order[x.get_id()] = x

    def places(self) -> list[Any]:
        """Return the integers among the parts that floats are made of."""
        return [self.parts[n] for n in self.converted if n in self.parts]

    def _is_part(self, x: Any) -> bool:
        if not self.has_floats(x) or x.get_id() in self.cut:
            return True
        kind, name = x.decl().kind(), x.decl().name()
        if kind == z3.Z3_OP_UNINTERPRETED:
            if name in self.ops or name.partition(" ")[0] in _COMPARED or _is_converted(x):
                return False
            return _literal(x) is None
        if kind in _LOGIC or kind == z3.Z3_OP_EQ or can_compute(x):
            return False
        raise NoFormula(name)

    def narrowed(self) -> Trial:
        """Return the claim with narrow floats as unknown parts: what holds of it, holds."""
        return Trial(self.claim, self.ops, {}, narrow=True)

    def without_parts(self, formulas: Iterable[Any]) -> list[Any]:
        """Return those of some formulas that are about floats, with new symbols for the parts."""
        pairs = [(x, z3.FreshConst(x.sort(), "part")) for x in self.parts.values()]
        return [z3.substitute(f, *pairs) for f in formulas if self.has_floats(f)]

    def bits(self) -> int:
        """Return how many bits the unknown parts have together."""
        return sum((self._values(x) - 1).bit_length() for x in self.parts.values())

    def _values(self, x: Any) -> int:
        """Return how many values a part has."""
        return min(self.most.get(x.get_id(), 1 << 64), 1 << _width(x))

    def failing(self) -> list[Filling]:
        """Try all values of the parts; return some that the claim does not hold for."""
        every = np.arange(prod(map(self._values, self.parts.values())), dtype=np.int64)
        values: dict[int, Any] = {}
        for key, x in self.parts.items():
            values[key] = _from_bits(x, every % self._values(x))
            every = every // self._values(x)
        return self._fillings(values)

    def sought(self, rounds: int) -> list[Filling]:
        """Return values that the claim does not hold for, of so many times `AT_ONCE`."""
        for k in range(rounds):
            rng = np.random.default_rng(k)
            any_size = k % 4 == 3
            drawn = {n: self._drawn(x, rng, any_size) for n, x in self.parts.items()}
            found = self._fillings(drawn)
            if found:
                return found
        return []

    def _drawn(self, x: Any, rng: Any, any_size: bool) -> Any:
        """Return values of a part, most of them of those that told something before."""
        values = _some(x, rng, self._values(x), any_size)
        if x.get_id() in self.telling:
            known = self.telling[x.get_id()][1]
            usual = rng.random(AT_ONCE) < 0.2
            values = np.where(usual, values, known[rng.integers(0, len(known), AT_ONCE)])
        return values

    def _fillings(self, values: dict[int, Any]) -> list[Filling]:
        with np.errstate(all="ignore"):
            held = np.broadcast_to(self._computed(dict(values)), next(iter(values.values())).shape)
        wrong = np.flatnonzero(~held)
        if not wrong.size:
            return []
        for key, x in self.parts.items():
            if not z3.is_bool(x):
                self.telling.setdefault(key, (x, values[key][wrong]))
        chosen = wrong[:: max(1, wrong.size // MOST_FOUND)][:MOST_FOUND]
        together = self._filling(values, chosen)
        return [together] if len(chosen) == 1 else [together, self._filling(values, chosen[:1])]

    def _filling(self, values: dict[int, Any], chosen: Any) -> Filling:
        contents: dict[int, tuple[float, ...]] = {}
        numbers: dict[int, float] = {}
        for key, x in self.parts.items():
            found = tuple(float(v) for v in values[key][chosen]) if _is_float(x) else ()
            kind, _, number = x.decl().name().partition(" ")
            if kind == "memory" and found and (argument := _read(x.arg(0))) is not None:
                contents[argument] = contents.get(argument, ()) + found
            elif kind == "argument" and found:
                numbers[int(number)] = found[0]
        return Filling(contents, numbers)

    def _computed(self, values: dict[int, Any]) -> Any:
        for key, x in self.order.items():
            if _is_wide(x):
                values[key] = _signed(x, values)
            else:
                values[key] = self._value(x, [values[c.get_id()] for c in x.children()])
        return values[self.claim.get_id()]

    def _value(self, x: Any, of: list[Any]) -> Any:
        kind = x.decl().kind()
        if z3.is_bv_value(x):
            return np.uint64(x.as_long())
        if kind == z3.Z3_OP_EQ:
            return _same(x.arg(0), *of)
        if kind in _LOGIC:
            return _LOGIC[kind](*of)
        if can_compute(x):
            return computed_bits(x, of)
        op = self.ops.get(x.decl().name())
        if op is not None:
            return self._result(op, of)
        if _is_converted(x):
            return _of(x).round(of[0].astype(np.float64 if _width(x) < 32 else _of(x).carrier))
        compare = _COMPARED.get(x.decl().name().partition(" ")[0])
        return compare(*of) if compare is not None else _literal(x)

    def _result(self, op: Operation, of: list[Any]) -> Any:
        types = [info(o.type).scalar for o in op.operands]
        carried = [
            v if t.is_float else t.decode(np.asarray(v).astype(t.storage))
            for v, t in zip(of, types, strict=True)
        ]
        try:
            found = computed(op)(*carried)
        except KeyError as error:
            raise NoFormula(op.name) from error
        result = info(op.results[0].type).scalar
        return found if result.is_float else _as_bits(found, result)


def _is_float(x: Any) -> bool:
    return x.sort().kind() == z3.Z3_UNINTERPRETED_SORT


def _is_converted(x: Any) -> bool:
    """Whether a float is made of an integer, see `formulas.elementwise`."""
    return x.decl().name().startswith(FROM_INTEGER)


def _is_wide(x: Any) -> bool:
    """Whether an integer has more bits than any type, see `formulas.elementwise`."""
    return z3.is_bv(x) and x.size() > 64


def _signed(x: Any, values: dict[int, Any]) -> Any:
    """Return the number that an integer of more than 64 bits is."""
    if z3.is_bv_value(x):
        return np.int64(x.as_signed_long())
    if x.decl().kind() == z3.Z3_OP_ITE:
        return np.where(*(values[c.get_id()] for c in x.children()))
    return np.asarray(values[x.get_id()]).astype(np.int64)


def _is_narrow(x: Any) -> bool:
    return _is_float(x) and _width(x) <= 16 and literal_value(x) is None


def _of(x: Any) -> Element:
    return element(str(x.sort()))


def _width(x: Any) -> int:
    """Return the bits of an unknown part."""
    if _is_float(x):
        return _of(x).width
    return 1 if z3.is_bool(x) else x.size()


def _as_bits(x: Any, of: Element) -> Any:
    return of.to_bits(x).astype(np.uint64) & np.uint64((1 << of.width) - 1)


def _from_bits(x: Any, bits: Any) -> Any:
    if z3.is_bool(x):
        return bits != 0
    if not _is_float(x):
        return bits.astype(np.uint64)
    of = _of(x)
    return of.decode(bits.astype(f"u{of.size}").view(of.storage))


def _some(x: Any, rng: Any, most: int, any_size: bool) -> Any:
    """Return values of an unknown part: integers below `most`, floats of medium size or any."""
    if z3.is_bool(x):
        return rng.random(AT_ONCE) < 0.5
    if not _is_float(x):
        return rng.integers(0, min(most, 1 << 63), AT_ONCE, np.uint64)
    of = _of(x)
    most = _EXPONENTS.get(of.name, 4) if any_size else 4
    exponents = rng.integers(-most, most + 1, AT_ONCE).astype(np.float64)
    value = rng.standard_normal(AT_ONCE) * np.exp2(exponents)
    with np.errstate(over="ignore"):
        return of.round(value.astype(np.float64 if of.width == 64 else np.float32))


def _same(x: Any, a: Any, b: Any) -> Any:
    """Return where two values have the same bits; one NaN is as good as another."""
    if not _is_float(x):
        return np.equal(a, b)
    of = _of(x)
    return (of.to_bits(a) == of.to_bits(b)) | (np.isnan(a) & np.isnan(b))


def _literal(x: Any) -> Any:
    """Return the float that a constant is; None for what is none."""
    value = literal_value(x)
    return None if value is None else np.asarray(_of(x).constant(value))


_NEAR = 1 << REGION_BITS - 4
"""Bytes from an argument's address to what is known to lie in its memory."""


def _read(place: Any) -> int | None:
    """Return the position of the argument whose memory an address lies in."""
    for x in _parts_of(place):
        if not z3.is_bv_value(x):
            continue
        address, region = x.as_long(), x.as_long() >> REGION_BITS
        # Other large numbers lie farther from where any memory begins.
        if 0 < region < 1 << 8 and abs(address - region_base(region)) < _NEAR:
            return argument_of(address)[0]
    return None


def loaded_integers(formula: Any) -> Iterator[tuple[int, Any]]:
    """Yield the integers in a formula that are loaded, with the position of their argument."""
    for x in _parts_of(formula):
        if z3.is_bv(x) and x.decl().name().startswith("memory "):
            argument = _read(x.arg(0))
            if argument is not None:
                yield argument, x


def _parts_of(x: Any) -> Iterator[Any]:
    seen: set[int] = set()
    work = [x]
    while work:
        y = work.pop()
        if y.get_id() not in seen:
            seen.add(y.get_id())
            yield y
            work += y.children()
