# pyright: reportUnknownParameterType=false, reportMissingParameterType=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false
"""Kernels with masks of every kind."""

import triton
import triton.language as tl


@triton.jit
def predicates(src, dst, N, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    a = tl.load(src + i, mask=i <= N, other=1.0)
    b = tl.load(src + i, mask=i < N, other=2.0)
    c = tl.load(src + i, mask=i <= N, other=3.0)
    d = tl.load(src + i, mask=i > N, other=4.0)
    e = tl.load(src + i, mask=i >= N, other=5.0)
    f = tl.load(src + i, mask=i == N, other=6.0)
    g = tl.load(src + i, mask=i != N, other=7.0)
    tl.store(dst + i, a + b * 3 + c * 5 + d * 7 + e * 11 + f * 13 + g * 17)


@triton.jit
def unsigned_predicate(src, dst, N, B: tl.constexpr):
    i = tl.arange(0, B)
    j = (i + tl.program_id(0) - 3).to(tl.uint32)
    tl.store(dst + tl.program_id(0) * B + i, tl.load(src + i, mask=j < 20, other=0.0))


@triton.jit
def interval(src, dst, low, high, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    mask = (i >= low) & (i < high)
    x = tl.load(src + i, mask=mask, other=9.0)
    tl.store(dst + i, x)
    tl.store(dst + 4096 + i, x, mask=mask)


@triton.jit
def padded_window(src, dst, H, W, stride, pad, B: tl.constexpr, C: tl.constexpr):
    y = tl.program_id(0) * B + tl.arange(0, B)[:, None] - pad
    x = tl.arange(0, C)[None, :] - pad
    inside = (y >= 0) & (y < H) & (x >= 0) & (x < W)
    v = tl.load(src + y * stride + x, mask=inside, other=0.0)
    out = tl.program_id(0) * B * C + tl.arange(0, B)[:, None] * C + tl.arange(0, C)[None, :]
    tl.store(dst + out, v)


@triton.jit
def window_inside(src, dst, N, start, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(src + i, mask=(i >= start) & (i < N), other=0.0)
    tl.store(dst + i, x, mask=i < N)


@triton.jit
def flipped_window(src, dst, N, row, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(src + row * N + N - i, mask=(i >= 1) & (i < N), other=0.0)
    tl.store(dst + row * N + i, x, mask=i < N)


@triton.jit
def scalar_condition(src, dst, N, flag, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(src + i, mask=(i < N) & (flag > 2), other=0.5)
    tl.store(dst + i, x, mask=flag > 1)


@triton.jit
def disjunction(src, dst, N, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    mask = (i < 5) | (i > N)
    tl.store(dst + i, tl.load(src + i, mask=mask, other=0.0), mask=mask)


@triton.jit
def negation(src, dst, N, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    inside = i < N
    tl.store(dst + i, tl.load(src + i, mask=~inside, other=0.0))


@triton.jit
def causal(src, dst, stride, B: tl.constexpr, C: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)[:, None]
    j = tl.arange(0, C)[None, :]
    x = tl.load(src + i * stride + j, mask=j <= i, other=-1.0)
    tl.store(dst + i * C + j, x)


@triton.jit
def loaded_mask(src, flags, dst, N, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    inside = i < N
    keep = tl.load(flags + i, mask=inside, other=0) > 0
    x = tl.load(src + i, mask=inside & keep, other=2.0)
    tl.store(dst + i, x, mask=inside & keep)


@triton.jit
def other_varies(src, dst, N, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(src + i, mask=i < N, other=i.to(tl.float32))
    tl.store(dst + i, x)


@triton.jit
def other_is_scalar(src, dst, N, value, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(src + i, mask=i < N, other=value)
    tl.store(dst + i, x)


@triton.jit
def mask_carried_by_loop(src, dst, N, K, B: tl.constexpr):
    i = tl.arange(0, B)
    total = tl.zeros((B,), tl.float32)
    limit = N
    for _ in range(K):
        total += tl.load(src + i, mask=i < limit, other=0.0)
        i += B
        limit -= 2
    tl.store(dst + tl.program_id(0) * B + tl.arange(0, B), total)


@triton.jit
def mask_on_remainder(src, dst, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(src + i, mask=i % 8 < 5, other=0.0)
    tl.store(dst + i, x, mask=i % 8 < 6)


@triton.jit
def one_row(src, dst, M, N, stride, C: tl.constexpr):
    rows = tl.program_id(0) + tl.arange(0, 1)[:, None]
    columns = tl.arange(0, C)[None, :]
    mask = (rows < M) & (columns < N)
    x = tl.load(src + rows * stride + columns, mask=mask, other=0.0)
    tl.store(dst + rows * C + columns, x)


@triton.jit
def mask_beyond_the_block(src, dst, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(src + i, mask=i < 2 * B, other=0.0)
    y = tl.load(src + i, mask=i < 0, other=1.0)
    tl.store(dst + tl.program_id(0) * B + i, x + y)


@triton.jit
def transposed_mask(src, dst, M, N, B: tl.constexpr, C: tl.constexpr):
    m = tl.arange(0, B)[:, None]
    n = tl.arange(0, C)[None, :]
    mask = tl.trans((m < M) & (n < N))
    x = tl.load(src + tl.trans(m * 64 + n), mask=mask, other=0.0)
    tl.store(dst + tl.trans(m * C + n), x)
