"""The rewriting behind `triton-raise-tensor-descriptor`."""

from xdsl.dialects.builtin import i32, i64
from xdsl.ir import Operation, SSAValue

from xtriton.analysis.accesses import Access, Accesses, mask_of
from xtriton.analysis.divisibility import Divisibility, of_argument
from xtriton.analysis.indexing import Expr
from xtriton.analysis.values import byte_width
from xtriton.dialects.tt import (
    AddPtrOp,
    DescriptorLoadOp,
    DescriptorStoreOp,
    MakeTensorDescOp,
)
from xtriton.dialects.tt.enums import PaddingOption
from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.upstream.arith import SelectOp
from xtriton.transforms.raising.block_pointers import BlockPointerRewriter
from xtriton.transforms.raising.emitter import CannotEmit
from xtriton.transforms.raising.parents import NoParent, Parent, loops_around
from xtriton.transforms.raising.requests import request_of
from xtriton.transforms.raising.structured import is_volatile

ALIGNMENT = 16
"""Bytes that addresses, strides and rows of a described tensor are multiples of."""

MOST_DIMENSIONS = 5


class DescriptorRewriter(BlockPointerRewriter):
    """Turns the accesses of one function into accesses through tensor descriptors."""

    def __init__(self, accesses: Accesses):
        super().__init__(accesses)
        self.divisibility = Divisibility(accesses.analysis)

    def qualify(self, access: Access, parent: Parent) -> None:
        """Raise `NoParent` where a descriptor's contract is not known to hold."""
        if is_volatile(access.op):
            raise NoParent("volatile")
        size = byte_width(parent.pointer.pointee)
        if len(parent.sizes) > MOST_DIMENSIONS:
            raise NoParent("too many dimensions for a descriptor")
        if parent.strides[-1].constant != 1:
            raise NoParent("the last stride is not 1")
        if parent.sizes[-1] * size < ALIGNMENT:
            raise NoParent(f"rows of less than {ALIGNMENT} bytes")
        for stride in parent.strides[:-1]:
            if self.divisibility.of(stride) * size % ALIGNMENT:
                raise NoParent(f"a stride that may be no multiple of {ALIGNMENT} bytes")
        if of_argument(parent.pointer.base) % ALIGNMENT:
            raise NoParent(f"a base that may be no multiple of {ALIGNMENT} bytes")
        if self.divisibility.of(parent.origin) * size % ALIGNMENT:
            raise NoParent(f"an origin that may be no multiple of {ALIGNMENT} bytes")
        base = parent.pointer.base.type
        if not isinstance(base, PtrType) or base.pointee_type != parent.pointer.pointee:
            raise NoParent("a base of another type")

    def raise_access(self, access: Access, parent: Parent) -> None:
        op = access.op
        padding = self.padding(access, parent)
        descriptor = self.descriptor(access, parent, padding or PaddingOption.zero)
        loops = set(loops_around(op))
        for e in parent.offsets:
            if e.constant is None and self.emitter.find(e, op) is None:
                self.carried.carry(e, op, loops)
        indices = [self.emitter.typed(e, i32, op) for e in parent.offsets]
        if access.kind == "store":
            self.emitter.insert(DescriptorStoreOp(descriptor, op.operands[1], indices), op)
        else:
            new = DescriptorLoadOp(descriptor, indices, op.results[0].type)  # pyright: ignore
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
            if not all(
                self.emitter.invariant(e, loop) for e in (parent.origin, *parent.strides, *shape)
            ):
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
        made = MakeTensorDescOp(base, sizes, strides, parent.sizes, padding=padding)
        return emitter.op(made, anchor)
