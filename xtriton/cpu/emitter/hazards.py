"""What stores may do to a tensor that is read later than the program says."""

from collections.abc import Sequence
from enum import Enum

from xdsl.ir import Block, Operation, SSAValue

from xtriton.cpu.emitter.access import is_shaped
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.liveness import ancestor_in
from xtriton.cpu.emitter.values import ANY_ARGUMENT, View


class Hazard(Enum):
    """What stores after a load could do to reading its source late."""

    NONE = "none"
    OTHER_ARGUMENT = "other argument"
    SAME_ARGUMENT = "same argument"


WRITERS = {
    "bufferization.materialize_in_destination",
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
    "func.call",
    "tt.store",
    "tt.atomic_rmw",
    "tt.atomic_cas",
}


def extended_uses(value: SSAValue) -> list[Operation]:
    """Return the ops that may read `value`'s memory: its users, theirs, and so on."""
    found: dict[Operation, None] = {}
    pending = [value]
    while pending:
        for use in pending.pop().uses:
            op = use.operation
            if op in found:
                continue
            found[op] = None
            pending += [result for result in op.results if is_shaped(result.type)]
    return list(found)


def hazard_of(e: Emitter, start: Operation, consumers: Sequence[Operation], source: View) -> Hazard:
    """Return what the stores between `start` and the last of `consumers` may do to `source`."""
    block = start.parent_block()
    assert block is not None
    if any(op.name in ("scf.yield", "func.return", "scf.condition") for op in consumers):
        return Hazard.SAME_ARGUMENT
    inside = [ancestor_in(op, block) for op in consumers]
    if None in inside:
        return Hazard.SAME_ARGUMENT
    last = max((e.liveness.position(op) for op in inside if op is not None), default=0)
    first = e.liveness.position(start)
    worst = Hazard.NONE
    for position, writer in _writers(e, block):
        if first < position <= last:
            hazard = _hazard_of_writer(e, writer, source)
            if hazard is Hazard.SAME_ARGUMENT:
                return hazard
            if hazard is not Hazard.NONE:
                worst = hazard
    return worst


def _writers(e: Emitter, block: Block) -> list[tuple[int, Operation]]:
    """Return the ops in `block` and below that may write, with their places in `block`."""
    if block not in e.writers:
        e.writers[block] = [
            (e.liveness.position(op), inner)
            for op in block.ops
            for inner in op.walk()
            if inner.name in WRITERS
        ]
    return e.writers[block]


def _hazard_of_writer(e: Emitter, op: Operation, source: View) -> Hazard:
    if op.name == "func.call":
        return Hazard.SAME_ARGUMENT
    worst = Hazard.NONE
    for value in op.operands[1:] if op.name == "memref.copy" else op.operands:
        if not str(value.type).startswith("memref"):
            continue
        root = root_of(value)
        if isinstance(root.owner, Operation) and root.owner.name.startswith(_OWN):
            continue
        # What is made at run time, or only later, may be any argument.
        meaning = e.environment.get(root)
        argument = meaning.storage.argument if isinstance(meaning, View) else ANY_ARGUMENT
        if argument is None:
            continue
        if argument == ANY_ARGUMENT or source.storage.argument in (argument, ANY_ARGUMENT):
            return Hazard.SAME_ARGUMENT
        worst = Hazard.OTHER_ARGUMENT
    return worst


_VIEWS = ("memref.subview", "memref.reinterpret_cast", "memref.cast", "memref.expand_shape",
          "memref.collapse_shape", "memref.transpose")  # fmt: skip


_OWN = ("memref.alloc", "memref.get_global", "bufferization.to_buffer", "bufferization.to_memref")


def root_of(value: SSAValue) -> SSAValue:
    """Return the memref that `value` is a view of."""
    while isinstance(value.owner, Operation) and value.owner.name in _VIEWS:
        value = value.owner.operands[0]
    return value
