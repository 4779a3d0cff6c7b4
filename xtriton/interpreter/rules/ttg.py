# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false
# pyright: reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""
Ops of ttg: layouts do not change values, shared memory is memory.

Asynchronous copies happen at once. A buffer's array has the batch of programs first when
there is one; views are NumPy views.
"""

from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np
from xdsl.ir import Operation

from xtriton.errors import UnsupportedOp
from xtriton.interpreter.machine import Env, Function, Step
from xtriton.interpreter.memory import EndlessRegion
from xtriton.interpreter.registry import control, rule
from xtriton.interpreter.rules.tt_atomic import RMW_OPERATIONS, rmw_function
from xtriton.interpreter.rules.tt_math import SCALED_TYPES, unpack
from xtriton.interpreter.rules.tt_memory import pointee
from xtriton.interpreter.types import info, integer, integers, operand_info, result_info, segments
from xtriton.interpreter.values import SharedBuffer, spread, uniform_int
from xtriton.semantics import element
from xtriton.semantics.elements import Array

Compiled = Callable[..., Any]


def contents(value: Any, shape: tuple[int, ...]) -> Array:
    """Return a tensor, or what a shared buffer holds now."""
    if isinstance(value, SharedBuffer):
        return value.array.copy()
    return spread(value, shape)


def write(buffer: SharedBuffer, value: Array, mask: Array | None = None) -> None:
    """Store a tensor in a shared buffer, where `mask` holds."""
    if mask is None:
        buffer.array[...] = value
    else:
        np.copyto(buffer.array, value, where=mask)


def allocate(op: Operation, f: Function) -> Callable[[], SharedBuffer]:
    """Return what makes the buffer of an op's first result, full of poison."""
    known, machine = result_info(op), f.machine
    of, shape = known.scalar, known.shape

    def make() -> SharedBuffer:
        batched = machine.batch > 0
        size = (machine.batch, *shape) if batched else shape
        poison = machine.memory.poison_value(of)
        return SharedBuffer(np.full(size, poison, of.carrier), of, batched)

    return make


@rule("ttg.local_alloc", "ttng.tmem_alloc")
def _local_alloc(op: Operation, f: Function) -> Compiled:
    make = allocate(op, f)
    several = len(op.results) > 1

    def alloc(source: Array | None = None) -> Any:
        buffer = make()
        if source is not None:
            write(buffer, source)
        return (buffer, None) if several else buffer

    return alloc


@rule("ttg.local_load")
def _local_load(op: Operation, f: Function) -> Compiled:
    return lambda buffer, *token: buffer.array.copy()


@rule("ttg.local_store")
def _local_store(op: Operation, f: Function) -> Compiled:
    return lambda value, buffer: write(buffer, value)


@rule("ttg.async_copy_global_to_local")
def _async_copy(op: Operation, f: Function) -> Compiled:
    """Without `other`, lanes whose mask is off become zero, as `cp.async` fills them."""
    of, shape = pointee(op), operand_info(op, 0).shape
    _, _, has_mask, has_other = ([len(p) for p in segments(op)] + [0, 0])[:4]
    machine = f.machine

    def copy(p: Array, buffer: SharedBuffer, *rest: Array) -> None:
        mask = rest[0] if has_mask else None
        other = rest[-1] if has_other else of.constant(0)
        if machine.observer is not None:
            machine.observer.access(op, "load", p, mask, of.size, machine.programs, shape)
        write(buffer, machine.memory.load(p, mask, other, of))

    return copy


@rule(
    "ttg.async_commit_group",
    "ttg.async_wait",
    "ttg.local_dealloc",
    "ttg.barrier",
    "ttg.local_barrier",
    "ttng.fence_async_shared",
    "ttng.bar_arrive",
    "ttng.bar_wait",
    "ttng.mbarrier_arrive",
    "ttng.reg_alloc",
    "ttng.reg_dealloc",
    "ttng.tmem_wait",
    "ttng.init_barrier",
    "ttng.inval_barrier",
    "ttng.barrier_expect",
    "ttng.wait_barrier",
    "ttng.arrive_barrier",
    "ttng.async_copy_mbarrier_arrive",
    "ttng.async_tma_store_wait",
    "ttng.cluster_arrive",
    "ttng.cluster_wait",
    "ttng.cluster_barrier",
    "ttng.fence_mbarrier_init_release_cluster",
    "ttng.tc_gen5_commit",
    "ttng.tensormap_create",
    "ttng.tensormap_fenceproxy_acquire",
    "tt.experimental_tensormap_create",
    "ttig.prefetch",
    "ttig.descriptor_prefetch",
)
def token(op: Operation, f: Function) -> Compiled | None:
    """Ordering and hints: nothing to do, and a token if one is asked for."""
    return (lambda *operands: None) if op.results else None


# --- views ------------------------------------------------------------------------------


@rule("ttg.memdesc_index")
def _index(op: Operation, f: Function) -> Compiled:
    def index(buffer: SharedBuffer, i: Array) -> SharedBuffer:
        k = uniform_int(i)
        return buffer.view(buffer.array[:, k] if buffer.batched else buffer.array[k])

    return index


def _cut(buffer: SharedBuffer, offsets: list[int], shape: tuple[int, ...]) -> SharedBuffer:
    """Return the part of `shape` that begins at `offsets`; missing dimensions come first."""
    sizes = (1,) * (len(offsets) - len(shape)) + shape
    place: list[Any] = [slice(o, o + n) for o, n in zip(offsets, sizes, strict=True)]
    place[: len(offsets) - len(shape)] = offsets[: len(offsets) - len(shape)]
    front = (slice(None),) if buffer.batched else ()
    return buffer.view(buffer.array[(*front, *place)])


@rule("ttg.memdesc_subslice", "ttg.memdesc_subview")
def _subslice(op: Operation, f: Function) -> Compiled:
    static, shape = integers(op, "offsets"), result_info(op).shape

    def subslice(buffer: SharedBuffer, *dynamic: Array) -> SharedBuffer:
        offsets = list(static) or [uniform_int(o) for o in dynamic]
        return _cut(buffer, offsets, shape)

    return subslice


@rule("ttg.memdesc_trans")
def _transpose(op: Operation, f: Function) -> Compiled:
    order = integers(op, "order") or tuple(reversed(range(result_info(op).rank)))
    batched = (0, *(1 + o for o in order))

    def transpose(buffer: SharedBuffer) -> SharedBuffer:
        return buffer.view(buffer.array.transpose(batched if buffer.batched else order))

    return transpose


@rule("ttg.memdesc_reshape")
def _reshape(op: Operation, f: Function) -> Compiled:
    shape = result_info(op).shape

    def reshape(buffer: SharedBuffer) -> SharedBuffer:
        front = buffer.array.shape[:1] if buffer.batched else ()
        view = buffer.array.reshape(front + shape)
        if not np.shares_memory(view, buffer.array):
            raise UnsupportedOp("a reshape of a transposed shared buffer")
        return buffer.view(view)

    return reshape


@rule("ttg.memdesc_reinterpret")
def _reinterpret(op: Operation, f: Function) -> Compiled:
    """The same bytes in row-major order."""
    known = result_info(op)

    def reinterpret(buffer: SharedBuffer) -> SharedBuffer:
        front = buffer.array.shape[:1] if buffer.batched else ()
        if known.element is not buffer.element:
            return buffer.retyped(known.scalar, known.shape)
        count = int(np.prod(known.shape))
        flat = buffer.array.reshape((*front, -1))[..., :count]
        view = flat.reshape(front + known.shape)
        if not np.shares_memory(view, buffer.array):
            raise UnsupportedOp("a reinterpretation of a part of a shared buffer")
        return buffer.view(view)

    return reinterpret


# --- gathers ----------------------------------------------------------------------------


@rule("ttg.local_gather")
def _local_gather(op: Operation, f: Function) -> Compiled:
    shape, rank = operand_info(op, 1).shape, operand_info(op, 1).rank
    axis = integer(op, "axis") - rank

    def gather(buffer: SharedBuffer, indices: Array, *token: Any) -> Array:
        index = np.broadcast_to(indices, _full(buffer, indices, shape))
        return np.take_along_axis(buffer.array, index.astype(np.int64), axis)

    return gather


def _full(buffer: SharedBuffer, x: Array, shape: tuple[int, ...]) -> tuple[int, ...]:
    return (buffer.array.shape[:1] if buffer.batched else ()) + shape


@rule("ttg.local_scatter")
def _local_scatter(op: Operation, f: Function) -> Compiled:
    parts = segments(op)
    known = info(parts[1][0].type if parts else op.operands[1].type)
    indices_first = known.scalar.kind == "int" and info(op.operands[2].type).scalar.kind != "int"
    shape = known.shape
    axis = integer(op, "axis") - known.rank

    def scatter(buffer: SharedBuffer, a: Array, b: Array, *token: Any) -> None:
        indices, values = (a, b) if indices_first else (b, a)
        full = _full(buffer, indices, shape)
        index = np.broadcast_to(indices, full).astype(np.int64)
        np.put_along_axis(buffer.array, index, np.broadcast_to(values, full), axis)

    return scatter


@rule("ttg.local_atomic_scatter_rmw")
def _local_atomic(op: Operation, f: Function) -> Compiled:
    shape = operand_info(op, 1).shape
    of = operand_info(op, 0).scalar
    axis = integer(op, "axis")
    update = rmw_function(RMW_OPERATIONS[integer(op, "atomic_rmw_op")], of)

    def rmw(buffer: SharedBuffer, values: Array, indices: Array, mask: Any = None) -> Array:
        full = _full(buffer, indices, shape)
        index, value = np.broadcast_to(indices, full), np.broadcast_to(values, full)
        active = np.broadcast_to(True if mask is None else mask, full)
        old = np.zeros(full, of.carrier)
        dim = axis + (1 if buffer.batched else 0)
        for place in np.ndindex(*full):
            if active[place]:
                target = (*place[:dim], int(index[place]), *place[dim + 1 :])
                old[place] = buffer.array[target]
                buffer.array[target] = update(old[place], value[place])
        return old

    return rmw


# --- pipelining and others ----------------------------------------------------------------


@rule("ttg.predicate_stage")
def _predicate_stage(op: Operation, f: Function) -> Compiled:
    """Whether a stage of a pipelined loop is live: iv < ub - (maxStage - stage) * step."""
    distance = integer(op, "maxStage") - integer(op, "stage")
    return lambda iv, ub, step: iv < ub - step * iv.dtype.type(distance)


@control("ttg.mask")
def _mask(op: Operation, f: Function) -> Step:
    """Runs the region where the predicate holds; elsewhere the results are poison."""
    from xtriton.interpreter.rules.scf import in_groups

    predicate = f.slot(op.operands[0])
    run = f.compile_region(op.regions[0])
    results = [f.slot(r) for r in op.results]
    known = [info(r.type) for r in op.results]
    ranks = [k.rank if k.is_array else 0 for k in known]
    machine = f.machine

    def poison(env: Env) -> list[Any]:
        return [
            machine.memory.poison_value(k.scalar).reshape((1,) * k.rank) if k.is_array else None
            for k in known
        ]

    def step(env: Env) -> None:
        p = env[predicate]
        if p.ndim == 0 or p.all() == p.any():
            values = run(env) if p.all() else poison(env)
        else:
            values = in_groups(
                f, env, [(np.flatnonzero(p), run), (np.flatnonzero(~p), poison)], ranks
            )
        for slot, value in zip(results, values, strict=True):
            env[slot] = value

    return step


@rule("ttg.fp4_to_fp")
def _fp4_to_fp(op: Operation, f: Function) -> Compiled:
    """Two 4-bit floats a byte, the low half first, along `axis`."""
    axis = integer(op, "axis") - result_info(op).rank
    of, source = element("f4E2M1FN"), operand_info(op, 0).shape

    def unpack(x: Array) -> Array:
        octets = spread(x, source).view(np.uint8)
        halves = [of.decode(octets & 15), of.decode(octets >> 4)]
        shape = list(octets.shape)
        shape[axis] *= 2
        stacked = np.stack([np.moveaxis(h, axis, -1) for h in halves], axis=-1)
        flat = stacked.reshape((*stacked.shape[:-2], -1))
        return np.moveaxis(flat, -1, axis)

    return unpack


@rule("ttg.upcast_mxfp")
def _upcast(op: Operation, f: Function) -> Compiled:
    """Microscaling floats to bf16: each group along the last axis times its e8m0 scale."""
    source, scales, result = operand_info(op, 0), operand_info(op, 1), result_info(op)
    name = SCALED_TYPES[integer(op, "fp_type")]

    def upcast(x: Array, scale: Array) -> Array:
        values = unpack(spread(x, source.shape), source.scalar, name, -1)
        factors = element("f8E8M0FNU").decode(spread(scale, scales.shape).view(np.uint8))
        group = values.shape[-1] // factors.shape[-1]
        product = values.astype(np.float64) * np.repeat(factors, group, axis=-1)
        return result.scalar.round(product)

    return upcast


_FIRST_SCRATCH, _SCRATCHES = 1024, 1024
"""Numbers of regions that no argument has; an address has 11 bits for them."""
_scratches = count()


@rule("ttg.global_scratch_alloc")
def _scratch(op: Operation, f: Function) -> Compiled:
    """Memory of a program's own."""
    machine = f.machine
    number = _FIRST_SCRATCH + next(_scratches) % _SCRATCHES
    size = max(integer(op, "nbytes"), 1)

    def alloc() -> Array:
        memory = machine.memory
        base = memory.add(number, EndlessRegion(number, element("i8"), memory.scratch_contents))
        place = machine.programs if machine.batch else machine.programs[0]
        return np.int64(base) + place * np.int64(-(-size // 128) * 128)

    return alloc


@rule("ttg.warp_id")
def _warp_id(op: Operation, f: Function) -> Compiled:
    """Programs are executed as a whole, as if by one warp."""
    return lambda: np.int32(0)
