"""`xtriton-corpus` on Dask: the same file as without, also when workers and schedulers die."""

import socket
import subprocess
import sys
import time
from collections.abc import Generator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path

import pytest

from xtriton.corpus.executors import dask, local
from xtriton.corpus.jobs import Settings
from xtriton.corpus.keeper import Limits
from xtriton.corpus.run import Plan, run
from xtriton.corpus.sources import Kernel
from xtriton.errors import UserError

pytest.importorskip("distributed")

pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).parents[3] / "examples/vector_add.ttir"
PIPELINES = ("triton-to-structured", "cse")
SETTINGS = Settings(check=2)
LIMITS = Limits(seconds=300)


def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def started(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_" + arguments[0], *arguments[1:]],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@contextmanager
def cluster(number: int, workers: int) -> Generator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Run a scheduler and workers as processes of their own; give its address and them."""
    address = f"tcp://127.0.0.1:{number}"
    scheduler = started("scheduler", "--host", "127.0.0.1", "--port", str(number), "--no-dashboard")
    options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
    processes = [scheduler, *(started("worker", address, *options) for _ in range(workers))]
    try:
        yield address, processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


@contextmanager
def connected(address: str, seconds: float = 120) -> Generator[tuple[Executor, int]]:
    """Connect as soon as there is a worker."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            opened = dask(address)
            pair = opened.__enter__()
            break
        except UserError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.5)
    try:
        yield pair
    finally:
        opened.__exit__(None, None, None)


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> list[Kernel]:
    """Return kernels with texts of their own, so that each is measured."""
    text = EXAMPLE.read_text()
    return [Kernel(f"add{k}.ttir", f"{text}// {k}\n", 4) for k in range(8)]


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory, kernels: list[Kernel]) -> bytes:
    plan = Plan(PIPELINES, tmp_path_factory.mktemp("local") / "r.parquet", SETTINGS, LIMITS)
    with local(2) as (pool, workers):
        run(plan, kernels, pool, workers)
    return plan.output.read_bytes()


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_gives_the_same_file_when_a_worker_dies(
    kernels: list[Kernel], expected: bytes, tmp_path: Path
):
    plan = Plan(PIPELINES, tmp_path / "r.parquet", SETTINGS, LIMITS)
    with cluster(port(), 2) as (address, processes), connected(address) as (pool, _):

        def kill_one(done: int, total: int, name: str) -> None:
            if done >= 1 and processes[-1].poll() is None:
                processes[-1].kill()

        run(plan, kernels, pool, 2, kill_one)
    assert plan.output.read_bytes() == expected


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("workers", [2, 4])
def test_a_cluster_of_this_machine_gives_the_same_file(
    workers: int, kernels: list[Kernel], expected: bytes, tmp_path: Path
):
    plan = Plan(PIPELINES, tmp_path / "r.parquet", SETTINGS, LIMITS)
    with dask(str(workers)) as (pool, count):
        run(plan, kernels, pool, count)
    assert count == workers
    assert plan.output.read_bytes() == expected


@pytest.mark.filterwarnings("ignore")
def test_a_run_goes_on_with_another_scheduler(
    kernels: list[Kernel], expected: bytes, tmp_path: Path
):
    plan = Plan(PIPELINES, tmp_path / "r.parquet", SETTINGS, LIMITS)
    number = port()
    with cluster(number, 1) as (address, processes), connected(address) as (pool, _):

        def kill_all(done: int, total: int, name: str) -> None:
            if done == 4:
                for process in processes:
                    process.kill()

        with pytest.raises(UserError, match="the same command goes on from there"):
            run(plan, kernels, pool, 1, kill_all)
    with cluster(number, 1) as (address, _), connected(address) as (pool, _):
        outcome = run(plan, kernels, pool, 1)
    assert outcome.known >= 4
    assert plan.output.read_bytes() == expected


def test_no_scheduler_is_an_error():
    with pytest.raises(UserError, match="there is no Dask scheduler"), dask("tcp://127.0.0.1:9"):
        pass
