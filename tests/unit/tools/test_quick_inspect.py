"""What stands for `inspect` while a tool starts gives what `inspect` gives."""

import functools
import inspect
from typing import Any, ClassVar

import pytest
from xdsl.dialects import arith, builtin

from xtriton.tools import quick_inspect

CLASSES = [*builtin.Builtin.attributes, *arith.Arith.attributes, *arith.Arith.operations]


def test_annotations_of_classes_are_the_same():
    compared = 0
    for cls in CLASSES:
        quick = quick_inspect.get_annotations(cls, eval_str=True)
        whole = inspect.get_annotations(cls, eval_str=True)
        assert list(quick) == list(whole)
        for name, value in whole.items():
            if not str(quick[name]).startswith("ClassVar"):
                assert quick[name] == value
                compared += 1
    assert compared > 30


class Shadowed:
    int = str
    one: "int"
    two: "list[int]"
    three: "ClassVar[int]"
    four: float


def test_a_class_shadows_names_of_its_module():
    found = quick_inspect.get_annotations(Shadowed, eval_str=True)
    assert found == {"one": str, "two": list[str], "three": "ClassVar[int]", "four": float}


def function(a: int, /, b: str = "", *rest: int, c: int = 1, **named: int) -> int:
    return a


async def coroutine() -> None: ...


OBJECTS: list[Any] = [
    *(function, coroutine, functools.partial(coroutine), functools.cache(function), print),
    *(int, inspect, "text", Shadowed.__init__, "".join, CLASSES[0].mro),
]


@pytest.mark.parametrize("name", ["isclass", "ismethod", "iscoroutinefunction"])
def test_what_an_object_is(name: str):
    for found in OBJECTS:
        assert quick_inspect.MEMBERS[name](found) == getattr(inspect, name)(found)


def test_what_is_wrapped_is_found():
    def stop(found: object) -> bool:
        return found is wrapped

    wrapped = functools.wraps(function)(lambda: None)
    outer: Any = functools.wraps(wrapped)(lambda: None)
    for found in (*OBJECTS, wrapped, outer):
        assert quick_inspect.unwrap(found) is inspect.unwrap(found)
    assert quick_inspect.unwrap(outer, stop=stop) is wrapped


def test_signatures_have_the_names():
    for found in (function, coroutine, functools.partial(function, 1), functools.cache(function)):
        names = quick_inspect.signature(found).parameters
        assert set(names) == set(inspect.signature(found).parameters)
    assert quick_inspect.signature(function, eval_str=True) == inspect.signature(function)
    for found in (function, coroutine):
        assert quick_inspect.getfullargspec(found).args == inspect.getfullargspec(found).args
    wrapped = functools.wraps(function)(lambda: None)
    assert quick_inspect.getfullargspec(wrapped) == inspect.getfullargspec(wrapped)
    assert quick_inspect.get_annotations(function) == inspect.get_annotations(function)
