"""
Lists of which some entries are known and others are `index` values.

Upstream's `DynamicIndexList`: the attribute `static_x` holds the known entries and, in the
place of each value among the operands `x`, the marker `DYNAMIC_INDEX`.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from sys import byteorder

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IntegerType, i64
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.upstream.text import DynamicIndexList

IndexArray = DenseArrayBase[IntegerType]
"""The known entries of a list, `DYNAMIC_INDEX` in the place of each value."""

MixedList = Sequence[int | SSAValue | Operation]
"""What builders take: an integer or a value for each entry."""

I64Array = DenseArrayBase.constr(i64)
INDEX_LISTS = {"DynamicIndexList": DynamicIndexList()}


@lru_cache(maxsize=4096)
def dense(type: IntegerType, numbers: tuple[int, ...]) -> DenseArrayBase[IntegerType]:
    """Return an array of numbers; equal ones are one, since kernels have few."""
    return DenseArrayBase.from_list(type, numbers)


def split(entries: MixedList) -> tuple[IndexArray, list[SSAValue]]:
    """Return the static attribute and the dynamic operands that make up a list."""
    static: list[int] = []
    dynamic: list[SSAValue] = []
    for entry in entries:
        if isinstance(entry, int):
            static.append(entry)
        else:
            static.append(DYNAMIC_INDEX)
            dynamic.append(SSAValue.get(entry))
    return dense(i64, tuple(static)), dynamic


def mixed(static: IndexArray, dynamic: Sequence[SSAValue]) -> list[int | SSAValue]:
    """Return the entries of a list, each an integer or a value."""
    rest = iter(dynamic)
    return [next(rest) if entry == DYNAMIC_INDEX else entry for entry in integers(static)]


def integers(array: IndexArray) -> tuple[int, ...]:
    """Return the entries of an integer array; unlike `get_values` equal ones are unpacked once."""
    return _unpacked(array.data.data, array.elt_type.width.data // 8)


@lru_cache(maxsize=4096)
def _unpacked(data: bytes, size: int) -> tuple[int, ...]:
    places = range(0, len(data), size)
    return tuple(int.from_bytes(data[i : i + size], byteorder, signed=True) for i in places)


def verify_list(
    name: str, static: IndexArray, dynamic: Sequence[SSAValue], rank: int | None
) -> None:
    """Check that a list has `rank` entries (any number for None) and a value for each marker."""
    entries = integers(static)
    if rank is not None and len(entries) != rank:
        raise VerifyException(
            f"'{name}' must have an entry for each of the {rank} dimensions, but has {len(entries)}"
        )
    if entries.count(DYNAMIC_INDEX) != len(dynamic):
        raise VerifyException(
            f"'static_{name}' leaves {entries.count(DYNAMIC_INDEX)} entries to operand "
            f"'{name}', but there are {len(dynamic)} values"
        )


def verify_mask_dims(static: IndexArray, dynamic: Sequence[SSAValue], shape: Iterable[int]) -> None:
    """Check the sizes of a prefix mask: none at all, or one for each dimension within it."""
    entries = integers(static)
    sizes = tuple(shape)
    verify_list("mask_dims", static, dynamic, len(sizes) if entries else None)
    for dim, (entry, size) in enumerate(zip(entries, sizes, strict=False)):
        if entry != DYNAMIC_INDEX and not 0 <= entry <= size:
            raise VerifyException(
                f"'mask_dims' must be within the block: dimension {dim} has size {size}, "
                f"but the mask {entry}"
            )
