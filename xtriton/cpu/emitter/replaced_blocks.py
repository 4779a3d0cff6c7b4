"""
Blocks that are loaded, and then replaced where they are, element by element.

    x = load(p)
    …
    store(p, f(x, sum(x)))

What a store may have changed has to be read before, into a buffer. But if the store that changes it
is the last to read it, and all that is made of it takes each element at the place where it is, or
has combined them before, that store itself reads each element before it replaces it.
"""

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue, Use

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import BLOCK_STORE
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.elementwise import is_in_step, real_uses
from xtriton.cpu.emitter.extents import takes_first
from xtriton.cpu.emitter.generics import combines
from xtriton.cpu.emitter.hazards import Reach
from xtriton.cpu.emitter.values import View

_COMBINING = ("linalg.reduce", "linalg.generic")
"""What makes numbers of a block there and then, if it combines elements."""


def last_replacing(e: Emitter, load: Operation, source: SSAValue, reach: Reach) -> Operation | None:
    """
    Return the store to the place of a memref if it is the last to read what `load` makes of that.

    It may be one of several that are done together. What is made of the memref takes each element
    at the place where it is, or all before.
    """
    last = [op for op in stores_in_step(load) if e.liveness.position(op) == reach.last]
    found = [op for op in last if base_of(source) is base_of(op.operands[1])]
    return found[0] if len(found) == 1 else None


def are_apart(e: Emitter, block: View, sizes: Sequence[int]) -> str:
    """
    Return, as an i1, whether no two elements of a block of at most these sizes share an address.

    Of two that do the second one would be made of what replaced the first.
    """
    b, apart = e.builder, "true"
    reach: Operand = 1
    dimensions = range(len(sizes)) if block.is_in_columns else reversed(range(len(sizes)))
    for size, stride in ((sizes[d], block.strides[d]) for d in dimensions if sizes[d] != 1):
        apart = b.both(apart, b.less(b.sub(reach, 1), stride))
        reach = b.add(reach, b.mul(stride, size - 1))
    return apart


def stores_in_step(load: Operation) -> list[Operation]:
    """Return the stores of what is made of a block in step; none if anything else is done to it."""
    found: list[Operation] = []
    waiting, known = [load], {load}
    while waiting:
        for use in real_uses(waiting.pop()):
            user = use.operation
            if user.name == BLOCK_STORE and use.index == 0 and not user.results:
                found.append(user)
            elif user.parent_block() is not load.parent_block():
                return []
            elif user.name in _COMBINING and combines(user):
                continue
            elif not takes_same(use):
                return []
            elif user not in known:
                known.add(user)
                waiting.append(user)
    return found


def takes_same(use: Use) -> bool:
    """Return whether a use makes each element of the one at the same place, or takes the first."""
    op = use.operation
    if op.name == "tensor.extract_slice":
        return use.index == 0 and takes_first(op)
    return is_in_step(use)


def base_of(memref: SSAValue) -> SSAValue:
    """Return what a memref has the first elements of."""
    op = memref.owner
    while isinstance(op, Operation) and op.name == "memref.subview" and takes_first(op):
        memref = op.operands[0]
        op = memref.owner
    return memref
