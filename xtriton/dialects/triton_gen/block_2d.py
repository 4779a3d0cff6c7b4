"""
Accesses of two-dimensional blocks in memory.

Upstream: `TritonGENOps.td`, `TritonGENOps.cpp`.
"""

from typing import Any, ClassVar

from xdsl.dialects.builtin import (
    i32,
)
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.triton_gen import early_blocks
from xtriton.dialects.triton_gen.attributes import (
    LoadCacheControl,
    StoreCacheControl,
)
from xtriton.dialects.triton_gen.types import Pointer, constant_of
from xtriton.dialects.triton_gen.vectors import MatrixVector, bits_of, vector_of
from xtriton.dialects.tt.constraints import (
    BoolValue,
    EnumValue,
    I32Value,
    bit_width,
    i32_attr,
)
from xtriton.dialects.ttg.context import launch_context, module_of
from xtriton.dialects.ttg.parameters import is_power_of_two
from xtriton.dialects.ttig.effects import PrefetchEffects
from xtriton.dialects.utils.effects import OperandEffects
from xtriton.ir.syntax import Syntax
from xtriton.ir.versions import Version, release

_TILE = (
    "operands ` ` `{` `elem_size_in_bits` `=` $elem_size_in_bits `,` `tile_width` `=` "
    "$tile_width `,` `tile_height` `=` $tile_height `,` `v_blocks` `=` $v_blocks `,` "
)
_CACHE = "`cache_control` `=` $cache_control `}` attr-dict `:` "

_ELEMENT_SIZES = (8, 16, 32, 64)
_MAX_BITS_PER_ROW = 512
_TWO_ROWS_UNTIL: Version = (3, 7)
"""The last release that lets an access have twice the bits of a row."""
_WIDE_PREFETCH = "ttig.support_prefetch_256b"
"""The attribute of a module for a device that fetches 256 bytes of a row at once."""


def _verify_address(op: Any, element_bytes: int) -> None:
    width, height, pitch = map(constant_of, (op.base_width, op.base_height, op.base_pitch))
    if width is not None:
        if width > 1 << 24:
            raise VerifyException("2nd operand (base width) should be <= 24 bits")
        if width < 64:
            raise VerifyException("2nd operand (base width) should be >= 64")
        if width % max(4, element_bytes):
            raise VerifyException(
                "2nd operand (base width) should be aligned to MAX(4, element_size)"
            )
    if height is not None and height > 1 << 24:
        raise VerifyException("3rd operand (base height) should be <= 24 bits")
    if pitch is not None:
        if pitch > 1 << 24:
            raise VerifyException("4th operand (base pitch) should be <= 24 bits")
        if pitch < 64:
            raise VerifyException("4th operand (base pitch) should be >= 64")
        if pitch % 16:
            raise VerifyException("4th operand (base pitch) should be a multiple of 16 bytes")
    if width is not None and pitch is not None and pitch < width:
        raise VerifyException("4th operand (base pitch) should be >= 2nd operand (base width)")
    x = constant_of(op.x)
    if x is not None and element_bytes in (1, 2) and x % (4 // element_bytes):
        raise VerifyException(
            f"5th operand (x) should be a multiple of {4 // element_bytes} for "
            f"{8 * element_bytes} bit elements"
        )


def _verify_tile(op: Any, prefetch: bool = False) -> tuple[int, int, int, int]:
    """Check what the hardware asks of a tile; return element size, width, height, blocks."""
    size, width, height, blocks = (
        getattr(op, name).value.data
        for name in ("elem_size_in_bits", "tile_width", "tile_height", "v_blocks")
    )
    _verify_address(op, size // 8)
    if not all(map(is_power_of_two, (width, height, blocks))):
        raise VerifyException("expecting tile shape to be power of two")
    wide = prefetch and _WIDE_PREFETCH in module_of(op).attributes
    row = 4 * _MAX_BITS_PER_ROW if wide else _MAX_BITS_PER_ROW
    if width > row // 8:
        raise VerifyException(f"expecting tile_width to be between 1 and {row // 8}")
    if height > 32:
        raise VerifyException("expecting tile_height to be between 1 and 32")
    if blocks > 4:
        raise VerifyException("expecting v_blocks to be between 1 and 4")
    if size not in _ELEMENT_SIZES:
        raise VerifyException("expecting 'elem_size_in_bits' to be 8, 16, 32, or 64")
    most = row if release() > _TWO_ROWS_UNTIL else max(row, 2 * _MAX_BITS_PER_ROW)
    if size * width * blocks > most:
        raise VerifyException(f"expecting elem_size_in_bits * tile_width * v_blocks <= {most}")
    if not prefetch and size == 32 and blocks == 4:
        raise VerifyException("v_blocks for 32 bit elements should be 1 or 2")
    if not prefetch and size == 64 and blocks != 1:
        raise VerifyException("v_blocks for 64 bit elements should be 1")
    least, most = max(32 // size, 1), row // size
    if not least <= width <= most:
        raise VerifyException(f"expecting tile_width to be between {least} and {most}")
    return size, width, height, blocks


@irdl_op_definition
class Matrix2DBlockLoadOp(IRDLOperation):
    """
    Load a tile of a surface given by base, width and height in bytes, and pitch.

    `transpose` exchanges rows and columns, `vnni_transform` packs elements of neighbouring
    rows into 32 bits. Upstream `TritonGEN_Matrix2DBlockLoadOp`.

    ```mlir
    %v = triton_gen.2Dblockload %ptr, %w, %h, %pitch, %x, %y {elem_size_in_bits = 16, tile_width = 16, tile_height = 8, v_blocks = 1, transpose = false, vnni_transform = false, cache_control = Default} : (!llvm.ptr, i32, i32, i32, i32, i32) -> vector<8xi16>
    ```
    """

    name = "triton_gen.2Dblockload"
    VERIFY_EACH: ClassVar[bool] = True

    ptr = operand_def(Pointer)
    base_width = operand_def(i32)
    base_height = operand_def(i32)
    base_pitch = operand_def(i32)
    x = operand_def(i32)
    y = operand_def(i32)
    elem_size_in_bits = prop_def(I32Value)
    tile_width = prop_def(I32Value)
    tile_height = prop_def(I32Value)
    v_blocks = prop_def(I32Value)
    transpose = prop_def(BoolValue)
    vnni_transform = prop_def(BoolValue)
    cache_control = prop_def(
        EnumValue(LoadCacheControl), default_value=i32_attr(LoadCacheControl.Default)
    )
    res = result_def(MatrixVector)

    traits = traits_def(OperandEffects(read="ptr"))

    SYNTAX: ClassVar = Syntax(
        _TILE
        + "`transpose` `=` $transpose `,` `vnni_transform` `=` $vnni_transform `,` "
        + _CACHE
        + "functional-type(operands, results)"
    )
    ENUMS: ClassVar = {"cache_control": LoadCacheControl}

    def verify_(self) -> None:
        if release() <= early_blocks.LAST_RELEASE:
            early_blocks.verify_load(self)
            return
        size, width, height, blocks = _verify_tile(self)
        transpose = bool(self.transpose.value.data)
        vnni = bool(self.vnni_transform.value.data)
        threads = launch_context(self).threads_per_warp
        bits, expected = bits_of(self.res.type), size * width * height * blocks // (threads or 1)
        if threads is not None and bits != expected:
            raise VerifyException(
                f"result size of {bits} bits does not match the expected size of {expected} bits"
            )
        if transpose and vnni:
            raise VerifyException("transpose and vnni_transform are mutually exclusive")
        if transpose:
            _verify_transposed(size, width, height, blocks)
        if vnni:
            if size not in (8, 16):
                raise VerifyException("vnni_transform is only supported for 8 and 16 bit elements")
            if height < 32 // size:
                raise VerifyException(f"expecting tile_height to be between {32 // size} and 32")
        if (size == 32 or vnni) and bit_width(vector_of(self.res).element_type) != 32:
            raise VerifyException("expecting result element type to be 32 bits")


def _verify_transposed(size: int, width: int, height: int, blocks: int) -> None:
    if blocks != 1:
        raise VerifyException("expecting v_blocks to be 1")
    if size == 32:
        if width > 8:
            raise VerifyException("expecting tile_width to be between 1 and 8")
    elif size == 64:
        if height != 8:
            raise VerifyException("expecting tile_height to be 8 for 64 bit elements")
        if width not in (1, 2, 4):
            raise VerifyException("expecting tile_width to be 1, 2, or 4")
    else:
        raise VerifyException("transpose is only supported for 32 and 64 bit elements")


@irdl_op_definition
class Matrix2DBlockStoreOp(IRDLOperation):
    """
    Store a tile to a surface. Upstream `TritonGEN_Matrix2DBlockStoreOp`.

    ```mlir
    triton_gen.2Dblockstore %ptr, %w, %h, %pitch, %x, %y, %v {elem_size_in_bits = 16, tile_width = 16, tile_height = 8, v_blocks = 1, cache_control = Default} : (!llvm.ptr, i32, i32, i32, i32, i32, vector<8xi16>)
    ```
    """

    name = "triton_gen.2Dblockstore"
    VERIFY_EACH: ClassVar[bool] = True

    ptr = operand_def(Pointer)
    base_width = operand_def(i32)
    base_height = operand_def(i32)
    base_pitch = operand_def(i32)
    x = operand_def(i32)
    y = operand_def(i32)
    stored_val = operand_def(MatrixVector)
    elem_size_in_bits = prop_def(I32Value)
    tile_width = prop_def(I32Value)
    tile_height = prop_def(I32Value)
    v_blocks = prop_def(I32Value)
    cache_control = prop_def(
        EnumValue(StoreCacheControl), default_value=i32_attr(StoreCacheControl.Default)
    )

    traits = traits_def(OperandEffects(write="ptr"))

    SYNTAX: ClassVar = Syntax(_TILE + _CACHE + "`(` type(operands) `)`")
    ENUMS: ClassVar = {"cache_control": StoreCacheControl}

    def verify_(self) -> None:
        if release() <= early_blocks.LAST_RELEASE:
            early_blocks.verify_store(self)
            return
        _, _, height, blocks = _verify_tile(self)
        if height > 8:
            raise VerifyException("expecting tile_height to be between 1 and 8")
        if blocks != 1:
            raise VerifyException("expecting v_blocks to be 1")


@irdl_op_definition
class Matrix2DBlockPrefetchOp(IRDLOperation):
    """
    Fetch a tile of a surface into the cache. Upstream `TritonGEN_Matrix2DBlockPrefetchOp`.

    ```mlir
    triton_gen.2Dblockprefetch %ptr, %w, %h, %pitch, %x, %y {elem_size_in_bits = 16, tile_width = 16, tile_height = 8, v_blocks = 1, cache_control = L1C_L3C} : (!llvm.ptr, i32, i32, i32, i32, i32)
    ```
    """

    name = "triton_gen.2Dblockprefetch"
    VERIFY_EACH: ClassVar[bool] = True

    ptr = operand_def(Pointer)
    base_width = operand_def(i32)
    base_height = operand_def(i32)
    base_pitch = operand_def(i32)
    x = operand_def(i32)
    y = operand_def(i32)
    elem_size_in_bits = prop_def(I32Value)
    tile_width = prop_def(I32Value)
    tile_height = prop_def(I32Value)
    v_blocks = prop_def(I32Value)
    cache_control = prop_def(
        EnumValue(LoadCacheControl), default_value=i32_attr(LoadCacheControl.Default)
    )

    traits = traits_def(PrefetchEffects())

    SYNTAX: ClassVar = Syntax(_TILE + _CACHE + "`(` type(operands) `)`")
    ENUMS: ClassVar = {"cache_control": LoadCacheControl}

    def verify_(self) -> None:
        if release() <= early_blocks.LAST_RELEASE:
            early_blocks.verify_prefetch(self)
        else:
            _verify_tile(self, prefetch=True)
