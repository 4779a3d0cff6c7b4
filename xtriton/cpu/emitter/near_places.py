"""
Loads at places that a kernel computes, which are likely near each other.

Where an image is padded or resized the places of neighbours lie in memory for a while, as too many
ops make them for one loop, and what is loaded from there lies in a few lines. So a vector of them
is loaded as what lies between the first and the last one, if that is not much (see
`mathlib.windows`). Of places that are loaded themselves, as of rows of a table, nothing is known.
"""

from collections.abc import Container, Iterator, Sequence

from xdsl.ir import Block, Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import single_block
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.values import View
from xtriton.cpu.mathlib.windows import PLACES, TYPES, call_window

LOADS = ("memref.load", "bufferization.to_tensor", "tt.load")
MOST_OPS = 256
"""That make places and are looked at."""


def loads_at_computed_places(generic: Operation) -> Iterator[Operation]:
    """Return the loads in a structured op whose places are made of nothing that is loaded."""
    for load in generic.walk():
        if load.name == "memref.load" and _are_computed(generic, load.operands[1:]):
            yield load


def _are_computed(generic: Operation, places: Sequence[SSAValue]) -> bool:
    waiting, known = list(places), {generic}
    while waiting and len(known) <= MOST_OPS:
        value = waiting.pop()
        owner = value.owner
        if isinstance(owner, Operation):
            if owner in known:
                continue
            known.add(owner)
            if not _computes(owner):
                return False
            waiting += [operand for op in owner.walk() for operand in op.operands]
        elif owner is single_block(generic):
            waiting.append(generic.operands[owner.args.index(value)])
        elif not _is_of(owner, known):
            return False
    return not waiting


def _is_of(block: Block, known: Container[Operation]) -> bool:
    """Return whether a block is the kernel's, or of a structured op whose operands are known."""
    op = block.parent_op()
    if op is None:
        return False
    return op.name == "func.func" or (op in known and op.name.startswith("linalg."))


def _computes(op: Operation) -> bool:
    """Return whether an op makes something of its operands alone."""
    return not op.name.startswith("scf.") and all(inner.name not in LOADS for inner in op.walk())


def load_near(e: Emitter, op: Operation, view: View, places: Sequence[Operand]) -> str | None:
    """Return what the load `op` brings, by a window if that is better; None if it is not."""
    b, memory = e.builder, view.type.memory
    if op not in e.windowed or e.checked or not b.in_parallel or not e.bytes_in_part:
        return None
    if memory not in TYPES or len(places) != 1 or view.strides != (1,):
        return None
    type, place = b.narrow.get(places[0], ("i64", places[0]))
    if type not in PLACES:
        type, place = "i64", places[0]
    start = b.element_pointer(memory, view.storage.pointer, view.offset)
    base = b.value(f"ptrtoint ptr {start} to i64")
    return e.from_memory(view.type, call_window(b, memory, base, type, place))
