# Kernels are Triton's language, which types do not describe.
# pyright: basic, reportInvalidTypeForm=false, reportArgumentType=false
"""
Small kernels for Intel's backend of August 2026; `scripts/make_stages.py` writes what it makes of
them beside this file.
"""

import triton
import triton.language as tl


@triton.jit
def gemm_descriptors(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    x = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    y = tl.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN])
    z = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    i, j = tl.program_id(0) * BM, tl.program_id(1) * BN
    total = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        total = tl.dot(x.load([i, k]), y.load([k, j]), total)
    z.store([i, j], total.to(tl.float16))


@triton.jit
def gemm_columns(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    x = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    y = tl.make_tensor_descriptor(b, [N, K], [K, 1], [BN, BK])
    z = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    i, j = tl.program_id(0) * BM, tl.program_id(1) * BN
    total = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        total = tl.dot(x.load([i, k]), y.load([j, k]).T, total)
    z.store([i, j], tl.maximum(total, 0).to(tl.float16))


@triton.jit
def gemm_pointers(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    j = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    x = a + i[:, None] * K + k[None, :]
    y = b + k[:, None] * N + j[None, :]
    total = tl.zeros((BM, BN), tl.float32)
    for step in range(0, K, BK):
        left = tl.load(x, (i[:, None] < M) & (k[None, :] < K - step), 0.0)
        right = tl.load(y, (k[:, None] < K - step) & (j[None, :] < N), 0.0)
        total = tl.dot(left, right, total)
        x += BK
        y += BK * N
    tl.store(c + i[:, None] * N + j[None, :], total, (i[:, None] < M) & (j[None, :] < N))


@triton.jit
def softmax(x, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + i, i < n, float("-inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(y + row * n + i, e / tl.sum(e, 0), i < n)


@triton.jit
def attention(q, k, v, o, n, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    Q = tl.make_tensor_descriptor(q, [n, D], [D, 1], [BM, D])
    K = tl.make_tensor_descriptor(k, [n, D], [D, 1], [BN, D])
    V = tl.make_tensor_descriptor(v, [n, D], [D, 1], [BN, D])
    y = tl.make_tensor_descriptor(o, [n, D], [D, 1], [BM, D])
    i = tl.program_id(0) * BM
    x = Q.load([i, 0])
    most = tl.full((BM,), float("-inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    out = tl.zeros((BM, D), tl.float32)
    for j in range(0, n, BN):
        s = tl.dot(x, K.load([j, 0]).T) * scale
        new = tl.maximum(most, tl.max(s, 1))
        p = tl.exp(s - new[:, None])
        old = tl.exp(most - new)
        total = total * old + tl.sum(p, 1)
        out = tl.dot(p.to(tl.float16), V.load([j, 0]), out * old[:, None])
        most = new
    y.store([i, 0], (out / total[:, None]).to(tl.float16))


@triton.jit
def masked_sum(x, y, n, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        total += tl.load(x + row * stride + start + i, start + i < n, 0.0)
    tl.store(y + row, tl.sum(total, 0))


@triton.jit
def transposed(x, y, M, N, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    j = tl.program_id(1) * B + tl.arange(0, B)
    v = tl.load(x + i[:, None] * N + j[None, :], (i[:, None] < M) & (j[None, :] < N))
    tl.store(y + j[:, None] * M + i[None, :], v.T, (j[:, None] < N) & (i[None, :] < M))


@triton.jit
def rows_of(table, index, y, rows, columns, N: tl.constexpr, B: tl.constexpr):
    t = tl.make_tensor_descriptor(table, [rows, columns], [columns, 1], [1, B])
    i = tl.load(index + tl.arange(0, N))
    v = t.gather(i, tl.program_id(0) * B)
    tl.store(y + tl.arange(0, N)[:, None] * B + tl.arange(0, B)[None, :], v)


@triton.jit
def scan_rows(x, y, n, M: tl.constexpr, B: tl.constexpr):
    i, j = tl.arange(0, M), tl.arange(0, B)
    at = i[:, None] * n + j[None, :]
    v = tl.load(x + at, j[None, :] < n, 0.0)
    tl.store(y + at, tl.cumsum(v, 1), j[None, :] < n)


@triton.jit
def branches(x, y, n, flag, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, i < n)
    if flag > 0:  # noqa: SIM108 -- a branch is what this is for
        v = v * 2 + tl.load(x + i + n, i < n)
    else:
        v = -v
    tl.atomic_add(y + i % 16, v, i < n)


KERNELS = {
    gemm_descriptors: ({"a": "*fp16", "b": "*fp16", "c": "*fp16"}, {"BM": 64, "BN": 64, "BK": 32}),
    gemm_columns: ({"a": "*bf16", "b": "*bf16", "c": "*fp16"}, {"BM": 64, "BN": 64, "BK": 32}),
    gemm_pointers: ({"a": "*fp16", "b": "*fp16", "c": "*fp32"}, {"BM": 64, "BN": 64, "BK": 32}),
    softmax: ({"x": "*fp32", "y": "*fp32"}, {"BLOCK": 1024}),
    attention: (
        {"q": "*fp16", "k": "*fp16", "v": "*fp16", "o": "*fp16", "scale": "fp32"},
        {"BM": 64, "BN": 32, "D": 64},
    ),
    masked_sum: ({"x": "*fp32", "y": "*fp32"}, {"BLOCK": 256}),
    transposed: ({"x": "*fp32", "y": "*fp32"}, {"B": 32}),
    rows_of: ({"table": "*fp16", "index": "*i32", "y": "*fp16"}, {"N": 32, "B": 64}),
    scan_rows: ({"x": "*fp32", "y": "*fp32"}, {"M": 16, "B": 64}),
    branches: ({"x": "*fp32", "y": "*fp32"}, {"BLOCK": 512}),
}
"""The types of what is no `i32`, and the constants, of each."""
