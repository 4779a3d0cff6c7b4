# pyright: reportUnknownParameterType=false, reportMissingParameterType=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false
"""Kernels as people write them for long sequences and large tensors: far from where they begin."""

import triton
import triton.language as tl


@triton.jit
def scaled_dot(k, beta, out, T, H: tl.constexpr, D: tl.constexpr, B: tl.constexpr):
    """The head's place in 64 bits, the rows and columns of a tile in 32."""
    tile, batch, head = tl.program_id(0), tl.program_id(1) // H, tl.program_id(1) % H
    place = batch.to(tl.int64) * T * H + head
    rows = tile * B + tl.arange(0, B)
    inside = rows < T
    scale = tl.load(beta + place + rows * H, mask=inside, other=0.0)
    d = tl.arange(0, D)
    tiles = k + place * D + rows[:, None] * (H * D) + d[None, :]
    x = tl.load(tiles, mask=inside[:, None] & (d < D)[None, :], other=0.0)
    y = tl.dot(x, tl.trans(x)) * scale[:, None]
    columns = tl.arange(0, B)
    stored = out + place * B + rows[:, None] * (H * B) + columns[None, :]
    tl.store(stored, y, mask=inside[:, None])


@triton.jit
def rows_in_64_bits(k, out, T, D: tl.constexpr, B: tl.constexpr):
    """Rows counted in 64 bits, as they are where there may be more than 32 hold."""
    rows = tl.program_id(0).to(tl.int64) * B + tl.arange(0, B)
    d = tl.arange(0, D)
    places = rows[:, None] * D + d[None, :]
    x = tl.load(k + places, mask=(rows < T)[:, None], other=0.0)
    tl.store(out + places, x * 2, mask=(rows < T)[:, None])


@triton.jit
def flat(k, out, n, B: tl.constexpr):
    """More elements than 32 bits count, one after the other."""
    i = tl.program_id(0).to(tl.int64) * B + tl.arange(0, B)
    tl.store(out + i, tl.load(k + i, mask=i < n, other=0.0) + 1, mask=i < n)


@triton.jit
def window(k, out, n, first, B: tl.constexpr):
    """A mask with a lower bound, both ends in 64 bits."""
    i = tl.program_id(0).to(tl.int64) * B + tl.arange(0, B)
    on = (i >= first) & (i < n)
    tl.store(out + i, tl.load(k + i, mask=on, other=0.0) + 1, mask=on)


@triton.jit
def far_steps(k, out, steps, stride, B: tl.constexpr):
    """A pointer that a loop moves by more than 32 bits hold in the end."""
    i = tl.arange(0, B)
    p = k + tl.program_id(0) * B + i
    total = tl.zeros([B], tl.float32)
    for _ in range(steps):
        total += tl.load(p)
        p += stride
    tl.store(out + tl.program_id(0) * B + i, total)


@triton.jit
def far_tiles(k, out, M, N, stride, B: tl.constexpr):
    """A matrix whose rows are far apart: rows and columns in 32 bits, their products in 64."""
    m = tl.program_id(0) * B + tl.arange(0, B)
    n = tl.program_id(1) * B + tl.arange(0, B)
    on = (m < M)[:, None] & (n < N)[None, :]
    places = m.to(tl.int64)[:, None] * stride + n[None, :]
    tl.store(out + places, tl.load(k + places, mask=on, other=0.0) + 1, mask=on)


@triton.jit
def packed(k, out, starts, B: tl.constexpr, D: tl.constexpr):
    """Sequences one after the other: where each begins and ends stands in memory, in 64 bits."""
    which = tl.program_id(1)
    first, last = tl.load(starts + which), tl.load(starts + which + 1)
    rows = tl.program_id(0) * B + tl.arange(0, B)
    d = tl.arange(0, D)
    places = (first + rows)[:, None] * D + d[None, :]
    on = (rows < last - first)[:, None]
    tl.store(out + places, tl.load(k + places, mask=on, other=0.0) + 1, mask=on)


@triton.jit
def unmasked(k, out, stride, B: tl.constexpr, D: tl.constexpr):
    """Nothing bounds the batch's place; rows and columns are a tile's."""
    place = tl.program_id(1).to(tl.int64) * stride
    rows = tl.program_id(0) * B + tl.arange(0, B)
    places = place + rows[:, None] * D + tl.arange(0, D)[None, :]
    tl.store(out + places, tl.load(k + places) + 1)


@triton.jit
def spread(k, out, n, stride, B: tl.constexpr):
    """A block for each program, far apart; the last is cut off."""
    i = tl.program_id(0).to(tl.int64) * stride + tl.arange(0, B)
    tl.store(out + i, tl.load(k + i, mask=i < n, other=0) + 2, mask=i < n)
