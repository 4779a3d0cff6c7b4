"""Rows that a mask cuts, of which no copy is made."""

import re
from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import run_compiled
from tests.unit.cpu.test_short_loads import NUMPY
from xtriton.cpu.emitter import emit_kernel
from xtriton.cpu.target import Target
from xtriton.interpreter.api import run as interpret

RNG = np.random.default_rng(43)
LENGTH = 1024
NARROW = Target("x86_64-unknown-linux-gnu", "znver3", 256, 16, fma=True, half=True, masks=True)
PLAIN = Target("x86_64-unknown-linux-gnu", "x86-64", 128, 16, fma=False, half=False)
ENDS = (-1, 0, 1, 31, 32, 33, 500, LENGTH - 1, LENGTH, LENGTH + 1)
"""Of rows, some of them beside where a loop does as much at a time."""


def lowered(type: str, other: int = 0, function: str = "", *, once: bool = False) -> Any:
    """
    Return a kernel of rows: x (y - s), where s sums up x y, and the greatest of x.

    It stores them where `n` tells that there is anything, and puts the sum and the greatest of a row
    elsewhere. `function` is computed of y. Each of x and y is read `once` if only sums are stored.
    """
    is_float = type[0] == "f"
    number = f"{other}.0" if is_float else str(other)
    mul, sub, add = (f"arith.{name}{'f' if is_float else 'i'}" for name in ("mul", "sub", "add"))
    greatest = "arith.maxnumf" if is_float else "arith.maxsi"
    block, pointers = f"tensor<{LENGTH}x{type}>", f"tensor<{LENGTH}x!tt.ptr<{type}>>"
    row_stored = "" if once else f"tt.store %op, %w, %mask : {pointers}"
    greatest_stored = "" if once else f"tt.store %gp, %g : !tt.ptr<{type}>"
    y = f"%y = {function} %y0 : {block}" if function else f"%y = {add} %y0, %none : {block}"
    text = f"""
module {{
  tt.func public @kernel(%x: !tt.ptr<{type}>, %y1: !tt.ptr<{type}>, %o: !tt.ptr<{type}>,
                         %q: !tt.ptr<{type}>, %n: i32, %pitch: i32) {{
    %other = arith.constant dense<{number}> : {block}
    %none = arith.constant dense<{"0.0" if is_float else "0"}> : {block}
    %range = tt.make_range {{end = {LENGTH} : i32, start = 0 : i32}} : tensor<{LENGTH}xi32>
    %last = tt.splat %n : i32 -> tensor<{LENGTH}xi32>
    %mask = arith.cmpi slt, %range, %last : tensor<{LENGTH}xi32>
    %row = tt.get_program_id x : i32
    %start = arith.muli %row, %pitch : i32
    {
        "".join(
            f'''
    %{p}r = tt.addptr %{a}, %start : !tt.ptr<{type}>, i32
    %{p}s = tt.splat %{p}r : !tt.ptr<{type}> -> {pointers}
    %{p}p = tt.addptr %{p}s, %range : {pointers}, tensor<{LENGTH}xi32>'''
            for p, a in (("x", "x"), ("y", "y1"), ("o", "o"))
        )
    }
    %xv = tt.load %xp, %mask, %other : {pointers}
    %y0 = tt.load %yp, %mask, %other : {pointers}
    {y}
    %p = {mul} %xv, %y : {block}
    %s = "tt.reduce"(%p) <{{axis = 0 : i32}}> ({{
    ^bb0(%a: {type}, %b: {type}):
      %c = {add} %a, %b : {type}
      tt.reduce.return %c : {type}
    }}) : ({block}) -> {type}
    %g = "tt.reduce"(%xv) <{{axis = 0 : i32}}> ({{
    ^bb0(%a: {type}, %b: {type}):
      %c = {greatest} %a, %b : {type}
      tt.reduce.return %c : {type}
    }}) : ({block}) -> {type}
    %ss = tt.splat %s : {type} -> {block}
    %d = {sub} %y, %ss : {block}
    %w = {mul} %xv, %d : {block}
    {row_stored}
    %sp = tt.addptr %q, %start : !tt.ptr<{type}>, i32
    %one = arith.constant 1 : i32
    %gp = tt.addptr %sp, %one : !tt.ptr<{type}>, i32
    tt.store %sp, %s : !tt.ptr<{type}>
    {greatest_stored}
    tt.return
  }}
}}
"""
    module = xtriton.parse(text)
    xtriton.run_passes(module, "triton-to-linalg-experimental")
    return module


PITCH, ROWS = LENGTH + 8, 3


def numbers(type: str, rows: int = ROWS) -> Any:
    """Return small numbers, whose sums are exact."""
    return RNG.integers(-2, 3, rows * PITCH).astype(NUMPY[type])


@pytest.mark.parametrize("once", [False, True])
@pytest.mark.parametrize("other", [0, 1])
@pytest.mark.parametrize("type", NUMPY)
def test_what_is_made_of_cut_rows(type: str, other: int, once: bool):
    module, x, y = lowered(type, other, once=once), numbers(type), numbers(type)
    for n in ENDS:
        results: list[Any] = []
        for run in (interpret, run_compiled):
            out, sums = np.zeros_like(x), np.zeros_like(x)
            run(module, ROWS, [x.copy(), y.copy(), out, sums, n, PITCH])
            results.append([out, sums])
        np.testing.assert_array_equal(*results)


@pytest.mark.parametrize("apart", [0, 1, 40, 600])
@pytest.mark.parametrize("which", [0, 1])
def test_results_may_lie_where_a_row_does(which: int, apart: int):
    """Then, or some elements from there, what is stored must not be what is read."""
    module, memory, other = lowered("f32"), numbers("f32", ROWS + 1), numbers("f32")
    for n in (33, 500, LENGTH):
        results: list[Any] = []
        for run in (interpret, run_compiled):
            shared = memory.copy()
            rows = [shared[: other.size], other.copy()]
            arguments = rows if which == 0 else rows[::-1]
            out, sums = shared[apart : apart + other.size], np.zeros(2, np.float32)
            run(module, 1, [*arguments, out, sums, n, PITCH])
            results.append([*shared, *sums])
        np.testing.assert_array_equal(*results)


@pytest.mark.parametrize(
    ("type", "function", "target", "copied"),
    [
        ("f32", "", NARROW, False),
        ("f64", "", NARROW, False),
        # There are no masks for these, and there are functions to compute meanwhile.
        ("f16", "", NARROW, True),
        ("f32", "", PLAIN, True),
        ("f32", "math.exp", NARROW, True),
    ],
)
def test_which_rows_are_copied(type: str, function: str, target: Target, copied: bool):
    """With zeros behind them, and not only where arguments overlap."""
    code = emit_kernel(lowered(type, 0, function), target)
    assert ("llvm.memset" in code.text) == copied


def test_rows_of_functions_are_not_copied_for_one_loop():
    text = emit_kernel(lowered("f32", 0, "math.exp", once=True), NARROW).text
    assert "llvm.memset" not in text


def test_strips_that_go_around_caches_do_not_ask_for_the_end():
    """They lie before it."""
    text = emit_kernel(lowered("f32"), NARROW).text
    (strip,) = re.findall(r"%(\S+) = alloca \[128 x float\]", text)
    loops = [part for part in re.split(r"\n\S+:\n", text) if f"ptr %{strip}," in part]
    stores = [part for part in loops if "store float" in part]
    assert "nontemporal" in text
    assert stores
    assert all("phi float" not in part for part in stores)
