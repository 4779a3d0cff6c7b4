"""
Stores of single elements whose mask nobody can foresee.

    at = cumsum(mask) - 1
    store(out + at, values, mask)

Elements are stored in order, one by one, and a branch around each costs a CPU a dozen cycles where
it takes the wrong one, as it does half of the time if half of a mask holds. So where a mask follows
from memory, and not from places alone, each element is stored: to its place, or to one that nobody
reads.
"""

from xdsl.ir import Operation

from xtriton.cpu.emitter.access import single_block, terminator
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.values import Storage, View

_SAFE = ("tensor.extract", "arith.index_cast", "arith.extsi", "arith.extui", "arith.addi")
"""What is computed for all elements alike, at no risk and little cost."""
STORE = "memref.store"


def note_stores_either_way(e: Emitter, loop: Operation) -> None:
    """Note the branches in a loop over elements that are to store each of them."""
    if e.checked:
        return
    for op in single_block(loop).ops:
        if op.name == "scf.if" and _only_stores(op) and _is_read(e, op):
            e.either_way.add(op)


def _only_stores(branch: Operation) -> bool:
    """Return whether a branch stores one element, and does nothing else that matters."""
    if branch.results or any(region.blocks for region in branch.regions[1:]):
        return False
    *others, store, last = single_block(branch).ops
    plain = all(op.name in _SAFE for op in others)
    return store.name == STORE and last is terminator(single_block(branch)) and plain


def _is_read(e: Emitter, branch: Operation) -> bool:
    """Return whether the condition of a branch is an element of a block that memory tells."""
    taken = branch.operands[0].owner
    if not isinstance(taken, Operation) or taken.name != "tensor.extract":
        return False
    return bool(e.reads_of(e.tensor(taken.operands[0])))


def store_either_way(e: Emitter, branch: Operation, condition: str) -> None:
    """Store the element that a branch stores, elsewhere if its condition does not hold."""
    *others, store, _ = single_block(branch).ops
    for op in others:
        e.run(op)
    b, (value, memref, *indices) = e.builder, store.operands
    view = e.view(memref)
    e.note_write(view)
    # Not on the stack: LLVM would find that nobody reads it there, and branch.
    elsewhere = e.reserve(view.type.bytes)
    address = e.address(view, e.scalars(indices))
    place = b.value(f"select i1 {condition}, ptr {address}, ptr {elsewhere}")
    e.store(View(Storage(place), view.type, 0, (), ()), [], e.scalar(value))
