"""
Parameters of layout attributes as text: what every encoding's parser and printer share.

Encodings are written as a dictionary in angle brackets, `<{vec = 1, order = [1, 0]}>`, in
any order of keys. Lists of integers are stored as `array<i32: ...>`, bases of a linear
layout as an array of those.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from xdsl.dialects.builtin import (
    ArrayAttr,
    BytesAttr,
    DenseArrayBase,
    IntAttr,
    IntegerAttr,
    IntegerType,
    i1,
    i32,
)
from xdsl.ir import Attribute
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.utils.tensors import is_array, is_integer_attr
from xtriton.errors import UserError
from xtriton.ir.versions import NEWEST, Version, version_text

Ints = DenseArrayBase[IntegerType]
"""A list of integers as a parameter."""

Bases = ArrayAttr[Ints]
"""The images of the powers of two of one input dimension, each a point."""

Parameters = dict[str, Attribute]


# --- Python values to parameters and back -----------------------------------------------


def ints(values: Iterable[int]) -> Ints:
    """Return `values` as a parameter."""
    return _ints(tuple(values))


# Layouts of one module are few, and passes make and read each thousands of times.
@lru_cache(maxsize=4096)
def _ints(values: tuple[int, ...]) -> Ints:
    return DenseArrayBase(i32, BytesAttr(i32.pack(values)))


def values_of(parameter: Ints) -> tuple[int, ...]:
    """Return the integers of a parameter."""
    found: tuple[int, ...] | None = parameter.__dict__.get(_VALUES)
    if found is None:
        found = tuple(parameter.iter_values())
        object.__setattr__(parameter, _VALUES, found)
    return found


_VALUES = "_values"


def bases(points: Iterable[Iterable[int]]) -> Bases:
    """Return bases as a parameter."""
    return ArrayAttr([ints(point) for point in points])


def points_of(parameter: Bases) -> tuple[tuple[int, ...], ...]:
    """Return the points of bases."""
    return tuple(values_of(point) for point in parameter)


def flag(value: bool) -> IntAttr:
    """Return a truth value as a parameter."""
    return IntAttr(int(value))


# --- reading ----------------------------------------------------------------------------


def parse_dictionary(parser: AttrParser) -> Parameters:
    """Parse `<{key = value, ...}>`."""
    with parser.in_angle_brackets():
        return parse_braces(parser)


def parse_braces(parser: AttrParser) -> Parameters:
    """Parse `{key = value, ...}`."""
    parameters = parser.parse_optional_dictionary_attr_dict()
    return parameters


def reject_unknown_keys(parser: AttrParser, parameters: Parameters, known: Iterable[str]) -> None:
    """Raise a parse error for a key that is not in `known`."""
    for key in parameters:
        if key not in known:
            raise VerifyException(f"unexpected key: {key}")


def take_int(
    parser: AttrParser, parameters: Parameters, key: str, default: int | None = None
) -> IntAttr:
    """Return the integer under `key`."""
    value = parameters.get(key)
    if value is None:
        if default is None:
            raise VerifyException(f"expected '{key}'")
        return IntAttr(default)
    return IntAttr(_natural(parser, value, key))


def take_bool(
    parser: AttrParser, parameters: Parameters, key: str, default: bool | None = None
) -> IntAttr:
    """Return the truth value under `key`."""
    value = parameters.get(key)
    if value is None and default is not None:
        return flag(default)
    if not is_integer_attr(value) or value.type != i1:
        raise VerifyException(f"expected a bool type in {key}")
    return flag(value.value.data != 0)


def take_ints(
    parser: AttrParser, parameters: Parameters, key: str, default: Sequence[int] | None = None
) -> Ints:
    """Return the list of integers under `key`."""
    value = parameters.get(key)
    if value is None:
        if default is None:
            raise VerifyException(f"expected '{key}'")
        return ints(default)
    return ints(int_list(parser, value, key))


def take_bases(parser: AttrParser, parameters: Parameters, key: str) -> Bases:
    """Return the bases under `key`, which must be there."""
    value = parameters.get(key)
    if value is None:
        raise VerifyException(f"Expected basis of '{key}' not found")
    if not is_array(value):
        raise VerifyException(f"Expected array of arrays for basis of '{key}'")
    points: list[list[int]] = []
    for point in value:
        if not is_array(point):
            raise VerifyException(f"Expected array of integers in basis for '{key}'")
        points.append(
            [_integer(parser, x, f"Expected integer in basis for '{key}'") for x in point]
        )
    return bases(points)


def int_list(parser: AttrParser, value: Attribute, what: str) -> list[int]:
    """Return the non-negative integers of an array attribute."""
    if not is_array(value):
        raise VerifyException(f"expected an array for {what}")
    return [_natural(parser, element, what) for element in value]


def _natural(parser: AttrParser, value: Attribute, what: str) -> int:
    number = _integer(parser, value, f"expected an integer type in {what}")
    if number < 0:
        raise VerifyException(f"expected an unsigned integer value in {what}")
    return number


def _integer(parser: AttrParser, value: Attribute, message: str) -> int:
    if not isinstance(value, IntegerAttr):
        raise VerifyException(message)
    return value.value.data


def read_only_in(parser: AttrParser, version: Version) -> None:
    """Tell the parser that only `version` writes what has just been read."""
    for note in ("seen_since", "seen_until"):
        if (seen := getattr(parser, note, None)) is not None:
            seen(version)


# --- writing ----------------------------------------------------------------------------


def version_of(printer: Printer) -> Version:
    """Return the release whose syntax `printer` writes."""
    return getattr(printer, "version", NEWEST)


def unsayable(what: str, version: Version) -> UserError:
    """Return the error for something that a release has no syntax for."""
    return UserError(f"{what} cannot be written in the syntax of Triton {version_text(version)}")


def int_text(values: Iterable[int]) -> str:
    """`[1, 0]`"""
    return f"[{', '.join(map(str, values))}]"


def bases_text(points: Iterable[Iterable[int]]) -> str:
    """`[[0, 1], [1, 0]]`"""
    return f"[{', '.join(map(int_text, points))}]"


def bool_text(value: bool) -> str:
    """`true` or `false`"""
    return "true" if value else "false"


# --- rules ------------------------------------------------------------------------------


def is_power_of_two(value: int) -> bool:
    """Whether `value` is 1, 2, 4, ..."""
    return value > 0 and value & (value - 1) == 0


def verify_order(order: Sequence[int]) -> None:
    """An order lists each dimension once, the fastest one first."""
    if sorted(order) != list(range(len(order))):
        raise VerifyException(
            f"order must be a permutation of 0..(rank-1), but was [{', '.join(map(str, order))}]"
        )


def is_permutation_of_units(points: Iterable[Sequence[int]]) -> bool:
    """
    Whether the points that are not zero are distinct powers of two along one dimension.

    So of all bases of a layout: its matrix, without zero columns, is then a permutation.
    """
    seen: set[tuple[int, int]] = set()
    for point in points:
        moved = [(dim, value) for dim, value in enumerate(point) if value]
        if not moved:
            continue
        if len(moved) > 1 or not is_power_of_two(moved[0][1]) or moved[0] in seen:
            return False
        seen.add(moved[0])
    return True
