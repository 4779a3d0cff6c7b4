"""
Real Triton compiles what we write, down to PTX for an NVIDIA GPU; none is needed.

A sample; `scripts/measure.py acceptance` takes all kernels and more releases.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

import pytest

from tests.e2e.raising import test_raised_kernels as raised
from xtriton.api import run_passes
from xtriton.interop.triton_batch import Job, compile_all
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.versions import parse_version
from xtriton.ir.writing.printer import print_module
from xtriton.universe import context

pytestmark = [
    pytest.mark.skipif(find_spec("triton") is None, reason="Triton is not installed"),
    pytest.mark.filterwarnings("ignore:TRITON_DEFAULT_FP_FUSION is unset"),
]

VERSIONS = "xtriton-version-kernel{unit-strides=true unwrap=true},xtriton-version-loops"
LAYOUTS = (
    "convert-triton-to-tritongpu{target=cuda:90 num-warps=4 threads-per-warp=32 num-ctas=1},"
    "tritongpu-coalesce,tritongpu-remove-layout-conversions"
)
SAMPLE = (
    "persistent_gemm",
    "batched_gemm",
    "layer_norm",
    "attention",
    "convolution",
    "interval",
    "rows_of_any_width",
    "both_wrap",
    "while_with_mask",
    "gather_rows",
)
THROUGH_TMA = frozenset({"persistent_gemm", "batched_gemm", "layer_norm", "attention", "interval"})


@cache
def ttir(name: str) -> str:
    return raised.ttir_of(name, dict(raised.kernels())[name], aligned=True)


def jobs(passes: str, **job: object) -> list[Job]:
    """Return the sample as passes leave it, in the syntax of the Triton at hand."""
    from xtriton.interop.triton import release

    found: list[Job] = []
    for name in SAMPLE:
        module = run_passes(parse_module(ttir(name), context()), passes)
        text = print_module(module, version=parse_version(release()))
        found.append(Job(name, text, **job))  # pyright: ignore[reportArgumentType]
    return found


@pytest.mark.parametrize("versions", ["", f"{VERSIONS},"], ids=["as it is", "versioned"])
def test_descriptors(versions: str):
    patterns = {"tma": ("ptx", r"cp\.async\.bulk\.tensor")}
    outcomes = list(
        compile_all(jobs(f"{versions}triton-raise-tensor-descriptor"), patterns=patterns)
    )
    assert not [outcome for outcome in outcomes if not outcome.accepted]
    assert {outcome.name for outcome in outcomes if outcome.counts["tma"]} >= THROUGH_TMA


@pytest.mark.parametrize(
    "job", [{"first": "llir"}, {"first": "ttgir", "has_layouts": True}], ids=["llir", "ttgir"]
)
def test_layouts(job: dict[str, object]):
    outcomes = list(compile_all(jobs(LAYOUTS, **job)))
    assert not [outcome for outcome in outcomes if not outcome.accepted]
