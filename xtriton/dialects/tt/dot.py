"""
Matrix products.

Upstream: "Dot Op" and "DotScaled Op" of `TritonOps.td`.
"""

from typing import ClassVar

from xdsl.dialects.builtin import Float8E4M3FNType, IntegerAttr, NoneAttr, TensorType
from xdsl.ir import Operation, SSAValue
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
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import (
    TRUE,
    BoolValue,
    EnumValue,
    I32Value,
    TT_FloatOrI8Tensor,
    TT_FloatTensor,
    TT_FpIntTensor,
    bit_width,
    bool_attr,
    i32_attr,
)
from xtriton.dialects.tt.enums import InputPrecision, ScaleDotElemType
from xtriton.dialects.tt.interfaces import TensorLayout
from xtriton.dialects.tt.shape_inference import tensor_type
from xtriton.dialects.tt.traits import TENSOR_TRAITS
from xtriton.ir.syntax import Syntax, same_type
from xtriton.ir.versions import Version, release

_LAST_RELEASE_OF_FACTORS_BY_TYPE: Version = (3, 7)
"""Since then the shapes of the operand and of its scales say how many elements share one."""


@irdl_op_definition
class DotOp(IRDLOperation):
    """
    The matrix product `a @ b + c`.

    `inputPrecision` says how 32-bit floats may be computed with; `maxNumImpreciseAcc` after
    how many additions in low precision (8-bit floats) a precise one must follow.
    Upstream `TT_DotOp`.

    ```mlir
    %d = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<16x32xf32> * tensor<32x8xf32>
        -> tensor<16x8xf32>
    ```

    Shapes: `[B x] M x K` and `[B x] K x N` give `[B x] M x N`.
    """

    name = "tt.dot"

    a = operand_def(TT_FpIntTensor)
    b = operand_def(TT_FpIntTensor)
    c = operand_def(TT_FpIntTensor)
    inputPrecision = prop_def(
        EnumValue(InputPrecision), default_value=i32_attr(InputPrecision.ieee)
    )
    maxNumImpreciseAcc = prop_def(I32Value, default_value=i32_attr(0))
    d = result_def(TT_FpIntTensor)

    traits = traits_def(*TENSOR_TRAITS, Pure())
    SYNTAX: ClassVar = Syntax(
        "$a `,` $b `,` $c (`,` `inputPrecision` `=` $inputPrecision^)? attr-dict `:` "
        "type($a) `*` type($b) `->` type($d)"
    )
    TYPES: ClassVar = same_type("d", "c")
    ENUMS: ClassVar = {"inputPrecision": InputPrecision}

    def __init__(
        self,
        a: SSAValue | Operation,
        b: SSAValue | Operation,
        c: SSAValue | Operation,
        *,
        input_precision: InputPrecision = InputPrecision.ieee,
        max_num_imprecise_acc: int = 0,
    ):
        c = SSAValue.get(c)
        super().__init__(
            operands=[a, b, c],
            result_types=[c.type],
            properties={
                "inputPrecision": i32_attr(input_precision),
                "maxNumImpreciseAcc": i32_attr(max_num_imprecise_acc),
            },
        )

    def verify_(self) -> None:
        a, b, c = (tensor_type(v.type) for v in (self.a, self.b, self.c))
        verify_dot_shapes(a.get_shape(), b.get_shape(), c.get_shape())
        if bit_width(a.element_type) != bit_width(b.element_type):
            raise VerifyException("element types of operands A and B must have same bit width")
        self._verify_encodings(a, b, c)

    def _verify_encodings(self, a: TensorType, b: TensorType, c: TensorType) -> None:
        bare = [isinstance(t.encoding, NoneAttr) for t in (a, b, c)]
        if bare[0] and bare[1]:
            return
        if bare[0] or bare[1]:
            raise VerifyException("mismatching encoding between A and B operands")
        if bare[2]:
            raise VerifyException("miss encoding of C operand")
        if isinstance(c.encoding, TensorLayout):
            c.encoding.verify_dot_operands(a.encoding, b.encoding, self)


def verify_dot_shapes(
    a: tuple[int, ...],
    b: tuple[int, ...],
    c: tuple[int, ...],
    factors: tuple[tuple[int, int], tuple[int, int]] = ((1, 1), (1, 1)),
) -> None:
    """
    Check ranks and dimensions as upstream's `DotOpInterface` does.

    `factors` are how many elements an element of `a` holds along (M, K) and one of `b`
    along (K, N).
    """
    if len(a) not in (2, 3):
        raise VerifyException("expected operands to be 2d or 3d")
    if len(b) != len(a) or len(c) != len(a):
        raise VerifyException("expected all operands to have the same rank")
    (on_m, a_on_k), (b_on_k, on_n) = factors
    if a[-1] * a_on_k != b[-2] * b_on_k:
        raise VerifyException(
            "expected the last dimension of the first operand to be equal to the "
            "second-to-last dimension of the second operand"
        )
    if len(a) == 3 and not a[0] == b[0] == c[0]:
        raise VerifyException(
            "expected the first dimension of the first operand to be equal to the first "
            "dimension of the result"
        )
    if c[-2:] != (a[-2] * on_m, b[-1] * on_n):
        raise VerifyException(
            "expected the output shape to be the concatenation of the last dimension of "
            "the first operand and the last dimension of the second "
        )


@irdl_op_definition
class DotScaledOp(IRDLOperation):
    """
    The matrix product of operands with a scale for each group along the inner dimension.

    `a_elem_type` and `b_elem_type` are the formats; `e2m1` comes packed in pairs in `i8`,
    along K, or, with `lhs_k_pack` or `rhs_k_pack` false, along M or N.
    Upstream `TT_DotScaledOp`, since Triton 3.3 (3.2 has another op of that name).

    ```mlir
    %d = tt.dot_scaled %a scale %sa, %b scale %sb, %c lhs = e4m3 rhs = e2m1 {fastMath = false}
        : tensor<128x64xi8>, tensor<128x2xi8> * tensor<32x128xi8>, tensor<128x2xi8>
        -> tensor<128x128xf32>
    ```

    Shapes: scales are `M x K / factor` and `N x K / factor`, the factor 16 or 32.
    """

    name = "tt.dot_scaled"

    a = operand_def(TT_FloatOrI8Tensor)
    b = operand_def(TT_FloatOrI8Tensor)
    c = operand_def(TT_FloatTensor)
    a_scale = opt_operand_def(TT_FloatOrI8Tensor)
    b_scale = opt_operand_def(TT_FloatOrI8Tensor)
    a_elem_type = prop_def(EnumValue(ScaleDotElemType))
    b_elem_type = prop_def(EnumValue(ScaleDotElemType))
    fastMath = prop_def(BoolValue)
    lhs_k_pack = prop_def(BoolValue, default_value=TRUE)
    rhs_k_pack = prop_def(BoolValue, default_value=TRUE)
    d = result_def(TT_FloatTensor)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(*TENSOR_TRAITS, Pure())
    SYNTAX: ClassVar = Syntax(
        "$a (`scale` $a_scale^)? `,` $b (`scale` $b_scale^)? `,` $c "
        "`lhs` `=` $a_elem_type `rhs` `=` $b_elem_type attr-dict "
        "`:` type($a) (`,` type($a_scale)^)? `*` type($b) (`,` type($b_scale)^)? "
        "`->` type($d)",
        since=(3, 3),
    )
    TYPES: ClassVar = same_type("d", "c")
    ENUMS: ClassVar = {"a_elem_type": ScaleDotElemType, "b_elem_type": ScaleDotElemType}

    def __init__(
        self,
        a: SSAValue | Operation,
        b: SSAValue | Operation,
        c: SSAValue | Operation,
        a_scale: SSAValue | Operation | None,
        b_scale: SSAValue | Operation | None,
        a_elem_type: ScaleDotElemType,
        b_elem_type: ScaleDotElemType,
        *,
        fast_math: bool = False,
        lhs_k_pack: bool = True,
        rhs_k_pack: bool = True,
    ):
        c = SSAValue.get(c)
        super().__init__(
            operands=[a, b, c, a_scale, b_scale],
            result_types=[c.type],
            properties={
                "a_elem_type": i32_attr(a_elem_type),
                "b_elem_type": i32_attr(b_elem_type),
                "fastMath": bool_attr(fast_math),
                "lhs_k_pack": bool_attr(lhs_k_pack),
                "rhs_k_pack": bool_attr(rhs_k_pack),
            },
        )

    @property
    def factors(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """How many elements one of `a` holds along (M, K) and one of `b` along (K, N)."""

        def of(format: IntegerAttr, k_pack: IntegerAttr) -> tuple[int, int]:
            if format.value.data != ScaleDotElemType.e2m1:
                return (1, 1)
            return (1, 2) if k_pack.value.data else (2, 1)

        on_n, b_on_k = of(self.b_elem_type, self.rhs_k_pack)
        return of(self.a_elem_type, self.lhs_k_pack), (b_on_k, on_n)

    @property
    def scale_factor(self) -> int:
        """How many elements along K share a scale; raise `VerifyException` if that is unclear."""
        a, b = (tensor_type(v.type).get_shape() for v in (self.a, self.b))
        (_, a_on_k), (b_on_k, _) = self.factors
        lhs = _scale_factor(a[-1] * a_on_k, self.a_scale)
        rhs = _scale_factor(b[-2] * b_on_k, self.b_scale)
        if lhs and rhs and lhs != rhs:
            raise VerifyException(
                f"Operands must have the same scale factor; (lhs: {lhs} vs rhs: {rhs})"
            )
        return lhs or rhs or 32

    def verify_(self) -> None:
        a, b, c = (tensor_type(v.type).get_shape() for v in (self.a, self.b, self.c))
        if len(a) < 2:
            raise VerifyException("operands must be at least 2D")
        factors = self.factors
        verify_dot_shapes(a, b, c, factors)
        k = a[-1] * factors[0][1]
        groups = k // self.scale_factor
        _verify_scale(self.a_scale, "M", c[-2], groups)
        _verify_scale(self.b_scale, "N", c[-1], groups)


def _scale_factor(k: int, scale: SSAValue | None) -> int:
    """Return the number of elements along K for each scale, 0 where there is but one."""
    if scale is None:
        return 0
    type = tensor_type(scale.type)
    if type.element_count() == 1:
        return 0
    if release() <= _LAST_RELEASE_OF_FACTORS_BY_TYPE:
        return 16 if isinstance(type.element_type, Float8E4M3FNType) else 32
    factor = k // type.get_shape()[-1]
    if factor not in (16, 32):
        raise VerifyException(f"scale factor must be 16 or 32. Got {factor}")
    return factor


def _verify_scale(scale: SSAValue | None, dimension: str, size: int, groups: int) -> None:
    if scale is None:
        return
    shape = tensor_type(scale.type).get_shape()
    if len(shape) < 2 or shape[-2] != size:
        raise VerifyException(
            f"scales {dimension} dimension must match the operand {dimension} dimension"
        )
    if shape[-1] != groups:
        raise VerifyException(
            "scales K dimension must match the operand K divided by the scale factor"
        )
