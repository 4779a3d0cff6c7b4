"""Walks over kernels and pipelines, asks an executor for what is not known yet, keeps all."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from xtriton.corpus import tables
from xtriton.corpus.columns import Row
from xtriton.corpus.executors import Lost
from xtriton.corpus.jobs import Job, Settings, fingerprint
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
    waiting: dict[Future[Row], str] = field(default_factory=dict[Future[Row], str])
    keys: set[str] = field(default_factory=set[str])
    done: int = 0

    def submit(self, kernel: Kernel) -> None:
        content = kernel.content
        for number, pipeline in enumerate(self.plan.pipelines):
            job = Job(
                kernel.name,
                content,
                kernel.text,
                kernel.num_warps,
                pipeline,
                self.plan.settings,
                fingerprint(),
            )
            key = job.key
            self.store.want(kernel.name, pipeline, number, key)
            self.outcome.rows += 1
            if key in self.keys or self.store.has(key):
                self.outcome.known += 1
                self.done += 1
                continue
            while len(self.waiting) >= self.most:
                self._take()
            self.keys.add(key)
            future = self.executor.submit(measure_apart, job, self.plan.limits)
            self.waiting[future] = key
            self.progress(self.done, self.outcome.rows, kernel.name)

    def finish(self) -> None:
        while self.waiting:
            self._take()

    def _take(self) -> None:
        """Wait until a job ends, and keep what it found."""
        ended, _ = wait(self.waiting, return_when=FIRST_COMPLETED)
        for future in ended:
            key = self.waiting.pop(future)
            self.keys.discard(key)
            try:
                row = future.result()
            except UserError:
                raise
            except Lost.errors() as error:
                raise UserError(
                    f"the workers are lost ({error or type(error).__name__}); {self.done} results"
                    f" are kept in '{self.plan.journal}': the same command goes on from there"
                ) from error
            self.store.add(key, row)
            self.done += 1
            self.progress(self.done, self.outcome.rows, str(row["kernel"]))
