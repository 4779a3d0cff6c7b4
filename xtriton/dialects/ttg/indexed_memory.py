"""
Elements of shared memory by their numbers: gather, scatter, atomics.

Upstream: `TritonGPUOps.td`.
"""

from typing import Any, ClassVar

from xdsl.dialects.builtin import AnyFloat, IntegerType
from xdsl.ir import Attribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import EnumValue, I32Value, TT_IntTensor, TT_Tensor
from xtriton.dialects.tt.enums import RMWOp
from xtriton.dialects.ttg.constraints import (
    GPU_TRAITS,
    I1Tensor,
    SharedEffects,
    mask_like,
    verify_mutable,
)
from xtriton.dialects.ttg.interfaces import SharedEncoding
from xtriton.dialects.ttg.types import AsyncTokenType, MemDescType
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.syntax import Syntax, TypeRule, identity


def _verify_indexed(
    buffer: Attribute, name: str, indices: Attribute, axis: int, values: Attribute, what: str
) -> None:
    """What gathers and scatters ask of their buffer, their indices and their values."""
    assert isinstance(buffer, MemDescType)
    assert is_tensor(indices) and is_tensor(values)
    element = values.element_type
    if not isinstance(element, IntegerType | AnyFloat):
        raise VerifyException(f"{what} must have integer or floating element type")
    if not isinstance(buffer.encoding, SharedEncoding):
        raise VerifyException(f"{name} must have shared memory encoding")
    if values.get_shape() != indices.get_shape():
        raise VerifyException(f"{what} shape must match indices shape")
    if buffer.rank != len(indices.get_shape()):
        raise VerifyException(f"{name} and indices must have the same rank")
    if not 0 <= axis < buffer.rank:
        raise VerifyException(f"axis {axis} is out of bounds for {name} rank {buffer.rank}")
    if buffer.element_type != element:
        raise VerifyException(f"{what} element type must match {name} element type")


@irdl_op_definition
class LocalGatherOp(IRDLOperation):
    """
    Load the elements of a buffer that a tensor of indices along `axis` names.

    `result[i] = src[i with i[axis] replaced by indices[i]]`. Upstream `TTG_LocalGatherOp`.

    ```mlir
    %x = ttg.local_gather %a[%i] {axis = 0 : i32} : !ttg.memdesc<64x32xf16, #shared, #smem>, tensor<16x32xi32, #blocked> -> tensor<16x32xf16, #blocked>
    ```

    Shapes: indices and result have the same; the buffer has the same rank.
    """

    name = "ttg.local_gather"

    src = operand_def(MemDescType)
    indices = operand_def(TT_IntTensor)
    token = opt_operand_def(AsyncTokenType())
    axis = prop_def(I32Value)
    result = result_def(TT_Tensor)

    traits = traits_def(*GPU_TRAITS, SharedEffects(read="src"))

    SYNTAX: ClassVar = Syntax(
        "$src `[` $indices `]` (`token` $token^)? attr-dict `:` qualified(type($src)) `,` "
        "type($indices) `->` type($result)",
        since=(3, 7),
    )

    def verify_(self) -> None:
        indices: Any = self.indices.type
        result: Any = self.result.type
        axis = self.axis.value.data
        _verify_indexed(self.src.type, "source", indices, axis, result, "result")
        if indices.encoding != result.encoding:
            raise VerifyException("indices and result must have the same layout")


@irdl_op_definition
class LocalScatterOp(IRDLOperation):
    """
    Store a tensor to the elements of a buffer that indices along `axis` name.

    `dst[i with i[axis] replaced by indices[i]] = values[i]`. Upstream `TTG_LocalScatterOp`.

    ```mlir
    ttg.local_scatter %a[%i], %x {axis = 0 : i32} : !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, tensor<16x32xi32, #blocked>, tensor<16x32xf16, #blocked>
    ```

    Shapes: indices and values have the same; the buffer has the same rank.
    """

    name = "ttg.local_scatter"

    dst = operand_def(MemDescType)
    values = operand_def(TT_Tensor)
    indices = operand_def(TT_IntTensor)
    token = opt_operand_def(AsyncTokenType())
    axis = prop_def(I32Value)

    traits = traits_def(*GPU_TRAITS, SharedEffects(write="dst"))

    SYNTAX: ClassVar = Syntax(
        "$dst `[` $indices `]` `,` $values (`token` $token^)? attr-dict `:` "
        "qualified(type($dst)) `,` type($indices) `,` type($values)",
        since=(3, 7),
    )

    def verify_(self) -> None:
        indices: Any = self.indices.type
        values: Any = self.values.type
        axis = self.axis.value.data
        _verify_indexed(self.dst.type, "destination", indices, axis, values, "values")
        if indices.encoding != values.encoding:
            raise VerifyException("values must have the same layout as indices")


@irdl_op_definition
class LocalAtomicScatterRMWOp(IRDLOperation):
    """
    Update the elements of a buffer that indices along `axis` name, each atomically.

    Returns the elements' values before; where `mask` is false nothing happens and the value
    is undefined. Upstream `TTG_LocalAtomicScatterRMWOp`.

    ```mlir
    %old = ttg.local_atomic_scatter_rmw add, %a[%i], %x {axis = 0 : i32} : (!ttg.memdesc<64xi32, #shared, #smem, mutable>, tensor<16xi32, #blocked>, tensor<16xi32, #blocked>) -> tensor<16xi32, #blocked>
    ```

    Shapes: values, indices, mask and result have the same; the buffer has the same rank.
    """

    name = "ttg.local_atomic_scatter_rmw"

    dst = operand_def(MemDescType)
    values = operand_def(TT_Tensor)
    indices = operand_def(TT_IntTensor)
    mask = opt_operand_def(I1Tensor)
    atomic_rmw_op = prop_def(EnumValue(RMWOp))
    axis = prop_def(I32Value)
    result = result_def(TT_Tensor)

    traits = traits_def(*GPU_TRAITS, SharedEffects(read="dst", write="dst"))

    SYNTAX: ClassVar = Syntax(
        "$atomic_rmw_op `,` $dst `[` $indices `]` `,` $values (`,` $mask^)? attr-dict `:` "
        "functional-type(operands, results)",
        since=(3, 8),
    )
    TYPES: ClassVar = (
        TypeRule("result", "values", identity),
        TypeRule("mask", "values", mask_like),
    )
    ENUMS: ClassVar = {"atomic_rmw_op": RMWOp}

    def verify_(self) -> None:
        verify_mutable(self.dst.type)
        indices: Any = self.indices.type
        values: Any = self.values.type
        axis = self.axis.value.data
        _verify_indexed(self.dst.type, "destination", indices, axis, values, "values")
        if indices.encoding != values.encoding:
            raise VerifyException("values must have the same layout as indices")
