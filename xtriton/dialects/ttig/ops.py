"""
Ops on tensors of the `ttig` dialect. Upstream: `TritonIntelGPUOps.td`, `Ops.cpp`.
"""

from collections.abc import Sequence
from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import NoneAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import (
    BoolValue,
    EnumValue,
    I32Value,
    TT_AnyPtr,
    TT_BoolLike,
    TT_Tensor,
    TT_TensorPtr,
    TypeClass,
    bool_attr,
    i32_attr,
    is_ptr,
)
from xtriton.dialects.tt.enums import CacheModifier, EvictionPolicy
from xtriton.dialects.tt.hooks import Folds
from xtriton.dialects.tt.traits import SameOperandsAndResultElementType
from xtriton.dialects.tt.type_relations import element_type, i1_like, pointee_type, shape_of
from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.ttig.effects import PrefetchEffects
from xtriton.dialects.utils.effects import Allocates
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.syntax import Syntax, TypeRule, same_type

LOCAL_ADDRESS_SPACE = 3

Anything = TypeClass("tensor, pointer or number", lambda t: not isinstance(t, NoneAttr))
TensorOrTensorPtr = TypeClass(
    "ranked tensor or ptr to a block",
    lambda t: is_tensor(t) or TT_TensorPtr.accepts(t),
)


def _prefetch_mask(ptr: Attribute) -> Attribute:
    return i1_like(pointee_type(ptr))


@irdl_op_definition
class AllocOp(IRDLOperation):
    """
    Allocate shared local memory. Upstream `TTIG_AllocOp`.

    ```mlir
    %p = ttig.alloc : <i8, 3>
    ```
    """

    name = "ttig.alloc"

    result = result_def(PtrType)

    traits = traits_def(Allocates())

    SYNTAX: ClassVar = Syntax("attr-dict `:` type($result)")


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """
    Fetch what a block pointer or a tensor of pointers points to into the cache.

    Upstream `TTIG_PrefetchOp`.

    ```mlir
    ttig.prefetch %p, %mask {cache = 1 : i32, evict = 1 : i32, isVolatile = false} : tensor<64x32x!tt.ptr<f16>, #blocked>
    ```

    Shapes: the mask has that of what is pointed to.
    """

    name = "ttig.prefetch"

    ptr = operand_def(TT_AnyPtr)
    mask = opt_operand_def(TT_BoolLike)
    cache = prop_def(EnumValue(CacheModifier))
    evict = prop_def(EnumValue(EvictionPolicy))
    isVolatile = prop_def(BoolValue)

    traits = traits_def(PrefetchEffects())

    SYNTAX: ClassVar = Syntax("$ptr (`,` $mask^)? attr-dict `:` type($ptr)")
    TYPES: ClassVar = (TypeRule("mask", "ptr", _prefetch_mask),)

    def __init__(
        self,
        ptr: SSAValue | Operation,
        mask: SSAValue | Operation | None = None,
        *,
        cache: CacheModifier = CacheModifier.none,
        evict: EvictionPolicy = EvictionPolicy.evict_normal,
        is_volatile: bool = False,
    ):
        super().__init__(
            operands=[ptr, mask],
            properties={
                "cache": i32_attr(cache),
                "evict": i32_attr(evict),
                "isVolatile": bool_attr(is_volatile),
            },
        )


@irdl_op_definition
class BroadcastOp(IRDLOperation):
    """
    Repeat a tensor along dimensions of size 1, to another layout if need be.

    Upstream `TTIG_BroadcastOp`.

    ```mlir
    %y = ttig.broadcast %x : tensor<16x1xf32, #warp> -> tensor<16x64xf32, #blocked>
    ```
    """

    name = "ttig.broadcast"

    src = operand_def(TT_Tensor)
    result = result_def(TT_Tensor)

    traits = traits_def(SameOperandsAndResultElementType(), Pure())

    SYNTAX: ClassVar = Syntax("$src attr-dict `:` type($src) `->` type($result)")

    def __init__(self, src: SSAValue | Operation, result_type: Attribute):
        super().__init__(operands=[src], result_types=[result_type])


@irdl_op_definition
class SubGroupTransposeOp(IRDLOperation):
    """
    Transpose a square matrix held by one sub-group, by way of local memory.

    Upstream `TTIG_SubGroupTransposeOp`.

    ```mlir
    %t = ttig.sub_group_transpose %buffer, %x : tensor<16x16xf16>
    ```

    Shapes: sub-group size by sub-group size, before and after.
    """

    name = "ttig.sub_group_transpose"

    local_buffer = operand_def(TypeClass("ptr", is_ptr))
    src = operand_def(TT_Tensor)
    res = result_def(TT_Tensor)

    traits = traits_def()

    SYNTAX: ClassVar = Syntax("operands attr-dict `:` type($src)")
    TYPES: ClassVar = (
        *same_type("src", "res"),
        TypeRule("local_buffer", "src", lambda t: PtrType(element_type(t), LOCAL_ADDRESS_SPACE)),
    )

    def verify_(self) -> None:
        type = self.src.type
        assert is_tensor(type)
        shape = type.get_shape()
        if not isinstance(type.encoding, NoneAttr) or len(shape) != 2 or shape[0] != shape[1]:
            raise VerifyException(
                "can only be used on tensors of shape <sub_group_size x sub_group_size> with no "
                "encoding"
            )


@irdl_op_definition
class GlueOp(IRDLOperation):
    """
    Put tiles together to a tensor, or values to a vector-like tensor (up to Triton 3.6).

    Upstream `TTIG_GlueOp`.

    ```mlir
    %t = triton_intel_gpu.glue %a, %b : (tensor<16x8xf16>, tensor<16x8xf16>) -> tensor<16x16xf16>
    ```
    """

    name = "ttig.glue"

    args = var_operand_def(Anything)
    res = result_def(TensorOrTensorPtr)

    traits = traits_def(Pure())

    SYNTAX: ClassVar = Syntax(
        "operands attr-dict `:` functional-type(operands, results)", until=(3, 6)
    )

    def verify_(self) -> None:
        types = [value.type for value in self.args]
        if not types or any(type != types[0] for type in types):
            raise VerifyException("operands must have the same type")
        part, whole = shape_of(types[0]), shape_of(self.res.type)
        if not part:
            return
        if any(p > w for p, w in zip(part, whole, strict=False)):
            raise VerifyException("operands cannot exceed result size along any dimension")
        for axis, (p, w) in enumerate(zip(part, whole, strict=False)):
            if w % p:
                raise VerifyException(f"operands cannot be glued along axis {axis}")
        if len(types) * prod(part) != prod(whole):
            raise VerifyException("glued operands do not exactly cover the result shape")


@irdl_op_definition
class ExtractOp(IRDLOperation):
    """
    Tile `index` of a tensor, counted along the first dimension first (up to Triton 3.6).

    Upstream `TTIG_ExtractOp`.

    ```mlir
    %b = triton_intel_gpu.extract %t[1] : tensor<16x16xf16> -> tensor<16x8xf16>
    ```
    """

    name = "ttig.extract"

    base = operand_def(TensorOrTensorPtr)
    index = prop_def(I32Value)
    res = result_def(Anything)

    traits = traits_def(Pure(), Folds())

    SYNTAX: ClassVar = Syntax(
        "$base `[` $index `]` attr-dict `:` type($base) `->` type($res)", until=(3, 6)
    )

    def verify_(self) -> None:
        whole, part = shape_of(self.base.type), shape_of(self.res.type)
        if _element(self.base.type) != _element(self.res.type):
            raise VerifyException("operand and result element type must match")
        if len(part) > len(whole):
            raise VerifyException("result rank cannot be greater than operand rank")
        part = (*(1,) * (len(whole) - len(part)), *part)
        for axis, (p, w) in enumerate(zip(part, whole, strict=True)):
            if w < p:
                raise VerifyException(
                    f"operand shape cannot be smaller than result shape along dimension {axis}"
                )
            if w % p:
                raise VerifyException(
                    f"operands shape is not divisible by result shape along dimension {axis}"
                )
        tiles = prod(whole) // prod(part)
        if not 0 <= self.index.value.data < tiles:
            raise VerifyException(f"index must be less than {tiles}")

    def fold(self) -> Sequence[SSAValue] | None:
        """A tile of glued tiles is one of them; the only tile is the tensor."""
        index, glue = self.index.value.data, self.base.owner
        tiles = glue.args if isinstance(glue, GlueOp) else ()
        if index < len(tiles) and tiles[index].type == self.res.type:
            return (tiles[index],)
        if index == 0 and self.base.type == self.res.type:
            return (self.base,)
        return None


def _element(type: Attribute) -> Attribute:
    if isinstance(type, PtrType) and is_tensor(type.pointee_type):
        type = type.pointee_type
    return element_type(type)
