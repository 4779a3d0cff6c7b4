# pyright: reportUnknownParameterType=false, reportMissingParameterType=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false
"""Effects for PyTorch where Triton has no driver; tuples of tensors; what messages say."""

from __future__ import annotations

import logging
from typing import Any

import pytest

pytest.importorskip("triton")
pytest.importorskip("torch")

import torch
import triton
import triton.language as tl

from xtriton import effects
from xtriton.errors import UserError
from xtriton.interop.native import Launcher
from xtriton.interop.torch import accesses
from xtriton.interop.triton import triton_module

pytestmark = pytest.mark.filterwarnings("ignore:TRITON_DEFAULT_FP_FUSION is unset")

jit: Any = triton.jit


@jit
def scale(x, out, n, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(out + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


@jit
def of_tuple(ps, n, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(ps[1] + i, tl.load(ps[0] + i, mask=i < n) * 2, mask=i < n)


@jit
def unknown_name(x, B: tl.constexpr):
    tl.store(x + tl.arange(0, B), no_such_thing)  # noqa: F821  # pyright: ignore[reportUndefinedVariable]


class NoDriver:
    """What Triton's `driver` is where there is none."""

    def __getattr__(self, name: str) -> object:
        raise RuntimeError("0 active drivers ([]). There should only be one.")


@pytest.fixture
def no_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(triton_module("runtime.driver").driver, "_active", NoDriver())


@pytest.mark.usefixtures("no_driver")
def test_effects_without_a_driver(caplog: pytest.LogCaptureFixture):
    x, out = torch.ones(64), torch.zeros(64)
    with caplog.at_level(logging.WARNING):
        found = accesses(scale, {"x": x, "out": out, "n": 60, "B": 64}, {})
    assert (found.reads, found.writes) == (("x",), ("out",))
    assert caplog.messages == []


def test_a_tuple_of_tensors_is_read_and_written():
    pair = (torch.ones(64), torch.zeros(64))
    found = accesses(of_tuple, {"ps": pair, "n": 60, "B": 64}, {})
    assert (found.reads, found.writes, found.can_fuse_epilogue) == (("ps",), ("ps",), False)
    record = effects.analyze(of_tuple, arguments={"ps": pair, "n": 60, "B": 64})
    assert record.mutated() == ["ps[1]"]


def test_a_tuple_counts_where_there_is_no_answer(caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.WARNING):
        found = accesses(unknown_name, {"x": (torch.ones(4),), "B": 64}, {})
    assert (found.reads, found.writes) == (("x",), ("x",))
    assert "no TTIR of this kernel" in caplog.text


def test_a_tuple_runs():
    x, out = torch.ones(64), torch.zeros(64)
    Launcher()(of_tuple, 1)((x, out), 60, B=64)
    assert out.sum() == 120


@pytest.mark.parametrize("signature", ["*fp32,*fp32,i32", ["*fp32"], {0: "*fp32"}])
def test_positional_types(signature: Any):
    with pytest.raises(UserError, match=r"a signature gives types by the names of arguments"):
        effects.analyze(scale, signature=signature)


def test_reasons_are_told():
    with pytest.raises(UserError, match=r"cannot compile 'unknown_name': .*no_such_thing"):
        effects.analyze(unknown_name, signature={"x": "*fp32"}, constexprs={"B": 4})
    with pytest.raises(TypeError, match="'B'"):
        Launcher()(scale, 1)(torch.ones(4), torch.ones(4), 4)
