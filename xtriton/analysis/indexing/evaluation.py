"""Index expressions on numbers: what every formula is checked with."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from xtriton.analysis.indexing.algebra import Atom, Cond, CondKind, Expr, Kind

Number = Any
"""A Python integer or a NumPy array of int64; arrays broadcast."""

where: Callable[[Number, Number, Number], Number] = np.where


class Evaluator:
    """
    Evaluates expressions of one space.

    `leaves` gives the value of each leaf by its identifier: a number for a scalar or
    iteration, a function of positions for a tensor. Positions take theirs from `shape`,
    as arrays that broadcast to it, unless `leaves` has them.
    """

    def __init__(self, leaves: Mapping[int, Number], shape: tuple[int, ...] = ()):
        self.leaves = leaves
        self.shape = shape
        self._memo: dict[int, Number] = {}

    def expr(self, e: Expr) -> Number:
        total: Number = 0
        for mono, c in e.terms.items():
            value: Number = c
            for u in mono:
                value = value * self.atom(e.space.atoms[u])
            total = total + value
        return total

    def atom(self, atom: Atom) -> Number:
        if atom.uid not in self._memo:
            self._memo[atom.uid] = self._atom(atom)
        return self._memo[atom.uid]

    def _atom(self, atom: Atom) -> Number:
        args = atom.args
        match atom.kind:
            case Kind.FLOORDIV:
                return _divide(np.floor_divide, self.expr(args[0]), self.expr(args[1]))
            case Kind.TRUNCDIV:
                return truncated(self.expr(args[0]), self.expr(args[1]))
            case Kind.MIN:
                return _reduce(np.minimum, [self.expr(a) for a in args])
            case Kind.MAX:
                return _reduce(np.maximum, [self.expr(a) for a in args])
            case Kind.SELECT:
                return where(self.cond(args[0]), self.expr(args[1]), self.expr(args[2]))
            case Kind.NAMED:
                return self.expr(args[0])
            case Kind.ELEMENT:
                return self.leaves[args[0].uid](*(self.expr(a) for a in args[1:]))
            case Kind.POSITION if atom.uid not in self.leaves:
                return self._position(*atom.key)
            case _:
                return self.leaves[atom.uid]

    def _position(self, dim: int, size: int) -> Number:
        shape = [1] * len(self.shape)
        shape[dim] = size
        return np.arange(size, dtype=np.int64).reshape(shape)

    def cond(self, c: Cond) -> Number:
        match c.kind:
            case CondKind.TRUE:
                return True
            case CondKind.FALSE:
                return False
            case CondKind.NONNEGATIVE:
                return self.expr(c.args[0]) >= 0
            case CondKind.ZERO:
                return self.expr(c.args[0]) == 0
            case CondKind.NOT:
                return np.logical_not(self.cond(c.args[0]))
            case CondKind.AND:
                return _reduce(np.logical_and, [self.cond(a) for a in c.args])
            case CondKind.OR:
                return _reduce(np.logical_or, [self.cond(a) for a in c.args])


def truncated(n: Number, d: Number) -> Number:
    """Return `n / d` rounded towards zero; 0 where the divisor is."""
    magnitude = _divide(np.floor_divide, np.abs(n), np.abs(d))
    return where(np.sign(n) * np.sign(d) < 0, -magnitude, magnitude)


def _divide(operation: Callable[[Number, Number], Number], n: Number, d: Number) -> Number:
    safe = np.where(np.equal(d, 0), 1, d)
    return np.where(np.equal(d, 0), 0, operation(n, safe))


def _reduce(operation: Callable[[Number, Number], Number], values: list[Number]) -> Number:
    total = values[0]
    for value in values[1:]:
        total = operation(total, value)
    return total
