"""
Checks that a kernel is compiled with where `XTRITON_CPU_CHECK=1` asks for them.

Before memory of an argument is touched it is found out whether what will be touched lies
within the argument: for a block from its offset, sizes and strides, once; for single elements
each time. What fails leaves a record behind and ends its program, so that nothing is damaged.
The record is an array of 64-bit integers that the launcher hands over:

    0  bytes from the argument's first element to what was to be touched
    1  the program: x, y, z
    4  the number of the argument; -1 where it is not known
    5  the address of the first element
    8  for each argument the addresses of its first byte and behind its last one
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.values import ANY_ARGUMENT, UNKNOWN_SIZE, View
from xtriton.ir.locations import file_position

PLACE, PROGRAM, ARGUMENT, EXTENTS = 0, 1, 4, 8
"""Where things are in a record."""


@dataclass(frozen=True)
class Check:
    """What a check found wrong, where in the source, and the bytes of an element."""

    what: str
    file: str = ""
    line: int = 0
    column: int = 0
    bytes: int = 1


def check_block(e: Emitter, op: Operation, view: View, what: str) -> None:
    """Check that all of `view` may be touched; one that is empty touches nothing."""
    if not _concerns(e, view) or UNKNOWN_SIZE in view.sizes:
        return
    b = e.builder
    low = high = view.offset
    empty: list[str] = []
    for size, stride in zip(view.sizes, view.strides, strict=True):
        if not isinstance(size, int):
            empty.append(b.value(f"icmp sle i64 {size}, 0"))
        elif size <= 0:
            return
        reach = b.mul(b.sub(size, 1), stride)
        if isinstance(reach, int):
            low, high = b.add(low, min(reach, 0)), b.add(high, max(reach, 0))
        else:
            low = b.add(low, b.call("i64", "llvm.smin.i64", [("i64", reach), ("i64", 0)]))
            high = b.add(high, b.call("i64", "llvm.smax.i64", [("i64", reach), ("i64", 0)]))
    _check(e, op, view, low, high, empty, what)


def check_element(
    e: Emitter, op: Operation, view: View, indices: Sequence[Operand], what: str
) -> None:
    """Check that one element of `view` may be touched."""
    if not _concerns(e, view):
        return
    offset = view.offset
    for index, stride in zip(indices, view.strides, strict=True):
        offset = e.builder.add(offset, e.builder.mul(index, stride))
    _check(e, op, view, offset, offset, [], what)


def check_holds(e: Emitter, op: Operation, condition: str, what: str) -> None:
    """Check that a promise holds."""
    if e.checked:
        wrong = e.builder.value(f"xor i1 {condition}, true")
        _fail_where(e, op, wrong, what, 1, lambda: (0, 0, -1))


def _concerns(e: Emitter, view: View) -> bool:
    if not e.checked or view.storage.argument is None:
        return False
    # Of memory that a kernel finds by integers nobody knows where it ends.
    return view.storage.argument != ANY_ARGUMENT or not e.foreign_memory


def _check(
    e: Emitter,
    op: Operation,
    view: View,
    low: Operand,
    high: Operand,
    empty: Sequence[str],
    what: str,
) -> None:
    b, size = e.builder, view.type.bytes
    base = b.value(f"ptrtoint ptr {view.storage.pointer} to i64")
    first = b.add(base, b.mul(low, size))
    end = b.add(base, b.mul(b.add(high, 1), size))
    known = view.storage.argument
    assert known is not None
    numbers = sorted(e.pointer_arguments) if known == ANY_ARGUMENT else [known]
    inside = "false"
    for number in numbers:
        above = b.value(f"icmp uge i64 {first}, {_extent(e, number, 0)}")
        below = b.value(f"icmp ule i64 {end}, {_extent(e, number, 1)}")
        both = b.value(f"and i1 {above}, {below}")
        inside = both if inside == "false" else b.value(f"or i1 {inside}, {both}")
    outside = b.value(f"xor i1 {inside}, true")
    for nothing in empty:
        touched = b.value(f"xor i1 {nothing}, true")
        outside = b.value(f"and i1 {outside}, {touched}")
    start = f"%argument{known}" if known != ANY_ARGUMENT else view.storage.pointer

    def found() -> tuple[Operand, Operand, int]:
        least = _extent(e, numbers[0], 0)
        before = b.value(f"icmp ult i64 {first}, {least}")
        last = b.sub(end, size)
        place = b.value(f"select i1 {before}, i64 {first}, i64 {last}")
        origin = b.value(f"ptrtoint ptr {start} to i64")
        return b.sub(place, origin), origin, known

    _fail_where(e, op, outside, f"{what} out of bounds", size, found)
    if size > 1:
        rest = b.value(f"and i64 {first}, {size - 1}")
        wrong = b.value(f"icmp ne i64 {rest}, 0")
        for nothing in empty:
            touched = b.value(f"xor i1 {nothing}, true")
            wrong = b.value(f"and i1 {wrong}, {touched}")
        _fail_where(e, op, wrong, f"misaligned {what}", size, found)


def _extent(e: Emitter, number: int, which: int) -> str:
    """Return where memory of an argument begins (0) or ends (1), as an address."""
    name = f"%extent{number}_{which}"
    if name not in e.extents:
        e.extents.add(name)
        offset = 8 * (EXTENTS + 2 * number + which)
        e.builder.entry.append(f"  {name}_at = getelementptr i8, ptr %record, i64 {offset}")
        e.builder.entry.append(f"  {name} = load i64, ptr {name}_at")
    return name


def _fail_where(
    e: Emitter,
    op: Operation,
    wrong: str,
    what: str,
    size: int,
    found: Callable[[], tuple[Operand, Operand, int]],
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
    offset, origin, argument = found()
    wide = [b.value(f"zext i32 {program} to i64") for program in e.program]
    for number, value in enumerate((offset, *wide, argument, origin)):
        b.emit(f"store i64 {value}, ptr {b.element_pointer('i64', '%record', number)}")
    b.branch(leave)
    b.block(leave)
    b.emit("ret void")
    b.block(fine)


def _unlikely(e: Emitter) -> str:
    if not e.unlikely:
        e.unlikely = e.module.add_metadata('!{!"branch_weights", i32 1, i32 100000}')
    return e.unlikely
