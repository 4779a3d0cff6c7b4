"""`xtriton-layout kernel.ttgir`: its layout conversions by source line; completion."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import xtriton as xt
from xtriton.tools.conversion_table import conversions
from xtriton.tools.xtriton_layout import main

TEXT = """
#a = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#b = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @f(%p: tensor<32x32x!tt.ptr<f16>, #a>, %q: tensor<32x32x!tt.ptr<f16>, #b>) {
    %v = tt.load %p : tensor<32x32x!tt.ptr<f16>, #a>
    %w = ttg.convert_layout %v : tensor<32x32xf16, #a> -> tensor<32x32xf16, #b> loc("k.py":7:3)
    tt.store %q, %w : tensor<32x32x!tt.ptr<f16>, #b>
    %c = arith.constant dense<1.0> : tensor<32x32xf16, #a>
    %d = ttg.convert_layout %c : tensor<32x32xf16, #a> -> tensor<32x32xf16, #b> loc("k.py":9:3)
    tt.store %q, %d : tensor<32x32x!tt.ptr<f16>, #b>
    tt.return
  }
}
"""


def test_conversions():
    loaded, constant = conversions(xt.parse(TEXT))
    assert (loaded.place, loaded.bytes, loaded.moves) == ("k.py:7:3", 2048, "between warps")
    assert loaded.shared > 0
    # A constant can be made in the layout that is wanted.
    assert constant.remover == "tritongpu-remove-layout-conversions"


def test_they_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "k.ttgir"
    file.write_text(TEXT)
    assert main([str(file)]) == 0
    out = capsys.readouterr().out
    assert "conversions: 2" in out
    assert "k.py:7:3: 32x32, 2048 bytes, between warps" in out


def test_completion(tmp_path: Path):
    pytest.importorskip("argcomplete")
    answer = tmp_path / "answer"
    line = "xtriton-explain --dev"
    variables = {
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(answer),
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
        "_ARGCOMPLETE_IFS": " ",
    }
    command = [sys.executable, "-c", "from xtriton.tools.xtriton_explain import main; main([])"]
    subprocess.run(command, env={**os.environ, **variables}, check=False, capture_output=True)
    assert "--device" in answer.read_text()
