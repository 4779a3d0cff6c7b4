# Kernels are Triton's language, which types do not describe.
# pyright: reportMissingParameterType=false
# pyright: reportPossiblyUnboundVariable=false
# pyright: reportArgumentType=false
# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false
# pyright: reportUnknownParameterType=false
# pyright: reportUnknownVariableType=false
"""
More kernels for Triton's own interpreter and ours: what fewer kernels use.

Reductions and scans of several operands, in three dimensions and backwards, selection of the
largest, masks of histograms, scaled dots, padding and rows of descriptors, atomics on floats.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import numpy as np
import torch
import triton
import triton.language as tl
from kernels import BLOCK, Case, empty, floats, integers, main, tensor


@triton.jit
def clamp(x, low, high, out, NAN: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a, b, c = tl.load(x + i), tl.load(low + i), tl.load(high + i)
    r = tl.clamp(a, b, c, propagate_nan=tl.PropagateNan.ALL) if NAN else tl.clamp(a, b, c)
    tl.store(out + i, r)


@triton.jit
def extremum(x, out, where, OP: tl.constexpr, AXIS: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    a = tl.load(x + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :])
    if OP == "max":
        r, k = tl.max(a, AXIS, return_indices=True)
    else:
        r, k = tl.min(a, AXIS, return_indices=True)
    i = tl.arange(0, r.numel)
    tl.store(out + i, r)
    tl.store(where + i, k)


@triton.jit
def whole(x, out, OP: tl.constexpr, BLOCK: tl.constexpr):
    a = tl.reshape(tl.load(x + tl.arange(0, BLOCK)), [8, BLOCK // 8])
    if OP == "sum":
        r = tl.sum(a)
    elif OP == "max":
        r = tl.max(a)
    elif OP == "min":
        r = tl.min(a)
    elif OP == "xor":
        r = tl.xor_sum(a)
    elif OP == "or":
        r = tl.reduce_or(a, axis=None)
    elif OP == "wide_sum":
        r = tl.sum(a, dtype=tl.int64)
    tl.store(out, r)


@triton.jit
def cube(x, out, OP: tl.constexpr, AXIS: tl.constexpr):
    i = tl.arange(0, 4)[:, None, None] * 32 + tl.arange(0, 8)[None, :, None] * 4
    a = tl.load(x + i + tl.arange(0, 4)[None, None, :])
    if OP == "sum":
        r = tl.sum(a, AXIS, keep_dims=True)
    elif OP == "argmin":
        r = tl.argmin(a, AXIS)
    elif OP == "cumsum":
        r = tl.cumsum(a, AXIS, reverse=True)
    elif OP == "cumprod":
        r = tl.cumprod(a, AXIS)
    elif OP == "flip":
        r = tl.flip(a, AXIS)
    tl.store(out + tl.arange(0, r.numel), tl.reshape(r, [r.numel]))


@triton.jit
def _welford(mean_a, square_a, count_a, mean_b, square_b, count_b):
    count = count_a + count_b
    delta = mean_b - mean_a
    mean = mean_a + delta * count_b / count
    return mean, square_a + square_b + delta * delta * count_a * count_b / count, count


@triton.jit
def welford(x, out, AXIS: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    a = tl.load(x + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :])
    ones = tl.full([M, N], 1.0, tl.float32)
    mean, square, count = tl.reduce((a, tl.zeros_like(a), ones), AXIS, _welford)
    i = tl.arange(0, mean.numel)
    tl.store(out + i, mean)
    tl.store(out + 16 + i, square)
    tl.store(out + 32 + i, count)


@triton.jit
def _after(a, b, c, d):
    return a * c, c * b + d


@triton.jit
def recurrence(
    x, y, out, AXIS: tl.constexpr, REVERSE: tl.constexpr, M: tl.constexpr, N: tl.constexpr
):
    i = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    a, b = tl.associative_scan((tl.load(x + i), tl.load(y + i)), AXIS, _after, reverse=REVERSE)
    tl.store(out + i, a)
    tl.store(out + M * N + i, b)


@triton.jit
def largest(x, out, K: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    r = tl.topk(tl.load(x + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]), K)
    tl.store(out + tl.arange(0, M)[:, None] * K + tl.arange(0, K)[None, :], r)


@triton.jit
def masked_histogram(x, out, n, BLOCK: tl.constexpr, BINS: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a = tl.load(x + i, mask=i < n, other=0)
    tl.store(out + tl.arange(0, BINS), tl.histogram(a, BINS, mask=i < n))


@triton.jit
def batched_dot(x, y, z, out, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    b, m = tl.arange(0, 2)[:, None, None], tl.arange(0, M)[None, :, None]
    n, k = tl.arange(0, N)[None, None, :], tl.arange(0, K)
    left = tl.load(x + b * M * K + m * K + k[None, None, :])
    right = tl.load(y + b * K * N + k[None, :, None] * N + n)
    place = b * M * N + m * N + n
    r = tl.dot(
        left, right, tl.load(z + place), input_precision="ieee", out_dtype=z.dtype.element_ty
    )
    tl.store(out + place, r)


@triton.jit
def scaled_dot(
    x, sx, y, sy, out, K: tl.constexpr, FX: tl.constexpr, FY: tl.constexpr,
    PX: tl.constexpr, PY: tl.constexpr,
):  # fmt: skip
    m, n, k = tl.arange(0, 16), tl.arange(0, 16), tl.arange(0, K // 32)
    a = tl.load(x + m[:, None] * (K // PX) + tl.arange(0, K // PX)[None, :])
    b = tl.load(y + tl.arange(0, K // PY)[:, None] * 16 + n[None, :])
    left = tl.load(sx + m[:, None] * (K // 32) + k[None, :])
    if FY == "bf16" or FY == "fp16":
        r = tl.dot_scaled(a, left, FX, b, None, FY)
    else:
        right = tl.load(sy + n[:, None] * (K // 32) + k[None, :])
        r = tl.dot_scaled(a, left, FX, b, right, FY)
    tl.store(out + m[:, None] * 16 + n[None, :], r)


@triton.jit
def window(x, out, row, column, PADDING: tl.constexpr):
    source = tl.make_tensor_descriptor(x, [20, 40], [40, 1], [16, 16], padding_option=PADDING)
    i = tl.arange(0, 16)
    tl.store(out + i[:, None] * 16 + i[None, :], source.load([row, column]))


@triton.jit
def rows(x, y, index, moved, out, column):
    source = tl.make_tensor_descriptor(x, [20, 40], [40, 1], [1, 16])
    target = tl.make_tensor_descriptor(out, [20, 40], [40, 1], [1, 16])
    i, j = tl.arange(0, 8), tl.arange(0, 16)
    places = i[:, None] * 16 + j[None, :]
    tl.store(moved + places, source.gather(tl.load(index + i), column))
    target.scatter(tl.load(y + places), tl.load(index + i), column)


@triton.jit
def atomics(x, out, old, OP: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    value, keep = tl.load(x + i), i % 5 != 2
    if OP == "add":
        r = tl.atomic_add(out + (i * 7) % BLOCK, value, keep)
    elif OP == "max":
        r = tl.atomic_max(out + (i * 7) % BLOCK, value, keep)
    elif OP == "min":
        r = tl.atomic_min(out + (i * 7) % BLOCK, value, keep)
    tl.store(old + i, tl.where(keep, r, value))


@triton.jit
def offsets(x, index, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + tl.load(index + i)))


@triton.jit
def control(x, out, n, BLOCK: tl.constexpr):
    program, i = tl.program_id(0), tl.arange(0, BLOCK)
    if program == 2:
        return
    total = tl.load(x + i)
    k = program
    while k < n:
        if k % 3 == 0:
            total += k
        elif k % 3 == 1:
            for j in range(0, k, 2):
                total = total * 2 - j
        else:
            total = tl.where(total > 0, total, -total)
        k += 2
    for k in range(n, 0, -2):
        total = total * 3 + k
    tl.store(out + program * BLOCK + i, total)


def reduction_cases() -> Iterator[Case]:
    rng = np.random.default_rng(1)
    for dtype in ("float32", "float16", "int32", "int8"):
        for axis in (0, 1):
            for op in ("max", "min"):
                x = tensor(rng.integers(-3, 4, (8, 16)), dtype)
                arguments = {"x": x, "out": empty(dtype, 16), "where": empty("int32", 16)}
                arguments = {**arguments, "OP": op, "AXIS": axis, "M": 8, "N": 16}
                name = f"extremum-{op}-{axis}-{dtype}"
                yield Case(name, extremum, arguments, outputs=("out", "where"))
    for dtype in ("int32", "int8", "uint8", "float32"):
        for op in ("sum", "max", "min", "xor", "or", "wide_sum"):
            if dtype == "float32" and op in ("xor", "or", "wide_sum"):
                continue
            x = floats(dtype, 2, False) if dtype == "float32" else integers(dtype, 2)
            sum_type = {"int8": "int32", "uint8": "uint32"}.get(dtype, dtype)
            out = empty({"sum": sum_type, "wide_sum": "int64"}.get(op, dtype), 1)
            arguments = {"x": x, "out": out, "OP": op, "BLOCK": BLOCK}
            tolerance = 1e-5 if dtype == "float32" and op == "sum" else 0.0
            yield Case(f"whole-{op}-{dtype}", whole, arguments, tolerance=tolerance)
    for axis in (0, 1, 2):
        for op in ("sum", "argmin", "cumsum", "cumprod", "flip"):
            x = tensor(rng.integers(-2, 3, BLOCK), "int32")
            arguments = {"x": x, "out": empty("int32"), "OP": op, "AXIS": axis}
            yield Case(f"cube-{op}-{axis}", cube, arguments)
    sizes = {"M": 8, "N": 16}
    for axis in (0, 1):
        arguments = {"x": floats("float32", 1, False), "out": empty("float32", 48), "AXIS": axis}
        yield Case(f"welford-{axis}", welford, {**arguments, **sizes}, tolerance=1e-4)
        for reverse in (False, True):
            arguments = {"x": integers("int32", 1), "y": integers("int32", 2)}
            arguments = {**arguments, "out": empty("int32", 256), "AXIS": axis}
            arguments = {**arguments, "REVERSE": reverse, **sizes}
            yield Case(f"recurrence-{axis}-{reverse}", recurrence, arguments)
    for dtype in ("int32", "float32", "uint8"):
        x = floats(dtype, 3, False) if dtype == "float32" else integers(dtype, 3)
        for k in (1, 4):
            arguments = {"x": x, "out": empty(dtype, 8 * k), "K": k, **sizes}
            yield Case(f"largest-{k}-{dtype}", largest, arguments)
    for n in (0, 1, 100):
        arguments = {"x": integers("int32", 8, below=16), "out": empty("int32", 16), "n": n}
        yield Case(f"histogram-{n}", masked_histogram, {**arguments, "BLOCK": BLOCK, "BINS": 16})


def arithmetic_cases() -> Iterator[Case]:
    for dtype in ("float32", "float16"):
        for nan in (False, True):
            arguments = {"x": floats(dtype, 1), "low": -floats(dtype, 2).abs() + 0.1}
            arguments = {**arguments, "high": floats(dtype, 3).abs(), "out": empty(dtype)}
            arguments = {**arguments, "NAN": nan, "BLOCK": BLOCK}
            yield Case(f"clamp-{nan}-{dtype}", clamp, arguments, zeros=False)
    rng = np.random.default_rng(9)
    for dtype, result in (("float16", "float16"), ("int8", "int32"), ("float8_e5m2", "float32")):
        x = torch.from_numpy(rng.integers(-3, 4, (2, 16, 32))).float().to(getattr(torch, dtype))
        y = torch.from_numpy(rng.integers(-3, 4, (2, 32, 16))).float().to(getattr(torch, dtype))
        z = tensor(rng.integers(-9, 9, (2, 16, 16)), result)
        arguments = {"x": x, "y": y, "z": z, "out": empty(result, 512), "M": 16, "N": 16, "K": 32}
        yield Case(f"batched_dot-{dtype}", batched_dot, arguments)
    formats = {"e2m1": torch.uint8, "e4m3": torch.float8_e4m3fn, "e5m2": torch.float8_e5m2}
    for first in formats:
        for second in (*formats, "bf16"):
            packed = {"e2m1": 2}
            px, py = packed.get(first, 1), packed.get(second, 1)
            x = _scaled_operand(rng, formats[first], (16, 64 // px))
            y = _scaled_operand(rng, formats.get(second, torch.bfloat16), (64 // py, 16))
            sx, sy = (
                torch.from_numpy(rng.integers(124, 131, (16, 2))).to(torch.uint8) for _ in range(2)
            )
            arguments = {"x": x, "sx": sx, "y": y, "sy": sy, "out": empty("float32", 256)}
            arguments = {**arguments, "K": 64, "FX": first, "FY": second, "PX": px, "PY": py}
            name = f"scaled_dot-{first}-{second}"
            yield Case(name, scaled_dot, arguments, tolerance=1e-6, zeros=False)


def _scaled_operand(
    rng: np.random.Generator, dtype: torch.dtype, shape: tuple[int, int]
) -> torch.Tensor:
    if dtype == torch.uint8:
        return torch.from_numpy(rng.integers(0, 256, shape)).to(dtype)
    return torch.from_numpy(rng.integers(-6, 7, shape)).float().to(dtype)


def memory_cases() -> Iterator[Case]:
    x = tensor(np.arange(800) + 1, "float32")
    # Triton's interpreter takes only offsets of whole 16 bytes.
    for row, column in ((0, 0), (12, 36), (20, 40), (-3, -8), (5, -16)):
        for padding in ("zero", "nan"):
            arguments = {"x": x, "out": empty("float32", 256), "row": row, "column": column}
            yield Case(
                f"window-{row}-{column}-{padding}", window, {**arguments, "PADDING": padding}
            )
    index = torch.tensor([3, 0, 19, 18, 7, -1, 20, 5], dtype=torch.int32)
    for column in (0, 36, -4):
        arguments = {"x": x, "y": floats("float32", 4), "index": index}
        arguments = {**arguments, "moved": empty("float32"), "out": empty("float32", 800)}
        name = f"rows-{column}"
        yield Case(name, rows, {**arguments, "column": column}, outputs=("moved", "out"))
    for dtype in ("float16", "float32", "float64", "uint64"):
        for op in ("add", "max", "min"):
            if dtype == "float16" and op != "add":
                continue
            is_float = dtype[0] == "f"
            values = floats(dtype, 1, False) if is_float else integers(dtype, 1)
            out = floats(dtype, 2, False) if is_float else integers(dtype, 4)
            arguments = {"x": values, "out": out, "old": empty(dtype), "OP": op, "BLOCK": BLOCK}
            yield Case(f"atomics-{op}-{dtype}", atomics, arguments, outputs=("out", "old"))
    for dtype in ("uint8", "uint16", "int64"):
        index = integers(dtype, 3, below=250)
        arguments = {"x": tensor(np.arange(300), "int32"), "index": index, "out": empty("int32")}
        yield Case(f"offsets-{dtype}", offsets, {**arguments, "BLOCK": BLOCK})
    for n in (0, 1, 7, 10):
        arguments = {"x": integers("int32", 2), "out": empty("int32", 5 * BLOCK), "n": n}
        yield Case(f"control-{n}", control, {**arguments, "BLOCK": BLOCK}, grid=(5,))


GROUPS: tuple[Callable[[], Iterator[Case]], ...] = (
    reduction_cases,
    arithmetic_cases,
    memory_cases,
)


def cases() -> list[Case]:
    """Return every case; names are unique."""
    return [case for group in GROUPS for case in group()]


if __name__ == "__main__":
    main(sys.argv[1], cases())
