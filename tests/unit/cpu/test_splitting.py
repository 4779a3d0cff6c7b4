"""When the programs of a launch run in bands, by a clock that only programs move."""

import ctypes
import struct
from collections.abc import Callable
from typing import Any

import pytest

from xtriton.cpu import splitting, threads
from xtriton.cpu.job import job_offsets
from xtriton.cpu.splitting import LAUNCHES_BEFORE, Bands
from xtriton.cpu.threads import JOB_FORMAT, Runner, limited_threads

WHOLE = struct.Struct("<q")
LONG = 100_000
"""Nanoseconds of a program that is worth splitting."""


class Code:
    """Stands for machine code whose programs take so many nanoseconds each."""

    address = 1 << 40

    def __init__(self, clock: list[int], nanoseconds: int):
        self.clock, self.nanoseconds = clock, nanoseconds
        self.sizes: list[tuple[int, int]] = []
        """Programs in all and along x of each call."""

    def __call__(self, job: Any, arena: object) -> int:
        first, total = (
            WHOLE.unpack_from(job, job_offsets()[field])[0] for field in ("next", "total")
        )
        self.clock[0] += self.nanoseconds * max(total - first, 0)
        self.sizes.append((total, struct.unpack_from("<i", job, job_offsets()["size0"])[0]))
        if not isinstance(job, bytes):
            WHOLE.pack_into(job, job_offsets()["next"], max(first, total) + 1)
        return 0


Make = Callable[[int, int | None], tuple[Bands, Code, Code, list[int]]]


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch):
    """Return what makes `Bands` of programs, and bands, that take so long; None is not split."""
    clock = [0]

    class Time:
        @staticmethod
        def perf_counter_ns() -> int:
            return clock[0]

    def alone(self: Runner, function: Any, job: Any, total: int, count: int) -> None:
        function(job, None)

    monkeypatch.setattr(threads, "time", Time)
    monkeypatch.setattr(Runner, "_share", alone)

    def made(program: int, band: int | None) -> tuple[Bands, Code, Code, list[int]]:
        whole, part = Code(clock, program), Code(clock, band or 0)
        asked: list[int] = []

        def compile(bands: int) -> tuple[Any, int] | None:
            asked.append(bands)
            return None if band is None else (part, 64)

        return Bands(Runner(0), compile), whole, part, asked

    with limited_threads(4):
        yield made


def job(programs: int, x: int) -> bytes:
    return struct.pack(JOB_FORMAT, programs, programs, x, 1, 1, 0)


def launch_often(bands: Bands, function: Code, times: int = LAUNCHES_BEFORE) -> None:
    ended = bytearray(job(1, 1))
    WHOLE.pack_into(ended, job_offsets()["next"], 2)
    for _ in range(times):
        bands.rest(function, bytes(ended), 1)


def test_it_takes_some_launches_that_are_long(make: Make):
    bands, whole, _, _ = make(LONG, LONG // 4)
    launch_often(bands, whole, LAUNCHES_BEFORE - 1)
    assert bands.split.bands == 0
    launch_often(bands, whole, 1)
    assert bands.split.bands == 4


def test_bands_that_pay_are_kept(make: Make):
    bands, whole, part, asked = make(LONG, LONG // 4)
    launch_often(bands, whole)
    bands.whole(whole, job(4, 4), 1)
    assert asked == [4]
    assert set(whole.sizes) == {(1, 1)}
    assert (bands.split.bands, bands.split.arena_bytes) == (4, 64)
    assert (bands.split.code, bands.split.limits) == (Code.address, bands.own.limits_at)
    assert {x for _, x in part.sizes} == {4}
    calls = len(whole.sizes)
    bands.whole(whole, job(4, 4), 1)
    assert asked == [4]
    assert len(whole.sizes) == calls


@pytest.mark.parametrize(
    ("program", "band", "compiled"),
    [(LONG, LONG * 4 // 5, True), (LONG, None, True), (20_000, 5_000, False)],
    ids=["bands take as long", "it cannot be split", "it is short"],
)
def test_what_does_not_pay_stays_whole(make: Make, program: int, band: int | None, compiled: bool):
    bands, whole, part, asked = make(program, band)
    launch_often(bands, whole)
    before = len(part.sizes)
    bands.whole(whole, job(4, 4), 1)
    assert asked == [4] * compiled
    assert bands.split.bands == 1
    assert whole.sizes[-1] == (1, 1), "the launch itself"
    launch_often(bands, whole)
    assert bands.split.bands == 1
    assert band is None or len(part.sizes) >= before


def test_what_fails_does_so_once(make: Make):
    bands, whole, _, _ = make(LONG, LONG // 4)

    def fail(_: int) -> None:
        raise OSError("no space")

    bands.compile = fail
    launch_often(bands, whole)
    with pytest.raises(OSError, match="no space"):
        bands.whole(whole, job(4, 4), 1)
    assert bands.split.bands == 1


@pytest.mark.parametrize(("programs", "bands"), [(1, 4), (2, 2), (3, 1), (4, 1), (9, 1)])
def test_bands_are_as_many_as_leave_no_thread_idle(make: Make, programs: int, bands: int):
    assert splitting._bands_for(programs) == bands


def test_machine_code_finds_it(make: Make):
    bands, *_ = make(LONG, LONG)
    assert splitting.Split.from_address(bands.split_at).limits == bands.own.limits_at
    assert ctypes.sizeof(splitting.Split) == 32
