"""
Products of matrices by the systolic array (DPAS).

Upstream: `TritonGENOps.td`.
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
from xdsl.ir import Attribute
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
)
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.triton_gen import early_blocks
from xtriton.dialects.triton_gen.attributes import (
    PrecisionType,
)
from xtriton.dialects.triton_gen.vectors import MatrixVector, count_of, vector_of
from xtriton.dialects.tt.constraints import (
    EnumValue,
    I32Value,
    TypeClass,
    bit_width,
)
from xtriton.dialects.utils.tensors import is_vector
from xtriton.ir.syntax import Syntax
from xtriton.ir.versions import release

Scale = TypeClass(
    "i8 or a vector of i8",
    lambda t: t == IntegerType(8) or (is_vector(t) and t.element_type == IntegerType(8)),
)

_DPAS = (
    "operands ` ` `{` `pa` `=` $pa `,` `pb` `=` $pb `,` `rc` `=` $rc `}` attr-dict `:` "
    "functional-type(operands, results)"
)

_FP8 = (PrecisionType.bf8, PrecisionType.hf8)

SYSTOLIC_DEPTH = 8


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
    a, b, c, d = map(vector_of, (op.a, op.b, op.c, op.d))
    if c != d:
        raise VerifyException("1st operand (C) and result (D) should have the same type")
    early = release() <= early_blocks.LAST_RELEASE
    if count_of(c) not in ((rows,) if early else (rows, -(-rows // 2))):
        raise VerifyException(
            "the dimension for 1st operand (C) and result (D) should match repeat count"
        )
    if count_of(b) != SYSTOLIC_DEPTH and (early or count_of(b) != SYSTOLIC_DEPTH // 2):
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
    if count_of(a) != words and (early or count_of(a) != -(-words // 2)):
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
            if packed and not (has_lanes and count_of(vector_of(scale)) == 2):
                raise VerifyException(
                    f"{number} operand (Scale {name}) should be 2xi8 when precision is e2m1"
                )
            if not packed and has_lanes:
                raise VerifyException(
                    f"{number} operand (Scale {name}) should be i8 when precision is bf16, "
                    "fp16, bf8, or hf8"
                )
