# pyright: reportUnknownParameterType=false, reportMissingParameterType=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false
"""Kernels that take a linear index apart, by numbers and by arguments."""

import triton
import triton.language as tl


@triton.jit
def rows_of_any_width(src, dst, N, K, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(src + i // K * (2 * K) + i % K, mask=i < N)
    tl.store(dst + i, x, mask=i < N)


@triton.jit
def quotient_of_any_width(src, dst, N, K, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(src + i // K, mask=i < N)
    tl.store(dst + i, x, mask=i < N)


@triton.jit
def columns_of_any_width(src, dst, K, stride, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(src + i % K * stride + i // K)
    tl.store(dst + i, x)


@triton.jit
def rows_of_a_thousand(src, dst, N, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(src + i // 1000 * 1024 + i % 1000, mask=i < N)
    tl.store(dst + i, x, mask=i < N)


@triton.jit
def image_of_any_size(src, dst, N, H, W, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    column = i % W
    row = i // W % H
    channel = i // (W * H)
    x = tl.load(src + column * 3 + row * (3 * W) + channel, mask=i < N)
    tl.store(dst + i, x, mask=i < N)


@triton.jit
def pairs_of_any_width(src, dst, K, B: tl.constexpr, C: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    j = tl.arange(0, C)
    x = tl.load(src + (i // K)[:, None] * 7 + (i % K)[:, None] * 64 + j[None, :])
    tl.store(dst + i[:, None] * C + j[None, :], x)


@triton.jit
def pooling(src, dst, N, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    first = src + i // 333 * 2001 + i % 333 * 3
    mask = i < N
    x = tl.load(first, mask=mask) + tl.load(first + 1, mask=mask) + tl.load(first + 667, mask=mask)
    tl.store(dst + i, x, mask=mask)


@triton.jit
def repeated_heads(src, dst, repeat, stride, BM: tl.constexpr, D: tl.constexpr):
    head = (tl.program_id(0) * BM + tl.arange(0, BM)) // repeat
    d = tl.arange(0, D)
    x = tl.load(src + head[:, None] * stride + d[None, :])
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    tl.store(dst + rows[:, None] * D + d[None, :], x)


@triton.jit
def divisor_from_memory(src, dst, rows, N, B: tl.constexpr):
    K = tl.load(rows)
    tl.assume(K > 0)
    i = tl.arange(0, B)
    total = tl.zeros((B,), tl.float32)
    for start in range(0, N, B):
        j = start + i
        total += tl.load(src + j // K * 100 + j % K)
    tl.store(dst + i, total)


@triton.jit
def linear_of_three(src, dst, N, K, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(src + i // K % 5 * K + i % K, mask=i < N, other=-1.0)
    tl.store(dst + i, x, mask=i < N)


@triton.jit
def power_of_two_image(src, dst, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(src + i % 4 * 100 + i // 4 % 4 * 10 + i // 16)
    tl.store(dst + i, x)


@triton.jit
def interleaved(src, dst, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(src + i // 2 + i % 2 * 512)
    tl.store(dst + i, x)


@triton.jit
def always_crossing(src, dst, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(src + i // 5 * 8 + i % 5)
    tl.store(dst + i, x)


@triton.jit
def crossing_store(src, dst, N, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(src + i, mask=i < N)
    tl.store(dst + i // 5 * 8 + i % 5, x, mask=i < N)


@triton.jit
def crossing_in_loop(src, dst, N, B: tl.constexpr):
    i = tl.arange(0, B)
    p = src + i // 3 * 4 + i % 3
    total = tl.zeros((B,), tl.float32)
    for _ in range(N):
        total += tl.load(p)
        p += 32
    tl.store(dst + tl.program_id(0) * B + i, total)


@triton.jit
def few_rows(src, dst, N, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(src + i // 7 * 8 + i % 7, mask=i < N)
    tl.store(dst + i, x, mask=i < N)


@triton.jit
def few_elements(src, dst, N, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(src + i // 7, mask=i < N, other=3.0)
    tl.store(dst + i, x)


@triton.jit
def rows_from_the_middle(src, dst, M, N, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    inside = (i >= M) & (i < N)
    x = tl.load(src + i // 7 * 8 + i % 7, mask=inside, other=3.0)
    tl.store(dst + i // 6 * 9 + i % 6, x, mask=inside)


@triton.jit
def rows_backwards(src, dst, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    left = 100 - i
    x = tl.load(src + left // 7 * 8 + left % 7, mask=i < 90)
    tl.store(dst + i, x, mask=i < 90)


@triton.jit
def rows_beside_columns(src, dst, M, N, K, B: tl.constexpr, C: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)[:, None]
    j = tl.arange(0, C)[None, :]
    inside = (i < N) & (j < M) & (K > 2)
    x = tl.load(src + i // 7 * 64 + i % 7 * C + j, mask=inside)
    tl.store(dst + i * C + j, x, mask=inside)


@triton.jit
def rows_in_loop(src, dst, N, K, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    p = src + i // 7 * 8 + i % 7
    total = tl.zeros((B,), tl.float32)
    for k in range(K):
        total += tl.load(p, mask=i + k < N, other=0.0)
        p += 32
    tl.store(dst + i, total)


@triton.jit
def pairs_beside_strided_remainders(src, dst, N, B: tl.constexpr, C: tl.constexpr):
    i = tl.arange(0, B)[:, None]
    j = tl.program_id(0) * C + tl.arange(0, C)[None, :]
    x = tl.load(src + i // 2 * 64 + i % 2 * 3 + j * 5 % 7, mask=j < N)
    tl.store(dst + i * 1024 + j, x, mask=j < N)
