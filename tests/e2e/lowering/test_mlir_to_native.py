"""Lowered kernels compiled by MLIR's own tools and LLVM, run, and held against the interpreter."""

from __future__ import annotations

import shutil
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from xtriton.interop import mlir

SCRIPTS = Path(__file__).parents[3] / "scripts"

VECTOR = """
tt.func public @kernel(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %n: i32) {
  %c32 = arith.constant 32 : i32
  %id = tt.get_program_id x : i32
  %start = arith.muli %id, %c32 : i32
  %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %first = tt.splat %start : i32 -> tensor<32xi32>
  %i = arith.addi %first, %range : tensor<32xi32>
  %sn = tt.splat %n : i32 -> tensor<32xi32>
  %m = arith.cmpi slt, %i, %sn : tensor<32xi32>
  %other = arith.constant dense<1.0> : tensor<32xf32>
  %sp = tt.splat %p : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
  %in = tt.addptr %sp, %i : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
  %x = tt.load %in, %m, %other : tensor<32x!tt.ptr<f32>>
BODY
  %sq = tt.splat %q : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
  %out = tt.addptr %sq, %i : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
  tt.store %out, %y, %m : tensor<32x!tt.ptr<f32>>
  tt.return
}
"""

BODIES = {
    "arithmetic": "  %e = math.exp %x : tensor<32xf32>\n  %y = arith.addf %e, %x : tensor<32xf32>",
    "reduction": """
  %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tt.reduce.return %s : f32
  }) : (tensor<32xf32>) -> f32
  %sr = tt.splat %r : f32 -> tensor<32xf32>
  %y = arith.divf %x, %sr : tensor<32xf32>""",
    "scan": """
  %y = "tt.scan"(%x) <{axis = 0 : i32, reverse = true}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.maximumf %a, %b : f32
    tt.scan.return %s : f32
  }) : (tensor<32xf32>) -> tensor<32xf32>""",
    "gather and product": """
  %c7 = arith.constant dense<7> : tensor<32xi32>
  %c13 = arith.constant dense<13> : tensor<32xi32>
  %h = arith.muli %i, %c7 : tensor<32xi32>
  %g = arith.xori %h, %c13 : tensor<32xi32>
  %pg = tt.addptr %sp, %g : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
  %u = tt.load %pg : tensor<32x!tt.ptr<f32>>
  %l = tt.reshape %x : tensor<32xf32> -> tensor<4x8xf32>
  %k = tt.reshape %u : tensor<32xf32> -> tensor<8x4xf32>
  %z = arith.constant dense<0.0> : tensor<4x4xf32>
  %d = tt.dot %l, %k, %z : tensor<4x8xf32> * tensor<8x4xf32> -> tensor<4x4xf32>
  %v = tt.reshape %d : tensor<4x4xf32> -> tensor<16xf32>
  %y = tt.cat %v, %v : tensor<16xf32> -> tensor<32xf32>""",
}


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The script that compiles and compares; skips without MLIR's tools."""
    if mlir.find() is None or shutil.which("mlir-translate-22") is None:
        pytest.skip("mlir-opt and mlir-translate are not installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(SCRIPTS), *sys.path])
        module = import_module("compile_with_mlir")
    module.prepare()
    return module


@pytest.mark.parametrize("name", BODIES)
def test_kernels_run_right(name: str, script: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "kernel.ttir"
    path.write_text(VECTOR.replace("BODY", BODIES[name]))
    assert script.check(path) == "right"


def test_a_wrong_result_is_noticed(script: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "kernel.ttir"
    path.write_text(VECTOR.replace("BODY", BODIES["arithmetic"]))
    wrong = VECTOR.replace("BODY", BODIES["arithmetic"].replace("addf", "subf"))
    assert script.check(path, lower_from=wrong).startswith("wrong")
