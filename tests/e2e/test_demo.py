"""`python -m xtriton demo`, on one kernel."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

torch: Any = pytest.importorskip("torch")
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


def test_wrong_results_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    from xtriton.tools.demo import cases, run

    def twice(inputs: list[Any], out: Any) -> object:
        return torch.add(inputs[0], inputs[1], alpha=2, out=out)

    def interpreted(*_: object) -> list[tuple[float, bool]]:
        return [(1.0, False)]

    right = replace(cases.case_named("vector_add"), sizes=((1000,),))
    chosen = [right]

    def named(_: str) -> cases.Case:
        return chosen[-1]

    monkeypatch.setattr(run, "interpreted_seconds", interpreted)
    monkeypatch.setattr(run, "case_named", named)
    assert run.run_demo(["vector_add"], tmp_path) == 0
    assert "WRONG" not in capsys.readouterr().out
    chosen.append(replace(right, reference=twice))
    assert run.run_demo(["vector_add"], tmp_path) == 1
    out = capsys.readouterr().out
    assert "WRONG" in out
    assert "Some results are wrong." in out


def test_demo_of_an_unknown_kernel(tmp_path: Path):
    done = run_demo(tmp_path, "nothing")
    assert done.returncode == 1
    assert "the demo has no kernel 'nothing', only vector_add" in done.stderr
    assert "Traceback" not in done.stderr
