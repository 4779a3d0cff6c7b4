"""
Custom assembly of ops, declared once, read and printed by one engine.

An op class carries `SYNTAX`, written in the format language of MLIR's ODS (the strings of
upstream's TableGen files say the same thing), and `TYPES`, the equations between types
that the format leaves out. The same equations infer types when text is parsed, and are
checked by the verifier.

    class LoadOp(IRDLOperation):
        name = "tt.load"
        ...
        SYNTAX = Syntax("$ptr (`,` $mask^)? (`,` $other^)? attr-dict `:` type($ptr)")
        TYPES = (
            TypeRule("result", "ptr", pointee_type),
            TypeRule("mask", "ptr", mask_type),
            TypeRule("other", "ptr", pointee_type),
        )

Beyond ODS: `I32Enum` properties print as their keyword when the format names them, and a
`Syntax` may list what older releases of Triton wrote.

Elements understood: `` `literal` ``, `$operand`, `$attribute`, `$region`, `$successor`,
`type($x)`, `qualified(type($x))`, `functional-type(a, b)`, `operands`, `results`,
`regions`, `successors`, `attr-dict`, `attr-dict-with-keyword`, `prop-dict`, optional
groups `( ... $anchor^ ... )? : ( ... )`, `oilist( ... | ... )` and `custom<Name>(...)`.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache
from typing import Protocol

from xdsl.ir import Attribute, Operation

from xtriton.ir.versions import Version


class I32Enum(IntEnum):
    """
    An enum that the generic form writes as an integer and a format as a keyword.

    The keyword is the member's name; a trailing underscore, needed where the keyword is
    reserved in Python, is not part of it.
    """

    @property
    def keyword(self) -> str:
        return self.name.rstrip("_")

    @staticmethod
    def width() -> int:
        """Return the bit width of the integer that stands for a member."""
        return 32

    def since(self) -> Version | None:
        """Return the first release that has this member, None if all have it."""
        return None

    @classmethod
    def from_keyword(cls, keyword: str) -> "I32Enum | None":
        return next((m for m in cls if m.keyword == keyword), None)


class I64Enum(I32Enum):
    """The same, as the 64-bit integer that the predicates of arith's comparisons are."""

    @staticmethod
    def width() -> int:
        return 64


@dataclass(frozen=True)
class TypeRule:
    """
    The type of `target` is `function` of the type of `source`.

    Both are names of operands or results. A rule whose target is an absent optional
    operand says nothing; for a variadic target it holds for every element. `function`
    raises `VerifyException` when the source type does not fit. `summary` is upstream's
    description of the rule, where it has one.
    """

    target: str
    source: str
    function: Callable[[Attribute], Attribute]
    summary: str | None = None


def identity(type: Attribute) -> Attribute:
    """Return `type`: the function of a rule that two types are the same."""
    return type


def same_type(first: str, *others: str) -> tuple[TypeRule, ...]:
    """All of these operands and results have one type, which any of them tells."""
    names = (first, *others)
    return tuple(TypeRule(a, b, identity) for a in names for b in names if a != b)


class Directive(Protocol):
    """
    What `custom<Name>(...)` stands for; held in the op class' `DIRECTIVES` by name.

    `parse` reads text through the parser and puts what it found into `state` (see
    `xtriton.ir.reading.parser.OpState`); `print` writes the op's part through the printer. Each
    gets the names of the arguments, without `$`.
    """

    def parse(self, parser, state, *arguments: str) -> None: ...  # pyright: ignore[reportMissingParameterType, reportUnknownParameterType]

    def print(self, printer, op: Operation, *arguments: str) -> None: ...  # pyright: ignore[reportMissingParameterType, reportUnknownParameterType]


GENERIC = "generic"
"""In the place of a format: the release has the op in generic form only."""


@dataclass(frozen=True)
class Syntax:
    """
    The assembly format of an op and what earlier releases had instead.

    `older` lists (last release, format) from the oldest to the newest of the earlier
    formats: `older=(((3, 4), "$src attr-dict"),)` says that up to Triton 3.4 the op was
    written so. `since` and `until` are the first and last release that have the op;
    `attributes_until` and `attributes_since` say the same of single attributes that the
    attribute dictionary carries.
    """

    format: str
    older: tuple[tuple[Version, str], ...] = ()
    since: Version | None = None
    until: Version | None = None
    attributes_until: dict[str, Version] = field(default_factory=dict[str, Version])
    attributes_since: dict[str, Version] = field(default_factory=dict[str, Version])

    def for_version(self, version: Version) -> str:
        """Return the format that `version` prints."""
        for last, text in self.older:
            if version <= last:
                return text
        return self.format

    def candidates(self) -> list[tuple[Version | None, str]]:
        """Return every format with the last release that wrote it, newest first."""
        every = [(None, self.format), *reversed(self.older)]
        return [(last, text) for last, text in every if text != GENERIC]


# --- the format as a tree ---------------------------------------------------------------


@dataclass(frozen=True)
class Literal:
    """A keyword or punctuation, as written; "" and " " only steer the printer's spaces."""

    text: str


@dataclass(frozen=True)
class Variable:
    """An operand, attribute, region or successor, by name."""

    name: str


@dataclass(frozen=True)
class TypeOf:
    """`type($x)`; `name` may also be "operands" or "results"."""

    name: str
    qualified: bool = False


@dataclass(frozen=True)
class FunctionalType:
    """`functional-type(inputs, outputs)`, each a name, "operands" or "results"."""

    inputs: str
    outputs: str


@dataclass(frozen=True)
class Keyworded:
    """One of `operands`, `results`, `regions`, `successors`."""

    what: str


@dataclass(frozen=True)
class AttrDict:
    """`attr-dict`, `attr-dict-with-keyword` or `prop-dict`."""

    keyword: bool = False
    properties_only: bool = False


@dataclass(frozen=True)
class OptionalGroup:
    """`( elements )?`, present when the anchor is; `otherwise` when it is not."""

    elements: tuple["Element", ...]
    anchor: "Element"
    otherwise: tuple["Element", ...] = ()


@dataclass(frozen=True)
class OIList:
    """`oilist( clause | clause )`: clauses in any order, each at most once."""

    clauses: tuple[tuple["Element", ...], ...]


@dataclass(frozen=True)
class Custom:
    """`custom<Name>($a, type($b))`; arguments by name, without `$`."""

    name: str
    arguments: tuple[str, ...]


Element = (
    Literal
    | Variable
    | TypeOf
    | FunctionalType
    | Keyworded
    | AttrDict
    | OptionalGroup
    | OIList
    | Custom
)

_TOKEN = re.compile(r"\s*(?:(`[^`]*`)|(\$\w+)|([\w-]+)|([()?^:|,<>]))")


@cache
def parse_format(text: str) -> tuple[Element, ...]:
    """Return the elements of a format; raise `ValueError` for one that is malformed."""
    tokens: list[str] = []
    position = 0
    text = text.rstrip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise ValueError(f"bad format at '{text[position:]}'")
        tokens.append(match[0].strip() if match[1] is None else match[1])
        position = match.end()
    reader = _FormatReader(tokens)
    elements = reader.elements(stop=())
    if reader.peek() is not None:
        raise ValueError(f"bad format: unexpected '{reader.peek()}' in '{text}'")
    return elements


class _FormatReader:
    """Recursive descent over the tokens of a format."""

    def __init__(self, tokens: Sequence[str]):
        self.tokens = tokens
        self.next = 0
        self.anchor: Element | None = None

    def peek(self) -> str | None:
        return self.tokens[self.next] if self.next < len(self.tokens) else None

    def take(self, expected: str | None = None) -> str:
        token = self.peek()
        if token is None or (expected is not None and token != expected):
            raise ValueError(f"bad format: expected '{expected}', got '{token}'")
        self.next += 1
        return token

    def elements(self, stop: tuple[str, ...]) -> tuple[Element, ...]:
        found: list[Element] = []
        while (token := self.peek()) is not None and token not in stop:
            found.append(self.element())
            if self.peek() == "^":
                self.take()
                self.anchor = found[-1]
        return tuple(found)

    def element(self) -> Element:
        token = self.take()
        if token.startswith("`"):
            return Literal(token[1:-1])
        if token.startswith("$"):
            return Variable(token[1:])
        match token:
            case "(":
                return self.group()
            case "type":
                return TypeOf(self.argument())
            case "qualified":
                return self.qualified()
            case "functional-type":
                self.take("(")
                inputs = self.take().lstrip("$")
                self.take(",")
                outputs = self.take().lstrip("$")
                self.take(")")
                return FunctionalType(inputs, outputs)
            case "oilist":
                return self.oilist()
            case "custom":
                return self.custom()
            case "attr-dict":
                return AttrDict()
            case "attr-dict-with-keyword":
                return AttrDict(keyword=True)
            case "prop-dict":
                return AttrDict(properties_only=True)
            case "operands" | "results" | "regions" | "successors":
                return Keyworded(token)
            case _:
                raise ValueError(f"bad format: unexpected '{token}'")

    def argument(self) -> str:
        self.take("(")
        name = self.take().lstrip("$")
        self.take(")")
        return name

    def qualified(self) -> Element:
        self.take("(")
        inner = self.element()
        self.take(")")
        return TypeOf(inner.name, qualified=True) if isinstance(inner, TypeOf) else inner

    def group(self) -> Element:
        outer, self.anchor = self.anchor, None
        elements = self.elements(stop=(")",))
        self.take(")")
        self.take("?")
        anchor, self.anchor = self.anchor, outer
        otherwise: tuple[Element, ...] = ()
        if self.peek() == ":":
            self.take()
            self.take("(")
            otherwise = self.elements(stop=(")",))
            self.take(")")
            if self.peek() == "?":
                self.take()
        if anchor is None:
            raise ValueError("bad format: an optional group needs an anchor")
        return OptionalGroup(elements, anchor, otherwise)

    def oilist(self) -> Element:
        self.take("(")
        clauses = [self.elements(stop=("|", ")"))]
        while self.peek() == "|":
            self.take()
            clauses.append(self.elements(stop=("|", ")")))
        self.take(")")
        return OIList(tuple(clauses))

    def custom(self) -> Element:
        self.take("<")
        name = self.take()
        self.take(">")
        self.take("(")
        arguments: list[str] = []
        while (token := self.take()) != ")":
            if token.startswith("$"):
                arguments.append(token[1:])
            elif token == "type":
                arguments.append(f"type:{self.argument()}")
        return Custom(name, tuple(arguments))
