"""
Kernels whose launches may begin with their last programs.

A launch leaves near a core what its last programs touched. If that is less than all, and the next
launch begins with the first programs as well, it finds nothing of it: it reads the beginning, and
the end is dropped for that before its turn comes. So every other launch begins at the end, which
is what the launch before has read or written last. It does so in groups of `claims.GROUP` programs,
each from its first one on, as processors read ahead in that direction. `calls.entry` says which
launches do, and `team_code` leaves each thread the programs that it had.

What the last cache holds needs no more than what a core has near it. On one thread a launch begins
with the few programs that ran last then, and goes around from there: they come in their order.

Programs may run in any order, but some launches show in which one they did: where programs wait
for each other or stop at an assertion, or where they print. And a product finds what the program
before it has packed.
"""

from collections.abc import Iterable
from math import ceil, prod

from xdsl.ir import Block, Operation

from xtriton.cpu.claims import FAR, NEAR
from xtriton.cpu.emitter.access import shape_of
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.hazards import root_of
from xtriton.dialects.upstream.volatile import is_volatile

IN_ORDER = ("linalg.matmul", "linalg.batch_matmul", "tt.print")


def returning(e: Emitter) -> range:
    """Return how many programs launches have that may begin with the last."""
    assert e.kernel is not None
    if e.checked or e.atomics or e.foreign_memory or e.assertions:
        return range(0)
    ops = [op for function in e.functions.values() for op in function.walk()]
    if any(op.name.startswith(IN_ORDER) or is_volatile(op) for op in ops):
        return range(0)
    bytes = sum(_bytes_of_blocks(e, e.kernel.walk()))
    return range(ceil(NEAR / bytes), FAR // bytes + 1) if bytes else range(0)


def _bytes_of_blocks(e: Emitter, ops: Iterable[Operation]) -> Iterable[int]:
    """Return the sizes of the blocks of arguments that a program reads and writes."""
    for op in ops:
        if op.name == "memref.reinterpret_cast":
            root, shape = root_of(op.results[0]), shape_of(op.results[0].type)
            if isinstance(root.owner, Block) and min(shape, default=1) > 0:
                yield prod(shape) * e.type(op.results[0].type).bytes
