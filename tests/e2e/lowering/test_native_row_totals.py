"""Loops that keep a total for each place of a row, which native code keeps as one number."""

from typing import Any

import numpy as np
import pytest

from tests.e2e.lowering.native_modules import lowered
from xtriton.cpu import compile_module
from xtriton.cpu.emitter.function import emit_kernel
from xtriton.cpu.target import host

BLOCK = 512
CHOSEN = """
    %greater = arith.cmpf {order}, %total, %x : tensor<1x512xf32>
    %is_nan = arith.cmpf une, %total, %total : tensor<1x512xf32>
    %keeps = arith.ori %greater, %is_nan : tensor<1x512xi1>
    %more = arith.select %keeps, %total, %x : tensor<1x512xi1>, tensor<1x512xf32>"""
AT_ONCE = "\n    %more = arith.{op} %total, %x : tensor<1x512xf32>"
OF_CHOICE = """
    %g = arith.cmpf {order}, %a, %b : f32
    %n = arith.cmpf une, %a, %a : f32
    %k = arith.ori %g, %n : i1
    %c = arith.select %k, %a, %b : f32"""
WAYS = {
    "maximum by comparison": (CHOSEN.format(order="ogt"), OF_CHOICE.format(order="ogt"), "-inf"),
    "minimum by comparison": (CHOSEN.format(order="olt"), OF_CHOICE.format(order="olt"), "inf"),
    "maximumf": (AT_ONCE.format(op="maximumf"), "\n %c = arith.maximumf %a, %b : f32", "-inf"),
    "minimumf": (AT_ONCE.format(op="minimumf"), "\n %c = arith.minimumf %b, %a : f32", "inf"),
    "maxnumf": (AT_ONCE.format(op="maxnumf"), "\n %c = arith.maxnumf %a, %b : f32", "-inf"),
    "minnumf": (AT_ONCE.format(op="minnumf"), "\n %c = arith.minnumf %a, %b : f32", "inf"),
    "addf": (AT_ONCE.format(op="addf"), "\n %c = arith.addf %a, %b : f32", "0"),
}
"""What a turn does, what makes one number of all, and what they begin with."""
FUNCTIONS: dict[str, tuple[Any, float]] = {
    "max": (np.maximum, -np.inf), "min": (np.minimum, np.inf), "addf": (np.add, 0),
    "maxn": (np.fmax, -np.inf), "minn": (np.fmin, np.inf),
}  # fmt: skip
CONSTANTS = {"-inf": "0xFF800000", "inf": "0x7F800000", "0": "0.0", "2": "2.0", "nan": "0x7FC00000"}


def kernel(way: str, length: int, first: str | None = None, *, used: str = "") -> str:
    turn, combined, begins = WAYS[way]
    return f"""
tt.func public @kernel(%in: !tt.ptr<f32>, %out: !tt.ptr<f32>) {{
  %low = arith.constant 0 : i32
  %high = arith.constant {length} : i32
  %step = arith.constant {BLOCK} : i32
  %limit = arith.constant dense<{length}> : tensor<1x512xi32>
  %zero = arith.constant dense<0.0> : tensor<1x512xf32>
  %begin = arith.constant dense<{CONSTANTS[first or begins]}> : tensor<1x512xf32>
  %range = tt.make_range {{end = 512 : i32, start = 0 : i32}} : tensor<512xi32>
  %row = tt.expand_dims %range {{axis = 0 : i32}} : tensor<512xi32> -> tensor<1x512xi32>
  %pid = tt.get_program_id x : i32
  %of_row = arith.muli %pid, %high : i32
  %from = tt.addptr %in, %of_row : !tt.ptr<f32>, i32
  %totals = scf.for %at = %low to %high step %step iter_args(%total = %begin) -> (tensor<1x512xf32>) : i32 {{
    %start = tt.splat %at : i32 -> tensor<1x512xi32>
    %place = arith.addi %start, %row : tensor<1x512xi32>
    %inside = arith.cmpi slt, %place, %limit : tensor<1x512xi32>
    %base = tt.splat %from : !tt.ptr<f32> -> tensor<1x512x!tt.ptr<f32>>
    %pointers = tt.addptr %base, %place : tensor<1x512x!tt.ptr<f32>>, tensor<1x512xi32>
    %x = tt.load %pointers, %inside, %zero : tensor<1x512x!tt.ptr<f32>>{turn}
    %kept = arith.select %inside, %more, %total : tensor<1x512xi1>, tensor<1x512xf32>{used}
    scf.yield %kept : tensor<1x512xf32>
  }}
  %one = "tt.reduce"(%totals) <{{axis = 1 : i32}}> ({{
  ^bb0(%a: f32, %b: f32):{combined}
    tt.reduce.return %c : f32
  }}) : (tensor<1x512xf32>) -> tensor<1xf32>
  %to = tt.addptr %out, %pid : !tt.ptr<f32>, i32
  %there = tt.splat %to : !tt.ptr<f32> -> tensor<1x!tt.ptr<f32>>
  tt.store %there, %one : tensor<1x!tt.ptr<f32>>
  tt.return
}}"""


def totals(text: str, rows: Any) -> Any:
    out = np.zeros(len(rows), np.float32)
    compile_module(lowered(text))(len(rows), [rows, out])
    return out


def expected(way: str, rows: Any) -> Any:
    name = next(name for name in (way[:4], way[:3]) if name in FUNCTIONS)
    function, first = FUNCTIONS[name]
    return function.reduce(rows, 1, initial=first)


@pytest.mark.parametrize("length", [512, 700, 1024, 1500])
@pytest.mark.parametrize("way", WAYS)
def test_a_total_of_rows(way: str, length: int):
    rows = np.random.default_rng(length).integers(-99, 100, (5, length)).astype(np.float32)
    np.testing.assert_array_equal(totals(kernel(way, length), rows), expected(way, rows))


@pytest.mark.parametrize("place", [0, 3, 511, 600, 699])
@pytest.mark.parametrize("way", [way for way in WAYS if way != "addf"])
def test_nan_counts_or_does_not(way: str, place: int):
    rows = np.random.default_rng(1).standard_normal((3, 700)).astype(np.float32)
    rows[1, place] = np.nan
    rows[2] = np.nan
    np.testing.assert_array_equal(totals(kernel(way, 700), rows), expected(way, rows))


@pytest.mark.parametrize("way", [way for way in WAYS if way != "addf"])
def test_what_it_begins_with_counts(way: str):
    rows = np.random.default_rng(1).uniform(-1, 4, (4, 700)).astype(np.float32)
    rows[0] = 1
    rows[1] = 3
    wanted = expected(way, np.pad(rows, ((0, 0), (0, 1)), constant_values=2))
    np.testing.assert_array_equal(totals(kernel(way, 700, "2"), rows), wanted)


def test_numbers_begin_with_nan():
    rows = np.full((2, 700), np.nan, np.float32)
    rows[1, 40] = -5
    np.testing.assert_array_equal(totals(kernel("maxnumf", 700, "nan"), rows), [np.nan, -5])


@pytest.mark.parametrize("way", WAYS)
def test_it_is_one_number(way: str):
    """Nor is there a block of what is loaded."""
    text = emit_kernel(lowered(kernel(way, 700)), host(), None).text
    assert "alloca [512 x float]" not in text
    assert ("llvm.maximum" in text or "llvm.minimum" in text) == (way != "addf")


@pytest.mark.parametrize("way", WAYS)
def test_what_is_stored_to_before_it_is_read_is_kept(way: str):
    """A turn stores to its row, behind the load, as others do in a later turn."""
    stored = """
    tt.store %pointers, %zero, %inside : tensor<1x512x!tt.ptr<f32>>"""
    text = kernel(way, 700)
    first, load, rest = text.partition("%zero : tensor<1x512x!tt.ptr<f32>>")
    rows = np.random.default_rng(2).integers(1, 100, (3, 700)).astype(np.float32)
    wanted = expected(way, rows)
    np.testing.assert_array_equal(totals(first + load + stored + rest, rows), wanted)
    assert not rows.any()


@pytest.mark.parametrize("way", [way for way in WAYS if way != "addf"])
def test_totals_that_are_seen_are_kept(way: str):
    """What a turn stores of them is what they are so far."""
    seen = """
    %there2 = tt.splat %out : !tt.ptr<f32> -> tensor<1x512x!tt.ptr<f32>>
    %shown = tt.addptr %there2, %row : tensor<1x512x!tt.ptr<f32>>, tensor<1x512xi32>
    tt.store %shown, %kept : tensor<1x512x!tt.ptr<f32>>"""
    rows = np.random.default_rng(2).integers(-9, 10, (1, 700)).astype(np.float32)
    out = np.zeros(512, np.float32)
    compile_module(lowered(kernel(way, 700, used=seen)))(1, [rows, out])
    assert out[0] == expected(way, rows)[0]
    pairs = np.stack([rows[0, 1:188], rows[0, 513:]], 1)
    np.testing.assert_array_equal(out[1:188], expected(way, pairs))
    np.testing.assert_array_equal(out[188:], rows[0, 188:512])
