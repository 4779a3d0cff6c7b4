"""Valid modules that are hard: every tool ends in seconds, with an answer or a sentence."""

import importlib.util
import resource
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest

from xtriton.tools.lit.runner import call_tool

ROOT = Path(__file__).parents[3]
MOST_SECONDS = 10.0
MOST_BYTES = 1 << 30


def _makers() -> ModuleType:
    path = ROOT / "scripts" / "adversarial.py"
    spec = importlib.util.spec_from_file_location("adversarial", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["adversarial"] = module
    spec.loader.exec_module(module)
    return module


KINDS = _makers().KINDS
SIZES = {
    "squarings": 59,
    "constant_squarings": 204,
    "exclusives": 226,
    "pointer_choices": 13,
    "loaded_choices": 13,
    "dimensions": 10_000,
    "loops": 12,
    "functions": 100,
    "accesses": 40,
}
"""Of the others 30: what doubles with each of so many has more parts than any machine holds."""

TOOLS = {
    "opt": ["--mlir-print-debuginfo"],
    "raise": ["--inline", "--canonicalize", "--cse", "--triton-to-structured"],
    "layouts": ["--xtriton-propagate-layouts-back"],
    "explain": [],
    "effects": [],
    "run": ["--arg=p=zeros(8)", "--arg=x=1", "--arg=y=1", "--arg=c=1", "--quiet"],
    "check": ["--budget=20000"],
}


THRESHOLDS = [
    *(("pointer_choices", size) for size in (11, 12, 14, 15)),
    *(("loaded_choices", size) for size in (11, 12, 14, 15)),
    ("squarings", 17),
    ("constant_squarings", 17),
]
"""Where a limit of size gives way to another, more was done than on either side."""


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("kind", KINDS)
def test_ends_in_seconds(kind: str, tool: str, tmp_path: Path) -> None:
    ends_in_seconds(kind, SIZES.get(kind, 30), tool, tmp_path)


@pytest.mark.parametrize("tool", ["explain", "effects"])
@pytest.mark.parametrize("kind, size", THRESHOLDS)
def test_ends_in_seconds_at_thresholds(kind: str, size: int, tool: str, tmp_path: Path) -> None:
    ends_in_seconds(kind, size, tool, tmp_path)


def ends_in_seconds(kind: str, size: int, tool: str, folder: Path) -> None:
    """Hold a tool's time, memory and words against the limits."""
    file = folder / "kernel.mlir"
    file.write_text(KINDS[kind](size))
    name = "opt" if tool in ("raise", "layouts") else tool
    files = [str(file)] * (2 if tool == "check" else 1)
    start = time.process_time()
    done = call_tool(f"xtriton-{name}", [*files, *TOOLS[tool]])
    assert time.process_time() - start < MOST_SECONDS
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 < 2 * MOST_BYTES
    assert done.code in (0, 1), done.errors
    assert "internal error" not in done.errors
    assert len(done.errors) < 5_000
