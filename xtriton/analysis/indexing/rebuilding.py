"""Index expressions with other expressions in the place of their leaves."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from xtriton.analysis.indexing.algebra import (
    LEAVES,
    Atom,
    Cond,
    CondKind,
    Expr,
    Kind,
    Monomial,
    Space,
    Value,
)


class Rebuilder:
    """
    Rebuilds expressions bottom-up, with leaves replaced; None replaces nothing.

    Each object remembers what it has rebuilt, so one may serve for many expressions.
    """

    def __init__(self, space: Space, mapping: Mapping[int, Expr] | None, *, expand: bool = False):
        self.space = space
        self.expand = expand
        self.mapping: Mapping[int, Expr] = mapping or {}
        self.everything = mapping is None
        self.keys = frozenset(self.mapping)
        self._exprs: dict[Expr, Expr] = {}
        self._atoms: dict[int, Expr] = {}
        self._conds: dict[Cond, Cond] = {}

    def replace(self, atom: Atom, by: Expr) -> None:
        """Put `by` in the place of an atom."""
        self._atoms[atom.uid] = by

    def touches(self, value: Value | Atom) -> bool:
        return self.everything or not self.keys.isdisjoint(value.leaves)

    def expr(self, value: Expr) -> Expr:
        # As `touches` says, which is asked of each expression.
        if self.everything:
            if not value.depth:
                return value
        elif self.keys.isdisjoint(value.leaves):
            return value
        found = self._exprs.get(value)
        if found is not None:
            return found
        space, atoms = self.space, self.space.atoms
        kept: dict[Monomial, int] = {}
        changed: list[Expr] = []
        for mono, c in value.terms.items():
            if self._changes_any([atoms[u] for u in mono]):
                product = self.atom(atoms[mono[0]]).scaled(c)
                for u in mono[1:]:
                    product = product * self.atom(atoms[u])
                changed.append(product)
            else:
                kept[mono] = c
        result = space.make(kept) if kept else space.zero
        for product in changed:
            result = result + product
        self._exprs[value] = result
        return result

    def _changes_any(self, atoms: Sequence[Atom]) -> bool:
        """Return whether something takes the place of one of these, or of a part of one."""
        keys = self.keys
        for atom in atoms:
            if atom.depth > 0 if self.everything else not keys.isdisjoint(atom.leaves):
                return True
        return False

    def atom(self, atom: Atom) -> Expr:
        found = self._atoms.get(atom.uid)
        if found is None:
            found = self._atoms[atom.uid] = self._rebuilt(atom)
        return found

    def _rebuilt(self, atom: Atom) -> Expr:
        space = self.space
        if atom.kind in LEAVES:
            return self.mapping.get(atom.uid) or space.wrap(atom)
        if not self._changes_any([atom]):
            return space.wrap(atom)
        if atom.kind is Kind.ELEMENT:
            return self._element(atom)
        args = [self.value(a) for a in atom.args]
        if atom.kind is Kind.NAMED:
            return args[0] if self.expand else space.named(args[0], atom.name)  # pyright: ignore[reportArgumentType, reportReturnType]
        return BUILDERS[atom.kind](space, args)

    def _element(self, atom: Atom) -> Expr:
        tensor: Atom = atom.args[0]
        args = [self.expr(a) for a in atom.args[1:]]
        body = self.mapping.get(tensor.uid)
        if body is None:
            return self.space._compound(Kind.ELEMENT, (tensor, *args), tensor.interval)
        return self.space.substitute(body, positions_to(self.space, body, args))

    def value(self, value: Value) -> Value:
        return self.expr(value) if isinstance(value, Expr) else self.cond(value)

    def cond(self, value: Cond) -> Cond:
        found = self._conds.get(value)
        if found is None:
            found = self._conds[value] = self._cond(value) if self.touches(value) else value
        return found

    def _cond(self, value: Cond) -> Cond:
        return made_condition(self.space, value.kind, [self.value(a) for a in value.args])


def made_condition(space: Space, kind: CondKind, args: Sequence[Any]) -> Cond:
    """Return the proposition of a kind about expressions or of propositions, simplified."""
    match kind:
        case CondKind.TRUE:
            return space.true
        case CondKind.FALSE:
            return space.false
        case CondKind.NONNEGATIVE:
            return space.nonnegative(args[0])
        case CondKind.ZERO:
            return space.is_zero(args[0])
        case CondKind.NOT:
            return space.negation(args[0])
        case CondKind.AND:
            return space.conjunction(args)
        case CondKind.OR:
            return space.disjunction(args)


def positions_to(space: Space, body: Value, args: Sequence[Expr]) -> dict[int, Expr]:
    """
    Return the substitution of `args[d]` for the position in dimension d of `body`.

    What stays where it is is left out, so that nothing is rebuilt for it.
    """
    mapping: dict[int, Expr] = {}
    for u in body.leaves:
        atom = space.atoms[u]
        if atom.kind is Kind.POSITION:
            dim: int = atom.key[0]
            if args[dim] is not atom.expr:
                mapping[u] = args[dim]
    return mapping


BUILDERS: dict[Kind, Callable[[Space, list[Any]], Expr]] = {
    Kind.FLOORDIV: lambda space, a: space.floordiv(a[0], a[1]),
    Kind.TRUNCDIV: lambda space, a: space.truncdiv(a[0], a[1]),
    Kind.MIN: lambda space, a: space.minimum(*a),
    Kind.MAX: lambda space, a: space.maximum(*a),
    Kind.SELECT: lambda space, a: space.select(a[0], a[1], a[2]),
}
