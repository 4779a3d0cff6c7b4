# Kernels have no types.
# pyright: reportUnknownParameterType=false, reportMissingParameterType=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportArgumentType=false
# pyright: reportCallIssue=false, reportOperatorIssue=false
"""
Kernels of the dense kinds, each through plain pointers and, with BP, through descriptors by hand.

The backend makes block pointers of descriptors.

They follow how libraries of kernels write them: the place of a batch or head in 64 bits on the
base, masks of rows and columns, pointers that loops move or make anew.
"""

import triton
import triton.language as tl


@triton.jit
def tile_load(
    p, rows, columns, stride, row, column, R: tl.constexpr, C: tl.constexpr, BP: tl.constexpr
):
    if BP:
        x = tl.make_tensor_descriptor(p, (rows, columns), (stride, 1), (R, C)).load((row, column))
    else:
        r, c = row + tl.arange(0, R), column + tl.arange(0, C)
        on = (r < rows)[:, None] & (c < columns)[None, :]
        x = tl.load(p + r[:, None] * stride + c[None, :], mask=on, other=0.0)
    return x


@triton.jit
def tile_store(
    p, x, rows, columns, stride, row, column, R: tl.constexpr, C: tl.constexpr, BP: tl.constexpr
):
    x = x.to(p.dtype.element_ty)
    if BP:
        tl.make_tensor_descriptor(p, (rows, columns), (stride, 1), (R, C)).store((row, column), x)
    else:
        r, c = row + tl.arange(0, R), column + tl.arange(0, C)
        on = (r < rows)[:, None] & (c < columns)[None, :]
        tl.store(p + r[:, None] * stride + c[None, :], x, mask=on)


@triton.jit
def linear_attention_scores(
    k, beta, out, T, H: tl.constexpr, D: tl.constexpr, B: tl.constexpr, BP: tl.constexpr
):
    tile, batch, head = tl.program_id(0), tl.program_id(1) // H, tl.program_id(1) % H
    place = batch.to(tl.int64) * T * H + head
    rows = tile * B + tl.arange(0, B)
    scale = tl.load(beta + place + rows * H, mask=rows < T, other=0.0)
    x = tile_load(k + place * D, T, D, H * D, tile * B, 0, B, D, BP)
    y = tl.dot(x, tl.trans(x)) * scale[:, None]
    y = tl.where(rows[:, None] > rows[None, :], y, 0.0)
    tile_store(out + place * B, y, T, B, H * B, tile * B, 0, B, B, BP)


@triton.jit
def linear_attention_output(
    q,
    k,
    v,
    h,
    out,
    T,
    scale,
    H: tl.constexpr,
    D: tl.constexpr,
    B: tl.constexpr,
    BD: tl.constexpr,
    BP: tl.constexpr,
):
    tile, batch, head = tl.program_id(0), tl.program_id(1) // H, tl.program_id(1) % H
    place = (batch.to(tl.int64) * T * H + head) * D
    state = h + ((batch.to(tl.int64) * tl.cdiv(T, B) + tile) * H + head) * D * D
    y = tl.zeros([B, D], tl.float32)
    a = tl.zeros([B, B], tl.float32)
    for i in range(tl.cdiv(D, BD)):
        x = tile_load(q + place, T, D, H * D, tile * B, i * BD, B, BD, BP)
        z = tile_load(k + place, T, D, H * D, tile * B, i * BD, B, BD, BP)
        s = tile_load(state, D, D, D, i * BD, 0, BD, D, BP)
        y += tl.dot(x, s)
        a += tl.dot(x, tl.trans(z))
    rows = tl.arange(0, B)
    a = tl.where(rows[:, None] >= rows[None, :], a, 0.0)
    w = tile_load(v + place, T, D, H * D, tile * B, 0, B, D, BP)
    y = (y + tl.dot(a.to(w.dtype), w)) * scale
    tile_store(out + place, y, T, D, H * D, tile * B, 0, B, D, BP)


@triton.jit
def attention_forward(
    q,
    k,
    v,
    out,
    T,
    scale,
    H: tl.constexpr,
    D: tl.constexpr,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BP: tl.constexpr,
):
    tile, place = tl.program_id(0), tl.program_id(1).to(tl.int64) * T * D
    x = tile_load(q + place, T, D, D, tile * BM, 0, BM, D, BP)
    most = tl.full([BM], float("-inf"), tl.float32)
    total = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    for n in range(0, T, BN):
        y = tile_load(k + place, T, D, D, n, 0, BN, D, BP)
        s = tl.dot(x, tl.trans(y)) * scale
        s = tl.where((n + tl.arange(0, BN) < T)[None, :], s, float("-inf"))
        new = tl.maximum(most, tl.max(s, 1))
        p = tl.exp(s - new[:, None])
        keep = tl.exp(most - new)
        total = total * keep + tl.sum(p, 1)
        z = tile_load(v + place, T, D, D, n, 0, BN, D, BP)
        acc = tl.dot(p.to(z.dtype), z, acc * keep[:, None])
        most = new
    tile_store(out + place, acc / total[:, None], T, D, D, tile * BM, 0, BM, D, BP)


@triton.jit
def attention_backward(
    q,
    k,
    v,
    do,
    lse,
    delta,
    dk,
    dv,
    T,
    scale,
    D: tl.constexpr,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BP: tl.constexpr,
):
    tile, head = tl.program_id(0), tl.program_id(1).to(tl.int64)
    place = head * T * D
    y = tile_load(k + place, T, D, D, tile * BN, 0, BN, D, BP)
    z = tile_load(v + place, T, D, D, tile * BN, 0, BN, D, BP)
    acc_k = tl.zeros([BN, D], tl.float32)
    acc_v = tl.zeros([BN, D], tl.float32)
    for m in range(0, T, BM):
        rows = m + tl.arange(0, BM)
        x = tile_load(q + place, T, D, D, m, 0, BM, D, BP)
        g = tile_load(do + place, T, D, D, m, 0, BM, D, BP)
        norm = tl.load(lse + head * T + rows, mask=rows < T, other=0.0)
        d = tl.load(delta + head * T + rows, mask=rows < T, other=0.0)
        p = tl.exp(tl.dot(y, tl.trans(x)) * scale - norm[None, :])
        acc_v += tl.dot(p.to(g.dtype), g)
        ds = p * (tl.dot(z, tl.trans(g)) - d[None, :]) * scale
        acc_k += tl.dot(ds.to(x.dtype), x)
    tile_store(dk + place, acc_k, T, D, D, tile * BN, 0, BN, D, BP)
    tile_store(dv + place, acc_v, T, D, D, tile * BN, 0, BN, D, BP)


@triton.jit
def paged_attention(
    q,
    k,
    v,
    pages,
    out,
    lengths,
    scale,
    width,
    P: tl.constexpr,
    D: tl.constexpr,
    BM: tl.constexpr,
    BP: tl.constexpr,
):
    seq = tl.program_id(0)
    n = tl.load(lengths + seq)
    x = tile_load(q + seq.to(tl.int64) * BM * D, BM, D, D, 0, 0, BM, D, BP)
    most = tl.full([BM], float("-inf"), tl.float32)
    total = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    for i in range(tl.cdiv(n, P)):
        page = tl.load(pages + seq * width + i).to(tl.int64) * P * D
        y = tile_load(k + page, n - i * P, D, D, 0, 0, P, D, BP)
        s = tl.dot(x, tl.trans(y)) * scale
        s = tl.where((i * P + tl.arange(0, P) < n)[None, :], s, float("-inf"))
        new = tl.maximum(most, tl.max(s, 1))
        p = tl.exp(s - new[:, None])
        keep = tl.exp(most - new)
        total = total * keep + tl.sum(p, 1)
        z = tile_load(v + page, n - i * P, D, D, 0, 0, P, D, BP)
        acc = tl.dot(p.to(z.dtype), z, acc * keep[:, None])
        most = new
    tile_store(out + seq.to(tl.int64) * BM * D, acc / total[:, None], BM, D, D, 0, 0, BM, D, BP)


@triton.jit
def grouped_gemm(
    a,
    b,
    c,
    starts,
    experts,
    N,
    K,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
    BP: tl.constexpr,
):
    """The tokens of an expert lie together, as after sorting; a tile's expert stands in memory."""
    tile, column = tl.program_id(0), tl.program_id(1) * BN
    expert = tl.load(experts + tile).to(tl.int64)
    first, last = tl.load(starts + tile), tl.load(starts + tile + 1)
    acc = tl.zeros([BM, BN], tl.float32)
    for k in range(0, K, BK):
        x = tile_load(a + first.to(tl.int64) * K, last - first, K, K, 0, k, BM, BK, BP)
        y = tile_load(b + expert * N * K, K, N, N, k, column, BK, BN, BP)
        acc += tl.dot(x, y)
    tile_store(c + first.to(tl.int64) * N, acc, last - first, N, N, 0, column, BM, BN, BP)


@triton.jit
def batched_gemm(
    a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, BP: tl.constexpr
):
    batch = tl.program_id(2).to(tl.int64)
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    acc = tl.zeros([BM, BN], tl.float32)
    if BP:
        p = tl.make_tensor_descriptor(a + batch * M * K, (M, K), (K, 1), (BM, BK))
        q = tl.make_tensor_descriptor(b + batch * K * N, (K, N), (N, 1), (BK, BN))
        for k in range(0, K, BK):
            acc = tl.dot(p.load((row, k)), q.load((k, column)), acc)
    else:
        m, n, i = row + tl.arange(0, BM), column + tl.arange(0, BN), tl.arange(0, BK)
        p = a + batch * M * K + m[:, None] * K + i[None, :]
        q = b + batch * K * N + i[:, None] * N + n[None, :]
        for k in range(0, K, BK):
            x = tl.load(p, mask=(m < M)[:, None] & (i < K - k)[None, :], other=0.0)
            y = tl.load(q, mask=(i < K - k)[:, None] & (n < N)[None, :], other=0.0)
            acc = tl.dot(x, y, acc)
            p += BK
            q += BK * N
    tile_store(c + batch * M * N, acc, M, N, N, row, column, BM, BN, BP)


@triton.jit
def convolution(
    x,
    w,
    y,
    W,
    WO,
    C: tl.constexpr,
    F: tl.constexpr,
    S: tl.constexpr,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BC: tl.constexpr,
    BP: tl.constexpr,
):
    """An implicit product: rows are places of one line of the image, channels come last."""
    line, column = tl.program_id(0).to(tl.int64), tl.program_id(2) * BN
    place = tl.program_id(1) * BM
    acc = tl.zeros([BM, BN], tl.float32)
    for s in range(S * S):
        down, along = s // S, s % S
        source = x + ((line + down) * W + along) * C
        for i in range(0, C, BC):
            u = tile_load(source, WO, C, C, place, i, BM, BC, BP)
            v = tile_load(w + s * C * F, C, F, F, i, column, BC, BN, BP)
            acc += tl.dot(u, v)
    tile_store(y + line * WO * F, acc, WO, F, F, place, column, BM, BN, BP)


@triton.jit
def int4_gemm(
    a, b, scales, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, BP: tl.constexpr
):
    """Two weights in a byte, one behind the other along the rows of `b`; a scale a column."""
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    acc = tl.zeros([BM, BN], tl.float32)
    for k in range(0, K // 2, BK):
        low = tile_load(a, M, K, K, row, k, BM, BK, BP)
        high = tile_load(a + K // 2, M, K, K, row, k, BM, BK, BP)
        packed = tile_load(b, K // 2, N, N, k, column, BK, BN, BP).to(tl.int32)
        acc += tl.dot(low, ((packed & 15) - 8).to(a.dtype.element_ty))
        acc += tl.dot(high, ((packed >> 4 & 15) - 8).to(a.dtype.element_ty))
    n = column + tl.arange(0, BN)
    acc *= tl.load(scales + n, mask=n < N, other=0.0)[None, :]
    tile_store(c, acc, M, N, N, row, column, BM, BN, BP)


@triton.jit
def fp8_gemm(
    a, b, scales, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, BP: tl.constexpr
):
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    acc = tl.zeros([BM, BN], tl.float32)
    for k in range(0, K, BK):
        x = tile_load(a, M, K, K, row, k, BM, BK, BP).to(tl.float16)
        y = tile_load(b, K, N, N, k, column, BK, BN, BP).to(tl.float16)
        acc += tl.dot(x, y)
    n = column + tl.arange(0, BN)
    acc *= tl.load(scales + n, mask=n < N, other=0.0)[None, :]
    tile_store(c, acc, M, N, N, row, column, BM, BN, BP)


@triton.jit
def layer_norm(x, w, b, y, M, N, eps, R: tl.constexpr, C: tl.constexpr, BP: tl.constexpr):
    row = tl.program_id(0) * R
    u = tile_load(x, M, N, N, row, 0, R, C, BP).to(tl.float32)
    c = tl.arange(0, C)
    mean = tl.sum(u, 1) / N
    u = tl.where((c < N)[None, :], u - mean[:, None], 0.0)
    u *= tl.rsqrt(tl.sum(u * u, 1) / N + eps)[:, None]
    u = u * tl.load(w + c, mask=c < N, other=0.0)[None, :]
    u = u + tl.load(b + c, mask=c < N, other=0.0)[None, :]
    tile_store(y, u, M, N, N, row, 0, R, C, BP)


@triton.jit
def softmax(x, y, M, N, R: tl.constexpr, C: tl.constexpr, BP: tl.constexpr):
    row = tl.program_id(0) * R
    u = tile_load(x, M, N, N, row, 0, R, C, BP).to(tl.float32)
    u = tl.where((tl.arange(0, C) < N)[None, :], u, float("-inf"))
    u = tl.exp(u - tl.max(u, 1)[:, None])
    tile_store(y, u / tl.sum(u, 1)[:, None], M, N, N, row, 0, R, C, BP)


@triton.jit
def cross_entropy(x, labels, losses, M, N, R: tl.constexpr, C: tl.constexpr, BP: tl.constexpr):
    row = tl.program_id(0) * R
    rows = row + tl.arange(0, R)
    label = tl.load(labels + rows, mask=rows < M, other=0)
    most = tl.full([R], float("-inf"), tl.float32)
    total = tl.zeros([R], tl.float32)
    chosen = tl.zeros([R], tl.float32)
    for n in range(0, N, C):
        u = tile_load(x, M, N, N, row, n, R, C, BP).to(tl.float32)
        c = n + tl.arange(0, C)
        chosen += tl.sum(tl.where(c[None, :] == label[:, None], u, 0.0), 1)
        u = tl.where((c < N)[None, :], u, float("-inf"))
        new = tl.maximum(most, tl.max(u, 1))
        total = total * tl.exp(most - new) + tl.sum(tl.exp(u - new[:, None]), 1)
        most = new
    tl.store(losses + rows, tl.log(total) + most - chosen, mask=rows < M)
