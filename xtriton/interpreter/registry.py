"""
The table of rules: what every op means, by its name.

A rule is called once, when its op is compiled, with the op and the function it is in. It
returns a function from operand values to the result, to a sequence of results if there are
several, or None if the op does nothing at run time. The modules of `rules/` fill the table.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xtriton.interpreter.machine import CompiledBlock, Env, Function, Step

    Rule = Callable[[Operation, Function], Callable[..., Any] | None]
    Control = Callable[[Operation, Function], Step | None]
    Branch = Callable[[Operation, Function, Env], CompiledBlock | list[Any]]

RULES: dict[str, Rule] = {}
"""Rules of ops that are functions of their operands and the machine."""

CONTROL: dict[str, Control] = {}
"""Rules of ops that run regions or call functions; they give a step on the environment."""

BRANCHES: dict[str, Branch] = {}
"""Rules of terminators with successors: the next block, or the results if programs parted."""

COMBINED: dict[str, Callable[[int], int]] = {}
"""Of ops that combine elements along an axis of some length: how often their regions run."""

TERMINATORS: set[str] = set()
"""Ops that end a block and hand their operands to whoever ran it."""

MODULES = (
    "arith",
    "scf",
    "tt_shape",
    "tt_memory",
    "tt_atomic",
    "tt_math",
    "tt_misc",
    "ttg",
    "ttng",
    "ttig",
    "tts",
    "tensor",
    "linalg",
    "linalg_generic",
    "memref",
    "memref_atomic",
    "bufferization",
    "affine",
    "vector",
    "misc",
)

_loaded = False


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Register the rule of the ops with these names."""

    def register(function: Rule) -> Rule:
        for name in names:
            RULES[name] = function
        return function

    return register


def control(*names: str) -> Callable[[Control], Control]:
    """Register the rule of ops with regions."""

    def register(function: Control) -> Control:
        for name in names:
            CONTROL[name] = function
        return function

    return register


def branch(*names: str) -> Callable[[Branch], Branch]:
    """Register the rule of a terminator with successors."""

    def register(function: Branch) -> Branch:
        for name in names:
            BRANCHES[name] = function
        TERMINATORS.update(names)
        return function

    return register


def terminators(*names: str) -> None:
    """Register ops that end a block."""
    TERMINATORS.update(names)


def load() -> None:
    """Import every module of rules, once."""
    global _loaded
    if _loaded:
        return
    _loaded = True
    for name in MODULES:
        import_module(f"xtriton.interpreter.rules.{name}")


def find(name: str) -> Rule | None:
    """Return the rule of the op called `name`, or None."""
    load()
    return RULES.get(name)


def known() -> frozenset[str]:
    """Return the names of all ops that the interpreter executes."""
    load()
    return frozenset({*RULES, *CONTROL, *TERMINATORS})
