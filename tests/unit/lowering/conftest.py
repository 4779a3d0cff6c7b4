"""Lowering a kernel given as text, and holding the result against the original."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from xdsl.dialects.builtin import ModuleOp

from xtriton import universe
from xtriton.interop import mlir
from xtriton.interpreter.api import run as execute
from xtriton.interpreter.machine import Program
from xtriton.ir.checking.verifier import verify
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.writing.printer import print_module
from xtriton.judge import check_equivalent
from xtriton.lowering.leftovers import leftovers
from xtriton.lowering.triton_to_linalg import TritonToLinalgExperimentalPass

Lower = Callable[..., str]


def lower_text(text: str, **options: Any) -> tuple[ModuleOp, ModuleOp]:
    """Return a module as it is and lowered."""
    original, rewritten = (parse_module(text, universe.context()) for _ in range(2))
    verify(original)
    TritonToLinalgExperimentalPass(**options).apply(universe.context(), rewritten)
    verify(rewritten)
    return original, rewritten


@pytest.fixture
def lower() -> Lower:
    """Return what lowers a kernel and gives the text, with nothing left of Triton."""

    def run(text: str, **options: Any) -> str:
        rewritten = lower_text(text, **options)[1]
        assert [op.name for op in leftovers(rewritten)] == []
        return print_module(rewritten)

    return run


@pytest.fixture(scope="module")
def for_mlir() -> Iterator[list[str]]:
    """Collects modules, which MLIR, where it is installed, verifies all at once at the end."""
    texts: list[str] = []
    yield texts
    judge = mlir.find()
    if judge is not None and texts:
        judge.run("\n// -----\n".join(texts), ["--split-input-file", "-o", os.devnull])


@pytest.fixture
def same(for_mlir: list[str]) -> Callable[..., str]:
    """
    Return what lowers a kernel, executes it before and after, and compares.

    Nothing of Triton may be left, something must have been stored, and MLIR, where it is
    installed, must take the text. `given` are arguments by position, or a list of such for
    one launch each; `count` is how many launches are drawn. The text of the lowered kernel is returned.
    """

    def run(
        text: str,
        *,
        tolerance: float = 0.0,
        given: Any = None,
        count: int | None = None,
        **options: Any,
    ) -> str:
        original, rewritten = lower_text(text, **options)
        assert [op.name for op in leftovers(rewritten)] == []
        programs = Program(original), Program(rewritten)
        launches: list[Any] = [given]
        if isinstance(given, list):
            launches = given  # pyright: ignore[reportUnknownVariableType]
        for fixed in launches:
            draws = count or (3 if fixed is None else 1)
            verdict = check_equivalent(*programs, tolerance=tolerance, given=fixed, count=draws)
            assert verdict, verdict.render()
            stored = not any("vacuous" in note for note in verdict.notes)
            assert stored or fixed is not None, verdict.render()
        lowered = print_module(rewritten)
        for_mlir.append(lowered)
        return lowered

    return run


@pytest.fixture
def lower_kernel() -> Callable[..., tuple[ModuleOp, ModuleOp]]:
    """Return what gives a module as it is and lowered."""
    return lower_text


@pytest.fixture
def run_both() -> Callable[..., list[Any]]:
    """Return what runs a kernel on arrays before and after; it gives the last array of each."""

    def run(text: str, *arrays: Any, grid: int = 1) -> list[Any]:
        results: list[Any] = []
        for module in lower_text(text):
            copies = [array.copy() if hasattr(array, "copy") else array for array in arrays]
            execute(module, grid, copies)
            results.append(copies[-1])
        return results

    return run
