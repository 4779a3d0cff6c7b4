"""
Affine accesses that are no block: `tts.make_affine_tptr` keeps their closed form.

Sums of positions and of their floor divisions, multiplied by scalars, are said, and a division
of what is not negative by a number of unknown sign, as one by its magnitude, and so for what
that gives. A minimum or a choice between lanes is not.
"""

from dataclasses import dataclass, field

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from xtriton.analysis.accesses import Access
from xtriton.analysis.classify import Tier
from xtriton.analysis.indexing import Atom, Expr, Kind, Space, facts_of
from xtriton.analysis.values import Pointer
from xtriton.dialects.tts import MakeAffineTensorPtrOp
from xtriton.transforms.raising.writing.emitter import ExprEmitter

_LARGEST = (1 << 63) - 1
"""Of numbers of 64 bits."""


@dataclass(frozen=True)
class AffinePlan:
    """A block of pointers: the map of its offsets, and the scalars that are its symbols."""

    pointer: Pointer
    sizes: tuple[int, ...]
    map: AffineMap
    symbols: tuple[Expr, ...]


class NotAffine(Exception):
    """An expression that no affine map says."""


def affine_plan(space: Space, access: Access) -> AffinePlan | None:
    """Return how to say the pointers of an affine access, or None if no map does."""
    pointer = access.pointer
    if access.form.tier not in (Tier.AFFINE, Tier.WRAPPED_BLOCK) or not isinstance(
        pointer, Pointer
    ):
        return None
    facts = [space.expanded(f) for f in (*access.facts_around, *facts_of(access.mask))]
    with space.assuming(facts):
        offset = space.simplified(space.expanded(pointer.offset))
        writer = MapWriter(space)
        try:
            result = writer.expression(offset)
        except NotAffine:
            return None
    symbols = tuple(writer.symbols)
    map = AffineMap(len(access.shape), len(symbols), (result,))
    return AffinePlan(pointer, access.shape, map, symbols)


@dataclass
class MapWriter:
    """Writes index expressions as affine expressions over positions and symbols."""

    space: Space
    symbols: dict[Expr, int] = field(default_factory=dict[Expr, int])

    def expression(self, e: Expr) -> AffineExpr:
        """Return `e`; what no position changes is one symbol."""
        inside, extra = e.split(-1)
        coefficients: dict[Atom, Expr] = {}
        for mono, c in inside.terms.items():
            moving = [self.space.atoms[u] for u in mono if self.space.atoms[u].dims]
            if len(moving) != 1:
                raise NotAffine
            rest = self.space.make({tuple(u for u in mono if u != moving[0].uid): c})
            coefficients[moving[0]] = coefficients.get(moving[0], self.space.zero) + rest
        total: AffineExpr | None = self.scalar(extra) if extra.terms else None
        for atom, coefficient in coefficients.items():
            term, sign = self.atom(atom)
            coefficient = coefficient * sign
            if coefficient is not self.space.one:
                term = binary(AffineBinaryOpKind.Mul, term, self.scalar(coefficient))
            total = term if total is None else total + term
        return AffineConstantExpr(0) if total is None else total

    def scalar(self, e: Expr) -> AffineExpr:
        number = e.constant
        if number is not None:
            return AffineConstantExpr(number)
        return AffineSymExpr(self.symbols.setdefault(e, len(self.symbols)))

    def sign(self, e: Expr) -> Expr:
        """Return 1 or -1, the sign of a number that is not 0."""
        return self.space.select(self.space.nonnegative(e), self.space.one, -self.space.one)

    def atom(self, atom: Atom) -> tuple[AffineExpr, Expr]:
        """Return an affine expression and a scalar, 1 or -1, of which an atom is the product."""
        if atom.kind is Kind.POSITION:
            return AffineDimExpr(atom.key[0]), self.space.one
        if atom.kind not in (Kind.FLOORDIV, Kind.TRUNCDIV):
            raise NotAffine
        numerator, divisor = atom.fraction
        sign = self.space.one
        if atom.kind is Kind.TRUNCDIV:
            dividend, sign = self.magnitude(numerator)
            sign = sign * self.sign(divisor)
            divisor = self.without_least(divisor, numerator)
            divisor = self.space.maximum(divisor, -divisor)
        else:
            dividend = self.expression(numerator)
        number = divisor.constant
        if divisor.dims or (number is not None and number <= 0):
            raise NotAffine
        return binary(AffineBinaryOpKind.FloorDiv, dividend, self.scalar(divisor)), sign

    def without_least(self, divisor: Expr, numerator: Expr) -> Expr:
        """Return a divisor, or another one for the number of 64 bits that has no magnitude."""
        if divisor.interval[0] >= -_LARGEST:
            return divisor
        if max(-numerator.interval[0], numerator.interval[1]) >= _LARGEST:
            raise NotAffine
        # Whatever is smaller than both gives 0.
        return self.space.maximum(divisor, self.space.const(-_LARGEST))

    def magnitude(self, e: Expr) -> tuple[AffineExpr, Expr]:
        """Return the magnitude and the sign of what has one sign in all lanes."""
        if e.interval[0] >= 0:
            return self.expression(e), self.space.one
        quotient = e.atom()
        if quotient is None or quotient.kind is not Kind.TRUNCDIV:
            raise NotAffine
        return self.atom(quotient)


def binary(kind: AffineBinaryOpKind, a: AffineExpr, b: AffineExpr) -> AffineExpr:
    """Return an expression that, unlike xDSL's operators, may have a symbol on the right."""
    return AffineBinaryOpExpr(kind, a, b)


def make_affine_pointer(
    emitter: ExprEmitter, plan: AffinePlan, base: SSAValue, op: Operation
) -> SSAValue:
    """Return the pointers of an affine access, made before `op`."""
    symbols = [emitter.index(e, op) for e in plan.symbols]
    return emitter.op(MakeAffineTensorPtrOp(base, symbols, plan.sizes, AffineMapAttr(plan.map)), op)
