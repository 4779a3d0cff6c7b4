"""
Memory that later turns of a loop touch, asked for in this one.

A loop over time reads a few numbers of each step, and the next ones lie behind those of all other
channels, on another page: a CPU, which reads ahead on the same page, waits for memory in each turn.
Where a block begins, and where it began in the last turn, tells where it likely will begin. Nothing
but time depends on it.
"""

from collections.abc import Sequence
from math import prod

from xdsl.ir import Operation

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


def ask_for_later(
    e: Emitter, op: Operation, block: View, shape: Sequence[int], *, to_store: bool = False
) -> None:
    """
    Ask for what `op`, which reads or stores a block of a shape, does in later turns of its loop.

    A mask may leave less of it.
    """
    loop, row = op.parent_op(), tuple(shape) or (0,)
    if loop is None or loop.name != "scf.for" or e.checked or block.strides[-1:] != (1,):
        return
    lines = -(-row[-1] * block.type.bytes // LINE)
    if prod(row) != row[-1] or not 0 < lines <= MOST_LINES:
        return
    b = e.builder
    before = b.alloca("ptr", 1, 8)
    b.entry.append(f"  store ptr null, ptr {before}")
    start = e.address(block, [0] * len(block.sizes))
    now, then = (b.value(f"ptrtoint ptr {p} to i64") for p in (start, b.load("ptr", before)))
    b.store("ptr", start, before)
    step = b.sub(now, then)

    def is_within(distance: Operand, bytes: int) -> str:
        return b.value(f"icmp ult i64 {b.add(distance, bytes)}, {2 * bytes}")

    def ask() -> tuple[()]:
        there = b.value(f"getelementptr i8, ptr {start}, i64 {b.mul(step, AHEAD)}")
        for line in range(lines):
            place = b.value(f"getelementptr i8, ptr {there}, i64 {line * LINE}")
            bring(e, place, to_store=to_store)
        return ()

    short = b.either(is_within(step, NEAR), is_within(b.mul(step, _turns(e, loop)), LONG))
    b.if_else(b.both(is_within(step, FAR), b.value(f"xor i1 {short}, true")), ask)


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
