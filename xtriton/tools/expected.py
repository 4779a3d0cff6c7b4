"""
`--verify-diagnostics`: comments that say which diagnostics a file must give.

    // expected-error {{text that the message contains}}
    // expected-warning@+1 {{...}}     one line below; also @-1, @above, @below, @unknown
    // expected-remark-re {{number {{[0-9]+}}}}     regular expressions inside {{ }}

`@above` and `@below` mean the nearest line that holds no such comment. With
`--verify-diagnostics=only-expected` others may come as well.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from xtriton.diagnostics import Diagnostic
from xtriton.errors import Position

_COMMENT = re.compile(
    r"expected-(error|note|remark|warning)(-re)?"
    r" *(?:@([+-][0-9]+|above|below|unknown))? *\{\{(.*)\}\}\s*$"
)
_REGEX_PART = re.compile(r"\{\{(.*?)\}\}")


@dataclass(frozen=True)
class Expected:
    """A diagnostic that must come; `line` is None where it must have no place."""

    severity: str
    message: str
    pattern: re.Pattern[str]
    line: int | None
    position: Position
    """Where the comment is."""

    def matches(self, diagnostic: Diagnostic) -> bool:
        place = diagnostic.position
        if place is None or self.line is None:
            fits = place is None and self.line is None
        else:
            fits = (place.file, place.line) == (self.position.file, self.line)
        return (
            fits
            and diagnostic.severity == self.severity
            and self.pattern.search(diagnostic.message) is not None
        )


def find_expected(text: str, file: str) -> list[Expected]:
    """Return the diagnostics that the comments of `text` ask for."""
    lines = text.split("\n")
    matches = [_COMMENT.search(line) for line in lines]
    found: list[Expected] = []
    for index, match in enumerate(matches):
        if match is None:
            continue
        severity, is_regex, place, message = match.groups()
        found.append(
            Expected(
                severity,
                message,
                _pattern(message, is_regex is not None),
                _line(index, place, matches),
                Position(file, index + 1, match.start() + 1, lines[index]),
            )
        )
    return found


def compare(
    expected: Sequence[Expected],
    diagnostics: Sequence[Diagnostic],
    *,
    only_expected: bool = False,
) -> list[str]:
    """
    Return what is wrong, as lines to show: unexpected (unless `only_expected`) and missing ones.

    Notes are compared only where a comment asks for one: our notes are details of the
    error before them.
    """
    missing = list(expected)
    problems: list[str] = []
    for diagnostic in diagnostics:
        match = next((e for e in missing if e.matches(diagnostic)), None)
        if match is not None:
            missing.remove(match)
        elif diagnostic.severity != "note" and not only_expected:
            place = "" if diagnostic.position is None else f"{diagnostic.position}: "
            problems.append(f"{place}error: unexpected {diagnostic.severity}: {diagnostic.message}")
    problems += [
        f'{e.position}: error: expected {e.severity} "{e.message}" was not produced'
        for e in missing
    ]
    return problems


def _pattern(message: str, is_regex: bool) -> re.Pattern[str]:
    if not is_regex:
        return re.compile(re.escape(message))
    parts = _REGEX_PART.split(message)
    return re.compile(
        "".join(f"(?:{part})" if i % 2 else re.escape(part) for i, part in enumerate(parts))
    )


def _line(index: int, place: str | None, matches: Sequence[object]) -> int | None:
    """Return the line, counted from 1, that the comment on line `index` speaks of."""
    match place:
        case None:
            return index + 1
        case "unknown":
            return None
        case "above" | "below":
            step = -1 if place == "above" else 1
            target = index + step
            while 0 <= target < len(matches) and matches[target] is not None:
                target += step
            return target + 1
        case _:
            return index + 1 + int(place)
