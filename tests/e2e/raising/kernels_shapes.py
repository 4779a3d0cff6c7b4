# pyright: reportUnknownParameterType=false, reportMissingParameterType=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false
"""Kernels without masks, which do not say how far their tensors reach."""

import triton
import triton.language as tl


@triton.jit
def unmasked_gemm(a, b, c, K, sa, sb, sc, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    pa = a + rows[:, None] * sa + inner[None, :]
    pb = b + inner[:, None] * sb + columns[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, K, BK):
        acc = tl.dot(tl.load(pa), tl.load(pb), acc)
        pa += BK
        pb += BK * sb
    tl.store(c + rows[:, None] * sc + columns[None, :], acc)
