"""
The rewriting behind `triton-raise-tensor-descriptor`.

What the pass asks for is what the hardware (TMA of NVIDIA's Hopper) was seen to need: addresses,
strides and the first place in a row are multiples of 16 bytes; extents are at least 1; strides
are not negative; a store's offsets are not negative, and its rows end at a multiple of 16 bytes,
since it writes all of the last 16. Otherwise it is an illegal instruction, or what is written
is wrong. Arguments that are extents or strides are taken to be positive.
"""

from collections.abc import Container

from xdsl.dialects.builtin import i32, i64
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.traits import is_side_effect_free

from xtriton.analysis.accesses import Access, Accesses
from xtriton.analysis.divisibility import divisor_of_argument
from xtriton.analysis.indexing import Expr, Kind
from xtriton.analysis.memory_ops import mask_of
from xtriton.analysis.values import byte_width
from xtriton.dialects.tt import (
    AddPtrOp,
    DescriptorLoadOp,
    DescriptorStoreOp,
    MakeTensorDescOp,
)
from xtriton.dialects.tt.enums import PaddingOption
from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.upstream.arith import CmpiOp, MaxSIOp, MinUIOp, SelectOp
from xtriton.ir.attributes import flag
from xtriton.transforms.raising.parents.block_pointers import BlockPointerRewriter
from xtriton.transforms.raising.parents.parents import NoParent, Parent, loops_around
from xtriton.transforms.raising.parents.requests import request_of
from xtriton.transforms.raising.writing.emitter import CannotEmit

ALIGNMENT = 16
"""Bytes that addresses, strides and rows of a described tensor are multiples of."""

MOST_DIMENSIONS = 5

GREATEST = (1 << 31) - 1

OUTSIDE = 1 << 30
"""A place outside of every tensor, and a multiple of all that places have to be."""


class DescriptorRewriter(BlockPointerRewriter):
    """Turns the accesses of one function into accesses through tensor descriptors."""

    form = "tensor descriptor"
    extent_bits = 32

    def __init__(
        self,
        accesses: Accesses,
        chosen: Container[Operation] | None = None,
        *,
        operands_only: bool = False,
        stores_below_zero: bool = False,
    ):
        super().__init__(accesses, chosen)
        self.operands_only = operands_only
        self.stores_below_zero = stores_below_zero
        self._empty: dict[tuple[SSAValue, int], SSAValue] = {}
        """For a descriptor and a dimension: whether there is nothing of it."""

    def qualify(self, access: Access, parent: Parent) -> None:
        """Raise `NoParent` where a descriptor's contract is not known to hold."""
        if flag(access.op, "isVolatile"):
            raise NoParent("volatile")
        if self.operands_only and not goes_into_product(access.op):
            raise NoParent("no operand of a matrix product")
        size = byte_width(parent.pointer.pointee)
        if len(parent.sizes) > MOST_DIMENSIONS:
            raise NoParent("too many dimensions for a descriptor")
        if parent.strides[-1].constant != 1:
            raise NoParent("the last stride is not 1")
        if parent.sizes[-1] * size < ALIGNMENT:
            raise NoParent(f"rows of less than {ALIGNMENT} bytes")
        for stride in parent.strides[:-1]:
            if any(c < 0 for c in stride.terms.values()):
                raise NoParent("a stride that is negative")
            if stride.divisor * size % ALIGNMENT:
                raise NoParent(f"a stride that may be no multiple of {ALIGNMENT} bytes")
        if divisor_of_argument(parent.pointer.base) % ALIGNMENT:
            raise NoParent(f"a base that may be no multiple of {ALIGNMENT} bytes")
        if parent.origin.divisor * size % ALIGNMENT:
            raise NoParent(f"an origin that may be no multiple of {ALIGNMENT} bytes")
        base = parent.pointer.base.type
        if not isinstance(base, PtrType) or base.pointee_type != parent.pointer.pointee:
            raise NoParent("a base of another type")
        self._qualify_places(access, parent, size)
        for loop in loops_around(access.op)[:1]:
            if not self._same_in(loop, access, parent):
                raise NoParent("a descriptor that each iteration would make")

    def _qualify_places(self, access: Access, parent: Parent, size: int) -> None:
        if parent.offsets[-1].divisor * size % ALIGNMENT:
            raise NoParent(f"rows from a place that may be no multiple of {ALIGNMENT} bytes")
        for d, offset in enumerate(parent.offsets):
            # what is not checked here the hardware checks
            if (access.kind == "load" and d in parent.checked) or self._is_at_least(0, offset):
                continue
            if d not in parent.checked or offset.divisor % parent.sizes[d]:
                raise NoParent("an offset that may be negative")
        ends_anywhere = parent.shape[-1].divisor * size % ALIGNMENT
        if access.kind == "store" and len(parent.shape) - 1 in parent.checked and ends_anywhere:
            raise NoParent(f"rows whose end may be no multiple of {ALIGNMENT} bytes")

    def _same_in(self, loop: Operation, access: Access, parent: Parent) -> bool:
        try:
            shape = self.whole_shape(access, parent)
        except CannotEmit as failure:
            raise NoParent(str(failure)) from failure
        everything = (parent.origin, *parent.strides, *shape)
        return all(self.emitter.invariant(e, loop) for e in everything)

    def raise_access(self, access: Access, parent: Parent) -> None:
        op = access.op
        padding = self.padding(access, parent)
        descriptor = self.descriptor(access, parent, padding or PaddingOption.zero)
        loops = set(loops_around(op))
        for e in parent.offsets:
            if e.constant is None and self.emitter.find(e, op) is None:
                self.carried.carry(e, op, loops)
        indices = [self._index(descriptor, d, access, e) for d, e in enumerate(parent.offsets)]
        if access.kind == "store":
            self.emitter.insert(DescriptorStoreOp(descriptor, op.operands[1], indices), op)
        else:
            new = DescriptorLoadOp(descriptor, indices, op.results[0].type)  # pyright: ignore[reportArgumentType]
            result = self.emitter.op(new, op)
            result.name_hint = op.results[0].name_hint
            other, mask = request_of(access).other, mask_of(op)
            if other is not None and mask is not None and padding is None:
                result = self.emitter.op(SelectOp(mask, result, other), op)
            op.results[0].replace_all_uses_with(result)
            self.analysis.replace(op.results[0], result)
        op.detach()
        op.erase()

    def descriptor(self, access: Access, parent: Parent, padding: PaddingOption) -> SSAValue:
        """Return the descriptor of a tensor, made before all loops in which it is the same."""
        shape = self.whole_shape(access, parent)
        anchor: Operation = access.op
        for loop in loops_around(access.op):
            if not self._same_in(loop, access, parent):
                break
            anchor = loop
        key = parent.pointer, parent.origin, parent.sizes, shape, parent.strides, padding, anchor
        if key not in self._pointers:
            self._pointers[key] = self._described(parent, shape, padding, anchor)
        return self._pointers[key]

    def whole_shape(self, access: Access, parent: Parent) -> tuple[Expr, ...]:
        """Return the shape that all iterations of the loops around need."""
        shape = list(parent.shape)
        for loop in loops_around(access.op):
            if loop.name != "scf.for":
                break
            for d, extent in enumerate(shape):
                if d not in parent.checked:
                    shape[d] = self.reached(extent, loop)
        return tuple(shape)

    def _described(
        self, parent: Parent, shape: tuple[Expr, ...], padding: PaddingOption, anchor: Operation
    ) -> SSAValue:
        emitter = self.emitter
        base = parent.pointer.base
        if not emitter.dominates(base, anchor):
            raise CannotEmit("base is made inside of the loop")
        sizes = [emitter.typed(e, i32, anchor) for e in shape]
        strides = [emitter.typed(e, i64, anchor) for e in parent.strides]
        if parent.origin.terms:
            base = emitter.op(AddPtrOp(base, emitter.integer(parent.origin, anchor)), anchor)
        empty: dict[int, SSAValue] = {}
        one = emitter.constant(1, i32)
        for d, e in enumerate(shape):
            if not self._is_at_least(1, e):
                empty[d] = emitter.op(CmpiOp(sizes[d], one, "slt"), anchor)
                sizes[d] = emitter.op(MaxSIOp(sizes[d], one), anchor)
        made = MakeTensorDescOp(base, sizes, strides, parent.sizes, padding=padding)
        descriptor = emitter.op(made, anchor)
        self._empty |= {(descriptor, d): condition for d, condition in empty.items()}
        return descriptor

    def _is_at_least(self, least: int, e: Expr) -> bool:
        """Tell whether a number is at least 0 or 1, given that arguments are at least 1."""
        if e.interval[0] >= least:
            return True
        space = self.space
        e = space.expanded(e)
        positive = {
            u: space.scalar(("positive", u), f"{space.atoms[u].name}+", (1, GREATEST))
            for u in e.leaves
            if isinstance(self.analysis.leaf_values.get(u), BlockArgument)
            and space.atoms[u].kind is Kind.SCALAR
        }
        return space.substitute(e, positive).interval[0] >= least

    def _index(self, descriptor: SSAValue, d: int, access: Access, offset: Expr) -> SSAValue:
        """Return where an access is along a dimension: outside if there is nothing of that."""
        emitter, op = self.emitter, access.op
        index = emitter.typed(offset, i32, op)
        empty = self._empty.get((descriptor, d))
        may_begin_there = access.kind == "load" or self.stores_below_zero
        may_begin_there = may_begin_there or self._is_at_least(0, offset)
        if empty is None and may_begin_there:
            return index
        outside = emitter.constant(OUTSIDE, i32)
        if not may_begin_there:
            # a whole block below 0, which is more than OUTSIDE without a sign
            index = emitter.op(MinUIOp(index, outside), op)
        return index if empty is None else emitter.op(SelectOp(empty, outside, index), op)


def goes_into_product(load: Operation) -> bool:
    """Tell whether what is loaded reaches an operand of `tt.dot`, by pure ops in the same block."""
    worklist = list(load.results)
    seen = set(worklist)
    while worklist:
        for use in worklist.pop().uses:
            user = use.operation
            if user.name in ("tt.dot", "tt.dot_scaled"):
                if use.index < 2:
                    return True
            elif not user.regions and is_side_effect_free(user):
                new = [result for result in user.results if result not in seen]
                seen.update(new)
                worklist += new
    return False
