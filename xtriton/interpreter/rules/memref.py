# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false
# pyright: reportUnknownVariableType=false
"""Ops of memref: views, local buffers, loads and stores, copies."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Operation

from xtriton.errors import UnsupportedOp
from xtriton.interpreter.buffers import UNBOUNDED, Buffer, MemRef, local_buffer, row_major
from xtriton.interpreter.machine import Function
from xtriton.interpreter.registry import rule
from xtriton.interpreter.rules.tt_misc import nothing
from xtriton.interpreter.types import (
    attribute,
    dense_array,
    integers,
    operand_info,
    plain,
    result_info,
    segments,
    text,
)
from xtriton.interpreter.values import spread
from xtriton.semantics.elements import Array

Compiled = Callable[..., Any]

DYNAMIC = -(1 << 63)


def mixed(static: tuple[int, ...], dynamic: Iterator[Any]) -> list[int]:
    """Return sizes of which some are in an attribute and the rest operands."""
    return [int(next(dynamic)) if s == DYNAMIC else s for s in static]


def slice_fields(op: Operation) -> Callable[..., tuple[list[int], list[int], list[int]]]:
    """Return what puts together offsets, sizes and strides of a slicing op from its operands."""
    offsets, sizes, strides = (
        integers(op, name) for name in ("static_offsets", "static_sizes", "static_strides")
    )

    def fields(operands: Iterator[Any]) -> tuple[list[int], list[int], list[int]]:
        return mixed(offsets, operands), mixed(sizes, operands), mixed(strides, operands)

    return fields


def observe(f: Function, op: Operation, kind: str, view: MemRef, index: Array | None = None):
    """Tell the observer of an access to an argument."""
    machine = f.machine
    if machine.observer is None or view.buffer.address is None:
        return
    address = view.byte_addresses(view.indices() if index is None else index)
    size = view.element.size
    shape = () if index is not None else view.sizes
    machine.observer.access(op, kind, address, None, size, machine.programs, shape)


@rule("memref.reinterpret_cast")
def _reinterpret_cast(op: Operation, f: Function) -> Compiled:
    fields = slice_fields(op)

    def cast(source: MemRef, *operands: Array) -> MemRef:
        offsets, sizes, strides = fields(iter(operands))
        return source.view(offsets[0], sizes, strides)

    return cast


@rule("memref.subview")
def _subview(op: Operation, f: Function) -> Compiled:
    fields = slice_fields(op)
    rank = result_info(op).rank
    target: tuple[int, ...] = result_info(op).shape

    def subview(source: MemRef, *operands: Array) -> MemRef:
        view = source.subview(*fields(iter(operands)))
        if len(view.sizes) == rank:
            return view
        kept = kept_dimensions(view.sizes, target)
        return view.view(
            view.offset, [view.sizes[d] for d in kept], [view.strides[d] for d in kept]
        )

    return subview


def kept_dimensions(sizes: tuple[int, ...], target: tuple[int, ...]) -> list[int]:
    """Return the dimensions that a rank-reducing slice keeps; dropped ones have size 1."""
    kept: list[int] = []
    spare = len(sizes) - len(target)
    for d, n in enumerate(sizes):
        wanted = target[len(kept)] if len(kept) < len(target) else None
        if (spare and n == 1 and wanted != 1) or wanted is None:
            spare -= 1
        else:
            kept.append(d)
    return kept


@rule("memref.cast", "memref.memory_space_cast")
def _cast(op: Operation, f: Function) -> Compiled:
    target = result_info(op)
    unranked = target.type.name == "unranked_memref"

    def cast(source: MemRef) -> MemRef:
        if not unranked and len(source.sizes) != target.rank:
            whole = source.buffer.array
            extent = UNBOUNDED if whole is None else whole.size - source.offset
            sizes = [extent if n == -1 else n for n in target.shape]
            return source.view(source.offset, sizes, row_major(sizes))
        return source

    return cast


@rule("memref.assume_alignment", "memref.distinct_objects")
def _same(op: Operation, f: Function) -> Compiled | None:
    several = len(op.results) > 1
    return (lambda *views: views if several else views[0]) if op.results else None


@rule("memref.alloc", "memref.alloca")
def _alloc(op: Operation, f: Function) -> Compiled:
    known, machine = result_info(op), f.machine
    count = sum(1 for n in known.shape if n == -1)

    def alloc(*operands: Array) -> MemRef:
        dynamic = iter(operands[:count])
        sizes = [int(next(dynamic)) if n == -1 else n for n in known.shape]
        return local_buffer(sizes, known.scalar, machine.memory)

    return alloc


rule("memref.dealloc", "memref.prefetch", "memref.global")(nothing)


@rule("memref.get_global")
def _get_global(op: Operation, f: Function) -> Compiled:
    known, machine = result_info(op), f.machine
    source = f.program.symbols.get(text(op, "name"))
    initial = None if source is None else attribute(source, "initial_value")
    key = text(op, "name")

    def get() -> MemRef:
        found = machine.results.get(key)
        if found is None:
            found = local_buffer(known.shape, known.scalar, machine.memory)
            if isinstance(initial, DenseIntOrFPElementsAttr):
                found.write(dense_array(initial))
            machine.results[key] = found
        return found

    return get


@rule("memref.load")
def _load(op: Operation, f: Function) -> Compiled:
    def load(view: MemRef, *indices: Array) -> Array:
        index = view.at(indices)
        observe(f, op, "load", view, index)
        return view.gather(index)

    return load


@rule("memref.store")
def _store(op: Operation, f: Function) -> Compiled:
    def store(value: Array, view: MemRef, *indices: Array) -> None:
        index = view.at(indices)
        observe(f, op, "store", view, index)
        view.scatter(index, value)

    return store


@rule("memref.copy")
def _copy(op: Operation, f: Function) -> Compiled:
    def copy(source: MemRef, target: MemRef) -> None:
        observe(f, op, "load", source)
        observe(f, op, "store", target)
        target.write(source.read())

    return copy


@rule("memref.dim", "tensor.dim")
def _dim(op: Operation, f: Function) -> Compiled:
    shape = operand_info(op, 0).shape

    def dim(value: Any, index: Array) -> Array:
        d = int(index)
        if isinstance(value, MemRef):
            return np.int64(value.sizes[d])
        return np.int64(value.shape[d] if shape[d] == -1 else shape[d])

    return dim


@rule("memref.rank", "tensor.rank")
def _rank(op: Operation, f: Function) -> Compiled:
    def rank(value: Any) -> Array:
        return np.int64(len(value.sizes) if isinstance(value, MemRef) else value.ndim)

    return rank


@rule("memref.extract_strided_metadata")
def _metadata(op: Operation, f: Function) -> Compiled:
    def extract(view: MemRef) -> list[Any]:
        base = view.view(0, (), ())
        numbers = [np.int64(n) for n in (view.offset, *view.sizes, *view.strides)]
        return [base, *numbers]

    return extract


@rule("memref.extract_aligned_pointer_as_index")
def _pointer(op: Operation, f: Function) -> Compiled:
    def pointer(view: MemRef) -> Array:
        if view.buffer.address is None:
            raise UnsupportedOp("the address of a local buffer is not known to the interpreter")
        return np.int64(view.buffer.address)

    return pointer


@rule("memref.transpose")
def _transpose(op: Operation, f: Function) -> Compiled:
    permutation: Any = attribute(op, "permutation")
    order = [e.position for e in permutation.data.results]

    def transpose(view: MemRef) -> MemRef:
        return view.view(
            view.offset, [view.sizes[d] for d in order], [view.strides[d] for d in order]
        )

    return transpose


def groups_of(op: Operation) -> list[tuple[int, ...]]:
    """Return the reassociation of an expanding or collapsing op."""
    return [tuple(group) for group in plain(attribute(op, "reassociation"))]


@rule("memref.collapse_shape")
def _collapse(op: Operation, f: Function) -> Compiled:
    groups = groups_of(op)

    def collapse(view: MemRef) -> MemRef:
        sizes = [int(np.prod([view.sizes[d] for d in g])) for g in groups]
        strides = [_group_stride(view, g) for g in groups]
        return view.view(view.offset, sizes, strides)

    return collapse


def _group_stride(view: MemRef, group: tuple[int, ...]) -> int:
    real = [d for d in group if view.sizes[d] != 1]
    return view.strides[real[-1]] if real else 1


@rule("memref.expand_shape")
def _expand(op: Operation, f: Function) -> Compiled:
    groups = groups_of(op)
    static = integers(op, "static_output_shape") or result_info(op).shape

    def expand(view: MemRef, *dynamic: Array) -> MemRef:
        rest = iter(dynamic)
        sizes = [int(next(rest)) if n in (DYNAMIC, -1) else n for n in static]
        strides = [0] * len(sizes)
        for g, stride in zip(groups, view.strides, strict=True):
            for d in reversed(g):
                strides[d] = stride
                stride *= sizes[d]
        return view.view(view.offset, sizes, strides)

    return expand


@rule("memref.reshape")
def _reshape(op: Operation, f: Function) -> Compiled:
    def reshape(view: MemRef, shape: MemRef) -> MemRef:
        sizes = [int(n) for n in shape.read()]
        return view.view(view.offset, sizes, row_major(sizes))

    return reshape


@rule("memref.view")
def _view(op: Operation, f: Function) -> Compiled:
    """A part of a local buffer of bytes as another type."""
    known, machine = result_info(op), f.machine
    of = known.scalar

    def view(source: MemRef, shift: Array, *dynamic: Array) -> MemRef:
        array = source.buffer.array
        if array is None:
            raise UnsupportedOp("memref.view of an argument without bounds")
        rest = iter(dynamic)
        sizes = [int(next(rest)) if n == -1 else n for n in known.shape]
        start = source.offset + int(shift)
        count = int(np.prod(sizes, dtype=np.int64)) * of.size
        part = array.view(np.uint8)[start : start + count].view(of.storage)
        buffer = Buffer(of, part, machine.memory, None, source.buffer.name)
        return MemRef(buffer, 0, tuple(sizes), row_major(sizes))

    return view


# --- bufferization ----------------------------------------------------------------------


@rule("bufferization.to_tensor")
def _to_tensor(op: Operation, f: Function) -> Compiled:
    """A whole argument without bounds stays a view; `tensor.extract` reads what it needs."""

    def to_tensor(view: MemRef) -> Any:
        if view.is_unbounded:
            return view
        observe(f, op, "load", view)
        return view.read()

    return to_tensor


@rule("bufferization.to_buffer")
def _to_buffer(op: Operation, f: Function) -> Compiled:
    machine = f.machine

    def to_buffer(x: Array) -> MemRef:
        known = result_info(op)
        sizes = [n if n != -1 else x.shape[d] for d, n in enumerate(known.shape)]
        view = local_buffer(sizes, known.scalar, machine.memory)
        view.write(x)
        return view

    return to_buffer


@rule("bufferization.materialize_in_destination")
def _materialize(op: Operation, f: Function) -> Compiled | None:
    if operand_info(op, 1).kind != "memref":
        return lambda x, target: x
    shape = operand_info(op, 0).shape

    def write(x: Array, view: MemRef) -> None:
        observe(f, op, "store", view)
        view.write(x if -1 in shape else spread(x, shape))

    return write


@rule("bufferization.alloc_tensor", "tensor.empty")
def _alloc_tensor(op: Operation, f: Function) -> Compiled:
    known, machine = result_info(op), f.machine
    of = known.scalar
    parts = segments(op)
    copied = op.name == "bufferization.alloc_tensor" and len(parts) > 1 and len(parts[1]) > 0
    dynamic_count = sum(1 for n in known.shape if n == -1)

    def alloc(*operands: Array) -> Array:
        if copied:
            return operands[dynamic_count]
        rest = iter(operands)
        sizes = [int(next(rest)) if n == -1 else 1 for n in known.shape]
        return np.full(sizes, machine.memory.poison_value(of), of.carrier)

    return alloc


@rule("bufferization.clone")
def _clone(op: Operation, f: Function) -> Compiled:
    machine = f.machine

    def clone(view: MemRef) -> MemRef:
        copy = local_buffer(view.sizes, view.element, machine.memory)
        copy.write(view.read())
        return copy

    return clone


rule("bufferization.dealloc", "bufferization.dealloc_tensor")(nothing)
