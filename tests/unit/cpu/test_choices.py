"""Branches that become choices between elements, and what a loop carries written together."""

from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import WHOLE, kernel_text, whole
from xtriton.cpu.emitter import emit_kernel
from xtriton.cpu.target import host

ARGUMENTS = "%x: memref<*xf32>, %o: memref<*xf32>, %q: memref<*xf32>, %n: i32"
LOAD = f"""
    {whole(("xv", "x"), ("ov", "o"), ("qv", "q"))}
    %t = bufferization.to_tensor %xv restrict : {WHOLE} to tensor<64xf32>
    %e = tensor.empty() : tensor<64xf32>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2.0 : f32
"""
STORE = f"""
    bufferization.materialize_in_destination %r#0 in writable %ov : (tensor<64xf32>, {WHOLE}) -> ()
    bufferization.materialize_in_destination %r#1 in writable %qv : (tensor<64xf32>, {WHOLE}) -> ()
"""
BLOCKS = "(tensor<64xf32>, tensor<64xf32>)"


def apply(result: str, op: str, a: str, b: str, maps: str = "#id, #id, #id") -> str:
    return f"""
    %{result} = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}} ins(%{a}, %{b} : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) {{
    ^bb0(%a_{result}: f32, %b_{result}: f32, %o_{result}: f32):
      %s_{result} = {op} %a_{result}, %b_{result} : f32
      linalg.yield %s_{result} : f32
    }} -> tensor<64xf32>
"""


def branch(divisions: int) -> str:
    """Return a branch that divides some times on the one side and does nothing on the other."""
    last, steps = "t", ""
    for number in range(divisions):
        steps += apply(f"d{number}", "arith.divf", last, "t")
        last = f"d{number}"
    return f"""
    %some = arith.cmpi sgt, %n, %zero : i32
    %ones = linalg.fill ins(%two : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %r:2 = scf.if %some -> {BLOCKS} {{
      {steps}
      {apply("u", "arith.addf", last, "t")}
      scf.yield %u, %{last} : tensor<64xf32>, tensor<64xf32>
    }} else {{
      scf.yield %t, %ones : tensor<64xf32>, tensor<64xf32>
    }}
"""


def text(body: str) -> str:
    module = xtriton.parse(kernel_text(ARGUMENTS, LOAD + body + STORE))
    code = emit_kernel(module, host()).text
    return code[: code.index("ret void")]


def run(check: Any, body: str, n: int) -> None:
    x = np.linspace(1, 2, 64, dtype=np.float32)
    values = [x, np.zeros(64, np.float32), np.zeros(64, np.float32), n]
    check(ARGUMENTS, LOAD + body + STORE, values, rtol=1e-6)


@pytest.mark.parametrize("n", [0, 3])
@pytest.mark.parametrize(("divisions", "chosen"), [(1, True), (3, True), (4, False)])
def test_short_branches_are_choices(check: Any, n: int, divisions: int, chosen: bool):
    body = branch(divisions)
    assert ("alloca" not in text(body)) == chosen
    run(check, body, n)


def test_loops_are_written_for_each_choice():
    code = text(branch(1))
    assert code.count("llvm.loop !") == 4
    assert "select" not in code


@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("second", ["sgt", "sge", "eq"])
def test_of_two_conditions_one_is_chosen_by_element(check: Any, n: int, second: str):
    last = f"""
    %other = arith.cmpi {second}, %n, %one : i32
    %p = scf.if %other -> tensor<64xf32> {{
      {apply("v", "arith.mulf", "r#0", "r#1")}
      scf.yield %v : tensor<64xf32>
    }} else {{
      scf.yield %r#1 : tensor<64xf32>
    }}
    bufferization.materialize_in_destination %p in writable %qv : (tensor<64xf32>, {WHOLE}) -> ()
"""
    x = np.linspace(1, 2, 64, dtype=np.float32)
    values = [x, np.zeros(64, np.float32), np.zeros(64, np.float32), n]
    body = LOAD + branch(1) + last
    check(ARGUMENTS, body, values, rtol=1e-6)


def carried(maps: str) -> str:
    """Return a loop that carries two blocks, both of which come from one quotient."""
    return f"""
    %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %t, %b = %t) -> {BLOCKS} : i32 {{
      {apply("w", "arith.addf", "a", "t")}
      {apply("d", "arith.divf", "b", "w")}
      {apply("p", "arith.addf", "a", "d", maps)}
      {apply("m", "arith.mulf", "b", "d")}
      scf.yield %p, %m : tensor<64xf32>, tensor<64xf32>
    }}
"""


@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("maps", ["#id, #id, #id", "affine_map<(d0) -> (63 - d0)>, #id, #id"])
def test_what_a_loop_carries_is_computed_as_if_at_once(check: Any, n: int, maps: str):
    run(check, carried(maps), n)


def test_what_a_loop_carries_is_computed_together():
    # The loop itself, one for the quotient, and one for both blocks.
    assert text(carried("#id, #id, #id")).count("br i1") == 3
