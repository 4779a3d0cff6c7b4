"""
Conversions between pointers and integers, of bits, and of floating-point formats.

Upstream: "Cast Ops" of `TritonOps.td`.
"""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import (
    EnumValue,
    TT_FloatLike,
    TT_I64Like,
    TT_PtrLike,
    TT_Type,
    bit_width,
    i32_attr,
)
from xtriton.dialects.tt.enums import RoundingMode
from xtriton.dialects.tt.hooks import Canonicalizes, Folds
from xtriton.dialects.tt.traits import (
    TENSOR_TRAITS,
    Elementwise,
    SameOperandsAndResultEncoding,
    SameOperandsAndResultShape,
)
from xtriton.dialects.tt.type_relations import element_type, with_element_type
from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.utils.constants import constant_zero
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.syntax import Syntax
from xtriton.ir.versions import Version, release

_CAST_TRAITS = (
    *TENSOR_TRAITS,
    Pure(),
    Elementwise(),
    SameOperandsAndResultShape(),
    SameOperandsAndResultEncoding(),
)
_CAST_SYNTAX = "$src attr-dict `:` type($src) `->` type($result)"

_UNCHECKED_UNTIL: Version = (3, 2)
"""Up to here a bitcast may change the width of the elements."""

_FOLDED_SINCE: Version = (3, 8)
"""From here on a bitcast to the same type is folded."""


@irdl_op_definition
class IntToPtrOp(IRDLOperation):
    """
    Take a 64-bit integer as a pointer, element by element.

    Upstream `TT_IntToPtrOp`.

    ```mlir
    %p = tt.int_to_ptr %i : tensor<8xi64> -> tensor<8x!tt.ptr<f32>>
    ```
    """

    name = "tt.int_to_ptr"

    src = operand_def(TT_I64Like)
    result = result_def(TT_PtrLike)

    traits = traits_def(
        *_CAST_TRAITS,
        Canonicalizes("xtriton.transforms.cleanup.canonicalization.tt:INT_TO_PTR_PATTERNS"),
    )
    SYNTAX: ClassVar = Syntax(_CAST_SYNTAX)

    def __init__(self, src: SSAValue | Operation, pointer: PtrType):
        src = SSAValue.get(src)
        result_type = with_element_type(src.type, pointer)
        super().__init__(operands=[src], result_types=[result_type])


@irdl_op_definition
class PtrToIntOp(IRDLOperation):
    """
    Take a pointer as a 64-bit integer, element by element.

    Upstream `TT_PtrToIntOp`.

    ```mlir
    %i = tt.ptr_to_int %p : !tt.ptr<f32> -> i64
    ```
    """

    name = "tt.ptr_to_int"

    src = operand_def(TT_PtrLike)
    result = result_def(TT_I64Like)

    traits = traits_def(*_CAST_TRAITS)
    SYNTAX: ClassVar = Syntax(_CAST_SYNTAX)

    def __init__(self, src: SSAValue | Operation):
        src = SSAValue.get(src)
        result_type = with_element_type(src.type, IntegerType(64))
        super().__init__(operands=[src], result_types=[result_type])


@irdl_op_definition
class BitcastOp(IRDLOperation):
    """
    Take the bits of one type as another type of the same width; pointers to pointers.

    Upstream `TT_BitcastOp`.

    ```mlir
    %q = tt.bitcast %p : tensor<8x!tt.ptr<i1>> -> tensor<8x!tt.ptr<i8>>
    ```
    """

    name = "tt.bitcast"

    src = operand_def(TT_Type)
    result = result_def(TT_Type)

    traits = traits_def(*_CAST_TRAITS, Folds())
    SYNTAX: ClassVar = Syntax(_CAST_SYNTAX)

    def __init__(self, src: SSAValue | Operation, target: Attribute):
        """`target` is the type of an element; shape and encoding are those of `src`."""
        src = SSAValue.get(src)
        result_type = with_element_type(src.type, element_type(target))
        super().__init__(operands=[src], result_types=[result_type])

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        """A bitcast to the same type is its operand, in releases that fold it."""
        idle = self.src.type == self.result.type
        return (self.src,) if idle and release() >= _FOLDED_SINCE else None

    def verify_(self) -> None:
        source, target = element_type(self.src.type), element_type(self.result.type)
        if isinstance(source, PtrType) and isinstance(target, PtrType):
            if source.address_space != target.address_space:
                raise VerifyException("Cannot bitcast pointer between different address spaces")
        elif isinstance(source, PtrType) or isinstance(target, PtrType):
            raise VerifyException("Cannot bitcast pointer to non-pointer type")
        elif bit_width(source) != bit_width(target) and release() > _UNCHECKED_UNTIL:
            raise VerifyException(
                f"Cannot bitcast data-type of size {bit_width(source)} to data-type of "
                f"size {bit_width(target)}"
            )


@irdl_op_definition
class FpToFpOp(IRDLOperation):
    """
    Convert between floating-point formats, 8-bit ones included, with a rounding mode.

    A conversion to fewer bits needs `rounding`. Upstream `TT_FpToFpOp`.

    ```mlir
    %r = tt.fp_to_fp %x, rounding = rtne : tensor<8xf32> -> tensor<8xf8E5M2>
    ```
    """

    name = "tt.fp_to_fp"

    src = operand_def(TT_FloatLike)
    rounding = opt_prop_def(EnumValue(RoundingMode))
    result = result_def(TT_FloatLike)

    traits = traits_def(*_CAST_TRAITS, Folds())
    SYNTAX: ClassVar = Syntax(
        "$src attr-dict (`,` `rounding` `=` $rounding^)? `:` type($src) `->` type($result)"
    )
    ENUMS: ClassVar = {"rounding": RoundingMode}

    def __init__(
        self,
        src: SSAValue | Operation,
        target: Attribute,
        rounding: RoundingMode | None = None,
    ):
        """`target` is the type of an element; shape and encoding are those of `src`."""
        src = SSAValue.get(src)
        super().__init__(
            operands=[src],
            result_types=[with_element_type(src.type, element_type(target))],
            properties={"rounding": None if rounding is None else i32_attr(rounding)},
        )

    def unsayable_in(self, version: Version) -> str | None:
        """Up to Triton 3.2, only tensors are converted."""
        return "scalar operand" if version <= (3, 2) and not is_tensor(self.src.type) else None

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        """A conversion to the same type is its operand, a zero of either sign stays one."""
        if self.src.type == self.result.type:
            return (self.src,)
        zero = constant_zero(self.src, self.result.type)
        return None if zero is None else (zero,)

    def verify_(self) -> None:
        source, target = element_type(self.src.type), element_type(self.result.type)
        if self.rounding is None and bit_width(target) < bit_width(source):
            raise VerifyException("Rounding mode is required for FP downcast")
