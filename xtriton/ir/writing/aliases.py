"""
Aliases of attributes, types and locations: `#blocked`, `#loc3`, `#map`.

Which attributes get one, and in which order they are numbered, is only known when
everything has been visited. So what is printed before is kept in pieces: strings and
`Entry` objects, each of which knows its text in the end. Numbering and order are MLIR's:
aliases that others need come first, then by name, then in the order of the first visit;
what only the locations of ops use is defined after the module.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    NameLoc,
    TupleType,
    UnknownLoc,
)
from xdsl.ir import Attribute, TypeAttribute

from xtriton.ir.locations import FileLineColRangeLoc

LOCATIONS = (UnknownLoc, FileLineColLoc, NameLoc, CallSiteLoc, FusedLoc, FileLineColRangeLoc)

_LARGEST_TUPLE_WITHOUT_ALIAS = 16


@dataclass(eq=False, slots=True)
class Entry:
    """An attribute that has an alias or contains one that has."""

    attribute: Attribute
    name: str | None
    """What the alias is called before it is numbered; None if there is none."""
    deferrable: bool
    """Whether only locations of ops lead here, so that the alias may be defined last."""
    depth: int = 0
    """How many aliases deep the text goes, this one included."""
    children: list["Entry"] = field(default_factory=list["Entry"])
    body: list["Piece"] = field(default_factory=list["Piece"])
    """The text without the alias; of a location, what stands between the parentheses."""
    alias: str | None = None
    """`#blocked1`, once numbered."""

    def text(self) -> str:
        """Return the alias, or the body of what has none."""
        return self.alias if self.alias is not None else self.definition()

    def definition(self) -> str:
        """Return the text without the alias."""
        body = join(self.body)
        return f"loc({body})" if isinstance(self.attribute, LOCATIONS) else body

    def forbid_deferral(self) -> None:
        """Have this alias, and those it needs, defined before the module."""
        pending = [self]
        while pending:
            entry = pending.pop()
            if entry.deferrable:
                entry.deferrable = False
                pending += entry.children


@dataclass(eq=False, slots=True)
class Stripped:
    """An entry without `!dialect.name`, unless it is an alias."""

    entry: Entry
    prefix: int
    suffix: int

    def text(self) -> str:
        text = self.entry.text()
        if self.entry.alias is not None:
            return text
        return text[self.prefix : len(text) - self.suffix]


@dataclass(eq=False, slots=True)
class InlineLocation:
    """A location spelled out, whose parts may be aliases."""

    entry: Entry

    def text(self) -> str:
        return self.entry.definition()


@dataclass(eq=False, slots=True)
class Pieces:
    """Text put together out of order."""

    body: list["Piece"]

    def text(self) -> str:
        return join(self.body)


Piece = str | Entry | Stripped | InlineLocation | Pieces


def join(pieces: Iterable[Piece]) -> str:
    """Return the text of `pieces`; the aliases must have been numbered."""
    return "".join([p if p.__class__ is str else p.text() for p in pieces])  # pyright: ignore[reportArgumentType, reportAttributeAccessIssue, reportCallIssue, reportUnknownMemberType, reportUnknownVariableType]


def alias_name(attribute: Attribute) -> str | None:
    """Return what the alias of an attribute is called, None if it has none."""
    own: Any = getattr(attribute, "ALIAS", None)
    if own is not None:
        return str(own()) if callable(own) else str(own)
    if isinstance(attribute, LOCATIONS):
        return "loc"
    if isinstance(attribute, AffineMapAttr):
        return "map"
    if isinstance(attribute, AffineSetAttr):
        return "set"
    if isinstance(attribute, TupleType):
        return "tuple" if len(attribute.types.data) > _LARGEST_TUPLE_WITHOUT_ALIAS else None
    return None


def number_aliases(entries: list[Entry]) -> list[Entry]:
    """Give every entry with a name its alias; return these in the order of definition."""

    def order(entry: Entry) -> tuple[int, bool, str]:
        return entry.depth, not isinstance(entry.attribute, TypeAttribute), entry.name or ""

    named = sorted((entry for entry in entries if entry.name is not None), key=order)
    used: set[str] = set()
    counts: dict[str, int] = {}
    for entry in named:
        assert entry.name is not None
        alias = _unique(entry.name, used, counts)
        sigil = "!" if isinstance(entry.attribute, TypeAttribute) else "#"
        entry.alias = sigil + alias
    return named


def _unique(name: str, used: set[str], counts: dict[str, int]) -> str:
    if name not in used:
        used.add(name)
        return name
    stem = f"{name}_" if name[-1].isdigit() else name
    while True:
        index = counts[stem] = counts.get(stem, 0) + 1
        candidate = f"{stem}{index}"
        if candidate not in used:
            used.add(candidate)
            return candidate


def definitions(entries: Iterable[Entry], *, deferrable: bool) -> str:
    """Return the lines that define the aliases of those entries that are (not) deferrable."""
    return "".join(
        f"{entry.alias} = {entry.definition()}\n"
        for entry in entries
        if entry.deferrable is deferrable
    )
