"""Expressions carried over from the space of a callee into that of its caller."""

from collections.abc import Mapping

from xtriton.analysis.indexing import Atom, Cond, CondKind, Expr, Kind, Space


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

    def expr(e: Expr) -> Expr:
        total = target.zero
        for mono, c in e.terms.items():
            product = target.const(c)
            for u in mono:
                product = product * atom(source.atoms[u])
            total = total + product
        return total

    def atom(x: Atom) -> Expr:
        if x.uid in mapping:
            return mapping[x.uid]
        args = x.args
        match x.kind:
            case Kind.POSITION:
                return target.position(*x.key)
            case Kind.SCALAR if x.parts and x.parts[0] in ("program_id", "num_programs"):
                return target.scalar(x.key, x.name, x.interval)
            case Kind.FLOORDIV:
                return target.floordiv(expr(args[0]), expr(args[1]))
            case Kind.TRUNCDIV:
                return target.truncdiv(expr(args[0]), expr(args[1]))
            case Kind.MIN:
                return target.minimum(*map(expr, args))
            case Kind.MAX:
                return target.maximum(*map(expr, args))
            case Kind.SELECT:
                return target.select(cond(args[0]), expr(args[1]), expr(args[2]))
            case Kind.NAMED:
                return target.named(expr(args[0]), x.name)
            case Kind.ELEMENT if args[0].uid in mapping:
                body = mapping[args[0].uid]
                positions = {
                    u: expr(args[1 + target.atoms[u].key[0]])
                    for u in body.leaves
                    if target.atoms[u].kind is Kind.POSITION
                }
                return target.substitute(body, positions)
            case _:
                raise _NoForm

    def cond(c: Cond) -> Cond:
        match c.kind:
            case CondKind.NONNEGATIVE:
                return target.nonnegative(expr(c.args[0]))
            case CondKind.ZERO:
                return target.is_zero(expr(c.args[0]))
            case CondKind.NOT:
                return target.negation(cond(c.args[0]))
            case CondKind.AND:
                return target.conjunction(map(cond, c.args))
            case CondKind.OR:
                return target.disjunction(map(cond, c.args))
            case _:
                return target.true if c.kind is CondKind.TRUE else target.false

    try:
        return expr(value)
    except _NoForm:
        return None
