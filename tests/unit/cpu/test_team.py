"""Helpers of launches: they do what is posted, sleep, and are given up by nobody."""

import ctypes
import os
import struct
import threading
import time
from typing import Any

import pytest

from xtriton.cpu import team as teams, threads
from xtriton.cpu.job import JOB_BYTES, job_offsets
from xtriton.cpu.threads import JOB_FORMAT, prototype

PROGRAMS = 64


class Programs:
    """Stands for machine code: takes programs one by one and notes which thread ran each."""

    def __init__(self, seconds: float = 0.0):
        self.ran: list[tuple[int, int]] = []
        self.seconds = seconds
        self.arenas: set[int] = set()
        self._taking = threading.Lock()
        self.function = prototype(self._run)

    def _run(self, job: Any, arena: int) -> int:
        # As a parameter the job is bytes, up to the first that is zero.
        place = self.address + job_offsets()["next"]
        with self._taking:
            number = ctypes.c_int64.from_address(place).value
            ctypes.c_int64.from_address(place).value = number + 1
        if number < PROGRAMS:
            time.sleep(self.seconds)
            self.ran.append((number, threading.get_ident()))
            self.arenas.add(arena)
        return 1

    def run(self, team: teams.Team, others: int) -> bool:
        """Run all programs on this thread and others."""
        block = struct.pack(JOB_FORMAT, PROGRAMS, 1, PROGRAMS, 1, 1, 0)
        job = ctypes.create_string_buffer(block, JOB_BYTES)
        self.address = ctypes.addressof(job)
        return team.run(self.function, job, others, 4096, threads.arena(4096), threads.pages)

    def check(self) -> None:
        """Every program ran once."""
        assert sorted(number for number, _ in self.ran) == list(range(PROGRAMS))


@pytest.mark.parametrize("others", [1, 3])
def test_all_programs_run_once(others: int):
    programs = Programs(1e-4)
    assert programs.run(teams.Team(), others)
    programs.check()
    assert 2 <= len({thread for _, thread in programs.ran}) <= others + 1
    assert len(programs.arenas) == len({thread for _, thread in programs.ran})


def test_helpers_wake_up_again():
    """They sleep long before a second launch, without taking any time of a core."""
    team = teams.Team()
    Programs(1e-4).run(team, 1)
    time.sleep(0.02)
    before = time.process_time()
    time.sleep(0.1)
    assert time.process_time() - before < 0.05
    programs = Programs(1e-3)
    programs.run(team, 1)
    programs.check()
    assert len({thread for _, thread in programs.ran}) == 2


def test_a_helper_that_has_not_begun_is_not_waited_for():
    """The one program is over before anybody else could begin."""
    team = teams.Team()
    for _ in range(200):
        programs = Programs()
        programs.run(team, 1)
        programs.check()


def test_one_launch_has_the_team_at_a_time():
    team, begun = teams.Team(), threading.Event()
    first = Programs(1e-3)

    def launch() -> None:
        begun.set()
        first.run(team, 1)

    thread = threading.Thread(target=launch)
    thread.start()
    begun.wait()
    time.sleep(0.005)
    second = Programs()
    assert not second.run(team, 1)
    thread.join()
    first.check()
    assert second.run(team, 1)
    second.check()


def test_an_interrupt_waits_for_what_has_begun(monkeypatch: pytest.MonkeyPatch):
    """And the rest is not run."""
    team, programs = teams.Team(), Programs(1e-3)
    functions: Any = teams._functions  # pyright: ignore[reportPrivateUsage]
    serve, share, join = functions()
    calls = 0

    def interrupted(*arguments: Any) -> int:
        nonlocal calls
        calls += 1
        if calls == 5:
            raise KeyboardInterrupt
        return share(*arguments)

    monkeypatch.setattr(teams, "_functions", lambda: (serve, interrupted, join))
    with pytest.raises(KeyboardInterrupt):
        programs.run(team, 1)
    done = len(programs.ran)
    time.sleep(0.02)
    assert len(programs.ran) == done < PROGRAMS


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_child_has_a_team_of_its_own():
    Programs(1e-4).run(teams.team(), 1)
    child = os.fork()
    if child == 0:
        programs = Programs(1e-4)
        programs.run(teams.team(), 1)
        os._exit(0 if len(programs.ran) == PROGRAMS else 1)
    assert os.waitpid(child, 0)[1] == 0
