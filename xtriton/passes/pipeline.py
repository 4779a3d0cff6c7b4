"""
The text of pass pipelines, in MLIR's grammar.

    pipeline := element ("," element)*
    element  := pass-name ("{" options "}")? | op-name "(" pipeline ")"
    options  := option (" " option)*
    option   := name | name "=" value
    value    := quoted text | "{" ... "}" | anything up to a space

An option may be given again: the last value wins, a list goes on.

`builtin.module(cse,tt.func(canonicalize{max-iterations=3}))` runs `cse` on the module and
`canonicalize` on each function.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from xtriton.errors import Position, UserError

MODULE_ANCHORS = ("builtin.module", "any")
"""Anchors that mean the module itself."""

_NAME = re.compile(r"[\w.$-]+")
_SPACE = re.compile(r"\s*")
_CLOSING = {"{": "}", "[": "]", "(": ")"}

OptionTexts = tuple[tuple[str, str | None], ...]
"""Names and values of options in the order given; None where a name has no value."""


@dataclass(frozen=True)
class PassSpec:
    """A pass by name, with its options as text, as a pipeline or the command line has it."""

    name: str
    options: OptionTexts = ()
    position: Position | None = field(default=None, compare=False)

    def __str__(self) -> str:
        if not self.options:
            return self.name
        options = " ".join(map(_option_text, self.options))
        return f"{self.name}{{{options}}}"


@dataclass(frozen=True)
class Nested:
    """A pipeline that runs on every op called `anchor`, one after the other."""

    anchor: str
    elements: tuple[PassSpec | Nested, ...]

    def __str__(self) -> str:
        return f"{self.anchor}({','.join(map(str, self.elements))})"


Pipeline = Sequence[PassSpec | Nested]


def pipeline_text(pipeline: Pipeline) -> str:
    """Return the text from which `parse_pipeline` makes `pipeline`, anchored on the module."""
    return str(Nested("builtin.module", tuple(pipeline)))


def pipeline_tree(pipeline: Pipeline) -> str:
    """Return `pipeline` with a pass on each line, as MLIR dumps it."""

    def lines(element: PassSpec | Nested, indent: str) -> list[str]:
        if isinstance(element, PassSpec):
            return [f"{indent}{element},"]
        inner = [line for e in element.elements for line in lines(e, indent + "  ")]
        return [f"{indent}{element.anchor}(", *inner[:-1], inner[-1].rstrip(","), f"{indent}),"]

    if not pipeline:
        return "builtin.module()"
    return "\n".join(lines(Nested("builtin.module", tuple(pipeline)), "")).rstrip(",")


def parse_pipeline(text: str, source: str = "<pass-pipeline>") -> tuple[PassSpec | Nested, ...]:
    """
    Return the elements of a pipeline, without the enclosing `builtin.module(...)`, if any.

    Raises `UserError` with a position in `text`, called `source`, where it is malformed.
    """
    reader = _PipelineReader(text, source)
    elements = reader.pipeline()
    reader.skip_space()
    if reader.offset < len(text):
        raise reader.error(f"unexpected '{text[reader.offset]}'")
    return _without_module_anchor(elements)


def parse_options(text: str) -> OptionTexts:
    """
    Return the options in `a=1 b="x y" c`, in order and as often as they are given.

    Raises `UserError` for an unclosed quote or brace.
    """
    reader = _PipelineReader(text, "<pass-options>")
    options = reader.options(end=None)
    if reader.offset < len(text):
        raise reader.error(f"unexpected '{text[reader.offset]}'")
    return options


def _without_module_anchor(elements: tuple[PassSpec | Nested, ...]):
    result: list[PassSpec | Nested] = []
    for element in elements:
        if isinstance(element, Nested) and element.anchor in MODULE_ANCHORS:
            result += _without_module_anchor(element.elements)
        else:
            result.append(element)
    return tuple(result)


def _option_text(option: tuple[str, str | None]) -> str:
    name, value = option
    return name if value is None else f"{name}={_quoted(value)}"


def _quoted(value: str) -> str:
    if value and not re.search(r"[\s{}'\"()]", value):
        return value
    quote = "'" if '"' in value else '"'
    return f"{quote}{value}{quote}"


class _PipelineReader:
    """Recursive descent over the characters of a pipeline."""

    def __init__(self, text: str, source: str):
        self.text = text
        self.source = source
        self.offset = 0

    def error(self, message: str, offset: int | None = None) -> UserError:
        return UserError(message, self.position(self.offset if offset is None else offset))

    def position(self, offset: int) -> Position:
        return Position.in_text(self.text, offset, self.source)

    def skip_space(self) -> None:
        match = _SPACE.match(self.text, self.offset)
        assert match is not None
        self.offset = match.end()

    def take(self, character: str) -> bool:
        self.skip_space()
        if not self.text.startswith(character, self.offset):
            return False
        self.offset += len(character)
        return True

    def expect(self, character: str) -> None:
        if not self.take(character):
            raise self.error(f"expected '{character}'")

    def name(self, what: str) -> tuple[str, int]:
        self.skip_space()
        match = _NAME.match(self.text, self.offset)
        if match is None:
            raise self.error(f"expected {what}")
        self.offset = match.end()
        return match[0], match.start()

    def pipeline(self) -> tuple[PassSpec | Nested, ...]:
        self.skip_space()
        if self.offset == len(self.text) or self.text[self.offset] == ")":
            return ()
        elements = [self.element()]
        while self.take(","):
            elements.append(self.element())
        return tuple(elements)

    def element(self) -> PassSpec | Nested:
        name, start = self.name("the name of a pass")
        if self.take("("):
            elements = self.pipeline()
            self.expect(")")
            return Nested(name, elements)
        options: OptionTexts = ()
        if self.take("{"):
            options = self.options(end="}")
            self.expect("}")
        return PassSpec(name, options, self.position(start))

    def options(self, end: str | None) -> OptionTexts:
        options: list[tuple[str, str | None]] = []
        while True:
            self.skip_space()
            if self.offset == len(self.text) or self.text[self.offset] == end:
                return tuple(options)
            name, _ = self.name("the name of an option")
            options.append((name, self.value(end) if self.take("=") else None))

    def value(self, end: str | None) -> str:
        """Return the value that starts here, without the quotes or braces around it."""
        text, start = self.text, self.offset
        if text[start : start + 1] in ("'", '"'):
            close = text.find(text[start], start + 1)
            if close < 0:
                raise self.error("unclosed quote")
            self.offset = close + 1
            return text[start + 1 : close]
        if text.startswith("{", start):
            self.skip_group()
            return text[start + 1 : self.offset - 1]
        while self.offset < len(text) and not text[self.offset].isspace():
            if text[self.offset] in _CLOSING:
                self.skip_group()
            elif text[self.offset] == end:
                break
            else:
                self.offset += 1
        return text[start : self.offset]

    def skip_group(self) -> None:
        """Move past the bracket here and the one that closes it."""
        start = self.offset
        expected: list[str] = []
        while self.offset < len(self.text):
            character = self.text[self.offset]
            self.offset += 1
            if character in _CLOSING:
                expected.append(_CLOSING[character])
            elif expected and character == expected[-1]:
                expected.pop()
                if not expected:
                    return
        raise self.error(f"unclosed '{self.text[start]}'", start)
