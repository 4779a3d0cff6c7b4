"""Blocks of sums that a loop keeps, and of which the rows or columns are added up behind it."""

from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import run_compiled
from xtriton.cpu.emitter import emit_kernel
from xtriton.cpu.emitter.row_steps import block_reduction_behind
from xtriton.cpu.target import Target
from xtriton.interpreter.api import run as interpret

RNG = np.random.default_rng(21)
WIDE = Target("x86_64-unknown-linux-gnu", "znver4", 512, 32, fma=True, half=True, masks=True)
ROWS, COLUMNS = 8, 256
MASKED = "%next = arith.select %inside, %more, %sums : {block}xi1>, {block}x{type}>"
COPIED = "%next = arith.addf %more, %zeros : {block}x{type}>"
FIRST = {"arith.addf": "0.0", "arith.maxnumf": "0xFF800000", "arith.minimumf": "0x7F800000"}


def lowered(
    op: str, axis: int, type: str = "f32", chosen: str = MASKED, first: str = "", seen: bool = False
) -> Any:
    """Return a kernel that reduces rows, or columns, of `n` numbers, and 1 behind them."""
    block = f"tensor<{ROWS}x{COLUMNS}"
    result = f"tensor<{ROWS if axis == 1 else COLUMNS}"
    start = (first or FIRST[op]) if type == "f32" else "0.0"
    store = f"tt.store %end, %all : {block}x!tt.ptr<{type}>>" if seen else ""
    text = f"""
module {{
  tt.func public @kernel(%x: !tt.ptr<{type}>, %o: !tt.ptr<{type}>, %p: !tt.ptr<{type}>, %n: i32) {{
    %c0 = arith.constant 0 : i32
    %step = arith.constant {COLUMNS} : i32
    %pitch = arith.constant dense<1024> : tensor<{ROWS}x1xi32>
    %zeros = arith.constant dense<{start}> : {block}x{type}>
    %ones = arith.constant dense<1.0> : {block}x{type}>
    %rows = tt.make_range {{end = {ROWS} : i32, start = 0 : i32}} : tensor<{ROWS}xi32>
    %columns = tt.make_range {{end = {COLUMNS} : i32, start = 0 : i32}} : tensor<{COLUMNS}xi32>
    %r1 = tt.expand_dims %rows {{axis = 1 : i32}} : tensor<{ROWS}xi32> -> tensor<{ROWS}x1xi32>
    %c1 = tt.expand_dims %columns {{axis = 0 : i32}} : tensor<{COLUMNS}xi32> -> tensor<1x{COLUMNS}xi32>
    %line = arith.muli %r1, %pitch : tensor<{ROWS}x1xi32>
    %lines = tt.broadcast %line : tensor<{ROWS}x1xi32> -> {block}xi32>
    %xs = tt.splat %x : !tt.ptr<{type}> -> {block}x!tt.ptr<{type}>>
    %limit = tt.splat %n : i32 -> {block}xi32>
    %all = scf.for %k = %c0 to %n step %step iter_args(%sums = %zeros) -> ({block}x{type}>) : i32 {{
      %ks = tt.splat %k : i32 -> tensor<1x{COLUMNS}xi32>
      %at = arith.addi %c1, %ks : tensor<1x{COLUMNS}xi32>
      %ats = tt.broadcast %at : tensor<1x{COLUMNS}xi32> -> {block}xi32>
      %inside = arith.cmpi slt, %ats, %limit : {block}xi32>
      %place = arith.addi %lines, %ats : {block}xi32>
      %from = tt.addptr %xs, %place : {block}x!tt.ptr<{type}>>, {block}xi32>
      %v = tt.load %from, %inside, %ones : {block}x!tt.ptr<{type}>>
      %more = {op} %sums, %v : {block}x{type}>
      {chosen.format(block=block, type=type)}
      scf.yield %next : {block}x{type}>
    }}
    %whole = tt.broadcast %c1 : tensor<1x{COLUMNS}xi32> -> {block}xi32>
    %end_at = arith.addi %lines, %whole : {block}xi32>
    %ps = tt.splat %p : !tt.ptr<{type}> -> {block}x!tt.ptr<{type}>>
    %end = tt.addptr %ps, %end_at : {block}x!tt.ptr<{type}>>, {block}xi32>
    {store}
    %total = "tt.reduce"(%all) <{{axis = {axis} : i32}}> ({{
    ^bb0(%a: {type}, %b: {type}):
      %c = {op} %a, %b : {type}
      tt.reduce.return %c : {type}
    }}) : ({block}x{type}>) -> {result}x{type}>
    %os = tt.splat %o : !tt.ptr<{type}> -> {result}x!tt.ptr<{type}>>
    %to = tt.addptr %os, %{"rows" if axis == 1 else "columns"} : {result}x!tt.ptr<{type}>>, {result}xi32>
    tt.store %to, %total : {result}x!tt.ptr<{type}>>
    tt.return
  }}
}}
"""
    module = xtriton.parse(text)
    xtriton.run_passes(module, "triton-to-linalg-experimental")
    return module


def keeps_a_block(module: Any) -> bool:
    """Return whether code for vectors of 16 has a block of sums, beside that of a load."""
    return emit_kernel(module, WIDE).text.count(f"alloca [{ROWS * COLUMNS} x float]") > 1


@pytest.mark.parametrize("n", [0, 1, 200, 256, 700, 1024])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize(
    ("type", "op", "chosen"),
    [
        ("f32", "arith.addf", MASKED),
        ("f32", "arith.addf", COPIED),
        ("f64", "arith.addf", MASKED),
        ("f32", "arith.maxnumf", MASKED),
        ("f32", "arith.minimumf", MASKED),
    ],
)
def test_totals_are_the_interpreters(type: str, op: str, chosen: str, axis: int, n: int):
    module = lowered(op, axis, type, chosen)
    if chosen is MASKED and type == "f32":
        assert not keeps_a_block(module)
    x = RNG.integers(-50, 50, (ROWS, 1024)).astype(np.float32 if type == "f32" else np.float64)
    if op == "arith.maxnumf":
        x[2, ::3] = x[3, :] = np.nan
    results: list[Any] = []
    for run in (interpret, run_compiled):
        out = np.zeros(COLUMNS, x.dtype)
        run(module, 1, [x.copy().reshape(-1), out, np.zeros(ROWS * 1024, x.dtype), n])
        results.append(out)
    np.testing.assert_array_equal(*results)


@pytest.mark.parametrize("facts", [{"first": "1.0"}, {"seen": True}])
@pytest.mark.parametrize("axis", [0, 1])
def test_sums_that_are_blocks(axis: int, facts: dict[str, Any]):
    """Each of them counts where they begin with something, or are stored."""
    module = lowered("arith.addf", axis, **facts)
    assert keeps_a_block(module)
    x = RNG.integers(-50, 50, (ROWS, 1024)).astype(np.float32)
    results: list[Any] = []
    for run in (interpret, run_compiled):
        out, place = np.zeros(COLUMNS, x.dtype), np.zeros(ROWS * 1024, x.dtype)
        run(module, 1, [x.copy().reshape(-1), out, place, 700])
        results += [out, place]
    np.testing.assert_array_equal(results[0], results[2])
    np.testing.assert_array_equal(results[1], results[3])


def test_totals_that_nobody_reads():
    """What has read a block may have been left out."""
    text = f"func.func @f() {{ %x = tensor.empty() : tensor<{ROWS}x{COLUMNS}xf32> func.return }}"
    (block,) = (op for op in xtriton.parse(text).walk() if op.name == "tensor.empty")
    assert block_reduction_behind(block.results[0], "arith.addf") is None
