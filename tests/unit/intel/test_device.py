"""Limits of 2D block accesses, verdicts, and what moving data costs."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp, TensorType, f32

from xtriton.analysis.intel.costs import conversion_cost, load_cost
from xtriton.analysis.intel.device import DEVICES, PVC
from xtriton.dialects.tt.pointers import MakeTensorPtrOp
from xtriton.dialects.ttg.distributed import BlockedEncodingAttr
from xtriton.ir.reading.parser import parse_module
from xtriton.tools.xtriton_explain import main
from xtriton.transforms.intel.verdicts import device_verdicts
from xtriton.universe import context

KERNEL = """
tt.func public @f(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %o: !tt.ptr<f16>, %mask: tensor<16x32xi1>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %height = arith.constant HEIGHT : i64
  %width = arith.constant WIDTH : i64
  %pitch = arith.constant PITCH : i64
  %q = tt.make_tensor_ptr %p, [%height, %width], [%pitch, %one], [%zero, %zero] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
  %x = tt.load %q {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x32xf16>>
  %r = tt.splat %o : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
  %y = tt.load %r, %mask : tensor<16x32x!tt.ptr<f16>>
  %z = arith.addf %x, %y : tensor<16x32xf16>
  tt.store %q, %z {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x32xf16>>
  tt.return
}
"""


def kernel(height: int, width: int, pitch: int) -> str:
    text = KERNEL.replace("HEIGHT", str(height)).replace("WIDTH", str(width))
    return text.replace("PITCH", str(pitch))


def parsed(*sizes: int) -> ModuleOp:
    return parse_module(kernel(*sizes), context())


@pytest.mark.parametrize(
    ("sizes", "problems"),
    [
        ((64, 64, 64), []),
        ((64, 16, 64), ["width of 32 bytes, less than 64"]),
        ((64, 64, 36), ["pitch of 72 bytes, no multiple of 16", "pitch of 72 bytes, less than the width of 128"]),
        ((64, 1 << 24, 1 << 24), [
            "width of 33554432 bytes, more than 16777216",
            "pitch of 33554432 bytes, more than 16777216",
        ]),
        (((1 << 24) + 1, 64, 64), ["height of 16777217 rows, more than 16777216"]),
    ],
)  # fmt: skip
def test_surface(sizes: tuple[int, int, int], problems: list[str]):
    (maker,) = [op for op in parsed(*sizes).walk() if isinstance(op, MakeTensorPtrOp)]
    assert PVC.surface_problems(maker) == problems


@pytest.mark.parametrize("device", sorted(DEVICES))
def test_verdicts(device: str):
    found = device_verdicts(parsed(64, 64, 64), context(), DEVICES[device])
    assert [v.sentence for v in found] == [
        "2D block load, row-major",
        "no 2D block load (mask): the load has a mask",
        "2D block store, row-major",
    ]


def test_verdict_on_a_pitch():
    found = device_verdicts(parsed(64, 68, 68), context(), PVC)
    assert found[0].verdict.condition == "pitch"
    assert not found[0].verdict.is_block


def test_the_kernel_stays():
    module = parsed(64, 64, 64)
    before = str(module)
    device_verdicts(module, context(), PVC)
    assert str(module) == before


def test_explain(tmp_path: object, capsys: pytest.CaptureFixture[str]):
    file = f"{tmp_path}/kernel.ttir"
    with open(file, "w") as stream:
        stream.write(kernel(64, 64, 64))
    assert main([file, "--device=pvc"]) == 0
    out = capsys.readouterr().out
    assert "yes, row-major" in out
    assert "no, mask: the load has a mask" in out
    assert "2 of 3 accesses are 2D block accesses." in out
    assert "It needs no shared memory." in out
    assert main([file, "--device=none"]) == 1
    assert "there is no device 'none'" in capsys.readouterr().err


def blocked(sizes: tuple[int, int], lanes: tuple[int, int], order: tuple[int, int]):
    return BlockedEncodingAttr(sizes, lanes, (4, 1), order)


def test_costs_of_conversions():
    rows = blocked((1, 4), (1, 16), (1, 0))
    other = blocked((1, 1), (16, 1), (0, 1))
    a, b = TensorType(f32, [64, 64], rows), TensorType(f32, [64, 64], other)
    assert conversion_cost(a, a).total == 0
    cost = conversion_cost(a, b)
    # Written once, read once.
    assert (cost.shared, cost.buffer) == (2 * 16384, 16384)


def test_costs_of_loads():
    type = TensorType(f32, [64, 64])
    rows = blocked((1, 4), (1, 16), (1, 0))
    assert load_cost(type, rows, contiguous=1).memory == 64 * 64 * 4
    # Along the other dimension each lane touches a line of its own.
    assert load_cost(type, rows, contiguous=0).memory == 16 * 64 * 64 * 4
