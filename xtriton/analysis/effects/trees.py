# Trees are lists of anything, numbers may be NumPy arrays: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false
# pyright: reportUnknownVariableType=false
"""
Index expressions as plain lists: what a record keeps of a byte offset or a mask.

An expression is a number or `["sum", [c, atom, ...], ...]`, a sum of products; an atom is
`["pid", axis]`, `["programs", axis]`, `["lane", dimension, size]`, `["loop", n]` (iterations
of the n-th loop around), `["arg", index]`, `["//", e, e]`, `["quot", e, e]` (rounds towards
0), `["min", e, ...]`, `["max", e, ...]`, `["if", c, e, e]` or `["value", name, low, high]`,
a number that only the run knows. A condition is a boolean, `[">=0", e]`, `["==0", e]`,
`["not", c]`, `["and", c, ...]` or `["or", c, ...]`.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from xdsl.ir import BlockArgument, Operation

from xtriton.analysis.indexing import Atom, Cond, CondKind, Expr, Kind

Tree = Any
"""An expression or condition as lists."""

Number = Any
"""An integer or a NumPy array of int64."""


class Converter:
    """
    Makes trees.

    `positions` are those of the kernel's arguments, `loops` the loops around the access,
    outermost first.
    """

    def __init__(self, positions: Mapping[BlockArgument, int], loops: tuple[Operation, ...]):
        self.positions = positions
        self.loops = loops

    def expr(self, e: Expr) -> Tree:
        number = e.constant
        if number is not None:
            return number
        atoms = e.space.atoms
        terms = [[c, *(self.atom(atoms[u]) for u in mono)] for mono, c in e.terms.items()]
        return ["sum", *sorted(terms, key=repr)]

    def atom(self, atom: Atom) -> Tree:
        args = atom.args
        match atom.kind:
            case Kind.POSITION:
                return ["lane", *atom.key]
            case Kind.FLOORDIV:
                return ["//", self.expr(args[0]), self.expr(args[1])]
            case Kind.TRUNCDIV:
                return ["quot", self.expr(args[0]), self.expr(args[1])]
            case Kind.MIN:
                return ["min", *map(self.expr, args)]
            case Kind.MAX:
                return ["max", *map(self.expr, args)]
            case Kind.SELECT:
                return ["if", self.cond(args[0]), self.expr(args[1]), self.expr(args[2])]
            case Kind.NAMED:
                return self.expr_atom(args[0])
            case Kind.ITERATION if atom.key in self.loops:
                return ["loop", self.loops.index(atom.key)]
            case Kind.ELEMENT:
                return ["value", args[0].name, *args[0].interval]
            case _:
                return self._leaf(atom)

    def expr_atom(self, e: Expr) -> Tree:
        """Return an expression where an atom is wanted."""
        return ["min", self.expr(e)]

    def _leaf(self, atom: Atom) -> Tree:
        key = atom.key
        if isinstance(key, tuple) and key[0] == "program_id":
            return ["pid", key[1]]
        if isinstance(key, tuple) and key[0] == "num_programs":
            return ["programs", key[1]]
        if isinstance(key, BlockArgument) and key in self.positions:
            return ["arg", self.positions[key]]
        return ["value", atom.name, *atom.interval]

    def cond(self, c: Cond) -> Tree:
        match c.kind:
            case CondKind.TRUE:
                return True
            case CondKind.FALSE:
                return False
            case CondKind.NONNEGATIVE:
                return [">=0", self.expr(c.args[0])]
            case CondKind.ZERO:
                return ["==0", self.expr(c.args[0])]
            case CondKind.NOT:
                return ["not", self.cond(c.args[0])]
            case CondKind.AND:
                return ["and", *map(self.cond, c.args)]
            case _:
                return ["or", *map(self.cond, c.args)]


def is_closed(tree: Tree) -> bool:
    """Tell whether a tree has no value that only the run knows."""
    if not isinstance(tree, list):
        return True
    return tree[0] != "value" and all(is_closed(t) for t in tree)


def loops_in(tree: Tree) -> set[int]:
    """Return the numbers of the loops whose iterations occur."""
    if not isinstance(tree, list):
        return set()
    if tree[0] == "loop":
        return {tree[1]}
    return set().union(*(loops_in(t) for t in tree))


def lanes_in(tree: Tree) -> dict[int, int]:
    """Return the sizes of the dimensions whose positions occur."""
    if not isinstance(tree, list):
        return {}
    if tree[0] == "lane":
        return {tree[1]: tree[2]}
    found: dict[int, int] = {}
    for t in tree:
        found |= lanes_in(t)
    return found


class Open(Exception):
    """A tree has no number: it depends on what only the run knows, or divides by 0."""


def evaluate(tree: Tree, leaf: Callable[[list[Any]], Number]) -> Number:
    """Return the value of a tree, where `leaf` gives that of each leaf; may raise `Open`."""
    if not isinstance(tree, list):
        return tree
    head: str = tree[0]
    rest: list[Any] = tree[1:]
    match head:
        case "sum":
            total: Number = 0
            for c, *atoms in rest:
                product: Number = c
                for atom in atoms:
                    product = product * evaluate(atom, leaf)
                total = total + product
            return total
        case "value":
            raise Open
        case "pid" | "programs" | "lane" | "loop" | "arg":
            return leaf(tree)
        case _:
            pass
    if head == "if":
        c, a, b = (evaluate(t, leaf) for t in rest)
        return np.where(c, a, b)
    return _OPERATIONS[head](*(evaluate(t, leaf) for t in rest))


def _quotient(n: Number, d: Number) -> Number:
    if np.any(np.equal(d, 0)):
        raise Open
    q = np.floor_divide(np.abs(n), np.abs(d))
    return np.where(np.less(n, 0) != np.less(d, 0), -q, q)


def _floor(n: Number, d: Number) -> Number:
    if np.any(np.equal(d, 0)):
        raise Open
    return np.floor_divide(n, d)


def _fold(function: Callable[[Number, Number], Number]) -> Callable[..., Number]:
    def folded(first: Number, *others: Number) -> Number:
        for other in others:
            first = function(first, other)
        return first

    return folded


_OPERATIONS: Mapping[str, Callable[..., Number]] = {
    "//": _floor,
    "quot": _quotient,
    "min": _fold(np.minimum),
    "max": _fold(np.maximum),
    ">=0": lambda e: np.greater_equal(e, 0),
    "==0": lambda e: np.equal(e, 0),
    "not": np.logical_not,
    "and": _fold(np.logical_and),
    "or": _fold(np.logical_or),
}
