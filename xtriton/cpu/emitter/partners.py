"""
The other element of each pair, as networks that sort ask for it.

Triton writes the element at the other place of a dimension of two as `x ^ xor-sum of x` along
that dimension, floats bitcast to integers. What that costs, a reduction and its broadcast, is
saved here: the pairs change places in registers, or as whole rows. Comparing and selecting then
run over elements that lie side by side, which vectorises whatever the dimension is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import shape_of, single_block, terminator
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.generics import generic_of, is_loop_over_all, is_pointwise
from xtriton.cpu.emitter.values import View
from xtriton.dialects.utils.constants import constant_number
from xtriton.ir.attributes import integers


@dataclass(frozen=True)
class Partners:
    """`source` with the two places of dimension `axis` exchanged."""

    source: SSAValue
    axis: int


def plan_partners(e: Emitter, function: Operation) -> None:
    """Find the exchanges of `function`; the ops that only they need are skipped."""
    for op in function.walk():
        if op.name == "linalg.reduce" and (found := _exchange_of(op)) is not None:
            final, needless = found
            e.skipped.update(needless)
            e.partners[final] = Partners(op.operands[0], integers(op, "dimensions")[0])


def _exchange_of(reduce: Operation) -> tuple[Operation, list[Operation]] | None:
    """Return the op that yields the partners, and the ops from `reduce` on that lead to it."""
    axes = integers(reduce, "dimensions")
    if len(reduce.operands) != 2 or len(axes) != 1:
        return None
    source, initial = reduce.operands
    shape = shape_of(source.type)
    size = prod(shape)
    if shape[axes[0]] != 2 or min(shape) < 1 or size & (size - 1) or not _is_zero(initial):
        return None
    expand = _only_user(reduce, "tensor.expand_shape")
    if not _is_xor(single_block(reduce)) or expand is None:
        return None
    kept = tuple(1 if d == axes[0] else extent for d, extent in enumerate(shape))
    spread = _only_user(expand, "linalg.generic")
    if spread is None or shape_of(expand.results[0].type) != kept or not _spreads(spread, axes[0]):
        return None
    final = _only_user(spread, "linalg.generic")
    if final is None or final.parent_block() is not reduce.parent_block():
        return None
    generic = generic_of(final)
    if not is_pointwise(generic, 2) or not _is_xor(generic.block):
        return None
    others = [value for value in generic.inputs if value is not spread.results[0]]
    return (final, [reduce, expand, spread]) if others == [source] else None


def _is_zero(value: SSAValue) -> bool:
    fill: Any = value.owner
    if not isinstance(fill, Operation) or fill.name != "linalg.fill":
        return False
    return constant_number(fill.operands[0]) == 0


def _only_user(op: Operation, name: str) -> Operation | None:
    users = {use.operation for use in op.results[0].uses}
    return user if len(users) == 1 and (user := users.pop()).name == name else None


def _is_xor(block: Any) -> bool:
    """True if all that `block` does is `xor` its first two arguments."""
    first, last = block.first_op, terminator(block)
    if first.name != "arith.xori" or first.next_op is not last:
        return False
    return {*first.operands} == {*block.args[:2]} and last.operands[0] is first.results[0]


def _spreads(op: Operation, axis: int) -> bool:
    """True if `op` repeats its only operand along `axis`."""
    generic = generic_of(op)
    if len(generic.inputs) != 1 or not is_loop_over_all(generic):
        return False
    if terminator(generic.block).operands[0] is not generic.block.args[0]:
        return False
    return all(_is_place(r, d, d == axis) for d, r in enumerate(generic.maps[0].results))


def _is_place(result: Any, dimension: int, repeated: bool) -> bool:
    if repeated:
        return isinstance(result, AffineConstantExpr) and result.value == 0
    return isinstance(result, AffineDimExpr) and result.position == dimension


# --- code -------------------------------------------------------------------------------


def exchange(e: Emitter, op: Operation, partners: Partners) -> View:
    """Return where the partners lie that `op` yields."""
    source = _bits(e, partners.source)
    if not source.is_contiguous:
        source = e.materialized(source, by_rows=True)
    sizes = [int(size) for size in source.sizes]
    place = _free_place(e, op, source)
    with e.builder.fresh_memory():
        _exchange(e, source, place, prod(sizes[partners.axis + 1 :]))
    return place


def _bits(e: Emitter, value: SSAValue) -> View:
    """Return where the bits of `value` lie: those of a bitcast's operand are the same."""
    owner = value.owner
    if isinstance(owner, Operation) and owner.name == "linalg.generic":
        generic = generic_of(owner)
        body = generic.block.first_op
        if (
            is_pointwise(generic, 1)
            and body.name == "arith.bitcast"
            and body.next_op is terminator(generic.block)
            and body.operands[0] is generic.block.args[0]
        ):
            under, type = e.view(generic.inputs[0]), e.type(value.type)
            if under.type.bytes == type.bytes:
                return View(under.storage, type, under.offset, under.sizes, under.strides)
    return e.view(value)


def _free_place(e: Emitter, op: Operation, source: View) -> View:
    """Return a buffer for what `op` yields: one of an exchange before that nobody needs."""
    for place in e.exchanged:
        if (
            place.type is source.type
            and place.sizes == source.sizes
            and place.storage.pointer != source.storage.pointer
            and e.liveness.dead_after(place.storage, op)
        ):
            return place
    place = e.allocate(source.sizes, source.type, op)
    e.exchanged.append(place)
    return place


def _exchange(e: Emitter, source: View, place: View, distance: int) -> None:
    """Write `source` to `place` with each element where the one `distance` away is."""
    b = e.builder
    total = prod(int(size) for size in source.sizes)
    align = source.type.bytes
    lanes = min(e.target.lanes(align), total)
    vector = f"<{lanes} x i{8 * align}>"
    flat = [View(v.storage, v.type, v.offset, (total,), (1,)) for v in (source, place)]
    within = distance < lanes

    def move(indices: list[Operand]) -> None:
        start = b.mul(indices[0], lanes)
        there = start if within else b.value(f"xor i64 {start}, {distance}")
        value = b.load(vector, e.address(flat[0], [there]), align)
        if within:
            value = b.shuffled(vector, value, "poison", [i ^ distance for i in range(lanes)])
        b.store(vector, value, e.address(flat[1], [start]), align)

    chunks: Sequence[Operand] = [total // lanes]
    b.nest(chunks, move, parallel=True)
