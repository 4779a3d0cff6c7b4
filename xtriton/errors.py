"""
Errors that a user can act on, and bugs of ours, kept apart.

Whatever is wrong with the input ends in a `UserError` and a line of the form
`file:line:column: error: message`, followed by the source line and a caret. Any other
exception that reaches a tool is a bug of xtriton and is reported as one.
"""

from collections.abc import Sequence
from dataclasses import dataclass


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

    def render(self) -> str:
        """Return the text to show: position, message, source line, caret and notes."""
        if self.position is None:
            return "\n".join((f"error: {self.message}", *self.notes))
        others = (f"{note.position}: note: {note.message}" for note in self.elsewhere)
        lines = [f"{self.position}: error: {self.message}"]
        if self.position.source_line is not None:
            caret = " " * (self.position.column - 1) + "^"
            lines += [self.position.source_line, caret]
        return "\n".join((*lines, *self.notes, *others))


class ParseFailure(UserError):
    """The text is not what the syntax asks for."""


class VerifyFailure(UserError):
    """The module is well-formed text but breaks a rule of an op."""


class PassFailure(UserError):
    """A pass cannot do what it was asked to do."""


class UnsupportedOp(UserError):
    """An op that a stage does not know; costs only itself wherever that is possible."""
