"""
Where reading triton-shared suggests wrong results, one test each: the right result here.

Most execute a kernel before and after lowering and compare memory and what was read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from xtriton.diagnostics import collect
from xtriton.ir.writing.printer import print_module

Same = Callable[..., str]

PAIR = "%p: !tt.ptr<f32>, %q: !tt.ptr<f32>"


def matrix(signature: str, offsets: str, body: str, rows: int = 4, columns: int = 4) -> str:
    """Return a kernel with row and column indices, `offsets` giving `%o` to load from."""
    shape = f"{rows}x{columns}"
    return f"""
tt.func public @kernel({PAIR}, {signature}) {{
  %c4 = arith.constant dense<{columns}> : tensor<{rows}x1xi32>
  %ri = tt.make_range {{end = {rows} : i32, start = 0 : i32}} : tensor<{rows}xi32>
  %ci = tt.make_range {{end = {columns} : i32, start = 0 : i32}} : tensor<{columns}xi32>
  %re = tt.expand_dims %ri {{axis = 1 : i32}} : tensor<{rows}xi32> -> tensor<{rows}x1xi32>
  %ce = tt.expand_dims %ci {{axis = 0 : i32}} : tensor<{columns}xi32> -> tensor<1x{columns}xi32>
  %r = tt.broadcast %re : tensor<{rows}x1xi32> -> tensor<{shape}xi32>
  %c = tt.broadcast %ce : tensor<1x{columns}xi32> -> tensor<{shape}xi32>
{offsets}
  %sp = tt.splat %p : !tt.ptr<f32> -> tensor<{shape}x!tt.ptr<f32>>
  %in = tt.addptr %sp, %o : tensor<{shape}x!tt.ptr<f32>>, tensor<{shape}xi32>
{body}
  %w = arith.muli %re, %c4 : tensor<{rows}x1xi32>
  %wb = tt.broadcast %w : tensor<{rows}x1xi32> -> tensor<{shape}xi32>
  %wo = arith.addi %wb, %c : tensor<{shape}xi32>
  %sq = tt.splat %q : !tt.ptr<f32> -> tensor<{shape}x!tt.ptr<f32>>
  %out = tt.addptr %sq, %wo : tensor<{shape}x!tt.ptr<f32>>, tensor<{shape}xi32>
  tt.store %out, %v : tensor<{shape}x!tt.ptr<f32>>
  tt.return
}}
"""


def wrapped(dimension: str, modulus: int, strides: tuple[int, int], start: int) -> str:
    """Return `%o` for indices of which those of one dimension wrap around."""
    other = "c" if dimension == "r" else "r"
    own, rest = strides if dimension == "r" else strides[::-1]
    return f"""
  %m = arith.constant dense<{modulus}> : tensor<4x4xi32>
  %own = arith.constant dense<{own}> : tensor<4x4xi32>
  %rest = arith.constant dense<{rest}> : tensor<4x4xi32>
  %start = arith.constant dense<{start}> : tensor<4x4xi32>
  %moved = arith.addi %{dimension}, %start : tensor<4x4xi32>
  %within = arith.remsi %moved, %m : tensor<4x4xi32>
  %one = arith.muli %within, %own : tensor<4x4xi32>
  %two = arith.muli %{other}, %rest : tensor<4x4xi32>
  %o = arith.addi %one, %two : tensor<4x4xi32>
"""


LOAD = "  %v = tt.load %in : tensor<4x4x!tt.ptr<f32>>"
STRIDES = [(8, 1), (10, 1), (16, 2), (1, 5), (1, 8)]


@pytest.mark.parametrize("strides", STRIDES, ids=str)
@pytest.mark.parametrize("start", [0, 6, 7, 13])
def test_b1_b2_wrap_around_for_any_strides_and_any_start(
    same: Same, strides: tuple[int, int], start: int
) -> None:
    for dimension in "rc":
        same(matrix("%n: i32", wrapped(dimension, 8, strides, start), LOAD))


def test_b2_a_block_that_wraps_more_than_once(same: Same) -> None:
    same(matrix("%n: i32", wrapped("r", 3, (10, 1), 1), LOAD))
    same(matrix("%n: i32", wrapped("c", 1, (10, 1), 5), LOAD))


@pytest.mark.parametrize("dimension", ["r", "c"])
def test_b3_a_mask_holds_in_the_dimension_that_wraps(same: Same, dimension: str) -> None:
    masked = f"""
  %sn = tt.splat %n : i32 -> tensor<4x4xi32>
  %mask = arith.cmpi slt, %{dimension}, %sn : tensor<4x4xi32>
  %other = arith.constant dense<-3.0> : tensor<4x4xf32>
  %v = tt.load %in, %mask, %other : tensor<4x4x!tt.ptr<f32>>"""
    text = matrix("%n: i32", wrapped(dimension, 8, (10, 1), 6), masked)
    same(text, given=[{2: n} for n in (-1, 0, 1, 3, 4, 9)])


def test_b4_a_wrapping_pointer_moved_by_a_loop(same: Same) -> None:
    loop = """
  %l = arith.constant 0 : i32
  %h = arith.constant 3 : i32
  %one_ = arith.constant 1 : i32
  %step = arith.constant dense<40> : tensor<4x4xi32>
  %zero = arith.constant dense<0.0> : tensor<4x4xf32>
  %x:2 = scf.for %i = %l to %h step %one_ iter_args(%a = %in, %s = %zero)
      -> (tensor<4x4x!tt.ptr<f32>>, tensor<4x4xf32>) : i32 {
    %u = tt.load %a : tensor<4x4x!tt.ptr<f32>>
    %t = arith.addf %s, %u : tensor<4x4xf32>
    %b = tt.addptr %a, %step : tensor<4x4x!tt.ptr<f32>>, tensor<4x4xi32>
    scf.yield %b, %t : tensor<4x4x!tt.ptr<f32>>, tensor<4x4xf32>
  }
  %v = arith.addf %x#1, %zero : tensor<4x4xf32>"""
    for dimension in "rc":
        same(matrix("%n: i32", wrapped(dimension, 8, (10, 1), 6), loop))


def test_b5_a_store_through_a_wrapping_pointer(same: Same) -> None:
    store = LOAD + "\n  tt.store %back, %v : tensor<4x4x!tt.ptr<f32>>"
    offsets = (
        wrapped("c", 8, (10, 1), 6)
        + """
  %sq2 = tt.splat %q : !tt.ptr<f32> -> tensor<4x4x!tt.ptr<f32>>
  %far = arith.constant dense<1000> : tensor<4x4xi32>
  %of = arith.addi %o, %far : tensor<4x4xi32>
  %back = tt.addptr %sq2, %of : tensor<4x4x!tt.ptr<f32>>, tensor<4x4xi32>"""
    )
    same(matrix("%n: i32", offsets, store))


def vector(arguments: str, body: str, size: int = 16, kind: str = "f32") -> str:
    """Return a kernel with a range `%i`; `body` makes `%v` or loads through `%in`."""
    return f"""
tt.func public @kernel(%p: !tt.ptr<{kind}>, %q: !tt.ptr<{kind}>{arguments}) {{
  %i = tt.make_range {{end = {size} : i32, start = 0 : i32}} : tensor<{size}xi32>
  %sp = tt.splat %p : !tt.ptr<{kind}> -> tensor<{size}x!tt.ptr<{kind}>>
  %in = tt.addptr %sp, %i : tensor<{size}x!tt.ptr<{kind}>>, tensor<{size}xi32>
{body}
  %sq = tt.splat %q : !tt.ptr<{kind}> -> tensor<{size}x!tt.ptr<{kind}>>
  %out = tt.addptr %sq, %i : tensor<{size}x!tt.ptr<{kind}>>, tensor<{size}xi32>
  tt.store %out, %v : tensor<{size}x!tt.ptr<{kind}>>
  tt.return
}}
"""


def test_b6_scalar_accesses_obey_their_mask(same: Same) -> None:
    text = """
tt.func public @kernel(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %c: i1, %n: i32) {
  %z = arith.constant 5.0 : f32
  %a = tt.addptr %p, %n : !tt.ptr<f32>, i32
  %v = tt.load %a, %c, %z : !tt.ptr<f32>
  tt.store %q, %v : !tt.ptr<f32>
  %b = tt.addptr %q, %n : !tt.ptr<f32>, i32
  tt.store %b, %v, %c : !tt.ptr<f32>
  tt.return
}
"""
    assert same(text).count("scf.if") == 2
    same(text, given=[{2: c, 3: 9} for c in (0, 1)])


@pytest.mark.parametrize(
    "comparison",
    [
        pytest.param("sge, %moved, %zero", id="B7 sge 0 of a range that starts below"),
        pytest.param("slt, %sn, %moved", id="B8 the range on the right"),
        pytest.param("sgt, %sn, %moved", id="sgt"),
        pytest.param("sle, %moved, %sn", id="sle"),
        pytest.param("ult, %moved, %sn", id="B9 unsigned"),
        pytest.param("uge, %moved, %sn", id="uge"),
        pytest.param("eq, %moved, %sn", id="eq"),
        pytest.param("ne, %moved, %sn", id="ne"),
    ],
)
def test_b7_b8_b9_any_comparison_is_a_mask(same: Same, comparison: str) -> None:
    text = vector(
        ", %n: i32, %m: i32",
        f"""
  %zero = arith.constant dense<0> : tensor<16xi32>
  %other = arith.constant dense<2.0> : tensor<16xf32>
  %sn = tt.splat %n : i32 -> tensor<16xi32>
  %sm = tt.splat %m : i32 -> tensor<16xi32>
  %moved = arith.addi %i, %sm : tensor<16xi32>
  %mask = arith.cmpi {comparison} : tensor<16xi32>
  %v = tt.load %in, %mask, %other : tensor<16x!tt.ptr<f32>>""",
    )
    cases = ((7, -5), (-3, -9), (0, 0), (-2147483648, 3), (40, 2))
    same(text, given=[{2: n, 3: m} for n, m in cases])


@pytest.mark.parametrize("padding", ["", ", padding = 1 : i32", ", padding = 2 : i32"])
def test_b10_block_pointers_have_boundaries_and_padding(same: Same, padding: str) -> None:
    text = f"""
tt.func public @kernel(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %h: i64, %w: i64, %r: i32, %c: i32) {{
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %x = tt.make_tensor_ptr %p, [%h, %w], [%w, %c1], [%r, %c] {{order = array<i32: 1, 0>}}
      : <tensor<4x8xf32>>
  %v = tt.load %x {{boundaryCheck = array<i32: 0, 1>{padding}}} : !tt.ptr<tensor<4x8xf32>>
  %y = tt.make_tensor_ptr %q, [%h, %w], [%w, %c1], [%r, %c] {{order = array<i32: 1, 0>}}
      : <tensor<4x8xf32>>
  tt.store %y, %v {{boundaryCheck = array<i32: 0, 1>}} : !tt.ptr<tensor<4x8xf32>>
  %z = tt.make_tensor_ptr %q, [%c8, %c8], [%c8, %c1], [%c0, %c0] {{order = array<i32: 1, 0>}}
      : <tensor<4x8xf32>>
  {"tt.store %z, %v : !tt.ptr<tensor<4x8xf32>>" if padding else ""}
  tt.return
}}
"""
    cases = ((16, 16, 0, 0), (3, 5, 0, 0), (9, 9, 7, 4), (9, 9, -2, -3), (2, 2, 40, 1))
    same(text, given=[{2: h, 3: w, 4: r, 5: c} for h, w, r, c in cases])


def test_b10_block_pointers_of_any_order(same: Same) -> None:
    text = """
tt.func public @kernel(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %n: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %x = tt.make_tensor_ptr %p, [%n, %n], [%c1, %n], [%c0, %c0] {order = array<i32: 0, 1>}
      : <tensor<4x8xf32>>
  %v = tt.load %x : !tt.ptr<tensor<4x8xf32>>
  %y = tt.make_tensor_ptr %q, [%n, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>}
      : <tensor<4x8xf32>>
  tt.store %y, %v : !tt.ptr<tensor<4x8xf32>>
  tt.return
}
"""
    same(text)


def reduction(op: str, kind: str, body: str = "") -> str:
    return f"""
tt.func public @kernel(%p: !tt.ptr<{kind}>, %q: !tt.ptr<{kind}>) {{
  %i = tt.make_range {{end = 16 : i32, start = 0 : i32}} : tensor<16xi32>
  %sp = tt.splat %p : !tt.ptr<{kind}> -> tensor<16x!tt.ptr<{kind}>>
  %in = tt.addptr %sp, %i : tensor<16x!tt.ptr<{kind}>>, tensor<16xi32>
  %x = tt.load %in : tensor<16x!tt.ptr<{kind}>>
{body or f"  %y = arith.{'addf' if kind.startswith('f') else 'addi'} %x, %x : tensor<16x{kind}>"}
  %v = "tt.reduce"(%y) <{{axis = 0 : i32}}> ({{
  ^bb0(%a: {kind}, %b: {kind}):
    %r = arith.{op} %a, %b : {kind}
    tt.reduce.return %r : {kind}
  }}) : (tensor<16x{kind}>) -> {kind}
  tt.store %q, %v : !tt.ptr<{kind}>
  tt.return
}}
"""


@pytest.mark.parametrize("op", ["andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui", "muli"])
@pytest.mark.parametrize("kind", ["i8", "i32", "i64"])
def test_b11_integer_reductions_of_every_width(same: Same, op: str, kind: str) -> None:
    same(reduction(op, kind))


@pytest.mark.parametrize("op", ["maxnumf", "minnumf", "maximumf", "minimumf"])
def test_b12_the_maximum_of_nothing_but_nan_is_nan(
    op: str, run_both: Callable[..., list[Any]]
) -> None:
    nan = "  %y = arith.constant dense<0x7FC00000> : tensor<16xf32>"
    arrays = np.zeros(16, np.float32), np.zeros(1, np.float32)
    for result in run_both(reduction(op, "f32", nan), *arrays):
        assert np.isnan(result[0])


SCAN = """
  %x = tt.load %in : tensor<16x!tt.ptr<i32>>
  %v = "tt.scan"(%x) <{axis = 0 : i32, reverse = REVERSE}> ({
  ^bb0(%a: i32, %b: i32):
    %two = arith.constant 2 : i32
    %d = arith.muli %a, %two : i32
    %r = OP
    tt.scan.return %r : i32
  }) : (tensor<16xi32>) -> tensor<16xi32>"""


@pytest.mark.parametrize("reverse", ["true", "false"])
@pytest.mark.parametrize("op", ["addi %a, %b", "maxsi %a, %b", "xori %b, %a"])
def test_b13_scans_of_any_op_in_both_directions(same: Same, reverse: str, op: str) -> None:
    body = SCAN.replace("REVERSE", reverse).replace("OP", f"arith.{op} : i32")
    same(vector("", body, kind="i32"))


@pytest.mark.parametrize("reverse", ["true", "false"])
@pytest.mark.parametrize("axis", [0, 1])
def test_b13_scans_along_either_axis(same: Same, reverse: str, axis: int) -> None:
    body = f"""
  %x = tt.load %in : tensor<4x4x!tt.ptr<f32>>
  %v = "tt.scan"(%x) <{{axis = {axis} : i32, reverse = {reverse}}}> ({{
  ^bb0(%a: f32, %b: f32):
    %e = arith.maximumf %a, %b : f32
    tt.scan.return %e : f32
  }}) : (tensor<4x4xf32>) -> tensor<4x4xf32>"""
    same(matrix("%n: i32", wrapped("r", 8, (4, 1), 0), body))


@pytest.mark.parametrize(
    ("source", "target", "rounding"),
    [
        ("f32", "f16", "rtz"),
        ("f32", "bf16", "rtz"),
        ("f32", "f16", "rtne"),
        ("f32", "f8E5M2", "rtne"),
        ("f32", "f8E4M3FN", "rtne"),
        ("f16", "bf16", "rtne"),
        ("bf16", "f16", "rtne"),
        ("f16", "f32", ""),
        ("f8E5M2", "f16", ""),
        ("f8E4M3FN", "f32", ""),
    ],
)
def test_b14_float_conversions_of_every_kind(
    same: Same, source: str, target: str, rounding: str
) -> None:
    said = f", rounding = {rounding}" if rounding else ""
    text = f"""
tt.func public @kernel(%p: !tt.ptr<{source}>, %q: !tt.ptr<{target}>) {{
  %i = tt.make_range {{end = 64 : i32, start = 0 : i32}} : tensor<64xi32>
  %sp = tt.splat %p : !tt.ptr<{source}> -> tensor<64x!tt.ptr<{source}>>
  %in = tt.addptr %sp, %i : tensor<64x!tt.ptr<{source}>>, tensor<64xi32>
  %x = tt.load %in : tensor<64x!tt.ptr<{source}>>
  %v = tt.fp_to_fp %x{said} : tensor<64x{source}> -> tensor<64x{target}>
  %sq = tt.splat %q : !tt.ptr<{target}> -> tensor<64x!tt.ptr<{target}>>
  %out = tt.addptr %sq, %i : tensor<64x!tt.ptr<{target}>>, tensor<64xi32>
  tt.store %out, %v : tensor<64x!tt.ptr<{target}>>
  tt.return
}}
"""
    same(text)


@pytest.mark.parametrize("rounding", ["rtz", "rtne"])
@pytest.mark.parametrize("target", ["f8E5M2", "f8E4M3FN", "f16", "bf16"])
@pytest.mark.parametrize("source", ["f32", "f64"])
def test_b14_conversions_saturate_and_truncate(
    same: Same, source: str, target: str, rounding: str
) -> None:
    """What is too large for an 8-bit float becomes its largest value, infinities as well."""
    special = "0x7F800000, 0xFF800000" if source == "f32" else "0x7FF0000000000000, 1.0e300"
    numbers = "4.65e2, -4.7e2, 6.3e4, -6.0e4, 1.0e6, 1.19, -1.19, 2.1e-3, -3.5e-3, 1.0e-9, 7.0e-6"
    values = f"tensor<16x{source}>"
    pointers = f"tensor<16x!tt.ptr<{target}>>"
    text = f"""
tt.func public @kernel(%q: !tt.ptr<{target}>) {{
  %i = tt.make_range {{end = 16 : i32, start = 0 : i32}} : tensor<16xi32>
  %x = arith.constant dense<[{numbers}, {special}, 0.0, -0.0, -1.0e5]> : {values}
  %v = tt.fp_to_fp %x, rounding = {rounding} : {values} -> tensor<16x{target}>
  %sq = tt.splat %q : !tt.ptr<{target}> -> {pointers}
  %out = tt.addptr %sq, %i : {pointers}, tensor<16xi32>
  tt.store %out, %v : {pointers}
  tt.return
}}
"""
    same(text)


def test_b15_a_chain_of_32_bit_offsets_does_not_overflow(same: Same) -> None:
    text = """
tt.func public @kernel(%p: !tt.ptr<i8>, %q: !tt.ptr<i8>, %x: !tt.ptr<i32>) {
  %i = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %m = arith.constant dense<1073741823> : tensor<16xi32>
  %big = arith.constant 2147483647 : i32
  %sx = tt.splat %x : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  %px = tt.addptr %sx, %i : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  %r = tt.load %px : tensor<16x!tt.ptr<i32>>
  %k = arith.andi %r, %m : tensor<16xi32>
  %a = tt.addptr %p, %big : !tt.ptr<i8>, i32
  %b = tt.addptr %a, %big : !tt.ptr<i8>, i32
  %s = tt.splat %b : !tt.ptr<i8> -> tensor<16x!tt.ptr<i8>>
  %t = tt.addptr %s, %k : tensor<16x!tt.ptr<i8>>, tensor<16xi32>
  %u = tt.addptr %t, %k : tensor<16x!tt.ptr<i8>>, tensor<16xi32>
  %w = tt.addptr %u, %k : tensor<16x!tt.ptr<i8>>, tensor<16xi32>
  %v = tt.load %w : tensor<16x!tt.ptr<i8>>
  %sq = tt.splat %q : !tt.ptr<i8> -> tensor<16x!tt.ptr<i8>>
  %out = tt.addptr %sq, %i : tensor<16x!tt.ptr<i8>>, tensor<16xi32>
  tt.store %out, %v : tensor<16x!tt.ptr<i8>>
  tt.return
}
"""
    same(text)


MIXED = """
tt.func public @kernel(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %n: i32, %pp: !tt.ptr<i64>) {
  %l = arith.constant 0 : i32
  %h = arith.constant 3 : i32
  %o = arith.constant 1 : i32
  %i = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %f = arith.divsi %i, %i : tensor<16xi32>
  %sp = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %x = scf.for %k = %l to %h step %o iter_args(%a = %sp) -> (tensor<16x!tt.ptr<f32>>) : i32 {
    %v = tt.load %a : tensor<16x!tt.ptr<f32>>
    %b = tt.addptr %a, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    scf.yield %b : tensor<16x!tt.ptr<f32>>
  }
  %raw = tt.load %pp : !tt.ptr<i64>
  %far = tt.int_to_ptr %raw : i64 -> !tt.ptr<f32>
  %y = tt.load %far : !tt.ptr<f32>
  tt.store %q, %y : !tt.ptr<f32>
  tt.return
}
"""


def test_b16_what_cannot_be_lowered_leaves_a_valid_module(lower_kernel: Callable[..., Any]) -> None:
    with collect() as collected:
        _, rewritten = lower_kernel(MIXED)
    text = print_module(rewritten)
    assert "tt.int_to_ptr" in text
    assert "affine.load" in text
    assert any("tt.int_to_ptr" in d.message for d in collected.diagnostics)


def test_b17_a_mask_that_a_loop_carries(same: Same) -> None:
    body = """
  %l = arith.constant 0 : i32
  %h = arith.constant 4 : i32
  %o = arith.constant 1 : i32
  %eight = arith.constant dense<8> : tensor<16xi32>
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %sn = tt.splat %n : i32 -> tensor<16xi32>
  %x:3 = scf.for %k = %l to %h step %o iter_args(%j = %i, %a = %in, %s = %zero)
      -> (tensor<16xi32>, tensor<16x!tt.ptr<f32>>, tensor<16xf32>) : i32 {
    %m = arith.cmpi slt, %j, %sn : tensor<16xi32>
    %u = tt.load %a, %m, %zero : tensor<16x!tt.ptr<f32>>
    %t = arith.addf %s, %u : tensor<16xf32>
    %g = arith.addi %j, %eight : tensor<16xi32>
    %b = tt.addptr %a, %eight : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    scf.yield %g, %b, %t : tensor<16xi32>, tensor<16x!tt.ptr<f32>>, tensor<16xf32>
  }
  %v = arith.addf %x#2, %zero : tensor<16xf32>"""
    same(vector(", %n: i32", body), given=[{2: n} for n in (0, 5, 20, 29, 100)])


def test_b18_a_tile_of_one_row(same: Same) -> None:
    offsets = """
  %ten = arith.constant dense<10> : tensor<1x4xi32>
  %rr = arith.muli %r, %ten : tensor<1x4xi32>
  %o = arith.addi %rr, %c : tensor<1x4xi32>"""
    body = """
  %two = arith.constant dense<2> : tensor<1x1xi32>
  %sn = tt.splat %n : i32 -> tensor<1x1xi32>
  %row = arith.addi %re, %sn : tensor<1x1xi32>
  %m = arith.cmpi slt, %row, %two : tensor<1x1xi32>
  %mb = tt.broadcast %m : tensor<1x1xi1> -> tensor<1x4xi1>
  %other = arith.constant dense<6.0> : tensor<1x4xf32>
  %v = tt.load %in, %mb, %other : tensor<1x4x!tt.ptr<f32>>"""
    same(matrix("%n: i32", offsets, body, rows=1), given=[{2: n} for n in (0, 1, 2, 5)])


@pytest.mark.parametrize("other", ["%u", "%s", "%k"])
def test_b19_other_may_be_any_value(same: Same, other: str) -> None:
    body = f"""
  %c8 = arith.constant dense<8> : tensor<16xi32>
  %far = tt.addptr %in, %c8 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %u = tt.load %far : tensor<16x!tt.ptr<f32>>
  %sx = tt.splat %x : f32 -> tensor<16xf32>
  %s = arith.addf %sx, %sx : tensor<16xf32>
  %k = arith.sitofp %c8 : tensor<16xi32> to tensor<16xf32>
  %sn = tt.splat %n : i32 -> tensor<16xi32>
  %m = arith.cmpi slt, %i, %sn : tensor<16xi32>
  %v = tt.load %in, %m, {other} : tensor<16x!tt.ptr<f32>>"""
    same(vector(", %x: f32, %n: i32", body), given=[{3: n} for n in (0, 5, 16, 40)])
