"""`python -m xtriton demo`, on one kernel."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("triton")

pytestmark = pytest.mark.slow


def run_demo(tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "xtriton", "demo", "--output", str(tmp_path), *arguments]
    environment = {**os.environ, "COLUMNS": "100", "TRITON_INTERPRET": "0"}
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=300, env=environment
    )


def test_demo_of_one_kernel(tmp_path: Path):
    done = run_demo(tmp_path, "vector_add")
    assert done.returncode == 0, done.stderr
    assert "98432" in done.stdout
    assert "WRONG" not in done.stdout
    files = sorted(path.name for path in (tmp_path / "vector_add").iterdir())
    assert files == [
        "0.triton.ttir",
        "1.structured.mlir",
        "2.linalg.mlir",
        "3.memref.mlir",
        "4.llvm.ll",
    ]


def test_demo_of_an_unknown_kernel(tmp_path: Path):
    done = run_demo(tmp_path, "nothing")
    assert done.returncode == 1
    assert "the demo has no kernel 'nothing', only vector_add" in done.stderr
    assert "Traceback" not in done.stderr
