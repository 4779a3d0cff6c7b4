"""
Rows that the next program reads, asked for while this one computes with its own.

A program that reads a row more than once, for its maximum first, waits for memory at the beginning
and leaves it alone while it computes. So, where it adds up functions of its row, or else where it
stores its own strip by strip, it asks for the same part of the rows that the next program of the
grid begins with; where it does both, for half of it each time. Where those rows lie is what the
arithmetic of its own places makes of the next number. Only time depends on it.

What is asked for goes from page to page, a line of each: a core that meets a new page waits until
it knows where that lies, which it finds out for several at once, and it reads ahead by itself in
as many. Line by line it would wait at the beginning of each page, which not all do (`target`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import prod

from xdsl.ir import Operation, SSAValue

from xtriton.cpu.builder import IRBuilder, Operand
from xtriton.cpu.emitter.access import operand_groups, shape_of, single_block
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.generics import combines
from xtriton.cpu.emitter.hazards import stored_arguments
from xtriton.cpu.emitter.lookahead import LINE, bring
from xtriton.cpu.emitter.values import ANY_ARGUMENT, View
from xtriton.cpu.types import Type
from xtriton.ir.attributes import integers

MOST = 2
"""Rows that are asked for at once."""

SHORTEST = 512
"""Elements of a row that is asked for by an op that would be done without."""

PAGE = 4096
"""Bytes of the smallest page of memory."""
TOGETHER = 16
"""Pages that are asked for at a time; a power of two."""


@dataclass(frozen=True)
class Row:
    """
    Where a row begins, the type of its elements, and how many bytes they are.

    If the i1 `halved` holds, half of its lines are asked for: those of the first turns, or the
    others if that `is_rest`. They go to the first cache if that is `near` enough for the CPU.
    """

    start: str
    type: Type
    bytes: int
    halved: str = "false"
    is_rest: bool = False
    near: bool = True


def next_rows(e: Emitter, shape: Sequence[int]) -> list[Row]:
    """
    Return the rows that the next program reads and that are as long as a block, if that is one.

    Whoever gets them asks for all of them: nobody else does.
    """
    if e.kernel is None or e.asked_ahead is not None or prod(shape) != shape[-1]:
        return []
    block = single_block(e.kernel)
    if not any(combines(op) for op in e.kernel.walk()):
        return []
    found = [op for op in block.ops if _is_row(e, op, shape[-1])]
    rows = [row for op in found if (row := _row(e, op, block.args[-3])) is not None][:MOST]
    e.asked_ahead = rows or None
    return rows


def next_rows_of(
    e: Emitter,
    op: Operation,
    shape: Sequence[Operand],
    halved: Callable[[Emitter, int], str],
    *,
    near: bool,
) -> list[Row]:
    """
    Return those rows for an op to ask for that each program does once, if they are not short.

    `halved` says of so many elements, as an i1, whether they are better asked for in halves. They
    had better not come `near` where the first cache holds something else.
    """
    is_once = e.kernel is not None and op.parent_block() is single_block(e.kernel)
    extents = [size for size in shape if isinstance(size, int)]
    if not is_once or len(extents) != len(shape) or extents[-1] < SHORTEST:
        return []
    if rows := next_rows(e, extents):
        holds = halved(e, extents[-1])
        e.asked_ahead = rows = [replace(row, halved=holds, near=near) for row in rows]
    return rows


def other_halves(e: Emitter) -> list[Row]:
    """Return the rows of which half is left to ask for, which nobody else is to do then."""
    rows: list[Row] = [row for row in e.asked_ahead or () if row.halved != "false"]
    if rows:
        e.asked_ahead = []
    return [replace(row, is_rest=True) for row in rows]


def ask(e: Emitter, rows: Sequence[Row], start: Operand, count: int) -> None:
    """
    Ask for the share of each row that so many elements are, from one on.

    Where that is pairs of lines, the places of their turns are found once.
    """
    b = e.builder
    for row in rows:
        near, together = row.near and e.target.asks_near, _together(e, row.bytes)
        first = b.div(b.mul(start, row.type.bytes), LINE)
        lines = -(-count * row.type.bytes // LINE)
        in_pairs = not row.is_rest and lines % 2 == 0
        for line in range(0, lines, 2 if row.is_rest or in_pairs else 1):
            turn = _turn(b, b.add(first, line), row)
            place = b.element_pointer("i8", row.start, _place(b, turn, row.bytes, together))
            bring(e, place, near=near)
            if in_pairs:
                # The first turn is even, so that the next one is that of the next page.
                further = b.chosen(row.halved, 0, PAGE if together > 1 else LINE)
                bring(e, b.element_pointer("i8", place, further), near=near)


def _turn(b: IRBuilder, line: Operand, row: Row) -> Operand:
    """Return the turn of the line that is asked for as this one of the program's own is met."""
    half = b.div(line, 2)
    return b.add(half, row.bytes // LINE // 2) if row.is_rest else b.chosen(row.halved, half, line)


def _together(e: Emitter, bytes: int) -> int:
    """Return how many pages of so many bytes are asked for at a time; 1 if line by line."""
    together = 1 if e.target.asks_in_order else TOGETHER
    while together > 1 and bytes % (together * PAGE):
        together //= 2
    return together


def _place(b: IRBuilder, turn: Operand, bytes: int, together: int) -> Operand:
    """Return where in so many bytes the line is whose turn it is."""
    if together == 1:
        return b.mul(turn, LINE)
    turns = PAGE // LINE * together
    page, line = b.rem(turn, together), b.div(b.rem(turn, turns), together)
    place = b.add(b.mul(page, PAGE), b.mul(line, LINE))
    if bytes == together * PAGE:
        return place
    return b.add(b.mul(b.div(turn, turns), together * PAGE), place)


def _is_row(e: Emitter, op: Operation, length: int) -> bool:
    """Return whether an op tells where a row of an argument lies that is not stored to."""
    if op.name != "memref.reinterpret_cast" or op.results[0] not in e.environment:
        return False
    if prod(shape_of(op.results[0].type)) != length:
        return False
    memory, stored = e.environment.get(op.operands[0]), stored_arguments(e)
    if not isinstance(memory, View) or ANY_ARGUMENT in stored:
        return False
    is_read = memory.storage.argument in e.pointer_arguments - stored
    return is_read and integers(op, "static_strides")[-1:] == (1,)


def _row(e: Emitter, op: Operation, program: SSAValue) -> Row | None:
    """Return such a row of the next program; None if it is the same or not known."""
    (memory,), offsets, *_ = operand_groups(op)
    steps: list[Operation] = []
    if not offsets or not _depends(offsets[0], program, steps):
        return None
    before = dict(e.environment)
    e.bind(program, e.builder.value(f"add i32 {e.scalar(program)}, 1"))
    for step in steps:
        e.run(step)
    view, offset = e.view(memory), e.scalar(offsets[0])
    e.environment.update(before)
    start = e.builder.element_pointer(view.type.memory, view.storage.pointer, offset)
    return Row(start, view.type, prod(shape_of(op.results[0].type)) * view.type.bytes)


def _depends(value: SSAValue, program: SSAValue, steps: list[Operation]) -> bool:
    """Return whether plain arithmetic makes `value` of `program`; its `steps`, in their order."""
    op = value.owner
    if value is program or op in steps:
        return True
    if not isinstance(op, Operation) or not op.name.startswith("arith."):
        return False
    depending = [operand for operand in op.operands if _depends(operand, program, steps)]
    if depending:
        steps.append(op)
    return bool(depending)
