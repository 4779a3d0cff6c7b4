"""Real kernels: all execute, and mean the same before and after real compilers' pipelines."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

from xtriton import universe
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import Options, check_equivalent
from xtriton.judge.pass_dump import check_dumps, first_broken, report

SAMPLE = 40
"""How many kernels of the corpus a run of the tests looks at."""


def parse(path: Path) -> ModuleOp:
    return parse_module(path.read_text(), universe.context(), file=str(path))


def sample(files: list[Path]) -> list[Path]:
    """Return the same few files every time."""
    files = sorted(files)
    assert files
    return random.Random(4).sample(files, min(SAMPLE, len(files)))


@pytest.mark.slow
def test_ttir_and_hopper_ttgir(shared_corpus: Path) -> None:
    for path in sample(list((shared_corpus / "corpus").glob("*/*.ttir"))):
        verdict = check_equivalent(
            parse(path), parse(path.with_suffix(".ttgir")), options=Options(count=2)
        )
        assert verdict, f"{path.name}: {verdict.render()}"


@pytest.mark.slow
def test_ttir_and_intel_ttgir(shared_corpus: Path) -> None:
    for path in sample(list((shared_corpus / "xpu" / "corpus").glob("*/*.ttgir"))):
        name = path.name.rsplit(".w", 1)[0] + ".ttir"
        source = shared_corpus / "corpus" / path.parent.name / name
        verdict = check_equivalent(parse(source), parse(path), options=Options(count=2))
        assert verdict, f"{path.name}: {verdict.render()}"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["transpose_copy.64x64.w4", "gemm_block_pointers.128x128x32.w16"])
def test_every_pass_of_the_intel_backend(shared_corpus: Path, name: str) -> None:
    text = (shared_corpus / "xpu" / f"{name}.stages.mlir").read_text()
    context = universe.context()
    stages = check_dumps(text, lambda ir: parse_module(ir, context), Options(count=1))
    assert first_broken(stages) is None, report(stages)
    assert sum(1 for s in stages if s.verdicts) >= 5


def test_a_miscompilation_of_another_compiler_is_found(shared_corpus: Path) -> None:
    """triton-shared drops the row index of this scatter; its authors do not check that."""
    name = "triton_poi_fused_scatter_unsqueeze_zeros_1.2"
    source = parse(shared_corpus / "corpus" / "ops" / f"{name}.ttir")
    lowered = parse(shared_corpus / "triton_shared" / f"{name}.linalg.mlir")
    assert not check_equivalent(source, lowered, options=Options(count=1))
