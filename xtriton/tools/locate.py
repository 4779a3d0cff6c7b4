"""Where in the input an op comes from, for diagnostics."""

from __future__ import annotations

import pathlib
from functools import cached_property

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xtriton import universe
from xtriton.errors import Position
from xtriton.ir.locations import file_position
from xtriton.ir.reading.parser import Parser


class Locator:
    """
    Knows where the ops of one text are.

    Offsets are not kept while parsing; when somebody asks, the text is read once more.
    """

    def __init__(self, text: str, file: str, allow_unregistered: bool):
        self.text = text
        self.file = file
        self.allow_unregistered = allow_unregistered
        self._ops: list[Operation] = []

    def remember(self, module: ModuleOp) -> None:
        """Take note of the ops of `module`, just read from the text, before passes run."""
        self._ops = list(module.walk())

    def __call__(self, op: Operation) -> Position | None:
        """Return the place that the location of `op` tells, else where it was read."""
        place = file_position(op.location)
        if place is not None:
            return self.with_source_line(Position(*place))
        index = self._indices.get(op)
        offset = None if index is None else self._offsets[index]
        return None if offset is None else Position.in_text(self.text, offset, self.file)

    def with_source_line(self, position: Position) -> Position:
        """Return `position` with the text of its line, if that can be had."""
        if position.source_line is not None:
            return position
        lines = self.text.split("\n") if position.file == self.file else _lines_of(position.file)
        if not 0 < position.line <= len(lines):
            return position
        line = lines[position.line - 1]
        return Position(position.file, position.line, position.column, line)

    @cached_property
    def _indices(self) -> dict[Operation, int]:
        return {op: index for index, op in enumerate(self._ops)}

    @cached_property
    def _offsets(self) -> list[int | None]:
        parser = Parser(universe.context(self.allow_unregistered), self.text, self.file)
        offsets: dict[Operation, int] = {}
        parser.offsets = offsets
        return [offsets.get(op) for op in parser.parse_whole().walk()]


def _lines_of(file: str) -> list[str]:
    try:
        return pathlib.Path(file).read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError):
        return []
