"""
Rows of elements that lie some apart, copied as vectors that are loaded and stored in part.

LLVM loads a vector's elements and what lies between them at once. As it may not load what lies
behind the last one, it does a last vector of each row one by one, and so all of a row of one.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xtriton.cpu.builder import APART, IRBuilder, Operand
from xtriton.cpu.types import suffix

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
            value = self._load(first, left)
            place = b.element_pointer(memory, target, start)
            self._store(value, place, self._first(left, 0))
            return ()

        b.loop(0, count, self.lanes, vector)

    def _load(self, source: str, count: Operand) -> str:
        """Return the first `count` of the elements that begin at `source`."""
        b, span = self.builder, self._span(count)
        parts = [
            self._load_part(b.element_pointer(self.memory, source, start), span, start)
            for start in range(0, self.factor * self.lanes, self.lanes)
        ]
        found = parts[0]
        for number, part in enumerate(parts[1:], start=1):
            found = self._shuffle(found, part, number)
        return found

    def _span(self, count: Operand) -> Operand:
        """Return how many elements there are from the first to the last, what is between too."""
        b = self.builder
        return b.add(b.mul(b.sub(count, 1), self.factor), 1)

    def _load_part(self, source: str, span: Operand, start: int) -> str:
        vector, mask = self._vector, self._first(span, start)
        name = f"llvm.masked.load.v{self.lanes}{suffix(self.memory)}.p0"
        arguments = [(self._pointer, source), (self._mask, mask)]
        return self.builder.call(vector, name, [*arguments, (vector, "zeroinitializer")])

    def _store(self, value: str, target: str, mask: str) -> None:
        name = f"llvm.masked.store.v{self.lanes}{suffix(self.memory)}.p0"
        arguments = [(self._vector, value), (self._pointer, target)]
        self.builder.call("void", name, [*arguments, (self._mask, mask)])

    def _first(self, count: Operand, start: int) -> str:
        """Return which lanes of a vector that begins at `start` are among the first `count`."""
        b, numbers = self.builder, f"<{self.lanes} x i32>"
        most = str(count) if isinstance(count, int) else b.value(f"trunc i64 {count} to i32")
        one = b.value(f"insertelement {numbers} poison, i32 {most}, i64 0")
        zeros = f"{numbers} zeroinitializer"
        all = b.value(f"shufflevector {numbers} {one}, {numbers} poison, {zeros}")
        places = ", ".join(f"i32 {start + lane}" for lane in range(self.lanes))
        return b.value(f"icmp slt {numbers} <{places}>, {all}")

    def _shuffle(self, before: str, part: str, number: int) -> str:
        """Return what has been found with what is of it in another part."""
        order: list[int] = []
        for lane in range(self.lanes):
            at, place = divmod(lane * self.factor, self.lanes)
            found = place if number == 1 else lane
            order.append(self.lanes + place if at == number else found)
        picked = ", ".join(f"i32 {lane}" for lane in order)
        vector = self._vector
        return self.builder.value(
            f"shufflevector {vector} {before}, {vector} {part}, <{self.lanes} x i32> <{picked}>"
        )

    @property
    def _pointer(self) -> str:
        return f"ptr align {BYTES[self.memory]}"

    @property
    def _vector(self) -> str:
        return f"<{self.lanes} x {self.memory}>"

    @property
    def _mask(self) -> str:
        return f"<{self.lanes} x i1>"


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


def ends_of_move(b: IRBuilder, write: Callable[[], None]) -> tuple[str, str]:
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
