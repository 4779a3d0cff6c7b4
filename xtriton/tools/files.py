"""What the tools read and write: files and modules; grids and the numbers given with `--set`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from xtriton.errors import ParseFailure, Position, UserError

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from xtriton import abi

STDIN = "-"


def read_input(name: str) -> str:
    """
    Return the text of a file, of standard input for "-".

    Lines end in "\\n", whatever ended them in the file. Raise `UserError` where nothing can be
    read, where it is no UTF-8 and where there is nothing but blanks.
    """
    data = _bytes_of(name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        message = f"byte 0x{data[error.start]:02x} is not UTF-8 text"
        place = Position.in_text(before, len(before), shown_name(name))
        raise ParseFailure(message, Position(place.file, place.line, place.column)) from None
    if not text.strip():
        place = Position(shown_name(name), 1, 1)
        raise ParseFailure("expected an operation, the input is empty", place)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _bytes_of(name: str) -> bytes:
    try:
        if name != STDIN:
            with open(name, "rb") as file:
                return file.read()
        if sys.stdin is None:
            raise UserError("cannot read standard input: it is closed")
        # Where text has been put in place of standard input there are no bytes.
        buffer = getattr(sys.stdin, "buffer", None)
        return sys.stdin.read().encode() if buffer is None else buffer.read()
    except OSError as error:
        raise UserError(f"cannot read '{name}': {error.strerror}") from None
    except ValueError as error:
        raise UserError(f"cannot read '{name}': {error}") from None


def write_file(name: str, text: str) -> None:
    """Write a file; raise `UserError` if that fails."""
    try:
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as e:
        raise UserError(f"cannot write '{name}': {e.strerror}") from None


def read_module(name: str, *, allow_unregistered: bool = True) -> ModuleOp:
    """Return the module in a file, verified; raise `UserError` if there is none."""
    from xtriton.api import parse
    from xtriton.universe import context

    return parse(read_input(name), context=context(allow_unregistered), file=shown_name(name))


def located_module(name: str, *, allow_unregistered: bool = True) -> ModuleOp:
    """
    Return the module in a file, verified; raise `UserError` if there is none.

    Where the text has no locations ops get their place in the text.
    """
    from bisect import bisect_right
    from itertools import accumulate

    from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr

    from xtriton.api import parse, verify
    from xtriton.ir.limits import deep_recursion, without_garbage_collection
    from xtriton.ir.reading.parser import Parser
    from xtriton.universe import context

    text, file = read_input(name), shown_name(name)
    if "loc(" in text:
        return parse(text, context=context(allow_unregistered), file=file)
    parser = Parser(context(allow_unregistered), text, file)
    parser.offsets = {}
    with without_garbage_collection(), deep_recursion():
        module = parser.parse_whole()
    starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    for op in module.walk():
        if (offset := parser.offsets.get(op)) is not None:
            line = bisect_right(starts, offset)
            column = offset - starts[line - 1] + 1
            op.location = FileLineColLoc(StringAttr(file), IntAttr(line), IntAttr(column))
    verify(module)
    return module


def shown_name(name: str) -> str:
    """Return what errors call a file."""
    return "<stdin>" if name == STDIN else name


def settings(given: Sequence[str]) -> dict[str, int]:
    """Return the numbers of `NAME=NUMBER`s; raise `UserError` for anything else."""
    found: dict[str, int] = {}
    for setting in given:
        name, _, text = setting.partition("=")
        try:
            number = int(text, 0)
        except ValueError:
            raise UserError(f"--set wants NAME=NUMBER, not '{setting}'") from None
        if not -(1 << 63) <= number < 1 << 63:
            raise UserError(f"--set wants numbers of 64 bits, unlike '{setting}'")
        found[name] = number
    return found


def grid_of(text: str) -> abi.Grid:
    """Return the grid that `X,Y,Z`, `X,Y` or `X` says; raise `UserError` for anything else."""
    from xtriton import abi

    try:
        sizes = [int(size) for size in text.split(",")]
    except ValueError:
        raise UserError(f"--grid wants X,Y,Z, not '{text}'") from None
    try:
        return abi.normalize_grid(sizes)
    except ValueError as error:
        raise UserError(f"'{text}' is no grid: {error}") from None
