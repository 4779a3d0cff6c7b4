"""
Matrix instructions and 2D block accesses of Intel GPUs.

Upstream: `TritonGENOps.td`, `TritonGENOps.cpp`.
"""

from typing import Any, ClassVar

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    IntegerType,
    VectorType,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.triton_gen import early_blocks
from xtriton.dialects.triton_gen.attributes import (
    LoadCacheControl,
    PrecisionType,
    StoreCacheControl,
)
from xtriton.dialects.triton_gen.types import Pointer, PointerEffects, constant_of
from xtriton.dialects.tt.constraints import (
    BoolValue,
    EnumValue,
    I32Value,
    TypeClass,
    bit_width,
    i32_attr,
)
from xtriton.dialects.ttg.context import launch_context, module_of
from xtriton.dialects.ttg.parameters import is_power_of_two
from xtriton.dialects.ttig.effects import PrefetchEffects
from xtriton.dialects.utils.tensors import is_vector
from xtriton.ir.syntax import Syntax
from xtriton.ir.versions import Version, release

_MATRIX_ELEMENTS = (IntegerType, Float32Type, Float16Type, BFloat16Type)

MatrixVector = TypeClass(
    "vector of integers or floats",
    lambda t: is_vector(t) and isinstance(t.element_type, _MATRIX_ELEMENTS),
)
Scale = TypeClass(
    "i8 or a vector of i8",
    lambda t: t == IntegerType(8) or (is_vector(t) and t.element_type == IntegerType(8)),
)

_DPAS = (
    "operands ` ` `{` `pa` `=` $pa `,` `pb` `=` $pb `,` `rc` `=` $rc `}` attr-dict `:` "
    "functional-type(operands, results)"
)
SYSTOLIC_DEPTH = 8
_FP8 = (PrecisionType.bf8, PrecisionType.hf8)


def _vector(value: SSAValue) -> VectorType:
    assert is_vector(value.type)
    return value.type


def _count(type: VectorType) -> int:
    count = 1
    for dim in type.get_shape():
        count *= dim
    return count


def _bits(value: SSAValue) -> int:
    type = _vector(value)
    return _count(type) * bit_width(type.element_type)


def _accumulators(precision: PrecisionType) -> tuple[tuple[type[Attribute], ...], str]:
    """Return the element types that the result can have, and their names."""
    match precision:
        case PrecisionType.u8 | PrecisionType.i8:
            return (IntegerType,), "i32"
        case PrecisionType.f16:
            return (Float16Type, Float32Type), "f16 or f32"
        case PrecisionType.tf32:
            return (Float32Type,), "f32"
        case PrecisionType.bf16:
            return (BFloat16Type, Float32Type), "bf16 or f32"
        case PrecisionType.bf8 | PrecisionType.hf8 | PrecisionType.e2m1 if (
            release() > early_blocks.LAST_RELEASE
        ):
            return (BFloat16Type, Float32Type), "bf16 or f32"
        case _:
            fp8 = "" if release() <= early_blocks.LAST_RELEASE else "bf8, hf8, "
            raise VerifyException(
                f"expecting precision type to be tf32, bf16, fp16, {fp8}u8, or s8"
            )


def _verify_dpas(op: Any) -> None:
    rows = op.rc.value.data
    if rows not in (1, 2, 4, 8):
        raise VerifyException("expecting repeat count to be 1, 2, 4, or 8")
    pa, pb = (PrecisionType(p.value.data) for p in (op.pa, op.pb))
    if pa != pb and not (pa in _FP8 and pb in _FP8):
        raise VerifyException("expecting precision of matrix A and B to be the same")
    a, b, c, d = map(_vector, (op.a, op.b, op.c, op.d))
    if c != d:
        raise VerifyException("1st operand (C) and result (D) should have the same type")
    early = release() <= early_blocks.LAST_RELEASE
    if _count(c) not in ((rows,) if early else (rows, -(-rows // 2))):
        raise VerifyException(
            "the dimension for 1st operand (C) and result (D) should match repeat count"
        )
    if _count(b) != SYSTOLIC_DEPTH and (early or _count(b) != SYSTOLIC_DEPTH // 2):
        depth = f" of {SYSTOLIC_DEPTH}" if early else ""
        raise VerifyException(
            f"the dimension for the 3rd operand (B) should match the systolic depth{depth}"
        )
    classes, names = _accumulators(pa)
    if not isinstance(c.element_type, classes) or (
        classes == (IntegerType,) and c.element_type != i32
    ):
        raise VerifyException(
            f"the element type for 1st operand (C) and the result should be {names}"
        )
    words = -(-rows // 2) if pa is PrecisionType.tf32 else rows
    if _count(a) != words and (early or _count(a) != -(-words // 2)):
        raise VerifyException(_wrong_rows(pa, early))
    _verify_packing(pa, a, b)


def _wrong_rows(precision: PrecisionType, early: bool) -> str:
    if not early:
        return "the dimension for the 2nd operand (A) should match the repeat count"
    if precision is PrecisionType.tf32:
        return "the dimension for the 2nd operand (A) should be equal to half of the repeat count"
    return "2nd operand (A) should have the same number of elements as repeat count"


def _verify_packing(precision: PrecisionType, a: VectorType, b: VectorType) -> None:
    widths = bit_width(a.element_type), bit_width(b.element_type)
    if precision is PrecisionType.tf32:
        if widths[0] != 32:
            raise VerifyException(
                "2nd operand (A) element type should be f32 or i32 when the precision type is tf32"
            )
        if widths[1] != 32:
            raise VerifyException(
                "3rd operand (B) element type should be f32 or i32 when the precision type is tf32"
            )
        return
    if a.element_type != IntegerType(16):
        raise VerifyException(
            "2nd operand (A) element type should be i16 when the precision type is not tf32"
        )
    if b.element_type != IntegerType(32):
        raise VerifyException(
            "3rd operand (B) element type should be i32 when the precision type is not tf32"
        )


@irdl_op_definition
class MatrixDPASOp(IRDLOperation):
    """
    `d = a · b + c` on the systolic array, `rc` rows at once, elements packed in integers.

    Upstream `TritonGEN_MatrixDPASOp`.

    ```mlir
    %d = triton_gen.dpas %c, %a, %b {pa = f16, pb = f16, rc = 8} : (vector<8xf32>, vector<8xi16>, vector<8xi32>) -> vector<8xf32>
    ```

    Shapes, for one of the sub-group's work items: c and d have `rc` elements, b 8.
    """

    name = "triton_gen.dpas"

    c = operand_def(MatrixVector)
    a = operand_def(MatrixVector)
    b = operand_def(MatrixVector)
    pa = prop_def(EnumValue(PrecisionType))
    pb = prop_def(EnumValue(PrecisionType))
    rc = prop_def(I32Value)
    d = result_def(MatrixVector)

    SYNTAX: ClassVar = Syntax(_DPAS)
    ENUMS: ClassVar = {"pa": PrecisionType, "pb": PrecisionType}

    def __init__(
        self,
        c: SSAValue | Operation,
        a: SSAValue | Operation,
        b: SSAValue | Operation,
        precision_a: PrecisionType,
        precision_b: PrecisionType,
        repeat_count: int,
    ):
        c = SSAValue.get(c)
        super().__init__(
            operands=[c, a, b],
            result_types=[c.type],
            properties={
                "pa": i32_attr(precision_a),
                "pb": i32_attr(precision_b),
                "rc": i32_attr(repeat_count),
            },
        )

    def verify_(self) -> None:
        _verify_dpas(self)


@irdl_op_definition
class MatrixBlockScaleDPASOp(IRDLOperation):
    """
    DPAS on microscaling floats, with scales of either operand.

    Upstream `TritonGEN_MatrixBlockScaleDPASOp`.

    ```mlir
    %d = triton_gen.bdpas %c, %a, %b, %sa, %sb {pa = bf8, pb = bf8, rc = 8} : (vector<8xf32>, vector<8xi16>, vector<8xi32>, i8, i8) -> vector<8xf32>
    ```
    """

    name = "triton_gen.bdpas"

    c = operand_def(MatrixVector)
    a = operand_def(MatrixVector)
    b = operand_def(MatrixVector)
    scaleA = opt_operand_def(Scale)
    scaleB = opt_operand_def(Scale)
    pa = prop_def(EnumValue(PrecisionType))
    pb = prop_def(EnumValue(PrecisionType))
    rc = prop_def(I32Value)
    d = result_def(MatrixVector)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    SYNTAX: ClassVar = Syntax(_DPAS, since=(3, 7))
    ENUMS: ClassVar = {"pa": PrecisionType, "pb": PrecisionType}

    def verify_(self) -> None:
        _verify_dpas(self)
        if self.rc.value.data != 8:
            raise VerifyException("expecting repeat count to be 8")
        packed = self.pa.value.data == PrecisionType.e2m1
        for number, name, scale in (("4th", "A", self.scaleA), ("5th", "B", self.scaleB)):
            if scale is None:
                continue
            has_lanes = is_vector(scale.type)
            if packed and not (has_lanes and _count(_vector(scale)) == 2):
                raise VerifyException(
                    f"{number} operand (Scale {name}) should be 2xi8 when precision is e2m1"
                )
            if not packed and has_lanes:
                raise VerifyException(
                    f"{number} operand (Scale {name}) should be i8 when precision is bf16, "
                    "fp16, bf8, or hf8"
                )


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

    traits = traits_def(PointerEffects(read="ptr"))

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
        bits, expected = _bits(self.res), size * width * height * blocks // (threads or 1)
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
        if (size == 32 or vnni) and bit_width(_vector(self.res).element_type) != 32:
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

    traits = traits_def(PointerEffects(write="ptr"))

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
