# pyright: reportUnknownParameterType=false, reportMissingParameterType=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false
# pyright: reportAssignmentType=false
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
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

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


def test_what_a_launch_leaves_out_is_named_with_how_to_give_it():
    launch = Launcher()(scale, 1)
    with pytest.raises(TypeError, match=r"'scale' is launched without 'B': give B=.*autotune"):
        launch(torch.ones(4), torch.ones(4), 4)
    with pytest.raises(TypeError, match=r"without 'n': give n=\.\.\. in the call$"):
        launch(torch.ones(4), torch.ones(4), B=4)
    tuned: Any = triton.autotune(configs=[triton.Config({"B": 4})], key=[])(scale)
    out = torch.zeros(4)
    Launcher()(tuned, 1)(torch.ones(4), out, 4)
    assert out.sum() == 8


@gluon.jit
def of_warps(x, out, B: tl.constexpr):
    layout: tl.constexpr = gl.BlockedLayout([1], [32], [gl.num_warps()], [0])
    i = gl.arange(0, B, layout=layout)
    gl.store(out + i, gl.load(x + i))


@gluon.jit
def of_eight_warps(x, out, B: tl.constexpr):
    layout: tl.constexpr = gl.BlockedLayout([1], [32], [8], [0])
    i = gl.arange(0, B, layout=layout)
    gl.store(out + i, gl.load(x + i))


@pytest.mark.usefixtures("no_driver")
def test_gluon_kernels_have_layouts_from_the_start(caplog: pytest.LogCaptureFixture):
    x, out = torch.ones(256), torch.zeros(256)
    with caplog.at_level(logging.WARNING):
        found = accesses(of_warps, {"x": x, "out": out, "B": 256}, {})
        tuned: Any = triton.autotune(configs=[triton.Config({}, num_warps=8)], key=[])
        eight = accesses(tuned(of_eight_warps), {"x": x, "out": out, "B": 256}, {})
    assert caplog.messages == []
    assert (found.reads, found.writes) == (eight.reads, eight.writes) == (("x",), ("out",))


def test_gluon_kernels_are_asked_with_a_number_of_warps():
    types = {"x": "*fp32", "out": "*fp32"}
    assert effects.analyze(of_warps, signature=types, constexprs={"B": 256}).mutated() == ["out"]
    known = {"B": 256, "num_warps": 8}
    assert effects.analyze(of_eight_warps, signature=types, constexprs=known).mutated() == ["out"]
    arguments = {"x": torch.ones(256), "out": torch.ones(256), **known}
    assert effects.analyze(of_eight_warps, arguments=arguments).mutated() == ["out"]
