"""Ops of tt that combine elements: dot, reduce, scan, and elementwise code of others."""

import contextlib
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.ir import Operation

from xtriton.errors import UnsupportedOp
from xtriton.interpreter.machine import CompiledBlock, Env, Function, Step
from xtriton.interpreter.orders import Combine, reduce
from xtriton.interpreter.registry import COMBINED, control, rule
from xtriton.interpreter.rules import ptx
from xtriton.interpreter.types import (
    attribute as attribute_of,
    info,
    integer,
    operand_info,
    plain,
    result_info,
    text,
)
from xtriton.interpreter.values import spread
from xtriton.semantics import Element, element, function
from xtriton.semantics.elements import Array
from xtriton.semantics.formats import round_tf32

Compiled = Callable[..., Any]

TF32, TF32X3, IEEE = 0, 1, 2
"""Input precisions of `tt.dot` by code; 3 and 4 are bf16x3 and bf16x6."""


def matrix_product(a: Array, b: Array, tf32: bool = False) -> Array:
    """
    Return the product of carried matrices in float64, before it is rounded.

    Products of inputs up to float32 are exact in float64 or nearly so, so that neither the
    order of summation nor the way the operands lie in memory shows in the result. With
    `tf32` float32 inputs are rounded to tf32 first.
    """
    if tf32 and a.dtype == np.float32:
        a, b = round_tf32(np.ascontiguousarray(a)), round_tf32(np.ascontiguousarray(b))
    return np.matmul(a.astype(np.float64), b.astype(np.float64))


def multiply_accumulate(
    a: Array, b: Array, c: Array, operand: Element, result: Element, tf32: bool = False
) -> Array:
    """Return a @ b + c, rounded once to `result`; integers wrap."""
    product = matrix_product(a, b, tf32)
    if result.is_float:
        return result.round(product + c)
    if operand.width >= 32:
        product = np.matmul(a.astype(np.int64), b.astype(np.int64))
    return (product.astype(np.int64) + c).astype(result.carrier)


def dot_rule(op: Operation, shapes: tuple[Any, Any, Any], precision: int) -> Compiled:
    """Return the function of three tensors that a dot with that input precision is."""
    left, right, result = shapes
    operand = left.scalar
    tf32 = precision == TF32 and operand.name == "f32"

    def dot(a: Array, b: Array, c: Array) -> Array:
        a, b = spread(a, left.shape), spread(b, right.shape)
        return multiply_accumulate(a, b, c, operand, result.scalar, tf32)

    return dot


@rule("tt.dot")
def _dot(op: Operation, f: Function) -> Compiled:
    shapes = (operand_info(op, 0), operand_info(op, 1), result_info(op))
    return dot_rule(op, shapes, integer(op, "inputPrecision", IEEE))


SCALED_TYPES = ("f8E4M3FN", "f8E5M2", "f6E2M3FN", "f6E3M2FN", "f4E2M1FN", "bf16", "f16")
"""Element types of `tt.dot_scaled` by code."""


def unpack(x: Array, packed: Element, name: str, axis: int) -> Array:
    """Return the float32 values of an operand of `tt.dot_scaled`; two fp4 share a byte."""
    of = element(name)
    if name != "f4E2M1FN":
        return x if packed.is_float else of.decode(x.view(np.uint8))
    octets = x.view(np.uint8)
    shape = list(x.shape)
    shape[axis] *= 2
    if axis == -1:
        return np.stack([of.decode(octets & 15), of.decode(octets >> 4)], -1).reshape(shape)
    return np.stack([of.decode(octets & 15), of.decode(octets >> 4)], -2).reshape(shape)


def _scaled(x: Array, scale: Array | None, kind: Element | None, axis: int) -> Array:
    """Multiply groups along `axis` by their scales; e8m0 scales come as bytes."""
    if scale is None or kind is None:
        return x
    factors = element("f8E8M0FNU").decode(scale.view(np.uint8)) if not kind.is_float else scale
    if axis == -2:
        factors = np.swapaxes(factors, -1, -2)
    group = x.shape[axis] // factors.shape[axis]
    return x.astype(np.float64) * np.repeat(factors, group, axis=axis)


@rule("tt.dot_scaled")
def _dot_scaled(op: Operation, f: Function) -> Compiled:
    sizes = plain(attribute_of(op, "operandSegmentSizes")) or (1, 1, 1, 0, 0)
    has_a, has_b = bool(sizes[3]), bool(sizes[4])
    left, right, result = operand_info(op, 0), operand_info(op, 1), result_info(op)
    a_type = SCALED_TYPES[integer(op, "a_elem_type")]
    b_type = SCALED_TYPES[integer(op, "b_elem_type")]
    a_axis = -1 if integer(op, "lhs_k_pack", 1) else -2
    b_axis = -2 if integer(op, "rhs_k_pack", 1) else -1
    scales = [info(o.type) for o in op.operands[3:]]
    a_kind = scales[0].scalar if has_a else None
    b_kind = scales[-1].scalar if has_b else None

    def dot(a: Array, b: Array, c: Array, *rest: Array) -> Array:
        remaining = [spread(x, k.shape) for x, k in zip(rest, scales, strict=True)]
        a = unpack(spread(a, left.shape), left.scalar, a_type, a_axis)
        b = unpack(spread(b, right.shape), right.scalar, b_type, b_axis)
        a = _scaled(a, remaining[0] if has_a else None, a_kind, -1)
        b = _scaled(b, remaining[-1] if has_b else None, b_kind, -2)
        product = np.matmul(a.astype(np.float64), b.astype(np.float64))
        return result.scalar.round(product + c)

    return dot


# --- reduce and scan --------------------------------------------------------------------


def combiner(block: CompiledBlock, f: Function) -> Callable[[Env], Combine]:
    """
    Return a maker of functions that run a combining block on whole arrays.

    The block's values have rank 0, so arrays of one dimension pass through it as a batch.
    """

    def make(env: Env) -> Combine:
        inner = list(env)

        def combine(left: list[Array], right: list[Array]) -> list[Array]:
            shape = left[0].shape
            flat = len(shape) == 1
            block.enter(inner, [x if flat else x.reshape(-1) for x in (*left, *right)])
            values = block.run(inner)
            count = (left[0].size,)
            full = (v if v.shape == count else np.broadcast_to(v, count) for v in values)
            return [v if flat else v.reshape(shape) for v in full]

        return combine

    return make


def _times_reduced(n: int) -> int:
    """Return how often `tree_reduce` combines."""
    times = 0
    while n > 1:
        times += 1 + n % 2
        n //= 2
    return times


COMBINED["tt.reduce"] = _times_reduced
COMBINED["tt.scan"] = lambda n: n - 1


def sequential_scan(arrays: list[Array], combine: Combine, reverse: bool) -> list[Array]:
    """Inclusive scan along the first axis, one element after the other."""
    if reverse:
        arrays = [a[::-1] for a in arrays]
    state = [a[0] for a in arrays]
    columns = [state]
    for k in range(1, arrays[0].shape[0]):
        state = combine(state, [a[k] for a in arrays])
        columns.append(state)
    results = [np.stack(column) for column in zip(*columns, strict=True)]
    return [a[::-1] for a in results] if reverse else results


def _together(arrays: list[Array], shape: tuple[int, ...]) -> list[Array]:
    """Spread operands to their shape and to a common batch dimension."""
    full = [spread(x, shape) for x in arrays]
    front = next((x.shape[:1] for x in full if x.ndim > len(shape)), ())
    return [x if x.ndim > len(shape) else np.broadcast_to(x, front + shape) for x in full]


@control("tt.reduce")
def _reduce(op: Operation, f: Function) -> Step:
    block = f.compile_block(op.regions[0].blocks[0])
    if len(op.regions[0].blocks) != 1:
        raise UnsupportedOp("a combining region of several blocks is not supported")
    operands, results = [f.slot(o) for o in op.operands], [f.slot(r) for r in op.results]
    known = operand_info(op, 0)
    axis = integer(op, "axis") - known.rank
    make = combiner(block, f)

    def step(env: Env) -> None:
        arrays = _together([env[i] for i in operands], known.shape)
        moved = [np.moveaxis(a, axis, 0) for a in arrays]
        values = reduce(f.machine.order, moved, make(env))
        for slot, value in zip(results, values, strict=True):
            env[slot] = value

    return step


@control("tt.scan")
def _scan(op: Operation, f: Function) -> Step:
    block = f.compile_block(op.regions[0].blocks[0])
    operands, results = [f.slot(o) for o in op.operands], [f.slot(r) for r in op.results]
    known = operand_info(op, 0)
    axis = integer(op, "axis") - known.rank
    reverse = bool(integer(op, "reverse"))
    make = combiner(block, f)

    def step(env: Env) -> None:
        arrays = _together([env[i] for i in operands], known.shape)
        moved = [np.moveaxis(a, axis, 0) for a in arrays]
        values = sequential_scan(moved, make(env), reverse)
        for slot, value in zip(results, values, strict=True):
            env[slot] = np.moveaxis(value, 0, axis)

    return step


@control("tt.map_elementwise")
def _map_elementwise(op: Operation, f: Function) -> Step:
    """The region sees `pack` neighbouring elements of each operand at a time."""
    block = f.compile_block(op.regions[0].blocks[0])
    run = f.compile_region(op.regions[0])
    operands, results = [f.slot(o) for o in op.operands], [f.slot(r) for r in op.results]
    known = operand_info(op, 0)
    pack = integer(op, "pack", 1)
    machine = f.machine

    def step(env: Env) -> None:
        arrays = _together([env[i] for i in operands], known.shape)
        shape = arrays[0].shape
        lanes = [a.reshape(-1, pack)[:, k] for a in arrays for k in range(pack)]
        inner = list(env)
        saved = (machine.program_id, machine.programs, machine.batch)
        machine.programs = np.zeros(len(lanes[0]), np.int64)
        try:
            block.enter(inner, lanes)
            values = run(inner)
        finally:
            machine.restore(saved)
        for k, slot in enumerate(results):
            group = values[k * pack : (k + 1) * pack]
            spread_out = [np.broadcast_to(v, lanes[0].shape) for v in group]
            env[slot] = np.stack(spread_out, axis=-1).reshape(shape)

    return step


# --- code of others ---------------------------------------------------------------------


def opaque(name: str, operands: list[Array], result: Element) -> Array:
    """
    Return values that depend on a name and the operands' bits and on nothing else.

    It stands for code that the interpreter cannot read: inline assembly, unknown symbols.
    """
    total: Any = np.uint64(zlib.crc32(name.encode()))
    for k, x in enumerate(operands):
        x = np.asarray(x)
        bits = x.view(f"u{x.dtype.itemsize}").astype(np.uint64)
        total = (total ^ bits) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(k)
        total = total ^ (total >> np.uint64(29))
    if result.is_float:
        return result.round((total >> np.uint64(40)).astype(np.float64) * 2.0**-23 - 1.0)
    return result.wrap(total.astype(np.int64).astype(result.carrier))


@rule("tt.extern_elementwise")
def _extern(op: Operation, f: Function) -> Compiled:
    symbol, result = text(op, "symbol"), result_info(op).scalar
    operands = [info(o.type).scalar for o in op.operands]
    try:
        return function(op.name, operands, result, {"symbol": symbol})
    except KeyError:
        return lambda *xs: opaque(symbol, list(xs), result)


@rule("tt.elementwise_inline_asm", "ttg.inline_asm")
def _inline_asm(op: Operation, f: Function) -> Compiled:
    """Straight-line PTX is run; other code gives values that depend on its operands only."""
    asm, constraints = text(op, "asm_string"), text(op, "constraints")
    operands = [info(o.type).scalar for o in op.operands]
    results = [info(r.type).scalar for r in op.results]
    shape, pack = result_info(op).shape, integer(op, "packed_element", 1)
    with contextlib.suppress(ptx.NotKnown):
        code = ptx.compiled(asm, constraints)
        return lambda *xs: _run_asm(code, xs, (operands, results), shape, pack)

    def run(*xs: Array) -> Any:
        values = [opaque(f"{asm}{constraints}#{k}", list(xs), r) for k, r in enumerate(results)]
        return values[0] if len(values) == 1 else values

    return run


def _run_asm(
    code: Callable[[list[Array]], list[Array]],
    values: tuple[Array, ...],
    types: tuple[list[Element], list[Element]],
    shape: tuple[int, ...],
    pack: int,
) -> Any:
    """Run assembly on `pack` neighbouring elements at a time."""
    together = _together(list(values), shape)
    full = together[0].shape if together else shape
    groups = [x.reshape(-1, pack) for x in together]
    found = code(ptx.words(groups, types[0], pack, 32))
    count = max(1, int(np.prod(full)) // pack)
    spread_out = [np.broadcast_to(word, count) for word in found]
    results = [v.reshape(full) for v in ptx.lanes(spread_out, types[1], pack, 32)]
    return results[0] if len(results) == 1 else results
