"""
Elementwise code from outside, and ops that look at a tensor as a whole.

Upstream: "External Elementwise op", "ElementwiseInlineAsm Op", "Histogram Op" and
"Gather Op" of `TritonOps.td`.
"""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import StringAttr, UnitAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import (
    BoolValue,
    I32Value,
    TT_BoolLike,
    TT_IntTensor,
    TT_Tensor,
    TT_Type,
    bool_attr,
    i32_attr,
)
from xtriton.dialects.tt.shape_inference import tensor_type
from xtriton.dialects.tt.traits import (
    TENSOR_TRAITS,
    EffectsUnlessPure,
    Elementwise,
    SameOperandsAndResultEncoding,
)
from xtriton.dialects.tt.type_relations import i1_like, with_element_type
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.errors import UserError
from xtriton.ir.syntax import Syntax, TypeRule
from xtriton.ir.versions import Version, version_text

FIRST_VERSION_OF_HISTOGRAM_MASKS: Version = (3, 4)


@irdl_op_definition
class ExternElementwiseOp(IRDLOperation):
    """
    Call a function of a device library on each element.

    `symbol` is looked for in the library `libname` at `libpath`; `pure` promises that it
    has no side effects. Upstream `TT_ExternElementwiseOp`.

    ```mlir
    %r = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_tanhf"}
        : (tensor<8xf32>) -> tensor<8xf32>
    ```
    """

    name = "tt.extern_elementwise"

    srcs = var_operand_def(TT_Type)
    libname = prop_def(StringAttr)
    libpath = prop_def(StringAttr)
    symbol = prop_def(StringAttr)
    pure = prop_def(BoolValue)
    result = result_def(TT_Type)

    traits = traits_def(
        *TENSOR_TRAITS,
        Elementwise(),
        SameOperandsAndResultEncoding(),
        EffectsUnlessPure(),
    )
    SYNTAX: ClassVar = Syntax("operands attr-dict `:` functional-type(operands, $result)")


@irdl_op_definition
class ElementwiseInlineAsmOp(IRDLOperation):
    """
    Run a piece of assembly on groups of `packed_element` elements.

    Which elements form a group is unspecified. `constraints` binds operands and results to
    registers as LLVM's inline assembly does; `pure` promises that it has no side effects.
    Upstream `TT_ElementwiseInlineAsmOp`.

    ```mlir
    %r = tt.elementwise_inline_asm "shl.b32 $0, $0, 3;" {constraints = "=r,r", packed_element = 1
        : i32, pure = true} %x : tensor<8xi32> -> tensor<8xi32>
    ```
    """

    name = "tt.elementwise_inline_asm"

    asm_string = prop_def(StringAttr)
    constraints = prop_def(StringAttr)
    pure = prop_def(BoolValue)
    packed_element = prop_def(I32Value)
    args = var_operand_def(TT_Type)
    result = var_result_def(TT_Type)

    traits = traits_def(
        *TENSOR_TRAITS,
        Elementwise(),
        SameOperandsAndResultEncoding(),
        EffectsUnlessPure(),
    )
    SYNTAX: ClassVar = Syntax("$asm_string attr-dict ($args^ `:` type($args))? `->` type($result)")

    def __init__(
        self,
        asm_string: str,
        constraints: str,
        args: Sequence[SSAValue | Operation],
        result_types: Sequence[Attribute],
        *,
        pure: bool = True,
        packed_element: int = 1,
    ):
        super().__init__(
            operands=[args],
            result_types=[result_types],
            properties={
                "asm_string": StringAttr(asm_string),
                "constraints": StringAttr(constraints),
                "pure": bool_attr(pure),
                "packed_element": i32_attr(packed_element),
            },
        )

    def verify_(self) -> None:
        packed = self.packed_element.value.data
        if packed <= 0:
            raise VerifyException(f"packed_element must be positive, got {packed}")
        if not self.operands:
            return
        type = self.operands[0].type
        count = type.element_count() if is_tensor(type) else 0
        if count % packed:
            raise VerifyException(
                f"number of input elements {count} must be a multiple of the op's "
                f"packed_element attribute, {packed}"
            )


@irdl_op_definition
class HistogramOp(IRDLOperation):
    """
    Count how often each value occurs among the elements where `mask` is true.

    Bin `i` of the result counts the value `i`. Upstream `TT_HistogramOp`; the mask is there
    since Triton 3.4.

    ```mlir
    %h = tt.histogram %x, %m : tensor<512xi32> -> tensor<16xi32>
    ```
    """

    name = "tt.histogram"

    src = operand_def(TT_IntTensor)
    mask = opt_operand_def(TT_BoolLike)
    result = result_def(TT_IntTensor)

    traits = traits_def(*TENSOR_TRAITS, Pure())
    SYNTAX: ClassVar = Syntax("$src (`,` $mask^)? attr-dict `:` type($src) `->` type($result)")
    TYPES: ClassVar = (TypeRule("mask", "src", i1_like),)

    def __init__(
        self,
        src: SSAValue | Operation,
        result_type: Attribute,
        mask: SSAValue | Operation | None = None,
    ):
        super().__init__(operands=[src, mask], result_types=[result_type])

    def encode_attributes(self, version: Version) -> dict[str, Attribute]:
        """Return the attributes; raise `UserError` for a mask where `version` has none."""
        if self.mask is not None and version < FIRST_VERSION_OF_HISTOGRAM_MASKS:
            raise UserError(f"Triton {version_text(version)} has no mask of '{self.name}'")
        return self.properties | self.attributes


@irdl_op_definition
class GatherOp(IRDLOperation):
    """
    Pick elements of a tensor along an axis: `r[i, j] = src[indices[i, j], j]` for axis 0.

    `efficient_layout` says that the layouts were chosen and shall stay.
    Upstream `TT_GatherOp`, since Triton 3.3.

    ```mlir
    %r = tt.gather %x[%i] {axis = 0 : i32} : (tensor<8x4xf32>, tensor<16x4xi32>) -> tensor<16x4xf32>
    ```

    Shapes: the result has that of `indices`, which is that of `src` except along `axis`.
    """

    name = "tt.gather"

    src = operand_def(TT_Tensor)
    indices = operand_def(TT_IntTensor)
    axis = prop_def(I32Value)
    efficient_layout = opt_prop_def(UnitAttr)
    result = result_def(TT_Tensor)

    traits = traits_def(*TENSOR_TRAITS, Pure())
    SYNTAX: ClassVar = Syntax(
        "$src `[` $indices `]` attr-dict `:` functional-type(operands, results)",
        since=(3, 3),
    )

    def __init__(
        self,
        src: SSAValue | Operation,
        indices: SSAValue | Operation,
        axis: int,
        *,
        efficient_layout: bool = False,
    ):
        src, indices = SSAValue.get(src), SSAValue.get(indices)
        element = tensor_type(src.type).element_type
        super().__init__(
            operands=[src, indices],
            result_types=[with_element_type(indices.type, element)],
            properties={
                "axis": i32_attr(axis),
                "efficient_layout": UnitAttr() if efficient_layout else None,
            },
        )

    def verify_(self) -> None:
        source, indices, result = (
            tensor_type(v.type) for v in (self.src, self.indices, self.result)
        )
        shape, index_shape = source.get_shape(), indices.get_shape()
        axis = self.axis.value.data
        if index_shape != result.get_shape():
            raise VerifyException("indices and output shapes must match")
        if indices.encoding != result.encoding:
            raise VerifyException("indices and output encodings must match")
        if source.element_type != result.element_type:
            raise VerifyException("input and output element types must match")
        if len(shape) != len(index_shape):
            raise VerifyException("input and indices ranks must match")
        if not 0 <= axis < len(shape):
            raise VerifyException("gather dimension must be less than the input rank")
        for dim, (size, wanted) in enumerate(zip(index_shape, shape, strict=True)):
            if dim != axis and size != wanted:
                raise VerifyException(
                    f"indices dimension {dim} must match the corresponding input dimension"
                )
