"""The space of index expressions, with the rules that simplify them."""

from collections.abc import Iterable, Mapping

from xtriton.analysis.indexing import choice, division, ranges
from xtriton.analysis.indexing.algebra import Cond, CondKind, Expr, Interval, Kind, Space, Value
from xtriton.analysis.indexing.rebuilding import Rebuilder
from xtriton.analysis.indexing.text import condition_text, expression_text


class IndexSpace(Space):
    """A space that simplifies what it makes by `division`, `choice` and `ranges`."""

    def floordiv(self, n: Expr, d: Expr | int) -> Expr:
        return division.floor_quotient(self, n, self.const(d) if isinstance(d, int) else d)

    def truncdiv(self, n: Expr, d: Expr | int) -> Expr:
        return division.truncated_quotient(self, n, self.const(d) if isinstance(d, int) else d)

    def divide_polynomial(self, n: Expr, d: Expr) -> Expr | None:
        return division.polynomial_quotient(self, n, d)

    def minimum(self, *args: Expr) -> Expr:
        return choice.extremum(self, Kind.MIN, args)

    def maximum(self, *args: Expr) -> Expr:
        return choice.extremum(self, Kind.MAX, args)

    def select(self, condition: Cond, a: Expr, b: Expr) -> Expr:
        if condition is self.true or a is b:
            return a
        if condition is self.false:
            return b
        common = {m: c for m, c in a.terms.items() if b.terms.get(m) == c}
        if not common:
            return choice.chosen(self, condition, a, b)
        rest = self.make(common)
        return rest + choice.chosen(self, condition, a - rest, b - rest)

    def nonnegative(self, e: Expr) -> Cond:
        return choice.nonnegative(self, e)

    def is_zero(self, e: Expr) -> Cond:
        return choice.is_zero(self, e)

    def negation(self, c: Cond) -> Cond:
        return choice.negation(self, c)

    def conjunction(self, conditions: Iterable[Cond]) -> Cond:
        return choice.junction(self, CondKind.AND, conditions)

    def disjunction(self, conditions: Iterable[Cond]) -> Cond:
        return choice.junction(self, CondKind.OR, conditions)

    def interval_of(self, e: Expr) -> Interval:
        return ranges.interval_of(self, e)

    def interval_from_facts(self, e: Expr) -> Interval:
        return ranges.interval_from_facts(self, e)

    def text(self, value: Value) -> str:
        return expression_text(value) if isinstance(value, Expr) else condition_text(value)

    def substitute(self, value: Expr, mapping: Mapping[int, Expr]) -> Expr:
        # A view of keys looks for the fewer ones among the others; a set would go over all keys.
        if mapping.keys().isdisjoint(value.leaves):
            return value
        return Rebuilder(self, mapping).expr(value)

    def substitute_condition(self, value: Cond, mapping: Mapping[int, Expr]) -> Cond:
        return Rebuilder(self, mapping).cond(value)

    def expanded(self, value: Expr) -> Expr:
        return Rebuilder(self, None, expand=True).expr(value)

    def simplified(self, value: Expr) -> Expr:
        return Rebuilder(self, None).expr(value)

    def simplified_condition(self, value: Cond) -> Cond:
        return Rebuilder(self, None).cond(value)
