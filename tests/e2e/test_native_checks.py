# Kernels are Triton's language, which types do not describe.
# pyright: basic, reportInvalidTypeForm=false
"""Kernels compiled with checks: what is wrong is told with place, tensor and program."""

from typing import Any

import numpy as np
import pytest

from xtriton.cpu import KernelFault, checks
from xtriton.interop.native import Launcher

torch: Any = pytest.importorskip("torch")
triton: Any = pytest.importorskip("triton")
tl: Any = pytest.importorskip("triton.language")


@triton.jit
def add_one_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(out_ptr + i, x + 1, mask=i < n)


@triton.jit
def lookup_kernel(x_ptr, index_ptr, out_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + tl.load(index_ptr + i)))
    tl.atomic_add(x_ptr + tl.load(index_ptr + BLOCK), 1.0)


@triton.jit
def chosen_kernel(x_ptr, y_ptr, out_ptr, split, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(tl.where(i < split, x_ptr + i, y_ptr + i)))


@triton.jit
def assume_kernel(out_ptr, k):
    tl.assume(k >= 0)
    tl.store(out_ptr + k, 1.0)


@triton.jit
def double_kernel(x_ptr, out_ptr, STEP: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * STEP + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + i) * 2)


@triton.jit
def far_kernel(out_ptr, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    tl.store(out_ptr + tl.arange(0, BLOCK), row * stride)


@triton.jit
def sums_kernel(x_ptr, out_ptr, BLOCK: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, BLOCK))
    tl.store(out_ptr + tl.arange(0, BLOCK), tl.cumsum(x, axis=0) + tl.sum(x, axis=0))


@pytest.fixture
def launch():
    with checks():
        yield Launcher()


@pytest.fixture
def watched_launch():
    with checks(races=True):
        yield Launcher()


def line_of(function: Any, part: str) -> int:
    """Return the line of a kernel's source that contains `part`."""
    lines = function.src.splitlines()
    start = function.fn.__code__.co_firstlineno
    return start + 1 + next(k for k, line in enumerate(lines) if part in line)


def test_what_is_right_is_left_alone(launch):
    x, out = torch.randn(100), torch.zeros(100)
    launch(add_one_kernel, (2,))(x, out, 100, BLOCK=64)
    assert torch.equal(out, x + 1)
    index, found = torch.arange(17), torch.zeros(16)
    before = x.clone()
    launch(lookup_kernel, (1,))(x, index, found, BLOCK=16)
    assert torch.equal(found, before[:16])
    launch(chosen_kernel, (1,))(x[:5], out, found, 5, BLOCK=16)
    assert torch.equal(found, torch.cat([x[:5], out[5:16]]))


def test_blocks_out_of_bounds(launch):
    x, out = torch.ones(100), torch.zeros(100)
    with pytest.raises(KernelFault) as failure:
        launch(add_one_kernel, (2,))(x[:90], out, 100, BLOCK=64)
    assert f"{__file__}:{line_of(add_one_kernel, 'tl.load')}" in str(failure.value)
    told = "load out of bounds: element 99 of 90, argument 0 'x_ptr', program (1, 0, 0)"
    assert told in str(failure.value)
    out[:] = 0
    with pytest.raises(
        KernelFault, match=r"store out of bounds: element 99 of 70, argument 1 'out"
    ):
        launch(add_one_kernel, (2,))(x, out[:70], 100, BLOCK=64)
    assert not out[64:].any(), "the program ends before it stores"


@pytest.mark.parametrize("bad", [100, -1])
def test_bad_indices(launch, bad):
    x, index, out = torch.ones(100), torch.arange(17), torch.zeros(16)
    index[5] = bad
    with pytest.raises(KernelFault, match=rf"load out of bounds: element {bad} of 100, argument 0"):
        launch(lookup_kernel, (1,))(x, index, out, BLOCK=16)
    index[5], index[16] = 5, bad
    with pytest.raises(KernelFault, match=rf"atomic access out of bounds: element {bad} of 100"):
        launch(lookup_kernel, (1,))(x, index, out, BLOCK=16)


def test_pointers_that_are_chosen(launch):
    x, y, out = torch.ones(5), torch.ones(9), torch.zeros(16)
    with pytest.raises(KernelFault, match="load out of bounds"):
        launch(chosen_kernel, (1,))(x, y, out, 5, BLOCK=16)


def test_broken_promises_and_scalars(launch):
    out = torch.zeros(10)
    launch(assume_kernel, (1,))(out, 9)
    with pytest.raises(KernelFault, match=r"store out of bounds: element 10 of 10"):
        launch(assume_kernel, (1,))(out, 10)
    with pytest.raises(KernelFault, match=r"broken tl.assume: program \(0, 0, 0\)"):
        launch(assume_kernel, (1,))(out, -1)
    assert out.tolist() == [0] * 9 + [1]


@triton.jit
def multiples_kernel(x_ptr, out_ptr, n, m, k):
    i = tl.max_contiguous(tl.multiple_of(n + tl.arange(0, 16), 8), 8)
    scalar = tl.multiple_of(m + 1, 4)
    from_here = tl.multiple_of(x_ptr + k, 16)
    x = tl.load(x_ptr + i) + tl.load(x_ptr + scalar) + tl.load(from_here + tl.arange(0, 16))
    tl.store(out_ptr + tl.arange(0, 16), x)


@pytest.mark.parametrize(
    "line, numbers", [("8)", (9, 3, 4)), ("m + 1", (8, 4, 4)), ("k,", (8, 3, 2))]
)
def test_broken_multiples(launch, line: str, numbers: tuple[int, int, int]):
    x, out = torch.ones(64), torch.zeros(16)
    launch(multiples_kernel, (1,))(x, out, 8, 3, 4)
    assert out.tolist() == [3] * 16
    with pytest.raises(
        AssertionError, match=r"broken tl.multiple_of.*program \(0, 0, 0\)"
    ) as failure:
        launch(multiples_kernel, (1,))(x, out.zero_(), *numbers)
    assert f"{__file__}:{line_of(multiples_kernel, line)}" in str(failure.value)


def test_offsets_that_overflow(launch):
    out = torch.zeros(16, dtype=torch.int32)
    launch(far_kernel, (1,))(out, 2**31 - 1, BLOCK=16)
    with pytest.raises(AssertionError, match="overflow detected for operation mul") as failure:
        launch(far_kernel, (3,))(out, 2**31 - 1, BLOCK=16)
    assert f"{__file__}:{line_of(far_kernel, 'row * stride')}" in str(failure.value)


def test_checks_begin_and_end():
    out, launch = torch.zeros(10), Launcher()
    launch(assume_kernel, (1,))(out, 1)
    with checks(), pytest.raises(KernelFault):
        launch(assume_kernel, (1,))(out, 10)
    launch(assume_kernel, (1,))(out, 2)
    assert out.tolist() == [0, 1, 1, *[0] * 7]


def test_misaligned_memory(launch):
    memory = np.zeros(4 * 65, np.int8)
    askew = memory[1:257].view(np.float32)
    with pytest.raises(KernelFault, match=r"misaligned load: .* argument 0 'x_ptr'"):
        launch(add_one_kernel, (1,))(askew, np.zeros(64, np.float32), 64, BLOCK=64)


def test_races(watched_launch):
    x, out = torch.ones(129), torch.zeros(129)
    watched_launch(double_kernel, (4,))(x, out, STEP=32, BLOCK=32)
    watched_launch(double_kernel, (4,))(x, x, STEP=32, BLOCK=32)
    with pytest.raises(KernelFault) as failure:
        watched_launch(double_kernel, (4,))(x, out, STEP=31, BLOCK=32)
    told = "store: element 31 of 129, argument 1 'out_ptr', program (1, 0, 0), touched by program 0"
    assert told in str(failure.value)
    with pytest.raises(KernelFault, match="race between programs"):
        watched_launch(double_kernel, (4,))(x, x[1:], STEP=32, BLOCK=32)


def test_sums_of_integers(launch):
    """Triton's assertions of overflow inside of combiners are left out: their order is free."""
    x, out = torch.arange(64, dtype=torch.int32), torch.zeros(64, dtype=torch.int32)
    launch(sums_kernel, (1,))(x, out, 64)
    assert torch.equal(out, (torch.cumsum(x, 0) + x.sum()).int())
