"""Expressions carried over from the space of a callee into that of its caller."""

from collections.abc import Mapping
from dataclasses import dataclass

from xtriton.analysis.indexing import Atom, Cond, Expr, Kind, Space, positions_to
from xtriton.analysis.indexing.rebuilding import BUILDERS, made_condition


class _NoForm(Exception):
    """The expression depends on something that only the callee has."""


def transplant(
    target: Space, source: Space, value: Expr, mapping: Mapping[int, Expr]
) -> Expr | None:
    """
    Return `value`, of `source`, in `target`.

    `mapping` gives the caller's expressions for the callee's arguments; program ids and
    positions mean the same in both. None if anything else occurs.
    """
    try:
        return _Transplanter(target, source, mapping).expr(value)
    except _NoForm:
        return None


@dataclass(frozen=True)
class _Transplanter:
    target: Space
    source: Space
    mapping: Mapping[int, Expr]

    def expr(self, e: Expr) -> Expr:
        total = self.target.zero
        for mono, c in e.terms.items():
            product = self.target.const(c)
            for u in mono:
                product = product * self.atom(self.source.atoms[u])
            total = total + product
        return total

    def value(self, value: Expr | Cond) -> Expr | Cond:
        if isinstance(value, Expr):
            return self.expr(value)
        return made_condition(self.target, value.kind, [self.value(a) for a in value.args])

    def atom(self, x: Atom) -> Expr:
        if x.uid in self.mapping:
            return self.mapping[x.uid]
        target, args = self.target, x.args
        match x.kind:
            case Kind.POSITION:
                return target.position(*x.key)
            case Kind.SCALAR if x.parts and x.parts[0] in ("program_id", "num_programs"):
                return target.scalar(x.key, x.name, x.interval)
            case Kind.NAMED:
                return target.named(self.expr(args[0]), x.name)
            case Kind.ELEMENT if args[0].uid in self.mapping:
                body = self.mapping[args[0].uid]
                places = [self.expr(a) for a in args[1:]]
                return target.substitute(body, positions_to(target, body, places))
            case _ if x.kind in BUILDERS:
                return BUILDERS[x.kind](target, [self.value(a) for a in args])
            case _:
                raise _NoForm
