"""What a dialect consists of, gathered from the module that names it all."""

from collections.abc import Mapping, Sequence

from xdsl.dialect_interfaces import DialectInterface
from xdsl.ir import Attribute, Dialect, Operation


def dialect_of(
    names: Mapping[str, object],
    dialect: str,
    base: Dialect | None = None,
    *,
    also: Sequence[type[Attribute]] = (),
    interfaces: Sequence[DialectInterface] = (),
) -> Dialect:
    """
    Return the dialect of the ops and attributes among `names`, a module's `globals()`.

    Those of `base`, which is xDSL's version of the dialect, come first. `also` has attributes
    whose names are those of another dialect.
    """
    # A dictionary keeps each once, in order.
    ops = dict.fromkeys(base.operations if base is not None else ())
    attributes = dict.fromkeys(base.attributes if base is not None else ())
    for member in names.values():
        # Classes that others are derived from have no name of their own.
        if not isinstance(member, type) or not _is_of(dialect, getattr(member, "name", None)):
            continue
        if issubclass(member, Operation):
            ops[member] = None
        elif issubclass(member, Attribute):
            attributes[member] = None
    return Dialect(dialect, list(ops), [*attributes, *also], list(interfaces))


def _is_of(dialect: str, name: object) -> bool:
    return isinstance(name, str) and name.startswith(f"{dialect}.")
