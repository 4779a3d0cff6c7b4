"""
Remove private symbols that nothing refers to.

Before:

    func.func private @unused() { return }
    func.func private @used() { return }
    func.func @main() { call @used() : () -> () return }

After:

    func.func private @used() { return }
    func.func @main() { call @used() : () -> () return }
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass


@dataclass(frozen=True)
class SymbolDCEPass(ModulePass):
    """Remove private symbols that nothing refers to."""

    name = "symbol-dce"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        remove_dead_symbols(op)


def remove_dead_symbols(module: Operation) -> bool:
    """Remove unreferenced private symbols of `module`; return whether there were any."""
    symbols: dict[str, Operation] = {}
    pending: list[Operation] = []
    for op in module.regions[0].block.ops:
        name = symbol_name(op)
        if name is not None:
            symbols[name] = op
        if name is None or not is_private(op):
            pending.append(op)
    live = set(pending)
    if live.issuperset(symbols.values()):
        return False
    while pending:
        for name in referenced_symbols(pending.pop()):
            target = symbols.get(name)
            if target is not None and target not in live:
                live.add(target)
                pending.append(target)
    dead = [op for op in symbols.values() if op not in live]
    for op in dead:
        op.detach()
        op.erase()
    return bool(dead)


def symbol_name(op: Operation) -> str | None:
    """Return the name of the symbol that `op` defines, if it defines one."""
    name = op.get_attr_or_prop("sym_name")
    return name.data if isinstance(name, StringAttr) else None


def is_private(op: Operation) -> bool:
    """Return whether a symbol is not seen outside of its module."""
    visibility = op.get_attr_or_prop("sym_visibility")
    return isinstance(visibility, StringAttr) and visibility.data == "private"


_WITH_NAMES: tuple[type[Attribute], ...] = (SymbolRefAttr, ArrayAttr, DictionaryAttr)
"""Attributes that are names of symbols, or hold some."""


def referenced_symbols(root: Operation) -> set[str]:
    """Return the root names of all symbols to which `root` or an op inside refers."""
    return {
        name
        for op in root.walk()
        for attribute in (*op.properties.values(), *op.attributes.values())
        if isinstance(attribute, _WITH_NAMES)
        for name in _names_in(attribute)
    }


def _names_in(attribute: Attribute) -> Iterator[str]:
    match attribute:
        case SymbolRefAttr():
            yield attribute.root_reference.data
        case ArrayAttr():
            for element in attribute.data:
                yield from _names_in(element)
        case DictionaryAttr():
            for element in attribute.data.values():
                yield from _names_in(element)
        case _:
            return
