"""
Multiply large operands in parts that are loaded from shared memory when their turn comes.

Before:

    %a = ttg.convert_layout %x : tensor<64x128xf16, #blocked> -> tensor<64x128xf16, #dot0>
    %b = ttg.convert_layout %y : tensor<128x128xf16, #blocked1> -> tensor<128x128xf16, #dot1>
    %d = tt.dot %a, %b, %c : ... -> tensor<64x128xf32, #blocked>

After, for each part of `k`:

    %p = ttg.local_alloc %x
    %q = ttg.local_alloc %y
    %p0 = ttg.local_load (ttg.memdesc_subslice %p[0, 0]) : ... -> tensor<64x64xf16, #dot0>
    %q0 = ttg.local_load (ttg.memdesc_subslice %q[0, 0]) : ... -> tensor<64x128xf16, #dot1>
    %d0 = tt.dot %p0, %q0, %c : ... -> tensor<64x128xf32, #blocked>
    ...

Without DPAS each thread multiplies its elements one by one, and operands of more than 4 KiB a
thread do not fit into its registers. What is stored is the operand before it was made wider.
Source: `StageLargeFMADotsViaSLM.cpp` of the Intel XPU backend, August 2026. Other than there, an
operand that lies in shared memory already is loaded later only where nothing changes it meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.passes import ModulePass

from xtriton.analysis.axis_facts import element_bits
from xtriton.analysis.writes import may_change_buffers
from xtriton.dialects.encodings.linear_layouts import cga_of, order_of
from xtriton.dialects.tt.casts import FpToFpOp
from xtriton.dialects.tt.dot import DotOp
from xtriton.dialects.ttg.cga import CGAEncodingAttr
from xtriton.dialects.ttg.distributed import BlockedEncodingAttr, DotOperandEncodingAttr
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.dialects.ttg.memdesc_parts import MemDescSubsliceOp
from xtriton.dialects.ttg.memory import LocalAllocOp, LocalLoadOp
from xtriton.dialects.ttg.types import MemDescType
from xtriton.dialects.upstream.arith import ExtFOp
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.listings import ops_of
from xtriton.passes.rewriting import replace
from xtriton.semantics.tolerance import SUM_TOLERANCE
from xtriton.transforms.triton_gpu.operand_swizzles import swizzle_for_operand

MOST_BYTES_PER_THREAD = 4096
"""Of operands and result; more does not stay in registers."""
BYTES_OF_LEFT_PART = 1024
"""Of a part of the left operand, for each thread."""
MOST_SHARED_BYTES = 56 * 1024
LEAST_PART = 16
"""Along `k`."""


@dataclass(frozen=True)
class StageLargeFMADotsViaSLMPass(ModulePass):
    """Let products without DPAS take large operands from shared memory, part by part."""

    name = "tritonintelgpu-stage-large-fma-dots-via-slm"
    tolerance = SUM_TOLERANCE

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for dot in ops_of(op, DotOp):
            staging = _staging(dot)
            if staging is not None:
                staging.run()


@dataclass
class _Operand:
    """Where an operand can be loaded from in parts, and what is done to a part then."""

    source: SSAValue
    """The tensor to store, or the buffer that it is in."""

    element_type: Any
    encoding: DotOperandEncodingAttr
    casts: list[Operation]
    """What makes it wider, the first one first."""

    def shared_bytes(self) -> int:
        """Return how much shared memory all of it takes."""
        type: Any = self.source.type
        return prod(type.get_shape()) * max(element_bits(type.element_type) // 8, 1)


@dataclass
class _Staging:
    """How one product is divided along `k`."""

    dot: DotOp
    operands: tuple[_Operand, _Operand]
    width: int

    def run(self) -> None:
        block = self.dot.parent
        assert block is not None
        left: Any = self.dot.operands[0].type
        rank, k = len(left.get_shape()), left.get_shape()[-1]
        buffers = [self._buffer(operand) for operand in self.operands]
        result = self.dot.operands[2]
        dims = (rank - 1, rank - 2)
        for start in range(0, k, self.width):
            views = [
                self._view(buffer, dim, start) for buffer, dim in zip(buffers, dims, strict=True)
            ]
            parts = [
                self._load(operand, view)
                for operand, view in zip(self.operands, views, strict=True)
            ]
            parts = [
                self._cast(operand, part)
                for operand, part in zip(self.operands, parts, strict=True)
            ]
            product = self.dot.clone()
            product.operands[0], product.operands[1], product.operands[2] = *parts, result
            result = self._insert(product)
        dead = list(self.dot.operands[:2])
        replace(self.dot, [result])
        for value in dead:
            _erase_unused(value)

    def _insert(self, op: Operation) -> SSAValue:
        assert self.dot.parent is not None
        op.location = self.dot.location
        self.dot.parent.insert_op_before(op, self.dot)
        return op.results[0]

    def _buffer(self, operand: _Operand) -> SSAValue:
        type = operand.source.type
        if not is_tensor(type):
            return operand.source
        order = order_of(type.encoding, type.get_shape())
        cga = CGAEncodingAttr(cga_of(type.encoding), len(order))
        shared = swizzle_for_operand(operand.encoding, type, order, cga)
        assert shared is not None
        memory = MemDescType(type.get_shape(), type.element_type, shared)
        return self._insert(LocalAllocOp(memory, operand.source))

    def _view(self, buffer: SSAValue, dim: int, start: int) -> SSAValue:
        whole = buffer.type
        assert isinstance(whole, MemDescType)
        shape, offsets = list(whole.get_shape()), [0] * whole.rank
        shape[dim], offsets[dim] = self.width, start
        part = MemDescType(
            shape,
            whole.element_type,
            whole.encoding,
            whole.memory_space,
            mutable=whole.mutable,
            alloc_shape=whole.alloc_shape,
        )
        return self._insert(MemDescSubsliceOp(buffer, offsets, part))

    def _load(self, operand: _Operand, view: SSAValue) -> SSAValue:
        type = view.type
        assert isinstance(type, MemDescType)
        loaded = TensorType(operand.element_type, type.get_shape(), operand.encoding)
        return self._insert(LocalLoadOp(view, loaded))

    def _cast(self, operand: _Operand, part: SSAValue) -> SSAValue:
        for cast in operand.casts:
            wider: Any = cast.results[0].type
            given: Any = part.type
            again = type(cast).create(
                operands=[part],
                result_types=[TensorType(wider.element_type, given.get_shape(), given.encoding)],
                properties=dict(cast.properties),
            )
            part = self._insert(again)
        return part


def _staging(dot: DotOp) -> _Staging | None:
    type: Any = dot.results[0].type
    if not isinstance(type.encoding, BlockedEncodingAttr):
        return None
    if _bytes_per_thread(dot, type.encoding) <= MOST_BYTES_PER_THREAD:
        return None
    left, right = (_operand(dot, dot.operands[index]) for index in (0, 1))
    if left is None or right is None:
        return None
    if left.shared_bytes() + right.shared_bytes() > MOST_SHARED_BYTES:
        return None
    width = _width(dot, type.encoding)
    return None if width is None else _Staging(dot, (left, right), width)


def _repetitions(encoding: BlockedEncodingAttr, shape: Sequence[int]) -> tuple[int, int]:
    """Return how often the layout is repeated along the rows and columns of a matrix."""
    found: list[int] = []
    for dim in (-2, -1):
        covered = prod(
            sizes[dim]
            for sizes in (
                encoding.size_per_thread,
                encoding.threads_per_warp,
                encoding.warps_per_cta,
            )
        )
        found.append(shape[dim] // covered if covered else 1)
    return found[0], found[1]


def _bytes_per_thread(dot: DotOp, encoding: BlockedEncodingAttr) -> int:
    """Return what a thread holds if all of `k` is multiplied at once."""
    result: Any = dot.results[0].type
    left: Any = dot.operands[0].type
    times = _repetitions(encoding, result.get_shape())
    rows, columns = (n * encoding.size_per_thread[d] for n, d in zip(times, (-2, -1), strict=True))
    element, sum_bytes = max(element_bits(left) // 8, 1), element_bits(result) // 8
    return (rows + columns) * left.get_shape()[-1] * element + rows * columns * sum_bytes


def _width(dot: DotOp, encoding: BlockedEncodingAttr) -> int | None:
    """Return how much of `k` to multiply at a time: a power of two that divides it."""
    result: Any = dot.results[0].type
    left: Any = dot.operands[0].type
    k = left.get_shape()[-1]
    times = max(_repetitions(encoding, result.get_shape())[0], 1)
    step = times * encoding.size_per_thread[-2] * max(element_bits(left) // 8, 1)
    most = max(BYTES_OF_LEFT_PART // step, 1)
    width = 1 << (most.bit_length() - 1)
    while width > LEAST_PART and (width >= k or k % width):
        width //= 2
    return width if LEAST_PART <= width < k and k % width == 0 else None


def _operand(dot: DotOp, value: SSAValue) -> _Operand | None:
    """Return how an operand comes through shared memory; None where it does not."""
    casts: list[Operation] = []
    encoding: DotOperandEncodingAttr | None = None
    while isinstance(value, OpResult):
        op = value.op
        if isinstance(op, FpToFpOp | ExtFOp):
            casts.insert(0, op)
        elif encoding is None and isinstance(op, ConvertLayoutOp | LocalLoadOp):
            type: Any = value.type
            if not isinstance(type.encoding, DotOperandEncodingAttr):
                return None
            encoding = type.encoding
            if isinstance(op, LocalLoadOp):
                if not _stays_until(op, dot):
                    return None
                return _Operand(op.src, type.element_type, encoding, casts)
        else:
            break
        value = op.operands[0]
    else:
        return None
    if encoding is None or not is_tensor(value.type):
        return None
    return _Operand(value, value.type.element_type, encoding, casts)


def _stays_until(load: LocalLoadOp, dot: DotOp) -> bool:
    """Return whether a buffer still has at the product what was loaded from it."""
    op = load.next_op
    while op is not None and op is not dot:
        if may_change_buffers(op):
            return False
        op = op.next_op
    return op is dot


def _erase_unused(value: SSAValue) -> None:
    while isinstance(value, OpResult) and isinstance(value.op, FpToFpOp | ExtFOp | ConvertLayoutOp):
        op = value.op
        if value.first_use is not None:
            return
        value = op.operands[0]
        op.detach()
        op.erase()
