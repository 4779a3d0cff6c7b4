"""
Checks that a kernel is compiled with where `XTRITON_CPU_CHECK=1` asks for them.

Before memory of an argument is touched it is found out whether what will be touched lies
within the argument: for a block from its offset, sizes and strides, once; for single elements
each time.
"""

from collections.abc import Sequence

from xdsl.ir import Operation

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.faults import Found, fact, fail_where
from xtriton.cpu.emitter.races import note_block, note_element
from xtriton.cpu.emitter.values import ANY_ARGUMENT, UNKNOWN_SIZE, View

LOAD, STORE, ATOMIC = "load", "store", "atomic access"
"""What an access is called."""


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
        low, high = b.add(low, b.least(reach, 0)), b.add(high, b.most(reach, 0))
    _check(e, op, view, low, high, empty, what)
    note_block(e, op, view, write=what == STORE)


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
    note_element(e, op, view, indices, write=what == STORE)


def check_holds(e: Emitter, op: Operation, condition: str, what: str) -> None:
    """Check that a promise holds."""
    if e.checked:
        wrong = e.builder.value(f"xor i1 {condition}, true")
        fail_where(e, op, wrong, what, 1, lambda: Found(0, 0, -1))


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
        above = b.value(f"icmp uge i64 {first}, {fact(e, number, 0)}")
        below = b.value(f"icmp ule i64 {end}, {fact(e, number, 1)}")
        both = b.value(f"and i1 {above}, {below}")
        inside = both if inside == "false" else b.value(f"or i1 {inside}, {both}")
    outside = b.value(f"xor i1 {inside}, true")
    for nothing in empty:
        touched = b.value(f"xor i1 {nothing}, true")
        outside = b.value(f"and i1 {outside}, {touched}")
    start = f"%argument{known}" if known != ANY_ARGUMENT else view.storage.pointer

    def found() -> Found:
        least = fact(e, numbers[0], 0)
        before = b.value(f"icmp ult i64 {first}, {least}")
        last = b.sub(end, size)
        place = b.chosen(before, first, last)
        origin = b.value(f"ptrtoint ptr {start} to i64")
        return Found(b.sub(place, origin), origin, known)

    fail_where(e, op, outside, f"{what} out of bounds", size, found)
    if size > 1:
        rest = b.value(f"and i64 {first}, {size - 1}")
        wrong = b.value(f"icmp ne i64 {rest}, 0")
        for nothing in empty:
            touched = b.value(f"xor i1 {nothing}, true")
            wrong = b.value(f"and i1 {wrong}, {touched}")
        fail_where(e, op, wrong, f"misaligned {what}", size, found)
