"""Texts of attributes, remembered."""

from collections.abc import Iterable
from hashlib import sha256
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr
from xdsl.ir import Attribute, ParametrizedAttribute

from xtriton.errors import UserError
from xtriton.ir.writing.printer import short_attribute_string

MOST = 10_000
LONGEST = 1 << 14
"""Characters; of a longer text its hash is told, which tells attributes apart as well."""

_by_identity: dict[int, tuple[Attribute, str]] = {}
_by_value: dict[Attribute, str] = {}


def type_text(type: Attribute) -> str:
    """Return a type or attribute as MLIR writes it."""
    found = _by_identity.get(id(type))
    if found is not None and found[0] is type:
        return found[1]
    if len(_by_identity) > MOST:
        _by_identity.clear()
        _by_value.clear()
    text = _by_value.get(type)
    if text is None:
        text = _by_value[type] = _written(type)
    _by_identity[id(type)] = type, text
    return text


def _written(type: Attribute) -> str:
    try:
        text = short_attribute_string(type)
        if text is not None:
            return text
    except UserError:  # no release that we write has a word for it
        pass
    text = f"!{type.name}<{', '.join(_parts(type))}>"
    return text if len(text) <= LONGEST else f"!{type.name}<{sha256(text.encode()).hexdigest()}>"


def _parts(type: Attribute) -> Iterable[str]:
    if isinstance(type, ParametrizedAttribute):
        return map(type_text, type.parameters)
    if isinstance(type, ArrayAttr):
        return map(type_text, cast(ArrayAttr[Attribute], type).data)
    if isinstance(type, DictionaryAttr):
        return (f"{name!r} = {type_text(value)}" for name, value in type.data.items())
    return (repr(getattr(type, "data", None)),)
