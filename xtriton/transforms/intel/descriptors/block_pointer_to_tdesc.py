"""
Access memory through tensor descriptors instead of block pointers.

Before:

    %p = tt.make_tensor_ptr %base, [%m, %k], [%s, %c1_i64], [%i, %c0] : <tensor<64x32xf16>>
    scf.for ... iter_args(%q = %p) {
      %a = tt.load %q {boundaryCheck = array<i32: 0, 1>}
      %r = tt.advance %q, [%c0, %c32]
      scf.yield %r
    }

After:

    %d = tt.make_tensor_descriptor %base, [%m32, %k32], [%s, %c1_i64]
    scf.for ... iter_args(%j = %c0) {
      %a = tt.descriptor_load %d[%i, %j]
      %r = arith.addi %j, %c32
      scf.yield %r
    }

Only accesses that check all dimensions, through block pointers that are advanced in a
single `scf.for`, if in any; and whose sizes are known to fit into the 32 bits that those of a
descriptor have, which upstream takes for granted.
Source: `BlockPointerToTensorDesc.cpp` of the Intel XPU backend.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, i32
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass

from xtriton.analysis.axis_info.lattice import shape_of
from xtriton.analysis.integer_ranges import IntegerRanges, integer_ranges
from xtriton.analysis.intel.accesses import is_block_pointer, tensor_type
from xtriton.analysis.intel.values import maker_of
from xtriton.analysis.interval_rules import FITS_32_BITS
from xtriton.dialects.tt.constraints import i32_attr
from xtriton.dialects.tt.descriptors import (
    DescriptorLoadOp,
    DescriptorStoreOp,
    MakeTensorDescOp,
)
from xtriton.dialects.tt.enums import PaddingOption
from xtriton.dialects.tt.memory import LoadOp, StoreOp
from xtriton.dialects.tt.pointers import AdvanceOp, MakeTensorPtrOp
from xtriton.dialects.tt.types import TensorDescType
from xtriton.dialects.upstream.arith import TruncIOp
from xtriton.dialects.upstream.scf import ForOp
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.listings import ops_of
from xtriton.transforms.intel.building import (
    add_folded,
    constant,
    erase_unused,
    insert_after_definition,
)
from xtriton.transforms.loop_rewriting import with_carried, without_carried
from xtriton.transforms.raising.writing.narrowing_report import record_narrowing


@dataclass(frozen=True)
class BlockPointerToTensorDescPass(ModulePass):
    """Turn block pointers into tensor descriptors."""

    name = "triton-intel-block-pointer-to-tdesc"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not ops_of(op, MakeTensorPtrOp):
            return
        accesses = [access for access in ops_of(op, LoadOp, StoreOp) if _fits(access)]
        if not accesses:
            return
        # Everything is known before anything changes.
        ranges = integer_ranges(op)
        small = [access for access in accesses if _has_small_sizes(access, ranges)]
        rewriting = _Rewriting()
        for access in small:
            rewriting.rewrite(access)
        rewriting.clean_up()


def _fits(op: LoadOp | StoreOp) -> bool:
    type = tensor_type(op.ptr.type)
    if type is None or not is_block_pointer(op.ptr.type):
        return False
    checks = op.properties["boundaryCheck"]
    assert isinstance(checks, DenseArrayBase)
    if tuple(checks.iter_values()) != tuple(range(len(type.get_shape()))):
        return False
    pointer = op.ptr
    if not isinstance(pointer, BlockArgument):
        return _is_made_here(pointer)
    loop = pointer.block.parent_op()
    if not isinstance(loop, ForOp) or pointer.index == 0:
        return False
    end = loop.body.block.last_op
    assert end is not None
    carried = end.operands[pointer.index - 1]
    return _is_made_here(loop.iter_args[pointer.index - 1]) and _before(carried) is pointer


def _has_small_sizes(op: LoadOp | StoreOp, ranges: IntegerRanges) -> bool:
    """Return whether each size of the parent fits into 32 bits, and report why."""
    maker = maker_of(op.ptr)
    assert isinstance(maker, MakeTensorPtrOp)
    bounds = [ranges.range(size) for size in maker.shape]
    if not all(b is not None and b[0] in FITS_32_BITS and b[1] in FITS_32_BITS for b in bounds):
        return False
    for i, bound in enumerate(bounds):
        assert bound is not None
        record_narrowing(
            f"size {i} of the parent", 32, f"it is between {bound[0]} and {bound[1]}", op
        )
    return True


def _before(pointer: SSAValue) -> SSAValue:
    """Return the block pointer that has been advanced to `pointer`."""
    while isinstance(pointer, OpResult) and isinstance(pointer.op, AdvanceOp):
        pointer = pointer.op.ptr
    return pointer


def _is_made_here(pointer: SSAValue) -> bool:
    source = _before(pointer)
    return isinstance(source, OpResult) and isinstance(source.op, MakeTensorPtrOp)


@dataclass
class _Rewriting:
    _obsolete: dict[Operation, None] = field(default_factory=dict[Operation, None])

    def rewrite(self, op: LoadOp | StoreOp) -> None:
        maker = maker_of(op.ptr)
        assert isinstance(maker, MakeTensorPtrOp) and op.parent is not None
        padding = op.properties.get("padding") if isinstance(op, LoadOp) else None
        descriptor = self._descriptor(maker, padding or i32_attr(PaddingOption.zero))
        indices = self._indices(op.ptr)
        if isinstance(op, LoadOp):
            assert is_tensor(op.result.type)
            new: Operation = DescriptorLoadOp(descriptor, indices, op.result.type)
        else:
            new = DescriptorStoreOp(descriptor, op.value, indices)
        new.location = op.location
        op.parent.insert_op_before(new, op)
        for old, value in zip(op.results, new.results, strict=True):
            value.name_hint = old.name_hint
            old.replace_all_uses_with(value)
        self._obsolete[op] = None

    def _descriptor(self, maker: MakeTensorPtrOp, padding: object) -> SSAValue:
        self._obsolete[maker] = None
        assert maker.parent is not None
        type = tensor_type(maker.result.type)
        assert type is not None
        new = MakeTensorDescOp.create(
            operands=[maker.base, *map(_truncated, maker.shape), *maker.strides],
            result_types=[TensorDescType(type.element_type, type.get_shape())],
            properties={"padding": padding},  # pyright: ignore[reportArgumentType]
        )
        new.location = maker.location
        maker.parent.insert_op_before(new, maker)
        return new.results[0]

    def _indices(self, pointer: SSAValue) -> list[SSAValue]:
        """Return where a block begins; a loop that carries its pointer carries this now."""
        if not isinstance(pointer, BlockArgument):
            return self._accumulated(pointer, [])
        loop = pointer.block.parent_op()
        assert isinstance(loop, ForOp)
        i = pointer.index - 1
        initial = self._accumulated(loop.iter_args[i], [])
        new = with_carried(loop, initial)
        end = new.body.block.last_op
        assert end is not None
        indices: list[SSAValue] = list(new.body.block.args[-len(initial) :])
        end.operands = [*end.operands, *self._accumulated(end.operands[i], indices)]
        return indices

    def _accumulated(self, pointer: SSAValue, indices: Sequence[SSAValue]) -> list[SSAValue]:
        """Return `indices` and what `pointer` has been advanced by, its first offsets too."""
        result = list(indices)
        place: Operation | None = None
        while isinstance(pointer, OpResult):
            op = pointer.op
            if not isinstance(op, AdvanceOp | MakeTensorPtrOp):
                break
            place = place or op
            offsets = list(op.offsets)
            missing = len(shape_of(pointer.type) or ()) - len(offsets)
            offsets += [constant(0, i32, place, op.location) for _ in range(missing)]
            if not result:
                result = offsets
            else:
                pairs = zip(result, offsets, strict=True)
                result = [add_folded(a, b, place, op.location) for a, b in pairs]
            self._obsolete[op] = None
            if isinstance(op, MakeTensorPtrOp):
                break
            pointer = op.ptr
        return result

    def clean_up(self) -> None:
        """Erase what is not needed any more; loops that only carry it do so no longer."""
        erase_unused(self._obsolete)
        loops: dict[ForOp, set[int]] = {}
        for op in self._obsolete:
            use = _only_use(op) if isinstance(op, MakeTensorPtrOp) else None
            if use is None or not isinstance(use[0], ForOp) or use[1] < 3:
                continue
            loop, i = use[0], use[1] - 3
            if loop.results[i].first_use is not None:
                continue
            advance = _only_use(loop.body.block.args[i + 1])
            if advance is None or advance[0] not in self._obsolete:
                continue
            if isinstance(advance[0], AdvanceOp) and _only_use(advance[0]) is not None:
                loops.setdefault(loop, set()).add(i)
        for loop, removed in loops.items():
            _add_invariant(loop, removed)
            without_carried(loop, removed)
        erase_unused(self._obsolete)


def _add_invariant(loop: ForOp, removed: set[int]) -> None:
    """Add what a loop carries without changing it, which is used directly from now on."""
    end = loop.body.block.last_op
    assert end is not None
    for i, initial in enumerate(loop.iter_args):
        argument = loop.body.block.args[i + 1]
        if i not in removed and end.operands[i] is argument:
            removed.add(i)
            argument.replace_all_uses_with(initial)
            loop.results[i].replace_all_uses_with(initial)


def _only_use(value: SSAValue | Operation) -> tuple[Operation, int] | None:
    uses = list((value.results[0] if isinstance(value, Operation) else value).uses)
    return (uses[0].operation, uses[0].index) if len(uses) == 1 else None


def _truncated(value: SSAValue) -> SSAValue:
    """Return a size as a number of 32 bits, right behind where it comes from."""
    following = value.op.next_op if isinstance(value, OpResult) else None
    if isinstance(following, TruncIOp) and following.operands[0] is value:
        result = following.results[0]
        if result.type == i32:
            return result
    op = TruncIOp(value, i32)
    insert_after_definition(op, value)
    return op.results[0]
