"""
Options of passes: the typed fields of a dataclass, from the text that users write.

A field `num_stages: int = 3` is the option `num-stages=3`. Upstream's spelling wins where
it is not kebab case: `field(default=80, metadata={"option": "computeCapability"})`.
Supported types: `int`, `float`, `bool`, `str`, `Literal[...]`, enums, `tuple[T, ...]` of
these (comma-separated) and each of them `| None`.

Texts mean what they mean to MLIR: of an option given twice the last value counts, a list
takes the elements of both; a flag without a value, or with an empty one, is set; integers
are read as C writes them.
"""

from __future__ import annotations

import dataclasses
import re
import types
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints

from xtriton.errors import UserError
from xtriton.passes.pipeline import OptionTexts, PassSpec
from xtriton.universe import suggestion

if TYPE_CHECKING:
    from xdsl.passes import ModulePass

_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}

_INTEGER = re.compile(r"-?(0x[0-9a-f]+|0b[01]+|0o?[0-7]+|0|[1-9][0-9]*)", re.ASCII | re.IGNORECASE)
_LEADING_ZERO = re.compile(r"(?<![0-9a-zA-Z])0(?=[0-9])")

_LIMIT = 1 << 63
"""Integers that upstream reads have 64 bits at most."""


@dataclasses.dataclass(frozen=True)
class Option:
    """An option of a pass: its name for users, its field, its type and default."""

    name: str
    field: str
    type: Any
    default: Any
    """The default value, or `dataclasses.MISSING` where the option must be given."""

    @property
    def help(self) -> str:
        """Return `name=type`, with the default where there is one."""
        text = f"{self.name}={_type_text(self.type)}"
        if self.default is dataclasses.MISSING:
            return text
        return f"{text} (default {_value_text(self.default) or 'empty'})"


def pass_options(cls: type[ModulePass]) -> list[Option]:
    """Return the options of a pass, in the order of its fields."""
    hints = get_type_hints(cls)
    return [
        Option(
            field.metadata.get("option", field.name.replace("_", "-")),
            field.name,
            hints[field.name],
            _default(field),
        )
        for field in dataclasses.fields(cls)
        if field.init
    ]


def make_pass(cls: type[ModulePass], options: OptionTexts) -> ModulePass:
    """
    Return the pass `cls` with the options that `options` gives as text.

    Raises `UserError` for an unknown option, a value that its type does not admit, a value
    that is missing and an option that is.
    """
    known = pass_options(cls)
    by_key = {_key(option.name): option for option in known}
    values: dict[str, Any] = {}
    for name, text in options:
        option = by_key.get(_key(name))
        if option is None:
            near = suggestion(name, [o.name for o in known])
            raise UserError(f"pass '{cls.name}' has no option '{name}'{near}")
        value = _value(cls, option, text)
        if isinstance(value, tuple) and option.field in values:
            value = values[option.field] + value
        values[option.field] = value
    for option in known:
        if option.default is dataclasses.MISSING and option.field not in values:
            raise UserError(f"pass '{cls.name}' needs the option '{option.name}'")
    return cls(**values)


def pass_spec(instance: ModulePass) -> PassSpec:
    """Return name and options, as far as they differ from the defaults, of a pass."""
    values = [(o, getattr(instance, o.field)) for o in pass_options(type(instance))]
    changed = [(o.name, _value_text(value)) for o, value in values if value != o.default]
    return PassSpec(instance.name, tuple(changed))


def _key(name: str) -> str:
    """Spellings of one option: `num-warps`, `num_warps` and `numWarps` are the same."""
    return name.replace("-", "").replace("_", "").lower()


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


def _value(cls: type[ModulePass], option: Option, text: str | None) -> Any:
    """Return what `text` says, None being a name without a value; raise `UserError`."""
    if text is None and not _is_flag(option.type):
        raise UserError(f"option '{option.name}' of pass '{cls.name}' needs a value")
    try:
        return _convert(text or "", option.type)
    except ValueError as e:
        raise UserError(
            f"option '{option.name}' of pass '{cls.name}' cannot be '{text}': {e}"
        ) from None


def _is_flag(wanted: Any) -> bool:
    return wanted is bool or bool in get_args(wanted)


def _convert(text: str, wanted: Any) -> Any:
    origin, arguments = get_origin(wanted), get_args(wanted)
    if origin in (Union, types.UnionType):
        return _convert_union(text, arguments)
    if origin is tuple:
        parts = text.split(",") if text else ()
        return tuple(_convert(part.strip(), arguments[0]) for part in parts)
    if origin is Literal:
        return _choose(text, {str(choice): choice for choice in arguments})
    if wanted is bool:
        return _choose(text.lower() or "true", _BOOLEANS)
    if wanted is int:
        return _integer(text)
    if wanted is float:
        return _float(text)
    if isinstance(wanted, type) and issubclass(wanted, Enum):
        return _choose(text, {str(member.value): member for member in wanted})
    return text


def _convert_union(text: str, members: tuple[Any, ...]) -> Any:
    reasons: list[str] = []
    for member in members:
        if member is types.NoneType:
            continue
        try:
            return _convert(text, member)
        except ValueError as e:
            reasons.append(str(e))
    raise ValueError("; ".join(reasons))


def _integer(text: str) -> int:
    if _INTEGER.fullmatch(text) is None:
        raise ValueError("expected an integer")
    # C's octal numbers have no letter.
    value = int(_LEADING_ZERO.sub("0o", text), 0)
    if not -_LIMIT <= value < _LIMIT:
        raise ValueError("expected an integer of 64 bits")
    return value


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError("expected a number") from None


def _choose(text: str, choices: dict[str, Any]) -> Any:
    if text not in choices:
        raise ValueError("expected one of " + ", ".join(choices))
    return choices[text]


def _value_text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ",".join(_value_text(part) for part in value)  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, Enum):
        return str(value.value)
    return "" if value is None else str(value)


def _type_text(wanted: Any) -> str:
    origin, arguments = get_origin(wanted), get_args(wanted)
    if origin in (Union, types.UnionType):
        return "|".join(_type_text(a) for a in arguments if a is not types.NoneType)
    if origin is tuple:
        return f"{_type_text(arguments[0])},..."
    if origin is Literal:
        return "|".join(map(str, arguments))
    if isinstance(wanted, type) and issubclass(wanted, Enum):
        return "|".join(str(member.value) for member in wanted)
    return wanted.__name__ if isinstance(wanted, type) else str(wanted)
