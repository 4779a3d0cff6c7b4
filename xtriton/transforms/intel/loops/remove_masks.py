"""
Load without masks where these are true, in a version of the loop if need be.

Before:

    scf.for %i = %c0 to %n step %c1 {
      %x = tt.load %p, %mask, %other      // %mask does not depend on the loop: range < %m
    }

After:

    %all = arith.cmpi slt, %c1023, %m
    scf.if %all {
      scf.for %i = %c0 to %n step %c1 {
        %x = tt.load %p
      }
    } else {
      scf.for %i = %c0 to %n step %c1 {
        %x = tt.load %p, %mask, %other
      }
    }

Three kinds of masks, in loops that are in no other loop: those that the range of the
induction variable makes constant (no versions needed), the canonical `range < N - i * END`
of loops over `ceil(N / END)` iterations, and those made in front of the loop.
A loop that is one of such versions stays as it is.
By the rules of August 2026 masks may compare by any order and be several in one, loads that
read nothing give zeros, and loops without results get versions for canonical masks as well,
if all of these hold under one condition.
Source: `RemoveMasks.cpp` of the Intel XPU backend. Other than there, masks of one version
have the same `N` and `END`, and values that a loop carries are not taken for their first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    i1,
)
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass

from xtriton.analysis.integer_ranges import integer_ranges
from xtriton.analysis.intel.rules import rules_for
from xtriton.analysis.intel.values import final_value
from xtriton.dialects.tt.memory import LoadOp, StoreOp
from xtriton.dialects.upstream.arith import (
    AddiOp,
    AndIOp,
    CmpiOp,
    ConstantOp,
    DivSIOp,
    MuliOp,
    RemSIOp,
    SelectOp,
    SubiOp,
)
from xtriton.dialects.upstream.scf import ForOp
from xtriton.dialects.utils.constants import constant_int, constant_op
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.attributes import integer
from xtriton.ir.listings import ops_of, ops_with_regions
from xtriton.transforms.intel.building import find_or_create_constant, insert_before
from xtriton.transforms.intel.loops.mask_forms import (
    Ranges,
    condition_before,
    is_decided_before,
    known_mask,
)
from xtriton.transforms.intel.loops.versioning import (
    erase,
    erase_between,
    is_nested,
    is_version,
    known_int,
    last_induction_value,
    version_loop,
)

_SIGNED_LESS = 2


@dataclass(frozen=True)
class RemoveMasksPass(ModulePass):
    """Drop masks of loads that are always true, or true in a version of the loop."""

    name = "triton-intel-remove-masks"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not any(isinstance(each, ForOp) for each in ops_with_regions(op)):
            return
        ranges = cache(partial(integer_ranges, op))
        version_invariant = partial(_version_invariant, ranges)
        for handle in (_remove_known_masks, _version_canonical, version_invariant):
            for loop in ops_of(op, ForOp):
                if not is_nested(loop):
                    handle(loop)


def _masked(loop: ForOp) -> Iterator[tuple[Operation, SSAValue]]:
    """Yield the masked ops of a loop: loads, stores, then selects."""
    ops = list(loop.body.block.ops)
    for kind in (LoadOp, StoreOp):
        for op in ops:
            if isinstance(op, kind) and op.mask is not None:
                yield op, op.mask
    for op in ops:
        if isinstance(op, SelectOp):
            yield op, op.operands[0]


def _comparison(mask: SSAValue) -> CmpiOp | None:
    """Return the `a < b` that a mask is, broadcast or not."""
    op = _op_of(_final(mask))
    if isinstance(op, CmpiOp) and op.predicate.value.data == _SIGNED_LESS:
        return op
    return None


def _final(value: SSAValue) -> SSAValue:
    return final_value(value, through_loops=False)


def _op_of(value: SSAValue) -> Operation | None:
    return value.op if isinstance(value, OpResult) else None


# --- masks that are known ---------------------------------------------------------------------


def _remove_known_masks(loop: ForOp) -> None:
    last, first = last_induction_value(loop), known_int(loop.lb)
    if last is None or first is None:
        return
    for op, mask in list(_masked(loop)):
        august = rules_for(loop).splits_loops_by_any_mask
        unused = isinstance(op, LoadOp) and op.result.first_use is None
        if unused and not august:
            # Also what an earlier run left behind.
            continue
        known = known_mask(loop, mask) if august else _known_mask(loop, mask, first, last)
        if unused and not known:
            continue
        if known is not None:
            _use_known_mask(op, known)


def _known_mask(loop: ForOp, mask: SSAValue, first: int, last: int) -> bool | None:
    """Return what `i + range < constant` always is."""
    comparison = _comparison(mask)
    if comparison is None:
        return None
    total = _op_of(_final(comparison.lhs))
    limit = _final(comparison.rhs)
    if not isinstance(total, AddiOp) or not is_tensor(limit.type):
        return None
    bound = constant_int(limit)
    elements = _op_of(_final(total.rhs))
    if bound is None or _final(total.lhs) is not loop.body.block.args[0]:
        return None
    if elements is None or elements.name != "tt.make_range":
        return None
    start, end = integer(elements, "start"), integer(elements, "end")
    if last + end <= bound:
        return True
    return False if first + start >= bound else None


def _use_known_mask(op: Operation, value: bool) -> None:
    match op:
        case LoadOp():
            if value:
                op.result.replace_all_uses_with(_unmasked(op))
            elif op.other is not None:
                op.result.replace_all_uses_with(op.other)
            elif rules_for(op).splits_loops_by_any_mask:
                zeros = _zeros(op)
                if zeros is not None:
                    op.result.replace_all_uses_with(insert_before(zeros, op, op.location))
        case SelectOp():
            op.results[0].replace_all_uses_with(op.operands[1 if value else 2])
        case _:
            pass


def _unmasked(load: LoadOp) -> SSAValue:
    new = LoadOp(load.ptr)
    for name in ("boundaryCheck", "padding", "cache", "evict", "isVolatile"):
        if name in load.properties:
            new.properties[name] = load.properties[name]
    value = insert_before(new, load, load.location)
    value.name_hint = load.result.name_hint
    return value


def _zeros(load: LoadOp) -> ConstantOp | None:
    """Return what a load that reads nothing gives, where nothing else is said."""
    type = load.result.type
    element = type.element_type if is_tensor(type) else type
    if isinstance(element, AnyFloat):
        number, zero = 0.0, FloatAttr(0.0, element)
    elif isinstance(element, IntegerType):
        number, zero = 0, IntegerAttr(0, cast("IntegerType[Any]", element))
    else:
        return None
    if not is_tensor(type):
        return ConstantOp(zero)
    return constant_op(type, number)


def _drop_masks(loads: list[Operation], copies: dict[Operation, Operation]) -> None:
    for op in loads:
        copy = copies[op]
        if isinstance(copy, LoadOp):
            copy.result.replace_all_uses_with(_unmasked(copy))
            copy.detach()
            copy.erase()


# --- masks of loops over ceil(N / END) blocks ---------------------------------------------------


@dataclass(frozen=True)
class _Canonical:
    """The mask `range(END) < N - i * END`."""

    size: SSAValue
    block: int


def _canonical_mask(loop: ForOp, mask: SSAValue) -> _Canonical | None:
    comparison = _comparison(mask)
    if comparison is None:
        return None
    elements, rest = _op_of(_final(comparison.lhs)), _op_of(_final(comparison.rhs))
    if elements is None or elements.name != "tt.make_range" or not isinstance(rest, SubiOp):
        return None
    end = integer(elements, "end")
    size = rest.lhs
    if isinstance(size, OpResult) and constant_int(size) is None:
        return None
    product = _op_of(rest.rhs)
    if not isinstance(product, MuliOp):
        return None
    variable = loop.body.block.args[0]
    for a, b in ((product.lhs, product.rhs), (product.rhs, product.lhs)):
        if a is variable and constant_int(b) == end:
            return _Canonical(size, end)
    return None


def _version_canonical(loop: ForOp) -> None:
    found = [(op, form) for op, mask in _masked(loop) if (form := _canonical_mask(loop, mask))]
    august = rules_for(loop).splits_loops_by_any_mask
    if august:
        found = [(op, form) for op, form in found if isinstance(op, LoadOp)]
    if not found or (not loop.results and not august):
        return
    form = found[0][1]
    if august and not all(_same(other, form) for _, other in found):
        return
    before = loop.prev_op
    condition = _canonical_condition(loop, form)
    if condition is None:
        return
    if is_version(loop, condition):
        erase_between(before, loop)
        return
    used = [i for i, result in enumerate(loop.results) if result.first_use is not None]
    _, _, copies = version_loop(loop, condition, used)
    _drop_masks([op for op, other in found if _same(other, form)], copies)
    erase(loop)


def _same(a: _Canonical, b: _Canonical) -> bool:
    if a.block != b.block:
        return False
    x = constant_int(a.size)
    return a.size is b.size or (x is not None and x == constant_int(b.size))


def _canonical_condition(loop: ForOp, form: _Canonical) -> SSAValue | None:
    """Return `N % END == 0 && N > END`, if the loop runs `ceil(N / END)` times."""
    bound = _op_of(_final(loop.ub))
    size = constant_int(form.size)
    if isinstance(bound, ConstantOp):
        if size is None or constant_int(loop.ub) != (size - form.block) // form.block + 1:
            return None
        return insert_before(constant_op(i1, 1), loop, loop.location)
    if not isinstance(bound, DivSIOp):
        return None
    total, divisor = _op_of(bound.lhs), bound.rhs
    if not isinstance(total, AddiOp) or constant_int(divisor) != form.block:
        return None
    if not isinstance(total.lhs, BlockArgument) or total.lhs is not form.size:
        return None
    if constant_int(total.rhs) != form.block - 1:
        return None
    place, location = loop, loop.location
    zero = find_or_create_constant(0, form.size.type, place)
    rest = insert_before(RemSIOp(form.size, divisor), place, location)
    even = insert_before(CmpiOp(rest, zero, "eq"), place, location)
    more = insert_before(CmpiOp(form.size, divisor, "sgt"), place, location)
    return insert_before(AndIOp(even, more), place, location)


# --- masks from in front of the loop ------------------------------------------------------------


def _is_invariant(loop: ForOp, mask: SSAValue) -> bool:
    comparison = _comparison(mask)
    if comparison is None or _is_inside(comparison, loop):
        return False
    a, b = _final(comparison.lhs), _final(comparison.rhs)
    if isinstance(a, BlockArgument) and isinstance(b, BlockArgument):
        return a.type == b.type
    if isinstance(b, BlockArgument):
        return _is_range(a)
    return isinstance(a, BlockArgument) and _is_range(b)


def _is_inside(op: Operation, loop: ForOp) -> bool:
    parent = op.parent_op()
    while parent is not None:
        if parent is loop:
            return True
        parent = parent.parent_op()
    return False


def _is_range(value: SSAValue) -> bool:
    op = _op_of(value)
    return op is not None and op.name == "tt.make_range"


def _version_invariant(ranges: Ranges, loop: ForOp) -> None:
    if rules_for(loop).splits_loops_by_any_mask:
        loads = [(op, mask) for op, mask in _masked(loop) if isinstance(op, LoadOp)]
        found = [(op, mask) for op, mask in loads if is_decided_before(loop, mask)]
        masks = dict.fromkeys(_final(mask) for _, mask in found)
    else:
        found = [(op, mask) for op, mask in _masked(loop) if _is_invariant(loop, mask)]
        masks = dict.fromkeys(mask for op, mask in found if not isinstance(op, SelectOp))
    if not masks:
        return
    before = loop.prev_op
    condition: SSAValue | None = None
    for mask in masks:
        holds = _invariant_condition(loop, mask, ranges)
        if condition is None:
            condition = holds
        else:
            condition = insert_before(AndIOp(condition, holds), loop, loop.location)
    assert condition is not None
    if is_version(loop, condition):
        erase_between(before, loop)
        return
    _, _, copies = version_loop(loop, condition)
    _drop_masks([op for op, _ in found], copies)
    erase(loop)


def _invariant_condition(loop: ForOp, mask: SSAValue, ranges: Ranges) -> SSAValue:
    """Return whether a mask is true for all elements."""
    if rules_for(loop).splits_loops_by_any_mask:
        return condition_before(loop, mask, ranges)
    comparison = _comparison(mask)
    assert comparison is not None
    a, b = _final(comparison.lhs), _final(comparison.rhs)
    if _is_range(a):
        last = integer(a.owner, "end") - 1  # pyright: ignore[reportArgumentType]
        a = find_or_create_constant(last, b.type, loop)
        # Constants stand at the right.
        return insert_before(CmpiOp(b, a, "sgt"), loop, loop.location)
    if _is_range(b):
        start = integer(b.owner, "start")  # pyright: ignore[reportArgumentType]
        constant = constant_op(a.type, start)
        b = insert_before(constant, loop, loop.location)
    return insert_before(CmpiOp(a, b, "slt"), loop, loop.location)
