"""
Removing layout conversions as Triton 3.9 does it.

What differs from 3.7: rematerialisation pays if the ops that something else needs as well,
and what threads have to do more of, cost no more than the conversion, which costs nothing
where elements stay in their threads; conversions move up to extensions only where that pays;
a reshape with an efficient layout keeps it; and of layouts that are as good, that one is taken
in which threads hold the fewest elements.

Source: `RemoveLayoutConversions.cpp` and `Transforms/Utility.cpp` of Triton, August 2026.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue, Use

from xtriton.dialects.encodings.linear_layouts import NoLinearLayout, layout_of
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.value_flow import LOOP_BOUNDS, sources
from xtriton.layouts.conversion import reorders_registers
from xtriton.layouts.shaping import REGISTER
from xtriton.transforms.triton_gpu.layout_conversions.backward_slice import (
    Accepts,
    BackwardSlice,
    OpOperand,
    SliceWalker,
    Stop,
    accepts_all,
)
from xtriton.transforms.triton_gpu.layout_conversions.rematerialization import (
    EXPENSIVE_MATH,
    LEAST_BITS,
    LEAST_ELEMENTS,
    SHARED_MEMORY_COST,
    Mapping,
    Rematerialization,
    SliceRewriter,
    cost_of,
    size_in_bytes,
)
from xtriton.transforms.triton_gpu.layout_conversions.target import Target, defining_op
from xtriton.transforms.triton_gpu.retyping import encoding_of, layout_of_value

_NOT_SLICED = ("scf.for", "scf.while", "ttg.warp_specialize")
_DOTS = frozenset(
    ("tt.dot", "tt.dot_scaled", "ttng.tc_gen5_mma", "ttng.tc_gen5_mma_scaled",
     "ttng.warp_group_dot")
)  # fmt: skip

Key = tuple[SSAValue, Attribute]


@dataclass
class SharingSlice(BackwardSlice):
    """A slice, and the values that exist in the layout wanted wherever it wants them."""

    existing: dict[Key, SSAValue | None] = field(default_factory=dict[Key, "SSAValue | None"])
    """None where a value exists, but not in front of each of its uses."""

    def copy(self) -> SharingSlice:
        return SharingSlice(dict(self.layouts), dict(self.members), dict(self.existing))

    def merge(self, other: BackwardSlice) -> None:
        super().merge(other)
        if isinstance(other, SharingSlice):
            self.existing.update(other.existing)


class SharingRematerialization(Rematerialization):
    """The values of one function that exist in several layouts."""

    def for_each(self, action: Callable[[ConvertLayoutOp], None]) -> bool:
        changed = False
        for conversion in self.conversions():
            source, encoding = conversion.src, layout_of_value(conversion.result)
            action(conversion)
            if conversion.parent is None:
                changed = True
            else:
                self.remember(source, encoding, conversion.result)
        return changed

    def slice(
        self,
        root: OpOperand,
        encoding: Attribute,
        stop: Stop | None = None,
        known: BackwardSlice | None = None,
        accepts: Accepts = accepts_all,
    ) -> BackwardSlice | None:
        found = SharingSlice() if known is None else known.copy()
        assert isinstance(found, SharingSlice)

        def existing(use: OpOperand, wanted: Attribute) -> SSAValue | None:
            value = use[0].operands[use[1]]
            other = self.known.get((value, wanted))
            if other is None:
                return None
            if self.order.dominates(other, use[0]):
                found.existing.setdefault((value, wanted), other)
                return other
            found.existing[value, wanted] = None
            return None

        walker = _Walker(found, self.target, stop, existing, accepts)
        walker.enqueue(root, encoding)
        return found if walker.run() else None

    def rematerialise(self, conversion: ConvertLayoutOp) -> None:
        if self.target.stays(conversion):
            return
        found = self.rematerialisable_slice((conversion, 0), layout_of_value(conversion.result))
        if found is not None and self.pays(conversion, found):
            self.rewrite(conversion, found, {})

    # --- the cost -----------------------------------------------------------------------

    def pays(self, conversion: ConvertLayoutOp, found: BackwardSlice) -> bool:
        return self.pays_to_hoist(conversion, found)

    def pays_to_hoist(
        self,
        conversion: ConvertLayoutOp,
        found: BackwardSlice,
        made: tuple[SSAValue, Attribute] | None = None,
    ) -> bool:
        kept = needed_outside(found, conversion)
        assert isinstance(self.target, CoreTarget)
        if kept and self.target.splits_nothing:
            return False
        cost = 0 if made is None else _cost_of_conversion(*made)
        for op in dict.fromkeys(o for v in found.members if (o := defining_op(v)) is not None):
            added = _cost_of(op, found.layouts, any(result in kept for result in op.results))
            if added is None:
                return False
            cost += added
        return cost <= _cost_of_conversion(conversion.src, layout_of_value(conversion.result))

    # --- rewriting ----------------------------------------------------------------------

    def rewrite(self, conversion: ConvertLayoutOp, found: BackwardSlice, mapping: Mapping) -> None:
        assert isinstance(found, SharingSlice)
        for (value, encoding), other in found.existing.items():
            if other is not None and found.layouts.get(value) == encoding:
                mapping[value] = other
        source = conversion.src
        _Rewriter(self, found, mapping, conversion).run()
        replacement = mapping.get(source, source)
        self.replace([(conversion.result, replacement)])
        conversion.result.replace_all_uses_with(replacement)
        self.deleted[conversion] = None
        # What is gone must not count as a use when the next conversion is weighed.
        self.cleanup()


class _Rewriter(SliceRewriter):
    def existing(self) -> dict[SSAValue, SSAValue]:
        return {}  # The slice has no values that exist.


class _Walker(SliceWalker):
    def visit(self, use: OpOperand, value: SSAValue, encoding: Attribute) -> bool:
        if self.found.layouts.setdefault(value, encoding) != encoding:
            return False
        if encoding_of(value.type) == encoding or self.existing(use, encoding) is not None:
            return True
        op = defining_op(value)
        if op is not None and (op.name in _NOT_SLICED or not self.accepts(op)):
            return False
        self.found.members[value] = None
        if op is None:
            return self.visit_argument(value, encoding)
        if op.name == "scf.if":
            if not self.stops(op):
                assert isinstance(value, OpResult)
                self.enqueue_origins(op, value.index, encoding)
            return True
        return self.visit_op(op, value, encoding)

    def goes_on_to(self, operand: SSAValue, wanted: Attribute) -> bool:
        return True


class CoreTarget(Target):
    """Decisions of the passes of Triton 3.9."""

    makes_in_place = True
    cleans_up_in_steps = True

    def __init__(self, splits_nothing: bool = False):
        self.splits_nothing = splits_nothing
        """Whether nothing is computed once more that is needed as it is as well."""
        self.hoists = 1 if splits_nothing else 3

    def is_access_or_fixed(self, op: Operation) -> bool:
        if op.name == "tt.reshape":
            return "efficient_layout" in op.properties
        return super().is_access_or_fixed(op)

    def propagates_specially(self, use: Use, encodings: list[Attribute]) -> list[SSAValue] | None:
        user = use.operation
        if user.name == "tt.reshape" and "efficient_layout" in user.properties:
            return []
        return super().propagates_specially(use, encodings)

    def choose(self, value: SSAValue, encodings: list[Attribute]) -> Attribute:
        assert is_tensor(value.type)
        shape = value.type.get_shape()
        # The first of several that are equal.
        return min(encodings, key=lambda encoding: _elements_per_thread(encoding, shape))

    def can_be_rematerialised(self, op: Operation) -> bool:
        if op.name in _DOTS or (op.name == "tt.reshape" and "efficient_layout" in op.properties):
            return False
        return super().can_be_rematerialised(op)

    def rematerialization(self, function: Operation) -> Rematerialization:
        return SharingRematerialization(function, self)


# --- what something else needs ----------------------------------------------------------


def needed_outside(found: BackwardSlice, conversion: Operation) -> dict[SSAValue, None]:
    """Return the values of a slice that are needed in the layout that they have as well."""
    ops = {op for value in found.members if (op := defining_op(value)) is not None}
    kept: dict[SSAValue, None] = {}
    for value in found.members:
        if any(_leaves(use, conversion, ops, found) for use in value.uses):
            kept[value] = None
    queue = list(kept)
    for value in queue:
        for origin in _origins(value):
            if origin in found.members and origin not in kept:
                kept[origin] = None
                queue.append(origin)
    return kept


def _leaves(use: Use, conversion: Operation, ops: set[Operation], found: BackwardSlice) -> bool:
    user = use.operation
    if user is conversion or user in ops:
        return False
    targets = list(_targets(use))
    return not targets or any(t not in found.members and t.first_use is not None for t in targets)


def _targets(use: Use) -> Iterator[SSAValue]:
    """Yield what a value handed to a loop or a branch becomes there; nothing for other uses."""
    user, index = use.operation, use.index
    if user.name == "scf.yield":
        user = user.parent_op()
    elif user.name == "scf.for":
        index -= LOOP_BOUNDS
    else:
        return
    if user is None or index < 0 or user.name not in ("scf.for", "scf.if"):
        return
    if user.name == "scf.for":
        yield user.regions[0].block.args[1 + index]
    yield user.results[index]


def _origins(value: SSAValue) -> list[SSAValue]:
    """Return what a value is made of, or what is handed on to become it."""
    if isinstance(value, BlockArgument):
        op = value.block.parent_op()
        assert op is not None
    else:
        assert isinstance(value, OpResult)
        op = value.op
    handed_on = sources(value) if op.name in ("scf.for", "scf.if") else None
    return list(op.operands) if handed_on is None else handed_on


# --- the cost ---------------------------------------------------------------------------


def _cost_of(op: Operation, layouts: dict[SSAValue, Attribute], kept: bool) -> int | None:
    """Return what an op costs in its new layout; None if it must not be computed twice."""
    if op.name == "arith.constant":
        return 0
    if op.name.partition(".")[0] not in ("arith", "math"):
        return cost_of(op) if kept else 0
    each = 8 if op.name in EXPENSIVE_MATH else 1
    times = (_work_per_thread(result, layouts[result]) - (not kept) for result in op.results)
    sizes = (size_in_bytes(result) for result in op.results)
    return sum(each * size * n for size, n in zip(sizes, times, strict=True))


def _work_per_thread(value: SSAValue, encoding: Attribute) -> int:
    """Return how many times as many elements threads compute in a new layout."""
    assert is_tensor(value.type)
    shape = value.type.get_shape()
    old, new = (_unique_elements(e, shape) for e in (layout_of_value(value), encoding))
    return max(1, new // old)


def _unique_elements(encoding: Attribute, shape: tuple[int, ...]) -> int:
    return layout_of(encoding, shape).remove_zero_bases(REGISTER).in_size(REGISTER)


def _elements_per_thread(encoding: Attribute, shape: tuple[int, ...]) -> int:
    return layout_of(encoding, shape).in_size(REGISTER)


def _cost_of_conversion(value: SSAValue, encoding: Attribute) -> int:
    assert is_tensor(value.type)
    shape = value.type.get_shape()
    try:
        layouts = layout_of(layout_of_value(value), shape), layout_of(encoding, shape)
        if reorders_registers(*layouts):
            return 0
    except (NoLinearLayout, ValueError):
        pass
    return SHARED_MEMORY_COST * size_in_bytes(value, LEAST_ELEMENTS, LEAST_BITS)
