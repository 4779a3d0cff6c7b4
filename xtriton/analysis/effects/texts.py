"""Texts of attributes, remembered."""

from xdsl.ir import Attribute, ParametrizedAttribute

from xtriton.errors import UserError

MOST = 10_000

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
        return str(type)
    except UserError:  # no release that we write has a word for it
        parts = type.parameters if isinstance(type, ParametrizedAttribute) else ()
        return f"!{type.name}<{', '.join(map(type_text, parts))}>"
