"""Reductions: every loop order, extents that vectors do not divide, any combiner."""

import re
from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import kernel_text
from xtriton.cpu import jit
from xtriton.cpu.emitter import emit_kernel
from xtriton.cpu.target import Target, host

RNG = np.random.default_rng(1)
NUMPY = {"f16": np.float16, "f32": np.float32, "i32": np.int32, "i8": np.int8}


def load(name: str, pointer: str, shape: tuple[int, ...], type: str) -> str:
    """Return ops that make tensor `%name` of what `%pointer` points to."""
    sizes = ", ".join(map(str, shape))
    strides = [int(np.prod(shape[d + 1 :])) for d in range(len(shape))]
    text = "x".join(map(str, shape))
    layout = f"memref<{text}x{type}, strided<{strides}>>"
    return f"""
    %{name}_view = memref.reinterpret_cast %{pointer} to offset: [0], sizes: [{sizes}], strides: {strides} : memref<*x{type}> to {layout}
    %{name} = bufferization.to_tensor %{name}_view restrict : {layout} to tensor<{text}x{type}>
"""


def store(name: str, pointer: str, shape: tuple[int, ...], type: str) -> str:
    """Return ops that write tensor `%name` to where `%pointer` points."""
    sizes = ", ".join(map(str, shape))
    strides = [int(np.prod(shape[d + 1 :])) for d in range(len(shape))]
    text = "x".join(map(str, shape))
    layout = f"memref<{text}x{type}, strided<{strides}>>"
    return f"""
    %{pointer}_view = memref.reinterpret_cast %{pointer} to offset: [0], sizes: [{sizes}], strides: {strides} : memref<*x{type}> to {layout}
    bufferization.materialize_in_destination %{name} in writable %{pointer}_view : (tensor<{text}x{type}>, {layout}) -> ()
"""


def tensor(shape: tuple[int, ...], type: str) -> str:
    return f"tensor<{'x'.join([*map(str, shape), type])}>"


SHAPES = [
    ((64,), [0]),
    ((1000,), [0]),
    ((3,), [0]),
    ((16, 32), [1]),
    ((16, 32), [0]),
    ((5, 67), [1]),
    ((5, 67), [0]),
    ((4, 6, 40), [1]),
    ((4, 6, 40), [0, 2]),
    ((4, 6, 40), [1, 2]),
    ((4, 6, 40), [0, 1]),
    ((4, 1, 40), [1]),
    ((7, 1), [0]),
    ((8, 130), [0]),
    ((7, 256), [0]),
    ((3, 6, 130), [0, 1]),
    ((5, 3, 130), [0]),
]


def reduce_body(shape: tuple[int, ...], dims: list[int], op: str, type: str, initial: str) -> str:
    kept = tuple(s for d, s in enumerate(shape) if d not in dims)
    out = kept or (1,)
    result = "%r"
    body = (
        load("t", "x", shape, type)
        + f"""
    %c = arith.constant {initial} : {type}
    %e = tensor.empty() : {tensor(kept, type)}
    %f = linalg.fill ins(%c : {type}) outs(%e : {tensor(kept, type)}) -> {tensor(kept, type)}
    %r = linalg.reduce {{ {op} }} ins(%t : {tensor(shape, type)}) outs(%f : {tensor(kept, type)}) dimensions = {dims}
"""
    )
    if not kept:
        body += f"""
    %s = tensor.extract %r[] : tensor<{type}>
    %one = tensor.from_elements %s : tensor<1x{type}>
"""
        result = "%one"
    return body + store(result[1:], "o", out, type)


@pytest.mark.parametrize("shape, dims", SHAPES)
@pytest.mark.parametrize(
    "op, type, initial",
    [
        ("arith.addf", "f32", "1.0"),
        ("arith.maximumf", "f32", "0.5"),
        ("arith.maxnumf", "f32", "-100.0"),
        ("arith.minnumf", "f32", "0.0"),
        ("arith.addi", "i32", "3"),
        ("arith.xori", "i8", "5"),
        ("arith.maxsi", "i32", "-4"),
    ],
)
def test_reduce(
    check: Any, shape: tuple[int, ...], dims: list[int], op: str, type: str, initial: str
):
    kept = tuple(s for d, s in enumerate(shape) if d not in dims) or (1,)
    # Whole numbers, so that any order of summing gives the same.
    x = np.rint(RNG.normal(0, 30, shape)).astype(NUMPY[type])
    body = reduce_body(shape, dims, op, type, initial)
    arguments = f"%x: memref<*x{type}>, %o: memref<*x{type}>"
    check(arguments, body, [x, np.zeros(kept, NUMPY[type])])


@pytest.mark.parametrize("op", ["arith.maxnumf", "arith.minnumf", "arith.maximumf"])
@pytest.mark.parametrize("shape", [(8, 16), (12, 5), (11, 130)])
def test_extrema_of_columns(check: Any, op: str, shape: tuple[int, int]):
    """Numbers win over NaN in `maxnumf` and `minnumf`, NaN wins in `maximumf`."""
    m, n = shape
    whole, rest = tensor(shape, "f32"), tensor((m - 1, n), "f32")
    row = tensor((n,), "f32")
    body = (
        load("t", "x", shape, "f32")
        + f"""
    %first = tensor.extract_slice %t[0, 0] [1, {n}] [1, 1] : {whole} to {row}
    %rest = tensor.extract_slice %t[1, 0] [{m - 1}, {n}] [1, 1] : {whole} to {rest}
    %r = linalg.reduce {{ {op} }} ins(%rest : {rest}) outs(%first : {row}) dimensions = [0]
"""
        + store("r", "o", (n,), "f32")
    )
    x = RNG.normal(size=shape).astype(np.float32)
    x[1, 3] = x[5, 3] = x[0, 4] = np.nan
    arguments = "%x: memref<*xf32>, %o: memref<*xf32>"
    check(arguments, body, [x, np.zeros(n, np.float32)], optimization=3)


def test_signed_maximum_of_zero_extended_values(check: Any):
    """Of those that win in each column; LLVM may not take it in the bits before extension."""
    narrow, wide = tensor((8, 8), "i16"), tensor((8, 8), "i64")
    keys, values = tensor((8,), "i16"), tensor((8,), "i64")
    body = (
        load("t", "x", (8, 8), "i16")
        + f"""
    %empty = tensor.empty() : {wide}
    %squares = linalg.generic {{indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}} ins(%t : {narrow}) outs(%t : {narrow}) {{
    ^bb0(%a: i16, %old: i16):
      %s = arith.muli %a, %a : i16
      linalg.yield %s : i16
    }} -> {narrow}
    %w = linalg.generic {{indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}} ins(%t : {narrow}) outs(%empty : {wide}) {{
    ^bb0(%a: i16, %old: i64):
      %s = arith.extui %a : i16 to i64
      linalg.yield %s : i64
    }} -> {wide}
    %key = tensor.extract_slice %squares[0, 0] [1, 8] [1, 1] : {narrow} to {keys}
    %value = tensor.extract_slice %w[0, 0] [1, 8] [1, 1] : {wide} to {values}
    %rest = tensor.extract_slice %squares[1, 0] [7, 8] [1, 1] : {narrow} to tensor<7x8xi16>
    %others = tensor.extract_slice %w[1, 0] [7, 8] [1, 1] : {wide} to tensor<7x8xi64>
    %won:2 = linalg.reduce ins(%rest, %others : tensor<7x8xi16>, tensor<7x8xi64>) outs(%key, %value : {keys}, {values}) dimensions = [0]
      (%a: i16, %b: i64, %c: i16, %d: i64) {{
        %greater = arith.cmpi sgt, %c, %a : i16
        %equal = arith.cmpi eq, %c, %a : i16
        %less = arith.cmpi slt, %d, %b : i64
        %tie = arith.andi %equal, %less : i1
        %keep = arith.ori %greater, %tie : i1
        %k = arith.select %keep, %c, %a : i16
        %v = arith.select %keep, %d, %b : i64
        linalg.yield %k, %v : i16, i64
      }}
    %least = arith.constant -9223372036854775808 : i64
    %e = tensor.empty() : tensor<i64>
    %f = linalg.fill ins(%least : i64) outs(%e : tensor<i64>) -> tensor<i64>
    %m = linalg.reduce {{ arith.maxsi }} ins(%won#1 : {values}) outs(%f : tensor<i64>) dimensions = [0]
    %r = tensor.extract %m[] : tensor<i64>
    %one = tensor.from_elements %r : tensor<1xi64>
"""
        + store("one", "o", (1,), "i64")
    )
    x = RNG.integers(-20, 20, (8, 8)).astype(np.int16)
    x[:, 2] = -17
    arguments = "%x: memref<*xi16>, %o: memref<*xi64>"
    (_, o) = check(arguments, body, [x, np.zeros(1, np.int64)], optimization=3)
    assert o[0] > 1 << 15


def test_sum_of_half_is_kept_in_single(native: Any):
    x = np.full(2048, 1.0, np.float16)
    x[0] = 2048.0
    body = reduce_body((2048,), [0], "arith.addf", "f16", "0.0")
    (_, o) = native("%x: memref<*xf16>, %o: memref<*xf16>", body, [x, np.zeros(1, np.float16)])
    assert o[0] == np.float16(4095.0)  # in f16 the sum would stick at 2048


@pytest.mark.parametrize("shape", [(1024,), (37,), (4, 64)])
def test_reduce_from_the_first_slice(check: Any, shape: tuple[int, ...]):
    """The initial value is the first slice, which must count once and keep NaN rules."""
    *rows, n = shape
    kept = tuple(rows)
    zeros, ones = ", ".join("0" for _ in shape), ", ".join("1" for _ in shape)
    last = ", ".join(["0"] * len(rows) + ["1"])
    sizes = ", ".join([*map(str, rows), str(n - 1)])
    first = ", ".join([*map(str, rows), "1"])
    rest = tensor((*rows, n - 1), "f32")
    body = (
        load("t", "x", shape, "f32")
        + f"""
    %first = tensor.extract_slice %t[{zeros}] [{first}] [{ones}] : {tensor(shape, "f32")} to {tensor(kept, "f32")}
    %rest = tensor.extract_slice %t[{last}] [{sizes}] [{ones}] : {tensor(shape, "f32")} to {rest}
    %r = linalg.reduce {{ arith.addf }} ins(%rest : {rest}) outs(%first : {tensor(kept, "f32")}) dimensions = [{len(rows)}]
"""
    )
    if kept:
        body += store("r", "o", kept, "f32")
    else:
        body += (
            "%s = tensor.extract %r[] : tensor<f32>\n%q = tensor.from_elements %s : tensor<1xf32>"
        )
        body += store("q", "o", (1,), "f32")
    x = RNG.normal(size=shape).astype(np.float32)
    o = np.zeros(kept or (1,), np.float32)
    check("%x: memref<*xf32>, %o: memref<*xf32>", body, [x, o], rtol=1e-5)


ARGMAX = "%x: memref<*xf32>, %y: memref<*xi32>, %o: memref<*xi32>"


GREATER_OR_NAN = """
        %order = arith.cmpf ogt, %old, %new : f32
        %nan = arith.cmpf une, %old, %old : f32
        %keep = arith.ori %order, %nan : i1
"""
LESSER_OR_NAN = """
        %nan = arith.cmpf uno, %old, %old : f32
        %order = arith.cmpf oge, %new, %old : f32
        %keep = arith.ori %nan, %order : i1
"""
OTHER_IS_NAN = """
        %order = arith.cmpf ogt, %old, %new : f32
        %nan = arith.cmpf une, %new, %new : f32
        %keep = arith.ori %order, %nan : i1
"""


@pytest.mark.parametrize(
    "type, keeps, by_halves",
    [
        ("f32", GREATER_OR_NAN, False),
        ("f32", LESSER_OR_NAN, False),
        ("i32", "%keep = arith.cmpi ule, %old, %new : i32", False),
        ("f32", "%keep = arith.cmpf ogt, %old, %new : f32", True),
        ("f32", "%keep = arith.cmpf ugt, %old, %new : f32", True),
        ("f32", OTHER_IS_NAN, True),
        ("i32", "%keep = arith.cmpi eq, %old, %new : i32", True),
    ],
)
def test_extrema_by_choice(check: Any, type: str, keeps: str, by_halves: bool):
    """As Inductor writes them; where NaN is not kept, the order decides."""
    n = 512
    rest = tensor((n - 1,), type)
    body = (
        load("t", "x", (n,), type)
        + f"""
    %first = tensor.extract_slice %t[0] [1] [1] : {tensor((n,), type)} to tensor<{type}>
    %rest = tensor.extract_slice %t[1] [{n - 1}] [1] : {tensor((n,), type)} to {rest}
    %reduced = linalg.reduce ins(%rest : {rest}) outs(%first : tensor<{type}>) dimensions = [0]
      (%new: {type}, %old: {type}) {{
        {keeps}
        %kept = arith.select %keep, %old, %new : {type}
        linalg.yield %kept : {type}
      }}
    %number = tensor.extract %reduced[] : tensor<{type}>
    %r = tensor.from_elements %number : {tensor((1,), type)}
"""
        + store("r", "o", (1,), type)
    )
    arguments = f"%x: memref<*x{type}>, %o: memref<*x{type}>"
    module = xtriton.parse(kernel_text(arguments, body))
    assert (f"lshr i64 {n // 2}," in emit_kernel(module, host()).text) == by_halves
    x = RNG.normal(0, 30, n).astype(NUMPY[type])
    check(arguments, body, [x, np.zeros(1, NUMPY[type])], optimization=3)
    if type == "f32":
        for nan in (0, 77, 300, n - 1):
            x[nan] = np.nan
            check(arguments, body, [x, np.zeros(1, NUMPY[type])])


def argmax_body(shape: tuple[int, ...], dim: int) -> str:
    kept = tuple(s for d, s in enumerate(shape) if d != dim)
    out = kept or (1,)
    f, i = tensor(shape, "f32"), tensor(shape, "i32")
    kf, ki = tensor(kept, "f32"), tensor(kept, "i32")
    body = (
        load("t", "x", shape, "f32")
        + load("n", "y", shape, "i32")
        + f"""
    %low = arith.constant 0xFF800000 : f32
    %none = arith.constant -1 : i32
    %ef = tensor.empty() : {kf}
    %ei = tensor.empty() : {ki}
    %ff = linalg.fill ins(%low : f32) outs(%ef : {kf}) -> {kf}
    %fi = linalg.fill ins(%none : i32) outs(%ei : {ki}) -> {ki}
    %r:2 = linalg.reduce ins(%t, %n : {f}, {i}) outs(%ff, %fi : {kf}, {ki}) dimensions = [{dim}]
      (%a: f32, %ai: i32, %b: f32, %bi: i32) {{
        %greater = arith.cmpf ogt, %a, %b : f32
        %equal = arith.cmpf oeq, %a, %b : f32
        %smaller = arith.cmpi slt, %ai, %bi : i32
        %tie = arith.andi %equal, %smaller : i1
        %take = arith.ori %greater, %tie : i1
        %m = arith.select %take, %a, %b : f32
        %mi = arith.select %take, %ai, %bi : i32
        linalg.yield %m, %mi : f32, i32
      }}
"""
    )
    if kept:
        body += store("r#1", "o", out, "i32")
    else:
        body += (
            "%s = tensor.extract %r#1[] : tensor<i32>\n%q = tensor.from_elements %s : tensor<1xi32>"
        )
        body += store("q", "o", out, "i32")
    return body


@pytest.mark.parametrize("shape, dim", [((256,), 0), ((5,), 0), ((8, 48), 1), ((8, 48), 0)])
def test_argmax(check: Any, shape: tuple[int, ...], dim: int):
    """Two results at once, ties to the smaller index."""
    out = tuple(s for d, s in enumerate(shape) if d != dim) or (1,)
    x = RNG.integers(0, 9, shape).astype(np.float32)
    y = np.broadcast_to(
        np.arange(shape[dim]).reshape([-1 if d == dim else 1 for d in range(len(shape))]), shape
    )
    values = [x, np.ascontiguousarray(y, np.int32), np.zeros(out, np.int32)]
    found = check(ARGMAX, argmax_body(shape, dim), values)
    np.testing.assert_array_equal(found[2].reshape(x.argmax(dim).shape), x.argmax(dim))


ZEN = Target("x86_64-unknown-linux-gnu", "znver3", 256, 16, fma=True, half=True)
WIDE = Target("x86_64-unknown-linux-gnu", "skylake-avx512", 512, 32, fma=True, half=True)


@pytest.mark.skipif(not host().triple.startswith("x86_64"), reason="LLVM has this target there")
@pytest.mark.parametrize("kind", ["maximum", "position"])
def test_reductions_store_without_masks(kind: str, monkeypatch: pytest.MonkeyPatch):
    """Where old and new are selected, LLVM would store under a mask, which takes Zen long."""
    # As in a long kernel, where loops are not unrolled.
    monkeypatch.setattr(jit, "SHORT_TEXT", 0)
    arguments, body = ARGMAX, argmax_body((1024,), 0)
    if kind == "maximum":
        body = reduce_body((1024,), [0], "arith.maxnumf", "f32", "-100.0")
        arguments = "%x: memref<*xf32>, %o: memref<*xf32>"
    module = xtriton.parse(kernel_text(arguments, body))
    text = jit.assembly(emit_kernel(module, ZEN, None).text, target=ZEN)
    assert "vcmp" in text
    assert "vmaskmov" not in text


@pytest.mark.skipif(not host().triple.startswith("x86_64"), reason="LLVM has this target there")
@pytest.mark.parametrize("combiner", ["arith.addf", "arith.maxnumf"])
@pytest.mark.parametrize("shape", [(8192,), (2, 256)])
@pytest.mark.parametrize("target", [ZEN, WIDE], ids=["AVX2", "AVX-512"])
def test_partial_results_of_a_row_stay_in_registers(
    combiner: str, shape: tuple[int, ...], target: Target
):
    body = reduce_body(shape, [len(shape) - 1], combiner, "f32", "0.0")
    module = xtriton.parse(kernel_text("%x: memref<*xf32>, %o: memref<*xf32>", body))
    text = jit.assembly(emit_kernel(module, target, None).text, target=target)
    loops = re.findall(r"^(\.LBB\w+):\n((?:\t.*\n)*?)\tj\w+\t\1$", text, re.MULTILINE)
    combining = [lines for _, lines in loops if re.search(r"v(add|max)ps", lines)]
    assert combining
    assert not any("%rsp" in lines for lines in combining)


@pytest.mark.parametrize("target", [ZEN, WIDE], ids=["AVX2", "AVX-512"])
def test_partial_results_are_one_turn_of_a_loop(target: Target):
    """LLVM would take fewer vectors at a time where more is computed, and keep them in memory."""
    body = reduce_body((2, 256), [1], "arith.addf", "f32", "0.0")
    module = xtriton.parse(kernel_text("%x: memref<*xf32>, %o: memref<*xf32>", body))
    assert '!"llvm.loop.interleave.count", i32 4' in emit_kernel(module, target, None).text


def test_generic_with_product_and_reduction(check: Any):
    """A matrix-vector product as a generic: the body does more than combine."""
    body = (
        load("a", "x", (24, 80), "f32")
        + load("b", "y", (80,), "f32")
        + """
    %c = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<24xf32>
    %f = linalg.fill ins(%c : f32) outs(%e : tensor<24xf32>) -> tensor<24xf32>
    %r = linalg.generic {indexing_maps = [#id2, #column, #row], iterator_types = ["parallel", "reduction"]} ins(%a, %b : tensor<24x80xf32>, tensor<80xf32>) outs(%f : tensor<24xf32>) {
    ^bb0(%p: f32, %q: f32, %acc: f32):
      %m = arith.mulf %p, %q : f32
      %s = arith.addf %m, %acc : f32
      linalg.yield %s : f32
    } -> tensor<24xf32>
"""
        + store("r", "o", (24,), "f32")
    )
    x, y = RNG.normal(size=(24, 80)).astype(np.float32), RNG.normal(size=80).astype(np.float32)
    arguments = "%x: memref<*xf32>, %y: memref<*xf32>, %o: memref<*xf32>"
    check(arguments, body, [x, y, np.zeros(24, np.float32)], rtol=1e-5)
