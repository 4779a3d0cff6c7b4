"""
Blocks of matrices that a product reads where they are.

To pack a panel takes as long as some tiles of its product, and pays where many programs read
the panel: those of a batch read each one twice, that of a single program once. So the first
programs that want a panel read its blocks in place, if they lie beside each other as they would in
the panel, and are whole; a later one packs it, see `shelves`, unless that pays on no account on
this CPU. Where rows lie far apart the CPU does not fetch them ahead, and the panel is packed at
once; as is one of a matrix whose last blocks are cut.

All this is found out while a program loads block by block:

    at the first block    note where it begins, and the pitch of its rows
    at each other one     see whether it follows there
    if one does not       copy those before it to the panel, and pack from there on
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from xdsl.ir import Operation

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import strides_of
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.values import Storage, View

USES = 2
"""So many programs read a panel in place before one packs it."""
ROWS = 11
"""Of a register tile, whose rows of A may all fall on the same lines of the first cache."""


@dataclass
class InPlace:
    """
    The blocks of a panel, `block` long along K, which is dimension `axis`.

    The code keeps on the stack whether all of a panel's blocks so far lie beside each other,
    `tried`, how many do, where the first one begins, and the elements between rows.
    """

    panel: View
    """Where they are packed."""
    axis: int
    block: int
    turned: bool
    """Whether the product reads columns where the load has rows."""
    seen: str
    """Where it says how many programs have wanted each panel."""
    tried: str
    held: str
    start: str
    pitch: str
    alone: str = "false"
    """An i1: whether a panel is certainly wanted once."""

    def forget(self, e: Emitter, slot: Operand) -> None:
        """Note that nobody has wanted the panel in a slot yet."""
        e.builder.store("i64", 0, e.builder.element_pointer("i64", self.seen, slot))

    def begin(self, e: Emitter, slot: Operand, alone: str, failed: str) -> None:
        """
        Begin the panel that is or would be in a slot, unless memory says that any has failed.

        `alone` is an i1: whether it is certainly wanted once.
        """
        b, self.alone = e.builder, alone
        few = "true"
        if e.target.packing_pays:
            seen = b.element_pointer("i64", self.seen, slot)
            times = b.load("i64", seen)
            b.store("i64", b.add(times, 1), seen)
            few = b.either(alone, b.less(times, USES))
        tried = b.both(few, b.equal(b.load("i64", failed), 0))
        tried = b.value(f"select i1 %overlap, i1 false, i1 {tried}")
        b.store("i64", b.value(f"zext i1 {tried} to i64"), self.tried)
        b.store("i64", 0, self.held)

    def is_tried(self, e: Emitter) -> str:
        """Return, as an i1, whether what has been loaded of the panel lies where it was."""
        return e.builder.equal(e.builder.load("i64", self.tried), 1)

    def keeps(self, e: Emitter, source: View) -> str:
        """Return, as an i1, whether what would be copied is a block that may stay; note it."""
        tried = self.is_tried(e)
        (stays,) = e.builder.if_else(
            tried, lambda: (self._follows(e, source),), lambda: ("false",), ["i1"]
        )
        return str(stays)

    def _follows(self, e: Emitter, source: View) -> str:
        """Return, as an i1, whether a whole block lies where the next one would; note it."""
        b = e.builder
        source = source.turned() if self.turned else source
        memory, rows = source.type.memory, self._pitch_of(source)
        first = b.element_pointer(memory, source.storage.pointer, source.offset)
        held, start, pitch = self._words(e)
        is_first = b.equal(held, 0)
        along = b.mul(b.mul(held, self.block), source.strides[self.axis])
        expected = b.element_pointer(memory, start, along)
        follows = b.both(b.value(f"icmp eq ptr {expected}, {first}"), b.equal(pitch, rows))
        stays = b.either(is_first, follows)
        stays = b.both(stays, self._is_near(e, b.mul(rows, source.type.bytes)))
        stays = b.both(stays, b.equal(b.rem(rows, self._row), 0))
        for dimension, extent in enumerate(source.sizes):
            whole = self.block if dimension == self.axis else self.panel.sizes[dimension]
            stays = b.both(stays, b.equal(extent, whole))
        b.store("ptr", b.value(f"select i1 {is_first}, ptr {first}, ptr {start}"), self.start)
        b.store("i64", rows, self.pitch)
        b.store("i64", b.add(held, b.value(f"zext i1 {stays} to i64")), self.held)
        return stays

    def settle(self, e: Emitter, step: Operand, failed: str) -> None:
        """After a block was loaded: unless all are in place, have them all in the panel."""
        b = e.builder
        held = b.load("i64", self.held)
        missing = b.value(f"xor i1 {b.equal(held, b.add(step, 1))}, true")

        def move() -> Sequence[Operand]:
            b.store("i64", 0, self.tried)
            b.store("i64", 1, failed)
            extent = b.mul(step, self.block)
            sizes = tuple(extent if d == self.axis else n for d, n in enumerate(self.panel.sizes))
            e.write(replace(self.source(e), sizes=sizes), replace(self.panel, sizes=sizes))
            return ()

        b.if_else(b.both(self.is_tried(e), missing), move)

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
        """How long rows of a block are: a matrix of other rows ends in blocks that are cut."""
        dense = self.panel.strides.index(1)
        return self.block if dense == self.axis else int(self.panel.sizes[dense])

    def _is_near(self, e: Emitter, pitch: Operand) -> str:
        """
        Return, as an i1, whether rows so many bytes apart may be read in place.

        Those along K are read line by line, and the CPU sees that if they are the only ones.
        """
        near = e.builder.less(pitch, e.target.near_bytes + 1)
        along_k = self.panel.strides[self.axis] == 1
        return e.builder.either(near, self.alone) if along_k else near


def in_place_of(
    e: Emitter,
    copies: Sequence[Operation],
    turned: bool,
    panel: View,
    axis: int,
    block: int,
    slots: int,
) -> InPlace | None:
    """
    Return how blocks are read in place that `copies` load; None if they do not lie as in `panel`.

    `turned` tells whether the product's operand has columns for their rows, and `slots` how many
    panels there are.
    """
    known = strides_of(copies[0].operands[0].type) if len(copies) == 1 else None
    if known is None or len(known) != 2:
        return None
    dense = panel.strides.index(1)
    if (known[::-1] if turned else known)[dense] != 1:
        return None
    b = e.builder
    words = [b.alloca(type, 1, 8) for type in ("i64", "i64", "ptr", "i64")]
    b.store("i64", 0, words[0])
    in_place = InPlace(panel, axis, block, turned, e.reserve(8 * slots), *words)
    e.left[copies[0]] = in_place.keeps
    return in_place
