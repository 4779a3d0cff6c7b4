"""What stands for `typing_extensions` does what it does, as far as xDSL asks."""

import typing
from contextlib import nullcontext
from typing import Any, Generic, Sequence  # noqa: UP035

import pytest
import typing_extensions

from xtriton.tools.quick_typing import MEMBERS, Variable, quick_aliases

First: Any = MEMBERS["TypeVar"]("First")
Second: Any = MEMBERS["TypeVar"]("Second", bound=int, default=int, covariant=True)


generic: Any = Generic


class Pair(generic[First, Second]): ...


def test_every_member_is_one_of_the_module():
    for name in MEMBERS:
        assert hasattr(typing_extensions, name)


def test_a_variable_is_one_of_typing():
    assert isinstance(First, typing.TypeVar)
    assert isinstance(First, Variable)
    assert isinstance(First, typing_extensions.TypeVar)
    assert not isinstance(3, Variable)
    assert (Second.__bound__, Second.__covariant__, Second.__module__) == (int, True, __name__)
    assert (First.has_default(), Second.has_default(), Second.__default__) == (False, True, int)


def test_a_default_takes_the_place_of_an_argument():
    made: Any = Pair
    assert made[str] == made[str, int]
    assert made[str, bool].__args__ == (str, bool)
    with pytest.raises(TypeError):
        made[()]
    with pytest.raises(TypeError):
        made[str, int, int]


def test_what_is_marked_stays_what_it_is():
    def method() -> int:
        return 3

    assert MEMBERS["override"](method) is method
    assert MEMBERS["deprecated"]("use another")(method) is method


def test_a_sentinel_is_like_itself_alone():
    made = MEMBERS["Sentinel"]("gone")
    assert "gone" in repr(made)
    assert made == made != MEMBERS["Sentinel"]("gone")


def test_an_alias_of_a_generic_class_is_what_it_is_elsewhere():
    made: list[Any] = []
    pair: Any = Pair
    for context in (quick_aliases(), nullcontext()):
        with context:
            # Unions have no attributes since Python 3.14.
            aliases: list[Any] = [pair[int, bytes], Sequence[int], pair[str, bytes]]
            aliases[0].told = len(made)
            assert pair.told == len(made)
            aliases[0].__doc__ = "told"
            made.append([{**vars(alias), "shown": repr(alias)} for alias in aliases])
    assert made[0] == made[1]
    assert pair[int, bytes] == aliases[0]
