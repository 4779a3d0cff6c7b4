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

from xdsl.ir import Block, Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import shape_of, strides_of
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.extents import extent_loaded
from xtriton.cpu.emitter.hazards import (
    argument_of,
    is_memref,
    is_written_between,
    root_of,
    stored_arguments,
)
from xtriton.cpu.emitter.liveness import ancestor_in
from xtriton.cpu.emitter.memory import permuted
from xtriton.cpu.emitter.staging import StagedLoad, read_now
from xtriton.cpu.emitter.values import ANY_ARGUMENT, Lazy, Tensor, View, row_major_strides
from xtriton.cpu.types import Type

SHELF_BYTES = 1 << 23
"""What the panels of one operand may take: a thread's share of the last cache."""
MOST_PANELS = 64
STATE = 4
"""Words behind the tags of the panels."""
ADMITTED = 4
"""Of so many panels one is kept where there are more than places."""

_WRITING = ("memref.copy", "linalg.fill")
_LOADING = (*_WRITING, "memref.subview", "memref.reinterpret_cast", "memref.cast")
_CONTROL = (
    "scf.if",
    "scf.for",
    "scf.yield",
    "linalg.yield",
    "affine.apply",
    "affine.min",
    "affine.max",
)
_MIX = -7046029254386353131
"""The golden ratio in 64 bits, by which D. E. Knuth scatters keys."""

Choose = Callable[[str], View]
"""Takes where a panel begins, and returns where the block of this step lies in it."""


@dataclass
class Load:
    """The ops that load a block into a buffer, and what they need to know."""

    alloc: Operation
    to_tensor: Operation
    ops: list[Operation]
    known: list[SSAValue]


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
    any was found since it was that of the first, how many have been filled, and how many were not
    found.
    """
    packing: Packing | None = None
    slot: Operand = 0
    _step: Operand = 0
    _choose: Choose | None = None

    def begin(self, e: Emitter, step: Operand, slot: Operand, choose: Choose) -> None:
        """Begin an iteration; `slot` is the panel of the one before."""
        self.slot, self._step, self._choose = slot, step, choose
        e.shelved[self.load.to_tensor] = self
        e.skipped.update(self.load.ops)
        e.skipped.add(self.load.alloc)

    def extent_loaded(self, e: Emitter, axis: int) -> SSAValue | None:
        """Return how far a block is loaded along an axis of the product; see `extents`."""
        load, along = self.load, 1 - axis if self.turned else axis
        return extent_loaded(e, load.ops, load.known, load.alloc.results[0], along)

    def fetch(self, e: Emitter) -> View:
        """Return where the block lies, having loaded it unless it was there."""
        b = e.builder
        known = _label(e, self.load)
        label: list[Operand] = [1, *(known or ())]
        if known is not None:
            first = b.equal(self._step, 0)
            self.slot, *_ = b.if_else(
                first, lambda: self._found(e, known), lambda: (self.slot,), ["i64"]
            )
        assert self._choose is not None
        start = b.element_pointer("i8", self.panels, b.mul(self.slot, self.bytes))
        place = self._choose(start)
        if self.packing is None:
            e.placed[self.load.alloc] = self._turned(place)
        at = self._label_place(e, self.slot, self._step)
        places = [b.element_pointer("i64", at, n) for n in range(len(label))]

        def load() -> Sequence[Operand]:
            self._load(e, place)
            for word, where in zip(label, places, strict=True):
                b.store("i64", word, where)
            return ()

        with b.fresh_memory():
            b.if_else("true" if known is None else _differs(e, label, places), load)
        if self.packing is None:
            return e.placed[self.load.alloc]
        # It stands for what has been packed.
        shape = shape_of(self.load.to_tensor.results[0].type)
        return View(place.storage, place.type, 0, shape, row_major_strides(shape))

    def _load(self, e: Emitter, place: View) -> None:
        """Load the block to `place`."""
        packing, ops = self.packing, [self.load.alloc, *self.load.ops]
        e.skipped.difference_update(ops)
        staged = None if packing is None else packing.staged
        if packing is not None and _comes_in_columns(self.load):
            # The buffer lies as the source does; packing turns it in squares.
            columns, rows = shape_of(self.load.alloc.results[0].type)
            buffer = e.allocate((rows, columns), packing.type)
            e.placed[self.load.alloc], staged = permuted(buffer, (1, 0)), None
        if staged is not None:
            ops = [op for op in ops if op not in staged.deferred]
        for op in ops:
            e.run(op)
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

        filled = b.load("i64", b.element_pointer("i64", self.tags, self.slots + 2))
        found, *_ = b.loop(0, filled, 1, look, [("i64", -1)])
        return b.if_else(
            b.value(f"icmp slt i64 {found}, 0"),
            lambda: self._emptied(e, tag),
            lambda: self._hit(e, found),
            ["i64"],
        )

    def _hit(self, e: Emitter, found: Operand) -> Sequence[Operand]:
        e.builder.store("i64", 1, e.builder.element_pointer("i64", self.tags, self.slots + 1))
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
            b.element_pointer("i64", self.tags, self.slots + word) for word in range(4)
        )
        turn, hit, missed = (b.load("i64", at) for at in (turn_at, hit_at, missed_at))
        late = b.value(f"icmp slt i64 {turn}, 0")
        late = b.value(f"or i1 {late}, {self._is_alone(e)}")
        place = b.value(f"xor i64 {turn}, {b.value(f'ashr i64 {turn}, 63')}")
        passes = b.value(f"and i1 {late}, {b.value(f'icmp ne i64 {b.rem(missed, ADMITTED)}, 0')}")
        slot = b.value(f"select i1 {passes}, i64 0, i64 {place}")
        following = b.add(place, 1)
        wraps = b.equal(following, self.slots)
        following = b.value(f"select i1 {wraps}, i64 0, i64 {following}")
        late = b.value(f"or i1 {late}, {b.both(wraps, b.equal(hit, 0))}")
        complement = b.value(f"xor i64 {following}, -1")
        following = b.value(f"select i1 {late}, i64 {complement}, i64 {following}")
        b.store("i64", b.value(f"select i1 {passes}, i64 {turn}, i64 {following}"), turn_at)
        b.store("i64", b.value(f"select i1 {wraps}, i64 0, i64 {hit}"), hit_at)
        b.store("i64", b.add(missed, 1), missed_at)
        filled: list[tuple[str, Operand]] = [
            ("i64", b.load("i64", filled_at)),
            ("i64", b.add(slot, 1)),
        ]
        b.store("i64", b.call("i64", "llvm.smax.i64", filled), filled_at)
        b.store("i64", tag, b.element_pointer("i64", self.tags, slot))

        def forget(step: Operand, _: list[str]) -> Sequence[Operand]:
            b.store("i64", 0, self._label_place(e, slot, step))
            return ()

        b.loop(0, self.steps, 1, forget)
        return (slot,)

    def _is_alone(self, e: Emitter) -> str:
        """Return, as an i1, whether the only program of a launch comes here once."""
        loop = self.load.alloc.parent_op()
        if loop is None or loop.parent_op() is not e.kernel:
            return "false"
        b = e.builder
        programs = e.programs[0]
        for extent in e.programs[1:]:
            programs = b.value(f"mul i32 {programs}, {extent}")
        return b.value(f"icmp eq i32 {programs}, 1")


def shelf_for(
    e: Emitter,
    op: Operation,
    number: int,
    turned: bool,
    steps: int,
    panel: View,
    packing: Packing | None,
) -> Shelf | None:
    """Return a shelf for operand `number` of a product, of panels like `panel`, if it may be."""
    load = _load_of(op, op.operands[number])
    if load is None or e.checked or e.foreign_memory or not _is_lasting(e, load):
        return None
    loaded = panel.type if packing is None else packing.type
    if e.type(load.to_tensor.results[0].type) != loaded:
        return None
    bytes = bytes_of(panel)
    slots = min(max(SHELF_BYTES // bytes, 1), MOST_PANELS)
    words = 1 + sum(_most_words(value) for value in load.known)
    e.cleared.append((e.arena_bytes, 8 * (slots + STATE)))
    tags = e.reserve(8 * (slots + STATE))
    labels = e.reserve(8 * slots * steps * words)
    panels = e.reserve(slots * bytes)
    staged = e.staged.pop(load.to_tensor, None)
    if packing is not None:
        packing.staged = staged
    e.skipped.difference_update(load.ops)
    e.skipped.discard(load.alloc)
    return Shelf(load, turned, steps, slots, bytes, words, panels, labels, tags, packing)


def bytes_of(panel: View) -> int:
    """Return the size of a panel, the ends of its rows included."""
    extents = zip(panel.sizes, panel.strides, strict=True)
    return max(int(size) * int(stride) for size, stride in extents) * panel.type.bytes


def is_turned(value: SSAValue) -> bool:
    """Return whether a value is the transpose of another."""
    return isinstance(value.owner, Operation) and value.owner.name == "linalg.transpose"


# --- what is loaded ---------------------------------------------------------------------


def _load_of(product: Operation, value: SSAValue) -> Load | None:
    """Return how a block is loaded that is loaded for a product alone."""
    buffer, block = value.owner, product.parent_block()
    if isinstance(buffer, Operation) and is_turned(value) and value.has_one_use():
        value = buffer.operands[0]
        buffer = value.owner
    if not isinstance(buffer, Operation) or buffer.name != "bufferization.to_tensor":
        return None
    alloc = buffer.operands[0].owner
    if not isinstance(alloc, Operation) or alloc.name != "memref.alloc":
        return None
    alike = alloc.parent_block() is block and buffer.parent_block() is block
    if block is None or not alike or not value.has_one_use():
        return None
    ops = _filling(alloc, buffer, block)
    return None if ops is None else Load(alloc, buffer, ops, _known(ops, alloc, block))


def _filling(alloc: Operation, buffer: Operation, block: Block) -> list[Operation] | None:
    """Return the ops of a block that fill a buffer, in order; None if they do more than that."""
    found: set[Operation] = set()
    pending = [alloc.results[0]]
    while pending:
        for use in pending.pop().uses:
            user, above = use.operation, ancestor_in(use.operation, block)
            if user is buffer:
                continue
            if above is None or (above is not user and above.results):
                return None
            found.add(above)
            pending += user.results
    inner = [op for above in found for op in above.walk()]
    if not all(_only_loads(op, alloc) for op in inner):
        return None
    ordered = [op for op in block.ops if op in found or op is buffer]
    return ordered[:-1] if ordered[-1] is buffer else None


def _only_loads(op: Operation, alloc: Operation) -> bool:
    """Return whether an op does nothing but load into a buffer, or belongs to that."""
    if op.name in _WRITING:
        return root_of(op.operands[1]) is alloc.results[0]
    return op.name in _LOADING or op.name in _CONTROL or op.name.startswith("arith.")


def _known(ops: Sequence[Operation], alloc: Operation, block: Block) -> list[SSAValue]:
    """Return the values from elsewhere that ops use."""
    found: dict[SSAValue, None] = {}
    for op in ops:
        for inner in op.walk():
            for value in inner.operands:
                owner = value.owner.parent_op() if isinstance(value.owner, Block) else value.owner
                if value is alloc.results[0] or ancestor_in(owner, block) in ops:
                    continue
                found[value] = None
    return list(found)


def _comes_in_columns(load: Load) -> bool:
    """Return whether all that is copied into a buffer is contiguous along its first dimension."""
    copies = [inner for op in load.ops for inner in op.walk() if inner.name == "memref.copy"]
    strides = [strides_of(copy.operands[0].type) for copy in copies]
    return bool(copies) and all(
        s is not None and len(s) == 2 and s[0] == 1 != s[1] for s in strides
    )


def _is_lasting(e: Emitter, load: Load) -> bool:
    """Return whether a block is of arguments that the kernel does not write to by their names."""
    stored = stored_arguments(e) | {ANY_ARGUMENT}
    sources = [value for value in load.known if is_memref(value)]
    return (
        ANY_ARGUMENT not in stored_arguments(e)
        and not any(argument_of(e, value) in stored for value in sources)
        and not is_written_between(e, load.alloc, load.to_tensor)
    )


# --- labels -----------------------------------------------------------------------------


def _most_words(value: SSAValue) -> int:
    """Return how many words of a label a value may take."""
    shape = getattr(value.type, "get_shape", None)
    return 2 if shape is None else 2 + 2 * len(shape_of(value.type))


def _label(e: Emitter, load: Load) -> list[Operand] | None:
    """Return what the content of a block follows from, or None if that may change."""
    found: dict[str, Operand] = {}
    for value in load.known:
        meaning = e.environment.get(value)
        if isinstance(meaning, View):
            parts = [(part, "i64") for part in (meaning.offset, *meaning.sizes, *meaning.strides)]
            parts.append((meaning.storage.pointer, "ptr"))
        elif meaning is None or isinstance(meaning, Lazy):
            return None
        else:
            parts = [(meaning, e.type(value.type).register)]
        for part, type in parts:
            if not isinstance(part, str) or not part.startswith("%") or part in found:
                continue
            if (word := _word(e, part, type)) is None:
                return None
            found[part] = word
    return list(found.values())


def _word(e: Emitter, register: str, type: str) -> Operand | None:
    """Return the bits of a register as an i64; None if it is of no such type."""
    if type == "i64":
        return register
    if type == "ptr":
        return e.builder.value(f"ptrtoint ptr {register} to i64")
    if type.startswith("i"):
        return e.builder.value(f"zext {type} {register} to i64") if int(type[1:]) < 64 else None
    bits = {"float": "i32", "double": "i64"}.get(type)
    if bits is None:
        return None
    whole = e.builder.value(f"bitcast {type} {register} to {bits}")
    return _word(e, whole, bits)


def _differs(e: Emitter, label: Sequence[Operand], places: Sequence[str]) -> str:
    """Return, as an i1, whether memory holds another label, or may have changed since."""
    b = e.builder
    difference: Operand = b.value("zext i1 %overlap to i64")
    for word, place in zip(label, places, strict=True):
        other = b.value(f"xor i64 {b.load('i64', place)}, {word}")
        difference = b.value(f"or i64 {difference}, {other}")
    return b.value(f"icmp ne i64 {difference}, 0")
