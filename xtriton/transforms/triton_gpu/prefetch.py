"""
Load operands of dots from shared memory in parts, each before the dot that needs it.

Before:

    scf.for ... iter_args(%a = %a0, %b = %b0, ...) {
      %x = ttg.local_load %a : !ttg.memdesc<128x32xf16, ...> -> ...
      %y = ttg.local_load %b : !ttg.memdesc<32x128xf16, ...> -> ...
      %d = tt.dot %x, %y, %c
      scf.yield %next_a, %next_b, ...
    }

After:

    %x0 = ttg.local_load (%a0[0, 0] : 128x16) ...
    scf.for ... iter_args(%a = %a0, %b = %b0, ..., %x = %x0, %y = %y0) {
      %x1 = ttg.local_load (%a[0, 16] : 128x16) ...
      %c1 = tt.dot %x, %y, %c
      %next_x = ttg.local_load (%next_a[0, 0] : 128x16) ...
      %d = tt.dot %x1, %y1, %c1
      scf.yield %next_a, %next_b, ..., %next_x, %next_y
    }

So loading the first part for the next iteration overlaps the last dot of this one. Only
loops with one dot, on NVIDIA's MMA v2 or AMD's MFMA, are changed, and only where nothing in
front of the dot writes to shared memory: parts are loaded before and after it. Upstream does
not ask for that.

From Triton 3.8 on a buffer need not come from the iteration before: what computes it and the
token of its load, from the slots of a pipelined loop say, is repeated in front of the loop and for
the next iteration, and the loop carries both.

Source: `Prefetch.cpp` of Triton.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import ConstantLike, is_side_effect_free, is_speculatable

from xtriton.analysis.axis_facts import element_bits
from xtriton.analysis.writes import may_change_buffers
from xtriton.dialects.encodings.inference import is_elementwise
from xtriton.dialects.tt.dot import DotOp
from xtriton.dialects.ttg.amd_mfma import AMDMfmaEncodingAttr
from xtriton.dialects.ttg.async_copy import AsyncWaitOp
from xtriton.dialects.ttg.distributed import DotOperandEncodingAttr
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.dialects.ttg.memdesc_parts import MemDescIndexOp, MemDescSubsliceOp
from xtriton.dialects.ttg.memory import LocalLoadOp
from xtriton.dialects.ttg.mma import NvidiaMmaEncodingAttr
from xtriton.dialects.ttg.types import MemDescType
from xtriton.dialects.upstream.arith import AddiOp
from xtriton.dialects.upstream.scf import ForOp, YieldOp
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.listings import ops_of
from xtriton.ir.noted_edits import note_edit
from xtriton.ir.versions import release
from xtriton.semantics.tolerance import SUM_TOLERANCE
from xtriton.transforms.cleanup.canonicalization.tables import CONVERSION_PATTERNS
from xtriton.transforms.triton_gpu.simplification import simplify

_REPEATS_SOURCES = (3, 8)
"""The release of Triton from which on buffers and tokens are repeated."""

_BITS_FOR_TENSOR_CORES = 256
_ELEMENTS_PER_K_WIDTH = 8


@dataclass(frozen=True)
class TritonGPUPrefetchPass(ModulePass):
    """Load the first part of dot operands one iteration ahead."""

    name = "tritongpu-prefetch"
    tolerance = SUM_TOLERANCE

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        simplify(op, CONVERSION_PATTERNS)
        for loop in ops_of(op, ForOp, region_first=True):
            dot = _only_dot(loop)
            plan = _plan(loop, dot) if dot is not None else None
            if plan is not None:
                _rewrite(loop, plan)


class _Source(NamedTuple):
    """The buffer that a load reads, and what it waits for."""

    buffer: SSAValue
    token: SSAValue | None


@dataclass
class _Operand:
    """An operand of the dot: what it is loaded from, and what is done to it."""

    index: int
    source: _Source
    chain: list[SSAValue]
    """The loaded tensor and the results of the ops on it, the last being the operand."""


@dataclass
class _Plan:
    dot: DotOp
    width: int
    operands: tuple[_Operand, _Operand]


def _encoding(value: SSAValue) -> Attribute | None:
    type: Any = value.type
    return type.encoding if isinstance(type, TensorType | MemDescType) else None


def _only_dot(loop: ForOp) -> DotOp | None:
    """Return the dot of a loop if it is the only one and can be divided."""
    dots = [op for op in loop.body.block.ops if isinstance(op, DotOp)]
    if len(dots) != 1:
        return None
    encoding = _encoding(dots[0].results[0])
    if isinstance(encoding, NvidiaMmaEncodingAttr):
        return dots[0] if encoding.version_major == 2 else None
    return dots[0] if isinstance(encoding, AMDMfmaEncodingAttr) else None


def _plan(loop: ForOp, dot: DotOp) -> _Plan | None:
    type, encoding = dot.operands[0].type, _encoding(dot.operands[0])
    assert is_tensor(type)
    if not isinstance(encoding, DotOperandEncodingAttr):
        return None
    k_width = encoding.k_width
    if k_width == 0:
        width = _BITS_FOR_TENSOR_CORES // element_bits(type.element_type)
    else:
        width = _ELEMENTS_PER_K_WIDTH * k_width
    if type.get_shape()[-1] < width:
        return None
    a, b = (_operand(dot, index) for index in (0, 1))
    if a is None or b is None or not _can_be_loaded_ahead(loop.body.block, (a.source, b.source)):
        return None
    in_front = takewhile(lambda op: op is not dot, loop.body.block.ops)
    if a.source.token is not None and b.source.token is not None:
        # Loads that say what they wait for need no other wait.
        in_front = (op for op in in_front if not isinstance(op, AsyncWaitOp))
    return None if any(map(may_change_buffers, in_front)) else _Plan(dot, width, (a, b))


def _can_be_loaded_ahead(body: Block, sources: Sequence[_Source]) -> bool:
    """Return whether buffers and tokens are known before the iteration that loads begins."""
    carried = all(_is_carried(body, source.buffer) for source in sources)
    waits = [source.token for source in sources if source.token is not None]
    if release() < _REPEATS_SOURCES:
        return carried and not waits
    values = [*(source.buffer for source in sources), *waits]
    return bool(carried or waits) and all(_is_repeatable(body, value) for value in values)


def _is_carried(body: Block, value: SSAValue | None) -> bool:
    return isinstance(value, BlockArgument) and value.block is body and value.index > 0


def _is_repeatable(body: Block, value: SSAValue) -> bool:
    """Return whether a value can be computed before the loop, and for the next iteration."""
    op = value.owner
    if isinstance(op, Block) or op.parent is not body:
        return True
    if op.regions or not (
        isinstance(op, AsyncWaitOp | MemDescIndexOp)
        or op.has_trait(ConstantLike)
        or (is_elementwise(op) and is_side_effect_free(op) and is_speculatable(op))
    ):
        return False
    return all(_is_repeatable(body, operand) for operand in op.operands)


def _operand(dot: DotOp, index: int) -> _Operand | None:
    """Return how an operand is loaded from shared memory; `None` if it is not."""
    chain: list[SSAValue] = []
    value = dot.operands[index]
    while isinstance(value, OpResult) and value.has_one_use():
        op = value.op
        chain.insert(0, value)
        if isinstance(op, LocalLoadOp):
            loads_operand = isinstance(_encoding(op.result), DotOperandEncodingAttr)
            return _Operand(index, _Source(op.src, op.token), chain) if loads_operand else None
        if len(op.operands) != 1 or not _works_on_parts(op):
            return None
        value = op.operands[0]
    return None


def _works_on_parts(op: Operation) -> bool:
    """Return whether an op does to parts of a tensor what it does to the whole."""
    return isinstance(op, ConvertLayoutOp) or (is_elementwise(op) and is_side_effect_free(op))


class _Emitter:
    """Inserts ops before one op, or at the end of a block."""

    def __init__(self, block: Block, before: Operation | None):
        self.block, self.before = block, before

    def insert(self, op: Operation, like: Operation) -> Operation:
        op.location = like.location
        if self.before is None:
            self.block.add_op(op)
        else:
            self.block.insert_op_before(op, self.before)
        return op

    def load(self, plan: _Plan, operand: _Operand, source: _Source, offset: int) -> SSAValue:
        """Load the part at `offset` along k of a buffer, and do to it what is done to the whole."""
        buffer, token = source
        type = buffer.type
        assert isinstance(type, MemDescType)
        rank = type.rank
        along_k = rank - 1 if operand.index == 0 else rank - 2
        shape, offsets = list(type.get_shape()), [0] * rank
        shape[along_k], offsets[along_k] = plan.width, offset
        part = MemDescType(
            shape,
            type.element_type,
            type.encoding,
            type.memory_space,
            mutable=type.mutable,
            alloc_shape=type.alloc_shape,
        )
        dot_encoding = _encoding(plan.dot.results[0])
        assert dot_encoding is not None
        encoding = DotOperandEncodingAttr(
            operand.index, dot_encoding, plan.width // _ELEMENTS_PER_K_WIDTH
        )
        view = self.insert(MemDescSubsliceOp(buffer, offsets, part), plan.dot)
        tensor = TensorType(type.element_type, shape, encoding)
        value = self.insert(LocalLoadOp(view.results[0], tensor, token), plan.dot).results[0]
        for original in operand.chain[1:]:
            assert isinstance(original, OpResult)
            value = self._repeat(original.op, value, shape)
        return value

    def _repeat(self, op: Operation, value: SSAValue, shape: Sequence[int]) -> SSAValue:
        copy = self.insert(op.clone({op.operands[0]: value}), op)
        result, source = copy.results[0], value.type
        assert is_tensor(result.type)
        assert is_tensor(source)
        note_edit(copy)
        result._type = TensorType(result.type.element_type, shape, source.encoding)
        return result


class _Repeater:
    """Repeats what computes a value from the arguments of a loop, for other arguments."""

    def __init__(self, body: Block, at: _Emitter, of_argument: Callable[[BlockArgument], SSAValue]):
        self.body, self.at, self.of_argument = body, at, of_argument
        self.repeated: dict[SSAValue, SSAValue] = {}

    def repeat(self, value: SSAValue) -> SSAValue:
        found = self.repeated.get(value)
        if found is not None:
            return found
        if isinstance(value, BlockArgument):
            found = self.of_argument(value) if value.block is self.body else value
        elif value.owner.parent is not self.body:
            found = value
        else:
            op = value.owner
            assert isinstance(op, Operation)
            operands = {operand: self.repeat(operand) for operand in op.operands}
            copy = self.at.insert(op.clone(operands), op)
            self.repeated.update(zip(op.results, copy.results, strict=True))
            return self.repeated[value]
        self.repeated[value] = found
        return found

    def source(self, source: _Source) -> _Source:
        token = source.token
        return _Source(self.repeat(source.buffer), None if token is None else self.repeat(token))


def _rewrite(loop: ForOp, plan: _Plan) -> None:
    body, parent = loop.body.block, loop.parent
    assert parent is not None
    before = _Emitter(parent, loop)
    initial = dict(zip(body.args, (loop.lb, *loop.iter_args), strict=True))
    repeater = _Repeater(body, before, lambda argument: initial[argument])
    sources: list[_Source] = []
    first: list[SSAValue] = []
    for operand in plan.operands:
        sources.append(repeater.source(operand.source))
        first.append(before.load(plan, operand, sources[-1], 0))
    new_sources = _not_carried(body, plan, sources)
    new = ForOp.create(
        operands=[*loop.operands, *new_sources, *first],
        result_types=[*loop.result_types, *(value.type for value in (*new_sources, *first))],
        properties=dict(loop.properties),
        regions=[loop.detach_region(loop.body)],
    )
    new.location = loop.location
    parent.insert_op_before(new, loop)
    current = _current_sources(body, plan)
    parts = [body.insert_arg(value.type, len(body.args)) for value in first]

    last = _divide_dot(body, plan, parts, current)
    yielded = body.last_op
    assert isinstance(yielded, YieldOp)
    is_delayed = _delay(last, plan.dot)
    plan.dot.results[0].replace_all_uses_with(last.results[0])
    at_end = _Emitter(body, last if is_delayed else yielded)
    following = _following_sources(new, plan, at_end)
    loaded = [
        at_end.load(plan, operand, source, 0)
        for operand, source in zip(plan.operands, following, strict=True)
    ]
    yielded.operands = [*yielded.operands, *_not_carried(body, plan, following), *loaded]
    for old, result in zip(loop.results, new.results, strict=False):
        old.replace_all_uses_with(result)
    loop.detach()
    loop.erase()


def _not_carried(body: Block, plan: _Plan, sources: Sequence[_Source]) -> list[SSAValue]:
    """Return of `sources` what the loop has to carry besides: buffers, then tokens."""
    pairs = list(zip((operand.source for operand in plan.operands), sources, strict=True))
    buffers = [new.buffer for old, new in pairs if not _is_carried(body, old.buffer)]
    tokens = [new.token for old, new in pairs if not _is_carried(body, old.token)]
    return [*buffers, *(token for token in tokens if token is not None)]


def _current_sources(body: Block, plan: _Plan) -> list[_Source]:
    """Add arguments for what the loop has to carry, and return the sources of an iteration."""

    def argument(value: SSAValue) -> SSAValue:
        if _is_carried(body, value):
            return value
        return body.insert_arg(value.type, len(body.args))

    sources = [operand.source for operand in plan.operands]
    buffers = [argument(source.buffer) for source in sources]
    tokens = [None if source.token is None else argument(source.token) for source in sources]
    return [_Source(*pair) for pair in zip(buffers, tokens, strict=True)]


def _following_sources(loop: ForOp, plan: _Plan, at: _Emitter) -> list[_Source]:
    """Insert what computes the sources of the next iteration."""
    body = loop.body.block
    yielded = body.last_op
    assert isinstance(yielded, YieldOp)

    def next_of(argument: BlockArgument) -> SSAValue:
        if argument.index:
            return yielded.operands[argument.index - 1]
        return at.insert(AddiOp(argument, loop.step), loop).results[0]

    def following(value: SSAValue) -> SSAValue:
        return _Repeater(body, at, next_of).repeat(value)

    sources = [operand.source for operand in plan.operands]
    buffers = [following(source.buffer) for source in sources]
    tokens = [None if source.token is None else following(source.token) for source in sources]
    return [_Source(*pair) for pair in zip(buffers, tokens, strict=True)]


def _divide_dot(
    body: Block, plan: _Plan, parts: Sequence[SSAValue], sources: Sequence[_Source]
) -> Operation:
    """
    Insert behind the dot the dots of the parts, each with its loads before the last one.

    Return the last one. The dot itself stays, and dies with its operands.
    """
    dot = plan.dot
    type = dot.operands[0].type
    assert is_tensor(type)
    length = type.get_shape()[-1]
    last: Operation = dot.clone()
    last.operands = [*parts, *last.operands[2:]]
    last.location = dot.location
    body.insert_op_after(last, dot)
    for offset in range(plan.width, length, plan.width):
        emitter = _Emitter(body, last)
        loaded = [
            emitter.load(plan, operand, source, offset)
            for operand, source in zip(plan.operands, sources, strict=True)
        ]
        following = dot.clone()
        following.operands = [*loaded, last.results[0], *following.operands[3:]]
        following.location = dot.location
        body.insert_op_after(following, last)
        last = following
    return last


def _delay(last: Operation, dot: DotOp) -> bool:
    """
    Move what follows in front of the last dot, up to control flow or what needs the dot.

    Return whether nothing but the end of the block follows the dot then.
    """
    while (op := last.next_op) is not None and not isinstance(op, YieldOp):
        if op.regions or any(value is dot.results[0] for value in op.operands):
            return False
        op.detach()
        assert last.parent is not None
        last.parent.insert_op_before(op, last)
    return True
