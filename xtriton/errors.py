"""
Errors that a user can act on, and bugs of ours, kept apart.

Whatever is wrong with the input ends in a `UserError` and a line of the form
`file:line:column: error: message`, followed by the source line and a caret. Any other
exception that reaches a tool is a bug of xtriton and is reported as one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

WINDOW = 100
"""Characters of a long line that are shown on each side of the column."""

LONGEST = 1_000
"""Characters of a line of a message; what is longer is clipped."""


def clipped(text: str, most: int) -> str:
    """Return the beginning of a text, and how long it is, where it is longer than `most`."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text):,} characters)"


@dataclass(frozen=True)
class Position:
    """A place in a text: file name, line and column, both counted from 1."""

    file: str
    line: int
    column: int
    source_line: str | None = None
    """The text of the line, for the caret; None where the text is not at hand."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def pointed_at(self) -> list[str]:
        """Return the line and a caret below, of a long line what is around the column."""
        line, at = self.source_line, self.column - 1
        if line is None:
            return []
        start = max(0, at - WINDOW) if len(line) > 2 * WINDOW else 0
        end = start + 2 * WINDOW
        before, behind = "…" * (start > 0), "…" * (end < len(line))
        return [before + line[start:end] + behind, " " * (len(before) + at - start) + "^"]

    @classmethod
    def in_text(cls, text: str, offset: int, file: str) -> "Position":
        """Return the position of the character at `offset` of `text`."""
        offset = min(max(offset, 0), len(text))
        start = text.rfind("\n", 0, offset) + 1
        end = text.find("\n", offset)
        line = text[start : end if end >= 0 else len(text)]
        return cls(file, text.count("\n", 0, start) + 1, offset - start + 1, line)


@dataclass(frozen=True)
class Note:
    """Something about another place that has to do with an error."""

    message: str
    position: Position


class UserError(Exception):
    """
    Something that the user can change: input, options, environment.

    `message` is one sentence without a full stop; `notes` are further lines; `elsewhere` says
    which other places have to do with it.
    """

    elsewhere: tuple[Note, ...] = ()

    def __init__(
        self,
        message: str,
        position: Position | None = None,
        notes: Sequence[str] = (),
    ):
        super().__init__(message)
        self.message = message
        self.position = position
        self.notes = tuple(notes)

    def __str__(self) -> str:
        return self.message if self.position is None else f"{self.position}: {self.message}"

    def render(self) -> str:
        """Return the text to show: position, message, source line, caret and notes, clipped."""
        if self.position is None:
            return "\n".join(map(_clipped, (f"error: {self.message}", *self.notes)))
        others = (f"{note.position}: note: {note.message}" for note in self.elsewhere)
        lines = [f"{self.position}: error: {self.message}", *self.position.pointed_at()]
        return "\n".join(map(_clipped, (*lines, *self.notes, *others)))


def _clipped(text: str) -> str:
    return "\n".join(clipped(line, LONGEST) for line in text.split("\n"))


class ParseFailure(UserError):
    """The text is not what the syntax asks for."""


class VerifyFailure(UserError):
    """The module is well-formed text but breaks a rule of an op."""


class PassFailure(UserError):
    """A pass cannot do what it was asked to do."""


class UnsupportedOp(UserError):
    """An op that a stage does not know; costs only itself wherever that is possible."""
