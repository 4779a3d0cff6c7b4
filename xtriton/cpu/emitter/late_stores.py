"""
Rows that are stored while the next program computes its own.

    weights = exp(x - greatest)
    total = sum(weights)
    store(weights / total)

Such a store waits for memory while nothing is computed, and nothing is stored while functions are
computed. So a program may leave its weights where they are and note beside them what its store has
to know. The next program stores them one after the other as it puts its own there. The last one
that a thread runs at a time stores its row itself. This is done only with whole rows, to whole
lines of memory that nothing but stores touches.

Past the caches each strip is stored behind what the program loads of its own at the same place:
rows of whole pages lie at addresses that end alike, by which a CPU tells whether a load has to wait
for a store. What stays in caches is stored at once: registers that held it longer would be spilled.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Block, Operation, SSAValue, Use

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import BLOCK_STORE, is_shaped, shape_of, single_block, whole_shape
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.elementwise import is_in_step, real_uses
from xtriton.cpu.emitter.extents import run_before, takes_first
from xtriton.cpu.emitter.generics import Generic, generic_of, run_body
from xtriton.cpu.emitter.streaming import LINE, begins_lines, best_around, may_go_around, put_line
from xtriton.cpu.emitter.values import Storage, View, row_major_strides
from xtriton.cpu.types import Type

SLOT_BYTES = 8
"""Of each thing that a program notes."""
AROUND = 1
"""
Added to the address that is noted, which begins a line, if the row is to go past the caches.

A condition of its own would be loaded from the stack in each turn, which waits for such stores to
the same place of another page.
"""


@dataclass(frozen=True)
class LateStore:
    """
    A store of what `steps` make of a block, which the next program may do.

    `known` are the numbers of a program that they take. A program that leaves its row notes in the
    arena, at `slots`, the address that it goes to and then each of them.
    """

    op: Operation
    steps: Sequence[Generic]
    known: Sequence[SSAValue]
    slots: str


@dataclass(frozen=True)
class LeftRow:
    """
    The row that the program before has left in `block`, if the i1 `waits`.

    It goes to the address that is `noted`. `values` are what the store has to know of that program,
    `strip` is where so much of it is computed as is stored at a time. This program leaves its own
    row if the i1 `leaves`.
    """

    store: LateStore
    leaves: str
    block: View
    waits: str
    noted: str
    values: Sequence[Operand]
    strip: View


def plan_late_store(e: Emitter, sum: Operation, type: Type) -> View | None:
    """
    Return where the row that `sum` adds up lies if the next program may store it.

    The code of `sum` is still to come, and has to ask `left_row` then.
    """
    row = sum.operands[0]
    if e.kernel is None or sum.parent_block() is not single_block(e.kernel):
        return None
    store, steps = _store_of(row, sum)
    if store is None or store.results or not may_go_around(e, store):
        return None
    if store in e.grouped_stores:
        return None
    known = _numbers_of_program(e.kernel, steps)
    if any(is_shaped(value.type) or e.type(value.type).bytes > SLOT_BYTES for value in known):
        return None
    shape, bytes = shape_of(row.type), SLOT_BYTES * (1 + len(known))
    e.cleared.append((e.arena_bytes, SLOT_BYTES))
    e.late_stores[sum] = LateStore(store, steps, known, e.reserve(bytes))
    storage = Storage(e.reserve(shape[-1] * type.bytes), writable=False, row=shape[-1])
    return View(storage, type, 0, shape, row_major_strides(shape))


def _store_of(row: SSAValue, sum: Operation) -> tuple[Operation | None, list[Generic]]:
    """Return what stores what is made of a row by all but its sum, and how that is made."""
    steps: list[Generic] = []
    uses = [use for use in _real_uses(row) if use.operation is not sum]
    while len(uses) == 1 and uses[0].operation.parent_block() is sum.parent_block():
        op = uses[0].operation
        if op.name == BLOCK_STORE and steps:
            return op, steps
        if op.name == "linalg.generic" and is_in_step(uses[0]) and len(op.operands) == 2:
            steps.append(generic_of(op))
        elif op.name != "tensor.extract_slice" or not takes_first(op):
            break
        uses = real_uses(op)
    return None, []


def _real_uses(row: SSAValue) -> list[Use]:
    return real_uses(row.owner) if isinstance(row.owner, Operation) else []


def _numbers_of_program(kernel: Operation, steps: Sequence[Generic]) -> list[SSAValue]:
    """Return what steps take but for the block: not constants, nor the kernel's arguments."""
    own: list[Block] = [step.block for step in steps]
    taken = [value for block in own for op in block.ops for value in op.operands]
    found: dict[SSAValue, None] = {}
    for value in taken:
        owner = value.owner
        block = owner.parent_block() if isinstance(owner, Operation) else owner
        if block not in own and not _is_same(kernel, value):
            found[value] = None
    return list(found)


def _is_same(kernel: Operation, value: SSAValue) -> bool:
    """Return whether a value is the same for all programs."""
    if isinstance(value.owner, Block):
        arguments = single_block(kernel).args
        return value.owner is single_block(kernel) and value not in arguments[-3:]
    return value.owner.name == "arith.constant"


def left_row(e: Emitter, sum: Operation, count: int) -> LeftRow | None:
    """
    Return the row that the program before has left, of which `count` elements are stored at a time.

    From here on it counts as stored, and where this program may leave its own is known.
    """
    store = e.late_stores.get(sum)
    if store is None or not run_before(e, sum, store.op, [store.op.operands[1]]):
        return None
    b, place, shape = e.builder, e.view(store.op.operands[1]), whole_shape(store.op.operands[0])
    if count * place.type.bytes % LINE or shape[-1] % count or place.strides[-1:] != (1,):
        return None
    e.settled[store.op] = leaves = _may_leave(e, place, shape)
    noted = b.load("ptr", store.slots)
    values = [
        b.load(e.type(value.type).register, _slot(e, store, number))
        for number, value in enumerate(store.known)
    ]
    b.store("ptr", "null", store.slots)
    waits = b.value(f"icmp ne ptr {noted}, null")
    strip = e.allocate([count], place.type)
    return LeftRow(store, leaves, e.left_to_sums[sum], waits, noted, values, strip)


def _may_leave(e: Emitter, place: View, shape: Sequence[int]) -> str:
    """Return, as an i1, whether there is a next program, and it may store a row."""
    b = e.builder
    may = b.both("%again", b.value("xor i1 %overlap, true"))
    for size, whole in zip(place.sizes, shape, strict=True):
        may = b.both(may, b.equal(size, whole))
    return b.both(may, begins_lines(e, place))


def _slot(e: Emitter, store: LateStore, number: int) -> str:
    return e.builder.element_pointer("i8", store.slots, SLOT_BYTES * (1 + number))


def make_left(e: Emitter, left: LeftRow | None, start: Operand) -> None:
    """
    Compute of the row that has been left, if there is one, a strip that begins at `start`.

    It is stored as well, unless it goes past the caches.
    """
    if left is None:
        return
    b = e.builder

    def make() -> Sequence[Operand]:
        strip, row = left.strip, [0] * (len(left.block.sizes) - 1)

        def compute(at: list[Operand]) -> None:
            indices = [*row, b.add(start, at[0])]
            e.store(strip, at, _stored_element(e, left, indices))

        def put() -> Sequence[Operand]:
            place = b.element_pointer(strip.type.memory, left.noted, start)
            b.copy(place, strip.storage.pointer, strip.bytes, LINE)
            return ()

        e.nest(strip.sizes, compute, parallel=True)
        b.if_else(_goes_around(e, left), tuple, put)
        return ()

    with e.nested():
        b.if_else(left.waits, make, tuple)


def store_left(e: Emitter, left: LeftRow | None, start: Operand) -> None:
    """Store the strip that `make_left` has made if it goes past the caches."""
    if left is None:
        return
    b, strip = e.builder, left.strip

    def put() -> Sequence[Operand]:
        place = b.element_pointer(strip.type.memory, left.noted, start)
        for line in range(0, strip.bytes, LINE):
            there = b.element_pointer("i8", place, line - AROUND)
            put_line(e, b.element_pointer("i8", strip.storage.pointer, line), there, LINE)
        return ()

    with e.nested():
        b.if_else(_goes_around(e, left), put, tuple)


def _goes_around(e: Emitter, left: LeftRow) -> str:
    """Return, as an i1, whether a row has been left that goes past the caches."""
    b = e.builder
    return b.value(f"trunc i64 {b.value(f'ptrtoint ptr {left.noted} to i64')} to i1")


def _stored_element(e: Emitter, left: LeftRow, indices: list[Operand]) -> Operand:
    """Return an element as the store of the program before has it."""
    for value, before in zip(left.store.known, left.values, strict=True):
        e.bind(value, before)
    element = e.load(left.block, indices)
    for step in left.store.steps:
        e.bind(step.block.args[0], element)
        (element,) = run_body(e, step, indices)
    return element


def leave_row(e: Emitter, op: Operation) -> Sequence[Operand]:
    """Leave the row that `op` would store to the next program, if that knows of it."""
    for store in e.late_stores.values():
        if store.op is op:
            place, b = e.view(op.operands[1]), e.builder
            for number, value in enumerate(store.known):
                b.store(e.type(value.type).register, e.scalar(value), _slot(e, store, number))
            address = e.address(place, [0] * len(place.sizes))
            around = best_around(e, place, whole_shape(op.operands[0]))
            noted = b.chosen(around, AROUND, 0)
            b.store("ptr", b.element_pointer("i8", address, noted), store.slots)
    return ()
