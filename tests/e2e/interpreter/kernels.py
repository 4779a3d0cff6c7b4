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
Kernels and data that Triton's own interpreter and ours both run.

Run as a program with `TRITON_INTERPRET=1` it writes what Triton's interpreter computes to
the file named on the command line. A case is a kernel with constants; `cases()` lists them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
import triton
import triton.language as tl

BLOCK = 128


@triton.jit
def binary(x, y, out, OP: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a = tl.load(x + i)
    b = tl.load(y + i)
    if OP == "add":
        r = a + b
    elif OP == "sub":
        r = a - b
    elif OP == "mul":
        r = a * b
    elif OP == "div":
        r = a / b
    elif OP == "floordiv":
        r = a // b
    elif OP == "mod":
        r = a % b
    elif OP == "and":
        r = a & b
    elif OP == "or":
        r = a | b
    elif OP == "xor":
        r = a ^ b
    elif OP == "shl":
        r = a << b
    elif OP == "shr":
        r = a >> b
    elif OP == "min":
        r = tl.minimum(a, b)
    elif OP == "max":
        r = tl.maximum(a, b)
    elif OP == "min_nan":
        r = tl.minimum(a, b, propagate_nan=tl.PropagateNan.ALL)
    elif OP == "max_nan":
        r = tl.maximum(a, b, propagate_nan=tl.PropagateNan.ALL)
    elif OP == "umulhi":
        r = tl.umulhi(a, b)
    elif OP == "div_rn":
        r = tl.div_rn(a, b)
    elif OP == "lt":
        r = a < b
    elif OP == "le":
        r = a <= b
    elif OP == "gt":
        r = a > b
    elif OP == "ge":
        r = a >= b
    elif OP == "eq":
        r = a == b
    elif OP == "ne":
        r = a != b
    tl.store(out + i, r)


@triton.jit
def ternary(x, y, z, out, OP: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a = tl.load(x + i)
    b = tl.load(y + i)
    c = tl.load(z + i)
    if OP == "where":
        r = tl.where(a > b, b, c)
    elif OP == "fma":
        r = tl.fma(a, b, c)
    elif OP == "clamp":
        r = tl.clamp(a, -1.0, 2.0)
    tl.store(out + i, r)


@triton.jit
def unary(x, out, OP: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a = tl.load(x + i)
    if OP == "neg":
        r = -a
    elif OP == "abs":
        r = tl.abs(a)
    elif OP == "invert":
        r = ~a
    elif OP == "exp":
        r = tl.exp(a)
    elif OP == "exp2":
        r = tl.exp2(a)
    elif OP == "log":
        r = tl.log(a)
    elif OP == "log2":
        r = tl.log2(a)
    elif OP == "sin":
        r = tl.sin(a)
    elif OP == "cos":
        r = tl.cos(a)
    elif OP == "sqrt":
        r = tl.sqrt(a)
    elif OP == "sqrt_rn":
        r = tl.sqrt_rn(a)
    elif OP == "rsqrt":
        r = tl.rsqrt(a)
    elif OP == "erf":
        r = tl.erf(a)
    elif OP == "floor":
        r = tl.floor(a)
    elif OP == "ceil":
        r = tl.ceil(a)
    elif OP == "sigmoid":
        r = tl.sigmoid(a)
    tl.store(out + i, r)


@triton.jit
def cast(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i).to(out.dtype.element_ty))


@triton.jit
def cast_rtz(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    value = tl.load(x + i).to(out.dtype.element_ty, fp_downcast_rounding="rtz")
    tl.store(out + i, value)


@triton.jit
def bitcast(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i).to(out.dtype.element_ty, bitcast=True))


@triton.jit
def _first(a, b):
    return a * 3 + b


@triton.jit
def _pair(a, i, b, j):
    take = a > b
    return tl.where(take, a, b), tl.where(take, i, j)


@triton.jit
def reduce(x, out, OP: tl.constexpr, AXIS: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    a = tl.load(x + i)
    if OP == "sum":
        r = tl.sum(a, AXIS)
    elif OP == "max":
        r = tl.max(a, AXIS)
    elif OP == "min":
        r = tl.min(a, AXIS)
    elif OP == "argmax":
        r = tl.argmax(a, AXIS)
    elif OP == "argmin":
        r = tl.argmin(a, AXIS)
    elif OP == "xor":
        r = tl.xor_sum(a, AXIS)
    if AXIS == 0:
        tl.store(out + tl.arange(0, N), r)
    else:
        tl.store(out + tl.arange(0, M), r)


@triton.jit
def scan(
    x,
    out,
    OP: tl.constexpr,
    AXIS: tl.constexpr,
    REVERSE: tl.constexpr,
    M: tl.constexpr,
    N: tl.constexpr,
):
    i = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    a = tl.load(x + i)
    if OP == "cumsum":
        r = tl.cumsum(a, AXIS, reverse=REVERSE)
    elif OP == "cumprod":
        r = tl.cumprod(a, AXIS, reverse=REVERSE)
    elif OP == "max":
        r, _ = tl.associative_scan((a, i), AXIS, _pair, reverse=REVERSE)
    tl.store(out + i, r)


@triton.jit
def shape(x, out, OP: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    a = tl.load(x + i)
    j = tl.arange(0, M * N)
    if OP == "trans":
        tl.store(out + tl.arange(0, N)[:, None] * M + tl.arange(0, M)[None, :], tl.trans(a))
    elif OP == "reshape":
        tl.store(out + j, tl.reshape(a, (M * N,)))
    elif OP == "permute":
        b = tl.permute(tl.reshape(a, (M, 2, N // 2)), (1, 2, 0))
        tl.store(out + j, tl.reshape(b, (M * N,)))
    elif OP == "split":
        lhs, rhs = tl.split(tl.reshape(a, (M, N // 2, 2)))
        tl.store(out + tl.arange(0, M * N // 2), tl.reshape(lhs - 2 * rhs, (M * N // 2,)))
    elif OP == "join":
        tl.store(out + tl.arange(0, 2 * M * N), tl.reshape(tl.join(a, a + 1), (2 * M * N,)))
    elif OP == "interleave":
        b = tl.reshape(a, (M * N,))
        tl.store(out + tl.arange(0, 2 * M * N), tl.interleave(b, b * 2))
    elif OP == "flip":
        tl.store(out + i, tl.flip(a, 1))
    elif OP == "sort":
        tl.store(out + i, tl.sort(a))
    elif OP == "sort_descending":
        tl.store(out + i, tl.sort(a, descending=True))
    elif OP == "broadcast":
        tl.store(out + i, tl.broadcast_to(tl.sum(a, 1)[:, None], (M, N)))


@triton.jit
def histogram(x, out, BLOCK: tl.constexpr, BINS: tl.constexpr):
    a = tl.load(x + tl.arange(0, BLOCK))
    tl.store(out + tl.arange(0, BINS), tl.histogram(a, BINS))


@triton.jit
def gather(x, index, out, AXIS: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(out + i, tl.gather(tl.load(x + i), tl.load(index + i), AXIS))


@triton.jit
def dot(x, y, out, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m, n, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    a = tl.load(x + m[:, None] * K + k[None, :])
    b = tl.load(y + k[:, None] * N + n[None, :])
    tl.store(out + m[:, None] * N + n[None, :], tl.dot(a, b, input_precision="ieee"))


@triton.jit
def atomic(x, out, old, OP: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    value = tl.load(x + i)
    place = out + i
    keep = i % 3 != 0
    if OP == "add":
        r = tl.atomic_add(place, value, keep)
    elif OP == "max":
        r = tl.atomic_max(place, value, keep)
    elif OP == "min":
        r = tl.atomic_min(place, value, keep)
    elif OP == "and":
        r = tl.atomic_and(place, value, keep)
    elif OP == "or":
        r = tl.atomic_or(place, value, keep)
    elif OP == "xor":
        r = tl.atomic_xor(place, value, keep)
    elif OP == "xchg":
        r = tl.atomic_xchg(place, value, keep)
    elif OP == "cas":
        r = tl.atomic_cas(place, value, value + 1)
    if OP == "cas":
        tl.store(old + i, r)
    else:
        tl.store(old + i, r, keep)


@triton.jit
def atomic_conflicts(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.atomic_add(out + i % 4, tl.load(x + i))


@triton.jit
def masked(x, out, n, OTHER: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + i, mask=i < n, other=OTHER)
    tl.store(out + i, a + 1, mask=(i < n + 3) & (i % 5 != 0))


@triton.jit
def loops(x, out, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    total = tl.zeros((BLOCK,), tl.float32)
    for k in range(pid, n, tl.num_programs(0)):
        a = tl.load(x + k * BLOCK + tl.arange(0, BLOCK))
        if k % 2 == 0:
            total += a
        else:
            total -= a * pid
    step = n
    while step > 1:
        total = total * 0.5
        step = step // 2
    tl.store(out + pid * BLOCK + tl.arange(0, BLOCK), total)


@triton.jit
def random(out, SEED: tl.constexpr, OP: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    if OP == "rand":
        tl.store(out + i, tl.rand(SEED, i))
    else:
        tl.store(out + i, tl.randint(SEED, i))


@triton.jit
def descriptor(x, out, M: tl.constexpr, N: tl.constexpr):
    source = tl.make_tensor_descriptor(x, shape=[20, 40], strides=[40, 1], block_shape=[M, N])
    target = tl.make_tensor_descriptor(out, shape=[20, 40], strides=[40, 1], block_shape=[M, N])
    row, column = tl.program_id(0) * M, tl.program_id(1) * N
    target.store([row, column], source.load([row, column]) * 2)


@triton.jit
def softmax(x, out, n, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    a = tl.load(x + row * stride + i, mask=i < n, other=-float("inf"))
    e = tl.exp(a - tl.max(a, 0))
    tl.store(out + row * stride + i, e / tl.sum(e, 0), mask=i < n)


@triton.jit
def layer_norm(x, w, b, out, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    a = tl.load(x + row * n + i, mask=i < n, other=0.0)
    mean = tl.sum(a, 0) / n
    centred = tl.where(i < n, a - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(centred * centred, 0) / n + eps)
    weight, bias = tl.load(w + i, mask=i < n), tl.load(b + i, mask=i < n)
    tl.store(out + row * n + i, centred * scale * weight + bias, mask=i < n)


@triton.jit
def matmul(a, b, c, m, n, k, sa, sb, sc, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    row = tl.program_id(0) * BM + tl.arange(0, BM)
    column = tl.program_id(1) * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    left = a + row[:, None] * sa + depth[None, :]
    right = b + depth[:, None] * sb + column[None, :]
    total = tl.zeros((BM, BN), tl.float32)
    for start in range(0, k, BK):
        x = tl.load(left, mask=(row[:, None] < m) & (depth[None, :] < k - start), other=0.0)
        y = tl.load(right, mask=(depth[:, None] < k - start) & (column[None, :] < n), other=0.0)
        total += tl.dot(x, y, input_precision="ieee")
        left += BK
        right += BK * sb
    inside = (row[:, None] < m) & (column[None, :] < n)
    tl.store(c + row[:, None] * sc + column[None, :], total, mask=inside)


@dataclass
class Case:
    """
    A launch: kernel, arguments by name, grid, and how exactly results must agree.

    tolerance: relative, 0 for the same bits; zeros: whether the sign of zeros counts.
    """

    name: str
    kernel: Any
    arguments: dict[str, Any]
    grid: tuple[int, ...] = (1,)
    tolerance: float = 0.0
    zeros: bool = True
    outputs: tuple[str, ...] = field(default=("out",))


INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float16", "float32", "float64")


def tensor(values: np.ndarray[Any, Any], dtype: str) -> torch.Tensor:
    return torch.from_numpy(np.ascontiguousarray(values)).to(getattr(torch, dtype))


def integers(
    dtype: str, seed: int, shift: bool = False, below: int = 0, no_minus_one: bool = False
) -> torch.Tensor:
    """
    Random bits with the edges of the type, zero and small numbers among them.

    `shift` gives shift distances up to a little past the width, `below` bounds them.
    """
    kind = np.iinfo(dtype)
    rng = np.random.default_rng(seed)
    values = rng.integers(kind.min, kind.max, BLOCK, dtype=dtype, endpoint=True)
    edges = [0, 1, 2, 3, 5, kind.max, kind.min, kind.max - 1, kind.min + 1, 7]
    values[: len(edges)] = np.roll(np.array(edges, dtype), seed)
    if no_minus_one:
        values[values == np.array(-1).astype(dtype)] = 3
    if below:
        values = (values % below).astype(dtype)
    if shift:
        values = np.roll(np.arange(BLOCK) % (kind.bits + 3), seed).astype(dtype)
    return torch.from_numpy(values)


def floats(dtype: str, seed: int, edges: bool = True, scale: float = 3.0) -> torch.Tensor:
    rng = np.random.default_rng(seed)
    values = rng.standard_normal(BLOCK) * scale
    if edges:
        special = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 6e-8, 1e-40, 65504.0, 0.5]
        values[: len(special)] = np.roll(special, seed)
    with np.errstate(all="ignore"):
        return tensor(values, dtype)


def empty(dtype: str, size: int = BLOCK) -> torch.Tensor:
    return torch.zeros(size, dtype=getattr(torch, dtype))


COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ne")
ARITHMETIC = ("add", "sub", "mul", "and", "or", "xor", "min", "max", "floordiv", "mod")


def binary_cases() -> Iterator[Case]:
    for dtype in INTEGERS:
        for op in (*ARITHMETIC, "shl", "shr", *COMPARISONS):
            # NumPy raises on the most negative number divided by minus one.
            divides = op in ("floordiv", "mod")
            x = integers(dtype, 1)
            y = integers(dtype, 4, shift=op in ("shl", "shr"), no_minus_one=divides)
            out = empty("int32" if op in COMPARISONS else dtype)
            arguments = {"x": x, "y": y, "out": out, "OP": op, "BLOCK": BLOCK}
            yield Case(f"{op}-{dtype}", binary, arguments)
    for dtype in ("int32", "uint32", "int64", "uint64"):
        arguments = {"x": integers(dtype, 1), "y": integers(dtype, 4), "out": empty(dtype)}
        yield Case(f"umulhi-{dtype}", binary, {**arguments, "OP": "umulhi", "BLOCK": BLOCK})
    for dtype in FLOATS:
        operations = ("add", "sub", "mul", "div", "mod", "min", "max", "min_nan", "max_nan")
        for op in (*operations, *COMPARISONS):
            out = empty("int32" if op in COMPARISONS else dtype)
            x, y = floats(dtype, 1), floats(dtype, 4)
            arguments = {"x": x, "y": y, "out": out, "OP": op, "BLOCK": BLOCK}
            yield Case(f"{op}-{dtype}", binary, arguments, zeros=op[:3] not in ("min", "max"))
    arguments = {"x": floats("float32", 1), "y": floats("float32", 4), "out": empty("float32")}
    yield Case("div_rn-float32", binary, {**arguments, "OP": "div_rn", "BLOCK": BLOCK})


def other_elementwise_cases() -> Iterator[Case]:
    for dtype in FLOATS:
        for op in ("where", "fma", "clamp"):
            if op == "clamp" and dtype != "float32":
                continue
            inputs = {n: floats(dtype, k + 1) for k, n in enumerate("xyz")}
            arguments = {**inputs, "out": empty(dtype), "OP": op, "BLOCK": BLOCK}
            yield Case(f"{op}-{dtype}", ternary, arguments)
        for op in ("neg", "abs"):
            arguments = {"x": floats(dtype, 2), "out": empty(dtype), "OP": op, "BLOCK": BLOCK}
            yield Case(f"{op}-{dtype}", unary, arguments)
    for dtype in INTEGERS:
        for op in ("neg", "abs", "invert"):
            if dtype[0] == "u" and op != "invert":
                continue
            arguments = {"x": integers(dtype, 2), "out": empty(dtype), "OP": op, "BLOCK": BLOCK}
            yield Case(f"{op}-{dtype}", unary, arguments)
    functions = [
        "exp",
        "exp2",
        "log",
        "log2",
        "sin",
        "cos",
        "sqrt",
        "rsqrt",
        "erf",
        "floor",
        "ceil",
        "sigmoid",
    ]
    for dtype in ("float32", "float64"):
        for op in functions:
            arguments = {"x": floats(dtype, 2), "out": empty(dtype), "OP": op, "BLOCK": BLOCK}
            exact = op in ("sqrt", "floor", "ceil")
            tolerance = 0.0 if exact else 1e-6 if dtype == "float32" else 1e-14
            yield Case(f"{op}-{dtype}", unary, arguments, tolerance=tolerance)
    arguments = {"x": floats("float32", 2), "out": empty("float32"), "OP": "sqrt_rn"}
    yield Case("sqrt_rn-float32", unary, {**arguments, "BLOCK": BLOCK})


def cast_cases() -> Iterator[Case]:
    for source in INTEGERS:
        for target in (*INTEGERS, *FLOATS):
            if source == target:
                continue
            x = integers(source, 3, below=100 if target == "float16" else 0)
            yield Case(f"cast-{source}-{target}", cast, _cast(x, target))
    for source in (*FLOATS, "bfloat16"):
        for target in (*FLOATS, "bfloat16"):
            pair = {source, target}
            if source != target and pair != {"bfloat16", "float64"}:
                yield Case(f"cast-{source}-{target}", cast, _cast(floats(source, 3), target))
        if source == "bfloat16":
            continue
        for target in ("int8", "int32", "int64", "uint8"):
            values = floats(source, 3, edges=False, scale=20.0)
            values = values.abs() if target[0] == "u" else values
            yield Case(f"cast-{source}-{target}", cast, _cast(values, target))
    for target in ("float8_e5m2", "float8_e4m3fn"):
        values = floats("float32", 3, edges=False, scale=5.0)
        yield Case(f"cast-float32-{target}", cast, _cast(values, target))
        yield Case(
            f"cast-{target}-float32", cast, _cast(values.to(getattr(torch, target)), "float32")
        )
    values = floats("float32", 3, edges=False, scale=5.0)
    yield Case("rtz-float32-float16", cast_rtz, _cast(values, "float16"))
    yield Case("rtz-float32-bfloat16", cast_rtz, _cast(values, "bfloat16"))
    for source, target in (("float32", "int32"), ("int16", "float16"), ("float64", "int64")):
        x = floats(source, 5) if source[0] == "f" else integers(source, 5)
        yield Case(f"bitcast-{source}-{target}", bitcast, _cast(x, target))


def _cast(x: torch.Tensor, target: str) -> dict[str, Any]:
    return {"x": x, "out": empty(target), "BLOCK": BLOCK}


def tensor_cases() -> Iterator[Case]:
    m, n = 8, 16
    sizes = {"M": m, "N": n}
    for dtype in ("int32", "int64", "float32", "float64"):
        x = integers(dtype, 6) if dtype[0] == "i" else floats(dtype, 6, edges=False)
        for axis in (0, 1):
            for op in ("sum", "max", "min", "argmax", "argmin", "xor"):
                if op == "xor" and dtype[0] == "f":
                    continue
                out = empty("int32" if op[:3] == "arg" else dtype, 16)
                tolerance = 1e-5 if op == "sum" and dtype[0] == "f" else 0.0
                arguments = {"x": x, "out": out, "OP": op, "AXIS": axis, **sizes}
                yield Case(f"reduce-{op}-{axis}-{dtype}", reduce, arguments, tolerance=tolerance)
            for op in ("cumsum", "cumprod", "max"):
                for reverse in (False, True):
                    if op == "max" and reverse:
                        continue
                    arguments = {"x": x, "out": empty(dtype), "OP": op, "AXIS": axis}
                    arguments = {**arguments, "REVERSE": reverse, **sizes}
                    yield Case(
                        f"scan-{op}-{axis}-{reverse}-{dtype}",
                        scan,
                        arguments,
                        tolerance=1e-5 if dtype[0] == "f" else 0.0,
                    )
    operations = "trans reshape permute split join interleave flip sort sort_descending broadcast"
    for op in operations.split():
        arguments = {"x": integers("int32", 7), "out": empty("int32", 2 * BLOCK), "OP": op}
        yield Case(f"shape-{op}", shape, {**arguments, **sizes})
    x = integers("int32", 8, below=16)
    yield Case("histogram", histogram, {"x": x, "out": empty("int32"), "BLOCK": BLOCK, "BINS": 16})
    for axis in (0, 1):
        index = integers("int32", 8, below=m if axis == 0 else n)
        arguments = {"x": floats("float32", 1), "index": index, "out": empty("float32")}
        yield Case(f"gather-{axis}", gather, {**arguments, "AXIS": axis, **sizes})
    rng = np.random.default_rng(9)
    for dtype, result in (("float16", "float32"), ("float32", "float32"), ("int8", "int32")):
        a = tensor(rng.integers(-5, 6, (16, 32)), dtype)
        b = tensor(rng.integers(-5, 6, (32, 16)), dtype)
        arguments = {"x": a, "y": b, "out": empty(result, 256), "M": 16, "N": 16, "K": 32}
        yield Case(f"dot-{dtype}", dot, arguments)


def memory_cases() -> Iterator[Case]:
    for op in ("add", "max", "min", "and", "or", "xor", "xchg", "cas"):
        for dtype in ("int32", "uint32", "int64", "float32"):
            if dtype == "float32" and op != "add":
                continue
            x = floats(dtype, 1, edges=False) if dtype[0] == "f" else integers(dtype, 1)
            out = floats(dtype, 2, edges=False) if dtype[0] == "f" else integers(dtype, 1)
            out[::2] = x[::2]
            arguments = {"x": x, "out": out, "old": empty(dtype), "OP": op, "BLOCK": BLOCK}
            yield Case(f"atomic-{op}-{dtype}", atomic, arguments, outputs=("out", "old"))
    arguments = {"x": integers("int32", 1), "out": empty("int32", 4), "BLOCK": BLOCK}
    yield Case("atomic-conflicts", atomic_conflicts, arguments)
    for other in (0, 5):
        arguments = {"x": integers("int32", 1), "out": empty("int32", 256), "n": 100}
        arguments = {**arguments, "OTHER": other, "BLOCK": 64}
        yield Case(f"masked-{other}", masked, arguments, grid=(4,))
    arguments = {"x": floats("float32", 1, False).repeat(8), "out": empty("float32", 512)}
    yield Case("loops", loops, {**arguments, "n": 8, "BLOCK": BLOCK}, grid=(4,))
    for op, dtype in (("rand", "float32"), ("randint", "int32")):
        arguments = {"out": empty(dtype), "SEED": 42, "OP": op, "BLOCK": BLOCK}
        yield Case(f"random-{op}", random, arguments)
    x = tensor(np.arange(800), "float32")
    arguments = {"x": x, "out": empty("float32", 800), "M": 16, "N": 16}
    yield Case("descriptor", descriptor, arguments, grid=(2, 3))


def whole_kernels() -> Iterator[Case]:
    rng = np.random.default_rng(3)
    x = tensor(rng.standard_normal((16, 100)), "float32")
    arguments = {"x": x, "out": torch.zeros_like(x), "n": 100, "stride": 100, "BLOCK": 128}
    yield Case("softmax", softmax, arguments, grid=(16,), tolerance=1e-6)
    w, b = tensor(rng.standard_normal(100), "float32"), tensor(rng.standard_normal(100), "float32")
    arguments = {"x": x, "w": w, "b": b, "out": torch.zeros_like(x), "n": 100, "eps": 1e-5}
    yield Case("layer_norm", layer_norm, {**arguments, "BLOCK": 128}, grid=(16,), tolerance=1e-5)
    a = tensor(rng.standard_normal((70, 50)), "float16")
    c = tensor(rng.standard_normal((50, 90)), "float16")
    arguments = {"a": a, "b": c, "c": empty("float32", 70 * 90), "m": 70, "n": 90, "k": 50}
    arguments = {**arguments, "sa": 50, "sb": 90, "sc": 90, "BM": 32, "BN": 32, "BK": 16}
    yield Case("matmul", matmul, arguments, grid=(3, 3), tolerance=1e-4, outputs=("c",))


GROUPS: tuple[Callable[[], Iterator[Case]], ...] = (
    binary_cases,
    other_elementwise_cases,
    cast_cases,
    tensor_cases,
    memory_cases,
    whole_kernels,
)


def cases() -> list[Case]:
    """Return every case; names are unique."""
    return [case for group in GROUPS for case in group()]


def raw(x: torch.Tensor) -> np.ndarray[Any, Any]:
    """Return a tensor's bits as unsigned integers."""
    kinds = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
    return x.reshape(-1).view(kinds[x.element_size()]).numpy().copy()


def main(path: str, chosen: list[Case]) -> None:
    results: dict[str, np.ndarray[Any, Any]] = {}
    with np.errstate(all="ignore"):
        for case in chosen:
            try:
                case.kernel[case.grid](**case.arguments)
            except Exception as error:
                print(f"{case.name}: {type(error).__name__}: {error}", file=sys.stderr)
                continue
            for output in case.outputs:
                results[f"{case.name}/{output}"] = raw(case.arguments[output])
    np.savez(path, **results)


if __name__ == "__main__":
    main(sys.argv[1], cases())
