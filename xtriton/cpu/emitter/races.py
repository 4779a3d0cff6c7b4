"""
Races between programs: which program touched an element is remembered beside the memory.

A word for each granule of an argument that is written holds who wrote it last, in its lower
half, and who read it, in its upper one; programs count from 1, and `MANY` stands for several.
Kernels with atomics are left alone: what these order is not known here.
"""

from collections.abc import Callable, Sequence

from xdsl.ir import Operation

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.faults import Found, fact, fail_where
from xtriton.cpu.emitter.values import ANY_ARGUMENT, UNKNOWN_SIZE, View
from xtriton.cpu.records import MANY

_HALF = 0xFFFFFFFF


def note_block(e: Emitter, op: Operation, view: View, *, write: bool) -> None:
    """Remember that this program touches all of `view`, and fail if another one did."""
    if UNKNOWN_SIZE in view.sizes:
        return
    _where_watched(
        e, view, lambda: e.nest(view.sizes, lambda at: _note(e, op, view, at, write=write))
    )


def note_element(
    e: Emitter, op: Operation, view: View, indices: Sequence[Operand], *, write: bool
) -> None:
    """The same for one element."""
    _where_watched(e, view, lambda: _note(e, op, view, indices, write=write))


def _where_watched(e: Emitter, view: View, work: Callable[[], None]) -> None:
    """Do `work` if somebody stores to the argument in question."""
    argument = view.storage.argument
    if not e.races or argument is None or argument == ANY_ARGUMENT:
        return
    watched = e.builder.value(f"icmp ne i64 {fact(e, argument, 2)}, 0")

    def run() -> Sequence[Operand]:
        work()
        return ()

    with e.builder.fresh_memory():
        e.builder.if_else(watched, run)


def _note(
    e: Emitter, op: Operation, view: View, indices: Sequence[Operand], *, write: bool
) -> None:
    b, argument = e.builder, view.storage.argument
    assert argument is not None
    me = _number(e)
    address = b.value(f"ptrtoint ptr {e.address(view, indices)} to i64")
    granule = b.value(f"lshr i64 {b.sub(address, fact(e, argument, 0))}, {fact(e, argument, 3)}")
    shadow = b.value(f"inttoptr i64 {fact(e, argument, 2)} to ptr")
    word = b.element_pointer("i64", shadow, granule)
    old = b.value(f"load i64, ptr {word}")
    writer = b.value(f"and i64 {old}, {_HALF}")
    reader = b.value(f"lshr i64 {old}, 32")
    wrong = _another(e, writer, me)
    other: Operand = writer
    if write:
        read = _another(e, reader, me)
        other = b.chosen(wrong, writer, reader)
        wrong = b.value(f"or i1 {wrong}, {read}")
        new = b.value(f"or i64 {b.value(f'shl i64 {reader}, 32')}, {me}")
    else:
        several = _another(e, reader, me)
        now = b.chosen(several, MANY, me)
        new = b.value(f"or i64 {b.value(f'shl i64 {now}, 32')}, {writer}")

    def found() -> Found:
        origin = b.value(f"ptrtoint ptr %argument{argument} to i64")
        return Found(b.sub(address, origin), origin, argument, other)

    what = "race between programs: store" if write else "race between programs: load"
    fail_where(e, op, wrong, what, view.type.bytes, found)
    b.emit(f"store i64 {new}, ptr {word}")


def _another(e: Emitter, who: str, me: Operand) -> str:
    """Return whether somebody else has been here."""
    b = e.builder
    somebody = b.value(f"icmp ne i64 {who}, 0")
    not_me = b.value(f"icmp ne i64 {who}, {me}")
    return b.value(f"and i1 {somebody}, {not_me}")


def _number(e: Emitter) -> Operand:
    """Return the number of this program in the grid, from 1."""
    b = e.builder
    x, y, z = (b.value(f"zext i32 {program} to i64") for program in e.program)
    width, height = (b.value(f"zext i32 {size} to i64") for size in e.programs[:2])
    row = b.add(b.mul(z, height), y)
    return b.add(b.add(b.mul(row, width), x), 1)
