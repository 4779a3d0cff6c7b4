"""
Block pointers in the arithmetic of the program.

The analysis knows which block an access touches. How its offsets and strides are computed
is taken from the program where that can be: each op of the address becomes one on `index` for each
dimension that it moves, where the op stood. This is how triton-shared's pass writes it, and
what the program computes once is computed once.

Nothing is taken on trust: a transcript is used only where its form is that of the analysis
(`Transcript.says`).
"""

from collections.abc import Callable
from contextlib import suppress

from xdsl.dialects.builtin import ArrayAttr, IndexType, IntegerAttr, IntegerType, TensorType, i64
from xdsl.ir import Operation, OpResult, Region, SSAValue

from xtriton.analysis.indexing import Expr
from xtriton.analysis.values import Pointer, Sort, is_tensor, tensor_type, type_facts
from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.tts import MakeGatherScatterTensorPtrOp, MakeTensorPtrOp
from xtriton.dialects.upstream import tensor
from xtriton.dialects.upstream.arith import ConstantOp
from xtriton.ir.dense import is_splat, splat_value
from xtriton.ir.listings import ops_of_block
from xtriton.transforms.raising.structured.blocks import BlockPlan
from xtriton.transforms.raising.structured.gathers import GatherPlan
from xtriton.transforms.raising.transcripts.loops import CarriedStates
from xtriton.transforms.raising.transcripts.states import NoTranscript, PointerState
from xtriton.transforms.raising.writing.emitter import ExprEmitter
from xtriton.transforms.raising.writing.terms import Term, Terms

MOST_STEPS = 400
"""Ops that the transcript of one pointer may follow."""


class Transcript:
    """Transcribes the pointers of one function; each is followed once."""

    def __init__(self, emitter: ExprEmitter):
        self.emitter = emitter
        self.analysis = emitter.analysis
        self.space = emitter.space
        self.known: dict[SSAValue, PointerState | None] = {}
        """Pointers and what loops carry; None for those that have no transcript."""

        self.plain_ends: dict[tuple[object, ...], bool] = {}
        """Whether masks with some bounds need all of upstream's formula; see `MaskTranscript`."""

        self.renamed: dict[SSAValue, SSAValue] = {}
        """What stands for the results of accesses that have been raised."""

        self.zero, self.one = Term(0, self.space.zero), Term(1, self.space.one)
        self._steps = 0
        self.loops = CarriedStates(self)

    def follow(self, region: Region) -> None:
        """Find the states of the pointers that a region computes, in the order of the program."""
        for op in [op for block in region.blocks for op in ops_of_block(block)]:
            if op.name == "tt.addptr":
                self._steps = 0
                with suppress(NoTranscript):
                    self.visit(op.results[0], op)
            elif op.name == "scf.for":
                self._steps = 0
                self.loops.follow(op)
            else:
                for inner in op.regions:
                    self.follow(inner)

    def pointer(self, value: SSAValue) -> PointerState | None:
        """Return the state of a pointer or tensor of pointers, or None where it has none."""
        if value not in self.known and isinstance(value.owner, Operation):
            try:
                self.known[value] = self.visit(value, value.owner)
            except NoTranscript:
                self.known[value] = None
        return self.known.get(value)

    def made(self, value: SSAValue, state: PointerState) -> SSAValue:
        """Return the block that `state` says `value` is, made where `value` is."""
        assert state.base is not None
        strides = [t.value for t in state.strides]
        offsets = [t.value for t in state.offsets]
        if state.places is None:
            # which way a walk goes does not matter to where it wraps around
            bounds = [abs(t.value) if isinstance(t.value, int) else t.value for t in state.bounds]
            return self._put(
                MakeTensorPtrOp(state.base, state.sizes, strides, offsets, bounds), value
            )
        places = self._vector(self.renamed.get(state.places, state.places), value)
        sizes, along = state.sizes, state.along
        op = MakeGatherScatterTensorPtrOp(state.base, sizes, along, places, strides, offsets)
        return self._put(op, value)

    def _vector(self, places: SSAValue, value: SSAValue) -> SSAValue:
        """Return a tensor that moves along one dimension with that dimension only."""
        old = tensor_type(places.type)
        sizes = old.get_shape()
        if len(sizes) == 1:
            return places
        every = ArrayAttr(IntegerAttr(d, i64) for d in range(len(sizes)))
        type = TensorType(old.element_type, [n for n in sizes if n > 1], old.encoding)
        properties = {"reassociation": ArrayAttr([every])}
        collapse = tensor.CollapseShapeOp.create(
            operands=[places], result_types=[type], properties=properties
        )
        return self._put(collapse, value)

    def _put(self, op: Operation, value: SSAValue) -> SSAValue:
        """Put an op where a value is made."""
        owner = value.owner
        if not isinstance(owner, Operation):
            return self.emitter.op(op, self.loops.first_op(value))
        if owner.name == "scf.for":
            return self.emitter.after(op, owner)
        return self.emitter.op(op, owner)

    # --- values -----------------------------------------------------------------------

    def visit(self, value: SSAValue, anchor: Operation) -> PointerState:
        """Return the state of a value, computed before `anchor`; raise `NoTranscript`."""
        found = self.known.get(value)
        if found is not None:
            return found
        if value in self.known:
            raise NoTranscript
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise NoTranscript
        type = value.type
        if is_tensor(type) and isinstance(value, OpResult):
            rule = RULES.get(value.op.name)
            if rule is not None:
                try:
                    return rule(self, value.op, anchor)
                except NoTranscript:
                    return self._whole(value)
            if self.loops.is_carried(value):
                raise NoTranscript
            return self._whole(value)
        if isinstance(type, (IntegerType, IndexType)):
            return PointerState(scalar=Terms(self.emitter, anchor).scalar(value))
        if self.loops.is_carried(value) or not isinstance(type, PtrType):
            raise NoTranscript
        return self._scalar_pointer(value, anchor)

    def _whole(self, value: SSAValue) -> PointerState:
        """Return the state of a tensor of integers that is taken as it is, along one dimension."""
        facts = type_facts(value.type)
        sizes = facts.shape or ()
        moving = [d for d, size in enumerate(sizes) if size > 1]
        if len(moving) != 1 or facts.sort is not Sort.INTEGER:
            raise NoTranscript
        zeros = (self.zero,) * len(sizes)
        strides = tuple(self.one if d == moving[0] else self.zero for d in range(len(sizes)))
        return PointerState(None, None, sizes, zeros, strides, zeros, value, moving[0])

    def _scalar_pointer(self, value: SSAValue, anchor: Operation) -> PointerState:
        owner = value.owner
        if isinstance(owner, Operation) and owner.name == "tt.addptr":
            return _addptr(self, owner, anchor)
        return PointerState(base=value)

    def added(self, x: PointerState, y: PointerState, anchor: Operation) -> PointerState:
        """Return the sum of two states of one shape."""
        if x.base is not None and y.base is not None:
            raise NoTranscript
        has_places = x.places is not None or y.places is not None
        if has_places and not (_is_apart(x, y) and _is_apart(y, x)):
            raise NoTranscript
        terms = Terms(self.emitter, anchor)
        scalar = None
        if x.scalar is not None and y.scalar is not None:
            scalar = terms.add(x.scalar, y.scalar)
        elif not x.sizes:
            scalar = x.scalar or y.scalar
        if x.sizes != y.sizes:
            raise NoTranscript
        offsets: list[Term] = []
        strides: list[Term] = []
        for a, b, c, d in zip(x.offsets, y.offsets, x.strides, y.strides, strict=True):
            offsets.append(terms.add(a, b))
            strides.append(terms.add(c, d))
        lists = tuple(offsets), tuple(strides), tuple(map(_one_bound, x.bounds, y.bounds))
        places, along = x.places or y.places, max(x.along, y.along)
        return PointerState(x.base or y.base, scalar, x.sizes, *lists, places, along)

    def multiplied(self, x: PointerState, y: PointerState, anchor: Operation) -> PointerState:
        """Return the product of two states, of which one is the same in every element."""
        if x.scalar is not None and y.scalar is None:
            x, y = y, x
        if y.scalar is None or x.base is not None or y.wraps or y.places is not None:
            raise NoTranscript
        terms = Terms(self.emitter, anchor)
        scalar = None if x.scalar is None else terms.mul(x.scalar, y.scalar)
        offsets: list[Term] = []
        strides: list[Term] = []
        bounds: list[Term] = []
        for offset, stride, bound in zip(x.offsets, x.strides, x.bounds, strict=True):
            offsets.append(terms.mul(offset, y.scalar))
            strides.append(terms.mul(stride, y.scalar))
            bounds.append(terms.mul(bound, y.scalar))
        lists = tuple(offsets), tuple(strides), tuple(bounds)
        return PointerState(None, scalar, x.sizes, *lists, x.places, x.along)

    def splat(self, state: PointerState, sizes: tuple[int, ...]) -> PointerState:
        """Return the state of a tensor of which every element is `state`, a scalar's."""
        zeros = (self.zero,) * len(sizes)
        offsets = zeros if state.scalar is None else (state.scalar, *zeros[1:])
        base, scalar, _, _, _, _, places, along = state
        return PointerState(base, scalar, sizes, offsets, zeros, zeros, places, along)

    # --- proof ------------------------------------------------------------------------

    def equal(self, x: Expr, y: Expr) -> bool:
        """Tell whether two forms are the same once what loops carry is put in."""
        if x is y:
            return True
        difference = self.loops.resolved(x) - self.loops.resolved(y)
        return not difference.terms or not self.space.expanded(difference).terms

    def says(self, state: PointerState, plan: BlockPlan) -> bool:
        """Tell whether a state is the block that a plan says."""
        total = self._start(state, plan.pointer)
        if total is None or state.places is not None or len(state.sizes) != len(plan.sizes):
            return False
        wanted = plan.extra
        for d, size in enumerate(state.sizes):
            if size > 1 and not self.equal(state.strides[d].form, plan.strides[d]):
                return False
            bound, offset = plan.bounds[d], state.offsets[d].form
            if bound is None:
                if state.bounds[d].value != 0:
                    return False
                total, wanted = total + offset, wanted + plan.offsets[d]
            elif not self.equal(state.bounds[d].form, bound) or not self.equal(
                offset, plan.offsets[d]
            ):
                return False
        return self.equal(total, wanted)

    def gathers(self, state: PointerState, plan: GatherPlan) -> bool:
        """Tell whether a state is the block that a plan gathers along one dimension."""
        total = self._start(state, plan.pointer)
        if total is None or state.places is None or state.along != plan.dim or state.wraps:
            return False
        wanted = plan.places * plan.strides[plan.dim]
        total = total + self._places_form(state.places) * state.strides[plan.dim].form
        for d, size in enumerate(state.sizes):
            is_other = d != plan.dim and size > 1
            if is_other and not self.equal(state.strides[d].form, plan.strides[d]):
                return False
            total, wanted = total + state.offsets[d].form, wanted + plan.offsets[d]
        return self.equal(total, wanted)

    def _start(self, state: PointerState, pointer: Pointer) -> Expr | None:
        """Return how far a state's base is from the one of a plan; None where it is another."""
        base = None if state.base is None else self.analysis.get(state.base)
        if not isinstance(base, Pointer) or base.base is not pointer.base:
            return None
        return self.analysis.resolved(base.offset) if base.pointee == pointer.pointee else None

    def _places_form(self, places: SSAValue) -> Expr:
        """Return the form of a tensor that moves along one dimension, over position 0."""
        sizes = tensor_type(places.type).get_shape()
        d = next(d for d, size in enumerate(sizes) if size > 1)
        form = self.analysis.resolved(self.analysis.expr(places))
        own, first = self.space.position(d, sizes[d]), self.space.position(0, sizes[d])
        return self.space.substitute(form, {self.space.leaf_of(own).uid: first})


def _is_apart(x: PointerState, y: PointerState) -> bool:
    """Tell whether `y` adds nothing where `x` has places."""
    if x.places is None:
        return True
    d = x.along
    zeros = (y.offsets[d].number, y.strides[d].number) == (0, 0)
    return y.places is None and zeros and y.bounds[d].value == 0


def _one_bound(x: Term, y: Term) -> Term:
    """Return the bound of a sum in one dimension."""
    if x.value == 0 or y.value == 0:
        return y if x.value == 0 else x
    raise NoTranscript


# --- ops ------------------------------------------------------------------------------

Rule = Callable[[Transcript, Operation, Operation], PointerState]


def _sizes(op: Operation) -> tuple[int, ...]:
    (result,) = op.results
    return type_facts(result.type).shape or ()


def _addptr(t: Transcript, op: Operation, anchor: Operation) -> PointerState:
    """A pointer is computed where it is moved, whoever asks for it."""
    (result,) = op.results
    if result in t.known:
        return t.visit(result, anchor)
    t.known[result] = None
    pointer = t.visit(op._operands[0], op)
    if pointer.base is None:
        raise NoTranscript
    state = t.known[result] = t.added(pointer, t.visit(op._operands[1], op), op)
    return state


def _add(t: Transcript, op: Operation, anchor: Operation) -> PointerState:
    x = t.visit(op._operands[0], anchor)
    return t.added(x, t.visit(op._operands[1], anchor), anchor)


def _mul(t: Transcript, op: Operation, anchor: Operation) -> PointerState:
    x = t.visit(op._operands[0], anchor)
    return t.multiplied(x, t.visit(op._operands[1], anchor), anchor)


def _rem(t: Transcript, op: Operation, anchor: Operation) -> PointerState:
    """A remainder by a scalar wraps the one dimension that moves around."""
    modulus = t.visit(op._operands[1], anchor).scalar
    state = t.visit(op._operands[0], anchor)
    base, _, sizes, offsets, strides, bounds, places, along = state
    moving = [d for d, size in enumerate(sizes) if size > 1]
    if modulus is None or state.wraps or len(moving) != 1 or places is not None:
        raise NoTranscript
    d = moving[0]
    bounds = (*bounds[:d], modulus, *bounds[d + 1 :])
    return PointerState(base, None, sizes, offsets, strides, bounds, places, along)


def _same(t: Transcript, op: Operation, anchor: Operation) -> PointerState:
    return t.visit(op._operands[0], anchor)


def _range(t: Transcript, op: Operation, anchor: Operation) -> PointerState:
    start = op.properties["start"]
    assert isinstance(start, IntegerAttr)
    first = Terms(t.emitter, anchor).static(start.value.data)
    return PointerState(None, None, _sizes(op), (first,), (t.one,), (t.zero,))


def _splat(t: Transcript, op: Operation, anchor: Operation) -> PointerState:
    return t.splat(t.visit(op._operands[0], anchor), _sizes(op))


def _constant(t: Transcript, op: Operation, anchor: Operation) -> PointerState:
    assert isinstance(op, ConstantOp)
    if not is_splat(op.value):
        raise NoTranscript
    number = int(splat_value(op.value))
    return t.splat(PointerState(scalar=Terms(t.emitter, anchor).constant(number)), _sizes(op))


def _broadcast(t: Transcript, op: Operation, anchor: Operation) -> PointerState:
    state = t.visit(op._operands[0], anchor)
    if state.scalar is not None:
        return t.splat(state, _sizes(op))
    base, scalar, _, offsets, strides, bounds, places, along = state
    return PointerState(base, scalar, _sizes(op), offsets, strides, bounds, places, along)


def _expand_dims(t: Transcript, op: Operation, anchor: Operation) -> PointerState:
    state = t.visit(op._operands[0], anchor)
    if state.scalar is not None:
        return t.splat(state, _sizes(op))
    axis = op.properties["axis"]
    assert isinstance(axis, IntegerAttr)
    d, zero = axis.value.data, (t.zero,)
    base, scalar, _, offsets, strides, bounds, places, along = state
    return PointerState(
        base,
        scalar,
        _sizes(op),
        offsets[:d] + zero + offsets[d:],
        strides[:d] + zero + strides[d:],
        bounds[:d] + zero + bounds[d:],
        places,
        along + (along >= d),
    )


RULES: dict[str, Rule] = {
    "arith.addi": _add,
    "arith.constant": _constant,
    "arith.extsi": _same,
    "arith.muli": _mul,
    "arith.remsi": _rem,
    "tt.addptr": _addptr,
    "tt.broadcast": _broadcast,
    "tt.expand_dims": _expand_dims,
    "tt.make_range": _range,
    "tt.splat": _splat,
}
