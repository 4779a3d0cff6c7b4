"""`xtriton-effects`: tables, JSON, byte ranges, checks, errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit.effects import kernels_adversarial, kernels_control, kernels_memory
from tests.unit.effects.kernels import KERNELS
from xtriton.tools.xtriton_effects import main

__all__ = ["kernels_adversarial", "kernels_control", "kernels_memory"]

TEXTS = {k.name: k.text for k in KERNELS}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "kernel.ttir"
    path.write_text(TEXTS["masked_copy"])
    return path


def test_tables(file: Path, capsys: pytest.CaptureFixture[str]):
    assert main([str(file), "--grid", "4", "--set", "n=10"]) == 0
    out = capsys.readouterr().out
    assert "masked_copy: writes out; programs write apart" in out
    assert "16*pid_x + 4*i0" in out
    assert "its mask may be false" in out
    assert [line.split() for line in out.splitlines() if "0–39" in line] == [
        ["x", "0–39"],
        ["out", "0–39"],
    ]
    assert "n: argument" in out
    covers = [line.split()[0] for line in out.splitlines() if "overwrites all it may" in line]
    assert covers == ["out"]
    assert main([str(file), "--grid", "4"]) == 0
    assert "at most; give --set n=…" in capsys.readouterr().out


def test_location_in_the_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "kernel.ttir"
    lines = TEXTS["copy"].splitlines()
    at = next(k for k, line in enumerate(lines) if "tt.store" in line)
    lines[at] += ' loc("kernel.py":12:4)'
    path.write_text("\n".join(lines))
    assert main([str(path)]) == 0
    assert "kernel.py:12:4" in capsys.readouterr().out
    long = "a/path/of/many/folders/to/kernel.py"
    path.write_text(path.read_text().replace("kernel.py", long))
    assert main([str(path)]) == 0
    out = capsys.readouterr().out
    assert out.count(long) == 1, "above the table"
    assert "\n 12:4 " in out


def test_lines_of_the_text_where_it_names_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "k.ttir"
    path.write_text(TEXTS["masked_copy"])
    line = 1 + next(k for k, t in enumerate(path.read_text().splitlines()) if "tt.store" in t)
    assert main([str(path), "--json"]) == 0
    (record,) = json.loads(capsys.readouterr().out)
    (store,) = (x for a in record["arguments"] for x in a["accesses"] if x["op"] == "tt.store")
    assert store["location"] == f"{path}:{line}:5"


def test_json(file: Path, capsys: pytest.CaptureFixture[str]):
    assert main([str(file), "--json", "--kernel", "masked_copy"]) == 0
    (record,) = json.loads(capsys.readouterr().out)
    assert [(a["path"], a["write"]) for a in record["arguments"]] == [("x", "none"), ("out", "may")]


@pytest.mark.parametrize("name", list(TEXTS))
def test_every_kernel_can_be_shown(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "kernel.ttir"
    path.write_text(TEXTS[name])
    assert main([str(path), "--no-inline", "--grid", "2,1"]) == 0
    assert name in capsys.readouterr().out


def test_check(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main([str(file), "--check", "out"]) == 0
    capsys.readouterr()
    assert main([str(file), "--check", "x"]) == 1
    assert "masked_copy may write 'out'" in capsys.readouterr().err
    table = tmp_path / "table.ttir"
    table.write_text(TEXTS["pointer_table"])
    assert main([str(table), "--check", "tab"]) == 1
    assert "writes through addresses in memory" in capsys.readouterr().err


def test_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str], file: Path):
    assert main([str(tmp_path / "missing")]) == 1
    assert "cannot read" in capsys.readouterr().err
    assert main([str(file), "--kernel", "other"]) == 1
    assert "no kernel 'other'" in capsys.readouterr().err
    assert main([str(file), "--grid", "x"]) == 1
    assert "--grid wants X,Y,Z, not 'x'" in capsys.readouterr().err
    bad = tmp_path / "bad.ttir"
    bad.write_text("module {\n  nonsense\n}\n")
    assert main([str(bad)]) == 1
    assert "2:" in capsys.readouterr().err
