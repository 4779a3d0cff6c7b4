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

Source: `Prefetch.cpp` of Triton.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import is_side_effect_free

from xtriton.analysis.axis_facts import element_bits
from xtriton.analysis.writes import may_change_buffers
from xtriton.dialects.encodings.inference import is_elementwise
from xtriton.dialects.tt.dot import DotOp
from xtriton.dialects.ttg.amd_mfma import AMDMfmaEncodingAttr
from xtriton.dialects.ttg.distributed import DotOperandEncodingAttr
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.dialects.ttg.memdesc_parts import MemDescSubsliceOp
from xtriton.dialects.ttg.memory import LocalLoadOp
from xtriton.dialects.ttg.mma import NvidiaMmaEncodingAttr
from xtriton.dialects.ttg.types import MemDescType
from xtriton.dialects.upstream.scf import ForOp, YieldOp
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.semantics.tolerance import SUM_TOLERANCE
from xtriton.transforms.cleanup.canonicalization.ttg import PATTERNS
from xtriton.transforms.triton_gpu.simplification import simplify

_BITS_FOR_TENSOR_CORES = 256
_ELEMENTS_PER_K_WIDTH = 8


@dataclass(frozen=True)
class TritonGPUPrefetchPass(ModulePass):
    """Load the first part of dot operands one iteration ahead."""

    name = "tritongpu-prefetch"
    tolerance = SUM_TOLERANCE

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        simplify(op, PATTERNS)
        for loop in [o for o in op.walk(region_first=True) if isinstance(o, ForOp)]:
            dot = _only_dot(loop)
            plan = _plan(loop, dot) if dot is not None else None
            if plan is not None:
                _rewrite(loop, plan)


@dataclass
class _Operand:
    """An operand of the dot: the buffer that a loop carries, and what is done to it."""

    index: int
    argument: BlockArgument
    chain: list[SSAValue]
    """The loaded tensor and the results of the ops on it, the last being the operand."""

    @property
    def position(self) -> int:
        """Which of the values that the loop carries the buffer is."""
        return self.argument.index - 1


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
    in_front = takewhile(lambda op: op is not dot, loop.body.block.ops)
    if any(map(may_change_buffers, in_front)):
        return None
    a, b = (_operand(loop, dot, index) for index in (0, 1))
    return None if a is None or b is None else _Plan(dot, width, (a, b))


def _operand(loop: ForOp, dot: DotOp, index: int) -> _Operand | None:
    """Return how an operand comes from a buffer that the loop carries; `None` if otherwise."""
    chain: list[SSAValue] = []
    value = dot.operands[index]
    while isinstance(value, OpResult):
        op = value.op
        if len(op.operands) != 1 or not op.results[0].has_one_use():
            return None
        if not isinstance(op, LocalLoadOp) and not _works_on_parts(op):
            return None
        chain.insert(0, value)
        value = op.operands[0]
        if isinstance(op, LocalLoadOp):
            if not isinstance(_encoding(op.result), DotOperandEncodingAttr):
                return None
            if isinstance(value, BlockArgument) and value.block is loop.body.block:
                return _Operand(index, value, chain)
            return None
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

    def load(
        self, plan: _Plan, operand: _Operand, buffer: SSAValue, offset: int, length: int
    ) -> SSAValue:
        """Load a part along k of a buffer, and do to it what is done to the whole."""
        type = buffer.type
        assert isinstance(type, MemDescType)
        rank = type.rank
        along_k = rank - 1 if operand.index == 0 else rank - 2
        shape, offsets = list(type.get_shape()), [0] * rank
        shape[along_k], offsets[along_k] = length, offset
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
        source = plan.dot
        view = self.insert(MemDescSubsliceOp(buffer, offsets, part), source)
        tensor = TensorType(type.element_type, shape, encoding)
        value = self.insert(LocalLoadOp(view.results[0], tensor), source).results[0]
        for original in operand.chain[1:]:
            assert isinstance(original, OpResult)
            value = self._repeat(original.op, value, shape)
        return value

    def _repeat(self, op: Operation, value: SSAValue, shape: Sequence[int]) -> SSAValue:
        copy = self.insert(op.clone({op.operands[0]: value}), op)
        result, source = copy.results[0], value.type
        assert is_tensor(result.type)
        assert is_tensor(source)
        result._type = TensorType(result.type.element_type, shape, source.encoding)
        return result


def _rewrite(loop: ForOp, plan: _Plan) -> None:
    body, parent = loop.body.block, loop.parent
    assert parent is not None
    before = _Emitter(parent, loop)
    first = [
        before.load(plan, operand, loop.iter_args[operand.position], 0, plan.width)
        for operand in plan.operands
    ]
    new = ForOp.create(
        operands=[*loop.operands, *first],
        result_types=[*loop.result_types, *(value.type for value in first)],
        properties=dict(loop.properties),
        regions=[loop.detach_region(loop.body)],
    )
    new.location = loop.location
    parent.insert_op_before(new, loop)
    parts = [body.insert_arg(value.type, len(body.args)) for value in first]

    last = _divide_dot(body, plan, parts)
    yielded = body.last_op
    assert isinstance(yielded, YieldOp)
    is_delayed = _delay(last, plan.dot)
    plan.dot.results[0].replace_all_uses_with(last.results[0])
    at_end = _Emitter(body, last if is_delayed else yielded)
    following = [
        at_end.load(plan, operand, yielded.operands[operand.position], 0, plan.width)
        for operand in plan.operands
    ]
    yielded.operands = [*yielded.operands, *following]
    for old, result in zip(loop.results, new.results, strict=False):
        old.replace_all_uses_with(result)
    loop.detach()
    loop.erase()


def _divide_dot(body: Block, plan: _Plan, parts: Sequence[SSAValue]) -> Operation:
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
            emitter.load(plan, operand, operand.argument, offset, plan.width)
            for operand in plan.operands
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
