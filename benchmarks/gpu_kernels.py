# pyright: reportUnknownParameterType=false, reportMissingParameterType=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false
"""Kernels as people write them, with pointers, masks and modulo; `gpu.py` runs them."""

import triton
import triton.language as tl


@triton.jit
def gemm(
    a,
    b,
    c,
    M,
    N,
    K,
    stride_am,
    stride_ak,
    stride_bk,
    stride_bn,
    stride_cm,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
    G: tl.constexpr,
):
    pid = tl.program_id(0)
    blocks_m, blocks_n = tl.cdiv(M, BM), tl.cdiv(N, BN)
    group = pid // (G * blocks_n)
    height = min(blocks_m - group * G, G)
    pid_m = group * G + (pid % (G * blocks_n)) % height
    pid_n = (pid % (G * blocks_n)) // height
    rows = (pid_m * BM + tl.arange(0, BM)) % M
    columns = (pid_n * BN + tl.arange(0, BN)) % N
    inner = tl.arange(0, BK)
    pa = a + rows[:, None] * stride_am + inner[None, :] * stride_ak
    pb = b + inner[:, None] * stride_bk + columns[None, :] * stride_bn
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        x = tl.load(pa, mask=inner[None, :] < K - k * BK, other=0.0)
        y = tl.load(pb, mask=inner[:, None] < K - k * BK, other=0.0)
        acc = tl.dot(x, y, acc)
        pa += BK * stride_ak
        pb += BK * stride_bk
    rows = pid_m * BM + tl.arange(0, BM)
    columns = pid_n * BN + tl.arange(0, BN)
    inside = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(c + rows[:, None] * stride_cm + columns[None, :], acc.to(tl.float16), mask=inside)


@triton.jit
def softmax(x, out, N, stride, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    v = tl.load(x + row * stride + i, mask=i < N, other=-float("inf")).to(tl.float32)
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + row * stride + i, (e / tl.sum(e, 0)).to(tl.float16), mask=i < N)


@triton.jit
def add(x, y, out, N, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + i, tl.load(x + i, mask=i < N) + tl.load(y + i, mask=i < N), mask=i < N)


@triton.jit
def layer_norm(x, weight, bias, out, N, stride, eps, B: tl.constexpr):
    row = tl.program_id(0)
    mean = tl.zeros((B,), tl.float32)
    square = tl.zeros((B,), tl.float32)
    for start in range(0, N, B):
        i = start + tl.arange(0, B)
        v = tl.load(x + row * stride + i, mask=i < N, other=0.0).to(tl.float32)
        mean += v
        square += v * v
    m = tl.sum(mean, 0) / N
    scale = 1.0 / tl.sqrt(tl.sum(square, 0) / N - m * m + eps)
    for start in range(0, N, B):
        i = start + tl.arange(0, B)
        v = tl.load(x + row * stride + i, mask=i < N, other=0.0).to(tl.float32)
        w = tl.load(weight + i, mask=i < N).to(tl.float32)
        b = tl.load(bias + i, mask=i < N).to(tl.float32)
        tl.store(out + row * stride + i, ((v - m) * scale * w + b).to(tl.float16), mask=i < N)


@triton.jit
def transpose(x, out, M, N, B: tl.constexpr, C: tl.constexpr):
    rows = tl.program_id(0) * B + tl.arange(0, B)
    columns = tl.program_id(1) * C + tl.arange(0, C)
    inside = (rows[:, None] < M) & (columns[None, :] < N)
    v = tl.load(x + rows[:, None] * N + columns[None, :], mask=inside)
    turned = (columns[:, None] < N) & (rows[None, :] < M)
    tl.store(out + columns[:, None] * M + rows[None, :], tl.trans(v), mask=turned)


@triton.jit
def attention(
    q, k, v, out, stride_h, stride_n, N, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr
):
    head = tl.program_id(1) * stride_h
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    x = tl.load(q + head + rows[:, None] * stride_n + d[None, :], mask=rows[:, None] < N, other=0.0)
    largest = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for start in range(0, N, BN):
        columns = start + tl.arange(0, BN)
        inside = columns[:, None] < N
        key = tl.load(k + head + columns[:, None] * stride_n + d[None, :], mask=inside, other=0.0)
        scores = tl.dot(x, tl.trans(key)) * scale
        scores = tl.where(columns[None, :] < N, scores, -float("inf"))
        new = tl.maximum(largest, tl.max(scores, 1))
        p = tl.exp2(scores - new[:, None])
        factor = tl.exp2(largest - new)
        total = total * factor + tl.sum(p, 1)
        value = tl.load(v + head + columns[:, None] * stride_n + d[None, :], mask=inside, other=0.0)
        acc = tl.dot(p.to(tl.float16), value, acc * factor[:, None])
        largest = new
    acc = acc / total[:, None]
    tl.store(
        out + head + rows[:, None] * stride_n + d[None, :],
        acc.to(tl.float16),
        mask=rows[:, None] < N,
    )


@triton.jit
def convolution(
    x, w, out, H, W, C, F, BW: tl.constexpr, BO: tl.constexpr, BC: tl.constexpr, R: tl.constexpr
):
    """Rows of an image [H, W, C] against weights [R, R, C, F], padded, into [H, W, F]."""
    y = tl.program_id(0)
    columns = tl.program_id(1) * BW + tl.arange(0, BW)
    channels = tl.program_id(2) * BO + tl.arange(0, BO)
    inner = tl.arange(0, BC)
    acc = tl.zeros((BW, BO), tl.float32)
    for r in range(R):
        for s in range(R):
            row = y + r - R // 2
            column = columns + s - R // 2
            inside = (row >= 0) & (row < H) & (column[:, None] >= 0) & (column[:, None] < W)
            for c in range(0, C, BC):
                place = (row * W + column[:, None]) * C + c + inner[None, :]
                image = tl.load(x + place, mask=inside & (c + inner[None, :] < C), other=0.0)
                place = ((r * R + s) * C + c + inner[:, None]) * F + channels[None, :]
                known = (c + inner[:, None] < C) & (channels[None, :] < F)
                acc = tl.dot(image, tl.load(w + place, mask=known, other=0.0), acc)
    place = (y * W + columns[:, None]) * F + channels[None, :]
    known = (columns[:, None] < W) & (channels[None, :] < F)
    tl.store(out + place, acc.to(tl.float16), mask=known)
