"""
Do real programs give right results on the CPU backend?

ResNet-18, GPT-2 and Llama, of plain torch code with random weights, are compiled by `torch.compile`
with `cpu_backend = "triton"` and compared with eager, results and gradients. Where
`XTRITON_TRITON_TESTS` names a checkout of Triton, its tutorials run as well.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from measurements.figures import Bar, Figure

MODELS = ("ResNet-18", "GPT-2", "Llama")
PRINTED = re.compile(r"largest difference (\S+), of (\S+)")
TOLERANCE = 1e-4
"""Of f32, relative; what Inductor's own tests of models take."""


def measure(data: Path) -> Iterator[Figure]:
    """Yield by how much each model differs from eager, and how many tutorials run."""
    for name in MODELS:
        ended = _program("compiled_models", name)
        found = PRINTED.search(ended.stdout)
        difference = float(found[1]) if found else float("inf")
        note = found[2] if found else _last_line(ended)
        yield Figure(
            f"{name}: compiled against eager", difference, "", TOLERANCE, Bar.AT_MOST, note
        )
    if checkout := os.environ.get("XTRITON_TRITON_TESTS"):
        yield from _tutorials(Path(checkout, "python", "tutorials").absolute())


def _tutorials(folder: Path) -> Iterator[Figure]:
    names = sorted(path.stem for path in folder.glob("[0-9]*.py"))
    ended = {name: _program("tutorials", str(folder), name) for name in names}
    failed = [f"{name}: {_last_line(one)}" for name, one in ended.items() if one.returncode]
    yield Figure("Triton's tutorials", len(names))
    yield Figure("tutorials that fail", len(failed), "", 0, Bar.AT_MOST, "; ".join(failed))


def _program(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a module of `programs` in a process of its own."""
    folder = Path(__file__).parent.parent
    return subprocess.run(
        [sys.executable, "-m", f"measurements.programs.{name}", *arguments],
        env=os.environ | {"TRITON_DEFAULT_BACKEND": "cpu", "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def _last_line(ended: subprocess.CompletedProcess[str]) -> str:
    return ended.stderr.strip().rsplit("\n", 1)[-1][:100]
