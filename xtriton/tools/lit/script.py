"""What a lit test file asks for: its `RUN:` lines and conditions."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

_KEYWORD = re.compile(r"\b(RUN|REQUIRES|UNSUPPORTED|XFAIL):(.*)$", re.MULTILINE)


@dataclass
class Script:
    """The commands of a test and under which features it runs."""

    commands: list[str] = field(default_factory=list[str])
    requires: list[str] = field(default_factory=list[str])
    unsupported: list[str] = field(default_factory=list[str])
    expected_to_fail: bool = False


def read_script(text: str) -> Script:
    """Return what the keywords of a test file's text say."""
    script = Script()
    pending = ""
    for match in _KEYWORD.finditer(text):
        keyword, rest = match[1], match[2].strip()
        match keyword:
            case "RUN":
                pending += rest
                if pending.endswith("\\"):
                    pending = pending[:-1]
                else:
                    script.commands.append(pending)
                    pending = ""
            case "REQUIRES":
                script.requires += _features(rest)
            case "UNSUPPORTED":
                script.unsupported += _features(rest)
            case _:
                script.expected_to_fail = True
    return script


def substitute(command: str, test: Path, scratch: Path, named: dict[str, str]) -> str:
    """
    Return `command` with `%s`, `%t` and their like, and named run lines, replaced.

    `test` is the file, `scratch` a folder for what it writes.
    """
    for name, replacement in named.items():
        command = re.sub(rf"\b{re.escape(name)}\b", lambda _, r=replacement: r, command)
    values = {
        "%%": "%",
        "%basename_t": test.stem,
        "%s": str(test),
        "%S": str(test.parent),
        "%p": str(test.parent),
        "%T": str(scratch),
        "%t": str(scratch / f"{test.stem}.tmp"),
    }
    return re.sub(r"%(?:%|basename_t|[sSpTt]\b)", lambda m: values[m[0]], command)


def _features(text: str) -> list[str]:
    return [feature.strip() for feature in text.split(",") if feature.strip()]
