"""
Names of modules that are bound when they are first used.

A dialect's module defines a class for each op, and a run uses a few of them. A tool imports such
modules in a form in which these definitions wait (`tools/late_code.py`), and which says so here;
anywhere else a module defines all that it has, and nothing waits. What changes an op of such a
module names it by `LateOps`, as the name of its class would define it.
"""

from __future__ import annotations

import marshal
import sys
from _thread import RLock  # as `threading` has it, which a start can do without
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any, Self

Late = bytes | str
"""What binds a name: code, or the module that has something of this name."""

LOADING = RLock()
"""Held while a name, or a module, becomes what it stands for."""

_waiting: dict[str, dict[str, Late]] = {}
_ops: dict[str, Mapping[str, str]] = {}
_changes: dict[LateOp, list[Callable[[Any], None]]] = {}


def late_names(
    module: str, names: dict[str, Late], ops: Mapping[str, str]
) -> tuple[ModuleType, Callable[[str], Any]]:
    """
    Let names of a module wait; `ops` says what the ops among them are called in IR.

    Returns the module and its `__getattr__`, which binds a name.
    """
    _waiting[module] = names
    _ops[module] = ops

    def __getattr__(name: str) -> Any:
        with LOADING:
            if name in names:
                _bind(module, name, names[name])
            members = vars(sys.modules[module])
            if name in members:
                return members[name]
        raise AttributeError(f"module {module!r} has no attribute {name!r}")

    return sys.modules[module], __getattr__


def _bind(module: str, name: str, late: Late) -> None:
    members = vars(sys.modules[module])
    if isinstance(late, bytes):
        exec(marshal.loads(late), members)
    else:
        members[name] = getattr(import_module(late), name)
    _waiting[module].pop(name, None)
    for change in _changes.pop(LateOp(module, name), ()):
        change(members[name])


def late_ops(module: str) -> Mapping[str, str]:
    """Return the ops that a module has, or had, waiting: the names of classes by those in IR."""
    return _ops.get(module, {})


class LateOp(tuple[str, str]):
    """Stands for the class of an op that waits: the module, and what the class is called there."""

    __slots__ = ()

    def __new__(cls, module: str, name: str) -> Self:
        return super().__new__(cls, (module, name))

    def when_bound(self, change: Callable[[Any], None]) -> None:
        """Do what changes the class: now, or right after it is bound."""
        module, name = self
        with LOADING:
            if name in _waiting.get(module, ()):
                _changes.setdefault(self, []).append(change)
                return
        change(getattr(sys.modules[module], name))


class LateOps:
    """The ops of a module by the names of their classes, none of which is bound for that."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module.__name__

    def __getattr__(self, name: str) -> LateOp:
        return LateOp(self._module, name)
