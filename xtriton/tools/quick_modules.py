"""
Modules of the standard library, and some beside it, that nobody needs for a start.

What is imported with xDSL imports others in turn for functions that a tool never calls: the
writer of temporary files brings random numbers, `inspect` brings parsers of Python. Such a module
waits in `sys.modules` until somebody asks it for a member, but for the few that it is given from
the first. (`importlib.util.LazyLoader` does not serve: before Python 3.12 the import statement
itself asks for one.)
"""

from __future__ import annotations

import os
import sys
from _thread import _local
from collections.abc import Iterable
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from xtriton.late_names import LOADING
from xtriton.tools import quick_inspect, quick_typing

LATE = (
    *("ctypes", "json", "linecache", "pathlib", "random", "tempfile", "textwrap", "tokenize"),
    "traceback",
)
"""Modules that are imported as a whole; one whose names are imported would be loaded at once."""


def _no_threads() -> None:
    """Do what `threading._shutdown` does, which Python calls at its end, while it waits."""


STANDING: dict[str, dict[str, Any]] = {
    "string": {"hexdigits": "0123456789abcdefABCDEF"},
    "threading": {"local": _local, "_shutdown": _no_threads},
    "inspect": quick_inspect.MEMBERS,
    "typing_extensions": quick_typing.MEMBERS,
}
"""Modules of which somebody imports names, with these members."""

PASSED_ON = {
    "xdsl.dialects.utils": {
        "bit_enum_attribute": ("BitEnumAttribute",),
        "enum_attribute": ("EnumAttribute",),
        "fast_math": ("FastMathAttrBase", "FastMathFlag"),
        "format": (
            *("AbstractYieldOperation", "parse_assignment", "print_assignment"),
            *("parse_func_op_like", "print_func_op_like"),
        ),
    },
}
"""Packages that pass names on, which bring the module that has a name, and not all others."""

DIALECTS = tuple(
    f"xtriton.dialects.upstream.{name}" for name in ("affine", "cf", "tensor", "ub", "vector")
)
"""Dialects that passes import as a whole, for ops that few kernels have."""

LOADER = "xdsl.utils.dialect_loader"
"""What finds dialects that are written in IRDL, for names that no other finder knows."""

REWRITER = "xdsl.pattern_rewriter"

ANNOTATED = frozenset(
    ("xdsl.interfaces", *(f"xdsl.dialects.{name}" for name in ("arith", "scf", "cf", "memref")))
)
"""Modules that have nothing of `REWRITER` but annotations."""


class _Waiting(ModuleType):
    """A module that is found, and whose body runs, when a member is first asked for."""

    def __getattr__(self, name: str) -> Any:
        if name == "__path__":
            # A package would have it; whoever imports a name from a module looks for it.
            raise AttributeError(name)
        with LOADING:
            if type(self) is not ModuleType:
                _load(self)
        return getattr(self, name)


def _load(module: _Waiting) -> None:
    from importlib.util import module_from_spec

    spec = _found(module.__name__)
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError(f"No module named {module.__name__!r}", name=module.__name__)
    vars(module).update(vars(module_from_spec(spec)))
    _become(module, ModuleType)
    spec.loader.exec_module(module)


def _found(name: str) -> ModuleSpec | None:
    """Do what `importlib.util.find_spec` does for a module that is not in `sys.modules`."""
    parent = name.rpartition(".")[0]
    path = import_module(parent).__path__ if parent else None
    for finder in sys.meta_path:
        if (spec := finder.find_spec(name, path)) is not None:
            return spec
    return None


class _Passing(_Waiting):
    """A package that imports what a name is asked from."""

    def __getattr__(self, name: str) -> Any:
        for home, names in PASSED_ON[self.__name__].items():
            if name in names:
                return getattr(import_module(f"{self.__name__}.{home}"), name)
        return super().__getattr__(name)


class _Annotating(_Waiting):
    """The rewriter of xDSL, which its dialects import to annotate methods that no reader calls."""

    def __getattr__(self, name: str) -> Any:
        importer = sys._getframe(1).f_globals.get("__name__", "")
        if name == "RewritePattern" and importer in ANNOTATED:
            return _Pattern
        return super().__getattr__(name)


class _Pattern:
    """Stands for `RewritePattern` in annotations."""


class _LateFinder:
    """Stands for the finder of `LOADER`, which brings a writer of Python."""

    def __init__(self, dialects: Any) -> None:
        self._dialects = dialects

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        folders = [os.getcwd()] if path is None else path
        file = f"{name.rpartition('.')[2]}.irdl"
        if self not in sys.meta_path or (
            name not in sys.modules
            and not any(os.path.isfile(os.path.join(folder, file)) for folder in folders)
        ):
            # Modules are looked for in vain while others are half imported.
            return None
        place = sys.meta_path.index(self)
        del sys.meta_path[place]
        loader: Any = import_module(LOADER)
        _ = loader.IRDLDialectLoader  # loads it
        finder = loader.IRDLDialectFinder(self._dialects)
        sys.meta_path.insert(place, finder)
        return finder.find_spec(name, path, target)


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
        if name not in sys.modules:
            _wait(_Waiting(name), STANDING.get(name, {}))


def load_xdsl_late() -> None:
    """
    Let modules of xDSL wait.

    Its rewriter, its builder and its folder wait for whoever rewrites something, its finder of
    dialects for a module that nothing else finds, and dialects until an op of theirs is asked for.
    """
    if LOADER not in sys.modules:
        _wait(_Waiting(LOADER), {"IRDLDialectFinder": _LateFinder})
    if REWRITER not in sys.modules:
        _wait(_Annotating(REWRITER), {})
    for name in DIALECTS:
        if name not in sys.modules:
            _wait(_Waiting(name), {})
    for name in PASSED_ON:
        if name not in sys.modules:
            parent, _, child = name.rpartition(".")
            folders = import_module(parent).__path__
            paths = [os.path.join(folder, child) for folder in folders]
            _wait(_Passing(name), {"__path__": paths, "__package__": name})


def _wait(module: _Waiting, members: dict[str, Any]) -> None:
    vars(module).update(members)
    sys.modules[module.__name__] = module
    parent, _, child = module.__name__.rpartition(".")
    if parent:
        setattr(import_module(parent), child, module)
