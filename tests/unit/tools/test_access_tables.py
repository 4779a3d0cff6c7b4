"""What `xtriton-explain` prints for people."""

from pathlib import Path

import pytest

from xtriton.tools.xtriton_explain import main

KERNEL = """
tt.func public @rows(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %k: i32) {
  %c256 = arith.constant 256 : i32
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c256 : i32
  %i = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
  %s = tt.splat %start : i32 -> tensor<256xi32>
  %x = arith.addi %s, %i : tensor<256xi32>
  %ks = tt.splat %k : i32 -> tensor<256xi32>
  %row = arith.divsi %x, %ks : tensor<256xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
  %a = tt.addptr %ps, %row : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
  %v = tt.load %a : tensor<256x!tt.ptr<f32>>
  %qs = tt.splat %q : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
  %b = tt.addptr %qs, %x : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
  tt.store %b, %v : tensor<256x!tt.ptr<f32>>
  tt.return
}
"""


def test_tiers_assumptions_and_what_helps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("COLUMNS", "100")
    file = tmp_path / "rows.ttir"
    file.write_text(KERNEL)
    assert main([str(file)]) == 0
    text = capsys.readouterr().out
    assert text.startswith("rows of rows.ttir")
    assert "load 256" in text
    assert "affine" in text
    assert (
        "in the way: ((256*pid_x + i0) /t k) changes inside the block, which it does not if k"
        in text
    )
    assert text.count("no overflow of 32 bits at 8:8, 5:12") == 1
    assert "--xtriton-version-kernel makes blocks of 1 of the 1 that are none" in text
