"""
Loads of matrices through descriptors of batches, as loads through descriptors of all rows.

A descriptor reads zeros outside of each dimension, that of all rows only outside of these.
So a load has to be known to stay inside its matrix, by constants or the bounds of loops.
Source: `FuseReshape.cpp` of the Intel XPU backend, August 2026, which takes that for granted
where matrices have a whole number of blocks.
"""

from __future__ import annotations

from xdsl.dialects.builtin import i32
from xdsl.ir import BlockArgument, OpResult, SSAValue

from xtriton.analysis.intel.values import DESCRIPTOR, is_divisible, maker_of
from xtriton.dialects.tt.descriptors import DescriptorLoadOp, MakeTensorDescOp
from xtriton.dialects.tt.shapes import ReshapeOp
from xtriton.dialects.tt.types import TensorDescType
from xtriton.dialects.upstream.arith import AddiOp, DivUIOp, MuliOp, TruncIOp
from xtriton.dialects.upstream.scf import ForOp
from xtriton.dialects.utils.constants import constant_int
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.transforms.intel.block_io.pointer_chains import feeds_a_product
from xtriton.transforms.intel.building import insert_before
from xtriton.transforms.intel.loops.versioning import known_int, last_induction_value

_MOST_ROWS = (1 << 31) - 1


def fuse_with_descriptor(reshape: ReshapeOp) -> bool:
    """Let a load give what a reshape makes of it, a batch of one as a matrix, if that is safe."""
    source, result = reshape.operands[0], reshape.results[0].type
    assert is_tensor(source.type) and is_tensor(result)
    shape = source.type.get_shape()
    if len(shape) != 3 or shape[0] != 1 or shape[1:] != result.get_shape():
        return False
    load = source.op if isinstance(source, OpResult) else None
    if not isinstance(load, DescriptorLoadOp) or not load.result.has_one_use():
        return False
    maker = maker_of(load.desc, DESCRIPTOR)
    if not isinstance(maker, MakeTensorDescOp) or load.desc is not maker.result:
        return False
    if not feeds_a_product(reshape) or not _stays_inside(maker, load, shape[1]):
        return False
    _fuse(maker, load, reshape)
    return True


def _stays_inside(maker: MakeTensorDescOp, load: DescriptorLoadOp, rows: int) -> bool:
    """Return whether the same rows are read, and the same zeros, if all rows are numbered."""
    batch, row = constant_int(maker.strides[0]), constant_int(maker.strides[1])
    count, height = constant_int(maker.shape[0]), constant_int(maker.shape[1])
    first, y = _bounds(load.indices[0]), _bounds(load.indices[1])
    if batch is None or not row or row < 0 or batch < 0 or batch % row:
        return False
    if count is None or height is None or first is None or y is None:
        return False
    if count < 0 or height < 0 or not is_divisible(maker.shape[1], rows):
        return False
    apart = batch // row
    total = count * apart + height
    lowest, highest = first[0] * apart + y[0], first[1] * apart + y[1]
    if not -_MOST_ROWS <= min(lowest, 0) <= max(highest + rows, total, apart) <= _MOST_ROWS:
        return False
    if first[0] >= 0 and first[1] < count and y[0] >= 0 and y[1] + rows <= height:
        return True
    # What lies outside of all matrices has to lie outside of all rows.
    nothing = first[1] < 0 or first[0] >= count or y[0] >= height or y[1] + rows <= 0
    return nothing and (highest + rows <= 0 or lowest >= total)


def _bounds(value: SSAValue) -> tuple[int, int] | None:
    """Return the least and the greatest number that a value can be; None if not known."""
    number = constant_int(value)
    if number is not None:
        return number, number
    loop = value.block.parent_op() if isinstance(value, BlockArgument) else None
    if not isinstance(loop, ForOp) or value is not loop.body.block.args[0]:
        return None
    first, last = known_int(loop.lb), last_induction_value(loop)
    return None if first is None or last is None else (first, last)


def _fuse(maker: MakeTensorDescOp, load: DescriptorLoadOp, reshape: ReshapeOp) -> None:
    location = maker.location
    apart = insert_before(DivUIOp(maker.strides[0], maker.strides[1]), maker, location)
    rows = insert_before(TruncIOp(apart, i32), maker, location)
    before = insert_before(MuliOp(maker.shape[0], rows), maker, location)
    count = insert_before(AddiOp(before, maker.shape[1]), maker, location)
    type = reshape.results[0].type
    assert is_tensor(type)
    descriptor = MakeTensorDescOp.create(
        operands=[maker.base, count, *maker.shape[2:], *maker.strides[1:]],
        result_types=[TensorDescType(type.element_type, type.get_shape())],
        properties={**maker.properties},
        attributes=dict(maker.attributes),
    )
    insert_before(descriptor, maker, location)
    skipped = insert_before(MuliOp(load.indices[0], rows), load, load.location)
    first = insert_before(AddiOp(skipped, load.indices[1]), load, load.location)
    new = DescriptorLoadOp.create(
        operands=[descriptor.result, first, *load.indices[2:]],
        result_types=[type],
        properties=dict(load.properties),
        attributes=dict(load.attributes),
    )
    value = insert_before(new, load, load.location)
    reshape.results[0].replace_all_uses_with(value)
    for op in (reshape, load, maker):
        if all(result.first_use is None for result in op.results):
            op.detach()
            op.erase()
