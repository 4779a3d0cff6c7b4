"""Whether a launch wakes other threads, by a clock that only programs move."""

import ctypes
import struct
from types import SimpleNamespace
from typing import Any

import pytest

from xtriton.cpu import threads
from xtriton.cpu.job import job_offsets
from xtriton.cpu.threads import JOB_FORMAT, Runner

CALLING = 1_000
"""Nanoseconds that a call of the code takes besides the programs."""
WHOLE = struct.Struct("<q")


class Clock:
    """Stands for machine code whose programs take so many nanoseconds each."""

    now: int

    def __init__(self, nanoseconds: int):
        self.now, self.nanoseconds = 0, nanoseconds
        self.programs: list[int] = []

    def __call__(self, job: Any, arena: object) -> int:
        def field(name: str) -> int:
            return WHOLE.unpack_from(job, job_offsets()[name])[0]

        first, total = field("next"), field("total")
        self.now += CALLING + self.nanoseconds * max(total - first, 0)
        self.programs += range(first, total)
        if not isinstance(job, bytes):
            WHOLE.pack_into(job, job_offsets()["next"], max(first, total) + 1)
        return 0


class Interrupted(Clock):
    """One whose core is taken away for 10 ms in one of the calls."""

    def __init__(self, nanoseconds: int, call: int):
        super().__init__(nanoseconds)
        self.left = call

    def __call__(self, job: Any, arena: object) -> int:
        if self.left == 0:
            self.now += 10_000_000
        self.left -= 1
        return super().__call__(job, arena)


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many threads worked on what was left of each launch behind its probe."""
    counts: list[int] = []

    def share(self: Runner, function: Any, job: Any, total: int, count: int) -> None:
        counts.append(count)
        function(job, None)

    monkeypatch.setattr(Runner, "_share", share)
    return counts


def launch(runner: Runner, clock: Clock) -> None:
    """Run 64 programs on at most two threads."""
    clock.programs.clear()
    block = struct.pack(JOB_FORMAT, 64, 64, 64, 1, 1, 0)
    assert runner(clock, block, 64, 2) is None
    assert clock.programs == list(range(64))


@pytest.mark.parametrize("nanoseconds, alone", [(5, True), (200, False), (40_000, False)])
def test_others_are_woken_where_that_pays(
    monkeypatch: pytest.MonkeyPatch, woken: list[int], nanoseconds: int, alone: bool
):
    """What calling the code takes is no reason to."""
    clock = Clock(nanoseconds)
    monkeypatch.setattr(threads, "time", SimpleNamespace(perf_counter_ns=lambda: clock.now))
    runner = Runner(0)
    for _ in range(3):
        launch(runner, clock)
    assert (set(woken) <= {1}) == alone


@pytest.mark.parametrize("call", range(5))
def test_none_is_woken_because_the_core_was_taken_away(
    monkeypatch: pytest.MonkeyPatch, woken: list[int], call: int
):
    """Whichever call of a probe lasts for 10 ms, its programs are as short as the others."""
    clock = Interrupted(5, call)
    monkeypatch.setattr(threads, "time", SimpleNamespace(perf_counter_ns=lambda: clock.now))
    runner = Runner(0)
    for _ in range(3):
        launch(runner, clock)
    assert runner.limits.most_asleep >= 64


class Long(Clock):
    """One that says of each call that it took long, and counts in bytes as machine code does."""

    def __call__(self, job: Any, arena: object) -> int:
        block = (ctypes.c_char * len(job)).from_address(id(job) + bytes.__basicsize__ - 1)
        super().__call__(block if isinstance(job, bytes) else job, arena)
        return 1


def test_nothing_is_timed_where_there_is_one_thread(
    monkeypatch: pytest.MonkeyPatch, woken: list[int]
):
    """Code runs such launches itself, until one may have more threads."""
    clock, runner = Long(1_000_000), Runner(0)
    monkeypatch.setattr(threads, "time", SimpleNamespace(perf_counter_ns=lambda: clock.now))
    block = struct.pack(JOB_FORMAT, 64, 64, 64, 1, 1, 0)
    assert runner(clock, bytes(bytearray(block)), 64, 1) is None
    assert clock.programs == list(range(64))
    assert clock.now == 64_000_000 + CALLING
    assert not woken
    launch(runner, clock)
    assert woken == [2]


def test_launches_that_others_share_are_counted(monkeypatch: pytest.MonkeyPatch, woken: list[int]):
    """So many of them go by what was measured, whoever runs them."""
    clock, runner = Clock(40_000), Runner(0)
    monkeypatch.setattr(threads, "time", SimpleNamespace(perf_counter_ns=lambda: clock.now))
    launch(runner, clock)
    assert (runner.limits.per_thread, runner.limits.most_asleep) == (1, 1)
    trusted = runner.limits.trusted
    assert trusted > 0
    launch(runner, clock)
    assert runner.limits.trusted == trusted - 1
    block = struct.pack(JOB_FORMAT, 64, 64, 64, 1, 1, 0)
    runner.go_on(clock, block, 64, 2)
    assert runner.limits.trusted == 0
