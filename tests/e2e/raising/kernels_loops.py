# pyright: reportUnknownParameterType=false, reportMissingParameterType=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false
"""Kernels whose loops move pointers in unusual ways."""

import triton
import triton.language as tl


@triton.jit
def while_with_mask(src, dst, N, B: tl.constexpr):
    i = tl.arange(0, B)
    total = tl.zeros((B,), tl.float32)
    p = src + i
    left = N
    while left > 0:
        total += tl.load(p, mask=i < left, other=0.0)
        p += B
        left -= B
    tl.store(dst + tl.program_id(0) * B + i, total)


@triton.jit
def while_in_for(src, dst, M, N, stride, B: tl.constexpr):
    i = tl.arange(0, B)
    for row in range(M):
        p = src + row * stride + i
        total = tl.zeros((B,), tl.float32)
        left = N
        while left > 0:
            total += tl.load(p)
            p += 2 * B
            left -= 5
        tl.store(dst + row * B + i, total)


@triton.jit
def for_in_while(src, dst, M, N, B: tl.constexpr):
    i = tl.arange(0, B)
    total = tl.zeros((B,), tl.float32)
    p = src + i
    left = M
    while left > 0:
        for _ in range(N):
            total += tl.load(p)
            p += B
        left -= 4
    tl.store(dst + i, total)


@triton.jit
def while_stores(dst, N, value, B: tl.constexpr, C: tl.constexpr):
    i = tl.arange(0, B)
    j = tl.arange(0, C)
    p = dst + i[:, None] * 64 + j[None, :]
    left = N
    while left > 0:
        tl.store(p, tl.full((B, C), 1.0, tl.float32) * value)
        p += B * 64
        left -= 9


@triton.jit
def while_two_pointers(a, b, c, N, B: tl.constexpr):
    i = tl.arange(0, B)
    pa = a + i
    pb = b + 1000 - i
    left = N
    total = tl.zeros((B,), tl.float32)
    while left > 0:
        total += tl.load(pa) * tl.load(pb)
        pa += B
        pb -= B
        left -= 6
    tl.store(c + i, total)


@triton.jit
def growing_steps(src, dst, N, B: tl.constexpr):
    i = tl.arange(0, B)
    p = src + i
    total = tl.zeros((B,), tl.float32)
    for k in range(N):
        total += tl.load(p)
        p += k * B
    tl.store(dst + i, total)


@triton.jit
def triangular(src, dst, N, stride, B: tl.constexpr):
    i = tl.arange(0, B)
    for row in range(N):
        total = tl.zeros((B,), tl.float32)
        for column in range(row):
            total += tl.load(src + row * stride + column * B + i)
        tl.store(dst + row * B + i, total)


@triton.jit
def backwards(src, dst, N, B: tl.constexpr):
    i = tl.arange(0, B)
    total = tl.zeros((B,), tl.float32)
    p = src + N * B + i
    for _ in range(N):
        p -= B
        total = total * 0.5 + tl.load(p)
    tl.store(dst + i, total)


@triton.jit
def ping_pong_buffers(src, dst, N, B: tl.constexpr):
    i = tl.arange(0, B)
    for k in range(N):
        x = tl.load(src + (k % 2) * B + i)
        tl.store(dst + k * B + i, x)


@triton.jit
def ring_buffer(src, dst, N, K, B: tl.constexpr):
    i = tl.arange(0, B)
    for k in range(N):
        x = tl.load(src + (k * B + i) % (K * B + B))
        tl.store(dst + k * B + i, x)


@triton.jit
def diagonal(src, dst, N, stride, B: tl.constexpr):
    i = tl.arange(0, B)
    for k in range(N):
        x = tl.load(src + (k * B + i) * (stride + 1))
        tl.store(dst + k * B + i, x)


@triton.jit
def branch_moves_pointer(src, dst, N, B: tl.constexpr):
    i = tl.arange(0, B)
    p = src + i
    total = tl.zeros((B,), tl.float32)
    for k in range(N):
        total += tl.load(p)
        if k % 3 == 0:
            p += B
        else:
            p += 2 * B
    tl.store(dst + i, total)


@triton.jit
def loop_carried_rows(a, b, c, N, sa, sb, BM: tl.constexpr, BK: tl.constexpr):
    rows = tl.arange(0, BM)
    inner = tl.arange(0, BK)
    pa = a + rows[:, None] * sa + inner[None, :]
    pb = b + inner[:, None] * sb + rows[None, :]
    acc = tl.zeros((BM, BM), tl.float32)
    for k in range(0, N, BK):
        x = tl.load(pa, mask=inner[None, :] < N - k, other=0.0)
        y = tl.load(pb, mask=inner[:, None] < N - k, other=0.0)
        acc += tl.dot(x, y)
        pa += BK
        pb += BK * sb
    tl.store(c + rows[:, None] * BM + rows[None, :], acc)
