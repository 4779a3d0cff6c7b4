"""
Load large operands of products where they are used, not in front of the loop.

Before:

    %x = tt.load %p {ttig.block_io = "row_major"} : !tt.ptr<tensor<512x128xf16, #dot0>>
    scf.for ... {
      ... tt.dot %x, %y, %acc : ...
    }
    tt.store %q, %x

After, if so much lives into the loop that it does not fit into the registers:

    ttig.prefetch %p {ttig.block_io = "row_major"} : !tt.ptr<tensor<512x128xf16, #dot0>>
    scf.for ... {
      %0 = tt.load %p {ttig.block_io = "row_major"} : !tt.ptr<tensor<512x128xf16, #dot0>>
      ... tt.dot %0, %y, %acc : ...
    }
    %x = tt.load %p {ttig.block_io = "row_major"} : !tt.ptr<tensor<512x128xf16, #dot0>>
    tt.store %q, %x

A load stays if something between it and the end of the loop may write to memory, if it is
masked or volatile, or if its value is used elsewhere than in the loop and behind it; upstream
asks for none of the first, and makes invalid code of the last. A store of what was loaded to
where it was loaded from is no obstacle. By the rules of August 2026 only loads through
descriptors are moved. Source: `ReduceVariableLiveness.cpp` of the Intel XPU backend.
"""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, OpResult, SSAValue, Use
from xdsl.passes import ModulePass
from xdsl.traits import RecursiveMemoryEffect

from xtriton.analysis.intel.module import BLOCK_IO
from xtriton.analysis.intel.registers import bytes_of_tensor, live_bytes
from xtriton.analysis.intel.rules import rules_for
from xtriton.analysis.writes import Writes, may_write
from xtriton.dialects.encodings.linear_layouts import NoLinearLayout, order_of
from xtriton.dialects.tt.descriptors import DescriptorLoadOp, DescriptorStoreOp
from xtriton.dialects.tt.dot import DotOp
from xtriton.dialects.tt.memory import LoadOp, StoreOp
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.dialects.ttig.encodings import DpasEncodingAttr
from xtriton.dialects.upstream.scf import ForOp
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.listings import ops_of
from xtriton.ir.order import Order
from xtriton.transforms.cleanup.canonicalization.tables import CONVERSION_PATTERNS
from xtriton.transforms.intel.loops.prefetching import insert_prefetch
from xtriton.transforms.triton_gpu.retyping import encoding_of
from xtriton.transforms.triton_gpu.simplification import simplify

_LARGE_LIVE_BYTES = 32768
"""What lives into a loop is much if it is more than this."""
_LARGE_TENSOR_BYTES = 32768
_LARGE_MINOR_EXTENT = 128

_Load = LoadOp | DescriptorLoadOp


@dataclass(frozen=True)
class ReduceVariableLivenessPass(ModulePass):
    """Load large operands of products inside loops, having fetched them into the cache."""

    name = "tritonintelgpu-reduce-variable-liveness"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        simplify(op, CONVERSION_PATTERNS)
        mover = _Mover(takes_pointers=rules_for(op).has_block_pointers)
        for loop in ops_of(op, ForOp, region_first=True):
            mover.move_into(loop)
        mover.finish()


@dataclass
class _Users:
    """The ops of a block with uses of a load's value, itself or inside, in their order."""

    home: Block
    uses: dict[Operation, list[Use]]
    left: deque[Operation]
    """Those that use the value still."""


@dataclass
class _Mover:
    takes_pointers: bool
    """Whether loads through pointers are moved too."""
    writes: Writes = field(default_factory=Writes)
    order: Order = field(default_factory=Order)
    fetched: set[tuple[SSAValue, ...]] = field(default_factory=set[tuple[SSAValue, ...]])
    """The operands of the loads that have a prefetch."""
    users: dict[Operation, _Users | Block] = field(
        default_factory=dict[Operation, "_Users | Block"]
    )
    """Of loads, for the block asked about last; the block if there are others elsewhere."""
    moved_behind: dict[_Load, ForOp] = field(default_factory=dict[_Load, ForOp])
    """The last loop that each moved load is in; what still uses it comes later."""

    def move_into(self, loop: ForOp) -> None:
        """Move the large loads of operands of products in the body of `loop` there."""
        dots = [op for op in loop.body.block.ops if isinstance(op, DotOp)]
        if not all(isinstance(encoding_of(dot.d.type), DpasEncodingAttr) for dot in dots):
            return
        operands = [operand for dot in dots for operand in (dot.a, dot.b)]
        loads = [
            load
            for operand in operands
            if (load := _load_of(operand)) is not None
            and (self.takes_pointers or isinstance(load, DescriptorLoadOp))
            and load.parent is not loop.body.block
            and _is_large(load)
            and _is_movable(load, operand)
        ]
        if not loads or live_bytes(loop.body.block, bytes_of_tensor) <= _LARGE_LIVE_BYTES:
            return
        for load in dict.fromkeys(loads):
            users = self._users(load, loop)
            if users is not None and self._is_unchanged(load, loop):
                users.left.popleft()
                self._move(load, loop, users.uses[loop])

    def finish(self) -> None:
        """Move loads with uses behind the loops that they are in there, and erase the others."""
        for load, loop in self.moved_behind.items():
            load.detach()
            if load.result.first_use is None:
                load.erase()
            else:
                assert loop.parent is not None
                loop.parent.insert_op_after(load, loop)

    def _users(self, load: _Load, loop: ForOp) -> _Users | None:
        """Return the users of `load` if the first of them is what is in the loop."""
        home = loop.parent
        assert home is not None
        found = self.users.get(load)
        if found is None or (found if isinstance(found, Block) else found.home) is not home:
            found = self.users[load] = self._group(load, home)
        if isinstance(found, Block) or not found.left or found.left[0] is not loop:
            return None
        return None if any(use.operation is loop for use in found.uses[loop]) else found

    def _group(self, load: _Load, home: Block) -> _Users | Block:
        uses: dict[Operation, list[Use]] = defaultdict(list)
        for use in load.result.uses:
            user = home.find_ancestor_op_in_block(use.operation)
            if user is None:
                return home
            uses[user].append(use)
        return _Users(home, uses, deque(sorted(uses, key=self.order.number)))

    def _is_unchanged(self, load: _Load, loop: ForOp) -> bool:
        """Return whether `load` would give the same in the loop and right behind it."""
        start = self.moved_behind.get(load, load)
        home = start.parent
        assert home is not None
        around = home.find_ancestor_op_in_block(loop)
        return around is not None and all(
            _gives_back(op, load)
            for between in self.writes.between(start, around)
            for op in between.walk()
            if may_write(op) and not op.has_trait(RecursiveMemoryEffect)
        )

    def _move(self, load: _Load, loop: ForOp, uses: list[Use]) -> None:
        if (key := tuple(load.operands)) not in self.fetched:
            self.fetched.add(key)
            insert_prefetch(load)
        body = loop.body.block
        new = load.clone()
        new.location = load.location
        users: set[Operation] = set()
        for use in uses:
            user = body.find_ancestor_op_in_block(use.operation)
            assert user is not None
            users.add(user)
            use.operation.operands[use.index] = new.result
        body.insert_op_before(new, min(users, key=self.order.number))
        self.moved_behind[load] = loop


def _load_of(value: SSAValue) -> _Load | None:
    """Return the load that `value` comes from, through conversions of its layout."""
    while isinstance(value, OpResult):
        if isinstance(value.op, LoadOp | DescriptorLoadOp):
            return value.op
        if not isinstance(value.op, ConvertLayoutOp):
            return None
        value = value.op.src
    return None


def _is_large(load: _Load) -> bool:
    type = load.result.type
    if not is_tensor(type) or len(type.get_shape()) != 2:
        return False
    try:
        minor = type.get_shape()[order_of(type.encoding, type.get_shape())[1]]
    except NoLinearLayout:
        return False
    return minor >= _LARGE_MINOR_EXTENT and bytes_of_tensor(type) >= _LARGE_TENSOR_BYTES


def _is_movable(load: _Load, operand: SSAValue) -> bool:
    """Return whether nothing about `load` itself ties it to its place."""
    type, wanted = load.result.type, operand.type
    assert is_tensor(type) and is_tensor(wanted)
    if type.element_type != wanted.element_type or BLOCK_IO not in load.attributes:
        return False
    if isinstance(load, LoadOp) and (load.mask is not None or may_write(load)):
        return False
    return isinstance(load.operands[0], OpResult)


def _gives_back(op: Operation, load: _Load) -> bool:
    """Return whether `op` stores what `load` gave to where it came from."""
    match op:
        case StoreOp():
            checks = (op.properties["boundaryCheck"], load.properties.get("boundaryCheck"))
            same_place = op.ptr is load.operands[0] and op.mask is None and checks[0] == checks[1]
            return same_place and op.value is load.result
        case DescriptorStoreOp():
            same_place = (op.desc, *op.indices) == tuple(load.operands)
            return same_place and op.src is load.result
        case _:
            return False
