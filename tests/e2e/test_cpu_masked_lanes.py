# pyright: reportUnknownParameterType=false, reportMissingParameterType=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false
"""Lanes that a mask cuts off without `other` are 0 on the CPU, as they are on GPUs."""

from typing import Any

import pytest
import torch

pytest.importorskip("triton")
import triton
import triton.language as tl

jit: Any = triton.jit  # types do not describe Triton's language


pytestmark = pytest.mark.usefixtures("on_the_cpu")


@jit
def block(x, out, n, SIZE: tl.constexpr):
    i = tl.arange(0, SIZE)
    tl.store(out + i, tl.load(x + i, i < n))


@jit
def one_element(x, out, n, SIZE: tl.constexpr):
    i = tl.arange(0, SIZE)
    tl.store(out + i, tl.load(x + i * 0, i < n))


@jit
def the_one_before(x, out, n, SIZE: tl.constexpr):
    i = tl.arange(0, SIZE)
    tl.store(out + i, tl.load(x + tl.where(i > 0, i - 1, 0), i < n))


@jit
def window(x, out, n, SIZE: tl.constexpr):
    i = tl.arange(0, SIZE)
    tl.store(out + i, tl.load(x + i, (i < n) & (i >= 3)))


@jit
def window_of_one_element(x, out, n, SIZE: tl.constexpr):
    i = tl.arange(0, SIZE)
    tl.store(out + i, tl.load(x + i * 0, (i < n) & (i >= 3)))


@jit
def every_other(x, out, n, SIZE: tl.constexpr):
    i = tl.arange(0, SIZE)
    tl.store(out + i, tl.load(x + i, (i < n) & (i % 2 == 0)))


@jit
def wrapped(x, out, n, SIZE: tl.constexpr):
    i = tl.arange(0, SIZE)
    tl.store(out + i, tl.load(x + i % 5, i < n))


KERNELS = {
    block: lambda i, n: (i, i < n),
    one_element: lambda i, n: (i * 0, i < n),
    the_one_before: lambda i, n: ((i - 1).clamp(0), i < n),
    window: lambda i, n: (i, (i < n) & (i >= 3)),
    window_of_one_element: lambda i, n: (i * 0, (i < n) & (i >= 3)),
    every_other: lambda i, n: (i, (i < n) & (i % 2 == 0)),
    wrapped: lambda i, n: (i % 5, i < n),
}
"""For each kernel the places that it reads, and the mask."""


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.__name__)
@pytest.mark.parametrize("type", [torch.float32, torch.int64])
def test_lanes_without_other(kernel: Any, type: torch.dtype) -> None:
    x, i = torch.arange(1, 65).to(type), torch.arange(64)
    for n in (0, 1, 2, 7, 64):
        out = torch.full((64,), 99).to(type)
        kernel[(1,)](x, out, n, SIZE=64)
        place, mask = KERNELS[kernel](i, n)
        assert torch.equal(out, torch.where(mask, x[place], torch.zeros((), dtype=type))), n
