"""
Unroll the loops that say so.

Before:

    scf.for %i = %lo to %hi step %st : i32 {
      "use"(%i) : (i32) -> ()
    } {tt.loop_unroll_factor = 2 : i32}

After:

    scf.for %i = %lo to %mid step %twice : i32 {
      "use"(%i) : (i32) -> ()
      %1 = arith.addi %i, %st : i32
      "use"(%1) : (i32) -> ()
    }
    scf.for %i = %mid to %hi step %st : i32 {
      "use"(%i) : (i32) -> ()
    } {tt.num_stages = 1 : i32}

The second loop does what is left, and is not there if nothing can be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, ModuleOp, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass

from xtriton.dialects.upstream.arith import (
    AddiOp,
    CmpiOp,
    ConstantOp,
    DivUIOp,
    MuliOp,
    RemUIOp,
    SelectOp,
    SubiOp,
)
from xtriton.dialects.upstream.scf import ForOp
from xtriton.ir.listings import ops_of
from xtriton.ir.noted_edits import note_edit, set_attribute
from xtriton.transforms.cleanup.constants import constant_of, uniform_value

UNROLL_FACTOR = "tt.loop_unroll_factor"
NUM_STAGES = "tt.num_stages"
_INDEX_BITS = 64


@dataclass(frozen=True)
class TritonLoopUnrollPass(ModulePass):
    """Unroll the loops with `tt.loop_unroll_factor` greater than 1."""

    name = "triton-loop-unroll"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for loop in ops_of(op, ForOp, region_first=True):
            factor = loop.attributes.get(UNROLL_FACTOR)
            if isinstance(factor, IntegerAttr) and factor.value.data > 1:
                note_edit(loop)
                del loop.attributes[UNROLL_FACTOR]
                rest = unroll(loop, factor.value.data)
                if rest is not None:
                    set_attribute(rest, NUM_STAGES, IntegerAttr(1, i32))


def unroll(loop: ForOp, factor: int) -> ForOp | None:
    """
    Unroll a loop `factor` times; return the loop for what is left, if there is one.

    A loop whose type has no room for the wider step stays as it is.
    """
    unsigned = "unsignedCmp" in loop.properties
    lower, upper, step = (_known(value, unsigned) for value in (loop.lb, loop.ub, loop.step))
    if (step or 1) * factor >= 1 << _bits(loop.lb.type) - 1:
        return None
    if lower is not None and upper is not None and step is not None and step > 0:
        count = max(-(-(upper - lower) // step), 0)
        if count == 0:
            return None
        even = count - count % factor
        middle = _constant(loop, lower + even * step)
        wide = _constant(loop, step * factor)
        has_rest = even < count
    else:
        middle, wide = _computed_bounds(loop, factor)
        has_rest = True
    rest = _rest(loop, middle) if has_rest else None
    if has_rest:
        loop.operands[1] = middle
    _repeat_body(loop, factor)
    loop.operands[2] = wide
    return rest


def _known(value: SSAValue, unsigned: bool) -> int | None:
    found = uniform_value(constant_of(value))
    if found is None:
        return None
    return int(found) % (1 << _bits(value.type)) if unsigned else int(found)


def _bits(type: Attribute) -> int:
    return type.bitwidth if isinstance(type, IntegerType) else _INDEX_BITS


def _insert(loop: Operation, op: Operation) -> SSAValue:
    assert loop.parent is not None
    op.location = loop.location
    loop.parent.insert_op_before(op, loop)
    return op.results[0]


def _constant(loop: ForOp, value: int) -> SSAValue:
    type: Any = loop.lb.type
    assert isinstance(type, IndexType | IntegerType)
    bits = _bits(loop.lb.type)
    value = (value + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)
    attribute: Attribute = IntegerAttr(value, cast(Any, type))
    return _insert(
        loop, ConstantOp.create(properties={"value": attribute}, result_types=[loop.lb.type])
    )


def _computed_bounds(loop: ForOp, factor: int) -> tuple[SSAValue, SSAValue]:
    """
    Return where the unrolled loop ends and its step, computed in front of the loop.

    MLIR forgets that the lower bound may be the greater one.
    """
    runs = _insert(
        loop, CmpiOp(loop.lb, loop.ub, "ult" if "unsignedCmp" in loop.properties else "slt")
    )
    ahead = _insert(loop, SubiOp(loop.ub, loop.lb))
    distance = _insert(loop, SelectOp(runs, ahead, _constant(loop, 0)))
    one = _constant(loop, 1)
    less = _insert(loop, SubiOp(loop.step, one))
    total = _insert(loop, AddiOp(distance, less))
    count = _insert(loop, DivUIOp(total, loop.step))
    times = _constant(loop, factor)
    left = _insert(loop, RemUIOp(count, times))
    even = _insert(loop, SubiOp(count, left))
    length = _insert(loop, MuliOp(even, loop.step))
    middle = _insert(loop, AddiOp(loop.lb, length))
    return middle, _insert(loop, MuliOp(loop.step, times))


def _rest(loop: ForOp, middle: SSAValue) -> ForOp:
    """Insert behind `loop` one that goes on from `middle` with what it gives."""
    rest = loop.clone()
    rest.location = loop.location
    assert loop.parent is not None
    loop.parent.insert_op_after(rest, loop)
    for old, new in zip(loop.results, rest.results, strict=True):
        old.replace_all_uses_with(new)
    rest.operands = [middle, loop.ub, loop.step, *loop.results]
    return rest


def _repeat_body(loop: ForOp, factor: int) -> None:
    """Repeat the body of a loop for the following values of its induction variable."""
    body = loop.body.block
    original = list(body.ops)[:-1]
    last = body.last_op
    assert last is not None
    yielded: Sequence[SSAValue] = list(last.operands)
    values = list(yielded)
    for i in range(1, factor):
        mapping: dict[SSAValue, SSAValue] = {}
        if body.args[0].first_use is not None:
            mapping[body.args[0]] = _shifted(loop, i, body, last)
        mapping.update(zip(body.args[1:], values, strict=True))
        for op in original:
            clone = op.clone(value_mapper=mapping)
            clone.location = op.location
            body.insert_op_before(clone, last)
        values = [mapping.get(value, value) for value in yielded]
    last.operands = values


def _shifted(loop: ForOp, i: int, body: Block, last: Operation) -> SSAValue:
    """Return the induction variable `i` iterations later."""
    type = body.args[0].type
    assert isinstance(type, IndexType | IntegerType)
    attribute: Attribute = IntegerAttr(i, cast(Any, type))
    constant = ConstantOp.create(properties={"value": attribute}, result_types=[body.args[0].type])
    product = MuliOp(loop.step, constant.results[0])
    total = AddiOp(body.args[0], product.results[0])
    for op in (constant, product, total):
        op.location = loop.location
        body.insert_op_before(op, last)
    return total.results[0]
