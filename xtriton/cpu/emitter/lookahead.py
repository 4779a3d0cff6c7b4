"""
Memory that is asked for before it is read.

A product reads operands that lie in panels one behind the other, or packs them from rows of a
matrix first. Either would wait for the last cache. Meanwhile the units of vectors multiply the
operands before those: along K a tile asks for a few bytes of what follows for each step, so that
all of it is in the second cache by the end, and no step asks for more than caches deliver.

What is packed next is a guess: the blocks behind the last one along K, and, at the end of K, those
as far from the first one as that is from the first of a program before, or else beside it. Nothing
but time depends on it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from xdsl.ir import Operation

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import strides_of
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.values import View

LINE = 64
"""Bytes of a cache line."""
LASTING = 3
"""Words of a trail that a thread keeps throughout a launch, 0 when it begins."""
MOST_LINES = 8
"""That are asked for at once."""

Ask = Callable[[Operand], None]
"""Asks for what belongs to some steps from one along K on."""


@dataclass(frozen=True)
class Following:
    """Memory that is read next: `bytes` in rows of `row` bytes that begin `pitch` apart, if any."""

    start: str
    bytes: int
    row: int = 0
    pitch: Operand = 0

    def or_else(self, e: Emitter, other: "Following", condition: str) -> "Following":
        """Return this if a condition holds, else another that has as much in such rows."""
        start = e.builder.value(f"select i1 {condition}, ptr {self.start}, ptr {other.start}")
        pitch = e.builder.chosen(condition, self.pitch, other.pitch)
        return replace(self, start=start, pitch=pitch)


@dataclass(frozen=True)
class Part:
    """Which part of a product a tile is, in elements of the result: `size` behind `done`."""

    done: Operand
    size: int
    total: int
    depth: int
    """The steps along K of the whole."""

    def ask(self, e: Emitter, following: Following, steps: int, most: int) -> Ask:
        """
        Return what asks for the share of so many steps along K.

        Each of them has so many bytes at `most`, all of them `MOST_LINES`: of small blocks not all
        is asked for, which would delay the rest.
        """
        b = e.builder
        begin = b.div(b.mul(self.done, following.bytes), self.total)
        each = -(-following.bytes * self.size // (self.total * self.depth))
        each = min(each, most)
        # A line of a row that is shorter has no more of what follows.
        line = min(LINE, following.row or LINE)
        share = range(0, each * steps, line)[:MOST_LINES]

        def ask(k: Operand) -> None:
            first = b.add(begin, b.mul(k, each))
            for distance in share:
                at = b.add(first, distance)
                if following.row:
                    row = b.mul(b.div(at, following.row), following.pitch)
                    at = b.add(row, b.rem(at, following.row))
                bring(e, b.element_pointer("i8", following.start, at))

        return ask


def bring(e: Emitter, pointer: str, *, to_store: bool = False, near: bool = False) -> None:
    """Have a line brought to the second cache; to the first if it goes `to_store`, or `near`."""
    name = "llvm.prefetch.p0"
    e.module.declare("void", name, ["ptr", "i32", "i32", "i32"])
    level = 3 if to_store or near else 2
    e.builder.emit(f"call void @{name}(ptr {pointer}, i32 {int(to_store)}, i32 {level}, i32 1)")


@dataclass
class Trail:
    """
    Where blocks come from that are packed, as they are copied.

    A thread keeps throughout a launch where the `first` block began of the program that packed any
    at last, and that of the program which did so `earlier`, null before, and the bytes between rows
    of the last block. On the stack are where the last two blocks of this program begin, and whether
    any was `packed` of the present panel or that was found. Of two blocks one after the other the
    first is null if it was not packed.
    """

    along: int
    """The dimension of the product's operand along which the rows lie."""
    bytes: int
    """Of an element of the rows."""
    first: str
    earlier: str
    pitch: str
    fresh: str
    """Whether this program has packed none."""
    packed: str
    before: str
    last: str

    def forget(self, e: Emitter) -> Sequence[Operand]:
        """Note that a panel is not packed; what is then asked for is this note, which is near."""
        e.builder.store("ptr", self.last, self.last)
        e.builder.store("i64", 0, self.packed)
        return ()

    def note(self, e: Emitter, source: View) -> None:
        """Note that a block is copied from `source`."""
        b, memory = e.builder, source.type.memory
        start = b.element_pointer(memory, source.storage.pointer, source.offset)
        rows = next((stride for stride in source.strides if stride != 1), 0)

        def begin() -> Sequence[Operand]:
            b.store("ptr", b.load("ptr", self.first), self.earlier)
            b.store("ptr", start, self.first)
            b.store("i64", 0, self.fresh)
            return ()

        b.if_else(b.equal(b.load("i64", self.fresh), 1), begin)
        unpacked, last = b.equal(b.load("i64", self.packed), 0), b.load("ptr", self.last)
        b.store("ptr", b.value(f"select i1 {unpacked}, ptr null, ptr {last}"), self.before)
        b.store("ptr", start, self.last)
        b.store("i64", 1, self.packed)
        b.store("i64", b.mul(rows, source.type.bytes), self.pitch)

    def is_known(self, e: Emitter, last: str) -> str:
        """Return, as an i1, whether a panel has been packed, or, if `last` holds, any before."""
        b = e.builder
        packed = b.equal(b.load("i64", self.packed), 1)
        begun = b.value(f"icmp ne ptr {b.load('ptr', self.first)}, null")
        return b.either(packed, b.both(last, begun))

    def following(
        self, e: Emitter, extents: Sequence[int], axis: int, block: int, last: str
    ) -> Following:
        """
        Return what is likely packed after a panel, which is behind it along K, `axis`.

        If `last` holds it is for the next program that packs any: as far from the first block of
        the last one as that is from the one before, or else behind it across K. The panel holds so
        many elements along each dimension, each block of it `block` along K.
        """
        b, bytes = e.builder, self.bytes
        across = extents[1 - axis]
        start, first, earlier = (
            b.load("ptr", place) for place in (self.last, self.first, self.earlier)
        )
        pitch = b.load("i64", self.pitch)

        def behind(pointer: str, extent: int, dimension: int) -> str:
            dense = dimension == self.along
            return b.element_pointer(
                "i8", pointer, extent * bytes if dense else b.mul(pitch, extent)
            )

        places = [b.value(f"ptrtoint ptr {place} to i64") for place in (first, earlier)]
        distant = b.value(f"getelementptr i8, ptr {first}, i64 {b.sub(*places)}")
        alone = b.value(f"icmp eq ptr {earlier}, null")
        beside = behind(first, across, 1 - axis)
        next_first = b.value(f"select i1 {alone}, ptr {beside}, ptr {distant}")
        start = b.value(f"select i1 {last}, ptr {next_first}, ptr {behind(start, block, axis)}")
        known = self.is_known(e, last)
        start = b.value(f"select i1 {known}, ptr {start}, ptr {self.last}")
        row = extents[self.along] * bytes
        bytes_of_all = extents[0] * extents[1] * bytes
        return Following(start, bytes_of_all, row, b.chosen(known, pitch, 0))

    def next_block(self, e: Emitter, extents: tuple[int, int]) -> Following:
        """
        Return the block that a loop likely loads next: as far from the last one as that is from
        the one before, or else the one behind its rows.

        `extents` are those of the product's operand.
        """
        b, bytes, row, rows = e.builder, self.bytes, extents[self.along], extents[1 - self.along]
        before, last, pitch = (
            b.load(type, place)
            for type, place in (("ptr", self.before), ("ptr", self.last), ("i64", self.pitch))
        )
        pitch = b.mul(pitch, b.load("i64", self.packed))
        first = b.value(f"icmp eq ptr {before}, null")
        places = [b.value(f"ptrtoint ptr {place} to i64") for place in (last, before)]
        distance = b.chosen(first, b.mul(pitch, rows), b.sub(*places))
        distance = b.chosen(b.equal(pitch, 0), 0, distance)
        start = b.value(f"getelementptr i8, ptr {last}, i64 {distance}")
        return Following(start, row * rows * bytes, row * bytes, pitch)


def trail_of(e: Emitter, copies: Sequence[Operation], turned: bool, lasting: str) -> Trail | None:
    """
    Return the trail of blocks of rows that `copies` fill; None if they have others.

    `turned` tells whether the product's operand has columns for their rows, and `lasting` where
    `LASTING` words are that a thread keeps.
    """
    strides = {strides_of(copy.operands[0].type) for copy in copies}
    known = strides.pop() if len(strides) == 1 else None
    if known is None or len(known) != 2 or 1 not in known:
        return None
    dense = 1 if known[1] == 1 else 0
    b = e.builder
    words = [b.element_pointer("i64", lasting, n) for n in range(LASTING)]
    words += [b.alloca(type, 1, 8) for type in ("i64", "i64", "ptr", "ptr")]
    bytes = e.type(copies[0].operands[0].type).bytes
    trail = Trail(1 - dense if turned else dense, bytes, *words)
    b.store("i64", 1, trail.fresh)
    b.store("i64", 0, trail.packed)
    e.noted.update(dict.fromkeys(copies, trail.note))
    return trail
