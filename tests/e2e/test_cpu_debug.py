# Kernels are Triton's language, which types do not describe.
# pyright: basic, reportInvalidTypeForm=false
"""`xtriton.debug`: the lines of a program, and the values that each made."""

from typing import Any

import numpy as np
import pytest

import xtriton
from xtriton.interop.debugging import Line, Quit

torch: Any = pytest.importorskip("torch")
triton: Any = pytest.importorskip("triton")
tl: Any = pytest.importorskip("triton.language")


@triton.jit
def softmax(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    row = tl.program_id(0)
    x = tl.load(x_ptr + row * n + i, mask=i < n, other=float("-inf"))
    shifted = tl.exp(x - tl.max(x))
    total = tl.sum(shifted)
    for k in range(2):
        total = total * 1.0 + k
    tl.store(out_ptr + row * n + i, shifted / total, mask=i < n)


def number_of(part: str) -> int:
    lines = softmax.src.splitlines()
    start = softmax.fn.__code__.co_firstlineno
    return start + 1 + next(k for k, line in enumerate(lines) if part in line)


def test_lines_and_their_values():
    x, out = torch.randn(3, 5), torch.zeros(3, 5)
    told: list[Line] = []
    debugged = xtriton.debug(softmax, program=(1,), stop=told.append)
    debugged[lambda meta: (3 * meta["BLOCK"] // 8,)](x, out, 5, BLOCK=8, num_warps=2)
    e = torch.exp(x - x.max(1, keepdim=True)[0])
    torch.testing.assert_close(out, e / (e.sum(1, keepdim=True) + 1))
    assert {line.program for line in told} == {(1, 0, 0)}
    assert {line.file for line in told} == {__file__}
    loaded = next(line for line in told if line.number == number_of("tl.load"))
    np.testing.assert_array_equal(loaded.made["x"][:5], x[1].numpy())
    assert loaded.text.strip().startswith("x = tl.load")
    summed = next(line for line in told if line.number == number_of("tl.sum"))
    np.testing.assert_allclose(summed.made["total"], e[1].sum().item(), rtol=1e-6)
    assert "x" in summed.values
    assert sum(line.number == number_of("+ k") for line in told) >= 2, "once for each iteration"
    assert told[-1].number == number_of("tl.store")


def test_quitting_and_printing(capsys):
    x, out = torch.randn(1, 5), torch.zeros(1, 5)

    def stop(line: Line) -> None:
        if line.number == number_of("tl.load"):
            raise Quit

    xtriton.debug(softmax, stop=stop)[(1,)](x, out, 5, BLOCK=8)
    assert not out.any()
    xtriton.debug(softmax)[(1,)](x, out, 5, BLOCK=8)
    assert (
        f"{__file__}:{number_of('tl.sum')}: program (0, 0, 0): total = tl.sum"
        in capsys.readouterr().out
    )
    assert out.any()
