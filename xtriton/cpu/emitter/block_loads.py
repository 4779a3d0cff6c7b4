"""
How the operands of products are loaded: into a buffer, by ops that do no more than that.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Block, Operation, SSAValue

from xtriton.cpu.emitter.access import strides_of
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.hazards import (
    argument_of,
    is_memref,
    is_written_between,
    root_of,
    stored_arguments,
)
from xtriton.cpu.emitter.liveness import ancestor_in
from xtriton.cpu.emitter.values import ANY_ARGUMENT

_WRITING = ("memref.copy", "linalg.fill")
_LOADING = (*_WRITING, "memref.subview", "memref.reinterpret_cast", "memref.cast")
_CONTROL = (
    "scf.if",
    "scf.for",
    "scf.yield",
    "linalg.yield",
    "affine.apply",
    "affine.min",
    "affine.max",
)


@dataclass
class Load:
    """The ops that load a block into a buffer, and what they need to know."""

    alloc: Operation
    to_tensor: Operation
    ops: list[Operation]
    known: list[SSAValue]

    @property
    def copies(self) -> list[Operation]:
        """The copies into the buffer."""
        return [op for above in self.ops for op in above.walk() if op.name == "memref.copy"]


def is_turned(value: SSAValue) -> bool:
    """Return whether a value is the transpose of another."""
    return isinstance(value.owner, Operation) and value.owner.name == "linalg.transpose"


def load_of(product: Operation, value: SSAValue, *, shared: bool = False) -> Load | None:
    """Return how a block is loaded that is loaded for a product alone, unless it may be shared."""
    buffer, block = value.owner, product.parent_block()
    if isinstance(buffer, Operation) and is_turned(value) and (shared or value.has_one_use()):
        value = buffer.operands[0]
        buffer = value.owner
    if not isinstance(buffer, Operation) or buffer.name != "bufferization.to_tensor":
        return None
    alloc = buffer.operands[0].owner
    if not isinstance(alloc, Operation) or alloc.name != "memref.alloc":
        return None
    alike = alloc.parent_block() is block and buffer.parent_block() is block
    if block is None or not alike or not (shared or value.has_one_use()):
        return None
    ops = _filling(alloc, buffer, block)
    return None if ops is None else Load(alloc, buffer, ops, _known(ops, alloc, block))


def _filling(alloc: Operation, buffer: Operation, block: Block) -> list[Operation] | None:
    """Return the ops of a block that fill a buffer, in order; None if they do more than that."""
    found: set[Operation] = set()
    pending = [alloc.results[0]]
    while pending:
        for use in pending.pop().uses:
            user, above = use.operation, ancestor_in(use.operation, block)
            if user is buffer:
                continue
            if above is None or (above is not user and above.results):
                return None
            found.add(above)
            pending += user.results
    inner = [op for above in found for op in above.walk()]
    if not all(_only_loads(op, alloc) for op in inner):
        return None
    ordered = [op for op in block.ops if op in found or op is buffer]
    return ordered[:-1] if ordered[-1] is buffer else None


def _only_loads(op: Operation, alloc: Operation) -> bool:
    """Return whether an op does nothing but load into a buffer, or belongs to that."""
    if op.name in _WRITING:
        return root_of(op.operands[1]) is alloc.results[0]
    return op.name in _LOADING or op.name in _CONTROL or op.name.startswith("arith.")


def _known(ops: Sequence[Operation], alloc: Operation, block: Block) -> list[SSAValue]:
    """Return the values from elsewhere that ops use."""
    found: dict[SSAValue, None] = {}
    for op in ops:
        for inner in op.walk():
            for value in inner.operands:
                owner = value.owner.parent_op() if isinstance(value.owner, Block) else value.owner
                if value is alloc.results[0] or ancestor_in(owner, block) in ops:
                    continue
                found[value] = None
    return list(found)


def comes_in_columns(load: Load) -> bool:
    """Return whether all that is copied into a buffer is contiguous along its first dimension."""
    strides = [strides_of(copy.operands[0].type) for copy in load.copies]
    return bool(strides) and all(
        s is not None and len(s) == 2 and s[0] == 1 != s[1] for s in strides
    )


def is_lasting(e: Emitter, load: Load) -> bool:
    """Return whether a block is of arguments that the kernel does not write to by their names."""
    stored = stored_arguments(e) | {ANY_ARGUMENT}
    sources = [value for value in load.known if is_memref(value)]
    return (
        ANY_ARGUMENT not in stored_arguments(e)
        and not any(argument_of(e, value) in stored for value in sources)
        and not is_written_between(e, load.alloc, load.to_tensor)
    )
