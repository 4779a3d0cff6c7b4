"""
What a check does that fails: it leaves a record behind and ends its program.

So nothing is damaged; `xtriton.cpu.records` lays the record out.
"""

from collections.abc import Callable
from typing import NamedTuple

from xdsl.ir import Operation

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.records import FACTS, FACTS_EACH, Check
from xtriton.ir.locations import file_position


class Found(NamedTuple):
    """What a record says: place, address of the first element, argument, other program."""

    place: Operand
    origin: Operand
    argument: int
    other: Operand = 0


def fact(e: Emitter, argument: int, which: int) -> str:
    """Return what the record says of an argument: begin, end, shadow, granule."""
    name = f"%fact{argument}_{which}"
    if name not in e.facts:
        e.facts.add(name)
        offset = 8 * (FACTS + FACTS_EACH * argument + which)
        e.builder.entry.append(f"  {name}_at = getelementptr i8, ptr %record, i64 {offset}")
        e.builder.entry.append(f"  {name} = load i64, ptr {name}_at")
    return name


def fail_where(
    e: Emitter,
    op: Operation,
    wrong: str,
    what: str,
    size: int,
    found: Callable[[], Found],
) -> None:
    """End the program where `wrong` holds; the first of all that fail tells what it found."""
    b = e.builder
    place = file_position(op.location)
    e.checks.append(Check(what, *(place or ("", 0, 0)), size))
    fault, tell, leave, fine = (b.name(n) for n in ("fault", "tell", "leave", "fine"))
    b.emit(f"br i1 {wrong}, label %{fault}, label %{fine}, !prof {_unlikely(e)}")
    b.block(fault)
    # Asserts count from 1 up, checks from -1 down.
    swap = f"cmpxchg ptr %status, i32 0, i32 {-len(e.checks)} monotonic monotonic"
    won = b.value(f"extractvalue {{ i32, i1 }} {b.value(swap)}, 1")
    b.emit(f"br i1 {won}, label %{tell}, label %{leave}")
    b.block(tell)
    tale = found()
    wide = [b.value(f"zext i32 {program} to i64") for program in e.program]
    values = (tale.place, *wide, tale.argument, tale.origin, tale.other)
    for number, value in enumerate(values):
        b.emit(f"store i64 {value}, ptr {b.element_pointer('i64', '%record', number)}")
    b.branch(leave)
    b.block(leave)
    b.emit("ret void")
    b.block(fine)


def _unlikely(e: Emitter) -> str:
    if not e.unlikely:
        e.unlikely = e.module.add_metadata('!{!"branch_weights", i32 1, i32 100000}')
    return e.unlikely
