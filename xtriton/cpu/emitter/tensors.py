"""Rules of `tensor` and `bufferization`: slices, reshapes, and the way between the two."""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any, cast

from xdsl.ir import Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import (
    BLOCK_STORE,
    is_shaped,
    operand_groups,
    shape_of,
    single_block,
    terminator,
    whole_shape,
)
from xtriton.cpu.emitter.alone import leads_to_update
from xtriton.cpu.emitter.checks import LOAD, STORE, check_block
from xtriton.cpu.emitter.core import Emitter, rule
from xtriton.cpu.emitter.cut_rows import cut_row
from xtriton.cpu.emitter.elementwise import CHEAP, element_users
from xtriton.cpu.emitter.grouped_stores import store_group
from xtriton.cpu.emitter.late_loads import late_block
from xtriton.cpu.emitter.late_stores import leave_row
from xtriton.cpu.emitter.loop_lookahead import ask_for_later
from xtriton.cpu.emitter.memory import kept_dimensions, reduced, slice_operands, sliced
from xtriton.cpu.emitter.narrowing import stored_rounded
from xtriton.cpu.emitter.part_loads import read_in_parts
from xtriton.cpu.emitter.pieces import continued
from xtriton.cpu.emitter.rows import SHORTEST
from xtriton.cpu.emitter.staging import fill_around, finish_load
from xtriton.cpu.emitter.streaming import goes_around, stream
from xtriton.cpu.emitter.turned_stores import stored_turned
from xtriton.cpu.emitter.values import Lazy, Tensor, View, row_major_strides
from xtriton.ir.attributes import attribute, integers

REPEATED = 64
"""Times that a row has a number, from which it is not put into memory that often."""


@rule("tensor.empty", "bufferization.alloc_tensor")
def _empty(e: Emitter, op: Operation) -> None:
    # Its content is arbitrary; whoever writes it makes the buffer.
    shape = shape_of(op.results[0].type)
    dynamic = iter(e.scalars(op.operands))
    sizes = tuple(next(dynamic) if extent < 0 else extent for extent in shape)
    type = e.type(op.results[0].type)
    e.bind(op.results[0], Lazy(type, sizes, lambda _: type.zero, undefined=True))


@rule("tensor.splat")
def _splat(e: Emitter, op: Operation) -> None:
    value = e.scalar(op.operands[0])
    type = e.type(op.results[0].type)
    e.bind(op.results[0], Lazy(type, shape_of(op.results[0].type), lambda _: value))


@rule("tensor.from_elements")
def _from_elements(e: Emitter, op: Operation) -> None:
    shape = shape_of(op.results[0].type)
    place = e.allocate(shape, e.type(op.results[0].type), op)
    for number, value in enumerate(op.operands):
        e.store(place, unflattened(number, shape), e.scalar(value))
    e.bind(op.results[0], place)


def unflattened(number: int, shape: Sequence[int]) -> list[int]:
    """Return the row-major indices of element `number`."""
    indices: list[int] = []
    for extent in reversed(shape):
        number, index = divmod(number, extent)
        indices.append(index)
    return indices[::-1]


@rule("tensor.extract")
def _extract(e: Emitter, op: Operation) -> None:
    tensor, *indices = op.operands
    e.bind(op.results[0], e.element(e.tensor(tensor), e.scalars(indices)))


@rule("tensor.insert")
def _insert(e: Emitter, op: Operation) -> None:
    value, tensor, *indices = op.operands
    place = owned_copy(e, op, tensor)
    e.store(place, e.scalars(indices), e.scalar(value))
    e.bind(op.results[0], place)


def owned_copy(e: Emitter, op: Operation, tensor: SSAValue, *others: SSAValue) -> View:
    """Return a buffer with the content of `tensor` that `op`, reading `others`, may overwrite."""
    meaning = e.tensor(tensor)
    if isinstance(meaning, View) and e.may_take_over(meaning, op, others):
        return meaning
    return e.materialized(meaning)


@rule("tensor.generate")
def _generate(e: Emitter, op: Operation) -> None:
    block = single_block(op)
    place = e.allocate(shape_of(op.results[0].type), e.type(op.results[0].type), op)

    def body(indices: list[Operand]) -> None:
        for argument, index in zip(block.args, indices, strict=True):
            e.bind(argument, index)
        e.run_block(block)
        e.store(place, indices, e.scalar(terminator(block).operands[0]))

    with e.builder.fresh_memory():
        e.nest(place.sizes, body)
    e.bind(op.results[0], place)


# --- slices -----------------------------------------------------------------------------


@rule("tensor.extract_slice")
def _extract_slice(e: Emitter, op: Operation) -> None:
    (source,), *groups = operand_groups(op)
    offsets, sizes, strides = slice_operands(e, op, groups)
    kept = kept_dimensions(integers(op, "static_sizes"), shape_of(op.results[0].type))
    tensor = e.tensor(source)
    if isinstance(tensor, View):
        e.bind(op.results[0], reduced(sliced(e, tensor, offsets, sizes, strides), kept))
        return

    def compute(indices: Sequence[Operand]) -> Operand:
        full: list[Operand] = [0] * len(sizes)
        for dimension, index in zip(kept, indices, strict=True):
            full[dimension] = index
        b = e.builder
        moved = [b.add(o, b.mul(i, s)) for o, i, s in zip(offsets, full, strides, strict=True)]
        return e.element(tensor, moved)

    aligned = all(offset == 0 for offset in offsets) and all(stride == 1 for stride in strides)
    reads = e.reads_of(tensor, aligned=aligned and len(kept) == len(sizes))
    e.bind(
        op.results[0], Lazy(tensor.type, tuple(sizes[d] for d in kept), compute, reads, tensor.cost)
    )


@rule("tensor.insert_slice", "tensor.parallel_insert_slice")
def _insert_slice(e: Emitter, op: Operation) -> None:
    if (block := continued(e, op)) is not None:
        e.bind(op.results[0], block)
        return
    (source,), (destination,), *groups = operand_groups(op)
    offsets, sizes, strides = slice_operands(e, op, groups)
    place = owned_copy(e, op, destination, source)
    inserted = e.tensor(source)
    kept = kept_dimensions(integers(op, "static_sizes"), shape_of(source.type))
    e.write(inserted, reduced(sliced(e, place, offsets, sizes, strides), kept))
    fill_around(e, destination, place, offsets, sizes)
    e.bind(op.results[0], place)


# --- reshapes ---------------------------------------------------------------------------


def reassociation_of(op: Operation) -> list[list[int]]:
    groups = cast(Any, attribute(op, "reassociation"))
    return [[index.value.data for index in group.data] for group in groups.data]


@rule("tensor.expand_shape", "memref.expand_shape")
def _expand_shape(e: Emitter, op: Operation) -> None:
    shape = shape_of(op.results[0].type)
    if any(extent < 0 for extent in shape):
        e.unsupported(op, "a dynamic shape")
    e.bind(op.results[0], expanded(e, e.tensor(op.operands[0]), shape, reassociation_of(op)))


def expanded(
    e: Emitter, tensor: Tensor, shape: Sequence[int], groups: Sequence[Sequence[int]]
) -> Tensor:
    """Return `tensor` with each dimension split into those of a group."""
    if isinstance(tensor, View):
        strides: list[Operand] = [1] * len(shape)
        for stride, group in zip(tensor.strides, groups, strict=True):
            for dimension in reversed(group):
                strides[dimension] = stride
                stride = e.builder.mul(stride, shape[dimension])
        return View(tensor.storage, tensor.type, tensor.offset, tuple(shape), tuple(strides))

    def compute(indices: Sequence[Operand]) -> Operand:
        joined = [_flattened(e, indices, shape, group) for group in groups]
        return e.element(tensor, joined)

    reads = e.reads_of(tensor, aligned=False)
    return Lazy(tensor.type, tuple(shape), compute, reads, tensor.cost)


def _flattened(
    e: Emitter, indices: Sequence[Operand], shape: Sequence[int], group: Sequence[int]
) -> Operand:
    result: Operand = 0
    for dimension in group:
        if shape[dimension] != 1:
            before, here = result, indices[dimension]
            result = e.builder.add(e.builder.mul(before, shape[dimension]), here)
            e.joined[result] = (shape[dimension], before, here)
    return result


@rule("tensor.collapse_shape", "memref.collapse_shape")
def _collapse_shape(e: Emitter, op: Operation) -> None:
    tensor, groups = e.tensor(op.operands[0]), reassociation_of(op)
    lazy = _collapsed_where_used(e, op, tensor, groups)
    e.bind(op.results[0], lazy or collapsed(e, tensor, groups))


def _collapsed_where_used(
    e: Emitter, op: Operation, tensor: Tensor, groups: Sequence[Sequence[int]]
) -> Lazy | None:
    """
    Return rows that do not follow each other as one dimension, without a copy.

    Where nothing but an operation on elements uses them, which finds those by row and column, where
    one element of each row is enough, or where long rows are cheap to compute for each use.
    """
    real = [d for d, size in enumerate(tensor.sizes) if size != 1]
    row = tensor.sizes[real[1]] if len(real) == 2 and len(groups) == 1 else None
    if not isinstance(row, int) or not _finds_elements(e, op, tensor, real, row):
        return None

    def compute(indices: Sequence[Operand]) -> Operand:
        full: list[Operand] = [0] * len(tensor.sizes)
        full[real[0]], full[real[1]] = _parted(e, indices[0], row)
        return e.element(tensor, full)

    sizes = (e.builder.product(tensor.sizes),)
    return Lazy(tensor.type, sizes, compute, e.reads_of(tensor, aligned=False), CHEAP)


def _finds_elements(
    e: Emitter, op: Operation, tensor: Tensor, real: Sequence[int], row: int
) -> bool:
    if isinstance(tensor, Lazy) and leads_to_update(e, op):
        return True
    users = {use.operation for result in op.results for use in result.uses}
    if users != set(element_users(op)) or row < SHORTEST:
        return False
    if isinstance(tensor, Lazy):
        return tensor.cost <= CHEAP and row >= REPEATED
    return len(users) == 1 and not _mergeable(e, tensor, real)


def _parted(e: Emitter, index: Operand, row: int) -> tuple[Operand, Operand]:
    """Return the row and the column of an element, of rows of so many."""
    size, before, here = e.joined.get(index, (0, 0, 0))
    if size == row:
        return before, here
    whole = None if e.rows is None else e.rows.quotient(index, row, floors=True)
    if whole is None:
        return e.builder.div(index, row), e.builder.rem(index, row)
    return whole, e.builder.sub(index, e.builder.mul(whole, row))


def collapsed(e: Emitter, tensor: Tensor, groups: Sequence[Sequence[int]]) -> Tensor:
    """Return `tensor` with the dimensions of each group merged."""
    sizes = tuple(e.builder.product([tensor.sizes[d] for d in group]) for group in groups)
    real = [[d for d in group if tensor.sizes[d] != 1] for group in groups]
    if isinstance(tensor, Lazy):
        if any(len(dimensions) > 1 for dimensions in real):
            return collapsed(e, e.materialized(tensor, by_rows=True), groups)

        def compute(indices: Sequence[Operand]) -> Operand:
            full: list[Operand] = [0] * len(tensor.sizes)
            for index, dimensions in zip(indices, real, strict=True):
                for dimension in dimensions:
                    full[dimension] = index
            return e.element(tensor, full)

        return Lazy(tensor.type, sizes, compute, e.reads_of(tensor, aligned=False), tensor.cost)
    if any(not _mergeable(e, tensor, dimensions) for dimensions in real):
        return collapsed(e, e.materialized(tensor, by_rows=True), groups)
    strides = tuple(tensor.strides[d[-1]] if d else 1 for d in real)
    return View(tensor.storage, tensor.type, tensor.offset, sizes, strides)


def _mergeable(e: Emitter, view: View, dimensions: Sequence[int]) -> bool:
    pairs = pairwise(dimensions)
    return all(view.strides[a] == e.builder.mul(view.strides[b], view.sizes[b]) for a, b in pairs)


@rule("tensor.reshape")
def _reshape(e: Emitter, op: Operation) -> None:
    shape = shape_of(op.results[0].type)
    if any(extent < 0 for extent in shape):
        e.unsupported(op, "a dynamic shape")
    view = e.view(op.operands[0])
    if not view.is_contiguous:
        view = e.materialized(view, by_rows=True)
    e.bind(
        op.results[0], View(view.storage, view.type, view.offset, shape, row_major_strides(shape))
    )


@rule("tensor.cast")
def _cast(e: Emitter, op: Operation) -> None:
    e.bind(op.results[0], e.tensor(op.operands[0]))


@rule("tensor.concat")
def _concat(e: Emitter, op: Operation) -> None:
    from xtriton.ir.attributes import integer

    dimension = integer(op, "dim")
    shape = shape_of(op.results[0].type)
    place = e.allocate(shape, e.type(op.results[0].type), op)
    offset: Operand = 0
    for operand in op.operands:
        part = e.tensor(operand)
        offsets: list[Operand] = [0] * len(shape)
        offsets[dimension] = offset
        e.write(part, sliced(e, place, offsets, part.sizes, [1] * len(shape)))
        offset = e.builder.add(offset, part.sizes[dimension])
    e.bind(op.results[0], place)


@rule("tensor.pad")
def _pad(e: Emitter, op: Operation) -> None:
    (source,), *groups = operand_groups(op)
    from xtriton.cpu.emitter.memory import mixed

    low = mixed(e, integers(op, "static_low"), groups[0])
    shape = shape_of(op.results[0].type)
    place = e.allocate(shape, e.type(op.results[0].type), op)
    block = single_block(op)

    def body(indices: list[Operand]) -> None:
        for argument, index in zip(block.args, indices, strict=True):
            e.bind(argument, index)
        e.run_block(block)
        e.store(place, indices, e.scalar(terminator(block).operands[0]))

    with e.builder.fresh_memory():
        e.nest(place.sizes, body)
    inner = e.tensor(source)
    e.write(inner, sliced(e, place, low, inner.sizes, [1] * len(shape)))
    e.bind(op.results[0], place)


# --- bufferization ----------------------------------------------------------------------


@rule("bufferization.to_tensor")
def _to_tensor(e: Emitter, op: Operation) -> None:
    if (shelf := e.shelved.get(op)) is not None:
        e.bind(op.results[0], shelf.fetch(e))
        return
    load = e.staged.get(op)
    if load is None:
        check_block(e, op, e.view(op.operands[0]), LOAD)
        e.bind(op.results[0], e.view(op.operands[0]))
        return
    lazy = read_in_parts(e, load) if op in e.part_loads else late_block(e, load)
    lazy = lazy or cut_row(e, load)
    e.bind(op.results[0], finish_load(e, load) if lazy is None else lazy)


@rule("bufferization.to_buffer", "bufferization.to_memref")
def _to_buffer(e: Emitter, op: Operation) -> None:
    e.bind(op.results[0], e.view(op.operands[0]))


@rule(BLOCK_STORE)
def _materialize(e: Emitter, op: Operation) -> None:
    group = e.grouped_stores.get(op)
    if group is None:
        _store(e, op)
    elif op is group[-1]:
        store_group(e, group, partial(_store, e))


def _store(e: Emitter, op: Operation) -> None:
    source, destination = op.operands
    check_block(e, op, e.view(destination), STORE)
    tensor, place = e.tensor(source), e.view(destination)
    ask_for_later(e, op, place, whole_shape(source), to_store=True)

    def store() -> Sequence[Operand]:
        if not stored_rounded(e, source, place) and not stored_turned(e, op, tensor, place):
            e.write(tensor, place)
        return ()

    def store_any_way() -> Sequence[Operand]:
        around = goes_around(e, op, tensor, place)
        e.builder.if_else(around, lambda: stream(e, op, tensor, place), store)
        return ()

    e.builder.if_else(e.settled.get(op, "false"), lambda: leave_row(e, op), store_any_way)
    if op.results and is_shaped(op.results[0].type):
        e.bind(op.results[0], e.view(destination))
