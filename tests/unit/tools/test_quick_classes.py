"""Classes made quickly behave as dataclasses do."""

import dataclasses
import inspect
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, ClassVar

import pytest

from xtriton.tools.quick_classes import quick_classes


def classes() -> list[type[Any]]:
    """Return dataclasses of each kind that our tools and xDSL define."""

    @dataclasses.dataclass(frozen=True)
    class Point:
        """A point."""

        x: int
        y: float = 2.0

    @dataclasses.dataclass(frozen=True)
    class Named(Point):
        names: tuple[str, ...] = dataclasses.field(default=("a",), kw_only=True, hash=False)

    @dataclasses.dataclass
    class Box:
        content: list[int] = dataclasses.field(default_factory=list[int])
        seal: int = dataclasses.field(init=False, default=3, compare=False)

        def __post_init__(self) -> None:
            self.seal += 1

    @dataclasses.dataclass(order=True)
    class Ordered:
        x: int
        _: dataclasses.KW_ONLY
        key: Callable[[int], int] = dataclasses.field(default=abs, compare=False, repr=False)

    @dataclasses.dataclass(eq=False)
    class Counted(Ordered):
        count: ClassVar[int] = 0
        start: dataclasses.InitVar[int] = 5
        x: int

        def __post_init__(self, start: int) -> None:
            self.x += start

    @dataclasses.dataclass(frozen=True, repr=False, match_args=False)
    class Told(Named):
        def __eq__(self, other: object) -> bool:
            return self is other

        def __repr__(self) -> str:
            return f"<{self.x}>"

    return [Point, Named, Box, Ordered, Counted, Told]


def behaviour(made: list[type[Any]]) -> list[Any]:
    point, named, box, ordered, counted, told = made
    objects = [point(1), point(1, 3.0), named(1), named(1, names=("b",)), box(), box([1])]
    objects += [ordered(1), counted(1), told(1), type("Child", (point,), {})(1)]
    found: list[Any] = [repr(o) for o in objects]
    found += [a == b for a in objects for b in objects]
    found += [hash(o) for o in objects[:4]]
    found += [ordered(1) < ordered(2), ordered(3) >= ordered(2), counted(3, start=7).x, box().seal]
    found += [getattr(c, "__match_args__", None) for c in made]
    found += [(c.__doc__ or "").partition("(")[0] for c in made]
    found += [(c.__hash__ is None, c.__eq__.__qualname__, c.__repr__.__qualname__) for c in made]
    found += [sorted(name for name in vars(c) if name != "__annotations__") for c in made]
    found += [dataclasses.replace(point(1), x=5), dataclasses.asdict(named(7))]
    found += [f.name for c in made for f in dataclasses.fields(c)]
    found += [vars(c).get("content", vars(c).get("names", vars(c).get("y"))) for c in made]
    found += [dataclasses.is_dataclass(c) for c in (*made, int)]
    found += [(c.__init__.__annotations__, c.__init__.__defaults__) for c in made[:2]]
    found += [(c.__init__.__qualname__, c.__init__.__module__) for c in made]
    found += [str(inspect.signature(c.__init__)) for c in made]
    found += [(f.type, f.kw_only, f.init, f.default) for c in made for f in dataclasses.fields(c)]
    found += [c.__dataclass_params__ for c in made]
    attempts: list[Callable[[], Any]] = [
        lambda: setattr(point(1), "x", 2),
        lambda: delattr(named(1), "names"),
        lambda: hash(box()),
        lambda: point(),
        lambda: point(1, z=2),
        lambda: setattr(named(1), "new", 2),
    ]
    for attempt in attempts:
        with pytest.raises((dataclasses.FrozenInstanceError, TypeError)) as error:
            attempt()
        found.append(str(error.value))
    return [repr(f) for f in found]


def test_behaviour_is_that_of_dataclasses():
    with quick_classes():
        quick = classes()
    assert behaviour(quick) == behaviour(classes())
    assert behaviour(quick) == behaviour(quick)


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="one text of all methods")
def test_methods_are_compiled_when_they_are_called():
    with quick_classes():
        point, named, *_ = classes()
    compiled = {vars(point)["__init__"], vars(point)["__eq__"], vars(point)["__hash__"]}
    assert named(1) == named(1)
    assert hash(named(1)) == hash(named(1))
    assert vars(named)["__eq__"].__qualname__.endswith("Named.__eq__")
    assert vars(point)["__init__"] in compiled
    assert point(1) == point(1)
    assert vars(point)["__init__"] not in compiled
    assert vars(point)["__eq__"] not in compiled
    assert vars(point)["__hash__"] in compiled


def test_a_method_that_was_wrapped_stays_wrapped():
    with quick_classes():
        point = classes()[0]
    kept: Any = point.__hash__
    calls: list[Any] = []

    def wrapped(self: Any) -> int:
        calls.append(self)
        return kept(self)

    setattr(point, "__hash__", wrapped)  # noqa: B010
    assert hash(point(1)) == hash(point(1))
    assert len(calls) == 2
    assert vars(point)["__hash__"] is wrapped


@pytest.mark.parametrize("is_quick", [False, True])
def test_what_is_wrong_with_a_class_is_told_where_it_is(is_quick: bool):
    with quick_classes() if is_quick else nullcontext():
        point, *_ = classes()
        with pytest.raises(TypeError, match="non-frozen"):
            dataclasses.dataclass(type("Thawed", (point,), {}))
        with pytest.raises(TypeError, match="no type annotation"):
            dataclasses.dataclass(type("Bare", (), {"x": dataclasses.field()}))
        with pytest.raises(TypeError, match="Cannot overwrite attribute __setattr__"):
            dataclasses.dataclass(frozen=True)(type("Set", (), {"__setattr__": print}))


def test_a_default_that_changes_afterwards_is_not_the_fields():
    with quick_classes():
        _, named, box, *_ = classes()
        late = dataclasses.make_dataclass("Late", [("x", int, 3)])
    late.x = 4
    assert (late().x, late.x, dataclasses.fields(late)[0].default) == (3, 4, 3)
    assert not hasattr(box, "content")
    assert named.names == ("a",)
    assert abstract_is_met()


def abstract_is_met() -> bool:
    class Sized(ABC):
        @abstractmethod
        def __eq__(self, other: object) -> bool: ...

    with quick_classes():
        met = dataclasses.dataclass(type("Met", (Sized,), {}))
    return met() == met()
