"""Attributes are compared by all of their parameters, also by those that a base declares."""

from dataclasses import fields
from importlib import import_module

import pytest
from xdsl.ir import Attribute, Dialect, ParametrizedAttribute

from xtriton.universe import TRITON_DIALECTS


def _attributes() -> list[type[Attribute]]:
    found: list[type[Attribute]] = []
    for place in TRITON_DIALECTS.values():
        module, name = place.split(":")
        dialect = getattr(import_module(module), name)
        assert isinstance(dialect, Dialect)
        found += dialect.attributes
    return found


@pytest.mark.parametrize("attribute", _attributes())
def test_every_parameter_is_compared(attribute: type[Attribute]) -> None:
    assert issubclass(attribute, ParametrizedAttribute)
    compared = {field.name for field in fields(attribute) if field.compare}
    assert {name for name, _ in attribute.get_irdl_definition().parameters} <= compared
