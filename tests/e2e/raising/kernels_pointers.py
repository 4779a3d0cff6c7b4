# pyright: reportUnknownParameterType=false, reportMissingParameterType=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false
"""Kernels that move pointers about: loops, branches, several bases, odd strides."""

import triton
import triton.language as tl


@triton.jit
def copy(src, dst, N, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(dst + i, tl.load(src + i, mask=i < N), mask=i < N)


@triton.jit
def transpose(src, dst, M, N, sm, dm, B: tl.constexpr, C: tl.constexpr):
    m = tl.program_id(0) * B + tl.arange(0, B)
    n = tl.program_id(1) * C + tl.arange(0, C)
    mask = (m[:, None] < M) & (n[None, :] < N)
    x = tl.load(src + m[:, None] * sm + n[None, :], mask=mask)
    tl.store(dst + n[None, :] * dm + m[:, None], x, mask=mask)


@triton.jit
def transpose_with_trans(src, dst, sm, dm, B: tl.constexpr, C: tl.constexpr):
    offsets = tl.arange(0, B)[:, None] * sm + tl.arange(0, C)[None, :]
    x = tl.load(tl.trans(src + offsets))
    tl.store(dst + tl.arange(0, C)[:, None] * dm + tl.arange(0, B)[None, :], x)


@triton.jit
def three_dimensions(src, dst, s0, s1, s2, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    a = tl.arange(0, A)[:, None, None]
    b = tl.arange(0, B)[None, :, None]
    c = tl.arange(0, C)[None, None, :]
    x = tl.load(src + a * s0 + b * s1 + c * s2)
    tl.store(dst + tl.program_id(0) * A * B * C + a * B * C + b * C + c, x)


@triton.jit
def reversed_copy(src, dst, N, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(src + (N - 1 - i), mask=i < N)
    tl.store(dst + i, x, mask=i < N)


@triton.jit
def broadcast_row(src, dst, B: tl.constexpr, C: tl.constexpr):
    i = tl.arange(0, B)[:, None]
    j = tl.arange(0, C)[None, :]
    x = tl.load(src + j + tl.zeros((B, C), tl.int32))
    tl.store(dst + tl.program_id(0) * B * C + i * C + j, x)


@triton.jit
def moved_base(src, dst, row_stride, N, B: tl.constexpr):
    src += tl.program_id(0) * row_stride
    dst += tl.program_id(0) * B
    src += 2
    i = tl.arange(0, B)
    tl.store(dst + i, tl.load(src + i, mask=i < N, other=0.0))


@triton.jit
def base_in_loop(src, dst, K, stride, B: tl.constexpr):
    i = tl.arange(0, B)
    total = tl.zeros((B,), tl.float32)
    for _ in range(K):
        total += tl.load(src + i)
        src += stride
    tl.store(dst + tl.program_id(0) * B + i, total)


@triton.jit
def base_moves_irregularly(src, steps, dst, K, B: tl.constexpr):
    i = tl.arange(0, B)
    total = tl.zeros((B,), tl.float32)
    for k in range(K):
        total += tl.load(src + i)
        src += tl.load(steps + k) & 15
    tl.store(dst + tl.program_id(0) * B + i, total)


@triton.jit
def block_moves_irregularly(src, steps, dst, K, B: tl.constexpr):
    i = tl.arange(0, B)
    p = src + i
    total = tl.zeros((B,), tl.float32)
    for k in range(K):
        total += tl.load(p)
        p += tl.load(steps + k) & 15
    tl.store(dst + tl.program_id(0) * B + i, total)


@triton.jit
def nested_loops(src, dst, sm, sn, B: tl.constexpr):
    i = tl.arange(0, B)
    p = src + i
    total = tl.zeros((B,), tl.float32)
    for _ in range(3):
        q = p
        for _ in range(4):
            total += tl.load(q)
            q += sn
        p += sm
    tl.store(dst + tl.program_id(0) * B + i, total)


@triton.jit
def inner_result_goes_on(src, dst, N, sn, B: tl.constexpr):
    i = tl.arange(0, B)
    p = src + i
    total = tl.zeros((B,), tl.float32)
    for _ in range(3):
        for _ in range(N):
            total += tl.load(p)
            p += sn
        p += 5
    tl.store(dst + tl.program_id(0) * B + i, total)


@triton.jit
def increment_depends_on_outer(src, dst, B: tl.constexpr):
    i = tl.arange(0, B)
    total = tl.zeros((B,), tl.float32)
    for outer in range(1, 4):
        p = src + i
        for _ in range(3):
            total += tl.load(p)
            p += 10 * outer
    tl.store(dst + tl.program_id(0) * B + i, total)


@triton.jit
def increment_grows(src, dst, K, B: tl.constexpr):
    i = tl.arange(0, B)
    p = src + i
    total = tl.zeros((B,), tl.float32)
    for k in range(K):
        total += tl.load(p)
        p += 2 * k + 1
    tl.store(dst + tl.program_id(0) * B + i, total)


@triton.jit
def step_and_lower_bound(src, dst, N, first, B: tl.constexpr):
    i = tl.arange(0, B)
    total = tl.zeros((B,), tl.float32)
    for k in range(first, N, B):
        total += tl.load(src + k + i, mask=k + i < N, other=0.0)
    tl.store(dst + tl.program_id(0) * B + i, total)


@triton.jit
def grid_stride(src, dst, N, B: tl.constexpr):
    i = tl.arange(0, B)
    for start in range(tl.program_id(0) * B, N, tl.num_programs(0) * B):
        x = tl.load(src + start + i, mask=start + i < N)
        tl.store(dst + start + i, x, mask=start + i < N)


@triton.jit
def offsets_in_loop(src, dst, K, stride, B: tl.constexpr):
    i = tl.arange(0, B)
    total = tl.zeros((B,), tl.float32)
    for _ in range(K):
        total += tl.load(src + i)
        i += stride
    tl.store(dst + tl.program_id(0) * B + tl.arange(0, B), total)


@triton.jit
def branch_moves(src, dst, flag, B: tl.constexpr):
    i = tl.arange(0, B)
    p = src + i
    if flag > 3:
        p += 100
    else:
        p += 7
    tl.store(dst + tl.program_id(0) * B + i, tl.load(p))


@triton.jit
def branch_in_loop(src, dst, K, B: tl.constexpr):
    i = tl.arange(0, B)
    p = src + i
    total = tl.zeros((B,), tl.float32)
    for k in range(K):
        total += tl.load(p)
        if k % 3 == 1:
            p += 40
        else:
            p += 4
    tl.store(dst + tl.program_id(0) * B + i, total)


@triton.jit
def branch_between_bases(a, b, dst, flag, B: tl.constexpr):
    i = tl.arange(0, B)
    if flag > 3:  # noqa: SIM108
        p = a
    else:
        p = b
    tl.store(dst + tl.program_id(0) * B + i, tl.load(p + i))


@triton.jit
def swapped_bases(a, b, dst, K, B: tl.constexpr):
    i = tl.arange(0, B)
    p = a + i
    q = b + i
    total = tl.zeros((B,), tl.float32)
    for _ in range(K):
        total += tl.load(p) * 2 - tl.load(q)
        p, q = q, p
    tl.store(dst + tl.program_id(0) * B + i, total)


@triton.jit
def previous_pointer(src, dst, K, B: tl.constexpr):
    i = tl.arange(0, B)
    p = src + i
    before = src + i
    total = tl.zeros((B,), tl.float32)
    for _ in range(K):
        total += tl.load(before)
        before = p
        p += B
    tl.store(dst + tl.program_id(0) * B + i, total)


@triton.jit
def while_loop(src, dst, N, B: tl.constexpr):
    i = tl.arange(0, B)
    total = tl.zeros((B,), tl.float32)
    start = 0
    while start < N:
        total += tl.load(src + start + i)
        start += B + 3
    tl.store(dst + tl.program_id(0) * B + i, total)


@triton.jit
def while_moves_pointer(src, dst, N, B: tl.constexpr):
    i = tl.arange(0, B)
    total = tl.zeros((B,), tl.float32)
    p = src + i
    n = N
    while n > 0:
        total += tl.load(p)
        p += B
        n -= 3
    tl.store(dst + tl.program_id(0) * B + i, total)


@triton.jit
def early_return(src, dst, N, B: tl.constexpr):
    pid = tl.program_id(0)
    if pid * B >= N:
        return
    i = pid * B + tl.arange(0, B)
    tl.store(dst + i, tl.load(src + i, mask=i < N), mask=i < N)


@triton.jit
def gather_rows(src, rows, dst, stride, B: tl.constexpr, C: tl.constexpr):
    r = tl.load(rows + tl.arange(0, B)) & 31
    x = tl.load(src + r[:, None] * stride + tl.arange(0, C)[None, :])
    tl.store(dst + tl.arange(0, B)[:, None] * C + tl.arange(0, C)[None, :], x)


@triton.jit
def row_from_memory(src, rows, dst, stride, B: tl.constexpr):
    row = tl.load(rows + tl.program_id(0)) & 31
    x = tl.load(src + row * stride + tl.arange(0, B))
    tl.store(dst + tl.program_id(0) * B + tl.arange(0, B), x)


@triton.jit
def gather_and_block(src, index, dst, N, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    mask = i < N
    x = tl.load(src + (tl.load(index + i, mask=mask, other=0) & 63), mask=mask)
    tl.store(dst + i, x, mask=mask)


@triton.jit
def pointers_as_integers(src, dst, B: tl.constexpr):
    address = (src + 4).to(tl.int64)
    p = address.to(tl.pointer_type(tl.float32))
    i = tl.arange(0, B)
    tl.store(dst + i, tl.load(p + i))


@triton.jit
def bytes_of_words(src, dst, B: tl.constexpr):
    p = src.to(tl.pointer_type(tl.int8), bitcast=True)
    i = tl.arange(0, B)
    tl.store(dst + i, tl.load(p + 8 * tl.program_id(0) + i))


@triton.jit
def flags(src, dst, N, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(src + i, mask=i < N, other=False)
    tl.store(dst + i, x, mask=i < N)


@triton.jit
def wide_indices(src, dst, row_stride, N, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    i = tl.arange(0, B).to(tl.int64)
    x = tl.load(src + row * row_stride + i, mask=i < N)
    tl.store(dst + row * B + i, x, mask=i < N)


@triton.jit
def reshaped_offsets(src, dst, stride, B: tl.constexpr):
    i = tl.reshape(tl.arange(0, B), (B // 8, 8))
    x = tl.load(src + i * stride)
    tl.store(dst + tl.reshape(i, (B,)), tl.reshape(x, (B,)))


@triton.jit
def joined_offsets(src, dst, B: tl.constexpr):
    i = tl.arange(0, B)
    j = tl.join(i * 2, i * 2 + 1)
    x = tl.load(src + j)
    a, b = tl.split(x)
    tl.store(dst + i, a - b)


@triton.jit
def shifted_bits(src, dst, B: tl.constexpr):
    i = (tl.program_id(0) << 5) | tl.arange(0, B)
    x = tl.load(src + (i >> 3) * 64 + (i & 7))
    tl.store(dst + i, x)


@triton.jit
def atomic_block(src, dst, N, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.atomic_add(dst + i, tl.load(src + i, mask=i < N, other=0), mask=i < N)


@triton.jit
def column(src, dst, M, stride, B: tl.constexpr):
    m = tl.arange(0, B)
    x = tl.load(src + m[:, None] * stride + tl.program_id(0), mask=m[:, None] < M, other=0.0)
    tl.store(dst + tl.program_id(0) * B + m[:, None], x)
