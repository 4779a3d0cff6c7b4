"""
Following a block pointer from where it is made to the one load that uses it.

A change of what a load gives, a transposition say, can be made to the block pointer if
nothing else uses it on its way: `tt.advance` and `scf.for` that carries it on.
Source: `DefUseChain.cpp` of the Intel XPU backend.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from xtriton.analysis.intel.values import maker_of
from xtriton.dialects.tt.dot import DotOp, DotScaledOp
from xtriton.dialects.tt.memory import LoadOp
from xtriton.dialects.tt.pointers import AdvanceOp, MakeTensorPtrOp
from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.upstream.scf import ForOp, YieldOp
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.transforms.triton_gpu.retyping import set_type

Offsets = Callable[[AdvanceOp], Sequence[SSAValue]]


def feeds_a_product(op: Operation, *, scaled: bool = False) -> bool:
    """Return whether the result of `op` goes, and only goes, to a `tt.dot`, or one with scales."""
    products = (DotOp, DotScaledOp) if scaled else (DotOp,)
    user = _only_user(op)
    while user is not None:
        if isinstance(user, products):
            return True
        user = _only_user(user)
    return False


def _only_user(op: Operation) -> Operation | None:
    uses = [use for result in op.results for use in result.uses]
    return uses[0].operation if len(uses) == 1 else None


@dataclass
class PointerChain:
    """A block pointer on its way from `maker` to `load`."""

    maker: MakeTensorPtrOp
    load: LoadOp
    values: set[SSAValue] = field(default_factory=set[SSAValue])
    """All values but the maker's that are this block pointer, moved or not."""
    advances: list[AdvanceOp] = field(default_factory=list[AdvanceOp])
    first: tuple[Operation, int] | None = None
    """Where the maker's result is used by this chain."""

    @classmethod
    def of(cls, load: LoadOp) -> PointerChain | None:
        """Return the chain that ends at `load`; None if others use the pointer on its way."""
        maker = maker_of(load.ptr)
        if not isinstance(maker, MakeTensorPtrOp):
            return None
        chain = cls(maker, load)
        return chain if chain._follow_back() and chain._is_closed() else None

    def _follow_back(self) -> bool:
        user: tuple[Operation, int] = (self.load, 0)
        value: SSAValue = self.load.ptr
        while value is not self.maker.result:
            if value in self.values:
                return False
            self.values.add(value)
            if isinstance(value, OpResult) and isinstance(value.op, AdvanceOp):
                self.advances.append(value.op)
                user, value = (value.op, 0), value.op.ptr
                continue
            loop = value.block.parent_op() if isinstance(value, BlockArgument) else None
            if not isinstance(value, BlockArgument) or not isinstance(loop, ForOp):
                return False
            if not self._add_loop(loop, value):
                return False
            user, value = (loop, value.index + 2), loop.iter_args[value.index - 1]
        self.first = user
        return True

    def _add_loop(self, loop: ForOp, argument: BlockArgument) -> bool:
        """Add what a loop hands on to its next iteration."""
        i = argument.index - 1
        end = loop.body.block.last_op
        assert end is not None
        if loop.results[i].first_use is not None:
            return False
        self.values.add(loop.results[i])
        value = end.operands[i]
        while value is not argument and value not in self.values:
            if not isinstance(value, OpResult) or not isinstance(value.op, AdvanceOp):
                return False
            self.values.add(value)
            self.advances.append(value.op)
            value = value.op.ptr
        return True

    def _is_closed(self) -> bool:
        """Return whether nothing but the chain uses its values."""
        for value in self.values:
            for use in value.uses:
                op = use.operation
                if op is self.load:
                    continue
                if isinstance(op, AdvanceOp) and op.result in self.values:
                    continue
                if isinstance(op, ForOp) and op.body.block.args[use.index - 2] in self.values:
                    continue
                parent = op.parent_op()
                carries = isinstance(op, YieldOp) and isinstance(parent, ForOp)
                if not carries or parent.results[use.index] not in self.values:  # pyright: ignore[reportOptionalMemberAccess]
                    return False
        return True

    def redirect(self, pointer: MakeTensorPtrOp, moved: Offsets, loaded: Attribute) -> None:
        """
        Let the chain begin with `pointer` instead of `maker`.

        `moved` says by what an advance moves the new block pointer; `loaded`
        is the type of what is loaded now. The old maker is erased if nobody else uses it.
        """
        assert self.first is not None
        type = pointer.result.type
        for value in self.values:
            set_type(value, type)
        for advance in self.advances:
            advance.operands = [advance.ptr, *moved(advance)]
        user, index = self.first
        user.operands[index] = pointer.result
        set_type(self.load.result, loaded)
        if self.maker.result.first_use is None:
            self.maker.detach()
            self.maker.erase()


def pointer_to(maker: MakeTensorPtrOp, type: Attribute) -> PtrType:
    """Return the type of a pointer to a block of `type` where `maker` points to."""
    pointer = maker.result.type
    assert isinstance(pointer, PtrType) and is_tensor(type)
    return PtrType(type, pointer.address_space)


def replace_by_load(op: Operation, load: LoadOp) -> None:
    """Replace what is made of a loaded value by the value itself."""
    op.results[0].replace_all_uses_with(load.result)
    load.result.name_hint = op.results[0].name_hint
    op.detach()
    op.erase()
