"""
Measures jobs in a process of its own: one that hangs, crashes or eats memory costs itself only.

`measure_apart` is what executors run, in threads of this process or on other machines; each
thread that calls it keeps one worker.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import threading
import time
import weakref
from dataclasses import dataclass, field, replace
from pathlib import Path

import xtriton
from xtriton.corpus.columns import Row
from xtriton.corpus.jobs import Job, as_json
from xtriton.errors import UserError

_LOOKS_EVERY = 0.1
"""Seconds between looks at what a worker takes."""

RECYCLED_ABOVE_MIB = 250
"""A worker that holds more than this after a job is replaced: what Python keeps grows."""


@dataclass(frozen=True)
class Limits:
    """What a pipeline may take of a kernel: seconds of wall time, MiB of memory."""

    seconds: float = 60.0
    memory: int = 4096


@dataclass
class Keeper:
    """Has a worker where one is needed, and ends it where it goes wrong."""

    limits: Limits
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)
    _read: bytes = b""
    """What has come from the worker beyond the last line."""

    def measure(self, job: Job) -> list[Row]:
        """
        Return a row for each pipeline, whatever becomes of the worker.

        Limits are those of a pipeline. Raises `UserError` if the worker refuses the job.
        """
        rows: list[Row] = []
        while len(rows) < len(job.pipelines):
            rest = replace(job, pipelines=job.pipelines[len(rows) :])
            rows += self._measure_on(rest)
        if self._process is not None and _resident(self._process.pid) > RECYCLED_ABOVE_MIB:
            self.end()
        return rows

    def _measure_on(self, job: Job) -> list[Row]:
        """Return rows until all are known, or until the worker is lost at one."""
        process = self._running()
        assert process.stdin is not None
        try:
            process.stdin.write(as_json(job).encode() + b"\n")
            process.stdin.flush()
        except BrokenPipeError:
            return [self._lost(job, job.pipelines[0], process)]
        rows: list[Row] = []
        for pipeline in job.pipelines:
            answer = self._answer(process)
            if not isinstance(answer, bytes):
                return [*rows, self._lost(job, pipeline, process, answer)]
            row: Row = json.loads(answer)
            if row["status"] == "refused":
                raise UserError(str(row["message"]))
            rows.append(row)
        return rows

    def _answer(self, process: subprocess.Popen[bytes]) -> bytes | Row | None:
        """Return the next line of the worker, what it takes too much of, or None at its end."""
        limits, deadline = self.limits, time.monotonic() + self.limits.seconds
        assert process.stdout is not None
        while b"\n" not in self._read:
            if select.select([process.stdout], [], [], _LOOKS_EVERY)[0]:
                part = os.read(process.stdout.fileno(), 1 << 16)
                if not part:
                    return None
                self._read += part
                continue
            # Address space is no measure: the interpreter reserves far more than it uses.
            if _resident(process.pid) > limits.memory:
                return {"status": "memory", "message": f"took more than {limits.memory} MiB"}
            if time.monotonic() > deadline:
                return {"status": "time", "message": f"took more than {limits.seconds:g} seconds"}
        line, _, self._read = self._read.partition(b"\n")
        return line

    def _lost(
        self, job: Job, pipeline: str, process: subprocess.Popen[bytes], excess: Row | None = None
    ) -> Row:
        """End the worker; return the row that it was at."""
        if excess is None:
            process.wait()  # it ends by itself: how, is what there is to say
        self.end()
        if excess is not None:
            return job.identity(pipeline) | excess
        code = process.returncode
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        message = f"the process ended with {how}"
        return job.identity(pipeline) | {"status": "crashed", "message": message}

    def end(self) -> None:
        """End the worker; the next job gets a new one."""
        if self._process is not None:
            _kill(self._process)
            self._process, self._read = None, b""

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._process, self._read = _start(), b""
            weakref.finalize(self, _kill, self._process)
        return self._process


def _start() -> subprocess.Popen[bytes]:
    # The worker runs the code that this process runs, from wherever it was imported.
    paths = [str(Path(xtriton.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        # A worker is one of many: it has no use for threads of its own.
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONHASHSEED": "0",
    }
    return subprocess.Popen(
        [sys.executable, "-m", "xtriton.corpus.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    )


def _kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            try:
                stream.close()
            except OSError:
                continue  # what was still to be written, nobody reads


def _resident(pid: int) -> float:
    """Return the memory that a process holds, in MiB; 0 where nobody says."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024
    except (OSError, IndexError):
        return 0.0


_keepers = threading.local()


def measure_apart(job: Job, limits: Limits) -> list[Row]:
    """Measure a job in the worker of this thread."""
    keeper: Keeper | None = getattr(_keepers, "keeper", None)
    if keeper is None or keeper.limits != limits:
        keeper = _keepers.keeper = Keeper(limits)
    return keeper.measure(job)
