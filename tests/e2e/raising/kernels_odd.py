# pyright: reportUnknownParameterType=false, reportMissingParameterType=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportGeneralTypeIssues=false
"""Kernels that compute their indices in odd ways: bits, clamps, joins, tables, choices."""

import triton
import triton.language as tl


@triton.jit
def select_between_offsets(src, dst, flag, B: tl.constexpr):
    i = tl.arange(0, B)
    j = tl.where(flag > 3, i, i + 64)
    tl.store(dst + i, tl.load(src + j))


@triton.jit
def pointer_from_if(a, b, dst, flag, B: tl.constexpr):
    i = tl.arange(0, B)
    if flag > 5:  # noqa: SIM108
        p = a
    else:
        p = b + 32
    tl.store(dst + i, tl.load(p + i))


@triton.jit
def tensor_pointer_from_if(a, b, dst, flag, B: tl.constexpr):
    i = tl.arange(0, B)
    if flag > 5:  # noqa: SIM108
        p = a + i
    else:
        p = a + 2 * i
    tl.store(dst + i, tl.load(p))


@triton.jit
def tensor_pointer_from_if_two_bases(a, b, dst, flag, B: tl.constexpr):
    i = tl.arange(0, B)
    if flag > 5:  # noqa: SIM108
        p = a + i
    else:
        p = b + i
    tl.store(dst + i, tl.load(p))


@triton.jit
def tensor_pointer_selected(a, b, dst, flag, M, B: tl.constexpr, C: tl.constexpr):
    i = tl.arange(0, B)[:, None]
    j = tl.arange(0, C)[None, :]
    p = tl.where(flag > 5, a, b) + i * M + j
    x = tl.load(p)
    q = tl.where(flag > 2, a + i * C + j, b + i * C + j)
    tl.store(dst + i * C + j, x + tl.load(q))


@triton.jit
def early_return_between(src, dst, N, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(src + i, mask=i < N)
    if tl.program_id(0) > 2:
        return
    tl.store(dst + i, x, mask=i < N)


@triton.jit
def joined_indices(src, dst, B: tl.constexpr):
    i = tl.arange(0, B)
    j = tl.join(i, i + 100)
    x = tl.load(src + j)
    k = tl.arange(0, B)[:, None] * 2 + tl.arange(0, 2)[None, :]
    tl.store(dst + k, x)


@triton.jit
def interleaved_indices(src, dst, B: tl.constexpr):
    i = tl.arange(0, B)
    j = tl.interleave(i, i + 50)
    tl.store(dst + tl.arange(0, 2 * B), tl.load(src + j))


@triton.jit
def split_indices(src, dst, B: tl.constexpr):
    i = tl.reshape(tl.arange(0, 2 * B), (B, 2))
    even, odd = tl.split(i)
    tl.store(dst + even, tl.load(src + odd))


@triton.jit
def permuted_indices(src, dst, B: tl.constexpr, C: tl.constexpr):
    i = tl.arange(0, B * C)
    j = tl.trans(tl.reshape(i, (B, C)))
    x = tl.load(src + j)
    tl.store(dst + tl.arange(0, C)[:, None] * B + tl.arange(0, B)[None, :], x)


@triton.jit
def flipped(src, dst, N, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(src + (N - 1 - i), mask=i < N, other=0.0)
    tl.store(dst + i, x, mask=i < N)


@triton.jit
def butterfly(src, dst, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(dst + i, tl.load(src + (i ^ 4)))


@triton.jit
def butterfly_last(src, dst, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(dst + i, tl.load(src + (i ^ 1)))


@triton.jit
def cleared_bits(src, dst, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(dst + i, tl.load(src + (i & ~3)))


@triton.jit
def middle_bits(src, dst, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(dst + i, tl.load(src + (i & 12)))


@triton.jit
def set_bits(src, dst, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(dst + i, tl.load(src + (i | 5)))


@triton.jit
def shift_by_argument(src, dst, s, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(dst + i, tl.load(src + (i << s)))


@triton.jit
def uniform_index(src, rows, dst, stride, B: tl.constexpr):
    i = tl.arange(0, B)
    row = tl.load(rows + tl.program_id(0))
    tl.store(dst + tl.program_id(0) * B + i, tl.load(src + row * stride + i))


@triton.jit
def downward_loop(src, dst, N, B: tl.constexpr):
    i = tl.arange(0, B)
    total = tl.zeros((B,), tl.float32)
    for k in range(N - 1, -1, -1):
        total += tl.load(src + k * B + i)
    tl.store(dst + i, total)


@triton.jit
def unrolled(src, dst, N, B: tl.constexpr):
    i = tl.arange(0, B)
    total = tl.zeros((B,), tl.float32)
    for k in tl.static_range(4):
        total += tl.load(src + k * N + i)
    tl.store(dst + i, total)


@triton.jit
def reset_in_outer_loop(src, dst, M, N, stride, B: tl.constexpr):
    i = tl.arange(0, B)
    p = src + i
    for m in range(M):
        q = p
        total = tl.zeros((B,), tl.float32)
        for _ in range(N):
            total += tl.load(q)
            q += B
        tl.store(dst + m * B + i, total)
        p += stride


@triton.jit
def atomics_of_rows(dst, src, N, stride, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.atomic_add(dst + (tl.program_id(0) % 2) * stride + i, tl.load(src + i), mask=i < N)


@triton.jit
def checkerboard(src, dst, M, N, B: tl.constexpr, C: tl.constexpr):
    i = tl.arange(0, B)[:, None]
    j = tl.arange(0, C)[None, :]
    mask = (i < M) & (j < N) & ((i + j) % 2 == 0)
    tl.store(dst + i * C + j, tl.load(src + i * C + j, mask=mask, other=1.0))


@triton.jit
def hinted(src, dst, stride, B: tl.constexpr):
    i = tl.max_contiguous(tl.multiple_of(tl.program_id(0) * stride + tl.arange(0, B), B), B)
    tl.store(dst + i, tl.load(src + i))


@triton.jit
def swizzled_grid(src, dst, M, N, BM: tl.constexpr, BN: tl.constexpr):
    m, n = tl.swizzle2d(
        tl.program_id(0), tl.program_id(1), tl.num_programs(0), tl.num_programs(1), 2
    )
    i = m * BM + tl.arange(0, BM)[:, None]
    j = n * BN + tl.arange(0, BN)[None, :]
    mask = (i < M) & (j < N)
    tl.store(dst + i * N + j, tl.load(src + i * N + j, mask=mask), mask=mask)


@triton.jit
def negative_modulo(src, dst, N, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(dst + i, tl.load(src + 1000 + (i - 5) % N))


@triton.jit
def rotated_triples(src, dst, shift, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(dst + i, tl.load(src + i // 4 * 4 + (i % 4 + 2) % 4))


@triton.jit
def words_as_bytes(src, dst, B: tl.constexpr):
    i = tl.arange(0, B)
    p = src.to(tl.pointer_type(tl.int8))
    q = dst.to(tl.pointer_type(tl.int8))
    tl.store(q + i, tl.load(p + 4 + i))


@triton.jit
def unsigned_division(src, dst, B: tl.constexpr):
    i = (tl.program_id(0) * B + tl.arange(0, B)).to(tl.uint32)
    tl.store(dst + i, tl.load(src + i // 8 * 16 + i % 8))


@triton.jit
def narrowed(src, dst, B: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * B + tl.arange(0, B)
    tl.store(dst + i, tl.load(src + (i % 1024).to(tl.int32)))


@triton.jit
def index_from_reduction(src, rows, dst, stride, B: tl.constexpr):
    i = tl.arange(0, B)
    row = tl.max(tl.load(rows + i))
    tl.store(dst + i, tl.load(src + row * stride + i))


@triton.jit
def pointer_table(table, dst, B: tl.constexpr):
    i = tl.arange(0, B)
    address = tl.load(table + tl.program_id(0))
    p = address.to(tl.pointer_type(tl.float32))
    tl.store(dst + tl.program_id(0) * B + i, tl.load(p + i))


@triton.jit(noinline=True)
def _row_of(p, B: tl.constexpr):
    return tl.load(p + tl.arange(0, B))


@triton.jit
def call_with_pointer(src, dst, stride, B: tl.constexpr):
    x = _row_of(src + tl.program_id(0) * stride, B)
    tl.store(dst + tl.program_id(0) * B + tl.arange(0, B), x)


@triton.jit
def conditional_step(src, dst, N, flag, B: tl.constexpr):
    i = tl.arange(0, B)
    p = src + i
    total = tl.zeros((B,), tl.float32)
    for _ in range(N):
        total += tl.load(p)
        p += tl.where(flag > 2, B, 2 * B)
    tl.store(dst + i, total)


@triton.jit
def two_conditions(src, dst, N, M, B: tl.constexpr):
    i = tl.arange(0, B)
    k = 0
    total = tl.zeros((B,), tl.float32)
    while (k < N) and (k * 3 < M):
        total += tl.load(src + k * B + i)
        k += 1
    tl.store(dst + i, total)


@triton.jit
def carried_offsets(src, dst, K, stride, B: tl.constexpr, C: tl.constexpr):
    offs = tl.arange(0, B)[:, None] * stride + tl.arange(0, C)[None, :]
    total = tl.zeros((B, C), tl.float32)
    for k in range(0, K, C):
        total += tl.load(src + offs, mask=tl.arange(0, C)[None, :] + k < K, other=0.0)
        offs += C
    tl.store(dst + tl.arange(0, B)[:, None] * C + tl.arange(0, C)[None, :], total)


@triton.jit
def three_dims(src, dst, s0, s1, s2, B: tl.constexpr, C: tl.constexpr):
    i = tl.arange(0, B)[:, None, None]
    j = tl.arange(0, C)[None, :, None]
    k = tl.arange(0, 4)[None, None, :]
    x = tl.load(src + i * s0 + j * s1 + k * s2)
    tl.store(dst + i * C * 4 + j * 4 + k, x)


@triton.jit
def clamped_rows(src, dst, M, stride, B: tl.constexpr, C: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    i = tl.minimum(i, M - 1)
    j = tl.arange(0, C)
    x = tl.load(src + i[:, None] * stride + j[None, :])
    tl.store(dst + tl.program_id(0) * B * C + tl.arange(0, B)[:, None] * C + j[None, :], x)


@triton.jit
def replicate_padding(src, dst, N, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B) - 3
    j = tl.maximum(tl.minimum(i, N - 1), 0)
    tl.store(dst + i + 3, tl.load(src + j))


@triton.jit
def reflect_padding(src, dst, N, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B) - 3
    j = tl.abs(i)
    tl.store(dst + i + 3, tl.load(src + j, mask=j < N))


@triton.jit
def triangular_index(src, dst, B: tl.constexpr):
    i = tl.program_id(0)
    j = tl.arange(0, B)
    x = tl.load(src + i * (i + 1) // 2 + j, mask=j <= i)
    tl.store(dst + i * B + j, x)


@triton.jit
def quadratic_lanes(src, dst, B: tl.constexpr):
    j = tl.arange(0, B)
    tl.store(dst + j, tl.load(src + j * j))


@triton.jit
def im2col(src, dst, H, W, OH, OW, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    oy = i // OW
    ox = i % OW
    for k in range(9):
        y = oy + k // 3 - 1
        x = ox + k % 3 - 1
        inside = (y >= 0) & (y < H) & (x >= 0) & (x < W) & (i < OH * OW)
        v = tl.load(src + y * W + x, mask=inside, other=0.0)
        tl.store(dst + k * OH * OW + i, v, mask=i < OH * OW)


@triton.jit
def ragged_rows(src, rows, dst, B: tl.constexpr):
    pid = tl.program_id(0)
    start = tl.load(rows + pid)
    end = tl.load(rows + pid + 1)
    i = tl.arange(0, B)
    total = tl.zeros((B,), tl.float32)
    for k in range(start, end, B):
        total += tl.load(src + k + i, mask=k + i < end, other=0.0)
    tl.store(dst + pid * B + i, total)


@triton.jit
def embedding(src, index, dst, D, B: tl.constexpr, C: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    j = tl.arange(0, C)
    rows = tl.load(index + i)
    x = tl.load(src + rows[:, None] * D + j[None, :], mask=j[None, :] < D)
    tl.store(dst + i[:, None] * D + j[None, :], x, mask=j[None, :] < D)
