"""Classes made quickly behave as dataclasses do."""

import dataclasses
import sys
from collections.abc import Callable
from typing import Any

import pytest

from xtriton.tools.quick_classes import quick_classes


def classes() -> list[type[Any]]:
    """Return dataclasses of each kind that our tools and xDSL define."""

    @dataclasses.dataclass(frozen=True, order=True)
    class Point:
        """A point."""

        x: int
        y: float = 2.0

    @dataclasses.dataclass(frozen=True)
    class Named(Point):
        names: tuple[str, ...] = dataclasses.field(default=("a",), kw_only=True)

    @dataclasses.dataclass
    class Box:
        content: list[int] = dataclasses.field(default_factory=list[int])
        seal: int = dataclasses.field(init=False, default=3, compare=False)

        def __post_init__(self) -> None:
            self.seal += 1

    return [Point, Named, Box]


def behaviour(made: list[type[Any]]) -> list[Any]:
    point, named, box = made
    objects = [point(1), point(1, 3.0), named(1), named(1, names=("b",)), box(), box([1])]
    found: list[Any] = [repr(o) for o in objects]
    found += [a == b for a in objects for b in objects]
    found += [hash(o) == hash(o) for o in objects[:4]]
    found += [point(1) < point(2), point(3) >= point(2), named.__match_args__, box().seal]
    found += [dataclasses.replace(point(1), x=5), dataclasses.asdict(named(7))]
    found += [f.name for c in made for f in dataclasses.fields(c)]
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
        point, named, _ = classes()
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
