"""Launches of `TRITON_INTERPRET=1` are cut short, and their times scaled."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

pytest.importorskip("torch")

from xtriton.tools.demo import cases, interpret


class Kernel:
    """Takes a second for each program."""

    seconds = 0.0

    def __getitem__(self, grid: tuple[int, ...]) -> Callable[..., None]:
        def run(*arguments: object) -> None:
            Kernel.seconds += grid[0]

        return run


def test_times_are_of_the_whole_grid(monkeypatch: pytest.MonkeyPatch):
    def call(inputs: list[Any], output: Any, launch: Any) -> None:
        launch(Kernel(), (output.numel(),))(*inputs, output)

    case = replace(cases.case_named("vector_add"), call=call)

    def named(name: str) -> cases.Case:
        return case

    monkeypatch.setattr(cases, "case_named", named)
    monkeypatch.setattr(interpret.time, "perf_counter", lambda: Kernel.seconds)
    assert interpret._measure("vector_add", [[8], [16], [64]]) == [
        (8.0, False),
        (16.0, False),
        (64.0, True),
    ]
