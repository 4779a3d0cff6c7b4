"""
Arithmetic on what `tts` lists hold: numbers, or `index` values.

A `Term` goes with the form that the analysis gives it, so that whoever puts terms together can
prove what came of it. Numbers stay numbers as long as they meet numbers only.
"""

from collections.abc import Callable

from xdsl.dialects.builtin import IntegerAttr
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
        if value.type == INDEX:
            return Term(value, form)
        cast = IndexCastOp.create(operands=(value,), result_types=(INDEX,))
        if isinstance(owner, Operation):
            return Term(self.emitter.after(cast, owner), form)
        return Term(self.emitter.op(cast, self.anchor), form)

    def scalar_here(self, value: SSAValue) -> Term:
        """Return an integer of the program, cast where it is used."""
        analysis = self.emitter.analysis
        form = analysis.resolved(analysis.expr(value))
        if value.type == INDEX:
            return Term(value, form)
        return Term(
            self.emitter.op(
                IndexCastOp.create(operands=(value,), result_types=(INDEX,)), self.anchor
            ),
            form,
        )

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
        for factor, other in ((x, y), (y, x)):
            if factor.number == 0:
                return factor
            if factor.number == 1:
                return other
        if x.number is not None and y.number is not None:
            return self.static(x.number * y.number)
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
            if not all(self._is_known_before(v, loop) for v in op._operands):
                break
            place = loop
        for value in op._operands:
            if not self.emitter.dominates(value, place) and isinstance(value.owner, Operation):
                value.owner.detach()
                self.emitter.insert(value.owner, place)
        return self.emitter.op(op, place)

    def _is_known_before(self, value: SSAValue, loop: Operation) -> bool:
        """Tell whether a value is there before a loop, or is a cast that can be."""
        if self.emitter.dominates(value, loop):
            return True
        cast = value.owner
        return isinstance(cast, IndexCastOp) and self.emitter.dominates(cast.operands[0], loop)
