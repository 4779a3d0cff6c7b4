"""Helpers of launches: they do what is posted, sleep, and are given up by nobody."""

import ctypes
import os
import struct
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from xtriton.cpu import team as teams, threads
from xtriton.cpu.arenas import arena
from xtriton.cpu.job import job_offsets
from xtriton.cpu.team_code import places
from xtriton.cpu.threads import JOB_FORMAT

PROGRAMS = 64
PATIENCE = 30
"""Seconds that a busy machine may take to let a thread begin."""


class Programs:
    """
    Stands for machine code: takes programs one by one and notes which thread ran each.

    They are over at once, or after some seconds; with `threads` when so many have begun one.
    """

    def __init__(self, seconds: float = 0.0, threads: int = 1):
        self.ran: list[tuple[int, int]] = []
        self.seconds = seconds
        self.begun = threading.Barrier(threads)
        self.waited: set[int] = set()
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
            self._meet()
            time.sleep(self.seconds)
            self.ran.append((number, threading.get_ident()))
            self.arenas.add(arena)
        return 1

    def _meet(self) -> None:
        """Wait for other threads to begin, the first time of each."""
        if threading.get_ident() not in self.waited:
            self.waited.add(threading.get_ident())
            self.begun.wait(PATIENCE)

    def run(
        self, team: teams.Team, others: int, *, is_short: bool = False, back: bool = False
    ) -> bool:
        """Run all programs on this thread and others; return whether there was a team."""
        bytes = struct.pack(JOB_FORMAT, PROGRAMS, 1, PROGRAMS, 1, 1, 0)
        job, own = ctypes.create_string_buffer(bytes, len(bytes)), arena(4096)
        struct.pack_into("=i", job, job_offsets()["back"], back)
        team.ready(others + 1, 4096)
        return team.run(self.function, job, others + 1, 4096, own, is_short=is_short)

    def check(self) -> None:
        """Every program ran once."""
        assert sorted(number for number, _ in self.ran) == list(range(PROGRAMS))


@pytest.fixture
def torch() -> Iterator[Any]:
    """PyTorch with four threads."""
    module: Any = pytest.importorskip("torch")
    before = module.get_num_threads()
    module.set_num_threads(4)
    yield module
    module.set_num_threads(before)


@pytest.fixture(params=["own", "lent"])
def new_team(request: pytest.FixtureRequest) -> Callable[[], teams.Team]:
    """Makes teams whose launches run on threads of their own, or on those of PyTorch."""
    if request.param == "own":
        return teams.Team
    request.getfixturevalue("torch")
    return partial(teams.Team, borrows=True)


@pytest.mark.parametrize("others", [1, 3])
def test_all_programs_run_once(new_team: Callable[[], teams.Team], others: int):
    programs = Programs(threads=others + 1)
    assert programs.run(new_team(), others)
    programs.check()
    assert len({thread for _, thread in programs.ran}) == others + 1
    assert len(programs.arenas) == others + 1


@pytest.mark.parametrize("back", [False, True])
def test_the_same_thread_has_the_same_part_again(new_team: Callable[[], teams.Team], back: bool):
    """What is left of a part goes to anybody; from the end, the first turns are the last part."""
    team = new_team()
    found: list[dict[int, int]] = []
    for turned in (False, back):
        programs = Programs(threads=2)
        programs.run(team, 1, back=turned)
        found.append(dict(programs.ran))
    parts = (0, PROGRAMS // 2)
    for before, now in zip(parts, reversed(parts) if back else parts, strict=True):
        assert found[0][before] == found[1][now]


def test_helpers_wake_up_again():
    """They sleep long before a second launch, without taking any time of a core."""
    team = teams.Team()
    Programs(threads=2).run(team, 1)
    time.sleep(0.1)
    before = time.process_time()
    time.sleep(0.1)
    assert time.process_time() - before < 0.05
    programs = Programs(threads=2)
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
    team, first = teams.Team(), Programs(3e-3)
    thread = threading.Thread(target=lambda: first.run(team, 1))
    thread.start()
    while not first.ran:
        time.sleep(1e-4)
    second = Programs()
    assert not second.run(team, 1)
    thread.join()
    first.check()
    assert second.run(team, 1)
    second.check()


def test_more_threads_than_are_ready_are_not_had():
    team, programs = teams.Team(), Programs()
    team.ready(2, 4096)
    job = ctypes.create_string_buffer(struct.pack(JOB_FORMAT, PROGRAMS, 1, PROGRAMS, 1, 1, 0))
    assert not team.run(programs.function, job, 3, 4096, None)
    assert not team.run(programs.function, job, 2, 8192, None)
    assert not programs.ran
    team.ready(3, 8192)
    assert team.run(programs.function, job, 3, 8192, None)
    programs.check()


def test_what_is_short_wakes_nobody_out_of_the_blue():
    """It goes to helpers that are awake."""
    team = teams.Team()
    assert Programs(threads=2).run(team, 1)
    state = ctypes.c_int32.from_address(team.address + places.HEADER_BYTES)
    ends = time.monotonic() + PATIENCE
    while state.value != places.ASLEEP and time.monotonic() < ends:
        time.sleep(0.01)
    time.sleep(0.1)
    assert not Programs().run(team, 1, is_short=True)
    assert Programs(threads=2).run(team, 1)
    assert any(Programs().run(team, 1, is_short=True) for _ in range(100))


def test_what_is_short_goes_to_few():
    team, programs = teams.Team(), Programs(1e-3)
    others = places.MOST_FOR_SHORT + 4
    while not programs.run(team, others, is_short=True):
        assert Programs().run(team, others)
    programs.check()
    assert len(programs.arenas) <= places.MOST_FOR_SHORT


def test_a_job_says_what_failed():
    team, programs = teams.Team(), Programs()
    job = ctypes.create_string_buffer(struct.pack(JOB_FORMAT, PROGRAMS, 1, PROGRAMS, 1, 1, 0))

    def failing(part: int, arena: int) -> int:
        at = {name: part + offset for name, offset in job_offsets().items()}
        if ctypes.c_int64.from_address(at["next"]).value == PROGRAMS - 1:
            ctypes.c_int32.from_address(at["status"]).value = 7
            ctypes.c_int64.from_address(at["failed"]).value = PROGRAMS - 1
        return programs._run(part, arena)

    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    function = kind(failing)
    team.ready(2, 4096)
    assert team.run(function, job, 2, 4096, None)
    assert threads._failure(job) == (7, PROGRAMS - 1)


def test_an_interrupt_waits_for_what_has_begun(
    new_team: Callable[[], teams.Team], monkeypatch: pytest.MonkeyPatch
):
    """And the rest is not run, and others have the team."""
    team, programs, code = new_team(), Programs(1e-3), teams._code()
    again, calls = code.again, 0

    def interrupted(*arguments: Any) -> int:
        nonlocal calls
        calls += 1
        if calls == 5:
            raise KeyboardInterrupt
        return again(*arguments)

    monkeypatch.setattr(code, "again", interrupted)
    with pytest.raises(KeyboardInterrupt):
        programs.run(team, 1)
    done = len(programs.ran)
    time.sleep(0.02)
    assert len(programs.ran) == done < PROGRAMS
    other = Programs()
    assert other.run(team, 1)
    other.check()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_child_has_a_team_of_its_own():
    Programs(threads=2).run(teams.team(), 1)
    child = os.fork()
    if child == 0:
        programs = Programs(threads=2)
        programs.run(teams.team(), 1)
        os._exit(0 if len(programs.ran) == PROGRAMS else 1)
    assert os.waitpid(child, 0)[1] == 0


def threads_of_openmp() -> set[int]:
    """Return which threads a parallel region of PyTorch's runtime has."""
    found: set[int] = set()
    all_there = threading.Barrier(teams.lent_threads())

    def region(_: int) -> None:
        found.add(threading.get_ident())
        all_there.wait(PATIENCE)

    kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    ctypes.CDLL(None).GOMP_parallel(kind(region), None, 0, 0)
    return found


@pytest.mark.usefixtures("torch")
def test_threads_of_pytorch_are_lent():
    """Those that its ops have."""
    programs = Programs(threads=4)
    assert programs.run(teams.Team(borrows=True), 3)
    ran = {thread for _, thread in programs.ran}
    assert len(ran) == 4
    assert ran <= threads_of_openmp()


@pytest.mark.usefixtures("torch")
def test_what_is_short_borrows_no_threads():
    """Helpers answer sooner."""
    team, programs = teams.Team(borrows=True), Programs(threads=2)
    while not programs.run(team, 1, is_short=True):
        assert Programs().run(team, 1)
    ran = {thread for _, thread in programs.ran}
    assert len(ran) == 2
    assert not ran <= threads_of_openmp()


def test_no_more_threads_are_lent_than_there_are(torch: Any):
    """Who asks for more has helpers; who asks for no number has as many."""
    torch.set_num_threads(1)
    assert threads.threads_of_launch() == 1
    programs = Programs(threads=2)
    assert programs.run(teams.Team(borrows=True), 1)
    assert not {thread for _, thread in programs.ran} <= threads_of_openmp()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.usefixtures("torch")
def test_a_child_borrows_no_threads():
    """OpenMP's are not there, and whoever wants them waits for ever."""
    Programs(threads=2).run(teams.Team(borrows=True), 1)
    child = os.fork()
    if child == 0:
        programs = Programs(threads=2)
        programs.run(teams.team(), 1)
        os._exit(0 if len(programs.ran) == PROGRAMS and not teams.lent_threads() else 1)
    assert os.waitpid(child, 0)[1] == 0
