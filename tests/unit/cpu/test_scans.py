"""Scans by vectors: beside the interpreter, and which loops become vectors."""

from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import run_compiled
from xtriton.cpu import compile_module
from xtriton.cpu.emitter import emit_kernel
from xtriton.cpu.target import host
from xtriton.interpreter.api import run as interpret

RNG = np.random.default_rng(12)


def lowered(rows: int, columns: int, axis: int, type: str, op: str, reverse: bool) -> Any:
    """Return a kernel that scans a block, of one dimension if it has one row."""
    shape = str(columns) if rows == 1 else f"{rows}x{columns}"
    text = f"""
module {{
  tt.func public @kernel(%x: !tt.ptr<{type}>, %o: !tt.ptr<{type}>) {{
    %range = tt.make_range {{end = {rows * columns} : i32, start = 0 : i32}} : tensor<{rows * columns}xi32>
    %at = tt.reshape %range : tensor<{rows * columns}xi32> -> tensor<{shape}xi32>
    %xs = tt.splat %x : !tt.ptr<{type}> -> tensor<{shape}x!tt.ptr<{type}>>
    %os = tt.splat %o : !tt.ptr<{type}> -> tensor<{shape}x!tt.ptr<{type}>>
    %from = tt.addptr %xs, %at : tensor<{shape}x!tt.ptr<{type}>>, tensor<{shape}xi32>
    %to = tt.addptr %os, %at : tensor<{shape}x!tt.ptr<{type}>>, tensor<{shape}xi32>
    %v = tt.load %from : tensor<{shape}x!tt.ptr<{type}>>
    %s = "tt.scan"(%v) <{{axis = {axis} : i32, reverse = {str(reverse).lower()}}}> ({{
    ^bb0(%a: {type}, %b: {type}):
      %c = {op} %a, %b : {type}
      tt.scan.return %c : {type}
    }}) : (tensor<{shape}x{type}>) -> tensor<{shape}x{type}>
    tt.store %to, %s : tensor<{shape}x!tt.ptr<{type}>>
    tt.return
  }}
}}
"""
    module = xtriton.parse(text)
    xtriton.run_passes(module, "triton-to-linalg-experimental")
    return module


def elements(type: str, count: int) -> np.ndarray[Any, Any]:
    kinds = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "i64": np.int64, "i8": np.int8}
    if type.startswith("f"):
        return RNG.uniform(0.5, 1.5, count).astype(kinds[type])
    return RNG.integers(-100, 100, count).astype(kinds[type])


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(
    ("rows", "columns", "type", "op"),
    [
        (1, 64, "f32", "arith.addf"),
        (1, 8, "f32", "arith.addf"),
        (1, 128, "f64", "arith.mulf"),
        (1, 64, "i64", "arith.addi"),
        (8, 32, "f32", "arith.addf"),
        (4, 16, "i32", "arith.muli"),
        (2, 64, "i32", "arith.xori"),
        (2, 64, "i8", "arith.andi"),
        (2, 4, "i32", "arith.ori"),
        (1, 64, "f32", "arith.maximumf"),
        (2, 32, "f64", "arith.minnumf"),
        (2, 64, "i32", "arith.maxsi"),
        (1, 64, "i8", "arith.minsi"),
        (1, 64, "i64", "arith.minsi"),
        (2, 64, "i32", "arith.minui"),
        (1, 64, "i8", "arith.maxui"),
    ],
)
def test_scans_are_the_interpreters(rows: int, columns: int, type: str, op: str, reverse: bool):
    module = lowered(rows, columns, 0 if rows == 1 else 1, type, op, reverse)
    assert "shufflevector" in emit_kernel(module, host()).text
    x = elements(type, rows * columns)
    expected = [x.copy(), np.zeros_like(x)]
    interpret(module, 1, expected)
    found = [x.copy(), np.zeros_like(x)]
    compile_module(module)(1, found)
    tolerance = 1e-5 if type.startswith("f") else 0
    np.testing.assert_allclose(found[1], expected[1], rtol=tolerance)
    np.testing.assert_array_equal(found[0], x)


@pytest.mark.parametrize(
    ("rows", "axis", "type", "op"),
    [
        (8, 0, "f32", "arith.addf"),
        (1, 0, "f16", "arith.subf"),
        (1, 0, "f32", "arith.subf"),
        (1, 0, "f32", "arith.divf"),
    ],
)
def test_other_scans_go_step_by_step(rows: int, axis: int, type: str, op: str):
    module = lowered(rows, 32, axis, type, op, reverse=False)
    assert "shufflevector" not in emit_kernel(module, host()).text


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("rows", [1, 4])
@pytest.mark.parametrize(("type", "op"), [("f16", "addf"), ("bf16", "addf"), ("f16", "mulf")])
def test_narrow_floats_are_rounded_once(type: str, op: str, rows: int, reverse: bool):
    """Sums are as near as f32 comes, where sums of sums would leave what is added out."""
    module = lowered(rows, 256, 0 if rows == 1 else 1, type, f"arith.{op}", reverse)
    x = RNG.uniform(0.99, 1.01, (rows, 256)).astype(np.float32)
    bits = x.view(np.uint32) >> 16
    numbers = bits.astype(np.uint16) if type == "bf16" else x.astype(np.float16)
    exact = (bits << 16).view(np.float32) if type == "bf16" else numbers.astype(np.float32)
    out = np.zeros_like(numbers)
    compile_module(module)(1, [numbers.reshape(-1), out.reshape(-1)])
    along = exact[:, ::-1] if reverse else exact
    scan = np.cumsum if op == "addf" else np.cumprod
    expected = scan(along.astype(np.float64), axis=1)
    expected = expected[:, ::-1] if reverse else expected
    wide = (out.astype(np.uint32) << 16).view(np.float32) if type == "bf16" else out
    np.testing.assert_allclose(
        wide.astype(np.float64), expected, rtol=2**-8 if type == "bf16" else 2**-10
    )


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("type", ["f32", "f16"])
@pytest.mark.parametrize("op", ["maximumf", "minimumf", "maxnumf", "minnumf"])
def test_extrema_of_what_is_no_number(type: str, op: str, reverse: bool):
    module = lowered(8, 32, 1, type, f"arith.{op}", reverse)
    x = RNG.normal(size=(8, 32)).astype(np.float32 if type == "f32" else np.float16)
    x[1, 5] = x[2, 0] = x[2, 31] = x[3, 20:] = x[4, :] = np.nan
    x[5, 3], x[6, 7], x[7, :] = np.inf, -np.inf, -np.inf if "max" in op else np.inf
    x[7, 9] = np.nan
    results: list[Any] = []
    for run in (interpret, run_compiled):
        values = [x.copy().reshape(-1), np.zeros(x.size, x.dtype)]
        run(module, 1, values)
        results.append(values[1])
    np.testing.assert_array_equal(*results)


def test_zeros_keep_their_sign():
    module = lowered(1, 32, 0, "f32", "arith.addf", reverse=False)
    values = [np.full(32, -0.0, np.float32), np.zeros(32, np.float32)]
    compile_module(module)(1, values)
    assert np.signbit(values[1]).all()
