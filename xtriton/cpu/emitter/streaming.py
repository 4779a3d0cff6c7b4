"""
Stores around the caches, in launches whose results no cache holds.

A cache reads a line before it is stored to, and drops others for it. Where a launch stores more
than caches hold, both are in vain: lines are written whole, past the caches, in strips that are
computed into a small buffer. Such stores are not in order with others, so a thread waits for its
own before its programs count as done.
"""

from collections.abc import Sequence
from math import prod

from xdsl.ir import Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import BLOCK_STORE, single_block, whole_shape
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.elementwise import FUNCTION_COST, cost_of
from xtriton.cpu.emitter.guesses import Bounds
from xtriton.cpu.emitter.hazards import root_of
from xtriton.cpu.emitter.next_programs import Row, ask, next_rows, other_halves
from xtriton.cpu.emitter.rows import Rows
from xtriton.cpu.emitter.values import Tensor, View
from xtriton.cpu.target import Target

LINE = 64
STRIP = 512
"""Bytes that are computed at a time."""
SHORT = 4 * STRIP
"""Bytes of a row of whole lines from which strips pay."""
PATCHED = 32 * STRIP
"""
Bytes of another row from which they do.

A line that is stored in part is read before, and what is stored behind it waits for that.
"""
LARGE = 32 << 20
"""Bytes that a launch stores to one place, from which it goes around caches of any size."""
DEAR = 40
"""The cost of an element from which computing takes longer than storing."""

_VIEWS = ("memref.reinterpret_cast", "memref.subview", "memref.cast")


def goes_around(e: Emitter, op: Operation, tensor: Tensor, place: View) -> str:
    """Return, as an i1, whether the store `op` is best done by `stream`."""
    rows, type = whole_shape(op.operands[0]), place.type
    if not _may_stream(e, place) or cost_of(tensor) > DEAR or min(rows, default=0) <= 0:
        return "false"
    if not rows or rows[-1] * type.bytes < SHORT:
        return "false"
    b, block = e.builder, prod(rows) * type.bytes
    large = _is_stored(e, _large(e.target, tensor), block)
    return b.both(b.both(large, _is_long(e, place)), _is_in_place(e, place, type.bytes))


def may_go_around(e: Emitter, op: Operation) -> bool:
    """Return whether the store `op` may be done around the caches, as far as its argument goes."""
    rows, memory = whole_shape(op.operands[0]), _memory_of(e, op)
    if memory is None or min(rows, default=0) <= 0 or rows in e.in_columns:
        return False
    return rows[-1] * memory.type.bytes >= SHORT


def _memory_of(e: Emitter, op: Operation) -> View | None:
    """Return the memory that `op` stores to, if that need not be in order with anything."""
    memory = e.environment.get(root_of(op.operands[1]))
    if isinstance(memory, View) and _may_pass_caches(e, memory.storage.argument):
        return memory
    return None


def best_around(e: Emitter, place: View, shape: Sequence[int]) -> str:
    """Return, as an i1, whether blocks of whole lines are best stored around the caches."""
    return _is_stored(e, _half_of_caches(e.target), prod(shape) * place.type.bytes)


def begins_lines(e: Emitter, place: View) -> str:
    """Return, as an i1, whether all rows begin a line."""
    return _is_in_place(e, place, LINE)


def likely_goes_around(e: Emitter, length: int) -> str:
    """Return, as an i1, whether `stream` likely does what stores rows of so many elements."""
    assert e.kernel is not None
    for op in single_block(e.kernel).ops:
        rows = whole_shape(op.operands[0]) if op.name == BLOCK_STORE else ()
        memory = _memory_of(e, op) if rows[-1:] == (length,) and min(rows) > 0 else None
        if memory is not None:
            return _is_stored(e, LARGE, prod(rows) * memory.type.bytes)
    return "false"


def stays_in_caches(e: Emitter, place: View, length: int) -> str:
    """Return, as an i1, whether a row of so many elements is no better stored by `stream`."""
    bytes = length * place.type.bytes
    if bytes < SHORT or not _may_stream(e, place):
        return "true"
    return e.builder.value(f"xor i1 {_is_stored(e, LARGE, bytes)}, true")


def _is_stored(e: Emitter, bytes: int, block: int) -> str:
    """Return, as an i1, whether all programs store so many bytes, each of them a block."""
    b = e.builder
    programs = b.product([b.value(f"zext i32 {size} to i64") for size in e.programs])
    return b.less(-(-bytes // block) - 1, programs)


def _large(target: Target, tensor: Tensor) -> int:
    """
    Return how many bytes are better stored around the caches.

    A copy has instructions that store without reading, and the time of functions is not that of
    memory.
    """
    if isinstance(tensor, View) or tensor.cost >= FUNCTION_COST:
        return LARGE
    return _half_of_caches(target)


def _half_of_caches(target: Target) -> int:
    """
    Return from how many bytes on results do not fit into caches.

    Half of the last one is filled by what is read.
    """
    return min(LARGE, target.last_cache // 2 or LARGE)


def _is_long(e: Emitter, place: View) -> str:
    """Return, as an i1, whether rows are long enough, which those of whole lines are sooner."""
    b, bytes, size = e.builder, place.type.bytes, place.sizes[-1]
    longer, long = (b.less(least // bytes - 1, size) for least in (PATCHED, SHORT))
    whole = b.equal(b.rem(b.mul(size, bytes), LINE), 0)
    return b.both(long, b.either(longer, b.both(whole, begins_lines(e, place))))


def _is_in_place(e: Emitter, place: View, bytes: int) -> str:
    """Return, as an i1, whether all rows begin at a multiple of so many bytes."""
    b = e.builder
    bits: Operand = _number(e, e.address(place, [0] * len(place.sizes)))
    for size, stride in zip(place.sizes[:-1], place.strides[:-1], strict=True):
        if size != 1:
            bits = b.value(f"or i64 {bits}, {b.mul(stride, place.type.bytes)}")
    return b.equal(b.value(f"and i64 {bits}, {bytes - 1}"), 0)


def _may_stream(e: Emitter, place: View) -> bool:
    if place.is_in_columns or place.strides[-1:] != (1,) or tuple(place.sizes) in e.in_columns:
        return False
    return _may_pass_caches(e, place.storage.argument)


def _may_pass_caches(e: Emitter, argument: int | None) -> bool:
    """Return whether stores to an argument need not be in order with anything."""
    if e.checked or e.atomics or e.foreign_memory or not e.target.triple.startswith("x86_64"):
        return False
    if argument not in e.pointer_arguments or e.kernel is None:
        return False
    if argument not in e.only_stored:
        e.only_stored[argument] = _is_only_stored(single_block(e.kernel).args[argument])
    return e.only_stored[argument]


def _is_only_stored(memory: SSAValue) -> bool:
    """Return whether blocks are stored to a piece of memory, and nothing else happens to it."""
    for use in memory.uses:
        op = use.operation
        if op.name in _VIEWS and use.index == 0:
            if not _is_only_stored(op.results[0]):
                return False
        elif op.name != BLOCK_STORE or use.index != 1 or op.results:
            return False
    return True


def stream(e: Emitter, op: Operation, tensor: Tensor, place: View) -> Sequence[Operand]:
    """Do a store of a block whose rows are not short around the caches."""
    e.note_write(place)
    e.streams = True
    strip = e.allocate([STRIP // place.type.bytes], place.type)
    following = other_halves(e) or next_rows(e, whole_shape(op.operands[0]))
    with e.builder.fresh_memory():
        e.nest(place.sizes[:-1], lambda row: _stream_row(e, tensor, place, strip, row, following))
    return ()


def _stream_row(
    e: Emitter,
    tensor: Tensor,
    place: View,
    strip: View,
    row: list[Operand],
    following: Sequence[Row],
) -> None:
    """
    Store a row: what is ahead of its first line, strips that begin a line, and the rest.

    With each strip that of the rows `following` is asked for.

    What is ahead and the rest are computed as strips too, so that all are of one length, but only
    they themselves are stored: a line on its way to memory would have to be read again. Where each
    strip begins follows from the one before: a CPU takes what a place is made of for what it has
    just stored around the caches, if it comes from the stack and the last 12 bits are the same, and
    waits for memory before it reads on.
    """
    b, length, size = e.builder, int(strip.sizes[0]), place.sizes[-1]
    begins = _number(e, e.address(place, [*row, 0]))
    ahead = b.div(b.value(f"and i64 {b.sub(0, begins)}, {LINE - 1}"), place.type.bytes)
    behind = b.sub(size, ahead)
    strips, rest = b.div(behind, length), b.rem(behind, length)
    more = b.chosen(b.equal(rest, 0), 1, 2)

    def one(number: Operand, carried: list[str]) -> Sequence[Operand]:
        is_first, (start, left, step) = b.equal(number, 0), carried
        ask(e, following, start, length)

        def compute(_: Rows, bounds: Bounds | None) -> None:
            def body(at: list[Operand]) -> None:
                index = b.add(start, at[0])
                if isinstance(index, str):
                    b.note_below(index, size)
                e.store(strip, at, e.element(tensor, [*row, index]))

            b.nest([length], body, parallel=True, bounds=bounds)

        source = strip.storage.pointer
        if isinstance(tensor, View) and tensor.strides[-1] == 1:
            source = e.address(tensor, [*row, start])
        else:
            with b.fresh_memory():
                e.in_rows(length, compute, guesses=e.target.fma)

        def put_part() -> Sequence[Operand]:
            first = b.chosen(is_first, 0, b.sub(length, rest))
            count = b.mul(b.chosen(is_first, ahead, rest), place.type.bytes)
            target = e.address(place, [*row, b.add(start, first)])
            b.copy(
                target, b.element_pointer(place.type.memory, source, first), count, place.type.bytes
            )
            return ()

        def put_lines() -> Sequence[Operand]:
            _put_lines(e, source, e.address(place, [*row, start]), place.type.bytes)
            return ()

        b.if_else(b.value(f"icmp ult i64 {b.sub(number, 1)}, {strips}"), put_lines, put_part)
        step = b.least(step, b.sub(left, length))
        return (b.add(start, step), b.sub(left, step), length)

    is_whole = b.equal(ahead, 0)
    carried = [("i64", 0), ("i64", size), ("i64", b.chosen(is_whole, length, ahead))]
    b.loop(b.chosen(is_whole, 1, 0), b.add(strips, more), 1, one, carried)


def _put_lines(e: Emitter, strip: str, target: str, align: int) -> None:
    """Store a strip past the caches, a line at a time."""
    b, once = e.builder, e.module.add_metadata('!{!"llvm.loop.unroll.disable"}')

    def line(start: Operand, _: list[str]) -> Sequence[Operand]:
        source, place = (b.element_pointer("i8", memory, start) for memory in (strip, target))
        put_line(e, source, place, align)
        return ()

    loop = e.module.add_metadata(f"distinct !{{@, {once}}}")
    b.loop(0, STRIP, LINE, line, annotation=f", !llvm.loop {loop}")


def put_line(e: Emitter, source: str, target: str, align: int) -> None:
    """Store a line to a multiple of its size, past the caches; `align` is that of the source."""
    b, bytes, flag = e.builder, e.target.vector_bits // 8, e.module.add_metadata("!{i32 1}")
    vector = f"<{bytes // 8} x i64>"
    for offset in range(0, LINE, bytes):
        value = b.load(vector, b.element_pointer("i8", source, offset), min(align, bytes))
        there = b.element_pointer("i8", target, offset)
        b.emit(f"store {vector} {value}, ptr {there}, align {bytes}, !nontemporal {flag}")


def _number(e: Emitter, pointer: str) -> str:
    return e.builder.value(f"ptrtoint ptr {pointer} to i64")
