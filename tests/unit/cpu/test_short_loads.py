"""Short rows that a mask cuts off, which vectors in part load."""

from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import run_compiled
from xtriton.cpu.emitter import emit_kernel
from xtriton.cpu.target import Target
from xtriton.interpreter.api import run as interpret

RNG = np.random.default_rng(41)
WIDE = Target(
    *("x86_64-unknown-linux-gnu", "znver4", 512, 32),
    fma=True,
    half=True,
    masks=True,
    units=frozenset(("avx512bw",)),
)
NUMPY: dict[str, Any] = {
    "f32": np.float32,
    "f64": np.float64,
    "f16": np.float16,
    "i8": np.int8,
    "i32": np.int32,
    "i64": np.int64,
}


def lowered(type: str, length: int, other: str) -> Any:
    """Return a kernel that stores twice what it has loaded of a row of `n`, and `other` behind."""
    add = "arith.addf" if type[0] == "f" else "arith.addi"
    number = f"{other}.0" if type[0] == "f" else other
    block, pointers = f"tensor<{length}x{type}>", f"tensor<{length}x!tt.ptr<{type}>>"
    text = f"""
module {{
  tt.func public @kernel(%x: !tt.ptr<{type}>, %o: !tt.ptr<{type}>, %n: i32) {{
    %other = arith.constant dense<{number}> : {block}
    %range = tt.make_range {{end = {length} : i32, start = 0 : i32}} : tensor<{length}xi32>
    %last = tt.splat %n : i32 -> tensor<{length}xi32>
    %mask = arith.cmpi slt, %range, %last : tensor<{length}xi32>
    %xs = tt.splat %x : !tt.ptr<{type}> -> {pointers}
    %os = tt.splat %o : !tt.ptr<{type}> -> {pointers}
    %xp = tt.addptr %xs, %range : {pointers}, tensor<{length}xi32>
    %op = tt.addptr %os, %range : {pointers}, tensor<{length}xi32>
    %v = tt.load %xp, %mask, %other : {pointers}
    %w = {add} %v, %v : {block}
    tt.store %op, %w : {pointers}
    tt.return
  }}
}}
"""
    module = xtriton.parse(text)
    xtriton.run_passes(module, "triton-to-linalg-experimental")
    return module


@pytest.mark.parametrize("other", ["0", "3"])
@pytest.mark.parametrize("length", [2, 8, 16, 32, 64, 256, 512])
@pytest.mark.parametrize("type", NUMPY)
def test_what_is_loaded_of_short_rows(type: str, length: int, other: str):
    module, x = lowered(type, length, other), RNG.integers(-50, 50, length).astype(NUMPY[type])
    for n in sorted({-1, 0, 1, length // 2, length - 1, length, length + 1}):
        results: list[Any] = []
        for run in (interpret, run_compiled):
            out = np.zeros(length, x.dtype)
            run(module, 1, [x.copy(), out, n])
            results.append(out)
        np.testing.assert_array_equal(*results)


@pytest.mark.parametrize(
    ("type", "length", "in_part"),
    [
        ("f32", 32, True),
        ("f32", 64, True),
        ("f32", 128, False),
        ("i8", 256, True),
        ("f64", 8, True),
    ],
)
def test_which_rows_are_short(type: str, length: int, in_part: bool):
    assert ("llvm.masked.load" in emit_kernel(lowered(type, length, "0"), WIDE).text) == in_part
