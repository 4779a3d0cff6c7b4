# pyright: reportUnknownParameterType=false, reportMissingParameterType=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportArgumentType=false
"""GEMMs, attention, convolution, and kernels with descriptors."""

import triton
import triton.language as tl


@triton.jit
def gemm(
    a, b, c, M, N, K, sam, sak, sbk, sbn, scm, scn,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, G: tl.constexpr,
):  # fmt: skip
    pid = tl.program_id(0)
    grid_m = tl.cdiv(M, BM)
    grid_n = tl.cdiv(N, BN)
    group = pid // (G * grid_n)
    rows = min(grid_m - group * G, G)
    pid_m = group * G + pid % (G * grid_n) % rows
    pid_n = pid % (G * grid_n) // rows
    m = (pid_m * BM + tl.arange(0, BM)) % M
    n = (pid_n * BN + tl.arange(0, BN)) % N
    k = tl.arange(0, BK)
    pa = a + m[:, None] * sam + k[None, :] * sak
    pb = b + k[:, None] * sbk + n[None, :] * sbn
    total = tl.zeros((BM, BN), tl.float32)
    for step in range(0, tl.cdiv(K, BK)):
        x = tl.load(pa, mask=k[None, :] < K - step * BK, other=0.0)
        y = tl.load(pb, mask=k[:, None] < K - step * BK, other=0.0)
        total = tl.dot(x, y, total)
        pa += BK * sak
        pb += BK * sbk
    m = pid_m * BM + tl.arange(0, BM)
    n = pid_n * BN + tl.arange(0, BN)
    mask = (m[:, None] < M) & (n[None, :] < N)
    tl.store(c + m[:, None] * scm + n[None, :] * scn, total, mask=mask)


@triton.jit
def persistent_gemm(
    a, b, c, M, N, K, sam, sbk, scm, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr
):
    grid_n = tl.cdiv(N, BN)
    tiles = tl.cdiv(M, BM) * grid_n
    k = tl.arange(0, BK)
    for tile in range(tl.program_id(0), tiles, tl.num_programs(0)):
        m = tile // grid_n * BM + tl.arange(0, BM)
        n = tile % grid_n * BN + tl.arange(0, BN)
        total = tl.zeros((BM, BN), tl.float32)
        for start in range(0, K, BK):
            x = tl.load(
                a + m[:, None] * sam + (start + k)[None, :],
                mask=(m[:, None] < M) & (start + k[None, :] < K),
                other=0.0,
            )
            y = tl.load(
                b + (start + k)[:, None] * sbk + n[None, :],
                mask=(start + k[:, None] < K) & (n[None, :] < N),
                other=0.0,
            )
            total = tl.dot(x, y, total)
        mask = (m[:, None] < M) & (n[None, :] < N)
        tl.store(c + m[:, None] * scm + n[None, :], total, mask=mask)


@triton.jit
def split_k_gemm(
    a, b, c, M, N, K, sam, sbk, scm,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, S: tl.constexpr,
):  # fmt: skip
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.program_id(2) * BK + tl.arange(0, BK)
    pa = a + m[:, None] * sam + k[None, :]
    pb = b + k[:, None] * sbk + n[None, :]
    total = tl.zeros((BM, BN), tl.float32)
    for step in range(0, tl.cdiv(K, BK * S)):
        left = K - step * BK * S
        total = tl.dot(
            tl.load(pa, mask=(m[:, None] < M) & (k[None, :] < left), other=0.0),
            tl.load(pb, mask=(n[None, :] < N) & (k[:, None] < left), other=0.0),
            total,
        )
        pa += BK * S
        pb += BK * S * sbk
    mask = (m[:, None] < M) & (n[None, :] < N)
    tl.atomic_add(c + m[:, None] * scm + n[None, :], total, mask=mask)


@triton.jit
def batched_gemm(
    a, b, c, M, N, K, ba, bb, bc, sam, sbk, scm,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    batch = tl.program_id(1).to(tl.int64)
    grid_n = tl.cdiv(N, BN)
    m = (tl.program_id(0) // grid_n * BM + tl.arange(0, BM)) % M
    n = (tl.program_id(0) % grid_n * BN + tl.arange(0, BN)) % N
    k = tl.arange(0, BK)
    pa = a + batch * ba + m[:, None] * sam + k[None, :]
    pb = b + batch * bb + k[:, None] * sbk + n[None, :]
    total = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        x = tl.load(pa, mask=k[None, :] < K - start, other=0.0)
        y = tl.load(pb, mask=k[:, None] < K - start, other=0.0)
        total = tl.dot(x, y, total)
        pa += BK
        pb += BK * sbk
    m = tl.program_id(0) // grid_n * BM + tl.arange(0, BM)
    n = tl.program_id(0) % grid_n * BN + tl.arange(0, BN)
    mask = (m[:, None] < M) & (n[None, :] < N)
    tl.store(c + batch * bc + m[:, None] * scm + n[None, :], total, mask=mask)


@triton.jit
def descriptor_copy(src, dst, M, N, B: tl.constexpr, C: tl.constexpr):
    d = tl.make_tensor_descriptor(src, (M, N), (N, 1), (B, C))
    e = tl.make_tensor_descriptor(dst, (M, N), (N, 1), (B, C))
    for j in range(0, N, C):
        e.store((tl.program_id(0) * B, j), d.load((tl.program_id(0) * B, j)) * 2.0)


@triton.jit
def layer_norm(src, weight, dst, stride, N, eps, B: tl.constexpr):
    row = tl.program_id(0)
    src += row * stride
    dst += row * stride
    mean = tl.zeros((B,), tl.float32)
    for start in range(0, N, B):
        i = start + tl.arange(0, B)
        mean += tl.load(src + i, mask=i < N, other=0.0)
    average = tl.sum(mean) / N
    for start in range(0, N, B):
        i = start + tl.arange(0, B)
        mask = i < N
        x = tl.load(src + i, mask=mask, other=0.0)
        w = tl.load(weight + i, mask=mask)
        tl.store(dst + i, (x - average) * w, mask=mask)


@triton.jit
def attention(q, k, v, out, sz, sm, N, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    base = tl.program_id(1).to(tl.int64) * sz
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.arange(0, BN)
    d = tl.arange(0, D)
    x = tl.load(q + base + m[:, None] * sm + d[None, :], mask=m[:, None] < N, other=0.0)
    pk = k + base + n[None, :] * sm + d[:, None]
    pv = v + base + n[:, None] * sm + d[None, :]
    top = tl.full((BM,), -1.0e30, tl.float32)
    norm = tl.zeros((BM,), tl.float32)
    total = tl.zeros((BM, D), tl.float32)
    for start in range(0, N, BN):
        y = tl.load(pk, mask=start + n[None, :] < N, other=0.0)
        s = tl.dot(x, y) * scale
        s = tl.where(start + n[None, :] < N, s, -1.0e30)
        new = tl.maximum(top, tl.max(s, 1))
        p = tl.exp(s - new[:, None])
        keep = tl.exp(top - new)
        norm = norm * keep + tl.sum(p, 1)
        z = tl.load(pv, mask=start + n[:, None] < N, other=0.0)
        total = total * keep[:, None] + tl.dot(p, z)
        top = new
        pk += BN * sm
        pv += BN * sm
    total = total / norm[:, None]
    tl.store(out + base + m[:, None] * sm + d[None, :], total, mask=m[:, None] < N)


@triton.jit
def convolution(src, weight, dst, H, W, BH: tl.constexpr, BW: tl.constexpr, R: tl.constexpr):
    y = tl.program_id(0) * BH + tl.arange(0, BH)[:, None]
    x = tl.program_id(1) * BW + tl.arange(0, BW)[None, :]
    total = tl.zeros((BH, BW), tl.float32)
    for r in range(R):
        for s in range(R):
            iy = y + r - R // 2
            ix = x + s - R // 2
            inside = (iy >= 0) & (iy < H) & (ix >= 0) & (ix < W)
            v = tl.load(src + iy * W + ix, mask=inside, other=0.0)
            total += v * tl.load(weight + r * R + s)
    tl.store(dst + y * W + x, total, mask=(y < H) & (x < W))
