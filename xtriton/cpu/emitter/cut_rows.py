"""
Rows that a mask cuts, read where they are as far as there is anything.

    x = load(p + arange(0, 1024), mask=arange(0, 1024) < 1000, other=0)
    store(q + arange(0, 1024), x - sum(x), mask=arange(0, 1024) < 1000)

A block that is not loaded as a whole would be copied, and what is loaded elsewhere put behind it.
That takes as long as to read it from far memory, and little else is done meanwhile. But loops go in
parts (`rows`): up to where the row ends they load, and from there on they need not. Where functions
are computed of rows that several loops read the copy is no loss, as memory is asked for the next
program's row meanwhile.
"""

from collections.abc import Sequence
from dataclasses import replace

from xdsl.ir import Block, Operation, Use

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import BLOCK_STORE, is_shaped
from xtriton.cpu.emitter.combiners import simple_combiner, whole_inputs
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.elementwise import FUNCTION_COST, op_cost, real_uses
from xtriton.cpu.emitter.generics import combines, generic_of, generic_of_reduce
from xtriton.cpu.emitter.loop_lookahead import ask_for_later
from xtriton.cpu.emitter.part_loads import along_cut_row, element_before
from xtriton.cpu.emitter.replaced_blocks import takes_same
from xtriton.cpu.emitter.staging import (
    StagedLoad,
    around_what_is_asked,
    may_read_source,
    other_of,
)
from xtriton.cpu.emitter.values import Lazy, Read, Storage, View, row_major_strides
from xtriton.cpu.types import Type
from xtriton.dialects.upstream.volatile import is_volatile

SHORTEST = 1024
"""Bytes of a row that takes longer to copy than to ask for each part of it where it lies."""
MOST_USERS = 32
"""Operations on elements that are looked at."""
LEAST_BYTES = 4
"""Of elements that AVX2 has masks for."""


def _loops_over(load: Operation) -> set[Operation] | None:
    """Return the sums and stores that all end in that is made of a block, element by element."""
    found: set[Operation] = set()
    waiting, known = [load], {load}
    while waiting:
        for use in real_uses(waiting.pop()):
            user = use.operation
            if user.parent_block() is not load.parent_block():
                return None
            is_stored = user.name == BLOCK_STORE and use.index == 0 and not user.results
            if is_stored or _is_combined(use):
                found.add(user)
                continue
            if not takes_same(use):
                return None
            if user not in known:
                known.add(user)
                waiting.append(user)
        if len(known) > MOST_USERS:
            return None
    return found


def _is_combined(use: Use) -> bool:
    """Return whether a use makes one number of a block, in any order."""
    op = use.operation
    if op.name == "tensor.extract_slice":
        # Of some a reduction begins with the first element and takes in the others.
        users = [other.operation for other in op.results[0].uses]
        if len(users) != 1 or users[0].name != "linalg.reduce":
            return False
        generic = generic_of_reduce(users[0])
        return simple_combiner(generic) is not None and whole_inputs(generic) is not None
    if op.name not in ("linalg.reduce", "linalg.generic") or not combines(op):
        return False
    generic = generic_of(op) if op.name == "linalg.generic" else generic_of_reduce(op)
    return simple_combiner(generic) is not None


def _computes_functions(e: Emitter, block: Block) -> bool:
    """Return whether any function is computed of the elements of what there is in a block."""
    if block not in e.dear:
        shaped = (op for op in block.ops if any(is_shaped(result.type) for result in op.results))
        costs = (op_cost(inner) for op in shaped for inner in op.walk())
        e.dear[block] = any(cost >= FUNCTION_COST for cost in costs)
    return e.dear[block]


def cut_row(e: Emitter, load: StagedLoad) -> Lazy | None:
    """Return what a load brings if that is such a row, and may be read at any later time."""
    shape, type = e.static_sizes(load.alloc.results[0].type), e.type(load.alloc.results[0].type)
    source, along = e.view(load.copy.operands[0]), along_cut_row(e, load)
    if along is None or shape[along] * type.bytes < SHORTEST or not _loads_in_part(e, type):
        return None
    if e.checked or load.alloc in e.placed or is_volatile(load.copy):
        return None
    if around_what_is_asked(e, load) is not None or not _is_better_read(e, load.to_tensor):
        return None
    lies = View(Storage("", writable=False), type, 0, shape, row_major_strides(shape))
    direct = may_read_source(e, load, source, lies)
    if direct == "false":
        return None
    e.note_copy(load.copy, source)
    ask_for_later(e, load.to_tensor, source, shape)
    buffer = e.allocate(shape, type, load.alloc)
    end, other = e.builder.product(source.sizes), other_of(e, load, type)
    row = _chosen(e, direct, source, buffer, end)

    def compute(indices: Sequence[Operand]) -> Operand:
        return element_before(e, row, indices, (indices[along], end), other)

    reads = (Read(row.storage, aligned=True, dense=row.dense),)
    return Lazy(row.type, shape, compute, reads, cost=1)


def _is_better_read(e: Emitter, load: Operation) -> bool:
    """Return whether loops over a row take less time that read it where it is."""
    block, loops = load.parent_block(), _loops_over(load)
    # A row that is only stored is short where its end is, and read where it is elsewhere.
    if block is None or loops is None or all(loop.name == BLOCK_STORE for loop in loops):
        return False
    return len(loops) == 1 or not _computes_functions(e, block)


def _loads_in_part(e: Emitter, type: Type) -> bool:
    """Return whether vectors of a row are loaded in part at no cost, as at its end."""
    return e.bytes_in_part > 0 or (e.target.masks and type.bytes >= LEAST_BYTES)


def _chosen(e: Emitter, direct: str, source: View, buffer: View, end: Operand) -> View:
    """Return where a row is read up to its end: from its source, or a buffer that it is put in."""
    b = e.builder
    start = b.element_pointer(source.type.memory, source.storage.pointer, source.offset)

    def copied() -> Sequence[Operand]:
        parts = [View(view.storage, view.type, view.offset, (end,), (1,)) for view in views]
        e.write(*parts)
        return (buffer.storage.pointer,)

    views = source, buffer
    with b.fresh_memory():
        (pointer,) = b.if_else(direct, lambda: (start,), copied, ["ptr"])
    return replace(buffer, storage=Storage(str(pointer), writable=False))
