"""
Atomics of tt.

Lanes act one after the other in row-major order, programs of a batch in the order of their
indices. Lanes with different addresses are done at once; those that share one take turns.
"""

from collections.abc import Callable

import numpy as np
from xdsl.ir import Operation

from xtriton.interpreter.machine import NOTHING, Function, Machine
from xtriton.interpreter.memory import Memory
from xtriton.interpreter.registry import rule
from xtriton.interpreter.rules.tt_memory import Compiled, optional_operands, pointee
from xtriton.interpreter.types import integer, operand_info
from xtriton.interpreter.values import BlockPointer
from xtriton.semantics import Element, function
from xtriton.semantics.elements import Array

RMW_OPERATIONS = (
    "",
    "arith.andi",
    "arith.ori",
    "arith.xori",
    "arith.addi",
    "arith.addf",
    "arith.maxsi",
    "arith.minsi",
    "arith.maxui",
    "arith.minui",
    "exchange",
)
"""What `atomic_rmw_op` computes, by its integer code (1 and, … 10 exch)."""

Update = Callable[[Array, Array], Array]


def rmw_function(name: str, of: Element) -> Update:
    """Return what an atomic stores, from the old value and the operand."""
    if name == "exchange":
        return lambda old, value: value
    if of.is_float and name in ("arith.maxsi", "arith.maxui"):
        name = "arith.maxnumf"
    elif of.is_float and name in ("arith.minsi", "arith.minui"):
        name = "arith.minnumf"
    return function(name, (of, of), of)


def in_turns(memory: Memory, address: Array, update: Update, of: Element) -> Array:
    """
    Do an atomic at each of the flat addresses; return the old values.

    `update(old, lanes)` gives the new values of the lanes with these positions.
    """
    old = np.empty(address.shape, of.carrier)
    if not address.size:
        return old
    order = np.argsort(address, kind="stable")
    ordered = address[order]
    is_new = np.ones(len(order), np.bool_)
    is_new[1:] = ordered[1:] != ordered[:-1]
    starts, place = np.flatnonzero(is_new), np.cumsum(is_new) - 1
    turn = np.arange(len(order)) - starts[place]
    ends = np.cumsum(np.bincount(turn))
    turns = np.split(np.argsort(turn, kind="stable"), ends[:-1])
    places = ordered[starts]
    if memory.follows_undefined or (places[1:] - places[:-1] < of.size).any():
        for now in turns:
            lanes = order[now]
            found = memory.load(address[lanes], None, None, of)
            old[lanes] = found
            memory.store(address[lanes], update(found, lanes), None, of)
        return old
    held = np.array(memory.load(places, None, None, of))
    for now in turns:
        lanes, here = order[now], place[now]
        found = old[lanes] = held[here]
        held[here] = update(found, lanes)
    memory.store(places, held, None, of)
    return old


def atomic(
    machine: Machine,
    address: Array,
    mask: Array | None,
    values: tuple[Array, ...],
    of: Element,
    rank: int,
    update: Callable[..., Array],
) -> Array:
    """Run an atomic over lanes; masked-off lanes return poison."""
    if machine.memory.places_only:
        machine.memory.store(address, NOTHING, mask, of)
        return NOTHING
    operands = (address, *values) if mask is None else (address, *values, mask)
    shape = np.broadcast_shapes(*(x.shape for x in operands))
    if machine.batch and len(shape) == rank:
        shape = (machine.batch, *shape)
    flat = np.broadcast_to(address, shape).reshape(-1)
    lanes = [np.broadcast_to(v, shape).reshape(-1) for v in values]
    active = None if mask is None else np.broadcast_to(mask, shape).reshape(-1)
    if active is not None and not active.all():
        flat, lanes = flat[active], [v[active] for v in lanes]
    old = in_turns(machine.memory, flat, lambda o, which: update(o, *[v[which] for v in lanes]), of)
    if active is not None and len(old) != len(active):
        whole = np.full(len(active), machine.memory.poison_value(of), of.carrier)
        whole[active] = old
        old = whole
    result = old.reshape(shape)
    return result if shape else result[()]


def _full(address: Array, shape: tuple[int, ...]) -> Array:
    """Atomics count: every lane of the type's shape must act."""
    front = address.shape[: address.ndim - len(shape)]
    return np.broadcast_to(address, front + shape)


@rule("tt.atomic_rmw")
def _atomic_rmw(op: Operation, f: Function) -> Compiled:
    of, known = pointee(op), operand_info(op, 0)
    name = RMW_OPERATIONS[integer(op, "atomic_rmw_op")]
    update = rmw_function(name, of)
    has_mask = (
        optional_operands(op, 3)[2]
        if op.properties.get("operandSegmentSizes")
        else (len(op.operands) > 2)
    )
    machine, shape = f.machine, known.shape

    def rmw(p: Array, value: Array, mask: Array | None = None) -> Array:
        p = _full(p, shape)
        if machine.observer is not None:
            machine.observer.access(op, "atomic", p, mask, of.size, machine.programs, shape)
        return atomic(machine, p, mask if has_mask else None, (value,), of, len(shape), update)

    return rmw


@rule("tt.atomic_cas")
def _atomic_cas(op: Operation, f: Function) -> Compiled:
    """Bits are compared, not values: a NaN equals itself, zeros of both signs differ."""
    of, known = pointee(op), operand_info(op, 0)
    machine, shape = f.machine, known.shape

    def update(old: Array, compare: Array, value: Array) -> Array:
        return np.where(of.to_bits(old) == of.to_bits(compare), value, old)  # pyright: ignore[reportUnknownVariableType]

    def cas(p: Array, compare: Array, value: Array) -> Array:
        p = _full(p, shape)
        if machine.observer is not None:
            machine.observer.access(op, "atomic", p, None, of.size, machine.programs, shape)
        return atomic(machine, p, None, (compare, value), of, len(shape), update)

    return cas


@rule("tt.atomic_poll")
def _atomic_poll(op: Operation, f: Function) -> Compiled:
    """Waits until memory holds what is expected; programs run in order, so it must already."""
    of = pointee(op)
    machine = f.machine

    def poll(p: Array, expected: Array, timeout: Array | None = None) -> Array:
        if machine.observer is not None:
            machine.observer.access(op, "atomic", p, None, of.size, machine.programs, ())
        return machine.memory.load(p, None, None, of) == expected

    return poll


@rule("tt.atomic_load")
def _atomic_load(op: Operation, f: Function) -> Compiled:
    of, shape, machine = pointee(op), operand_info(op, 0).shape, f.machine

    def load(p: Array, mask: Array | None = None) -> Array:
        if machine.observer is not None:
            machine.observer.access(op, "atomic", p, mask, of.size, machine.programs, shape)
        return machine.memory.load(p, mask, None, of)

    return load


@rule("tt.atomic_store")
def _atomic_store(op: Operation, f: Function) -> Compiled:
    of, shape, machine = pointee(op), operand_info(op, 0).shape, f.machine

    def store(p: Array, value: Array, mask: Array | None = None) -> None:
        if machine.observer is not None:
            machine.observer.access(op, "atomic", p, mask, of.size, machine.programs, shape)
        machine.memory.store(p, value, mask, of)

    return store


REDUCE_KINDS = (
    "",
    "arith.addi",
    "arith.minsi",
    "arith.maxsi",
    "",
    "",
    "arith.andi",
    "arith.ori",
    "arith.xori",
)


@rule("tt.descriptor_reduce")
def _descriptor_reduce(op: Operation, f: Function) -> Compiled:
    """
    Atomic update of a block through a descriptor.

    Kinds by code: 1 add, 2 min, 3 max, 4 inc, 5 dec, 6 and, 7 or, 8 xor; min and max are
    signed or unsigned as the descriptor's element type says.
    """
    from xtriton.interpreter.rules.tt_memory import block_lanes

    block, known = operand_info(op, 0), operand_info(op, 1)
    of, machine, shape = block.scalar, f.machine, known.shape
    name = REDUCE_KINDS[integer(op, "kind")]
    if of.is_float and name == "arith.addi":
        name = "arith.addf"
    update = rmw_function(name, of)
    dims = tuple(range(block.rank))

    def reduce(p: BlockPointer, value: Array, *indices: Array) -> None:
        offsets = tuple(i.astype(np.int64) for i in indices)
        address, inside = block_lanes(p, offsets, block, dims, shape)
        if machine.observer is not None:
            machine.observer.access(op, "atomic", address, inside, of.size, machine.programs, shape)
        atomic(machine, address, inside, (value,), of, len(shape), update)

    return reduce
