"""
Who measures: processes of this machine, a Dask cluster, or Ray; all with one interface.

Each is a `concurrent.futures.Executor`. Scheduling, replacing lost workers and moving data are
theirs.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Generator
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from xtriton.errors import UserError


class Lost:
    """What a future raises where nobody will ever compute it."""

    @staticmethod
    def errors() -> tuple[type[BaseException], ...]:
        """Return the exceptions that say so."""
        return (CancelledError, asyncio.CancelledError, OSError, RuntimeError)


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def local(workers: int) -> Generator[tuple[Executor, int]]:
    """Use processes of this machine: each thread of the pool keeps one."""
    pool = ThreadPoolExecutor(workers, thread_name_prefix="xtriton-corpus")
    try:
        yield pool, workers
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def dask(address: str) -> Generator[tuple[Executor, int]]:
    """
    Use a Dask cluster: the scheduler at an address such as `tcp://host:8786`.

    An address of the form `N` starts a cluster of so many processes on this machine. Each worker
    thread keeps one process, as here. Raises `UserError` where there is no scheduler.
    """
    distributed = _imported("distributed", "dask")
    options: dict[str, Any] = {"timeout": "10s"}
    if address.isdigit():
        options |= {"n_workers": int(address), "threads_per_worker": 1, "dashboard_address": None}
    else:
        options["address"] = address
    try:
        client = distributed.Client(**options)
    except (OSError, ValueError) as error:
        raise UserError(f"there is no Dask scheduler at '{address}': {error}") from error
    with client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise UserError(f"the Dask scheduler at '{address}' has no workers yet; start some")
        # A result is what it is computed from, wherever: lost workers' jobs are given to others.
        yield client.get_executor(pure=False, retries=3), threads


@contextmanager
def ray(address: str) -> Generator[tuple[Executor, int]]:
    """Use Ray: the cluster at an address, or one on this machine for an empty address."""
    library = _imported("ray", "ray")
    library.init(address=address or None, log_to_driver=False, include_dashboard=False)
    try:
        workers = int(library.cluster_resources().get("CPU", 1))
        yield _RayExecutor(library), workers
    finally:
        library.shutdown()


class _RayExecutor(Executor):
    """Ray's tasks as futures."""

    def __init__(self, library: Any) -> None:
        self._ray = library

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        return self._ray.remote(max_retries=3)(fn).remote(*args, **kwargs).future()


def _imported(library: str, extra: str) -> Any:
    try:
        return import_module(library)
    except ImportError as error:
        raise UserError(
            f"{library} is not installed; try: pip install 'xtriton[{extra}]'"
        ) from error
