"""Walks over kernels and pipelines, asks an executor for what is not known yet, keeps all."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from xtriton.corpus import tables
from xtriton.corpus.columns import Row
from xtriton.corpus.executors import Lost
from xtriton.corpus.jobs import Job, Settings
from xtriton.corpus.keeper import Limits, measure_apart
from xtriton.corpus.sources import Kernel
from xtriton.corpus.store import Store
from xtriton.errors import UserError

AHEAD = 4
"""Jobs that wait for each worker: enough that none is idle, few enough to fit in memory."""

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Plan:
    """What is to be measured, and where the result goes."""

    pipelines: tuple[str, ...]
    output: Path
    settings: Settings = field(default_factory=Settings)
    limits: Limits = field(default_factory=Limits)

    @property
    def journal(self) -> Path:
        """Where what is done is kept until the result is written."""
        return self.output.with_name(self.output.name + ".partial")


@dataclass
class Outcome:
    """How many rows there are, and how many of them were measured before."""

    rows: int = 0
    known: int = 0


def run(
    plan: Plan,
    kernels: Iterable[Kernel],
    executor: Executor,
    workers: int,
    progress: Progress = lambda done, total, name: None,
) -> Outcome:
    """
    Measure every kernel with every pipeline and write the result.

    What an earlier run with this output has measured is not measured again. Raises `UserError`
    if the executor is lost; what it had done is kept, and the same call goes on from there.
    """
    walk = _Walk(plan, Store(plan.journal), executor, workers * AHEAD, progress)
    with _closing(walk.store):
        for kernel in kernels:
            walk.submit(kernel)
        walk.finish()
        tables.write(plan.output, walk.store.rows)
    return walk.outcome


@contextmanager
def _closing(store: Store) -> Generator[None]:
    try:
        yield
    except BaseException:
        store.close(done=False)
        raise
    store.close(done=True)


@dataclass
class _Walk:
    """The jobs under way."""

    plan: Plan
    store: Store
    executor: Executor
    most: int
    progress: Progress
    outcome: Outcome = field(default_factory=Outcome)
    waiting: dict[Future[list[Row]], Job] = field(default_factory=dict[Future[list[Row]], Job])
    asked: set[str] = field(default_factory=set[str])
    """Keys of rows under way."""
    done: int = 0

    def submit(self, kernel: Kernel) -> None:
        """Ask for what is not known of a kernel."""
        job = Job.of(kernel, self.plan.pipelines, self.plan.settings)
        unknown: list[str] = []
        for number, pipeline in enumerate(job.pipelines):
            key = job.key(pipeline)
            self.store.want(kernel.name, pipeline, number, key)
            self.outcome.rows += 1
            if key in self.asked or self.store.has(key):
                self.outcome.known += 1
                self.done += 1
            else:
                self.asked.add(key)
                unknown.append(pipeline)
        if not unknown:
            return
        while len(self.waiting) >= self.most:
            self._take()
        job = replace(job, pipelines=tuple(unknown))
        self.waiting[self.executor.submit(measure_apart, job, self.plan.limits)] = job
        self.progress(self.done, self.outcome.rows, kernel.name)

    def finish(self) -> None:
        """Wait for all that is under way."""
        while self.waiting:
            self._take()

    def _take(self) -> None:
        """Wait until a job ends, and keep what it found."""
        ended, _ = wait(self.waiting, return_when=FIRST_COMPLETED)
        for future in ended:
            job = self.waiting.pop(future)
            try:
                rows = future.result()
            except UserError:
                raise
            except Lost.errors() as error:
                raise UserError(
                    f"the workers are lost ({error or type(error).__name__}); {self.done} results"
                    f" are kept in '{self.plan.journal}': the same command goes on from there"
                ) from error
            for pipeline, row in zip(job.pipelines, rows, strict=True):
                key = job.key(pipeline)
                self.store.add(key, row)
                self.asked.discard(key)
                self.done += 1
            self.progress(self.done, self.outcome.rows, job.kernel)
