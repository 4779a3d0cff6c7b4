# NumPy arrays of any element type, and z3 has no types: pyright cannot follow them.
# pyright: basic
"""
Numbers on which formulas hold, sought by trying many at once.

z3 does not find them in its time where offsets go through products, quotients and remainders of
64 bits. Computing such formulas for thousands of numbers takes milliseconds: those on which
most of them hold are changed a little and tried again, until all hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
import z3

from xtriton.judge.proofs.formulas import NoFormula

AT_ONCE = 2048
"""Choices of numbers that are tried together."""

ROUNDS = 24
"""Of choices, each made of the best of those before."""

SMALLER = 12
"""Rounds in which numbers are sought that have fewer bits."""

BEST = 64
"""Choices that the next ones are made of."""

MOST_OFFSET = 2.0**50
"""In bytes, of what a launch reaches: products of 64 bits stay below it."""

MOST_NODES = 1500
"""Of formulas that are computed."""

_LARGE = 40
"""Bits of numbers in memory that an address can take, about."""

_TRUTHS: dict[int, Callable[..., Any]] = {
    z3.Z3_OP_TRUE: lambda: np.bool_(True),
    z3.Z3_OP_FALSE: lambda: np.bool_(False),
    z3.Z3_OP_AND: lambda *of: reduce(np.logical_and, of),
    z3.Z3_OP_OR: lambda *of: reduce(np.logical_or, of),
    z3.Z3_OP_XOR: np.logical_xor,
    z3.Z3_OP_NOT: np.logical_not,
    z3.Z3_OP_IMPLIES: lambda a, b: ~a | b,
    z3.Z3_OP_ITE: np.where,
    z3.Z3_OP_EQ: np.equal,
    z3.Z3_OP_DISTINCT: np.not_equal,
    z3.Z3_OP_ULT: np.less,
    z3.Z3_OP_ULEQ: np.less_equal,
    z3.Z3_OP_UGT: np.greater,
    z3.Z3_OP_UGEQ: np.greater_equal,
}
_SIGNED: dict[int, Callable[..., Any]] = {
    z3.Z3_OP_SLT: np.less,
    z3.Z3_OP_SLEQ: np.less_equal,
    z3.Z3_OP_SGT: np.greater,
    z3.Z3_OP_SGEQ: np.greater_equal,
}
_BITS: dict[int, Callable[..., Any]] = {
    z3.Z3_OP_BADD: lambda *of: reduce(np.add, of),
    z3.Z3_OP_BMUL: lambda *of: reduce(np.multiply, of),
    z3.Z3_OP_BSUB: np.subtract,
    z3.Z3_OP_BNEG: lambda a: np.uint64(0) - a,
    z3.Z3_OP_BAND: lambda *of: reduce(np.bitwise_and, of),
    z3.Z3_OP_BOR: lambda *of: reduce(np.bitwise_or, of),
    z3.Z3_OP_BXOR: lambda *of: reduce(np.bitwise_xor, of),
    z3.Z3_OP_BNOT: np.invert,
    z3.Z3_OP_ZERO_EXT: lambda a: a,
}
_UNSIGNED_DIVISIONS: dict[int, Callable[..., Any]] = {
    z3.Z3_OP_BUDIV: np.floor_divide, z3.Z3_OP_BUDIV_I: np.floor_divide,
    z3.Z3_OP_BUREM: np.remainder, z3.Z3_OP_BUREM_I: np.remainder,
}  # fmt: skip
_DIVISIONS: dict[int, Callable[..., Any]] = {
    z3.Z3_OP_BSDIV: lambda a, b: (a - np.fmod(a, b)) // b,
    z3.Z3_OP_BSREM: np.fmod,
}
_DIVISIONS |= {
    z3.Z3_OP_BSDIV_I: _DIVISIONS[z3.Z3_OP_BSDIV], z3.Z3_OP_BSREM_I: _DIVISIONS[z3.Z3_OP_BSREM]
}  # fmt: skip
_BY = frozenset((*_UNSIGNED_DIVISIONS, *_DIVISIONS))
_SHIFTS = {
    z3.Z3_OP_BSHL: np.left_shift, z3.Z3_OP_BLSHR: np.right_shift, z3.Z3_OP_BASHR: np.right_shift
}  # fmt: skip
_MADE = (z3.Z3_OP_EXTRACT, z3.Z3_OP_SIGN_EXT, z3.Z3_OP_CONCAT)
_KEEPING = (z3.Z3_OP_BSMUL_NO_OVFL, z3.Z3_OP_BSMUL_NO_UDFL)


def _mask(bits: int) -> Any:
    return np.uint64((1 << bits) - 1)


def _signed(value: Any, bits: int) -> Any:
    """Return an integer of so many bits with its sign."""
    up = np.int64(64 - bits)
    return (np.asarray(value).astype(np.int64) << up) >> up


@dataclass(frozen=True)
class Found:
    """Numbers that formulas hold on, by the names of what is unknown in them."""

    numbers: dict[str, int]

    def of(self, x: Any) -> int:
        """Return the number of an unknown integer, with its sign; 1 if it is in no formula."""
        value = self.numbers.get(x.decl().name(), 1)
        return value - (1 << x.size()) if value >> (x.size() - 1) else value


class Search:
    """
    Formulas that numbers are sought for, and what is known of any launch, as far as it helps.

    known: formulas that hold as well, and offsets that are computed.

    Raise `NoFormula` for formulas that cannot be computed, such as those of floats.
    """

    def __init__(self, formulas: Iterable[Any], known: Iterable[Any] = ()):
        self.wanted = [part for formula in formulas for part in conjuncts(formula)]
        self.unknown: dict[int, Any] = {}
        self.order: dict[int, Any] = {}
        self.constants: set[int] = set()
        for x in self.wanted:
            self._visit(x)
        for x in known:
            with suppress(NoFormula):
                self._visit(x)
                self.wanted += [x] if z3.is_bool(x) else []
        self.rng = np.random.default_rng(1)

    def _visit(self, formula: Any) -> None:
        work = [formula]
        while work:
            x = work[-1]
            number = x.get_id()
            if number in self.order:
                work.pop()
                continue
            is_part = x.decl().kind() == z3.Z3_OP_UNINTERPRETED
            missing = [] if is_part else [c for c in x.children() if c.get_id() not in self.order]
            if missing:
                work += missing
                continue
            work.pop()
            if len(self.order) >= MOST_NODES:
                raise NoFormula("formulas of that size")
            if not z3.is_bool(x) and not (z3.is_bv(x) and x.size() <= 64):
                raise NoFormula(str(x.sort()))
            if is_part:
                self.unknown[number] = x
            elif z3.is_bv_value(x):
                self.constants.add(x.as_long())
            self.order[number] = x

    def found(self) -> Found | None:
        """Return small numbers on which all formulas hold, or None if none were found."""
        if not self.unknown:
            return None
        values = {n: self._some(x, AT_ONCE) for n, x in self.unknown.items()}
        weights = 1
        for _ in range(ROUNDS):
            with np.errstate(all="ignore"):
                holding = np.array(self._holding(values))
            whole = holding.all(axis=0)
            if whole.any():
                return self._small(values, whole)
            best = np.argsort(-(holding.T @ (weights * np.ones(len(holding)))))[:BEST]
            # What does not hold where nearly all else does is what matters next.
            weights = weights + ~holding[:, best[0]]
            values = self._changed(values, best)
        return None

    def _small(self, values: dict[int, Any], fit: Any) -> Found:
        """Return choices that fit, with few bits: loops are short then."""
        for _ in range(SMALLER):
            order = np.argsort(np.where(fit, self._size(values), np.inf))
            best = order[: min(BEST, np.count_nonzero(fit))]
            values = self._changed(values, best)
            with np.errstate(all="ignore"):
                fit = np.array(self._holding(values)).all(axis=0)
        row = int(np.argmin(np.where(fit, self._size(values), np.inf)))
        return Found({self.unknown[n].decl().name(): int(v[row]) for n, v in values.items()})

    def _size(self, values: dict[int, Any]) -> Any:
        """Return how many bits the numbers of each choice have together."""
        return sum(
            np.log2(1.0 + np.abs(_signed(v, self.unknown[n].size()).astype(np.float64)))
            for n, v in values.items()
            if z3.is_bv(self.unknown[n])
        )

    def _some(self, x: Any, count: int) -> Any:
        """Return choices for an unknown: numbers of any length, and neighbours of constants."""
        if z3.is_bool(x):
            return self.rng.random(count) < 0.5
        bits = x.size()
        length = self.rng.integers(1, min(bits, _LARGE) + 1, count).astype(np.uint64)
        value = self.rng.integers(0, 1 << min(bits, _LARGE), count, np.uint64)
        value = value & ((np.uint64(1) << length) - np.uint64(1))
        near = np.array([*self.constants, 0], np.uint64)
        chosen = near[self.rng.integers(0, len(near), count)]
        chosen = chosen + self.rng.integers(-2, 3, count).astype(np.uint64)
        return np.where(self.rng.random(count) < 0.25, chosen, value) & _mask(bits)

    def _changed(self, values: dict[int, Any], best: Any) -> dict[int, Any]:
        """Return the best choices, and those with one or two numbers changed."""
        rows = best[self.rng.integers(0, len(best), AT_ONCE)]
        rows[: len(best)] = best
        made = {n: v[rows] for n, v in values.items()}
        numbers = list(made)
        for _ in range(2):
            which = self.rng.integers(0, len(numbers), AT_ONCE)
            which[: len(best)] = -1
            for k, n in enumerate(numbers):
                chosen = np.flatnonzero(which == k)
                made[n][chosen] = self._other(n, made, chosen, numbers)
        return made

    def _other(self, n: int, made: dict[int, Any], rows: Any, numbers: list[int]) -> Any:
        """Return other choices for a number: any, a multiple or neighbour, or near another one."""
        x, old = self.unknown[n], made[n][rows]
        new = self._some(x, len(rows))
        if z3.is_bool(x):
            return new
        like = made[numbers[self.rng.integers(0, len(numbers))]][rows].astype(np.uint64)
        step = self.rng.integers(-2, 3, len(rows)).astype(np.uint64)
        choices = (new, old << np.uint64(1), old >> np.uint64(1), old + step, like + step,
                   old & ~np.uint64(15))  # fmt: skip
        return np.choose(self.rng.integers(0, len(choices), len(rows)), choices) & _mask(x.size())

    def _holding(self, values: dict[int, Any]) -> list[Any]:
        """Return where each of the formulas holds."""
        known: dict[int, Any] = {}
        fine: list[Any] = []
        for number, x in self.order.items():
            if number in values:
                known[number] = values[number]
                continue
            of = [known[c.get_id()] for c in x.children()]
            known[number] = computed_bits(x, of)
            if x.decl().kind() == z3.Z3_OP_BMUL and x.size() == 64:
                product = reduce(np.multiply, (_signed(v, 64).astype(np.float64) for v in of))
                fine.append(np.abs(product) < MOST_OFFSET)
            elif x.decl().kind() in _BY:
                fine.append(of[1] != 0)
        held = [known[x.get_id()] for x in self.wanted]
        return [np.broadcast_to(of, AT_ONCE) for of in (*held, *fine)]


def conjuncts(formula: Any) -> Iterator[Any]:
    """Yield formulas that all hold where one holds, and only there."""
    kind, of = formula.decl().kind(), formula.children()
    if kind == z3.Z3_OP_AND:
        for part in of:
            yield from conjuncts(part)
    elif kind == z3.Z3_OP_NOT and of[0].decl().kind() == z3.Z3_OP_OR:
        for part in of[0].children():
            yield from conjuncts(z3.Not(part))
    else:
        yield formula


def can_compute(x: Any) -> bool:
    """Whether a formula is of integers of at most 64 bits, and made in a known way of others."""
    kinds = (_TRUTHS, _SIGNED, _BITS, _BY, _SHIFTS, _KEEPING, _MADE)
    integers = (y for y in (x, *x.children()) if not z3.is_bool(y))
    fits = all(z3.is_bv(y) and y.size() <= 64 for y in integers)
    return fits and any(x.decl().kind() in of for of in kinds)


def computed_bits(x: Any, of: list[Any]) -> Any:
    """Return what a formula is, where those that it is made of are known."""
    kind = x.decl().kind()
    if z3.is_bv_value(x):
        return np.uint64(x.as_long())
    if kind in _TRUTHS:
        return _TRUTHS[kind](*of)
    if kind in _SIGNED:
        bits = x.arg(0).size()
        return _SIGNED[kind](_signed(of[0], bits), _signed(of[1], bits))
    if kind in _KEEPING:
        bits = x.arg(0).size()
        return _keeps(kind, _signed(of[0], bits), _signed(of[1], bits), bits)
    return np.asarray(_integer(x, kind, of)).astype(np.uint64) & _mask(x.size())


def _integer(x: Any, kind: int, of: list[Any]) -> Any:
    if kind in _BITS:
        return _BITS[kind](*of)
    if kind in _UNSIGNED_DIVISIONS or kind in _DIVISIONS:
        return _divided(x, kind, of)
    if kind in _SHIFTS:
        bits = x.size()
        by = np.minimum(of[1], np.uint64(63))
        if kind == z3.Z3_OP_BASHR:
            return _signed(of[0], bits) >> np.minimum(by, np.uint64(bits - 1)).astype(np.int64)
        return np.where(of[1] >= bits, np.uint64(0), _SHIFTS[kind](of[0], by))
    if kind == z3.Z3_OP_EXTRACT:
        return of[0] >> np.uint64(x.params()[1])
    if kind == z3.Z3_OP_SIGN_EXT:
        return _signed(of[0], x.arg(0).size())
    if kind == z3.Z3_OP_CONCAT:
        return reduce(_joined, zip(of, (c.size() for c in x.children()), strict=True))[0]
    raise NoFormula(x.decl().name())


def _joined(high: tuple[Any, int], low: tuple[Any, int]) -> tuple[Any, int]:
    return high[0] << np.uint64(low[1]) | low[0], high[1] + low[1]


def _divided(x: Any, kind: int, of: list[Any]) -> Any:
    """Return a quotient or a remainder; by zero, what matters to no launch."""
    if kind in _UNSIGNED_DIVISIONS:
        return _UNSIGNED_DIVISIONS[kind](of[0], np.where(of[1] == 0, np.uint64(1), of[1]))
    a, b = (_signed(v, x.size()) for v in of)
    return _DIVISIONS[kind](a, np.where(b == 0, np.int64(1), b))


def _keeps(kind: int, a: Any, b: Any, bits: int) -> Any:
    """Return where a product does not overflow, upward or downward."""
    product = a.astype(np.float64) * b.astype(np.float64)
    most = 2.0 ** (bits - 1)
    return product < most if kind == z3.Z3_OP_BSMUL_NO_OVFL else product >= -most
