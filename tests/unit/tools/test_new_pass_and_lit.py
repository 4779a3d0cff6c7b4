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
