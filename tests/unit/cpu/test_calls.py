"""Launching functions as Python's own kind of function."""

import ctypes
import gc
import struct
import sys
import threading
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import Any

import pytest

from xtriton import abi
from xtriton.cpu import arenas, calls, claims, splitting, team as teams, threads
from xtriton.cpu.calls.lending import lender
from xtriton.cpu.job import JOB_BYTES, job_offsets
from xtriton.cpu.launch import Launch, _overlapping
from xtriton.cpu.threads import prototype

POINTER = abi.Argument(abi.Kind.POINTER, "f32")
I32, I1, F16, F32, F64 = (
    abi.Argument(abi.Kind.SCALAR, t) for t in ("i32", "i1", "f16", "f32", "f64")
)
LEFT = -5
"""What a launching function returns that left a job."""


@dataclass
class Tensor:
    """What is asked of a tensor."""

    at: int
    nbytes: int = 4
    is_cpu: bool = True
    dense: bool = True

    def data_ptr(self) -> int:
        return self.at

    def is_contiguous(self) -> bool:
        return self.dense


class Chain:
    """A chain of hooks."""

    def __init__(self, *calls: Callable[..., object]):
        self.calls: Any = list(calls)

    def __call__(self, *_: object) -> None:
        raise AssertionError("left to the general way")


@dataclass
class Launcher:
    """A launcher, and what it was seen to do."""

    arguments: list[abi.Argument | None]
    written: frozenset[int] = frozenset()
    aliases: bool = True
    arena_bytes: int = 0
    status: int = 0
    per_thread: int = 4
    trusted: int = 0
    threads: int | None = 2
    team: teams.Team | None = None
    watching: list[Any] = field(default_factory=list[Any])
    jobs: list[bytes] = field(default_factory=list[bytes])
    arenas: list[int | None] = field(default_factory=list[Any])
    general: list[tuple[object, ...]] = field(default_factory=list[Any])
    others: list[tuple[Any, ...]] = field(default_factory=list[Any])
    lent_type: type | None = None
    returning: range = range(0)
    bands: int = 1
    of_main: Any = field(default_factory=lambda: (ctypes.c_uint64 * 3)())

    def __post_init__(self) -> None:
        present = sum(argument is not None for argument in self.arguments)
        size = JOB_BYTES + abi.SLOT_BYTES * present

        def body(job: int, arena: int | None) -> int:
            self.jobs.append(ctypes.string_at(job, size))
            self.arenas.append(arena)
            return self.status

        kind: Any = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
        self.function: Any = kind(body)
        self.function.address = ctypes.cast(self.function, ctypes.c_void_p).value
        self.limits = threads.Limits(self.per_thread, 0, self.trusted)
        # Bands run the same function, where it waits for nobody.
        self.alone = threads.Limits(1 << 40, 0, 0)
        self.split = splitting.Split(
            self.bands, self.function.address, 0, ctypes.addressof(self.alone)
        )
        self.team_at = ctypes.c_uint64(0 if self.team is None else self.team.address)
        self.allowed: ContextVar[int | None] = ContextVar("allowed", default=self.threads)
        self.plan = calls.Plan(
            self.arguments,
            self.written,
            self.aliases,
            self.arena_bytes,
            ctypes.addressof(self.of_main),
            ctypes.addressof(self.limits),
            3,
            ctypes.addressof(self.team_at),
            ctypes.addressof(self.split),
            self.returning,
        )
        self.rest = calls.Others(
            self._general,
            partial(self._other, "whole"),
            partial(self._other, "rest"),
            lambda size: 1 << 40,
            self.watching,
            self.allowed,
            Chain,
            self.lent_type,
        )
        self.call = calls.launching(self.plan, self.rest)

    def _general(self, *given: object) -> None:
        self.general.append(given)

    def _other(self, *given: object) -> None:
        self.others.append(given)

    def __call__(
        self, *arguments: object, grid: tuple[Any, ...] = (2, 1, 1), hooks: Any = (None, None)
    ) -> object:
        return self.call(*grid, 0, self.function, (), "told", *hooks, *arguments)

    def slots(self) -> bytes:
        """Return the slots of the only job."""
        (job,) = self.jobs
        return job[JOB_BYTES:]

    def overlap(self) -> int:
        """Return what the only job says of shared memory."""
        (job,) = self.jobs
        return struct.unpack_from("=i", job, job_offsets()["overlap"])[0]


def test_a_job_has_grid_and_slots():
    launch = Launcher([POINTER, I32, None, I1, F32, F64])
    assert launch(Tensor(1 << 45), -7, object(), True, 0.1, 0.1, grid=(2, 1, 2)) is None
    assert not launch.general
    assert not launch.others
    assert launch.arenas == [None]
    expected = struct.pack("=Qqqf4xd", 1 << 45, -7, 1, 0.1, 0.1)
    assert launch.slots() == expected
    found = {
        name: struct.unpack_from("=q" if name in ("total", "chunk") else "=i", launch.jobs[0], at)[
            0
        ]
        for name, at in job_offsets().items()
        if name not in ("next", "failed", "status", "back", "alone")
    }
    assert found == {"total": 4, "chunk": 4, "size0": 2, "size1": 1, "size2": 2, "overlap": 0}


@pytest.fixture
def no_last_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have nothing known of what the last cache holds."""
    monkeypatch.setattr(calls, "last_cache", lambda: 0)


@pytest.mark.usefixtures("no_last_cache")
@pytest.mark.parametrize(
    ("programs", "back"), [(3, {0}), (4, {0, -1}), (8, {0, -1}), (9, {0})], ids=str
)
def test_every_other_job_of_some_sizes_begins_at_the_end(programs: int, back: set[int]):
    launch = Launcher([I32], returning=range(4, 9), per_thread=9)
    for _ in range(4):
        launch(1, grid=(programs, 1, 1))
    found = come_first(launch)
    assert set(found) == back
    assert found[:2] == found[2:]


@pytest.mark.parametrize(("least", "step"), [(4, 1), (40, 10)])
@pytest.mark.parametrize("is_more", [False, True])
def test_what_the_last_cache_holds_begins_a_bit_before_where_it_ended(
    monkeypatch: pytest.MonkeyPatch, least: int, step: int, is_more: bool
):
    """Half of it is enough for twice the least number of programs."""
    monkeypatch.setattr(calls, "last_cache", lambda: 4 * claims.NEAR)
    monkeypatch.setattr(calls, "own_cache", lambda: claims.NEAR // 2)
    launch = Launcher([I32], returning=range(least, 4 * least), per_thread=1000)
    programs = 2 * least + is_more
    for _ in range(5):
        launch(1, grid=(programs, 1, 1))
    found = come_first(launch)
    if is_more:
        assert set(found) == {0, -1}
    else:
        assert {(b - a) % programs for a, b in pairwise(found)} == {step}
        assert all(0 <= each < programs for each in found)


@pytest.mark.usefixtures("no_last_cache")
def test_other_jobs_between_do_not_count():
    launch = Launcher([I32], returning=range(4, 9), per_thread=9)
    for programs in (4, 1, 4, 1, 4):
        launch(1, grid=(programs, 1, 1))
    assert come_first(launch) in ([0, 0, -1, 0, 0], [-1, 0, 0, 0, -1])


def test_what_is_near_anyway_begins_with_the_first(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(calls, "last_cache", lambda: 4 * claims.NEAR)
    monkeypatch.setattr(calls, "own_cache", lambda: claims.NEAR)
    launch = Launcher([I32], returning=range(4, 9), per_thread=9)
    for programs in (4, 3, 4, 3):
        launch(1, grid=(programs, 1, 1))
    assert come_first(launch)[1::2] == [0, 0]


@pytest.mark.parametrize("caches", [0, 2 * claims.NEAR])
def test_memory_that_overlaps_is_written_in_order(monkeypatch: pytest.MonkeyPatch, caches: int):
    monkeypatch.setattr(calls, "last_cache", lambda: 8 * caches)
    monkeypatch.setattr(calls, "own_cache", lambda: caches)
    launch = Launcher([POINTER, POINTER], frozenset((0,)), returning=range(1, 9))
    for _ in range(3):
        launch(Tensor(1 << 40, 8), Tensor((1 << 40) + 4, 8))
    assert come_first(launch) == [0, 0, 0]


def come_first(launch: Launcher) -> list[int]:
    """Return how many of the last programs of each job come first, or -1 for all by groups."""
    return [struct.unpack_from("=i", job, job_offsets()["back"])[0] for job in launch.jobs]


def test_jobs_that_are_watched_are_the_same_each_time():
    """By what they are timed launches are known again."""
    launch = Launcher([I32])
    launch.watching.append([])
    for _ in range(3):
        launch(1)
    assert len({block for _, _, block, *_ in launch.others}) == 1


@pytest.mark.parametrize("value", [-1, -1.0, 1e300, float("inf"), 3])
def test_floats_are_rounded_as_in_python(value: float):
    launch = Launcher([F32, F64])
    launch(value, value)
    assert launch.slots() == struct.pack("=f4xd", ctypes.c_float(value).value, value)


def test_minus_one_is_no_error():
    launch = Launcher([I32])
    launch(-1)
    assert launch.slots() == b"\xff" * 8


def test_memory_of_a_kernel_is_handed_over():
    launch = Launcher([I32], arena_bytes=100)
    launch(1)
    assert launch.arenas == [1 << 40]


@pytest.mark.parametrize(
    "size, others, expected", [(100, 0, 64), (99, 0, 1 << 40), (100, 1, 1 << 40)]
)
def test_memory_of_the_main_thread_is_found_without_python(size: int, others: int, expected: int):
    """If it is large enough, and not for others."""
    launch = Launcher([I32], arena_bytes=100)
    launch.of_main[:] = (threading.get_ident() + others, size, 64)
    launch(1)
    assert launch.arenas == [expected]


def test_only_memory_of_the_main_thread_is_noted():
    noted = (ctypes.c_uint64 * 3).from_address(arenas.arena_of_main())
    own = arenas.arena(1 << 16)
    assert noted[0] == threading.main_thread().ident
    assert (noted[1] >= 1 << 16, noted[2]) == (True, own)
    found: list[int | None] = []
    other = threading.Thread(target=lambda: found.append(arenas.arena(noted[1] + 1)))
    other.start()
    other.join()
    assert found != [own]
    assert noted[2] == own


# --- what libraries lend ----------------------------------------------------------------


def views(torch: Any) -> list[Any]:
    """Return pairs of views of one tensor, some of which share memory."""
    base, other = torch.zeros(8, 8), torch.zeros(8, 8)
    parts = (base[:4], base[4:], base[::2], base[1:8:2], base[:, :3], base.T[:3], base[:0])
    single = (base[3, 3], base[:1].expand(5, 8), other, base.half(), torch.zeros(()))
    return [(a, b) for a in (*parts, *single) for b in (*parts, *single)]


def test_lent_tensors_share_memory_as_others_do():
    torch = pytest.importorskip("torch")
    if not lender(torch.Tensor):
        pytest.skip("nothing lends tensors of this version")
    for pair in views(torch):
        launch = Launcher([POINTER, POINTER], frozenset({1}), lent_type=torch.Tensor)
        launch(*pair)
        assert not launch.general
        ranges = [Launch._memory_of_tensor(launch, 0, t) for t in pair]  # pyright: ignore
        assert launch.slots() == struct.pack("=QQ", *(first for first, _, _ in ranges))
        spans = [(start, end, n == 1) for n, (_, start, end) in enumerate(ranges)]
        assert launch.overlap() == _overlapping(spans)


def test_what_is_not_lent_is_asked():
    torch = pytest.importorskip("torch")
    weight, plain = torch.nn.Parameter(torch.zeros(4)), Tensor(1 << 45, 8)
    launch = Launcher([POINTER, POINTER], frozenset({1}), lent_type=torch.Tensor)
    launch(weight, plain)
    assert launch.slots() == struct.pack("=QQ", weight.data_ptr(), 1 << 45)
    launch(torch.zeros(4, device="meta"), plain)
    assert len(launch.general) == 1


def test_another_capsule_lends_nothing():
    class Odd:
        __dlpack_c_exchange_api__ = object()

    assert lender(None) == lender(int) == lender(Odd) == 0


@pytest.mark.parametrize(
    ("tensors", "written", "expected"),
    [
        ([Tensor(100, 8), Tensor(108, 8)], {1}, 0),
        ([Tensor(100, 9), Tensor(108, 8)], {1}, 1),
        ([Tensor(108, 8), Tensor(100, 9)], {1}, 1),
        ([Tensor(100, 8), Tensor(100, 8)], {0}, 1),
        ([Tensor(100, 8), Tensor(100, 8)], set[int](), 0),
        ([Tensor(100, 9), Tensor(108, 8), Tensor(300, 8)], {2}, 0),
        ([Tensor(300, 8), Tensor(108, 8), Tensor(100, 9)], {2}, 1),
        ([Tensor(100, 999, dense=False), Tensor(108, 8)], set[int](), 0),
    ],
)
def test_shared_memory_is_told(tensors: list[Tensor], written: set[int], expected: int):
    launch = Launcher([POINTER] * len(tensors), frozenset(written))
    launch(*tensors)
    assert launch.overlap() == expected
    unasked = Launcher([POINTER] * len(tensors), frozenset(written), aliases=False)
    unasked(*tensors)
    assert unasked.overlap() == 0


def test_numbers_of_written_arguments_leave_constants_out():
    launch = Launcher([None, POINTER, None, POINTER], frozenset({1}))
    launch("constant", Tensor(100, 9), 1, Tensor(108, 8))
    assert launch.overlap() == 1


@pytest.mark.parametrize(
    ("arguments", "grid"),
    [
        ((Tensor(1, is_cpu=False), 1), (2, 1, 1)),
        ((None, 1), (2, 1, 1)),
        ((Tensor(1), 1.5), (2, 1, 1)),
        ((Tensor(1), 1 << 63), (2, 1, 1)),
        ((Tensor(1), 1), (0, 1, 1)),
        ((Tensor(1), 1), (1, -1, 1)),
        ((Tensor(1), 1), (1, 1, 1.5)),
        ((Tensor(1), 1), (1 << 31, 1, 1)),
        ((Tensor(1), 1), (1 << 30, 1 << 30, 1 << 30)),
        ((Tensor(1),), (2, 1, 1)),
        ((Tensor(1), 1, 1), (2, 1, 1)),
    ],
)
def test_what_is_not_foreseen_goes_the_general_way(
    arguments: tuple[object, ...], grid: tuple[Any, ...]
):
    launch = Launcher([POINTER, I32])
    assert launch(*arguments, grid=grid) is None
    assert not launch.jobs
    assert launch.general == [
        (*grid, 0, launch.function, (), "told", None, None, *arguments),
    ]


def test_a_view_with_gaps_goes_the_general_way():
    launch = Launcher([POINTER, POINTER], frozenset({1}))
    launch(Tensor(100, dense=False), Tensor(200))
    assert not launch.jobs
    assert len(launch.general) == 1


def test_a_function_without_address_goes_the_general_way():
    launch = Launcher([I32])
    launch.function = None
    launch(1)
    assert not launch.jobs
    assert len(launch.general) == 1


def test_hooks_go_the_general_way_and_none_do_not():
    launch = Launcher([I32])
    launch(1, hooks=(Chain(), Chain()))
    assert len(launch.jobs) == 1
    assert not launch.general
    for hooks in ((Chain(print), None), (None, Chain(print)), (print, None), (Chain(), print)):
        launch(1, hooks=hooks)
    assert len(launch.jobs) == 1
    assert len(launch.general) == 4


def test_a_hook_of_another_kind_is_not_taken_for_an_empty_chain():
    class Recording:
        calls: list[object] = []

    launch = Launcher([I32])
    launch(1, hooks=(Recording(), None))
    assert not launch.jobs
    assert len(launch.general) == 1


def test_long_watched_and_left_jobs_go_on_in_python():
    launch = Launcher([I32], status=LEFT)
    launch(1, grid=(8, 1, 1))
    launch(1, grid=(4, 1, 1))
    launch.watching.append([])
    launch(1, grid=(1, 1, 1))
    found = [(way, function, x, y, z) for way, function, _, x, y, z in launch.others]
    function = launch.function
    assert found == [
        ("whole", function, 8, 1, 1),
        ("rest", function, 4, 1, 1),
        ("whole", function, 1, 1, 1),
    ]
    assert launch.jobs == [launch.others[1][2]]


def test_a_changed_limit_counts():
    launch = Launcher([I32])
    launch.limits.per_thread = 1
    launch(1)
    assert not launch.jobs
    assert len(launch.others) == 1


def test_what_others_raise_arrives():
    def fail(*_: object) -> None:
        raise ArithmeticError("as it was")

    launch = Launcher([I32])
    call = calls.launching(
        replace(launch.plan, arena_bytes=100),
        replace(launch.rest, general=fail, whole=fail, rest=fail, arena=fail),
    )
    for x in (0, 2, 9):
        with pytest.raises(ArithmeticError, match="as it was"):
            call(x, 1, 1, 0, launch.function, (), None, None, None, 3)


def test_ctrl_c_is_not_forgotten():
    class Interrupted(Tensor):
        def data_ptr(self) -> int:
            raise KeyboardInterrupt

    launch = Launcher([POINTER])
    with pytest.raises(KeyboardInterrupt):
        launch(Interrupted(1))
    assert not launch.general


def test_other_threads_run_during_a_call():
    begun, ended = threading.Event(), threading.Event()

    def body(job: bytes, arena: int | None) -> int:
        begun.set()
        return 0 if ended.wait(20) else 1

    launch = Launcher([I32])
    launch.function = prototype(body)
    launch.function.address = ctypes.cast(launch.function, ctypes.c_void_p).value
    thread = threading.Thread(target=launch, args=(1,))
    thread.start()
    assert begun.wait(20)
    ended.set()
    thread.join()
    assert not launch.others


def test_without_the_interface_everything_goes_the_general_way(monkeypatch: pytest.MonkeyPatch):
    def missing(*_: object, **__: object) -> None:
        raise RuntimeError("symbol not found")

    calls._maker.cache_clear()
    monkeypatch.setattr(calls.jit, "load", missing)
    launch = Launcher([I32])
    launch(1)
    assert len(launch.general) == 1
    calls._maker.cache_clear()


def test_types_that_need_rounding_in_python_go_the_general_way():
    launch = Launcher([F16])
    launch(1.0)
    assert len(launch.general) == 1


def test_functions_outlive_what_made_them():
    """What they look into stays: this crashed when the garbage of a whole run was collected."""
    made = [Launcher([I32]) for _ in range(50)]
    calls._maker.cache_clear()
    gc.collect()
    others = [ctypes.create_string_buffer(b"\xff" * 32, 32) for _ in range(1000)]
    made[0](1)
    assert len(made[0].jobs) == 1
    made.clear()
    gc.collect()
    assert len(others) == 1000


def test_nothing_is_left_behind():
    """Each reference that the code in between takes it gives back."""
    launch = Launcher([POINTER, POINTER, I32, F64], frozenset({1}))
    tensors = Tensor(1 << 40, 8), Tensor(1 << 41, 8)
    chain = Chain()
    watched = (None, *tensors, chain, chain.calls, launch.function, True, Tensor.data_ptr)
    for count in (1, 10):
        before = [sys.getrefcount(one) for one in watched]
        for _ in range(count):
            launch(*tensors, 12345, 0.5, hooks=(chain, chain))
        launch.jobs.clear()
        launch.arenas.clear()
    after = [sys.getrefcount(one) for one in watched]
    assert all(abs(a - b) < 5 for a, b in zip(after, before, strict=True)), (before, after)


@pytest.mark.parametrize(
    ("bands", "allowed", "second", "expected"),
    [
        (2, 4, 1 << 41, (4, 4)),
        (2, 3, 1 << 41, (2, 2)),
        (2, 4, (1 << 40) + 2, (2, 2)),
        (1, 4, 1 << 41, (2, 2)),
    ],
    ids=["in bands", "too few threads", "memory is shared", "not split"],
)
def test_programs_run_in_bands(bands: int, allowed: int, second: int, expected: tuple[int, int]):
    launch = Launcher(
        [POINTER, POINTER],
        written=frozenset({1}),
        aliases=False,
        bands=bands,
        threads=allowed,
        per_thread=1 << 40,
    )
    launch(Tensor(1 << 40), Tensor(second))
    (job,) = launch.jobs
    total = struct.unpack_from("=q", job, job_offsets()["total"])[0]
    assert (total, struct.unpack_from("=i", job, job_offsets()["size0"])[0]) == expected
