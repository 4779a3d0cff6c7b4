"""
Our passes against what Intel's backend of August 2026 made of small kernels, pass by pass.

`scripts/make_stages.py` writes `august/*.stages.mlir`.
"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest

from xtriton.ir.reading.parser import parse_module
from xtriton.ir.versions import rules_of
from xtriton.ir.writing.printer import print_module
from xtriton.transforms.intel.releases import RELEASES
from xtriton.transforms.intel.ttgir_pipeline import IntelTTGIRPipelinePass
from xtriton.universe import context, pass_class

RELEASE = "2026-08"
KERNELS = sorted(Path(__file__).with_name("august").glob("*.stages.mlir"))
_STAGE = re.compile(r"^// (\w[\w-]+)\n", re.MULTILINE)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name.partition(".")[0])
def test_stages(kernel: Path, compare: ModuleType):
    """Passes that the backend's changed nothing by are not run: each takes what that one got."""
    _, *parts = _STAGE.split(kernel.read_text(encoding="utf-8"))
    texts = [part.partition("// -----")[0] for part in parts[1::2]]
    options = IntelTTGIRPipelinePass(num_warps=4, release=RELEASE).options()
    unequal: list[str] = []
    for name, (before, after) in zip(parts[2::2], pairwise(texts), strict=True):
        module, expected = (parse_module(text, context()) for text in (before, after))
        with rules_of(RELEASES[RELEASE].triton):
            pass_class(name)(**options.get(name, {})).apply(context(), module)
        if not compare.canonically_equal(module, expected):
            unequal.append(name)
    assert not unequal


def test_the_pipeline_of_all_kernels(compare: ModuleType):
    for kernel in KERNELS:
        first, *_, last = kernel.read_text(encoding="utf-8").split("// -----")
        module = parse_module(first, context())
        IntelTTGIRPipelinePass(num_warps=4, release=RELEASE).apply(context(), module)
        expected = parse_module(last, context())
        assert compare.canonically_equal(module, expected), print_module(module)
