"""
Rows of elements that lie some apart, copied as vectors that are loaded and stored in part.

LLVM loads a vector's elements and what lies between them at once. As it may not load what lies
behind the last one, it does a last vector of each row one by one, and so all of a row of one.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xtriton.cpu.builder import APART, IRBuilder, Operand
from xtriton.cpu.emitter.guesses import Bounds

BYTES = {"float": 4, "i32": 4, "i16": 2}
"""Of elements that are loaded and stored in part, by their types in memory."""
MOST = 4
"""Elements apart up to which what lies between is worth loading."""

_PLACE = re.compile(rf"{re.escape(APART)}(\d+) x (\w+)\], ptr (%\w+), i64 (%\w+)")
_ELEMENT = re.compile(r"getelementptr inbounds (\w+), ptr (%\w+), i64 (%\w+)")
_SUM = re.compile(r"add nsw i64 ([%\w-]+), ([%\w-]+)")
_INDEX = re.compile(r"  (%i\d+) = phi i64 ")
_REGISTER = re.compile(r"%\w+")
_LOAD = re.compile(r"  (%\w+) = load (\w+), ptr (%\w+)")
_STORE = re.compile(r"  store (\w+) (%\w+), ptr (%\w+)")


@dataclass(frozen=True)
class ApartRow:
    """Copies rows of elements of a type that lie `factor` apart, as vectors of so many lanes."""

    builder: IRBuilder
    memory: str
    factor: int
    lanes: int

    def copy(self, target: str, source: str, count: Operand) -> None:
        """Copy `count` elements to where they follow each other; both are pointers to the first."""
        b, memory = self.builder, self.memory

        def vector(start: Operand, _: list[str]) -> Sequence[Operand]:
            left = b.sub(count, start)
            first = b.element_pointer(memory, source, b.mul(start, self.factor))
            place, mask = b.element_pointer(memory, target, start), b.first_lanes(left, self.lanes)
            b.store_part(self._vector, self._load(first, left), place, mask, BYTES[memory])
            return ()

        b.loop(0, count, self.lanes, vector)

    def _load(self, source: str, count: Operand) -> str:
        """Return the first `count` of the elements that begin at `source`."""
        b, memory = self.builder, self.memory
        # From the first to the last, with what is between.
        span = b.add(b.mul(b.sub(count, 1), self.factor), 1)
        found = ""
        for number in range(self.factor):
            start = number * self.lanes
            place, mask = (
                b.element_pointer(memory, source, start),
                b.first_lanes(span, self.lanes, start),
            )
            part = b.load_part(self._vector, place, mask, BYTES[memory])
            found = self._picked(found, part, number) if number else part
        return found

    def _picked(self, before: str, part: str, number: int) -> str:
        """Return what has been found with what is of it in another part."""
        order: list[int] = []
        for lane in range(self.lanes):
            at, place = divmod(lane * self.factor, self.lanes)
            found = place if number == 1 else lane
            order.append(self.lanes + place if at == number else found)
        return self.builder.shuffled(self._vector, before, part, order)

    @property
    def _vector(self) -> str:
        return f"<{self.lanes} x {self.memory}>"


def write_apart(
    b: IRBuilder,
    state: tuple[int, str],
    sizes: Sequence[Operand],
    body: Callable[[list[Operand]], None],
    bounds: Bounds,
    bytes: int,
) -> None:
    """
    Write a nest anew of which each row does nothing but to store elements some apart.

    It has been written since `state`, in rows within `bounds`. Vectors have so many bytes.
    """
    (low, high), moved = bounds, moved_apart(b.lines[state[0] :])
    if moved is None or isinstance(low, int):
        return
    b.back_to(state)
    last = max(place for place, size in enumerate(sizes) if size != 1)
    b.note_below(low, sizes[last])
    memory, factor = moved
    row = ApartRow(b, memory, factor, bytes // BYTES[memory])

    def inside(indices: list[Operand]) -> None:
        indices[last] = low
        target, source = _ends_of_move(b, lambda: body(indices))
        row.copy(target, source, b.sub(high, low))

    b.nest([1 if place == last else size for place, size in enumerate(sizes)], inside)


def moved_apart(lines: Sequence[str]) -> tuple[str, int] | None:
    """
    Return the type and the distance of elements if a loop does nothing but store such as a row.

    That is one load and one store of what it loads, at a multiple of the index and at the index
    with something added that is the same for all of the loop.
    """
    loads, stores = (
        [found for line in lines if (found := pattern.match(line))] for pattern in (_LOAD, _STORE)
    )
    if len(loads) != 1 or len(stores) != 1 or any(" call " in line for line in lines):
        return None
    (load,), (store,), index = loads, stores, _innermost_index(lines)
    place, row = (_definition(lines, access[3]) for access in (load, store))
    apart, one = _PLACE.fullmatch(place), _ELEMENT.fullmatch(row)
    changing = _made_of(lines, index)
    if apart is None or one is None or store[2] != load[1] or int(apart[1]) > MOST:
        return None
    if load[2] not in BYTES or apart[4] != index:
        return None
    if {apart[3], one[2]} & changing or not _is_index(lines, one[3], index):
        return None
    return load[2], int(apart[1])


def _innermost_index(lines: Sequence[str]) -> str:
    """Return the index of the innermost loop of a nest."""
    return [found[1] for line in lines for found in _INDEX.finditer(line)][-1]


def _definition(lines: Sequence[str], register: str) -> str:
    """Return what makes a register, "" if that is elsewhere."""
    start = f"  {register} = "
    return next((line.removeprefix(start) for line in lines if line.startswith(start)), "")


def _made_of(lines: Sequence[str], index: str) -> set[str]:
    """Return the registers that are made of the index of a loop, and that itself."""
    found = {index}
    for line in lines:
        made, is_made, text = line.strip().partition(" = ")
        if is_made and found.intersection(_REGISTER.findall(text)):
            found.add(made)
    return found


def _is_index(lines: Sequence[str], place: str, index: str) -> bool:
    """Return whether a place is an index, or that with something added that does not change."""
    changing = _made_of(lines, index)
    while place != index:
        sum = _SUM.fullmatch(_definition(lines, place))
        if sum is None or (sum[1] in changing) == (sum[2] in changing):
            return False
        place = sum[1] if sum[1] in changing else sum[2]
    return True


def _ends_of_move(b: IRBuilder, write: Callable[[], None]) -> tuple[str, str]:
    """Write what moves one element but for the move itself; return where to and where from."""
    start = len(b.lines)
    write()
    lines, load, store = b.lines[start:], "", ""
    del b.lines[start:]
    for line in lines:
        if found := _LOAD.match(line):
            load = found[3]
        elif found := _STORE.match(line):
            store = found[3]
        else:
            b.lines.append(line)
    return store, load
