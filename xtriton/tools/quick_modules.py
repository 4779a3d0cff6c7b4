"""
Modules of the standard library, and some beside it, that nobody needs for a start.

What is imported with xDSL imports others in turn for functions that a tool never calls: the
writer of temporary files brings random numbers, `inspect` brings parsers of Python. Such a module
waits in `sys.modules` until somebody asks it for a member, but for the few that it is given from
the first. (`importlib.util.LazyLoader` does not serve: before Python 3.12 the import statement
itself asks for one.)
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any

from xtriton.tools import quick_inspect, quick_typing

LATE = (
    *("ctypes", "json", "linecache", "pathlib", "random", "tempfile", "textwrap", "tokenize"),
    "traceback",
)
"""Modules that are imported as a whole; one whose names are imported would be loaded at once."""

STANDING: dict[str, dict[str, Any]] = {
    "inspect": quick_inspect.MEMBERS,
    "typing_extensions": quick_typing.MEMBERS,
    # For xDSL's finder of dialects, which has all methods itself.
    "importlib.abc": {"Loader": object, "MetaPathFinder": object},
}
"""Modules of which somebody imports names, with these members."""

REWRITER = "xdsl.pattern_rewriter"

ANNOTATED = frozenset(
    ("xdsl.interfaces", *(f"xdsl.dialects.{name}" for name in ("arith", "scf", "cf", "memref")))
)
"""Modules that have nothing of `REWRITER` but annotations."""

_lock = threading.RLock()


class _Waiting(ModuleType):
    """A module whose body runs when a member is first asked for."""

    def __getattr__(self, name: str) -> Any:
        if name == "__path__":
            # A package would have it; whoever imports a name from a module looks for it.
            raise AttributeError(name)
        with _lock:
            spec = self.__spec__
            if type(self) is not ModuleType and spec is not None and spec.loader is not None:
                _become(self, ModuleType)
                spec.loader.exec_module(self)
        return getattr(self, name)


class _Annotating(_Waiting):
    """The rewriter of xDSL, which its dialects import to annotate methods that no reader calls."""

    def __getattr__(self, name: str) -> Any:
        importer = sys._getframe(1).f_globals.get("__name__", "")
        if name == "RewritePattern" and importer in ANNOTATED:
            return _Pattern
        return super().__getattr__(name)


class _Pattern:
    """Stands for `RewritePattern` in annotations."""


def _become(module: Any, cls: type[ModuleType]) -> None:
    module.__class__ = cls


def load_late(names: Iterable[str] = (*LATE, *STANDING)) -> None:
    """
    Let modules that are not there yet load themselves when they are first used.

    Does nothing where xDSL is imported already, as in a program that calls a tool.
    """
    if "xdsl" in sys.modules:
        return
    for name in names:
        spec = None if name in sys.modules else find_spec(name)
        if spec is not None:
            module = module_from_spec(spec)
            vars(module).update(STANDING.get(name, {}))
            _become(module, _Waiting)
            sys.modules[name] = module
            parent, _, child = name.rpartition(".")
            if parent:
                setattr(sys.modules[parent], child, module)


def load_rewriter_late() -> None:
    """Let xDSL's rewriter, its builder and its folder wait for whoever rewrites something."""
    spec = None if REWRITER in sys.modules else find_spec(REWRITER)
    if spec is not None:
        module = module_from_spec(spec)
        _become(module, _Annotating)
        sys.modules[REWRITER] = module
        setattr(sys.modules["xdsl"], REWRITER.partition(".")[2], module)
