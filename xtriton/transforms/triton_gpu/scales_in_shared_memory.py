"""
Scales of a matrix product stay in shared memory, where the tensor core fetches them.

Before:

    %0 = ttg.local_load %m : !ttg.memdesc<2x512xi8, #shared, #smem, mutable> -> tensor<2x512xi8, ...>
    %1 = tt.reshape %0 : ... -> tensor<2x1x32x4x4xi8, ...>
    %2 = tt.trans %1 {order = array<i32: 0, 3, 2, 1, 4>} : ... -> tensor<2x4x32x1x4xi8, ...>
    %3 = tt.reshape %2 : ... -> tensor<256x4xi8, ...>
    %4 = ttng.tmem_alloc %3 : ... -> !ttg.memdesc<256x4xi8, #tmem_scales, ...>
    ttng.tc_gen5_mma_scaled ..., %4, ...

After:

    %1 = ttg.memdesc_reshape %m : ... -> !ttg.memdesc<2x1x32x4x4xi8, #shared1, #smem, mutable>
    %2 = ttg.memdesc_trans %1 {order = array<i32: 0, 3, 2, 1, 4>} : ...
    %3 = ttg.memdesc_reshape %2 : ... -> !ttg.memdesc<256x4xi8, #shared2, #smem, mutable>
    ttng.tc_gen5_mma_scaled ..., %3, ...

Source: `UseShmemForScales` in `OptimizeDotOperands.cpp` of Triton.
"""

from __future__ import annotations

from typing import Any, TypeVar

from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.rewriter import InsertPoint

from xtriton.analysis.axis_facts import element_bits
from xtriton.dialects.encodings.linear_layouts import NoLinearLayout, layout_of
from xtriton.dialects.tt.descriptors import DescriptorLoadOp
from xtriton.dialects.tt.shapes import ReshapeOp, TransOp
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.dialects.ttg.linear_shared import SharedLinearEncodingAttr
from xtriton.dialects.ttg.memdesc_views import MemDescReshapeOp, MemDescTransOp
from xtriton.dialects.ttg.memory import LocalAllocOp, LocalLoadOp
from xtriton.dialects.ttg.types import MemDescType
from xtriton.dialects.ttng.mma import TCGen5MMAScaledOp
from xtriton.dialects.ttng.tensor_memory import TensorMemoryScalesEncodingAttr
from xtriton.dialects.ttng.tmem import TMEMAllocOp
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.layouts import shaping
from xtriton.layouts.linear import LinearLayout

Shape = tuple[int, ...]

_ORDER = (0, 3, 2, 1, 4)
"""How the blocks of 128 rows and 4 scales are turned into rows."""

_BLOCK = 512
"""Scales of a block: 128 rows with 4 each, side by side in memory."""

_BLOCK_BITS = 32 * 128

_Op = TypeVar("_Op", bound=Operation)


class ScalesInSharedMemoryPattern(RewritePattern):
    """mma(tmem_alloc(reshape(trans(reshape(local_load m))))) → mma(views of m)"""

    op_types = (TCGen5MMAScaledOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, TCGen5MMAScaledOp)
        for scale in (op.a_scale, op.b_scale):
            alloc = scale.op if isinstance(scale, OpResult) else None
            if isinstance(alloc, TMEMAllocOp) and scale.has_one_use():
                self._use_shared_memory(op, scale, alloc, rewriter)

    def _use_shared_memory(
        self, op: Operation, scale: SSAValue, alloc: TMEMAllocOp, rewriter: PatternRewriter
    ) -> None:
        type = scale.type
        assert isinstance(type, MemDescType)
        if not isinstance(type.encoding, TensorMemoryScalesEncodingAttr):
            return
        load = _load_of_blocks(alloc, type.get_shape())
        if load is None or not _can_be_copied(load):
            return
        rows, count = type.get_shape()
        views = _views(load.src, (rows // 128, count // 4, 32, 4, 4), (rows, count))
        if views is None:
            return
        rewriter.insert(views, InsertPoint.before(alloc))
        index = next(iter(scale.uses)).index
        op.operands[index] = views[-1].results[0]
        rewriter.notify_op_modified(op)
        rewriter.erase(alloc)


def _behind(value: SSAValue | None, op_type: type[_Op]) -> _Op | None:
    """Return the op of `op_type` that makes a value, conversions of layouts aside."""
    while isinstance(value, OpResult) and isinstance(value.op, ConvertLayoutOp):
        value = value.op.src
    return value.op if isinstance(value, OpResult) and isinstance(value.op, op_type) else None


def _shape(value: SSAValue) -> Shape:
    assert is_tensor(value.type)
    return value.type.get_shape()


def _load_of_blocks(alloc: TMEMAllocOp, shape: Shape) -> LocalLoadOp | None:
    """Return the load whose blocks are turned into rows of `shape`, if that is all."""
    flat = _behind(alloc.src, ReshapeOp)
    if flat is None or _shape(flat.results[0]) != shape:
        return None
    turned = _behind(flat.operands[0], TransOp)
    if turned is None or tuple(turned.order.iter_values()) != _ORDER:
        return None
    blocks = _behind(turned.operands[0], ReshapeOp)
    wanted = (shape[0] // 128, shape[1] // 4, 32, 4, 4)
    if blocks is None or _shape(blocks.results[0]) != wanted:
        return None
    return _behind(blocks.operands[0], LocalLoadOp)


def _can_be_copied(load: LocalLoadOp) -> bool:
    """Return whether each block of scales lies side by side in shared memory."""
    type = load.src.type
    assert isinstance(type, MemDescType)
    try:
        layout = layout_of(type.encoding, type.get_shape())
    except (NoLinearLayout, ValueError):
        return False
    if _side_by_side(layout) < _BLOCK:
        return False
    alloc = _behind(load.src, LocalAllocOp)
    if alloc is not None and _behind(alloc.src, DescriptorLoadOp) is not None:
        return True
    bits = type.get_shape()[-1] * element_bits(type.element_type)
    return type.rank == 2 and bits % _BLOCK_BITS == 0


def _side_by_side(layout: LinearLayout) -> int:
    """Return how many elements, row by row, lie one behind the other in memory."""
    rows_first = layout.transpose_outs(tuple(reversed(layout.out_names))).flatten_outs()
    count = 1
    for basis in rows_first.bases[0][1]:
        if basis[0] != count:
            break
        count *= 2
    return count


def _views(source: SSAValue, blocks: Shape, rows: Shape) -> list[Operation] | None:
    """Return the views that turn a buffer of blocks into one of rows."""
    type: Any = source.type
    try:
        layout = shaping.reshape(layout_of(type.encoding, type.get_shape()), blocks)
        turned = shaping.transpose(layout, _ORDER)
        flat = shaping.reshape(turned, rows)
    except (NoLinearLayout, ValueError):
        return None
    first = MemDescReshapeOp(source, _view(type, blocks, layout))
    moved = tuple(blocks[dim] for dim in _ORDER)
    second = MemDescTransOp(first.result, _ORDER, _view(type, moved, turned))
    return [first, second, MemDescReshapeOp(second.result, _view(type, rows, flat))]


def _view(source: MemDescType, shape: Shape, layout: LinearLayout) -> MemDescType:
    images = layout.bases_of
    encoding = SharedLinearEncodingAttr(images["offset"], images.get("block", ()))
    return MemDescType(shape, source.element_type, encoding, source.memory_space, source.mutable)


PATTERNS: tuple[RewritePattern, ...] = (ScalesInSharedMemoryPattern(),)
