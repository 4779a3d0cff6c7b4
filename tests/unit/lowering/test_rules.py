"""What single ops become, executed before and after."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from xtriton.errors import PassFailure
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import check_equivalent
from xtriton.lowering.triton_arith_to_linalg import TritonArithToLinalgPass
from xtriton.universe import context

Same = Callable[..., str]


def elementwise(body: str, kind: str = "f32", result: str | None = None, size: int = 16) -> str:
    """Return a kernel that loads `%x`, `%y`, `%z` of `kind` and stores `%v` of `result`."""
    result = result or kind
    loads = "\n".join(
        f"""
  %p{n} = tt.splat %{n}p : !tt.ptr<{kind}> -> tensor<{size}x!tt.ptr<{kind}>>
  %q{n} = tt.addptr %p{n}, %i : tensor<{size}x!tt.ptr<{kind}>>, tensor<{size}xi32>
  %{n} = tt.load %q{n} : tensor<{size}x!tt.ptr<{kind}>>"""
        for n in "xyz"
    )
    body = body.replace("T!", f"tensor<{size}x{kind}>").replace("R!", f"tensor<{size}x{result}>")
    return f"""
tt.func public @kernel(%xp: !tt.ptr<{kind}>, %yp: !tt.ptr<{kind}>, %zp: !tt.ptr<{kind}>,
                       %out: !tt.ptr<{result}>) {{
  %i = tt.make_range {{end = {size} : i32, start = 0 : i32}} : tensor<{size}xi32>
{loads}
{body}
  %po = tt.splat %out : !tt.ptr<{result}> -> tensor<{size}x!tt.ptr<{result}>>
  %qo = tt.addptr %po, %i : tensor<{size}x!tt.ptr<{result}>>, tensor<{size}xi32>
  tt.store %qo, %v : tensor<{size}x!tt.ptr<{result}>>
  tt.return
}}
"""


FLOATS = {
    "clampf": "%v = tt.clampf %x, %y, %z, propagateNan = none : T!",
    "clampf that keeps NaN": "%v = tt.clampf %x, %y, %z, propagateNan = all : T!",
    "fma": "%v = math.fma %x, %y, %z : T!",
    "precise": "%a = tt.precise_divf %x, %y : T!\n  %v = tt.precise_sqrt %a : T!",
    "select": "%c = arith.cmpf ogt, %x, %y : T!\n"
    "  %v = arith.select %c, %x, %z : tensor<16xi1>, T!",
    "constant": "%c = arith.constant dense<1.5> : T!\n  %v = arith.mulf %x, %c : T!",
    "constant of many values": "%c = arith.constant dense<[1.,2.,3.,4.,5.,6.,7.,8.,"
    "9.,10.,11.,12.,13.,14.,15.,16.]> : T!\n  %v = arith.mulf %x, %c : T!",
    "bitcast": "%a = tt.bitcast %x : T! -> tensor<16xi32>\n"
    "  %b = arith.xori %a, %i : tensor<16xi32>\n  %v = tt.bitcast %b : tensor<16xi32> -> T!",
    "reshape": "%a = tt.reshape %x : T! -> tensor<2x8xf32>\n"
    "  %b = tt.trans %a {order = array<i32: 1, 0>} : tensor<2x8xf32> -> tensor<8x2xf32>\n"
    "  %v = tt.reshape %b : tensor<8x2xf32> -> T!",
    "join and split": "%a = tt.join %x, %y : T! -> tensor<16x2xf32>\n"
    "  %b, %c = tt.split %a : tensor<16x2xf32> -> T!\n  %v = arith.subf %c, %b : T!",
    "cat": "%a = tt.cat %x, %y : T! -> tensor<32xf32>\n"
    "  %b = tt.reshape %a : tensor<32xf32> -> tensor<16x2xf32>\n"
    "  %c, %v = tt.split %b : tensor<16x2xf32> -> T!",
    "gather": "%k = arith.constant dense<5> : tensor<16xi32>\n"
    "  %a = arith.muli %i, %k : tensor<16xi32>\n  %n = arith.constant dense<16> : tensor<16xi32>\n"
    "  %b = arith.remui %a, %n : tensor<16xi32>\n"
    "  %v = tt.gather %x[%b] {axis = 0 : i32} : (T!, tensor<16xi32>) -> T!",
    "map_elementwise": '%v = "tt.map_elementwise"(%x, %y) <{pack = 1 : i32}> ({\n'
    "  ^bb0(%a: f32, %b: f32):\n    %c = arith.addf %a, %b : f32\n"
    "    tt.map_elementwise.return %c : f32\n  }) : (T!, T!) -> T!",
    "map_elementwise of four": '%v = "tt.map_elementwise"(%x) <{pack = 4 : i32}> ({\n'
    "  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):\n    %e = arith.addf %a, %b : f32\n"
    "    tt.map_elementwise.return %e, %a, %d, %c : f32, f32, f32, f32\n  }) : (T!) -> T!",
    "map_elementwise that branches": '%v = "tt.map_elementwise"(%x, %y) <{pack = 1 : i32}> ({\n'
    "  ^bb0(%a: f32, %b: f32):\n    %c = arith.cmpf olt, %a, %b : f32\n"
    "    cf.cond_br %c, ^bb1, ^bb2\n"
    "  ^bb1:\n    tt.map_elementwise.return %a : f32\n"
    "  ^bb2:\n    %d = arith.mulf %a, %b : f32\n    tt.map_elementwise.return %d : f32\n"
    "  }) : (T!, T!) -> T!",
    "print": 'tt.print " x: " {hex = false, isSigned = array<i32: 0>} : %x : T!\n'
    "  %v = arith.addf %x, %y : T!",
}


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize("fold", [False, True])
def test_ops_on_floats(name: str, fold: bool, same: Same) -> None:
    same(elementwise("  " + FLOATS[name]), fold_splats=fold)


INTEGERS = {
    "mulhi": "%v = tt.mulhiui %x, %y : T!",
    "shift": "%c = arith.constant dense<3> : T!\n  %v = arith.shrsi %x, %c : T!",
    "histogram": "%c = arith.constant dense<15> : T!\n  %a = arith.andi %x, %c : T!\n"
    "  %v = tt.histogram %a : T! -> T!",
    "masked histogram": "%c = arith.constant dense<31> : T!\n  %a = arith.andi %x, %c : T!\n"
    "  %m = arith.cmpi sgt, %y, %z : T!\n  %v = tt.histogram %a, %m : T! -> T!",
}


@pytest.mark.parametrize("name", INTEGERS)
def test_ops_on_integers(name: str, same: Same) -> None:
    # A branch would carry whole tensors.
    assert "scf.if" not in same(elementwise("  " + INTEGERS[name], "i32"))


@pytest.mark.parametrize("symbol", ["__nv_expf", "__nv_powf", "__nv_fmaf", "__nv_rsqrtf"])
def test_functions_of_libdevice_become_ops_of_math(symbol: str, same: Same) -> None:
    count = {"__nv_powf": 2, "__nv_fmaf": 3}.get(symbol, 1)
    operands = ", ".join(("%x", "%y", "%z")[:count])
    types = ", ".join(["T!"] * count)
    body = (
        f'  %v = tt.extern_elementwise {operands} {{libname = "", libpath = "", pure = true, '
        f'symbol = "{symbol}"}} : ({types}) -> T!'
    )
    lowered = same(elementwise(body))
    assert "call" not in lowered


@pytest.mark.parametrize("symbol", ["__nv_lgammaf", "__ocml_lgamma_f32", "some_function"])
def test_other_functions_are_called_by_name(symbol: str, same: Same) -> None:
    body = (
        '  %v = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, '
        f'symbol = "{symbol}"}} : (T!) -> T!'
    )
    lowered = same(elementwise(body))
    assert f"func.func private @{symbol}(f32) -> f32" in lowered


ARGMAX = """
  %c:2 = "tt.reduce"(%x, %i) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %ai: i32, %b: i32, %bi: i32):
    %same = arith.cmpi eq, %a, %b : i32
    %first = arith.cmpi slt, %ai, %bi : i32
    %tie = arith.andi %same, %first : i1
    %more = arith.cmpi sgt, %a, %b : i32
    %left = arith.ori %more, %tie : i1
    %r = arith.select %left, %a, %b : i32
    %ri = arith.select %left, %ai, %bi : i32
    tt.reduce.return %r, %ri : i32, i32
  }) : (T!, T!) -> (i32, i32)
  %v = tt.splat %c#1 : i32 -> T!"""


def test_argmax_breaks_ties_to_the_left(run_both: Callable[..., list[Any]]) -> None:
    values = np.array([3, 9, 1, 9] * 4, np.int32)
    arrays = [values, values, values, np.zeros(16, np.int32)]
    for result in run_both(elementwise(ARGMAX, "i32"), *arrays):
        assert result[0] == 1


@pytest.mark.parametrize(
    ("kind", "result"), [("f16", "f32"), ("bf16", "f32"), ("f32", "f32"), ("i8", "i32")]
)
@pytest.mark.parametrize("batch", [False, True])
def test_dot(kind: str, result: str, batch: bool, same: Same) -> None:
    def shape(rows: int, columns: int) -> str:
        return f"tensor<{'2x' if batch else ''}{rows}x{columns}x"

    size = "32" if batch else "16"
    text = f"""
tt.func public @kernel(%ap: !tt.ptr<{kind}>, %bp: !tt.ptr<{kind}>, %cp: !tt.ptr<{result}>) {{
  %i = tt.make_range {{end = {size} : i32, start = 0 : i32}} : tensor<{size}xi32>
  %sa = tt.splat %ap : !tt.ptr<{kind}> -> tensor<{size}x!tt.ptr<{kind}>>
  %pa = tt.addptr %sa, %i : tensor<{size}x!tt.ptr<{kind}>>, tensor<{size}xi32>
  %xa = tt.load %pa : tensor<{size}x!tt.ptr<{kind}>>
  %a = tt.reshape %xa : tensor<{size}x{kind}> -> {shape(4, 4)}{kind}>
  %sb = tt.splat %bp : !tt.ptr<{kind}> -> tensor<{size}x!tt.ptr<{kind}>>
  %pb = tt.addptr %sb, %i : tensor<{size}x!tt.ptr<{kind}>>, tensor<{size}xi32>
  %xb = tt.load %pb : tensor<{size}x!tt.ptr<{kind}>>
  %b = tt.reshape %xb : tensor<{size}x{kind}> -> {shape(4, 4)}{kind}>
  %sc = tt.splat %cp : !tt.ptr<{result}> -> tensor<{size}x!tt.ptr<{result}>>
  %pc = tt.addptr %sc, %i : tensor<{size}x!tt.ptr<{result}>>, tensor<{size}xi32>
  %xc = tt.load %pc : tensor<{size}x!tt.ptr<{result}>>
  %c = tt.reshape %xc : tensor<{size}x{result}> -> {shape(4, 4)}{result}>
  %d = tt.dot %a, %b, %c : {shape(4, 4)}{kind}> * {shape(4, 4)}{kind}> -> {shape(4, 4)}{result}>
  %v = tt.reshape %d : {shape(4, 4)}{result}> -> tensor<{size}x{result}>
  tt.store %pc, %v : tensor<{size}x!tt.ptr<{result}>>
  tt.return
}}
"""
    lowered = same(text, tolerance=1e-5)
    assert ("linalg.batch_matmul" if batch else "linalg.matmul") in lowered


@pytest.mark.parametrize("scaled", ["both", "left", "none"])
@pytest.mark.parametrize(("a", "b"), [("e2m1", "e2m1"), ("e4m3", "e5m2"), ("e2m1", "bf16")])
def test_dot_scaled(a: str, b: str, scaled: str, same: Same) -> None:
    packs = {"e2m1": ("i8", 2), "e4m3": ("f8E4M3FN", 1), "e5m2": ("f8E5M2", 1), "bf16": ("bf16", 1)}
    (ak, ap), (bk, bp) = packs[a], packs[b]
    left = f"tensor<4x{32 // ap}x{ak}>"
    right = f"tensor<{32 // bp}x4x{bk}>"
    scales = {"both": (True, b != "bf16"), "left": (True, False), "none": (False, False)}[scaled]
    said_a = " scale %sa_" if scales[0] else ""
    said_b = " scale %sb_" if scales[1] else ""
    scale_a = ", tensor<4x1xi8>" if scales[0] else ""
    scale_b = ", tensor<4x1xi8>" if scales[1] else ""

    def loaded(name: str, kind: str, rows: int, columns: int, pointer: str) -> str:
        n = rows * columns
        return f"""
  %{name}i = tt.make_range {{end = {n} : i32, start = 0 : i32}} : tensor<{n}xi32>
  %{name}s = tt.splat {pointer} : !tt.ptr<{kind}> -> tensor<{n}x!tt.ptr<{kind}>>
  %{name}p = tt.addptr %{name}s, %{name}i : tensor<{n}x!tt.ptr<{kind}>>, tensor<{n}xi32>
  %{name}x = tt.load %{name}p : tensor<{n}x!tt.ptr<{kind}>>
  %{name} = tt.reshape %{name}x : tensor<{n}x{kind}> -> tensor<{rows}x{columns}x{kind}>"""

    text = f"""
tt.func public @kernel(%pa: !tt.ptr<{ak}>, %pb: !tt.ptr<{bk}>, %ps: !tt.ptr<i8>,
                       %pc: !tt.ptr<f32>) {{
{loaded("a", ak, 4, 32 // ap, "%pa")}
{loaded("b", bk, 32 // bp, 4, "%pb")}
{loaded("sa_", "i8", 4, 1, "%ps")}
{loaded("sb_", "i8", 4, 1, "%ps")}
{loaded("c", "f32", 4, 4, "%pc")}
  %d = tt.dot_scaled %a{said_a}, %b{said_b}, %c lhs = {a} rhs = {b} {{fastMath = false}}
      : {left}{scale_a} * {right}{scale_b} -> tensor<4x4xf32>
  %v = tt.reshape %d : tensor<4x4xf32> -> tensor<16xf32>
  tt.store %cp, %v : tensor<16x!tt.ptr<f32>>
  tt.return
}}
"""
    # With scales beyond 2^100 it depends on the order of the factors what overflows.
    same(text, tolerance=1e-5, count=2)


@pytest.mark.parametrize(
    ("rmw", "kind"),
    [
        ("fadd", "f32"),
        ("add", "i32"),
        ("max", "i32"),
        ("umin", "i32"),
        ("xor", "i32"),
        ("exch", "i32"),
    ],
)
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("used", [False, True])
def test_atomics(rmw: str, kind: str, masked: bool, used: bool, same: Same) -> None:
    mask = ", %m" if masked else ""
    mask_type = ", tensor<16xi1>" if masked else ""
    store = "tt.store %far, %old : tensor<16x!tt.ptr<T>>" if used else ""
    text = f"""
tt.func public @kernel(%p: !tt.ptr<T>, %q: !tt.ptr<T>, %n: i32) {{
  %i = tt.make_range {{end = 16 : i32, start = 0 : i32}} : tensor<16xi32>
  %sn = tt.splat %n : i32 -> tensor<16xi32>
  %m = arith.cmpi slt, %i, %sn : tensor<16xi32>
  %sp = tt.splat %p : !tt.ptr<T> -> tensor<16x!tt.ptr<T>>
  %in = tt.addptr %sp, %i : tensor<16x!tt.ptr<T>>, tensor<16xi32>
  %x = tt.load %in : tensor<16x!tt.ptr<T>>
  %sq = tt.splat %q : !tt.ptr<T> -> tensor<16x!tt.ptr<T>>
  %out = tt.addptr %sq, %i : tensor<16x!tt.ptr<T>>, tensor<16xi32>
  %old = tt.atomic_rmw {rmw}, acq_rel, gpu, %out, %x{mask}
      : (tensor<16x!tt.ptr<T>>, tensor<16xT>{mask_type}) -> tensor<16xT>
  %k = arith.constant dense<4096> : tensor<16xi32>
  %far = tt.addptr %out, %k : tensor<16x!tt.ptr<T>>, tensor<16xi32>
  {store}
  tt.return
}}
""".replace("T>", f"{kind}>").replace("xT", f"x{kind}")
    lowered = same(text, given={2: 9})
    assert "memref.atomic_rmw" in lowered
    assert "tt.sem" in lowered


INLINE_ASM = """
tt.func public @kernel(%x: tensor<8xi32>) -> tensor<8xi32> {
  %v = tt.elementwise_inline_asm "shl.b32 $0, $1, 3;"
      {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : tensor<8xi32> -> tensor<8xi32> loc("file.py":7:3)
  tt.return %v : tensor<8xi32>
}
"""


def test_inline_assembly_is_refused_with_its_place(lower: Callable[..., str]) -> None:
    with pytest.raises(PassFailure, match="cannot lower inline assembly") as found:
        lower(INLINE_ASM)
    assert str(found.value.position) == "file.py:7:3"
    assert "shl.b32" in found.value.message


ASSERT = """
tt.func public @kernel(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {
  %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %sp = tt.splat %p : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
  %in = tt.addptr %sp, %i : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
  %x = tt.load %in : tensor<8x!tt.ptr<i32>>
  %y = arith.cmpi eq, %x, %x : tensor<8xi32>
  tt.assert %y, "x is not x" : tensor<8xi1>
  %sq = tt.splat %q : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
  %out = tt.addptr %sq, %i : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
  tt.store %out, %x : tensor<8x!tt.ptr<i32>>
  tt.return
}
"""


def test_assertions_are_checked_element_by_element(same: Same) -> None:
    assert 'cf.assert %in, "Assertion `x is not x` failed"' in same(ASSERT) or "cf.assert" in same(
        ASSERT
    )


def test_arguments_may_be_ranked(same: Same) -> None:
    lowered = same(elementwise("  %v = arith.addf %x, %y : T!"), ranked_arguments=True)
    assert "memref<?xf32>" in lowered
    assert "memref<*x" not in lowered


REDUCED = """
tt.func public @kernel(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
  %i = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %pi = tt.addptr %ps, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %x = tt.load %pi : tensor<16x!tt.ptr<f32>>
  %y = tt.fp_to_fp %x, rounding = rtne : tensor<16xf32> -> tensor<16xKIND>
  %r = "tt.reduce"(%y) <{axis = 0 : i32}> ({
  ^bb0(%a: KIND, %b: KIND):
    %m = arith.maximumf %a, %b : KIND
    tt.reduce.return RESULT : KIND
  }) : (tensor<16xKIND>) -> KIND
  %z = tt.fp_to_fp %r : KIND -> f32
  tt.store %q, %z : !tt.ptr<f32>
  tt.return
}
"""


@pytest.mark.parametrize("kind", ["f8E4M3FN", "f8E5M2", "f8E4M3FNUZ"])
def test_the_largest_of_a_type_without_infinities(kind: str, same: Same) -> None:
    same(REDUCED.replace("RESULT", "%m").replace("KIND", kind))


def test_a_combiner_with_an_op_that_does_nothing() -> None:
    """The combiner returns the later operand; its maximum is nobody's."""
    text = REDUCED.replace("RESULT", "%b").replace("KIND", "f16")
    original, rewritten = (parse_module(text, context()) for _ in range(2))
    TritonArithToLinalgPass().apply(context(), rewritten)
    assert check_equivalent(original, rewritten)
