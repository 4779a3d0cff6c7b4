"""
Blocks loaded element by element where they are consumed.

A load of a block by formulas, of an image for one, leaves it in memory for whatever comes after it.
Where nothing but operations on its elements uses a block, and nothing is stored before the last of
them, its elements are loaded in their loop: what pooling loads four times is one loop instead of
five, which shares what their addresses have in common.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Operation

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import shape_of
from xtriton.cpu.emitter.apart_rows import MOST as MOST_APART
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.elementwise import FUNCTION_COST, element_users, op_cost
from xtriton.cpu.emitter.generics import Generic
from xtriton.cpu.emitter.hazards import is_stored_between
from xtriton.cpu.emitter.runs import gather_of
from xtriton.cpu.emitter.staging import StagedLoad, begins_first, other_of
from xtriton.cpu.emitter.values import Lazy, Read, View
from xtriton.dialects.upstream.volatile import is_volatile

MOST_USERS = 32
"""Operations on elements, one after the other, that are looked at."""


def late_reads(e: Emitter, generic: Generic) -> list[Read] | None:
    """Return what a structured op reads that may load where it is consumed; None if it may not."""
    op, block = generic.op, generic.op.parent_block()
    inside = list(op.walk())
    loads = [inner for inner in inside if inner.name == "memref.load"]
    if e.checked or block is None or not loads or any(map(is_volatile, loads)):
        return None
    if any(inner.name == "tensor.extract" for inner in inside) or gather_of(generic) is not None:
        return None
    readers = _readers(e, op, block)
    if readers is None or (_is_slow(e, inside) and any(map(_is_function, readers))):
        return None
    if _is_stored_before_last(e, op, block, readers):
        return None
    sources = [e.environment.get(load.operands[0]) for load in loads]
    # Of memory of our own nobody keeps count of what is stored there.
    known = [s.storage for s in sources if isinstance(s, View) and s.storage.argument is not None]
    return [Read(s, False, late=True) for s in known] if len(known) == len(loads) else None


def late_block(e: Emitter, load: StagedLoad) -> Lazy | None:
    """
    Return what a load of a part of a block brings if its elements are loaded where they are used.

    That is so for blocks of several rows, of elements some apart, of which there may be fewer than
    a block has: what a mask leaves would be copied.
    """
    op, block = load.to_tensor, load.to_tensor.parent_block()
    shape = shape_of(load.alloc.results[0].type)
    if e.checked or block is None or len(shape) != 2 or is_volatile(load.copy):
        return None
    users = element_users(op)
    if len(users) != 1 or len(list(op.results[0].uses)) != 1 or load.alloc in e.placed:
        return None
    source = e.view(load.copy.operands[0])
    apart = source.strides[-1] if len(source.strides) == 2 else 1
    if not isinstance(apart, int) or not 1 < apart <= MOST_APART or not begins_first(load):
        return None
    readers = _readers(e, op, block)
    if readers is None or _is_stored_before_last(e, op, block, readers):
        return None
    if source.storage.argument is None or source.sizes == shape:
        return None
    e.note_copy(load.copy, source)
    other = other_of(e, load, source.type)

    def compute(indices: Sequence[Operand]) -> Operand:
        return _element_of_part(e, source, shape, indices, other)

    return Lazy(source.type, shape, compute, (Read(source.storage, False, late=True),), cost=1)


def _element_of_part(
    e: Emitter, source: View, shape: Sequence[int], indices: Sequence[Operand], other: Operand
) -> Operand:
    """Return an element of a part of a block of some shape, which is `other` around that."""
    b, holds = e.builder, "true"
    for index, size, whole in zip(indices, source.sizes, shape, strict=True):
        if size != whole:
            holds = b.both(holds, b.less(index, size))
    (result,) = b.if_else(
        holds, lambda: [e.load(source, indices)], lambda: [other], [source.type.register]
    )
    return result


def _readers(e: Emitter, op: Operation, block: Block) -> set[Operation] | None:
    """Return `op` and the ops on elements of what it makes, unless there are many."""
    seen, pending = {op}, [op]
    while pending:
        for user in element_users(pending.pop()):
            if user not in seen and user.parent_block() is block:
                seen.add(user)
                pending.append(user)
        if len(seen) > MOST_USERS:
            return None
    return seen


def _is_stored_before_last(
    e: Emitter, op: Operation, block: Block, readers: set[Operation]
) -> bool:
    """Return whether anything is stored between `op` and the last of its readers."""
    last = max(map(e.liveness.position, readers))
    return is_stored_between(e, block, e.liveness.position(op), last)


def _is_slow(e: Emitter, ops: Sequence[Operation]) -> bool:
    """Return whether what loads so keeps LLVM from vectors: narrow elements under a mask do."""
    loads = [op for op in ops if op.name == "memref.load"]
    least = min(e.type(load.results[0].type).bytes for load in loads)
    return least < e.target.least_masked and any(op.name == "scf.if" for op in ops)


def _is_function(op: Operation) -> bool:
    """Return whether an op computes a function of each element, which vectors do sooner."""
    return any(op_cost(inner) >= FUNCTION_COST for inner in op.walk())
