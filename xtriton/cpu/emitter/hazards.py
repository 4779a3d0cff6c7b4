"""
What stores may do to a tensor that is read later than the program says.

Each question takes time that does not depend on the length of the block: who writes where is
found out once for a block, and how far the uses of a value reach once for a value.
"""

from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass, field
from enum import Enum

from xdsl.dialects.builtin import MemRefType, UnrankedMemRefType
from xdsl.ir import Block, Operation, SSAValue

from xtriton.analysis.memory_ops import ATOMIC_OPS
from xtriton.cpu.emitter.access import BLOCK_STORE, is_shaped
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.liveness import ancestor_in
from xtriton.cpu.emitter.values import ANY_ARGUMENT, View


class Hazard(Enum):
    """What stores after a load could do to reading its source late."""

    NONE = "none"
    OTHER_ARGUMENT = "other argument"
    SAME_ARGUMENT = "same argument"


WRITERS = {
    BLOCK_STORE,
    "memref.copy",
    "memref.store",
    "affine.store",
    "memref.atomic_rmw",
    "memref.generic_atomic_rmw",
    "linalg.fill",
    "linalg.generic",
    "linalg.copy",
    "linalg.map",
    "linalg.transpose",
    "linalg.broadcast",
}
UNKNOWN_WRITERS = {"func.call", "tt.store"} | ATOMIC_OPS
"""Ops that may write anywhere, or after which what others wrote is seen."""

PRODUCTS = {
    "linalg.matmul",
    "linalg.batch_matmul",
    "linalg.matmul_transpose_a",
    "linalg.matmul_transpose_b",
}
"""Their operands are read many times over and are better copied together."""

LEAVING = ("scf.yield", "func.return", "scf.condition")


@dataclass(frozen=True)
class Reach:
    """How far in its block a value's memory may be read: by its users, theirs, and so on."""

    last: int = -1
    """The place of the last op that may read it."""
    leaves: bool = False
    """Whether it may be read after the block."""
    by_product: bool = False


@dataclass
class Writers:
    """The places in a block of ops that write to memory other than the kernel's own."""

    all: list[int] = field(default_factory=list[int])
    by_argument: dict[int, list[int]] = field(
        default_factory=lambda: defaultdict[int, list[int]](list)
    )

    def between(self, first: int, last: int, argument: int | None) -> Hazard:
        """Return what the ops behind `first`, up to `last`, may do to an argument's memory."""
        if not _any_between(self.all, first, last):
            return Hazard.NONE
        if argument == ANY_ARGUMENT:
            return Hazard.SAME_ARGUMENT
        same = [self.by_argument[ANY_ARGUMENT]]
        if argument is not None:
            same.append(self.by_argument[argument])
        if any(_any_between(places, first, last) for places in same):
            return Hazard.SAME_ARGUMENT
        return Hazard.OTHER_ARGUMENT


def _any_between(places: list[int], first: int, last: int) -> bool:
    """Return whether one of `places`, which ascend, is behind `first` and not behind `last`."""
    return bisect_right(places, first) < bisect_right(places, last)


def hazard_of(e: Emitter, start: Operation, reach: Reach, source: View) -> Hazard:
    """Return what the stores between `start` and the last reader may do to `source`."""
    block = start.parent_block()
    assert block is not None
    if reach.leaves:
        return Hazard.SAME_ARGUMENT
    first, argument = e.liveness.position(start), source.storage.argument
    return _writers_of(e, block).between(first, reach.last, argument)


def is_stored_between(e: Emitter, block: Block, first: int, last: int) -> bool:
    """Return whether an op behind one place in a block, up to another one, may store anywhere."""
    return _any_between(_writers_of(e, block).all, first, last)


def _writers_of(e: Emitter, block: Block) -> Writers:
    if block not in e.writers:
        e.writers[block] = _writers(e, block)
    return e.writers[block]


# --- readers ----------------------------------------------------------------------------


def reach_of(e: Emitter, value: SSAValue) -> Reach:
    """Return how far the memory of `value` may be read."""
    known = e.reaches
    pending = [value]
    while pending:
        here = pending[-1]
        if here in known:
            pending.pop()
            continue
        missing = [r for r in _shaped_results(here) if r not in known]
        if missing:
            pending += missing
        else:
            known[pending.pop()] = _reach(e, here)
    return known[value]


def _shaped_results(value: SSAValue) -> list[SSAValue]:
    return [
        result for use in value.uses for result in use.operation.results if is_shaped(result.type)
    ]


def _reach(e: Emitter, value: SSAValue) -> Reach:
    block = value.owner if isinstance(value.owner, Block) else value.owner.parent_block()
    last, leaves, by_product = -1, False, False
    for use in value.uses:
        user = use.operation
        inside = ancestor_in(user, block) if block is not None else None
        if inside is None or (user.name in LEAVING and not _is_carried_on(user)):
            leaves = True
            continue
        last = max(last, e.liveness.position(inside))
        if user.name in PRODUCTS:
            # What it makes of the value lies elsewhere.
            by_product = True
            continue
        if user.name == "tensor.insert_slice":
            # It is copied there and then: a block to be written over, and what is put into it.
            continue
        for result in user.results:
            if is_shaped(result.type):
                further = e.reaches[result]
                leaves |= further.leaves
                by_product |= further.by_product
                if user is inside:
                    last = max(last, further.last)
    return Reach(last, leaves, by_product)


def _is_carried_on(end: Operation) -> bool:
    """Return whether what an op ends a block with is put into the buffers of a loop there."""
    loop = end.parent_op()
    return end.name == "scf.yield" and loop is not None and loop.name == "scf.for"


# --- writers ----------------------------------------------------------------------------


def _writers(e: Emitter, block: Block) -> Writers:
    """Return the ops in `block` and below that may write to what is not the kernel's own."""
    found = Writers()
    for op in block.ops:
        place = e.liveness.position(op)
        for inner in op.walk():
            for argument in _written(e, inner):
                found.by_argument[argument].append(place)
                found.all.append(place)
    return found


def stored_arguments(e: Emitter) -> set[int]:
    """Return the arguments that the kernel may write to."""
    if e.stored is None:
        assert e.kernel is not None
        e.stored = {argument for op in e.kernel.walk() for argument in _written(e, op)}
    return e.stored


def is_written_between(e: Emitter, first: Operation, last: Operation) -> bool:
    """Return whether any op from `first` to `last`, in one block, may write to an argument."""
    op: Operation | None = first
    while op is not None and op is not last:
        if any(_written(e, inner) for inner in op.walk()):
            return True
        op = op.next_op
    return False


def argument_of(e: Emitter, value: SSAValue) -> int:
    """Return the argument that a memref is a view of; `ANY_ARGUMENT` where that is not known."""
    meaning = e.environment.get(root_of(value))
    argument = meaning.storage.argument if isinstance(meaning, View) else None
    return ANY_ARGUMENT if argument is None else argument


def _written(e: Emitter, op: Operation) -> set[int]:
    """Return the arguments that an op may write to."""
    if op.name in UNKNOWN_WRITERS:
        return {ANY_ARGUMENT}
    if op.name not in WRITERS:
        return set()
    found: set[int] = set()
    for value in op.operands[1:] if op.name == "memref.copy" else op.operands:
        if not is_memref(value):
            continue
        root = root_of(value)
        if isinstance(root.owner, Operation) and root.owner.name.startswith(_OWN):
            continue
        # What is made at run time, or only later, may be any argument.
        meaning = e.environment.get(root)
        argument = meaning.storage.argument if isinstance(meaning, View) else ANY_ARGUMENT
        if argument is not None:
            found.add(argument)
    return found


VIEWS = ("memref.subview", "memref.reinterpret_cast", "memref.cast", "memref.expand_shape",
         "memref.collapse_shape", "memref.transpose")  # fmt: skip
"""What is the same memory as other elements."""


_OWN = ("memref.alloc", "memref.get_global", "bufferization.to_buffer", "bufferization.to_memref")


def root_of(value: SSAValue) -> SSAValue:
    """Return the memref that `value` is a view of, or the same memory as other elements."""
    while isinstance(value.owner, Operation):
        op = value.owner
        recast = op.name == "builtin.unrealized_conversion_cast" and is_memref(op.operands[0])
        if op.name not in VIEWS and not recast:
            break
        value = op.operands[0]
    return value


def is_memref(value: SSAValue) -> bool:
    """Return whether a value is a memref."""
    return isinstance(value.type, MemRefType | UnrankedMemRefType)
