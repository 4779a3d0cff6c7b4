"""
Mask sizes in the arithmetic of the program, as `transcript` has pointers.

A mask `start + i < n` leaves `max(min(start + size, n), start) - start` elements of a dimension;
a condition on scalars leaves all or none. What came of a mask is used only where its bounds
are those of the analysis (`MaskTranscript.says`).
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, i1
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from xtriton.analysis.indexing import Cond, Expr, Kind
from xtriton.analysis.masks import MaskRegion
from xtriton.analysis.values import Sort, is_tensor, tensor_type, type_facts
from xtriton.dialects.upstream.arith import ConstantOp
from xtriton.ir.attributes import integer
from xtriton.ir.dense import is_splat, splat_value
from xtriton.transforms.raising.transcripts.pointers import MOST_STEPS, Transcript
from xtriton.transforms.raising.transcripts.states import NoTranscript
from xtriton.transforms.raising.writing.terms import Term, Terms

SLT, SGE, ULT = 2, 5, 6
"""Predicates of `arith.cmpi`."""


class Extent(NamedTuple):
    """How many elements of a dimension are on, the bounds that say so, and the conditions."""

    term: Term
    bounds: tuple[Expr, ...] = ()
    guards: tuple[Cond, ...] = ()


class MaskState(NamedTuple):
    """
    A mask or an index that a mask compares.

    `dims` are the extents of a tensor. An index that varies goes from `start` to `end`, one that
    does not is `scalar`; `condition` is a boolean scalar.
    """

    dims: tuple[Extent, ...] = ()
    start: Term | None = None
    end: Term | None = None
    scalar: Term | None = None
    condition: SSAValue | None = None


def with_dims(state: MaskState, dims: Iterable[Extent]) -> MaskState:
    """Return a state with other extents; `_replace` would take longer than what is replaced."""
    return MaskState(tuple(dims), *state[1:])


class MaskTranscript:
    """Transcribes the mask of one access, before its op."""

    def __init__(self, transcript: Transcript, anchor: Operation):
        self.transcript = transcript
        self.emitter = transcript.emitter
        self.space = transcript.space
        self.anchor = anchor
        self.terms = Terms(self.emitter, anchor)
        self._steps = 0

    def extents(self, mask: SSAValue, region: MaskRegion) -> list[int | SSAValue] | None:
        """
        Return the number of elements that are on by dimension, if this is what `region` says.

        None also where what is known of the program makes it simpler than upstream's formula.
        """
        try:
            state = self.visit(mask)
        except NoTranscript:
            return None
        if not self.says(state, region) or self._is_simpler(state, region):
            return None
        return [d.term.value for d in state.dims]

    def _is_simpler(self, state: MaskState, region: MaskRegion) -> bool:
        """Tell whether a region needs no maximum of 0 and of a minimum where a state has one."""
        shape = tensor_type(self.anchor.operands[0].type).get_shape()
        for extent, upper, size in zip(state.dims, region.upper, shape, strict=True):
            varies = extent.bounds and not isinstance(extent.term.value, int)
            if varies and not self._is_plain(upper, size):
                return True
        return False

    def _is_plain(self, upper: tuple[Expr, ...], size: int) -> bool:
        """Tell whether the end of a dimension is a maximum of 0 and of a minimum, no less."""
        space = self.space
        key = upper, size, tuple(space.facts)
        found = self.transcript.plain_ends.get(key)
        if found is None:
            end = space.maximum(space.minimum(*upper, space.const(size)), space.zero).atom()
            args = end.args if end is not None and end.kind is Kind.MAX else ()
            inner = [arg.atom() for arg in args if arg is not space.zero]
            found = len(inner) == len(args) - 1 == 1
            found = found and inner[0] is not None and inner[0].kind is Kind.MIN
            self.transcript.plain_ends[key] = found
        return found

    def says(self, state: MaskState, region: MaskRegion) -> bool:
        """Tell whether a state lets the same elements through as a region."""
        if len(state.dims) != len(region.upper) or not region.is_prefix:
            return False
        shape = tensor_type(self.anchor.operands[0].type).get_shape()
        for extent, upper, size in zip(state.dims, region.upper, shape, strict=True):
            bounds = [self.transcript.loops.resolved(b) for b in extent.bounds]
            if bounds == list(upper):
                continue
            least = self.space.minimum(*bounds, self.space.const(size))
            wanted = self.space.minimum(*upper, self.space.const(size))
            if not self.transcript.equal(least, wanted):
                return False
        guards = {g for extent in state.dims for g in extent.guards}
        return guards == set(region.guards)

    def visit(self, value: SSAValue) -> MaskState:
        """Return the state of a mask or index; raise `NoTranscript` where it has none."""
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise NoTranscript
        if not is_tensor(value.type):
            if isinstance(value.type, (IntegerType, IndexType)):
                return self._scalar(value)
            raise NoTranscript
        if not isinstance(value, OpResult):
            assert isinstance(value, BlockArgument)
            return self._carried(value)
        rule = RULES.get(value.op.name)
        if rule is None:
            raise NoTranscript
        return rule(self, value.op)

    def _scalar(self, value: SSAValue) -> MaskState:
        if value.type == i1:
            return MaskState(condition=value)
        owner = value.owner
        if isinstance(owner, ConstantOp) and isinstance(owner.value, IntegerAttr):
            return MaskState(scalar=self.terms.static(owner.value.value.data))
        return MaskState(scalar=self.terms.scalar_here(value))

    def _carried(self, value: BlockArgument) -> MaskState:
        """An index that a loop carries spans as much in each iteration."""
        state = self.transcript.known.get(value)
        if state is None or len(state.sizes) != 1 or state.wraps or state.strides[0].number != 1:
            raise NoTranscript
        start, size = state.offsets[0], state.sizes[0]
        end = self.terms.add(start, self.terms.constant(size))
        return MaskState((self.whole(size),), start, end)

    def whole(self, size: int) -> Extent:
        return Extent(self.terms.static(size))

    def splat(self, state: MaskState, sizes: tuple[int, ...]) -> MaskState:
        return with_dims(state, map(self.whole, sizes))

    # --- comparisons ------------------------------------------------------------------

    def below(self, index: MaskState, bound: Term) -> Extent:
        """Return how much of an index is below a bound; nothing if it starts beyond."""
        if index.start is None or index.end is None:
            raise NoTranscript
        terms = self.terms
        end = terms.greatest(terms.least(index.end, bound), index.start)
        form = bound.form - index.start.form
        return Extent(terms.sub(end, index.start), (form,))

    def if_(self, condition: SSAValue, known: Cond, extent: Extent) -> Extent:
        """Return an extent that is 0 unless a condition on scalars holds."""
        term = self.terms.either(condition, known, extent.term, self.terms.constant(0))
        return Extent(term, extent.bounds, (*extent.guards, known))

    def both(self, x: Extent, y: Extent) -> Extent:
        term = self.terms.least(x.term, y.term)
        return Extent(term, (*x.bounds, *y.bounds), (*x.guards, *y.guards))


# --- ops ------------------------------------------------------------------------------

Rule = Callable[[MaskTranscript, Operation], MaskState]


def _sizes(op: Operation) -> tuple[int, ...]:
    (result,) = op.results
    return type_facts(result.type).shape or ()


def _constant(t: MaskTranscript, op: Operation) -> MaskState:
    assert isinstance(op, ConstantOp)
    facts = type_facts(op.result.type)
    if not is_splat(op.value) or facts.sort is not Sort.INTEGER:
        raise NoTranscript
    number = int(splat_value(op.value))
    return t.splat(MaskState(scalar=t.terms.static(number)), _sizes(op))


def _range(t: MaskTranscript, op: Operation) -> MaskState:
    start, (size,) = integer(op, "start"), _sizes(op)
    return MaskState((t.whole(size),), t.terms.static(start), t.terms.static(start + size))


def _add(t: MaskTranscript, op: Operation) -> MaskState:
    x, y = t.visit(op._operands[0]), t.visit(op._operands[1])
    if x.scalar is not None:
        x, y = y, x
    if x.start is None or x.end is None or y.scalar is None:
        raise NoTranscript
    start, end = t.terms.add(x.start, y.scalar), t.terms.add(x.end, y.scalar)
    return MaskState(x.dims, start, end, x.scalar, x.condition)


def _compare(t: MaskTranscript, op: Operation) -> MaskState:
    predicate = integer(op, "predicate")
    if predicate not in (SLT, SGE, ULT):
        raise NoTranscript
    x, y = t.visit(op._operands[0]), t.visit(op._operands[1])
    if y.scalar is None or x.condition is not None:
        raise NoTranscript
    sizes = _sizes(op)
    if x.scalar is not None:
        return _compare_scalars(t, op, x, y)
    moving = [d for d, size in enumerate(sizes) if size != 1]
    if len(moving) != 1:
        raise NoTranscript
    if predicate == SGE:
        return x._replace(start=None, end=None)
    dims = list(x.dims)
    dims[moving[0]] = t.below(x, y.scalar)
    return MaskState(tuple(dims))


def _compare_scalars(t: MaskTranscript, op: Operation, x: MaskState, y: MaskState) -> MaskState:
    assert x.scalar is not None
    assert y.scalar is not None
    predicate, space = integer(op, "predicate"), t.space
    known = space.less(x.scalar.form, y.scalar.form)
    if predicate == SGE:
        known = space.negation(known)
    condition = t.terms.compared(predicate, x.scalar, y.scalar)
    first, *others = x.dims
    return MaskState((t.if_(condition, known, first), *others))


def _and(t: MaskTranscript, op: Operation) -> MaskState:
    x, y = t.visit(op._operands[0]), t.visit(op._operands[1])
    if x.condition is not None and y.condition is not None:
        raise NoTranscript
    if x.condition is not None:
        x, y = y, x
    if y.condition is not None:
        known = t.emitter.analysis.resolved_condition(t.emitter.analysis.cond(y.condition))
        condition = y.condition
        return MaskState(tuple(t.if_(condition, known, d) for d in x.dims))
    if len(x.dims) != len(y.dims):
        raise NoTranscript
    return MaskState(tuple(t.both(a, b) for a, b in zip(x.dims, y.dims, strict=True)))


def _same(t: MaskTranscript, op: Operation) -> MaskState:
    return t.visit(op._operands[0])


def _splat(t: MaskTranscript, op: Operation) -> MaskState:
    return t.splat(t.visit(op._operands[0]), _sizes(op))


def _broadcast(t: MaskTranscript, op: Operation) -> MaskState:
    (operand,) = op._operands
    state, sizes = t.visit(operand), _sizes(op)
    source = type_facts(operand.type).shape or ()
    dims = zip(state.dims, source, sizes, strict=True)
    return with_dims(state, [e if old == new else t.whole(new) for e, old, new in dims])


def _expand_dims(t: MaskTranscript, op: Operation) -> MaskState:
    state, d = t.visit(op._operands[0]), integer(op, "axis")
    return with_dims(state, (*state.dims[:d], t.whole(1), *state.dims[d:]))


RULES: dict[str, Rule] = {
    "arith.addi": _add,
    "arith.andi": _and,
    "arith.cmpi": _compare,
    "arith.constant": _constant,
    "arith.extsi": _same,
    "tt.broadcast": _broadcast,
    "tt.expand_dims": _expand_dims,
    "tt.make_range": _range,
    "tt.splat": _splat,
}
