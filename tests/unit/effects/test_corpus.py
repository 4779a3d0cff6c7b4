"""Real kernels: nothing is given up, and the GPU level says what TTIR says."""

from __future__ import annotations

import statistics
import time
from pathlib import Path

import pytest

from xtriton import universe
from xtriton.analysis.effects import KernelEffects, analyze_module
from xtriton.ir.reading.parser import parse_module

EVERY = 12
"""One of so many kernels is looked at here; all are when the pipeline is measured."""


@pytest.fixture(scope="module")
def files(shared_corpus: Path) -> list[Path]:
    return sorted(shared_corpus.rglob("corpus/**/*.ttir"))[::EVERY]


def analysed(file: Path) -> KernelEffects:
    module = parse_module(file.read_text(), universe.context(), file=str(file))
    (record,) = analyze_module(module).values()
    return record


def test_records_are_complete_and_exact_enough(files: list[Path]):
    records = [analysed(file) for file in files]
    assert all(r.complete for r in records)
    assert all(r.mutated() for r in records), "every one of these kernels writes something"
    assert not any(r.indirect for r in records)
    accesses = [x for r in records for a in r.arguments for x in a.accesses]
    assert sum(x.is_exact for x in accesses) > 0.9 * len(accesses)


def test_the_gpu_level_says_the_same(files: list[Path]):
    for file in files:
        before, after = analysed(file), analysed(file.with_suffix(".ttgir"))
        assert [(a.path, a.read, a.write) for a in before.arguments] == [
            (a.path, a.read, a.write) for a in after.arguments
        ], file.name


def test_speed(files: list[Path]):
    """A millisecond is the aim on a quiet machine; this only notices a change of kind."""
    times: list[float] = []
    for file in files:
        module = parse_module(file.read_text(), universe.context())
        begin = time.perf_counter()
        analyze_module(module)
        times.append(time.perf_counter() - begin)
    assert statistics.median(times) < 10e-3
