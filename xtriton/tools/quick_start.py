"""
Makes a tool's start cheaper: what Python derives while it imports is derived once per machine.

A good part of a short run goes into code that is written as text and compiled, by `dataclasses`
and by our readers of lines, and into regular expressions. Both are functions of a text alone, so
the results are kept in a file beside those of other tools, by that text; a file that is damaged,
or that somebody else could have written, is not used. Where nothing can be written, nothing is
kept. Byte code of modules is kept likewise (`quick_imports`). What is derived of classes waits
until it is used (`quick_classes`, `late_definitions`).
"""

from __future__ import annotations

import atexit
import builtins
import collections
import contextlib
import dataclasses
import gc
import marshal
import os
import re
import sys
import typing
from collections.abc import Callable, Generator
from types import CodeType, FunctionType, ModuleType
from typing import Any

import xtriton
from xtriton.kept_files import checksum, kept_file, read_own, write_own
from xtriton.tools import quick_inspect
from xtriton.tools.quick_classes import quick_classes
from xtriton.tools.quick_enums import quick_enums
from xtriton.tools.quick_imports import KeptModules
from xtriton.tools.quick_methods import code_of
from xtriton.tools.quick_modules import load_xdsl_late
from xtriton.tools.quick_typing import quick_aliases

_PACKAGES = ("xdsl", "xtriton")

_MOST = 8 << 20
"""Bytes that are kept; what a program makes patterns of might be without end."""

_Pattern = tuple[int, bytes, int, dict[str, int], tuple[str | None, ...]]
"""What `_sre.compile` takes behind the pattern itself, the words of its code as bytes."""


class Derived:
    """
    Compiled texts and patterns by what they are compiled from, as read from a file.

    Each is kept as bytes, which become objects when they are asked for: a run needs a few.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.codes: dict[tuple[str | bytes, str, str], bytes] = {}
        self.patterns: dict[tuple[str | bytes, int], bytes] = {}
        self.is_new = False
        content = read_own(path)
        if content is not None and content[:8] == checksum(rest := memoryview(content)[8:]):
            self.codes, self.patterns = marshal.loads(rest)

    def code(self, text: str | bytes, name: str, mode: str = "exec", **options: Any) -> Any:
        """Return what `compile` makes of a text."""
        if options:
            return _MAKE_CODE(text, name, mode, **options)
        known = self.codes.get((text, name, mode))
        if known is not None:
            return marshal.loads(known)
        code = compile(text, name, mode)
        self.codes[text, name, mode] = marshal.dumps(code)
        self.is_new = True
        return code

    def function(self, text: str) -> CodeType:
        """Do what `quick_methods.code_of` does."""
        key = (text, "", "function")
        known = self.codes.get(key)
        if known is None:
            known = self.codes[key] = marshal.dumps(code_of(text))
            self.is_new = True
        return marshal.loads(known)

    def execute(self, text: str, *scopes: Any) -> None:
        """Do what `exec` does."""
        builtins.exec(self.code(text, "<string>"), *scopes)

    def evaluate(self, text: str, *scopes: Any) -> Any:
        """Do what `eval` does."""
        return builtins.eval(self.code(text, "<string>", "eval"), *scopes)

    def compile(self, pattern: Any, flags: int = 0) -> Any:
        """Do what `re._compiler.compile` does."""
        if not isinstance(pattern, str | bytes):
            return _COMPILE(pattern, flags)
        key = (pattern, int(flags))
        kept = self.patterns.get(key)
        if kept is None:
            if _is_of_tokenize():
                return _COMPILE(pattern, flags)
            known = _compiled(pattern, flags)
            self.patterns[key] = marshal.dumps(known)
            self.is_new = True
        else:
            known: _Pattern = marshal.loads(kept)
        every, words, *rest = known
        return _SRE.compile(pattern, every, memoryview(words).cast("I").tolist(), *rest)

    def write(self) -> None:
        """Keep what is new, if that is possible."""
        if not self.is_new:
            return
        data = marshal.dumps((self.codes, self.patterns))
        if len(data) > _MOST:
            return
        write_own(self.path, checksum(data) + data)


@contextlib.contextmanager
def quick_start() -> Generator[Callable[[], None]]:
    """
    Use and keep what is derived, for a tool's work in a process of its own.

    What is yielded is called before xDSL is imported: what it defines waits from then on.
    Does nothing where xDSL is imported already, as in a program that calls a tool.
    """
    path = kept_file("start-4")
    if "xdsl" in sys.modules or path is None:
        yield _nothing
        return
    derived = Derived(path)
    modules = _kept_modules()
    sys.meta_path.insert(0, modules)
    # These are looked up in the modules before they are in the builtins.
    _DATACLASSES.exec = derived.execute
    _COLLECTIONS.eval = _INSPECT.eval = derived.evaluate
    _TYPING.compile = derived.code
    _COMPILER.compile = derived.compile
    try:
        with (
            quick_aliases(),
            quick_enums(),
            quick_classes(derived.function),
            contextlib.ExitStack() as end,
        ):
            yield lambda: _define_late(derived, end)
        derived.write()
        modules.write()
        atexit.register(_leave_modules)
    finally:
        sys.meta_path.remove(modules)
        modules.close()
        del _DATACLASSES.exec, _COLLECTIONS.eval, _INSPECT.eval, _TYPING.compile
        _COMPILER.compile = _COMPILE


def _leave_modules() -> None:
    """Let a process that ends neither look for garbage nor take our modules apart."""
    if not _is_tool():
        return
    kept: list[Any] = []
    kept.append(kept)
    for name in [*sys.modules]:
        if name.partition(".")[0] in _PACKAGES:
            kept.append(sys.modules.pop(name))
    # What is in a circle and not collected stays.
    gc.freeze()


def _is_tool() -> bool:
    """
    Whether the process is a tool and nothing else.

    What others have open is written when what they have is taken apart, plug-ins of ours included.
    """
    main = sys.modules["__main__"]
    if any(name.startswith("xtriton_plugin_") for name in sys.modules):
        return False
    if main.__spec__ is not None and main.__spec__.name.startswith("xtriton."):
        return True
    return all(_is_of_tool(value) for name, value in vars(main).items() if name[:2] != "__")


def _is_of_tool(value: object) -> bool:
    if isinstance(value, ModuleType):
        return value.__name__ in sys.stdlib_module_names
    return isinstance(value, FunctionType) and value.__module__.startswith("xtriton.")


def _kept_modules() -> KeptModules:
    """Return the modules of this installation, which may be one of several."""
    place = checksum(os.fsencode(os.path.dirname(xtriton.__file__))).hex()
    return KeptModules(kept_file(f"modules-4-{place}") or "")


def _nothing() -> None: ...


def _define_late(derived: Derived, end: contextlib.ExitStack) -> None:
    from xtriton.late_definitions import define_late

    load_xdsl_late()
    define_late()
    # `xtriton.ir` brings xDSL's dialects, which have to wait already.
    from xtriton.ir.made_code import compile_with

    compile_with(derived.code)
    end.callback(compile_with, None)


_MAKE_CODE: Callable[..., Any] = compile
_COLLECTIONS: Any = collections
_DATACLASSES: Any = dataclasses
_INSPECT: Any = quick_inspect
_TYPING: Any = typing
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
    from array import array

    parsed = _PARSER.parse(pattern, flags)
    state = parsed.state
    names: list[str | None] = [None] * state.groups
    for name, number in state.groupdict.items():
        names[number] = name
    code = array("I", map(int, _COMPILER._code(parsed, flags))).tobytes()
    every = int(flags) | int(state.flags)
    return every, code, state.groups - 1, dict(state.groupdict), tuple(names)
