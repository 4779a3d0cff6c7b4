"""`xtriton-report`: one page about a kernel."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from xtriton.tools.xtriton_opt import main as opt
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


@pytest.mark.parametrize("name", ["kernel.py", "sub/kernel.py"])
def test_source_is_found_beside_the_file(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "there").mkdir()
    text = f'tt.func @f() {{\n  tt.return loc("{name}":1:1)\n}}\n'
    (tmp_path / "there" / "kernel.ttir").write_text(text)
    (tmp_path / "there" / "kernel.py").write_text("# the kernel\n")
    monkeypatch.chdir(tmp_path)
    assert main(["there/kernel.ttir", "-o", "report.html"]) == 0
    assert "# the kernel" in (tmp_path / "report.html").read_text()


LAYOUT = (
    "#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>"
)
REDUCED = f"""
module attributes {{"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32}} {{
  tt.func @f(%x: tensor<512xf32, {LAYOUT}>, %out: !tt.ptr<f32>) {{
    %s = "tt.reduce"(%x) <{{axis = 0 : i32}}> ({{
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }}) : (tensor<512xf32, {LAYOUT}>) -> f32 loc("kernel.py":7:3)
    tt.store %out, %s : !tt.ptr<f32>
    tt.return
  }}
}}
"""


def test_shared_memory_of_a_module_with_layouts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("kernel.ttgir").write_text(REDUCED)
    assert main(["kernel.ttgir", "-o", "report.html"]) == 0
    shared = Path("report.html").read_text().partition("<h2>Shared memory</h2>")[2]
    assert "16 bytes" in shared
    assert re.search(r"reduction across warps 512xf32 +kernel.py:7:3 +16 +0 +16", shared)


def test_lowered_kernels_do_access_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    example = str(ROOT / "examples" / "vector_add.ttir")
    monkeypatch.chdir(tmp_path)
    assert opt([example, "--triton-to-linalg-experimental", "-o", "kernel.mlir"]) == 0
    assert main(["kernel.mlir", "-o", "report.html"]) == 0
    page = " ".join(Path("report.html").read_text().split())
    assert "<h2>Memory</h2>" not in page  # nothing to draw
    assert "no access to memory" not in page
    assert "xtriton-effects tells of bufferization.materialize_in_destination" in page
    assert ": writes arg2" in page


def test_the_page_does_not_depend_on_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(ROOT)
    pages: list[str] = []
    for columns in ("60", "200"):
        monkeypatch.setenv("COLUMNS", columns)
        assert main(["examples/vector_add.ttir", "-o", str(tmp_path / "report.html")]) == 0
        pages.append((tmp_path / "report.html").read_text())
        assert os.environ["COLUMNS"] == columns
    assert pages[0] == pages[1]


def test_a_missing_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["nothing.ttir", "-o", str(tmp_path / "a.html")]) == 1
    assert "cannot read" in capsys.readouterr().err
