"""The part of the shell's language that `RUN:` lines use: words, pipes, redirections."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<operator>&&|\|\||\||;|2>&1|&>|2>|>>|>|<)
      | (?P<word>(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\|;<>&]|&(?!&))+)
    )""",
    re.VERBOSE,
)
_PIECE = re.compile(r'"((?:[^"\\]|\\.)*)"|\'([^\']*)\'|\\(.)|([^"\'\\]+)')

_REDIRECTIONS = ("&>", "2>", ">>", ">", "<")


@dataclass
class Command:
    """One command: its words, and where input comes from and output goes to, by operator."""

    words: list[str] = field(default_factory=list[str])
    redirections: dict[str, str] = field(default_factory=dict[str, str])
    errors_to_output: bool = False
    """`2>&1`; before a `>` it means what the output was until then, as in the shell."""
    errors_before_output: bool = False


@dataclass
class PipeLine:
    """Commands of which each reads what the one before writes."""

    commands: list[Command]
    follows: Literal["&&", "||", ";"] = ";"
    """When it runs: after success, after failure, or in any case."""


def parse_shell(text: str) -> list[PipeLine]:
    """Return the pipelines of a command line; raise `ValueError` for what is not understood."""
    command = Command()
    lines = [PipeLine([command])]
    position = 0
    text = text.rstrip()
    redirection: str | None = None
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise ValueError(f"cannot read the command at '{text[position:]}'")
        position = match.end()
        operator = match["operator"]
        if operator is None:
            word = unquote(match["word"])
            if redirection is None:
                command.words.append(word)
            else:
                command.redirections[redirection] = word
                redirection = None
        elif operator in _REDIRECTIONS:
            redirection = operator
        elif operator == "2>&1":
            command.errors_to_output = True
            command.errors_before_output = ">" not in command.redirections
        else:
            command = Command()
            match operator:
                case "&&" | "||" | ";":
                    lines.append(PipeLine([command], operator))
                case _:
                    lines[-1].commands.append(command)
    if not lines[-1].commands[-1].words:
        lines[-1].commands.pop()
    return [line for line in lines if line.commands]


def unquote(word: str) -> str:
    """Return a word without quotes and backslashes."""
    result: list[str] = []
    for double, single, escaped, plain in _PIECE.findall(word):
        result.append(re.sub(r'\\(["\\$`])', r"\1", double) + single + escaped + plain)
    return "".join(result)
