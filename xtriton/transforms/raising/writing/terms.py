"""
Arithmetic on what `tts` lists hold: numbers, or `index` values.

A `Term` goes with the form that the analysis gives it, so that whoever puts terms together can
prove what came of it. Numbers stay numbers as long as they meet numbers only.
"""

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Operation, SSAValue

from xtriton.analysis.indexing import Cond, Expr
from xtriton.dialects.upstream.arith import (
    AddiOp,
    CmpiOp,
    ConstantOp,
    IndexCastOp,
    MaxSIOp,
    MinSIOp,
    MuliOp,
    SelectOp,
    SubiOp,
)
from xtriton.transforms.raising.writing.emitter import INDEX, ExprEmitter


class Term:
    """A number, or an `index` value, and its form, which is worked out where somebody asks."""

    __slots__ = ("_form", "value")

    def __init__(self, value: int | SSAValue, form: Expr | Callable[[], Expr]):
        self.value = value
        self._form = form

    @property
    def form(self) -> Expr:
        form = self._form
        if not isinstance(form, Expr):
            form = self._form = form()
        return form

    @property
    def number(self) -> int | None:
        """The number that this is or, as a value, holds; None for any other value."""
        if isinstance(self.value, int):
            return self.value
        owner = self.value.owner
        if isinstance(owner, ConstantOp) and isinstance(owner.value, IntegerAttr):
            return owner.value.value.data
        return None


class Terms:
    """Makes terms, with the ops that compute them before one op."""

    def __init__(self, emitter: ExprEmitter, anchor: Operation):
        self.emitter = emitter
        self.anchor = anchor
        self.space = emitter.space

    def static(self, number: int) -> Term:
        """Return a number that an attribute will hold."""
        return Term(number, self.space.const(number))

    def constant(self, number: int) -> Term:
        """Return a number that an `arith.constant` holds."""
        return Term(self.emitter.constant(number), self.space.const(number))

    def scalar(self, value: SSAValue) -> Term:
        """Return an integer of the program; it is cast right after it is made, for each use."""
        analysis = self.emitter.analysis
        owner = value.owner
        if isinstance(owner, ConstantOp) and isinstance(owner.value, IntegerAttr):
            return self.constant(owner.value.value.data)
        form = analysis.resolved(analysis.expr(value))
        if isinstance(value.type, IndexType):
            return Term(value, form)
        cast = IndexCastOp.create(operands=(value,), result_types=(INDEX,))
        if isinstance(owner, Operation):
            return Term(self.emitter.after(cast, owner), form)
        return Term(self.emitter.op(cast, self.anchor), form)

    def scalar_here(self, value: SSAValue) -> Term:
        """Return an integer of the program, cast where it is used."""
        analysis = self.emitter.analysis
        form = analysis.resolved(analysis.expr(value))
        if isinstance(value.type, IndexType):
            return Term(value, form)
        cast = IndexCastOp.create(operands=(value,), result_types=(INDEX,))
        return Term(self.emitter.op(cast, self.anchor), form)

    def value(self, term: Term) -> SSAValue:
        """Return a term as a value."""
        if isinstance(term.value, int):
            return self.emitter.constant(term.value)
        return term.value

    def add(self, x: Term, y: Term) -> Term:
        if y.value == 0:
            return x
        if x.value == 0:
            return y
        return self._binary(AddiOp, x, y, lambda: x.form + y.form)

    def sub(self, x: Term, y: Term) -> Term:
        if y.value == 0:
            return x
        return self._binary(SubiOp, x, y, lambda: x.form - y.form)

    def mul(self, x: Term, y: Term) -> Term:
        """Return the product; constants that are 0 or 1, or meet constants, are folded."""
        first, second = x.number, y.number
        if first == 0 or second == 1:
            return x
        if first == 1 or second == 0:
            return y
        if first is not None and second is not None:
            return self.static(first * second)
        return self._binary(MuliOp, x, y, lambda: x.form * y.form)

    def least(self, x: Term, y: Term) -> Term:
        return self._binary(MinSIOp, x, y, lambda: self.space.minimum(x.form, y.form))

    def greatest(self, x: Term, y: Term) -> Term:
        return self._binary(MaxSIOp, x, y, lambda: self.space.maximum(x.form, y.form))

    def either(self, condition: SSAValue, known: Cond, x: Term, y: Term) -> Term:
        """Return `x` where the condition, of the form `known`, holds, else `y`."""
        op = SelectOp(condition, self.value(x), self.value(y))
        return Term(self._op(op), lambda: self.space.select(known, x.form, y.form))

    def compared(self, predicate: int, x: Term, y: Term) -> SSAValue:
        return self._op(CmpiOp(self.value(x), self.value(y), predicate))

    def _binary(self, kind: type[Operation], x: Term, y: Term, form: Callable[[], Expr]) -> Term:
        if isinstance(x.value, int) and isinstance(y.value, int):
            number = form().constant
            if number is not None:
                return self.static(number)
        op = kind.create(operands=(self.value(x), self.value(y)), result_types=(INDEX,))
        return Term(self._op(op), form)

    def _op(self, op: Operation) -> SSAValue:
        """Put an op before the anchor, and before the loops around it that change no operand."""
        place = self.anchor
        while (loop := place.parent_op()) is not None and loop.name in ("scf.for", "scf.while"):
            if not self._are_known_before(op._operands, loop):
                break
            place = loop
        for value in op._operands:
            if not self.emitter.dominates(value, place) and isinstance(value.owner, Operation):
                value.owner.detach()
                self.emitter.insert(value.owner, place)
        return self.emitter.op(op, place)

    def _are_known_before(self, values: Sequence[SSAValue], loop: Operation) -> bool:
        """Tell whether values are there before a loop, or are casts that can be."""
        dominates = self.emitter.dominates
        for value in values:
            if not dominates(value, loop):
                cast = value.owner
                if not isinstance(cast, IndexCastOp) or not dominates(cast._operands[0], loop):
                    return False
        return True
