"""Blocks loaded by formulas in the loop that consumes them, as long as nothing is stored before."""

from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import emitted, kernel_text
from xtriton.cpu import compile_module
from xtriton.cpu.emitter import emit_kernel
from xtriton.cpu.target import Target

SIZE = 64
ARGUMENTS = "%x: memref<*xf32>, %o: memref<*xf32>"
BLOCK = f"tensor<{SIZE}xf32>"
PLACE = f"memref<{SIZE}xf32, strided<[1]>>"

STORE = f"bufferization.materialize_in_destination %a in writable %to : ({BLOCK}, {PLACE}) -> ()"
OVER_INPUT = f"""
    %over = memref.reinterpret_cast %x to offset: [0], sizes: [{SIZE}], strides: [1] : memref<*xf32> to {PLACE}
    bufferization.materialize_in_destination %a in writable %over : ({BLOCK}, {PLACE}) -> ()
"""
REDUCED = f"""
    %zero = arith.constant 0.0 : f32
    %start = tensor.from_elements %zero : tensor<f32>
    %whole = linalg.reduce ins(%b : {BLOCK}) outs(%start : tensor<f32>) dimensions = [0]
      (%in: f32, %init: f32) {{
        %s = arith.addf %in, %init : f32
        linalg.yield %s : f32
      }}
"""


def body(between: str = "") -> str:
    """Return a kernel that adds up pairs of elements, of which ops are `between` loads and sums."""
    loads = "".join(
        f"""
    %{name} = linalg.generic {{indexing_maps = [#id], iterator_types = ["parallel"]}} outs(%e : {BLOCK}) {{
    ^bb0(%old: f32):
      %i = linalg.index 0 : index
      %two = arith.constant 2 : index
      %twice = arith.muli %i, %two : index
      %more = arith.constant {place} : index
      %at = arith.addi %twice, %more : index
      %v = memref.load %from[%at] : memref<?xf32>
      linalg.yield %v : f32
    }} -> {BLOCK}"""
        for place, name in enumerate("ab")
    )
    return f"""
    %from = memref.cast %x : memref<*xf32> to memref<?xf32>
    %to = memref.reinterpret_cast %o to offset: [0], sizes: [{SIZE}], strides: [1] : memref<*xf32> to {PLACE}
    %e = tensor.empty() : {BLOCK}
{loads}
{between}
    %sum = linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}} ins(%a, %b : {BLOCK}, {BLOCK}) outs(%e : {BLOCK}) {{
    ^bb0(%p: f32, %q: f32, %old: f32):
      %s = arith.addf %p, %q : f32
      linalg.yield %s : f32
    }} -> {BLOCK}
    bufferization.materialize_in_destination %sum in writable %to : ({BLOCK}, {PLACE}) -> ()
"""


@pytest.mark.parametrize("between", ["", STORE, OVER_INPUT, REDUCED])
def test_sums(check: Any, between: str):
    x = np.arange(2 * SIZE, dtype=np.float32)
    found = check(ARGUMENTS, body(between), [x, np.zeros(SIZE, np.float32)])[1]
    assert found.tolist() == (x[::2] + x[1::2]).tolist()


def test_sums_over_what_is_loaded():
    """All is loaded before anything is stored, wherever the result goes."""
    x = np.arange(2 * SIZE, dtype=np.float32)
    after = x.copy()
    kernel = compile_module(xtriton.parse(kernel_text(ARGUMENTS, body())))
    kernel(1, [after, after[1:]])
    assert after[1 : SIZE + 1].tolist() == (x[::2] + x[1::2]).tolist()


@pytest.mark.parametrize(("between", "loops"), [("", 1), (STORE, 3), (OVER_INPUT, 3)])
def test_loops(between: str, loops: int):
    """Loads and sums are one loop, unless something is stored in between."""
    text = emitted(ARGUMENTS, body(between))
    assert text.count("\nloop") == loops


ZEN = Target("x86_64-unknown-linux-gnu", "znver3", 256, 16, fma=True, half=True, masks=True)
WIDE = Target("x86_64-unknown-linux-gnu", "znver4", 512, 32, fma=True, half=True, masks=True)
PLAIN = Target("x86_64-unknown-linux-gnu", "x86-64", 128, 16, fma=False, half=False)


def masked(type: str, function: str) -> str:
    """Return a kernel that loads what lies behind a place that is asked of each element."""
    block, place = f"tensor<{SIZE}x{type}>", f"memref<{SIZE}x{type}, strided<[1]>>"
    return f"""
    %from = memref.cast %x : memref<*x{type}> to memref<?x{type}>
    %to = memref.reinterpret_cast %o to offset: [0], sizes: [{SIZE}], strides: [1] : memref<*x{type}> to {place}
    %e = tensor.empty() : {block}
    %none = arith.constant 0.5 : {type}
    %first = arith.constant 7 : index
    %a = linalg.generic {{indexing_maps = [#id], iterator_types = ["parallel"]}} outs(%e : {block}) {{
    ^bb0(%old: {type}):
      %i = linalg.index 0 : index
      %is = arith.cmpi sge, %i, %first : index
      %v = scf.if %is -> ({type}) {{
        %at = arith.subi %i, %first : index
        %in = memref.load %from[%at] : memref<?x{type}>
        scf.yield %in : {type}
      }} else {{
        scf.yield %none : {type}
      }}
      linalg.yield %v : {type}
    }} -> {block}
    %r = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel"]}} ins(%a : {block}) outs(%e : {block}) {{
    ^bb0(%p: {type}, %old: {type}):
      %s = {function} %p : {type}
      linalg.yield %s : {type}
    }} -> {block}
    bufferization.materialize_in_destination %r in writable %to : ({block}, {place}) -> ()
"""


@pytest.mark.parametrize(
    ("target", "type", "function", "alone"),
    [
        (ZEN, "f16", "math.exp", True),
        (ZEN, "f16", "arith.negf", False),
        (ZEN, "f32", "math.exp", False),
        (WIDE, "f16", "math.exp", False),
        (PLAIN, "f32", "math.exp", True),
    ],
)
def test_what_keeps_functions_from_vectors_is_loaded_by_itself(
    target: Target, type: str, function: str, alone: bool
):
    """No vector of narrow elements is loaded in part with AVX2, and none at all with less."""
    arguments = f"%x: memref<*x{type}>, %o: memref<*x{type}>"
    module = xtriton.parse(kernel_text(arguments, masked(type, function)))
    text = emit_kernel(module, target, None).text
    assert text[: text.index("ret void")].count("\nloop") == (2 if alone else 1)


@pytest.mark.parametrize("type", ["f16", "f32"])
def test_functions_of_what_a_mask_leaves(check: Any, type: str):
    number = {"f16": np.float16, "f32": np.float32}[type]
    x = np.linspace(-1, 1, SIZE).astype(number)
    arguments = f"%x: memref<*x{type}>, %o: memref<*x{type}>"
    values = [x, np.zeros(SIZE, number)]
    found = check(arguments, masked(type, "math.exp"), values, rtol=1e-3)[1]
    expected = np.exp(np.concatenate([np.full(7, 0.5), x[:-7].astype(np.float64)]))
    np.testing.assert_allclose(found, expected, rtol=1e-3)
