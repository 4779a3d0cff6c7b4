"""`xtriton new-pass` and `xtriton-lit`."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from xtriton.tools import new_pass, xtriton_lit


def test_a_new_package_passes_its_own_tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    assert new_pass.main(["fold-it"]) == 0
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd="fold-it", capture_output=True, text=True)
    assert "3 passed" in done.stdout, done.stdout
    project = tomllib.loads(Path("fold-it/pyproject.toml").read_text())
    assert project["project"]["entry-points"]["xtriton.passes"] == {"fold-it": "fold_it:fold_it"}
    assert Path("fold-it/.github/workflows/ci.yml").exists()
    # Nothing is written over.
    assert new_pass.main(["fold-it"]) == 1


@pytest.mark.parametrize("name, message", [
    ("Fold It", "cannot be the name of a pass"), ("cse", "a pass of xtriton's own"),
])  # fmt: skip
def test_names(name: str, message: str, capsys: pytest.CaptureFixture[str]):
    assert new_pass.main([name]) == 1
    assert message in capsys.readouterr().err


def test_lit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(tmp_path)
    run = "// RUN: triton-opt %s --cse | FileCheck %s\n// CHECK: {}\nmodule {{}}\n"
    for name, expected in (("good", "module"), ("bad", "func"), ("Inputs/no", "func")):
        path = Path("tests", f"{name}.mlir")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(run.format(expected))
    assert xtriton_lit.main(["tests/good.mlir", "-v"]) == 0
    assert capsys.readouterr().out == "passed: tests/good.mlir\n1 passed, 0 failed, 0 skipped\n"
    assert xtriton_lit.main(["tests"]) == 1
    out = capsys.readouterr().out
    assert "failed: tests/bad.mlir" in out
    assert out.endswith("1 passed, 1 failed, 0 skipped\n")
    assert xtriton_lit.main(["nothing"]) == 1


OF_3_7 = """\
// RUN: triton-opt %s --triton-rewrite-tensor-descriptor-to-pointer | FileCheck %s
// CHECK: tt.expand_dims
tt.func @f(%p: !tt.ptr<f32>, %i: i32) -> tensor<16x16xf32> {
  %n = arith.constant 16 : i32
  %stride = arith.constant 16 : i64
  %one = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%n, %n], [%stride, %one] : !tt.ptr<f32>, !tt.tensordesc<tensor<16x16xf32>>
  %v = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<16x16xf32>> -> tensor<16x16xf32>
  tt.return %v : tensor<16x16xf32>
}
"""


def test_tests_of_an_earlier_release_hold_by_its_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    Path("a.mlir").write_text(OF_3_7)
    assert xtriton_lit.main(["a.mlir"]) == 1
    assert xtriton_lit.main(["a.mlir", "--triton-version", "3.7"]) == 0
    assert xtriton_lit.main(["a.mlir", "--triton-version", "9.9"]) == 1
