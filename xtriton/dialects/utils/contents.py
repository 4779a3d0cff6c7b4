"""What a dialect consists of, gathered from the module that names it all."""

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

from xdsl.dialect_interfaces import DialectInterface
from xdsl.ir import Attribute, Dialect, Operation

from xtriton.ir.contexts import LateDialect
from xtriton.late_names import late_ops


def dialect_of(
    names: Mapping[str, Any],
    dialect: str,
    base: Dialect | ModuleType | None = None,
    *,
    also: Sequence[type[Attribute]] = (),
    interfaces: Sequence[DialectInterface] = (),
) -> Dialect:
    """
    Return the dialect of the ops and attributes among `names`, a module's `globals()`.

    Those of `base`, which is xDSL's version of the dialect, come first. `also` has attributes
    whose names are those of another dialect. Where `base` is the module of xDSL's version, all
    that the dialect has is among `names`, and ops may wait there.
    """
    if isinstance(base, ModuleType):
        waiting = {**late_ops(base.__name__), **late_ops(names["__name__"])}
        if waiting:
            present = _members({**vars(base), **names}, dialect)
            return _late_dialect(names["__name__"], dialect, waiting, present, interfaces)
        base = next(value for value in vars(base).values() if isinstance(value, Dialect))
    # A dictionary keeps each once, in order.
    ops = dict.fromkeys(base.operations if base is not None else ())
    attributes = dict.fromkeys(base.attributes if base is not None else ())
    for member in _members(names, dialect).values():
        if issubclass(member, Operation):
            ops[member] = None
        elif issubclass(member, Attribute):
            attributes[member] = None
    return Dialect(dialect, list(ops), [*attributes, *also], list(interfaces))


def _members(names: Mapping[str, Any], dialect: str) -> dict[str, type]:
    """Return the classes that are called something in a dialect."""
    # Classes that others are derived from have no name of their own.
    return {
        name: member
        for name, member in names.items()
        if isinstance(member, type) and _is_of(dialect, getattr(member, "name", None))
    }


def _late_dialect(
    module: str,
    dialect: str,
    waiting: Mapping[str, str],
    present: Mapping[str, type],
    interfaces: Sequence[DialectInterface],
) -> Dialect:
    """Return the dialect of ops that wait, and of ops and attributes that do not."""
    package, _, home = module.rpartition(".")
    ops = {name: op for op, name in waiting.items()}
    ops |= {name: cls.name for name, cls in present.items() if issubclass(cls, Operation)}
    attributes = [name for name, cls in present.items() if issubclass(cls, Attribute)]
    members: dict[str, str | None] = {name: op.partition(".")[2] for name, op in ops.items()}
    members |= dict.fromkeys(attributes)
    return LateDialect(dialect, package, {home: members}, attributes, interfaces)


def _is_of(dialect: str, name: object) -> bool:
    return isinstance(name, str) and name.startswith(f"{dialect}.")
