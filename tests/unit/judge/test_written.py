"""What two runs wrote: bytes at offsets, as elements of a type."""

from typing import Any

import numpy as np
import pytest

from xtriton.judge.written import compare_bytes, varies
from xtriton.semantics import element

F32, I16 = element("f32"), element("i16")
Written = tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]


def written(*values: float, start: int = 0, dtype: Any = np.float32) -> Written:
    """Return offsets and bytes of an array stored from element `start` on."""
    data = np.array(values, dtype).view(np.uint8)
    size = np.dtype(dtype).itemsize
    return np.arange(start * size, start * size + data.size, dtype=np.int64), data


def difference(mine: Written | None, theirs: Written | None, **options: Any) -> Any:
    free = options.pop("free", mine)
    return compare_bytes(mine, free, theirs, options.pop("of", F32), options.pop("tolerance", 0.0))


def test_the_same_is_no_difference() -> None:
    assert difference(written(1, 2, 3), written(1, 2, 3)) is None
    assert difference(None, None) is None


def test_numbers_that_differ_are_named() -> None:
    offset, text = difference(written(1, 2, 3, 4), written(1, 2, 5, 6))
    assert offset == 8
    assert text == "original 3.0, rewritten 5.0 (2 of 4 elements differ)"


@pytest.mark.parametrize("pair", [(1.0, np.nan), (np.nan, 1.0)])
def test_nan_is_no_number(pair: tuple[float, float]) -> None:
    mine, theirs = written(0, pair[0]), written(0, pair[1])
    assert difference(mine, theirs) is not None
    assert difference(mine, theirs, tolerance=0.5) is not None


def test_any_nan_is_any_other() -> None:
    other = (written(0)[0], np.array([0x7FC00001], np.uint32).view(np.uint8))
    assert difference(written(np.nan), other) is None


def test_what_is_written_elsewhere_differs() -> None:
    offset, text = difference(written(1, 2), written(1, 2, 3))
    assert (offset, text) == (8, "written by the rewritten kernel only (4 bytes)")
    offset, text = difference(written(1, 2, 3), written(1, 2))
    assert (offset, text) == (8, "not written by the rewritten kernel (4 bytes)")


def test_what_depends_on_poison_is_free() -> None:
    """The original's run with other poison wrote other values, and in other places."""
    mine, free = written(1, 2, 3), written(1, 9)
    assert difference(mine, written(1, 7, 8), free=free) is None
    assert difference(mine, written(1, 7), free=free) is None
    assert difference(mine, written(4, 2, 3), free=free) is not None
    assert difference(written(1), written(1, 7), free=written(1, 9)) is None
    assert difference(written(1), written(1, 7, 7), free=written(1, 9)) is not None


def test_tolerance_is_relative_to_the_largest() -> None:
    mine, theirs = written(1000, 1), written(1000, 1.5)
    assert difference(mine, theirs, tolerance=1e-3) is None
    assert difference(mine, theirs, tolerance=1e-4) is not None
    assert difference(written(1, np.inf), written(1, 5), tolerance=1.0) is not None
    integers = (written(100, dtype=np.int16), written(101, dtype=np.int16))
    assert difference(*integers, of=I16, tolerance=0.5) is not None


def test_parts_of_elements_are_bytes() -> None:
    at = np.array([1, 2], np.int64)
    mine, theirs = (at, np.array([7, 8], np.uint8)), (at, np.array([7, 9], np.uint8))
    assert difference(mine, theirs) == (2, "byte 0x08, rewritten 0x09")


def test_values_vary() -> None:
    assert varies(written(1, 2)[1], F32)
    assert not varies(written(1, 1)[1], F32)
    assert not varies(written(np.inf, np.nan, 1)[1], F32)
    assert varies(np.array([1, 2, 1], np.uint8), F32)


def test_all_of_an_element_of_poison_is_free() -> None:
    """0.0 and 4.375 have two bytes in common, which do not make these bytes defined."""
    mine, free = written(1, 0), written(1, 4.375)
    assert difference(mine, written(1, 0.1), free=free) is None
    assert difference(mine, written(2, 0.1), free=free) is not None
