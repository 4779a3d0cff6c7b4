"""
Memory that later turns of a loop touch, asked for in this one.

A loop over time reads a few numbers of each step, and the next ones lie behind those of all other
channels, on another page: a CPU, which reads ahead on the same page, waits for memory in each turn.
Where a block begins, and where it began in the last turn, tells where it likely will begin. Nothing
but time depends on it.

A block of many rows that the loop adds up is asked for one turn before, if all that a launch reads
is more than a core's share of the last cache, from where rows come quickly enough by themselves;
not on all CPUs (`target`).
"""

from collections.abc import Sequence
from math import prod

from xdsl.ir import Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.lookahead import LINE, bring
from xtriton.cpu.emitter.values import View

AHEAD = 6
"""Turns between asking for a block and touching it."""
MOST_LINES = 32
"""Lines of a block that are asked for; CPUs read longer rows ahead by themselves."""
NEAR, FAR = 16 * LINE, 1 << 30
"""Bytes from one block to the next: from where nothing is read ahead, and what is no such step."""
LONG = 1 << 20
"""Bytes from the first block of a loop to the last of which no second cache has all."""
LARGE = 3 << 22
"""Bytes of all blocks of rows in a launch beyond which they are asked for."""
MOST_IN_ROW, MOST_IN_BLOCK = 64, 1 << 11
"""Lines of a row of such a block, and of all of it, which a second cache has room for."""
MOST_STEPS = 8
"""Operations between a block and the one that adds it up."""


def ask_for_later(
    e: Emitter, op: Operation, block: View, shape: Sequence[int], *, to_store: bool = False
) -> None:
    """
    Ask for what `op`, which reads or stores a block of a shape, does in later turns of its loop.

    A mask may leave less of it.
    """
    loop, extents = op.parent_op(), [(d, n) for d, n in enumerate(shape) if n != 1]
    if loop is None or loop.name != "scf.for" or e.checked:
        return
    if not shape or block.strides[-1:] != (1,):
        return
    lines = -(-shape[-1] * block.type.bytes // LINE)
    if len(extents) == 2:
        (across, count), (along, _) = extents
        fits = along == len(shape) - 1 and lines <= MOST_IN_ROW and lines * count <= MOST_IN_BLOCK
        may_ask = e.target.asks_for_rows and not to_store
        if fits and may_ask and _is_added_up(op.results[0]):
            _ask_for_rows(e, loop, block, (across, count), lines)
    elif prod(shape) == shape[-1] and lines <= MOST_LINES:
        _ask_for_row(e, loop, block, lines, to_store)


def _is_added_up(block: SSAValue) -> bool:
    """Return whether a loop reduces what it makes of a block, or carries it on."""
    for _ in range(MOST_STEPS):
        use = next(iter(block.uses), None)
        op = None if use is None else use.operation
        if op is None or op.name in ("linalg.reduce", "scf.yield"):
            return op is not None
        if op.name != "linalg.generic" or len(op.results) != 1:
            return False
        block = op.results[0]
    return False


def _ask_for_rows(
    e: Emitter, loop: Operation, block: View, rows: tuple[int, int], lines: int
) -> None:
    """Ask for a block of the next turn, `rows` being the dimension across rows and how many."""
    b, (dimension, count) = e.builder, rows
    pitch = b.mul(block.strides[dimension], block.type.bytes)
    matrix = b.mul(_turns(e, loop), count * lines * LINE)
    for programs in e.programs:
        matrix = b.mul(matrix, programs if isinstance(programs, int) else b.index("i32", programs))

    def ask_for_rows() -> tuple[()]:
        start, step = _step(e, block)
        next_start = b.value(f"getelementptr i8, ptr {start}, i64 {step}")

        def ask_for_row(row: Operand, _: list[str]) -> tuple[()]:
            for line in range(lines):
                at = b.add(b.mul(row, pitch), line * LINE)
                bring(e, b.value(f"getelementptr i8, ptr {next_start}, i64 {at}"))
            return ()

        def ask() -> tuple[()]:
            b.loop(0, count, 1, ask_for_row)
            return ()

        b.if_else(_is_within(e, step, FAR), ask)
        return ()

    # What is the same in all turns comes first: a CPU looks ahead as far as it finds room for.
    near = _is_within(e, pitch, max(NEAR, 2 * LINE * lines))
    b.if_else(b.both(b.less(LARGE, matrix), b.value(f"xor i1 {near}, true")), ask_for_rows)


def _ask_for_row(e: Emitter, loop: Operation, block: View, lines: int, to_store: bool) -> None:
    """Ask for a row of a later turn."""
    b = e.builder
    start, step = _step(e, block)

    def ask() -> tuple[()]:
        there = b.value(f"getelementptr i8, ptr {start}, i64 {b.mul(step, AHEAD)}")
        for line in range(lines):
            place = b.value(f"getelementptr i8, ptr {there}, i64 {line * LINE}")
            bring(e, place, to_store=to_store)
        return ()

    short = b.either(_is_within(e, step, NEAR), _is_within(e, b.mul(step, _turns(e, loop)), LONG))
    b.if_else(b.both(_is_within(e, step, FAR), b.value(f"xor i1 {short}, true")), ask)


def _step(e: Emitter, block: View) -> tuple[str, Operand]:
    """Return where a block begins, and the bytes from where it began in the last turn."""
    b = e.builder
    before = b.alloca("ptr", 1, 8)
    b.entry.append(f"  store ptr null, ptr {before}")
    start = e.address(block, [0] * len(block.sizes))
    now, then = (b.value(f"ptrtoint ptr {p} to i64") for p in (start, b.load("ptr", before)))
    b.store("ptr", start, before)
    return start, b.sub(now, then)


def _is_within(e: Emitter, distance: Operand, bytes: int) -> str:
    """Return, as an i1, whether a distance is so many bytes or fewer, whatever its sign."""
    b = e.builder
    return b.value(f"icmp ult i64 {b.add(distance, bytes)}, {2 * bytes}")


def _turns(e: Emitter, loop: Operation) -> Operand:
    """Return how often a loop runs, at most."""
    b = e.builder
    low, high, step = (e.scalar(value) for value in loop.operands[:3])
    type = e.register(loop.operands[0].type)
    low, high = (n if isinstance(n, int) else b.index(type, n) for n in (low, high))
    length = b.sub(high, low)
    if not isinstance(step, int) or step <= 1:
        return length
    return length // step if isinstance(length, int) else b.value(f"sdiv i64 {length}, {step}")
