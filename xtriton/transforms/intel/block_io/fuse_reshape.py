"""
Load matrices out of batches as matrices, not as batches of one.

Before:

    %p = tt.make_tensor_ptr %base, [%s0, %s1, %s2], [%a, %b, %c], [%x, %y, %z]
        {order = array<i32: 2, 1, 0>} : <tensor<1x512x64xf16>>
    %m = tt.load %p : !tt.ptr<tensor<1x512x64xf16>>
    %n = tt.reshape %m : tensor<1x512x64xf16> -> tensor<512x64xf16>

After, with %d = %a / %b:

    %p = tt.make_tensor_ptr %base, [%s0 * %d + %s1, %s2], [%b, %c], [%x * %d + %y, %z]
        {order = array<i32: 1, 0>} : <tensor<512x64xf16>>
    %n = tt.load %p : !tt.ptr<tensor<512x64xf16>>

By the rules of August 2026 the same is done for tensor descriptors, see `reshaped_rows`.

That takes 32 bits for the number of a row in all of the batch. Where it is not known to fit,
the matrix is put onto the base instead, in 64 bits, unless the pointer is moved along the batch:

    %i = arith.muli %x64, %s0
    %q = tt.addptr %base, %i
    %p = tt.make_tensor_ptr %q, [%b, %c], [%s1, %s2], [%y, %z] ...

Upstream takes it that it fits. Matrices of a batch have to be a whole number of rows apart; as
in the backend of January 2026 that is taken for granted unless `prove_divisibility` is asked for.
Source: `FuseReshape.cpp` of the Intel XPU backend.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, i32, i64
from xdsl.ir import OpResult, SSAValue
from xdsl.passes import ModulePass

from xtriton.analysis.integer_ranges import IntegerRanges, integer_ranges
from xtriton.analysis.intel.accesses import is_block_pointer
from xtriton.analysis.intel.rules import rules_for
from xtriton.analysis.intel.values import is_divisible, is_one, maker_of
from xtriton.analysis.interval_rules import FITS_32_BITS, Interval
from xtriton.dialects.tt.memory import LoadOp
from xtriton.dialects.tt.pointers import AddPtrOp, AdvanceOp, MakeTensorPtrOp
from xtriton.dialects.tt.shapes import ReshapeOp
from xtriton.dialects.upstream.arith import AddiOp, DivUIOp, ExtSIOp, MuliOp, TruncIOp
from xtriton.dialects.utils.constants import constant_int
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.listings import ops_of
from xtriton.ir.noted_edits import set_property
from xtriton.transforms.intel.block_io.pointer_chains import (
    PointerChain,
    feeds_a_product,
    pointer_to,
    replace_by_load,
)
from xtriton.transforms.intel.block_io.reshaped_rows import fuse_with_descriptor
from xtriton.transforms.intel.building import insert_before
from xtriton.transforms.raising.writing.narrowing_report import record_narrowing


@dataclass(frozen=True)
class FuseReshapePass(ModulePass):
    """Move reshapes that drop a dimension of size 1 into the block pointers of loads."""

    name = "triton-intel-fuse-reshape"

    prove_divisibility: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for reshape in ops_of(op, ReshapeOp):
            if rules_for(op).has_descriptors and fuse_with_descriptor(reshape):
                continue
            load = _load_of(reshape)
            chain = None if load is None else PointerChain.of(load)
            if chain is None or not _may_collapse(chain.maker, self.prove_divisibility):
                continue
            if any(constant_int(advance.offsets[0]) != 0 for advance in chain.advances):
                continue
            bounds = _row_bounds(chain.maker, integer_ranges(op))
            if bounds is None:
                _put_onto_base(chain, reshape)
                continue
            record_narrowing(
                "first row in the batch", 32, f"it is between {bounds[0]} and {bounds[1]}", reshape
            )
            _fuse(chain, reshape)


def _load_of(op: ReshapeOp) -> LoadOp | None:
    """Return the load of a batch of one matrix whose batch is dropped, if that is all."""
    source, result = op.operands[0].type, op.results[0].type
    assert is_tensor(source) and is_tensor(result)
    shape = source.get_shape()
    if len(shape) != 3 or shape[0] != 1 or shape[1:] != result.get_shape():
        return None
    value = op.operands[0]
    load = value.op if isinstance(value, OpResult) else None
    if not isinstance(load, LoadOp) or not load.result.has_one_use():
        return None
    if not feeds_a_product(op) or not is_block_pointer(load.ptr.type):
        return None
    maker = maker_of(load.ptr)
    if not isinstance(maker, MakeTensorPtrOp):
        return None
    order = _order(maker)
    if order[0] != 2 or any(axis != order.index(0) for axis in _checks(load)):
        return None
    return load


def _order(maker: MakeTensorPtrOp) -> list[int]:
    return [int(axis) for axis in maker.order.iter_values()]


def _checks(load: LoadOp) -> list[int]:
    checks = load.properties["boundaryCheck"]
    assert isinstance(checks, DenseArrayBase)
    return [int(axis) for axis in checks.iter_values()]


def _row_dim(maker: MakeTensorPtrOp) -> int:
    """Return which dimension of the matrix the batch is added to."""
    return 0 if _order(maker).index(0) == 2 else 1


def _may_collapse(maker: MakeTensorPtrOp, prove: bool) -> bool:
    batch, row = maker.strides[0], maker.strides[1 + _row_dim(maker)]
    a, b = constant_int(batch), constant_int(row)
    if a is not None and b is not None:
        return b > 0 and a % b == 0
    if not prove or is_one(row):
        return True
    if b is not None:
        return b > 0 and is_divisible(batch, b)
    return _is_product_with(batch, row)


def _is_product_with(value: SSAValue, factor: SSAValue) -> bool:
    op = value.op if isinstance(value, OpResult) else None
    return isinstance(op, MuliOp) and any(operand is factor for operand in op.operands)


def _row_bounds(maker: MakeTensorPtrOp, ranges: IntegerRanges) -> Interval | None:
    """Return between which numbers the first row lies; None unless all of it fits into 32 bits."""
    row = 1 + _row_dim(maker)
    found = [
        ranges.range(value)
        for value in (maker.strides[0], maker.strides[row], maker.offsets[0], maker.offsets[row])
    ]
    apart, pitch, batch, first = found
    if apart is None or pitch is None or batch is None or first is None:
        return None
    if apart[0] < 0 or pitch[0] < 1:
        return None
    rows = (apart[0] // pitch[1], apart[1] // pitch[0])
    before = [i * n for i in batch for n in rows]
    bounds = min(before) + first[0], max(before) + first[1]
    fits = all(n in FITS_32_BITS for n in (*rows, *before, *bounds))
    return bounds if fits else None


def _moved(advance: AdvanceOp) -> list[SSAValue]:
    """Return by what the matrix moves; the batch does not."""
    return list(advance.offsets[1:])


def _put_onto_base(chain: PointerChain, op: ReshapeOp) -> None:
    """Let the block pointer be one of the matrix that its batch offset selects."""
    maker = chain.maker
    place, location = maker, maker.location
    batch = insert_before(ExtSIOp(maker.offsets[0], i64), place, location)
    skipped = insert_before(MuliOp(batch, maker.strides[0]), place, location)
    base = insert_before(AddPtrOp(maker.base, skipped), place, location)
    _replace(chain, op, base, list(maker.shape)[1:], list(maker.offsets)[1:])


def _replace(
    chain: PointerChain,
    op: ReshapeOp,
    base: SSAValue,
    shape: list[SSAValue],
    offsets: list[SSAValue],
) -> None:
    maker, load = chain.maker, chain.load
    type = op.results[0].type
    row = _row_dim(maker)
    new = MakeTensorPtrOp.create(
        operands=[base, *shape, *list(maker.strides)[1:], *offsets],
        result_types=[pointer_to(maker, type)],
        properties={"order": DenseArrayBase.from_list(i32, _order(maker)[1:])},
    )
    insert_before(new, maker, maker.location)
    if _checks(load):
        set_property(load, "boundaryCheck", DenseArrayBase.from_list(i32, [1 - row]))
    chain.redirect(new, _moved, type)
    replace_by_load(op, load)


def _fuse(chain: PointerChain, op: ReshapeOp) -> None:
    maker = chain.maker
    place, location = maker, maker.location
    row = _row_dim(maker)
    shape, strides = list(maker.shape), list(maker.strides)
    offsets = list(maker.offsets)
    rows = insert_before(DivUIOp(strides[0], strides[1 + row]), place, location)
    more = insert_before(MuliOp(shape[0], rows), place, location)
    shape[1 + row] = insert_before(AddiOp(more, shape[1 + row]), place, location)
    narrow = insert_before(TruncIOp(rows, i32), place, location)
    before = insert_before(MuliOp(offsets[0], narrow), place, location)
    offsets[1 + row] = insert_before(AddiOp(before, offsets[1 + row]), place, location)
    _replace(chain, op, maker.base, shape[1:], offsets[1:])
