"""
Blocks of matrices that a product reads where they are.

To pack a panel takes as long as some tiles of its product, and pays where many programs read
the panel: those of a batch read each one twice, that of a single program once. So the first
programs that want a panel read its blocks in place, if they lie beside each other as they would in
the panel; a later one packs it, see `shelves`, unless that pays on no account on this CPU. Where
rows lie far apart the CPU does not fetch them ahead, and the panel is packed at once.

A block may end where the matrix does, if it has all rows and columns of which somebody reads the
sums: tiles read no others. What is loaded from elsewhere instead of those behind the end, as a
remainder has it, is not loaded then. Along K only the last block may end, if it does so in both
operands: what would come behind is zeros.

All this is found out while a program loads block by block:

    at the first block    note where it begins, and the pitch of its rows
    at each other one     see whether it follows there
    if one does not       copy those before it to the panel, and load it again, to the panel
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from xdsl.ir import Operation

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import operand_groups, strides_of
from xtriton.cpu.emitter.block_loads import Load
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.lookahead import LINE
from xtriton.cpu.emitter.memory import mixed
from xtriton.cpu.emitter.staging import fill_with
from xtriton.cpu.emitter.values import Storage, View
from xtriton.ir.attributes import integers

USES = 2
"""So many programs read a panel in place before one packs it."""
FEW = 512
"""Bytes between rows that may be read in place wherever they begin."""
ROWS = 11
"""Of a register tile, whose rows of A may all fall on the same lines of the first cache."""


@dataclass
class InPlace:
    """
    The blocks of a panel, `block` long along K, which is dimension `axis`.

    The code keeps on the stack whether all of a panel's blocks so far lie beside each other,
    `tried`, how many do, how far they reach along K, where the first one begins and the next one
    would, null if there is none, and the elements between rows.
    """

    panel: View
    """Where they are packed."""
    axis: int
    block: int
    turned: bool
    """Whether the product reads columns where the load has rows."""
    copy: Operation
    """What loads a block, or a piece of one at a time."""
    fills: Sequence[Operation]
    """What puts zeros or the like around it before."""
    seen: str
    """Where it says how many programs have wanted each panel."""
    tried: str
    held: str
    reach: str
    pitch: str
    start: str
    following: str
    alone: str = "false"
    """An i1: whether a panel is certainly wanted once."""
    granule: int = 0
    """A block that ends along K ends behind a multiple of it; there is none if that is 0."""
    needed: Operand | None = None
    """How much of each block there has to be across K; None if all of it."""

    def forget(self, e: Emitter, slot: Operand) -> None:
        """Note that nobody has wanted the panel in a slot yet."""
        e.builder.store("i64", 0, e.builder.element_pointer("i64", self.seen, slot))

    def is_expected(self, e: Emitter, failed: str) -> str:
        """Return, as an i1, whether a panel is read in place whoever has wanted it before."""
        return "false" if e.target.packing_pays else self._is_possible(e, failed)

    def _is_possible(self, e: Emitter, failed: str) -> str:
        """Return, as an i1, whether no panel has failed, as memory says, nor arguments overlap."""
        none = e.builder.equal(e.builder.load("i64", failed), 0)
        return e.builder.value(f"select i1 %overlap, i1 false, i1 {none}")

    def begin(self, e: Emitter, slot: Operand, alone: str, failed: str) -> None:
        """
        Begin the panel that is or would be in a slot, unless memory says that any has failed.

        `alone` is an i1: whether it is certainly wanted once.
        """
        b, self.alone = e.builder, alone
        tried = self._is_possible(e, failed)
        if e.target.packing_pays:
            seen = b.element_pointer("i64", self.seen, slot)
            times = b.load("i64", seen)
            b.store("i64", b.add(times, 1), seen)
            tried = b.both(b.either(alone, b.less(times, USES)), tried)
        b.store("i64", b.value(f"zext i1 {tried} to i64"), self.tried)
        for word in (self.held, self.reach):
            b.store("i64", 0, word)

    def is_tried(self, e: Emitter) -> str:
        """Return, as an i1, whether what has been loaded of the panel lies where it was."""
        return e.builder.equal(e.builder.load("i64", self.tried), 1)

    def fill(self, e: Emitter, op: Operation) -> None:
        """Fill the place of a block in the panel, unless it is tried to leave it where it is."""

        def run() -> Sequence[Operand]:
            e.run(op)
            return ()

        e.builder.if_else(self.is_tried(e), tuple, run)

    def keeps(self, e: Emitter, source: View) -> str:
        """
        Return, as an i1, whether a piece of a block is not copied, and see whether it may stay.

        Pieces come in order: those behind the first one are not needed if that is enough.
        """
        b, window, tried = e.builder, self.copy.operands[1].owner, self.is_tried(e)
        starts: list[Operand] = [0, 0]
        if isinstance(window, Operation) and window.name == "memref.subview":
            starts = mixed(e, integers(window, "static_offsets"), operand_groups(window)[1])
        begins = b.both(*(b.equal(start, 0) for start in starts))
        b.if_else(b.both(tried, begins), lambda: self._see(e, source))
        return tried

    def _see(self, e: Emitter, source: View) -> Sequence[Operand]:
        """See whether a block lies where the next one would, and note it."""
        b = e.builder
        source = source.turned() if self.turned else source
        memory, rows = source.type.memory, self._pitch_of(source)
        first = b.element_pointer(memory, source.storage.pointer, source.offset)
        held, start, pitch = self._words(e)
        is_first = b.equal(held, 0)
        expected = b.load("ptr", self.following)
        follows = b.both(b.value(f"icmp eq ptr {expected}, {first}"), b.equal(pitch, rows))
        extent = source.sizes[self.axis]
        is_whole = b.equal(extent, self.block)
        stays = b.both(b.either(is_first, follows), self._has_all(e, source))
        stays = b.both(stays, self.may_stay(e, extent))
        stays = b.both(stays, self._is_near(e, b.mul(rows, source.type.bytes)))
        stays = b.both(stays, b.equal(b.rem(rows, self._row), 0))
        behind = b.element_pointer(memory, first, b.mul(self.block, source.strides[self.axis]))

        def note() -> Sequence[Operand]:
            b.store("ptr", b.value(f"select i1 {is_first}, ptr {first}, ptr {start}"), self.start)
            b.store("ptr", b.value(f"select i1 {is_whole}, ptr {behind}, ptr null"), self.following)
            b.store("i64", rows, self.pitch)
            b.store("i64", b.add(b.mul(held, self.block), extent), self.reach)
            b.store("i64", b.add(held, 1), self.held)
            return ()

        b.if_else(stays, note)
        return ()

    def _has_all(self, e: Emitter, source: View) -> str:
        """Return, as an i1, whether a block has all that is needed across K."""
        across = 1 - self.axis
        if self.needed is None:
            return e.builder.equal(source.sizes[across], self.panel.sizes[across])
        return e.builder.less(e.builder.sub(self.needed, 1), source.sizes[across])

    def may_stay(self, e: Emitter, extent: Operand) -> str:
        """Return, as an i1, whether a block is whole along K, or may end there as the last one."""
        b = e.builder
        is_whole = b.equal(extent, self.block)
        if self.granule == 0:
            return is_whole
        ends = b.both(b.less(0, extent), b.equal(b.rem(extent, self.granule), 0))
        return b.either(is_whole, ends)

    def is_next(self, e: Emitter, distance: Operand) -> str:
        """Return, as an i1, whether the next block begins so many elements behind the first."""
        b = e.builder
        place = b.element_pointer(self.panel.type.memory, b.load("ptr", self.start), distance)
        return b.value(f"icmp eq ptr {b.load('ptr', self.following)}, {place}")

    def load(
        self,
        e: Emitter,
        step: Operand,
        failed: str,
        load: Callable[[], None],
        *,
        failing: Callable[[], None],
    ) -> None:
        """
        Have a block loaded: unless all are in place then, again, and all into the panel.

        Before they go there `failing` is done: what labels say of the panel's place does not hold,
        as it was not going to be packed.
        """
        b, again, done = e.builder, e.builder.name("again"), e.builder.name("done")
        b.branch(again)
        b.block(again)
        load()
        missing = b.value(f"xor i1 {b.equal(b.load('i64', self.held), b.add(step, 1))}, true")
        missing = b.both(self.is_tried(e), missing)

        def move() -> Sequence[Operand]:
            b.store("i64", 0, self.tried)
            b.store("i64", 1, failed)
            failing()
            extent = b.mul(step, self.block)
            reach = b.least(b.load("i64", self.reach), extent)
            sizes = self._sizes(reach)
            e.write(replace(self.source(e), sizes=sizes), replace(self.panel, sizes=sizes))
            if self.granule:
                offset = b.mul(reach, self.panel.strides[self.axis])
                behind = self._sizes(b.sub(extent, reach))
                fill_with(e, self.panel.type.zero, replace(self.panel, offset=offset, sizes=behind))
            return ()

        b.if_else(missing, move)
        b.emit(f"br i1 {missing}, label %{again}, label %{done}")
        b.block(done)

    def _sizes(self, extent: Operand) -> tuple[Operand, ...]:
        """Return the sizes of what is needed of a panel, so long along K."""
        across = self.panel.sizes[1 - self.axis] if self.needed is None else self.needed
        return (across, extent) if self.axis == 1 else (extent, across)

    def source(self, e: Emitter) -> View:
        """Return the panel in place."""
        _, start, pitch = self._words(e)
        strides = tuple(1 if stride == 1 else pitch for stride in self.panel.strides)
        return replace(self.panel, storage=Storage(start, writable=False), strides=strides)

    def chosen(self, e: Emitter) -> View:
        """Return the panel in place if it is there, else the packed one."""
        b, tried, source = e.builder, self.is_tried(e), self.source(e)
        pointers = source.storage.pointer, self.panel.storage.pointer
        start = b.value(f"select i1 {tried}, ptr {pointers[0]}, ptr {pointers[1]}")
        pairs = zip(source.strides, self.panel.strides, strict=True)
        strides = tuple(1 if 1 in pair else b.chosen(tried, *pair) for pair in pairs)
        return replace(source, storage=Storage(start, writable=False), strides=strides)

    def _words(self, e: Emitter) -> tuple[str, str, str]:
        b = e.builder
        return b.load("i64", self.held), b.load("ptr", self.start), b.load("i64", self.pitch)

    def _pitch_of(self, source: View) -> Operand:
        return source.strides[1 - self.panel.strides.index(1)]

    @property
    def _row(self) -> int:
        """What rows of a matrix are a multiple of that does not end in a block that is cut off."""
        dense = self.panel.strides.index(1)
        if dense == self.axis:
            return self.granule or self.block
        return int(self.panel.sizes[dense]) if self.needed is None else 1

    def _is_near(self, e: Emitter, pitch: Operand) -> str:
        """
        Return, as an i1, whether rows so many bytes apart may be read in place.

        Those along K are read line by line, and the CPU sees that if they are the only ones.
        """
        target = e.target
        if self.panel.strides[self.axis] == 1:
            near = e.builder.less(pitch, target.near_bytes_along + 1)
            return e.builder.either(near, self.alone)
        b, near = e.builder, e.builder.less(pitch, target.near_bytes + 1)
        if target.loads_across_lines or target.least_bits // 8 < LINE:
            return near
        # A vector that is no line of its own is part of two, which is slower; few of a short row.
        return b.both(near, b.either(b.less(pitch, FEW + 1), b.equal(b.rem(pitch, LINE), 0)))


def in_place_of(
    e: Emitter, load: Load, turned: bool, panel: View, axis: int, block: int, slots: int
) -> InPlace | None:
    """
    Return how blocks are read in place that a load brings; None if they do not lie as in `panel`.

    `turned` tells whether the product's operand has columns for their rows, and `slots` how many
    panels there are.
    """
    copies = load.copies
    known = strides_of(copies[0].operands[0].type) if len(copies) == 1 else None
    if known is None or len(known) != 2:
        return None
    dense = panel.strides.index(1)
    if (known[::-1] if turned else known)[dense] != 1:
        return None
    b = e.builder
    tried, held, reach, pitch = (b.alloca("i64", 1, 8) for _ in range(4))
    start, following = (b.alloca("ptr", 1, 8) for _ in range(2))
    b.store("i64", 0, tried)
    fills = [op for op in load.ops if _only_fills(op)]
    words = (e.reserve(8 * slots), tried, held, reach, pitch, start, following)
    in_place = InPlace(panel, axis, block, turned, copies[0], fills, *words)
    e.left[copies[0]] = in_place.keeps
    return in_place


def _only_fills(op: Operation) -> bool:
    names = {inner.name for inner in op.walk()}
    return "linalg.fill" in names and "memref.copy" not in names
