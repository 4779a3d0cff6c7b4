"""Ops of tts: structured pointers, and accesses through them with windows and masks."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.ir import Operation

from xtriton.interpreter.machine import Function
from xtriton.interpreter.memory import MemoryFault
from xtriton.interpreter.registry import rule
from xtriton.interpreter.rules.linalg_operands import evaluate
from xtriton.interpreter.rules.memref import DYNAMIC
from xtriton.interpreter.rules.tt_atomic import RMW_OPERATIONS, atomic, rmw_function
from xtriton.interpreter.types import (
    attribute,
    info,
    integer,
    integers,
    operand_info,
    result_info,
    segments,
)
from xtriton.interpreter.values import Batched, as_row, merge, select
from xtriton.semantics import Element
from xtriton.semantics.elements import Array

Compiled = Callable[..., Any]


@dataclass(frozen=True, eq=False)
class Lanes(Batched):
    """A pointer to a block as the address of each element, and where it may be accessed."""

    address: Array
    allowed: Array | None
    rank: int

    def select(self, which: Array) -> "Lanes":
        allowed = None if self.allowed is None else select(self.allowed, which, self.rank)
        return Lanes(select(self.address, which, self.rank), allowed, self.rank)

    def merge(self, parts: Sequence[tuple[Array, Any]], count: int) -> "Lanes":
        address = merge([(w, p.address) for w, p in parts], count, self.rank)
        true = np.ones((1,) * self.rank, np.bool_)
        allowed = [(w, true if p.allowed is None else p.allowed) for w, p in parts]
        return Lanes(address, merge(allowed, count, self.rank), self.rank)


def _entries(static: tuple[int, ...], dynamic: Iterator[Array]) -> list[Array]:
    """Return the int64 entries of a list of which some are operands."""
    return [np.int64(n) if n != DYNAMIC else next(dynamic).astype(np.int64) for n in static]


def _lanes(size: int, dim: int, rank: int) -> Array:
    """Return 0 … size - 1 along one of `rank` dimensions."""
    return np.arange(size, dtype=np.int64).reshape((-1,) + (1,) * (rank - 1 - dim))


def _pointer(op: Operation, address: Array, allowed: Array | None) -> Any:
    known = result_info(op)
    return address if known.kind == "tensor" else Lanes(address, allowed, known.rank)


def _size(op: Operation) -> np.int64:
    known = result_info(op)
    of = known.pointee if known.kind == "tensor" else known.element
    return np.int64(of.size if of is not None else 1)


@rule("tts.make_tptr")
def _make_tptr(op: Operation, f: Function) -> Compiled:
    """Element i is at base + Σ offsets[d] + i[d]·strides[d], wrapped at shape[d] if not 0."""
    sizes = integers(op, "sizes")
    statics = [integers(op, f"static_{n}") for n in ("strides", "offsets", "shape")]
    wraps = not integers(op, "order")
    rank, size = len(sizes), _size(op)
    parts = [len(part) for part in segments(op)]

    def make(base: Array, *operands: Array) -> Any:
        rest = list(operands)
        lists: list[list[Array]] = []
        for static, count in zip(statics, parts[1:], strict=True):
            lists.append(_entries(static, iter(rest[:count])))
            rest = rest[count:]
        strides, offsets, shape = lists
        address = as_row(base, rank)
        for d in range(rank):
            term = as_row(offsets[d], rank) + _lanes(sizes[d], d, rank) * as_row(strides[d], rank)
            bound = as_row(shape[d], rank)
            if wraps and (bound != 0).any():
                term = np.where(bound != 0, np.fmod(term, np.where(bound == 0, 1, bound)), term)
            address = address + term * size
        return _pointer(op, address, None)

    return make


@rule("tts.make_gather_scatter_tptr")
def _make_gather_tptr(op: Operation, f: Function) -> Compiled:
    sizes, dim = integers(op, "sizes"), integer(op, "gather_scatter_dim")
    static_strides, static_offsets = integers(op, "static_strides"), integers(op, "static_offsets")
    rank, size = len(sizes), _size(op)
    counts = [len(part) for part in segments(op)]

    def make(base: Array, rows: Array, *operands: Array) -> Any:
        split = counts[2]
        strides = _entries(static_strides, iter(operands[:split]))
        offsets = _entries(static_offsets, iter(operands[split : split + counts[3]]))
        mask = operands[-1] if counts[4] else None
        after = (1,) * (rank - 1 - dim)
        front = (1,) * dim
        address = as_row(base, rank)
        for d in range(rank):
            if d == dim:
                index = rows.astype(np.int64)
                index = index.reshape(index.shape[:-1] + front + index.shape[-1:] + after)
                term = index * as_row(strides[d], rank)
            else:
                lanes = _lanes(sizes[d], d, rank)
                term = as_row(offsets[d], rank) + lanes * as_row(strides[d], rank)
            address = address + term * size
        if mask is not None:
            mask = mask.reshape(mask.shape[:-1] + front + mask.shape[-1:] + after)
        return _pointer(op, address, mask)

    return make


@rule("tts.make_affine_tptr")
def _make_affine_tptr(op: Operation, f: Function) -> Compiled:
    sizes = integers(op, "sizes")
    attr: Any = attribute(op, "map")
    expression = attr.data.results[0]
    rank, size = len(sizes), _size(op)
    dims = [_lanes(n, d, rank) for d, n in enumerate(sizes)]

    def make(base: Array, *symbols: Array) -> Any:
        rows = [as_row(s.astype(np.int64), rank) for s in symbols]
        return _pointer(op, as_row(base, rank) + evaluate(expression, dims, rows) * size, None)

    return make


def _both(a: Array | None, b: Array | None) -> Array | None:
    if a is None or b is None:
        return b if a is None else a
    return a & b


def _open(pointer: Any) -> tuple[Array, Array | None]:
    """Return addresses and mask of either kind of pointer to a block."""
    return (pointer.address, pointer.allowed) if isinstance(pointer, Lanes) else (pointer, None)


def _stored(op: Operation) -> tuple[Element, tuple[int, ...]]:
    """Return the element type and shape that an access through operand 0 sees."""
    known = operand_info(op, 0)
    of = known.pointee if known.kind in ("tensor", "scalar") else known.element
    if of is None:
        raise TypeError(f"operand 0 of '{op.name}' is no pointer")
    return of, known.shape


def _prefix(dims: list[Array], pointer: Any, shape: tuple[int, ...]) -> Array | None:
    """Return the mask of the lanes below `dims`; a pointer with a mask has its own there."""
    mask: Array | None = None
    own = isinstance(pointer, Lanes) and pointer.allowed is not None
    for d, bound in enumerate(dims):
        if own and bound.ndim == 0 and int(bound) == 0:
            continue
        rank = len(shape)
        mask = _both(mask, _lanes(shape[d], d, rank) < as_row(bound, rank))
    return mask


def _read(op: Operation, f: Function, pointer: Any, mask: Array | None, other: Array | None):
    of, shape = _stored(op)
    address, allowed = _open(pointer)
    mask = _both(mask, allowed)
    machine = f.machine
    if machine.observer is not None:
        machine.observer.access(op, "load", address, mask, of.size, machine.programs, shape)
    return machine.memory.load(address, mask, other, of)


def _write(op: Operation, f: Function, pointer: Any, value: Array, mask: Array | None) -> None:
    of, shape = _stored(op)
    address, allowed = _open(pointer)
    mask = _both(mask, allowed)
    machine = f.machine
    if machine.observer is not None:
        machine.observer.access(op, "store", address, mask, of.size, machine.programs, shape, value)
    machine.memory.store(address, value, mask, of)


@rule("tts.load")
def _load(op: Operation, f: Function) -> Compiled:
    static = integers(op, "static_mask_dims")
    _, dynamic, other = (len(part) for part in segments(op))
    shape = result_info(op).shape
    rank = len(shape)

    def load(pointer: Any, *operands: Array) -> Array:
        dims = _entries(static, iter(operands[:dynamic]))
        fill = as_row(operands[-1], rank) if other else None
        return _read(op, f, pointer, _prefix(dims, pointer, shape), fill)

    return load


@rule("tts.store")
def _store(op: Operation, f: Function) -> Compiled:
    static = integers(op, "static_mask_dims")
    shape = operand_info(op, 1).shape

    def store(pointer: Any, value: Array, *operands: Array) -> None:
        dims = _entries(static, iter(operands))
        _write(op, f, pointer, value, _prefix(dims, pointer, shape))

    return store


def window(op: Operation, shape: tuple[int, ...]) -> Callable[[Iterator[Array]], Array | None]:
    """Return what makes the mask of `[starts, ends)` from the op's dynamic operands."""
    starts, ends = integers(op, "static_starts"), integers(op, "static_ends")
    rank, nonempty = len(shape), attribute(op, "nonempty") is not None

    def mask(operands: Iterator[Array]) -> Array | None:
        low, high = _entries(starts, operands), _entries(ends, operands)
        found: Array | None = None
        for d, (a, b) in enumerate(zip(low, high, strict=True)):
            if nonempty and not ((a >= 0) & (a < b) & (b <= shape[d])).all():
                raise MemoryFault(f"a nonempty window is from {a} to {b} of {shape[d]}")
            lanes = _lanes(shape[d], d, rank)
            found = _both(found, (lanes >= as_row(a, rank)) & (lanes < as_row(b, rank)))
        return found

    return mask


@rule("tts.masked_load")
def _masked_load(op: Operation, f: Function) -> Compiled:
    counts = [len(part) for part in segments(op)]
    bounds = window(op, result_info(op).shape)

    def load(pointer: Any, *operands: Array) -> Array:
        rest = iter(operands)
        inside = bounds(rest)
        mask = next(rest) if counts[3] else None
        other = next(rest) if counts[4] else None
        return _read(op, f, pointer, _both(inside, mask), other)

    return load


@rule("tts.masked_store")
def _masked_store(op: Operation, f: Function) -> Compiled:
    bounds = window(op, operand_info(op, 1).shape)
    has_mask = len(segments(op)[4]) > 0

    def store(pointer: Any, value: Array, *operands: Array) -> None:
        rest = iter(operands)
        inside = bounds(rest)
        _write(op, f, pointer, value, _both(inside, next(rest) if has_mask else None))

    return store


@rule("tts.gather")
def _gather(op: Operation, f: Function) -> Compiled:
    of, _ = _stored(op)
    rank = result_info(op).rank
    _, _, has_mask, has_other = (len(part) for part in segments(op))
    machine, shape = f.machine, result_info(op).shape

    def gather(base: Array, offset: Array, *rest: Array) -> Array:
        address = as_row(base, rank) + offset.astype(np.int64) * np.int64(of.size)
        mask = rest[0] if has_mask else None
        other = as_row(rest[-1], rank) if has_other and rest[-1].ndim < rank else None
        if has_other and other is None:
            other = rest[-1]
        if machine.observer is not None:
            machine.observer.access(op, "load", address, mask, of.size, machine.programs, shape)
        return machine.memory.load(address, mask, other, of)

    return gather


@rule("tts.scatter")
def _scatter(op: Operation, f: Function) -> Compiled:
    of, _ = _stored(op)
    shape = operand_info(op, 1).shape
    machine = f.machine

    def scatter(base: Array, offset: Array, value: Array, mask: Array | None = None) -> None:
        address = as_row(base, len(shape)) + offset.astype(np.int64) * np.int64(of.size)
        if machine.observer is not None:
            machine.observer.access(
                op, "store", address, mask, of.size, machine.programs, shape, value
            )
        machine.memory.store(address, value, mask, of)

    return scatter


def _spread_address(address: Array, shape: tuple[int, ...]) -> Array:
    return np.broadcast_to(address, address.shape[: address.ndim - len(shape)] + shape)


@rule("tts.atomic_rmw")
def _atomic_rmw(op: Operation, f: Function) -> Compiled:
    of, shape = _stored(op)
    update = rmw_function(RMW_OPERATIONS[integer(op, "atomic_rmw_op")], of)
    bounds = window(op, shape)
    has_mask = len(segments(op)[4]) > 0
    machine = f.machine

    def rmw(pointer: Any, value: Array, *operands: Array) -> Array:
        rest = iter(operands)
        mask = bounds(rest)
        mask = _both(mask, next(rest) if has_mask else None)
        address, allowed = _open(pointer)
        mask = _both(mask, allowed)
        address = _spread_address(address, shape)
        if machine.observer is not None:
            machine.observer.access(op, "atomic", address, mask, of.size, machine.programs, shape)
        return atomic(machine, address, mask, (value,), of, len(shape), update)

    return rmw


def _swap(of: Element) -> Callable[[Array, Array, Array], Array]:
    return lambda old, compare, value: np.where(of.to_bits(old) == of.to_bits(compare), value, old)  # pyright: ignore[reportUnknownLambdaType]


@rule("tts.atomic_cas")
def _atomic_cas(op: Operation, f: Function) -> Compiled:
    of, shape = _stored(op)
    machine = f.machine

    def cas(pointer: Any, compare: Array, value: Array) -> Array:
        address, allowed = _open(pointer)
        address = _spread_address(address, shape)
        if machine.observer is not None:
            machine.observer.access(
                op, "atomic", address, allowed, of.size, machine.programs, shape
            )
        return atomic(machine, address, allowed, (compare, value), of, len(shape), _swap(of))

    return cas


@rule("tts.unstructured_atomic_rmw", "tts.unstructured_atomic_cas")
def _unstructured_atomic(op: Operation, f: Function) -> Compiled:
    of, _ = _stored(op)
    shape = info(op.operands[1].type).shape
    machine = f.machine
    cas = op.name.endswith("cas")
    update: Any = (
        _swap(of) if cas else rmw_function(RMW_OPERATIONS[integer(op, "atomic_rmw_op")], of)
    )
    count = 2 if cas else 1

    def run(base: Array, offset: Array, *rest: Array) -> Array:
        address = as_row(base, len(shape)) + offset.astype(np.int64) * np.int64(of.size)
        address = _spread_address(address, shape)
        mask = rest[count] if len(rest) > count else None
        if machine.observer is not None:
            machine.observer.access(op, "atomic", address, mask, of.size, machine.programs, shape)
        return atomic(machine, address, mask, rest[:count], of, len(shape), update)

    return run
