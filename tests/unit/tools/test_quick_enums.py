"""Enums made quickly are what `enum` makes."""

import enum
import sys
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, Self

import pytest

from xtriton.tools import quick_enums as module
from xtriton.tools.quick_enums import quick_enums

_vars: Any = vars


class Lower(str, enum.Enum):  # noqa: UP042
    """As xDSL's."""

    @staticmethod
    def _generate_next_value_(name: str, start: int, count: int, last_values: list[Any]) -> str:
        return name.lower()


def enums() -> list[type[enum.Enum]]:
    """Return enums of each kind that our tools and xDSL define, and of others."""

    class Color(enum.Enum):
        """Colors."""

        RED = 1
        GREEN = "g"
        CRIMSON = 1
        PAIR = (1, 2)
        EMPTY = None

        def shown(self) -> str:
            return self.name.title()

    class Number(enum.IntEnum):
        zero = 0
        one = 1
        none = 0
        truth = True
        real = 7  # pyright: ignore
        next = enum.auto()

        @property
        def half(self) -> float:
            return self / 2

        @classmethod
        def first(cls) -> "Number":
            return next(iter(cls))

        @classmethod
        def _missing_(cls, value: object) -> "Number | None":
            return cls.one if value == "one" else None

    class Word(Lower):
        HELLO = enum.auto()
        WORLD = enum.auto()
        OWN = "mine"

    class Told(enum.Enum):
        A = 1
        B = 2

        def __init__(self, value: int) -> None:
            self.doubled = 2 * value

    class Made(int, enum.Enum):
        def __new__(cls, value: int) -> Self:
            made = int.__new__(cls, value + 1)
            made._value_ = value
            return made

        X = 1
        Y = 2

    class Access(enum.Flag):
        READ = 1
        WRITE = 2
        BOTH = 3

    class Ordered(enum.Enum):
        _order_ = "B A"
        B = 2
        A = 1

    class Skipping(enum.Enum):
        _ignore_ = ["left"]
        left = 3
        right = 4

    return [Color, Number, Word, Told, Made, Access, Ordered, Skipping]


def behaviour(made: list[Any]) -> list[str]:
    found: list[Any] = []
    for cls in made:
        found += [sorted(_vars(cls)), str(cls.__members__), [*cls], cls.__doc__]
        found += [sorted(_vars(m).items(), key=str) for m in cls]
        found += [(repr(m), str(m), f"{m}", m.name, m.value, hash(m) == hash(m)) for m in cls]
        found += [cls(m.value) is m and cls[m.name] is m for m in cls]
        found += [list(cls._value2member_map_.items()), cls._member_names_]
    color, number, word, *_ = made
    found += [color.RED.shown(), color.CRIMSON, number.one.half, number.first(), number("one")]
    found += [number.one + 1, number.one == 1, word.HELLO == "hello", number.real]
    attempts: list[Callable[[], Any]] = [
        lambda: color(99),
        lambda: color["NONE"],
        lambda: setattr(color, "RED", 2),
        lambda: delattr(color, "RED"),
        lambda: type("Child", (color,), {}),
    ]
    for attempt in attempts:
        with pytest.raises((ValueError, KeyError, AttributeError, TypeError)) as error:
            attempt()
        found.append(str(error.value))
    return [repr(f) for f in found]


def test_behaviour_is_that_of_enums():
    with quick_enums():
        quick = enums()
    assert behaviour(quick) == behaviour(enums())


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="left to Python")
def test_plain_members_take_the_short_way(monkeypatch: pytest.MonkeyPatch):
    def refuse(*_: Any) -> None:
        raise AssertionError

    monkeypatch.setattr(module, "_careful_set_name", refuse)
    with quick_enums():
        assert enum.IntEnum("Plain", {"a": 1, "b": 2}).b == 2
        with pytest.raises((AssertionError, RuntimeError)):
            enum.Enum("Wild", {"a": (1,)})


@pytest.mark.parametrize("is_quick", [False, True])
def test_what_is_wrong_with_an_enum_is_told(is_quick: bool):
    with quick_enums() if is_quick else nullcontext():
        with pytest.raises(TypeError, match="already defined"):
            enum.Enum("Twice", [("A", 1), ("A", 2)])

        with pytest.raises(ValueError, match="reserved"):
            enum.Enum("Reserved", {"_mine_": 1})
