"""Source locations beyond xDSL's: line ranges, and fast construction from text."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    NameLoc,
    NoneAttr,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Attribute, BuiltinAttribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition

from xtriton.ir.remembered_hash import once_per_attribute

UNKNOWN = UnknownLoc()


@irdl_attr_definition
class FileLineColRangeLoc(ParametrizedAttribute, BuiltinAttribute):
    """
    A range of a file: `loc("f.py":1:2 to 3:4)`, or `to :4` on one line.

    Upstream: `FileLineColRange`.
    """

    name = "builtin.file_line_range"

    file: StringAttr
    start_line: IntAttr
    start_column: IntAttr
    end_line: IntAttr
    end_column: IntAttr

    def print_builtin(self, printer) -> None:  # pyright: ignore[reportMissingParameterType]
        start = f'"{self.file.data}":{self.start_line.data}:{self.start_column.data}'
        line = "" if self.start_line == self.end_line else str(self.end_line.data)
        printer.print_string(f"loc({start} to {line}:{self.end_column.data})")


_FILE = re.compile(r'"([^"\\]*)":(\d+):(\d+)$')
_NAME = re.compile(r'"([^"\\]*)"\((#[\w.$-]+)\)$')
_BARE_NAME = re.compile(r'"([^"\\]*)"$')
_CALL = re.compile(r"callsite\((#[\w.$-]+) at (#[\w.$-]+)\)$")


def location_from_text(text: str, alias: Callable[[str], Attribute]) -> Attribute | None:
    """
    Return the location that `text`, the inside of `loc(...)`, stands for.

    Only the everyday forms are read; None sends the caller to the full parser. `alias`
    returns what a `#loc12` stands for.
    """
    if match := _FILE.match(text):
        name, line, column = match.groups()
        return _made(
            FileLineColLoc,
            filename=_string(name),
            line=_made(IntAttr, data=int(line)),
            column=_made(IntAttr, data=int(column)),
        )
    if match := _NAME.match(text):
        return _made(NameLoc, desc=_string(match[1]), location=alias(match[2]))
    if text == "unknown":
        return UNKNOWN
    if match := _CALL.match(text):
        return _made(CallSiteLoc, callee=alias(match[1]), caller=alias(match[2]))
    if match := _BARE_NAME.match(text):
        return NameLoc(StringAttr(match[1]), NoneAttr())
    return None


def _made(cls: type[Attribute], **fields: Any) -> Any:
    """Return an attribute whose fields are known to be right: there are thousands of these."""
    attribute = object.__new__(cls)
    vars(attribute).update(fields)
    return attribute


@lru_cache(maxsize=4096)
def _string(text: str) -> StringAttr:
    return StringAttr(text)


def fuse(locations: list[Attribute]) -> Attribute:
    """Return the location of an op made from ops at `locations`, as MLIR fuses them."""
    known: list[Attribute] = []
    for location in locations:
        parts: Sequence[Attribute] = (location,)
        if isinstance(location, FusedLoc) and isinstance(location.metadata, NoneAttr):
            parts = cast(Any, location).locations.data
        known += [part for part in parts if part != UNKNOWN and part not in known]
    if len(known) == 1:
        return known[0]
    return FusedLoc(ArrayAttr(known), NoneAttr()) if known else UNKNOWN


Place = tuple[str, int, int]
"""File, line and column (from 1)."""


def fused_parts(location: FusedLoc) -> Sequence[Attribute]:
    """Return the locations that a fused one is made of."""
    locations: Any = location.locations
    return locations.data


@once_per_attribute
def file_position(location: Attribute) -> Place | None:
    """Return file, line and column (from 1) of the innermost place, or None."""
    match location:
        case FileLineColLoc():
            return location.filename.data, location.line.data, location.column.data
        case FileLineColRangeLoc():
            return location.file.data, location.start_line.data, location.start_column.data
        case NameLoc():
            return file_position(location.location)
        case CallSiteLoc():
            return file_position(location.callee)
        case FusedLoc():
            places = map(file_position, fused_parts(location))
            return next((place for place in places if place is not None), None)
        case _:
            return None


@once_per_attribute
def program_position(location: Attribute) -> Place | None:
    """As `file_position`, but what stands in Triton's library is where the program calls it."""
    match location:
        case NameLoc():
            return program_position(location.location)
        case CallSiteLoc():
            inner = program_position(location.callee)
            if inner is not None and not _is_library(inner[0]):
                return inner
            return program_position(location.caller) or inner
        case _:
            return file_position(location)


@once_per_attribute
def call_position(location: Attribute) -> Place | None:
    """Return where the program calls the function in which `program_position` is, if it does."""
    match location:
        case NameLoc():
            return call_position(location.location)
        case CallSiteLoc():
            inner = program_position(location.callee)
            if inner is None or _is_library(inner[0]):
                return call_position(location.caller)
            return call_position(location.callee) or program_position(location.caller)
        case _:
            return None


def _is_library(file: str) -> bool:
    return "triton/language/" in file or file.rsplit("/", 1)[-1] == "standard.py"
