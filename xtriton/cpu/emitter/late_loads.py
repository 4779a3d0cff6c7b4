"""
Blocks loaded element by element where they are consumed.

A load of a block by formulas, of an image for one, leaves it in memory for whatever comes after it.
Where nothing but operations on its elements uses a block, and nothing is stored before the last of
them, its elements are loaded in their loop: what pooling loads four times is one loop instead of
five, which shares what their addresses have in common.
"""

from __future__ import annotations

from xdsl.ir import Block, Operation

from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.elementwise import element_users
from xtriton.cpu.emitter.generics import Generic
from xtriton.cpu.emitter.hazards import is_stored_between
from xtriton.cpu.emitter.runs import gather_of
from xtriton.cpu.emitter.values import Read, View
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
    last = _last_reader(e, op, block)
    if last is None or is_stored_between(e, block, e.liveness.position(op), last):
        return None
    sources = [e.environment.get(load.operands[0]) for load in loads]
    # Of memory of our own nobody keeps count of what is stored there.
    known = [s.storage for s in sources if isinstance(s, View) and s.storage.argument is not None]
    return [Read(s, False, late=True) for s in known] if len(known) == len(loads) else None


def _last_reader(e: Emitter, op: Operation, block: Block) -> int | None:
    """Return the place of the last op on elements of what `op` makes, unless there are many."""
    seen, pending = {op}, [op]
    while pending:
        for user in element_users(pending.pop()):
            if user not in seen and user.parent_block() is block:
                seen.add(user)
                pending.append(user)
        if len(seen) > MOST_USERS:
            return None
    return max(map(e.liveness.position, seen))
