"""
Products that a loop adds up, multiplied several steps at a time.

A loop over K that does no more with its accumulator than to add the product of two blocks
would load and store the accumulator in each step:

    for k in range(steps):
        c += a[:, k] @ b[k, :]

Instead the blocks of several steps are put side by side into panels, and the product of the
panels is added once they are full or the loop ends. The sums are the same, in the same order;
accumulators stay in registers longer. Blocks that are loaded from memory are loaded into
the panels, unless `shelves` has them from another program. Panels of narrow numbers that the CPU
has a unit for are packed as `units` says.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import gcd

from xdsl.ir import Block, Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter import pointed
from xtriton.cpu.emitter.access import single_block, terminator
from xtriton.cpu.emitter.block_loads import is_turned
from xtriton.cpu.emitter.casts import convert_float
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.in_place import ROWS as IN_PLACE_ROWS, InPlace, in_place_of
from xtriton.cpu.emitter.last_columns import multiply_last_columns
from xtriton.cpu.emitter.lookahead import Following
from xtriton.cpu.emitter.matmul import (
    NAMES,
    Pack,
    converted,
    gather,
    operand_of,
    product_shapes,
    transposed,
)
from xtriton.cpu.emitter.memory import permuted
from xtriton.cpu.emitter.narrowing import LANES
from xtriton.cpu.emitter.pointed import Pointed
from xtriton.cpu.emitter.row_loads import waiting_rows
from xtriton.cpu.emitter.shelves import (
    Packing,
    Shelf,
    lasting_load,
    shelf_for,
    shelf_of_copies,
)
from xtriton.cpu.emitter.staging import fill_with
from xtriton.cpu.emitter.tiles import (
    MOST_ROWS,
    STEPS,
    Ends,
    Rounded,
    Sums,
    can_mask,
    chosen,
    multiply_tiles,
    padded,
    steps_that_ask,
)
from xtriton.cpu.emitter.units import TileProduct, UnitProduct, unit_product
from xtriton.cpu.emitter.values import Storage, Tensor, View
from xtriton.cpu.target import Target
from xtriton.cpu.types import F32, Type

LEAST_PRODUCTS = 64
"""Of each number of a block with others, from which on it pays to ask for blocks in place."""
STRIP = 512
"""Vectors of B that a panel has for a register tile: they and rows of A fit the first cache."""


@dataclass
class Panel:
    """The blocks of one operand side by side along `axis`, which is K."""

    view: View
    axis: int
    block: int
    """The extent of a block along K."""
    shelf: Shelf | None = None
    """Where several panels are kept, if they are; `view` is then the one of this iteration."""
    per_word: int = 1
    """How many elements along K each of the view holds, which are words for a unit."""
    loaded: SSAValue | None = None
    """How far along K the block of an iteration is loaded, with zeros behind, if it may be cut."""
    pointed: Pointed | None = None
    """The pointers to the rows of the blocks, if these may lie elsewhere."""

    def window(self, e: Emitter, step: Operand) -> View:
        """Return where the block of a step lies."""
        b, view = e.builder, self.view
        offset = b.mul(b.mul(step, self.block), view.strides[self.axis])
        sizes = tuple(self.block if d == self.axis else n for d, n in enumerate(view.sizes))
        row = self.block if view.strides[self.axis] == 1 else view.storage.row
        rows = None if self.pointed is None else self.pointed.of_block(e, step)
        storage = Storage(view.storage.pointer, writable=False, row=row, rows=rows)
        return View(storage, view.type, offset, sizes, view.strides)

    def begin(self, e: Emitter, op: Operation, number: int, step: Operand, slot: Operand) -> None:
        """Say where operand `number` of `op` goes in an iteration."""
        shelf = self.shelf
        if shelf is None:
            e.panels[op, number] = self.window(e, step)
            return

        def choose(pointer: str) -> View:
            self.lie_in(pointer)
            if shelf.in_place is not None:
                shelf.in_place.panel = self.view
            place = e.panels[op, number] = self.window(e, step)
            return place

        shelf.begin(e, step, slot, choose)
        if shelf.load_now is not None:
            # Where that is follows when the product asks for the block.
            e.kept[op, number], e.panels[op, number] = shelf, self.view

    def following(self, e: Emitter, last: str) -> list[Following]:
        """Return what is read after this panel, behind all others if `last` holds."""
        if self.shelf is None:
            return []
        bytes, pointer = self.view.bytes, self.view.storage.pointer
        behind = Following(e.builder.element_pointer("i8", pointer, bytes), bytes)
        if self.shelf.trail is None:
            return [behind]
        extents = [int(n) for n in self.view.sizes]
        extents[self.axis] *= self.per_word
        block = self.block * self.per_word
        return [behind, self.shelf.trail.following(e, extents, self.axis, block, last)]

    def following_there(self, e: Emitter, place: View, depth: Operand, last: str) -> Following:
        """
        Return what is read after this panel, whose blocks lie at `place`, so far along K.

        If it is in place that is what is behind it along K; of rows along K, if `last` holds, the
        next ones. Else it is what is likely packed next, or the panel behind.
        """
        b, view, bytes = e.builder, self.view, self.view.type.bytes
        dense = view.strides.index(1)
        row, pitch = int(view.sizes[dense]) * bytes, int(view.strides[1 - dense]) * bytes
        behind = Following(b.element_pointer("i8", view.storage.pointer, view.bytes), 0, row, pitch)
        trail = None if self.shelf is None else self.shelf.trail
        if trail is not None and trail.along == dense:
            extents = [int(n) for n in view.sizes]
            packed = trail.following(e, extents, self.axis, self.block, last)
            behind = packed.or_else(e, behind, trail.is_known(e, last))
        along = b.mul(place.strides[self.axis], depth)
        if dense == self.axis:
            # A matrix without gaps has its next rows there.
            rows = b.mul(place.strides[1 - dense], int(view.sizes[1 - dense]) - 1)
            along = b.add(along, b.chosen(last, rows, 0))
        next_place = b.element_pointer(view.type.memory, place.storage.pointer, along)
        all_rows, between = row * int(view.sizes[1 - dense]), b.mul(place.strides[1 - dense], bytes)
        there = Following(next_place, all_rows, row, between)
        return there.or_else(e, behind, self.is_in_place(e))

    def read_in_place(self, e: Emitter, turned: bool) -> None:
        """Have what is on the shelf read where it comes from as long as that is better."""
        shelf = self.shelf
        if shelf is None or shelf.packing is not None or shelf.load_now is not None:
            return
        where, slots = (self.view, self.axis, self.block), shelf.slots
        shelf.in_place = in_place_of(e, shelf.load, turned, *where, slots)

    @property
    def in_place(self) -> InPlace | None:
        """How its blocks are read where they come from, if they may be."""
        return None if self.shelf is None else self.shelf.in_place

    @property
    def end(self) -> Operand | None:
        """How much there is across K, if that may not be all."""
        needed = None if self.in_place is None else self.in_place.needed
        return None if isinstance(needed, int) else needed

    def is_in_place(self, e: Emitter) -> str:
        """Return, as an i1, whether the blocks lie where they come from."""
        return "false" if self.in_place is None else self.in_place.is_tried(e)

    def chosen(self, e: Emitter) -> View:
        """Return where the blocks lie."""
        return self.view if self.in_place is None else self.in_place.chosen(e)

    def lie_in(self, pointer: str) -> None:
        """Let the panel begin at `pointer`."""
        storage = Storage(pointer, writable=False, row=self.view.storage.row)
        self.view = replace(self.view, storage=storage)


@dataclass
class TilesPanel(Panel):
    """The blocks of A for a unit that reads tiles: `block` words, of which several fill a tile."""

    def window(self, e: Emitter, step: Operand) -> View:
        b, view = e.builder, self.view
        strips, _, rows, side = view.sizes
        word, width = b.mul(step, self.block), min(self.block, int(side))
        offset = b.add(b.mul(b.div(word, int(side)), view.strides[1]), b.rem(word, int(side)))
        sizes = (strips, self.block // width, rows, width)
        return View(
            Storage(view.storage.pointer, writable=False), view.type, offset, sizes, view.strides
        )


@dataclass
class Product:
    """One product of a loop: the op, its accumulator, the panels of its operands."""

    op: Operation
    place: View
    panels: tuple[Panel, Panel]
    on_unit: UnitProduct | None = None
    """What multiplies them, if they are packed for a unit of the CPU."""
    from_zero: bool = False
    """Whether the accumulator holds nothing before the first product, and counts as 0."""
    destination: View | None = None
    """Where the sum goes with the last product, if that is not the accumulator."""
    rounded: Rounded | None = None
    """Where the sum goes with the last product, rounded, if it may."""
    live: tuple[Operand, ...] | None = None
    """How many of its rows and columns are read, if that may not be all."""
    factor: str = ""
    """What the sum is multiplied by with the last product, if anything."""

    @property
    def may_round(self) -> bool:
        """Whether sums of f32 may go somewhere rounded, by pairs of vectors."""
        in_pairs = int(self.place.sizes[1]) % LANES == 0 and self.place.type == F32
        return in_pairs and not isinstance(self.on_unit, TileProduct)

    @property
    def may_end(self) -> bool:
        """Whether no more of the sums than counts is stored where they go, if need be."""
        return not isinstance(self.on_unit, TileProduct)

    def multiply(self, e: Emitter, steps: Operand, begun: str, last: str) -> None:
        """
        Add the product of the first blocks in the panels to the accumulator.

        If that counts as 0 before the first one, `begun` tells whether there was any, and `last`
        whether this is the last.
        """
        b, begun = e.builder, begun if self.from_zero else "true"
        rounded = self.rounded
        if rounded is not None:
            rounded = replace(rounded, whether=b.both(last, rounded.whether))
        sums = Sums(self.place, self._after(e, last), begun, rounded, self.live)
        if self.destination is not None and self.destination.sizes != self.place.sizes:
            sums = replace(sums, ends=True)
        if self.factor:
            type = self.place.type.register
            factor = b.value(f"select i1 {last}, {type} {self.factor}, {type} 1.0")
            sums = replace(sums, factor=factor)
        if self.on_unit is None:
            self._multiply_tiles(e, sums, steps, last)
        else:
            operands, depth = (self.panels[0].view, self.panels[1].view), self._depth(e, steps)
            self.on_unit.multiply_packed(e, operands, sums, depth, self._following(e, last))

    def let_end(self, e: Emitter) -> None:
        """Let blocks be read in place that end where the matrix does, as far as tiles heed that."""
        (left, right), live = self.panels, self.live
        for panel in self.panels:
            if panel.in_place is not None and left.loaded is right.loaded is not None:
                panel.in_place.granule = self._granule
        if live is None or not self._is_exact:
            return
        if left.in_place is not None and left.view.strides[1] == 1:
            left.in_place.needed = live[0]
        may_mask = e.target.masks and can_mask(self.place)
        if right.in_place is not None and may_mask:
            right.in_place.needed = live[1]

    @property
    def _is_exact(self) -> bool:
        """Whether tiles do no more than counts: not if sums are rounded, by pairs of vectors."""
        return self.rounded is None

    def _multiply_tiles(self, e: Emitter, sums: Sums, steps: Operand, last: str) -> None:
        b, granule, asking = e.builder, self._granule, self._asking(e)
        tried = b.either(*(panel.is_in_place(e) for panel in self.panels))
        depth, sums = self._depth(e, steps), replace(sums, behind=self._zeros_behind(e, tried))
        depth = b.chosen(tried, self._depth(e, steps, in_place=True), depth)
        left, right = (panel.chosen(e) for panel in self.panels)
        left = self.panels[0].pointed or left
        ends = Ends(*(panel.end for panel in self.panels))

        def in_place() -> Sequence[Operand]:
            multiply_tiles(
                *(e, left, right, sums, depth, granule),
                following=self._following_there(e, (left, right), depth, last),
                most_rows=IN_PLACE_ROWS,
                exact=self._is_exact,
                ends=ends,
            )
            return ()

        def packed() -> Sequence[Operand]:
            left, right = self.panels[0].pointed or self.panels[0].view, self.panels[1].view
            following, most_rows = self._following(e, last), MOST_ROWS
            if isinstance(left, Pointed):
                following, most_rows = following[:1], pointed.ROWS
            multiply_tiles(
                *(
                    e,
                    left,
                    right,
                    replace(sums, asked=sums.into is not None, behind="false"),
                    depth,
                    asking if following else granule,
                ),
                following=following,
                most_rows=most_rows,
                exact=self._is_exact,
                ends=Ends(None, ends.columns),
            )
            return ()

        b.if_else(tried, in_place, packed)
        if self._is_exact:
            multiply_last_columns(e, left, right, sums, depth, granule, ends)

    def _zeros_behind(self, e: Emitter, tried: str) -> str:
        """Return, as an i1, whether blocks in place lack zeros behind them, which all have else."""
        panel = self.panels[0]
        may_lack = any(p.in_place is not None and p.in_place.granule for p in self.panels)
        if panel.loaded is None or not may_lack or not self.place.type.is_float:
            return "false"
        return e.builder.both(tried, e.builder.less(e.scalar(panel.loaded), panel.block))

    def _following(self, e: Emitter, last: str) -> list[Following]:
        """Return what is read next, which units of tiles do not ask for."""
        if isinstance(self.on_unit, TileProduct):
            return []
        return [each for panel in self.panels for each in panel.following(e, last)]

    def _following_there(
        self, e: Emitter, places: Sequence[View | Pointed], depth: Operand, last: str
    ) -> list[Following]:
        """Return what is read next, of which any is where it comes from, as far as that pays."""
        if not e.target.asks_in_place:
            return []
        across = reversed([int(n) for n in self.place.sizes])
        return [
            panel.following_there(e, place, depth, last)
            for panel, place, products in zip(self.panels, places, across, strict=True)
            if isinstance(place, View) and products >= LEAST_PRODUCTS
        ]

    @property
    def _granule(self) -> int:
        """How many steps along K, of elements or words, are done at once."""
        return gcd(self.panels[0].block, STEPS)

    def _asking(self, e: Emitter) -> int:
        """Return how many are done at once by tiles that ask for what follows panels."""
        steps = STEPS if self.on_unit else steps_that_ask(e)
        return gcd(self.panels[0].block, steps)

    def _depth(self, e: Emitter, steps: Operand, *, in_place: bool = False) -> Operand:
        """
        Return the extent along K of the first blocks in the panels, in elements or words.

        Zeros at the end of the last blocks of both operands are left out, except those of one step
        or more, unless these are not there as blocks are `in_place`: they make 0 of -0.
        """
        b, block = e.builder, self.panels[0].block
        first, second = (panel.loaded for panel in self.panels)
        if first is None or second is None:
            return b.mul(steps, block)
        if in_place and first is second:
            return b.add(b.mul(b.sub(steps, 1), block), b.least(e.scalar(first), block))
        loaded = b.most(e.scalar(first), e.scalar(second))
        multiple = self._asking(e)
        whole = b.div(loaded, multiple * self.panels[0].per_word)
        above = b.mul(b.add(whole, 1), multiple)
        return b.add(b.mul(b.sub(steps, 1), block), b.least(above, block))

    def _after(self, e: Emitter, last: str) -> View | None:
        """Return where sums go: others see the destination's memory, but no part of a sum."""
        if self.destination is None:
            return None
        return chosen(e, last, self.destination, self.place)

    def clear(self, e: Emitter) -> None:
        """Store a sum without a product, unless the accumulator has been one all along."""
        if not self.from_zero:
            return
        place, rounded = self.destination or self.place, self.rounded

        def fill(place: View) -> Sequence[Operand]:
            return fill_with(e, self._nothing(e, place.type), place)

        if rounded is None:
            fill(place)
        else:
            e.builder.if_else(rounded.whether, lambda: fill(rounded.place), lambda: fill(place))

    def _nothing(self, e: Emitter, type: Type) -> Operand:
        """Return a sum of no products, as a type: the factor may make -0 of it, or NaN."""
        if not self.factor:
            return type.zero
        own = self.place.type
        value = e.builder.value(f"fmul {own.register} {own.zero}, {self.factor}")
        return value if type == own else convert_float(e, value, own, type)


@dataclass
class Panels:
    """The products of one loop."""

    products: list[Product]
    steps: int
    """How many blocks fill the panels."""
    filled: Operand = 0
    begun: Operand = 0
    """1 once a product has been added."""
    shelves: list[Shelf] = field(default_factory=list[Shelf])

    def __post_init__(self) -> None:
        panels = [panel for product in self.products for panel in product.panels]
        self.shelves = [panel.shelf for panel in panels if panel.shelf is not None]

    @property
    def carried(self) -> int:
        """How many registers the loop carries for the panels."""
        return 2 + len(self.shelves)

    def product_in(self, place: View) -> Product | None:
        """Return the product that is added to `place`."""
        return next((product for product in self.products if product.place is place), None)

    def begin(self, e: Emitter, registers: Sequence[Operand]) -> None:
        """Begin an iteration of the loop."""
        self.filled, self.begun, *slots = registers
        remaining = iter(slots)
        for product in self.products:
            product.let_end(e)
            for number, panel in enumerate(product.panels):
                slot = 0 if panel.shelf is None else next(remaining)
                panel.begin(e, product.op, number, self.filled, slot)

    def end(self, e: Emitter, last: str, turns: Operand) -> list[Operand]:
        """
        End an iteration, the last one if `last` holds; return what the loop carries on.

        It stands for as many `turns` behind it as well.
        """
        b = e.builder
        filled = b.add(b.add(self.filled, 1), turns)
        full = b.equal(filled, self.steps)

        def multiply() -> Sequence[Operand]:
            with b.fresh_memory():
                for each in self.products:
                    each.multiply(e, filled, b.equal(self.begun, 1), last)
            return (0, 1)

        whether = b.value(f"or i1 {full}, {last}")
        left = b.if_else(whether, multiply, lambda: (filled, self.begun), ["i64", "i64"])
        return [*left, *(shelf.slot for shelf in self.shelves)]

    def finish(self, e: Emitter, registers: Sequence[Operand]) -> None:
        """End the loop, which left `registers`: sums without a product are 0."""
        begun = registers[1]

        def clear() -> Sequence[Operand]:
            for each in self.products:
                each.clear(e)
            return ()

        e.builder.if_else(e.builder.equal(begun, 0), clear)


def panels_of(e: Emitter, loop: Operation, places: Mapping[int, View]) -> Panels | None:
    """Return the panels of a loop whose tensors are carried in `places`; None if it has none."""
    block = single_block(loop)
    found = {
        number: op
        for number, place in places.items()
        if (op := only_product(block, number)) is not None
        and e.computing_type(place.type) == place.type
    }
    if not found:
        return None
    steps = min(_depth(e, op, places[n]) // product_shapes(op)[0][1] for n, op in found.items())
    if steps < 2:
        return None
    return Panels([_product(e, op, places[n], steps) for n, op in found.items()], steps)


def only_product(block: Block, number: int) -> Operation | None:
    """Return the product that is added to a carried value, if nothing else happens to that."""
    uses = list(block.args[1 + number].uses)
    if len(uses) != 1 or uses[0].operation.name not in NAMES or uses[0].index != 2:
        return None
    op = uses[0].operation
    after = list(op.results[0].uses)
    if op.parent_block() is not block or len(after) != 1:
        return None
    yielded = after[0].operation is terminator(block) and after[0].index == number
    return op if yielded and min(map(min, product_shapes(op))) > 0 else None


def _on_unit(e: Emitter, op: Operation, place: View) -> UnitProduct | None:
    (m, k), (_, n) = product_shapes(op)
    types = [e.type(value.type) for value in op.operands[:2]]
    return unit_product(e, types, place.type, (m, n, k))


def panel_depth(target: Target) -> int:
    """Return how many elements or words along K fill a panel that is packed."""
    return STRIP // target.tile_vectors


def _depth(e: Emitter, op: Operation, place: View) -> int:
    """Return how many elements along K fill the panels of a product."""
    on_unit, depth = _on_unit(e, op, place), panel_depth(e.target)
    if on_unit is not None:
        return depth * on_unit.unit.per_word
    if waiting_rows(e, op, 0) is not None:
        return pointed.DEPTH
    may_stay = all(e.type(value.type) == place.type for value in op.operands[:2])
    return depth * e.target.depth_in_place if may_stay else depth


def _product(e: Emitter, op: Operation, place: View, steps: int) -> Product:
    (m, k), (_, n) = product_shapes(op)
    on_unit = _on_unit(e, op, place)
    # As the blocks of A come, so they lie in the panel: A is read number by number.
    in_columns, turned = (
        by_product != is_turned(value)
        for by_product, value in zip(transposed(op), op.operands, strict=False)
    )
    if on_unit is None:
        left = padded((steps * k, m) if in_columns else (m, steps * k), place.type)
        left = permuted(left, (1, 0)) if in_columns else left
        right = padded((steps * k, n), place.type)
        panels = Panel(left, 1, k), Panel(right, 0, k)
    else:
        words = on_unit.words
        left, right = on_unit.left(steps * words), on_unit.right(steps * words)
        if isinstance(on_unit, TileProduct):
            panels = TilesPanel(left, 1, words), Panel(right, 1, words)
        else:
            per_word = on_unit.unit.per_word
            panels = (
                Panel(left, 1, words, per_word=per_word),
                Panel(right, 0, words, per_word=per_word),
            )
    packs = (None, None) if on_unit is None else (on_unit.pack_left, on_unit.pack_right)
    turns = (in_columns, turned)
    ahead = not isinstance(on_unit, TileProduct)
    for number, (panel, across, pack) in enumerate(zip(panels, turns, packs, strict=True)):
        loaded = e.type(op.operands[number].type)
        packing = converting(loaded, place.type) if pack is None else Packing(loaded, pack)
        panel.shelf = shelf_for(e, op, number, across, steps, panel.view, packing, ahead)
        if panel.shelf is None:
            panel.shelf = _shelf_of_copies(e, op, number, steps, panel.view, pack)
        if panel.shelf is None:
            panel.lie_in(_memory(e, panel.view))
            if number == 0 and waiting_rows(e, op, 0) is not None:
                pointers = e.reserve(8 * steps * m)
                panel.pointed = Pointed(pointers, m, k)
        elif not isinstance(on_unit, TileProduct) and panel.shelf.load_now is None:
            panel.loaded = panel.shelf.extent_loaded(e, panel.axis)
    if on_unit is None:
        # What is packed lies as if nothing were read in place.
        for panel, across in zip(panels, turns, strict=True):
            panel.read_in_place(e, across)
    return Product(op, place, panels, on_unit)


def _shelf_of_copies(
    e: Emitter, op: Operation, number: int, steps: int, panel: View, pack: Pack | None
) -> Shelf | None:
    """Return a shelf of panels of an operand that is loaded for others as well, if it may be."""
    load = lasting_load(e, op, number, shared=True)
    if load is None:
        return None

    def load_now(e: Emitter, place: View) -> None:
        gather(e, op, number, operand_of(e, op, number), place, pack)

    return shelf_of_copies(e, load, panel, load_now, steps)


def converting(loaded: Type, summed: Type) -> Packing | None:
    """Return how blocks get to a panel that are loaded as another type than they are summed in."""
    if loaded == summed:
        return None

    def convert(e: Emitter, tensor: Tensor, place: View) -> None:
        if isinstance(tensor, View) and place.strides[0] == 1:
            # In the order in which both lie.
            tensor, place = permuted(tensor, (1, 0)), permuted(place, (1, 0))
        if isinstance(tensor, View) and tensor.strides[1] != 1:
            tensor = e.materialized(tensor)
        e.write(converted(e, tensor, loaded, summed), place)

    return Packing(loaded, convert)


def _memory(e: Emitter, view: View) -> str:
    return e.allocate((view.bytes // view.type.bytes,), view.type).storage.pointer
