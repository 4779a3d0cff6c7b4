"""
Modules of the standard library that nobody needs for a start.

What is imported with xDSL imports others in turn for functions that a tool never calls: the
writer of temporary files brings random numbers, `inspect` brings parsers of Python. Such a module
waits in `sys.modules` until somebody asks it for a member. (`importlib.util.LazyLoader` does not
serve: before Python 3.12 the import statement itself asks for one.)
"""

from __future__ import annotations

import sys
import threading
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any

LATE = ("ctypes", "json", "linecache", "random", "tempfile", "textwrap", "tokenize", "traceback")
"""Modules that are imported as a whole; one whose names are imported would be loaded at once."""

_lock = threading.RLock()


class _Waiting(ModuleType):
    """A module whose body runs when a member is first asked for."""

    def __getattr__(self, name: str) -> Any:
        with _lock:
            spec = self.__spec__
            if type(self) is _Waiting and spec is not None and spec.loader is not None:
                _become(self, ModuleType)
                spec.loader.exec_module(self)
        return getattr(self, name)


def _become(module: Any, cls: type[ModuleType]) -> None:
    module.__class__ = cls


def load_late(names: tuple[str, ...] = LATE) -> None:
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
            _become(module, _Waiting)
            sys.modules[name] = module
