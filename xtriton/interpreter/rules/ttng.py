# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false
# pyright: reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""
Ops of ttng that have a meaning for whole programs: matrix units, bulk copies.

Warp specialisation, clusters and multi-CTA features are not executed.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.ir import Operation

from xtriton.interpreter.machine import Function
from xtriton.interpreter.registry import rule
from xtriton.interpreter.rules.tt_atomic import REDUCE_KINDS, atomic, rmw_function
from xtriton.interpreter.rules.tt_math import IEEE, TF32, multiply_accumulate
from xtriton.interpreter.rules.tt_memory import block_lanes, padding_value
from xtriton.interpreter.rules.ttg import contents, write
from xtriton.interpreter.types import integer, operand_info, segments
from xtriton.interpreter.values import BlockPointer, SharedBuffer
from xtriton.semantics.elements import Array

Compiled = Callable[..., Any]


@rule("ttng.warp_group_dot", "ttng.dot_async")
def _warp_group_dot(op: Operation, f: Function) -> Compiled:
    """As `tt.dot`; where `useC` is false the accumulator counts as zero."""
    left, right, result = (operand_info(op, k) for k in range(3))
    tf32 = integer(op, "inputPrecision", IEEE) == TF32 and left.scalar.name == "f32"

    def dot(a: Any, b: Any, c: Array, use_c: Array | None = None) -> Array:
        if use_c is not None:
            c = np.where(use_c.reshape((*use_c.shape, 1, 1)), c, c.dtype.type(0))
        x, y = contents(a, left.shape), contents(b, right.shape)
        return multiply_accumulate(x, y, c, left.scalar, result.scalar, tf32)

    return dot


@rule("ttng.warp_group_dot_wait", "ttng.dot_wait")
def _wait(op: Operation, f: Function) -> Compiled:
    return lambda *xs: xs[0] if len(xs) == 1 else xs


@rule("ttng.reinterpret_tensor_descriptor", "ttng.tensor_desc_to_tma_ptr")
def _same(op: Operation, f: Function) -> Compiled:
    return lambda x: x


def _offsets(indices: tuple[Array, ...]) -> tuple[Array, ...]:
    return tuple(i.astype(np.int64) for i in indices)


@rule("ttng.async_tma_copy_global_to_local")
def _copy_in(op: Operation, f: Function) -> Compiled:
    block = operand_info(op, 0)
    of, machine = block.scalar, f.machine
    coordinates = block.rank
    rest_of = [len(p) for p in segments(op)]
    skipped = rest_of[2] if len(rest_of) == 6 else 0
    dims = tuple(range(block.rank))

    def copy(p: BlockPointer, *operands: Any) -> None:
        offsets = _offsets(operands[:coordinates])
        _, buffer, predicate = operands[coordinates + skipped :]
        address, inside = block_lanes(p, offsets, block, dims, None)
        live = predicate.reshape(predicate.shape + (1,) * block.rank)
        if machine.observer is not None:
            mask = live if inside is None else inside & live
            machine.observer.access(
                op, "load", address, mask, of.size, machine.programs, block.shape
            )
        value = machine.memory.load(address, inside, padding_value(p.padding, of), of)
        write(buffer, value.reshape(value.shape[: value.ndim - block.rank] + _own(buffer)), live)

    return copy


def _own(buffer: SharedBuffer) -> tuple[int, ...]:
    return buffer.array.shape[1:] if buffer.batched else buffer.array.shape


@rule("ttng.async_tma_copy_local_to_global", "ttng.async_tma_reduce")
def _copy_out(op: Operation, f: Function) -> Compiled:
    block = operand_info(op, 0)
    of, machine = block.scalar, f.machine
    dims = tuple(range(block.rank))
    kind = integer(op, "kind", 0)
    name = REDUCE_KINDS[kind]
    if of.is_float and name == "arith.addi":
        name = "arith.addf"
    update = rmw_function(name, of) if name else None

    def copy(p: BlockPointer, *operands: Any) -> None:
        *indices, source = operands
        address, inside = block_lanes(p, _offsets(tuple(indices)), block, dims, None)
        array = source.array
        front = array.shape[:1] if source.batched else ()
        value = array.reshape(front + block.shape)
        what = "store" if update is None else "atomic"
        if machine.observer is not None:
            machine.observer.access(
                op, what, address, inside, of.size, machine.programs, block.shape
            )
        if update is None:
            machine.memory.store(address, value, inside, of)
        else:
            atomic(machine, address, inside, (value,), of, block.rank, update)

    return copy


@rule("ttng.tmem_load")
def _tmem_load(op: Operation, f: Function) -> Compiled:
    several = len(op.results) > 1

    def load(buffer: SharedBuffer, *token: Any) -> Any:
        value = buffer.array.copy()
        return (value, *(None for _ in op.results[1:])) if several else value

    return load


@rule("ttng.tmem_store")
def _tmem_store(op: Operation, f: Function) -> Compiled:
    several = len(op.results) > 0

    def store(buffer: SharedBuffer, *rest: Any) -> None:
        *_, value, predicate = rest
        write(buffer, value, predicate.reshape((*predicate.shape, 1, 1)))

    return store if not several else (lambda *xs: store(*xs))


@rule("ttng.tmem_copy")
def _tmem_copy(op: Operation, f: Function) -> Compiled:
    return lambda source, target, *rest: write(target, source.array.reshape(target.array.shape))


@rule("ttng.tmem_subslice")
def _tmem_subslice(op: Operation, f: Function) -> Compiled:
    offset, dim = integer(op, "offset", integer(op, "N")), integer(op, "dim", 1)
    size = operand_info(op, 0).shape
    wanted = op.results[0].type.get_shape()[dim]  # pyright: ignore[reportAttributeAccessIssue]

    def subslice(buffer: SharedBuffer) -> SharedBuffer:
        place: list[Any] = [slice(None)] * len(size)
        place[dim] = slice(offset, offset + wanted)
        front = (slice(None),) if buffer.batched else ()
        return buffer.view(buffer.array[(*front, *place)])

    return subslice


@rule("ttng.tc_gen5_mma")
def _mma(op: Operation, f: Function) -> Compiled:
    """d = a @ b + (useD ? d : 0), where `pred` holds."""
    left, right, result = (operand_info(op, k) for k in range(3))
    counts = [len(p) for p in segments(op)]
    use, predicate = sum(counts[:4]), sum(counts[:5])

    def mma(*operands: Any) -> None:
        a, b, d = operands[:3]
        use_d, live = operands[use], operands[predicate]
        c = np.where(use_d.reshape((*use_d.shape, 1, 1)), d.array, d.array.dtype.type(0))
        x, y = contents(a, left.shape), contents(b, right.shape)
        value = multiply_accumulate(x, y, c, left.scalar, result.scalar)
        write(d, value, live.reshape((*live.shape, 1, 1)))

    return mma


@rule("ttng.async_shared_store")
def _shared_store(op: Operation, f: Function) -> Compiled:
    return lambda value, buffer, barrier: write(buffer, value)
