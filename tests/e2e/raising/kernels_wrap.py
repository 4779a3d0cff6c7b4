# pyright: reportUnknownParameterType=false, reportMissingParameterType=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false
"""Kernels whose addresses wrap around."""

import triton
import triton.language as tl


@triton.jit
def rows_wrap(src, dst, M, stride, B: tl.constexpr, C: tl.constexpr):
    rows = (tl.program_id(0) * B + tl.arange(0, B)) % M
    columns = tl.arange(0, C)
    x = tl.load(src + rows[:, None] * stride + columns[None, :])
    out = tl.program_id(0) * B * C + tl.arange(0, B)[:, None] * C + columns[None, :]
    tl.store(dst + out, x)


@triton.jit
def columns_wrap(src, dst, N, stride, B: tl.constexpr, C: tl.constexpr):
    rows = tl.arange(0, B)
    columns = (tl.program_id(0) * C + tl.arange(0, C)) % N
    x = tl.load(src + rows[:, None] * stride + columns[None, :])
    out = tl.program_id(0) * B * C + rows[:, None] * C + tl.arange(0, C)[None, :]
    tl.store(dst + out, x)


@triton.jit
def both_wrap(src, dst, M, N, sm, sn, B: tl.constexpr, C: tl.constexpr):
    rows = (tl.program_id(0) * B + tl.arange(0, B)) % M
    columns = (tl.program_id(1) * C + tl.arange(0, C)) % N
    x = tl.load(src + rows[:, None] * sm + columns[None, :] * sn)
    pid = tl.program_id(0) * tl.num_programs(1) + tl.program_id(1)
    out = pid * B * C + tl.arange(0, B)[:, None] * C + tl.arange(0, C)[None, :]
    tl.store(dst + out, x)


@triton.jit
def vector_wraps(src, dst, M, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(src + i % M)
    tl.store(dst + i, x)


@triton.jit
def vector_wraps_often(src, dst, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(src + i % 7)
    tl.store(dst + i, x)


@triton.jit
def vector_wraps_after_shift(src, dst, M, shift, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(src + shift + (i + 3) % M)
    tl.store(dst + i, x)


@triton.jit
def scaled_wrap(src, dst, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(src + (3 * i + 1) % 50 * 2)
    tl.store(dst + i, x)


@triton.jit
def wrapped_store(src, dst, M, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(dst + (tl.program_id(0) * 8 * B + 5 + i) % M, tl.load(src + i), mask=i < M)


@triton.jit
def wrap_with_mask(src, dst, M, K, stride, B: tl.constexpr, C: tl.constexpr):
    rows = (tl.program_id(0) * B + tl.arange(0, B)) % M
    columns = tl.arange(0, C)
    mask = (columns[None, :] < K) & (tl.arange(0, B)[:, None] < M - 1)
    x = tl.load(src + rows[:, None] * stride + columns[None, :], mask=mask, other=3.0)
    out = tl.program_id(0) * B * C + tl.arange(0, B)[:, None] * C + columns[None, :]
    tl.store(dst + out, x)


@triton.jit
def wrap_in_loop(src, dst, M, K, sm, sk, B: tl.constexpr, C: tl.constexpr):
    rows = (tl.program_id(0) * B + tl.arange(0, B)) % M
    columns = tl.arange(0, C)
    p = src + rows[:, None] * sm + columns[None, :] * sk
    total = tl.zeros((B, C), tl.float32)
    for k in range(0, tl.cdiv(K, C)):
        total += tl.load(p, mask=columns[None, :] < K - k * C, other=0.0)
        p += C * sk
    out = tl.program_id(0) * B * C + tl.arange(0, B)[:, None] * C + columns[None, :]
    tl.store(dst + out, total)


@triton.jit
def transposed_wrap_in_loop(src, dst, M, K, sm, sk, B: tl.constexpr, C: tl.constexpr):
    rows = (tl.program_id(0) * B + tl.arange(0, B)) % M
    columns = tl.arange(0, C)
    p = src + columns[:, None] * sk + rows[None, :] * sm
    total = tl.zeros((C, B), tl.float32)
    for _ in range(0, K, C):
        total += tl.load(p)
        p += C * sk
    out = tl.program_id(0) * B * C + columns[:, None] * B + tl.arange(0, B)[None, :]
    tl.store(dst + out, total)


@triton.jit
def moved_along_the_wrap(src, dst, M, B: tl.constexpr):
    i = tl.arange(0, B)
    p = src + (tl.program_id(0) * B + i) % M
    total = tl.zeros((B,), tl.float32)
    for _ in range(3):
        total += tl.load(p)
        p += M
    tl.store(dst + tl.program_id(0) * B + i, total)


@triton.jit
def negative_start(src, dst, M, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(src + (i - 9 + tl.program_id(0)) % M)
    tl.store(dst + tl.program_id(0) * B + i, x)


@triton.jit
def quotient_and_remainder(src, dst, N, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(src + i // 8 * 100 + i % 8, mask=i < N)
    tl.store(dst + i, x, mask=i < N)


@triton.jit
def split_with_wrap(src, dst, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(src + i // 4 % 49 * 4 + i % 4 * 300)
    tl.store(dst + i, x)


@triton.jit
def split_crosses(src, dst, N, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(src + i // 49 + i % 49 * 16, mask=i < N, other=-1.0)
    tl.store(dst + i, x, mask=i < N)


@triton.jit
def masked_within_one_period(src, dst, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(src + i // 49 * 100 + i % 49, mask=i < 49, other=-1.0)
    tl.store(dst + i, x)
