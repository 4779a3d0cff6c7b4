# pyright: reportUnknownParameterType=false, reportMissingParameterType=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false
"""Products of matrices that end inside of blocks, right in front of memory that nobody may touch."""

import ctypes
import mmap
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("triton")
import triton
import triton.language as tl

from xtriton.interop.native import Launcher

PROT_NONE = 0
RNG = np.random.default_rng(11)
SIZES = [
    (1, 1, 1),
    (33, 65, 18),
    (100, 100, 100),
    (45, 31, 34),
    (70, 9, 130),
    (67, 52, 7),
    (64, 96, 268),
    (40, 77, 602),
]


@triton.jit
def masked(
    a_ptr,
    b_ptr,
    c_ptr,
    M,
    N,
    K,
    a_row,
    a_column,
    b_row,
    b_column,
    c_row,
    c_column,
    BLOCK_SIZE_M: tl.constexpr,
    BLOCK_SIZE_N: tl.constexpr,
    BLOCK_SIZE_K: tl.constexpr,
    GROUP_SIZE_M: tl.constexpr,
):
    """A product whose loads are masked along M and N as well."""
    wide = tl.cdiv(N, BLOCK_SIZE_N)
    m = tl.program_id(0) // wide * BLOCK_SIZE_M + tl.arange(0, BLOCK_SIZE_M)
    n = tl.program_id(0) % wide * BLOCK_SIZE_N + tl.arange(0, BLOCK_SIZE_N)
    k = tl.arange(0, BLOCK_SIZE_K)
    accumulator = tl.zeros((BLOCK_SIZE_M, BLOCK_SIZE_N), dtype=tl.float32)
    for start in range(0, K, BLOCK_SIZE_K):
        left = K - start
        a_mask = (m[:, None] < M) & (k[None, :] < left)
        b_mask = (k[:, None] < left) & (n[None, :] < N)
        a_at = a_ptr + m[:, None] * a_row + (start + k)[None, :] * a_column
        b_at = b_ptr + (start + k)[:, None] * b_row + n[None, :] * b_column
        a, b = tl.load(a_at, a_mask, other=0.0), tl.load(b_at, b_mask, other=0.0)
        accumulator = tl.dot(a, b, accumulator)
    c_at = c_ptr + m[:, None] * c_row + n[None, :] * c_column
    tl.store(c_at, accumulator, mask=(m[:, None] < M) & (n[None, :] < N))


@pytest.fixture(scope="module")
def launcher() -> Launcher:
    return Launcher(threads=1)


def guarded(shape: tuple[int, int], *, in_columns: bool = False) -> Any:
    """Return a matrix of small whole numbers whose last one is the last that may be touched."""
    count = shape[0] * shape[1]
    size = -(-4 * count // mmap.PAGESIZE) * mmap.PAGESIZE
    memory = mmap.mmap(-1, size + mmap.PAGESIZE)
    whole = np.frombuffer(memory, np.float32)
    protect = ctypes.CDLL(None).mprotect
    protect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    assert protect(whole.ctypes.data + size, mmap.PAGESIZE, PROT_NONE) == 0
    flat = whole[size // 4 - count : size // 4]
    flat[:] = RNG.integers(-3, 4, count)
    return flat.reshape(shape[::-1]).T if in_columns else flat.reshape(shape)


@pytest.mark.skipif(sys.platform == "win32", reason="no mprotect")
@pytest.mark.parametrize("columns", ["", "a"])
@pytest.mark.parametrize("wraps", [True, False])
@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_read_behind_the_end(
    examples: dict[str, ModuleType],
    launcher: Launcher,
    size: tuple[int, int, int],
    wraps: bool,
    columns: str,
):
    m, n, k = size
    kernel = examples["matmul"].matmul_kernel if wraps else masked
    a, b = guarded((m, k), in_columns="a" in columns), guarded((k, n))
    strides = [stride // 4 for matrix in (a, b) for stride in matrix.strides]
    for block_m, block_n, block_k in ((32, 32, 32), (16, 64, 16)):
        c = guarded((m, n))
        grid = (-(-m // block_m) * -(-n // block_n),)
        run = launcher(kernel, grid)
        run(a, b, c, m, n, k, *strides, n, 1, block_m, block_n, block_k, 8)
        np.testing.assert_array_equal(c, a @ b)
