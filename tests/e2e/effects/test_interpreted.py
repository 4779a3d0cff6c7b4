"""Records of kernels in Triton against what Triton's own interpreter sees them do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

pytestmark = [
    pytest.mark.skipif(find_spec("torch") is None, reason="needs torch"),
    pytest.mark.skipif(find_spec("triton") is None, reason="needs Triton"),
    pytest.mark.slow,
]

SCRIPT = Path(__file__).parent / "interpreted_kernels.py"

Runs = list[dict[str, list[int]]]


@pytest.fixture(scope="module")
def observed() -> dict[str, Runs]:
    done = subprocess.run(
        [sys.executable, str(SCRIPT)],
        env={**os.environ, "TRITON_INTERPRET": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def kernels() -> Any:
    from tests.e2e.effects import interpreted_kernels

    return interpreted_kernels


def test_what_is_seen_is_what_is_said(observed: dict[str, Runs], kernels: Any):
    records = kernels.analysed()
    assert records.keys() == observed.keys()
    types = {k.fn.__name__: t for k, t in kernels.KERNELS.items()}
    exact = 0
    for name, record in records.items():
        launches = list(kernels.launches(types[name]))
        for (grid, scalars), seen in zip(launches, observed[name], strict=True):
            touched = record.at(grid, scalars)
            for a in record.arguments:
                for kind, answer in (("r", a.read), ("w", a.write)):
                    found = set(seen.get(f"{kind} {a.path}", ()))
                    assert not (found and answer == "none"), (name, a.path, kind)
                    assert found or answer != "must", (name, a.path, kind)
                    footprint = touched[a.path]
                    ranges = footprint.reads if kind == "r" else footprint.writes
                    if ranges is not None:
                        assert all(any(x <= b < y for x, y in ranges) for b in found), name
                        if footprint.exact:
                            exact += 1
                            size = a.accesses[0].size if a.accesses else 1
                            assert sum(y - x for x, y in ranges) == size * len(found), name
            elsewhere = bool(seen.get("w *"))
            assert not elsewhere or record.unknown_write != "none", name
    assert exact > 60


def test_answers(kernels: Any):
    said = {
        name: (" ".join(r.read()), " ".join(r.mutated())) for name, r in kernels.analysed().items()
    }
    assert said == {
        "copy": ("x", "out"),
        "strided": ("x", "out"),
        "in_place": ("x", "x"),
        "ping_pong": ("a b", "a b"),
        "rotates": ("a b c", "a b c"),
        "chooses": ("", "a b"),
        "first_program_only": ("", "a b"),
        "walks": ("x", "out"),
        "calls": ("a", "b"),
        "counts": ("x bins", "bins"),
        "sums_rows": ("x", "out"),
        "gathers": ("x index", "out"),
        "scatters": ("x index", "out"),
        "transposes": ("x", "out"),
        "wraps": ("x", "out"),
        "through_a_table": ("tab", ""),
        "nothing_written": ("x", ""),
    }
