"""
What passes have to say besides errors: warnings, remarks, and facts for a report.

A pass calls `remark(op, "...")` or `warning(op, "...")`; whoever runs it collects them
with `collect()`. Outside of `collect()` they go nowhere. Facts for machines, such as the
tier of every access, go to `record(section, fact)` in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Literal

from xdsl.ir import Operation

from xtriton.errors import Position, UserError
from xtriton.ir.locations import file_position

Locate = Callable[[Operation], Position | None]
Severity = Literal["error", "warning", "remark", "note"]


@dataclass(frozen=True)
class Diagnostic:
    """One message about one place; `position` is None where no place is known."""

    severity: Severity
    message: str
    position: Position | None = None

    def render(self) -> str:
        """Return `file:line:column: severity: message`."""
        place = "" if self.position is None else f"{self.position}: "
        return f"{place}{self.severity}: {self.message}"


@dataclass
class Collected:
    """The diagnostics and facts of one run."""

    diagnostics: list[Diagnostic] = field(default_factory=list[Diagnostic])
    report: dict[str, list[Any]] = field(default_factory=dict[str, list[Any]])
    """Facts by section; each is made of what JSON can say."""
    locate: Locate | None = None


_current: ContextVar[Collected | None] = ContextVar("diagnostics", default=None)


@contextmanager
def collect(locate: Locate | None = None) -> Generator[Collected]:
    """
    Collect what is emitted and recorded inside the `with`.

    `locate` says where an op comes from, for those that have no location.
    """
    collected = Collected(locate=locate)
    token = _current.set(collected)
    try:
        yield collected
    finally:
        _current.reset(token)


def remark(op: Operation, message: str) -> None:
    """Tell something of interest about `op`, such as why it was left as it is."""
    _emit("remark", op, message)


def warning(op: Operation, message: str) -> None:
    """Tell of something about `op` that is probably not what the user wants."""
    _emit("warning", op, message)


def record(section: str, fact: Any) -> None:
    """Add a fact to a section of the report; it must be made of what JSON can say."""
    collected = _current.get()
    if collected is not None:
        collected.report.setdefault(section, []).append(fact)


def position_of(op: Operation) -> Position | None:
    """Return where `op` comes from; None if that is unknown."""
    collected = _current.get()
    if collected is not None and collected.locate is not None:
        return collected.locate(op)
    place = file_position(op.location)
    return None if place is None else Position(*place)


def of_error(error: UserError) -> list[Diagnostic]:
    """Return an error and its notes as diagnostics."""
    notes = [Diagnostic("note", note, error.position) for note in error.notes]
    notes += [Diagnostic("note", note.message, note.position) for note in error.elsewhere]
    return [Diagnostic("error", error.message, error.position), *notes]


def _emit(severity: Severity, op: Operation, message: str) -> None:
    collected = _current.get()
    if collected is not None:
        collected.diagnostics.append(Diagnostic(severity, message, position_of(op)))
