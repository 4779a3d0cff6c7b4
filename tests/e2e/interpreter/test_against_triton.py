# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownMemberType=false
"""Our interpreter gives what Triton's own gives, op by op, type by type, on edge values too."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("triton")

import torch

from xtriton import universe
from xtriton.interop.triton import specialize, ttir_of
from xtriton.interpreter import run
from xtriton.ir.reading.parser import parse_module

PATHS = [Path(__file__).with_name(f"{name}.py") for name in ("kernels", "rare_kernels")]


def _load(path: Path) -> Any:
    """Load a file of kernels by its own name, under which the other one imports it."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CASES = [case for path in PATHS for case in _load(path).cases()]
pytestmark = pytest.mark.filterwarnings("ignore:TRITON_DEFAULT_FP_FUSION")


WRONG_IN_TRITON = frozenset(
    {
        "cast-float16-bfloat16",
        "cast-float32-bfloat16",
        "cast-bfloat16-float32",
        "cast-float32-float8_e5m2",
        "cast-float32-float8_e4m3fn",
    }
)
"""
Conversions that Triton's interpreter gets wrong: it truncates to bfloat16 instead of
rounding, loses the carry into the exponent and flushes subnormals. torch is the judge there.
"""


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What Triton's interpreter computes, by "case/argument"."""
    folder = tmp_path_factory.mktemp("triton")
    environment = {**os.environ, "TRITON_INTERPRET": "1"}
    results: dict[str, Any] = {}
    for source in PATHS:
        path = folder / f"{source.stem}.npz"
        command = [sys.executable, str(source), str(path)]
        subprocess.run(command, env=environment, check=True, timeout=300)
        with np.load(path) as found:
            results.update(found)
    return results


def test_there_are_many_cases(expected: dict[str, Any]) -> None:
    assert len({name.split("/")[0] for name in expected}) == len(CASES) >= 150
    assert len({case.name for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: Any, expected: dict[str, Any]) -> None:
    if f"{case.name}/{case.outputs[0]}" not in expected:
        pytest.fail("Triton's interpreter did not run it")
    specialization = specialize(case.kernel, case.arguments)
    text = ttir_of(case.kernel, specialization)
    module = parse_module(text, universe.context())
    run(module, case.grid, [case.arguments[name] for name in specialization.signature])
    for output in case.outputs:
        ours = case.arguments[output].reshape(-1)
        theirs = torch.from_numpy(expected[f"{case.name}/{output}"]).view(ours.dtype)
        if case.name in WRONG_IN_TRITON:
            theirs = case.arguments["x"].to(ours.dtype)
        assert_same(ours, theirs, case)


def assert_same(ours: torch.Tensor, theirs: torch.Tensor, case: Any) -> None:
    if not ours.dtype.is_floating_point:
        assert torch.equal(ours, theirs)
        return
    x, y = ours.to(torch.float64), theirs.to(torch.float64)
    nan = torch.isnan(x) & torch.isnan(y)
    same = (x == y) | nan
    if case.tolerance:
        same |= (x - y).abs() <= case.tolerance * y.abs().clamp(min=0.1)
    if case.zeros:
        same &= (torch.signbit(x) == torch.signbit(y)) | nan
    bad = torch.nonzero(~same)[:, 0]
    assert not len(bad), f"{len(bad)} differ: {x[bad[:3]]} {y[bad[:3]]}"
