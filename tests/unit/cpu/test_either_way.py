"""Stores of single elements whose mask follows from memory."""

from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import run_compiled
from xtriton.cpu.emitter import emit_kernel
from xtriton.cpu.target import host
from xtriton.interpreter.api import run as interpret

RNG = np.random.default_rng(31)
N = 64
DATA = "%mask = arith.cmpi sgt, %m, %zeros : tensor<64xi32>"
BOUND = "%mask = arith.cmpi slt, %range, %last : tensor<64xi32>"


def lowered(mask: str = DATA, type: str = "f32", counted: bool = True) -> Any:
    """Return a kernel that stores elements at places that it loads, where a mask holds."""
    number = "%count = arith.extui %mask : tensor<64xi1> to tensor<64xi32>"
    text = f"""
module {{
  tt.func public @kernel(%x: !tt.ptr<{type}>, %p: !tt.ptr<i32>, %q: !tt.ptr<i32>, %o: !tt.ptr<{type}>, %c: !tt.ptr<i32>, %n: i32) {{
    %zeros = arith.constant dense<0> : tensor<64xi32>
    %range = tt.make_range {{end = 64 : i32, start = 0 : i32}} : tensor<64xi32>
    %last = tt.splat %n : i32 -> tensor<64xi32>
    %xs = tt.splat %x : !tt.ptr<{type}> -> tensor<64x!tt.ptr<{type}>>
    %ps = tt.splat %p : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %qs = tt.splat %q : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %os = tt.splat %o : !tt.ptr<{type}> -> tensor<64x!tt.ptr<{type}>>
    %cs = tt.splat %c : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %xp = tt.addptr %xs, %range : tensor<64x!tt.ptr<{type}>>, tensor<64xi32>
    %pp = tt.addptr %ps, %range : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %qp = tt.addptr %qs, %range : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %cp = tt.addptr %cs, %range : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %v = tt.load %xp : tensor<64x!tt.ptr<{type}>>
    %at = tt.load %pp : tensor<64x!tt.ptr<i32>>
    %m = tt.load %qp : tensor<64x!tt.ptr<i32>>
    {mask}
    %op = tt.addptr %os, %at : tensor<64x!tt.ptr<{type}>>, tensor<64xi32>
    tt.store %op, %v, %mask : tensor<64x!tt.ptr<{type}>>
    {number}
    {"tt.store %cp, %count : tensor<64x!tt.ptr<i32>>" if counted else ""}
    tt.return
  }}
}}
"""
    module = xtriton.parse(text)
    xtriton.run_passes(module, "triton-to-linalg-experimental")
    return module


@pytest.mark.parametrize("mask", [DATA, BOUND])
@pytest.mark.parametrize("type", ["f32", "i8", "f64", "f16"])
def test_elements_are_stored_where_the_mask_holds(type: str, mask: str):
    """In order: the last one counts of those that go to the same place."""
    module = lowered(mask, type)
    numpy = {"f32": np.float32, "i8": np.int8, "f64": np.float64, "f16": np.float16}[type]
    x, places = RNG.integers(-99, 99, N).astype(numpy), RNG.integers(0, 40, N).astype(np.int32)
    # No place of those that are left out is any of the block's.
    chosen = RNG.integers(0, 2, N).astype(np.int32)
    chosen[N // 2 :] = 0
    places[N // 2 :] = 1 << 30
    results: list[Any] = []
    for run in (interpret, run_compiled):
        out, counts = np.zeros(N, numpy), np.zeros(N, np.int32)
        run(module, 1, [x.copy(), places.copy(), chosen.copy(), out, counts, N // 2])
        results += [out, counts]
    np.testing.assert_array_equal(results[0], results[2])
    np.testing.assert_array_equal(results[1], results[3])


def stores_either_way(module: Any, *, checked: bool = False) -> bool:
    text = emit_kernel(module, host(), checked=checked).text
    return any("select i1" in line and ", ptr %" in line for line in text.splitlines())


def test_where_the_mask_follows_from_memory():
    assert stores_either_way(lowered())
    assert not stores_either_way(lowered(), checked=True)
    assert not stores_either_way(lowered(BOUND, counted=False))
