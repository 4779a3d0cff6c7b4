"""Which blocks are put into memory, and which are computed where they are consumed."""

import re
from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import WHOLE, emitted, kernel_text, loops_of, whole
from xtriton.cpu.emitter import emit_kernel
from xtriton.cpu.target import host

ARGUMENTS = "%x: memref<*xf32>, %o: memref<*xf32>"
LOAD = f"""
    {whole(("xv", "x"), ("ov", "o"))}
    %t = bufferization.to_tensor %xv restrict : {WHOLE} to tensor<64xf32>
    %ints = tensor.empty() : tensor<64xi32>
    %longs = tensor.empty() : tensor<64xi64>
    %bits = tensor.empty() : tensor<64xi1>
    %three = arith.constant 3 : i32
    %ten = arith.constant 10 : i64
    %twenty = arith.constant 20 : i64
"""
STORE = f"""
    bufferization.materialize_in_destination %r in writable %ov : (tensor<64xf32>, {WHOLE}) -> ()
"""


def buffers(body: str) -> list[str]:
    """Return the types of the blocks that a kernel keeps in memory."""
    module = xtriton.parse(kernel_text(ARGUMENTS, LOAD + body + STORE))
    return re.findall(r"alloca \[64 x (\w+)\]", emit_kernel(module, host()).text)


def run(check: Any, body: str) -> None:
    x = np.linspace(-2, 2, 64, dtype=np.float32)
    check(ARGUMENTS, LOAD + body + STORE, [x, np.zeros(64, np.float32)], rtol=1e-6)


def apply(result: str, op: str, source: str, into: str, types: tuple[str, str]) -> str:
    """Return an op on each element of a block; it may take over the memory of `into`."""
    old, new = (f"tensor<64x{type}>" for type in types)
    return f"""
    %{result} = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel"]}} ins(%{source} : {old}) outs(%{into} : {new}) {{
    ^bb0(%p_{result}: {types[0]}, %o_{result}: {types[1]}):
      %s_{result} = {op.format(f"%p_{result}")}
      linalg.yield %s_{result} : {types[1]}
    }} -> {new}
"""


def test_a_block_whose_memory_may_be_taken_over_is_used_once(check: Any):
    floats = ("f32", "f32")
    body = apply("a", "math.erf {0} : f32", "t", "t", floats)
    body += apply("b", "arith.mulf {0}, {0} : f32", "a", "a", floats)
    body += apply("r", "math.exp {0} : f32", "b", "b", floats)
    assert buffers(body) == []
    run(check, body)


PLACES = """
    %i = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%ints : tensor<64xi32>) {
    ^bb0(%old: i32):
      %n = linalg.index 0 : index
      %w = arith.index_cast %n : index to i32
      linalg.yield %w : i32
    } -> tensor<64xi32>
"""
MASKS = (
    PLACES
    + apply("q", "arith.divsi {0}, %three : i32", "i", "ints", ("i32", "i32"))
    + apply("l", "arith.extsi {0} : i32 to i64", "q", "longs", ("i32", "i64"))
    + apply("low", "arith.cmpi sge, {0}, %ten : i64", "l", "bits", ("i64", "i1"))
    + apply("high", "arith.cmpi slt, {0}, %twenty : i64", "l", "bits", ("i64", "i1"))
    + """
    %m = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%low, %high : tensor<64xi1>, tensor<64xi1>) outs(%bits : tensor<64xi1>) {
    ^bb0(%p_m: i1, %q_m: i1, %o_m: i1):
      %s_m = arith.andi %p_m, %q_m : i1
      linalg.yield %s_m : i1
    } -> tensor<64xi1>
"""
)


def test_numbers_are_kept_before_they_are_widened(check: Any):
    body = MASKS + apply("r", "arith.uitofp {0} : i1 to f32", "m", "t", ("i1", "f32"))
    assert buffers(body) == ["i32"]
    run(check, body)


def test_what_a_loop_with_branches_needs_is_made_before_it(check: Any):
    chosen = """scf.if {0} -> (f32) {{
        %one = arith.constant 1.0 : f32
        scf.yield %one : f32
      }} else {{
        %two = arith.constant 2.0 : f32
        scf.yield %two : f32
      }}"""
    body = MASKS + apply("r", chosen, "m", "t", ("i1", "f32"))
    assert buffers(body) == ["i32", "i8"]
    run(check, body)


def test_what_a_loop_sums_up_is_read_where_it_lies(check: Any):
    """Places of elements are not kept in memory, and blocks for a sum are not copied."""
    body = f"""
    %none = arith.constant 0 : index
    %step = arith.constant 32 : index
    %end = arith.constant 64 : index
    %fifty = arith.constant 50 : i32
    %few = tensor.empty() : tensor<32xi32>
    %sums = tensor.empty() : tensor<32xf32>
    %zero = arith.constant 0.0 : f32
    %start = linalg.fill ins(%zero : f32) outs(%sums : tensor<32xf32>) -> tensor<32xf32>
    {PLACES.replace("64", "32").replace("%ints", "%few")}
    %sum = scf.for %k = %none to %end step %step iter_args(%acc = %start) -> (tensor<32xf32>) {{
      %kv = memref.reinterpret_cast %x to offset: [%k], sizes: [32], strides: [1] : memref<*xf32> to memref<32xf32, strided<[1], offset: ?>>
      %buffer = memref.alloc() : memref<32xf32>
      memref.copy %kv, %buffer : memref<32xf32, strided<[1], offset: ?>> to memref<32xf32>
      %block = bufferization.to_tensor %buffer restrict writable : memref<32xf32> to tensor<32xf32>
      %k32 = arith.index_cast %k : index to i32
      %more = linalg.generic {{indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}} ins(%block, %acc, %i : tensor<32xf32>, tensor<32xf32>, tensor<32xi32>) outs(%acc : tensor<32xf32>) {{
      ^bb0(%p: f32, %q: f32, %at: i32, %o1: f32):
        %here = arith.addi %at, %k32 : i32
        %in = arith.cmpi slt, %here, %fifty : i32
        %s = arith.addf %p, %q : f32
        %t1 = arith.select %in, %s, %q : f32
        linalg.yield %t1 : f32
      }} -> tensor<32xf32>
      scf.yield %more : tensor<32xf32>
    }}
    %r = tensor.insert_slice %sum into %t[0] [32] [1] : tensor<32xf32> into tensor<64xf32>
"""
    text = emitted(ARGUMENTS, LOAD + body + STORE)
    assert "alloca [32 x i32]" not in text
    assert not re.search(r"memcpy.*%buffer.*%v.*i64 128,", text)
    run(check, body)


CLAMPED = """
    %low = arith.constant -1.0 : f32
    %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%t : tensor<64xf32>) outs(%t : tensor<64xf32>) {
    ^bb0(%p_a: f32, %o_a: f32):
      %d_a = arith.mulf %p_a, %p_a : f32
      %e_a = arith.divf %d_a, %low : f32
      %f_a = arith.addf %e_a, %p_a : f32
      linalg.yield %f_a : f32
    } -> tensor<64xf32>
""" + apply("g", "arith.cmpf ogt, {0}, %low : f32", "a", "bits", ("f32", "i1"))
CHOSEN = """
    %r = linalg.generic {indexing_maps = [#id, #id, MAP, #id], iterator_types = ["parallel"]} ins(%g, %a, %a : tensor<64xi1>, tensor<64xf32>, tensor<64xf32>) outs(%t : tensor<64xf32>) {
    ^bb0(%c: i1, %p_r: f32, %q_r: f32, %o_r: f32):
      %h = arith.select %c, %p_r, %q_r : f32
      linalg.yield %h : f32
    } -> tensor<64xf32>
"""


@pytest.mark.parametrize(
    ("map", "kept"), [("#id", []), ("affine_map<(d0) -> (63 - d0)>", ["float"])]
)
def test_what_is_used_in_several_parts_of_one_loop_is_not_kept(
    check: Any, map: str, kept: list[str]
):
    body = CLAMPED + CHOSEN.replace("MAP", map)
    assert buffers(body) == kept
    run(check, body)


def test_what_is_used_in_two_loops_is_kept(check: Any):
    body = (
        CLAMPED
        + CHOSEN.replace("MAP", "#id")
        + """
    bufferization.materialize_in_destination %a in writable %xv : (tensor<64xf32>, memref<64xf32, strided<[1]>>) -> ()"""
    )
    assert buffers(body) == ["float"]
    run(check, body)


LARGEST = """
    %first = tensor.extract_slice %a[0] [1] [1] : tensor<64xf32> to tensor<f32>
    %rest = tensor.extract_slice %a[1] [63] [1] : tensor<64xf32> to tensor<63xf32>
    %most = linalg.reduce { arith.maxnumf } ins(%rest : tensor<63xf32>) outs(%first : tensor<f32>) dimensions = [0]
    %largest = tensor.extract %most[] : tensor<f32>
"""


@pytest.mark.parametrize(
    ("op", "kept"), [("math.absf", []), ("math.floor", []), ("math.exp", ["float"])]
)
def test_what_an_instruction_does_is_done_again(check: Any, op: str, kept: list[str]):
    body = apply("a", f"{op} {{0}} : f32", "t", "t", ("f32", "f32")) + LARGEST
    body += apply("r", "arith.divf {0}, %largest : f32", "a", "a", ("f32", "f32"))
    assert buffers(body) == kept
    run(check, body)


ROW, COLUMN = "affine_map<(d0, d1) -> (0, d1)>", "affine_map<(d0, d1) -> (d0, 0)>"


def repeated(op: str, rows: int, map: str) -> str:
    """Return a kernel that stores rows of 16 numbers, each made of one of x by `op`."""
    shape, before = f"{rows}x16", "1x16" if map == ROW else f"{rows}x1"
    place = f"memref<{shape}xf32, strided<[16, 1]>>"
    return f"""
    %view = memref.reinterpret_cast %x to offset: [0], sizes: [{before.replace("x", ", ")}], strides: [16, 1] : memref<*xf32> to memref<{before}xf32, strided<[16, 1]>>
    %t = bufferization.to_tensor %view restrict : memref<{before}xf32, strided<[16, 1]>> to tensor<{before}xf32>
    %made = linalg.generic {{indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}} ins(%t : tensor<{before}xf32>) outs(%t : tensor<{before}xf32>) {{
    ^bb0(%p: f32, %old: f32):
      %s = {op} %p : f32
      linalg.yield %s : f32
    }} -> tensor<{before}xf32>
    %e = tensor.empty() : tensor<{shape}xf32>
    %r = linalg.generic {{indexing_maps = [{map}, #id2], iterator_types = ["parallel", "parallel"]}} ins(%made : tensor<{before}xf32>) outs(%e : tensor<{shape}xf32>) {{
    ^bb0(%p: f32, %old: f32):
      linalg.yield %p : f32
    }} -> tensor<{shape}xf32>
    %to = memref.reinterpret_cast %o to offset: [0], sizes: [{shape.replace("x", ", ")}], strides: [16, 1] : memref<*xf32> to {place}
    bufferization.materialize_in_destination %r in writable %to : (tensor<{shape}xf32>, {place}) -> ()
"""


@pytest.mark.parametrize(
    ("op", "rows", "map", "kept"),
    [
        ("math.exp", 8, ROW, True),
        ("math.exp", 4, ROW, True),
        ("math.exp", 2, ROW, False),
        ("math.exp", 8, COLUMN, False),
        ("arith.negf", 8, ROW, False),
    ],
)
def test_what_rows_repeat_is_made_once_where_it_is_dear(
    check: Any, op: str, rows: int, map: str, kept: bool
):
    body = repeated(op, rows, map)
    x = np.linspace(-2, 2, 128, dtype=np.float32)
    (_, found) = check(ARGUMENTS, body, [x, np.zeros(128, np.float32)], rtol=1e-6)
    made = np.exp(x) if op == "math.exp" else -x
    first = made[:16][None] if map == ROW else made.reshape(8, 16)[:rows, :1]
    np.testing.assert_allclose(
        found.reshape(8, 16)[:rows], np.broadcast_to(first, (rows, 16)), 1e-6
    )
    text = emit_kernel(xtriton.parse(kernel_text(ARGUMENTS, body)), host()).text
    assert ("alloca [16 x float]" in text) == kept


def scattered(type: str, each: str) -> str:
    """Return a kernel that stores what `each` makes of 64 numbers %a, 3 apart."""
    return f"""
    %three = arith.constant 3 : index
    %view = memref.reinterpret_cast %x to offset: [0], sizes: [64], strides: [1] : memref<*x{type}> to memref<64x{type}, strided<[1]>>
    %buffer = memref.alloc() : memref<64x{type}>
    memref.copy %view, %buffer : memref<64x{type}, strided<[1]>> to memref<64x{type}>
    %block = bufferization.to_tensor %buffer restrict writable : memref<64x{type}> to tensor<64x{type}>
    %e = tensor.empty() : tensor<64x{type}>
    %made = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel"]}} ins(%block : tensor<64x{type}>) outs(%e : tensor<64x{type}>) {{
    ^bb0(%a: {type}, %old: {type}):
      %r = {each} : {type}
      linalg.yield %r : {type}
    }} -> tensor<64x{type}>
    %to = memref.cast %o : memref<*x{type}> to memref<?x{type}>
    linalg.generic {{indexing_maps = [#id], iterator_types = ["parallel"]}} ins(%made : tensor<64x{type}>) {{
    ^bb0(%r: {type}):
      %i = linalg.index 0 : index
      %place = arith.muli %i, %three : index
      memref.store %r, %to[%place] : memref<?x{type}>
      linalg.yield
    }}
"""


@pytest.mark.parametrize(
    ("type", "each", "before"),
    [
        ("f16", "arith.addf %a, %a", True),
        ("f32", "arith.addf %a, %a", False),
        ("f32", "math.exp %a", True),
    ],
)
def test_what_stores_in_order_computes_little(
    check: Any, type: str, each: str, before: bool
) -> None:
    """Vectors of functions and of narrow floats are made in a loop of their own."""
    arguments = f"%x: memref<*x{type}>, %o: memref<*x{type}>"
    x = np.linspace(-2, 2, 64).astype(np.float16 if type == "f16" else np.float32)
    (_, found) = check(arguments, scattered(type, each), [x, np.zeros(192, x.dtype)], rtol=1e-6)
    expected = np.exp(x) if "exp" in each else x + x
    np.testing.assert_allclose(found[::3], expected, rtol=1e-6)
    *_, last = loops_of(emitted(arguments, scattered(type, each)))
    assert ("fadd" not in last and "call" not in last) == before
