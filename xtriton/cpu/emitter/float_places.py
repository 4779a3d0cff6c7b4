"""
Loads from places that are computed with floats, such as those of nearest neighbours.

What nothing but addresses is made of LLVM computes for each element by itself: to convert to floats
and back takes it longer than to load. Where such places go through memory they are computed in
vectors. (Not for several loads in one loop, which have parts of their addresses in common.)
"""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Operation, SSAValue

from xtriton.cpu.emitter.access import element_type_of, is_shaped
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.generics import Generic
from xtriton.cpu.emitter.values import Lazy

MOST_OPS = 32
"""Operations on blocks, one after the other, that are looked at."""
FROM_FLOATS = ("arith.fptosi", "arith.fptoui")


def keep_float_places(e: Emitter, generic: Generic) -> bool:
    """Put integers made of floats into memory for an op that loads; return whether it has any."""
    if not any(op.name == "memref.load" for op in generic.op.walk()):
        return False
    blocks = [value for value in generic.inputs if is_shaped(value.type) and _is_of_floats(value)]
    waiting = [value for value in blocks if isinstance(e.tensor(value), Lazy)]
    for value in waiting:
        e.view(value)
    return bool(waiting)


def _is_of_floats(value: SSAValue) -> bool:
    """Return whether a block of integers is made of floats, by operations on elements."""
    seen: set[Operation] = set()
    pending = [value]
    while pending and len(seen) < MOST_OPS:
        value = pending.pop()
        op = value.owner
        integers = isinstance(element_type_of(value.type), IntegerType | IndexType)
        if not integers or not isinstance(op, Operation) or op in seen:
            continue
        seen.add(op)
        if op.name == "linalg.generic":
            if any(inner.name in FROM_FLOATS for inner in op.walk()):
                return True
            pending += [v for v in op.operands if is_shaped(v.type)]
    return False
