"""Helpers of launches: they do what is posted, sleep, and are given up by nobody."""

import ctypes
import os
import struct
import threading
import time
from typing import Any

import pytest

from xtriton.cpu import team as teams, threads
from xtriton.cpu.job import job_offsets
from xtriton.cpu.threads import JOB_FORMAT

PROGRAMS = 64


class Programs:
    """Stands for machine code: takes programs one by one and notes which thread ran each."""

    def __init__(self, seconds: float = 0.0):
        self.ran: list[tuple[int, int]] = []
        self.seconds = seconds
        self.arenas: set[int] = set()
        self._taking = threading.Lock()
        kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
        self.function = kind(self._run)

    def _run(self, job: int, arena: int) -> int:
        fields = {
            name: ctypes.c_int64.from_address(job + job_offsets()[name])
            for name in ("next", "total")
        }
        with self._taking:
            number = fields["next"].value
            fields["next"].value += 1
        if number < fields["total"].value:
            time.sleep(self.seconds)
            self.ran.append((number, threading.get_ident()))
            self.arenas.add(arena)
        return 1

    def run(self, team: teams.Team, others: int) -> bool:
        """Run all programs on this thread and others; return whether there was a team."""
        job = struct.pack(JOB_FORMAT, PROGRAMS, 1, PROGRAMS, 1, 1, 0)
        own = threads.arena(4096)
        return team.run(self.function, job, others, 4096, own, threads.pages) is not None

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


def test_the_same_thread_has_the_same_part_again():
    """What is left of a part goes to anybody."""
    team = teams.Team()
    Programs(1e-3).run(team, 1)
    found: list[dict[int, int]] = []
    for _ in range(2):
        programs = Programs(1e-3)
        programs.run(team, 1)
        found.append(dict(programs.ran))
    for number in (0, 1, PROGRAMS // 2, PROGRAMS // 2 + 1):
        assert found[0][number] == found[1][number]


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
    serve, share, join = teams._functions()
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
