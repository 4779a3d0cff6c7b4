"""Every kernel: what the record says, and that running it never contradicts the record."""

from __future__ import annotations

import pytest

from tests.unit.effects import kernels_adversarial, kernels_control, kernels_memory
from tests.unit.effects.kernels import KERNELS, Kernel
from tests.unit.effects.observe import check
from xtriton import effects, universe
from xtriton.analysis.effects import KernelEffects, analyze_module
from xtriton.api import run_passes
from xtriton.errors import UserError
from xtriton.ir.reading.parser import parse_module

__all__ = ["kernels_adversarial", "kernels_control", "kernels_memory"]

CONTEXT = universe.context(allow_unregistered=True)


def said(record: KernelEffects, what: str) -> str:
    """Return what a record says in the form of the tables."""
    marks = {"must": "", "may": "?"}
    found: dict[str, str] = {}
    for a in record.arguments:
        answer = getattr(a, what)
        if answer != "none":
            found.setdefault(a.name, marks[answer])
    return " ".join(name + mark for name, mark in found.items())


def ids(kernel: Kernel) -> str:
    return kernel.name


def test_there_are_enough_kernels_and_names_are_unique():
    assert len({k.name for k in KERNELS}) == len(KERNELS) >= 80


@pytest.mark.parametrize("kernel", KERNELS, ids=ids)
@pytest.mark.parametrize("inline", [True, False], ids=["inlined", "as it is"])
def test_record(kernel: Kernel, inline: bool):
    record = effects.analyze(kernel.text, inline=inline)
    assert record.complete, record.notes
    assert (said(record, "read"), said(record, "write")) == (kernel.read, kernel.write)
    assert (record.unknown_read, record.unknown_write) == (
        kernel.unknown_read,
        kernel.unknown_write,
    )
    assert tuple(dict.fromkeys(s.kind for s in record.side_effects)) == kernel.side_effects
    doubtful = [a for a in (*record.arguments, *record.indirect) if "may" in (a.read, a.write)]
    assert all(a.reasons for a in doubtful), "every 'may' has a reason"


@pytest.mark.parametrize("kernel", [k for k in KERNELS if k.runs], ids=ids)
def test_running_agrees(kernel: Kernel):
    module = parse_module(kernel.text, CONTEXT)
    (record,) = analyze_module(module).values()
    ran, wrong = check(module, record)
    assert ran > 0, "no launch runs"
    assert wrong == []


LEVELS = {
    "block pointers": "triton-raise-block-pointer",
    "structured": "triton-to-structured",
    "buffers": (
        "triton-to-structured,triton-to-unstructured,triton-arith-to-linalg,"
        "structured-to-memref,unstructured-to-memref"
    ),
}


@pytest.mark.parametrize("pipeline", LEVELS.values(), ids=list(LEVELS))
def test_other_levels_miss_nothing(pipeline: str):
    """What passes make of a kernel reads and writes at least what is done for sure."""
    compared = 0
    for kernel in KERNELS:
        before = effects.analyze(kernel.text, inline=False)
        module = parse_module(kernel.text, CONTEXT)
        try:
            run_passes(module, pipeline, verify_each=False)
        except UserError:
            continue
        after = effects.analyze(module, inline=False)
        for what in ("read", "write"):
            there = {a.index for a in after.arguments if getattr(a, what) != "none"}
            done = {a.index for a in before.arguments if getattr(a, what) != "none"}
            missed = done - there
            assert not missed or what == "read" or after.indirect, (kernel.name, what, missed)
        compared += 1
    assert compared > 40
