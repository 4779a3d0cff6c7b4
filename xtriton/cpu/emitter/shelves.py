"""
Blocks of matrices that one program of a grid packs and others find.

Programs of a product read the same blocks: those in a row of the result the same of A, those in
a column the same of B. What a thread has packed into a panel stays on a shelf, with a label for
each block: everything that its content follows from but memory, which is base, offset, strides
and extents. A block whose label is there is not loaded again.

Memory must be as it was. So the shelf serves blocks of arguments alone that the kernel does not
write to, neither by that name nor, which is known when it is launched, by another; and it is
empty when a launch begins. Then a program may only find what was loaded in the same launch.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from xdsl.ir import Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import shape_of
from xtriton.cpu.emitter.block_loads import Load, comes_in_columns, is_lasting, load_of
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.extents import extent_loaded
from xtriton.cpu.emitter.in_place import InPlace
from xtriton.cpu.emitter.labels import differs, label_of, most_words
from xtriton.cpu.emitter.lookahead import LASTING, Trail, trail_of
from xtriton.cpu.emitter.memory import permuted
from xtriton.cpu.emitter.own_axes import own_axes
from xtriton.cpu.emitter.staging import StagedLoad, read_now
from xtriton.cpu.emitter.values import Tensor, View, row_major_strides
from xtriton.cpu.target import Target
from xtriton.cpu.types import Type

SHELF_BYTES = 3 << 22
"""What the panels of one operand may take: a thread's share of the last cache."""
PANELS_OF_VECTOR = 48
"""
So many panels for each vector that a register tile is wide: the wider that is, the less deep they.

A group of eight programs in rows of 2048 along K has 64 where tiles have two, and others behind.
"""
MOST_BLOCKS = 256
"""Panels of one block each, as the products are that no loop adds up."""
TURN, HIT, FILLED, MISSED, FOUND, KEPT, FAILED = range(7)
"""Words behind the tags of the panels; see `Shelf.tags`."""
STATE = 7
"""How many there are; behind them are those of a trail."""
NEAR_BYTES = 1 << 21
"""What a near cache holds; of more panels none is given up for one that is filled there."""
ADMITTED = 4
"""Of so many panels one is kept where there are more than places."""

_MIX = -7046029254386353131
"""The golden ratio in 64 bits, by which D. E. Knuth scatters keys."""

LoadNow = Callable[[Emitter, View], None]
Choose = Callable[[str], View]
"""Takes where a panel begins, and returns where the block of this step lies in it."""


@dataclass
class Packing:
    """What puts blocks of `type`, as the product reads them, into a panel of other elements."""

    type: Type
    pack: Callable[[Emitter, Tensor, View], None]
    staged: StagedLoad | None = None
    """The load, if a whole block may be read where it comes from."""


@dataclass
class Shelf:
    """The panels of one operand, and what stands on their labels."""

    load: Load
    turned: bool
    """Whether the product reads columns where the load has rows."""
    steps: int
    slots: int
    bytes: int
    """Of a panel."""
    words: int
    """Of a label."""
    panels: str
    labels: str
    tags: str
    """
    For each panel a hash of the label of its first block; behind them whose turn it is, whether
    any was found since it was that of the first, how many have been filled, how many were not
    found, whether any was found since then, whether all are kept, and whether any could not be read
    in place.
    """
    seen: str
    """The tags of as many panels as there are places, those that were filled last."""
    packing: Packing | None = None
    trail: Trail | None = None
    """Of what is packed, if its blocks come in rows."""
    load_now: LoadNow | None = None
    """What puts a block into a panel, if that is not the load itself."""
    in_place: InPlace | None = None
    """What is read where it is, if its blocks may be."""
    slot: Operand = 0
    _step: Operand = 0
    _choose: Choose | None = None

    def leave_trail(self, e: Emitter) -> None:
        """Have a trail of what is loaded, if its blocks come in rows."""
        self.trail = trail_of(e, self.load.copies, self.turned, self._word(e, STATE))

    def begin(self, e: Emitter, step: Operand, slot: Operand, choose: Choose) -> None:
        """Begin an iteration; `slot` is the panel of the one before."""
        self.slot, self._step, self._choose = slot, step, choose
        if self.load_now is not None:
            return
        e.shelved[self.load.to_tensor] = self
        e.skipped.update(self.load.ops)
        e.skipped.add(self.load.alloc)

    def extent_loaded(self, e: Emitter, axis: int) -> SSAValue | None:
        """Return how far a block is loaded along an axis of the product; see `extents`."""
        load, along = self.load, 1 - axis if self.turned else axis
        return extent_loaded(e, load.ops, load.known, load.alloc.results[0], along)

    def fetch(self, e: Emitter) -> View:
        """Return where the block lies, having loaded it unless it was there, for `to_tensor`."""
        place = self.found(e)
        if self.packing is None:
            return self._turned(place)
        # It stands for what has been packed.
        shape = shape_of(self.load.to_tensor.results[0].type)
        return View(place.storage, place.type, 0, shape, row_major_strides(shape))

    def found(self, e: Emitter) -> View:
        """Return where the block lies in its panel, having loaded it unless it was there."""
        b = e.builder
        known = label_of(e, self.load)
        label: list[Operand] = [1, *(known or ())]
        alone = "true" if known is None else self._is_alone(e)
        if known is not None:
            self.slot, *_ = b.if_else(
                b.equal(self._step, 0),
                lambda: self._begun(e, known, alone),
                lambda: (self.slot,),
                ["i64"],
            )
        assert self._choose is not None
        start = b.element_pointer("i8", self.panels, b.mul(self.slot, self.bytes))
        place = self._choose(start)
        at = self._label_place(e, self.slot, self._step)
        places = [b.element_pointer("i64", at, n) for n in range(len(label))]

        def load() -> Sequence[Operand]:
            if self.in_place is None:
                (self.load_now or self._load)(e, place)
            else:
                label[0] = self._settled(e, self.in_place, place)
            b.store("i64", label[0], places[0])
            b.if_else(self._is_in_place(e), tuple, lambda: _stored(e, label[1:], places[1:]))
            return ()

        with b.fresh_memory():
            certain = b.either(alone, self._is_in_place(e))
            (wanted,) = b.if_else(
                certain, lambda: ("true",), lambda: (differs(e, label, places),), ["i1"]
            )
            b.if_else(str(wanted), load)
        return place

    def _is_in_place(self, e: Emitter) -> str:
        """Return, as an i1, whether the blocks so far are read where they come from."""
        return "false" if self.in_place is None else self.in_place.is_tried(e)

    def _begun(self, e: Emitter, label: Sequence[Operand], alone: str) -> Sequence[Operand]:
        """
        Begin with a block that has a label; return the panel it belongs to.

        What nobody else needs goes to the first panel, which stays in a near cache. So does what
        is packed because it could not be read in place, which was not expected.
        """
        in_place, failed, spared = self.in_place, self._word(e, FAILED), alone
        if in_place is not None:
            spared = e.builder.either(alone, in_place.is_expected(e, failed))
        found = e.builder.if_else(
            spared, lambda: (self.slot,), lambda: self._found(e, label), ["i64"]
        )
        if in_place is not None:
            in_place.begin(e, found[0], alone, failed)
        return found

    def _settled(self, e: Emitter, in_place: InPlace, place: View) -> Operand:
        """Load a block; return the first word of its label: 0 if it is not in the panel."""
        b = e.builder
        in_place.load(
            *(e, self._step, self._word(e, FAILED), lambda: self._load(e, place)),
            failing=lambda: self._unlabel(e, self.slot),
        )
        tried = in_place.is_tried(e)
        if self.trail is not None:
            b.if_else(tried, partial(self.trail.forget, e))
        return b.value(f"zext i1 {b.value(f'xor i1 {tried}, true')} to i64")

    def _word(self, e: Emitter, number: int) -> str:
        """Return where a word behind the tags is."""
        return e.builder.element_pointer("i64", self.tags, self.slots + number)

    def _load(self, e: Emitter, place: View) -> None:
        """Load the block to `place`."""
        packing, ops = self.packing, [self.load.alloc, *self.load.ops]
        e.skipped.difference_update(ops)
        staged = None if packing is None else packing.staged
        if packing is None:
            e.placed[self.load.alloc] = self._turned(place)
        elif comes_in_columns(self.load):
            # The buffer lies as the source does; packing turns it in squares.
            columns, rows = shape_of(self.load.alloc.results[0].type)
            buffer = e.allocate((rows, columns), packing.type)
            e.placed[self.load.alloc] = permuted(buffer, (1, 0))
        if staged is not None:
            ops = [op for op in ops if op not in staged.deferred]
        for op in ops:
            if self.in_place is None or op not in self.in_place.fills:
                e.run(op)
            else:
                self.in_place.fill(e, op)
        if packing is not None:
            block = e.view(self.load.alloc.results[0]) if staged is None else read_now(e, staged)
            packing.pack(e, self._turned(block), place)

    def _turned(self, view: View) -> View:
        return permuted(view, (1, 0)) if self.turned else view

    def _label_place(self, e: Emitter, slot: Operand, step: Operand) -> str:
        b = e.builder
        number = b.add(b.mul(slot, self.steps), step)
        return b.element_pointer("i64", self.labels, b.mul(number, self.words))

    def _found(self, e: Emitter, label: Sequence[Operand]) -> Sequence[Operand]:
        """Return the panel that begins with a block, or the one whose turn it is to be filled."""
        b = e.builder
        tag: Operand = b.value("or i64 0, 1")
        for word in label:
            mixed = b.value(f"mul i64 {b.value(f'xor i64 {tag}, {word}')}, {_MIX}")
            tag = b.value(f"xor i64 {mixed}, {b.value(f'lshr i64 {mixed}, 32')}")
        tag = b.value(f"or i64 {tag}, 1")

        def look(slot: Operand, found: list[str]) -> Sequence[Operand]:
            other = b.load("i64", b.element_pointer("i64", self.tags, slot))
            return (b.value(f"select i1 {b.equal(other, tag)}, i64 {slot}, i64 {found[0]}"),)

        filled = b.load("i64", self._word(e, FILLED))
        found, *_ = b.loop(0, filled, 1, look, [("i64", -1)])
        return b.if_else(
            b.value(f"icmp slt i64 {found}, 0"),
            lambda: self._emptied(e, tag),
            lambda: self._hit(e, found),
            ["i64"],
        )

    def _hit(self, e: Emitter, found: Operand) -> Sequence[Operand]:
        if self.trail is not None:
            self.trail.forget(e)
        for word in (HIT, FOUND):
            e.builder.store("i64", 1, self._word(e, word))
        return (found,)

    def _emptied(self, e: Emitter, tag: Operand) -> Sequence[Operand]:
        """
        Empty the panel whose turn it is, give it a tag, and return its number.

        Once all have been filled and none found, there are more panels than places, or none that
        is needed again. Then only one in `ADMITTED` gets a place, so that others stay to be found,
        and the rest take turns in the first, which stays in a near cache. The turn is then the
        complement of the number.
        """
        b = e.builder
        turn_at, hit_at, filled_at, missed_at = (
            self._word(e, word) for word in (TURN, HIT, FILLED, MISSED)
        )
        turn, hit, missed = (b.load("i64", at) for at in (turn_at, hit_at, missed_at))
        begins = b.both(self._begins_anew(e, tag, missed), b.value(f"icmp sgt i64 {turn}, 0"))
        turn = b.chosen(begins, 0, turn)
        late = b.less(turn, 0)
        place = b.value(f"xor i64 {turn}, {b.value(f'ashr i64 {turn}, 63')}")
        passes = b.value(f"and i1 {late}, {b.value(f'icmp ne i64 {b.rem(missed, ADMITTED)}, 0')}")
        slot = b.chosen(passes, 0, place)
        following = b.add(place, 1)
        wraps = b.equal(following, self.slots)
        following = b.chosen(wraps, 0, following)
        late = b.value(f"or i1 {late}, {b.both(wraps, b.equal(hit, 0))}")
        complement = b.value(f"xor i64 {following}, -1")
        following = b.chosen(late, complement, following)
        b.store("i64", b.chosen(passes, turn, following), turn_at)
        b.store("i64", b.chosen(wraps, 0, hit), hit_at)
        b.store("i64", b.add(missed, 1), missed_at)
        b.store("i64", b.most(b.load("i64", filled_at), b.add(slot, 1)), filled_at)
        b.store("i64", tag, b.element_pointer("i64", self.tags, slot))
        if self.in_place is not None:
            self.in_place.forget(e, slot)
        self._unlabel(e, slot)
        return (slot,)

    def _unlabel(self, e: Emitter, slot: Operand) -> None:
        """Take the labels off a panel: what is there may be of an earlier launch."""

        def forget(step: Operand, _: list[str]) -> Sequence[Operand]:
            e.builder.store("i64", 0, self._label_place(e, slot, step))
            return ()

        e.builder.loop(0, self.steps, 1, forget)

    def _begins_anew(self, e: Emitter, tag: Operand, missed: Operand) -> str:
        """
        Return, as an i1, whether panels may be filled from the first on again.

        So it is when some have been found and another is wanted: likely the programs that had
        those in common have ended, and what is filled again is in a near cache. Once a panel is
        wanted that was given up, or there are more than that cache holds, all are kept.
        """
        b = e.builder
        found_at, kept_at = self._word(e, FOUND), self._word(e, KEPT)
        found = b.load("i64", found_at)
        b.store("i64", 0, found_at)

        def look(place: Operand, known: list[str]) -> Sequence[Operand]:
            other = b.load("i64", b.element_pointer("i64", self.seen, place))
            return (b.chosen(b.equal(other, tag), 1, known[0]),)

        def begins() -> Sequence[Operand]:
            kept = b.load("i64", kept_at)
            kept, *_ = b.loop(0, b.least(missed, self.slots), 1, look, [("i64", kept)])
            b.store("i64", kept, kept_at)
            few = b.less(missed, max(NEAR_BYTES // self.bytes, 1))
            return (b.both(few, b.equal(kept, 0)),)

        again, *_ = b.if_else(b.equal(found, 1), begins, lambda: ("false",), ["i1"])
        b.store("i64", tag, b.element_pointer("i64", self.seen, b.rem(missed, self.slots)))
        return str(again)

    def _is_alone(self, e: Emitter) -> str:
        """Return, as an i1, whether no block is loaded here again in a launch."""
        loop = self.load.alloc.parent_op()
        if loop is None or e.kernel is None or loop.parent_op() is not e.kernel:
            return "false"
        b, own = e.builder, own_axes(self.load, e.kernel)
        programs: Operand = 1
        for axis, extent in enumerate(e.programs):
            if axis not in own:
                programs = b.value(f"mul i32 {programs}, {extent}")
        return b.value(f"icmp eq i32 {programs}, 1")


def most_panels(target: Target) -> int:
    """Return how many panels a shelf has at most."""
    return PANELS_OF_VECTOR * target.tile_vectors


def _stored(e: Emitter, words: Sequence[Operand], places: Sequence[str]) -> Sequence[Operand]:
    for word, place in zip(words, places, strict=True):
        e.builder.store("i64", word, place)
    return ()


def shelf_for(
    e: Emitter,
    op: Operation,
    number: int,
    turned: bool,
    steps: int,
    panel: View,
    packing: Packing | None,
    ahead: bool,
) -> Shelf | None:
    """
    Return a shelf for operand `number` of a product, of panels like `panel`, if it may be.

    With `ahead` it has a trail.
    """
    load = lasting_load(e, op, number)
    loaded = panel.type if packing is None else packing.type
    if load is None or e.type(load.to_tensor.results[0].type) != loaded:
        return None
    shelf = Shelf(load, turned, steps, *_reserved(e, load, steps, panel), packing)
    staged = e.staged.pop(load.to_tensor, None)
    if packing is not None:
        packing.staged = staged
    e.skipped.difference_update(load.ops)
    e.skipped.discard(load.alloc)
    if ahead:
        shelf.leave_trail(e)
    return shelf


def lasting_load(e: Emitter, op: Operation, number: int, *, shared: bool = False) -> Load | None:
    """Return the load of an operand of which memory stays as it is; maybe `shared` by others."""
    load = load_of(op, op.operands[number], shared=shared)
    if load is None or e.checked or e.foreign_memory or not is_lasting(e, load):
        return None
    return load


def shelf_of_copies(
    e: Emitter, load: Load, panel: View, load_now: LoadNow, steps: int = 1
) -> Shelf:
    """Return a shelf for what `load_now` makes of blocks that are loaded for others as well."""
    return Shelf(load, False, steps, *_reserved(e, load, steps, panel), load_now=load_now)


def _reserved(
    e: Emitter, load: Load, steps: int, panel: View
) -> tuple[int, int, int, str, str, str, str]:
    """Return what a shelf for panels like `panel` has, and how much of it."""
    bytes = panel.bytes
    slots = min(max(SHELF_BYTES // bytes, 1), most_panels(e.target) if steps > 1 else MOST_BLOCKS)
    words = 1 + sum(most_words(value) for value in load.known)
    state = 8 * (slots + STATE + LASTING)
    e.cleared.append((e.arena_bytes, state))
    tags = e.reserve(state)
    seen = e.reserve(8 * slots)
    labels = e.reserve(8 * slots * steps * words)
    panels = e.reserve(slots * bytes)
    return slots, bytes, words, panels, labels, tags, seen
