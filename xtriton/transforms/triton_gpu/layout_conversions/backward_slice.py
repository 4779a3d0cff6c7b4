"""
Backward slices: what has to be computed in another layout to have a value in it.

Source: `getConvertBackwardSlice` of Triton and of the Intel backend.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from xtriton.transforms.loop_rewriting import (
    LOOP_BOUNDS,
    is_iteration_argument,
    terminator,
)
from xtriton.transforms.triton_gpu.layout_conversions.target import (
    Target,
    defining_op,
    is_free_conversion,
    merges_into_conversion,
)
from xtriton.transforms.triton_gpu.retyping import encoding_of

OpOperand = tuple[Operation, int]
"""A use of a value: which operand of which op."""

_item = cast(Any, tuple).__getitem__

Stop = Callable[[Operation], bool]
Accepts = Callable[[Operation], bool]


def accepts_all(_: Operation) -> bool:
    """Accept any op in a slice."""
    return True


@dataclass
class BackwardSlice:
    """Values and the layouts in which they are wanted, in the order in which they were met."""

    layouts: dict[SSAValue, Attribute] = field(default_factory=dict[SSAValue, Attribute])
    members: dict[SSAValue, None] = field(default_factory=dict[SSAValue, None])

    def copy(self) -> BackwardSlice:
        return BackwardSlice(dict(self.layouts), dict(self.members))

    def add(self, value: SSAValue, encoding: Attribute) -> bool:
        """Add a value; return False if it is wanted in another layout already."""
        self.members[value] = None
        return self.layouts.setdefault(value, encoding) == encoding

    def merge(self, other: BackwardSlice) -> None:
        """Add what `other` has; layouts known already stay."""
        for value in other.members:
            self.members[value] = None
        for value, encoding in other.layouts.items():
            self.layouts.setdefault(value, encoding)


def extend_slice(
    found: BackwardSlice,
    root: OpOperand,
    encoding: Attribute,
    target: Target,
    stop: Stop | None,
    existing: Callable[[OpOperand, Attribute], SSAValue | None],
    accepts: Accepts,
) -> bool:
    """
    Add to `found` all that has to change for an operand to have `encoding`.

    Goes no further than where a conversion costs nothing, where `stop` says so, and where
    `existing` knows the value in that layout. Returns False if something cannot change, or
    is made by an op that is not accepted.
    """
    walker = SliceWalker(found, target, stop, existing, accepts)
    walker.enqueue(root, encoding)
    return walker.run()


def is_converted_constant(value: SSAValue) -> bool:
    """Return whether a value is a constant in another layout."""
    op = defining_op(value)
    if op is None or op.name != "ttg.convert_layout":
        return False
    source = defining_op(op.operands[0])
    return source is not None and source.name == "arith.constant"


@dataclass
class SliceWalker:
    """The walk that `extend_slice` describes."""

    found: BackwardSlice
    target: Target
    stop: Stop | None
    existing: Callable[[OpOperand, Attribute], SSAValue | None]
    accepts: Accepts
    seen: set[tuple[Operation, int, Attribute]] = field(
        default_factory=set[tuple[Operation, int, Attribute]]
    )
    queue: list[tuple[OpOperand, Attribute]] = field(
        default_factory=list[tuple[OpOperand, Attribute]]
    )

    def enqueue(self, use: OpOperand, encoding: Attribute) -> None:
        known = len(self.seen)
        self.seen.add((*use, encoding))
        if len(self.seen) > known:
            self.queue.append((use, encoding))

    def run(self) -> bool:
        queue, is_sliced = self.queue, self.target.is_sliced
        while queue:
            use, encoding = queue.pop()
            value = _item(use[0]._operands, use[1])
            if is_sliced(value._type) and not self.visit(use, value, encoding):
                return False
        return True

    def add(self, value: SSAValue, encoding: Attribute) -> bool:
        target = self.target
        through = target.slices_through_existing and not target.ends_at_equal
        if through and encoding_of(value._type) == encoding:
            return True
        if isinstance(value, OpResult) and not self.accepts(value.op):
            return False
        return self.found.add(value, encoding)

    def stops(self, op: Operation) -> bool:
        return self.stop is not None and self.stop(op)

    def visit(self, use: OpOperand, value: SSAValue, encoding: Attribute) -> bool:
        """Add a value and enqueue what it is made of; return False if it cannot change."""
        op = defining_op(value)
        if op is not None and self.ends_at(op):
            return False
        if self.target.ends_at_equal:
            if self.found.layouts.setdefault(value, encoding) != encoding:
                return False
            if encoding_of(value.type) == encoding:
                return True
        if not self.add(value, encoding):
            return False
        known = self.existing(use, encoding)
        if known is not None:
            if not self.target.slices_through_existing:
                return True
            if is_converted_constant(known):
                # Upstream goes on and makes the constant once more, for nobody, and the next
                # slice that one: a chain that grows with each slice, until dead code is removed.
                return True
            if self.target.ends_at_equal:
                if self.found.layouts.setdefault(known, encoding) != encoding:
                    return False
            elif not self.add(known, encoding):
                return False
            value, op = known, defining_op(known)
        if op is None:
            return self.visit_argument(value, encoding)
        if op.name in ("scf.for", "scf.if"):
            if not self.stops(op):
                assert isinstance(value, OpResult)
                self.enqueue_origins(op, value.index, encoding)
            return True
        return self.visit_op(op, value, encoding)

    def ends_at(self, op: Operation) -> bool:
        """Return whether nothing is known of how the results of `op` get their layouts."""
        if op.name == "scf.for":
            return not self.target.slices_through_loops
        if self.target.slices_through_existing:
            return False
        return op.name in ("scf.while", "ttg.warp_specialize")

    def enqueue_origins(self, op: Operation, index: int, encoding: Attribute) -> None:
        """Enqueue what a result of a loop or of a branch comes from."""
        if op.name == "scf.for":
            self.enqueue((op, LOOP_BOUNDS + index), encoding)
        for region in op.regions:
            self.enqueue((terminator(region), index), encoding)

    def visit_argument(self, value: SSAValue, encoding: Attribute) -> bool:
        if not is_iteration_argument(value):
            return False
        assert isinstance(value, BlockArgument)
        loop = value.block.parent_op()
        assert loop is not None
        self.enqueue_origins(loop, value.index - 1, encoding)
        return True

    def visit_op(self, op: Operation, value: SSAValue, encoding: Attribute) -> bool:
        if len(op.results) > 1:
            for result in op.results:
                if result is value or not self.target.is_sliced(result.type):
                    continue
                if not self.add(result, encoding):
                    return False
        if is_free_conversion(op):
            self.enqueue((op, 0), encoding)
            return True
        if merges_into_conversion(op, encoding) or self.stops(op):
            return True
        if op.name == "tt.cat" or (self.target.ends_at_equal and op.name == "tt.call"):
            return False
        wanted = self.target.infer_operand(op, encoding)
        if op.name == "tt.gather":
            # Only the indices have the layout of the result.
            if wanted is not None:
                self.enqueue((op, 1), wanted)
            return wanted is not None
        ends_at_equal = self.target.ends_at_equal
        for i, operand in enumerate(op._operands):
            if ends_at_equal and not self.target.is_sliced(operand.type):
                continue
            if wanted is None:
                return False
            if self.goes_on_to(operand, wanted):
                self.enqueue((op, i), wanted)
        return True

    def goes_on_to(self, operand: SSAValue, wanted: Attribute) -> bool:
        return self.target.slices_through_existing or encoding_of(operand.type) != wanted
