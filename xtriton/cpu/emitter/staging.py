"""
Loads without the copy that the structured form makes of them.

A load of a block arrives as a buffer, an optional fill, copies into the buffer, and a tensor
made of it. Where a single copy may cover the whole buffer the tensor is read from the source
itself, and the buffer serves only programs whose block is cut by a mask. The choice is made
at run time, by one comparison per dynamic extent.

Reading later than the load says is wrong if something is stored there in between. Such a
store to the same argument keeps the copy; one to another argument keeps it only when the
launcher has found that arguments overlap.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import prod

from xdsl.ir import Block, Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.checks import LOAD, check_block
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.extents import ZEROS
from xtriton.cpu.emitter.hazards import Hazard, hazard_of, reach_of
from xtriton.cpu.emitter.loop_lookahead import ask_for_later
from xtriton.cpu.emitter.replaced_blocks import are_apart, last_replacing
from xtriton.cpu.emitter.values import Lazy, Storage, View, condition_text
from xtriton.cpu.types import Type
from xtriton.ir.attributes import integers

MOST_IN_PART = 4
"""Vectors of a row that is loaded in part, if that ends early; longer ones are copied in a loop."""


@dataclass
class StagedLoad:
    """One load: the buffer, what fills it, the copy, and the tensor made of it."""

    alloc: Operation
    copy: Operation
    to_tensor: Operation
    fill: Operation | None = None
    guard: Operation | None = None
    """The `scf.if` around the fill."""
    views: list[Operation] = field(default_factory=list[Operation])

    @property
    def deferred(self) -> list[Operation]:
        """Ops whose work is done at `to_tensor`, or not at all."""
        found = [
            self.alloc,
            self.copy,
            self.fill if self.guard is None else self.guard,
            *self.views,
        ]
        return [op for op in found if op is not None]


MayRead = Callable[[Emitter, StagedLoad, View, View], str]
"""Returns, as an i1, whether a tensor may be read from a source instead of the buffer."""


def plan_staging(e: Emitter, function: Operation) -> None:
    """Find the loads of `function` and arrange for `to_tensor` to do their work."""
    for op in function.walk():
        if op.name == "memref.alloc" and (load := staged_load(op)) is not None:
            e.skipped.update(load.deferred)
            e.staged[load.to_tensor] = load


def staged_load(alloc: Operation) -> StagedLoad | None:
    """Return the load that `alloc` is the buffer of, or None if it is something else."""
    block = alloc.parent_block()
    copy = to_tensor = fill = guard = None
    views: list[Operation] = []
    for use in alloc.results[0].uses:
        user = use.operation
        if user.name == "memref.subview":
            views.append(user)
            copies = [inner.operation for inner in user.results[0].uses]
            if len(copies) != 1 or copies[0].name != "memref.copy" or copy is not None:
                return None
            if copies[0].operands[1] is not user.results[0]:
                return None
            copy = copies[0]
        elif user.name == "memref.copy" and user.operands[1] is alloc.results[0] and copy is None:
            copy = user
        elif user.name == "linalg.fill" and fill is None:
            fill = user
            if user.parent_block() is not block:
                guard = user.parent_op()
        elif user.name == "bufferization.to_tensor" and to_tensor is None:
            to_tensor = user
        else:
            return None
    if copy is None or to_tensor is None or copy.parent_block() is not block:
        return None
    if to_tensor.parent_block() is not block or (
        guard is not None and not _only_fills(guard, block)
    ):
        return None
    return StagedLoad(alloc, copy, to_tensor, fill, guard, views)


def begins_first(load: StagedLoad) -> bool:
    """Return whether a load fills its buffer from the first element on."""
    return all(
        not any(integers(view, "static_offsets")) and set(integers(view, "static_strides")) == {1}
        for view in load.views
    )


def _only_fills(guard: Operation, block: Block | None) -> bool:
    if guard.name != "scf.if" or guard.parent_block() is not block or guard.results:
        return False
    inner = [op for region in guard.regions for b in region.blocks for op in b.ops]
    return all(op.name in ("linalg.fill", "scf.yield", "arith.constant") for op in inner)


def finish_load(e: Emitter, load: StagedLoad) -> View:
    """Generate a staged load and return where its tensor lies."""
    return _finished(e, load, may_read_source)


def read_now(e: Emitter, load: StagedLoad) -> View:
    """Generate a staged load and return where its tensor lies as long as nothing is stored."""

    def may_read(e: Emitter, load: StagedLoad, source: View, buffer: View) -> str:
        return "true" if _lies_as(source, buffer) else "false"

    return _finished(e, load, may_read)


def _finished(e: Emitter, load: StagedLoad, may_read: MayRead) -> View:
    source = e.view(load.copy.operands[0])
    check_block(e, load.copy, source, LOAD)
    e.note_copy(load.copy, source)
    ask_for_later(e, load.to_tensor, source, e.static_sizes(load.alloc.results[0].type))
    around = around_what_is_asked(e, load)
    if around is not None and may_read(e, load, around, around) == "true":
        return replace(around, storage=Storage(around.storage.pointer, writable=False))
    e.skipped.difference_update(load.views)
    buffer = _buffer(e, load)
    for op in load.views:
        e.run(op)
    destination = e.view(load.copy.operands[1])
    if _is_filled_later(load, destination, buffer):
        other, end = other_of(e, load, buffer.type), e.builder.product(destination.sizes)
        e.unfilled[load.to_tensor.results[0]] = (other, end)
        e.write(source, destination)
        return buffer
    if not destination.strides or not _may_begin_with(buffer, destination):
        _copy_into(e, load, source, destination, buffer)
        return buffer
    whole = _covers(e, source, destination, buffer)
    direct = may_read(e, load, source, buffer)
    turned = not _lies_as(source, buffer)
    if "false" in (whole, direct) or (turned and e.builder.both(whole, direct) != "true"):
        _copy_into(e, load, source, destination, buffer)
        return buffer
    return _choose(e, load, source, destination, buffer, e.builder.both(whole, direct))


def around_what_is_asked(e: Emitter, load: StagedLoad) -> View | None:
    """Return the source as a whole, if of the tensor nothing but the copied part is used."""
    source, destination = (value.owner for value in load.copy.operands)
    slices = [use.operation for use in load.to_tensor.results[0].uses]
    views = (source, destination)
    if not all(isinstance(op, Operation) and op.name == "memref.subview" for op in views):
        return None
    if load.alloc in e.placed:
        return None
    places = {_place_of(op) for op in (*views, *slices) if isinstance(op, Operation)}
    if len(places) != 1 or any(op.name != "tensor.extract_slice" for op in slices):
        return None
    assert isinstance(source, Operation)
    around = e.view(source.operands[0])
    return around if around.sizes == e.static_sizes(load.alloc.results[0].type) else None


def _place_of(slice: Operation) -> tuple[object, ...]:
    """Return what tells where a part of a block begins and ends, as a view or as a tensor."""
    static = (integers(slice, f"static_{kind}") for kind in ("offsets", "sizes", "strides"))
    return (*slice.operands[1:], *static)


def _buffer(e: Emitter, load: StagedLoad) -> View:
    type = load.alloc.results[0].type
    buffer = e.placed.get(load.alloc) or e.allocate(e.static_sizes(type), e.type(type), load.alloc)
    e.bind(load.alloc.results[0], buffer)
    return buffer


def _may_begin_with(buffer: View, part: View) -> bool:
    """Return whether a part of a buffer of its own may begin where that does."""
    return buffer.offset == 0 and (part.offset == 0 or isinstance(part.offset, str))


def _covers(e: Emitter, source: View, destination: View, buffer: View) -> str:
    """Return, as an i1, whether the copy fills the whole buffer."""
    whole = "true"
    for size, other, full in zip(source.sizes, destination.sizes, buffer.sizes, strict=True):
        size = size if isinstance(size, int) else other
        whole = e.builder.both(whole, e.builder.equal(size, full))
    return whole


def _lies_as(source: View, buffer: View) -> bool:
    """Return whether a source is dense where its buffer is."""
    if buffer.is_in_columns:
        return source.is_in_columns
    return not source.strides or source.strides[-1] == 1 or source.sizes[-1] == 1


def may_read_source(e: Emitter, load: StagedLoad, source: View, buffer: View) -> str:
    """Return, as an i1, whether the tensor may be read from the source at any later time."""
    if _is_written_over(load.to_tensor):
        return "false"
    packed = load.to_tensor in e.packed
    in_columns = e.packed.get(load.to_tensor, False) and source.is_in_columns
    if not (in_columns or _lies_as(source, buffer)):
        return "false"
    reach = reach_of(e, load.to_tensor.results[0])
    # Products read a block several times, and best one whose rows follow each other.
    if reach.by_product and not packed and source.strides != buffer.strides:
        return "false"
    hazard, apart = hazard_of(e, load.to_tensor, reach, source), "true"
    if hazard is Hazard.SAME_ARGUMENT:
        store = last_replacing(e, load.to_tensor, load.copy.operands[0], reach)
        if store is None:
            return "false"
        hazard = hazard_of(e, load.to_tensor, replace(reach, last=reach.last - 1), source)
        if hazard is Hazard.NONE and store in e.grouped_stores:
            hazard = Hazard.OTHER_ARGUMENT
        apart = are_apart(e, source, e.static_sizes(load.to_tensor.results[0].type))
    if hazard is Hazard.SAME_ARGUMENT:
        return "false"
    is_safe = "true" if hazard is Hazard.NONE else e.builder.value("xor i1 %overlap, true")
    return e.builder.both(is_safe, apart)


# --- copying ----------------------------------------------------------------------------


def _copy_into(e: Emitter, load: StagedLoad, source: View, destination: View, buffer: View) -> None:
    """
    Fill the buffer: the copied part, and `other` around it.

    A load without `other` leaves 0 there, as GPUs do: kernels have come to rely on it.
    """
    whole = _covers(e, source, destination, buffer) if destination.offset == 0 else "false"
    if whole == "true":
        e.write(source, destination)
        return
    other = other_of(e, load, buffer.type)
    if destination.offset == 0 and sum(size != 1 for size in buffer.sizes) == 1:
        if (lanes := _lanes_in_part(e, source, buffer)) > 0:
            _load_in_part(e, other, e.builder.product(destination.sizes), source, buffer, lanes)
            return
        # Of a single row what is copied comes first: none of it where the row itself is cut off.
        _fill_row(e, other, (e.builder.product(destination.sizes), _length(buffer)), buffer)
    else:
        if load.guard is not None:
            cut = _condition(e, load.guard)
        else:
            cut = "true" if whole == "false" else e.builder.value(f"xor i1 {whole}, true")
        e.builder.if_else(cut, lambda: fill_with(e, other, buffer))
    e.write(source, destination)


def _lanes_in_part(e: Emitter, source: View, buffer: View) -> int:
    """Return how many lanes vectors have that load a short row in part; 0 if none do."""
    type, length = buffer.type, _length(buffer)
    along = next(d for d, size in enumerate(buffer.sizes) if size != 1)
    if source.strides[along : along + 1] != (1,) or len(source.sizes) != len(buffer.sizes):
        return 0
    lanes = min(length, e.bytes_in_part // type.bytes)
    fits = lanes > 1 and length % lanes == 0 and length <= MOST_IN_PART * lanes
    return lanes if fits and type.register == type.memory and lanes & (lanes - 1) == 0 else 0


def _load_in_part(
    e: Emitter, other: Operand, count: Operand, source: View, buffer: View, lanes: int
) -> None:
    """Load the first `count` elements of a row by vectors, and put `other` behind them."""
    b, element = e.builder, buffer.type.memory
    vector, align = f"<{lanes} x {element}>", buffer.type.bytes
    first, place = (e.address(view, [0] * len(view.sizes)) for view in (source, buffer))
    for start in range(0, _length(buffer), lanes):
        mask = b.first_lanes(count, lanes, start)
        found = b.load_part(vector, b.element_pointer(element, first, start), mask, align)
        if other not in ZEROS:
            rest = b.broadcast(vector, other)
            found = b.value(f"select <{lanes} x i1> {mask}, {vector} {found}, {vector} {rest}")
        b.store(vector, found, b.element_pointer(element, place, start), align)


def fill_with(e: Emitter, value: Operand, buffer: View) -> Sequence[Operand]:
    """Write `value` to all of `buffer`."""
    e.write(Lazy(buffer.type, buffer.sizes, lambda _: value), buffer)
    return ()


def is_partly_loaded(alloc: Operation) -> bool:
    """True for a buffer that several copies load, with nothing put where they do not reach."""
    users = [use.operation for use in alloc.results[0].uses]
    names = {user.name for user in users}
    return (
        "bufferization.to_tensor" in names
        and "memref.subview" in names
        and names <= {"bufferization.to_tensor", "memref.subview", "memref.copy"}
    )


def _condition(e: Emitter, guard: Operation) -> str:
    return condition_text(e.scalar(guard.operands[0]))


def fill_around(
    e: Emitter, block: SSAValue, buffer: View, offsets: Sequence[Operand], sizes: Sequence[Operand]
) -> None:
    """Fill what the load of a row has left, but for the part that has been put into it since."""
    if (left := e.unfilled.pop(block, None)) is None:
        return
    b, (other, end), length = e.builder, left, _length(buffer)
    behind = b.most(end, b.add(offsets[0], sizes[0]))
    for part in ((end, b.least(offsets[0], length)), (behind, length)):
        b.if_else(b.less(*part), lambda part=part: _fill_row(e, other, part, buffer))


def _is_filled_later(load: StagedLoad, destination: View, buffer: View) -> bool:
    """Return whether the rest of a row is filled when another load has been put into it."""
    if len(buffer.sizes) != 1 or destination.offset != 0 or not _is_written_over(load.to_tensor):
        return False
    (use,) = load.to_tensor.results[0].uses
    return integers(use.operation, "static_strides") == (1,)


def other_of(e: Emitter, load: StagedLoad, type: Type) -> Operand:
    """Return what is where nothing is loaded, of a type."""
    return type.zero if load.fill is None else e.scalar(load.fill.operands[0])


def _length(buffer: View) -> int:
    return prod(int(size) for size in buffer.sizes)


def _fill_row(
    e: Emitter, value: Operand, part: tuple[Operand, Operand], buffer: View
) -> Sequence[Operand]:
    """Fill a part of a buffer of a single row."""
    b, (start, end) = e.builder, part
    count = b.sub(end, start)
    tail = View(buffer.storage, buffer.type, start, (count,), (1,))
    if value in ZEROS:
        bytes = buffer.type.bytes
        b.clear(e.address(tail, [0]), b.mul(count, bytes), bytes)
    else:
        e.write(Lazy(buffer.type, (count,), lambda _: value), tail)
    return ()


def _is_written_over(block: Operation) -> bool:
    """Return whether all that is done with a block is to put another one into a part of it."""
    uses = list(block.results[0].uses)
    return len(uses) == 1 and uses[0].operation.name == "tensor.insert_slice" and uses[0].index == 1


def _choose(
    e: Emitter, load: StagedLoad, source: View, destination: View, buffer: View, direct: str
) -> View:
    """Read the source where `direct` holds, and the buffer, after filling it, elsewhere."""
    b = e.builder
    element = source.type.memory
    start = b.element_pointer(element, source.storage.pointer, source.offset)
    if direct == "true":
        return View(Storage(start, writable=False), source.type, 0, buffer.sizes, source.strides)
    dense = 0 if buffer.is_in_columns else len(buffer.strides) - 1
    outer = [d for d in range(len(buffer.strides)) if d != dense]

    def stage() -> Sequence[Operand]:
        _copy_into(e, load, source, destination, buffer)
        return (buffer.storage.pointer, *(buffer.strides[d] for d in outer))

    def read() -> Sequence[Operand]:
        return (start, *(source.strides[d] for d in outer))

    types = ["ptr", *("i64" for _ in outer)]
    with b.fresh_memory():
        pointer, *strides = b.if_else(direct, read, stage, types)
    chosen = Storage(str(pointer), writable=False)
    strides.insert(dense, 1)
    return View(chosen, source.type, 0, buffer.sizes, tuple(strides))
