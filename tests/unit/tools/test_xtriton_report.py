"""`xtriton-report`: one page about a kernel."""

from __future__ import annotations

from pathlib import Path

import pytest

from xtriton.tools.xtriton_report import main

ROOT = Path(__file__).parents[3]


def test_the_page_has_all_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(ROOT)
    output = tmp_path / "report.html"
    assert main(["examples/vector_add.ttir", "-o", str(output), "--device=pvc"]) == 0
    text = output.read_text()
    for part in ("<h2>Source</h2>", "def add_kernel", "tt.func public @add_kernel", "<svg",
                 "<h2>Accesses</h2>", "writes output_ptr", "<h2>On pvc</h2>"):  # fmt: skip
        assert part in text
    # TTIR has no layouts, so nothing is said of them.
    assert "<h2>Layouts</h2>" not in text
    assert "<script" not in text


def test_a_missing_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["nothing.ttir", "-o", str(tmp_path / "a.html")]) == 1
    assert "cannot read" in capsys.readouterr().err
