"""What the tools read and write: files, modules, and the numbers given with `--set`."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from xtriton.errors import UserError

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

STDIN = "-"


def read_input(name: str) -> str:
    """Return the text of a file, of standard input for "-"; raise `UserError` if unreadable."""
    try:
        if name == STDIN:
            return sys.stdin.read()
        return Path(name).read_text(encoding="utf-8")
    except OSError as e:
        raise UserError(f"cannot read '{name}': {e.strerror}") from None
    except UnicodeDecodeError as e:
        raise UserError(f"cannot read '{name}': byte {e.start} is not UTF-8 text") from None


def write_file(name: str, text: str) -> None:
    """Write a file; raise `UserError` if that fails."""
    try:
        Path(name).write_text(text, encoding="utf-8")
    except OSError as e:
        raise UserError(f"cannot write '{name}': {e.strerror}") from None


def read_module(name: str, *, allow_unregistered: bool = True) -> ModuleOp:
    """Return the module in a file; raise `UserError` if there is none."""
    from xtriton.ir.parser import parse_module
    from xtriton.universe import context

    return parse_module(read_input(name), context(allow_unregistered), file=_shown(name))


def located_module(text: str, name: str) -> ModuleOp:
    """Return the module of a text; where it has no locations ops get their place in the text."""
    from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr

    from xtriton.ir.parser import Parser, parse_module
    from xtriton.universe import context

    file = _shown(name)
    if "loc(" in text:
        return parse_module(text, context(allow_unregistered=True), file=file)
    parser = Parser(context(allow_unregistered=True), text, file)
    parser.offsets = {}
    module = parser.parse_whole()
    starts = [0, *accumulate(len(line) for line in text.splitlines(keepends=True))]
    for op in module.walk():
        if (offset := parser.offsets.get(op)) is not None:
            line = bisect_right(starts, offset)
            column = offset - starts[line - 1] + 1
            op.location = FileLineColLoc(StringAttr(file), IntAttr(line), IntAttr(column))
    return module


def _shown(name: str) -> str:
    return "<stdin>" if name == STDIN else name


def settings(given: Sequence[str]) -> dict[str, int]:
    """Return the numbers of `NAME=NUMBER`s; raise `UserError` for anything else."""
    found: dict[str, int] = {}
    for setting in given:
        name, _, text = setting.partition("=")
        try:
            found[name] = int(text, 0)
        except ValueError:
            raise UserError(f"--set wants NAME=NUMBER, not '{setting}'") from None
    return found
