"""
Rows that the next program reads, asked for while this one stores its own.

A program that reads a row more than once, for its maximum first, waits for memory at the beginning
and leaves it alone while it computes. What it computes last is stored strip by strip: with each it
asks for the same strip of the rows that the next program of the grid begins with. Where those lie
is what the arithmetic of its own places makes of the next number. Only time depends on it.
"""

from collections.abc import Sequence
from math import prod

from xdsl.ir import Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import operand_groups, shape_of, single_block
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.generics import combines
from xtriton.cpu.emitter.lookahead import LINE, bring
from xtriton.cpu.emitter.values import View
from xtriton.ir.attributes import integers

MOST = 2
"""Rows that are asked for at once."""


def next_rows(e: Emitter, shape: Sequence[int]) -> list[str]:
    """Return where the next program reads rows as long as a block, if that is one row."""
    assert e.kernel is not None
    arguments = single_block(e.kernel).args
    if prod(shape) != shape[-1] or not any(combines(op) for op in e.kernel.walk()):
        return []
    rows = [op for op in single_block(e.kernel).ops if _is_row(e, op, shape[-1])]
    places = [_place(e, op, arguments[-3]) for op in rows]
    return [place for place in places if place][:MOST]


def ask(e: Emitter, rows: Sequence[str], start: Operand, strip: View) -> None:
    """Ask for as much of each row, from an element on, as a strip holds."""
    b, type = e.builder, strip.type
    for row in rows:
        first = b.element_pointer(type.memory, row, start)
        for line in range(0, int(strip.sizes[0]) * type.bytes, LINE):
            bring(e, b.element_pointer("i8", first, line))


def _is_row(e: Emitter, op: Operation, length: int) -> bool:
    """Return whether an op tells where a row of an argument lies that is not stored to."""
    if op.name != "memref.reinterpret_cast" or op.results[0] not in e.environment:
        return False
    if prod(shape_of(op.results[0].type)) != length:
        return False
    memory = e.environment.get(op.operands[0])
    read = e.pointer_arguments - e.written_arguments
    dense = integers(op, "static_strides")[-1:] == (1,)
    return dense and isinstance(memory, View) and memory.storage.argument in read


def _place(e: Emitter, op: Operation, program: SSAValue) -> str:
    """Return where such a row of the next program begins; "" if that is the same or not known."""
    (memory,), offsets, *_ = operand_groups(op)
    steps: list[Operation] = []
    if not offsets or not _depends(offsets[0], program, steps):
        return ""
    before = dict(e.environment)
    e.bind(program, e.builder.value(f"add i32 {e.scalar(program)}, 1"))
    for step in steps:
        e.run(step)
    view, offset = e.view(memory), e.scalar(offsets[0])
    e.environment.update(before)
    return e.builder.element_pointer(view.type.memory, view.storage.pointer, offset)


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
