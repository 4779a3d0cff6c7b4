"""Rules of `memref`: views, buffers, copies, single elements, atomics aside."""

from collections.abc import Sequence
from typing import Any, cast

from xdsl.ir import Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import DYNAMIC, operand_groups, shape_of
from xtriton.cpu.emitter.checks import LOAD, STORE, check_block, check_element
from xtriton.cpu.emitter.core import Emitter, rule
from xtriton.cpu.emitter.near_places import load_near
from xtriton.cpu.emitter.staging import fill_with, is_partly_loaded
from xtriton.cpu.emitter.values import UNKNOWN_SIZE, View
from xtriton.dialects.upstream.volatile import is_volatile
from xtriton.ir.attributes import integers


def mixed(e: Emitter, static: Sequence[int], dynamic: Sequence[SSAValue]) -> list[Operand]:
    """Merge static integers with the operands that stand where they are dynamic."""
    operands = iter(dynamic)
    return [e.scalar(next(operands)) if value == DYNAMIC else value for value in static]


def slice_operands(
    e: Emitter, op: Operation, groups: Sequence[Sequence[SSAValue]]
) -> tuple[list[Operand], list[Operand], list[Operand]]:
    """Return offsets, sizes and strides of a slicing op; `groups` are its dynamic ones."""
    offsets, sizes, strides = (
        mixed(e, integers(op, f"static_{name}"), group)
        for name, group in zip(("offsets", "sizes", "strides"), groups, strict=True)
    )
    return offsets, sizes, strides


@rule("memref.reinterpret_cast")
def _reinterpret_cast(e: Emitter, op: Operation) -> None:
    (source,), *groups = operand_groups(op)
    offsets, sizes, strides = slice_operands(e, op, groups)
    view = e.view(source)
    e.bind(op.results[0], View(view.storage, view.type, offsets[0], tuple(sizes), tuple(strides)))


def sliced(
    e: Emitter,
    view: View,
    offsets: Sequence[Operand],
    sizes: Sequence[Operand],
    strides: Sequence[Operand],
) -> View:
    """Return a window of `view`."""
    b = e.builder
    offset = view.offset
    for index, stride in zip(offsets, view.strides, strict=True):
        offset = b.add(offset, b.mul(index, stride))
    scaled = tuple(b.mul(step, stride) for step, stride in zip(strides, view.strides, strict=True))
    return View(view.storage, view.type, offset, tuple(sizes), scaled)


def kept_dimensions(sizes: Sequence[int], shape: Sequence[int]) -> list[int]:
    """
    Return which dimensions of a slice remain in a rank-reduced result of `shape`.

    Of several of size 1 the first: which one is dropped makes no difference.
    """
    if len(sizes) == len(shape):
        return list(range(len(sizes)))
    kept: list[int] = []
    for dimension, size in enumerate(sizes):
        wanted = shape[len(kept)] if len(kept) < len(shape) else None
        if wanted is not None and (size == wanted or (size == DYNAMIC and wanted < 0)):
            kept.append(dimension)
    return kept


def reduced(view: View, kept: Sequence[int]) -> View:
    """Return `view` with only the dimensions `kept`."""
    if len(kept) == len(view.sizes):
        return view
    sizes = tuple(view.sizes[d] for d in kept)
    return View(view.storage, view.type, view.offset, sizes, tuple(view.strides[d] for d in kept))


@rule("memref.subview")
def _subview(e: Emitter, op: Operation) -> None:
    (source,), *groups = operand_groups(op)
    offsets, sizes, strides = slice_operands(e, op, groups)
    view = sliced(e, e.view(source), offsets, sizes, strides)
    kept = kept_dimensions(integers(op, "static_sizes"), shape_of(op.results[0].type))
    e.bind(op.results[0], reduced(view, kept))


@rule("memref.cast", "memref.memory_space_cast")
def _cast(e: Emitter, op: Operation) -> None:
    view = e.view(op.operands[0])
    if not view.sizes and hasattr(op.results[0].type, "shape"):
        shape = shape_of(op.results[0].type)
        sizes = tuple(UNKNOWN_SIZE if extent < 0 else extent for extent in shape)
        # A base pointer has no shape; one dimension is what it can be read with.
        view = View(view.storage, view.type, view.offset, sizes, (1,) * len(sizes))
    e.bind(op.results[0], view)


@rule("memref.alloc", "memref.alloca")
def _alloc(e: Emitter, op: Operation) -> None:
    shape = shape_of(op.results[0].type)
    if any(extent < 0 for extent in shape):
        e.unsupported(op, "a buffer of dynamic size")
    place = e.placed.get(op) or e.allocate(shape, e.type(op.results[0].type), op)
    if is_partly_loaded(op):
        fill_with(e, place.type.zero, place)
    e.bind(op.results[0], place)


@rule("memref.dealloc")
def _nothing(e: Emitter, op: Operation) -> None:
    if op.results:
        e.bind(op.results[0], e.view(op.operands[0]))


@rule("memref.copy", "linalg.copy")
def _copy(e: Emitter, op: Operation) -> None:
    source, destination = op.operands
    for value, what in ((source, LOAD), (destination, STORE)):
        if isinstance(e.environment[value], View):
            check_block(e, op, e.view(value), what)
    if op.results:
        place = e.allocate(shape_of(op.results[0].type), e.type(op.results[0].type), op)
        e.write(e.tensor(source), place)
        e.bind(op.results[0], place)
    else:
        if op in e.noted:
            e.note_copy(op, e.view(source))
        keeps = e.left.get(op)
        stays = "false" if keeps is None else keeps(e, e.view(source))
        e.builder.if_else(stays, tuple, lambda: _written(e, source, destination))


def _written(e: Emitter, source: SSAValue, destination: SSAValue) -> Sequence[Operand]:
    e.write(e.tensor(source), e.view(destination))
    return ()


@rule("memref.load", "affine.load")
def _load(e: Emitter, op: Operation) -> None:
    memref, *indices = op.operands
    view, places = e.view(memref), _element_indices(e, op, indices)
    check_element(e, op, view, places, LOAD)
    volatile = is_volatile(op)
    near = None if volatile else load_near(e, op, view, places)
    e.bind(op.results[0], e.load(view, places, volatile=volatile) if near is None else near)


@rule("memref.store", "affine.store")
def _store(e: Emitter, op: Operation) -> None:
    value, memref, *indices = op.operands
    view = e.view(memref)
    e.note_write(view)
    places = _element_indices(e, op, indices)
    check_element(e, op, view, places, STORE)
    e.store(view, places, e.scalar(value))


def _element_indices(e: Emitter, op: Operation, indices: Sequence[SSAValue]) -> list[Operand]:
    operands = [e.scalar(index) for index in indices]
    if op.name.startswith("affine."):
        from xtriton.cpu.emitter.affine import apply_map, map_of

        return apply_map(e, map_of(op, "map"), operands)
    return operands


@rule("memref.dim", "tensor.dim")
def _dimension(e: Emitter, op: Operation) -> None:
    tensor, dimension = e.tensor(op.operands[0]), e.scalar(op.operands[1])
    if not isinstance(dimension, int):
        e.unsupported(op, "a dimension that is no constant")
    e.bind(op.results[0], tensor.sizes[int(dimension)])


@rule("memref.transpose")
def _transpose(e: Emitter, op: Operation) -> None:
    from xtriton.cpu.emitter.affine import map_of

    view = e.view(op.operands[0])
    order = [cast(Any, result).position for result in map_of(op, "permutation").results]
    e.bind(op.results[0], permuted(view, order))


def permuted(view: View, order: Sequence[int]) -> View:
    """Return `view` with dimension `order[i]` in place of dimension i."""
    sizes = tuple(view.sizes[d] for d in order)
    return View(view.storage, view.type, view.offset, sizes, tuple(view.strides[d] for d in order))


@rule("memref.get_global")
def _get_global(e: Emitter, op: Operation) -> None:
    e.unsupported(op)
