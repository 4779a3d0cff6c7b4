"""
Memory that later turns of a loop touch, asked for in this one.

A loop over time reads a few numbers of each step, and the next ones lie behind those of all other
channels, on another page: a CPU, which reads ahead on the same page, waits for memory in each turn.
Where a block begins, and where it began in the last turn, tells where it likely will begin. Nothing
but time depends on it.
"""

from math import prod

from xdsl.ir import Operation

from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.lookahead import LINE, bring
from xtriton.cpu.emitter.values import View

AHEAD = 6
"""Turns between asking for a block and touching it."""
MOST_LINES = 32
"""Lines of a block that are asked for; CPUs read longer rows ahead by themselves."""
NEAR, FAR = 16 * LINE, 1 << 30
"""Bytes from one block to the next: from where nothing is read ahead, and what is no such step."""


def ask_for_later(e: Emitter, op: Operation, block: View, *, to_store: bool = False) -> None:
    """Ask for what `op`, which reads or stores a block, does in later turns of its loop."""
    loop, (*outer, length), bytes = op.parent_op(), block.sizes or (0,), block.type.bytes
    if loop is None or loop.name != "scf.for" or e.checked or block.strides[-1:] != (1,):
        return
    if not isinstance(length, int) or prod(size for size in outer if isinstance(size, int)) != 1:
        return
    lines = -(-length * bytes // LINE)
    if lines > MOST_LINES or any(not isinstance(size, int) for size in outer):
        return
    b = e.builder
    before = b.alloca("ptr", 1, 8)
    b.entry.append(f"  store ptr null, ptr {before}")
    start = e.address(block, [0] * len(block.sizes))
    now, then = (b.value(f"ptrtoint ptr {p} to i64") for p in (start, b.load("ptr", before)))
    b.store("ptr", start, before)
    step = b.sub(now, then)

    def is_within(bytes: int) -> str:
        return b.value(f"icmp ult i64 {b.add(step, bytes)}, {2 * bytes}")

    def ask() -> tuple[()]:
        there = b.value(f"getelementptr i8, ptr {start}, i64 {b.mul(step, AHEAD)}")
        for line in range(lines):
            place = b.value(f"getelementptr i8, ptr {there}, i64 {line * LINE}")
            bring(e, place, to_store=to_store)
        return ()

    near = is_within(NEAR)
    b.if_else(b.both(is_within(FAR), b.value(f"xor i1 {near}, true")), ask)
