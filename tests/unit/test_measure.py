"""`scripts/measure.py`: figures, bars, and the exit code."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(sys, "path", [str(SCRIPTS), *sys.path])
    return import_module("measurements.figures")


@pytest.mark.parametrize(
    "value, bar, side, holds",
    [
        (2, 1, "AT_LEAST", True),
        (1, 1, "AT_LEAST", True),
        (0, 1, "AT_LEAST", False),
        (2, 1, "AT_MOST", False),
        (1, 1, "AT_MOST", True),
        (0, 1, "AT_MOST", True),
        (0, None, "AT_LEAST", True),
    ],
)
def test_bars(figures: Any, value: float, bar: float | None, side: str, holds: bool):
    assert figures.Figure("a", value, "", bar, figures.Bar[side]).holds is holds


def test_no_kernels_is_an_error(figures: Any, tmp_path: Path):
    with pytest.raises(SystemExit, match=r"error: .* holds no corpus/\*/\*.ttir"):
        figures.kernels(tmp_path)


@pytest.mark.parametrize("value, code", [(3, 0), (2, 1)])
def test_the_exit_code_says_whether_all_hold(
    figures: Any,
    value: float,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    measure = import_module("measure")
    topic = ModuleType("measurements.raising")
    asked: list[Path] = []

    def measured(data: Path) -> Iterator[Any]:
        asked.append(data)
        yield figures.Figure("kernels", value, "", 3)
        yield figures.Figure("time", 1, "ms")

    topic.measure = measured  # pyright: ignore[reportAttributeAccessIssue]
    monkeypatch.setitem(sys.modules, "measurements.raising", topic)
    out = tmp_path / "figures.json"
    monkeypatch.setattr(
        sys, "argv", ["measure.py", "raising", f"--data={tmp_path}", f"--json={out}"]
    )
    assert measure.main() == code
    assert asked == [tmp_path]
    assert [f["holds"] for f in json.loads(out.read_text())["raising"]] == [code == 0, True]
    assert "≥ 3" in capsys.readouterr().out
