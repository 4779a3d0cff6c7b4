"""Loads without copies, atomics, booleans: what kernels do to memory."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.unit.cpu.conftest import WHOLE, emitted, whole

RNG = np.random.default_rng(4)


def staged_load(name: str, pointer: str, offset: str, *, other: bool = True) -> str:
    """Return a masked load of up to 64 elements as `structured-to-memref` writes it."""
    fill = f"""
    %{name}_cut = arith.cmpi slt, %len, %c64 : index
    scf.if %{name}_cut {{
      linalg.fill ins(%other : f32) outs(%{name}_alloc : memref<64xf32>)
    }}"""
    return f"""
    %{name}_alloc = memref.alloc() : memref<64xf32>
    {fill if other else ""}
    %{name}_view = memref.reinterpret_cast %{pointer} to offset: [{offset}], sizes: [%len], strides: [1] : memref<*xf32> to memref<?xf32, strided<[1], offset: ?>>
    %{name}_part = memref.subview %{name}_alloc[0] [%len] [1] : memref<64xf32> to memref<?xf32, strided<[1]>>
    memref.copy %{name}_view, %{name}_part : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1]>>
    %{name} = bufferization.to_tensor %{name}_alloc restrict writable : memref<64xf32> to tensor<64xf32>
"""


def masked_store(name: str, pointer: str, offset: str) -> str:
    return f"""
    %{name}_to = memref.reinterpret_cast %{pointer} to offset: [{offset}], sizes: [%len], strides: [1] : memref<*xf32> to memref<?xf32, strided<[1], offset: ?>>
    %{name}_slice = tensor.extract_slice %{name}[0] [%len] [1] : tensor<64xf32> to tensor<?xf32>
    bufferization.materialize_in_destination %{name}_slice in writable %{name}_to : (tensor<?xf32>, memref<?xf32, strided<[1], offset: ?>>) -> ()
"""


PREFIX = """
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %other = arith.constant 7.0 : f32
    %len = arith.index_cast %n : i32 to index
"""


def plus(result: str, a: str, b: str) -> str:
    return f"""
    %{result}_e = tensor.empty() : tensor<64xf32>
    %{result} = linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}} ins(%{a}, %{b} : tensor<64xf32>, tensor<64xf32>) outs(%{result}_e : tensor<64xf32>) {{
    ^bb0(%p: f32, %q: f32, %old: f32):
      %s = arith.addf %p, %q : f32
      linalg.yield %s : f32
    }} -> tensor<64xf32>
"""


ARGUMENTS = "%x: memref<*xf32>, %y: memref<*xf32>, %o: memref<*xf32>, %n: i32"


@pytest.mark.parametrize("n", [0, 1, 63, 64])
def test_masked_load_and_store(check: Any, n: int):
    body = PREFIX + staged_load("a", "x", "0") + staged_load("b", "y", "0") + plus("r", "a", "b")
    x, y = RNG.normal(size=64).astype(np.float32), RNG.normal(size=64).astype(np.float32)
    found = check(
        ARGUMENTS, body + masked_store("r", "o", "0"), [x, y, np.zeros(64, np.float32), n]
    )
    np.testing.assert_array_equal(found[2][:n], (x + y)[:n])


@pytest.mark.parametrize("n", [5, 64])
def test_other_fills_masked_lanes(check: Any, n: int):
    """A reduction sees the lanes that the mask cuts off."""
    body = (
        PREFIX
        + staged_load("a", "x", "0")
        + """
    %f_e = tensor.empty() : tensor<f32>
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%f_e : tensor<f32>) -> tensor<f32>
    %sum = linalg.reduce { arith.addf } ins(%a : tensor<64xf32>) outs(%f : tensor<f32>) dimensions = [0]
    %v = tensor.extract %sum[] : tensor<f32>
    %at = memref.reinterpret_cast %o to offset: [0], sizes: [1], strides: [1] : memref<*xf32> to memref<1xf32, strided<[1]>>
    memref.store %v, %at[%c0] : memref<1xf32, strided<[1]>>
"""
    )
    x = RNG.integers(0, 9, 64).astype(np.float32)
    found = check(ARGUMENTS, body, [x, x, np.zeros(64, np.float32), n])
    assert found[2][0] == x[:n].sum() + 7 * (64 - n)


@pytest.mark.parametrize("rows", [0, 1])
@pytest.mark.parametrize("n", [0, 5, 64])
def test_other_fills_a_row(check: Any, n: int, rows: int):
    """What is not copied of a single row is filled: all of it where there is no row."""
    body = """
    %c0 = arith.constant 0 : index
    %other = arith.constant 7.0 : f32
    %len = arith.index_cast %n : i32 to index
    %many = arith.index_cast %rows : i32 to index
    %alloc = memref.alloc() : memref<1x64xf32>
    linalg.fill ins(%other : f32) outs(%alloc : memref<1x64xf32>)
    %from = memref.reinterpret_cast %x to offset: [0], sizes: [1, 64], strides: [64, 1] : memref<*xf32> to memref<1x64xf32, strided<[64, 1]>>
    %source = memref.subview %from[0, 0] [%many, %len] [1, 1] : memref<1x64xf32, strided<[64, 1]>> to memref<?x?xf32, strided<[64, 1]>>
    %part = memref.subview %alloc[0, 0] [%many, %len] [1, 1] : memref<1x64xf32> to memref<?x?xf32, strided<[64, 1]>>
    memref.copy %source, %part : memref<?x?xf32, strided<[64, 1]>> to memref<?x?xf32, strided<[64, 1]>>
    %a = bufferization.to_tensor %alloc restrict writable : memref<1x64xf32> to tensor<1x64xf32>
    %to = memref.reinterpret_cast %o to offset: [0], sizes: [1, 64], strides: [64, 1] : memref<*xf32> to memref<1x64xf32, strided<[64, 1]>>
    bufferization.materialize_in_destination %a in writable %to : (tensor<1x64xf32>, memref<1x64xf32, strided<[64, 1]>>) -> ()
"""
    x = RNG.normal(size=64).astype(np.float32)
    arguments = "%x: memref<*xf32>, %o: memref<*xf32>, %n: i32, %rows: i32"
    found = check(arguments, body, [x, np.zeros(64, np.float32), n, rows])
    np.testing.assert_array_equal(found[1], np.where(np.arange(64) < n * rows, x, 7))


@pytest.mark.parametrize("n", [0, 5, 64])
def test_masked_lanes_without_other_are_zero(native: Any, n: int):
    body = PREFIX + staged_load("a", "x", "0", other=False) + plus("r", "a", "a")
    body += "    %whole = arith.constant 64 : index\n"
    body += masked_store("r", "o", "0").replace("%len", "%whole")
    x = RNG.normal(size=64).astype(np.float32)
    found = native(ARGUMENTS, body, [x, x, np.ones(64, np.float32), n])
    np.testing.assert_array_equal(found[2], np.where(np.arange(64) < n, 2 * x, 0))


def test_store_to_the_argument_that_was_loaded(check: Any):
    """The load comes first although its value is used after the store."""
    body = PREFIX + staged_load("a", "x", "%c1") + plus("r", "a", "a")
    body += masked_store("a", "x", "0") + masked_store("r", "o", "0")
    x = RNG.normal(size=65).astype(np.float32)
    check(ARGUMENTS, body, [x, x, np.zeros(64, np.float32), 64])


def _overlap_kernel() -> tuple[str, str]:
    body = PREFIX + staged_load("a", "x", "0") + staged_load("b", "y", "0") + plus("r", "a", "b")
    return ARGUMENTS, body + masked_store("r", "o", "0")


@pytest.mark.parametrize("shift", [-3, 0, 3])
def test_arguments_that_overlap(build: Callable[..., Any], shift: int):
    """The whole block is loaded before any of it is stored, whatever arguments share."""
    kernel = build(*_overlap_kernel())
    memory = RNG.normal(size=80).astype(np.float32)
    x, o = memory[8:72], memory[8 + shift : 72 + shift]
    y = RNG.normal(size=64).astype(np.float32)
    expected = x + y
    kernel(1, [x, y, o, 64])
    np.testing.assert_array_equal(o, expected)


def test_whole_blocks_are_not_copied(build: Callable[..., Any]):
    """The buffers of loads are filled only where a mask cuts the block or arguments overlap."""
    text = build(*_overlap_kernel()).code.text
    body = text[: text.index("define i32 @kernel_launch")]
    assert len(re.findall(r"br i1 %\w+, label %then", body)) == 2
    assert "xor i1 %overlap, true" in body


# --- atomics ----------------------------------------------------------------------------

COUNTER = """
    %one = arith.constant 1 : i32
    %at = memref.reinterpret_cast %o to offset: [0], sizes: [1], strides: [1] : memref<*x{type}> to memref<1x{type}, strided<[1]>>
    %c0 = arith.constant 0 : index
"""


@pytest.mark.parametrize(
    "kind, type, expected",
    [
        ("addi", "i32", sum(range(1000))),
        ("maxs", "i32", 999),
        ("ori", "i32", 1023),
        ("addf", "f32", float(sum(range(1000)))),
        ("maximumf", "f32", 999.0),
        ("addf", "f16", 1000.0),
        ("mulf", "f32", 0.0),
    ],
)
def test_atomic_updates(native: Any, kind: str, type: str, expected: float):
    value = "%program_x" if type == "i32" else "%v"
    body = (
        COUNTER.format(type=type)
        + f"""
    %v = arith.sitofp {"%program_x" if type != "f16" else "%one"} : i32 to {type if type != "i32" else "f32"}
    %old = memref.atomic_rmw {kind} {value}, %at[%c0] : ({type}, memref<1x{type}, strided<[1]>>) -> {type}
"""
    )
    start = np.zeros(1, {"i32": np.int32, "f32": np.float32, "f16": np.float16}[type])
    assert native(f"%o: memref<*x{type}>", body, [start], grid=1000)[0][0] == expected


@pytest.mark.parametrize(
    "type, dtype", [("f32", np.float32), ("i64", np.int64), ("f16", np.float16)]
)
def test_generic_atomic_update(native: Any, type: str, dtype: Any):
    """A compare-and-swap loop, for what no instruction does."""
    one = "1.0" if type[0] == "f" else "1"
    add = "addf" if type[0] == "f" else "addi"
    body = (
        COUNTER.format(type=type)
        + f"""
    %old = memref.generic_atomic_rmw %at[%c0] : memref<1x{type}, strided<[1]>> {{
    ^bb0(%before: {type}):
      %unit = arith.constant {one} : {type}
      %after = arith.{add} %before, %unit : {type}
      memref.atomic_yield %after : {type}
    }}
"""
    )
    assert native(f"%o: memref<*x{type}>", body, [np.zeros(1, dtype)], grid=1000)[0][0] == 1000


@pytest.mark.parametrize(
    "code, order",
    [("", "acq_rel"), (1, "monotonic"), (2, "acquire"), (3, "release"), (4, "acq_rel")],
)
@pytest.mark.parametrize("kind", ["addi", "muli"])
def test_order_of_atomics(build: Any, kind: str, code: object, order: str):
    """That of Triton's `sem`; acquire and release where nobody says."""
    said = f" {{tt.sem = {code} : i32}}" if code else ""
    body = COUNTER.format(type="i32") + (
        f"\n    %old = memref.atomic_rmw {kind} %program_x, %at[%c0]{said} : "
        "(i32, memref<1xi32, strided<[1]>>) -> i32"
    )
    text = build("%o: memref<*xi32>", body).code.text
    instruction = "atomicrmw add" if kind == "addi" else "cmpxchg"
    # The program counter of the launcher is an atomic too.
    (line,) = (
        x for x in text.splitlines() if instruction in x and "%next" not in x and "%start" not in x
    )
    assert f" {order}" in line.partition(" i32 ")[2]


# --- other ------------------------------------------------------------------------------


def test_booleans_take_a_byte(check: Any):
    body = """
    %v = memref.reinterpret_cast %m to offset: [0], sizes: [8], strides: [1] : memref<*xi1> to memref<8xi1, strided<[1]>>
    %w = memref.reinterpret_cast %o to offset: [0], sizes: [8], strides: [1] : memref<*xi1> to memref<8xi1, strided<[1]>>
    %t = bufferization.to_tensor %v restrict : memref<8xi1, strided<[1]>> to tensor<8xi1>
    %e = tensor.empty() : tensor<8xi1>
    %true = arith.constant true
    %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%t : tensor<8xi1>) outs(%e : tensor<8xi1>) {
    ^bb0(%p: i1, %q: i1):
      %s = arith.xori %p, %true : i1
      linalg.yield %s : i1
    } -> tensor<8xi1>
    bufferization.materialize_in_destination %r in writable %w : (tensor<8xi1>, memref<8xi1, strided<[1]>>) -> ()
"""
    values = [np.array([1, 0, 0, 1, 1, 1, 0, 0], np.bool_), np.zeros(8, np.bool_)]
    found = check("%m: memref<*xi1>, %o: memref<*xi1>", body, values)
    np.testing.assert_array_equal(found[1], ~found[0])


def test_failed_assertion(build: Callable[..., Any]):
    body = """
    %limit = arith.constant 3 : i32
    %small = arith.cmpi slt, %program_x, %limit : i32
    cf.assert %small, "program id too large"
"""
    kernel = build("", body)
    kernel(3, [])
    with pytest.raises(AssertionError, match="program id too large"):
        kernel(4, [])


def test_large_buffers_lie_in_the_arena(build: Callable[..., Any]):
    """A megabyte of intermediate results on every thread, and none of it on the stack."""
    size = 1 << 18
    body = f"""
    %v = memref.reinterpret_cast %x to offset: [0], sizes: [{size}], strides: [1] : memref<*xf32> to memref<{size}xf32, strided<[1]>>
    %a = memref.alloc() : memref<{size}xf32>
    memref.copy %v, %a : memref<{size}xf32, strided<[1]>> to memref<{size}xf32>
    memref.copy %a, %v : memref<{size}xf32> to memref<{size}xf32, strided<[1]>>
"""
    kernel = build("%x: memref<*xf32>", body)
    assert kernel.code.arena_bytes >= 4 * size
    x = RNG.normal(size=size).astype(np.float32)
    before = x.copy()
    kernel(4, [x])
    np.testing.assert_array_equal(x, before)


BETWEEN = f"""
    {whole(("ov", "o"))}
    %from = arith.index_cast %n : i32 to index
    %count = arith.index_cast %m : i32 to index
    {whole(("xv", "x"))}
    %buffer = memref.alloc() : memref<64xf32>
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%buffer : memref<64xf32>)
    %source = memref.subview %xv[%from] [%count] [1] : {WHOLE} to memref<?xf32, strided<[1], offset: ?>>
    %place = memref.subview %buffer[%from] [%count] [1] : memref<64xf32> to memref<?xf32, strided<[1], offset: ?>>
    memref.copy %source, %place : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
    %b = bufferization.to_tensor %buffer restrict writable : memref<64xf32> to tensor<64xf32>
    %r = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel"]}} ins(%b : tensor<64xf32>) outs(%b : tensor<64xf32>) {{
    ^bb0(%p: f32, %old: f32):
      %s = arith.negf %p : f32
      linalg.yield %s : f32
    }} -> tensor<64xf32>
    bufferization.materialize_in_destination %r in writable %ov : (tensor<64xf32>, {WHOLE}) -> ()
"""


@pytest.mark.parametrize(("start", "count"), [(0, 64), (0, 0), (0, 9), (9, 55), (63, 1), (20, 30)])
def test_a_mask_that_begins_anywhere(check: Any, start: int, count: int):
    """If it covers all of a block that is read where it lies."""
    arguments = "%x: memref<*xf32>, %o: memref<*xf32>, %n: i32, %m: i32"
    x = np.arange(1, 65, dtype=np.float32)
    found = check(arguments, BETWEEN, [x, np.zeros(64, np.float32), start, count])[1]
    expected = np.zeros(64, np.float32)
    expected[start : start + count] = -x[start : start + count]
    np.testing.assert_array_equal(found, expected)
    text = emitted(arguments, BETWEEN)
    assert re.search(r"phi ptr \[ %\w+, %\w+ \], \[ %buffer\d+, %\w+ \]", text)
