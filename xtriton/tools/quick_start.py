"""
Makes a tool's start cheaper: what Python derives while it imports is derived once per machine.

A third of a short run goes into code that `dataclasses` writes as text and compiles, and into
regular expressions. Both are functions of a text alone, so the results are kept in a file beside
those of other tools, by that text; a file that is damaged, or that somebody else could have
written, is not used. Where nothing can be written, nothing is kept.
"""

from __future__ import annotations

import builtins
import contextlib
import dataclasses
import gc
import hashlib
import marshal
import os
import re
import stat
import sys
import tempfile
from array import array
from collections.abc import Callable, Generator
from pathlib import Path
from types import CodeType
from typing import Any

_OBJECTS = 50_000
"""New objects between two collections: importing makes many, and drops none."""

_MOST = 8 << 20
"""Bytes that are kept; what a program makes patterns of might be without end."""

_Pattern = tuple[int, bytes, int, dict[str, int], tuple[str | None, ...]]
"""What `_sre.compile` takes behind the pattern itself, the words of its code as bytes."""


class Derived:
    """Compiled texts and patterns by what they are compiled from, as read from a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.codes: dict[str, CodeType] = {}
        self.patterns: dict[tuple[str | bytes, int], _Pattern] = {}
        self.is_new = False
        content = _own_content(path)
        if content is not None and content[:32] == hashlib.sha256(content[32:]).digest():
            self.codes, self.patterns = marshal.loads(content[32:])

    def execute(self, text: str, *scopes: Any) -> None:
        """Do what `exec` does."""
        code = self.codes.get(text)
        if code is None:
            code = self.codes[text] = compile(text, "<string>", "exec")
            self.is_new = True
        builtins.exec(code, *scopes)

    def compile(self, pattern: Any, flags: int = 0) -> Any:
        """Do what `re._compiler.compile` does."""
        if not isinstance(pattern, str | bytes):
            return _COMPILE(pattern, flags)
        key = (pattern, int(flags))
        known = self.patterns.get(key)
        if known is None:
            if _is_of_tokenize():
                return _COMPILE(pattern, flags)
            known = self.patterns[key] = _compiled(pattern, flags)
            self.is_new = True
        every, words, *rest = known
        return _SRE.compile(pattern, every, array("I", words).tolist(), *rest)

    def write(self) -> None:
        """Keep what is new, if that is possible."""
        if not self.is_new:
            return
        data = marshal.dumps((self.codes, self.patterns))
        if len(data) > _MOST:
            return
        # Nobody waits for this file: without it, the next start takes longer.
        with contextlib.suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=".new-")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(hashlib.sha256(data).digest() + data)
                Path(name).replace(self.path)
            except OSError:
                Path(name).unlink(missing_ok=True)
                raise


@contextlib.contextmanager
def quick_start() -> Generator[None]:
    """
    Use and keep what is derived, for a tool's work in a process of its own.

    Does nothing where xDSL is imported already, as in a program that calls a tool.
    """
    path = _path()
    if "xdsl" in sys.modules or path is None:
        yield
        return
    derived = Derived(path)
    gc.set_threshold(_OBJECTS)
    module: Any = dataclasses
    # `exec` is looked up in the module before it is in the builtins.
    module.exec = derived.execute
    _COMPILER.compile = derived.compile
    try:
        yield
        derived.write()
    finally:
        del module.exec
        _COMPILER.compile = _COMPILE


_COMPILER: Any = vars(re)["_compiler"]
_PARSER: Any = vars(re)["_parser"]
_COMPILE: Callable[..., Any] = _COMPILER.compile
_SRE: Any = _COMPILER._sre


def _is_of_tokenize() -> bool:
    """Whether `tokenize` asks: it joins a set, so that its pattern is another in each process."""
    frame = sys._getframe()
    for _ in range(4):
        frame = frame.f_back if frame is not None else None
        if frame is not None and frame.f_globals.get("__name__") == "tokenize":
            return True
    return False


def _compiled(pattern: str | bytes, flags: int) -> _Pattern:
    parsed = _PARSER.parse(pattern, flags)
    state = parsed.state
    names: list[str | None] = [None] * state.groups
    for name, number in state.groupdict.items():
        names[number] = name
    code = array("I", map(int, _COMPILER._code(parsed, flags))).tobytes()
    every = int(flags) | int(state.flags)
    return every, code, state.groups - 1, dict(state.groupdict), tuple(names)


def _path() -> Path | None:
    """Return where the file lies; None where there is no folder for it."""
    folder = os.environ.get("XTRITON_CACHE_DIR")
    if folder == "":
        return None
    try:
        home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    except RuntimeError:  # there is no home directory
        if folder is None:
            return None
        home = folder
    place = Path(folder) if folder else Path(home, "xtriton")
    return place / f"start-{sys.implementation.cache_tag}-{sys.hexversion:x}.bin"


def _own_content(path: Path) -> bytes | None:
    """Return what a regular file of this user holds that nobody else may write."""
    try:
        with path.open("rb") as file:
            found = os.fstat(file.fileno())
            safe = stat.S_ISREG(found.st_mode) and not found.st_mode & 0o022
            if not safe or found.st_uid != os.getuid():
                return None
            return file.read()
    except OSError:
        return None
