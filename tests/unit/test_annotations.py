"""Annotations of a class are what its body says, in every release of Python."""

import sys
from typing import TYPE_CHECKING, Any

import pytest

from xtriton.annotations import own_annotations

if TYPE_CHECKING:
    from decimal import Decimal

TEXTS: dict[str, Any] = {}
exec("from __future__ import annotations\nclass Named:\n    one: Decimal", TEXTS)


class Base:
    one: int
    two: str = ""


class Derived(Base):
    three: bytes


class Bare(Base): ...


CLASSES: dict[type[Any], dict[str, Any]] = {
    Base: {"one": int, "two": str},
    Derived: {"three": bytes},
    Bare: {},
    object: {},
    TEXTS["Named"]: {"one": "Decimal"},
    type("Made", (Base,), {"__annotations__": {"four": int}}): {"four": int},
}


def test_they_are_those_of_the_body():
    for cls, annotations in CLASSES.items():
        assert own_annotations(cls) == annotations


@pytest.mark.skipif(sys.version_info < (3, 14), reason="annotations are made with the class")
def test_a_name_that_is_not_there_is_kept():
    class Late:
        one: "int"
        two: Decimal

    found = own_annotations(Late)
    assert (found["one"], found["two"].__forward_arg__) == ("int", "Decimal")
