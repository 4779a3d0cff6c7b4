"""A bound on what one look at a mutant may take."""

from __future__ import annotations

import signal
from collections.abc import Generator
from contextlib import contextmanager


class OutOfTime(BaseException):
    """It took longer; no `Exception`, so that nobody on the way takes it for something else."""


@contextmanager
def processor_seconds(seconds: float) -> Generator[None]:
    """Raise `OutOfTime` in the body when the process has computed for so long."""

    def stop(*_: object) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
