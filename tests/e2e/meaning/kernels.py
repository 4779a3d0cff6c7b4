# Kernels are Triton's language, which types do not describe.
# pyright: basic, reportInvalidTypeForm=false, reportArgumentType=false
# pyright: reportGeneralTypeIssues=false
"""
The source of the kernels in this folder.

The `.mlir` files are what the front end of Triton 3.9 makes of them, before any pass, for
32-bit integers, f32 (f16 in `matmul`, bf16 in `narrow`) and pointers that are multiples of 16.
"""

import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    a = tl.load(x + i, mask=i < n)
    b = tl.load(y + i, mask=i < n, other=1.0)
    tl.store(out + i, a * 2.0 + b, mask=i < n)


@triton.jit
def softmax(x, out, stride, n, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    a = tl.load(x + row * stride + i, mask=i < n, other=-float("inf"))
    e = tl.exp(a - tl.max(a, axis=0))
    tl.store(out + row * stride + i, e / tl.sum(e, axis=0), mask=i < n)


@triton.jit
def matmul(a, b, c, M, N, K, am, bk, cm, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pid_m = tl.program_id(0)
    pid_n = tl.program_id(1)
    m = (pid_m * BM + tl.arange(0, BM)) % M
    n = (pid_n * BN + tl.arange(0, BN)) % N
    k = tl.arange(0, BK)
    pa = a + m[:, None] * am + k[None, :]
    pb = b + k[:, None] * bk + n[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for step in range(0, tl.cdiv(K, BK)):
        x = tl.load(pa, mask=k[None, :] < K - step * BK, other=0.0)
        y = tl.load(pb, mask=k[:, None] < K - step * BK, other=0.0)
        acc = tl.dot(x, y, acc)
        pa += BK
        pb += BK * bk
    i = pid_m * BM + tl.arange(0, BM)
    j = pid_n * BN + tl.arange(0, BN)
    tl.store(c + i[:, None] * cm + j[None, :], acc, mask=(i[:, None] < M) & (j[None, :] < N))


@triton.jit
def descriptors(a, b, out, M, N, B: tl.constexpr):
    da = tl.make_tensor_descriptor(a, shape=[M, N], strides=[N, 1], block_shape=[B, B])
    db = tl.make_tensor_descriptor(b, shape=[M, N], strides=[N, 1], block_shape=[B, B])
    do = tl.make_tensor_descriptor(out, shape=[M, N], strides=[N, 1], block_shape=[B, B])
    row = tl.program_id(0) * B
    for column in range(0, N, B):
        do.store([row, column], da.load([row, column]) * 0.5 + db.load([row, column]))


@triton.jit(noinline=True)
def helper(x, limit):
    if limit > 3:
        return x * 2
    return x + limit


@triton.jit
def plain(x, y):
    return x * y + 1.0


@triton.jit
def control(x, out, n, limit, B: tl.constexpr):
    i = tl.arange(0, B)
    total = tl.zeros((B,), tl.float32)
    twice = tl.zeros((B,), tl.float32)
    for k in tl.range(0, limit, loop_unroll_factor=2):
        scale = (n * 3 + limit).to(tl.float32)
        v = tl.load(x + k * B + i)
        total += plain(v, scale)
        twice += plain(v, scale)
    if n > 4:  # noqa: SIM108
        total = total * 0.5
    else:
        total = total + 1.0
    m = n % 7 + 1
    steps = 0
    while m < 100:
        m = m * 2 + 1
        steps += 1
    flag = n % 2 == 0
    picked = tl.where(flag, total, twice)
    if flag:
        tl.store(out + B + i, picked)
    s = helper(steps, limit)
    tl.store(out + i, picked + s.to(tl.float32) + (7 * 6 - 40))


@triton.jit
def gather(x, index, counts, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    where = tl.load(index + i, mask=i < n, other=0)
    v = tl.load(x + where, mask=i < n, other=0.0)
    tl.atomic_add(counts + where, 1, mask=i < n)
    tl.store(out + i, tl.cumsum(v, 0), mask=i < n)


@triton.jit
def shapes(x, y, out, out2, n, R: tl.constexpr, C: tl.constexpr):
    r = tl.arange(0, R)
    c = tl.arange(0, C)
    base = x + r[:, None] * C
    t = tl.load(base + c[None, :])
    u = tl.trans(t) * 2.0
    w = tl.load(y + c // 2 * 2 + c % 2)
    s = tl.exp(w)[:, None] + u
    s = tl.where(n > 4, s, u)
    s = s + tl.full((C, R), 3.0, tl.float32) * (n * 0.5)
    tl.store(out + c[:, None] * R + r[None, :], s)
    f = tl.reshape(t, (R * C // 2, 2))
    a, b = tl.split(f)
    tl.store(out2 + tl.arange(0, R * C // 2), tl.max(tl.join(b, a), axis=1) - a)


@triton.jit
def narrow(x, y, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    a = tl.load(x + i, mask=i < n, other=0.0)
    b = tl.load(y + i, mask=i < n, other=0.0)
    tl.store(out + i, a * b + a - b, mask=i < n)


@triton.jit
def rows(x, out, M, N, stride, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)
    total = tl.zeros((B,), tl.float32)
    for start in range(0, N, B):
        c = start + tl.arange(0, B)
        total += tl.sum(
            tl.load(
                x + r[:, None] * stride + c[None, :],
                mask=(r[:, None] < M) & (c[None, :] < N),
                other=0.0,
            ),
            axis=1,
        )
    tl.store(out + r, total, mask=r < M)
