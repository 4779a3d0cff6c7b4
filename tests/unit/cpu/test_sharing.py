"""Launches on several threads as Python's own kind of function."""

import ctypes
import signal
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from tests.unit.cpu.test_calls import I32, Launcher
from xtriton.cpu import jit, team as teams
from xtriton.cpu.job import job_offsets


def shared(launch: Launcher, counts: dict[int, int]) -> Callable[[int, int | None], int]:
    """Return programs for several threads that count the programs of each by its arena."""

    def body(job: int, arena: int | None) -> int:
        next = ctypes.c_int64.from_address(job + job_offsets()["next"])
        total = ctypes.c_int64.from_address(job + job_offsets()["total"]).value
        counts[arena or 0] = counts.get(arena or 0, 0) + max(total - next.value, 0)
        next.value = total
        return launch.status

    kind: Any = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    launch.function = kind(body)
    launch.function.address = ctypes.cast(launch.function, ctypes.c_void_p).value
    return body


@pytest.mark.parametrize(
    ("trusted", "allowed", "ready", "in_python"),
    [(9, None, 3, 0), (9, 2, 2, 0), (0, 2, 2, 1), (9, None, 2, 1), (9, 1, 1, 0)],
)
def test_launches_are_shared_without_python(
    trusted: int, allowed: int | None, ready: int, in_python: int
):
    """As long as they are trusted, and there are helpers for all three cores or the limit."""
    team, counts = teams.Team(), dict[int, int]()
    team.ready(ready, 64)
    launch = Launcher([I32], trusted=trusted, threads=allowed, team=team, per_thread=2)
    body = shared(launch, counts)
    for _ in range(3):
        launch(1, grid=(10, 1, 1))
    assert [name for name, *_ in launch.others] == ["whole"] * 3 * in_python
    assert sum(counts.values()) == 30 * (1 - in_python)
    shares = trusted and (allowed is None or allowed > 1)
    assert launch.limits.trusted == trusted - (3 if shares else 0)
    assert body


def test_small_launches_are_not_shared():
    team, counts = teams.Team(), dict[int, int]()
    team.ready(3, 64)
    launch = Launcher([I32], trusted=9, threads=None, team=team, per_thread=6)
    shared(launch, counts)
    launch(1, grid=(11, 1, 1))
    assert launch.limits.trusted == 9
    launch(1, grid=(12, 1, 1))
    assert launch.limits.trusted == 8


@pytest.mark.parametrize(("allowed", "programs", "others"), [(1, 4, 0), (2, 4, 1), (2, 1, 0)])
def test_a_long_launch_is_told_where_others_might_have_helped(
    allowed: int, programs: int, others: int
):
    launch = Launcher([I32], status=1, threads=allowed)
    body = shared(launch, {})
    launch(1, grid=(programs, 1, 1))
    assert len(launch.others) == others
    assert body


@pytest.mark.parametrize(("bands", "allowed", "others"), [(0, 2, 1), (0, 1, 0), (1, 2, 0)])
def test_a_long_program_alone_is_told_until_bands_are_decided(
    bands: int, allowed: int, others: int
):
    launch = Launcher([I32], status=1, threads=allowed, bands=bands)
    body = shared(launch, {})
    launch(1, grid=(1, 1, 1))
    assert [name for name, *_ in launch.others] == ["rest"] * others
    assert body


def test_an_interrupt_stops_a_shared_launch():
    """Signals are looked for each time that machine code comes back, as this does for ever."""
    team = teams.Team()
    team.ready(2, 64)
    launch = Launcher([I32], trusted=9, team=team, per_thread=1)
    code = jit.load("define i32 @idle(ptr %job, ptr %arena) {\n  ret i32 1\n}\n", ["idle"])
    launch.function = SimpleNamespace(address=code.addresses["idle"])
    timer = threading.Timer(0.05, signal.raise_signal, (signal.SIGINT,))
    # What a shell begins in the background ignores this signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            launch(1, grid=(8, 1, 1))
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)
    assert teams._code().take(team.address)
