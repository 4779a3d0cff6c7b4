"""Dialects whose ops are imported one by one, and contexts that know such dialects."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

from xdsl.context import Context
from xdsl.dialect_interfaces import DialectInterface
from xdsl.ir import Attribute, Dialect, Operation

Homes = Mapping[str, Mapping[str, str | None]]
"""Modules of a package, what is defined there, and of ops what follows the dialect's name."""


def late_member(package: str, homes: Homes, name: str) -> Any:
    """Return what is called `name` in a package, which remembers it; raise `AttributeError`."""
    for home, names in homes.items():
        if name in names:
            value = getattr(import_module(f"{package}.{home}"), name)
            setattr(sys.modules[package], name, value)
            return value
    raise AttributeError(f"module '{package}' has no attribute '{name}'")


class LateDialect(Dialect):
    """
    A dialect of which an op is imported when it is asked for by its name.

    Classes of attributes are named in `attributes`; they are imported when the dialect is loaded.
    """

    def __init__(
        self,
        name: str,
        package: str,
        homes: Homes,
        attributes: Sequence[str],
        interfaces: Sequence[DialectInterface] = (),
    ):
        super().__init__(name, [], [], list(interfaces))
        self._package = package
        self._homes = homes
        self._late_attributes = attributes
        self._members = {
            f"{name}.{op}": member
            for members in homes.values()
            for member, op in members.items()
            if op is not None
        }

    @property
    def operations(self) -> Iterator[type[Operation]]:
        return map(self._class, self._members.values())

    @property
    def attributes(self) -> Iterator[type[Attribute]]:
        return map(self._class, self._late_attributes)

    def op(self, name: str) -> type[Operation] | None:
        """Return the op of this name, which begins with the dialect's; None if there is none."""
        member = self._members.get(name)
        return None if member is None else self._class(member)

    def _class(self, member: str) -> Any:
        return late_member(self._package, self._homes, member)


class LateContext(Context):
    """A context that loads an op of a `LateDialect` when it is first seen."""

    def clone(self) -> LateContext:
        copy = LateContext()
        vars(copy).update(vars(super().clone()))
        return copy

    @property
    def loaded_ops(self) -> Iterable[type[Operation]]:
        for dialect in self._loaded_dialects.values():
            if isinstance(dialect, LateDialect):
                for op in dialect.operations:
                    self._loaded_ops.setdefault(op.name, op)
        return self._loaded_ops.values()

    def load_registered_dialect(self, name: str) -> None:
        load = self._registered_dialects.get(name)
        dialect = None if load is None else load()
        if not isinstance(dialect, LateDialect):
            super().load_registered_dialect(name)
            return
        self._loaded_dialects[name] = dialect
        for attribute in dialect.attributes:
            self.load_attr_or_type(attribute)

    def _get_known_op(self, name: str) -> type[Operation] | None:
        known = super()._get_known_op(name)
        if known is None:
            dialect = self._loaded_dialects.get(name.partition(".")[0])
            if isinstance(dialect, LateDialect) and (known := dialect.op(name)) is not None:
                self._loaded_ops[name] = known
        return known
