"""
Do real programs give right results on the CPU backend?

ResNet-18, GPT-2 and Llama, of plain torch code with random weights, are compiled by `torch.compile`
with `cpu_backend = "triton"` and compared with eager, results and gradients.
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
    """Yield by how much each model differs from eager."""
    folder = Path(__file__).parent.parent
    environment = os.environ | {"TRITON_DEFAULT_BACKEND": "cpu", "PYTHONPATH": str(folder)}
    for name in MODELS:
        command = [sys.executable, "-m", "measurements.programs.compiled_models", name]
        ended = subprocess.run(command, env=environment, capture_output=True, text=True)
        found = PRINTED.search(ended.stdout)
        difference = float(found[1]) if found else float("inf")
        note = found[2] if found else ended.stderr.strip().rsplit("\n", 1)[-1][:100]
        yield Figure(
            f"{name}: compiled against eager", difference, "", TOLERANCE, Bar.AT_MOST, note
        )
