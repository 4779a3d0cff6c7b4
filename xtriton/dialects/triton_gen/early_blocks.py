"""
What releases up to 3.5 ask of 2D block accesses, before the rules followed the hardware's.

Upstream: `TritonGENOps.cpp` of October 2024 and May 2025.
"""

from typing import Any

from xdsl.dialects.builtin import VectorType
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.triton_gen.types import constant_of
from xtriton.dialects.tt.constraints import bit_width
from xtriton.ir.versions import Version

LAST_RELEASE: Version = (3, 5)
"""The last release with these rules."""

_SUB_GROUP_SIZE = 16
_FEW = (1, 2, 4)


def verify_load(op: Any) -> None:
    """Check a 2D block load."""
    size, width, height, blocks = _tile(op)
    type: VectorType = op.res.type
    bits = bit_width(type.element_type)
    total = bits
    for extent in type.get_shape():
        total *= extent
    expected = size * height * width * blocks // _SUB_GROUP_SIZE
    if total != expected:
        raise VerifyException(
            f"result size of {total} bits does not match the expected size of {expected} bits"
        )
    transpose, vnni = bool(op.transpose.value.data), bool(op.vnni_transform.value.data)
    if transpose and vnni:
        raise VerifyException("transpose and vnni_transform are mutually exclusive")
    if transpose:
        _verify_transposed(size, width, height, blocks)
    elif vnni:
        _verify_vnni(size, width, height, blocks)
    else:
        _within("tile_height", height, 1, 32)
        _verify_plain(size, width, blocks)
    _verify_surface(op)
    if (size == 32 or vnni) and bits != 32:
        raise VerifyException("expecting result element type to be 32 bits")
    if vnni and width != _SUB_GROUP_SIZE:
        raise VerifyException(
            "tile_width when vnni_transform is true should be equal to subgroup size (16 elements)"
        )


def verify_store(op: Any) -> None:
    """Check a 2D block store."""
    size, width, height, blocks = _tile(op)
    _within("tile_height", height, 1, 8)
    _verify_width(size, width)
    _among("v_blocks", blocks, (1,))
    _verify_surface(op)
    _verify_sub_group_width(size, width, (16,))


def verify_prefetch(op: Any) -> None:
    """Check a 2D block prefetch."""
    size, width, _, _ = _tile(op)
    _verify_surface(op)
    _verify_sub_group_width(size, width, (8, 16))


def _tile(op: Any) -> tuple[int, int, int, int]:
    names = ("elem_size_in_bits", "tile_width", "tile_height", "v_blocks")
    size, width, height, blocks = (getattr(op, name).value.data for name in names)
    return size, width, height, blocks


def _within(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise VerifyException(f"expecting {name} to be between {least} and {most}")


def _among(name: str, value: int, allowed: tuple[int, ...]) -> None:
    if value not in allowed:
        *first, last = map(str, allowed)
        comma = "," if len(first) > 1 else ""
        listed = f"{', '.join(first)}{comma} or {last}" if first else last
        raise VerifyException(f"expecting {name} to be {listed}")


def _verify_width(size: int, width: int) -> None:
    """Check that a row is between 4 (8 for 64-bit elements) and 64 bytes."""
    if size not in (8, 16, 32, 64):
        raise VerifyException("expecting elem_size_in_bits to be 8, 16, 32, or 64")
    _within("tile_width", width, max(32 // size, 1), 512 // size)


def _verify_plain(size: int, width: int, blocks: int) -> None:
    _verify_width(size, width)
    if size == 64:
        _among("v_blocks", blocks, (1,))
        return
    _among("v_blocks", blocks, (1, 2) if size == 32 else _FEW)
    _verify_row(size, width, blocks)


def _verify_row(size: int, width: int, blocks: int) -> None:
    if width * blocks > 512 // size:
        raise VerifyException(
            f"tile_width * v_blocks should be less than or equal to {512 // size} "
            f"for {size} bit elements"
        )


def _verify_transposed(size: int, width: int, height: int, blocks: int) -> None:
    _among("v_blocks", blocks, (1,))
    if size == 32:
        _within("tile_height", height, 1, 32)
        _within("tile_width", width, 1, 8)
    elif size == 64:
        if height != 8:
            raise VerifyException("expecting tile_height to be 8 for 64 bit elements")
        _among("tile_width", width, _FEW)
    else:
        raise VerifyException("transpose is only supported for 32 and 64 bit elements")


def _verify_vnni(size: int, width: int, height: int, blocks: int) -> None:
    _among("v_blocks", blocks, _FEW)
    if size not in (8, 16):
        raise VerifyException("vnni_transform is only supported for 8 and 16 bit elements")
    _within("tile_height", height, 32 // size, 32)
    _within("tile_width", width, 32 // size, 16)
    if size == 16:
        _verify_row(size, width, blocks)


def _verify_surface(op: Any) -> None:
    """Check what all three accesses share."""
    width, pitch = map(constant_of, (op.base_width, op.base_pitch))
    if width is not None and pitch is not None and pitch < width:
        raise VerifyException("4th operand (base pitch) should be >= 2nd operand (base width)")
    size, _, height, blocks = _tile(op)
    if size not in (8, 16, 32):
        raise VerifyException("expecting 'elem_size_in_bits' to be 8, 16, or 32")
    _among("tile_height", height, (1, 2, 4, 8, 16, 32))
    _among("v_blocks", blocks, (1, 2, 4, 8))


def _verify_sub_group_width(size: int, width: int, words: tuple[int, ...]) -> None:
    """Check that a row is what a sub-group accesses at once."""
    allowed = {8: (16, 32), 16: (16,), 32: words}[size]
    if width not in allowed:
        raise VerifyException(
            f"tile_width for {size} bit elements should be equal to "
            + " or ".join(map(str, allowed))
        )
